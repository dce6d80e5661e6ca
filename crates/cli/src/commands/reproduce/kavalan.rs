//! Two-stage Monte-Carlo tree search (Yen and Yang, 2011): Tables IV and V on positions of our own.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use tengen_player::Options;
use tengen_player::mcts::{Mcts, SolveLimits, Solved, Stages, breadth_first, depth_first};
use tengen_rules::{Position, notation};

use super::runs::SECONDS;
use super::table::Table;
use crate::args::ReproduceArgs;
use crate::interrupt;
use crate::output::{Output, grouped, write_file};
use crate::progress::watched;
use crate::suite;

/// Won positions that Tengen met when it played against itself.
const POSITIONS: &str = include_str!("../../../../../suites/kavalan/positions.txt");

/// How deep depth-first search goes, as in Table IV.
const DEPTH: u32 = 14;

/// The paper's limits: positions of the two simple searches, simulations of the others.
const MOST_POSITIONS: u64 = 600_000;
const MOST_SIMULATIONS: u64 = 60_000;

/// The same for a quick look.
const QUICK: u64 = 2_000;

/// A way to search.
#[derive(Debug, Copy, Clone)]
enum Way {
    DepthFirst,
    BreadthFirst,
    Mcts { stages: Stages, zones: bool },
}

/// A column: its head and its search.
type Column = (&'static str, Way);

const fn mcts(stages: Stages, zones: bool) -> Way {
    Way::Mcts { stages, zones }
}

/// Table IV has the first three and the two types without zones, Table V the two types.
const COLUMNS: [Column; 8] = [
    ("           DFS", Way::DepthFirst),
    ("           BFS", Way::BreadthFirst),
    ("           MCTS", mcts(Stages::None, false)),
    ("    MCTS, zones", mcts(Stages::None, true)),
    ("         type I", mcts(Stages::TypeI, false)),
    ("  type I, zones", mcts(Stages::TypeI, true)),
    ("        type II", mcts(Stages::TypeII, false)),
    (" type II, zones", mcts(Stages::TypeII, true)),
];

/// What a search took, as kept in the folder.
#[derive(Debug, Copy, Clone, PartialEq, Serialize, Deserialize)]
struct Taken {
    /// The limit of steps it ran with.
    limit: u64,
    steps: u64,
    won: bool,
    nodes: u64,
    seconds: f64,
}

pub(crate) fn run(args: &ReproduceArgs, out: &mut Output) -> anyhow::Result<()> {
    writeln!(
        out,
        "Connect6, positions that the prover wins: seconds and, in brackets, nodes with those of threat-space \
         search. X: not won with {} positions (DFS to {DEPTH} turns, BFS) or {} simulations (MCTS), or the time \
         was up.\n\nT2: won by double threats.",
        grouped(MOST_POSITIONS),
        grouped(MOST_SIMULATIONS)
    )?;
    compare::<9>("t2", &COLUMNS, args, out)?;
    writeln!(
        out,
        "\nTSS: single threats are needed, so DFS and BFS, which know double threats only, cannot win."
    )?;
    compare::<7>("tss", &COLUMNS[2..], args, out)
}

/// One table of `N` columns: the positions of that sort, and every way to search.
fn compare<const N: usize>(
    sort: &str,
    columns: &[Column],
    args: &ReproduceArgs,
    out: &mut Output,
) -> anyhow::Result<()> {
    let mut heads = ["puzzle"; N];
    for (head, column) in heads[1..].iter_mut().zip(columns) {
        *head = column.0;
    }
    let table = Table::start(out, heads)?;
    let mut sums = vec![(0, 0.0); columns.len()];
    let positions = positions(sort)?;
    let shown = if args.quick { 1 } else { positions.len() };
    for (number, position) in positions.iter().take(shown).enumerate() {
        let name = format!("{sort}-{}", number + 1);
        let mut row = [const { String::new() }; N];
        for (place, (head, way)) in columns.iter().enumerate() {
            let what = format!("{name}, {}", head.trim());
            let Some(taken) = searched(position, *way, &what, args)? else {
                return Ok(());
            };
            sums[place].0 += usize::from(taken.won);
            sums[place].1 += taken.seconds;
            row[place + 1] = match taken.won {
                true => format!("{:.3} ({})", taken.seconds, taken.nodes),
                false => "X".to_owned(),
            };
        }
        row[0] = name;
        table.row(out, row)?;
    }
    let mut row = [const { String::new() }; N];
    row[0] = "solved".to_owned();
    for (cell, (won, _)) in row[1..].iter_mut().zip(&sums) {
        *cell = format!("{won}/{shown}");
    }
    table.row(out, row)?;
    let mut row = [const { String::new() }; N];
    row[0] = "time".to_owned();
    for (cell, (_, time)) in row[1..].iter_mut().zip(&sums) {
        *cell = format!("{time:.1}");
    }
    table.row(out, row)
}

/// The positions of a sort.
fn positions(sort: &str) -> anyhow::Result<Vec<Position>> {
    let entries = suite::parse(POSITIONS)?;
    let wanted = entries.iter().filter(|entry| entry.word == sort);
    let read = wanted.map(|entry| {
        notation::parse_position(entry.rest, entry.position.rules())
            .with_context(|| format!("line {}", entry.line))
    });
    read.collect()
}

/// What the search takes, or took in an earlier run; `None` after Ctrl-C.
fn searched(
    position: &Position,
    way: Way,
    what: &str,
    args: &ReproduceArgs,
) -> anyhow::Result<Option<Taken>> {
    if interrupt::is_stopped() {
        return Ok(None);
    }
    let most = match way {
        Way::DepthFirst | Way::BreadthFirst => MOST_POSITIONS,
        Way::Mcts { .. } => MOST_SIMULATIONS,
    };
    let limit = if args.quick { QUICK } else { most };
    let path = args.out.as_ref().map(|folder| {
        let name = what.replace(", ", "-").replace(' ', "-");
        folder.join(format!("kavalan-{name}.json"))
    });
    if let Some(taken) = path.as_ref().and_then(earlier)
        && taken.limit == limit
        && (taken.won || taken.steps >= limit)
    {
        return Ok(Some(taken));
    }
    let limits = SolveLimits {
        steps: limit,
        time: args.time(SECONDS),
        stop: Some(interrupt::flag()),
    };
    let solved = watched(|| what.to_owned(), || solve(position, way, &limits))?;
    if interrupt::is_stopped() {
        return Ok(None);
    }
    let taken = Taken {
        limit,
        steps: solved.steps,
        won: solved.winner == Some(position.to_move()),
        nodes: solved.nodes,
        seconds: solved.time.as_secs_f64(),
    };
    if let Some(path) = path {
        let json = serde_json::to_string_pretty(&taken)? + "\n";
        write_file(&path, json.as_bytes())?;
    }
    Ok(Some(taken))
}

fn earlier(path: impl AsRef<Path>) -> Option<Taken> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

fn solve(position: &Position, way: Way, limits: &SolveLimits<'_>) -> Solved {
    match way {
        Way::DepthFirst => depth_first(position, DEPTH, limits),
        Way::BreadthFirst => breadth_first(position, limits),
        Way::Mcts { stages, zones } => {
            let mut engine = Mcts::new(&Options::default());
            (engine.stages, engine.zones) = (stages, zones);
            engine.solve(position, limits)
        }
    }
}
