//! A turn: the unordered set of cells a player occupies before the other plays.

use std::fmt;
use std::str::FromStr;

use smallvec::SmallVec;

use crate::{Cell, ParseCellError};

/// An unordered set of cells, kept sorted, so equal turns are equal values.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Turn(SmallVec<[Cell; 4]>);

impl Turn {
    /// The cells in order.
    pub fn cells(&self) -> &[Cell] {
        &self.0
    }

    /// How many stones the turn has.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the turn places nothing.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the turn occupies this cell.
    pub fn contains(&self, cell: Cell) -> bool {
        self.0.binary_search(&cell).is_ok()
    }
}

impl FromIterator<Cell> for Turn {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        let mut cells: SmallVec<[Cell; 4]> = cells.into_iter().collect();
        cells.sort_unstable();
        cells.dedup();
        Self(cells)
    }
}

impl<'a> IntoIterator for &'a Turn {
    type Item = Cell;
    type IntoIter = std::iter::Copied<std::slice::Iter<'a, Cell>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter().copied()
    }
}

impl fmt::Display for Turn {
    /// The cells separated by spaces; `-` when there are none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.pad("-");
        }
        let names: Vec<String> = self.0.iter().map(Cell::to_string).collect();
        f.pad(&names.join(" "))
    }
}

impl FromStr for Turn {
    type Err = ParseCellError;

    fn from_str(text: &str) -> Result<Self, ParseCellError> {
        if text.trim() == "-" {
            return Ok(Self::default());
        }
        text.split_whitespace().map(str::parse).collect()
    }
}
