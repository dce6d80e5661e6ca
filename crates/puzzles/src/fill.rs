//! Stones for the numbers and for temptation: a core with stones put back.
//!
//! A core alone is often too plain, for its tempting turns stood on stones that the solution does not need, and its
//! numbers of stones are hardly ever those of a game. So stones of the source are put back, the nearest first, and
//! where these do not do, others where they promise least. A stone of the attacker is put there only if the
//! solution stays the only one, one of the defender only if it still wins in time. The attacker takes the colour that
//! his number of stones has in a game: a puzzle is about roles.

use tengen_rules::{Cell, Rules, Side};
use tengen_threats::Index;

use crate::minimal::{Failure, Goal, by_distance, distance};
use crate::stand::{Stand, Workshop};

/// Cells that are tried for stones that the source does not have.
const STRANGERS: usize = 60;

/// The core with stones put back.
pub(crate) struct Filling {
    pub(crate) stand: Stand,
    /// What is left of the attacker's stones, the nearest last.
    own: Vec<Cell>,
    /// And of the defender's.
    other: Vec<Cell>,
    near: Cell,
}

impl Filling {
    pub(crate) fn new(whole: &Stand, core: &Stand, near: Cell) -> Self {
        let spare = |all: &[Cell]| -> Vec<Cell> {
            let mut spare = by_distance(all, near);
            spare.retain(|cell| !core.own.contains(cell) && !core.other.contains(cell));
            spare
        };
        Self {
            own: spare(&whole.own),
            other: spare(&whole.other),
            stand: core.clone(),
            near,
        }
    }

    /// Puts back one stone of the attacker that leaves the solution alone; `false` if there is none.
    pub(crate) fn add_attacker(&mut self, workshop: &mut Workshop, goal: Goal<'_>) -> bool {
        while let Some(cell) = self.own.pop() {
            if self.takes_attacker(workshop, goal, cell) {
                return true;
            }
        }
        false
    }

    fn takes_attacker(&mut self, workshop: &mut Workshop, goal: Goal<'_>, cell: Cell) -> bool {
        let mut more = self.stand.clone();
        more.own.push(cell);
        more.own.sort_unstable();
        let only = goal.is_only(workshop, &more, goal.effort.fewer).is_ok();
        if only {
            self.stand = more;
        }
        only
    }

    fn takes_defender(&mut self, workshop: &mut Workshop, goal: Goal<'_>, cell: Cell) -> bool {
        let mut more = self.stand.clone();
        more.other.push(cell);
        more.other.sort_unstable();
        // A stone of the defender may spoil the win or make it longer, but gives no other.
        let wins = goal.wins(workshop, &more);
        if wins {
            self.stand = more;
        }
        wins
    }

    /// Puts stones there until the numbers are those of a game.
    pub(crate) fn with_legal_count(
        &mut self,
        workshop: &mut Workshop,
        goal: Goal<'_>,
    ) -> Result<Stand, Failure> {
        while self.stand.own.len() < self.numbers().own {
            if !self.add_attacker(workshop, goal) && !self.add_strange(workshop, goal, true) {
                return Err(Failure::Count);
            }
        }
        while self.stand.other.len() < self.numbers().other {
            let taken = match self.other.pop() {
                Some(cell) => {
                    self.takes_defender(workshop, goal, cell);
                    true
                }
                None => self.add_strange(workshop, goal, false),
            };
            if !taken {
                return Err(Failure::Count);
            }
        }
        let mut stand = self.stand.clone();
        stand.attacker = self.numbers().attacker;
        Ok(stand)
    }

    /// Puts a stone on an empty cell that promises least, the nearest of these.
    fn add_strange(&mut self, workshop: &mut Workshop, goal: Goal<'_>, attacker: bool) -> bool {
        let attack = workshop.attack(&self.stand, 1);
        let board = &attack.board;
        let mut cells: Vec<(i64, i16, Cell)> = (0..board.grid().len() as Index)
            .filter(|&index| board.stone(index).is_none() && !goal.turn.contains(&index))
            .map(|index| {
                let promise = |side: Side| board.promise(side, index);
                let promise = promise(Side::Black) + promise(Side::White);
                let cell = board.cell(index);
                (promise, distance(cell, self.near), cell)
            })
            .collect();
        cells.sort_unstable();
        cells.truncate(STRANGERS);
        cells.into_iter().any(|(_, _, cell)| match attacker {
            true => self.takes_attacker(workshop, goal, cell),
            false => self.takes_defender(workshop, goal, cell),
        })
    }

    /// The fewest stones that a game can have here.
    fn numbers(&self) -> Numbers {
        let Stand {
            rules,
            attacker,
            own,
            other,
        } = &self.stand;
        let mut attackers = own.len();
        loop {
            let enough = |numbers: &Numbers| numbers.other >= other.len();
            let sides = [*attacker, !*attacker];
            let mut legal = sides
                .into_iter()
                .filter_map(|side| numbers(*rules, side, attackers));
            if let Some(numbers) = legal.find(enough) {
                return numbers;
            }
            attackers += 1;
        }
    }
}

/// Numbers of stones before a turn of the attacker.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
struct Numbers {
    attacker: Side,
    own: usize,
    other: usize,
}

/// How many stones the defender has when the attacker, of this colour, has so many and is to move.
fn numbers(rules: Rules, attacker: Side, own: usize) -> Option<Numbers> {
    let first = usize::from(rules.first_turn());
    let each = usize::from(rules.per_turn());
    let other = match attacker {
        Side::Black if own >= first && (own - first).is_multiple_of(each) => own - first + each,
        Side::White if own.is_multiple_of(each) => own + first,
        _ => return None,
    };
    Some(Numbers {
        attacker,
        own,
        other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_stones_has_a_colour_in_connect6_and_it_is_legal() {
        for own in 0..30 {
            let all: Vec<Numbers> = [Side::Black, Side::White]
                .into_iter()
                .filter_map(|side| numbers(Rules::CONNECT6, side, own))
                .collect();
            let [one] = all[..] else {
                panic!("{own}: {all:?}")
            };
            let stand = Stand {
                rules: Rules::CONNECT6,
                attacker: one.attacker,
                own: vec![Cell::new(0, 0); one.own],
                other: vec![Cell::new(1, 1); one.other],
            };
            assert!(stand.is_legal_count(), "{one:?}");
        }
    }
}
