//! A place on the board, independent of any board: J10 is the same `Cell` on every size.
//!
//! Columns are letters including I, then AA, AB, ... as in a spreadsheet; rows count from 1 at the
//! bottom. Cells left of column A or below row 1 exist on infinite boards only and are written
//! `(x,y)` with A1 = `(1,1)`.

use std::fmt;
use std::str::FromStr;

/// A place: `x` counts columns from A = 0, `y` counts rows from row 1 = 0, upwards.
///
/// Ordered by column, then row. Negative values are legal on infinite boards only.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    /// Column, A = 0.
    pub x: i16,
    /// Row, the bottom row 1 = 0.
    pub y: i16,
}

/// Coordinates beyond this are refused when read, so that arithmetic on them cannot overflow.
const FAR: i16 = 9_999;

impl Cell {
    /// The cell in column `x` and row `y`, both counted from 0.
    pub const fn new(x: i16, y: i16) -> Self {
        Self { x, y }
    }

    /// The cell `steps` further in direction `(dx, dy)`.
    pub const fn step(self, (dx, dy): (i16, i16), steps: i16) -> Self {
        Self {
            x: self.x + dx * steps,
            y: self.y + dy * steps,
        }
    }

    /// The column's letters: A to Z, then AA. `None` left of column A.
    pub fn column_name(x: i16) -> Option<String> {
        let mut rest = i32::from(x) + 1;
        if rest <= 0 {
            return None;
        }
        let mut letters = Vec::new();
        while rest > 0 {
            rest -= 1;
            letters.push(b'A' + (rest % 26) as u8);
            rest /= 26;
        }
        letters.reverse();
        Some(letters.iter().map(|&b| char::from(b)).collect())
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Self::column_name(self.x) {
            Some(column) if self.y >= 0 => f.pad(&format!("{column}{}", i32::from(self.y) + 1)),
            _ => f.pad(&format!(
                "({},{})",
                i32::from(self.x) + 1,
                i32::from(self.y) + 1
            )),
        }
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Why a text is not a cell.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a cell; expected a column letter and a row number, such as J10")]
pub struct ParseCellError {
    /// The text that was read.
    pub text: String,
}

impl FromStr for Cell {
    type Err = ParseCellError;

    fn from_str(text: &str) -> Result<Self, ParseCellError> {
        let error = || ParseCellError {
            text: text.chars().take(40).collect(),
        };
        let whole = |number: &str| -> Option<i16> {
            let value: i16 = number.trim().parse().ok()?;
            (-FAR..=FAR).contains(&value).then_some(value - 1)
        };
        if let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
            let (x, y) = inner.split_once(',').ok_or_else(error)?;
            return Ok(Self {
                x: whole(x).ok_or_else(error)?,
                y: whole(y).ok_or_else(error)?,
            });
        }
        let digits = text
            .find(|c: char| !c.is_ascii_alphabetic())
            .ok_or_else(error)?;
        let (letters, number) = text.split_at(digits);
        if letters.is_empty()
            || letters.len() > 2
            || !number.starts_with(|c| ('1'..='9').contains(&c))
        {
            return Err(error());
        }
        let column = letters.bytes().fold(0_i16, |sum, b| {
            sum * 26 + i16::from(b.to_ascii_uppercase() - b'A') + 1
        });
        Ok(Self {
            x: column - 1,
            y: whole(number).ok_or_else(error)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_players() {
        for (text, x, y) in [
            ("A1", 0, 0),
            ("I9", 8, 8),
            ("J10", 9, 9),
            ("Z26", 25, 25),
            ("AA1", 26, 0),
            ("BK63", 62, 62),
        ] {
            assert_eq!(text.parse(), Ok(Cell::new(x, y)));
            assert_eq!(text.to_lowercase().parse(), Ok(Cell::new(x, y)));
            assert_eq!(Cell::new(x, y).to_string(), text);
        }
        assert_eq!("(-3,12)".parse(), Ok(Cell::new(-4, 11)));
        assert_eq!(Cell::new(-4, 11).to_string(), "(-3,12)");
    }

    #[test]
    fn printing_and_reading_are_inverse() {
        for x in -70..70 {
            for y in -70..70 {
                let cell = Cell::new(x, y);
                assert_eq!(cell.to_string().parse(), Ok(cell));
            }
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "", "J", "10", "J0", "J010", "J-1", "J10x", "(1,)", "(,)", "()", "(1,2", "ABC1", "é1",
            "J99999", "J+1",
        ] {
            assert!(text.parse::<Cell>().is_err(), "{text}");
        }
    }
}
