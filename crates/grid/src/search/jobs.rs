//! The jobs at work. Nothing of this is journaled.

use std::collections::{BTreeSet, HashSet};
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
    /// A way from its node to the root on which nothing is decided and nothing excluded: as long as there is one, it matters.
    way: Vec<NodeId>,
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
        let way = self.way_up(node).unwrap_or_default();
        self.ways.extend(way.iter().map(|&node| (node, job)));
        let active = Active {
            node,
            since: now,
            path,
            way,
        };
        self.jobs.insert(job, active);
        self.at_work.insert(node, job);
        self.tree.set(node, Marks::ACTIVE, true);
        self.touch(node);
    }

    fn stop(&mut self, job: JobId) -> Option<NodeId> {
        let active = self.jobs.remove(&job)?;
        for node in &active.way {
            self.ways.remove(&(*node, job));
        }
        self.count_stop(&active.path);
        self.at_work.remove(&active.node);
        self.tree.set(active.node, Marks::ACTIVE, false);
        self.touch(active.node);
        Some(active.node)
    }

    /// Forgets jobs whose answers can no longer change anything, after nodes were decided, closed or excluded.
    ///
    /// Only jobs whose way to the root leads through a node that was decided just now are looked at, and those at nodes that were closed
    /// just now, for with thousands of jobs at work a look at each of them after each answer is what takes most time.
    pub(super) fn cancel_pointless(&mut self, changes: &mut Changes) {
        let recheck = std::mem::take(&mut self.recheck_jobs);
        let closed = std::mem::take(&mut self.closed);
        let doubtful: BTreeSet<JobId> = if recheck {
            self.jobs.keys().copied().collect()
        } else {
            let below = |node: NodeId| self.ways.range((node, JobId(0))..=(node, JobId(u64::MAX)));
            let decided = changes.decided.iter();
            let jobs = decided.flat_map(|&(node, _)| below(node));
            let there = closed.iter().filter_map(|node| self.at_work.get(node));
            jobs.map(|(_, job)| job).chain(there).copied().collect()
        };
        let mut pointless = Vec::new();
        for job in doubtful {
            let Some(node) = self.jobs.get(&job).map(|active| active.node) else {
                continue;
            };
            let is_closed = self.tree.has(node, Marks::CLOSED);
            match self.way_up(node).filter(|_| !is_closed) {
                Some(way) => self.take_way(job, way),
                None => pointless.push(job),
            }
        }
        for &job in &pointless {
            self.stop(job);
        }
        if !pointless.is_empty() {
            self.update(&mut Changes::default());
        }
        changes.cancel = pointless;
    }

    fn take_way(&mut self, job: JobId, way: Vec<NodeId>) {
        let Some(active) = self.jobs.get_mut(&job) else {
            return;
        };
        for node in std::mem::replace(&mut active.way, way) {
            self.ways.remove(&(node, job));
        }
        let way = active.way.iter();
        self.ways.extend(way.map(|&node| (node, job)));
    }

    /// The jobs at work that are of no use, found by a look at all of them.
    #[cfg(test)]
    fn pointless_slow(&self) -> Vec<JobId> {
        let useless = |active: &Active| {
            self.tree.has(active.node, Marks::CLOSED) || !self.matters(active.node)
        };
        let jobs = self.jobs.iter().filter(|(_, active)| useless(active));
        jobs.map(|(&job, _)| job).collect()
    }

    /// Whether some path to the root is undecided and not excluded.
    pub(super) fn matters(&self, node: NodeId) -> bool {
        self.way_up(node).is_some()
    }

    /// Such a path, the node first and the root last.
    fn way_up(&self, node: NodeId) -> Option<Vec<NodeId>> {
        let is_open = |node: NodeId| self.tree.winner(node).is_none();
        if !is_open(node) {
            return None;
        }
        // Depth first; each node has the number of its parents that were tried.
        let mut way = vec![(node, 0)];
        let mut seen = HashSet::from([node]);
        while let Some((child, tried)) = way.last_mut() {
            let child = *child;
            if child == NodeId::ROOT {
                return Some(way.into_iter().map(|(node, _)| node).collect());
            }
            let parents = &self.tree.cold[child.index()].parents;
            let Some(&parent) = parents.get(*tried) else {
                way.pop();
                continue;
            };
            *tried += 1;
            if is_open(parent) && self.allowed(parent, child) && seen.insert(parent) {
                way.push((parent, 0));
            }
        }
        None
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

#[cfg(test)]
mod tests {
    use tengen_rules::{Cell, Side, Turn};

    use crate::search::{Config, Event, NodeId, Policy, Search, Selection};
    use crate::{Decision, Evidence, Expansion, Found, JobId, ProofId, Verdict, Work};
    use std::collections::BTreeSet;
    use std::time::Duration;

    /// A turn to one of a few positions of the next level, so that many ways lead to each.
    fn found(depth: usize, number: usize) -> Found {
        let mut key = [0; 16];
        (key[0], key[1]) = (depth as u8 + 1, (number % 23) as u8);
        Found {
            turn: Turn::from_iter([Cell::new(number as i16, depth as i16)]),
            key,
            verdict: Verdict::Stable,
            after: None,
        }
    }

    #[test]
    fn what_is_cancelled_is_what_a_look_at_all_jobs_finds() {
        let mut cancelled = 0;
        for seed in 0..40 {
            let mut random = fastrand::Rng::with_seed(seed);
            let config = Config {
                selection: Selection::ProofNumber(*random.choice(&Policy::ALL).expect("some")),
                fill: true,
                ..Config::default()
            };
            let mut search = Search::new(Side::Black, [0; 16], config);
            let mut at_work = Vec::new();
            for _ in 0..400 {
                at_work.extend(search.orders(20, Duration::ZERO));
                if at_work.is_empty() || search.winner().is_some() {
                    break;
                }
                let order = at_work.swap_remove(random.usize(..at_work.len()));
                let Work::Expand { exclude, .. } = &order.work else {
                    continue;
                };
                let depth = search.line(order.node).len();
                let mut said = Expansion::default();
                let side = if random.bool() {
                    Side::Black
                } else {
                    Side::White
                };
                let decided = depth > 0 && random.u8(0..5) == 0;
                said.decided = decided.then_some(Decision {
                    winner: side,
                    evidence: Evidence::Proof(ProofId([1; 16])),
                });
                let first = exclude.len() + random.usize(0..7);
                said.turns = (first..first + 3).map(|it| found(depth, it)).collect();
                if random.u8(0..8) == 0 {
                    said.rest_loses = Some(Evidence::Proof(ProofId([2; 16])));
                }
                search.finished(order.job);
                let changes = search.apply(Event::Answer {
                    node: order.node,
                    expansion: said,
                    seconds: 1.0,
                    nodes: 1,
                });
                assert_eq!(search.pointless_slow(), [], "seed {seed}");
                let gone: BTreeSet<JobId> = changes.cancel.into_iter().collect();
                cancelled += gone.len();
                at_work.retain(|order| !gone.contains(&order.job));
                // Nothing is left of the ways of jobs that have ended.
                let known: BTreeSet<JobId> = search.ways.iter().map(|(_, job)| *job).collect();
                assert!(known.iter().all(|job| search.jobs.contains_key(job)));
                let to_root = |job: &JobId| search.ways.contains(&(NodeId::ROOT, *job));
                assert!(search.jobs.keys().all(to_root), "seed {seed}");
            }
        }
        assert!(cancelled > 100, "{cancelled}");
    }
}
