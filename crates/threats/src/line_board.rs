//! `LineBoard`: stones and the windows of both sides, kept up to date on every placement and undo.
//!
//! Each line is one cache line: the stones of both sides and three levels of windows for each. A
//! placement recomputes the four lines through its cell, all windows of a line at once (`kernel`);
//! undo restores what was saved. The board knows no turns: search places stones of either side in
//! any order.

use std::sync::Arc;

use tengen_rules::{Cell, Grid, Key, Overline, Position, Rules, Side, stone_key};

use crate::geometry::{Geometry, Line};
use crate::kernel::{self, LEVELS, Lanes};

/// The number of a cell in the board's [`Grid`].
pub type Index = u16;

/// The stones and windows of one line.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Default)]
#[repr(align(64))]
pub(crate) struct LineState {
    /// The stones of Black and White.
    pub(crate) stones: [u64; 2],
    /// For each side the windows of each level, see `kernel::Windows`.
    pub(crate) levels: [[u64; LEVELS]; 2],
}

/// Words for a set of lines: a 63x63 board has 376 at the most, and the dummy.
const LINE_WORDS: usize = 6;

/// A set of lines.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Default)]
struct LineSet([u64; LINE_WORDS]);

impl LineSet {
    #[inline(always)]
    fn set(&mut self, line: u16, value: bool) {
        let (word, bit) = (usize::from(line / 64), line % 64);
        self.0[word] = self.0[word] & !(1 << bit) | u64::from(value) << bit;
    }

    fn iter(&self, words: usize) -> impl Iterator<Item = usize> + '_ {
        self.0[..words]
            .iter()
            .enumerate()
            .flat_map(|(word, &bits)| bits_of(bits).map(move |bit| word * 64 + bit as usize))
    }
}

/// The positions of the set bits, lowest first.
pub(crate) fn bits_of(mut bits: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (bits != 0).then(|| {
            let bit = bits.trailing_zeros();
            bits &= bits - 1;
            bit
        })
    })
}

#[derive(Debug, Copy, Clone)]
struct Saved {
    index: Index,
    side: Side,
    lines: [LineState; 4],
}

/// Stones on a board with the windows of both sides.
///
/// Two boards are equal when they stand on the same grid with the same stones.
#[derive(Debug, Clone)]
pub struct LineBoard {
    pub(crate) geometry: Arc<Geometry>,
    rules: Rules,
    lines: Vec<LineState>,
    stones: Vec<Option<Side>>,
    keys: Arc<[[Key; 2]]>,
    key: Key,
    /// For each side the lines with threats, and the lines with windows of the last level.
    threatening: [LineSet; 2],
    promising: [LineSet; 2],
    saved: Vec<Saved>,
    count: usize,
}

impl LineBoard {
    /// An empty board.
    pub fn new(rules: Rules, grid: Grid) -> Self {
        let geometry = Geometry::new(grid, rules.line());
        let keys = grid
            .cells()
            .map(|cell| Side::BOTH.map(|side| stone_key(side, cell)))
            .collect();
        let mut board = Self {
            lines: vec![LineState::default(); geometry.lines.len()],
            stones: vec![None; grid.len()],
            geometry: Arc::new(geometry),
            rules,
            keys,
            key: 0,
            threatening: Default::default(),
            promising: Default::default(),
            saved: Vec::new(),
            count: 0,
        };
        for line in 1..board.lines.len() {
            board.refresh_slow(line);
        }
        board
    }

    /// The stones of a position. Turn and history are not kept.
    pub fn from_position(position: &Position) -> Self {
        let mut board = Self::new(position.rules(), position.grid());
        for stone in position.stones() {
            let index = board.index(stone.cell).expect("the position has this grid");
            board.place(stone.side, index);
        }
        board.saved.clear();
        board
    }

    /// The game.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// The cells of the board.
    pub fn grid(&self) -> Grid {
        self.geometry.grid
    }

    /// The number of a cell; `None` outside the grid.
    pub fn index(&self, cell: Cell) -> Option<Index> {
        self.grid().index(cell).map(|index| index as Index)
    }

    /// The cell with this number.
    pub fn cell(&self, index: Index) -> Cell {
        self.grid().cell(usize::from(index))
    }

    /// The stone on this cell.
    pub fn stone(&self, index: Index) -> Option<Side> {
        self.stones[usize::from(index)]
    }

    /// How many stones stand on the board.
    pub const fn count(&self) -> usize {
        self.count
    }

    /// The key of the stones, the same as [`Position::stones_key`].
    pub const fn stones_key(&self) -> Key {
        self.key
    }

    /// Places a stone; `true` when it completes a line. The cell must be empty.
    pub fn place(&mut self, side: Side, index: Index) -> bool {
        debug_assert!(self.stone(index).is_none(), "the cell must be empty");
        let spots = self.geometry.spots[usize::from(index)];
        let mut lines = spots.map(|spot| self.lines[usize::from(spot.line)]);
        self.saved.push(Saved { index, side, lines });
        self.stones[usize::from(index)] = Some(side);
        self.key ^= self.keys[usize::from(index)][side as usize];
        self.count += 1;
        for (line, spot) in lines.iter_mut().zip(spots) {
            line.stones[side as usize] |= 1 << spot.bit;
        }
        let lanes = |f: &dyn Fn(usize) -> u64| -> Lanes { [f(0), f(1), f(2), f(3)] };
        let stones = [0, 1].map(|who| lanes(&|lane| lines[lane].stones[who]));
        let starts = lanes(&|lane| self.geometry.lines[usize::from(spots[lane].line)].starts);
        let line = u32::from(self.rules.line());
        let threat = i32::from(self.rules.threat_stones());
        let exact = self.rules.overline() == Overline::DoesNotWin;
        let mut complete = 0;
        for who in [0, 1] {
            let windows =
                kernel::windows(line, threat, exact, stones[who], stones[1 - who], starts);
            for lane in 0..4 {
                lines[lane].levels[who] = windows.levels.map(|level| level[lane]);
            }
            if who == side as usize {
                complete = windows.complete.iter().fold(0, |all, lane| all | lane);
            }
        }
        self.store(spots.map(|spot| spot.line), &lines);
        complete != 0
    }

    /// Takes back the last placement; `false` when there is none since the board was made.
    pub fn undo(&mut self) -> bool {
        let Some(saved) = self.saved.pop() else {
            return false;
        };
        let index = usize::from(saved.index);
        self.stones[index] = None;
        self.key ^= self.keys[index][saved.side as usize];
        self.count -= 1;
        let spots = self.geometry.spots[index];
        self.store(spots.map(|spot| spot.line), &saved.lines);
        true
    }

    #[inline(always)]
    fn store(&mut self, numbers: [u16; 4], lines: &[LineState; 4]) {
        for (&number, line) in numbers.iter().zip(lines) {
            self.lines[usize::from(number)] = *line;
            for who in [0, 1] {
                self.threatening[who].set(number, line.levels[who][0] != 0);
                self.promising[who].set(number, line.levels[who][LEVELS - 1] != 0);
            }
        }
    }

    /// Computes one line from its stones.
    fn refresh_slow(&mut self, number: usize) {
        let geometry = self.geometry.lines[number];
        let stones = self.lines[number].stones;
        let threat = i32::from(self.rules.threat_stones());
        for who in [0, 1] {
            for level in 0..LEVELS {
                let bound = threat - level as i32;
                self.lines[number].levels[who][level] =
                    self.windows_on(&geometry, bound, stones[who], stones[1 - who]);
            }
        }
        for who in [0, 1] {
            self.threatening[who].set(number as u16, self.lines[number].levels[who][0] != 0);
            self.promising[who].set(
                number as u16,
                self.lines[number].levels[who][LEVELS - 1] != 0,
            );
        }
    }

    fn windows_on(&self, geometry: &Line, bound: i32, own: u64, other: u64) -> u64 {
        let exact = self.rules.overline() == Overline::DoesNotWin;
        kernel::windows_with(
            self.geometry.line,
            bound,
            exact,
            own,
            other,
            geometry.starts,
        )
    }

    /// The lines on which `side` has threat windows.
    pub(crate) fn threatening_lines(
        &self,
        side: Side,
    ) -> impl Iterator<Item = (Line, LineState)> + '_ {
        self.selected(&self.threatening[side as usize])
    }

    /// The lines on which `side` has windows of the last level.
    pub(crate) fn promising_lines(
        &self,
        side: Side,
    ) -> impl Iterator<Item = (Line, LineState)> + '_ {
        self.selected(&self.promising[side as usize])
    }

    /// One line by its number.
    pub(crate) fn line(&self, number: u16) -> (Line, LineState) {
        (
            self.geometry.lines[usize::from(number)],
            self.lines[usize::from(number)],
        )
    }

    fn selected<'a>(&'a self, set: &'a LineSet) -> impl Iterator<Item = (Line, LineState)> + 'a {
        let words = self.lines.len().div_ceil(64);
        set.iter(words)
            .map(|number| (self.geometry.lines[number], self.lines[number]))
    }

    /// Every line with its open windows of `side` that hold at least `bound` stones.
    pub(crate) fn lines_with(
        &self,
        side: Side,
        bound: i32,
    ) -> impl Iterator<Item = (Line, LineState, u64)> + '_ {
        (1..self.lines.len()).map(move |number| {
            let (line, state) = (self.geometry.lines[number], self.lines[number]);
            let windows = self.windows_on(
                &line,
                bound,
                state.stones[side as usize],
                state.stones[!side as usize],
            );
            (line, state, windows)
        })
    }

    /// Whether `side` has a window it could complete in one whole turn.
    pub fn has_threat(&self, side: Side) -> bool {
        self.threatening[side as usize]
            .0
            .iter()
            .any(|&word| word != 0)
    }

    /// Whether all that is kept incrementally is what the stones say. For tests.
    #[doc(hidden)]
    pub fn is_consistent_slow(&self) -> bool {
        let mut again = Self::new(self.rules, self.grid());
        for index in 0..self.stones.len() {
            if let Some(side) = self.stones[index] {
                again.key ^= self.keys[index][side as usize];
                again.count += 1;
                for spot in self.geometry.spots[index] {
                    again.lines[usize::from(spot.line)].stones[side as usize] |= 1 << spot.bit;
                }
            }
        }
        for number in 1..again.lines.len() {
            again.refresh_slow(number);
        }
        again.lines[1..] == self.lines[1..]
            && (again.key, again.count) == (self.key, self.count)
            && (again.threatening, again.promising) == (self.threatening, self.promising)
    }
}

impl PartialEq for LineBoard {
    fn eq(&self, other: &Self) -> bool {
        (self.rules, self.grid()) == (other.rules, other.grid()) && self.stones == other.stones
    }
}

impl Eq for LineBoard {}
