//! Λ-search by brute force, straight from Definition 1 of RZOP: after an attacker's turn of order r,
//! if the defender leaves out u of his stones, there is a win of order r - u; and every whole reply
//! loses at order r. No zones, no table of threats: every turn and every reply is tried.

use std::collections::HashMap;

use crate::naive::{Forced, Game, Mask, Stones, TooLarge, meets, subsets};

/// Wins of any order, within so many turns.
pub(crate) struct Lambda<'a> {
    game: &'a Game,
    forced: Forced<'a>,
    known: HashMap<(Stones, u32, u8, u16), bool>,
    left: u64,
}

impl<'a> Lambda<'a> {
    /// Gives up after so many positions, those of order 1 not counted, and so many of order 1.
    pub(crate) fn new(game: &'a Game, most_positions: u64, most_forced: u64) -> Self {
        Self {
            game,
            forced: Forced::new(game, most_forced),
            known: HashMap::new(),
            left: most_positions,
        }
    }

    /// Whether a win of this order within `depth` turns exists, the first of `stones` stones.
    pub(crate) fn wins(
        &mut self,
        at: Stones,
        stones: u32,
        order: u8,
        depth: u16,
    ) -> Result<bool, TooLarge> {
        if self.forced.wins(at, stones, depth)? {
            return Ok(true);
        }
        if order < 2 || depth < 3 {
            return Ok(false);
        }
        if let Some(&known) = self.known.get(&(at, stones, order, depth)) {
            return Ok(known);
        }
        self.left = self.left.checked_sub(1).ok_or(TooLarge)?;
        let mut found = false;
        for turn in subsets(self.game.empty(at), stones) {
            if self.turn_wins(at, turn, order, depth)? {
                found = true;
                break;
            }
        }
        self.known.insert((at, stones, order, depth), found);
        Ok(found)
    }

    fn turn_wins(
        &mut self,
        at: Stones,
        turn: Mask,
        order: u8,
        depth: u16,
    ) -> Result<bool, TooLarge> {
        let game = self.game;
        let attacker = at.attacker | turn;
        if game.can_complete(at.defender, attacker, game.per_turn) {
            return Ok(false);
        }
        let after = Stones { attacker, ..at };
        let windows = game.threat_windows(after);
        let empty = game.empty(after);
        for stones in 0..=game.per_turn {
            let spare = game.per_turn - stones;
            for part in subsets(empty, stones) {
                if !meets(part, &windows) {
                    continue;
                }
                let defender = at.defender | part;
                let next = Stones { attacker, defender };
                // With all threats met there is no win of order 0.
                let order = order.saturating_sub(spare as u8);
                if order == 0 || !self.wins(next, game.per_turn, order, depth - 1)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}
