//! What up to 10,000 workers are worth when messages take time and workers come, go, limp and lie. Nothing of this is in a paper; the
//! papers' grid had tens of workers in one room.

use std::io::Write as _;

use anyhow::anyhow;
use tengen_grid::search::{Config, Policy, Selection};
use tengen_grid::simulate::{
    GRID_WORKERS, GridPoint, Model, Times, alone, on_grid, scenarios, simulate,
};

use super::plot::{Axis, Chart, Curve};
use super::table::Table;
use crate::args::ReproduceArgs;
use crate::commands::check::counted;
use crate::interrupt;
use crate::output::{Output, grouped, write_file};
use crate::progress::watched;

/// What a coordinator is supposed to need for each answer, in seconds.
const SERVICE: f64 = 0.001;
/// A run that takes more is hopeless.
const MOST_JOBS: u64 = 2_000_000;
/// How far from the end games are at most.
const FURTHEST: u16 = 40;

/// A scenario's name and what it comes to.
type Line = (&'static str, Vec<GridPoint>);

pub(crate) fn run(args: &ReproduceArgs, out: &mut Output) -> anyhow::Result<()> {
    let (least, games, most) = match args.quick {
        true => (300, 1, 100),
        false => (20_000, 2, usize::MAX),
    };
    let times = Times::default();
    let found = watched(
        || "looking for games that are large enough".to_owned(),
        || models(least, games, &times),
    )?;
    if interrupt::is_stopped() {
        return Ok(());
    }
    let models = found.ok_or_else(|| anyhow!("no game is large enough, which is a bug"))?;
    writeln!(
        out,
        "{} in which one worker has at least {} jobs; jobs with a median of 10 s, few take minutes.",
        counted(models.len() as u64, "game"),
        grouped(least)
    )?;
    writeln!(
        out,
        "messages: 50 ms, and {} ms of the coordinator for each answer; churn: workers stay for an hour and are away for a quarter; \
         stragglers: one in ten takes ten times as long; liars: one in ten. All but the ideal have the messages.",
        SERVICE * 1000.0
    )?;
    let table = Table::start(
        out,
        [
            "scenario  ",
            "workers",
            "speed-up",
            "efficiency",
            " idle",
            " away",
            " lost",
            " extra",
            "coordinator",
            "answers/s",
            "caught",
            "wronged",
            "solved",
        ],
    )?;
    let one = alone(&config(), &models, &times, MOST_JOBS);
    let mut lines: Vec<Line> = Vec::new();
    for scenario in scenarios(SERVICE) {
        let mut points = Vec::new();
        for workers in GRID_WORKERS.into_iter().filter(|&workers| workers <= most) {
            let point = watched(
                || format!("{} with {workers} workers", scenario.name),
                || {
                    on_grid(
                        &config(),
                        &models,
                        &times,
                        workers,
                        &scenario.conditions,
                        MOST_JOBS,
                        one,
                    )
                },
            )?;
            if interrupt::is_stopped() {
                return Ok(());
            }
            row(&table, scenario.name, &point, out)?;
            points.push(point);
        }
        lines.push((scenario.name, points));
    }
    if let Some(folder) = &args.out {
        let text = serde_json::to_string_pretty(&lines)?;
        write_file(&folder.join("grid.json"), text.as_bytes())?;
        write_file(&folder.join("grid.svg"), chart(&lines).svg().as_bytes())?;
        writeln!(out, "\ngrid.json and grid.svg are in {}", folder.display())?;
    }
    Ok(())
}

fn config() -> Config {
    Config {
        selection: Selection::ProofNumber(Policy::Greedy),
        fill: true,
        ..Config::default()
    }
}

/// Games that are large enough, as near to the end as that allows.
fn models(least: u64, games: usize, times: &Times) -> Option<Vec<Model>> {
    let large = |model: &Model| {
        let run = simulate(config(), model, times, 1, MOST_JOBS);
        run.solved.is_some() && run.jobs >= least
    };
    (3..=FURTHEST).find_map(|distance| {
        let model = |seed: u64| Model {
            seed,
            distance,
            black_wins: seed.is_multiple_of(2),
            ..Model::default()
        };
        let seeds = (0..4 * games as u64).take_while(|_| !interrupt::is_stopped());
        let found: Vec<Model> = seeds.map(model).filter(large).take(games).collect();
        (found.len() == games).then_some(found)
    })
}

fn row(table: &Table, name: &str, point: &GridPoint, out: &mut Output) -> anyhow::Result<()> {
    let count =
        |of: fn(&tengen_grid::simulate::GridRun) -> u64| -> u64 { point.runs.iter().map(of).sum() };
    let solved = point.runs.iter().filter(|run| run.solved).count();
    table.row(
        out,
        [
            name.to_owned(),
            grouped(point.workers as u64),
            format!("{:.1}", point.speedup),
            format!("{:.2}", point.efficiency),
            format!("{:.2}", point.idle),
            format!("{:.2}", point.away),
            format!("{:.2}", point.lost),
            format!("{:+.2}", point.extra),
            format!("{:.0} %", point.coordinator * 100.0),
            format!("{:.1}", point.rate),
            grouped(count(|run| run.caught)),
            grouped(count(|run| run.wronged)),
            format!("{solved}/{}", point.runs.len()),
        ],
    )
}

fn chart(lines: &[Line]) -> Chart {
    let most = lines
        .iter()
        .flat_map(|(_, points)| points)
        .map(|point| point.workers)
        .max();
    let most = most.unwrap_or(1) as f64;
    let marks = |values: &[f64]| -> Vec<(f64, String)> {
        let shown = values.iter().filter(|value| **value <= most);
        shown.map(|&value| (value, grouped(value as u64))).collect()
    };
    let axis = |name: &str| Axis {
        name: name.to_owned(),
        low: 1.0,
        high: most,
        log: true,
        marks: marks(&[1.0, 10.0, 100.0, 1_000.0, 10_000.0]),
        slanted: false,
    };
    let curves = lines
        .iter()
        .enumerate()
        .map(|(number, (name, points))| Curve {
            label: (*name).to_owned(),
            colour: number % 5,
            dashed: number >= 5,
            points: points
                .iter()
                .map(|point| (point.workers as f64, point.speedup.max(1.0)))
                .collect(),
        });
    Chart {
        title: "A grid of virtual workers: speed-up".to_owned(),
        x: axis("workers"),
        y: axis("speed-up"),
        ideal: Some(("every worker counts".to_owned(), [(1.0, 1.0), (most, most)])),
        curves: curves.collect(),
    }
}
