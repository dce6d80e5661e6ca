//! Strategies that won after other turns of the same position: workers try them first.

use std::collections::HashMap;

use tengen_book::Book;
use tengen_rules::{Position, Turn};

use crate::compose::{after, along, compose_at};
use crate::search::{NodeId, NodeView};
use crate::{Follower, ProofId};

/// How many strategies go along with a job, those that were found last.
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
        let decided = |id: NodeId| search.node(id).and_then(|node| node.decided);
        let won = parent_node.children.iter().rev();
        let won = won.filter(|edge| edge.node != node.id && decided(edge.node) == Some(node.side));
        let mut tips = Vec::new();
        for edge in won.take(MOST) {
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
