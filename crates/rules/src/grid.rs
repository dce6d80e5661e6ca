//! The part of the plane that is kept in memory, and the dense numbering of its cells.
//!
//! A finite board is its own grid. An infinite board is represented by a patch of 63x63 cells laid
//! around its stones. Stones keep a distance of at least `k` from the patch's border, so every
//! window through a stone lies inside, and windows outside hold no stone at all: nothing that is
//! said about lines can depend on the border.

use crate::{Cell, Extent, MAX_SIDE, Rules};

/// A rectangle of cells, numbered row by row from its lower left corner.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub struct Grid {
    corner: Cell,
    width: u8,
    height: u8,
    /// How far from the border stones must stay; 0 on finite boards.
    margin: u8,
}

impl Grid {
    /// The grid of a finite board, or a patch of an infinite one with room for all `stones`.
    ///
    /// `None` when the stones of an infinite board lie too far apart for one patch, see
    /// [`Grid::reach`].
    pub fn around(rules: Rules, stones: impl IntoIterator<Item = Cell>) -> Option<Self> {
        let margin = match rules.extent() {
            Extent::Finite { width, height } => {
                return Some(Self {
                    corner: Cell::new(0, 0),
                    width,
                    height,
                    margin: 0,
                });
            }
            Extent::Infinite => rules.line(),
        };
        // An empty infinite board is looked at around J10, the tengen of the usual board.
        let mut stones = stones.into_iter();
        let first = stones.next().unwrap_or(Cell::new(9, 9));
        let (mut low, mut high) = (first, first);
        for cell in stones {
            low = Cell::new(low.x.min(cell.x), low.y.min(cell.y));
            high = Cell::new(high.x.max(cell.x), high.y.max(cell.y));
        }
        let reach = i16::from(Self::reach(rules));
        if high.x - low.x >= reach || high.y - low.y >= reach {
            return None;
        }
        let centred = |low: i16, high: i16| low - (i16::from(MAX_SIDE) - (high - low + 1)) / 2;
        let corner = Cell::new(centred(low.x, high.x), centred(low.y, high.y));
        Some(Self {
            corner,
            width: MAX_SIDE,
            height: MAX_SIDE,
            margin,
        })
    }

    /// How many columns and rows the stones of an infinite board may span.
    pub const fn reach(rules: Rules) -> u8 {
        MAX_SIDE - 2 * rules.line()
    }

    /// Columns.
    pub const fn width(&self) -> usize {
        self.width as usize
    }

    /// Rows.
    pub const fn height(&self) -> usize {
        self.height as usize
    }

    /// The cell in the lower left corner.
    pub const fn corner(&self) -> Cell {
        self.corner
    }

    /// How many cells there are.
    pub const fn len(&self) -> usize {
        self.width() * self.height()
    }

    /// Whether there is no cell; never true for a grid of valid rules.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cell's number, `None` outside the grid.
    pub fn index(&self, cell: Cell) -> Option<usize> {
        let x = usize::try_from(cell.x - self.corner.x).ok()?;
        let y = usize::try_from(cell.y - self.corner.y).ok()?;
        (x < self.width() && y < self.height()).then(|| y * self.width() + x)
    }

    /// The cell with this number.
    pub fn cell(&self, index: usize) -> Cell {
        let (x, y) = (index % self.width(), index / self.width());
        Cell::new(self.corner.x + x as i16, self.corner.y + y as i16)
    }

    /// Whether a stone may stand here without leaving the patch of an infinite board.
    pub fn holds(&self, cell: Cell) -> bool {
        let inside = |value: i16, low: i16, size: u8| {
            let margin = i16::from(self.margin);
            value >= low + margin && value < low + i16::from(size) - margin
        };
        inside(cell.x, self.corner.x, self.width) && inside(cell.y, self.corner.y, self.height)
    }

    /// All cells, row by row from the lower left corner.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let grid = *self;
        (0..grid.len()).map(move |index| grid.cell(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_cells_are_inverse() {
        for rules in ["connect6", "7,4,4,1,1", "inf,inf,6,2,3"] {
            let rules: Rules = rules.parse().expect("known rules");
            let grid = Grid::around(rules, [Cell::new(-30, 5)]).expect("one stone fits");
            for (index, cell) in grid.cells().enumerate() {
                assert_eq!(grid.index(cell), Some(index));
                assert_eq!(grid.cell(index), cell);
            }
            assert_eq!(grid.index(grid.corner().step((1, 1), -1)), None);
        }
    }

    #[test]
    fn infinite_boards_keep_their_margin() {
        let rules: Rules = "inf,inf,6,2,3".parse().expect("known rules");
        let far = i16::from(Grid::reach(rules)) - 1;
        let ends = [Cell::new(-100, 3), Cell::new(-100 + far, 3 + far)];
        let grid = Grid::around(rules, ends).expect("just fits");
        for end in ends {
            assert!(grid.holds(end));
            for direction in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                assert!(grid.index(end.step(direction, 6)).is_some());
                assert!(grid.index(end.step(direction, -6)).is_some());
            }
        }
        assert_eq!(
            Grid::around(rules, [ends[0], ends[1].step((1, 0), 1)]),
            None
        );
    }
}
