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

/// Which lines have windows worth looking at: a byte for each line, eight lines to a word, and in
/// each byte a bit for each side and kind of window.
type Flags = u8;

impl LineState {
    /// Bit `side`: has threats; bit `2 + side`: has windows of the last level.
    #[inline(always)]
    fn flags(&self) -> Flags {
        let bit = |side: usize, level: usize| Flags::from(self.levels[side][level] != 0);
        bit(0, 0) | bit(1, 0) << 1 | bit(0, LEVELS - 1) << 2 | bit(1, LEVELS - 1) << 3
    }
}

const fn threatening(side: Side) -> Flags {
    1 << side as u8
}

/// The same flag in all eight bytes of a word.
const fn spread(flag: Flags) -> u64 {
    0x0101_0101_0101_0101 * flag as u64
}

const fn promising(side: Side) -> Flags {
    4 << side as u8
}

/// The starts of the windows through a cell.
#[inline(always)]
pub(crate) fn windows_through(bit: u32, length: u32) -> u64 {
    // Starts that overflow at the top would not fit on a line of 63 cells anyway.
    (((1_u64 << length) - 1) << bit) >> (length - 1)
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
    flags: [Flags; 4],
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
    /// The flags of every line, filled up to whole words.
    flags: Vec<Flags>,
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
            rules,
            keys,
            key: 0,
            flags: vec![0; geometry.lines.len().next_multiple_of(8)],
            saved: Vec::new(),
            count: 0,
            geometry: Arc::new(geometry),
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
        let length = self.geometry.line;
        let spots = &self.geometry.spots[usize::from(index)];
        self.stones[usize::from(index)] = Some(side);
        self.key ^= self.keys[usize::from(index)][side as usize];
        self.count += 1;
        let (us, them) = (side as usize, !side as usize);
        let (mut own, mut other, mut starts): (Lanes, Lanes, Lanes) = ([0; 4], [0; 4], [0; 4]);
        let mut saved = Saved {
            index,
            side,
            lines: [LineState::default(); 4],
            flags: [0; 4],
        };
        for lane in 0..4 {
            let number = usize::from(spots[lane].line);
            let line = &mut self.lines[number];
            saved.lines[lane] = *line;
            saved.flags[lane] = self.flags[number];
            line.stones[us] |= 1 << spots[lane].bit;
            own[lane] = line.stones[us];
            other[lane] = line.stones[them];
            starts[lane] = self.geometry.lines[number].starts;
            // The opponent loses the windows through the cell and gains none.
            let lost = windows_through(u32::from(spots[lane].bit), length);
            for level in &mut line.levels[them] {
                *level &= !lost;
            }
        }
        self.saved.push(saved);
        let threat = i32::from(self.rules.threat_stones());
        let exact = self.rules.overline() == Overline::DoesNotWin;
        let windows = kernel::windows(length, threat, exact, own, other, starts);
        for lane in 0..4 {
            let number = usize::from(spots[lane].line);
            let line = &mut self.lines[number];
            line.levels[us] = windows.levels.map(|level| level[lane]);
            self.flags[number] = line.flags();
        }
        windows.complete.iter().fold(0, |all, lane| all | lane) != 0
    }

    /// Takes back the last placement; `false` when there is none since the board was made.
    pub fn undo(&mut self) -> bool {
        let Some(saved) = self.saved.last() else {
            return false;
        };
        let index = usize::from(saved.index);
        self.stones[index] = None;
        self.key ^= self.keys[index][saved.side as usize];
        self.count -= 1;
        for (lane, spot) in self.geometry.spots[index].iter().enumerate() {
            let number = usize::from(spot.line);
            self.lines[number] = saved.lines[lane];
            self.flags[number] = saved.flags[lane];
        }
        self.saved.pop();
        true
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
        self.flags[number] = self.lines[number].flags();
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
        self.selected(threatening(side))
    }

    /// The lines on which `side` has windows of the last level.
    pub(crate) fn promising_lines(
        &self,
        side: Side,
    ) -> impl Iterator<Item = (Line, LineState)> + '_ {
        self.selected(promising(side))
    }

    /// One line by its number.
    pub(crate) fn line(&self, number: u16) -> (Line, LineState) {
        (
            self.geometry.lines[usize::from(number)],
            self.lines[usize::from(number)],
        )
    }

    fn selected(&self, flag: Flags) -> impl Iterator<Item = (Line, LineState)> + '_ {
        let lines = self
            .flag_words()
            .enumerate()
            .flat_map(move |(word, flags)| {
                bits_of(flags & spread(flag)).map(move |bit| word * 8 + bit as usize / 8)
            });
        lines.map(|number| (self.geometry.lines[number], self.lines[number]))
    }

    /// The flags of eight lines at a time, the first line in the lowest byte.
    fn flag_words(&self) -> impl Iterator<Item = u64> + '_ {
        self.flags
            .as_chunks()
            .0
            .iter()
            .map(|&eight| u64::from_le_bytes(eight))
    }

    /// Every line with its open windows of `side` that hold at least `bound` stones; lines that
    /// cannot have one may be left out.
    pub(crate) fn lines_with(
        &self,
        side: Side,
        bound: i32,
    ) -> impl Iterator<Item = (Line, LineState, u64)> + '_ {
        let states = self.lines.iter().enumerate().skip(1);
        let worth = states.filter(move |(_, state)| bound <= 0 || state.stones[side as usize] != 0);
        worth.map(move |(number, &state)| {
            let line = self.geometry.lines[number];
            let (own, other) = (state.stones[side as usize], state.stones[!side as usize]);
            (line, state, self.windows_on(&line, bound, own, other))
        })
    }

    /// Whether `side` has a window it could complete in one whole turn.
    pub fn has_threat(&self, side: Side) -> bool {
        self.flag_words()
            .any(|flags| flags & spread(threatening(side)) != 0)
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
            && again.flags[1..] == self.flags[1..]
    }
}

impl PartialEq for LineBoard {
    fn eq(&self, other: &Self) -> bool {
        (self.rules, self.grid()) == (other.rules, other.grid()) && self.stones == other.stones
    }
}

impl Eq for LineBoard {}
