//! Job-level UCT: means of what the verdicts are worth, and bounds on them.

use tengen_rules::Side;

use super::{NodeId, Search, Selection};
use crate::Verdict;

/// What came back through a node. Kept only for UCT.
#[derive(Debug, Copy, Clone, Default)]
pub(super) struct Visits {
    /// How many verdicts.
    count: u32,
    /// How many jobs are at work below: each counts as a loss of whoever went there.
    at_work: u32,
    /// The sum of what the verdicts are worth for Black.
    value: f64,
}

impl Search {
    const fn exploration(&self) -> Option<f64> {
        match self.config.selection {
            Selection::Uct { exploration } => Some(exploration),
            Selection::ProofNumber(_) => None,
        }
    }

    /// A new node has a verdict: it counts for all nodes on the line to it, once its edge is there.
    pub(super) fn count_new(&mut self, node: NodeId, verdict: Verdict) {
        if self.exploration().is_some() {
            self.visits.push(Visits {
                count: 1,
                at_work: 0,
                value: worth(verdict),
            });
            debug_assert_eq!(self.visits.len(), node.index() + 1);
        }
    }

    /// Lets what a node is worth count for the line to it.
    pub(super) fn count_up(&mut self, node: NodeId, value: f64) {
        if self.exploration().is_none() {
            return;
        }
        let mut at = self.first_parent(node);
        while let Some(parent) = at {
            let visits = &mut self.visits[parent.index()];
            visits.count = visits.count.saturating_add(1);
            visits.value += value;
            at = self.first_parent(parent);
        }
    }

    pub(super) fn count_verdict(&mut self, node: NodeId) {
        self.count_up(node, worth(self.tree.cold[node.index()].verdict));
    }

    pub(super) fn count_decided(&mut self, node: NodeId, winner: Side) {
        self.count_up(node, if winner == Side::Black { 1.0 } else { 0.0 });
    }

    pub(super) fn count_start(&mut self, path: &[NodeId]) {
        if self.exploration().is_some() {
            for node in path {
                self.visits[node.index()].at_work += 1;
            }
        }
    }

    pub(super) fn count_stop(&mut self, path: &[NodeId]) {
        if self.exploration().is_some() {
            for node in path {
                self.visits[node.index()].at_work -= 1;
            }
        }
    }

    /// The child with the best bound; none if the job is for this node.
    pub(super) fn choose_by_bounds(&self, node: NodeId) -> Option<NodeId> {
        let exploration = self.exploration()?;
        let side = self.tree.side(node);
        let here = &self.visits[node.index()];
        let total = f64::from(here.count) + f64::from(here.at_work) + 1.0;
        let bound = |child: NodeId| {
            let visits = &self.visits[child.index()];
            let count = f64::from(visits.count) + f64::from(visits.at_work);
            let won = match side {
                Side::Black => visits.value,
                Side::White => f64::from(visits.count) - visits.value,
            };
            won / count + exploration * (total.ln() / count).sqrt()
        };
        let children = self.free_edges(node).map(|edge| edge.child);
        // The first of the best: later ones only if they are really better.
        children.reduce(|best, child| {
            if bound(child) > bound(best) {
                child
            } else {
                best
            }
        })
    }

    /// What UCT thinks of a node: the mean for Black, exact where it is decided.
    pub(super) fn mean(&self, node: NodeId) -> Option<f64> {
        let visits = self.visits.get(node.index())?;
        Some(match self.tree.winner(node) {
            Some(Side::Black) => 1.0,
            Some(Side::White) => 0.0,
            None => visits.value / f64::from(visits.count.max(1)),
        })
    }
}

/// What a verdict is worth for Black: never quite 0 nor 1, which are for what is decided.
const fn worth(verdict: Verdict) -> f64 {
    match verdict {
        Verdict::BlackWins => 0.95,
        Verdict::B4 => 0.9,
        Verdict::B3 => 0.8,
        Verdict::B2 => 0.7,
        Verdict::B1 => 0.6,
        Verdict::Stable | Verdict::Unstable1 | Verdict::Unstable2 => 0.5,
        Verdict::W1 => 0.4,
        Verdict::W2 => 0.3,
        Verdict::W3 => 0.2,
        Verdict::W4 => 0.1,
        Verdict::WhiteWins => 0.05,
    }
}
