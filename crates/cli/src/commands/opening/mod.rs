//! `tengen opening`: searches that solve openings.

mod atlas;
mod export;
mod manage;
mod solve;
mod watch;

use std::sync::Arc;
use std::time::Duration;

use anyhow::anyhow;
use tengen_book::{Book, Search, SearchId, names};
use tengen_grid::JobLimits;
use tengen_grid::jobs::{LocalWorker, Worker};
use tengen_grid::runner::{Settings, Snapshot};
use tengen_grid::search::{Config, Policy, Selection};
use tengen_rules::{Position, Side, notation};

use crate::args::{EffortArgs, OpeningArgs, OpeningCommand};
use crate::commands::book;
use crate::error::WithHint as _;
use crate::output::Output;

pub(crate) fn run(args: &OpeningArgs, out: &mut Output) -> anyhow::Result<()> {
    let path = book::path(args.book.as_deref())?;
    match &args.command {
        OpeningCommand::Solve(args) => solve::run(&path, args, out),
        OpeningCommand::Start(args) => solve::start(&path, args, out),
        OpeningCommand::Resume(args) => solve::resume(&path, args, out),
        OpeningCommand::Watch(args) => watch::run(&book::existing(&path)?, args, out),
        OpeningCommand::Stop(args) => manage::stop(&book::existing(&path)?, args, out),
        OpeningCommand::List(args) => manage::list(&book::existing(&path)?, args, out),
        OpeningCommand::Export(args) => export::run(&book::existing(&path)?, args, out),
        OpeningCommand::Exclude(args) => manage::exclude(&book::existing(&path)?, args, out),
        OpeningCommand::Suggest(args) => manage::suggest(&book::existing(&path)?, args, out),
        OpeningCommand::Atlas(args) => atlas::run(&path, args, out),
    }
}

/// Who does the jobs.
fn worker() -> Arc<dyn Worker> {
    Arc::new(LocalWorker::new())
}

/// How a search is run.
fn settings(effort: &EffortArgs) -> Settings {
    let mut settings = Settings {
        job_limits: JobLimits {
            nodes: None,
            seconds: effort.job_seconds.limit().map(|time| time.as_secs_f64()),
        },
        snapshot_every: Duration::from_secs(1),
        ..Settings::default()
    };
    if let Some(workers) = effort.workers {
        settings.workers = workers;
    }
    settings
}

/// How a search chooses.
fn config(policy: Policy, attacker: Option<Side>, table_one: bool) -> Config {
    Config {
        selection: Selection::ProofNumber(policy),
        // Idle processors are of no use to anybody.
        fill: true,
        attacker,
        estimates: !table_one,
        ..Config::default()
    }
}

/// What people call a root: its name, or else its stones.
fn title(root: &Position) -> String {
    names::name_of(root).unwrap_or_else(|| notation::setup_text(&root.to_setup()))
}

/// The search with this number.
fn search(book: &Book, id: i64) -> anyhow::Result<Search> {
    let found = book.search(SearchId(id)).map_err(|error| anyhow!(error));
    found.hint(|| Some("`tengen opening list` lists the searches".to_owned()))
}

/// What the process that runs a search has shown last.
fn shown(search: &Search) -> Snapshot {
    let text = search.snapshot.as_deref().unwrap_or("{}");
    serde_json::from_str(text).unwrap_or_default()
}

/// `running`, or how it ended.
fn state(search: &Search) -> String {
    let state = shown(search).state;
    let alive = search.owner.as_ref().is_some_and(|owner| owner.alive);
    match state.as_str() {
        _ if alive => "running".to_owned(),
        "" => "new".to_owned(),
        // Its process is gone and could not say so.
        "running" => "interrupted".to_owned(),
        _ => state,
    }
}

/// A number of a root, for people.
fn number(number: u32) -> String {
    match number {
        u32::MAX => "inf".to_owned(),
        number => number.to_string(),
    }
}
