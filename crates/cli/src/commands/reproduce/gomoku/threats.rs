//! Two searches for wins by threats on the same positions: tree search over positions, with every defence
//! (`tengen_prover::pn`), and Allis's db-search, which lets the defender play all answers at once
//! (`tengen_prover::dependency`).

use std::collections::HashSet;
use std::io::Write as _;
use std::time::Duration;

use anyhow::{anyhow, bail};
use tengen_checker::{Limits as CheckLimits, Verdict};
use tengen_prover::dependency::{DependencySolver, MaxCategory};
use tengen_prover::pn::{Database, Fives, Play, ThreatSolver, Threats};
use tengen_prover::{Limits, Proof, Value};
use tengen_rules::{Cell, Position, Rules};
use tengen_threats::LineBoard;

use super::super::Table;
use crate::commands::gomoku::{cell_of, processor_time, root_of};
use crate::interrupt;
use crate::output::{Output, grouped};
use crate::progress::watched;
use crate::solving::{self, Claim};

/// Positions of each kind.
const POSITIONS: usize = 200;

/// With `--quick`.
const FEW: usize = 20;

/// What a search may look at, in three steps.
const NODES: [u64; 3] = [1_000, 10_000, 100_000];

/// Games that are begun for each position at most.
const PATIENCE: u64 = 100;

#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum Method {
    Tree,
    Dependency,
}

impl Method {
    const BOTH: [Self; 2] = [Self::Tree, Self::Dependency];

    const fn name(self) -> &'static str {
        match self {
            Self::Tree => "tree search",
            Self::Dependency => "db-search",
        }
    }
}

/// What a search has found in a position, and what it took.
struct Found {
    proof: Option<Box<Proof>>,
    nodes: u64,
    time: Duration,
}

/// Both searches.
#[derive(Default)]
struct Finder {
    tree: ThreatSolver,
    dependency: DependencySolver,
}

impl Finder {
    fn find(&mut self, method: Method, position: &Position, nodes: u64) -> Found {
        let before = processor_time();
        match method {
            Method::Tree => {
                let found = self.tree.solve(position, nodes);
                let time = processor_time().saturating_sub(before);
                let proof = match found {
                    Some(Threats::Won(win)) => win.proof(position).map(Box::new),
                    _ => None,
                };
                Found {
                    proof,
                    nodes: self.tree.nodes(),
                    time,
                }
            }
            Method::Dependency => {
                let limits = Limits {
                    nodes: Some(nodes),
                    time: None,
                };
                let attacker = position.to_move();
                let category = MaxCategory::Threes;
                let solution = self.dependency.solve(position, attacker, category, limits);
                let time = processor_time().saturating_sub(before);
                let proof = match solution.value {
                    Value::Win(proof) => Some(proof),
                    _ => None,
                };
                Found {
                    proof,
                    nodes: solution.nodes,
                    time,
                }
            }
        }
    }
}

/// Prints what both find: in positions of games, and in those that a proof leaves to threats.
pub(super) fn compare(database: &Database, quick: bool, out: &mut Output) -> anyhow::Result<()> {
    let number = if quick { FEW } else { POSITIONS };
    writeln!(
        out,
        "\nWins by threats, found in two ways: tree search over positions (docs/gomoku.md) and db-search, Allis's. Every win is VERIFIED."
    )?;
    let games = from_games(number);
    let what = "positions of games, 8 to 20 stones";
    table(what, &games, out)?;
    if database.wins() == Fives::Exactly {
        writeln!(out, "\ndb-search is only for the rule of five or more.")?;
        return Ok(());
    }
    let leaves = leaves(database, number)?;
    let what = "positions of the proof above that Black wins by threats";
    table(what, &leaves, out)?;
    writeln!(
        out,
        "\nTree search counts positions, db-search operators and their combinations, and turns when a sequence is played through."
    )?;
    Ok(())
}

fn table(what: &str, positions: &[Position], out: &mut Output) -> anyhow::Result<()> {
    writeln!(out, "\n{} {what}:", positions.len())?;
    let heads = [
        "search     ",
        "nodes at most",
        "won",
        "only so",
        "   looked at",
        "processor",
        "   median",
    ];
    let table = Table::start(out, heads)?;
    let mut finder = Finder::default();
    for nodes in NODES {
        let mut rows: Vec<(Method, Vec<Found>)> = Vec::new();
        for method in Method::BOTH {
            let line = || format!("{}, {} nodes", method.name(), grouped(nodes));
            let found = watched(line, || {
                let alive = positions.iter().take_while(|_| !interrupt::is_stopped());
                alive
                    .map(|position| finder.find(method, position, nodes))
                    .collect::<Vec<_>>()
            })?;
            if interrupt::is_stopped() {
                return Ok(());
            }
            for (position, found) in positions.iter().zip(&found) {
                if let Some(proof) = &found.proof {
                    verify(position, proof)?;
                }
            }
            rows.push((method, found));
        }
        let won = |row: usize, number: usize| rows[row].1[number].proof.is_some();
        for (row, (method, found)) in rows.iter().enumerate() {
            let mine = (0..positions.len()).filter(|&number| won(row, number));
            let only = mine.clone().filter(|&number| !won(1 - row, number));
            let mut times: Vec<Duration> = found.iter().map(|found| found.time).collect();
            times.sort_unstable();
            let median = times.get(times.len() / 2).copied().unwrap_or_default();
            let cells = [
                method.name().to_owned(),
                grouped(nodes),
                mine.count().to_string(),
                only.count().to_string(),
                grouped(found.iter().map(|found| found.nodes).sum()),
                format!("{:.2} s", times.iter().sum::<Duration>().as_secs_f64()),
                format!("{:.3} ms", median.as_secs_f64() * 1e3),
            ];
            table.row(out, cells)?;
        }
    }
    Ok(())
}

/// Has the checker look at a win.
fn verify(position: &Position, proof: &Proof) -> anyhow::Result<()> {
    let claim = Claim::new(position, position.to_move());
    match solving::verdict(proof.to_text(), Some(claim), CheckLimits::default()) {
        Some(Verdict::Verified(_)) => Ok(()),
        // Ctrl-C.
        None => Ok(()),
        Some(other) => Err(anyhow!("a win by threats is not verified: {other}")),
    }
}

/// Positions of games that a simple policy plays, always the same: a five is prevented, otherwise of a few cells near the stones the one
/// is taken that promises most. Where a five can be completed, nothing is left to be searched.
fn from_games(number: usize) -> Vec<Position> {
    let games = (0..number as u64 * PATIENCE).filter_map(|seed| {
        let mut random = fastrand::Rng::with_seed(seed);
        let stones = random.u32(8..=20);
        let mut position = Position::new(Rules::GOMOKU);
        for _ in 0..stones {
            let cell = next(&position, &mut random)?;
            position.place(cell).ok()?;
        }
        // Somebody would have to win now.
        next(&position, &mut random).map(|_| position)
    });
    games.take(number).collect()
}

/// The next stone of a game; `None` if it would win.
fn next(position: &Position, random: &mut fastrand::Rng) -> Option<Cell> {
    let board = LineBoard::from_position(position);
    let side = position.to_move();
    if board.winning_set(side, 1).is_some() {
        return None;
    }
    if let Some(five) = board.winning_set(!side, 1) {
        return Some(board.cell(five[0]));
    }
    let near = near(position, 2);
    let some = (0..3).map(|_| near[random.usize(0..near.len())]);
    some.max_by_key(|&cell| {
        let index = board.index(cell).unwrap_or_default();
        3 * board.promise(side, index) + 2 * board.promise(!side, index)
    })
}

/// The empty cells that are so near to a stone; the centre of an empty board.
fn near(position: &Position, distance: i16) -> Vec<Cell> {
    let stones: Vec<Cell> = position.stones().map(|stone| stone.cell).collect();
    if stones.is_empty() {
        return vec![Cell::new(7, 7)];
    }
    let is_near = |cell: &Cell| {
        let near =
            |stone: &Cell| (stone.x - cell.x).abs().max((stone.y - cell.y).abs()) <= distance;
        position.stone(*cell).is_none() && stones.iter().any(near)
    };
    position.grid().cells().filter(is_near).collect()
}

/// Positions that a proof leaves to wins by threats: White replies at random, always the same, Black as the proof says, until a reply is
/// answered by threats.
fn leaves(database: &Database, number: usize) -> anyhow::Result<Vec<Position>> {
    let root = root_of(database)?;
    let mut seen = HashSet::new();
    let mut leaves = Vec::new();
    for seed in 0..number as u64 * PATIENCE {
        if leaves.len() >= number {
            break;
        }
        let mut random = fastrand::Rng::with_seed(seed);
        let mut position = root.clone();
        let mut moves = Vec::new();
        loop {
            match database.play(&moves) {
                Some(Play::Known { cell }) => {
                    moves.push(cell);
                    place(&mut position, cell_of(cell))?;
                }
                Some(Play::Threat { .. }) if seen.insert(position.key()) => {
                    leaves.push(position);
                    break;
                }
                Some(_) => break,
                None => bail!("the database has no answer"),
            }
            let mut near = near(&position, 4);
            random.shuffle(&mut near);
            let has_record = |reply: &&Cell| {
                let moves = [moves.as_slice(), &[place_of(**reply)]].concat();
                matches!(database.play(&moves), Some(Play::Known { .. }))
            };
            // Every other reply is one that the proof has a record for: they lead deeper.
            let deeper = random
                .bool()
                .then(|| near.iter().find(has_record))
                .flatten();
            let Some(&reply) = deeper.or(near.first()) else {
                break;
            };
            moves.push(place_of(reply));
            place(&mut position, reply)?;
            if position.outcome().is_some() {
                break;
            }
        }
    }
    Ok(leaves)
}

/// Column and row, as a database has them.
const fn place_of(cell: Cell) -> (usize, usize) {
    (cell.x as usize, cell.y as usize)
}

fn place(position: &mut Position, cell: Cell) -> anyhow::Result<()> {
    position.place(cell).map_err(|error| anyhow!("{error}"))
}
