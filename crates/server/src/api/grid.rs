//! The grid as the page sees it: workers, the searches that share them, what went wrong, and how it was over time.
//!
//! Workers say of themselves what stands here; nothing of it is checked, and it decides nothing.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::{IntoParams, ToSchema};

/// The grid in a few numbers, as the WebSocket tells them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct GridSummary {
    /// How many workers are there.
    pub workers: u32,
    /// How many jobs they can do at once.
    pub threads: u32,
    /// How many they do now.
    pub busy: u32,
    /// How many searches share them.
    pub searches: u32,
    /// Jobs that wait.
    pub queued: u32,
    /// Answers a minute, over the last minute.
    pub per_minute: f64,
    /// Answers since the searches that are there started.
    #[ts(type = "number")]
    pub done: u64,
    /// Failures since then.
    #[ts(type = "number")]
    pub failures: u64,
    /// Workers that fell silent since this server started.
    #[ts(type = "number")]
    pub lost: u64,
    /// Whether the grid's server answers.
    pub connected: bool,
}

/// The grid at a moment.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct GridState {
    /// Where it is; nothing if this server uses no grid, and this machine does all jobs.
    #[schema(example = "nats://127.0.0.1:4222")]
    pub address: Option<String>,
    /// The sums.
    pub summary: GridSummary,
    /// The workers, by name; the first 500.
    pub workers: Vec<GridWorker>,
    /// The searches, of all coordinators.
    pub searches: Vec<GridSearch>,
    /// Workers that fell silent of late, the last one first.
    pub lost: Vec<GridLost>,
    /// Workers whose answers are not read.
    pub dropped: Vec<GridDropped>,
}

/// A worker, as it speaks of itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct GridWorker {
    /// Its name.
    pub name: String,
    /// Its process: two with one name are told apart.
    pub instance: String,
    /// Its machine.
    pub machine: String,
    /// The program's version.
    pub version: String,
    /// It speaks another version of the messages, and gets no jobs.
    pub incompatible: bool,
    /// How many jobs it does at once.
    pub threads: u32,
    /// Megabytes it may use, if that is limited.
    #[ts(type = "number | null")]
    pub memory: Option<u64>,
    /// What it does; everything if this is empty.
    pub kinds: Vec<String>,
    /// Pools it belongs to.
    pub labels: Vec<String>,
    /// What it does now.
    pub running: Vec<GridJob>,
    /// Jobs done since it started.
    #[ts(type = "number")]
    pub done: u64,
    /// Jobs that could not be done.
    #[ts(type = "number")]
    pub failed: u64,
    /// Jobs of another version.
    #[ts(type = "number")]
    pub refused: u64,
    /// It finishes what it does and takes no more.
    pub leaving: bool,
    /// It takes no jobs while other programs use its machine; its threads are those that are still at work.
    pub paused: bool,
    /// Its answers are not read.
    pub dropped: bool,
}

/// A job at work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct GridJob {
    /// The search that asks.
    pub client: String,
    /// The game; empty if the worker does not say.
    pub rules: String,
    /// The position as a set-up.
    pub position: String,
    /// `expand`, `verify`, `prove` or `evaluate`; empty if the worker does not say.
    pub kind: String,
    /// For how long.
    pub seconds: f64,
    /// How often it was handed out.
    pub delivery: u32,
}

/// A search that uses the grid.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct GridSearch {
    /// Its name on the grid.
    pub client: String,
    /// Its number in this server's book, if it is there.
    pub search: Option<u32>,
    /// For people.
    pub title: String,
    /// Its coordinator's machine.
    pub machine: String,
    /// How it uses the grid.
    pub usage: GridUsage,
    /// How many threads it could use now.
    pub wants: u32,
    /// How many it is given.
    pub granted: u32,
    /// Jobs that wait.
    pub queued: u32,
    /// Jobs at work.
    pub running: u32,
    /// Answers since it started.
    #[ts(type = "number")]
    pub done: u64,
    /// Jobs that failed.
    #[ts(type = "number")]
    pub failures: u64,
    /// Jobs that went wrong of late, the last one first.
    pub troubles: Vec<GridTrouble>,
}

/// How a search uses the grid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[ts(optional_fields = nullable)]
pub struct GridUsage {
    /// Its share, compared with that of others: 1 to 1000.
    #[schema(example = 1)]
    pub weight: u32,
    /// At most so many workers' threads.
    pub most: Option<u32>,
    /// Only workers of this name or label.
    pub pool: Option<String>,
    /// How urgent it is.
    pub class: GridClass,
}

/// How urgent a search is.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GridClass {
    /// Before all others.
    High,
    /// As usual.
    Normal,
    /// When nothing else is to be done.
    Low,
}

/// A job that went wrong.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct GridTrouble {
    /// Its name.
    pub job: String,
    /// The game, if the search is in this server's book.
    pub rules: Option<String>,
    /// The position as a set-up.
    pub position: String,
    /// Who had it.
    pub worker: Option<String>,
    /// What went wrong.
    pub reason: String,
    /// Nobody finished it, however often it was handed out.
    pub dead: bool,
    /// So many seconds ago.
    pub ago: f64,
    /// The node that the search has given up because of it: it can be tried again.
    pub given_up: Option<u32>,
}

/// A worker that fell silent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct GridLost {
    /// Its name.
    pub name: String,
    /// Its machine.
    pub machine: String,
    /// How many jobs it had; they go to others.
    pub jobs: u32,
    /// It was heard so many seconds ago.
    pub ago: f64,
    /// One of this name is there again.
    pub back: bool,
}

/// A worker whose answers are not read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct GridDropped {
    /// Its name.
    pub name: String,
    /// Why.
    pub reason: String,
    /// The searches that dropped it; none if somebody did it by hand and no search has heard of it.
    pub searches: Vec<String>,
}

/// How far back one looks.
#[derive(Debug, Copy, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GridSpan {
    /// The last hour, every five seconds.
    #[default]
    Hour,
    /// The last day, every minute.
    Day,
}

/// Which history is wanted.
#[derive(
    Debug, Copy, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema, IntoParams,
)]
#[serde(default)]
#[ts(optional_fields)]
pub struct GridHistoryQuery {
    /// `hour` without.
    #[param(inline)]
    pub span: Option<GridSpan>,
}

/// How the grid was, since this server started.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct GridHistory {
    /// How far back one looks, in seconds.
    pub span: u32,
    /// Seconds between two samples.
    pub every: u32,
    /// The oldest first.
    pub samples: Vec<GridSample>,
}

/// How the grid was during a stretch of time, in the mean.
#[derive(Debug, Copy, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct GridSample {
    /// It ended so many seconds ago.
    pub ago: f64,
    /// Threads that were there.
    pub threads: f64,
    /// Those that had a job.
    pub busy: f64,
    /// Jobs that waited.
    pub queued: f64,
    /// Answers a minute.
    pub per_minute: f64,
}

/// Why a worker is dropped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct GridReason {
    /// For people, at most 200 characters.
    pub reason: String,
}
