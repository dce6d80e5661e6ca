//! What is left of a position: the lines that a side may still complete, and of each the cells it still needs.
//!
//! The question is always whether Black completes a line first; White is content with everything else. An extra stone never harms
//! the side that has it, so no side ever wants to pass. The following keep the answer, and both constructors do them:
//!
//! - *A line whose open cells contain those of another line of the same side* goes: who completes it has completed the other
//!   one, not later.
//! - *A line with two open cells that are in no other line that is left, of either side,* goes. Whoever gets what it wants without
//!   this line gets it with the line too: it answers a stone on one of the two cells with a stone on the other, and else plays as
//!   before. The line is then never completed against it, and the two stones matter to no other line. Lines that went before
//!   do not return: such a line keeps its own two cells, which are others, or contains a line that is never completed.
//! - *Cells in no line that is left* are dead: a stone there is a pass. So are stones in no line of their own side that is
//!   left: they complete nothing, and what they stopped stays stopped.

use tengen_rules::Side;

use super::board::{Board, Stones};

/// A line that a side may still complete.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) struct Left {
    line: u64,
    /// The cells of it that are empty; the others have stones of that side.
    pub(super) open: u64,
}

/// The lines that are left.
#[derive(Debug, Clone, Default)]
pub(super) struct Remains {
    pub(super) black: Vec<Left>,
    pub(super) white: Vec<Left>,
}

/// Which lines count.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum Game {
    /// Who first completes a line wins.
    Exact,
    /// Maker-Breaker: White's lines do not count. If White holds here, then also in the exact game; if not, nothing follows.
    MakerBreaker,
}

impl Remains {
    /// What is left in a position, reduced.
    pub(super) fn new(board: &Board, game: Game, stones: Stones) -> Self {
        let left = |own: u64, other: u64| {
            let alive = board.lines.iter().filter(move |&&line| line & other == 0);
            alive.map(move |&line| Left {
                line,
                open: line & !own,
            })
        };
        let mut remains = Self {
            black: left(stones.black, stones.white).collect(),
            white: match game {
                Game::Exact => left(stones.white, stones.black).collect(),
                Game::MakerBreaker => Vec::new(),
            },
        };
        // Lines without stones do not contain each other.
        keep_minimal(&mut remains.black, |left| left.open != left.line);
        keep_minimal(&mut remains.white, |left| left.open != left.line);
        remains.drop_pairs();
        remains
    }

    /// What is left after a stone on an open cell, reduced.
    pub(super) fn after(&self, mover: Side, cell: u64) -> Self {
        let (own, other) = match mover {
            Side::Black => (&self.black, &self.white),
            Side::White => (&self.white, &self.black),
        };
        let mut own: Vec<Left> = own
            .iter()
            .map(|left| Left {
                open: left.open & !cell,
                ..*left
            })
            .collect();
        keep_minimal(&mut own, |left| left.line & cell != 0);
        let other = other.iter().filter(|left| left.open & cell == 0);
        let other: Vec<Left> = other.copied().collect();
        let mut remains = match mover {
            Side::Black => Self {
                black: own,
                white: other,
            },
            Side::White => Self {
                black: other,
                white: own,
            },
        };
        remains.drop_pairs();
        remains
    }

    /// Drops lines with two cells of their own, until there is none.
    fn drop_pairs(&mut self) {
        loop {
            let (mut once, mut more) = (0, 0);
            for left in self.black.iter().chain(&self.white) {
                more |= once & left.open;
                once |= left.open;
            }
            let own = once & !more;
            let before = self.black.len() + self.white.len();
            let needed = |left: &Left| (left.open & own).count_ones() < 2;
            self.black.retain(needed);
            self.white.retain(needed);
            if self.black.len() + self.white.len() == before {
                return;
            }
        }
    }

    /// The position again, with all cells dead that do not matter.
    pub(super) fn stones(&self, board: &Board) -> Stones {
        let union = |lefts: &[Left], cells: fn(&Left) -> u64| {
            lefts.iter().fold(0, |all, left| all | cells(left))
        };
        let black = union(&self.black, |left| left.line & !left.open);
        let white = union(&self.white, |left| left.line & !left.open);
        let dead = board.cells & !(black | white | self.open_cells());
        Stones {
            black: black | dead,
            white: white | dead,
        }
    }

    /// The empty cells that matter.
    pub(super) fn open_cells(&self) -> u64 {
        let lines = self.black.iter().chain(&self.white);
        lines.fold(0, |all, left| all | left.open)
    }

    /// The open cells without those for which another is at least as good, for whoever moves.
    ///
    /// If every line that is left, of both sides, that contains x contains y too, then y is at least as good as x. Let the mover
    /// play y and go on as if it were x, with x and y exchanged. A line with none or both of the two is completed in one
    /// game exactly when it is in the other. There is no line with x alone. A line with y alone that the mover has in the
    /// imagined game it has in the real one, since it has both there; the opponent, who gets at most one of the two, never has it
    /// in the real game, because y is the mover's. So the mover never has less than imagined, the opponent never more.
    pub(super) fn best_cells(&self) -> u64 {
        let all = self.open_cells();
        if self.black.len() > 128 || self.white.len() > 128 {
            return all;
        }
        let members = |lefts: &[Left], cell: u64| {
            let lines = lefts.iter().enumerate();
            let through = lines.filter(|(_, left)| left.open & cell != 0);
            through.fold(0, |all, (number, _)| all | 1u128 << number)
        };
        let cells: Vec<(u64, u128, u128)> = cells_of(all)
            .map(|cell| (cell, members(&self.black, cell), members(&self.white, cell)))
            .collect();
        let mut best = all;
        for (place, &(cell, black, white)) in cells.iter().enumerate() {
            let dominated = cells.iter().enumerate().any(|(other, &(_, b, w))| {
                let same = (b, w) == (black, white);
                // Of equals the first stays.
                other != place && black & !b == 0 && white & !w == 0 && (!same || other < place)
            });
            if dominated {
                best &= !cell;
            }
        }
        best
    }
}

/// Drops lines whose open cells contain those of another; only lines that `may_dominate` are tried as the other.
fn keep_minimal(lefts: &mut Vec<Left>, may_dominate: impl Fn(&Left) -> bool) {
    let mut place = 0;
    while place < lefts.len() {
        let by = lefts[place];
        if may_dominate(&by) {
            // Of equals the first stays, and `place` stays the place of `by`.
            let mut number = 0;
            let mut before = 0;
            lefts.retain(|left| {
                let this = number;
                number += 1;
                let goes = this != place && by.open & !left.open == 0;
                before += usize::from(goes && this < place);
                !goes
            });
            place -= before;
        }
        place += 1;
    }
}

/// The cells of a set, one bit each.
pub(super) fn cells_of(mut cells: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let cell = cells & cells.wrapping_neg();
        cells &= !cell;
        (cell != 0).then_some(cell)
    })
}
