//! Playing Black against a strategy that draws.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use super::Turn;

/// A game that White draws on the infinite board; its certificate was verified.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct DrawnGame {
    /// So many in a row win.
    pub line: u32,
    /// Stones a turn.
    pub per_turn: u32,
    /// Cells of the tile.
    pub cells: u32,
}

/// Black has placed stones; what does White?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct DrawnRequest {
    /// So many in a row win.
    pub line: u32,
    /// Stones a turn.
    pub per_turn: u32,
    /// Black's stones before the turn.
    pub black: Vec<String>,
    /// White's stones before the turn.
    pub white: Vec<String>,
    /// Black's turn: at least one stone.
    pub turn: Turn,
}

/// White's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct DrawnAnswer {
    /// White's stones, at most as many as Black's.
    pub answer: Turn,
    /// The tiles in which Black has played in this turn: their cells.
    pub tiles: Vec<Vec<String>>,
    /// The lines of these tiles that have no white stone, each from end to end.
    pub lines: Vec<Vec<String>>,
}
