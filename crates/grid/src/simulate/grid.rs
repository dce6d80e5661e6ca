//! A search on a virtual grid: messages take time, workers come, go, die, limp and lie, and the coordinator does one thing after
//! the other.
//!
//! The search is the real one, and so are the second opinions (`runner/second.rs`). What is left out: several searches, the server's own
//! limits, and checking on more than one core.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, VecDeque};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tengen_rules::Side;

use super::conditions::{Character, Conditions, State, Virtual, seconds};
use super::model::Place;
use super::{Model, SampleKind, Times, mix};
use crate::runner::SecondOpinions;
use crate::runner::second::{Compared, Seconds};
use crate::search::{Config, Event, NodeId, Order, Search};
use crate::{Expansion, JobId, Verdict, Work};

/// What a run on a virtual grid has come to. Times in seconds, added up over the workers; they fill the time of all workers.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct GridRun {
    /// How many workers there were, present or not.
    pub workers: usize,
    /// Whether the right side was found to win.
    pub solved: bool,
    /// From the first job to the decision.
    pub makespan: f64,
    /// Answers that counted.
    pub jobs: u64,
    /// Time in jobs whose answers counted.
    pub busy: f64,
    /// Time in jobs that were stopped, or at work at the end.
    pub stopped: f64,
    /// Time in jobs whose worker died or was dropped, and of forgeries.
    pub lost: f64,
    /// Time in second opinions.
    pub second: f64,
    /// Time without a job.
    pub idle: f64,
    /// Time away, or dropped.
    pub away: f64,
    /// How much of the time the coordinator was busy.
    pub coordinator: f64,
    /// Jobs that were handed out again because a worker had died.
    pub redelivered: u64,
    /// Liars that were dropped.
    pub caught: u64,
    /// Honest workers that were dropped: must be 0.
    pub wronged: u64,
    /// Answers of liars that counted.
    pub misled: u64,
}

#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    /// A worker's job ends.
    Ends { worker: usize, epoch: u64 },
    /// Its answer is at the coordinator.
    Answers { worker: usize, task: u64 },
    /// The coordinator has time for the next answer.
    Reads,
    /// It hears that its job is pointless.
    Stops { worker: usize, epoch: u64 },
    /// It goes.
    Goes { worker: usize, visit: u64 },
    /// It comes back.
    Comes { worker: usize },
    /// A job can be taken.
    Waits { task: u64 },
}

struct Task {
    job: JobId,
    node: NodeId,
    known: usize,
    second: bool,
    /// Who has it.
    worker: Option<usize>,
}

struct Simulation<'a> {
    search: Search,
    model: &'a Model,
    times: &'a Times,
    conditions: &'a Conditions,
    seconds: Seconds,
    now: Duration,
    /// When the coordinator has done what it does.
    free_at: Duration,
    worked: Duration,
    /// Answers that wait for it.
    inbox: VecDeque<(usize, u64)>,
    workers: Vec<Virtual>,
    idle: BTreeSet<(Duration, usize)>,
    present: usize,
    tasks: BTreeMap<u64, Task>,
    by_job: BTreeMap<JobId, u64>,
    next_task: u64,
    queue: VecDeque<u64>,
    events: BinaryHeap<Reverse<(Duration, u64, What)>>,
    count: u64,
    run: GridRun,
}

/// Runs a search of the model's root on a virtual grid until it is decided, with at most `most_jobs` answers.
pub fn simulate_grid(
    config: Config,
    model: &Model,
    times: &Times,
    workers: usize,
    conditions: &Conditions,
    most_jobs: u64,
) -> GridRun {
    let config = Config {
        most_active: workers,
        ..config
    };
    let opinions = SecondOpinions {
        seed: Some(conditions.seed),
        ..SecondOpinions::default()
    };
    let mut simulation = Simulation {
        search: Search::new(Side::Black, model.root().key(), config),
        model,
        times,
        conditions,
        seconds: Seconds::new(opinions),
        now: Duration::ZERO,
        free_at: Duration::ZERO,
        worked: Duration::ZERO,
        inbox: VecDeque::new(),
        workers: (0..workers)
            .map(|number| Virtual::new(conditions, number))
            .collect(),
        idle: BTreeSet::new(),
        present: workers,
        tasks: BTreeMap::new(),
        by_job: BTreeMap::new(),
        next_task: 0,
        queue: VecDeque::new(),
        events: BinaryHeap::new(),
        count: 0,
        run: GridRun {
            workers,
            ..GridRun::default()
        },
    };
    simulation.begin();
    while simulation.run.jobs < most_jobs && simulation.search.winner().is_none() {
        if !simulation.step() {
            break;
        }
    }
    simulation.end()
}

impl Simulation<'_> {
    fn begin(&mut self) {
        for worker in 0..self.workers.len() {
            self.rest(worker);
            self.plan_to_go(worker);
        }
        self.dispatch();
    }

    fn at(&mut self, time: Duration, what: What) {
        self.count += 1;
        self.events.push(Reverse((time, self.count, what)));
    }

    fn step(&mut self) -> bool {
        let Some(Reverse((time, _, what))) = self.events.pop() else {
            return false;
        };
        self.now = time;
        match what {
            What::Ends { worker, epoch } => self.ends(worker, epoch),
            What::Answers { worker, task } => {
                self.inbox.push_back((worker, task));
                if self.inbox.len() == 1 {
                    let free = self.free_at.max(self.now);
                    self.at(free, What::Reads);
                }
            }
            What::Reads => self.reads(),
            What::Stops { worker, epoch } => {
                if self.workers[worker].epoch == epoch {
                    self.spend(worker);
                    self.rest(worker);
                }
            }
            What::Goes { worker, visit } => self.goes(worker, visit),
            What::Comes { worker } => {
                self.spend(worker);
                self.present += 1;
                self.rest(worker);
                self.plan_to_go(worker);
                self.dispatch();
            }
            What::Waits { task } => {
                if self.tasks.contains_key(&task) {
                    self.queue.push_back(task);
                    self.hand_out();
                }
            }
        }
        true
    }

    /// Adds the time since the last change to what it was.
    fn spend(&mut self, worker: usize) {
        let it = &mut self.workers[worker];
        self.idle.remove(&(it.since, worker));
        let time = (self.now - it.since).as_secs_f64();
        it.since = self.now;
        match it.state {
            State::Away | State::Dropped => self.run.away += time,
            State::Idle => self.run.idle += time,
            State::Busy(_) => self.run.lost += time,
            State::Stopping => self.run.stopped += time,
        }
        it.epoch += 1;
    }

    fn rest(&mut self, worker: usize) {
        self.workers[worker].state = State::Idle;
        // Who has waited longest is next.
        self.idle.insert((self.workers[worker].since, worker));
        self.hand_out();
    }

    fn plan_to_go(&mut self, worker: usize) {
        self.workers[worker].visits += 1;
        let visit = self.workers[worker].visits;
        if let Some(stay) = self.conditions.stay(worker, visit) {
            let end = self.now + stay;
            self.at(end, What::Goes { worker, visit });
        }
    }

    fn goes(&mut self, worker: usize, visit: u64) {
        let it = &self.workers[worker];
        if it.visits != visit || it.state == State::Dropped {
            return;
        }
        let task = match it.state {
            State::Busy(task) => Some(task),
            _ => None,
        };
        self.spend(worker);
        self.workers[worker].state = State::Away;
        self.present -= 1;
        if let Some(task) = task {
            let polite = self.conditions.is_polite(worker, visit);
            self.run.redelivered += 1;
            let wait = if polite {
                self.conditions.latency()
            } else {
                seconds(self.conditions.redelivery)
            };
            self.hand_back(task, wait);
        }
        let back = self.now + self.conditions.away(worker, visit);
        self.at(back, What::Comes { worker });
    }

    /// Somebody else is to do it, after this time.
    fn hand_back(&mut self, task: u64, wait: Duration) {
        if let Some(known) = self.tasks.get_mut(&task) {
            known.worker = None;
            let then = self.now + wait;
            self.at(then, What::Waits { task });
        }
    }

    /// Idle workers take what waits.
    fn hand_out(&mut self) {
        while let (Some(&task), Some(&(_, worker))) = (self.queue.front(), self.idle.first()) {
            self.queue.pop_front();
            let Some(known) = self.tasks.get_mut(&task) else {
                continue;
            };
            known.worker = Some(worker);
            let (node, known) = (known.node, known.known);
            let kind = if known == 0 {
                SampleKind::Leaf
            } else {
                SampleKind::Sibling
            };
            let place = Place::read(self.search.key(node).unwrap_or_default());
            let time = self.times.draw(kind, mix(place.hash(), known as u64));
            self.spend(worker);
            let it = &mut self.workers[worker];
            it.state = State::Busy(task);
            let (epoch, end) = (it.epoch, self.now + seconds(time * it.slowness));
            self.at(end, What::Ends { worker, epoch });
        }
    }

    fn ends(&mut self, worker: usize, epoch: u64) {
        let it = &self.workers[worker];
        let (State::Busy(task), true) = (it.state, it.epoch == epoch) else {
            return;
        };
        let time = (self.now - it.since).as_secs_f64();
        // Forgeries count as lost.
        if it.character != Character::Forger {
            self.run.lost -= time;
            match self.tasks.get(&task) {
                Some(task) if task.second => self.run.second += time,
                Some(_) => self.run.busy += time,
                None => self.run.stopped += time,
            }
        }
        self.spend(worker);
        let then = self.now + self.conditions.latency();
        self.at(then, What::Answers { worker, task });
        self.rest(worker);
    }

    /// The coordinator does one thing after the other: the next answer, and then the one after it.
    fn reads(&mut self) {
        let Some((worker, task)) = self.inbox.pop_front() else {
            return;
        };
        self.answers(worker, task);
        if !self.inbox.is_empty() {
            let free = self.free_at;
            self.at(free, What::Reads);
        }
    }

    fn answers(&mut self, worker: usize, task: u64) {
        let service = seconds(self.conditions.service);
        self.free_at = self.now + service;
        self.worked += service;
        let Some(known) = self.tasks.get(&task) else {
            return;
        };
        if self.workers[worker].state == State::Dropped {
            self.hand_back(task, Duration::ZERO);
            return;
        }
        let place = Place::read(self.search.key(known.node).unwrap_or_default());
        let mut said = self.model.answer(place, known.known);
        match self.workers[worker].character {
            Character::Honest => {}
            Character::Forger => {
                self.drop_worker(worker);
                self.hand_back(task, self.conditions.latency());
                self.dispatch();
                return;
            }
            Character::Misleader => mislead(&mut said),
        }
        let (job, node, second) = (known.job, known.node, known.second);
        if second {
            self.hear_second(worker, task, job, &said);
        } else {
            self.tasks.remove(&task);
            self.by_job.remove(&job);
            self.count_answer(worker, job, node, said);
        }
        self.dispatch();
    }

    fn count_answer(&mut self, worker: usize, job: JobId, node: NodeId, said: Expansion) {
        self.run.jobs += 1;
        if self.workers[worker].character == Character::Misleader {
            self.run.misled += 1;
        }
        self.search.finished(job);
        let known = said.turns.first().map_or(0, |turn| turn_number(&turn.turn));
        let asked = (self.workers.len() > 1).then(|| said.clone());
        let changes = self.search.apply(Event::Answer {
            node,
            expansion: said,
            seconds: 0.0,
            nodes: 0,
        });
        for job in changes.cancel {
            self.cancel(job);
        }
        let is_open = self
            .search
            .node(node)
            .is_some_and(|it| it.decided.is_none());
        let name = self.workers[worker].name.clone();
        if let Some(said) = asked.filter(|_| is_open)
            && self.seconds.open() < self.present.div_ceil(4)
            && let Some(job) = self.seconds.sample(self.now, &name, node, &said)
        {
            self.publish(job, node, known, true);
        }
    }

    fn hear_second(&mut self, worker: usize, task: u64, job: JobId, said: &Expansion) {
        let name = self.workers[worker].name.clone();
        match self.seconds.hear(job, &name, said) {
            Compared::Again => {
                self.hand_back(task, self.conditions.latency());
                return;
            }
            Compared::Exposes(liar) => {
                let number = self.workers.iter().position(|it| it.name == liar);
                number.into_iter().for_each(|liar| self.drop_worker(liar));
            }
            Compared::Fine | Compared::Quarrel(..) => {}
        }
        self.tasks.remove(&task);
        self.by_job.remove(&job);
    }

    fn drop_worker(&mut self, worker: usize) {
        let it = &self.workers[worker];
        match it.character {
            _ if it.state == State::Dropped => return,
            Character::Honest => self.run.wronged += 1,
            Character::Forger | Character::Misleader => self.run.caught += 1,
        }
        if it.state != State::Away {
            self.present -= 1;
        }
        let task = match it.state {
            State::Busy(task) => Some(task),
            _ => None,
        };
        self.spend(worker);
        self.workers[worker].state = State::Dropped;
        self.workers[worker].visits += 1;
        if let Some(task) = task {
            self.hand_back(task, self.conditions.latency());
        }
    }

    fn cancel(&mut self, job: JobId) {
        let Some(task) = self.by_job.remove(&job) else {
            return;
        };
        let Some(Task {
            worker: Some(worker),
            ..
        }) = self.tasks.remove(&task)
        else {
            return;
        };
        if self.workers[worker].state == State::Busy(task) {
            let time = (self.now - self.workers[worker].since).as_secs_f64();
            self.run.lost -= time;
            self.run.stopped += time;
            self.spend(worker);
            self.workers[worker].state = State::Stopping;
            let epoch = self.workers[worker].epoch;
            let then = self.now + self.conditions.latency();
            self.at(then, What::Stops { worker, epoch });
        }
    }

    /// The coordinator orders as many jobs as there are workers for.
    fn dispatch(&mut self) {
        let free = self.present.saturating_sub(self.tasks.len());
        for order in self.search.orders(free, self.now) {
            let known = known(&order);
            self.publish(order.job, order.node, known, false);
        }
    }

    fn publish(&mut self, job: JobId, node: NodeId, known: usize, second: bool) {
        let task = self.next_task;
        self.next_task += 1;
        self.by_job.insert(job, task);
        let known = Task {
            job,
            node,
            known,
            second,
            worker: None,
        };
        self.tasks.insert(task, known);
        let then = self.free_at.max(self.now) + self.conditions.latency();
        self.at(then, What::Waits { task });
    }

    fn end(mut self) -> GridRun {
        for worker in 0..self.workers.len() {
            if let State::Busy(_) = self.workers[worker].state {
                self.workers[worker].state = State::Stopping;
            }
            self.spend(worker);
        }
        let right = if self.model.black_wins {
            Side::Black
        } else {
            Side::White
        };
        self.run.solved = self.search.winner() == Some(right);
        self.run.makespan = self.now.as_secs_f64();
        self.run.coordinator = self.worked.as_secs_f64() / self.run.makespan.max(1e-9);
        self.run
    }
}

fn known(order: &Order) -> usize {
    match &order.work {
        Work::Expand { exclude, .. } => exclude.len(),
        _ => 0,
    }
}

/// The number of a turn of the model: how many are known before it.
fn turn_number(turn: &tengen_rules::Turn) -> usize {
    let cell = turn.cells().first().copied();
    cell.map_or(0, |cell| usize::from(cell.x.unsigned_abs()))
}

/// The opposite of what it thinks, as strongly as it can be said.
fn mislead(said: &mut Expansion) {
    for turn in &mut said.turns {
        turn.verdict = if turn.verdict < Verdict::Stable {
            Verdict::W4
        } else {
            Verdict::B4
        };
    }
}
