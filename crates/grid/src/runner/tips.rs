//! Strategies that won after other turns of the same position: workers try them first.

use std::collections::HashMap;

use tengen_book::Book;

use crate::compose::{after, along, compose_at};
use crate::search::{NodeId, NodeView};
use crate::{Follower, ProofId};

/// How many strategies go along with a job, those that were found last.
const MOST: usize = 6;
/// Longer strategies are not sent.
const LONGEST: usize = 2 << 20;

/// The strategies by the node they win.
#[derive(Debug, Default)]
pub(super) struct Tips(HashMap<NodeId, Option<String>>);

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
            let tip = self.0.entry(edge.node).or_insert_with(|| {
                let (position, _) = after(&parent, &edge.turn)?;
                let text = |id: ProofId| {
                    let text = book.proof_text(tengen_book::ProofId(id.0));
                    text.ok().flatten()
                };
                let proof = compose_at(search, follower.root(), &position, &text).ok()?;
                Some(proof.to_text()).filter(|text| text.len() <= LONGEST)
            });
            tips.extend(tip.clone());
        }
        tips
    }
}
