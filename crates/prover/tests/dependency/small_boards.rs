//! On small boards exhaustive search confirms every claimed win.

use std::collections::HashMap;

use tengen_prover::Value;
use tengen_prover::dependency::{DependencySolver, MaxCategory};
use tengen_rules::{Outcome, Position, Rules, Side};

use crate::games;
use crate::soundness::{SOME, verified};

/// Whether `side` wins, by trying everything; only forced blocks are not branched over.
fn wins(position: &mut Position, side: Side, known: &mut HashMap<u64, bool>) -> bool {
    match position.outcome() {
        Some(Outcome::Win { side: winner, .. }) => return *winner == side,
        Some(_) => return false,
        None => {}
    }
    if let Some(&value) = known.get(&position.key()) {
        return value;
    }
    let attacking = position.to_move() == side;
    let mut value = !attacking;
    for cell in position.grid().cells() {
        if position.place(cell).is_err() {
            continue;
        }
        let result = wins(position, side, known);
        position.undo();
        if result == attacking {
            value = attacking;
            break;
        }
    }
    known.insert(position.key(), value);
    value
}

fn confirm(rules: &str, empty: usize, rounds: usize) {
    let rules: Rules = rules.parse().expect("rules");
    let (width, height) = rules.size().expect("finite");
    let cells = usize::from(width) * usize::from(height);
    let mut random = fastrand::Rng::with_seed(cells as u64);
    let mut solver = DependencySolver::new();
    let mut confirmed = 0;
    for _ in 0..rounds {
        let Some(mut position) = filled(rules, cells - empty, &mut random) else {
            continue;
        };
        let attacker = position.to_move();
        let solution = solver.solve(&position, attacker, MaxCategory::Threes, SOME);
        if verified(&position, &solution) {
            assert!(
                wins(&mut position, attacker, &mut HashMap::new()),
                "{position:?}"
            );
            confirmed += 1;
        } else {
            assert_eq!(solution.value, Value::Unknown);
        }
    }
    assert!(confirmed * 20 > rounds, "{confirmed} of {rounds}");
}

/// A position with exactly so many stones, if random play gets there.
fn filled(rules: Rules, stones: usize, random: &mut fastrand::Rng) -> Option<Position> {
    let mut cells: Vec<_> = Position::new(rules).grid().cells().collect();
    random.shuffle(&mut cells);
    let position = Position::replay(rules, &cells[..stones]).ok()?;
    position.outcome().is_none().then_some(position)
}

#[test]
fn brute_force_confirms_wins() {
    confirm("7,7,5,1,1", 12, 3000);
    confirm("6,6,4,1,1", 12, 3000);
    confirm("5,5,4,1,1", 12, 3000);
    confirm("4,5,3,1,1", 12, 1000);
}

#[test]
fn random_small_positions_never_panic() {
    let mut random = fastrand::Rng::with_seed(9);
    let mut solver = DependencySolver::new();
    for rules in [
        "7,7,5,1,1",
        "6,6,4,1,1",
        "3,3,3,1,1",
        "1,6,5,1,1",
        "5,1,4,1,1",
        "12,3,3,1,1",
    ] {
        let rules: Rules = rules.parse().expect("rules");
        let (width, height) = rules.size().expect("finite");
        let cells = usize::from(width) * usize::from(height);
        for _ in 0..400 {
            let stones = random.usize(0..cells / 2);
            let position = games::scattered(rules, stones, &mut random);
            for side in Side::BOTH {
                let solution = solver.solve(&position, side, MaxCategory::Threes, SOME);
                verified(&position, &solution);
            }
        }
    }
}
