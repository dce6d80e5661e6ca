//! The jobs at work. Nothing of this is journaled.

use std::collections::HashMap;
use std::time::Duration;

use super::tree::Marks;
use super::{Changes, NodeId, Retry, Search};
use crate::JobId;

/// A job at work.
#[derive(Debug)]
pub(super) struct Active {
    pub(super) node: NodeId,
    pub(super) since: Duration,
    /// The way it was chosen by, for the virtual visits of UCT.
    pub(super) path: Vec<NodeId>,
}

impl Search {
    /// The number of the next job: a driver that restarts keeps the names of its jobs apart from those before.
    pub fn number_jobs_from(&mut self, first: JobId) {
        self.next_job = self.next_job.max(first.0);
    }

    /// A job has ended; its answer is applied as an event. Gives its node, or nothing if it was not at work.
    /// What is supposed of the node is forgotten with the next event or order.
    pub fn finished(&mut self, job: JobId) -> Option<NodeId> {
        self.stop(job)
    }

    /// A job was lost: its worker died, was stopped, or answered nonsense.
    pub fn lost(&mut self, job: JobId) -> Retry {
        let Some(node) = self.stop(job) else {
            return Retry::Unknown;
        };
        let losses = self.losses.entry(node).or_insert(0);
        *losses += 1;
        if *losses > self.config.retries {
            return Retry::GiveUp(node);
        }
        if !self.tree.is_leaf(node) {
            self.waiting.push_back(node);
        }
        Retry::Again
    }

    /// The jobs that take too long. They stay at work until the driver says that they are lost.
    pub fn overdue(&self, now: Duration) -> Vec<JobId> {
        let Some(timeout) = self.config.timeout else {
            return Vec::new();
        };
        let late = |since: Duration| now.saturating_sub(since) > timeout;
        self.active()
            .filter(|&(_, _, since)| late(since))
            .map(|(job, _, _)| job)
            .collect()
    }

    pub(super) fn start(&mut self, job: JobId, node: NodeId, path: Vec<NodeId>, now: Duration) {
        self.count_start(&path);
        let active = Active {
            node,
            since: now,
            path,
        };
        self.jobs.insert(job, active);
        self.at_work.insert(node, job);
        self.tree.set(node, Marks::ACTIVE, true);
        self.touch(node);
    }

    fn stop(&mut self, job: JobId) -> Option<NodeId> {
        let active = self.jobs.remove(&job)?;
        self.count_stop(&active.path);
        self.at_work.remove(&active.node);
        self.tree.set(active.node, Marks::ACTIVE, false);
        self.touch(active.node);
        Some(active.node)
    }

    /// Forgets jobs whose answers can no longer change anything, after nodes were decided, closed or excluded.
    pub(super) fn cancel_pointless(&mut self, changes: &mut Changes) {
        let recheck = std::mem::take(&mut self.recheck_jobs) || !changes.decided.is_empty();
        if !recheck || self.jobs.is_empty() {
            return;
        }
        let mut seen = HashMap::new();
        let pointless: Vec<JobId> = self
            .jobs
            .iter()
            .filter(|(_, active)| {
                let closed = self.tree.has(active.node, Marks::CLOSED);
                closed || !self.matters_with(active.node, &mut seen)
            })
            .map(|(&job, _)| job)
            .collect();
        for &job in &pointless {
            self.stop(job);
        }
        self.update(&mut Changes::default());
        changes.cancel = pointless;
    }

    /// Whether some path to the root is undecided and not excluded.
    pub(super) fn matters(&self, node: NodeId) -> bool {
        self.matters_with(node, &mut HashMap::new())
    }

    fn matters_with(&self, node: NodeId, seen: &mut HashMap<NodeId, bool>) -> bool {
        if let Some(&known) = seen.get(&node) {
            return known;
        }
        let matters = self.tree.winner(node).is_none()
            && (node == NodeId::ROOT
                || self.tree.cold[node.index()]
                    .parents
                    .iter()
                    .any(|&parent| self.allowed(parent, node) && self.matters_with(parent, seen)));
        seen.insert(node, matters);
        matters
    }

    fn allowed(&self, parent: NodeId, child: NodeId) -> bool {
        !self.tree.has(parent, Marks::EXCLUDES)
            || self
                .tree
                .edges(parent)
                .iter()
                .any(|edge| edge.child == child && !edge.excluded)
    }
}
