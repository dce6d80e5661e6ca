//! Go-Moku solved: what it took and how large the solution is, beside Allis's.

mod threats;

use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, anyhow, bail};
use tengen_checker::GomokuVerdict;
use tengen_prover::pn::{Database, Settings, Solver};
use tengen_rules::{Rules, notation};

use super::Table;
use crate::args::ReproduceArgs;
use crate::commands::gomoku::{
    Allis, DB_SEARCHES, Report, Search, Summary, checked, open, print_plies, root_of, search,
    with_suffix,
};
use crate::interrupt;
use crate::output::{Output, grouped, write_file};
use crate::view::rules_in_words;

/// A position that takes seconds.
const SMALL: &str = "H8 L10 I9 G7";

/// What it may take, unless the command line says otherwise.
const SECONDS: Duration = Duration::from_secs(300);

/// A solution to be reported.
struct Solution {
    database: Database,
    bytes: Vec<u8>,
    summary: Option<Summary>,
}

pub(super) fn run(args: &ReproduceArgs, out: &mut Output) -> anyhow::Result<()> {
    let solution = match &args.database {
        Some(path) => kept(path)?,
        None => match small(args, out)? {
            Some(solution) => solution,
            None => return Ok(()),
        },
    };
    let root = root_of(&solution.database)?;
    let rules = root.rules();
    writeln!(out, "{}", rules_in_words(rules))?;
    let position = notation::setup_text(&root.to_setup());
    writeln!(out, "Solution of {position}")?;
    let verdict = checked(&solution.bytes, args.threads)?;
    match verdict {
        GomokuVerdict::Verified(_) => writeln!(out, "VERIFIED by the checker: Black wins")?,
        GomokuVerdict::Rejected(fault) => bail!("the checker rejects the database: {fault}"),
        GomokuVerdict::Undecided(_) | GomokuVerdict::VerifiedSample(_) => {
            if interrupt::is_stopped() {
                return Ok(());
            }
            bail!("the checker did not come to an end");
        }
    }
    let whole =
        root.stones().next().is_none() && matches!(rules, Rules::GOMOKU | Rules::GOMOKU_STANDARD);
    if !whole {
        writeln!(
            out,
            "It is one position, Allis's numbers are about the whole game: they cannot be compared."
        )?;
    }
    let plies = solution.database.plies();
    effort(&solution, &plies, out)?;
    let allis = Allis::of(solution.database.wins());
    print_plies(&plies, Some(allis), out)?;
    threats::compare(&solution.database, args.quick, out)?;
    if let Some(folder) = &args.out {
        if let Some(summary) = &solution.summary {
            summary.write(&folder.join("gomoku.json"))?;
        }
        write_file(&folder.join("gomoku.db"), &solution.bytes)?;
        writeln!(out, "\ngomoku.db is in {}", folder.display())?;
    }
    Ok(())
}

/// A database of `tengen gomoku solve`, with what it took if that is beside it.
fn kept(path: &Path) -> anyhow::Result<Solution> {
    let (database, bytes) = open(path)?;
    let summary = Summary::read(&with_suffix(path, ".json"))
        .filter(|summary| summary.result == "win" && summary.records == database.len());
    Ok(Solution {
        database,
        bytes,
        summary,
    })
}

/// A small instance, solved now.
fn small(args: &ReproduceArgs, out: &mut Output) -> anyhow::Result<Option<Solution>> {
    writeln!(
        out,
        "Without --database a small instance is solved, the position after {SMALL}; `tengen gomoku solve` solves the whole game, \
         which takes days.\n"
    )?;
    out.flush()?;
    let position = notation::parse_position(SMALL, Rules::GOMOKU)
        .map_err(|error| anyhow!(error.reason().to_owned()))?;
    let settings = Settings {
        threads: args.threads,
        ..Settings::default()
    };
    let solver = Solver::of(&position, settings)?;
    let text = notation::setup_text(&position.to_setup());
    let request = Search {
        position: &position,
        threads: args.threads,
        time: args.time(SECONDS),
        before: Summary::new(position.rules().to_string(), text, true),
        counts: None,
        grid: None,
    };
    let Report {
        summary,
        database: bytes,
        reason,
        ..
    } = search(&solver, request)?;
    let Some(bytes) = bytes else {
        let reason = reason.unwrap_or_default();
        writeln!(out, "Not solved: {reason}")?;
        return Ok(None);
    };
    Ok(Some(Solution {
        database: Database::read(bytes.clone()).context("what was just written")?,
        bytes,
        summary: Some(summary),
    }))
}

/// What it took, and how large it is.
fn effort(solution: &Solution, plies: &[usize], out: &mut Output) -> anyhow::Result<()> {
    let allis = Allis::of(solution.database.wins());
    let summary = solution.summary.as_ref();
    let known = |number: Option<String>| number.unwrap_or_else(|| "not kept".to_owned());
    let days = |seconds: f64| match seconds {
        few if few < 3_600.0 => format!("{few:.1} s"),
        many => format!("{:.2} days", many / 86_400.0),
    };
    let deepest = plies.iter().rposition(|&number| number > 0).unwrap_or(0);
    let heads = [
        "                                ",
        "            ours",
        "                           Allis",
    ];
    let table = Table::start(out, heads)?;
    let all = plies.iter().sum::<usize>() as u64;
    let rows = [
        ("rule", allis.name.to_owned(), allis.name.to_owned()),
        (
            "time of the processor",
            known(summary.map(|summary| days(summary.cpu_seconds))),
            format!("{} days", allis.days),
        ),
        (
            "positions expanded (pn-nodes)",
            known(summary.map(|summary| grouped(summary.expansions))),
            allis.pn_nodes.to_owned(),
        ),
        (
            "threat searches (db-searches)",
            known(summary.map(|summary| grouped(summary.threat_searches))),
            DB_SEARCHES.to_owned(),
        ),
        (
            "positions of the solution",
            grouped(all),
            grouped(allis.records),
        ),
        (
            "records, Black to move",
            grouped(solution.database.len() as u64),
            grouped(allis.to_move()),
        ),
        (
            "deepest variation, ply",
            deepest.to_string(),
            allis.deepest().to_string(),
        ),
    ];
    for (name, ours, theirs) in rows {
        table.row(out, [name.to_owned(), ours, theirs])?;
    }
    if summary.is_some_and(|summary| !summary.complete) {
        writeln!(
            out,
            "\nWhat earlier runs took was not kept and is not counted."
        )?;
    }
    writeln!(
        out,
        "\nA position of the solution has Black's move or is what it leads to, as in Table 5.1; wins by threats have no positions of their own, ours nor his."
    )?;
    Ok(())
}
