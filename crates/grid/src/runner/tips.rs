//! Strategies that won after other turns of the same position: workers try them first.

use std::collections::HashMap;

use tengen_book::Book;
use tengen_rules::{Cell, Position, Turn};

use crate::compose::{after, along, compose_at};
use crate::search::{EdgeView, NodeId, NodeView};
use crate::{Follower, ProofId};

/// How many strategies go along with a job, those of the turns that are most alike.
const MOST: usize = 6;
/// Longer strategies are not sent.
const LONGEST: usize = 2 << 20;
/// When more bytes than this are kept, all are forgotten: they can be composed again.
const MOST_BYTES: usize = 256 << 20;

/// The strategies by the node they win.
#[derive(Debug, Default)]
pub(super) struct Tips {
    known: HashMap<NodeId, Option<String>>,
    bytes: usize,
}

impl Tips {
    /// Proofs, as text, of the positions after other turns that are won by who is to move at this node.
    pub(super) fn for_node(
        &mut self,
        book: &Book,
        follower: &Follower,
        node: &NodeView,
    ) -> Vec<String> {
        let search = follower.search();
        let mut line = search.line(node.id);
        let parent = line.pop().and_then(|_| along(follower.root(), &line));
        let found = parent.and_then(|parent| {
            let parent_node = search.node(follower.node_at(&line)?)?;
            Some((parent, parent_node))
        });
        let Some((parent, parent_node)) = found else {
            return Vec::new();
        };
        let mut turns = parent_node.children.iter();
        let Some(here) = turns.find(|edge| edge.node == node.id) else {
            return Vec::new();
        };
        let won =
            |edge: &&EdgeView| edge.node != node.id && search.decided(edge.node) == Some(node.side);
        let mut won: Vec<&EdgeView> = parent_node.children.iter().rev().filter(won).collect();
        won.sort_by_cached_key(|edge| unlike(&edge.turn, &here.turn));
        let mut tips = Vec::new();
        for edge in won.into_iter().take(MOST) {
            let tip = self.known.get(&edge.node).cloned().unwrap_or_else(|| {
                let tip = composed(book, follower, &parent, &edge.turn);
                self.keep(edge.node, tip.clone());
                tip
            });
            tips.extend(tip);
        }
        tips
    }

    fn keep(&mut self, node: NodeId, tip: Option<String>) {
        if self.bytes > MOST_BYTES {
            self.known.clear();
            self.bytes = 0;
        }
        self.bytes += tip.as_ref().map_or(0, String::len);
        self.known.insert(node, tip);
    }
}

/// How little two turns have in common: how far the stones of one are from those of the other, the same stones first.
fn unlike(one: &Turn, other: &Turn) -> (usize, u32) {
    let apart = |a: &Cell, b: &Cell| u32::from(a.x.abs_diff(b.x).max(a.y.abs_diff(b.y)));
    let different = one
        .cells()
        .iter()
        .filter(|cell| !other.cells().contains(cell));
    let nearest = |cell: &Cell| other.cells().iter().map(|near| apart(cell, near)).min();
    let distance = different.clone().filter_map(nearest).sum();
    (different.count(), distance)
}

/// The proof of a decided position, if it is short enough to be sent.
fn composed(book: &Book, follower: &Follower, before: &Position, turn: &Turn) -> Option<String> {
    let (position, _) = after(before, turn)?;
    let text = |id: ProofId| {
        let text = book.proof_text(tengen_book::ProofId(id.0));
        text.ok().flatten()
    };
    let proof = compose_at(follower.search(), follower.root(), &position, &text).ok()?;
    Some(proof.to_text()).filter(|text| text.len() <= LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_with_the_same_stones_are_most_alike_then_near_ones() {
        let turn = |text: &str| text.parse::<Turn>().expect("a turn");
        let here = turn("M7 H12");
        let mut others = ["A1 S19", "M8 H13", "G13 M7", "M7 A1", "H12 M8"].map(turn);
        others.sort_by_cached_key(|other| unlike(other, &here));
        let sorted = others.map(|turn| turn.to_string());
        assert_eq!(sorted, ["G13 M7", "H12 M8", "A1 M7", "H13 M8", "A1 S19"]);
    }
}
