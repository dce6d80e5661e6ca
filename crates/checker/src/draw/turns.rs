//! Which turns of Black need an answer of their own: those that are new (`docs/drawn.md`).

use std::collections::{BTreeMap, BTreeSet};

use super::position::{Cells, Position, members};
use crate::verdict::{Budget, Stop};

/// A turn: cells in increasing order.
pub(super) type Turn = Vec<u8>;

/// Cells on the same lines.
struct Twins {
    lines: u64,
    cells: Cells,
}

/// A position with its twins, and the answers read so far.
pub(super) struct Turns {
    twins: Vec<Twins>,
    answers: Vec<(Cells, Cells)>,
    /// Turns of the last size that may be part of a larger new turn.
    open: Vec<Cells>,
}

impl Turns {
    pub(super) fn of(position: &Position) -> Self {
        let mut twins: BTreeMap<u64, Cells> = BTreeMap::new();
        for cell in members(position.cells()) {
            *twins.entry(position.through(cell)).or_default() |= 1 << cell;
        }
        let twins = twins
            .into_iter()
            .map(|(lines, cells)| Twins { lines, cells });
        Self {
            twins: twins.collect(),
            answers: Vec::new(),
            open: vec![0],
        }
    }

    /// Adds White's answer to a turn.
    pub(super) fn answer(&mut self, black: Cells, white: Cells) {
        self.answers.push((black, white));
    }

    /// The new turns with one stone more than before, in order. All of the last size must have been
    /// answered.
    pub(super) fn next(&mut self, budget: &mut Budget) -> Result<Vec<Turn>, Stop> {
        let mut larger = BTreeSet::new();
        for &turn in &self.open {
            budget.tick()?;
            for cell in self.continuations(turn) {
                larger.insert(turn | 1 << cell);
            }
        }
        self.open = larger.into_iter().collect();
        let mut new: Vec<Turn> = Vec::new();
        for &turn in &self.open {
            budget.tick()?;
            if self.better_cell(turn).is_none() && self.known_answer(turn).is_none() {
                new.push(members(turn).collect());
            }
        }
        new.sort_unstable();
        Ok(new)
    }

    /// Every new turn that contains this turn contains, up to twins, one of these cells too: the
    /// better one if the turn is wasteful, otherwise one that spoils a known answer.
    fn continuations(&self, turn: Cells) -> Vec<u8> {
        if turn == 0 {
            return self
                .twins
                .iter()
                .filter_map(|twins| first_free(twins, turn))
                .collect();
        }
        if let Some(cell) = self.better_cell(turn) {
            return vec![cell];
        }
        match self.known_answer(turn) {
            Some(white) => {
                let spoilers = self.twins.iter().filter(|twins| twins.cells & white != 0);
                spoilers
                    .filter_map(|twins| first_free(twins, turn))
                    .collect()
            }
            // No answer: any cell may follow. It does not happen if all new turns were answered.
            None => self
                .twins
                .iter()
                .filter_map(|twins| first_free(twins, turn))
                .collect(),
        }
    }

    /// A free cell on all lines of a cell of this turn, and on more: the turn is wasteful.
    fn better_cell(&self, turn: Cells) -> Option<u8> {
        let used = self.twins.iter().filter(|twins| twins.cells & turn != 0);
        used.flat_map(|worse| {
            self.twins
                .iter()
                .filter(|better| better.lines != worse.lines && worse.lines & !better.lines == 0)
        })
        .find_map(|better| first_free(better, turn))
    }

    /// An answer to all or a part of this turn that, up to twins, avoids the turn.
    fn known_answer(&self, turn: Cells) -> Option<Cells> {
        let fits = |&&(black, white): &&(Cells, Cells)| {
            self.twins.iter().all(|twins| {
                let count = |cells: Cells| (cells & twins.cells).count_ones();
                count(black) <= count(turn)
                    && (count(white) == 0 || count(white) + count(turn) <= twins.cells.count_ones())
            })
        };
        self.answers.iter().find(fits).map(|&(_, white)| white)
    }
}

/// The first of some twins that a turn does not use.
fn first_free(twins: &Twins, turn: Cells) -> Option<u8> {
    let free = twins.cells & !turn;
    (free != 0).then(|| free.trailing_zeros() as u8)
}

#[cfg(test)]
mod tests {
    use super::{Budget, Cells, Position, Turns};
    use crate::verdict::Limits;

    /// Counts of cells by the set of lines through them.
    fn counts(position: &Position, cells: Cells) -> Vec<(u64, u32)> {
        let mut counts: Vec<(u64, u32)> = Vec::new();
        for cell in (0..128).filter(|cell| cells >> cell & 1 == 1) {
            let through = position.through(cell);
            match counts.iter_mut().find(|(lines, _)| *lines == through) {
                Some((_, count)) => *count += 1,
                None => counts.push((through, 1)),
            }
        }
        counts
    }

    fn count(position: &Position, cells: Cells, through: u64) -> u32 {
        let counts = counts(position, cells);
        counts
            .iter()
            .find(|(lines, _)| *lines == through)
            .map_or(0, |(_, count)| *count)
    }

    /// New turns, word for word from `docs/drawn.md`.
    fn new_turns_slow(position: &Position, stones: u32, answers: &[(Cells, Cells)]) -> Vec<Cells> {
        let all = position.cells();
        let subsets =
            (1..1_u128 << 9).filter(|turn| turn & !all == 0 && turn.count_ones() == stones);
        subsets
            .filter(|&turn| {
                let cells = || (0..9_u8).filter(|cell| all >> cell & 1 == 1);
                let used = |cell: u8| turn >> cell & 1 == 1;
                // Of twins, the first ones.
                let first = cells().filter(|&cell| used(cell)).all(|cell| {
                    cells()
                        .filter(|&twin| {
                            twin < cell && position.through(twin) == position.through(cell)
                        })
                        .all(used)
                });
                let wasteful = cells().filter(|&cell| used(cell)).any(|a| {
                    cells().filter(|&b| !used(b)).any(|b| {
                        let (a, b) = (position.through(a), position.through(b));
                        a != b && a & !b == 0
                    })
                });
                let answered = answers.iter().any(|&(black, white)| {
                    black.count_ones() < stones
                        && counts(position, black)
                            .iter()
                            .all(|&(lines, n)| n <= count(position, turn, lines))
                        && counts(position, white).iter().all(|&(lines, n)| {
                            n + count(position, turn, lines) <= count(position, all, lines)
                        })
                });
                first && !wasteful && !answered
            })
            .collect()
    }

    #[test]
    fn growing_misses_no_new_turn() {
        let mut random = fastrand::Rng::with_seed(2);
        let mut larger = 0;
        let mut budget = Budget::new(&Limits::default());
        for _ in 0..600 {
            let mut lines: Vec<Cells> = (0..random.usize(1..6))
                .map(|_| Cells::from(random.u16(1..512)))
                .collect();
            lines.sort_unstable();
            lines.dedup();
            let position = Position { lines };
            let mut turns = Turns::of(&position);
            let mut answers: Vec<(Cells, Cells)> = Vec::new();
            for stones in 1..=4 {
                let mut new: Vec<Cells> = turns
                    .next(&mut budget)
                    .expect("there is no limit")
                    .iter()
                    .map(|turn| turn.iter().fold(0, |cells, cell| cells | 1 << cell))
                    .collect();
                new.sort_unstable();
                assert_eq!(new, new_turns_slow(&position, stones, &answers));
                larger += usize::from(stones > 1) * new.len();
                for black in new {
                    let free = position.cells() & !black;
                    let mut white =
                        free & Cells::from(random.u16(..)) & Cells::from(random.u16(..));
                    while white.count_ones() > stones {
                        white &= white - 1;
                    }
                    turns.answer(black, white);
                    answers.push((black, white));
                }
            }
        }
        assert!(larger > 300, "{larger} new turns of several stones");
    }
}
