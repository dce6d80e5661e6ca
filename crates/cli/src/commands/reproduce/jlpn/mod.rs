//! Job-level proof-number search (Wu, Lin, Lin, Sun, Chan and Chen, 2010): ten openings with one and two workers and all
//! policies, as in Figures 3 and 4, and the same search simulated with up to 1,024 workers.

mod charts;
mod measure;
mod openings;
mod simulated;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, anyhow, bail};
use tengen_book::Book;
use tengen_grid::Numbers;
use tengen_grid::search::Policy;
use tengen_grid::simulate::Recording;

use self::measure::{Measured, Task};
use self::openings::{Opening, openings};
use self::simulated::Size;
use super::table::Table;
use crate::args::ReproduceArgs;
use crate::error::io_words;
use crate::output::{Output, grouped, write_file};
use crate::progress::watched;

/// What each run may take, unless the command line says otherwise.
const SECONDS: Duration = Duration::from_secs(300);
/// How many workers are measured.
const WORKERS: [usize; 2] = [1, 2];
/// A policy says what to think of positions that somebody works on. One worker chooses when nobody does, so it is measured
/// with one policy only, and its time is compared with those of all.
const POLICY_OF_ONE: Policy = Policy::VirtualLoss;
/// Where the curves are kept as numbers.
const CURVES: &str = "simulated.json";

pub(crate) fn run(args: &ReproduceArgs, out: &mut Output) -> anyhow::Result<()> {
    let folder = Folder::new(args.out.as_deref())?;
    let chosen = openings(if args.quick { 1 } else { openings::ALL });
    let measured = if args.simulate_only {
        kept(&folder.path, &chosen)?
    } else {
        let Some(measured) = measure_all(&folder.path, &chosen, args, out)? else {
            return Ok(());
        };
        print_speedups(&measured, out)?;
        print_scales(&measured, out)?;
        measured
    };
    let recorded = match &args.recorded {
        Some(path) => recordings(path, out)?,
        None => measured.iter().map(Measured::recording).collect(),
    };
    writeln!(out, "\nSimulation")?;
    let size = if args.quick { Size::QUICK } else { Size::FULL };
    let Some(ways) = simulated::run(&recorded, size, out)? else {
        return Ok(());
    };
    if folder.is_kept {
        let json = serde_json::to_string(&ways)? + "\n";
        write_file(&folder.path.join(CURVES), json.as_bytes())?;
        let mut files = charts::draw_simulated(&folder.path, &ways)?;
        files.extend(charts::draw_measured(&folder.path, &measured)?);
        writeln!(out, "\nPictures: {}", files.join(", "))?;
    }
    Ok(())
}

/// Where runs are kept; a temporary folder goes when the program ends.
struct Folder {
    path: PathBuf,
    is_kept: bool,
}

impl Folder {
    fn new(out: Option<&Path>) -> anyhow::Result<Self> {
        if let Some(path) = out {
            let path = path.to_owned();
            return Ok(Self {
                path,
                is_kept: true,
            });
        }
        let path = std::env::temp_dir().join(format!("tengen-jlpn-{}", std::process::id()));
        fs::create_dir_all(&path)
            .map_err(|error| anyhow!(io_words(&error)))
            .with_context(|| format!("cannot make the folder `{}`", path.display()))?;
        Ok(Self {
            path,
            is_kept: false,
        })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !self.is_kept {
            // What is left of a temporary folder harms nobody.
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

/// Every opening, with one worker, and with two and every policy.
fn tasks<'a>(
    folder: &'a Path,
    openings: &'a [Opening],
    time: Option<Duration>,
) -> impl Iterator<Item = Task<'a>> {
    let task = move |opening, policy, workers| Task {
        opening,
        policy,
        workers,
        time,
        folder,
    };
    openings.iter().flat_map(move |opening| {
        let [one, two] = WORKERS;
        let alone = task(opening, POLICY_OF_ONE, one);
        let together = Policy::ALL.map(|policy| task(opening, policy, two));
        std::iter::once(alone).chain(together)
    })
}

/// What earlier runs left, however long they took.
fn kept(folder: &Path, openings: &[Opening]) -> anyhow::Result<Vec<Measured>> {
    let mut kept = Vec::new();
    for task in tasks(folder, openings, Some(Duration::ZERO)) {
        kept.extend(task.earlier()?);
    }
    Ok(kept)
}

/// All searches of a book that have an answer, also those that are still running.
fn recordings(path: &Path, out: &mut Output) -> anyhow::Result<Vec<Recording>> {
    let book = Book::open_existing(path)?;
    let (mut recorded, mut unreadable) = (Vec::new(), 0);
    for search in book.searches()? {
        let recording = watched(
            || format!("reading search {}", search.id.0),
            || Recording::read(&book, search.id),
        )?;
        match recording {
            Ok(recording) => recorded.extend(Some(recording).filter(|search| search.jobs > 0)),
            // A book may hold searches of other versions; the rest of it is as good as ever.
            Err(_) => unreadable += 1,
        }
    }
    if recorded.is_empty() {
        bail!("no search in `{}` has an answer", path.display());
    }
    writeln!(
        out,
        "Recorded searches in `{}`: {}, of which {} solved{}.",
        path.display(),
        grouped(recorded.len() as u64),
        recorded
            .iter()
            .filter(|search| search.model.is_some())
            .count(),
        match unreadable {
            0 => String::new(),
            more => format!("; {more} more cannot be read"),
        }
    )?;
    Ok(recorded)
}

/// Runs what is not there yet, row by row; `None` after Ctrl-C.
fn measure_all(
    folder: &Path,
    openings: &[Opening],
    args: &ReproduceArgs,
    out: &mut Output,
) -> anyhow::Result<Option<Vec<Measured>>> {
    let time = args.time(SECONDS);
    let limit = time.map_or("no limit".to_owned(), |time| {
        format!("at most {} s", time.as_secs_f64())
    });
    writeln!(
        out,
        "Connect6, Black to move after White's second turn, {limit} for each run. VERIFIED: the checker has verified one \
         proof of the opening. Open: proof number/disproof number."
    )?;
    let table = Table::start(
        out,
        [
            "opening",
            "policy             ",
            "workers",
            "result           ",
            "  jobs",
            "seconds",
            " nodes",
            "    positions",
        ],
    )?;
    let mut measured = Vec::new();
    for task in tasks(folder, openings, time) {
        let Some(run) = task.measured()? else {
            return Ok(None);
        };
        table.row(
            out,
            [
                run.opening.clone(),
                match run.workers {
                    1 => "any".to_owned(),
                    _ => run.policy.to_string(),
                },
                run.workers.to_string(),
                result(&run),
                grouped(run.jobs),
                format!("{:.1}", run.seconds),
                grouped(run.tree as u64),
                grouped(run.positions),
            ],
        )?;
        measured.push(run);
    }
    Ok(Some(measured))
}

/// "VERIFIED black", "open 12/7".
fn result(run: &Measured) -> String {
    let number = |number| match number {
        Numbers::INFINITE => "inf".to_owned(),
        number => number.to_string(),
    };
    match &run.winner {
        Some(winner) => format!("VERIFIED {winner}"),
        None => format!(
            "open {}/{}",
            number(run.proof_number),
            number(run.disproof_number)
        ),
    }
}

/// T1/T2, where both are solved.
fn print_speedups(measured: &[Measured], out: &mut Output) -> anyhow::Result<()> {
    let [one, two] = WORKERS;
    writeln!(
        out,
        "\nSpeed-up with {two} workers: the time of {one} through the time of {two}, where both have solved it."
    )?;
    print_policies(measured, out, |opening, policy| {
        let time = |policy, workers| {
            let run = measured.iter().find(|run| {
                (run.opening.as_str(), run.policy, run.workers) == (opening, policy, workers)
            })?;
            run.is_solved().then_some(run.seconds)
        };
        let (alone, together) = (time(POLICY_OF_ONE, one)?, time(policy, two)?);
        Some(format!("{:.2}", alone / together))
    })
}

/// The numbers of the paper's Figure 4.
fn print_scales(measured: &[Measured], out: &mut Output) -> anyhow::Result<()> {
    writeln!(
        out,
        "\nNormalised logarithmic time with {} workers: log10 of the time through that of virtual-loss, as in Figure 4.",
        WORKERS[1]
    )?;
    print_policies(measured, out, |opening, policy| {
        charts::scale(measured, opening, policy).map(|scale| format!("{scale:+.2}"))
    })
}

/// One row for each opening, one column for each policy.
fn print_policies(
    measured: &[Measured],
    out: &mut Output,
    cell: impl Fn(&str, Policy) -> Option<String>,
) -> anyhow::Result<()> {
    let names = Policy::ALL.map(|policy| policy.to_string());
    let [a, b, c, d, e] = &names;
    let table = Table::start(out, ["opening", a, b, c, d, e])?;
    for name in charts::names(measured) {
        let [a, b, c, d, e] =
            Policy::ALL.map(|policy| cell(&name, policy).unwrap_or_else(|| "-".to_owned()));
        table.row(out, [name, a, b, c, d, e])?;
    }
    Ok(())
}
