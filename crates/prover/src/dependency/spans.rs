//! The lines of k and of k + 1 cells (the sets G_5 and G_6 of Allis, section 5.3.2, for any k).
//!
//! Fives and fours live on lines of k cells, straight fours and threes on lines of k + 1 whose ends
//! are empty. The lines of k + 2 cells that Allis uses for threes with two replies are pairs of
//! overlapping lines of k + 1 here, see `operators`.

use tengen_rules::{Grid, Rules};
use tengen_threats::Index;

/// A straight run of cells.
#[derive(Debug, Copy, Clone)]
pub(crate) struct Span {
    first: Index,
    stride: Index,
    length: u8,
}

impl Span {
    /// The cells from one end to the other.
    #[inline]
    pub(crate) fn cells(self) -> impl Iterator<Item = Index> {
        (0..Index::from(self.length)).map(move |step| self.first + step * self.stride)
    }

    /// Whether the other span lies in the same direction.
    pub(crate) fn same_direction(self, other: Self) -> bool {
        self.stride == other.stride
    }

    /// The two cells at the ends.
    pub(crate) fn ends(self) -> [Index; 2] {
        [
            self.first,
            self.first + Index::from(self.length - 1) * self.stride,
        ]
    }
}

/// All spans of one length, and which of them pass through each cell.
#[derive(Debug)]
pub(crate) struct Spans {
    pub(crate) all: Vec<Span>,
    through: Vec<Vec<u16>>,
}

impl Spans {
    /// The spans of so many cells that consist of cells with room around them.
    fn new(grid: Grid, length: u8, room: &[bool]) -> Self {
        let (width, height) = (grid.width() as i32, grid.height() as i32);
        let mut all = Vec::new();
        let mut through = vec![Vec::new(); grid.len()];
        // Falling diagonals run from right to left, so that indices grow along every span.
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
            for first in 0..grid.len() as i32 {
                let reach = i32::from(length) - 1;
                let (x, y) = (first % width + reach * dx, first / width + reach * dy);
                if !(0..width).contains(&x) || y >= height {
                    continue;
                }
                let span = Span {
                    first: first as Index,
                    stride: (dy * width + dx) as Index,
                    length,
                };
                if span.cells().all(|cell| room[usize::from(cell)]) {
                    for cell in span.cells() {
                        through[usize::from(cell)].push(all.len() as u16);
                    }
                    all.push(span);
                }
            }
        }
        Self { all, through }
    }

    /// The spans through a cell.
    pub(crate) fn through(&self, cell: Index) -> impl Iterator<Item = Span> + '_ {
        let numbers = self.through[usize::from(cell)].iter();
        numbers.map(|&number| self.all[usize::from(number)])
    }
}

/// The spans of a board.
#[derive(Debug)]
pub(crate) struct Board {
    pub(crate) rules: Rules,
    pub(crate) grid: Grid,
    /// Lines of k cells.
    pub(crate) short: Spans,
    /// Lines of k + 1 cells.
    pub(crate) long: Spans,
    /// Where stones may be placed: everywhere on finite boards, far from the border of the patch on
    /// infinite ones, so that nothing depends on the border.
    pub(crate) room: Vec<bool>,
}

impl Board {
    pub(crate) fn new(rules: Rules, grid: Grid) -> Self {
        let margin = match rules.size() {
            Some(_) => 0,
            None => usize::from(rules.line()),
        };
        let inside = |place: usize, side: usize| (margin..side - margin).contains(&place);
        let room: Vec<bool> = (0..grid.len())
            .map(|cell| {
                inside(cell % grid.width(), grid.width())
                    && inside(cell / grid.width(), grid.height())
            })
            .collect();
        Self {
            rules,
            grid,
            short: Spans::new(grid, rules.line(), &room),
            long: Spans::new(grid, rules.line() + 1, &room),
            room,
        }
    }
}
