//! Which turns of Black need an answer of their own: those that are new (`docs/drawn.md`).

use std::collections::{BTreeMap, BTreeSet};

use super::position::{Cells, Position, members};

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
        let twins = twins.into_iter().map(|(lines, cells)| Twins { lines, cells });
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
    pub(super) fn next(&mut self) -> Vec<Turn> {
        let mut larger = BTreeSet::new();
        for &turn in &self.open {
            for cell in self.continuations(turn) {
                larger.insert(turn | 1 << cell);
            }
        }
        self.open = larger.into_iter().collect();
        let mut new: Vec<Turn> = self
            .open
            .iter()
            .filter(|&&turn| self.better_cell(turn).is_none() && self.known_answer(turn).is_none())
            .map(|&turn| members(turn).collect())
            .collect();
        new.sort_unstable();
        new
    }

    /// Every new turn that contains this turn contains, up to twins, one of these cells too: the
    /// better one if the turn is wasteful, otherwise one that spoils a known answer.
    fn continuations(&self, turn: Cells) -> Vec<u8> {
        if turn == 0 {
            return self.twins.iter().filter_map(|twins| first_free(twins, turn)).collect();
        }
        if let Some(cell) = self.better_cell(turn) {
            return vec![cell];
        }
        match self.known_answer(turn) {
            Some(white) => {
                let spoilers = self.twins.iter().filter(|twins| twins.cells & white != 0);
                spoilers.filter_map(|twins| first_free(twins, turn)).collect()
            }
            // No answer: any cell may follow. It does not happen if all new turns were answered.
            None => self.twins.iter().filter_map(|twins| first_free(twins, turn)).collect(),
        }
    }

    /// A free cell on all lines of a cell of this turn, and on more: the turn is wasteful.
    fn better_cell(&self, turn: Cells) -> Option<u8> {
        let used = self.twins.iter().filter(|twins| twins.cells & turn != 0);
        used.flat_map(|worse| {
            self.twins.iter().filter(|better| {
                better.lines != worse.lines && worse.lines & !better.lines == 0
            })
        })
        .find_map(|better| first_free(better, turn))
    }

    /// An answer to all or a part of this turn that, up to twins, avoids the turn.
    fn known_answer(&self, turn: Cells) -> Option<Cells> {
        let fits = |&&(black, white): &&(Cells, Cells)| {
            self.twins.iter().all(|twins| {
                let count = |cells: Cells| (cells & twins.cells).count_ones();
                count(black) <= count(turn)
                    && (count(white) == 0
                        || count(white) + count(turn) <= twins.cells.count_ones())
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
