//! `tengen opening`: searches that solve openings.

mod atlas;
mod export;
mod hand;
mod manage;
mod solve;
mod watch;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, anyhow, bail};
use tengen_book::{Book, Error, ProofSummary, Search, SearchId, Wanted, names};
use tengen_grid::jobs::{LocalWorker, Worker};
use tengen_grid::runner::{self, RunError, Settings, Snapshot};
use tengen_grid::search::{Config, Selection};
use tengen_grid::{JobLimits, NumberTable, Numbers, Verdict};
use tengen_rules::{Position, Side, notation};

use crate::args::{EffortArgs, OpeningArgs, OpeningCommand};
use crate::commands::book;
use crate::error::{ExitWith, WithHint as _, io_words};
use crate::interrupt;
use crate::output::Output;

pub(crate) fn run(args: &OpeningArgs, out: &mut Output) -> anyhow::Result<()> {
    let path = book::path(args.book.as_deref())?;
    match &args.command {
        OpeningCommand::Solve(args) => solve::run(&path, args, out),
        OpeningCommand::Start(args) => solve::start(&path, args, out),
        OpeningCommand::Resume(args) => solve::resume(&path, args, out),
        OpeningCommand::Watch(args) => watch::run(&existing(&path)?, args, out),
        OpeningCommand::Stop(args) => manage::stop(&existing(&path)?, args, out),
        OpeningCommand::Delete(args) => manage::delete(&existing(&path)?, args, out),
        OpeningCommand::List(args) => {
            let book = path.exists().then(|| existing(&path)).transpose()?;
            manage::list(book.as_ref(), args, out)
        }
        OpeningCommand::Export(args) => export::run(&existing(&path)?, args, out),
        OpeningCommand::Exclude(args) => hand::exclude(&existing(&path)?, args, out),
        OpeningCommand::Suggest(args) => hand::suggest(&existing(&path)?, args, out),
        OpeningCommand::Retry(args) => hand::retry(&existing(&path)?, args, out),
        OpeningCommand::Atlas(args) => atlas::run(&path, args, out),
    }
}

/// A book with searches.
fn existing(path: &Path) -> anyhow::Result<Book> {
    Book::open_existing(path).hint(|| {
        let hint =
            "`tengen opening solve POSITION` begins a search; --book FILE names another book";
        (!path.exists()).then(|| hint.to_owned())
    })
}

/// Who does the jobs.
fn worker() -> Arc<dyn Worker> {
    Arc::new(LocalWorker::new())
}

/// How a search is run.
fn settings(effort: &EffortArgs) -> Settings {
    let mut settings = Settings {
        job_limits: JobLimits {
            nodes: effort.job_nodes,
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

/// How a search chooses; with numbers of new positions from a table, if there is one.
fn config(selection: Selection, attacker: Option<Side>, table: Option<NumberTable>) -> Config {
    Config {
        selection,
        // Idle processors are of no use to anybody.
        fill: true,
        attacker,
        estimates: table.is_none(),
        numbers: table.unwrap_or_default(),
        ..Config::default()
    }
}

/// Table 1 of the paper with the numbers that a file has instead.
fn table_of(path: &Path) -> anyhow::Result<NumberTable> {
    let text = fs::read_to_string(path).map_err(|error| anyhow!(io_words(&error)));
    let given: BTreeMap<Verdict, (u32, u32)> = text
        .and_then(|text| Ok(serde_json::from_str(&text)?))
        .with_context(|| format!("cannot read the table `{}`", path.display()))
        .hint(|| {
            Some("expected numbers by verdict: {\"b4\": [1, 20], \"stable\": [5, 5]}".to_owned())
        })?;
    let mut table = NumberTable::default();
    for (verdict, (proof, disproof)) in given {
        if proof == 0 || disproof == 0 {
            bail!(
                "the table `{}` has the number 0, which means proved; the least is 1",
                path.display()
            );
        }
        table.0[verdict as usize] = Numbers::new(proof, disproof);
    }
    Ok(table)
}

/// What people call a root: its name, or else its stones.
fn title(root: &Position) -> String {
    names::title_of(root).unwrap_or_else(|| notation::setup_text(&root.to_setup()))
}

/// The search with this number.
fn search(book: &Book, id: i64) -> anyhow::Result<Search> {
    let found = book.search(SearchId(id)).map_err(|error| anyhow!(error));
    found.hint(|| Some("`tengen opening list` lists the searches".to_owned()))
}

/// The proof of a search's root that the checker has verified, of the root as the search has it rather than of an image.
fn root_proof(book: &Book, search: &Search) -> anyhow::Result<Option<ProofSummary>> {
    let root = tengen_book::start(&search.rules, &search.root)?;
    let mut proofs = book.proofs_of(&root)?;
    proofs.retain(ProofSummary::is_win);
    let as_asked = proofs
        .iter()
        .position(|proof| proof.position == search.root);
    Ok(match as_asked {
        Some(index) => Some(proofs.swap_remove(index)),
        None => proofs.into_iter().next(),
    })
}

/// Whether a living process has it.
fn is_held(search: &Search) -> bool {
    search.owner.as_ref().is_some_and(|owner| owner.alive)
}

/// Waits for a process that was told to stop and has not done so yet.
fn wait_for_end(book: &Book, id: SearchId) -> anyhow::Result<()> {
    let mut told = false;
    interrupt::flag();
    runner::wait_for_end(book, id, &mut |owner| {
        if !told {
            told = true;
            let (id, pid) = (id.0, owner.pid);
            // Nobody is left to be told when stderr is closed.
            let _ = writeln!(
                io::stderr(),
                "tengen: search {id} was told to stop; waiting for process {pid}"
            );
        }
        !interrupt::is_stopped()
    })?;
    if interrupt::is_stopped() {
        return Err(ExitWith(interrupt::INTERRUPTED).into());
    }
    Ok(())
}

/// What to do about a search that another process runs.
fn hint_if_owned<T>(result: Result<T, impl Into<RunError>>, id: SearchId) -> anyhow::Result<T> {
    let result = result.map_err(Into::into);
    let owned = matches!(result, Err(RunError::Book(Error::Owned { .. })));
    let id = id.0;
    result.hint(|| {
        let hint =
            format!("`tengen opening watch {id}` shows it, `tengen opening stop {id}` stops it");
        owned.then_some(hint)
    })
}

/// What the process that runs a search has shown last.
fn shown(search: &Search) -> Snapshot {
    let text = search.snapshot.as_deref().unwrap_or("{}");
    serde_json::from_str(text).unwrap_or_default()
}

/// `running`, or how it ended.
fn state(search: &Search) -> String {
    let state = shown(search).state;
    match state.as_str() {
        _ if is_held(search) && search.wanted != Wanted::Run => "stopping".to_owned(),
        _ if is_held(search) => "running".to_owned(),
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
        // Sums end somewhere, and their digits say nothing.
        1_000_000_000.. => "huge".to_owned(),
        number => number.to_string(),
    }
}
