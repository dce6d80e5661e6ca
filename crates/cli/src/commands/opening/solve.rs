//! `tengen opening solve`, `start` and `resume`.

use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow, bail};
use serde_json::json;
use tengen_book::{Book, Error, Owner, SearchId};
use tengen_grid::NumberTable;
use tengen_grid::nats::{ClientOptions, GridTransport};
use tengen_grid::runner::{End, Runner, Settings, Snapshot, Why, create_search, find_search};
use tengen_grid::transport::Transport;

use super::{
    config, existing, hint_if_owned, number, root_proof, search, settings, shown, table_of, title,
    wait_for_end, worker,
};
use crate::args::{
    EffortArgs, GridUseArgs, OpeningResumeArgs, OpeningSolveArgs, OpeningStartArgs, RootArgs,
    RunArgs,
};
use crate::commands::book;
use crate::commands::check::counted;
use crate::commands::grid;
use crate::error::{WithHint as _, io_words};
use crate::interrupt;
use crate::output::{Output, grouped, write_file};
use crate::position_input::is_stdin;
use crate::progress::{PERIOD, ProgressLine};
use crate::proof_file;
use crate::solving::side_name;

pub(crate) fn run(path: &Path, args: &OpeningSolveArgs, out: &mut Output) -> anyhow::Result<()> {
    let book = book::opened(path)?;
    let id = search_for(&book, &args.root)?;
    let args = &args.run;
    Task { path, id, args }.run(&book, out)
}

pub(crate) fn resume(
    path: &Path,
    args: &OpeningResumeArgs,
    out: &mut Output,
) -> anyhow::Result<()> {
    let book = existing(path)?;
    let id = search(&book, args.search.id)?.id;
    let args = &args.run;
    Task { path, id, args }.run(&book, out)
}

pub(crate) fn start(path: &Path, args: &OpeningStartArgs, out: &mut Output) -> anyhow::Result<()> {
    let book = book::opened(path)?;
    let id = search_for(&book, &args.root)?;
    let found = search(&book, id.0)?;
    if let Some(proof) = root_proof(&book, &found)? {
        return Ok(writeln!(
            out,
            "Search {}: {} is solved, {} wins; `tengen opening export {} --to proof FILE` writes the proof",
            id.0, found.title, proof.attacker, id.0
        )?);
    }
    wait_for_end(&book, id)?;
    if let Some(Owner { host, pid, .. }) = search(&book, id.0)?.owner.filter(|owner| owner.alive) {
        let search = id;
        hint_if_owned(Err(Error::Owned { search, host, pid }), id)?;
    }
    let mut child = background(path, id, args)?;
    // Nobody hears what the process has to say: it is told here whether it has begun.
    let ended = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        let owner = search(&book, id.0)?.owner;
        if owner.is_some_and(|owner| owner.pid == child.id()) {
            break None;
        }
        thread::sleep(Duration::from_millis(10));
    };
    let now = match ended {
        Some(status) if !status.success() => {
            return Err(anyhow!("the process for search {} ended at once", id.0))
                .hint(|| Some(format!("`tengen opening resume {}` shows why", id.0)));
        }
        Some(_) => "has ended already".to_owned(),
        None => format!("runs as process {}", child.id()),
    };
    Ok(writeln!(
        out,
        "Search {}: {} {now}; `tengen opening watch {}` shows it",
        id.0, found.title, id.0
    )?)
}

/// A process that goes on with a search when this one has ended.
fn background(path: &Path, id: SearchId, args: &OpeningStartArgs) -> anyhow::Result<Child> {
    let (effort, use_of_grid) = (&args.effort, &args.grid);
    let mut command = Command::new(std::env::current_exe()?);
    command
        .args(["opening", "--book"])
        .arg(std::path::absolute(path)?);
    command.args(["resume", &id.0.to_string()]);
    if let Some(workers) = effort.workers {
        command.args(["--workers", &workers.to_string()]);
    }
    if let Some(url) = &use_of_grid.access.grid {
        command.args(["--grid", url]);
    }
    if let Some(key) = &use_of_grid.access.grid_key {
        command.arg("--grid-key").arg(std::path::absolute(key)?);
    }
    if let Some(pool) = &use_of_grid.grid_pool {
        command.args(["--grid-pool", pool]);
    }
    command.args(["--grid-share", &use_of_grid.grid_share.to_string()]);
    command.args(["--grid-class", use_of_grid.grid_class.name()]);
    if let Some(nodes) = effort.job_nodes {
        command.args(["--job-nodes", &nodes.to_string()]);
    }
    if let Some(time) = effort.job_seconds.limit() {
        command.args(["--job-seconds", &time.as_secs_f64().to_string()]);
    }
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    // A group of its own does not hear the terminal's Ctrl-C.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command
        .spawn()
        .map_err(|error| anyhow!(io_words(&error)))
        .context("cannot start a process for the search")
}

/// The search of this root and configuration; a new one where there is none.
fn search_for(book: &Book, args: &RootArgs) -> anyhow::Result<SearchId> {
    let root = book::position(book, &args.position)?;
    if root.outcome().is_some() {
        bail!("the game is over, there is nothing to solve");
    }
    if root.to_setup().left.is_some() {
        bail!("a search starts between two turns: place the missing stone, or take one back");
    }
    let table = match &args.table {
        Some(path) => Some(table_of(path)?),
        None => args.table_one.then(NumberTable::default),
    };
    let config = config(args.policy, args.attacker.side(), table);
    if let Some(known) = find_search(book, &root, &config)? {
        return Ok(known);
    }
    Ok(create_search(book, &title(&root), &root, &config)?)
}

/// A search to be run here.
struct Task<'a> {
    path: &'a Path,
    id: SearchId,
    args: &'a RunArgs,
}

impl Task<'_> {
    fn run(&self, book: &Book, out: &mut Output) -> anyhow::Result<()> {
        if let Some(path) = &self.args.proof {
            if is_stdin(path) {
                bail!("--proof needs the name of a file");
            }
            proof_file::ensure_writable(path)?;
        }
        let start = Instant::now();
        let end = self.run_watched(book)?;
        let bytes = self.write_proof(book, &end)?;
        self.report(book, &end, start.elapsed(), bytes, out)
    }

    fn write_proof(&self, book: &Book, end: &End) -> anyhow::Result<Option<usize>> {
        let (Some(path), Some(id)) = (&self.args.proof, end.composed) else {
            return Ok(None);
        };
        let text = book.proof_text(tengen_book::ProofId(id.0))?;
        let proof: tengen_prover::Proof = text.context("the proof has vanished")?.parse()?;
        let bytes = proof_file::bytes_for(path, false, &proof);
        write_file(path, &bytes)?;
        Ok(Some(bytes.len()))
    }

    fn report(
        &self,
        book: &Book,
        end: &End,
        time: Duration,
        proof_bytes: Option<usize>,
        out: &mut Output,
    ) -> anyhow::Result<()> {
        let record = search(book, self.id.0)?;
        let snapshot = shown(&record);
        let composed = end.composed.map(|id| tengen_book::ProofId(id.0));
        let summary = composed.map(|id| book.proof(id)).transpose()?.flatten();
        let first = summary.as_ref().and_then(|proof| proof.first.clone());
        if self.args.json {
            let value = json!({
                "search": self.id.0,
                "title": record.title,
                "rules": record.rules,
                "position": record.root,
                "state": end.why.name(),
                "winner": end.winner.map(side_name),
                "turn": first.map(|turn| turn.to_string()),
                "proof": composed.map(|id| id.to_string()),
                "check": summary.as_ref().map(|proof| json!({
                    "verdict": "VERIFIED", "checker": proof.checker, "nodes": proof.nodes, "depth": proof.depth,
                })),
                "numbers": { "proof": snapshot.proof, "disproof": snapshot.disproof },
                "nodes": snapshot.nodes,
                "jobs": snapshot.answers,
                "job_seconds": snapshot.seconds,
                "seconds": time.as_secs_f64(),
                "workers": snapshot.workers,
                "notes": snapshot.notes,
                "file": proof_bytes.and(self.args.proof.as_ref()).map(|path| path.display().to_string()),
            });
            return Ok(writeln!(out, "{value:#}")?);
        }
        writeln!(out, "Search {}: {}", self.id.0, record.title)?;
        match (end.winner, &summary) {
            (Some(winner), Some(proof)) => {
                let by = first.map_or_else(String::new, |turn| format!(" with {turn}"));
                writeln!(
                    out,
                    "{winner} wins{by}: VERIFIED by the checker, {}",
                    counted(proof.nodes, "node")
                )?;
            }
            _ => print_open(end.why, &snapshot, out)?,
        }
        writeln!(
            out,
            "{} for {}, {:.1} s of work; {:.1} s now",
            counted(snapshot.answers, "job"),
            counted(snapshot.nodes as u64, "position"),
            snapshot.seconds,
            time.as_secs_f64()
        )?;
        if let (Some(path), Some(bytes)) = (&self.args.proof, proof_bytes) {
            writeln!(
                out,
                "Proof: {}, {}",
                path.display(),
                counted(bytes as u64, "byte")
            )?;
        }
        let id = self.id.0;
        match end.why {
            Why::Solved => {}
            Why::Stuck => writeln!(
                out,
                "`tengen opening suggest {id} LINE TURN` gives it something to try"
            )?,
            Why::Stopped | Why::Paused => writeln!(out, "`tengen opening resume {id}` goes on")?,
        }
        Ok(())
    }

    /// Runs the search with a line on the terminal until it ends, the time is over or Ctrl-C is pressed.
    fn run_watched(&self, book: &Book) -> anyhow::Result<End> {
        let (id, time) = (self.id, self.args.seconds.limit());
        interrupt::flag();
        wait_for_end(book, id)?;
        let (effort, use_of_grid) = (&self.args.effort, &self.args.grid);
        let (path, mut settings) = (self.path.to_owned(), settings(effort));
        let running = match grid::connected(&use_of_grid.access)? {
            Some(grid) => {
                settings.check_limits = Settings::check_limits_for_strangers();
                let options = on_grid(&search(book, id.0)?, effort, use_of_grid);
                let options = options.remembering(&path);
                let transport = move || -> Option<Box<dyn Transport>> {
                    Some(Box::new(GridTransport::new(grid.clone(), options.clone())))
                };
                Runner::start_by(path, id, transport, settings)
            }
            None => Runner::start(path, id, worker(), settings),
        };
        let running = hint_if_owned(running, id)?;
        let mut progress = ProgressLine::new();
        let start = Instant::now();
        while !running.is_done() {
            if interrupt::is_stopped() || time.is_some_and(|time| start.elapsed() >= time) {
                running.stop();
            }
            if progress.is_shown() {
                progress.draw(&line(&shown(&search(book, id.0)?), start.elapsed()));
            }
            let left = time.map_or(PERIOD, |time| time.saturating_sub(start.elapsed()));
            thread::sleep(
                PERIOD
                    .min(left)
                    .min(Duration::from_millis(100))
                    .max(Duration::from_millis(5)),
            );
        }
        drop(progress);
        Ok(running.wait()?)
    }
}

fn print_open(why: Why, snapshot: &Snapshot, out: &mut Output) -> anyhow::Result<()> {
    let reason = match why {
        Why::Stuck => "nothing is left to try",
        Why::Paused => "paused",
        Why::Stopped | Why::Solved => "stopped",
    };
    let (proof, disproof) = (number(snapshot.proof), number(snapshot.disproof));
    writeln!(
        out,
        "Open, {reason}: proof number {proof}, disproof number {disproof}"
    )?;
    for note in &snapshot.notes {
        writeln!(out, "Note: {note}")?;
    }
    Ok(())
}

/// How the search uses a grid, as the options want it.
fn on_grid(
    search: &tengen_book::Search,
    effort: &EffortArgs,
    use_of_grid: &GridUseArgs,
) -> ClientOptions {
    ClientOptions {
        weight: use_of_grid.grid_share,
        most: effort.workers,
        pool: use_of_grid.grid_pool.clone(),
        class: use_of_grid.grid_class,
        ..ClientOptions::for_search(search)
    }
}

/// The live state in one line.
pub(super) fn line(snapshot: &Snapshot, time: Duration) -> String {
    let at_work = snapshot.active.first().map(|job| {
        let line = job.line.join(", ");
        let line = if line.is_empty() { "root" } else { &line };
        format!("; {line} for {:.0} s", job.seconds)
    });
    format!(
        "{:.0} s: proof {}, disproof {}, {} jobs, {} positions, {:.1} jobs/min{}",
        time.as_secs_f64(),
        number(snapshot.proof),
        number(snapshot.disproof),
        grouped(snapshot.answers),
        grouped(snapshot.nodes as u64),
        snapshot.speed,
        at_work.unwrap_or_default()
    )
}
