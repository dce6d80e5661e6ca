//! How fast Go-Moku is searched: `cargo bench -p tengen-prover --bench gomoku`.
//!
//! The same work each time, one thread and no limit by the clock: after each of a few second moves the search goes on until so many positions
//! were expanded. What was done is a signature, so that two versions can be compared by time only where it is the same.

#![allow(clippy::print_stdout, missing_docs, reason = "a bench talks")]

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use tengen_prover::pn::{Settings, Solver, Work};
use tengen_rules::Position;

/// Expansions after which a search is stopped, when its third move is done with a fourth.
const EXPANSIONS: u64 = 8_000;

const SEARCHES: [(&str, [&str; 2]); 3] = [
    ("gomoku", ["H8", "F4"]),
    ("gomoku", ["H8", "H7"]),
    ("gomoku-standard", ["H8", "F4"]),
];

fn main() {
    println!(
        "{:24} {:>10} {:>9} {:>9} {:>12} {:>8} {:>12}",
        "search", "expansions", "searches", "unknown", "positions", "seconds", "positions/s"
    );
    for (rules, stones) in SEARCHES {
        let mut position = Position::new(rules.parse().expect("rules"));
        for stone in stones {
            position
                .place(stone.parse().expect("a cell"))
                .expect("an empty cell");
        }
        let start = Instant::now();
        let work = search(&position);
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{:24} {:>10} {:>9} {:>9} {:>12} {seconds:>8.1} {:>12.0}",
            format!("{rules} {}", stones.join(" ")),
            work.expansions,
            work.searches,
            work.unknown,
            work.nodes,
            work.nodes as f64 / seconds
        );
    }
}

fn search(position: &Position) -> Work {
    let settings = Settings {
        threads: 1,
        ..Settings::default()
    };
    let solver = Solver::of(position, settings).expect("a position of Go-Moku");
    let stop = AtomicBool::new(false);
    let total = Mutex::new(Work::default());
    let done = solver.solve(&stop, &|news| {
        let mut total = total.lock().expect("nobody panics");
        *total += news.work;
        if total.expansions >= EXPANSIONS {
            stop.store(true, Ordering::Relaxed);
        }
    });
    done.expect("nothing is written");
    total.into_inner().expect("nobody panics")
}
