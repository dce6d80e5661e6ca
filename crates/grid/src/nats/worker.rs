//! A worker: takes jobs from a grid, does them with whoever does jobs here, and says what it does.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::Client;
use async_nats::connection::State;
use async_nats::jetstream::Context;
use futures_util::StreamExt as _;
use tokio::time::sleep;

use super::message::{Beat, Cancel, Control, RunningJob, VERSION, packed, unpacked};
use super::names::{ANY, Kind, Queue};
use super::slot::Slot;
use super::{Access, GridError, access, machine, runtime, streams};
use crate::jobs::Worker;

/// How often others hear of a worker that works, and of one that does not.
const BUSY_BEAT: Duration = Duration::from_secs(1);
const IDLE_BEAT: Duration = Duration::from_secs(4);
/// How often the queues are looked up.
const QUEUES: Duration = Duration::from_secs(3);
/// How often one who is shut out asks whether the key is still good.
const KNOCK: Duration = Duration::from_secs(1);
/// How long the second Ctrl-C may take to hand jobs back.
const ABORT: Duration = Duration::from_secs(2);

/// What a worker is like.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkerOptions {
    /// Its name, a token.
    pub name: String,
    /// How many jobs it does at once.
    pub threads: usize,
    /// Megabytes it may use, if that is limited.
    pub memory: Option<u64>,
    /// What it does; everything if this is empty.
    pub kinds: Vec<Kind>,
    /// Pools it belongs to, besides the one of its own name and that of all.
    pub labels: Vec<String>,
    /// The program's version, for people.
    pub program: String,
    /// The version of messages it speaks; another one than [`VERSION`] only in tests.
    pub version: u32,
}

impl WorkerOptions {
    /// As usual.
    pub fn new(name: &str, threads: usize) -> Self {
        Self {
            name: name.to_owned(),
            threads: threads.max(1),
            memory: None,
            kinds: Vec::new(),
            labels: Vec::new(),
            program: env!("CARGO_PKG_VERSION").to_owned(),
            version: VERSION,
        }
    }
}

/// How a worker is told to leave, or to pause.
#[derive(Debug, Default)]
pub struct Leave {
    asked: AtomicU8,
    paused: AtomicBool,
}

impl Leave {
    /// Once: finish what you do. Twice: hand it back and go.
    pub fn ask(&self) {
        self.asked.fetch_add(1, Ordering::SeqCst);
    }

    /// Takes no jobs while it is paused. Those at hand go on.
    pub fn pause(&self, on: bool) {
        self.paused.store(on, Ordering::SeqCst);
    }

    pub(super) fn is_asked(&self) -> bool {
        self.asked.load(Ordering::SeqCst) > 0
    }

    pub(super) fn is_urgent(&self) -> bool {
        self.asked.load(Ordering::SeqCst) > 1
    }

    pub(super) fn is_paused(&self) -> bool {
        self.paused.load(Ordering::SeqCst)
    }
}

/// What happens to a worker, for people.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Log {
    /// Nobody answers; it is tried again.
    Waiting(String),
    /// It is connected.
    Connected,
    /// The connection is lost; it is tried again.
    Disconnected,
    /// A job begins: its position.
    Begins(String),
    /// A job has ended: its position, and the seconds it took.
    Ends(String, f64),
    /// A job was told to stop.
    Stopped(String),
    /// A job could not be done.
    Failed(String),
    /// A job of another version was handed back.
    Refused(String),
    /// No jobs are taken for the time being.
    Paused,
    /// Jobs are taken again.
    Resumed,
    /// No more jobs are taken.
    Leaving,
}

/// What a worker has done.
#[derive(Debug, Copy, Clone, Default, PartialEq, Eq)]
pub struct Worked {
    /// Jobs done.
    pub done: u64,
    /// Jobs that could not be done.
    pub failed: u64,
    /// Jobs of another version.
    pub refused: u64,
}

/// A job at work.
pub(super) struct AtWork {
    pub(super) stop: Arc<AtomicBool>,
    pub(super) since: Instant,
    pub(super) rules: String,
    pub(super) position: String,
    pub(super) kind: Kind,
    pub(super) delivery: i64,
}

/// What all threads of a worker share.
pub(super) struct Shared {
    pub(super) options: WorkerOptions,
    pub(super) client: Client,
    pub(super) context: Context,
    pub(super) worker: Arc<dyn Worker>,
    pub(super) leave: Arc<Leave>,
    pub(super) log: Box<dyn Fn(Log) + Send + Sync>,
    /// One thread at a time hears what searches have proved.
    pub(super) hears: Mutex<()>,
    /// By client and name.
    at_work: Mutex<HashMap<(String, String), AtWork>>,
    queues: Mutex<Vec<Queue>>,
    pub(super) done: AtomicU64,
    pub(super) failed: AtomicU64,
    pub(super) refused: AtomicU64,
    pub(super) nodes: AtomicU64,
    /// Why it has to leave, if it has to.
    ends: Mutex<Option<GridError>>,
    access: Access,
    instance: String,
}

impl Shared {
    pub(super) fn at_work(&self) -> MutexGuard<'_, HashMap<(String, String), AtWork>> {
        lock(&self.at_work)
    }

    /// The queues that this worker serves, the most urgent first, and those of particular workers before those of all.
    pub(super) fn queues(&self) -> Vec<Queue> {
        lock(&self.queues).clone()
    }

    fn serves(&self, queue: &Queue) -> bool {
        let WorkerOptions {
            name,
            kinds,
            labels,
            ..
        } = &self.options;
        let pool = queue.pool == ANY || queue.pool == *name || labels.contains(&queue.pool);
        pool && (kinds.is_empty() || kinds.contains(&queue.kind))
    }

    fn beat(&self) -> Beat {
        let of = |((client, name), job): (&(String, String), &AtWork)| RunningJob {
            client: client.clone(),
            name: name.clone(),
            rules: job.rules.clone(),
            position: job.position.clone(),
            kind: Some(job.kind),
            seconds: job.since.elapsed().as_secs_f64(),
            delivery: job.delivery,
        };
        let running: Vec<RunningJob> = self.at_work().iter().map(of).collect();
        let paused = self.leave.is_paused();
        let WorkerOptions {
            name,
            threads,
            memory,
            kinds,
            labels,
            program,
            version,
        } = &self.options;
        Beat {
            version: *version,
            program: program.clone(),
            name: name.clone(),
            instance: self.instance.clone(),
            machine: machine(),
            // What is not to be had does not count.
            threads: if paused { running.len() } else { *threads },
            paused,
            memory: *memory,
            kinds: kinds.clone(),
            labels: labels.clone(),
            running,
            done: self.done.load(Ordering::Relaxed),
            failed: self.failed.load(Ordering::Relaxed),
            refused: self.refused.load(Ordering::Relaxed),
            nodes: self.nodes.load(Ordering::Relaxed),
            leaving: self.leave.is_asked(),
        }
    }

    /// Leaves at once, for this reason.
    fn end(&self, reason: GridError) {
        lock(&self.ends).get_or_insert(reason);
        self.leave.ask();
        self.leave.ask();
    }

    async fn say(&self) {
        let subject = format!("tengen.beat.{}", self.options.name);
        let _it_comes_again = self
            .client
            .publish(subject, packed(&self.beat()).into())
            .await;
    }
}

/// Works until it is asked to leave. The server may go and come; only a key that is refused ends it.
///
/// # Errors
///
/// If the server does not let us in, or a coordinator has dropped this worker.
pub fn run_worker(
    access: &Access,
    options: WorkerOptions,
    worker: Arc<dyn Worker>,
    leave: Arc<Leave>,
    log: impl Fn(Log) + Send + Sync + 'static,
) -> Result<Worked, GridError> {
    let runtime = runtime()?;
    let done = runtime.block_on(work(access, options, worker, leave, Box::new(log)));
    runtime.shutdown_timeout(Duration::from_millis(200));
    done
}

async fn work(
    access: &Access,
    options: WorkerOptions,
    worker: Arc<dyn Worker>,
    leave: Arc<Leave>,
    log: Box<dyn Fn(Log) + Send + Sync>,
) -> Result<Worked, GridError> {
    let Some(client) = connected(access, &options.name, &leave, &log).await? else {
        return Ok(Worked::default());
    };
    log(Log::Connected);
    let shared = Arc::new(Shared {
        options,
        context: streams::context_under(&client, access.api()),
        client,
        worker,
        leave,
        log,
        hears: Mutex::default(),
        at_work: Mutex::default(),
        queues: Mutex::default(),
        done: AtomicU64::new(0),
        failed: AtomicU64::new(0),
        refused: AtomicU64::new(0),
        nodes: AtomicU64::new(0),
        ends: Mutex::default(),
        access: access.clone(),
        instance: format!("{:08x}", fastrand::u32(..)),
    });
    let mut helpers = vec![
        tokio::spawn(say_often(Arc::clone(&shared))),
        tokio::spawn(answer_calls(Arc::clone(&shared))),
        tokio::spawn(hear_cancels(Arc::clone(&shared))),
        tokio::spawn(hear_controls(Arc::clone(&shared))),
        tokio::spawn(look_for_queues(Arc::clone(&shared))),
        tokio::spawn(watch_connection(Arc::clone(&shared))),
    ];
    let slots = (0..shared.options.threads).map(|_| tokio::spawn(Slot::run(Arc::clone(&shared))));
    let all = futures_util::future::join_all(slots.collect::<Vec<_>>());
    tokio::pin!(all);
    let (mut told, mut paused) = (false, false);
    loop {
        tokio::select! {
            _ = &mut all => break,
            () = sleep(Duration::from_millis(50)) => {}
        }
        if shared.leave.is_paused() != paused {
            paused = !paused;
            (shared.log)(if paused { Log::Paused } else { Log::Resumed });
            shared.say().await;
        }
        if shared.leave.is_asked() && !told {
            told = true;
            (shared.log)(Log::Leaving);
            shared.say().await;
        }
        if shared.leave.is_urgent() {
            // The slots hand their jobs back.
            let _late = tokio::time::timeout(ABORT, &mut all).await;
            break;
        }
    }
    helpers.drain(..).for_each(|helper| helper.abort());
    shared.say().await;
    let _late = tokio::time::timeout(ABORT, shared.client.flush()).await;
    if let Some(reason) = lock(&shared.ends).take() {
        return Err(reason);
    }
    Ok(Worked {
        done: shared.done.load(Ordering::Relaxed),
        failed: shared.failed.load(Ordering::Relaxed),
        refused: shared.refused.load(Ordering::Relaxed),
    })
}

/// A connection, however long it takes; none if it was asked to leave before.
async fn connected(
    access: &Access,
    name: &str,
    leave: &Leave,
    log: &(dyn Fn(Log) + Send + Sync),
) -> Result<Option<Client>, GridError> {
    let mut attempts = 0;
    loop {
        match access.connect(&format!("tengen worker {name}")).await {
            Ok(client) => return Ok(Some(client)),
            Err(error @ GridError::Unreachable { .. }) => {
                if attempts % 10 == 0 {
                    log(Log::Waiting(error.to_string()));
                }
            }
            Err(error) => return Err(error),
        }
        let until = Instant::now() + access::back_off(attempts);
        attempts += 1;
        while Instant::now() < until {
            if leave.is_asked() {
                return Ok(None);
            }
            sleep(Duration::from_millis(50)).await;
        }
    }
}

async fn say_often(shared: Arc<Shared>) {
    loop {
        shared.say().await;
        let mut waited = Duration::ZERO;
        let step = BUSY_BEAT.mul_f64(0.9 + 0.2 * fastrand::f64());
        loop {
            sleep(step).await;
            waited += step;
            if waited >= IDLE_BEAT || !shared.at_work().is_empty() {
                break;
            }
        }
    }
}

/// A search that has just started wants to know who is there.
async fn answer_calls(shared: Arc<Shared>) {
    let Ok(mut calls) = shared.client.subscribe("tengen.call").await else {
        return;
    };
    let mut last = None;
    while calls.next().await.is_some() {
        // Who calls all the time is not answered all the time.
        if last.is_some_and(|last: Instant| last.elapsed() < BUSY_BEAT / 2) {
            continue;
        }
        // Not all at once.
        sleep(Duration::from_millis(fastrand::u64(0..100))).await;
        shared.say().await;
        last = Some(Instant::now());
    }
}

async fn hear_cancels(shared: Arc<Shared>) {
    let Ok(mut cancels) = shared.client.subscribe("tengen.cancel.*").await else {
        return;
    };
    while let Some(message) = cancels.next().await {
        let client = message.subject.rsplit('.').next().unwrap_or_default();
        let Ok(cancel) = unpacked::<Cancel>(&message.payload) else {
            continue;
        };
        let at_work = shared.at_work();
        for name in cancel.names {
            if let Some(job) = at_work.get(&(client.to_owned(), name)) {
                job.stop.store(true, Ordering::Relaxed);
            }
        }
    }
}

async fn hear_controls(shared: Arc<Shared>) {
    let subject = format!("tengen.control.{}", shared.options.name);
    let Ok(mut controls) = shared.client.subscribe(subject).await else {
        return;
    };
    while let Some(message) = controls.next().await {
        match unpacked::<Control>(&message.payload) {
            Ok(Control::Drop { reason }) => shared.end(GridError::Dropped(reason)),
            // Asked twice would be at once.
            Ok(Control::Drain) if !shared.leave.is_asked() => shared.leave.ask(),
            Ok(Control::Drain) => {}
            Err(_) => {}
        }
    }
}

async fn look_for_queues(shared: Arc<Shared>) {
    loop {
        if let Ok(mut queues) = streams::queues(&shared.context).await {
            queues.retain(|queue| shared.serves(queue));
            queues.sort_by_key(|queue| (queue.class, queue.pool == ANY, queue.kind));
            *lock(&shared.queues) = queues;
        }
        // Who has nothing to do wants to know soon.
        let wait = if lock(&shared.queues).is_empty() {
            QUEUES / 6
        } else {
            QUEUES
        };
        sleep(wait.mul_f64(0.8 + 0.4 * fastrand::f64())).await;
    }
}

/// Says when the connection goes and comes. The library tries for ever; whether the key is still good is asked here, for a
/// worker whose key was taken back should not knock until the end of days.
async fn watch_connection(shared: Arc<Shared>) {
    let (mut connected, mut refused) = (true, 0);
    let mut knock = Instant::now();
    loop {
        sleep(Duration::from_millis(200)).await;
        let now = shared.client.connection_state() == State::Connected;
        if now {
            refused = 0;
            knock = Instant::now() + KNOCK;
        } else if Instant::now() >= knock {
            match shared.access.connect("tengen worker at the door").await {
                Err(error @ GridError::Refused(_)) if refused > 0 => shared.end(error),
                Err(GridError::Refused(_)) => refused += 1,
                _ => refused = 0,
            }
            knock = Instant::now() + KNOCK.mul_f64(0.8 + 0.4 * fastrand::f64());
        }
        if now != connected {
            connected = now;
            (shared.log)(if now {
                Log::Connected
            } else {
                Log::Disconnected
            });
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
