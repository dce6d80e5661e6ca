//! Small boards, many rules, thousands of positions each: a claimed win is a win, `None` at order 1
//! means that no threats win, and the shortest win is the shortest.

use fastrand::Rng;
use tengen_prover::{Request, Solver, Value};

use crate::naive::{Forced, Game};
use crate::support::{self, proof_of, random_case, replay_wins, solve, text, verified};

/// What was met.
#[derive(Debug, Default)]
struct Counts {
    positions: u32,
    wins: u32,
    /// Wins of more than two turns.
    long: u32,
    none: u32,
    too_large: u32,
    quiet_wins: u32,
    quiet_unknown: u32,
}

/// Tests one game on `positions` random positions with `empty` empty cells.
#[expect(clippy::print_stderr, reason = "counts, seen with --no-capture")]
fn compare(name: &str, positions: u32, empty: std::ops::RangeInclusive<u32>, quiet_every: u32) {
    let rules = support::rules(name);
    let game = Game::new(rules);
    let mut rng = Rng::with_seed(0x7e_26e4);
    let mut solver = Solver::new(14);
    let mut counts = Counts::default();
    for number in 0..positions {
        let case = loop {
            let case = random_case(&game, rules, rng.u32(empty.clone()), &mut rng);
            // Most positions that are won at once are left out: they say little.
            let at_once = Forced::new(&game, 3_000).wins(case.stones, case.left(), 2);
            if !matches!(at_once, Ok(true)) || rng.u32(0..6) == 0 {
                break case;
            }
        };
        let position = &case.position;
        counts.positions += 1;

        let solution = solve(&mut solver, position, 1, None);
        let mut naive = Forced::new(&game, 3_000);
        let shortest = naive.shortest(case.stones, case.left());
        match (&solution.value, &shortest) {
            (Value::Win(proof), shortest) => {
                let depth = solution.depth.expect("wins have a depth");
                counts.wins += 1;
                counts.long += u32::from(depth > 2);
                verified(proof, &solution, position);
                assert_eq!(
                    replay_wins(&game, proof, &case, depth),
                    Some(true),
                    "a false win: {}\n{}",
                    text(position),
                    proof.to_text()
                );
                if let Ok(shortest) = shortest {
                    let least =
                        shortest.unwrap_or_else(|| panic!("no threats win: {}", text(position)));
                    assert!(least <= depth, "{}", text(position));
                }
            }
            (Value::None, Ok(None)) => counts.none += 1,
            (Value::None, Ok(Some(depth))) => {
                panic!("a win in {depth} was missed: {}", text(position));
            }
            (Value::Unknown, _) => panic!("unknown without limits: {}", text(position)),
            (_, Err(_)) => counts.too_large += 1,
        }

        if let Ok(shortest) = shortest {
            let request = Request {
                shortest: true,
                ..Request::new(case.attacker(), 1)
            };
            let solution = solver.solve(position, &request);
            assert_eq!(solution.depth, shortest, "shortest: {}", text(position));
            if let Some(proof) = proof_of(&solution) {
                verified(proof, &solution, position);
            }
        }

        if number % quiet_every == 0 {
            let solution = solve(&mut solver, position, 2, Some(1_500));
            match &solution.value {
                Value::Win(proof) => {
                    let depth = solution.depth.expect("wins have a depth");
                    verified(proof, &solution, position);
                    assert_eq!(
                        replay_wins(&game, proof, &case, depth),
                        Some(true),
                        "a false win of order 2: {}\n{}",
                        text(position),
                        proof.to_text()
                    );
                    counts.quiet_wins += u32::from(matches!(shortest, Ok(None)));
                }
                Value::None => assert!(!matches!(shortest, Ok(Some(_))), "{}", text(position)),
                Value::Unknown => counts.quiet_unknown += 1,
            }
        }
    }
    eprintln!("{name}: {counts:?}");
    assert!(counts.too_large * 20 < positions, "{counts:?}");
    assert!(
        counts.wins * 30 > positions && counts.none * 30 > positions,
        "{counts:?}"
    );
}

#[test]
fn four_in_a_row_two_stones() {
    compare("6,6,4,2,1", 3_000, 8..=20, 2);
}

#[test]
fn five_in_a_row_two_stones() {
    compare("7,7,5,2,1", 3_000, 10..=26, 2);
}

#[test]
fn six_in_a_row_two_stones() {
    compare("9,9,6,2,1", 2_000, 12..=30, 2);
}

#[test]
fn four_in_a_row() {
    compare("6,6,4,1,1", 4_000, 8..=24, 2);
}

#[test]
fn five_in_a_row() {
    compare("7,7,5,1,1", 4_000, 10..=30, 2);
}

#[test]
fn four_in_a_row_three_stones() {
    compare("6,7,4,3,1", 2_000, 5..=8, 10);
}

#[test]
fn a_rectangle() {
    compare("9,5,4,2,1", 2_000, 8..=22, 2);
}

#[test]
fn a_narrow_strip() {
    compare("4,11,5,1,1", 2_000, 8..=26, 2);
}

#[test]
fn exactly_five_one_stone() {
    compare("7,7,5,1,1,exact", 3_000, 10..=26, 8);
}

#[test]
fn exactly_four_two_stones() {
    compare("7,6,4,2,1,exact", 2_000, 8..=15, 8);
}
