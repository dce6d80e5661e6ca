//! A set-up: anything one can describe. [`Position::from_setup`](crate::Position::from_setup)
//! validates it once, at the door.

use std::fmt;

use crate::{Cell, Placement, Rules, Side, Turn};

/// Stones and a side to move, unchecked.
///
/// Any number of stones of either colour is fine: analysis of null turns, puzzles and handicaps
/// need that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// The game.
    pub rules: Rules,
    /// Black's stones.
    pub black: Vec<Cell>,
    /// White's stones.
    pub white: Vec<Cell>,
    /// Who plays next.
    pub to_move: Side,
    /// How many stones of the turn are still to be placed; `None` means a whole turn.
    pub left: Option<u8>,
}

impl Setup {
    /// The empty board with Black to make the first turn.
    pub const fn empty(rules: Rules) -> Self {
        Self {
            rules,
            black: Vec::new(),
            white: Vec::new(),
            to_move: Side::Black,
            left: None,
        }
    }

    /// All stones, Black's first.
    pub fn stones(&self) -> impl Iterator<Item = Placement> + '_ {
        let black = self.black.iter().map(|&cell| Placement {
            side: Side::Black,
            cell,
        });
        black.chain(self.white.iter().map(|&cell| Placement {
            side: Side::White,
            cell,
        }))
    }

    /// The stones of one side.
    pub fn stones_of(&self, side: Side) -> &[Cell] {
        match side {
            Side::Black => &self.black,
            Side::White => &self.white,
        }
    }

    /// The stones of one side, to be changed.
    pub fn stones_of_mut(&mut self, side: Side) -> &mut Vec<Cell> {
        match side {
            Side::Black => &mut self.black,
            Side::White => &mut self.white,
        }
    }

    /// How many stones a whole turn has here: `q` for Black on an empty board, otherwise `p`.
    pub fn whole_turn(&self) -> u8 {
        let opening = self.black.is_empty() && self.white.is_empty() && self.to_move == Side::Black;
        if opening {
            self.rules.first_turn()
        } else {
            self.rules.per_turn()
        }
    }
}

/// One reason why a set-up cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SetupRefusal {
    /// A stone stands beside the board.
    #[error("{} stone {} is off the board, {}", .stone.side, .stone.cell, board_in_words(*.rules))]
    OffBoard {
        /// The stone.
        stone: Placement,
        /// The game.
        rules: Rules,
    },
    /// Two stones stand on one cell.
    #[error("{0} holds two stones")]
    Overlap(Cell),
    /// The game is over: a side has a line.
    #[error("{side} has already won with {cells}")]
    Decided {
        /// Who has won.
        side: Side,
        /// The line.
        cells: Turn,
    },
    /// The game is over: no cell is empty.
    #[error("the board is full")]
    Full,
    /// The number of stones left in the turn is not possible.
    #[error("{left} stones left in the turn, expected 1 to {most}")]
    Left {
        /// What was given.
        left: u8,
        /// A whole turn.
        most: u8,
    },
    /// The stones of an infinite board lie too far apart to be kept in memory.
    #[error("the stones lie more than {0} columns or rows apart, too far for one analysis")]
    TooFarApart(u8),
}

/// "which has columns A to S and rows 1 to 19".
pub(crate) fn board_in_words(rules: Rules) -> String {
    match rules.size() {
        Some((width, height)) => {
            let last = Cell::column_name(i16::from(width) - 1).expect("a board has a column");
            format!("which has columns A to {last} and rows 1 to {height}")
        }
        None => "which is infinite".to_owned(),
    }
}

/// All reasons why a set-up cannot be played, at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetupError {
    /// The reasons, those of single stones first.
    pub reasons: Vec<SetupRefusal>,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, reason) in self.reasons.iter().enumerate() {
            write!(f, "{}{reason}", if i == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

impl std::error::Error for SetupError {}
