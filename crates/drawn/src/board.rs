//! Boards: cells of the plane and lines of them, and their text form (`docs/drawn.md`).

use std::fmt;
use std::str::FromStr;

use crate::strategy::Cells;

/// A cell of the plane: column and row.
pub type Point = (i32, i32);

/// The most cells that a certificate has letters for.
pub const MOST_CELLS: usize = 88;

/// The most lines of a board.
pub const MOST_LINES: usize = 64;

/// A finite board. The order of the cells counts; the order of the lines does not matter for the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    cells: Vec<Point>,
    lines: Vec<Vec<Point>>,
}

/// What is wrong with a board.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// Too many cells, or none.
    #[error("{0} cells, expected 1 to {MOST_CELLS}")]
    Cells(usize),
    /// Too many lines, or none.
    #[error("{0} lines, expected 1 to {MOST_LINES}")]
    Lines(usize),
    /// A cell is named twice.
    #[error("the cell {0},{1} is named twice")]
    Twice(i32, i32),
    /// A line has a cell that the board has not.
    #[error("the line {0} has the cell {1},{2}, which is not on the board")]
    Stranger(usize, i32, i32),
    /// A line without cells.
    #[error("the line {0} has no cells")]
    Empty(usize),
    /// The text is not a board.
    #[error("line {0}: `{1}` where {2} was expected")]
    Text(usize, String, &'static str),
}

impl Board {
    /// A board of these cells and lines.
    pub fn new(cells: Vec<Point>, lines: Vec<Vec<Point>>) -> Result<Self, BoardError> {
        if cells.is_empty() || cells.len() > MOST_CELLS {
            return Err(BoardError::Cells(cells.len()));
        }
        if lines.is_empty() || lines.len() > MOST_LINES {
            return Err(BoardError::Lines(lines.len()));
        }
        if let Some(i) = (1..cells.len()).find(|&i| cells[..i].contains(&cells[i])) {
            return Err(BoardError::Twice(cells[i].0, cells[i].1));
        }
        for (number, line) in lines.iter().enumerate() {
            if line.is_empty() {
                return Err(BoardError::Empty(number + 1));
            }
            if let Some((x, y)) = line.iter().find(|cell| !cells.contains(cell)) {
                return Err(BoardError::Stranger(number + 1, *x, *y));
            }
        }
        Ok(Self { cells, lines })
    }

    /// The cells in order.
    pub fn cells(&self) -> &[Point] {
        &self.cells
    }

    /// The lines in order.
    pub fn lines(&self) -> &[Vec<Point>] {
        &self.lines
    }

    /// The number of a cell.
    pub fn index(&self, cell: Point) -> Option<usize> {
        self.cells.iter().position(|&other| other == cell)
    }

    /// The lines as sets of numbers of cells.
    pub fn sets(&self) -> Vec<Cells> {
        let set = |line: &Vec<Point>| {
            let indices = line.iter().filter_map(|&cell| self.index(cell));
            indices.fold(0, |set, index| set | 1 << index)
        };
        self.lines.iter().map(set).collect()
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut write = |name: &str, cells: &[Point]| {
            f.write_str(name)?;
            for (x, y) in cells {
                write!(f, " {x},{y}")?;
            }
            f.write_str("\n")
        };
        write("cells", &self.cells)?;
        self.lines.iter().try_for_each(|line| write("line", line))
    }
}

impl FromStr for Board {
    type Err = BoardError;

    /// Reads `cells X,Y ...` and then `line X,Y ...` lines; `#` begins a comment line.
    fn from_str(text: &str) -> Result<Self, BoardError> {
        let (mut cells, mut lines) = (None, Vec::new());
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
            let mut points = Vec::new();
            for word in rest.split_ascii_whitespace() {
                points.push(point(word).ok_or_else(|| {
                    BoardError::Text(index + 1, word.to_owned(), "a cell such as 3,-1")
                })?);
            }
            match name {
                "cells" if cells.is_none() => cells = Some(points),
                "line" if cells.is_some() => lines.push(points),
                _ => {
                    let expected = if cells.is_none() { "`cells`" } else { "`line`" };
                    return Err(BoardError::Text(index + 1, name.to_owned(), expected));
                }
            }
        }
        Self::new(cells.unwrap_or_default(), lines)
    }
}

fn point(word: &str) -> Option<Point> {
    let (x, y) = word.split_once(',')?;
    let read = |word: &str| {
        word.parse()
            .ok()
            .filter(|value| (-999..=999).contains(value))
    };
    Some((read(x)?, read(y)?))
}
