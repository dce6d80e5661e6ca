//! The search with virtual workers.

use tengen_grid::search::{Config, Policy, Selection};
use tengen_grid::simulate::{
    Conditions, Curve, Model, Sample, SampleKind, Times, WORKERS, alone, on_grid, scenarios,
    simulate, simulate_grid, simulate_tree, speedups,
};
use tengen_rules::Side;

fn config(policy: Policy, fill: bool) -> Config {
    Config {
        selection: Selection::ProofNumber(policy),
        fill,
        ..Config::default()
    }
}

fn small(seed: u64) -> Model {
    Model {
        seed,
        distance: 3,
        black_wins: seed.is_multiple_of(2),
        ..Model::default()
    }
}

#[test]
fn every_policy_finds_the_winner_with_any_number_of_workers() {
    let uct = Config {
        selection: Selection::Uct { exploration: 1.0 },
        ..Config::default()
    };
    let policies = Policy::ALL.map(|policy| config(policy, false));
    for config in policies
        .into_iter()
        .chain([uct, config(Policy::Greedy, true)])
    {
        for seed in 0..6 {
            let model = small(seed);
            for workers in [1, 3, 64] {
                let run = simulate(config.clone(), &model, &Times::default(), workers, 100_000);
                let winner = if model.black_wins {
                    Side::Black
                } else {
                    Side::White
                };
                assert_eq!(run.solved, Some(winner), "{config:?} {model:?} {workers}");
                assert!(run.wasted < run.jobs, "some jobs are needed");
                let spent = run.busy + run.stopped + run.idle;
                let there = run.makespan * workers as f64;
                assert!((spent - there).abs() < 1e-6 * there, "{spent} of {there}");
            }
        }
    }
}

#[test]
fn one_worker_does_the_same_jobs_with_every_policy() {
    for seed in 0..6 {
        let run = |policy, fill| {
            let config = config(policy, fill);
            simulate(config, &small(seed), &Times::default(), 1, 100_000)
        };
        let first = run(Policy::VirtualLoss, false);
        for policy in Policy::ALL {
            assert_eq!(run(policy, false), first, "{policy}");
            assert_eq!(run(policy, true), first, "{policy}, fill");
        }
    }
}

#[test]
fn the_shares_of_a_curve_add_up_and_the_curve_is_the_same_next_time() {
    let models = [small(1), small(2)];
    let config = config(Policy::VirtualLoss, false);
    let curve = || speedups(&config, &models, &Times::equal(2.0), &WORKERS[..6], 100_000);
    let first = curve();
    assert_eq!(first.points[0].speedup, 1.0);
    for point in &first.points {
        let sum = point.efficiency + point.idle + point.stopped + point.extra;
        assert!((sum - 1.0).abs() < 1e-9, "{point:?}");
    }
    assert_eq!(first, curve());
    let text = serde_json::to_string(&first).expect("a curve is data");
    let read: Curve = serde_json::from_str(&text).expect("what was written");
    assert_eq!(read.config, first.config);
    assert_eq!(read.points[3].runs[1].solved, Some(Side::Black));
}

#[test]
fn a_limit_ends_a_run() {
    let run = simulate(
        Config::default(),
        &Model::default(),
        &Times::default(),
        4,
        50,
    );
    assert_eq!((run.solved, run.jobs), (None, 50));
}

#[test]
fn recorded_times_are_the_only_ones_drawn() {
    let sample = |kind, seconds| Sample { kind, seconds };
    let samples = [
        sample(SampleKind::Leaf, 3.0),
        sample(SampleKind::Sibling, 5.0),
        sample(SampleKind::Sibling, f64::NAN),
        sample(SampleKind::Leaf, -1.0),
    ];
    let run = simulate(
        Config::default(),
        &small(1),
        &Times::recorded(&samples),
        1,
        100_000,
    );
    // Some jobs of three seconds and some of five, and nothing else.
    let fives = (run.busy - 3.0 * run.jobs as f64) / 2.0;
    assert!((fives - fives.round()).abs() < 1e-6 && fives > 0.0 && fives < run.jobs as f64);
}

/// The goal: at least 0.6 with 64 workers where one worker has 2,000 jobs or more.
#[test]
fn sixty_four_workers_are_well_used_on_large_trees() {
    let models: Vec<Model> = (0..40)
        .map(|seed| Model {
            distance: 6,
            ..small(seed)
        })
        .filter(|model| {
            let alone = simulate(Config::default(), model, &Times::default(), 1, 100_000);
            alone.jobs >= 2_000
        })
        .take(6)
        .collect();
    assert_eq!(models.len(), 6);
    let curve = speedups(
        &config(Policy::Greedy, true),
        &models,
        &Times::default(),
        &[64],
        100_000,
    );
    assert!(curve.points[0].efficiency >= 0.6, "{:?}", curve.points[0]);
}

/// The same where the first turn is seldom the right one, as in the opening TX-d21, and no loss with fewer workers.
#[test]
fn patience_pays_where_the_right_turn_comes_late() {
    let late = |seed| Model {
        defences: 5.4,
        insight: 0.05,
        ..small(seed)
    };
    let large = |model: &Model| {
        let alone = simulate(Config::default(), model, &Times::default(), 1, 20_000);
        alone.solved.is_some() && alone.jobs >= 2_000
    };
    let models: Vec<Model> = (0..40).map(late).filter(large).take(6).collect();
    assert_eq!(models.len(), 6);
    let points = |policy| {
        let config = config(policy, false);
        speedups(&config, &models, &Times::default(), &[2, 16, 64], 100_000).points
    };
    let patient = points(Policy::Patient);
    assert!(patient[2].efficiency >= 0.6, "{:?}", patient[2]);
    for (policy, others) in Policy::ALL.map(|policy| (policy, points(policy))) {
        for (mine, theirs) in patient.iter().zip(&others) {
            let (mine, theirs) = ((mine.workers, mine.efficiency), theirs.efficiency);
            assert!(mine.1 >= theirs, "{policy}: {theirs}, patient: {mine:?}");
        }
    }
}

#[test]
fn a_model_is_found_again_in_the_tree_it_gave() {
    let times = Times::default();
    for (defences, insight) in [(5.0, 0.85), (3.0, 0.4)] {
        let model = |seed: u64| Model {
            distance: 5,
            defences,
            insight,
            ..small(2 * seed)
        };
        let simulated = |seed| simulate_tree(Config::default(), &model(seed), &times, 1, 100_000);
        // Chance is only fair in large trees.
        let large = (0..50).map(simulated).find(|(run, _)| run.jobs > 1_000);
        let (run, tree) = large.expect("some are large");
        assert_eq!(run.solved, Some(Side::Black));
        let fitted = Model::fitted(&tree, 4).expect("solved");
        assert!(fitted.black_wins);
        assert!((fitted.insight - insight).abs() < 0.15, "{fitted:?}");
        assert!((fitted.defences / defences).ln().abs() < 0.5, "{fitted:?}");
        assert!(fitted.distance.abs_diff(5) <= 1, "{fitted:?}");
    }
    let (_, tree) = simulate_tree(Config::default(), &small(1), &times, 1, 3);
    assert_eq!(Model::fitted(&tree, 1), None, "not solved");
}

#[test]
fn an_ideal_grid_is_no_grid() {
    for seed in 0..4 {
        for workers in [1, 5, 64] {
            let (model, config) = (small(seed), config(Policy::Greedy, true));
            let plain = simulate(config.clone(), &model, &Times::default(), workers, 100_000);
            let conditions = Conditions {
                seed,
                ..Conditions::IDEAL
            };
            let grid = simulate_grid(
                config,
                &model,
                &Times::default(),
                workers,
                &conditions,
                100_000,
            );
            assert!(grid.solved);
            if workers == 1 {
                // One worker is never asked twice.
                assert_eq!(grid.jobs, plain.jobs, "{model:?}");
                assert!((grid.makespan - plain.makespan).abs() < 1e-6 * plain.makespan);
            }
            assert_eq!(
                (grid.caught, grid.wronged, grid.misled, grid.redelivered),
                (0, 0, 0, 0)
            );
        }
    }
}

#[test]
fn whatever_happens_on_a_grid_the_right_side_wins_and_the_time_adds_up() {
    for scenario in scenarios(0.001) {
        for seed in 0..2 {
            for workers in [2, 40] {
                let conditions = Conditions {
                    // Short visits, so that many go and come.
                    stay: scenario.conditions.stay / 20.0,
                    away: 60.0,
                    seed,
                    ..scenario.conditions
                };
                let (model, config) = (small(seed), config(Policy::VirtualLoss, true));
                let run = || {
                    let (config, times) = (config.clone(), Times::default());
                    simulate_grid(config, &model, &times, workers, &conditions, 100_000)
                };
                let first = run();
                assert!(first.solved, "{} {seed} {workers}", scenario.name);
                let spent = first.busy
                    + first.stopped
                    + first.lost
                    + first.second
                    + first.idle
                    + first.away;
                let there = first.makespan * workers as f64;
                assert!((spent - there).abs() < 1e-6 * there, "{spent} of {there}");
                assert_eq!(first.wronged, 0, "{} {seed} {workers}", scenario.name);
                assert_eq!(run(), first, "the same seed, the same run");
            }
        }
    }
}

#[test]
fn liars_are_caught_and_messages_cost_time() {
    let model = Model {
        distance: 6,
        seed: 3,
        ..Model::default()
    };
    let config = config(Policy::Greedy, true);
    let lying = Conditions {
        liars: 0.3,
        ..Conditions::IDEAL
    };
    let run = simulate_grid(
        config.clone(),
        &model,
        &Times::equal(1.0),
        20,
        &lying,
        100_000,
    );
    assert!(run.solved && run.caught >= 3, "{run:?}");
    assert_eq!(run.wronged, 0, "{run:?}");
    let far = Conditions {
        latency: 0.5,
        service: 0.02,
        ..Conditions::IDEAL
    };
    let alone = alone(&config, &[model], &Times::equal(1.0), 100_000);
    let point = |conditions: &Conditions, workers| {
        on_grid(
            &config,
            &[model],
            &Times::equal(1.0),
            workers,
            conditions,
            100_000,
            alone,
        )
    };
    let (near, far) = (point(&Conditions::IDEAL, 20), point(&far, 20));
    assert!(
        far.idle > 0.4,
        "a second of work, a second of waiting: {}",
        far.idle
    );
    assert!(
        far.speedup < near.speedup,
        "{} {}",
        far.speedup,
        near.speedup
    );
    // A coordinator that needs 20 ms for an answer gives no more than 50 a second.
    let many = Conditions {
        service: 0.02,
        ..Conditions::IDEAL
    };
    let many = point(&many, 500);
    assert!(many.rate <= 50.0 + 1e-6, "{}", many.rate);
}
