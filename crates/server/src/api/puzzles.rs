//! Puzzles and the trainer.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::{IntoParams, ToSchema};

use super::Turn;

/// What is asked for.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PuzzleKind {
    /// Win by double threats.
    Win,
    /// Find the only defence.
    Defence,
}

/// A collection of puzzles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct PuzzleCollection {
    /// Its name; `starter` comes with Tengen.
    pub name: String,
    /// How many it has.
    #[ts(type = "number")]
    pub puzzles: u64,
}

/// Which collection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema, IntoParams)]
pub struct PuzzleQuery {
    /// Its name; the one that comes with Tengen if it is left out.
    #[ts(optional)]
    pub collection: Option<String>,
}

/// A puzzle in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct PuzzleSummary {
    /// Its name.
    pub id: String,
    /// What is asked for.
    pub kind: PuzzleKind,
    /// 1 for wins by double threats, 2 for wins that need single ones.
    pub order: u8,
    /// The attacker's turns to the completed line.
    pub turns: u8,
    /// From 1, the easiest.
    pub grade: u8,
    /// Machine difficulty.
    pub rating: i32,
    /// What it is about: `double-threat`, `single-threat`, `quiet`, `counter-threat`, `under-threat`, `one-stone`, `long`, `defence`.
    pub themes: Vec<String>,
}

/// A turn that tempts and fails.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct PuzzleTry {
    /// The turn.
    pub turn: Turn,
    /// Why it fails.
    pub reply: Turn,
}

/// A whole puzzle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct PuzzleDetail {
    /// What the list says.
    pub summary: PuzzleSummary,
    /// The game.
    pub rules: String,
    /// The set-up.
    pub position: String,
    /// The first turn; one stone if the other is free.
    pub solution: Turn,
    /// The solution against the most stubborn replies.
    pub main_line: Vec<Turn>,
    /// Turns that tempt and fail.
    pub tries: Vec<PuzzleTry>,
}

/// A turn to be judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct JudgeRequest {
    /// The game.
    pub rules: String,
    /// The position before the turn, with a whole turn to play.
    pub position: String,
    /// What is asked for.
    pub kind: PuzzleKind,
    /// The order of the win: 1, 2 or 3.
    pub order: u8,
    /// The turn.
    pub turn: Turn,
}

/// What a turn is worth.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Worth {
    /// It completes a line or makes more threats than one turn can answer.
    Decides,
    /// It wins; the reply is the most stubborn.
    Wins,
    /// It fails to the reply.
    Refuted,
    /// The reply completes a line.
    LosesAtOnce,
    /// It makes too few threats: fewer than two, or none where the order is 2.
    NotForcing,
    /// The defence holds.
    Holds,
    /// Nobody knows within the limit.
    Unknown,
}

/// A turn, judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct Judged {
    /// What it is worth.
    pub worth: Worth,
    /// In how many turns it wins, itself counted.
    pub within: Option<u8>,
    /// What the opponent plays.
    pub reply: Turn,
}
