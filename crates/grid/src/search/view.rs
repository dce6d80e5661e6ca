//! What watchers see.

use serde::Serialize;
use tengen_rules::{PositionKey, Side, Turn};

use super::tree::{Marks, unpack};
use super::{NodeId, Search};
use crate::{Evidence, JobId, Numbers, ProofId, Verdict};

/// A node as watchers see it.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeView {
    /// Its number.
    pub id: NodeId,
    /// The key of its position.
    pub key: PositionKey,
    /// Who is to move.
    pub side: Side,
    /// Turns from the root.
    pub depth: u16,
    /// The real numbers.
    pub numbers: Numbers,
    /// The numbers by which the next job is chosen: those of nodes at work are suppositions.
    pub supposed: Numbers,
    /// What was thought of it when it was found.
    pub verdict: Verdict,
    /// The mean of the verdicts for Black, in a search by UCT.
    pub mean: Option<f64>,
    /// Who wins, proved.
    pub decided: Option<Side>,
    /// A proof of the node's own. A node that is decided by its children has none.
    pub proof: Option<ProofId>,
    /// Why the turns that are not children lose: a proof, or somebody's word.
    pub closed: Option<Evidence>,
    /// The job at work on it.
    pub active: Option<JobId>,
    /// Whether its last try was lost.
    pub gave_up: bool,
    /// Whether it was proved for both sides.
    pub contradicted: bool,
    /// Its turns, in the order they were found.
    pub children: Vec<EdgeView>,
    /// Its parents, the first one first.
    pub parents: Vec<NodeId>,
}

/// A turn and where it leads.
#[derive(Debug, Clone, PartialEq)]
pub struct EdgeView {
    /// The turn.
    pub turn: Turn,
    /// The node after it.
    pub node: NodeId,
    /// Whether it is excluded by hand.
    pub excluded: bool,
}

/// What a search has seen so far.
#[derive(Debug, Copy, Clone, Default, PartialEq, Serialize)]
pub struct Totals {
    /// Events.
    pub events: u64,
    /// Answers among them.
    pub answers: u64,
    /// Seconds of the processor that the answers took.
    pub seconds: f64,
    /// Positions the answers looked at.
    pub nodes: u64,
}

impl Search {
    pub(super) fn view(&self, node: NodeId) -> NodeView {
        let hot = &self.tree.hot[node.index()];
        let cold = &self.tree.cold[node.index()];
        let edge = |edge: &super::tree::Edge| EdgeView {
            turn: unpack(&edge.turn),
            node: edge.child,
            excluded: edge.excluded,
        };
        NodeView {
            id: node,
            key: cold.key,
            side: self.tree.side(node),
            depth: hot.depth,
            numbers: hot.real,
            supposed: hot.guess,
            verdict: cold.verdict,
            mean: self.mean(node),
            decided: hot.real.winner(),
            proof: self.tree.proofs.get(&node).copied(),
            closed: self.closed(node),
            active: self.at_work.get(&node).copied(),
            gave_up: hot.marks.has(Marks::GAVE_UP),
            contradicted: hot.marks.has(Marks::CONTRADICTED),
            children: cold.edges.iter().map(edge).collect(),
            parents: cold.parents.to_vec(),
        }
    }

    fn closed(&self, node: NodeId) -> Option<Evidence> {
        if let Some(&proof) = self.tree.stoppers.get(&node) {
            return Some(Evidence::Proof(proof));
        }
        self.tree
            .has(node, Marks::NO_MORE)
            .then_some(Evidence::Claim)
    }

    /// The turns that the last worker would have tried next.
    pub fn hints(&self, node: NodeId) -> Vec<Turn> {
        let hints = self.tree.hints.get(&node);
        hints.map(|hints| hints.unpack()).unwrap_or_default()
    }

    /// Whether every number and every flag is what it should be, computed anew for all nodes. For tests.
    pub fn check_slow(&self) -> Result<(), String> {
        for index in 0..self.tree.len() {
            let node = NodeId(index as u32);
            let sum = self.tree.sum_slow(node);
            let (shown, fresh) = (self.shown(node), self.fresh(node, &sum));
            if self.tree.winner(node).is_none() && shown != fresh {
                return Err(format!("node {index} shows {shown:?}, should be {fresh:?}"));
            }
        }
        Ok(())
    }
}
