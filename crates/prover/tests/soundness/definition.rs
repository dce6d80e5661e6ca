//! Definition 3 itself: the attacker still wins after irrelevant stones of the defender are added,
//! x_i outside Z_i.

use fastrand::Rng;
use tengen_prover::{Solver, Value};
use tengen_rules::{Cell, Position, Side};

use crate::naive::Game;
use crate::support::{
    self, Case, check, proof_of, random_case, replay_wins, setup, solve, text, verified, zone_cells,
};

/// Irrelevant stones: one outside Z_1, another outside Z_2, and so on, as many as there are zones.
pub(crate) fn irrelevant(zones: &[Vec<(i32, i32)>], empty: &[Cell], rng: &mut Rng) -> Vec<Cell> {
    let mut chosen: Vec<Cell> = Vec::new();
    for zone in zones {
        let outside = |cell: &Cell| !zone.contains(&(i32::from(cell.x), i32::from(cell.y)));
        let free: Vec<Cell> = empty
            .iter()
            .copied()
            .filter(|cell| outside(cell) && !chosen.contains(cell))
            .collect();
        let Some(&cell) = rng.choice(&free) else {
            break;
        };
        chosen.push(cell);
    }
    // Any beginning of the sequence is irrelevant too.
    let kept = rng.usize(0..=chosen.len());
    chosen.truncate(kept.max(1));
    chosen
}

#[expect(clippy::print_stderr, reason = "counts, seen with --no-capture")]
fn small_board(name: &str, positions: u32, empty: std::ops::RangeInclusive<u32>, order: u8) {
    let rules = support::rules(name);
    let game = Game::new(rules);
    let mut rng = Rng::with_seed(3);
    let mut solver = Solver::new(14);
    let (mut wins, mut tried) = (0, 0);
    for _ in 0..positions {
        let case = random_case(&game, rules, rng.u32(empty.clone()), &mut rng);
        let solution = solve(&mut solver, &case.position, order, Some(1_500));
        let (Some(proof), Some(zones)) =
            (proof_of(&solution), zone_cells(&solution, &case.position))
        else {
            continue;
        };
        wins += 1;
        let depth = solution.depth.expect("wins have a depth");
        let free = support::cells_of(rules, game.empty(case.stones));
        for _ in 0..4 {
            let added = irrelevant(&zones, &free, &mut rng);
            if added.is_empty() {
                break;
            }
            tried += 1;
            let mut stones = case.stones;
            stones.defender |= support::mask(rules, &added);
            let left = case.position.to_setup().left;
            let changed = Position::from_setup(&setup(rules, stones, case.attacker(), left));
            let changed = changed.unwrap_or_else(|error| {
                panic!(
                    "{added:?} decide the game: {error}: {}",
                    text(&case.position)
                );
            });
            assert_eq!(
                replay_wins(&game, proof, &Case::new(changed), depth),
                Some(true),
                "{added:?} break the win: {}\n{}",
                text(&case.position),
                proof.to_text()
            );
        }
    }
    eprintln!("{name}, order {order}: {wins} wins, {tried} sets of irrelevant stones");
    assert!(tried * 10 > positions);
}

#[test]
fn irrelevant_stones_one_a_turn() {
    small_board("6,6,4,1,1", 1_500, 8..=24, 1);
    small_board("6,6,4,1,1", 500, 14..=24, 2);
    small_board("7,7,5,1,1", 1_500, 12..=30, 1);
    small_board("7,7,5,1,1", 800, 20..=32, 2);
}

#[test]
fn irrelevant_stones_two_a_turn() {
    small_board("6,6,4,2,1", 1_000, 8..=20, 1);
    small_board("7,7,5,2,1", 1_000, 10..=24, 2);
    small_board("9,9,6,2,1", 500, 14..=26, 1);
    small_board("9,9,6,2,1", 300, 20..=34, 2);
}

/// A random game on the large board in which one side hardly defends: wins of several turns.
fn large_position(rng: &mut Rng) -> Option<Position> {
    let rules = support::rules("connect6");
    let mut setup = tengen_rules::Setup::empty(rules);
    setup.to_move = Side::Black;
    let mut taken: Vec<Cell> = Vec::new();
    let (attackers, defenders) = (rng.usize(6..=9), rng.usize(6..=14));
    let near = |rng: &mut Rng, spread: i16| {
        Cell::new(9 + rng.i16(-spread..=spread), 9 + rng.i16(-spread..=spread))
    };
    for number in 0..attackers + defenders {
        let cell = near(rng, if number < attackers { 3 } else { 4 });
        if taken.contains(&cell) {
            continue;
        }
        taken.push(cell);
        let side = if number < attackers {
            Side::Black
        } else {
            Side::White
        };
        setup.stones_of_mut(side).push(cell);
    }
    Position::from_setup(&setup).ok()
}

#[test]
#[expect(clippy::print_stderr, reason = "counts, seen with --no-capture")]
fn irrelevant_stones_on_the_large_board() {
    let mut rng = Rng::with_seed(5);
    let mut solver = Solver::new(16);
    let (mut wins, mut tried, mut quiet, mut unknown, mut same_proof) = (0, 0, 0, 0, 0);
    for number in 0..700 {
        let Some(position) = large_position(&mut rng) else {
            continue;
        };
        let order = 1 + u8::from(number % 4 == 0);
        let solution = solve(&mut solver, &position, order, Some(2_000));
        let (Some(proof), Some(zones)) = (proof_of(&solution), zone_cells(&solution, &position))
        else {
            continue;
        };
        verified(proof, &solution, &position);
        if solution.depth == Some(1) {
            continue;
        }
        wins += 1;
        quiet += u32::from(order == 2);
        let before = position.to_setup();
        let free: Vec<Cell> = position
            .grid()
            .cells()
            .filter(|&cell| position.stone(cell).is_none())
            .collect();
        // Stones near the fight are the interesting ones.
        let close: Vec<Cell> = free
            .iter()
            .copied()
            .filter(|c| (4..=14).contains(&c.x) && (4..=14).contains(&c.y))
            .collect();
        for _ in 0..3 {
            let added = irrelevant(&zones, &close, &mut rng);
            let mut setup = before.clone();
            setup.white.extend(&added);
            let changed = Position::from_setup(&setup).unwrap_or_else(|error| {
                panic!("{added:?} decide the game: {error}: {}", text(&position));
            });
            tried += 1;
            // The same proof, for the new position: nearly always still verified.
            let moved = tengen_prover::Proof {
                position: changed.to_setup(),
                ..proof.clone()
            };
            same_proof += u32::from(check(&moved, &changed).is_verified());
            let again = solve(&mut solver, &changed, order, Some(200_000));
            match &again.value {
                Value::Win(proof) => {
                    verified(proof, &again, &changed);
                }
                Value::None => panic!("{added:?} break the win: {}", text(&position)),
                Value::Unknown => unknown += 1,
            }
        }
    }
    eprintln!(
        "19x19: {wins} wins ({quiet} asked with order 2), {tried} sets, unknown {unknown}, the same proof verified {same_proof}"
    );
    assert!(wins > 100 && unknown * 20 < tried && same_proof * 2 > tried);
}
