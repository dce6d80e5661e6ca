//! `tengen opening solve`, `start` and `resume`.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow, bail};
use serde_json::json;
use tengen_book::{Book, SearchId};
use tengen_grid::runner::{End, Runner, Snapshot, Why, create_search, find_search};

use super::{config, number, search, settings, shown, title, worker};
use crate::args::{EffortArgs, OpeningResumeArgs, OpeningSolveArgs, OpeningStartArgs, RootArgs};
use crate::commands::book;
use crate::commands::check::counted;
use crate::error::io_words;
use crate::interrupt;
use crate::output::{Output, grouped, write_file};
use crate::position_input::is_stdin;
use crate::progress::{PERIOD, ProgressLine};
use crate::proof_file;
use crate::solving::side_name;

pub(crate) fn run(path: &Path, args: &OpeningSolveArgs, out: &mut Output) -> anyhow::Result<()> {
    let book = book::opened(path)?;
    let id = search_for(&book, &args.root)?;
    let task = Task {
        path,
        id,
        effort: &args.effort,
        time: args.seconds.limit(),
        proof: args.proof.as_deref(),
        json: args.json,
    };
    task.run(&book, out)
}

pub(crate) fn resume(
    path: &Path,
    args: &OpeningResumeArgs,
    out: &mut Output,
) -> anyhow::Result<()> {
    let book = book::existing(path)?;
    let id = search(&book, args.id)?.id;
    let task = Task {
        path,
        id,
        effort: &args.effort,
        time: args.seconds.limit(),
        proof: args.proof.as_deref(),
        json: args.json,
    };
    task.run(&book, out)
}

pub(crate) fn start(path: &Path, args: &OpeningStartArgs, out: &mut Output) -> anyhow::Result<()> {
    let book = book::opened(path)?;
    let id = search_for(&book, &args.root)?;
    let found = search(&book, id.0)?;
    if let Some(owner) = found.owner.filter(|owner| owner.alive) {
        bail!("search {} is already run by process {}", id.0, owner.pid);
    }
    let mut command = Command::new(std::env::current_exe()?);
    command
        .args(["opening", "--book"])
        .arg(std::path::absolute(path)?);
    command.args(["resume", &id.0.to_string()]);
    if let Some(workers) = args.effort.workers {
        command.args(["--workers", &workers.to_string()]);
    }
    if let Some(time) = args.effort.job_seconds.limit() {
        command.args(["--job-seconds", &time.as_secs_f64().to_string()]);
    }
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    // A group of its own does not hear the terminal's Ctrl-C.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let child = command
        .spawn()
        .map_err(|error| anyhow!(io_words(&error)))
        .context("cannot start a process for the search")?;
    writeln!(
        out,
        "Search {}: {} runs as process {}; `tengen opening watch {}` shows it",
        id.0,
        found.title,
        child.id(),
        id.0
    )?;
    Ok(())
}

/// The search of this root and configuration; a new one where there is none.
fn search_for(book: &Book, args: &RootArgs) -> anyhow::Result<SearchId> {
    let root = book::position(book, &args.position)?;
    if root.outcome().is_some() {
        bail!("the game is over, there is nothing to solve");
    }
    let config = config(args.policy, args.attacker.side(), args.table_one);
    if let Some(known) = find_search(book, &root, &config)? {
        return Ok(known);
    }
    Ok(create_search(book, &title(&root), &root, &config)?)
}

/// A search to be run here.
struct Task<'a> {
    path: &'a Path,
    id: SearchId,
    effort: &'a EffortArgs,
    time: Option<Duration>,
    proof: Option<&'a Path>,
    json: bool,
}

impl Task<'_> {
    fn run(&self, book: &Book, out: &mut Output) -> anyhow::Result<()> {
        if let Some(path) = self.proof {
            if is_stdin(path) {
                bail!("--proof needs the name of a file");
            }
            proof_file::ensure_writable(path)?;
        }
        let start = Instant::now();
        let end = run_watched(self.path, book, self.id, self.effort, self.time)?;
        let bytes = self.write_proof(book, &end)?;
        self.report(book, &end, start.elapsed(), bytes, out)
    }

    fn write_proof(&self, book: &Book, end: &End) -> anyhow::Result<Option<usize>> {
        let (Some(path), Some(id)) = (self.proof, end.composed) else {
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
        if self.json {
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
                "file": proof_bytes.and(self.proof).map(|path| path.display().to_string()),
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
            _ => self.print_open(end.why, &snapshot, out)?,
        }
        writeln!(
            out,
            "{} for {}, {:.1} s of work; {:.1} s now",
            counted(snapshot.answers, "job"),
            counted(snapshot.nodes as u64, "position"),
            snapshot.seconds,
            time.as_secs_f64()
        )?;
        if let (Some(path), Some(bytes)) = (self.proof, proof_bytes) {
            writeln!(
                out,
                "Proof: {}, {}",
                path.display(),
                counted(bytes as u64, "byte")
            )?;
        }
        Ok(())
    }

    fn print_open(&self, why: Why, snapshot: &Snapshot, out: &mut Output) -> anyhow::Result<()> {
        let reason = match why {
            Why::Stuck => "nothing is left to try with these jobs",
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
        let id = self.id.0;
        Ok(writeln!(out, "`tengen opening resume {id}` goes on")?)
    }
}

/// Runs a search with a line on the terminal until it ends, the time is over or Ctrl-C is pressed.
pub(super) fn run_watched(
    path: &Path,
    book: &Book,
    id: SearchId,
    effort: &EffortArgs,
    time: Option<Duration>,
) -> anyhow::Result<End> {
    interrupt::flag();
    let running = Runner::start(path.to_owned(), id, worker(), settings(effort))?;
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
