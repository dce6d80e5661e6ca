//! `tengen bench`: a checksum of behaviour, and speeds.
//!
//! The signature counts what the code finds over fixed positions, one thread, no clock: games for
//! `rules`; windows, wins, defences, shapes and threatening turns along fixed random walks for
//! `threats`; positions looked at to find known wins for `prover`; turns that alpha-beta searches for
//! `player`. If it moves, the change is functional. If it does not, that is good evidence of a refactoring
//! and no proof: only these positions were asked.

use std::hint::black_box;
use std::io::Write as _;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use tengen_player::{AlphaBeta, Engine as _, Limits, Options, Task};
use tengen_prover::{Request, Solver};
use tengen_rules::{Cell, Position, Rules, Side, notation, perft};
use tengen_threats::{LineBoard, SmallThreatTurns};

use crate::args::BenchArgs;
use crate::output::{Output, grouped};
use crate::suite;

const POSITIONS: &str = include_str!("../../../../suites/bench/positions.txt");
const WINS: &str = include_str!("../../../../suites/bench/wins.txt");

/// How many turns to count from the empty board of which game.
const GAMES: [(&str, u32); 6] = [
    ("tic-tac-toe", 9),
    ("5,4,4,1,1", 5),
    ("4,4,4,2,1", 4),
    ("6,3,5,3,2", 3),
    ("gomoku", 3),
    ("connect6", 2),
];

/// How many stones of a random walk follow each position.
const WALK: usize = 24;

/// Nodes after which the search of a known win is given up.
const PROVER_NODES: u64 = 20_000;

/// Of each set of known wins every so many positions are searched.
const EVERY: usize = 5;

/// Nodes for each turn of the main engine.
const PLAYER_NODES: u64 = 10_000;

/// How long each speed is measured.
const MEASURE: Duration = Duration::from_millis(600);

pub(crate) fn run(args: &BenchArgs, out: &mut Output) -> anyhow::Result<()> {
    let positions: Vec<Position> = suite::parse(POSITIONS)
        .context("the built-in positions cannot be read")?
        .into_iter()
        .map(|entry| entry.position)
        .collect();
    let rules = rules_signature()?;
    let threats = positions.iter().map(threats_signature).sum::<u64>();
    let start = Instant::now();
    let prover = prover_signature()?;
    let nodes_per_second = prover as f64 / start.elapsed().as_secs_f64();
    let player = player_signature(&positions)?;
    if !args.quick {
        out.flush()?;
        print_speeds(&positions, out)?;
        line(
            out,
            "prover: search of known wins",
            nodes_per_second,
            "nodes/s",
        )?;
    }
    writeln!(
        out,
        "Bench: rules {rules} threats {threats} prover {prover} player {player}"
    )?;
    Ok(())
}

/// How many games there are.
fn rules_signature() -> anyhow::Result<u64> {
    let mut total = 0;
    for (rules, depth) in GAMES {
        let rules = rules.parse().context("the built-in rules cannot be read")?;
        total += perft(&mut Position::new(rules), depth);
    }
    Ok(total)
}

/// How many turns alpha-beta searches in the positions of Connect6, mixed with what it chooses. How fast it is,
/// `cargo bench -p tengen-player --bench think` says.
fn player_signature(positions: &[Position]) -> anyhow::Result<u64> {
    let mut engine = AlphaBeta::new(&Options {
        memory: 8 << 20,
        ..Options::default()
    });
    let limits = Limits {
        nodes: Some(PLAYER_NODES),
        ..Limits::default()
    };
    let mut signature = 0;
    for position in positions {
        if position.rules() != Rules::CONNECT6 || position.outcome().is_some() {
            continue;
        }
        engine.forget();
        let answer = engine.think(position, &Task::new(limits))?;
        let turn = answer.best().turn.cells().iter();
        let chosen: i16 = turn.map(|cell| 19 * cell.y + cell.x).sum();
        signature += engine.turns() * 1_000 + u64::from(chosen.unsigned_abs());
    }
    Ok(signature)
}

/// How many positions are looked at to find wins that are there.
fn prover_signature() -> anyhow::Result<u64> {
    let mut solver = Solver::default();
    let (mut rules, mut order, mut number, mut nodes) = (Rules::CONNECT6, 1, 0, 0);
    for line in WINS
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        if let Some(name) = line.strip_prefix("rules ") {
            rules = name.parse().context("the built-in wins cannot be read")?;
        } else if let Some(text) = line.strip_prefix("order ") {
            order = text.parse().context("the built-in wins cannot be read")?;
        } else {
            number += 1;
            if number % EVERY != 0 {
                continue;
            }
            let position = notation::parse_position(line, rules)
                .context("the built-in wins cannot be read")?;
            let mut request = Request::new(position.to_move(), order);
            request.limits.nodes = Some(PROVER_NODES);
            nodes += solver.solve(&position, &request).nodes;
        }
    }
    Ok(nodes)
}

/// What is found along a random walk that starts here, for both sides at every step.
fn threats_signature(position: &Position) -> u64 {
    let mut position = position.clone();
    let mut board = LineBoard::from_position(&position);
    let key = board.stones_key();
    let mut random = Random(position.key());
    let mut found = findings(&board);
    let mut walked = 0;
    while walked < WALK && position.outcome().is_none() {
        let cell = random.near_stone(&position);
        let (side, index) = (position.to_move(), board.index(cell));
        // An infinite board may have been laid anew, and a cell may be taken.
        if let Some(index) = index
            && position.place(cell).is_ok()
        {
            found += u64::from(board.place(side, index));
            found += findings(&board);
            walked += 1;
        }
    }
    while board.undo() {}
    // A wrong undo must change the signature.
    found + u64::from(board.stones_key() != key)
}

/// The number of everything that is forced.
fn findings(board: &LineBoard) -> u64 {
    let per_turn = board.rules().per_turn();
    let mut count = 0;
    for side in Side::BOTH {
        let defences = board.critical_defences(side);
        count += u64::from(board.threat_count(side))
            + board.threat_windows(side).len() as u64
            + board.immediate_wins(side, per_turn).len() as u64
            + (defences.normal.len() + defences.relaxed.len()) as u64
            + board.shapes(side).len() as u64;
        // Turns of three stones and more are too many to list at every step.
        for at_least in 1..=2 {
            let turns = board.threat_turns(side, per_turn.min(2), at_least);
            count += turns.len() as u64;
        }
    }
    count
}

fn print_speeds(positions: &[Position], out: &mut Output) -> anyhow::Result<()> {
    let connect6: Vec<&Position> = positions
        .iter()
        .filter(|position| position.rules() == Rules::CONNECT6)
        .collect();

    let mut walks: Vec<(Position, Vec<Cell>)> = connect6
        .iter()
        .map(|position| ((*position).clone(), random_cells(position)))
        .collect();
    let speed = measure(|| {
        let mut pairs = 0;
        for (position, cells) in &mut walks {
            for &cell in cells.iter() {
                pairs += u64::from(position.place(cell).is_ok());
            }
            for _ in 0..cells.len() {
                position.undo();
            }
        }
        pairs
    });
    line(out, "rules: place and undo, 19x19", speed, "pairs/s")?;

    let mut boards: Vec<(LineBoard, Vec<u16>)> = walks
        .iter()
        .map(|(position, cells)| {
            let board = LineBoard::from_position(position);
            let cells = cells.iter().filter_map(|&cell| board.index(cell));
            (board.clone(), cells.collect())
        })
        .collect();
    let speed = measure(|| {
        let mut pairs = 0;
        for (board, cells) in &mut boards {
            for (i, &cell) in cells.iter().enumerate() {
                board.place(Side::BOTH[i / 2 % 2], cell);
            }
            for _ in 0..cells.len() {
                pairs += u64::from(board.undo());
            }
        }
        pairs
    });
    line(out, "threats: place and undo, 19x19", speed, "pairs/s")?;

    let quiet: Vec<(LineBoard, Side)> = connect6
        .iter()
        .flat_map(|position| Side::BOTH.map(|side| (LineBoard::from_position(position), side)))
        .filter(|(board, side)| !board.has_threat(*side))
        .collect();
    let mut turns = SmallThreatTurns::default();
    let mut generate = |board: &LineBoard, side: Side| {
        board.small_threat_turns(side, 2, 2, &mut turns);
        (turns.singles.len() + turns.pairs.len()) as u64
    };
    let calls = measure(|| {
        for (board, side) in &quiet {
            black_box(generate(board, *side));
        }
        quiet.len() as u64
    });
    let made = measure(|| {
        quiet
            .iter()
            .map(|(board, side)| generate(board, *side))
            .sum()
    });
    line(
        out,
        "threats: all double-threat turns",
        calls,
        "positions/s",
    )?;
    line(out, "threats: double-threat turns", made, "turns/s")?;
    writeln!(
        out,
        "{:<36}{:>16.2} microseconds",
        "threats: one such generation",
        1e6 / calls
    )?;
    Ok(())
}

fn line(out: &mut Output, what: &str, speed: f64, unit: &str) -> anyhow::Result<()> {
    Ok(writeln!(
        out,
        "{what:<36}{:>16} {unit}",
        grouped(speed as u64)
    )?)
}

/// Repeats the work until it has taken long enough; how much of it was done per second.
fn measure(mut work: impl FnMut() -> u64) -> f64 {
    let start = Instant::now();
    let mut done = 0;
    loop {
        done += black_box(work());
        let elapsed = start.elapsed();
        if elapsed >= MEASURE {
            return done as f64 / elapsed.as_secs_f64();
        }
    }
}

/// Different empty cells near the stones, none of which ends the game.
fn random_cells(position: &Position) -> Vec<Cell> {
    let mut position = position.clone();
    let mut random = Random(position.key());
    let mut cells = Vec::new();
    while cells.len() < WALK {
        let cell = random.near_stone(&position);
        if position.place(cell).is_ok() {
            if position.outcome().is_some() {
                position.undo();
            } else {
                cells.push(cell);
            }
        }
    }
    cells
}

/// SplitMix64: small, seeded, the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// A cell at most two steps from some stone; it may be occupied or off the board.
    fn near_stone(&mut self, position: &Position) -> Cell {
        let stones: Vec<Cell> = position.stones().map(|stone| stone.cell).collect();
        let stone = stones[self.below(stones.len())];
        let mut offset = || self.below(5) as i16 - 2;
        Cell::new(stone.x + offset(), stone.y + offset())
    }
}
