//! The symmetries of a board: eight of a square or infinite one, four of a rectangle.

use crate::{Cell, Extent, Position, Rules, Setup};

/// A rotation or reflection: first the flips, then the exchange of columns and rows.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Symmetry {
    flip_columns: bool,
    flip_rows: bool,
    transpose: bool,
}

/// The representative of all positions that are the same up to symmetry (on an infinite board: and
/// translation).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Canonical {
    /// The representative; its stones are sorted.
    pub setup: Setup,
    /// The symmetry that leads from the original to the representative.
    pub symmetry: Symmetry,
    /// The translation after it; zero on finite boards.
    pub shift: (i16, i16),
}

impl Symmetry {
    /// Does nothing.
    pub const IDENTITY: Self = Self {
        flip_columns: false,
        flip_rows: false,
        transpose: false,
    };

    /// All symmetries of a board, the identity first.
    pub fn all(rules: Rules) -> impl Iterator<Item = Self> {
        let square = match rules.extent() {
            Extent::Finite { width, height } => width == height,
            Extent::Infinite => true,
        };
        (0..if square { 8 } else { 4 }).map(|bits: u8| Self {
            flip_columns: bits & 1 != 0,
            flip_rows: bits & 2 != 0,
            transpose: bits & 4 != 0,
        })
    }

    /// Where the cell goes. On an infinite board A1 stays where it is.
    pub fn apply(self, rules: Rules, cell: Cell) -> Cell {
        let (last_x, last_y) = match rules.extent() {
            Extent::Finite { width, height } => (i16::from(width) - 1, i16::from(height) - 1),
            Extent::Infinite => (0, 0),
        };
        let x = if self.flip_columns {
            last_x - cell.x
        } else {
            cell.x
        };
        let y = if self.flip_rows {
            last_y - cell.y
        } else {
            cell.y
        };
        if self.transpose {
            Cell::new(y, x)
        } else {
            Cell::new(x, y)
        }
    }

    /// The symmetry that undoes this one.
    pub const fn inverse(self) -> Self {
        if self.transpose {
            Self {
                flip_columns: self.flip_rows,
                flip_rows: self.flip_columns,
                transpose: true,
            }
        } else {
            self
        }
    }

    /// The set-up with every stone moved, stones sorted.
    pub fn apply_to_setup(self, setup: &Setup) -> Setup {
        let moved = |cells: &[Cell]| {
            let mut moved: Vec<Cell> = cells.iter().map(|&c| self.apply(setup.rules, c)).collect();
            moved.sort_unstable();
            moved
        };
        Setup {
            black: moved(&setup.black),
            white: moved(&setup.white),
            ..setup.clone()
        }
    }
}

impl Canonical {
    /// The least image under all symmetries; equal for exactly the positions that are the same up to
    /// symmetry (and translation on an infinite board) with the same turn.
    pub fn of(position: &Position) -> Self {
        let setup = position.to_setup();
        let images = Symmetry::all(setup.rules).map(|symmetry| {
            let mut image = symmetry.apply_to_setup(&setup);
            let shift = Self::shift_to_corner(&image);
            for cell in image.black.iter_mut().chain(&mut image.white) {
                *cell = Cell::new(cell.x + shift.0, cell.y + shift.1);
            }
            Self {
                setup: image,
                symmetry,
                shift,
            }
        });
        let least = images
            .min_by(|a, b| (&a.setup.black, &a.setup.white).cmp(&(&b.setup.black, &b.setup.white)));
        least.expect("the identity is always there")
    }

    /// Where a cell of the original stands in the representative.
    pub fn map(&self, cell: Cell) -> Cell {
        let image = self.symmetry.apply(self.setup.rules, cell);
        Cell::new(image.x + self.shift.0, image.y + self.shift.1)
    }

    /// Where a cell of the representative stands in the original.
    pub fn map_back(&self, cell: Cell) -> Cell {
        let image = Cell::new(cell.x - self.shift.0, cell.y - self.shift.1);
        self.symmetry.inverse().apply(self.setup.rules, image)
    }

    fn shift_to_corner(setup: &Setup) -> (i16, i16) {
        if setup.rules.extent() != Extent::Infinite {
            return (0, 0);
        }
        let low = |pick: fn(Cell) -> i16| setup.stones().map(|s| pick(s.cell)).min().unwrap_or(0);
        (-low(|cell| cell.x), -low(|cell| cell.y))
    }
}
