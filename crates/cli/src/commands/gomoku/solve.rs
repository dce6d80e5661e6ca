//! `tengen gomoku solve`: searches, keeps what is proved, and writes the database.

use std::fs::{File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow, bail};
use serde_json::{Value, json};
use tengen_book::ProofId;
use tengen_checker::GomokuVerdict;
use tengen_grid::gomoku;
use tengen_grid::nats::{ClientOptions, Grid, machine};
use tengen_prover::pn::{Database, News, Outcome, Settings, Solver};
use tengen_rules::{Position, notation};

use super::allis::print_plies;
use super::display::{Live, SecondMoves};
use super::summary::{Summary, write_whole};
use super::{checked, open, rules_of, stones_of};
use crate::args::{GomokuSolveArgs, GridUseArgs, PositionArgs};
use crate::commands::check::counted;
use crate::commands::grid;
use crate::error::{CheckFailed, ExitWith, WithHint as _, io_words};
use crate::interrupt::{self, INTERRUPTED};
use crate::output::{Output, grouped};
use crate::position_input::{self, is_stdin};
use crate::progress::{PERIOD, STACK};
use crate::proof_file;
use crate::view::{rules_in_words, stones};

/// How often counts are kept while a search goes on.
const KEEP_PERIOD: Duration = Duration::from_secs(15);

/// What is searched, and for how long.
pub(crate) struct Search<'a> {
    pub(crate) position: &'a Position,
    pub(crate) threads: usize,
    pub(crate) time: Option<Duration>,
    /// What was done before.
    pub(crate) before: Summary,
    /// Where counts are kept.
    pub(crate) counts: Option<PathBuf>,
    /// Who does the work, if it is not this machine.
    pub(crate) grid: Option<(Grid, ClientOptions)>,
}

/// What came of a search.
pub(crate) struct Report {
    /// Of all runs.
    pub(crate) summary: Summary,
    /// The proof, if Black wins.
    pub(crate) database: Option<Vec<u8>>,
    pub(crate) second_moves: SecondMoves,
    /// Why it is not solved, if it is not.
    pub(crate) reason: Option<String>,
}

pub(super) fn run(args: &GomokuSolveArgs, out: &mut Output) -> anyhow::Result<()> {
    let position = position_input::position(&PositionArgs {
        words: args.words.clone(),
        rules: Some(args.rules),
        file: None,
        format: None,
        charset: None,
        game: None,
        at: None,
    })?
    .position;
    let threads = args
        .threads
        .unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from));
    let settings = Settings {
        threads,
        memory: args.memory,
        ..Settings::default()
    };
    let mut solver = Solver::of(&position, settings)?;
    if is_stdin(&args.out) {
        bail!("--out needs the name of a file: a journal is kept beside it");
    }
    let counts = with_suffix(&args.out, ".json");
    if let Some(known) = known(&args.out, &position)? {
        return print_known(args, &position, &known, Summary::read(&counts), out);
    }
    interrupt::flag();
    proof_file::ensure_writable(&args.out)?;
    let journal = with_suffix(&args.out, ".journal");
    let _held = hold(&journal)?;
    let kept = solver
        .keep_in(&journal)
        .map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData => anyhow!(error.to_string()),
            _ => anyhow!(io_words(&error)),
        });
    kept.with_context(|| format!("cannot go on from `{}`", journal.display()))
        .hint(|| Some("another --out has another journal".to_owned()))?;
    let (rules, text) = names(&position);
    let options = on_grid(args, &rules, &text)?;
    let grid = grid::connected(&args.grid.access)?.map(|grid| (grid, options));
    let before = Summary::read(&counts)
        .filter(|before| before.rules == rules && before.position == text)
        .unwrap_or_else(|| Summary::new(rules, text, solver.count() == 0));
    let report = search(
        &solver,
        Search {
            position: &position,
            threads,
            time: args.seconds.limit(),
            before,
            counts: Some(counts.clone()),
            grid,
        },
    )?;
    if let Some(bytes) = &report.database {
        write_whole(&args.out, bytes)?;
    }
    report.summary.write(&counts)?;
    let verdict = match &report.database {
        Some(bytes) => Some(checked(bytes, threads)?),
        None => None,
    };
    print(args, &position, &report, verdict.as_ref(), out)?;
    out.flush()?;
    match verdict {
        Some(GomokuVerdict::Rejected(fault)) => {
            Err(CheckFailed(format!("the checker rejects the database: {fault}")).into())
        }
        _ if interrupt::is_stopped() => Err(ExitWith(INTERRUPTED).into()),
        _ => Ok(()),
    }
}

/// How a grid is used. The same file has the same name there, so whoever goes on finds the answers that came meanwhile.
fn on_grid(args: &GomokuSolveArgs, rules: &str, position: &str) -> anyhow::Result<ClientOptions> {
    let file = std::path::absolute(&args.out)?;
    let whose = format!("{} {} {rules} {position}", machine(), file.display());
    let GridUseArgs {
        grid_share,
        grid_pool,
        grid_class,
        ..
    } = &args.grid;
    let client = ProofId::of(&whose).to_string();
    let title = format!("{rules}, {position}");
    Ok(ClientOptions {
        weight: *grid_share,
        most: args.threads,
        pool: grid_pool.clone(),
        class: *grid_class,
        longest_job: gomoku::LONGEST_ROUND,
        ..ClientOptions::new(&client, &title).remembering(&args.out)
    })
}

/// The file's name with something behind it.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// The rules and the position as they are kept.
fn names(position: &Position) -> (String, String) {
    let text = notation::setup_text(&position.to_setup());
    (position.rules().to_string(), text)
}

/// A database that is there already; others are not written over.
fn known(path: &Path, position: &Position) -> anyhow::Result<Option<Database>> {
    if !path.exists() {
        return Ok(None);
    }
    let other = || Some("choose another --out, or move the file away".to_owned());
    let (database, _) = open(path).hint(other)?;
    let same = rules_of(&database)? == position.rules() && database.is_root(stones_of(position));
    if !same {
        let message = format!("`{}` proves another position", path.display());
        return Err(anyhow!(message)).hint(other);
    }
    Ok(Some(database))
}

/// Nobody else works on the journal as long as this is held.
fn hold(journal: &Path) -> anyhow::Result<File> {
    let cannot = || format!("cannot write `{}`", journal.display());
    let file = File::options()
        .append(true)
        .create(true)
        .open(journal)
        .map_err(|error| anyhow!(io_words(&error)))
        .with_context(cannot)?;
    // Elsewhere a lock would also keep this process from writing.
    if !cfg!(unix) {
        return Ok(file);
    }
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            Err(anyhow!("another process is working on it").context(cannot()))
        }
        // Where files cannot be locked, two processes on one journal are the user's fault.
        Err(TryLockError::Error(_)) | Ok(()) => Ok(file),
    }
}

/// Searches until it is solved, the time is over or Ctrl-C is pressed.
pub(crate) fn search(solver: &Solver, search: Search<'_>) -> anyhow::Result<Report> {
    let stop = AtomicBool::new(false);
    let live = Mutex::new(Live::new(solver, search.position));
    let lock = || live.lock().unwrap_or_else(PoisonError::into_inner);
    let tell = |news: News| lock().hear(&news);
    let note = |text: &str| lock().note(text);
    let (rules, by) = (search.position.rules(), search.grid.clone());
    let start = Instant::now();
    let mut kept = start;
    let summary = || {
        let live = lock();
        let (time, cpu) = live.times();
        let after = search.before.after(live.work, cpu, time, search.threads);
        Summary {
            records: live.records,
            ..after
        }
    };
    let mut out_of_time = false;
    let outcome = thread::scope(|scope| -> anyhow::Result<Outcome> {
        let (sender, receiver) = mpsc::channel();
        let (stop, tell, note) = (&stop, &tell, &note);
        let worker = thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, move || {
                let outcome = match by {
                    None => solver.solve(stop, tell),
                    Some((grid, options)) => {
                        gomoku::solve(solver, rules, &grid, options, stop, tell, note)
                    }
                };
                // The receiver is there as long as the scope.
                let _ = sender.send(outcome);
            })?;
        loop {
            match receiver.recv_timeout(PERIOD) {
                Ok(outcome) => return outcome.context("cannot write the journal"),
                Err(RecvTimeoutError::Disconnected) => match worker.join() {
                    Err(payload) => std::panic::resume_unwind(payload),
                    Ok(()) => unreachable!("the work sends its result"),
                },
                Err(RecvTimeoutError::Timeout) => {}
            }
            lock().show();
            out_of_time |= search.time.is_some_and(|time| start.elapsed() >= time);
            if out_of_time || interrupt::is_stopped() {
                stop.store(true, Ordering::Relaxed);
            }
            if let Some(path) = &search.counts
                && kept.elapsed() >= KEEP_PERIOD
            {
                kept = Instant::now();
                // A disk that is full now may have room again at the end.
                let _ = summary().write(path);
            }
        }
    })?;
    let mut summary = summary();
    summary.records = solver.count();
    let database = match outcome {
        Outcome::Won => solver.database(),
        Outcome::Open => None,
    };
    if let Some(bytes) = &database {
        let read = Database::read(bytes.clone())?;
        "win".clone_into(&mut summary.result);
        summary.records = read.len();
        summary.plies = read.plies();
        summary.bytes = Some(bytes.len());
    }
    let reason = database.is_none().then(|| {
        if interrupt::is_stopped() {
            "stopped with Ctrl-C".to_owned()
        } else if let Some(time) = search.time.filter(|_| out_of_time) {
            format!("the limit of {} s was reached", time.as_secs_f64())
        } else {
            "everything was tried that the search tries; Black may win all the same".to_owned()
        }
    });
    let second_moves = lock().second_moves();
    Ok(Report {
        summary,
        database,
        second_moves,
        reason,
    })
}

fn print(
    args: &GomokuSolveArgs,
    position: &Position,
    report: &Report,
    verdict: Option<&GomokuVerdict>,
    out: &mut Output,
) -> anyhow::Result<()> {
    let word = verdict.map(|verdict| match verdict {
        GomokuVerdict::Verified(_) => "VERIFIED",
        GomokuVerdict::Rejected(_) => "REJECTED",
        GomokuVerdict::VerifiedSample(_) | GomokuVerdict::Undecided(_) => "UNDECIDED",
    });
    let file = args.out.display();
    let second_moves = report.second_moves;
    if args.json {
        let mut line = serde_json::to_value(&report.summary)?;
        if let Value::Object(fields) = &mut line {
            let second_moves = (second_moves.all() > 0).then(
                || json!({ "answered": second_moves.won, "open": second_moves.all() - second_moves.won }),
            );
            fields.insert("second_moves".to_owned(), json!(second_moves));
            fields.insert("reason".to_owned(), json!(report.reason));
            fields.insert("check".to_owned(), json!(word));
            let database = report.database.as_ref().map(|_| file.to_string());
            fields.insert("database".to_owned(), json!(database));
        }
        return Ok(writeln!(out, "{line:#}")?);
    }
    print_head(position, out)?;
    match &report.reason {
        None => {
            writeln!(
                out,
                "Black wins: {}, {}",
                counted(report.summary.records as u64, "record"),
                counted(report.summary.bytes.unwrap_or(0) as u64, "byte")
            )?;
            writeln!(
                out,
                "{} by the checker: {file}",
                word.unwrap_or("UNDECIDED")
            )?;
        }
        Some(reason) => {
            writeln!(out, "Not solved: {reason}")?;
            if second_moves.all() > 0 {
                writeln!(
                    out,
                    "Answered: {} of White's {} second moves, up to symmetry",
                    second_moves.won,
                    second_moves.all()
                )?;
            }
            writeln!(
                out,
                "Proved so far: {}, kept in {}; the same command goes on from there",
                counted(report.summary.records as u64, "position"),
                with_suffix(&args.out, ".journal").display()
            )?;
        }
    }
    print_effort(&report.summary, out)?;
    if report.database.is_some() {
        print_plies(&report.summary.plies, None, out)?;
    }
    Ok(())
}

fn print_head(position: &Position, out: &mut Output) -> anyhow::Result<()> {
    writeln!(out, "{}", rules_in_words(position.rules()))?;
    let count = position.stones().count();
    let text = match count {
        0 => "the empty board".to_owned(),
        _ => format!("{}, {}", stones(count as u32), names(position).1),
    };
    Ok(writeln!(out, "Position: {text}")?)
}

fn print_effort(summary: &Summary, out: &mut Output) -> anyhow::Result<()> {
    writeln!(
        out,
        "Took {:.1} s of the processor, {:.1} s, in {}: {}, {} threat searches, {} positions in them",
        summary.cpu_seconds,
        summary.seconds,
        counted(u64::from(summary.runs), "run"),
        counted(summary.expansions, "expansion"),
        grouped(summary.threat_searches),
        grouped(summary.positions)
    )?;
    if !summary.complete {
        writeln!(
            out,
            "What earlier runs took was not kept and is not counted"
        )?;
    }
    Ok(())
}

/// It was solved before.
fn print_known(
    args: &GomokuSolveArgs,
    position: &Position,
    known: &Database,
    summary: Option<Summary>,
    out: &mut Output,
) -> anyhow::Result<()> {
    if args.json {
        let (rules, text) = names(position);
        let mut summary = summary.unwrap_or_else(|| Summary::new(rules, text, false));
        "win".clone_into(&mut summary.result);
        summary.records = known.len();
        summary.plies = known.plies();
        let mut line = serde_json::to_value(summary)?;
        line["database"] = json!(args.out.display().to_string());
        line["check"] = json!(null);
        line["reason"] = json!(null);
        line["second_moves"] = json!(null);
        return Ok(writeln!(out, "{line:#}")?);
    }
    print_head(position, out)?;
    let file = args.out.display();
    writeln!(
        out,
        "Solved already: {}, {}; `tengen check {file}` checks it",
        file,
        counted(known.len() as u64, "record")
    )?;
    if let Some(summary) = summary {
        print_effort(&summary, out)?;
    }
    Ok(())
}
