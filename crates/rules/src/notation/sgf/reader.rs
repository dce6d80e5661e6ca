//! From SGF text to records.

use super::header::{Header, read_fact};
use super::lexer::{Lexer, Value};
use super::likely_to_move;
use super::points::{Area, Points};
use super::text::unescaped;
use crate::notation::budget::{Budget, MOST_STONES, NOTES};
use crate::notation::error::shortened;
use crate::notation::{Format, NotationError, ReadOptions, charset};
use crate::{Action, Mark, NodeId, Notes, Placement, Record, Setup, Side};

pub(crate) fn read(bytes: &[u8], options: &ReadOptions) -> Result<Vec<Record>, NotationError> {
    let text = charset::decode_file(bytes, options.charset, charset_label(bytes));
    let mut lexer = Lexer::new(&text);
    if !lexer.find_game() {
        lexer.peek();
        return Err(lexer.expected("`(;`, the beginning of a game"));
    }
    let mut budget = Budget::new(Format::Sgf);
    let mut records = Vec::new();
    loop {
        records.push(Game::read(&mut lexer, options, &mut budget)?);
        match lexer.peek() {
            Some(b'(') => {}
            // Zeros and the old end-of-file sign pad files.
            None | Some(0 | 0x1a) => return Ok(records),
            Some(_) => return Err(lexer.expected("`(` of another game or the end of the file")),
        }
    }
}

/// The value of the first CA property: it must be known before the text can be decoded.
fn charset_label(bytes: &[u8]) -> Option<&[u8]> {
    let head = &bytes[..bytes.len().min(4096)];
    let at = head
        .windows(4)
        .position(|w| !w[0].is_ascii_alphabetic() && w[1..] == *b"CA[")?;
    let value = &head[at + 4..];
    Some(&value[..value.iter().position(|&b| b == b']')?])
}

/// One game while it is read.
struct Game<'b> {
    points: Points,
    record: Record,
    budget: &'b mut Budget,
    to_move: Option<Side>,
    /// Where the last set-up property was read.
    setup_node: Option<NodeId>,
    moved: bool,
}

/// One node while it is read: its notes belong to its last stone.
#[derive(Default)]
struct NodeContent {
    actions: Vec<Action>,
    notes: Notes,
    /// Where the first set-up property stands.
    setup: Option<usize>,
}

impl<'b> Game<'b> {
    fn read(
        lexer: &mut Lexer<'_>,
        options: &ReadOptions,
        budget: &'b mut Budget,
    ) -> Result<Record, NotationError> {
        budget.take_record(|| lexer.place(lexer.at()))?;
        // Parentheses that are open: where the variation leaves, and where it was opened.
        let mut open: Vec<(NodeId, usize)> = vec![(Record::ROOT, lexer.at())];
        lexer.step();
        let mut game = Self::begin(lexer, options, budget)?;
        let mut at = Record::ROOT;
        let mut node_must_follow = true;
        loop {
            match lexer.peek() {
                Some(b';') => {
                    lexer.step();
                    let first = game.record.is_empty() && node_must_follow && open.len() == 1;
                    at = game.node(lexer, at, first)?;
                    node_must_follow = false;
                }
                _ if node_must_follow => return Err(lexer.expected("`;` after `(`")),
                Some(b'(') => {
                    open.push((at, lexer.at()));
                    lexer.step();
                    node_must_follow = true;
                }
                Some(b')') => {
                    lexer.step();
                    let (parent, _) = open.pop().expect("the loop ends with the last one");
                    at = parent;
                    if open.is_empty() {
                        return Ok(game.finish());
                    }
                }
                None => {
                    let (_, opened) = open.pop().expect("the loop ends with the last one");
                    let what = format!(
                        "`)` to close the variation opened at {}",
                        lexer.place(opened)
                    );
                    return Err(lexer.expected(&what));
                }
                Some(_) => return Err(lexer.expected("a property, `;`, `(` or `)`")),
            }
        }
    }

    /// Looks ahead into the root for what must be known before points can be read.
    fn begin(
        lexer: &Lexer<'_>,
        options: &ReadOptions,
        budget: &'b mut Budget,
    ) -> Result<Self, NotationError> {
        let mut ahead = lexer.clone();
        let mut header = Header::default();
        if ahead.peek() == Some(b';') {
            ahead.step();
            ahead.properties(|name, value| header.property(lexer, name, value))?;
        }
        let rules = header.rules(lexer, options.rules)?;
        Ok(Self {
            points: Points {
                rules,
                capitals_from_bottom: header.capitals_from_bottom(),
            },
            record: Record::new(Setup::empty(rules)),
            budget,
            to_move: None,
            setup_node: None,
            moved: false,
        })
    }

    /// Reads one node, which follows `parent`, and returns the last of the record's nodes it made.
    fn node(
        &mut self,
        lexer: &mut Lexer<'_>,
        parent: NodeId,
        root: bool,
    ) -> Result<NodeId, NotationError> {
        let node_at = lexer.at();
        let outside = lexer.clone();
        let mut content = NodeContent::default();
        lexer.properties(|name, value| {
            if root && read_fact(&mut self.record.info, name, value) {
                return Ok(());
            }
            self.property(&outside, &mut content, name, value)
        })?;
        if let Some(setup) = content.setup
            && self.moved
        {
            let reason =
                "set-up stones after the first move; a record has one set-up, at its start";
            return Err(lexer.error(setup, reason));
        }
        let later_variation = !root && !self.record.node(parent).children().is_empty();
        if later_variation && self.setup_node.is_some_and(|setup| setup > parent) {
            let reason = "this variation and its sibling start from different set-ups; \
                          a record has one set-up, at its start";
            return Err(lexer.error(node_at, reason));
        }
        self.moved |= !content.actions.is_empty();
        if content.actions.is_empty() && !root {
            content.actions.push(Action::Nothing);
        }
        self.budget
            .take(content.actions.len(), || lexer.place(node_at))?;
        let mut at = parent;
        for action in content.actions {
            at = self.record.add(at, action);
        }
        if content.setup.is_some() {
            self.setup_node = Some(at);
        }
        if content.notes != Notes::default() {
            self.budget.take(NOTES, || lexer.place(node_at))?;
            **self.record.node_mut(at) = content.notes;
        }
        Ok(at)
    }

    fn property(
        &mut self,
        lexer: &Lexer<'_>,
        content: &mut NodeContent,
        name: &str,
        value: Value<'_>,
    ) -> Result<(), NotationError> {
        let wrong = |reason: String| lexer.error(value.at, reason);
        match name {
            "B" | "W" => {
                let side = if name == "B" {
                    Side::Black
                } else {
                    Side::White
                };
                let cells = self.points.several(value.raw).map_err(wrong)?;
                if cells.is_empty() {
                    content.actions.push(Action::Pass(side));
                }
                let stone = |cell| Action::Place(Placement { side, cell });
                content.actions.extend(cells.into_iter().map(stone));
                // Counted here too, because one node can hold any number of moves.
                self.count(lexer, value, content.actions.len().saturating_sub(1).min(1))?;
            }
            "C" => content.notes.comment = unescaped(value.raw, false),
            "N" => content.notes.name = unescaped(value.raw, true),
            "LB" => {
                let (point, label) = value
                    .raw
                    .split_once(':')
                    .ok_or_else(|| wrong("expected a point, a colon and a text".to_owned()))?;
                let cell = self.points.one(point).map_err(wrong)?;
                self.count(lexer, value, 1)?;
                content.notes.labels.insert(cell, unescaped(label, true));
            }
            "MA" => self.mark(lexer, content, value, Mark::Cross)?,
            "CR" => self.mark(lexer, content, value, Mark::Circle)?,
            "SQ" | "SL" => self.mark(lexer, content, value, Mark::Square)?,
            "TR" => self.mark(lexer, content, value, Mark::Triangle)?,
            "AR" => {
                let (from, to) = value
                    .raw
                    .split_once(':')
                    .ok_or_else(|| wrong("expected two points with a colon between".to_owned()))?;
                let from = self.points.one(from).map_err(wrong)?;
                let to = self.points.one(to).map_err(wrong)?;
                self.count(lexer, value, 1)?;
                content.notes.arrows.push((from, to));
            }
            "AB" | "AW" | "AE" => {
                content.setup.get_or_insert(value.at);
                let area = self.area(lexer, value)?;
                if name == "AE" {
                    // Taking away looks at every stone.
                    let start = &self.record.start;
                    let stones = start.black.len() + start.white.len();
                    self.count(lexer, value, stones)?;
                }
                let start = &mut self.record.start;
                match name {
                    "AB" => start.black.extend(area.cells()),
                    "AW" => start.white.extend(area.cells()),
                    _ => {
                        start.black.retain(|&stone| !area.contains(stone));
                        start.white.retain(|&stone| !area.contains(stone));
                    }
                }
                // No board has so many cells; and taking away would become slow.
                if start.black.len() + start.white.len() > 2 * MOST_STONES {
                    return Err(wrong(format!(
                        "more than {} set-up stones",
                        2 * MOST_STONES
                    )));
                }
            }
            "PL" => {
                content.setup.get_or_insert(value.at);
                self.to_move = match value.raw.trim().to_ascii_lowercase().as_str() {
                    "b" | "black" | "1" => Some(Side::Black),
                    "w" | "white" | "2" => Some(Side::White),
                    other => {
                        let reason = format!("`{}` is no side, expected B or W", shortened(other));
                        return Err(wrong(reason));
                    }
                };
            }
            "LEFT" => {
                content.setup.get_or_insert(value.at);
                let number = value.raw.trim().parse();
                self.record.start.left = Some(number.map_err(|_| {
                    wrong("expected the number of stones left in the turn".to_owned())
                })?);
            }
            _ => {}
        }
        Ok(())
    }

    fn mark(
        &mut self,
        lexer: &Lexer<'_>,
        content: &mut NodeContent,
        value: Value<'_>,
        mark: Mark,
    ) -> Result<(), NotationError> {
        let area = self.area(lexer, value)?;
        content
            .notes
            .marks
            .extend(area.cells().map(|cell| (cell, mark)));
        Ok(())
    }

    /// The cells of a value that holds a point or a rectangle; none when it is empty.
    fn area(&mut self, lexer: &Lexer<'_>, value: Value<'_>) -> Result<Area, NotationError> {
        let area = self.points.area(value.raw);
        let area = area.map_err(|reason| lexer.error(value.at, reason))?;
        self.count(lexer, value, area.len() + 1)?;
        Ok(area)
    }

    fn count(
        &mut self,
        lexer: &Lexer<'_>,
        value: Value<'_>,
        items: usize,
    ) -> Result<(), NotationError> {
        self.budget.take(items, || lexer.place(value.at))
    }

    fn finish(mut self) -> Record {
        let start = &self.record.start;
        let first = (0..self.record.len())
            .map(|index| self.record.node(NodeId(index)).action)
            .find(|&action| action != Action::Nothing);
        let guess = likely_to_move(first, start.black.len(), start.white.len());
        self.record.start.to_move = self.to_move.unwrap_or(guess);
        self.record
    }
}
