//! `tengen perft`: counts games, by hand or against a suite of expected counts.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, anyhow, bail};
use tengen_rules::{Position, perft};

use crate::args::PerftArgs;
use crate::error::{CheckFailed, io_words};
use crate::output::{Output, grouped};
use crate::position_input;
use crate::suite::{self, Entry};
use crate::view::{played_turns, rules_in_words, state_in_words};

pub(crate) fn run(args: &PerftArgs, out: &mut Output) -> anyhow::Result<()> {
    if let Some(path) = &args.suite {
        return check_suite(path, out);
    }
    let depth = args.depth.context("DEPTH is missing")?;
    let mut position = position_input::position(&args.position)?.position;
    writeln!(out, "{}", rules_in_words(position.rules()))?;
    let turns = played_turns(&position);
    writeln!(out, "{}\n", state_in_words(&position, &turns))?;
    writeln!(
        out,
        "turns {:>26} {:>10} {:>15}",
        "sequences", "seconds", "per second"
    )?;
    for depth in 1..=depth {
        if !is_countable(&position, depth) {
            bail!("there may be more than 2^64 sequences of {depth} turns, too many to count");
        }
        out.flush()?;
        let start = Instant::now();
        let count = perft(&mut position, depth);
        let seconds = start.elapsed().as_secs_f64();
        // Too short to be measured is better left out than wrong.
        let speed = if seconds < 1e-3 {
            "-".to_owned()
        } else {
            grouped((count as f64 / seconds) as u64)
        };
        writeln!(
            out,
            "{depth:>5} {:>26} {seconds:>10.3} {speed:>15}",
            grouped(count)
        )?;
    }
    Ok(())
}

/// Whether the count surely fits into 64 bits: ignores that games may end early.
fn is_countable(position: &Position, depth: u32) -> bool {
    let grid = position.grid();
    let cells = (grid.width() * grid.height()) as u64;
    let stones = position.stones().count() as u64;
    let (mut free, mut left) = (cells - stones, u64::from(position.left()));
    let mut bound: u64 = 1;
    for _ in 0..depth {
        for i in 0..left.min(free) {
            // Each step of a binomial coefficient, before its division, as the counting does it.
            let Some(product) = bound.checked_mul(free - i) else {
                return false;
            };
            bound = product / (i + 1);
        }
        free = free.saturating_sub(left);
        left = u64::from(position.rules().per_turn());
    }
    true
}

fn check_suite(path: &Path, out: &mut Output) -> anyhow::Result<()> {
    let (mut checked, mut failed) = (0, 0);
    for file in suite_files(path)? {
        let cannot = || format!("cannot read `{}`", file.display());
        let text = fs::read_to_string(&file)
            .map_err(|error| anyhow!(io_words(&error)))
            .with_context(cannot)?;
        let entries = suite::parse(&text).with_context(cannot)?;
        for mut entry in entries.into_iter().filter(|entry| entry.word != "position") {
            let (depth, expected) = expectation(&entry).with_context(cannot)?;
            let count = perft(&mut entry.position, depth);
            checked += 1;
            if count != expected {
                failed += 1;
                let (file, line, rules) = (file.display(), entry.line, entry.position.rules());
                writeln!(
                    out,
                    "{file}:{line}: {rules} perft {depth} is {count}, expected {expected}"
                )?;
            }
        }
    }
    writeln!(
        out,
        "perft suite: {} right, {failed} wrong",
        checked - failed
    )?;
    if failed > 0 {
        return Err(CheckFailed(format!("{failed} of {checked} counts are wrong")).into());
    }
    Ok(())
}

/// The file itself, or the .perft files of a folder in the order of their names.
fn suite_files(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let entries =
        fs::read_dir(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|file| file.extension().is_some_and(|e| e == "perft"))
        .collect();
    files.sort();
    if files.is_empty() {
        bail!("`{}` holds no .perft file", path.display());
    }
    Ok(files)
}

/// The two numbers of `perft DEPTH COUNT`.
fn expectation(entry: &Entry<'_>) -> anyhow::Result<(u32, u64)> {
    let (depth, count) = entry.rest.split_once(' ').unwrap_or_default();
    match (entry.word, depth.parse(), count.trim().parse()) {
        ("perft", Ok(depth), Ok(count)) => Ok((depth, count)),
        _ => bail!(
            "line {}: expected `rules RULES`, `position POSITION` or `perft DEPTH COUNT`",
            entry.line
        ),
    }
}
