//! The board of the search: lines and windows, the list of stones, and what a cell is worth.
//!
//! The value of a cell ranks the probing cells of section IV-B.7: every window through it that is open to
//! a side counts, the more the fewer stones it lacks to be a threat.

use smallvec::SmallVec;
use tengen_rules::{Cell, Position, Side, Turn};
use tengen_threats::{Index, LineBoard, SmallDefences};

/// The cells of a turn, sorted.
pub(super) type Cells = SmallVec<[Index; 2]>;

/// Directions of the four kinds of lines.
const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// A window with so many stones less than a threat, before the stone whose worth is asked.
const WORTH: [i32; 5] = [600, 150, 60, 15, 4];

/// With more stones a turn not all critical defences are listed.
pub(super) const ALL_DEFENCES: u8 = 3;

#[derive(Debug)]
pub(super) struct Field {
    pub(super) board: LineBoard,
    /// The cells with stones, in order of placement.
    stones: Vec<Index>,
    /// For each cell and direction, how far its line goes back and ahead, at most `k - 1`.
    reach: Vec<[(u8, u8); 4]>,
    /// Cells where a stone may be placed at all; on an infinite board not all of the patch.
    playable: Vec<bool>,
    /// How many of them are empty.
    empty: usize,
    worth: Vec<i32>,
    infinite: bool,
}

impl Field {
    pub(super) fn new(position: &Position) -> Self {
        let board = LineBoard::from_position(position);
        let grid = board.grid();
        let (width, height) = (grid.width() as i32, grid.height() as i32);
        let line = i32::from(position.rules().line());
        let threat = i32::from(position.rules().threat_stones());
        let far = |x: i32, y: i32, dx: i32, dy: i32| {
            let inside = |n: &i32| {
                let (x, y) = (x + n * dx, y + n * dy);
                (0..width).contains(&x) && (0..height).contains(&y)
            };
            (1..line).take_while(inside).count() as u8
        };
        let reach = (0..grid.len() as i32).map(|index| {
            let (x, y) = (index % width, index / width);
            DIRECTIONS.map(|(dx, dy)| (far(x, y, -dx, -dy), far(x, y, dx, dy)))
        });
        let stones: Vec<Index> = (0..grid.len() as Index)
            .filter(|&cell| board.stone(cell).is_some())
            .collect();
        let playable: Vec<bool> = grid.cells().map(|cell| grid.holds(cell)).collect();
        let worth = |own: i32| {
            WORTH
                .get((threat - own).max(0) as usize)
                .copied()
                .unwrap_or(1)
        };
        Self {
            reach: reach.collect(),
            empty: playable.iter().filter(|&&yes| yes).count() - stones.len(),
            playable,
            stones,
            worth: (0..=line).map(worth).collect(),
            infinite: position.rules().size().is_none(),
            board,
        }
    }

    /// How many stones a turn of `stones` can really have.
    pub(super) fn room(&self, stones: u8) -> u8 {
        usize::from(stones).min(self.empty) as u8
    }

    /// How many cells are empty.
    pub(super) const fn empty(&self) -> usize {
        self.empty
    }

    pub(super) const fn is_infinite(&self) -> bool {
        self.infinite
    }

    pub(super) fn is_free(&self, cell: Index) -> bool {
        self.playable[usize::from(cell)] && self.board.stone(cell).is_none()
    }

    /// Places a stone; `true` when it completes a line.
    pub(super) fn place(&mut self, side: Side, cell: Index) -> bool {
        self.stones.push(cell);
        self.empty -= 1;
        self.board.place(side, cell)
    }

    /// Places all stones of a turn; `true` when it completes a line.
    pub(super) fn play(&mut self, side: Side, turn: &[Index]) -> bool {
        let mut complete = false;
        for &cell in turn {
            complete |= self.place(side, cell);
        }
        complete
    }

    pub(super) fn undo(&mut self, stones: usize) {
        for _ in 0..stones {
            self.stones.pop();
            self.empty += 1;
            self.board.undo();
        }
    }

    pub(super) fn turn(&self, cells: &[Index]) -> Turn {
        cells.iter().map(|&cell| self.board.cell(cell)).collect()
    }

    /// What a stone on this cell is worth to `side`: what it makes and what it takes.
    pub(super) fn value(&self, side: Side, cell: Index) -> i32 {
        let line = usize::from(self.board.rules().line());
        let width = self.board.grid().width() as i32;
        let (mut own, mut other) = (0, 0);
        for (&(dx, dy), &(back, ahead)) in DIRECTIONS.iter().zip(&self.reach[usize::from(cell)]) {
            let (back, ahead) = (usize::from(back), usize::from(ahead));
            if back + ahead + 1 < line {
                continue;
            }
            let step = dx + dy * width;
            let at = |n: usize| {
                let index = i32::from(cell) + (n as i32 - back as i32) * step;
                self.board.stone(index as Index)
            };
            let (mut mine, mut theirs) = (0_usize, 0_usize);
            let count = |stone: Option<Side>, up: bool, mine: &mut usize, theirs: &mut usize| {
                let number = match stone {
                    None => return,
                    Some(whose) if whose == side => mine,
                    Some(_) => theirs,
                };
                *number = if up { *number + 1 } else { *number - 1 };
            };
            for n in 0..line - 1 {
                count(at(n), true, &mut mine, &mut theirs);
            }
            for start in 0..=back + ahead + 1 - line {
                count(at(start + line - 1), true, &mut mine, &mut theirs);
                if theirs == 0 {
                    own += self.worth[mine];
                }
                if mine == 0 {
                    other += self.worth[theirs];
                }
                count(at(start), false, &mut mine, &mut theirs);
            }
        }
        own + other * 7 / 8
    }

    /// The empty cells near stones with their values, best first.
    pub(super) fn probing_cells(&self, side: Side) -> Vec<(Index, i32)> {
        let mut near = vec![false; self.playable.len()];
        let width = self.board.grid().width() as i32;
        let height = self.board.grid().height() as i32;
        let mut cells = Vec::new();
        let mut visit = |cell: Index| {
            if self.is_free(cell) && !std::mem::replace(&mut near[usize::from(cell)], true) {
                cells.push((cell, self.value(side, cell)));
            }
        };
        for &stone in &self.stones {
            let (x, y) = (i32::from(stone) % width, i32::from(stone) / width);
            for y in (y - 2).max(0)..=(y + 2).min(height - 1) {
                for x in (x - 2).max(0)..=(x + 2).min(width - 1) {
                    visit((y * width + x) as Index);
                }
            }
        }
        if self.stones.is_empty() {
            // The middle of the board.
            for y in (height / 2 - 1).max(0)..=(height / 2 + 1).min(height - 1) {
                for x in (width / 2 - 1).max(0)..=(width / 2 + 1).min(width - 1) {
                    visit((y * width + x) as Index);
                }
            }
        }
        cells.sort_by_key(|&(cell, value)| (std::cmp::Reverse(value), cell));
        cells
    }

    /// All empty cells.
    pub(super) fn free_cells(&self) -> impl Iterator<Item = Index> + '_ {
        (0..self.playable.len() as Index).filter(|&cell| self.is_free(cell))
    }

    /// A good cell near stones, by chance; `None` when the board is full.
    pub(super) fn random_cell(&self, side: Side, rng: &mut fastrand::Rng) -> Option<Index> {
        const TRIES: usize = 16;
        const LOOKED_AT: usize = 4;
        let width = self.board.grid().width() as i32;
        let height = self.board.grid().height() as i32;
        let mut best: Option<(i32, Index)> = None;
        let mut seen = 0;
        for _ in 0..if self.stones.is_empty() { 0 } else { TRIES } {
            let stone = i32::from(self.stones[rng.usize(..self.stones.len())]);
            let (x, y) = (
                stone % width + rng.i32(-2..=2),
                stone / width + rng.i32(-2..=2),
            );
            if !(0..width).contains(&x) || !(0..height).contains(&y) {
                continue;
            }
            let cell = (y * width + x) as Index;
            if self.is_free(cell) {
                best = best.max(Some((self.value(side, cell), cell)));
                seen += 1;
                if seen == LOOKED_AT {
                    break;
                }
            }
        }
        best.map(|(_, cell)| cell).or_else(|| {
            let all = self.playable.len() as Index;
            let start = rng.u16(..all);
            (start..all)
                .chain(0..start)
                .find(|&cell| self.is_free(cell))
        })
    }

    /// The critical defences against the threats of `attacker` with at most `stones` stones; `None` without
    /// a threat. All of them where a turn has up to [`ALL_DEFENCES`] stones, otherwise at least one if there
    /// is one.
    pub(super) fn defences(
        &self,
        attacker: Side,
        stones: u8,
        small: &mut SmallDefences,
    ) -> Option<Vec<Cells>> {
        if !self.board.has_threat(attacker) {
            return None;
        }
        let mut sets: Vec<Cells> = if self.board.rules().per_turn() <= 2 {
            self.board.small_defences(attacker, small);
            let singles = small.singles.iter().map(|&cell| Cells::from_slice(&[cell]));
            singles
                .chain(small.pairs.iter().map(|pair| Cells::from_slice(pair)))
                .collect()
        } else {
            self.large_defences(attacker)
        };
        sets.retain(|set| set.len() <= usize::from(stones));
        for set in &mut sets {
            set.sort_unstable();
        }
        Some(sets)
    }

    /// Defences of large turns: there are too many to list them all.
    fn large_defences(&self, attacker: Side) -> Vec<Cells> {
        let most = self.board.rules().per_turn();
        if most > ALL_DEFENCES {
            let greedy = self.greedy_defence(attacker);
            if greedy.len() <= usize::from(most) {
                return vec![greedy];
            }
            if self.board.threat_count(attacker) > most {
                return Vec::new();
            }
        }
        let sets = self.board.critical_sets(attacker).into_iter();
        sets.map(|set| Cells::from_slice(&set)).collect()
    }

    /// Cells that meet all threat windows, always the one that meets most of those that are left.
    fn greedy_defence(&self, attacker: Side) -> Cells {
        let mut windows = self.board.threat_windows(attacker);
        let mut chosen = Cells::new();
        while let Some(first) = windows.first() {
            let met = |cell: &Cell| windows.iter().filter(|w| w.empty.contains(cell)).count();
            let Some(&best) = first.empty.iter().max_by_key(|cell| met(cell)) else {
                break;
            };
            windows.retain(|window| !window.empty.contains(&best));
            chosen.extend(self.board.index(best));
        }
        chosen
    }

    /// How many threats `side` has, at most `p + 1`.
    pub(super) fn threats(&self, side: Side, small: &mut SmallDefences) -> u8 {
        if !self.board.has_threat(side) {
            0
        } else if self.board.rules().per_turn() <= 2 {
            self.board.small_defences(side, small);
            small.threats
        } else {
            self.board.threat_count(side)
        }
    }
}
