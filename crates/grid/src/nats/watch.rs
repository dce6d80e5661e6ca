//! A grid, watched: who is there now, and how it was over the last hours. For pages and metrics.

use std::collections::{HashMap, VecDeque};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::Client;
use futures_util::StreamExt as _;
use serde::Serialize;
use tokio::time::{interval, sleep};

use super::Grid;
use super::history::{History, Reading, Sample, Span};
use super::message::{Beat, ClientBeat, unpacked};
use super::roster::{Roster, SILENT};

/// So many lost workers are remembered.
const LOST: usize = 50;

/// A number of a search: its name, what it is, and the number.
type Field = (&'static str, &'static str, fn(&ClientBeat) -> u64);

/// A worker that fell silent without taking its leave.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LostWorker {
    /// Its name.
    pub name: String,
    /// Its machine.
    pub machine: String,
    /// How many jobs it had; they go to others.
    pub jobs: usize,
    /// It was heard so many seconds ago.
    pub ago: f64,
    /// One of this name is there again.
    pub back: bool,
}

/// A watched grid.
#[derive(Debug, Clone)]
pub struct Watch {
    pub(super) state: Arc<Mutex<State>>,
    pub(super) client: Client,
    pub(super) grid: Grid,
}

#[derive(Debug)]
pub(super) struct State {
    start: Instant,
    /// Who is there, and who was dropped by hand here.
    pub(super) roster: Roster,
    history: History,
    /// What each search had answered when it was last heard, and all answers together.
    done_by: HashMap<String, u64>,
    done: u64,
    lost: u64,
    /// The last of them, and when they were missed.
    lost_of_late: VecDeque<(Duration, LostWorker)>,
}

impl Watch {
    /// Watches for as long as the grid is used.
    pub fn start(grid: &Grid) -> Self {
        let state = Arc::new(Mutex::new(State {
            start: Instant::now(),
            roster: Roster::default(),
            history: History::default(),
            done_by: HashMap::new(),
            done: 0,
            lost: 0,
            lost_of_late: VecDeque::new(),
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
                let again = {
                    let mut state = lock(&state);
                    match message {
                        Some(message) => state.hear(&message),
                        None => {
                            state.tick();
                            Vec::new()
                        }
                    }
                };
                for (subject, message) in again {
                    let _it_may_be_gone = listener.publish(subject, message.into()).await;
                }
            }
        });
        Self {
            state,
            client,
            grid: grid.clone(),
        }
    }

    /// Where it is, without secrets.
    pub fn address(&self) -> &str {
        self.grid.address()
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
    pub fn history(&self, span: Span) -> Vec<Sample> {
        let state = lock(&self.state);
        state.history.samples(state.start.elapsed(), span)
    }

    /// Answers a minute, of late.
    pub fn per_minute(&self) -> f64 {
        lock(&self.state).history.per_minute()
    }

    /// Whether the server answers.
    pub fn is_connected(&self) -> bool {
        self.client.connection_state() == async_nats::connection::State::Connected
    }

    /// Workers that were lost without taking their leave.
    pub fn lost(&self) -> u64 {
        lock(&self.state).lost
    }

    /// The last of them first.
    pub fn lost_of_late(&self) -> Vec<LostWorker> {
        let state = lock(&self.state);
        let now = state.start.elapsed();
        let told = |(at, worker): &(Duration, LostWorker)| LostWorker {
            ago: worker.ago + now.saturating_sub(*at).as_secs_f64(),
            ..worker.clone()
        };
        state.lost_of_late.iter().map(told).collect()
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
    /// What is to be said again: who was dropped here stays so.
    fn hear(&mut self, message: &async_nats::Message) -> Vec<(String, Vec<u8>)> {
        let now = self.start.elapsed();
        let name = message.subject.rsplit('.').next().unwrap_or_default();
        if message.subject.starts_with("tengen.beat.") {
            let Ok(beat) = unpacked::<Beat>(&message.payload) else {
                return Vec::new();
            };
            let returns = |(_, worker): &&mut (Duration, LostWorker)| worker.name == name;
            let returned = self.lost_of_late.iter_mut().filter(returns);
            returned.for_each(|(_, worker)| worker.back = true);
            self.roster.beat(now, name, beat);
            return self.say_drop_again(name);
        }
        let Ok(beat) = unpacked::<ClientBeat>(&message.payload) else {
            return Vec::new();
        };
        let before = self.done_by.insert(name.to_owned(), beat.done);
        self.done += match before {
            Some(before) if before <= beat.done => beat.done - before,
            // It has started again.
            Some(_) => beat.done,
            None => 0,
        };
        let beat = ClientBeat {
            client: name.to_owned(),
            ..beat
        };
        let untold = self.say_drops_to(&beat);
        self.roster.client(now, name, beat);
        untold
    }

    fn tick(&mut self) {
        let now = self.start.elapsed();
        for beat in self.roster.tick(now) {
            self.lost += 1;
            let worker = LostWorker {
                name: beat.name,
                machine: beat.machine,
                jobs: beat.running.len(),
                ago: SILENT.as_secs_f64(),
                back: false,
            };
            self.lost_of_late.push_front((now, worker));
        }
        self.lost_of_late.truncate(LOST);
        let clients = self.roster.clients();
        self.done_by
            .retain(|name, _| clients.iter().any(|client| client.client == *name));
        let reading = self.now();
        self.history.record(now, reading);
    }

    fn now(&self) -> Reading {
        let workers = self.roster.workers();
        let clients = self.roster.clients();
        Reading {
            threads: workers.iter().map(|beat| beat.threads).sum(),
            busy: workers.iter().map(|beat| busy(beat)).sum(),
            queued: clients.iter().map(|client| client.queued).sum(),
            done: self.done,
        }
    }
}

/// How many threads of a worker have a job; it may say more than it has.
fn busy(beat: &Beat) -> usize {
    beat.running.len().min(beat.threads)
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
