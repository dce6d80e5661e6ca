//! From a record to a RenLib file of version 3.4.

use std::collections::BTreeMap;

use super::{
    BOARD_TEXT, COMMENT, EXTENSION, FIRST_LINE_ENDS, HEADER_LENGTH, HOLDS, LEAF, MAGIC, MARK,
    NO_MOVE, SIBLING_FOLLOWS, VERSION, can_hold, place,
};
use crate::notation::error::shortened;
use crate::notation::{Format, WriteError};
use crate::{Action, Cell, NodeId, Record, Rules, Setup, Side};

const FORMAT: Format = Format::Lib;

pub(crate) fn write(records: &[Record]) -> Result<Vec<u8>, WriteError> {
    let [record] = records else {
        return Err(WriteError::SeveralGames {
            format: FORMAT,
            games: records.len(),
        });
    };
    let rules = record.rules();
    if !can_hold(rules) {
        return Err(WriteError::Rules {
            format: FORMAT,
            rules,
            holds: HOLDS,
        });
    }
    let mut start = record.start.clone();
    if start.left == Some(1) {
        start.left = None;
    }
    let root = record.node(Record::ROOT);
    if start != Setup::empty(rules) || root.action != Action::Nothing {
        return Err(WriteError::Setup { format: FORMAT });
    }
    let mut output = MAGIC.to_vec();
    output.extend([VERSION.0, VERSION.1]);
    output.resize(HEADER_LENGTH, 0xff);
    let mut writer = Writer {
        record,
        rules,
        output,
        pending: Vec::new(),
    };
    writer.tree()?;
    Ok(writer.output)
}

/// A node that is still to be written.
struct Pending<'a> {
    what: What,
    /// The board text on its cell, which stands in the parent's labels.
    label: Option<&'a str>,
    sibling_follows: bool,
    to_move: Side,
    /// The number of stones before it.
    stones: usize,
}

enum What {
    Node(NodeId),
    /// A text on a cell that no child occupies.
    Label(Cell),
}

struct Writer<'a> {
    record: &'a Record,
    rules: Rules,
    output: Vec<u8>,
    /// Last in, first out.
    pending: Vec<Pending<'a>>,
}

impl<'a> Writer<'a> {
    fn tree(&mut self) -> Result<(), WriteError> {
        self.pending.push(Pending {
            what: What::Node(Record::ROOT),
            label: None,
            sibling_follows: false,
            to_move: Side::Black,
            stones: 0,
        });
        while let Some(next) = self.pending.pop() {
            match next.what {
                What::Node(id) => self.node(id, &next)?,
                What::Label(cell) => {
                    self.checked(cell)?;
                    self.put(place(cell), NO_MOVE | LEAF, "", &next)?;
                }
            }
        }
        Ok(())
    }

    fn node(&mut self, id: NodeId, next: &Pending<'a>) -> Result<(), WriteError> {
        let node = self.record.node(id);
        let mut stones = next.stones;
        let (position, mut flags, to_move) = match node.action {
            Action::Nothing if id == Record::ROOT => (0, 0, next.to_move),
            Action::Nothing => (0, NO_MOVE, next.to_move),
            Action::Pass(side) => {
                self.in_turn(side, next)?;
                (0, 0, !side)
            }
            Action::Place(stone) => {
                self.in_turn(stone.side, next)?;
                self.checked(stone.cell)?;
                stones += 1;
                let marked = node.marks.contains_key(&stone.cell);
                let flags = if marked { MARK } else { 0 };
                (place(stone.cell), flags, !stone.side)
            }
        };
        let before = self.pending.len();
        self.push_children(id, to_move, stones);
        if self.pending.len() == before {
            flags |= LEAF;
        }
        self.put(position, flags, &node.comment, next)
    }

    fn in_turn(&self, side: Side, next: &Pending<'_>) -> Result<(), WriteError> {
        if side == next.to_move {
            return Ok(());
        }
        Err(WriteError::Side {
            format: FORMAT,
            number: next.stones + 1,
            side,
        })
    }

    fn checked(&self, cell: Cell) -> Result<(), WriteError> {
        if self.rules.contains(cell) {
            return Ok(());
        }
        Err(WriteError::OffBoard {
            format: FORMAT,
            cell,
            rules: self.rules,
        })
    }

    /// Pushes what follows a node, in reverse: its children, then labels on other cells.
    fn push_children(&mut self, id: NodeId, to_move: Side, stones: usize) {
        let node = self.record.node(id);
        let mut labels: BTreeMap<Cell, &'a str> = BTreeMap::new();
        labels.extend(
            node.labels
                .iter()
                .map(|(&cell, text)| (cell, text.as_str())),
        );
        let before = self.pending.len();
        for &child in node.children() {
            let label = match self.record.node(child).action {
                Action::Place(stone) => labels.remove(&stone.cell),
                _ => None,
            };
            self.pending.push(Pending {
                what: What::Node(child),
                label,
                sibling_follows: true,
                to_move,
                stones,
            });
        }
        for (cell, text) in labels {
            self.pending.push(Pending {
                what: What::Label(cell),
                label: Some(text),
                sibling_follows: true,
                to_move,
                stones,
            });
        }
        let following = &mut self.pending[before..];
        if let Some(last) = following.last_mut() {
            last.sibling_follows = false;
        }
        following.reverse();
    }

    fn put(
        &mut self,
        position: u8,
        mut flags: u8,
        comment: &str,
        next: &Pending<'_>,
    ) -> Result<(), WriteError> {
        let label = next.label.filter(|label| !label.is_empty());
        if next.sibling_follows {
            flags |= SIBLING_FOLLOWS;
        }
        if !comment.is_empty() {
            flags |= COMMENT;
        }
        if label.is_some() {
            flags |= EXTENSION;
        }
        self.output.extend([position, flags]);
        if label.is_some() {
            self.output.extend([0, BOARD_TEXT]);
        }
        if !comment.is_empty() {
            refuse(comment, &['\0', FIRST_LINE_ENDS])?;
            let lines = comment.replace("\r\n", "\n").replace('\r', "\n");
            let separator = FIRST_LINE_ENDS.to_string();
            let lines = lines.replacen('\n', &separator, 1).replace('\n', "\r\n");
            self.text(&lines);
        }
        if let Some(label) = label {
            refuse(label, &['\0'])?;
            self.text(label);
        }
        Ok(())
    }

    /// A text, a zero, and another where the length would be odd.
    fn text(&mut self, text: &str) {
        self.output.extend(text.as_bytes());
        self.output.push(0);
        if text.len().is_multiple_of(2) {
            self.output.push(0);
        }
    }
}

fn refuse(text: &str, characters: &[char]) -> Result<(), WriteError> {
    match text.chars().find(|c| characters.contains(c)) {
        None => Ok(()),
        Some(character) => Err(WriteError::Text {
            format: FORMAT,
            text: shortened(text),
            character,
        }),
    }
}
