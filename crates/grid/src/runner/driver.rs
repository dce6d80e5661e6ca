//! The loop: orders out, answers in, each journaled before the tree hears of it.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tengen_book::{Book, CheckedProof, Lease, Wanted};
use tengen_rules::{Position, notation};

use super::commands::Command;
use super::crew::Crew;
use super::doubt::Doubts;
use super::finish::prove_root;
use super::second::Seconds;
use super::snapshot::{Snapshot, Speed};
use super::tips::Tips;
use super::{End, RunError, Settings, Why};
use crate::search::{Changes, Event, NodeId, Order};
use crate::transport::Transport;
use crate::{Decision, Evidence, Expansion, Follower, Job, JobId, ProofId, Work};

/// How long the loop waits for an answer before it looks at its inbox.
const TICK: Duration = Duration::from_millis(50);
/// How often the book hears that the process lives.
const HEARTBEAT: Duration = Duration::from_secs(3);
/// How long jobs that were told to stop may take to do so.
const PATIENCE: Duration = Duration::from_secs(10);
/// How many notes are kept.
const NOTES: usize = 20;

/// A job on its way.
pub(super) struct Busy {
    pub(super) node: NodeId,
    pub(super) work: Work,
    /// Nobody waits for its answer any more.
    pub(super) cancelled: bool,
}

/// One run of a search.
pub(super) struct Driver<'a> {
    pub(super) book: &'a Book,
    pub(super) lease: &'a Lease,
    pub(super) follower: Follower,
    pub(super) crew: Crew,
    pub(super) settings: Settings,
    pub(super) stop: Arc<AtomicBool>,
    pub(super) wanted: Wanted,
    pub(super) busy: BTreeMap<JobId, Busy>,
    pub(super) start: Instant,
    pub(super) heard: Instant,
    pub(super) shown: Option<Instant>,
    pub(super) stopping: Option<Instant>,
    pub(super) speed: Speed,
    pub(super) notes: VecDeque<String>,
    pub(super) tips: Tips,
    pub(super) doubts: Doubts,
    pub(super) seconds: Seconds,
}

impl<'a> Driver<'a> {
    /// Runs a search to its end and gives the right to run it back.
    pub(super) fn run(
        book: &Book,
        mut lease: Lease,
        transport: &mut dyn FnMut() -> Option<Box<dyn Transport>>,
        settings: &Settings,
        stop: &Arc<AtomicBool>,
    ) -> Result<End, RunError> {
        let mut carrier = transport().ok_or(RunError::Bug)?;
        loop {
            let search = lease.search();
            let end = Driver::new(book, &lease, carrier, settings.clone(), Arc::clone(stop))
                .and_then(|mut driver| driver.drive());
            // What is to be told is how it ended; the lease ends with the process anyway.
            let _ = book.release(lease);
            // Who wanted an end may have changed his mind while it was coming. Who says so later finds the search free.
            let ended = matches!(&end, Ok(end) if matches!(end.why, Why::Stopped | Why::Paused));
            let resumed = ended && !stop.load(Ordering::Relaxed);
            if !resumed || !matches!(book.wanted(search), Ok(Wanted::Run)) {
                return end;
            }
            // Not if nothing carries jobs a second time, or somebody else was faster.
            let Some(next) = transport() else { return end };
            let Ok(again) = book.take_lease(search) else {
                return end;
            };
            (carrier, lease) = (next, again);
        }
    }

    fn new(
        book: &'a Book,
        lease: &'a Lease,
        transport: Box<dyn Transport>,
        settings: Settings,
        stop: Arc<AtomicBool>,
    ) -> Result<Self, RunError> {
        let follower = replayed(book, lease)?;
        let crew = Crew::start(transport, &settings.check_limits)?;
        Ok(Self {
            book,
            lease,
            follower,
            crew,
            seconds: Seconds::new(settings.second_opinions),
            settings,
            stop,
            wanted: Wanted::Run,
            busy: BTreeMap::new(),
            start: Instant::now(),
            heard: Instant::now(),
            shown: None,
            stopping: None,
            speed: Speed::new(),
            notes: VecDeque::new(),
            tips: Tips::default(),
            doubts: Doubts::default(),
        })
    }

    /// Works to the end; what went wrong stands in what is shown last.
    fn drive(&mut self) -> Result<End, RunError> {
        let end = self.work_and_prove();
        if let Err(error) = &end {
            self.note(error.to_string());
            // The error itself is what counts.
            let _ = self.show(Why::Stopped.name(), None);
        }
        end
    }

    fn work_and_prove(&mut self) -> Result<End, RunError> {
        let why = self.work();
        let solved = matches!(why, Ok(Why::Solved));
        self.crew.carrier().end(solved);
        let why = why?;
        let composed = match why {
            Why::Solved => Some(prove_root(self.book, self.lease, &self.follower)?),
            Why::Stuck | Why::Stopped | Why::Paused => None,
        };
        self.show(why.name(), composed)?;
        let winner = self.follower.search().winner();
        Ok(End {
            winner,
            why,
            composed,
        })
    }

    fn work(&mut self) -> Result<Why, RunError> {
        loop {
            self.look_around()?;
            if self.follower.search().winner().is_some() {
                return Ok(Why::Solved);
            }
            let mut waits_for_workers = false;
            match self.wanted {
                Wanted::Run => waits_for_workers = !self.give_orders()?,
                Wanted::Pause => {}
                Wanted::Stop => self.stop_jobs(),
            }
            if self.follower.search().winner().is_some() {
                return Ok(Why::Solved);
            }
            let nothing_out = self.busy.is_empty() && self.seconds.open() == 0;
            let nothing_left = nothing_out && !waits_for_workers;
            if nothing_left || self.out_of_patience() {
                match self.wanted {
                    Wanted::Run => return Ok(Why::Stuck),
                    Wanted::Pause => return Ok(Why::Paused),
                    Wanted::Stop => return Ok(Why::Stopped),
                }
            }
            if let Some(done) = self.crew.next(TICK) {
                self.receive(done)?;
            }
        }
    }

    pub(super) fn now(&self) -> Duration {
        self.start.elapsed()
    }

    /// What others want, and what they see.
    fn look_around(&mut self) -> Result<(), RunError> {
        if self.heard.elapsed() >= HEARTBEAT {
            self.book.heartbeat(self.lease)?;
            self.heard = Instant::now();
        }
        // Jobs that were told to stop cannot be told to go on: who changes his mind gets a new run after this one.
        self.wanted = if self.stopping.is_some() || self.stop.load(Ordering::Relaxed) {
            Wanted::Stop
        } else {
            self.book.wanted(self.lease.search())?
        };
        self.take_commands()?;
        self.give_up_overdue()?;
        for note in self.crew.carrier().notes() {
            self.note(note);
        }
        let every = self.settings.snapshot_every;
        if self.shown.is_none_or(|shown| shown.elapsed() >= every) {
            self.show("running", None)?;
        }
        Ok(())
    }

    fn show(&mut self, state: &str, composed: Option<ProofId>) -> Result<(), RunError> {
        let mut snapshot = Snapshot::of(&self.follower, self.now(), self.speed.per_minute());
        snapshot.state = state.to_owned();
        snapshot.workers = self.crew.capacity();
        snapshot.composed = composed.map(|id| tengen_book::ProofId(id.0).to_string());
        snapshot.notes = self.notes.iter().cloned().collect();
        if state != "running" {
            snapshot.active.clear();
            snapshot.estimate = None;
        }
        let text = serde_json::to_string(&snapshot).unwrap_or_else(|_| "{}".to_owned());
        self.book.set_snapshot(self.lease.search(), &text)?;
        self.shown = Some(Instant::now());
        Ok(())
    }

    pub(super) fn note(&mut self, note: String) {
        if self.notes.len() == NOTES {
            self.notes.pop_front();
        }
        self.notes.push_back(note);
    }

    /// A command is journaled before it is forgotten: twice after a crash, but never lost.
    fn take_commands(&mut self) -> Result<(), RunError> {
        for command in self.book.commands(self.lease.search())? {
            match Command::read(&command.text, &self.follower) {
                Ok(event) => self.journal(event, &[])?,
                Err(reason) => self.note(reason),
            }
            self.book
                .done_with_commands(self.lease.search(), command.number)?;
        }
        Ok(())
    }

    /// Appends an event with its proofs, then applies it.
    pub(super) fn journal(
        &mut self,
        event: Event,
        proofs: &[CheckedProof],
    ) -> Result<(), RunError> {
        let text = serde_json::to_string(&event).map_err(|error| tengen_book::Error::Json {
            what: "an event",
            reason: error.to_string(),
        })?;
        let number = self.book.append(self.lease, &[text], proofs)?;
        self.heard = Instant::now();
        let changes = self.follower.apply(event, number);
        self.follow_up(changes);
        Ok(())
    }

    fn follow_up(&mut self, changes: Changes) {
        for job in changes.cancel {
            self.cancel(job);
        }
        for node in changes.contradictions {
            self.note(format!(
                "node {} is proved for both sides: one of the proofs must be wrong, please report this",
                node.0
            ));
        }
        for refused in changes.refused {
            self.note(format!("node {}: {}", refused.node.0, refused.reason));
        }
    }

    fn cancel(&mut self, job: JobId) {
        if let Some(busy) = self.busy.get_mut(&job) {
            busy.cancelled = true;
            self.crew.carrier().cancel(job);
        }
    }

    fn stop_jobs(&mut self) {
        if self.stopping.is_none() {
            self.stopping = Some(Instant::now());
            for job in self.seconds.forget_all() {
                self.crew.carrier().cancel(job);
            }
            for job in self.busy.keys().copied().collect::<Vec<_>>() {
                self.cancel(job);
            }
        }
    }

    fn out_of_patience(&self) -> bool {
        self.stopping
            .is_some_and(|since| since.elapsed() > PATIENCE)
    }

    /// Orders as many jobs as workers have room for. Says whether there is any worker at all.
    fn give_orders(&mut self) -> Result<bool, RunError> {
        loop {
            let capacity = self.crew.capacity();
            let free = capacity.saturating_sub(self.busy.len() + self.seconds.open());
            let now = self.now();
            let orders = self.follower.search_mut().orders(free, now);
            if orders.is_empty() {
                return Ok(capacity > 0);
            }
            for order in orders {
                self.give(order)?;
            }
        }
    }

    /// Sends a job to a worker, unless the book knows the answer.
    fn give(&mut self, order: Order) -> Result<(), RunError> {
        let Some(position) = self.follower.position(order.node) else {
            return self.lose(order.job, "its position cannot be reached".to_owned());
        };
        if let Some((winner, proof)) = self.book.proved(&position)? {
            let decided = Decision {
                winner,
                evidence: Evidence::Proof(ProofId(proof.0)),
            };
            let expansion = Expansion {
                decided: Some(decided),
                ..Expansion::default()
            };
            return self.answered(order.job, order.node, expansion, 0.0, 0, &[]);
        }
        let job = self.job(&order, &position);
        self.crew.send(job).map_err(|_| RunError::Bug)?;
        let busy = Busy {
            node: order.node,
            work: order.work,
            cancelled: false,
        };
        self.busy.insert(order.job, busy);
        Ok(())
    }

    pub(super) fn job(&mut self, order: &Order, position: &Position) -> Job {
        let node = self.follower.search().node(order.node);
        let tips = node.map(|node| self.tips.for_node(self.book, &self.follower, &node));
        Job {
            tips: tips.unwrap_or_default(),
            id: order.job,
            rules: position.rules().to_string(),
            position: notation::setup_text(&position.to_setup()),
            work: order.work.clone(),
            limits: self.settings.job_limits,
        }
    }

    pub(super) fn answered(
        &mut self,
        job: JobId,
        node: NodeId,
        expansion: Expansion,
        seconds: f64,
        nodes: u64,
        proofs: &[CheckedProof],
    ) -> Result<(), RunError> {
        self.follower.search_mut().finished(job);
        let event = Event::Answer {
            node,
            expansion,
            seconds,
            nodes,
        };
        self.journal(event, proofs)
    }

    fn give_up_overdue(&mut self) -> Result<(), RunError> {
        for job in self.follower.search().overdue(self.now()) {
            self.cancel(job);
            self.lose(job, "it took too long".to_owned())?;
        }
        for job in self.seconds.overdue(self.now()) {
            self.seconds.forget(job);
            self.crew.carrier().cancel(job);
        }
        Ok(())
    }
}

/// The search as its journal has it. Reading a long one must not look like death.
fn replayed(book: &Book, lease: &Lease) -> Result<Follower, RunError> {
    let mut follower = Follower::begin(book, lease.search())?;
    let mut heard = Instant::now();
    follower.refresh_with(book, &mut |_, _| {
        if heard.elapsed() >= HEARTBEAT {
            book.heartbeat(lease)?;
            heard = Instant::now();
        }
        Ok(())
    })?;
    let events = follower.search().totals().events;
    follower.search_mut().number_jobs_from(JobId(events));
    Ok(follower)
}
