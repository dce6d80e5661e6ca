//! Simulated speed-ups: `cargo run --release -p tengen-grid --example speedups -- DISTANCE GAMES`, over games in which one
//! worker has at least 2,000 jobs.

#![allow(clippy::print_stdout, reason = "an example talks to its user")]

use std::time::Instant;

use tengen_grid::search::{Config, Policy, Selection};
use tengen_grid::simulate::{Model, Times, WORKERS, simulate, speedups};

/// A run that takes more is hopeless.
const MOST_JOBS: u64 = 200_000;

fn main() {
    let argument = |at, default| {
        let text = std::env::args().nth(at);
        text.and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let distance = argument(1, 6) as u16;
    let games = argument(2, 8);
    let model = |seed| Model {
        seed,
        distance,
        black_wins: seed.is_multiple_of(2),
        ..Model::default()
    };
    let times = Times::default();
    let large = |model: &Model| {
        let alone = simulate(Config::default(), model, &times, 1, MOST_JOBS);
        alone.solved.is_some() && alone.jobs >= 2_000
    };
    let models: Vec<Model> = (0..).map(model).filter(large).take(games).collect();
    for (policy, fill) in [false, true]
        .iter()
        .flat_map(|&fill| Policy::ALL.map(|policy| (policy, fill)))
    {
        let config = Config {
            selection: Selection::ProofNumber(policy),
            fill,
            ..Config::default()
        };
        let started = Instant::now();
        let curve = speedups(&config, &models, &times, &WORKERS, MOST_JOBS);
        println!(
            "{policy}{}: {:.1?}",
            if fill { ", fill" } else { "" },
            started.elapsed()
        );
        for point in &curve.points {
            let jobs: u64 = point.runs.iter().map(|run| run.jobs).sum();
            let solved = point.runs.iter().filter(|run| run.solved.is_some()).count();
            println!(
                "{:5} workers: speed-up {:7.1}, efficiency {:.2}, idle {:.2}, stopped {:.2}, extra {:+.2}, solved {solved}, jobs {jobs}",
                point.workers,
                point.speedup,
                point.efficiency,
                point.idle,
                point.stopped,
                point.extra
            );
        }
    }
}
