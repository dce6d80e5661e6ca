//! Nothing is left over from one search to the next.

use fastrand::Rng;
use tengen_prover::{Solution, Solver};
use tengen_rules::Position;

use crate::naive::Game;
use crate::support::{self, random_case, solve, text};

/// What two searches of one position must have in common.
fn same(a: &Solution, b: &Solution, position: &Position) {
    assert_eq!(a.nodes, b.nodes, "nodes: {}", text(position));
    assert_eq!(a.value, b.value, "{}", text(position));
    assert_eq!(
        (a.depth, &a.zones),
        (b.depth, &b.zones),
        "{}",
        text(position)
    );
}

#[test]
fn a_solver_forgets() {
    let mut rng = Rng::with_seed(6);
    for (name, empty) in [("7,7,5,2,1", 22), ("9,9,6,2,1", 30), ("7,7,5,1,1", 28)] {
        let rules = support::rules(name);
        let game = Game::new(rules);
        let mut kept = Solver::new(12);
        for number in 0..150 {
            let position = random_case(&game, rules, empty, &mut rng).position;
            let order = 1 + number % 2;
            let first = solve(&mut kept, &position, order, Some(600));
            let second = solve(&mut kept, &position, order, Some(600));
            same(&first, &second, &position);
            let fresh = solve(&mut Solver::new(12), &position, order, Some(600));
            same(&first, &fresh, &position);
        }
    }
}
