//! Words that all parts share.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

/// The stones of a turn, or of a part of one.
pub type Turn = Vec<String>;

/// Who plays.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// Moves first.
    Black,
    /// Moves second.
    White,
}

/// A position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct PositionText {
    /// `connect6`, `gomoku`, `gomoku-standard`, `tic-tac-toe` or `m,n,k,p,q`.
    #[schema(example = "connect6")]
    pub rules: String,
    /// Stones in play order (`J10 I8 H9`, empty for the empty board) or a set-up (`B:J10 W:I8,H9 to-move:B`).
    #[schema(example = "J10 I8 H9")]
    pub position: String,
}

/// What every failed request answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct ApiError {
    /// For programs: `bad-request`, `not-found`, `conflict`, `too-large`, `too-many`, `refused`, `internal`.
    pub code: String,
    /// For people: what was wrong, where, and what would be right.
    pub message: String,
}

/// The server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct About {
    /// Of Tengen.
    pub version: String,
    /// How many jobs run at a time.
    pub workers: u32,
    /// Rules with names of their own.
    pub rules: Vec<String>,
    /// The most bytes an uploaded file may have.
    pub largest_upload: u32,
}
