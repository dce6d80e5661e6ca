//! Order 2 by brute force: `None` means that no such win exists.

use fastrand::Rng;
use tengen_prover::{Solver, Value};

use crate::lambda::Lambda;
use crate::naive::{Forced, Game, TooLarge};
use crate::support::{self, random_case, solve, text};

#[expect(clippy::print_stderr, reason = "counts, seen with --no-capture")]
fn compare(name: &str, positions: u32, empty: std::ops::RangeInclusive<u32>, depth: u16) {
    let rules = support::rules(name);
    let game = Game::new(rules);
    let mut rng = Rng::with_seed(21);
    let mut solver = Solver::new(14);
    let (mut agreed, mut quiet, mut missed, mut too_large) = (0, 0, 0, 0);
    for _ in 0..positions {
        let case = random_case(&game, rules, rng.u32(empty.clone()), &mut rng);
        let left = case.left();
        let mut forced = Forced::new(&game, 3_000);
        if !matches!(forced.wins(case.stones, left, 9), Ok(false)) {
            continue;
        }
        let truth = Lambda::new(&game, 3_000, 20_000).wins(case.stones, left, 2, depth);
        let solution = solve(&mut solver, &case.position, 2, Some(4_000));
        match (truth, &solution.value) {
            (Ok(true), Value::None) => {
                panic!("a win of order 2 was missed: {}", text(&case.position))
            }
            (Ok(true), Value::Win(_)) => quiet += 1,
            (Ok(true), Value::Unknown) => missed += 1,
            (Ok(false), _) => agreed += 1,
            (Err(TooLarge), _) => too_large += 1,
        }
    }
    eprintln!(
        "{name}: {quiet} wins of order 2, {agreed} without, {missed} unknown, {too_large} too large"
    );
}

#[test]
fn no_win_of_order_2_is_denied_one_stone() {
    compare("6,6,4,1,1", 5_000, 10..=24, 5);
    compare("7,7,5,1,1", 4_000, 14..=28, 5);
}

#[test]
fn no_win_of_order_2_is_denied_two_stones() {
    compare("6,6,4,2,1", 1_000, 8..=14, 3);
    compare("7,7,5,2,1", 1_500, 10..=20, 4);
}
