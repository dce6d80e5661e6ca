//! The same search with virtual workers, up to 1,024 of them.

use std::io::Write as _;

use anyhow::anyhow;
use serde::Serialize;
use tengen_grid::search::{Config, Policy, Selection};
use tengen_grid::simulate::{
    Curve, Model, Point, Recording, Run, Sample, Times, WORKERS, simulate, speedups,
};

use super::super::table::Table;
use crate::interrupt;
use crate::output::{Output, grouped};
use crate::progress::watched;

/// A run that takes more is hopeless.
const MOST_JOBS: u64 = 200_000;
/// Recorded times are taken from so many jobs on.
const LEAST_SAMPLES: usize = 100;
/// A fitted model is taken from a tree of so many jobs on: smaller ones tell nothing about the proportions.
const LEAST_FITTED: u64 = 50;
/// How far from the end games are at most.
const FURTHEST: u16 = 40;

/// How much is simulated.
#[derive(Debug, Copy, Clone)]
pub(super) struct Size {
    pub(super) games: usize,
    /// One worker needs at least so many jobs for a game.
    pub(super) least_jobs: u64,
}

impl Size {
    pub(super) const FULL: Self = Self {
        games: 8,
        least_jobs: 2_000,
    };
    pub(super) const QUICK: Self = Self {
        games: 2,
        least_jobs: 200,
    };
}

/// A way to choose jobs, and how it does.
#[derive(Debug, Serialize)]
pub(super) struct Way {
    pub(super) policy: Policy,
    pub(super) fill: bool,
    pub(super) curve: Curve,
}

impl Way {
    /// "greedy", "greedy, fill".
    pub(super) fn label(&self) -> String {
        format!("{}{}", self.policy, if self.fill { ", fill" } else { "" })
    }

    pub(super) fn point(&self, workers: usize) -> Option<&Point> {
        self.curve
            .points
            .iter()
            .find(|point| point.workers == workers)
    }
}

/// Simulates and prints all ways; `None` after Ctrl-C.
pub(super) fn run(
    recorded: &[Recording],
    size: Size,
    out: &mut Output,
) -> anyhow::Result<Option<Vec<Way>>> {
    let times = times(recorded, out)?;
    let base = base(recorded, out)?;
    let Some(models) = games(base, &times, size)? else {
        return Ok(None);
    };
    if models.iter().any(|model| model.defences != base.defences) {
        writeln!(
            out,
            "Such games are all tiny or endless, so the simulator's own model is taken."
        )?;
    }
    writeln!(
        out,
        "{} games at a distance of {} turns, in which one worker has at least {} jobs; Black wins every other one.",
        models.len(),
        models.first().map_or(0, |model| model.distance),
        grouped(size.least_jobs)
    )?;
    let table = Table::start(
        out,
        [
            "policy                   ",
            "workers",
            "speed-up",
            "efficiency",
            " idle",
            "stopped",
            "extra",
            "    jobs",
            "solved",
        ],
    )?;
    let mut ways = Vec::new();
    for fill in [false, true] {
        for policy in Policy::ALL {
            let way = watched(
                || format!("simulating {policy}"),
                || simulated(policy, fill, &models, &times),
            )?;
            if interrupt::is_stopped() {
                return Ok(None);
            }
            print(&way, &table, out)?;
            ways.push(way);
        }
    }
    Ok(Some(ways))
}

fn simulated(policy: Policy, fill: bool, models: &[Model], times: &Times) -> Way {
    let curve = speedups(&config(policy, fill), models, times, &WORKERS, MOST_JOBS);
    Way {
        policy,
        fill,
        curve,
    }
}

fn config(policy: Policy, fill: bool) -> Config {
    Config {
        selection: Selection::ProofNumber(policy),
        fill,
        ..Config::default()
    }
}

fn print(way: &Way, table: &Table, out: &mut Output) -> anyhow::Result<()> {
    for point in &way.curve.points {
        let jobs: u64 = point.runs.iter().map(|run| run.jobs).sum();
        let solved = point.runs.iter().filter(|run| run.solved.is_some()).count();
        table.row(
            out,
            [
                way.label(),
                grouped(point.workers as u64),
                format!("{:.1}", point.speedup),
                format!("{:.2}", point.efficiency),
                format!("{:.2}", point.idle),
                format!("{:.2}", point.stopped),
                format!("{:+.2}", point.extra),
                grouped(jobs),
                format!("{solved}/{}", point.runs.len()),
            ],
        )?;
    }
    Ok(())
}

fn times(recorded: &[Recording], out: &mut Output) -> anyhow::Result<Times> {
    let samples: Vec<Sample> = recorded
        .iter()
        .flat_map(|search| search.samples.clone())
        .collect();
    if samples.len() < LEAST_SAMPLES {
        writeln!(
            out,
            "Job times: the simulator's own (a median of 10 s, few take minutes), for {} jobs were recorded.",
            samples.len()
        )?;
        return Ok(Times::default());
    }
    let mut seconds: Vec<f64> = samples.iter().map(|sample| sample.seconds).collect();
    seconds.sort_by(f64::total_cmp);
    let quantile = |part: usize| seconds[(seconds.len() - 1) * part / 100];
    writeln!(
        out,
        "Job times: {} recorded ones, a median of {:.2} s, one in ten above {:.2} s, the longest {:.1} s.",
        grouped(seconds.len() as u64),
        quantile(50),
        quantile(90),
        quantile(100)
    )?;
    Ok(Times::recorded(&samples))
}

/// The proportions of the largest solved tree, or the simulator's own.
fn base(recorded: &[Recording], out: &mut Output) -> anyhow::Result<Model> {
    let large = recorded.iter().filter(|search| search.jobs >= LEAST_FITTED);
    let fitted = large
        .filter_map(|search| Some((search, search.model?)))
        .max_by_key(|(search, _)| search.jobs);
    let (model, whose) = match fitted {
        Some((search, model)) => (
            model,
            format!("fitted to {} ({} jobs)", search.name, grouped(search.jobs)),
        ),
        None => (Model::default(), "the simulator's own".to_owned()),
    };
    writeln!(
        out,
        "Model: {whose}: {:.1} defences survive a threat, the first turn is right in {:.0}% of positions.",
        model.defences,
        100.0 * model.insight
    )?;
    Ok(model)
}

/// Games with these proportions that are large enough, as near to the end as that allows; `None` after Ctrl-C.
fn games(base: Model, times: &Times, size: Size) -> anyhow::Result<Option<Vec<Model>>> {
    let line = || "looking for games that are large enough".to_owned();
    let of = |base| (1..=FURTHEST).find_map(|distance| games_at(base, distance, times, size));
    // Where a fitted model only knows tiny or endless games, the default one has what is needed.
    let found = watched(line, || of(base).or_else(|| of(Model::default())))?;
    if interrupt::is_stopped() {
        return Ok(None);
    }
    found.map(Some).ok_or_else(|| {
        let jobs = grouped(size.least_jobs);
        anyhow!("no game of the simulator needs {jobs} jobs, which is a bug in tengen")
    })
}

fn games_at(base: Model, distance: u16, times: &Times, size: Size) -> Option<Vec<Model>> {
    let model = |seed: u64| Model {
        seed,
        distance,
        black_wins: seed.is_multiple_of(2),
        ..base
    };
    let alone = |model: &Model| -> Run {
        let config = config(Policy::default(), false);
        simulate(config, model, times, 1, MOST_JOBS / 2)
    };
    let is_large = |model: &Model| {
        let run = alone(model);
        run.solved.is_some() && run.jobs >= size.least_jobs
    };
    let half = size.games.div_ceil(2);
    // As many of either winner, so that no policy is favoured.
    let won_by = |first: u64| -> Vec<Model> {
        let seeds = (0..4 * half as u64).map(|number| 2 * number + first);
        let running = seeds.take_while(|_| !interrupt::is_stopped());
        running.map(model).filter(is_large).take(half).collect()
    };
    let (black, white) = (won_by(0), won_by(1));
    let enough = black.len() == half && white.len() == half;
    enough.then(|| {
        black
            .into_iter()
            .zip(white)
            .flat_map(|(a, b)| [a, b])
            .collect()
    })
}
