//! The lines of a grid: which line and bit each cell has in each of the four directions.

use tengen_rules::Grid;

/// A cell's place on one line.
#[derive(Debug, Copy, Clone)]
pub(crate) struct Spot {
    pub(crate) line: u16,
    pub(crate) bit: u8,
}

/// One line of at least `k` cells: the cell of bit `b` has index `first + b * stride`.
#[derive(Debug, Copy, Clone)]
pub(crate) struct Line {
    first: u16,
    stride: u16,
    /// The bits at which a window can start.
    pub(crate) starts: u64,
    pub(crate) length: u8,
}

impl Line {
    /// The index of the cell at this bit.
    pub(crate) fn cell(&self, bit: u32) -> u16 {
        self.first + bit as u16 * self.stride
    }
}

/// All lines of a grid.
///
/// Line 0 is a dummy without windows: the line of every cell and direction where fewer than `k`
/// cells are in a row. What is stored there means nothing.
#[derive(Debug)]
pub(crate) struct Geometry {
    pub(crate) grid: Grid,
    pub(crate) line: u32,
    pub(crate) lines: Vec<Line>,
    pub(crate) spots: Vec<[Spot; 4]>,
}

impl Geometry {
    pub(crate) fn new(grid: Grid, line: u8) -> Self {
        let (width, height) = (grid.width() as i32, grid.height() as i32);
        let dummy = Line {
            first: 0,
            stride: 0,
            starts: 0,
            length: 0,
        };
        let mut lines = vec![dummy];
        let mut spots = vec![[Spot { line: 0, bit: 0 }; 4]; grid.len()];
        // Rows, columns, rising and falling diagonals; falling ones run from right to left so that
        // indices grow along every line.
        for (direction, (dx, dy)) in [(1, 0), (0, 1), (1, 1), (-1, 1)].into_iter().enumerate() {
            for index in 0..grid.len() as i32 {
                let (x, y) = (index % width, index / width);
                let inside = |n: i32| {
                    let (x, y) = (x + n * dx, y + n * dy);
                    (0..width).contains(&x) && (0..height).contains(&y)
                };
                if inside(-1) {
                    continue;
                }
                let length = (0..).take_while(|&n| inside(n)).count();
                if length < usize::from(line) {
                    continue;
                }
                let stride = dy * width + dx;
                let starts = (1_u64 << (length - usize::from(line) + 1)) - 1;
                let new = Line {
                    first: index as u16,
                    stride: stride as u16,
                    starts,
                    length: length as u8,
                };
                for bit in 0..length {
                    let spot = Spot {
                        line: lines.len() as u16,
                        bit: bit as u8,
                    };
                    spots[usize::from(new.cell(bit as u32))][direction] = spot;
                }
                lines.push(new);
            }
        }
        Self {
            grid,
            line: u32::from(line),
            lines,
            spots,
        }
    }
}
