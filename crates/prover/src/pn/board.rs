//! A Go-Moku board that knows after every stone what each side could make on each empty cell.
//!
//! Each line is a word of two bits a cell, so that what surrounds a cell is cut out of it and looked up. Stones are taken
//! back in the order in which they came, so that taking back restores and computes nothing.

use tengen_rules::Side;

use super::cells::{Cell, Cells};
use super::patterns::{DOUBLE, FARTHEST, FIVE, FOUR, Fives, Shape, THREE, TOUCH, Tables, tables};

/// The most columns and rows.
pub(crate) const LARGEST: usize = 16;

/// All lines of one direction: the diagonals are the most.
const LINES: usize = 2 * LARGEST;

/// A cell beyond the edge, in a line.
const OUTSIDE: u64 = 3;

/// The low bit of each cell of a line, and those of five cells.
const EACH: u64 = 0x5555_5555_5555_5555;
const FIVE_CELLS: u64 = 0b01_01_01_01_01;

/// From one cell to the next in each direction: a row, a column, a diagonal, the other one.
const STEPS: [i32; 4] = [1, 16, 17, -15];

/// What a side could make, one set for each kind.
#[derive(Debug, Copy, Clone, Default, PartialEq, Eq)]
struct Makes {
    fives: Cells,
    doubles: Cells,
    fours: Cells,
    threes: Cells,
    touches: Cells,
}

impl Makes {
    /// A cell comes to be of those of these kinds that it was not of, and is of the others no more.
    #[inline]
    fn toggle(&mut self, cell: Cell, kinds: u8) {
        self.fives.toggle(cell, kinds & FIVE != 0);
        self.doubles.toggle(cell, kinds & DOUBLE != 0);
        self.fours.toggle(cell, kinds & FOUR != 0);
        self.threes.toggle(cell, kinds & THREE != 0);
        self.touches.toggle(cell, kinds & TOUCH != 0);
    }
}

/// What must be put back when a stone is taken back.
#[derive(Debug, Clone)]
struct Before {
    cell: Cell,
    side: Side,
    makes: [Makes; 2],
    /// Where the changes of this stone begin.
    changes: u32,
}

/// A board of at most 15x15 on which five in a row win.
#[derive(Debug, Clone)]
pub(crate) struct Board {
    width: usize,
    height: usize,
    tables: &'static Tables,
    lines: [[u64; LINES]; 4],
    stones: [Option<Side>; 256],
    /// For each cell the shapes that matter to its kinds, three bits for each direction, Black's first.
    shapes: [u32; 256],
    makes: [Makes; 2],
    empty: Cells,
    before: Vec<Before>,
    changes: Vec<(Cell, u32)>,
    key: u64,
}

/// The line of a cell in a direction, and its place there, behind as many cells outside as a stone can see.
#[inline]
const fn line_of(direction: usize, cell: Cell) -> (usize, u32) {
    let (x, y) = ((cell & 15) as usize, (cell >> 4) as usize);
    let (line, place) = match direction {
        0 => (y, x),
        1 => (x, y),
        2 => (x + LARGEST - 1 - y, x),
        _ => (x + y, x),
    };
    (line, (place + FARTHEST) as u32)
}

/// The black and the white stones of a line, by the low bits of their cells.
#[inline]
const fn stones_in(line: u64) -> (u64, u64) {
    (line & !(line >> 1) & EACH, line >> 1 & !line & EACH)
}

impl Board {
    pub(crate) fn new(width: usize, height: usize, wins: Fives) -> Self {
        assert!(width < LARGEST && height < LARGEST, "at most 15x15");
        let mut board = Self {
            width,
            height,
            tables: tables(wins),
            lines: [[u64::MAX; LINES]; 4],
            stones: [None; 256],
            shapes: [0; 256],
            makes: [Makes::default(); 2],
            empty: Cells::default(),
            before: Vec::with_capacity(256),
            changes: Vec::with_capacity(4096),
            key: 0,
        };
        for cell in board.cells() {
            board.empty.insert(cell);
            for direction in 0..4 {
                let (line, place) = line_of(direction, cell);
                board.lines[direction][line] ^= OUTSIDE << (2 * place);
            }
        }
        board
    }

    /// All cells, row by row.
    pub(crate) fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let width = self.width;
        (0..self.height).flat_map(move |y| (0..width).map(move |x| Self::at(x, y)))
    }

    pub(crate) fn place(&mut self, side: Side, cell: Cell) {
        debug_assert!(self.stones[usize::from(cell)].is_none());
        self.before.push(Before {
            cell,
            side,
            makes: self.makes,
            changes: self.changes.len() as u32,
        });
        self.stones[usize::from(cell)] = Some(side);
        self.empty.remove(cell);
        self.key ^= key_of(side, cell);
        for makes in &mut self.makes {
            makes.fives.remove(cell);
            makes.doubles.remove(cell);
            makes.fours.remove(cell);
            makes.threes.remove(cell);
            makes.touches.remove(cell);
        }
        // Known when it is compiled, how far one sees makes this half as long.
        match self.tables.reach {
            4 => self.look_around::<4>(side, cell),
            _ => self.look_around::<FARTHEST>(side, cell),
        }
    }

    /// Puts the stone into its lines, and looks up what can be made on the empty cells that see it.
    #[inline]
    fn look_around<const REACH: usize>(&mut self, side: Side, cell: Cell) {
        let reach = REACH as u32;
        for (direction, step) in STEPS.into_iter().enumerate() {
            let (line, place) = line_of(direction, cell);
            let word = &mut self.lines[direction][line];
            *word ^= (side as u64 + 1) << (2 * place);
            let word = *word;
            // Places begin behind the cells outside, so that this is never negative.
            let near = (EACH & ((1 << (4 * reach + 2)) - 1)) << (2 * (place - reach));
            let (black, white) = stones_in(word);
            let (own, other) = match side {
                Side::Black => (black & near, white & near),
                Side::White => (white & near, black & near),
            };
            // Whatever a cell is good for has two stones besides it, in the five cells that a stone belongs to, stops or makes too long.
            let alone = own & (own - 1) == 0;
            if alone && (other == 0 || other & (other - 1) == 0) {
                continue;
            }
            let mut empty = !(word | word >> 1) & near;
            while empty != 0 {
                let there = empty.trailing_zeros();
                empty &= empty - 1;
                let both = self.tables.threats::<REACH>(word, there);
                let seeing = i32::from(cell) + (there as i32 / 2 - place as i32) * step;
                self.change(direction, both, seeing as Cell);
            }
        }
    }

    /// Notes what both sides could make on an empty cell in a direction now, and which kinds this makes the cell.
    #[inline]
    fn change(&mut self, direction: usize, both: u32, cell: Cell) {
        let before = self.shapes[usize::from(cell)];
        let shift = 3 * direction;
        let now = before & !(0o70007 << shift) | ((both | both << 9) & 0o70007) << shift;
        if now == before {
            return;
        }
        self.changes.push((cell, before));
        self.shapes[usize::from(cell)] = now;
        for side in 0..2 {
            let was = self.tables.kinds[(before >> (12 * side) & 0xfff) as usize];
            let is = self.tables.kinds[(now >> (12 * side) & 0xfff) as usize];
            if was != is {
                self.makes[side].toggle(cell, was ^ is);
            }
        }
    }

    /// The cells that would complete a five after a stone on an empty cell, if none completes one before it.
    pub(crate) fn completing(&self, side: Side, cell: Cell) -> Cells {
        debug_assert!(self.fives(side).is_empty());
        let mut completing = Cells::default();
        let shapes = self.shapes[usize::from(cell)] >> (12 * side as usize);
        for (direction, step) in STEPS.into_iter().enumerate() {
            if shapes >> (3 * direction) & 7 < Shape::Four as u32 {
                continue;
            }
            let (line, place) = line_of(direction, cell);
            let word = self.lines[direction][line];
            let (black, white) = stones_in(word);
            let own = 1 << (2 * place)
                | match side {
                    Side::Black => black,
                    Side::White => white,
                };
            for first in place - 4..=place {
                let missing = FIVE_CELLS << (2 * first) & !own;
                let beyond = 1 << (2 * first - 2) | 1 << (2 * first + 10);
                let too_long = self.wins() == Fives::Exactly && own & beyond != 0;
                if missing.is_power_of_two() && missing & (word | word >> 1) == 0 && !too_long {
                    let apart = missing.trailing_zeros() as i32 / 2 - place as i32;
                    completing.insert((i32::from(cell) + apart * step) as Cell);
                }
            }
        }
        completing
    }

    pub(crate) fn undo(&mut self) {
        let Some(before) = self.before.pop() else {
            return;
        };
        let Before {
            cell,
            side,
            makes,
            changes,
        } = before;
        self.makes = makes;
        while self.changes.len() > changes as usize {
            if let Some((cell, shapes)) = self.changes.pop() {
                self.shapes[usize::from(cell)] = shapes;
            }
        }
        for direction in 0..4 {
            let (line, place) = line_of(direction, cell);
            self.lines[direction][line] ^= (side as u64 + 1) << (2 * place);
        }
        self.stones[usize::from(cell)] = None;
        self.empty.insert(cell);
        self.key ^= key_of(side, cell);
    }

    /// The empty cells on which a side completes a five.
    #[inline]
    pub(crate) const fn fives(&self, side: Side) -> &Cells {
        &self.makes[side as usize].fives
    }

    /// Those on which it completes a five, or makes fours that two cells or more complete.
    #[inline]
    pub(crate) const fn doubles(&self, side: Side) -> &Cells {
        &self.makes[side as usize].doubles
    }

    /// Those on which it makes a four at least.
    #[inline]
    pub(crate) const fn fours(&self, side: Side) -> &Cells {
        &self.makes[side as usize].fours
    }

    /// Those on which it makes a three at least.
    #[inline]
    pub(crate) const fn threes(&self, side: Side) -> &Cells {
        &self.makes[side as usize].threes
    }

    /// Those in five cells of a line that have two of its stones already and none of the other side.
    #[inline]
    pub(crate) const fn touches(&self, side: Side) -> &Cells {
        &self.makes[side as usize].touches
    }

    /// What a stone of a side is worth on an empty cell, by the shapes that it makes.
    pub(crate) fn worth(&self, side: Side, cell: Cell) -> u32 {
        let worth = |direction| {
            let (line, place) = line_of(direction, cell);
            self.tables
                .worth(self.lines[direction][line], 2 * place, side as usize)
        };
        (0..4).map(worth).sum()
    }

    #[inline]
    pub(crate) const fn empty(&self) -> &Cells {
        &self.empty
    }

    #[inline]
    pub(crate) fn stone(&self, cell: Cell) -> Option<Side> {
        self.stones[usize::from(cell)]
    }

    /// How many stones are on the board.
    pub(crate) fn count(&self) -> usize {
        self.before.len()
    }

    /// The stones in the order in which they were placed.
    pub(crate) fn placed(&self) -> impl Iterator<Item = (Side, Cell)> {
        self.before.iter().map(|before| (before.side, before.cell))
    }

    #[inline]
    pub(crate) const fn key(&self) -> u64 {
        self.key
    }

    /// Which fives win.
    pub(crate) const fn wins(&self) -> Fives {
        self.tables.wins
    }

    pub(crate) const fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    pub(crate) const fn at(x: usize, y: usize) -> Cell {
        (y << 4 | x) as Cell
    }
}

/// A number for a stone on a cell, as random as its bits look.
#[inline]
pub(crate) const fn key_of(side: Side, cell: Cell) -> u64 {
    let mut key = ((cell as u64) << 1 | side as u64).wrapping_add(0x9e37_79b9_7f4a_7c15);
    key = (key ^ key >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    key = (key ^ key >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    key ^ key >> 31
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

    /// Whether a side has a row that wins, cell by cell.
    pub(crate) fn has_five(board: &Board, side: Side) -> bool {
        let (width, height) = board.size();
        let own = |x: i32, y: i32| {
            (0..width as i32).contains(&x)
                && (0..height as i32).contains(&y)
                && board.stone(Board::at(x as usize, y as usize)) == Some(side)
        };
        let cells = (0..height as i32).flat_map(|y| (0..width as i32).map(move |x| (x, y)));
        cells.into_iter().any(|(x, y)| {
            DIRECTIONS.iter().any(|(dx, dy)| {
                let at = |step: i32| own(x + dx * step, y + dy * step);
                let exactly = !at(-1) && !at(5);
                (0..5).all(at) && (board.wins() == Fives::OrMore || exactly)
            })
        })
    }

    /// The cells on which a side would complete a five, by trying.
    fn fives_slowly(board: &mut Board, side: Side) -> Cells {
        let cells: Vec<Cell> = board.empty().iter().collect();
        let completes = |cell: &Cell| {
            board.place(side, *cell);
            let five = has_five(board, side);
            board.undo();
            five
        };
        cells.into_iter().filter(completes).collect()
    }

    fn random(state: &mut u64, below: usize) -> usize {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        (*state % below as u64) as usize
    }

    /// What a side could make, looked up for every cell in every direction; the shapes are as they are kept, too.
    fn makes_slowly(board: &Board, side: Side) -> Makes {
        let mut makes = Makes::default();
        for cell in board.empty().iter() {
            let shapes = (0..4).map(|direction| {
                let (line, place) = line_of(direction, cell);
                let line = board.lines[direction][line];
                let both = match board.wins() {
                    Fives::OrMore => board.tables.threats::<4>(line, 2 * place),
                    Fives::Exactly => board.tables.threats::<5>(line, 2 * place),
                };
                (both >> (3 * side as usize) & 7) << (3 * direction)
            });
            let shapes: u32 = shapes.sum();
            let kept = board.shapes[usize::from(cell)] >> (12 * side as usize) & 0xfff;
            assert_eq!(kept, shapes, "{cell}");
            makes.toggle(cell, board.tables.kinds[shapes as usize]);
        }
        makes
    }

    #[test]
    fn lines_that_are_not_looked_at_have_not_changed() {
        let mut state = 0x9e37_79b9_7f4a_7c15;
        for game in 0..400 {
            let (width, height) = [(15, 15), (15, 6), (11, 5), (5, 14)][game % 4];
            let wins = [Fives::OrMore, Fives::Exactly][game / 4 % 2];
            let mut board = Board::new(width, height, wins);
            // On few rows at first, for long ones are rare elsewhere.
            let rows = if game % 3 == 0 { height } else { 2 };
            for number in 0..width * rows * 3 / 4 {
                let near = board
                    .empty()
                    .iter()
                    .filter(|cell| usize::from(cell >> 4) < rows);
                let free: Vec<Cell> = near.collect();
                let cell = free[random(&mut state, free.len())];
                let side =
                    [Side::Black, Side::White][usize::from(random(&mut state, 5) < number % 4)];
                board.place(side, cell);
                for side in [Side::Black, Side::White] {
                    assert_eq!(
                        board.makes[side as usize],
                        makes_slowly(&board, side),
                        "{game}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_row_of_six_is_not_completed() {
        // Black on B, D, E and G of the first row: a stone on F is completed by C, which makes six in a row.
        for (wins, completing) in [(Fives::OrMore, vec![2, 7]), (Fives::Exactly, vec![7])] {
            let mut board = Board::new(15, 15, wins);
            for column in [1, 3, 4, 6] {
                board.place(Side::Black, column);
            }
            let completing: Cells = completing.into_iter().collect();
            assert_eq!(board.completing(Side::Black, 5), completing, "{wins:?}");
        }
    }

    #[test]
    fn what_is_kept_is_what_the_stones_say() {
        let mut state = 0x2545_f491_4f6c_dd1d;
        for game in 0..18 {
            let (width, height) = [(15, 15), (9, 7), (5, 6)][game % 3];
            let wins = [Fives::OrMore, Fives::Exactly][game / 3 % 2];
            let mut board = Board::new(width, height, wins);
            let before = board.clone();
            let mut stones = 0;
            for number in 0..width * height * 2 / 3 {
                let free: Vec<Cell> = board.empty().iter().collect();
                let cell = free[random(&mut state, free.len())];
                let side = if number % 2 == 0 {
                    Side::Black
                } else {
                    Side::White
                };
                if board.fives(side).contains(cell) {
                    continue;
                }
                board.place(side, cell);
                stones += 1;
                for side in [Side::Black, Side::White] {
                    assert_eq!(*board.fives(side), fives_slowly(&mut board.clone(), side));
                    // Where a five can be completed already, new fours may share its cell.
                    if number % 9 != 0 || !board.fives(side).is_empty() {
                        continue;
                    }
                    for cell in board.empty().iter() {
                        let completing = {
                            let mut after = board.clone();
                            after.place(side, cell);
                            fives_slowly(&mut after, side)
                        };
                        assert_eq!(board.fours(side).contains(cell), !completing.is_empty());
                        assert_eq!(board.doubles(side).contains(cell), completing.len() >= 2);
                        assert_eq!(board.completing(side, cell), completing);
                    }
                }
            }
            for _ in 0..stones {
                board.undo();
            }
            assert_eq!(board.key(), 0);
            assert_eq!(board.shapes, before.shapes);
            assert_eq!(board.makes, before.makes);
            assert_eq!(board.lines, before.lines);
            assert_eq!(board.stones, before.stones);
            assert_eq!(board.empty, before.empty);
        }
    }
}
