//! The task behind a search on a grid: what the table wants done, it does, and what the world says, it tells the table.

mod wishes;

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::pull::Batch;
use async_nats::jetstream::message::Acker;
use async_nats::jetstream::{Context, Message};
use async_nats::{Client, Subscriber};
use futures_util::StreamExt as _;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use super::client::{ClientOptions, Present};
use super::message::{
    Beat, Cancel, ClientBeat, Control, Trouble, VERSION, packed, packed_job, read_result, unpacked,
};
use super::names::{JOBS, Kind, Queue, client_and_name, name_of, worker_of};
use super::parts::{HEADER, Joined, Parts};
use super::roster::Roster;
use super::table::{Action, Published, Receipt, Table};
use super::{machine, streams};
use crate::transport::Returned;
use crate::{Job, JobId};

/// How often time passes.
const TICK: Duration = Duration::from_millis(250);
/// How often others hear of this search.
const BEAT: Duration = Duration::from_secs(1);
/// How long a demand is remembered.
const DEMAND: usize = 5;

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
    /// The most jobs that were out at once, of the last seconds.
    demand: VecDeque<usize>,
    granted: usize,
    present: Arc<Present>,
    returned: Sender<Returned>,
    note: Sender<String>,
    report: UnboundedSender<Inner>,
    reports: Option<UnboundedReceiver<Inner>>,
    made: Vec<Queue>,
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
        Self {
            context: streams::context(&client),
            client,
            options,
            start: Instant::now(),
            table: Table::default(),
            roster: Roster::default(),
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
        let answers = tokio::spawn(receive(
            self.context.clone(),
            self.options.client.clone(),
            self.report.clone(),
        ));
        let dead = tokio::spawn(collect_dead(
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
        answers.abort();
        dead.abort();
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
        let queue = self.queue(Kind::of(&job.work)).await;
        let body = Body {
            queue,
            bytes: Arc::new(packed_job(&self.options.client, &name, job)),
            position: job.position.clone(),
        };
        self.bodies.insert(name.clone(), body);
        self.table.ask(now, job.id, &name)
    }

    /// Drops a worker; what it said that it does, others are to do.
    async fn distrust(&mut self, worker: &str, reason: &str) {
        if self.roster.is_dropped(worker) {
            return;
        }
        self.roster.drop_worker(worker, reason);
        let control = packed(&Control::Drop {
            reason: reason.to_owned(),
        });
        let subject = format!("tengen.control.{worker}");
        let _it_may_be_gone = self.client.publish(subject, control.into()).await;
        let now = self.now();
        for (client, name) in self.roster.running(worker) {
            if client == self.options.client {
                let actions = self.table.worthless(now, &name, Vec::new());
                self.act(actions).await;
            }
        }
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
            Inner::Dead { name, sequence } => self.table.died(&name, sequence),
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

    async fn answer(&mut self, now: Duration, message: Message) {
        let (message, acker) = message.split();
        let receipt = Receipt(self.next_receipt);
        self.next_receipt += 1;
        self.receipts.insert(receipt, acker);
        let subject = message.subject.to_string();
        let (Some(worker), Some((_, name))) = (worker_of(&subject), client_and_name(&subject))
        else {
            self.act(vec![Action::Acknowledge(vec![receipt])]).await;
            return;
        };
        if self.roster.is_dropped(worker) {
            let actions = self.table.worthless(now, name, vec![receipt]);
            self.act(actions).await;
            return;
        }
        let header = message
            .headers
            .as_ref()
            .and_then(|headers| headers.get(HEADER));
        let (bytes, receipts) = match header {
            None => (message.payload.to_vec(), vec![receipt]),
            Some(header) => {
                let whose = format!("{worker}/{name}");
                let part = message.payload.to_vec();
                let (joined, given_up) = self.parts.add(&whose, header.as_str(), part, receipt);
                self.act(vec![Action::Acknowledge(given_up)]).await;
                match joined {
                    Joined::Whole(bytes, receipts) => (bytes, receipts),
                    Joined::Wait => return,
                    Joined::Nonsense(receipt) => {
                        self.unreadable(now, worker, name, "a part of nothing", vec![receipt])
                            .await;
                        return;
                    }
                }
            }
        };
        // Long answers take long to read: not here, where others wait.
        let read = if bytes.len() > 64 << 10 {
            let read = tokio::task::spawn_blocking(move || read_result(&bytes)).await;
            read.unwrap_or(Err(super::message::Unreadable::TooLong))
        } else {
            read_result(&bytes)
        };
        match read {
            Ok(said) => {
                let worker = Arc::from(worker);
                let actions = self.table.arrived(now, &worker, name, said, receipts);
                self.act(actions).await;
            }
            Err(error) => {
                let error = error.to_string();
                self.unreadable(now, worker, name, &error, receipts).await;
            }
        }
    }

    /// Nobody who is honest and of our version sends such a thing.
    async fn unreadable(
        &mut self,
        now: Duration,
        worker: &str,
        name: &str,
        what: &str,
        receipts: Vec<Receipt>,
    ) {
        let lie = format!("its answer cannot be read: {what}");
        self.tell(format!("worker {worker} is dropped: {lie}"));
        self.distrust(worker, &lie).await;
        let actions = self.table.worthless(now, name, receipts);
        self.act(actions).await;
    }

    async fn beat(&mut self, message: &async_nats::Message) {
        let name = message.subject.rsplit('.').next().unwrap_or_default();
        let Ok(beat) = unpacked::<Beat>(&message.payload) else {
            return;
        };
        let now = self.now();
        if !self.roster.is_dropped(name) {
            let mine = beat
                .running
                .iter()
                .filter(|job| job.client == self.options.client);
            let names: Vec<&str> = mine.map(|job| job.name.as_str()).collect();
            if !names.is_empty() {
                let actions = self.table.running(now, &names);
                self.act(actions).await;
            }
        }
        self.roster.beat(now, name, beat);
    }

    fn other_client(&mut self, message: &async_nats::Message) {
        let name = message.subject.rsplit('.').next().unwrap_or_default();
        let beat = unpacked::<ClientBeat>(&message.payload);
        if let Some(beat) = beat.ok().filter(|_| name != self.options.client) {
            let now = self.now();
            self.roster.client(now, name, beat);
        }
    }

    async fn tick(&mut self) {
        let now = self.now();
        let actions = self.table.tick(now);
        self.act(actions).await;
        for lost in self.roster.tick(now) {
            let jobs = match lost.running.len() {
                0 => String::new(),
                count => format!(", with {count} jobs that go to others"),
            };
            self.tell(format!("worker {} is lost{jobs}", lost.name));
        }
        self.bodies.retain(|name, _| self.table.has(name));
        let out = self.table.out().count();
        if let Some(last) = self.demand.back_mut() {
            *last = (*last).max(out);
        }
        let me = self.me(out);
        self.granted = self.roster.share_of(&me);
        let present = &self.present;
        present.threads.store(self.granted, Ordering::Relaxed);
        let workers = self.roster.serving(self.options.pool());
        present.workers.store(workers, Ordering::Relaxed);
    }

    /// What this search says of itself. It wants twice what it could use of late, so that it grows fast and does not hold
    /// what it cannot use.
    fn me(&self, out: usize) -> ClientBeat {
        let peak = self.demand.iter().copied().max().unwrap_or(0);
        let running = self
            .roster
            .workers()
            .iter()
            .flat_map(|beat| &beat.running)
            .filter(|job| job.client == self.options.client)
            .count();
        ClientBeat {
            version: VERSION,
            client: self.options.client.clone(),
            title: self.options.title.clone(),
            machine: machine(),
            weight: self.options.weight,
            most: self.options.most,
            pool: self.options.pool.clone(),
            class: self.options.class,
            wants: peak * 2 + 8,
            granted: self.granted,
            queued: out.saturating_sub(running),
            running,
            done: self.table.done,
            failures: self.table.failures,
            dead: self.table.dead.iter().cloned().collect(),
            dropped: self.roster.dropped(),
            troubles: self.troubles(),
        }
    }

    async fn show(&mut self) {
        let out = self.table.out().count();
        self.demand.push_back(out);
        if self.demand.len() > DEMAND {
            self.demand.pop_front();
        }
        self.say().await;
    }

    async fn say(&self) {
        let subject = format!("tengen.client.{}", self.options.client);
        let beat = packed(&self.me(self.table.out().count()));
        let _it_comes_again = self.client.publish(subject, beat.into()).await;
    }

    fn tell(&self, note: String) {
        let _nobody_reads = self.note.send(note);
    }

    /// Does what the table wants.
    async fn act(&mut self, actions: Vec<Action>) {
        for action in actions {
            match action {
                Action::Publish { name, before } => self.publish(name, before),
                Action::Delete { sequence } => {
                    let context = self.context.clone();
                    // If it fails, workers hear that nobody waits for it.
                    tokio::spawn(async move { streams::delete(&context, sequence).await.ok() });
                }
                Action::Cancel { names } => {
                    let subject = format!("tengen.cancel.{}", self.options.client);
                    let bytes = packed(&Cancel { names });
                    let _told_again = self.client.publish(subject, bytes.into()).await;
                }
                Action::Look { name } => self.look(name),
                Action::Return(back) => {
                    let _search_is_gone = self.returned.send(*back);
                }
                Action::Acknowledge(receipts) => {
                    for receipt in receipts {
                        if let Some(acker) = self.receipts.remove(&receipt) {
                            // Unheard, it comes again and is known.
                            let _again = acker.ack().await;
                        }
                    }
                }
                Action::Note(note) => self.tell(note),
                Action::Trouble {
                    name,
                    worker,
                    reason,
                    dead,
                } => self.trouble(name, worker, reason, dead),
            }
        }
    }

    fn publish(&self, name: String, before: Option<u64>) {
        let Some(Body { queue, bytes, .. }) = self.bodies.get(&name).cloned() else {
            return;
        };
        let (context, report) = (self.context.clone(), self.report.clone());
        let (client, ack_wait) = (self.options.client.clone(), self.options.ack_wait);
        tokio::spawn(async move {
            if let Some(sequence) = before {
                // A message that stays is found below.
                let _gone = streams::delete(&context, sequence).await;
            }
            let subject = queue.subject(&client, &name);
            let what = match published(&context, &subject, &bytes).await {
                Ok(sequence) => Published::There(sequence),
                Err(_) => {
                    // The server may have been wiped.
                    let _later = streams::queue(&context, &queue, ack_wait).await;
                    Published::Unknown
                }
            };
            let _search_is_gone = report.send(Inner::Published(name, what));
        });
    }

    fn look(&self, name: String) {
        let Some(body) = self.bodies.get(&name) else {
            return;
        };
        let subject = body.queue.subject(&self.options.client, &name);
        let (context, report) = (self.context.clone(), self.report.clone());
        tokio::spawn(async move {
            // A server that does not answer says nothing about the job.
            if let Ok(found) = streams::find(&context, &subject).await {
                let _search_is_gone = report.send(Inner::Looked(name, found.is_some()));
            }
        });
    }

    async fn end(&mut self, solved: bool) {
        let actions = self.table.end(solved);
        let mut sequences = Vec::new();
        let mut rest = Vec::new();
        for action in actions {
            match action {
                Action::Delete { sequence } => sequences.push(sequence),
                other => rest.push(other),
            }
        }
        self.act(rest).await;
        let context = &self.context;
        let deletions = sequences
            .into_iter()
            .map(|sequence| streams::delete(context, sequence));
        let all = futures_util::future::join_all(deletions);
        let _in_vain = timeout(Duration::from_secs(2), all).await;
        let gone = ClientBeat {
            wants: 0,
            ..self.me(0)
        };
        let subject = format!("tengen.client.{}", self.options.client);
        let _nobody = self.client.publish(subject, packed(&gone).into()).await;
        let _in_vain = timeout(Duration::from_secs(1), self.client.flush()).await;
    }
}

/// Publishes a job; one that is there already is as good as a new one.
async fn published(
    context: &Context,
    subject: &str,
    body: &[u8],
) -> Result<u64, async_nats::Error> {
    let sent = context
        .publish(subject.to_owned(), body.to_vec().into())
        .await?;
    match sent.await {
        Ok(acknowledged) => Ok(acknowledged.sequence),
        Err(error) => match streams::find(context, subject).await? {
            Some(sequence) => Ok(sequence),
            None => Err(error.into()),
        },
    }
}

/// Takes answers from the server for ever.
async fn receive(context: Context, client: String, report: UnboundedSender<Inner>) {
    let mut fresh = true;
    let mut attempts = 0;
    loop {
        let consumer = match streams::answers(&context, &client, fresh).await {
            Ok(consumer) => consumer,
            Err(error) => {
                if attempts == 3 {
                    let _gone =
                        report.send(Inner::Note(format!("answers cannot be taken: {error}")));
                }
                sleep(super::access::back_off(attempts)).await;
                attempts += 1;
                continue;
            }
        };
        fresh = false;
        attempts = 0;
        loop {
            let batch = consumer
                .batch()
                .max_messages(200)
                .expires(Duration::from_secs(2))
                .messages();
            let Ok(mut batch) = batch.await else {
                break;
            };
            match taken(&mut batch, &report).await {
                Taken::All => {}
                Taken::Failed => {
                    sleep(Duration::from_millis(200)).await;
                    break;
                }
                Taken::Silence => {
                    // What was on its way may be lost to this consumer for an hour: a new one sees it all again.
                    fresh = true;
                    break;
                }
                Taken::Gone => return,
            }
        }
    }
}

enum Taken {
    All,
    Failed,
    Silence,
    Gone,
}

/// Takes what the server sends within its time. The library would wait for five seconds longer than the server.
async fn taken(batch: &mut Batch, report: &UnboundedSender<Inner>) -> Taken {
    loop {
        match timeout(Duration::from_secs(4), batch.next()).await {
            Ok(Some(Ok(message))) => {
                if report.send(Inner::Answer(Box::new(message))).is_err() {
                    return Taken::Gone;
                }
            }
            Ok(Some(Err(_))) => return Taken::Failed,
            Ok(None) => return Taken::All,
            Err(_) => return Taken::Silence,
        }
    }
}

/// Hears which jobs the server hands out no more.
async fn collect_dead(
    client: Client,
    context: Context,
    me: String,
    report: UnboundedSender<Inner>,
) {
    #[derive(serde::Deserialize)]
    struct Advisory {
        stream_seq: u64,
    }
    let subject = format!("$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.{JOBS}.*");
    let Ok(mut advisories) = client.subscribe(subject).await else {
        return;
    };
    while let Some(message) = advisories.next().await {
        let Ok(advisory) = serde_json::from_slice::<Advisory>(&message.payload) else {
            continue;
        };
        let sequence = advisory.stream_seq;
        let Ok(stream) = context.get_stream_no_info(JOBS).await else {
            continue;
        };
        let Ok(found) = stream.get_raw_message(sequence).await else {
            continue;
        };
        if let Some((owner, name)) = client_and_name(&found.subject)
            && owner == me
        {
            let name = name.to_owned();
            let _search_is_gone = report.send(Inner::Dead { name, sequence });
        }
    }
}
