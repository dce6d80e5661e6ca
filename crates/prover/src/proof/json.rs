//! The JSON form, for programs that show proofs. It is not read back.

use serde_json::{Value, json};
use tengen_rules::{Cell, Side, notation};

use super::{Proof, ReplyKind, VERSION};

fn names(cells: &[Cell]) -> Vec<String> {
    cells.iter().map(Cell::to_string).collect()
}

impl Proof {
    /// The proof as JSON: every node with the stones on the board when it is reached first.
    pub fn to_json(&self) -> Value {
        let mut stones = vec![None; self.nodes.len()];
        let start = (self.position.black.clone(), self.position.white.clone());
        if let Some(root) = stones.first_mut() {
            *root = Some(start);
        }
        let mut nodes = Vec::new();
        for (id, node) in self.nodes.iter().enumerate() {
            // Children come after their parents, so the stones are known by now.
            let (black, white) = stones[id].take().unwrap_or_default();
            for reply in &node.replies {
                let (mut black, mut white) = (black.clone(), white.clone());
                let (ours, theirs) = match self.attacker {
                    Side::Black => (&mut black, &mut white),
                    Side::White => (&mut white, &mut black),
                };
                ours.extend(&node.turn);
                theirs.extend(&reply.stones);
                if let Some(child) = stones.get_mut(reply.child as usize) {
                    child.get_or_insert((black, white));
                }
            }
            let replies: Vec<Value> = node
                .replies
                .iter()
                .map(|reply| self.reply_json(reply))
                .collect();
            let to_move = if node.turn.is_empty() {
                !self.attacker
            } else {
                self.attacker
            };
            nodes.push(json!({
                "id": id,
                "black": names(&black),
                "white": names(&white),
                "to_move": to_move.to_string().to_lowercase(),
                "turn": names(&node.turn),
                "replies": replies,
            }));
        }
        json!({
            "format": "tengen-proof",
            "version": VERSION,
            "rules": self.position.rules.to_string(),
            "attacker": self.attacker.to_string().to_lowercase(),
            "position": notation::setup_text(&self.position),
            "except": self.except.iter().map(|stones| names(stones)).collect::<Vec<_>>(),
            "region": self.region.map(|(one, other)| names(&[one, other])),
            "zones": self.zones.iter().map(|zone| names(zone)).collect::<Vec<_>>(),
            "nodes": nodes,
        })
    }

    fn reply_json(&self, reply: &super::Reply) -> Value {
        let kind = match reply.kind(self.position.rules.per_turn()) {
            ReplyKind::Full => "full",
            ReplyKind::SemiNull => "semi-null",
            ReplyKind::Null => "null",
            ReplyKind::Macro => "macro",
        };
        json!({ "stones": names(&reply.stones), "child": reply.child, "kind": kind })
    }
}
