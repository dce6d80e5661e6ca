//! From a RenLib file to a record.

use super::{
    BOARD_TEXT, CENTRE, COMMENT, EXTENSION, FIRST_LINE_ENDS, HEADER_LENGTH, HOLDS, LEAF, MAGIC,
    MARK, NO_MOVE, OLD_COMMENT, SIBLING_FOLLOWS, VERSION, can_hold, cell,
};
use crate::notation::budget::{Budget, NOTES};
use crate::notation::charset::Charset;
use crate::notation::{Format, NotationError, Place, ReadOptions};
use crate::{Action, Cell, Mark, NodeId, Placement, Record, Rules, Setup, Side};

pub(crate) fn read(bytes: &[u8], options: &ReadOptions) -> Result<Vec<Record>, NotationError> {
    let rules = options.rules.unwrap_or(Rules::GOMOKU);
    if !can_hold(rules) {
        let reason = format!("RenLib files hold {HOLDS}, not {rules}");
        return Err(NotationError::new(Format::Lib, Place::File, reason));
    }
    let begin = header(bytes)?;
    let mut reader = Reader {
        bytes,
        at: begin,
        budget: Budget::new(Format::Lib),
        record: Record::new(Setup::empty(rules)),
        to_move: vec![Side::Black],
        text: Vec::new(),
        texts: Vec::new(),
    };
    // A header alone is an empty library.
    if begin < bytes.len() {
        reader.tree()?;
    }
    Ok(vec![reader.finish(options.charset)])
}

fn error(at: usize, reason: impl Into<String>) -> NotationError {
    NotationError::new(Format::Lib, Place::Byte(at), reason)
}

/// Where the nodes begin.
fn header(bytes: &[u8]) -> Result<usize, NotationError> {
    if bytes[0] == CENTRE {
        return Ok(0);
    }
    if let Some(at) = (0..MAGIC.len()).find(|&at| bytes.get(at) != Some(&MAGIC[at])) {
        let reason = match bytes.get(at) {
            None => "the header is cut, expected 20 bytes".to_owned(),
            Some(found) => format!(
                "expected {}, found the byte {found:02x}",
                Format::Lib.beginning()
            ),
        };
        return Err(error(at, reason));
    }
    if bytes.len() < HEADER_LENGTH {
        return Err(error(bytes.len(), "the header is cut, expected 20 bytes"));
    }
    let version = (bytes[8], bytes[9]);
    if version > VERSION {
        let (major, minor) = version;
        let reason = format!("the version is {major}.{minor}, expected at most 3.4");
        return Err(error(8, reason));
    }
    Ok(HEADER_LENGTH)
}

/// Where a text belongs.
enum Owner {
    Comment(NodeId),
    Label(NodeId, Cell),
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    budget: Budget,
    record: Record,
    /// Who plays after each node.
    to_move: Vec<Side>,
    /// All texts, a line break after each: their character set is guessed from all together.
    text: Vec<u8>,
    texts: Vec<(Owner, std::ops::Range<usize>)>,
}

impl Reader<'_> {
    /// Two bytes: everything in the file comes in pairs.
    fn pair(&mut self, what: &str) -> Result<(u8, u8), NotationError> {
        match self.bytes.get(self.at..self.at + 2) {
            Some(pair) => {
                self.at += 2;
                Ok((pair[0], pair[1]))
            }
            None => {
                let reason = format!("expected {what}, found the end of the file");
                Err(error(self.bytes.len(), reason))
            }
        }
    }

    fn tree(&mut self) -> Result<(), NotationError> {
        // Parents of siblings that are still to come.
        let mut pending = Vec::new();
        let mut parent = Record::ROOT;
        let mut first = true;
        loop {
            let at = self.at;
            let (place, flags) = self.pair("another move of the tree")?;
            let is_root = first && place == 0;
            first = false;
            let node = if is_root {
                self.notes(Some(Record::ROOT), None, flags)?;
                Record::ROOT
            } else {
                self.node(at, parent, place, flags)?
            };
            if flags & SIBLING_FOLLOWS != 0 {
                pending.push(parent);
            }
            if flags & LEAF == 0 {
                parent = node;
            } else if let Some(next) = pending.pop() {
                parent = next;
            } else {
                break;
            }
        }
        let padding = self.bytes[self.at..].iter().all(|&byte| byte == 0);
        if padding {
            Ok(())
        } else {
            let reason = "expected the end of the file after the last move of the tree";
            Err(error(self.at, reason))
        }
    }

    /// Reads the rest of a node that is not the root.
    fn node(
        &mut self,
        at: usize,
        parent: NodeId,
        place: u8,
        flags: u8,
    ) -> Result<NodeId, NotationError> {
        let cell = cell(place);
        if cell.is_none() && place != 0 {
            let reason =
                format!("{place:02x} is no place on 15x15, expected row 0 to e, column 1 to f");
            return Err(error(at, reason));
        }
        self.budget.take(1, || Place::Byte(at))?;
        let label = cell.map(|cell| (parent, cell));
        let has_comment = flags & (COMMENT | OLD_COMMENT) != 0;
        let text_only = flags & NO_MOVE != 0 && flags & LEAF != 0 && !has_comment;
        if text_only && cell.is_some() {
            // Only a text on an empty point.
            self.notes(None, label, flags)?;
            return Ok(parent);
        }
        let side = self.to_move[parent.0];
        let (action, next) = match cell {
            _ if flags & NO_MOVE != 0 => (Action::Nothing, side),
            Some(cell) => (Action::Place(Placement { side, cell }), !side),
            None => (Action::Pass(side), !side),
        };
        let node = self.record.add(parent, action);
        self.to_move.push(next);
        if let Action::Place(stone) = action
            && flags & MARK != 0
        {
            let marks = &mut self.record.node_mut(node).marks;
            marks.insert(stone.cell, Mark::Circle);
        }
        self.notes(Some(node), label, flags)?;
        Ok(node)
    }

    /// Reads the texts that the flags announce: a comment on `node`, a label on a cell.
    fn notes(
        &mut self,
        node: Option<NodeId>,
        label: Option<(NodeId, Cell)>,
        flags: u8,
    ) -> Result<(), NotationError> {
        let extension = if flags & EXTENSION != 0 {
            self.pair("two extension bytes")?.1
        } else {
            0
        };
        if flags & (OLD_COMMENT | COMMENT) != 0 {
            let range = if flags & OLD_COMMENT != 0 {
                self.old_text()?
            } else {
                self.new_text("the rest of a comment")?
            };
            if let Some(node) = node {
                self.keep(Owner::Comment(node), range)?;
            }
        }
        if extension & BOARD_TEXT != 0 {
            let range = self.new_text("the rest of a board text")?;
            if let Some((node, cell)) = label {
                self.keep(Owner::Label(node, cell), range)?;
            }
        }
        Ok(())
    }

    fn keep(&mut self, owner: Owner, range: std::ops::Range<usize>) -> Result<(), NotationError> {
        if !range.is_empty() {
            self.budget.take(1 + NOTES, || Place::Byte(self.at))?;
            self.texts.push((owner, range));
        }
        Ok(())
    }

    /// Text that ends with a zero, filled up to a whole pair.
    fn new_text(&mut self, what: &str) -> Result<std::ops::Range<usize>, NotationError> {
        let begin = self.text.len();
        loop {
            let (first, second) = self.pair(what)?;
            if first != 0 {
                self.text.push(first);
            }
            if first == 0 || second == 0 {
                break;
            }
            self.text.push(second);
        }
        Ok(self.text_from(begin))
    }

    /// Text of seven-bit characters, the last of which has the eighth bit set.
    fn old_text(&mut self) -> Result<std::ops::Range<usize>, NotationError> {
        let begin = self.text.len();
        'text: loop {
            let (first, second) = self.pair("the rest of an old comment")?;
            for byte in [first, second] {
                if byte & 0x7f != 0 {
                    self.text.push(byte & 0x7f);
                }
                if byte & 0x80 != 0 {
                    break 'text;
                }
            }
        }
        Ok(self.text_from(begin))
    }

    fn text_from(&mut self, begin: usize) -> std::ops::Range<usize> {
        let range = begin..self.text.len();
        self.text.push(b'\n');
        range
    }

    fn finish(mut self, charset: Option<Charset>) -> Record {
        let charset = charset.unwrap_or_else(|| Charset::guess(&self.text));
        for (owner, range) in self.texts {
            let text = charset.decode(&self.text[range]);
            match owner {
                Owner::Comment(node) => {
                    let comment = text
                        .replace("\r\n", "\n")
                        .replace(['\r', FIRST_LINE_ENDS], "\n");
                    self.record.node_mut(node).comment = comment;
                }
                Owner::Label(node, cell) => {
                    let labels = &mut self.record.node_mut(node).labels;
                    labels.insert(cell, text.into_owned());
                }
            }
        }
        self.record
    }
}
