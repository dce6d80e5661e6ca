//! A proof as an indented tree: the attacker's turns and the replies they answer.

use std::fmt::Write as _;

use tengen_prover::{Proof, Reply, ReplyKind};
use tengen_rules::{Cell, Position};

use crate::output::grouped;
use crate::strategy::{After, Walk};
use crate::view::cells_in_words;

/// More lines help nobody.
const MOST_LINES: usize = 10_000;

/// Draws the tree below a node down to a depth, given the position of the node.
pub(crate) fn draw(proof: &Proof, node: usize, depth: u32, position: &Position) -> String {
    let mut tree = Tree {
        walk: Walk::new(proof, position),
        shown: vec![false; proof.nodes.len()],
        text: String::new(),
        lines: 0,
    };
    tree.node(node, 0, depth);
    if tree.lines >= MOST_LINES {
        tree.text += "... and more; choose a smaller --depth, or a --node\n";
    }
    tree.text
}

struct Tree<'a> {
    walk: Walk<'a>,
    shown: Vec<bool>,
    text: String,
    lines: usize,
}

impl Tree<'_> {
    /// Continues a line with the attacker's turn, then a line for every reply.
    fn node(&mut self, id: usize, indent: usize, depth: u32) {
        let proof = self.walk.proof;
        let node = &proof.nodes[id];
        let turn = if node.turn.is_empty() {
            format!("{} to move", !proof.attacker)
        } else {
            format!("{} {}", proof.attacker, cells_in_words(&node.turn))
        };
        self.write(&format!("{id}: {turn}"));
        if std::mem::replace(&mut self.shown[id], true) && !node.replies.is_empty() {
            return self.end_line(", as above");
        }
        match self.walk.attack(id) {
            None => return self.end_line(": cannot be played here"),
            Some(After::Line) => self.end_line(", a complete line"),
            Some(After::Unstoppable) => self.end_line(", more threats than can be stopped"),
            Some(After::Open) if depth <= 1 && !node.replies.is_empty() => {
                let replies = match node.replies.len() {
                    1 => "1 reply".to_owned(),
                    n => format!("{} replies", grouped(n as u64)),
                };
                self.end_line(&format!(", {replies} not shown"));
            }
            Some(After::Open) => {
                self.end_line("");
                for reply in &node.replies {
                    self.reply(reply, indent + 1, depth - 1);
                }
            }
        }
        self.walk.take_back(node.turn.len());
    }

    fn reply(&mut self, reply: &Reply, indent: usize, depth: u32) {
        if self.lines >= MOST_LINES {
            return;
        }
        let defender = !self.walk.attacker();
        let words = reply_in_words(&reply.stones, self.walk.kind(reply));
        self.write(&format!("{}{defender} {words} -> ", "  ".repeat(indent)));
        if self.walk.place(defender, &reply.stones).is_none() {
            return self.end_line("cannot be played here");
        }
        self.node(reply.child as usize, indent, depth);
        self.walk.take_back(reply.stones.len());
    }

    fn write(&mut self, text: &str) {
        self.text += text;
    }

    fn end_line(&mut self, text: &str) {
        writeln!(self.text, "{text}").expect("writing to a string");
        self.lines += 1;
    }
}

/// "J7 K6", "J7 (semi-null)", "- (null)", "{J7 K6 L5} (macro)".
pub(crate) fn reply_in_words(stones: &[Cell], kind: ReplyKind) -> String {
    let cells = cells_in_words(stones);
    match kind {
        ReplyKind::Full => cells,
        ReplyKind::SemiNull => format!("{cells} (semi-null)"),
        ReplyKind::Null => "- (null)".to_owned(),
        ReplyKind::Macro => format!("{{{cells}}} (macro)"),
    }
}
