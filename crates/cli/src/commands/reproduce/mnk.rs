//! Small m,n,k games, one stone a turn, k or more in a row: who wins, beside what is known.

use std::io::Write as _;
use std::time::Duration;

use anyhow::Context as _;
use serde::Serialize;
use tengen_prover::Limits;
use tengen_prover::small_boards::{Decision, Means, Request, Value, decide};
use tengen_rules::Rules;

use super::table::Table;
use crate::args::ReproduceArgs;
use crate::interrupt;
use crate::output::{Output, grouped, write_file};
use crate::progress::watched;

/// What each board may take, unless the command line says otherwise.
const SECONDS: Duration = Duration::from_secs(300);

/// 128 MiB for each of the two searches.
const TABLE_BITS: u32 = 22;

/// With `--quick`, boards of at most so many cells.
const QUICK_CELLS: u32 = 30;

/// Width, height, k, and the value in the literature or what follows from it; `docs/results.md` says where from.
const GAMES: [(u32, u32, u32, &str); 37] = [
    (3, 3, 3, "draw"),
    (4, 3, 3, "win"),
    (4, 4, 3, "win"),
    (5, 3, 3, "win"),
    (5, 5, 3, "win"),
    (8, 8, 3, "win"),
    (4, 4, 4, "draw"),
    (5, 4, 4, "draw"),
    (6, 4, 4, "draw"),
    (7, 4, 4, "draw"),
    (8, 4, 4, "draw"),
    (5, 5, 4, "draw"),
    (6, 5, 4, "win"),
    (7, 5, 4, "win"),
    (8, 5, 4, "win"),
    (9, 5, 4, "win"),
    (10, 5, 4, "win"),
    (11, 5, 4, "win"),
    (12, 5, 4, "win"),
    (6, 6, 4, "win"),
    (7, 6, 4, "win"),
    (8, 6, 4, "win"),
    (9, 6, 4, "win"),
    (10, 6, 4, "win"),
    (7, 7, 4, "win"),
    (8, 7, 4, "win"),
    (9, 7, 4, "win"),
    (8, 8, 4, "win"),
    (5, 5, 5, "draw"),
    (6, 5, 5, "draw"),
    (6, 6, 5, "draw"),
    (7, 6, 5, "draw"),
    (8, 6, 5, "draw"),
    (7, 7, 5, "draw"),
    (6, 6, 6, "draw"),
    (7, 7, 6, "draw"),
    (8, 8, 6, "draw"),
];

/// A line of the table, as kept in the folder.
#[derive(Debug, Serialize)]
struct Row {
    width: u32,
    height: u32,
    line: u32,
    /// `win` for the first player, `draw` or `unknown`.
    value: &'static str,
    /// `exact`, `Maker-Breaker`, or nothing.
    by: Option<&'static str>,
    literature: &'static str,
    nodes: u64,
    seconds: f64,
}

pub(super) fn run(args: &ReproduceArgs, out: &mut Output) -> anyhow::Result<()> {
    writeln!(
        out,
        "Games of k or more in a row on small boards, one stone a turn. win: the first player wins; draw: nobody does. By Maker-Breaker: \
         the second player holds though its own lines do not count; exact: the lines of both are followed. unknown: a limit came first."
    )?;
    let heads = [
        "game  ",
        "value  ",
        "literature",
        "by           ",
        "     nodes",
        "seconds",
    ];
    let table = Table::start(out, heads)?;
    let games = GAMES
        .into_iter()
        .filter(|(width, height, ..)| !args.quick || width * height <= QUICK_CELLS);
    let mut rows = Vec::new();
    for (width, height, line, literature) in games {
        let name = format!("{width},{height},{line}");
        let request = Request {
            limits: Limits {
                nodes: args.nodes,
                time: time(args),
            },
            stop: Some(interrupt::flag()),
            table_bits: TABLE_BITS,
        };
        let rules: Rules = format!("{name},1,1").parse().context("a game of ours")?;
        let decision = watched(|| format!("deciding {name}"), || decide(&rules, &request))??;
        if interrupt::is_stopped() {
            return Ok(());
        }
        let row = Row {
            width,
            height,
            line,
            value: value(&decision),
            by: decision.found.map(|(_, means)| by(means)),
            literature,
            nodes: decision.nodes,
            seconds: decision.time.as_secs_f64(),
        };
        table.row(
            out,
            [
                name,
                row.value.to_owned(),
                literature.to_owned(),
                row.by.unwrap_or("-").to_owned(),
                grouped(row.nodes),
                format!("{:.3}", row.seconds),
            ],
        )?;
        rows.push(row);
    }
    let decided = rows.iter().filter(|row| row.by.is_some()).count();
    let agree = rows.iter().filter(|row| row.value == row.literature);
    writeln!(
        out,
        "\nDecided {decided} of {} games; {} as in the literature",
        rows.len(),
        agree.count()
    )?;
    if let Some(folder) = &args.out {
        let text = serde_json::to_string_pretty(&rows)? + "\n";
        write_file(&folder.join("mnk.json"), text.as_bytes())?;
        writeln!(out, "mnk.json is in {}", folder.display())?;
    }
    Ok(())
}

/// Nodes alone, if they are given: the same table whenever it is run.
fn time(args: &ReproduceArgs) -> Option<Duration> {
    match args.nodes {
        Some(_) => None,
        None => args.time(SECONDS),
    }
}

fn value(decision: &Decision) -> &'static str {
    match decision.found {
        Some((Value::FirstPlayerWins, _)) => "win",
        Some((Value::Draw, _)) => "draw",
        None => "unknown",
    }
}

const fn by(means: Means) -> &'static str {
    match means {
        Means::MakerBreaker => "Maker-Breaker",
        Means::Exact => "exact",
    }
}
