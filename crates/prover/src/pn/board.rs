//! A Go-Moku board that knows after every stone what each side could make on each empty cell.

use tengen_rules::Side;

use super::cells::{Cell, Cells};
use super::patterns::{REACH, Shape, Surroundings, shapes};

/// The four directions of lines.
const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Columns and rows of the largest board.
const LARGEST: usize = 19;

/// A board on which five or more in a row win.
#[derive(Debug, Clone)]
pub(crate) struct Board {
    width: usize,
    height: usize,
    stones: Vec<Option<Side>>,
    /// For each cell and direction what lies around it.
    around: Vec<[Surroundings; 4]>,
    /// For each cell and direction the cells that see it, nearest the line's beginning first.
    seen_from: Vec<[[Option<Cell>; 2 * REACH]; 4]>,
    /// For each side and cell the shapes that a stone would make, by direction.
    shapes: [Vec<[Shape; 4]>; 2],
    /// The empty cells on which each side completes a five.
    fives: [Cells; 2],
    /// Those on which it makes fours that two cells or more complete.
    doubles: [Cells; 2],
    /// Those on which it makes a four at least.
    fours: [Cells; 2],
    /// Those on which it makes a three at least.
    threes: [Cells; 2],
    empty: Cells,
    placed: Vec<Cell>,
    key: u64,
}

impl Board {
    pub(crate) fn new(width: usize, height: usize) -> Self {
        assert!(width <= LARGEST && height <= LARGEST, "at most 19x19");
        let count = width * height;
        let neighbour = |cell: usize, (dx, dy): (i32, i32), steps: i32| {
            let x = (cell % width) as i32 + dx * steps;
            let y = (cell / width) as i32 + dy * steps;
            let inside = (0..width as i32).contains(&x) && (0..height as i32).contains(&y);
            inside.then(|| (y as usize * width + x as usize) as Cell)
        };
        let steps = |slot: usize| match slot < REACH {
            true => slot as i32 - REACH as i32,
            false => slot as i32 - REACH as i32 + 1,
        };
        let seen_from = |cell: usize| {
            DIRECTIONS.map(|direction| {
                std::array::from_fn(|slot| neighbour(cell, direction, steps(slot)))
            })
        };
        let seen_from: Vec<_> = (0..count).map(seen_from).collect();
        let outside = |seen: &[[Option<Cell>; 2 * REACH]; 4]| {
            seen.map(|line| {
                let wall = |slot: usize| Surroundings::from(line[slot].is_none()) * 3;
                (0..2 * REACH).fold(0, |code, slot| code | wall(slot) << (2 * slot))
            })
        };
        let mut board = Self {
            width,
            height,
            stones: vec![None; count],
            around: seen_from.iter().map(outside).collect(),
            seen_from,
            shapes: [0, 1].map(|_| vec![[Shape::Nothing; 4]; count]),
            fives: [Cells::default(); 2],
            doubles: [Cells::default(); 2],
            fours: [Cells::default(); 2],
            threes: [Cells::default(); 2],
            empty: (0..count as Cell).collect(),
            placed: Vec::new(),
            key: 0,
        };
        for cell in 0..count {
            for direction in 0..4 {
                let [black, white] = shapes(board.around[cell][direction]);
                board.shapes[0][cell][direction] = black;
                board.shapes[1][cell][direction] = white;
            }
        }
        board
    }

    pub(crate) fn place(&mut self, side: Side, cell: Cell) {
        debug_assert!(self.stones[usize::from(cell)].is_none());
        self.stones[usize::from(cell)] = Some(side);
        self.empty.remove(cell);
        self.placed.push(cell);
        self.key ^= key_of(side, cell);
        self.change(side, cell);
        for side in [0, 1] {
            self.fives[side].remove(cell);
            self.doubles[side].remove(cell);
            self.fours[side].remove(cell);
            self.threes[side].remove(cell);
        }
    }

    pub(crate) fn undo(&mut self) {
        let Some(cell) = self.placed.pop() else {
            return;
        };
        let Some(side) = self.stones[usize::from(cell)].take() else {
            return;
        };
        self.empty.insert(cell);
        self.key ^= key_of(side, cell);
        self.change(side, cell);
        self.summarise(cell);
    }

    /// Tells the cells around of a stone that came or went.
    fn change(&mut self, side: Side, cell: Cell) {
        let stone = side as Surroundings + 1;
        for direction in 0..4 {
            for slot in 0..2 * REACH {
                let Some(other) = self.seen_from[usize::from(cell)][direction][slot] else {
                    continue;
                };
                // Seen from there the stone lies on the opposite side.
                let mirrored = 2 * (2 * REACH - 1 - slot);
                let around = &mut self.around[usize::from(other)][direction];
                *around ^= stone << mirrored;
                let now = shapes(*around);
                let place = usize::from(other);
                let changed = [0, 1].map(|side| {
                    let shape = &mut self.shapes[side][place][direction];
                    let changed = *shape != now[side];
                    *shape = now[side];
                    changed
                });
                if (changed[0] || changed[1]) && self.stones[place].is_none() {
                    self.summarise(other);
                }
            }
        }
    }

    fn summarise(&mut self, cell: Cell) {
        for side in [0, 1] {
            let shapes = self.shapes[side][usize::from(cell)];
            let best = shapes.into_iter().max().unwrap_or(Shape::Nothing);
            let fours = shapes
                .into_iter()
                .filter(|&shape| shape >= Shape::Four)
                .count();
            self.fives[side].set(cell, best == Shape::Five);
            self.doubles[side].set(cell, best >= Shape::StraightFour || fours > 1);
            self.fours[side].set(cell, fours > 0);
            self.threes[side].set(cell, best >= Shape::Three);
        }
    }

    /// The empty cells on which a side completes a five.
    pub(crate) const fn fives(&self, side: Side) -> &Cells {
        &self.fives[side as usize]
    }

    /// Those on which it completes a five, or makes fours that two cells or more complete.
    pub(crate) const fn doubles(&self, side: Side) -> &Cells {
        &self.doubles[side as usize]
    }

    /// Those on which it makes a four at least.
    pub(crate) const fn fours(&self, side: Side) -> &Cells {
        &self.fours[side as usize]
    }

    /// Those on which it makes a three at least.
    pub(crate) const fn threes(&self, side: Side) -> &Cells {
        &self.threes[side as usize]
    }

    #[cfg(test)]
    pub(crate) const fn empty(&self) -> &Cells {
        &self.empty
    }

    pub(crate) fn stone(&self, cell: Cell) -> Option<Side> {
        self.stones[usize::from(cell)]
    }

    pub(crate) const fn key(&self) -> u64 {
        self.key
    }

    pub(crate) const fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    pub(crate) fn at(&self, x: usize, y: usize) -> Cell {
        (y * self.width + x) as Cell
    }
}

/// A number for a stone on a cell, as random as its bits look.
fn key_of(side: Side, cell: Cell) -> u64 {
    let mut key = (u64::from(cell) << 1 | side as u64).wrapping_add(0x9e37_79b9_7f4a_7c15);
    key = (key ^ key >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    key = (key ^ key >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    key ^ key >> 31
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Whether a side has five in a row, cell by cell.
    pub(crate) fn has_five(board: &Board, side: Side) -> bool {
        let (width, height) = board.size();
        let own = |x: i32, y: i32| {
            (0..width as i32).contains(&x)
                && (0..height as i32).contains(&y)
                && board.stone(board.at(x as usize, y as usize)) == Some(side)
        };
        let cells = (0..height as i32).flat_map(|y| (0..width as i32).map(move |x| (x, y)));
        cells.into_iter().any(|(x, y)| {
            DIRECTIONS
                .iter()
                .any(|(dx, dy)| (0..5).all(|step| own(x + dx * step, y + dy * step)))
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

    #[test]
    fn what_is_kept_is_what_the_stones_say() {
        let mut state = 0x2545_f491_4f6c_dd1d;
        for game in 0..9 {
            let (width, height) = [(15, 15), (9, 7), (5, 6)][game % 3];
            let mut board = Board::new(width, height);
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
                    }
                }
            }
            for _ in 0..stones {
                board.undo();
            }
            assert_eq!(board.key(), 0);
            assert_eq!(board.shapes, before.shapes);
            assert_eq!(
                (board.fives, board.doubles, board.fours, board.threes),
                (before.fives, before.doubles, before.fours, before.threes)
            );
        }
    }
}
