//! Points: which cell `j9`, `JI`, `jk` or `(3,-2)` is, and how we write a cell.

use crate::notation::cells::{cell_at, separates};
use crate::notation::error::shortened;
use crate::setup::board_in_words;
use crate::{Cell, Extent, Rules};

/// How a game writes its points.
#[derive(Debug, Copy, Clone)]
pub(super) struct Points {
    pub(super) rules: Rules,
    /// Whether two capital letters are column and row from the bottom (GM[511] and files without
    /// GM), or letters beyond z of the SGF standard.
    pub(super) capitals_from_bottom: bool,
}

/// A rectangle of cells, both corners included.
#[derive(Debug, Copy, Clone)]
pub(super) struct Area {
    low: Cell,
    high: Cell,
}

impl Area {
    pub(super) fn len(self) -> usize {
        let span = |low: i16, high: i16| i32::from(high) - i32::from(low) + 1;
        let cells = span(self.low.x, self.high.x) * span(self.low.y, self.high.y);
        usize::try_from(cells).expect("coordinates are below 10,000, and low below high")
    }

    pub(super) fn contains(self, cell: Cell) -> bool {
        (self.low.x..=self.high.x).contains(&cell.x) && (self.low.y..=self.high.y).contains(&cell.y)
    }

    pub(super) fn cells(self) -> impl Iterator<Item = Cell> {
        let row = move |y| (self.low.x..=self.high.x).map(move |x| Cell::new(x, y));
        (self.low.y..=self.high.y).flat_map(row)
    }
}

impl Points {
    /// The cells of a move: none for a pass, several when a node holds a turn.
    pub(super) fn several(self, raw: &str) -> Result<Vec<Cell>, String> {
        let mut rest = raw.trim_matches(separates);
        let mut cells = Vec::new();
        // A turn has fewer stones than a line, and a line at most 63.
        const MOST: usize = 63;
        while !rest.is_empty() {
            let (cell, length) = self.first(rest)?;
            cells.push(cell);
            if cells.len() > MOST {
                return Err(format!("more than {MOST} points in one move"));
            }
            rest = rest[length..].trim_start_matches(separates);
        }
        Ok(cells)
    }

    /// The cell of a value that holds one point.
    pub(super) fn one(self, raw: &str) -> Result<Cell, String> {
        let point = raw.trim();
        let (cell, length) = self.first(point)?;
        if length == point.len() {
            Ok(cell)
        } else {
            Err(format!("`{}` is not one point", shortened(point)))
        }
    }

    /// The cells of a point, of a rectangle given by two corners, or of nothing.
    pub(super) fn area(self, raw: &str) -> Result<Area, String> {
        if raw.trim().is_empty() {
            return Ok(Area {
                low: Cell::new(0, 0),
                high: Cell::new(-1, -1),
            });
        }
        let (a, b) = match raw.split_once(':') {
            Some((a, b)) => (self.one(a)?, self.one(b)?),
            None => {
                let cell = self.one(raw)?;
                (cell, cell)
            }
        };
        Ok(Area {
            low: Cell::new(a.x.min(b.x), a.y.min(b.y)),
            high: Cell::new(a.x.max(b.x), a.y.max(b.y)),
        })
    }

    fn first(self, text: &str) -> Result<(Cell, usize), String> {
        let bytes = text.as_bytes();
        let (cell, length) = match bytes {
            [a, b, ..] if a.is_ascii_alphabetic() && b.is_ascii_alphabetic() => {
                // `AB12` is a column beyond Z and a row.
                if bytes.get(2).is_some_and(u8::is_ascii_digit) {
                    cell_at(text)?
                } else {
                    (self.pair(*a, *b)?, 2)
                }
            }
            _ => cell_at(text).map_err(|_| {
                let point = shortened(text);
                format!("`{point}` is not a point, expected a point such as `j10`, `JJ` or `jj`")
            })?,
        };
        if self.rules.contains(cell) {
            Ok((cell, length))
        } else {
            let point = &text[..length];
            let board = board_in_words(self.rules);
            Err(format!("point `{point}` is off the board, {board}"))
        }
    }

    fn pair(self, column: u8, row: u8) -> Result<Cell, String> {
        let letter = |b: u8| {
            if b.is_ascii_lowercase() {
                i16::from(b - b'a')
            } else if self.capitals_from_bottom {
                i16::from(b - b'A')
            } else {
                i16::from(b - b'A') + 26
            }
        };
        let (x, y) = (letter(column), letter(row));
        let capitals = column.is_ascii_uppercase() && row.is_ascii_uppercase();
        if capitals && self.capitals_from_bottom {
            return Ok(Cell::new(x, y));
        }
        match self.rules.extent() {
            Extent::Finite { height, .. } => Ok(Cell::new(x, i16::from(height) - 1 - y)),
            Extent::Infinite => Err(format!(
                "`{}{}` counts rows from the top, expected a point such as `j10` on an infinite board",
                char::from(column),
                char::from(row)
            )),
        }
    }

    /// The point as we write it, `None` when the cell is not on the board.
    ///
    /// GM[4] has the two lower-case letters that gomoku programs read, boards up to 26x26 have
    /// NCTU's two capitals, larger and infinite ones letter and number.
    pub(super) fn written(self, cell: Cell) -> Option<String> {
        if !self.rules.contains(cell) {
            return None;
        }
        let name = match self.rules.size() {
            Some((width, height)) if width <= 26 && height <= 26 => {
                let letter = |first: u8, index: i16| char::from(first + index as u8);
                let (column, row) = if self.capitals_from_bottom {
                    (letter(b'A', cell.x), letter(b'A', cell.y))
                } else {
                    (
                        letter(b'a', cell.x),
                        letter(b'a', i16::from(height) - 1 - cell.y),
                    )
                };
                format!("{column}{row}")
            }
            _ => cell.to_string(),
        };
        // Far cells of an infinite board have names that nobody reads.
        let readable = self.one(&name) == Ok(cell);
        readable.then_some(name)
    }
}
