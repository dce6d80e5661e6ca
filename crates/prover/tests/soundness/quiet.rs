//! Order 2 by brute force: `None` means that no such win exists.
//!
//! The definition (RZOP, section III-D): after the attacker's turn the defender has at most one stone
//! to spare; if he leaves it out, there is a win of order 1; and every whole reply loses at order 2.

use std::collections::HashMap;

use fastrand::Rng;
use tengen_prover::{Solver, Value};

use crate::naive::{Forced, Game, Mask, Stones, TooLarge, meets, subsets};
use crate::support::{self, random_case, solve, text};

struct Quiet<'a> {
    game: &'a Game,
    forced: Forced<'a>,
    known: HashMap<(Stones, u32, u16), bool>,
    left: u64,
}

impl Quiet<'_> {
    /// Whether a win of order 2 within `depth` turns exists.
    fn wins(&mut self, at: Stones, stones: u32, depth: u16) -> Result<bool, TooLarge> {
        if self.forced.wins(at, stones, depth)? {
            return Ok(true);
        }
        if depth < 3 {
            return Ok(false);
        }
        if let Some(&known) = self.known.get(&(at, stones, depth)) {
            return Ok(known);
        }
        self.left = self.left.checked_sub(1).ok_or(TooLarge)?;
        let mut found = false;
        for turn in subsets(self.game.empty(at), stones) {
            if self.turn_wins(at, turn, depth)? {
                found = true;
                break;
            }
        }
        self.known.insert((at, stones, depth), found);
        Ok(found)
    }

    fn turn_wins(&mut self, at: Stones, turn: Mask, depth: u16) -> Result<bool, TooLarge> {
        let game = self.game;
        let attacker = at.attacker | turn;
        if game.can_complete(at.defender, attacker, game.per_turn) {
            return Ok(false);
        }
        let after = Stones { attacker, ..at };
        let windows = game.threat_windows(after);
        let empty = game.empty(after);
        // With one stone to spare there is a win of order 1 whatever the others are.
        for stones in 0..game.per_turn {
            for part in subsets(empty, stones) {
                if !meets(part, &windows) {
                    continue;
                }
                let defender = at.defender | part;
                let next = Stones { attacker, defender };
                let spare_too_many = stones + 1 < game.per_turn;
                if spare_too_many || !self.forced.wins(next, game.per_turn, depth - 1)? {
                    return Ok(false);
                }
            }
        }
        for reply in subsets(empty, game.per_turn) {
            if meets(reply, &windows) {
                let defender = at.defender | reply;
                let next = Stones { attacker, defender };
                if !self.wins(next, game.per_turn, depth - 1)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

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
        let known = HashMap::new();
        let forced = Forced::new(&game, 20_000);
        let mut naive = Quiet {
            game: &game,
            forced,
            known,
            left: 3_000,
        };
        let truth = naive.wins(case.stones, left, depth);
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
