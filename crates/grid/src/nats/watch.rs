//! A grid, watched: who is there now, and how it was over the last hours. For pages and metrics.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::Client;
use futures_util::StreamExt as _;
use serde::Serialize;
use tokio::time::{interval, sleep};

use super::Grid;
use super::message::{Beat, ClientBeat, Control, packed, unpacked};
use super::names::is_token;
use super::roster::Roster;

/// How often it is written down how it is.
const SAMPLE: Duration = Duration::from_secs(20);
/// For how long.
const SAMPLES: usize = 360;

/// A number of a search: its name, what it is, and the number.
type Field = (&'static str, &'static str, fn(&ClientBeat) -> u64);

/// How it was at a moment.
#[derive(Debug, Copy, Clone, Default, PartialEq, Serialize)]
pub struct Sample {
    /// So many seconds ago.
    pub ago: f64,
    /// Workers' threads that were there.
    pub threads: usize,
    /// Those that had a job.
    pub busy: usize,
    /// Answers until then, of the searches that were there.
    pub done: u64,
}

/// A watched grid.
#[derive(Debug, Clone)]
pub struct Watch {
    state: Arc<Mutex<State>>,
    client: Client,
    grid: Grid,
}

#[derive(Debug)]
struct State {
    start: Instant,
    roster: Roster,
    samples: VecDeque<(Duration, Sample)>,
    lost: u64,
}

impl Watch {
    /// Watches for as long as the grid is used.
    pub fn start(grid: &Grid) -> Self {
        let state = Arc::new(Mutex::new(State {
            start: Instant::now(),
            roster: Roster::default(),
            samples: VecDeque::new(),
            lost: 0,
        }));
        let weak = Arc::downgrade(&state);
        let client = grid.client().clone();
        let listener = client.clone();
        grid.spawn(async move {
            let (beats, clients) = loop {
                let beats = listener.subscribe("tengen.beat.*").await;
                let clients = listener.subscribe("tengen.client.*").await;
                match (beats, clients) {
                    (Ok(beats), Ok(clients)) => break (beats, clients),
                    _ => sleep(Duration::from_secs(1)).await,
                }
            };
            let _nobody = listener.publish("tengen.call", "".into()).await;
            let mut both = futures_util::stream::select(beats, clients);
            let mut tick = interval(Duration::from_secs(1));
            loop {
                let message = tokio::select! {
                    message = both.next() => message,
                    _ = tick.tick() => None,
                };
                let Some(state) = weak.upgrade() else {
                    return;
                };
                let mut state = lock(&state);
                match message {
                    Some(message) => state.hear(&message),
                    None => state.tick(),
                }
            }
        });
        Self {
            state,
            client,
            grid: grid.clone(),
        }
    }

    /// The workers, by name.
    pub fn workers(&self) -> Vec<Beat> {
        lock(&self.state)
            .roster
            .workers()
            .into_iter()
            .cloned()
            .collect()
    }

    /// The searches.
    pub fn clients(&self) -> Vec<ClientBeat> {
        lock(&self.state).roster.clients()
    }

    /// How it was, the oldest first.
    pub fn history(&self) -> Vec<Sample> {
        let state = lock(&self.state);
        let now = state.start.elapsed();
        let ago = |at: Duration| now.saturating_sub(at).as_secs_f64();
        let all = state.samples.iter();
        all.map(|(at, sample)| Sample {
            ago: ago(*at),
            ..*sample
        })
        .collect()
    }

    /// Workers that were lost without taking their leave.
    pub fn lost(&self) -> u64 {
        lock(&self.state).lost
    }

    /// Asks a worker to finish its job and leave. Says whether that is a worker's name.
    pub fn drain(&self, worker: &str) -> bool {
        if !is_token(worker) {
            return false;
        }
        let (client, subject) = (self.client.clone(), format!("tengen.control.{worker}"));
        self.grid.spawn(async move {
            let _it_may_be_gone = client
                .publish(subject, packed(&Control::Drain).into())
                .await;
        });
        true
    }

    /// The text that Prometheus reads.
    pub fn metrics(&self) -> String {
        let state = lock(&self.state);
        let now = state.now();
        let mut text = String::new();
        let mut gauge = |name: &str, help: &str, value: u64| {
            let _ = write!(
                text,
                "# HELP {name} {help}\n# TYPE {name} gauge\n{name} {value}\n"
            );
        };
        gauge(
            "tengen_grid_threads",
            "Threads of workers.",
            now.threads as u64,
        );
        gauge(
            "tengen_grid_busy_threads",
            "Threads of workers with a job.",
            now.busy as u64,
        );
        gauge(
            "tengen_grid_workers",
            "Workers.",
            state.roster.workers().len() as u64,
        );
        gauge(
            "tengen_grid_lost_workers",
            "Workers lost since the start.",
            state.lost,
        );
        let clients = state.roster.clients();
        let fields: [Field; 6] = [
            ("queued_jobs", "Jobs that wait.", |it| it.queued as u64),
            ("running_jobs", "Jobs at work.", |it| it.running as u64),
            ("granted_threads", "Threads that a search may use.", |it| {
                it.granted as u64
            }),
            (
                "done_jobs",
                "Answers since the coordinator started.",
                |it| it.done,
            ),
            (
                "failed_jobs",
                "Failures since the coordinator started.",
                |it| it.failures,
            ),
            ("dropped_workers", "Workers that lied.", |it| {
                it.dropped.len() as u64
            }),
        ];
        for (name, help, value) in fields {
            let _ = write!(
                text,
                "# HELP tengen_search_{name} {help}\n# TYPE tengen_search_{name} gauge\n"
            );
            for client in &clients {
                let _ = writeln!(
                    text,
                    "tengen_search_{name}{{search=\"{}\"}} {}",
                    client.client,
                    value(client)
                );
            }
        }
        text
    }
}

impl State {
    fn hear(&mut self, message: &async_nats::Message) {
        let now = self.start.elapsed();
        let name = message.subject.rsplit('.').next().unwrap_or_default();
        if message.subject.starts_with("tengen.beat.") {
            if let Ok(beat) = unpacked::<Beat>(&message.payload) {
                self.roster.beat(now, name, beat);
            }
        } else if let Ok(beat) = unpacked::<ClientBeat>(&message.payload) {
            self.roster.client(now, name, beat);
        }
    }

    fn tick(&mut self) {
        let now = self.start.elapsed();
        self.lost += self.roster.tick(now).len() as u64;
        let last = self.samples.back().map(|(at, _)| *at);
        if last.is_none_or(|last| now.saturating_sub(last) >= SAMPLE) {
            let sample = self.now();
            self.samples.push_back((now, sample));
            if self.samples.len() > SAMPLES {
                self.samples.pop_front();
            }
        }
    }

    fn now(&self) -> Sample {
        let workers = self.roster.workers();
        Sample {
            ago: 0.0,
            threads: workers.iter().map(|beat| beat.threads).sum(),
            busy: workers.iter().map(|beat| beat.running.len()).sum(),
            done: self.roster.clients().iter().map(|client| client.done).sum(),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
