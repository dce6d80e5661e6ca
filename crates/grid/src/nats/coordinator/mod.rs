//! The task behind a search on a grid: what the table wants done, it does, and what the world says, it tells the table.

mod acts;
mod answers;
mod dead;
mod roll;
mod wishes;

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_nats::jetstream::message::Acker;
use async_nats::jetstream::{Context, Message};
use async_nats::{Client, Subscriber};
use futures_util::StreamExt as _;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{MissedTickBehavior, interval, sleep};

use super::client::{ClientOptions, Present};
use super::ledger::Ledger;
use super::message::{Control, Trouble, packed, packed_job};
use super::names::{Kind, Queue, name_of};
use super::parts::Parts;
use super::roster::Roster;
use super::streams;
use super::table::{Action, Published, Receipt, Table};
use crate::transport::Returned;
use crate::{Job, JobId};

/// How often time passes.
const TICK: Duration = Duration::from_millis(250);
/// How often others hear of this search.
const BEAT: Duration = Duration::from_secs(1);
/// How long a demand is remembered.
const DEMAND: usize = 5;
/// Of those who were dropped before, so many are named.
const TOLD: usize = 10;
/// The server is asked so many things at once.
const AT_ONCE: usize = 500;

/// What the search wants.
pub(super) enum Command {
    Send(Box<Job>),
    Cancel(JobId),
    Settled(JobId),
    Again(JobId),
    Distrust(String, String),
    End { solved: bool },
}

/// What tasks of this task report.
enum Inner {
    Published(String, Published),
    Looked(String, bool),
    Answer(Box<Message>),
    Dead { name: String, sequence: u64 },
    Note(String),
}

/// A job as it is published.
#[derive(Clone)]
struct Body {
    queue: Queue,
    bytes: Arc<Vec<u8>>,
    position: String,
}

/// One search on a grid.
pub(super) struct Coordinator {
    client: Client,
    context: Context,
    options: ClientOptions,
    start: Instant,
    table: Table,
    roster: Roster,
    /// The jobs that the table knows.
    bodies: HashMap<String, Body>,
    /// What went wrong of late and when, the last one first.
    troubles: VecDeque<(Duration, Trouble)>,
    parts: Parts<Receipt>,
    receipts: HashMap<Receipt, Acker>,
    next_receipt: u64,
    /// The most jobs that were held at once, of the last seconds.
    demand: VecDeque<usize>,
    granted: usize,
    present: Arc<Present>,
    returned: Sender<Returned>,
    note: Sender<String>,
    report: UnboundedSender<Inner>,
    reports: Option<UnboundedReceiver<Inner>>,
    made: Vec<Queue>,
    /// The server is asked so many things at once. Whoever asks more gets his answers too late, asks again, and has it ever slower.
    room: Arc<Semaphore>,
    /// When queues were last made anew because something could not be published.
    mended: Arc<Mutex<Option<Instant>>>,
}

impl Coordinator {
    pub(super) fn new(
        client: Client,
        options: ClientOptions,
        present: Arc<Present>,
        returned: Sender<Returned>,
        note: Sender<String>,
    ) -> Self {
        let (report, reports) = unbounded_channel();
        let mut roster = Roster::default();
        let known = options.ledger.as_ref().map(Ledger::all);
        for (number, (worker, reason)) in known.into_iter().flatten().enumerate() {
            if number < TOLD {
                let _nobody_reads = note.send(format!("worker {worker} stays dropped: {reason}"));
            }
            roster.drop_worker(&worker, &reason);
        }
        Self {
            context: streams::context(&client),
            client,
            options,
            start: Instant::now(),
            table: Table::default(),
            roster,
            bodies: HashMap::new(),
            troubles: VecDeque::new(),
            parts: Parts::default(),
            receipts: HashMap::new(),
            next_receipt: 0,
            demand: VecDeque::from([0]),
            granted: 0,
            present,
            returned,
            note,
            report,
            reports: Some(reports),
            made: Vec::new(),
            room: Arc::new(Semaphore::new(AT_ONCE)),
            mended: Arc::default(),
        }
    }

    /// Until the search ends.
    pub(super) async fn run(mut self, mut commands: UnboundedReceiver<Command>) {
        let Some(mut reports) = self.reports.take() else {
            return;
        };
        let mut beats = self.subscribed("tengen.beat.*".to_owned()).await;
        let mut clients = self.subscribed("tengen.client.*".to_owned()).await;
        let wishes = format!("tengen.wish.{}", self.options.client);
        let mut wishes = self.subscribed(wishes).await;
        let taking = tokio::spawn(answers::receive(
            self.context.clone(),
            self.options.client.clone(),
            self.report.clone(),
        ));
        let collecting = tokio::spawn(dead::collect_dead(
            self.client.clone(),
            self.context.clone(),
            self.options.client.clone(),
            self.report.clone(),
        ));
        let _nobody = self.client.publish("tengen.call", "".into()).await;
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut beat = interval(BEAT);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                command = commands.recv() => match command {
                    Some(Command::End { solved }) => {
                        self.end(solved).await;
                        break;
                    }
                    Some(command) => self.command(command).await,
                    None => {
                        self.end(false).await;
                        break;
                    }
                },
                Some(inner) = reports.recv() => self.inner(inner).await,
                Some(message) = beats.next() => self.beat(&message).await,
                Some(message) = clients.next() => self.other_client(&message),
                Some(message) = wishes.next() => self.wish(&message).await,
                _ = tick.tick() => self.tick().await,
                _ = beat.tick() => self.show().await,
            }
        }
        taking.abort();
        collecting.abort();
        self.present.threads.store(0, Ordering::Relaxed);
    }

    /// The library subscribes again by itself when the server comes back.
    async fn subscribed(&self, subject: String) -> Subscriber {
        loop {
            match self.client.subscribe(subject.clone()).await {
                Ok(subscriber) => return subscriber,
                Err(_) => sleep(BEAT).await,
            }
        }
    }

    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    async fn command(&mut self, command: Command) {
        let now = self.now();
        let actions = match command {
            Command::Send(job) => self.send(now, &job).await,
            Command::Cancel(job) => self.table.cancel(now, job),
            Command::Settled(job) => self.table.settled(job),
            Command::Again(job) => self.table.again(now, job),
            Command::Distrust(worker, reason) => {
                self.distrust(&worker, &reason).await;
                return;
            }
            Command::End { .. } => return,
        };
        self.act(actions).await;
    }

    async fn send(&mut self, now: Duration, job: &Job) -> Vec<Action> {
        let name = name_of(job);
        let body = Body {
            queue: self.queue(Kind::of(&job.work)).await,
            bytes: Arc::new(packed_job(&self.options.client, &name, job)),
            position: job.position.clone(),
        };
        self.bodies.insert(name.clone(), body);
        let allowed = self.options.allowed(&job.limits);
        self.table.ask(now, job.id, &name, allowed)
    }

    /// Drops a worker; what it said that it does, others are to do.
    async fn distrust(&mut self, worker: &str, reason: &str) {
        if self.roster.is_dropped(worker) {
            return;
        }
        self.roster.drop_worker(worker, reason);
        if let Some(ledger) = &self.options.ledger
            && let Err(error) = ledger.drop_worker(worker, reason)
        {
            let path = ledger.path().display();
            self.tell(format!(
                "{path} cannot be written, so {worker} is dropped for this run only: {error}"
            ));
        }
        self.say_drop(worker, reason).await;
        let now = self.now();
        for (client, name) in self.roster.running(worker) {
            if client == self.options.client {
                let actions = self.table.worthless(now, &name, Vec::new());
                self.act(actions).await;
            }
        }
    }

    /// Tells a worker that nothing of it is wanted any more.
    async fn say_drop(&self, worker: &str, reason: &str) {
        let control = packed(&Control::Drop {
            reason: reason.to_owned(),
        });
        let subject = format!("tengen.control.{worker}");
        let _it_may_be_gone = self.client.publish(subject, control.into()).await;
    }

    async fn inner(&mut self, inner: Inner) {
        let now = self.now();
        let actions = match inner {
            Inner::Published(name, what) => self.table.published(now, &name, what),
            Inner::Looked(name, there) => {
                let idle = self.roster.idle(self.options.pool());
                let patience = self.options.ack_wait * 2 + Duration::from_secs(10);
                self.table
                    .looked(now, &name, there, idle.then_some(patience))
            }
            Inner::Dead { name, sequence } => self.table.died(now, &name, sequence),
            Inner::Note(note) => {
                self.tell(note);
                return;
            }
            Inner::Answer(message) => {
                self.answer(now, *message).await;
                return;
            }
        };
        self.act(actions).await;
    }

    fn tell(&self, note: String) {
        let _nobody_reads = self.note.send(note);
    }
}
