//! Speed-up curves, and where the rest is lost.

use serde::{Deserialize, Serialize};

use super::{Model, Run, Times, simulate};
use crate::search::Config;

/// 1, 2, 4, ... 1,024.
pub const WORKERS: [usize; 11] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024];

/// A curve for one way to choose, over one or more games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// How jobs were chosen.
    pub config: Config,
    /// For each number of workers.
    pub points: Vec<Point>,
}

/// All games with so many workers, compared with one worker. The four shares add up to 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// How many workers.
    pub workers: usize,
    /// The time of one worker through the time of so many, both added up over the games.
    pub speedup: f64,
    /// The share of the workers' time that one worker would have needed: speed-up through workers.
    pub efficiency: f64,
    /// The share lost because there was nothing to order.
    pub idle: f64,
    /// The share lost in jobs that were stopped.
    pub stopped: f64,
    /// The share lost in jobs that one worker would not have done; below 0 if it would have done more.
    pub extra: f64,
    /// The runs, one for each game.
    pub runs: Vec<Run>,
}

/// Simulates all games with all numbers of workers. Efficiencies are those of sums, so that a lucky small game cannot
/// hide an unlucky large one.
pub fn speedups(
    config: &Config,
    models: &[Model],
    times: &Times,
    workers: &[usize],
    most_jobs: u64,
) -> Curve {
    let runs = |workers| -> Vec<Run> {
        let run = |model| simulate(config.clone(), model, times, workers, most_jobs);
        models.iter().map(run).collect()
    };
    let alone = total(&runs(1), |run| run.busy);
    let points = workers
        .iter()
        .map(|&workers| point(workers, alone, runs(workers)));
    Curve {
        config: config.clone(),
        points: points.collect(),
    }
}

fn point(workers: usize, alone: f64, runs: Vec<Run>) -> Point {
    let makespan = total(&runs, |run| run.makespan);
    let spent = makespan * workers as f64;
    Point {
        workers,
        speedup: alone / makespan,
        efficiency: alone / spent,
        idle: total(&runs, |run| run.idle) / spent,
        stopped: total(&runs, |run| run.stopped) / spent,
        extra: (total(&runs, |run| run.busy) - alone) / spent,
        runs,
    }
}

fn total(runs: &[Run], of: impl Fn(&Run) -> f64) -> f64 {
    runs.iter().map(of).sum()
}
