//! From records to SGF text.

use super::header::facts;
use super::likely_to_move;
use super::points::Points;
use super::text::push_escaped;
use crate::notation::{Format, WriteError};
use crate::{Action, Cell, Mark, Node, NodeId, Record, Rules, Side};

pub(crate) fn write(records: &[Record]) -> Result<Vec<u8>, WriteError> {
    let mut output = String::new();
    for record in records {
        let mut writer = Writer {
            record,
            points: Points {
                rules: record.rules(),
                capitals_from_bottom: !is_gomoku(record.rules()),
            },
            output: &mut output,
        };
        writer.game()?;
        output.push('\n');
    }
    Ok(output.into_bytes())
}

/// Whether programs for GM[4] understand the game: five in a row, one stone per turn, on a square
/// board with letters for all rows.
fn is_gomoku(rules: Rules) -> bool {
    let square = rules
        .size()
        .is_some_and(|(width, height)| width == height && width <= 26);
    square && (rules.line(), rules.per_turn(), rules.first_turn()) == (5, 1, 1)
}

struct Writer<'a> {
    record: &'a Record,
    points: Points,
    output: &'a mut String,
}

/// What is still to be written.
enum Step {
    Node(NodeId),
    Open(NodeId),
    Close,
}

impl Writer<'_> {
    fn game(&mut self) -> Result<(), WriteError> {
        self.output.push_str("(;");
        self.header();
        self.start()?;
        let root = self.record.node(Record::ROOT);
        self.notes(root)?;
        if root.action != Action::Nothing {
            self.output.push(';');
            self.action(root.action)?;
        }
        // Last in, first out: children are pushed in reverse.
        let mut steps = vec![Step::Close];
        self.push_children(&mut steps, Record::ROOT);
        let mut on_line = usize::MAX;
        while let Some(step) = steps.pop() {
            match step {
                Step::Close => self.output.push(')'),
                Step::Open(id) => {
                    self.output.push_str("\n(");
                    on_line = 0;
                    steps.push(Step::Close);
                    steps.push(Step::Node(id));
                }
                Step::Node(id) => {
                    if on_line >= 12 {
                        self.output.push('\n');
                        on_line = 0;
                    }
                    on_line += 1;
                    let node = self.record.node(id);
                    self.output.push(';');
                    self.action(node.action)?;
                    self.notes(node)?;
                    self.push_children(&mut steps, id);
                }
            }
        }
        Ok(())
    }

    fn push_children(&self, steps: &mut Vec<Step>, id: NodeId) {
        match self.record.node(id).children() {
            [only] => steps.push(Step::Node(*only)),
            several => steps.extend(several.iter().rev().map(|&child| Step::Open(child))),
        }
    }

    fn header(&mut self) {
        let rules = self.record.rules();
        let game = if self.points.capitals_from_bottom {
            "511"
        } else {
            "4"
        };
        self.property("FF", "4");
        self.property("CA", "UTF-8");
        self.property("AP", concat!("tengen:", env!("CARGO_PKG_VERSION")));
        self.property("GM", game);
        match rules.size() {
            Some((width, height)) if width == height => self.property("SZ", &width.to_string()),
            Some((width, height)) => self.property("SZ", &format!("{width}:{height}")),
            None => {}
        }
        self.property("RU", &rules.to_string());
        for (name, text) in facts(&mut self.record.info.clone()) {
            if !text.is_empty() {
                self.text(name, &one_line(text));
            }
        }
    }

    fn start(&mut self) -> Result<(), WriteError> {
        let start = &self.record.start;
        for side in Side::BOTH {
            let name = if side == Side::Black { "AB" } else { "AW" };
            self.list(name, start.stones_of(side).iter().copied())?;
        }
        let first = self.first_action();
        let guess = likely_to_move(first, start.black.len(), start.white.len());
        if start.stones().next().is_some() || guess != start.to_move {
            let letter = start.to_move.letter();
            self.property("PL", letter.encode_utf8(&mut [0; 4]));
        }
        if let Some(left) = start.left {
            self.property("LEFT", &left.to_string());
        }
        Ok(())
    }

    /// The first move in the order in which nodes are written.
    fn first_action(&self) -> Option<Action> {
        let mut pending = vec![Record::ROOT];
        while let Some(id) = pending.pop() {
            let node = self.record.node(id);
            if node.action != Action::Nothing {
                return Some(node.action);
            }
            pending.extend(node.children().iter().rev());
        }
        None
    }

    fn action(&mut self, action: Action) -> Result<(), WriteError> {
        match action {
            Action::Place(stone) => {
                let point = self.point(stone.cell)?;
                self.property(stone.side.letter().encode_utf8(&mut [0; 4]), &point);
            }
            Action::Pass(side) => self.property(side.letter().encode_utf8(&mut [0; 4]), ""),
            Action::Nothing => {}
        }
        Ok(())
    }

    fn notes(&mut self, node: &Node) -> Result<(), WriteError> {
        if !node.name.is_empty() {
            self.text("N", &one_line(&node.name));
        }
        if !node.comment.is_empty() {
            self.text("C", &node.comment);
        }
        for (name, mark) in [
            ("MA", Mark::Cross),
            ("CR", Mark::Circle),
            ("SQ", Mark::Square),
            ("TR", Mark::Triangle),
        ] {
            let marked = node.marks.iter().filter(|(_, m)| **m == mark);
            self.list(name, marked.map(|(&cell, _)| cell))?;
        }
        for (index, (&cell, label)) in node.labels.iter().enumerate() {
            let point = self.point(cell)?;
            self.output.push_str(if index == 0 { "LB[" } else { "[" });
            self.output.push_str(&point);
            self.output.push(':');
            push_escaped(self.output, &one_line(label), true);
            self.output.push(']');
        }
        for (index, &(from, to)) in node.arrows.iter().enumerate() {
            let (from, to) = (self.point(from)?, self.point(to)?);
            let name = if index == 0 { "AR" } else { "" };
            self.output.push_str(&format!("{name}[{from}:{to}]"));
        }
        Ok(())
    }

    fn list(&mut self, name: &str, cells: impl Iterator<Item = Cell>) -> Result<(), WriteError> {
        for (index, cell) in cells.enumerate() {
            let point = self.point(cell)?;
            self.property(if index == 0 { name } else { "" }, &point);
        }
        Ok(())
    }

    fn point(&self, cell: Cell) -> Result<String, WriteError> {
        let rules = self.points.rules;
        self.points.written(cell).ok_or(WriteError::OffBoard {
            format: Format::Sgf,
            cell,
            rules,
        })
    }

    /// A value without signs that need an escape.
    fn property(&mut self, name: &str, value: &str) {
        self.output.push_str(name);
        self.output.push('[');
        self.output.push_str(value);
        self.output.push(']');
    }

    fn text(&mut self, name: &str, text: &str) {
        self.output.push_str(name);
        self.output.push('[');
        push_escaped(self.output, text, false);
        self.output.push(']');
    }
}

/// Names and facts are single lines in SGF.
fn one_line(text: &str) -> String {
    text.replace("\r\n", " ").replace(['\n', '\r'], " ")
}
