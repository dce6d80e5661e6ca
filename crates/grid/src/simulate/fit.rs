//! A model with the proportions of a real search.

use tengen_rules::Side;

use super::Model;
use crate::Evidence;
use crate::search::{NodeId, NodeView, Search};

/// Sums over the solution of a search.
#[derive(Debug, Default)]
struct Counts {
    /// Nodes where the winner moves, and how many turns were found before and with the one that wins.
    won: f64,
    tries: f64,
    /// Nodes where the loser moves and a stopper ended the list, and their turns.
    lost: f64,
    defences: f64,
    /// Nodes that a job proved at once, and the winner's turns before them.
    ends: f64,
    depth: f64,
}

impl Model {
    /// A model whose distance, defences and insight are those of the solution of a search; the rest, and what the
    /// search cannot tell, is as in [`Model::default`]. None if the search is not solved.
    pub fn fitted(search: &Search, seed: u64) -> Option<Self> {
        let winner = search.winner()?;
        let mut counts = Counts::default();
        let mut stack = vec![NodeId::ROOT];
        let mut seen = vec![false; search.len()];
        while let Some(node) = stack.pop().and_then(|id| search.node(id)) {
            if !std::mem::replace(&mut seen[node.id.0 as usize], true) {
                stack.extend(counts.count(search, &node, winner));
            }
        }
        let default = Self::default();
        let mean = |sum: f64, count: f64, otherwise: f64| {
            if count > 0.0 { sum / count } else { otherwise }
        };
        let tries = mean(counts.tries, counts.won, 1.0 / default.insight);
        let depth = mean(counts.depth, counts.ends, f64::from(default.distance));
        Some(Self {
            seed,
            black_wins: winner == Side::Black,
            // A leap ends two turns at once: the distance is so much longer than the depth.
            distance: ((depth * (1.0 + default.leap)).round() as u16).max(1),
            defences: mean(counts.defences, counts.lost, default.defences).max(1.0),
            insight: (1.0 / tries).clamp(0.05, 0.95),
            ..default
        })
    }
}

impl Counts {
    /// Counts a node of the solution and gives those below it.
    fn count(&mut self, search: &Search, node: &NodeView, winner: Side) -> Vec<NodeId> {
        if node.proof.is_some() {
            self.ends += 1.0;
            self.depth += f64::from(node.depth) / 2.0;
            return Vec::new();
        }
        let children = node.children.iter().map(|edge| edge.node);
        if node.side != winner {
            if matches!(node.closed, Some(Evidence::Proof(_))) {
                self.lost += 1.0;
                self.defences += node.children.len() as f64;
            }
            return children.collect();
        }
        let wins = |id: NodeId| {
            search
                .node(id)
                .is_some_and(|child| child.decided == Some(winner))
        };
        let found = children.enumerate().find(|&(_, child)| wins(child));
        found.map_or_else(Vec::new, |(number, child)| {
            self.won += 1.0;
            self.tries += number as f64 + 1.0;
            vec![child]
        })
    }
}
