//! What is true of a position.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use super::{Side, Turn};

/// A stone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct Stone {
    /// Where.
    pub cell: String,
    /// Whose.
    pub side: Side,
    /// In which turn, from 1; 0 if it was there at the start.
    pub turn: u32,
}

/// Facts, for overlays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct Facts {
    /// Who moves.
    pub to_move: Side,
    /// How many stones are left of the turn.
    pub left: u8,
    /// All stones.
    pub stones: Vec<Stone>,
    /// Who won.
    pub winner: Option<Side>,
    /// Nobody can win any more: the board is full.
    pub drawn: bool,
    /// The cells of the winning line.
    pub line: Vec<String>,
    /// Black's threats.
    pub black: SideFacts,
    /// White's threats.
    pub white: SideFacts,
    /// The position as a set-up.
    pub setup: String,
}

/// What a side has.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct SideFacts {
    /// How many stones the other side needs to stop all threats; one more than a turn means "too many". Nothing
    /// is said of games with more than five stones a turn.
    pub threats: u8,
    /// The windows that one turn completes.
    pub windows: Vec<Window>,
    /// Turns that win at once.
    pub wins: Vec<Turn>,
    /// Smallest sets of stones that stop all threats.
    pub defences: Vec<Turn>,
    /// Sets that stop all threats with more stones than needed, none of them superfluous.
    pub relaxed: Vec<Turn>,
    /// Live and dead lines with at least two stones, the largest first.
    pub shapes: Vec<Shape>,
}

/// k cells in a row without a stone of the other side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct Window {
    /// Its cells in order.
    pub cells: Vec<String>,
    /// Those without a stone.
    pub empty: Vec<String>,
}

/// Live or dead.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ShapeKind {
    /// Further stones make two threats of it.
    Live,
    /// Further stones make one threat of it.
    Dead,
}

/// A live-l or dead-l.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct Shape {
    /// Live or dead.
    pub kind: ShapeKind,
    /// l.
    pub stones: u8,
    /// The cells of its windows in order, its stones among them.
    pub cells: Vec<String>,
}

/// How much the evaluation wants a stone of the side to move, cell by cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct Heat {
    /// The best cells, the hottest first.
    pub cells: Vec<HeatCell>,
}

/// One cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct HeatCell {
    /// Where.
    pub cell: String,
    /// 1 for the hottest, down to 0.
    pub heat: f64,
}
