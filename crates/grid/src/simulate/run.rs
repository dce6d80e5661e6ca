//! One run with so many virtual workers.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tengen_rules::Side;

use super::model::Place;
use super::{Model, SampleKind, Times, mix};
use crate::search::{Config, Event, NodeId, Order, Search};
use crate::{JobId, Work};

/// What a run has come to. Times in seconds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// How many workers there were.
    pub workers: usize,
    /// Who wins; nothing if the limit came first.
    #[serde(with = "winner")]
    pub solved: Option<Side>,
    /// From the first job to the decision.
    pub makespan: f64,
    /// Jobs that were done to their end.
    pub jobs: u64,
    /// Jobs that were stopped because they had become pointless, or because the root was decided.
    pub cancelled: u64,
    /// Jobs done to their end whose node is no part of the solution.
    pub wasted: u64,
    /// Nodes of the tree.
    pub nodes: u64,
    /// Time of workers in jobs done to their end.
    pub busy: f64,
    /// Time of workers in jobs that were stopped.
    pub stopped: f64,
    /// Time of workers for whom there was no order.
    pub idle: f64,
}

struct Working {
    node: NodeId,
    since: Duration,
    known: usize,
}

struct Simulation<'a> {
    search: Search,
    model: &'a Model,
    times: &'a Times,
    now: Duration,
    free: usize,
    working: BTreeMap<JobId, Working>,
    ends: BinaryHeap<Reverse<(Duration, JobId)>>,
    done: Vec<NodeId>,
    run: Run,
}

/// Runs a search of the model's root until it is decided, with at most `most_jobs` jobs.
pub fn simulate(
    config: Config,
    model: &Model,
    times: &Times,
    workers: usize,
    most_jobs: u64,
) -> Run {
    simulate_tree(config, model, times, workers, most_jobs).0
}

/// The same, with the tree at the end.
pub fn simulate_tree(
    config: Config,
    model: &Model,
    times: &Times,
    workers: usize,
    most_jobs: u64,
) -> (Run, Search) {
    let config = Config {
        most_active: workers,
        ..config
    };
    let mut simulation = Simulation {
        search: Search::new(Side::Black, model.root().key(), config),
        model,
        times,
        now: Duration::ZERO,
        free: workers,
        working: BTreeMap::new(),
        ends: BinaryHeap::new(),
        done: Vec::new(),
        run: Run {
            workers,
            solved: None,
            makespan: 0.0,
            jobs: 0,
            cancelled: 0,
            wasted: 0,
            nodes: 0,
            busy: 0.0,
            stopped: 0.0,
            idle: 0.0,
        },
    };
    while simulation.run.jobs < most_jobs && simulation.search.winner().is_none() {
        simulation.dispatch();
        if !simulation.finish_next() {
            break;
        }
    }
    simulation.end()
}

impl Simulation<'_> {
    fn dispatch(&mut self) {
        for order in self.search.orders(self.free, self.now) {
            self.free -= 1;
            let known = known(&order);
            let kind = if known == 0 {
                SampleKind::Leaf
            } else {
                SampleKind::Sibling
            };
            let chance = mix(self.place(order.node).hash(), known as u64);
            let time = Duration::from_secs_f64(self.times.draw(kind, chance));
            self.ends.push(Reverse((self.now + time, order.job)));
            let working = Working {
                node: order.node,
                since: self.now,
                known,
            };
            self.working.insert(order.job, working);
        }
    }

    fn place(&self, node: NodeId) -> Place {
        Place::read(self.search.key(node).unwrap_or_default())
    }

    /// The next job ends; false if none is at work.
    fn finish_next(&mut self) -> bool {
        while let Some(Reverse((end, job))) = self.ends.pop() {
            // A stopped job is not at work any more.
            let Some(working) = self.working.remove(&job) else {
                continue;
            };
            self.run.idle += self.free as f64 * (end - self.now).as_secs_f64();
            self.run.busy += (end - working.since).as_secs_f64();
            self.run.jobs += 1;
            self.now = end;
            self.free += 1;
            self.done.push(working.node);
            self.answer(job, &working);
            return true;
        }
        false
    }

    fn answer(&mut self, job: JobId, working: &Working) {
        let place = self.place(working.node);
        self.search.finished(job);
        let changes = self.search.apply(Event::Answer {
            node: working.node,
            expansion: self.model.answer(place, working.known),
            seconds: (self.now - working.since).as_secs_f64(),
            nodes: 0,
        });
        for job in changes.cancel {
            self.stop(job);
        }
    }

    fn stop(&mut self, job: JobId) {
        if let Some(working) = self.working.remove(&job) {
            self.run.stopped += (self.now - working.since).as_secs_f64();
            self.run.cancelled += 1;
            self.free += 1;
        }
    }

    fn end(mut self) -> (Run, Search) {
        for job in self.working.keys().copied().collect::<Vec<_>>() {
            self.stop(job);
        }
        let needed = solution(&self.search);
        let wasted = self.done.iter().filter(|node| !needed.contains(node));
        self.run.wasted = wasted.count() as u64;
        self.run.nodes = self.search.len() as u64;
        self.run.makespan = self.now.as_secs_f64();
        self.run.solved = self.search.winner();
        (self.run, self.search)
    }
}

fn known(order: &Order) -> usize {
    match &order.work {
        Work::Expand { exclude, .. } => exclude.len(),
        _ => 0,
    }
}

/// The nodes one needs to know the winner: one good turn of the winner, every turn of the loser.
fn solution(search: &Search) -> BTreeSet<NodeId> {
    let mut needed = BTreeSet::new();
    let mut stack = vec![NodeId::ROOT];
    while let Some(id) = stack.pop() {
        let Some(node) = search.node(id) else {
            continue;
        };
        let Some(winner) = node.decided else { continue };
        if !needed.insert(id) || node.proof.is_some() {
            continue;
        }
        let won = |child: NodeId| {
            search
                .node(child)
                .is_some_and(|child| child.decided == Some(winner))
        };
        let children = node
            .children
            .iter()
            .map(|edge| edge.node)
            .filter(|&child| won(child));
        if node.side == winner {
            stack.extend(children.take(1));
        } else {
            stack.extend(children);
        }
    }
    needed
}

/// A winner as text, or nothing.
mod winner {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use tengen_rules::Side;

    #[derive(Serialize, Deserialize)]
    struct Wrapped(#[serde(with = "crate::job::side")] Side);

    pub(super) fn serialize<S: Serializer>(side: &Option<Side>, to: S) -> Result<S::Ok, S::Error> {
        side.map(Wrapped).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Side>, D::Error> {
        Ok(Option::<Wrapped>::deserialize(from)?.map(|Wrapped(side)| side))
    }
}
