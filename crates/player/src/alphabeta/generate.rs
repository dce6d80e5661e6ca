//! Which turns are worth searching.
//!
//! Wu and Huang, "A New Family of k-in-a-row Games", section 4.3: rank the cells, take the best `w`, place
//! a stone on each, rank again and take the best `w_i`, fewer for later ones. A turn's value is the sum
//! of the attraction its stones had when they were placed: the logarithm of how likely a strong
//! player is to play it.

use tengen_prover::Zones;
use tengen_rules::Side;
use tengen_threats::Index;

use super::boards::{Boards, Cells};

/// A turn with how promising it looks, in thousandths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub(crate) value: i32,
    pub(crate) turn: Cells,
}

/// How many to take.
#[derive(Debug, Copy, Clone)]
pub(crate) struct Width {
    /// First stones.
    pub(crate) cells: usize,
    /// Turns.
    pub(crate) turns: usize,
}

/// Makes turns; keeps its memory.
#[derive(Debug, Default)]
pub(crate) struct Generator {
    lists: Vec<Vec<(i32, Index)>>,
    made: Vec<Candidate>,
}

impl Generator {
    /// The most promising turns of `stones` stones, best first.
    pub(crate) fn turns(
        &mut self,
        boards: &mut Boards,
        side: Side,
        stones: u8,
        width: Width,
    ) -> Vec<Candidate> {
        self.made.clear();
        self.grow(
            boards,
            side,
            usize::from(stones),
            width.cells,
            0,
            &mut Cells::new(),
        );
        self.finish(width.turns)
    }

    /// The most promising turns that contain one of these sets, best first.
    pub(crate) fn turns_with(
        &mut self,
        boards: &mut Boards,
        side: Side,
        stones: u8,
        sets: &[Cells],
        width: Width,
    ) -> Vec<Candidate> {
        self.made.clear();
        for set in sets {
            let mut value = 0;
            for &cell in set {
                value += boards.patterns.attraction(side, cell);
                boards.patterns.place(side, cell);
            }
            let more = usize::from(stones).saturating_sub(set.len());
            // Few sets leave room for many ways to complete each.
            let cells = width.cells.min(4 + 2 * width.cells / sets.len());
            self.grow(boards, side, more, cells, value, &mut set.clone());
            for _ in set {
                boards.patterns.undo();
            }
        }
        self.finish(width.turns)
    }

    /// The most promising turns that could matter to an opponent's win with these zones.
    pub(crate) fn turns_in(
        &mut self,
        boards: &mut Boards,
        side: Side,
        stones: u8,
        zones: &Zones,
        width: Width,
    ) -> Vec<Candidate> {
        let Some(first) = zones.sets().first() else {
            return self.turns(boards, side, stones, width);
        };
        let mut cells: Vec<(i32, Index)> = first
            .iter()
            .filter(|&cell| boards.patterns.is_free(cell))
            .map(|cell| (boards.patterns.attraction(side, cell), cell))
            .collect();
        cells.sort_unstable_by(|a, b| b.cmp(a));
        cells.truncate(width.cells);
        let sets: Vec<Cells> = cells
            .iter()
            .map(|&(_, cell)| Cells::from_slice(&[cell]))
            .collect();
        let mut turns = self.turns_with(boards, side, stones, &sets, width);
        // Two stones outside Z_1 can matter together.
        let others = self.turns(boards, side, stones, width);
        turns.extend(
            others
                .into_iter()
                .filter(|other| zones.concerns(&other.turn)),
        );
        self.made = turns;
        self.finish(width.turns)
    }

    /// Adds `more` stones to what is `begun` and stands on the patterns' board.
    fn grow(
        &mut self,
        boards: &mut Boards,
        side: Side,
        more: usize,
        width: usize,
        value: i32,
        begun: &mut Cells,
    ) {
        // Stones that are begun stand on the patterns' board only.
        let more = more.min(boards.free_cells().saturating_sub(begun.len()));
        if more == 0 {
            let mut turn = begun.clone();
            turn.sort_unstable();
            self.made.push(Candidate { value, turn });
            return;
        }
        let mut best = self.lists.pop().unwrap_or_default();
        boards.patterns.best_cells(side, width, &mut best);
        for (number, &(worth, cell)) in best.iter().enumerate() {
            begun.push(cell);
            if more == 1 {
                let mut turn = begun.clone();
                turn.sort_unstable();
                self.made.push(Candidate {
                    value: value + worth,
                    turn,
                });
            } else {
                // Turns of many stones would be too many: they get narrower.
                let narrower = if more == 2 {
                    width - number
                } else {
                    (width - number).div_ceil(3)
                };
                boards.patterns.place(side, cell);
                self.grow(boards, side, more - 1, narrower, value + worth, begun);
                boards.patterns.undo();
            }
            begun.pop();
        }
        self.lists.push(best);
    }

    /// Sorts, takes each turn once, and the best only.
    fn finish(&mut self, turns: usize) -> Vec<Candidate> {
        self.made
            .sort_unstable_by(|a, b| a.turn.cmp(&b.turn).then(b.value.cmp(&a.value)));
        self.made
            .dedup_by(|later, earlier| later.turn == earlier.turn);
        self.made
            .sort_unstable_by(|a, b| b.value.cmp(&a.value).then_with(|| a.turn.cmp(&b.turn)));
        self.made.truncate(turns);
        std::mem::take(&mut self.made)
    }
}
