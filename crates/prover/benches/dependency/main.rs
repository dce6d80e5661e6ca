//! Dependency-based search beside the solver, on Go-Moku wins taken from games of a simple policy:
//! `cargo bench -p tengen-prover --bench dependency`.
//!
//! For wins by fours the solver searches depth-first; for threes it tries dependency-based search
//! first and goes on depth-first where that finds nothing.

#![allow(clippy::print_stdout, missing_docs, reason = "a bench talks")]

#[path = "../../tests/dependency/games.rs"]
#[allow(dead_code, reason = "shared with tests, which use more of it")]
mod games;

use std::time::{Duration, Instant};

use tengen_prover::dependency::{DependencySolver, MaxCategory};
use tengen_prover::{Limits, Request, Solution, Solver, Value};
use tengen_rules::{Position, Rules};

const EACH: usize = 200;

/// What each search may take.
const LIMITS: Limits = Limits {
    nodes: None,
    time: Some(Duration::from_secs(1)),
};

/// What each search may take when the suites are made: about as much time for both.
const QUICK: Limits = nodes(3_000);
const QUICK_DEPTH_FIRST: Limits = nodes(40_000);

const fn nodes(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes),
        time: None,
    }
}

fn is_win(solution: &Solution) -> bool {
    matches!(solution.value, Value::Win(_))
}

fn request(position: &Position, order: u8) -> Request<'static> {
    Request {
        limits: LIMITS,
        ..Request::new(position.to_move(), order)
    }
}

/// Positions won by fours in at least three turns, and positions won by threes but not by fours, as
/// far as one of the two searches can see. From each game at most three of either.
fn suites() -> [Vec<Position>; 2] {
    let mut suites = [Vec::new(), Vec::new()];
    let (mut dependency, mut depth_first) = (DependencySolver::new(), Solver::new(16));
    for seed in 1_000.. {
        if suites.iter().all(|suite| suite.len() >= EACH) {
            break;
        }
        let positions = games::before_the_end(Rules::GOMOKU, seed).unwrap_or_default();
        let mut taken = [0; 2];
        for position in positions.into_iter().take(10) {
            let forced = depth_first.solve(&position, &request(&position, 1));
            let (suite, wins) = if is_win(&forced) {
                (0, forced.depth >= Some(3))
            } else {
                let attacker = position.to_move();
                let by_threes = dependency.solve(&position, attacker, MaxCategory::Threes, QUICK);
                let request = Request {
                    limits: QUICK_DEPTH_FIRST,
                    ..request(&position, 2)
                };
                let wins = is_win(&by_threes) || is_win(&depth_first.solve(&position, &request));
                (1, wins)
            };
            if wins && taken[suite] < 3 && suites[suite].len() < EACH {
                taken[suite] += 1;
                suites[suite].push(position);
            }
        }
    }
    suites
}

/// Solves a suite and prints one line.
fn measure(name: &str, suite: &[Position], solve: &mut dyn FnMut(&Position) -> Solution) {
    let (mut solved, mut nodes) = (0, 0);
    let mut times = Vec::new();
    for position in suite {
        let start = Instant::now();
        let solution = solve(position);
        times.push(start.elapsed());
        nodes += solution.nodes;
        if let Value::Win(proof) = &solution.value {
            let verdict = tengen_checker::check(&proof.to_text(), &Default::default());
            assert_eq!(verdict.exit_code(), 0, "{verdict}");
            solved += 1;
        }
    }
    times.sort_unstable();
    let total: Duration = times.iter().sum();
    let part = |percent: usize| times[(times.len() - 1) * percent / 100].as_secs_f64() * 1e3;
    println!(
        "{name:34} solved {solved:3}/{} nodes {nodes:9} median {:8.3} ms  90 % {:8.3} ms  total {:8.1} ms",
        suite.len(),
        part(50),
        part(90),
        total.as_secs_f64() * 1e3,
    );
}

fn main() {
    let [fours, threes] = suites();
    let mut dependency = DependencySolver::new();
    let mut depth_first = Solver::default();
    measure("fours: dependency", &fours, &mut |position| {
        dependency.solve(position, position.to_move(), MaxCategory::Fours, LIMITS)
    });
    measure("fours: solver, order 1", &fours, &mut |position| {
        depth_first.solve(position, &request(position, 1))
    });
    measure("threes: dependency", &threes, &mut |position| {
        dependency.solve(position, position.to_move(), MaxCategory::Threes, LIMITS)
    });
    measure("threes: solver, order 2", &threes, &mut |position| {
        depth_first.solve(position, &request(position, 2))
    });
}
