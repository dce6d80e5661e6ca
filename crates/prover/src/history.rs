//! What a search remembers of itself to try the likely first: which turns have won elsewhere in the tree, and which cells of the
//! defender have refuted turns. It changes the order only; nothing is decided by it.

use smallvec::SmallVec;
use tengen_threats::Index;

use crate::tree::Cells;

/// How many turns are told apart; others share what is known of them.
const SLOTS: usize = 4_096;

/// How often turns have won.
#[derive(Debug)]
pub(crate) struct Wins(Box<[u16]>);

impl Default for Wins {
    fn default() -> Self {
        Self(vec![0; SLOTS].into())
    }
}

impl Wins {
    /// The stones of a turn may come in any order.
    fn slot(turn: &Cells) -> usize {
        let mixed = turn.iter().fold(0_u64, |sum, &cell| {
            sum.wrapping_add((u64::from(cell) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
        });
        let mixed = mixed.wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed >> (u64::BITS - SLOTS.ilog2())) as usize
    }

    /// A turn has won once more.
    pub(crate) fn note(&mut self, turn: &Cells) {
        let wins = &mut self.0[Self::slot(turn)];
        *wins = wins.saturating_add(1);
    }

    /// How often it has.
    pub(crate) fn of(&self, turn: &Cells) -> u16 {
        self.0[Self::slot(turn)]
    }

    /// Those that have won most come first; equal ones stay in their order.
    pub(crate) fn sort(&self, turns: &mut [Cells]) {
        if turns.len() > 1 {
            turns.sort_by_key(|turn| std::cmp::Reverse(self.of(turn)));
        }
    }
}

/// How many cells are remembered, and how many of them are tried.
const MOST_STUBBORN: usize = 12;
const TRIED: usize = 5;

/// The cells whose stones refuted turns, the latest first.
#[derive(Debug, Default)]
pub(crate) struct Stubborn(SmallVec<[Index; 16]>);

impl Stubborn {
    /// A reply has refuted a turn.
    pub(crate) fn note(&mut self, reply: &Cells) {
        for &cell in reply {
            self.0.retain(|known| *known != cell);
            self.0.insert(0, cell);
        }
        self.0.truncate(MOST_STUBBORN);
    }

    /// A few replies with one stone more than these, whose cell is empty, the likeliest to refute a turn first.
    pub(crate) fn with(&self, stones: &Cells, is_empty: impl Fn(Index) -> bool) -> Vec<Cells> {
        let further = self.0.iter().copied();
        let further = further.filter(|&cell| !stones.contains(&cell) && is_empty(cell));
        let replies = further.take(TRIED).map(|cell| {
            let mut reply = stones.clone();
            reply.push(cell);
            reply.sort_unstable();
            reply
        });
        replies.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(cells: &[Index]) -> Cells {
        Cells::from_slice(cells)
    }

    #[test]
    fn what_won_most_comes_first_whatever_the_order_of_its_stones() {
        let mut wins = Wins::default();
        wins.note(&cells(&[7, 3]));
        wins.note(&cells(&[3, 7]));
        wins.note(&cells(&[5]));
        assert_eq!(wins.of(&cells(&[3, 7])), 2);
        let mut turns = [&[1, 2][..], &[5], &[4, 9], &[3, 7]].map(cells);
        wins.sort(&mut turns);
        assert_eq!(turns, [&[3, 7][..], &[5], &[1, 2], &[4, 9]].map(cells));
    }

    #[test]
    fn the_latest_cells_that_refuted_a_turn_are_tried_first() {
        let mut stubborn = Stubborn::default();
        for cell in 0..20 {
            stubborn.note(&cells(&[cell, 100]));
        }
        // 100 and 19 refuted the last turn; 18 is occupied.
        let replies = stubborn.with(&cells(&[19]), |cell| cell != 18);
        let expected = [100, 17, 16, 15, 14].map(|cell: Index| {
            let (low, high) = (cell.min(19), cell.max(19));
            cells(&[low, high])
        });
        assert_eq!(replies, expected);
    }
}
