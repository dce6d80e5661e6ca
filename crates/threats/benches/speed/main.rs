//! How fast the line structure is: `cargo bench -p tengen-threats`, or `make bench`.
//!
//! Every workload prints nanoseconds per operation and a checksum that must not change. With
//! `--workload NAME --rounds N` one workload runs alone, for counting instructions under callgrind
//! (`scripts/instructions.sh`): the difference between two numbers of rounds, divided, is exact and
//! does not depend on how busy the machine is.

#![allow(clippy::print_stdout, missing_docs, reason = "a bench talks")]

mod window_counters;

use std::hint::black_box;
use std::time::Instant;

use tengen_rules::{Cell, Position, Rules, Side};
use tengen_threats::{Index, LineBoard, SmallThreatTurns};
use window_counters::WindowCounters;

/// The committed middle games of these rules.
fn middle_games(rules: Rules) -> Vec<Position> {
    let text = include_str!("../../../../suites/bench/middle-games.moves");
    let mut games = Vec::new();
    let mut wanted = false;
    for line in text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        if let Some(name) = line.strip_prefix("rules ") {
            wanted = name.parse() == Ok(rules);
        } else if wanted {
            let cells: Result<Vec<Cell>, _> = line.split(' ').map(str::parse).collect();
            games.push(Position::replay(rules, &cells.expect("cells")).expect("a legal game"));
        }
    }
    games
}

struct Workload {
    name: &'static str,
    /// Runs once; returns how many operations that were, and a checksum.
    run: Box<dyn FnMut() -> (u64, u64)>,
}

fn random_cells(board: &LineBoard, count: usize) -> Vec<Index> {
    let mut random = fastrand::Rng::with_seed(17);
    let mut cells: Vec<Index> = (0..board.grid().len() as Index)
        .filter(|&c| board.stone(c).is_none())
        .collect();
    random.shuffle(&mut cells);
    cells.truncate(count);
    cells
}

fn place_undo(name: &'static str, positions: &[Position]) -> Workload {
    let mut boards: Vec<LineBoard> = positions.iter().map(LineBoard::from_position).collect();
    let cells: Vec<Vec<Index>> = boards.iter().map(|board| random_cells(board, 60)).collect();
    let run = move || {
        let (mut pairs, mut checksum) = (0, 0);
        for (board, cells) in boards.iter_mut().zip(&cells) {
            // As search does it: a few stones deep, back, and on.
            for four in cells.chunks(4) {
                for (i, &cell) in four.iter().enumerate() {
                    checksum += u64::from(board.place(Side::BOTH[i / 2 % 2], cell));
                }
                checksum ^= board.stones_key();
                for _ in four {
                    board.undo();
                }
                pairs += four.len() as u64;
            }
        }
        (pairs, checksum)
    };
    Workload {
        name,
        run: Box::new(run),
    }
}

fn place_undo_counters(name: &'static str, positions: &[Position]) -> Workload {
    let mut boards = Vec::new();
    for position in positions {
        let line_board = LineBoard::from_position(position);
        let rules = position.rules();
        let mut board = WindowCounters::new(position.grid(), rules.line(), rules.per_turn());
        for stone in position.stones() {
            board.place(
                stone.side,
                position.grid().index(stone.cell).expect("on the board") as Index,
            );
        }
        boards.push((board, random_cells(&line_board, 60)));
    }
    let run = move || {
        let (mut pairs, mut checksum) = (0, 0);
        for (board, cells) in &mut boards {
            for four in cells.chunks(4) {
                for (i, &cell) in four.iter().enumerate() {
                    board.place(Side::BOTH[i / 2 % 2], cell);
                }
                for _ in four {
                    board.undo();
                }
                pairs += four.len() as u64;
            }
            checksum += u64::from(board.sizes()[0][2]);
        }
        (pairs, checksum)
    };
    Workload {
        name,
        run: Box::new(run),
    }
}

fn threat_turns(name: &'static str, positions: &[Position], at_least: u8) -> Workload {
    let boards: Vec<(LineBoard, Side)> = positions
        .iter()
        .map(|p| (LineBoard::from_position(p), p.to_move()))
        .collect();
    let stones = positions[0].rules().per_turn();
    let mut turns = SmallThreatTurns::default();
    let run = move || {
        let mut checksum = 0;
        for (board, side) in &boards {
            board.small_threat_turns(*side, stones, at_least, &mut turns);
            checksum += (turns.singles.len() + turns.pairs.len()) as u64;
        }
        (boards.len() as u64, checksum)
    };
    Workload {
        name,
        run: Box::new(run),
    }
}

fn defences(name: &'static str, positions: &[Position]) -> Workload {
    // After each double threat: how many threats, and what defends.
    let mut cases = Vec::new();
    for position in positions {
        let mut board = LineBoard::from_position(position);
        let side = position.to_move();
        let mut turns = SmallThreatTurns::default();
        board.small_threat_turns(side, position.rules().per_turn(), 2, &mut turns);
        if let Some(&[a, b]) = turns.pairs.first() {
            board.place(side, a);
            board.place(side, b);
            cases.push((board, side));
        }
    }
    let run = move || {
        let mut checksum = 0;
        for (board, side) in &cases {
            checksum +=
                u64::from(board.threat_count(*side)) + board.critical_sets(*side).len() as u64;
        }
        (cases.len() as u64, checksum)
    };
    Workload {
        name,
        run: Box::new(run),
    }
}

fn workloads() -> Vec<Workload> {
    let connect6 = middle_games(Rules::CONNECT6);
    let gomoku = middle_games(Rules::GOMOKU);
    assert!(
        connect6.len() > 20 && gomoku.len() > 20,
        "{} {}",
        connect6.len(),
        gomoku.len()
    );
    vec![
        place_undo("place-undo/connect6", &connect6),
        place_undo_counters("place-undo/connect6/window-counters", &connect6),
        place_undo("place-undo/gomoku", &gomoku),
        threat_turns("double-threat-turns/connect6", &connect6, 2),
        threat_turns("single-threat-turns/connect6", &connect6, 1),
        threat_turns("fours/gomoku", &gomoku, 1),
        defences("count-and-defences/connect6", &connect6),
    ]
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let value = |name: &str| {
        arguments
            .iter()
            .position(|a| a == name)
            .and_then(|i| arguments.get(i + 1))
            .cloned()
    };
    let rounds = value("--rounds").and_then(|text| text.parse::<u64>().ok());
    for mut workload in workloads() {
        if value("--workload").is_some_and(|name| name != workload.name) {
            continue;
        }
        if let Some(rounds) = rounds {
            let mut operations = 0;
            for _ in 0..rounds {
                operations += black_box((workload.run)()).0;
            }
            println!("{} operations {operations}", workload.name);
            continue;
        }
        let (per_run, checksum) = (workload.run)();
        let mut best = f64::INFINITY;
        for _ in 0..7 {
            let start = Instant::now();
            let mut operations = 0;
            while start.elapsed().as_millis() < 60 {
                operations += black_box((workload.run)()).0;
            }
            best = best.min(start.elapsed().as_secs_f64() / operations as f64);
        }
        println!(
            "{:40} {:9.1} ns  ({per_run} operations, checksum {checksum:x})",
            workload.name,
            best * 1e9
        );
    }
}
