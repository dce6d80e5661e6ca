//! The board without stones: its cells, its windows of five, and its symmetries.

use std::fmt::Write as _;

use crate::tokens::cell_names;

/// The longest side of a board; a cell is then one byte.
pub(super) const MOST_SIDE: u8 = 15;

/// Room for the windows of the largest board: 2 * 11 * 15 + 2 * 11 * 11 = 572.
pub(super) const MOST_WINDOWS: usize = 9 * 64;

/// Rows, columns and both diagonals.
const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Which rows of stones win.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FiveRule {
    /// Five or more.
    FiveOrMore,
    /// Exactly five: six and more do not win.
    ExactlyFive,
}

/// Five cells in a row, and the cells just before and behind them, where the board goes on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    pub(super) cells: [u8; 5],
    pub(super) ends: [Option<u8>; 2],
}

/// A board without stones. Cells are numbered row by row, from the lower left.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) width: u8,
    pub(super) height: u8,
    pub(super) rule: FiveRule,
    pub(super) windows: Vec<Window>,
    /// The windows through each cell, at most 20.
    pub(super) through: Vec<Vec<u16>>,
    /// Where each symmetry of the board takes each cell; the first leaves all as they are.
    symmetries: Vec<Vec<u8>>,
}

impl Shape {
    /// Sides of at least 1 and at most [`MOST_SIDE`].
    pub(super) fn new(width: u8, height: u8, rule: FiveRule) -> Self {
        let mut shape = Self {
            width,
            height,
            rule,
            windows: Vec::new(),
            through: vec![Vec::new(); usize::from(width) * usize::from(height)],
            symmetries: symmetries(width, height),
        };
        for (dx, dy) in DIRECTIONS {
            for first in 0..shape.cells() {
                shape.add_window(first as u8, dx, dy);
            }
        }
        shape
    }

    /// Adds the window from this cell on in this direction, if it fits.
    fn add_window(&mut self, first: u8, dx: i32, dy: i32) {
        let (x, y) = self.coordinates(first);
        let at = |steps: i32| self.cell(x + steps * dx, y + steps * dy);
        let mut cells = [0; 5];
        for (steps, cell) in (0..).zip(&mut cells) {
            match at(steps) {
                Some(on_the_board) => *cell = on_the_board,
                None => return,
            }
        }
        let ends = [at(-1), at(5)];
        for cell in cells {
            self.through[usize::from(cell)].push(self.windows.len() as u16);
        }
        self.windows.push(Window { cells, ends });
    }

    /// How many cells there are.
    pub(super) fn cells(&self) -> usize {
        self.through.len()
    }

    /// Column and row of a cell, from 0.
    fn coordinates(&self, cell: u8) -> (i32, i32) {
        (i32::from(cell % self.width), i32::from(cell / self.width))
    }

    /// The cell in this column and row, if it is on the board.
    fn cell(&self, x: i32, y: i32) -> Option<u8> {
        let (width, height) = (i32::from(self.width), i32::from(self.height));
        let inside = (0..width).contains(&x) && (0..height).contains(&y);
        inside.then_some((y * width + x) as u8)
    }

    /// The smallest of a position's images under the symmetries of the board: black stones
    /// ascending, then white stones ascending, compared byte by byte.
    pub(super) fn canonical(&self, black: &[u8], white: &[u8]) -> Vec<u8> {
        let mut image = Vec::with_capacity(black.len() + white.len());
        let mut smallest: Option<Vec<u8>> = None;
        for symmetry in &self.symmetries {
            image.clear();
            image.extend(black.iter().map(|&cell| symmetry[usize::from(cell)]));
            image.extend(white.iter().map(|&cell| symmetry[usize::from(cell)]));
            let (blacks, whites) = image.split_at_mut(black.len());
            blacks.sort_unstable();
            whites.sort_unstable();
            match &mut smallest {
                Some(known) if *known <= image => {}
                Some(known) => known.clone_from(&image),
                None => smallest = Some(image.clone()),
            }
        }
        smallest.expect("every board has a symmetry: the identity")
    }

    /// "C4".
    pub(super) fn name(&self, cell: u8) -> String {
        self.names(&[cell])
    }

    /// "C4,D5".
    pub(super) fn names(&self, cells: &[u8]) -> String {
        let cells: Vec<_> = cells.iter().map(|&cell| self.coordinates(cell)).collect();
        cell_names(&cells)
    }

    /// A position with Black to move, in words.
    pub(super) fn position(&self, black: &[u8], white: &[u8]) -> String {
        let mut text = String::new();
        for (side, cells) in [("B", black), ("W", white)] {
            if !cells.is_empty() {
                write!(text, "{side}:{} ", self.names(cells)).expect("strings can be written to");
            }
        }
        text + "to-move:B"
    }

    /// The rules in the notation of the other proofs.
    pub(super) fn rules(&self) -> String {
        let exact = match self.rule {
            FiveRule::FiveOrMore => "",
            FiveRule::ExactlyFive => ",exact",
        };
        format!("{},{},5,1,1{exact}", self.width, self.height)
    }
}

/// The symmetries of a board: four, or eight on a square.
fn symmetries(width: u8, height: u8) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for transposed in [false, true] {
        if transposed && width != height {
            continue;
        }
        for upside_down in [false, true] {
            for mirrored in [false, true] {
                let image = |cell: usize| {
                    let (x, y) = (cell as u8 % width, cell as u8 / width);
                    let x = if mirrored { width - 1 - x } else { x };
                    let y = if upside_down { height - 1 - y } else { y };
                    let (x, y) = if transposed { (y, x) } else { (x, y) };
                    y * width + x
                };
                let cells = usize::from(width) * usize::from(height);
                all.push((0..cells).map(image).collect());
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_have_the_windows_and_symmetries_they_should() {
        for (width, height, windows, symmetries) in [
            (15, 15, 572, 8),
            (7, 7, 60, 8),
            (9, 6, 68, 4),
            (4, 3, 0, 4),
            (1, 1, 0, 8),
        ] {
            let shape = Shape::new(width, height, FiveRule::FiveOrMore);
            assert_eq!(shape.windows.len(), windows, "{width}x{height}");
            assert!(windows <= MOST_WINDOWS);
            assert_eq!(shape.symmetries.len(), symmetries);
            for symmetry in &shape.symmetries {
                let mut image = symmetry.clone();
                image.sort_unstable();
                assert!(image.iter().zip(0..).all(|(&cell, number)| cell == number));
            }
        }
    }

    #[test]
    fn all_images_of_a_position_have_one_canonical_form() {
        let mut rng = fastrand::Rng::with_seed(1);
        for (width, height) in [(15, 15), (7, 7), (9, 6)] {
            let shape = Shape::new(width, height, FiveRule::FiveOrMore);
            for _ in 0..200 {
                let stones = rng.choose_multiple(0..shape.cells() as u8, 12);
                let canonical = shape.canonical(&stones[..6], &stones[6..]);
                let mut is_an_image = false;
                for symmetry in &shape.symmetries {
                    let image: Vec<u8> = stones.iter().map(|&c| symmetry[usize::from(c)]).collect();
                    assert_eq!(shape.canonical(&image[..6], &image[6..]), canonical);
                    let mut sorted = image;
                    sorted[..6].sort_unstable();
                    sorted[6..].sort_unstable();
                    assert!(canonical <= sorted);
                    is_an_image |= canonical == sorted;
                }
                assert!(is_an_image);
            }
        }
    }
}
