//! The family of Connect games (Wu and Huang, 2005): starts of Connect(6,2,3), and Table 1.

use std::collections::BTreeMap;
use std::io::Write as _;

use tengen_rules::{Canonical, Cell, Position, Side, notation};

use super::runs::{Counts, Runs, Task, position, seconds};
use super::table::Table;
use crate::output::{Output, grouped};
use crate::view::cells_in_words;

/// For each inner search about a start: the first try, and the second where the first left few replies.
const START_NODES: [u64; 2] = [3_000, 20_000];

/// With more replies left than this a start is given up.
const FEW: usize = 50;

/// For each inner search about a game of Table 1.
const GAME_NODES: u64 = 1_000_000;

/// Table 1: Connect(p+3,p,q) and who wins; F: the game favours that side. Columns are p = 1 to 6.
const TABLE_1: [[&str; 6]; 6] = [
    ["B", "B", "W", "W", "W", "W"],
    ["", "B", "W", "W", "W", "W"],
    ["", "", "B", "FB", "FB", "FW"],
    ["", "", "", "B", "B", "FW"],
    ["", "", "", "", "B", "B"],
    ["", "", "", "", "", "B"],
];

/// Replies of more stones are too many to be looked at one by one.
const MOST_STONES: usize = 3;

pub(crate) fn run(quick: bool, runs: &Runs<'_>, out: &mut Output) -> anyhow::Result<()> {
    starts(quick, runs, out)?;
    games(quick, runs, out)
}

/// All three-stone starts in a small box.
fn starts(quick: bool, runs: &Runs<'_>, out: &mut Output) -> anyhow::Result<()> {
    writeln!(
        out,
        "Connect(19,19,6,2,3): all starts of three stones in a 5x5 box up to symmetry, those in a 4x4 box \
         first; verified at order 2 with {} nodes a search, and with {} where at most {FEW} replies are left. A \
         star: the time was up.",
        grouped(START_NODES[0]),
        grouped(START_NODES[1])
    )?;
    let table = Table::start(
        out,
        [
            "start      ",
            "box",
            "result    ",
            "survivors",
            "searches",
            "    nodes",
            "seconds",
            "checker        ",
        ],
    )?;
    // For each size of the box: won, all, seconds.
    let mut sums: BTreeMap<i16, (usize, usize, f64)> = BTreeMap::new();
    for start in three_stone_starts(if quick { 2 } else { 5 }) {
        let name = cells_in_words(&start.stones);
        let Some(counts) = classified(&start, &name, runs)? else {
            return Ok(());
        };
        let sum = sums.entry(start.size).or_default();
        sum.0 += usize::from(counts.is_win());
        sum.1 += 1;
        sum.2 += counts.seconds;
        let result = if counts.is_win() {
            "Black wins"
        } else {
            "not proved"
        };
        table.row(
            out,
            [
                name,
                format!("{0}x{0}", start.size),
                result.to_owned(),
                counts.survivors_in_words(),
                grouped(counts.searches),
                grouped(counts.nodes),
                seconds(&counts),
                counts.verdict().to_owned(),
            ],
        )?;
    }
    let (mut won, mut all, mut time) = (0, 0, 0.0);
    for (size, sum) in sums {
        (won, all, time) = (won + sum.0, all + sum.1, time + sum.2);
        writeln!(
            out,
            "\n{size}x{size} box: Black wins {won} of {all} starts, {time:.1} s"
        )?;
    }
    Ok(())
}

/// Verifies a start, and again with more nodes where few replies are left.
fn classified(start: &Start, name: &str, runs: &Runs<'_>) -> anyhow::Result<Option<Counts>> {
    let mut task = Task {
        name: format!("start-{}-first", name.replace(' ', "-")),
        position: &start.position,
        order: 2,
        nodes: START_NODES[0],
        known: None,
    };
    let Some(first) = runs.run(&task)? else {
        return Ok(None);
    };
    if first.counts.is_win() || first.counts.survivors > FEW || first.counts.nothing {
        return Ok(Some(first.counts));
    }
    task.name = format!("start-{}", name.replace(' ', "-"));
    task.nodes = START_NODES[1];
    task.known = first.proof.as_ref();
    let second = runs.run(&task)?;
    Ok(second.map(|second| second.counts.after(&first.counts)))
}

/// A start, drawn around the centre.
struct Start {
    stones: Vec<Cell>,
    position: Position,
    /// The side of the smallest box around it, from 2.
    size: i16,
}

/// Up to symmetry and translation, small boxes first.
fn three_stone_starts(largest: i16) -> Vec<Start> {
    let cells: Vec<Cell> = (0..largest)
        .flat_map(|y| (0..largest).map(move |x| Cell::new(x, y)))
        .collect();
    let mut starts = BTreeMap::new();
    for (i, &one) in cells.iter().enumerate() {
        for (j, &two) in cells.iter().enumerate().skip(i + 1) {
            for &three in &cells[j + 1..] {
                let start = start([one, two, three]);
                let key = Canonical::of(&start.on_the_plane()).setup;
                starts
                    .entry((start.size, notation::setup_text(&key)))
                    .or_insert(start);
            }
        }
    }
    starts.into_values().collect()
}

/// The stones moved such that their box lies in the middle of the board.
fn start(stones: [Cell; 3]) -> Start {
    let span = |pick: fn(&Cell) -> i16| {
        let values = stones.map(|cell| pick(&cell));
        let low = values.into_iter().min().unwrap_or(0);
        let high = values.into_iter().max().unwrap_or(0);
        (low, high - low + 1)
    };
    let ((left, width), (bottom, height)) = (span(|cell| cell.x), span(|cell| cell.y));
    let shift = |cell: Cell| {
        Cell::new(
            cell.x - left + 9 - (width - 1) / 2,
            cell.y - bottom + 9 - (height - 1) / 2,
        )
    };
    let stones = stones.map(shift).to_vec();
    let position = position("19,19,6,2,3", &cells_in_words(&stones));
    Start {
        stones,
        position,
        size: width.max(height),
    }
}

impl Start {
    fn on_the_plane(&self) -> Position {
        position("inf,inf,6,2,3", &cells_in_words(&self.stones))
    }
}

/// Table 1 for k - p = 3.
fn games(quick: bool, runs: &Runs<'_>, out: &mut Output) -> anyhow::Result<()> {
    writeln!(
        out,
        "\nTable 1, Connect(k,p,q) with k - p = 3. B, W: that side wins; FB, FW: the game favours it. Ours: \
         whether the paper's winner is proved, after the start given; replies of more than {MOST_STONES} \
         stones are too many for now, and such games are not tried."
    )?;
    let table = Table::start(
        out,
        [
            "game          ",
            "paper",
            "ours   ",
            "by   ",
            "where                               ",
            "searches",
            "    nodes",
            "seconds",
            "checker ",
        ],
    )?;
    let mut proved = 0;
    let mut all = 0;
    for (p, q, paper) in games_of_table_1() {
        if quick && (p, q) != (2, 2) {
            continue;
        }
        all += 1;
        let name = format!("Connect({},{p},{q})", p + 3);
        let mut row = [
            name,
            paper.to_owned(),
            "open".to_owned(),
            String::new(),
            if p > MOST_STONES {
                "not tried".to_owned()
            } else {
                String::new()
            },
            String::new(),
            String::new(),
            String::new(),
            "-".to_owned(),
        ];
        for attempt in attempts(p, q) {
            let task = Task {
                name: attempt.name(p, q),
                position: &attempt.position,
                order: 2,
                nodes: GAME_NODES,
                known: None,
            };
            let Some(outcome) = runs.run(&task)? else {
                return Ok(());
            };
            let counts = outcome.counts;
            if counts.is_win() {
                let winner = if attempt.winner == Side::Black {
                    "B"
                } else {
                    "W"
                };
                let agrees = paper.ends_with(winner);
                proved += usize::from(agrees);
                row = [
                    row[0].clone(),
                    row[1].clone(),
                    if agrees { "proved" } else { "refuted" }.to_owned(),
                    winner.to_owned(),
                    attempt.place(),
                    grouped(counts.searches),
                    grouped(counts.nodes),
                    seconds(&counts),
                    counts.verdict().to_owned(),
                ];
                break;
            }
        }
        table.row(out, row)?;
    }
    writeln!(out, "\nProved {proved} of {all} games")?;
    Ok(())
}

/// p, q and the paper's value, game by game.
fn games_of_table_1() -> impl Iterator<Item = (usize, usize, &'static str)> {
    (1..=6).flat_map(|p| (1..=p).map(move |q| (p, q, TABLE_1[q - 1][p - 1])))
}

/// A start from which one side may be proved to win.
struct Attempt {
    winner: Side,
    position: Position,
}

impl Attempt {
    fn name(&self, p: usize, q: usize) -> String {
        let place = self.place().replace([' ', ','], "-");
        format!("connect-{}-{p}-{q}-{place}", p + 3)
    }

    /// "J10 J11 on inf,inf", "any start on 19,19".
    fn place(&self) -> String {
        let mut stones: Vec<Cell> = self.position.stones().map(|stone| stone.cell).collect();
        stones.sort_unstable();
        let start = match stones.is_empty() {
            true => "any start".to_owned(),
            false => cells_in_words(&stones),
        };
        let board = match self.position.rules().size() {
            Some((width, height)) => format!("{width}x{height}"),
            None => "the plane".to_owned(),
        };
        format!("{start}, {board}")
    }
}

/// Black with its stones in a row or a corner; White whatever Black begins with.
fn attempts(p: usize, q: usize) -> Vec<Attempt> {
    if p > MOST_STONES {
        return Vec::new();
    }
    let shapes = ["J10 J11 J12", "J10 K11 J11"];
    let mut attempts = Vec::new();
    for board in ["inf,inf", "19,19"] {
        let rules = format!("{board},{},{p},{q}", p + 3);
        for shape in &shapes[..if q == 1 { 1 } else { 2 }] {
            let stones: Vec<&str> = shape.split(' ').take(q).collect();
            attempts.push(Attempt {
                winner: Side::Black,
                position: position(&rules, &stones.join(" ")),
            });
        }
        attempts.push(Attempt {
            winner: Side::White,
            position: position(&rules, "to-move:B"),
        });
    }
    attempts
}
