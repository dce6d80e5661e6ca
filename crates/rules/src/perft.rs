//! Counting games, the classical test of rules: how many ways are there to play `depth` turns?

use std::collections::HashSet;

use crate::position::DIRECTIONS;
use crate::{Cell, Position, Turn};

/// The number of sequences of `depth` turns from here, at most `u64::MAX`. Sequences that end earlier
/// are not counted.
///
/// A turn is an unordered set of stones. A stone that wins ends its turn, so a turn may be shorter
/// than usual; `{a, b}` is a turn when `a`, `b` or `b`, `a` can be played. On an infinite board
/// stones go only to the cells kept in memory.
pub fn perft(position: &mut Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if position.outcome().is_some() {
        return 0;
    }
    if depth == 1 && !position.may_win_this_turn() {
        let free = position.free_cells().len() as u64;
        return choose(free, u64::from(position.left()).min(free));
    }
    let mut total: u64 = 0;
    position.each_turn(&mut |after| total = total.saturating_add(perft(after, depth - 1)));
    total
}

impl Position {
    /// All legal turns from here, each once; see [`perft`] for what counts as a turn.
    pub fn legal_turns(&self) -> Vec<Turn> {
        let mut turns = Vec::new();
        let before = self.history().count();
        self.clone().each_turn(&mut |after| {
            turns.push(
                after
                    .history()
                    .skip(before)
                    .filter_map(|(_, cell)| cell)
                    .collect(),
            );
        });
        turns
    }

    /// Calls `visit` with the position after each legal turn.
    fn each_turn(&mut self, visit: &mut dyn FnMut(&mut Self)) {
        if self.outcome().is_some() {
            return;
        }
        let cells = self.free_cells();
        if self.may_win_this_turn() {
            let mut seen = HashSet::new();
            self.grow_turn(&cells, &mut Vec::new(), &mut seen, visit);
        } else {
            let stones = usize::from(self.left()).min(cells.len());
            self.choose_turn(&cells, stones, visit);
        }
    }

    /// No order of placing can end the game early: place the stones in increasing order.
    fn choose_turn(&mut self, cells: &[Cell], stones: usize, visit: &mut dyn FnMut(&mut Self)) {
        if stones == 0 {
            return visit(self);
        }
        for (index, &cell) in cells.iter().enumerate().take(cells.len() + 1 - stones) {
            self.place(cell).expect("a free cell is legal");
            self.choose_turn(&cells[index + 1..], stones - 1, visit);
            self.undo();
        }
    }

    /// Some order may end the game early: try all orders, visit each set of stones once.
    fn grow_turn(
        &mut self,
        cells: &[Cell],
        placed: &mut Vec<Cell>,
        seen: &mut HashSet<Vec<Cell>>,
        visit: &mut dyn FnMut(&mut Self),
    ) {
        let side = self.to_move();
        for &cell in cells {
            let Err(slot) = placed.binary_search(&cell) else {
                continue;
            };
            placed.insert(slot, cell);
            if seen.insert(placed.clone()) {
                let last = self.left() == 1;
                self.place(cell).expect("a free cell is legal");
                if last || self.outcome().is_some() {
                    visit(self);
                } else {
                    debug_assert_eq!(self.to_move(), side);
                    self.grow_turn(cells, placed, seen, visit);
                }
                self.undo();
            }
            placed.remove(slot);
        }
    }

    fn free_cells(&self) -> Vec<Cell> {
        let grid = self.grid();
        grid.cells()
            .filter(|&cell| grid.holds(cell) && self.stone(cell).is_none())
            .collect()
    }

    /// `false` only if the side to move cannot complete a line in this turn.
    fn may_win_this_turn(&self) -> bool {
        let (grid, line) = (self.grid(), i16::from(self.rules().line()));
        let needed = line - i16::from(self.left());
        grid.cells().any(|cell| {
            DIRECTIONS.iter().any(|&direction| {
                let mut own = 0;
                for n in 0..line {
                    match grid
                        .index(cell.step(direction, n))
                        .map(|_| self.stone(cell.step(direction, n)))
                    {
                        Some(Some(side)) if side == self.to_move() => own += 1,
                        Some(None) => {}
                        _ => return false,
                    }
                }
                own >= needed
            })
        })
    }
}

fn choose(n: u64, k: u64) -> u64 {
    // Exact: the product of i consecutive numbers is divisible by i!.
    let mut product: u128 = 1;
    for i in 0..k {
        product = product * u128::from(n - i) / u128::from(i + 1);
        if product > u128::from(u64::MAX) {
            return u64::MAX;
        }
    }
    product as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Outcome, Rules};

    /// Counts by playing every sequence of placements and keeping the distinct sets per turn.
    fn perft_slow(position: &Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if position.outcome().is_some() {
            return 0;
        }
        let mut ends: Vec<Position> = Vec::new();
        let mut open = vec![position.clone()];
        while let Some(position) = open.pop() {
            for cell in position
                .grid()
                .cells()
                .filter(|&cell| position.stone(cell).is_none())
            {
                let mut after = position.clone();
                after.place(cell).expect("legal");
                if after.outcome().is_none() && after.to_move() == position.to_move() {
                    open.push(after);
                } else if !ends.contains(&after) {
                    ends.push(after);
                }
            }
        }
        ends.iter().map(|end| perft_slow(end, depth - 1)).sum()
    }

    #[test]
    fn fast_and_slow_agree() {
        for (rules, depth) in [
            ("3,3,3,1,1", 5),
            ("3,3,3,2,1", 4),
            ("4,2,3,2,1", 4),
            ("4,3,3,2,2", 3),
            ("4,1,3,2,1,exact", 3),
            ("5,2,4,3,1", 3),
        ] {
            let rules: Rules = rules.parse().expect("known rules");
            for depth in 0..=depth {
                let slow = perft_slow(&Position::new(rules), depth);
                assert_eq!(
                    perft(&mut Position::new(rules), depth),
                    slow,
                    "{rules} depth {depth}"
                );
            }
        }
    }

    #[test]
    fn turns_are_counted_as_sets() {
        assert_eq!(
            perft(&mut Position::new(Rules::CONNECT6), 2),
            361 * 360 * 359 / 2
        );
        let turns = Position::new("3,3,3,2,1".parse().expect("known rules")).legal_turns();
        assert_eq!(turns.len(), 9);
    }

    #[test]
    fn large_numbers_saturate() {
        let rules: Rules = "20,20,16,15,1".parse().expect("known rules");
        assert_eq!(perft(&mut Position::new(rules), 2), u64::MAX);
    }

    #[test]
    fn finished_games_have_no_turns() {
        let mut position = Position::new(Rules::TIC_TAC_TOE);
        for cell in ["A1", "B1", "A2", "B2", "A3"] {
            position
                .place(cell.parse().expect("a cell"))
                .expect("legal");
        }
        assert!(matches!(position.outcome(), Some(Outcome::Win { .. })));
        assert!(position.legal_turns().is_empty());
        assert_eq!(perft(&mut position, 1), 0);
    }
}
