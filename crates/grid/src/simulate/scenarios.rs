//! What many workers are worth under conditions that get worse and worse.

use serde::{Deserialize, Serialize};

use super::{Conditions, GridRun, Model, Times, simulate, simulate_grid};
use crate::search::Config;

/// 1 to 10,000.
pub const GRID_WORKERS: [usize; 9] = [1, 10, 30, 100, 300, 1_000, 3_000, 5_000, 10_000];

/// Conditions with a name.
#[derive(Debug, Copy, Clone, PartialEq, Serialize)]
pub struct Scenario {
    /// What people call it.
    pub name: &'static str,
    /// What it is like.
    pub conditions: Conditions,
}

/// The ideal, one trouble after the other, and all of them at once. `service` is what the coordinator does for each answer, in seconds.
pub fn scenarios(service: f64) -> [Scenario; 6] {
    let far = Conditions {
        latency: 0.05,
        service,
        ..Conditions::IDEAL
    };
    let churn = |base| Conditions {
        stay: 3_600.0,
        away: 900.0,
        ..base
    };
    let limping = |base| Conditions {
        stragglers: 0.1,
        slowness: 10.0,
        ..base
    };
    let lying = |base| Conditions { liars: 0.1, ..base };
    let of = |name, conditions| Scenario { name, conditions };
    [
        of("ideal", Conditions::IDEAL),
        of("messages", far),
        of("churn", churn(far)),
        of("stragglers", limping(far)),
        of("liars", lying(far)),
        of("all", lying(limping(churn(far)))),
    ]
}

/// All games with so many workers under these conditions, compared with one worker under ideal ones. The shares add up to 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GridPoint {
    /// How many workers.
    pub workers: usize,
    /// The time of one worker through the time of so many.
    pub speedup: f64,
    /// Speed-up through workers.
    pub efficiency: f64,
    /// The share of time in which workers had nothing to do.
    pub idle: f64,
    /// In which they were away or dropped.
    pub away: f64,
    /// In jobs that were lost, stopped or second opinions.
    pub lost: f64,
    /// In jobs that one worker under ideal conditions would not have done, or would have done faster.
    pub extra: f64,
    /// How much of the time the coordinator was busy, where most.
    pub coordinator: f64,
    /// Answers a second.
    pub rate: f64,
    /// The runs, one for each game.
    pub runs: Vec<GridRun>,
}

/// The seconds that one worker under ideal conditions needs for all games.
pub fn alone(config: &Config, models: &[Model], times: &Times, most_jobs: u64) -> f64 {
    let busy = |model| simulate(config.clone(), model, times, 1, most_jobs).busy;
    models.iter().map(busy).sum()
}

/// Simulates all games with so many workers; `alone` is what one worker needs.
pub fn on_grid(
    config: &Config,
    models: &[Model],
    times: &Times,
    workers: usize,
    conditions: &Conditions,
    most_jobs: u64,
    alone: f64,
) -> GridPoint {
    let run = |model| simulate_grid(config.clone(), model, times, workers, conditions, most_jobs);
    let runs: Vec<GridRun> = models.iter().map(run).collect();
    let total = |of: fn(&GridRun) -> f64| runs.iter().map(of).sum::<f64>();
    let makespan = total(|run| run.makespan);
    let spent = makespan * workers as f64;
    let coordinator = runs.iter().map(|run| run.coordinator).fold(0.0, f64::max);
    GridPoint {
        workers,
        speedup: alone / makespan,
        efficiency: alone / spent,
        idle: total(|run| run.idle) / spent,
        away: total(|run| run.away) / spent,
        lost: total(|run| run.lost + run.stopped + run.second) / spent,
        extra: (total(|run| run.busy) - alone) / spent,
        coordinator,
        rate: total(|run| run.jobs as f64) / makespan,
        runs,
    }
}
