//! Every win is VERIFIED, on boards of all sizes; limits are kept; the same question has the same
//! answer.

use std::time::Duration;

use tengen_prover::dependency::{DependencySolver, MaxCategory};
use tengen_prover::{Limits, Request, Solution, Solver, Value};
use tengen_rules::{Position, Rules, Side};

use crate::games;

pub(crate) const BOTH: [MaxCategory; 2] = [MaxCategory::Fours, MaxCategory::Threes];

/// Limits that keep a test short.
pub(crate) const SOME: Limits = Limits {
    nodes: Some(2_000),
    time: None,
};

/// Panics unless the checker accepts the win; `false` if there is none.
pub(crate) fn verified(position: &Position, solution: &Solution) -> bool {
    let Value::Win(proof) = &solution.value else {
        return false;
    };
    let limits = tengen_checker::Limits::default();
    let verdict = tengen_checker::check(&proof.to_text(), &limits);
    let text = proof.to_text();
    assert!(verdict.is_verified(), "{verdict}\n{position:?}\n{text}");
    assert!(solution.depth.is_some() && solution.zones.is_some());
    true
}

#[test]
fn wins_in_games_are_verified() {
    let mut solver = DependencySolver::new();
    let mut wins = [0; 2];
    for seed in 0..150 {
        let Some(positions) = games::before_the_end(Rules::GOMOKU, seed) else {
            continue;
        };
        for position in positions.iter().take(12) {
            for category in BOTH {
                let solution = solver.solve(position, position.to_move(), category, SOME);
                wins[category as usize] += usize::from(verified(position, &solution));
            }
        }
    }
    assert!(wins[0] > 100 && wins[1] > wins[0], "{wins:?}");
}

#[test]
fn wins_in_random_positions_are_verified() {
    let mut random = fastrand::Rng::with_seed(2);
    let mut solver = DependencySolver::new();
    let mut wins = 0;
    for rules in [
        "gomoku",
        "7,7,5,1,1",
        "6,6,4,1,1",
        "9,9,5,1,1",
        "9,8,6,1,1",
        "4,5,3,1,1",
    ] {
        let rules: Rules = rules.parse().expect("rules");
        let (width, height) = rules.size().expect("finite");
        let most = usize::from(width) * usize::from(height) / 2;
        for _ in 0..700 {
            let stones = random.usize(2..most.min(40));
            let position = games::scattered(rules, stones, &mut random);
            for category in BOTH {
                let solution = solver.solve(&position, position.to_move(), category, SOME);
                wins += usize::from(verified(&position, &solution));
            }
        }
    }
    assert!(wins > 1000, "{wins}");
}

#[test]
fn wins_on_infinite_boards_are_verified() {
    let rules: Rules = "inf,inf,5,1,1".parse().expect("rules");
    let mut solver = DependencySolver::new();
    let mut wins = 0;
    for seed in 200..260 {
        let cells = games::game(Rules::GOMOKU, seed);
        for back in 3..9 {
            let Some(length) = cells.len().checked_sub(back) else {
                continue;
            };
            let Ok(position) = Position::replay(rules, &cells[..length]) else {
                continue;
            };
            for category in BOTH {
                let solution = solver.solve(&position, position.to_move(), category, SOME);
                wins += usize::from(verified(&position, &solution));
            }
        }
    }
    assert!(wins > 50, "{wins}");
}

#[test]
fn no_win_by_fours_means_none() {
    let mut random = fastrand::Rng::with_seed(3);
    let mut solver = DependencySolver::new();
    let mut other = Solver::new(16);
    let (mut none, mut missed, mut wins) = (0, 0, 0);
    for round in 0..3000 {
        let rules: Rules = ["gomoku", "7,7,5,1,1", "6,6,4,1,1"][round % 3]
            .parse()
            .expect("rules");
        let position = games::scattered(rules, 4 + round % 26, &mut random);
        let attacker = position.to_move();
        let unlimited = Limits::default();
        let solution = solver.solve(&position, attacker, MaxCategory::Fours, unlimited);
        let request = Request {
            limits: Limits {
                nodes: Some(100_000),
                time: None,
            },
            ..Request::new(attacker, 1)
        };
        let expected = other.solve(&position, &request);
        match (&solution.value, &expected.value) {
            (Value::None, Value::Win(_)) => panic!("{position:?}"),
            (Value::Win(_), Value::None) => panic!("{position:?}"),
            (Value::None, _) => none += 1,
            (Value::Win(_), _) => wins += 1,
            (Value::Unknown, Value::Win(_)) => missed += 1,
            (Value::Unknown, _) => {}
        }
    }
    assert!(
        none > 500 && wins > 300 && missed * 50 < wins,
        "{none} {wins} {missed}"
    );
}

#[test]
fn limits_are_kept() {
    let mut solver = DependencySolver::new();
    for seed in 0..40 {
        let Some(positions) = games::before_the_end(Rules::GOMOKU, seed) else {
            continue;
        };
        for position in positions.iter().skip(3).take(6) {
            for nodes in [0, 1, 7, 100] {
                let limits = Limits {
                    nodes: Some(nodes),
                    time: None,
                };
                let solution =
                    solver.solve(position, position.to_move(), MaxCategory::Threes, limits);
                assert!(
                    solution.nodes <= nodes + 40,
                    "{} of {nodes}",
                    solution.nodes
                );
                verified(position, &solution);
            }
            let limits = Limits {
                nodes: None,
                time: Some(Duration::ZERO),
            };
            let solution = solver.solve(position, position.to_move(), MaxCategory::Threes, limits);
            assert!(solution.nodes < 2_000, "{}", solution.nodes);
        }
    }
}

#[test]
fn the_same_question_has_the_same_answer() {
    let mut used = DependencySolver::new();
    for seed in 0..40 {
        let Some(positions) = games::before_the_end(Rules::GOMOKU, seed) else {
            continue;
        };
        for position in positions.iter().take(8) {
            for category in BOTH {
                let attacker = position.to_move();
                let first = used.solve(position, attacker, category, SOME);
                let second = DependencySolver::new().solve(position, attacker, category, SOME);
                assert_eq!(first.value, second.value);
                assert_eq!(first.nodes, second.nodes);
            }
        }
    }
}

#[test]
fn what_it_is_not_made_for_is_unknown() {
    let mut solver = DependencySolver::new();
    let mut ask = |rules: &str, attacker: Side| {
        let position = Position::new(rules.parse().expect("rules"));
        let limits = Limits::default();
        solver
            .solve(&position, attacker, MaxCategory::Threes, limits)
            .value
    };
    assert_eq!(ask("connect6", Side::Black), Value::Unknown);
    assert_eq!(ask("15,15,5,1,1,exact", Side::Black), Value::Unknown);
    assert_eq!(ask("gomoku", Side::White), Value::Unknown);
    assert_eq!(ask("2,2,2,1,1", Side::Black), Value::Unknown);
    assert_eq!(ask("gomoku", Side::Black), Value::Unknown);
}
