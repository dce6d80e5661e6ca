//! Relevance-zone-oriented proof search (Wu and Lin, 2010): Connect(6,2,3) and openings of Connect6.

use std::collections::HashSet;
use std::io::Write as _;

use tengen_rules::{Canonical, Cell, Position, notation};

use super::runs::{Runs, Task, position, seconds};
use super::table::Table;
use crate::output::{Output, grouped};

/// The starts of Connect(6,2,3) that are known to win.
const STARTS: [(&str, &str); 2] = [("triangle", "J10 J12 K11"), ("corner", "J10 J11 K10")];

/// Openings after Black's second turn, and what the paper says of them.
const OPENINGS: [(&str, &str, &str); 5] = [
    (
        "TX-d21",
        "B:J10,K11,L10 W:I8,H9 to-move:W",
        "498,380 nodes, 104.41 s",
    ),
    ("TX-d22", "B:J10,L10,K9 W:I8,H8 to-move:W", "-"),
    ("TX-q22", "B:J10,L10,K11 W:I8,H12 to-move:W", "-"),
    ("XX-b22", "B:J10,J9,K10 W:H8,L8 to-move:W", "-"),
    ("T-p12", "B:J10,K9,L8 W:J9,K12 to-move:W", "-"),
];

/// How many openings the paper counts.
const COUNTED: usize = 65;

/// For each inner search.
const NODES: u64 = 100_000;

/// For each inner search about the openings that are counted.
const SCHEME_NODES: u64 = 3_000;

pub(crate) fn run(quick: bool, runs: &Runs<'_>, out: &mut Output) -> anyhow::Result<()> {
    starts(quick, runs, out)?;
    if !quick {
        openings(runs, out)?;
    }
    schemes(if quick { 1 } else { usize::MAX }, runs, out)
}

/// Connect(6,2,3) on two boards.
fn starts(quick: bool, runs: &Runs<'_>, out: &mut Output) -> anyhow::Result<()> {
    writeln!(
        out,
        "Connect(6,2,3): every second turn of White loses. Z1 and Z2 are the zones of a shortest win \
         after the null turn (61: the R1-zone of the paper of 2005, as the 1,514 pairs; 2,656 calls of the \
         verifier, 65,054 nodes and 18.39 s: the paper of 2010)."
    )?;
    let table = Table::start(
        out,
        [
            "start             ",
            "   Z1",
            "   Z2",
            "replies",
            "searches",
            "replays",
            "    nodes",
            "seconds",
            "checker ",
        ],
    )?;
    let paper = [
        "paper", "", "61", "1,514", "2,656", "", "65,054", "18.39", "",
    ];
    table.row(out, paper.map(str::to_owned))?;
    let boards = ["19,19", "inf,inf"];
    for board in &boards[..if quick { 1 } else { 2 }] {
        for (name, stones) in STARTS {
            let position = position(&format!("{board},6,2,3"), stones);
            let size = board.split(',').next().unwrap_or_default();
            let task = Task {
                name: format!("{name}-{size}"),
                position: &position,
                order: 2,
                nodes: NODES,
                known: None,
            };
            let Some(outcome) = runs.run(&task)? else {
                return Ok(());
            };
            let zones = runs.null_turn_zones(&position, 2, NODES)?;
            let [first, second] = zones.map_or_else(Default::default, |z| z.map(|n| n.to_string()));
            let counts = outcome.counts;
            let board = if size == "inf" { "infinite" } else { "19x19" };
            table.row(
                out,
                [
                    format!("{name}, {board}"),
                    first,
                    second,
                    grouped(counts.replies),
                    grouped(counts.searches),
                    grouped(counts.replays),
                    grouped(counts.nodes),
                    seconds(&counts),
                    counts.verdict().to_owned(),
                ],
            )?;
        }
    }
    Ok(())
}

/// Openings of Connect6 at order 2, and what is left of them at order 3.
fn openings(runs: &Runs<'_>, out: &mut Output) -> anyhow::Result<()> {
    writeln!(
        out,
        "\nOpenings of Connect6 after Black's second turn: White's replies that are not proved to lose. \
         Order 3 goes on from order 2. A star: the time was up."
    )?;
    let table = Table::start(
        out,
        [
            "opening",
            "order",
            "survivors",
            "searches",
            "replays",
            "     nodes",
            "seconds",
            "checker        ",
            "paper                  ",
        ],
    )?;
    for (name, stones, paper) in OPENINGS {
        let position = position("connect6", stones);
        let mut known = None;
        for order in [2, 3] {
            let task = Task {
                name: name.to_owned(),
                position: &position,
                order,
                nodes: NODES,
                known: known.as_ref(),
            };
            let Some(outcome) = runs.run(&task)? else {
                return Ok(());
            };
            let counts = outcome.counts;
            table.row(
                out,
                [
                    name.to_owned(),
                    order.to_string(),
                    counts.survivors_in_words(),
                    grouped(counts.searches),
                    grouped(counts.replays),
                    grouped(counts.nodes),
                    seconds(&counts),
                    counts.verdict().to_owned(),
                    paper.to_owned(),
                ],
            )?;
            if counts.is_win() {
                break;
            }
            known = outcome.proof;
        }
    }
    Ok(())
}

/// How many openings need more than wins of order 1 against the replies.
fn schemes(most: usize, runs: &Runs<'_>, out: &mut Output) -> anyhow::Result<()> {
    let (mut tried, mut won, mut simple) = (0, 0, 0);
    for (name, position) in ring_openings().take(most) {
        let task = |order| Task {
            name: name.clone(),
            position: &position,
            order,
            nodes: SCHEME_NODES,
            known: None,
        };
        let Some(outcome) = runs.run(&task(2))? else {
            return Ok(());
        };
        tried += 1;
        if !outcome.counts.is_win() {
            continue;
        }
        let Some(outcome) = runs.run(&task(1))? else {
            return Ok(());
        };
        won += 1;
        simple += usize::from(outcome.counts.is_win());
        if won == COUNTED {
            break;
        }
    }
    writeln!(
        out,
        "\nOpenings of our own: Black J10, two White stones 3 away from it, Black completes the triangle or \
         the corner of the first table. Up to symmetry, those that order 2 proves with {} nodes a \
         search, at most {COUNTED} ({tried} tried):",
        grouped(SCHEME_NODES)
    )?;
    let table = Table::start(out, ["scheme                        ", "ours", "paper"])?;
    let rows = [
        ("won", won, COUNTED),
        ("order 1 against every reply", simple, 31),
        ("needs order 2", won - simple, 34),
    ];
    for (what, ours, paper) in rows {
        table.row(out, [what.to_owned(), ours.to_string(), paper.to_string()])?;
    }
    writeln!(
        out,
        "\nThe paper's 65 positions are not known to us; these are others, so the numbers cannot be compared one by one."
    )?;
    Ok(())
}

/// Two White stones at distance 3 from J10, and Black's second turn makes a known shape.
fn ring_openings() -> impl Iterator<Item = (String, Position)> {
    let ring: Vec<Cell> = (6..=12)
        .flat_map(|y| (6..=12).map(move |x| Cell::new(x, y)))
        .filter(|cell| (cell.x - 9).abs().max((cell.y - 9).abs()) == 3)
        .collect();
    let mut pairs = Vec::new();
    for (place, &one) in ring.iter().enumerate() {
        pairs.extend(ring[place + 1..].iter().map(|&other| (one, other)));
    }
    let mut seen = HashSet::new();
    STARTS
        .into_iter()
        .flat_map(move |shape| pairs.clone().into_iter().map(move |pair| (shape, pair)))
        .filter_map(move |((shape, stones), (one, other))| {
            let stones = stones.replace(' ', ",");
            let position = position("connect6", &format!("B:{stones} W:{one},{other} to-move:W"));
            let new = seen.insert(notation::setup_text(&Canonical::of(&position).setup));
            new.then(|| (format!("{shape}-{one}-{other}"), position))
        })
}
