//! Which jobs come next.

use std::time::Duration;

use super::numbers::Seen;
use super::tree::{Edge, Marks, unpack};
use super::{Changes, NodeId, Order, Policy, Search};
use crate::{JobId, Numbers, Work};

impl Search {
    /// Up to as many orders as workers are free. Their nodes count as being worked on from now on.
    pub fn orders(&mut self, free_workers: usize, now: Duration) -> Vec<Order> {
        let room = self.config.most_active.saturating_sub(self.jobs.len());
        let mut orders = Vec::new();
        // Jobs that have ended since the last event may have left something to do.
        self.update(&mut Changes::default());
        while orders.len() < free_workers.min(room) {
            let Some((node, path)) = self.next_node() else {
                break;
            };
            orders.push(self.order(node, path, now));
        }
        orders
    }

    /// Whether nothing new can be ordered: all is decided, at work, given up or at an end that nobody has proved. With
    /// no job at work and no order left, only the expert's hand helps.
    pub fn stuck(&self) -> bool {
        self.tree.has(NodeId::ROOT, Marks::FLAGGED)
    }

    /// First the siblings that wait for a worker, then the most-proving node, last what was given up.
    fn next_node(&mut self) -> Option<(NodeId, Vec<NodeId>)> {
        while let Some(node) = self.waiting.pop_front() {
            let cold = &self.tree.cold[node.index()];
            let due = cold.asked as usize == cold.edges.len();
            if due && self.tree.orderable(node) && self.matters(node) {
                return Some((node, vec![node]));
            }
        }
        if self.may_descend() {
            return Some(self.descend());
        }
        self.second_chance().map(|node| (node, vec![node]))
    }

    fn may_descend(&self) -> bool {
        let root = &self.tree.hot[NodeId::ROOT.index()];
        let supposed = root.guess.winner().is_some();
        !root.marks.has(Marks::FLAGGED) && (!supposed || self.config.fill)
    }

    /// The node to work on, with the path to it; the next siblings that are due on the way wait for a worker.
    fn descend(&mut self) -> (NodeId, Vec<NodeId>) {
        let mut node = NodeId::ROOT;
        let mut path = vec![node];
        while let Some(child) = self.choose(node) {
            self.postpone_sibling(node, child);
            node = child;
            path.push(node);
        }
        (node, path)
    }

    /// The child to go on with; none if the job is for this node.
    fn choose(&self, node: NodeId) -> Option<NodeId> {
        if self.config.policy().is_none() {
            return self.choose_by_bounds(node);
        }
        let side = self.tree.side(node);
        let hope = |edge: &&Edge| Seen::by(side, self.tree.hot[edge.child.index()].guess).mine;
        let patient = self.config.policy() == Some(Policy::Patient);
        let waits = |edge: &Edge| patient && self.tree.has(edge.child, Marks::WAITS);
        let edges = self.tree.best_edges(node, patient);
        let free = edges.iter().filter(|edge| self.is_free(edge));
        let best = free.min_by_key(|edge| (waits(edge), hope(edge)))?;
        let next = self.next_hope(node).filter(|_| self.tree.orderable(node));
        if next.is_some_and(|next| next < hope(&best)) {
            return None;
        }
        let lost = hope(&best) == Numbers::INFINITE;
        (!lost || !self.tree.orderable(node)).then_some(best.child)
    }

    /// The turns to children under which something can be ordered.
    pub(super) fn free_edges(&self, node: NodeId) -> impl Iterator<Item = &Edge> {
        let edges = self.tree.edges(node).iter();
        edges.filter(|edge| self.is_free(edge))
    }

    fn is_free(&self, edge: &Edge) -> bool {
        !self.tree.has(edge.child, Marks::FLAGGED) && !edge.excluded
    }

    /// Postponed sibling generation: who goes through the last child for the first time orders the next one.
    fn postpone_sibling(&mut self, node: NodeId, child: NodeId) {
        if self.config.policy().is_some() && self.next_hope(node).is_some() {
            // Its number says when it is due.
            return;
        }
        let edges = self.tree.edges(node);
        let count = edges.len() as u32;
        let open = |edge: &&Edge| !edge.excluded && self.tree.winner(edge.child).is_none();
        let last = edges.iter().rev().find(open);
        let is_last = last.is_some_and(|edge| edge.child == child);
        if is_last && self.tree.cold[node.index()].asked < count && self.tree.orderable(node) {
            self.tree.cold[node.index()].asked = count;
            self.waiting.push_back(node);
        }
    }

    /// What was given up is tried once more when nothing else is left.
    fn second_chance(&mut self) -> Option<NodeId> {
        let root_done = self.winner().is_some() || !self.tree.has(NodeId::ROOT, Marks::FLAGGED);
        if root_done || !self.jobs.is_empty() {
            return None;
        }
        let candidates: Vec<NodeId> = self.given_up.iter().copied().collect();
        let node = candidates.into_iter().find(|&node| {
            let waits = self.tree.has(node, Marks::GAVE_UP) && self.tree.winner(node).is_none();
            waits && !self.second_chances.contains(&node) && self.matters(node)
        })?;
        self.second_chances.insert(node);
        Some(node)
    }

    fn order(&mut self, node: NodeId, path: Vec<NodeId>, now: Duration) -> Order {
        let job = JobId(self.next_job);
        self.next_job += 1;
        let count = self.tree.edges(node).len() as u32;
        self.tree.cold[node.index()].asked = count;
        self.start(job, node, path, now);
        self.update(&mut Changes::default());
        let edges = self.tree.edges(node);
        let hints = self.tree.hints.get(&node);
        let work = Work::Expand {
            exclude: edges.iter().map(|edge| unpack(&edge.turn)).collect(),
            hints: hints.map(|hints| hints.unpack()).unwrap_or_default(),
            attempt: self.tree.cold[node.index()].barren,
            attacker: self.config.attacker,
        };
        Order { job, node, work }
    }
}
