//! Beside Go-Moku's tree search, which plays threes and fours with every defence: the wins of both are verified. Tree search finds
//! more; only dependency-based search goes on after a block that makes no three but leaves the threat to win by fours.

use tengen_checker::{Limits as CheckLimits, check};
use tengen_prover::dependency::{DependencySolver, MaxCategory};
use tengen_prover::pn::{ThreatSolver, Threats};
use tengen_prover::{Limits, Value};
use tengen_rules::Rules;

use crate::games;
use crate::soundness::verified;

const NODES: u64 = 10_000;

#[test]
fn tree_search_finds_more() {
    let mut random = fastrand::Rng::with_seed(7);
    let (mut tree, mut dependency) = (ThreatSolver::new(), DependencySolver::new());
    let (mut both, mut only_tree, mut only_dependency, mut excluded) = (0, 0, 0, 0);
    for round in 0..600 {
        let rules: Rules = ["gomoku", "9,9,5,1,1"][round % 2].parse().expect("rules");
        let position = games::scattered(rules, 6 + round % 20, &mut random);
        let limits = Limits {
            nodes: Some(NODES),
            time: None,
        };
        let attacker = position.to_move();
        let by_dependency = dependency.solve(&position, attacker, MaxCategory::Threes, limits);
        let found = verified(&position, &by_dependency);
        let by_tree = tree.solve(&position, NODES).expect("the game goes on");
        match (&by_tree, found) {
            (Threats::Won(_), true) => both += 1,
            (Threats::Won(_), false) => only_tree += 1,
            (Threats::Nothing, true) => excluded += 1,
            (Threats::Unknown, true) => only_dependency += 1,
            (Threats::Nothing | Threats::Unknown, false) => {}
        }
        if let Threats::Won(win) = &by_tree {
            let proof = win.proof(&position).expect("of this game");
            let verdict = check(&proof.to_text(), &CheckLimits::default());
            assert!(verdict.is_verified(), "{verdict}\n{position:?}");
        }
        assert_ne!(by_dependency.value, Value::None, "said of fours only");
    }
    let counts = format!("{both} {only_tree} {only_dependency} {excluded}");
    assert!(both > 150 && only_tree > 20, "{counts}");
    assert!(only_dependency + excluded < 5, "{counts}");
}

#[test]
fn a_solver_that_is_used_again_says_the_same() {
    let mut random = fastrand::Rng::with_seed(8);
    let mut used = ThreatSolver::new();
    for round in 0..60 {
        let rules: Rules = ["gomoku", "9,9,5,1,1", "gomoku-standard"][round % 3]
            .parse()
            .expect("rules");
        let position = games::scattered(rules, 6 + round % 20, &mut random);
        let mut fresh = ThreatSolver::new();
        let words = |threats: Option<Threats>| format!("{threats:?}");
        assert_eq!(
            words(used.solve(&position, NODES)),
            words(fresh.solve(&position, NODES))
        );
        assert_eq!(used.nodes(), fresh.nodes());
    }
}
