//! The pictures: speed-ups, efficiencies, and the policies beside each other.

use std::path::Path;

use tengen_grid::search::Policy;
use tengen_grid::simulate::{Point, WORKERS};

use super::measure::Measured;
use super::simulated::Way;
use crate::commands::reproduce::plot::{Axis, Chart, Curve};
use crate::output::write_file;

/// With how many workers the paper compares the policies.
const COMPARED: usize = 8;

/// Draws what was simulated; says which files there are now.
pub(super) fn draw_simulated(folder: &Path, ways: &[Way]) -> anyhow::Result<Vec<String>> {
    let charts = [
        ("speedup.svg", speedup(ways)),
        ("efficiency.svg", efficiency(ways)),
        ("policies-simulated.svg", simulated_policies(ways)),
    ];
    charts
        .into_iter()
        .map(|(name, chart)| written(folder, name, &chart))
        .collect()
}

/// Draws what was measured, if two policies have solved an opening.
pub(super) fn draw_measured(folder: &Path, runs: &[Measured]) -> anyhow::Result<Option<String>> {
    let names = names(runs);
    let scales: Vec<Scales> = Policy::ALL
        .into_iter()
        .map(|policy| {
            let values = names.iter().map(|name| scale(runs, name, policy));
            (policy, values.collect())
        })
        .collect();
    let compared = scales.iter().filter(|(policy, values)| {
        *policy != Policy::VirtualLoss && values.iter().any(Option::is_some)
    });
    if compared.count() == 0 {
        return Ok(None);
    }
    let title = "Policies on openings, times by those of virtual-loss";
    written(folder, "policies.svg", &policies(title, &names, &scales)).map(Some)
}

/// The openings that were run, in their order.
pub(super) fn names(runs: &[Measured]) -> Vec<String> {
    let mut names: Vec<String> = runs.iter().map(|run| run.opening.clone()).collect();
    names.dedup();
    names
}

/// The paper's normalised logarithmic time scale with the most workers: 0 is virtual-loss, 1 ten times as long.
pub(super) fn scale(runs: &[Measured], opening: &str, policy: Policy) -> Option<f64> {
    let workers = runs.iter().map(|run| run.workers).max()?;
    let time = |policy: Policy| {
        let run = runs.iter().find(|run| {
            (run.opening.as_str(), run.policy, run.workers) == (opening, policy, workers)
        })?;
        run.is_solved().then_some(run.seconds)
    };
    Some((time(policy)? / time(Policy::VirtualLoss)?).log10())
}

/// A policy and its scale for each opening or game.
type Scales = (Policy, Vec<Option<f64>>);

fn written(folder: &Path, name: &str, chart: &Chart) -> anyhow::Result<String> {
    let path = folder.join(name);
    write_file(&path, chart.svg().as_bytes())?;
    Ok(path.display().to_string())
}

fn workers_axis() -> Axis {
    Axis {
        name: "workers".to_owned(),
        low: 1.0,
        high: WORKERS[WORKERS.len() - 1] as f64,
        log: true,
        marks: WORKERS
            .map(|workers| (workers as f64, workers.to_string()))
            .to_vec(),
        slanted: false,
    }
}

fn curves(ways: &[Way], of: impl Fn(&Point) -> f64) -> Vec<Curve> {
    let curve = |way: &Way| Curve {
        label: way.label(),
        colour: way.policy as usize,
        dashed: !way.fill,
        points: way
            .curve
            .points
            .iter()
            .map(|point| (point.workers as f64, of(point)))
            .collect(),
    };
    ways.iter().map(curve).collect()
}

fn speedup(ways: &[Way]) -> Chart {
    let workers = workers_axis();
    let most = workers.high;
    Chart {
        title: "Simulated speed-up".to_owned(),
        y: Axis {
            name: "speed-up".to_owned(),
            ..workers_axis()
        },
        x: workers,
        ideal: Some(("ideal".to_owned(), [(1.0, 1.0), (most, most)])),
        curves: curves(ways, |point| point.speedup),
    }
}

fn efficiency(ways: &[Way]) -> Chart {
    let curves = curves(ways, |point| point.efficiency);
    let points = curves.iter().flat_map(|curve| &curve.points);
    // More than 1 is possible: several workers may hit upon what one finds late.
    let tenths = points.fold(10.0, |most: f64, point| most.max((point.1 * 10.0).ceil()));
    let marks = (0..=tenths as u32).map(|tenth| f64::from(tenth) / 10.0);
    let workers = workers_axis();
    Chart {
        title: "Simulated efficiency: speed-up by workers".to_owned(),
        y: Axis {
            name: "efficiency".to_owned(),
            low: 0.0,
            high: tenths / 10.0,
            log: false,
            marks: marks.map(|mark| (mark, format!("{mark:.1}"))).collect(),
            slanted: false,
        },
        ideal: Some(("ideal".to_owned(), [(1.0, 1.0), (workers.high, 1.0)])),
        x: workers,
        curves,
    }
}

/// Like the paper's Figure 4, game by game.
fn simulated_policies(ways: &[Way]) -> Chart {
    let spans = |policy: Policy| -> Vec<f64> {
        let way = ways.iter().find(|way| way.policy == policy && way.fill);
        let point = way.and_then(|way| way.point(COMPARED));
        point.map_or_else(Vec::new, |point| {
            point.runs.iter().map(|run| run.makespan).collect()
        })
    };
    let base = spans(Policy::VirtualLoss);
    let scales: Vec<Scales> = Policy::ALL
        .into_iter()
        .map(|policy| {
            let scales = spans(policy).into_iter().zip(&base);
            let scales = scales.map(|(span, base)| Some((span / base).log10()));
            (policy, scales.collect())
        })
        .collect();
    let names: Vec<String> = (1..=base.len())
        .map(|game| format!("game {game}"))
        .collect();
    let title = format!(
        "Simulated policies with fill and {COMPARED} workers, times by those of virtual-loss"
    );
    policies(&title, &names, &scales)
}

fn policies(title: &str, names: &[String], scales: &[Scales]) -> Chart {
    let values = || scales.iter().flat_map(|(_, values)| values).flatten();
    // Half decades, at least one to either side.
    let reach = values().fold(1.0, |most: f64, value| most.max((value.abs() * 2.0).ceil()));
    let halves = -(reach as i32)..=reach as i32;
    let curve = |(policy, values): &Scales| Curve {
        label: policy.to_string(),
        colour: *policy as usize,
        dashed: false,
        points: values
            .iter()
            .enumerate()
            .filter_map(|(place, value)| Some((place as f64 + 1.0, (*value)?)))
            .collect(),
    };
    Chart {
        title: title.to_owned(),
        x: Axis {
            name: String::new(),
            low: 0.5,
            high: names.len() as f64 + 0.5,
            log: false,
            marks: names
                .iter()
                .enumerate()
                .map(|(place, name)| (place as f64 + 1.0, name.clone()))
                .collect(),
            slanted: true,
        },
        y: Axis {
            name: "normalised logarithmic time (base 10)".to_owned(),
            low: -reach / 2.0,
            high: reach / 2.0,
            log: false,
            marks: halves
                .map(|half| f64::from(half) / 2.0)
                .map(|mark| (mark, format!("{mark:+.1}")))
                .collect(),
            slanted: false,
        },
        ideal: None,
        curves: scales.iter().map(curve).collect(),
    }
}
