//! Orders 3 and 4 by brute force, around positions in which they are needed: the winning turn makes no
//! threat at all.
//!
//! A claimed win is verified, its strategy is played against every defence, and again after
//! irrelevant stones of the defender are added; `None` means that no such win exists. The number of
//! wins for each game can be set with `PROVER_WINS`.

use std::collections::HashSet;

use fastrand::Rng;
use tengen_prover::{Solution, Solver, Value};
use tengen_rules::Position;

use crate::definition::irrelevant;
use crate::lambda::Lambda;
use crate::naive::Game;
use crate::support::{
    self, Case, is_quiet, proof_of, replay_wins, setup, solve, text, verified, zone_cells,
};
use crate::walk::Walk;

/// Nodes of one search.
const NODES: u64 = 200;

/// What was met.
#[derive(Debug, Default)]
struct Counts {
    positions: u32,
    wins: u32,
    /// Wins that order 2 does not find and whose first turn makes no threat.
    quiet: u32,
    /// Answers `None` that are right.
    none: u32,
    /// Quiet wins that Λ-search by brute force has too, of which every twentieth is tried.
    lambda: u32,
    /// Sets of irrelevant stones.
    irrelevant: u32,
}

#[expect(clippy::print_stderr, reason = "counts, seen with --no-capture")]
fn compare(name: &str, wins: u32) -> Counts {
    let wins = std::env::var("PROVER_WINS").map_or(wins, |n| n.parse().expect("a number"));
    let mut walk = Walk::new(name, 0x3a4);
    let game = walk.game.clone();
    let mut rng = Rng::with_seed(4);
    let mut solver = Solver::new(12);
    let mut seen = HashSet::new();
    let mut counts = Counts::default();
    while counts.quiet < wins {
        let case = walk.look();
        if !seen.insert((case.stones, case.left())) {
            continue;
        }
        let position = &case.position;
        counts.positions += 1;
        assert!(counts.positions < 100 * wins, "too few wins: {counts:?}");
        let order = [3, 3, 3, 4][counts.positions as usize % 4];
        let solution = solve(&mut solver, position, order, Some(NODES));
        let Value::Win(proof) = &solution.value else {
            if solution.value == Value::None {
                let truth = has_win(&game, &case, order, 4);
                assert_ne!(truth, Some(true), "order {order}: {}", text(position));
                counts.none += u32::from(truth.is_some());
            }
            continue;
        };
        counts.wins += 1;
        let depth = solution.depth.expect("wins have a depth");
        verified(proof, &solution, position);
        let easy = proof_of(&solve(&mut solver, position, 2, Some(NODES))).is_some();
        if easy || !is_quiet(&game, proof) {
            continue;
        }
        walk.go(&case);
        counts.quiet += 1;
        let wins = |case: &Case| replay_wins(&game, proof, case, depth) == Some(true);
        assert!(wins(&case), "a false win\n{}", proof.to_text());
        if let Some(changed) = with_irrelevant_stones(&game, &case, &solution, &mut rng) {
            let changed_text = text(&changed.position);
            assert!(wins(&changed), "{changed_text}\n{}", proof.to_text());
            counts.irrelevant += 1;
        }
        if counts.quiet.is_multiple_of(20) {
            let higher = solve(&mut solver, position, order + 1, Some(NODES));
            assert_ne!(higher.value, Value::None, "{}", text(position));
            counts.lambda += u32::from(has_win(&game, &case, order, depth) == Some(true));
        }
    }
    eprintln!("{name}: {counts:?}");
    counts
}

/// Whether there is a win of this order within so many turns, unless it is too much to say.
fn has_win(game: &Game, case: &Case, order: u8, depth: u16) -> Option<bool> {
    let mut lambda = Lambda::new(game, 1_000, 10_000);
    lambda.wins(case.stones, case.left(), order, depth).ok()
}

/// The same position with stones of the defender that do not matter, if the win has zones.
fn with_irrelevant_stones(
    game: &Game,
    case: &Case,
    solution: &Solution,
    rng: &mut Rng,
) -> Option<Case> {
    let rules = case.position.rules();
    let zones = zone_cells(solution, &case.position)?;
    let free = support::cells_of(rules, game.empty(case.stones));
    let added = irrelevant(&zones, &free, rng);
    if added.is_empty() {
        return None;
    }
    let mut stones = case.stones;
    stones.defender |= support::mask(rules, &added);
    let left = case.position.to_setup().left;
    let setup = setup(rules, stones, case.attacker(), left);
    let position = Position::from_setup(&setup);
    Some(Case::new(
        position.expect("irrelevant stones decide nothing"),
    ))
}

#[test]
fn one_stone() {
    for (name, wins) in [("7,7,5,1,1", 20), ("8,7,5,1,1", 350), ("9,6,5,1,1", 350)] {
        let counts = compare(name, wins);
        assert!(counts.irrelevant * 2 > counts.quiet);
    }
}

#[test]
fn two_stones_five_in_a_row() {
    for (name, wins) in [("7,7,5,2,1", 750), ("6,6,5,2,1", 100), ("9,5,5,2,1", 750)] {
        let counts = compare(name, wins);
        assert!(counts.lambda > 0 && counts.none * 20 > counts.positions);
    }
}

#[test]
fn two_stones_six_in_a_row() {
    for (name, wins) in [("8,8,6,2,1", 1_400), ("9,6,6,2,1", 1_400)] {
        let counts = compare(name, wins);
        assert!(counts.lambda > 0 && counts.none * 20 > counts.positions);
        assert!(counts.irrelevant * 2 > counts.quiet);
    }
}
