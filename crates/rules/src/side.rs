//! The two players and what belongs to each.

use std::fmt;
use std::ops::{Index, IndexMut, Not};

use crate::Cell;

/// A player. Black makes the first turn.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The first player.
    Black,
    /// The second player.
    White,
}

impl Side {
    /// Both sides, Black first.
    pub const BOTH: [Self; 2] = [Self::Black, Self::White];

    /// `B` or `W`.
    pub const fn letter(self) -> char {
        match self {
            Self::Black => 'B',
            Self::White => 'W',
        }
    }
}

impl Not for Side {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Black => "Black",
            Self::White => "White",
        })
    }
}

/// One stone on one cell.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Placement {
    /// Whose stone it is.
    pub side: Side,
    /// Where it stands.
    pub cell: Cell,
}

/// One value for each side, indexed by [`Side`].
#[derive(Debug, Default, Copy, Clone, PartialEq, Eq, Hash)]
pub struct BySide<T> {
    /// Black's.
    pub black: T,
    /// White's.
    pub white: T,
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;

    fn index(&self, side: Side) -> &T {
        match side {
            Side::Black => &self.black,
            Side::White => &self.white,
        }
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::Black => &mut self.black,
            Side::White => &mut self.white,
        }
    }
}
