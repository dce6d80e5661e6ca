//! The record of one game: a line of `games.jsonl`.

use std::fmt;

use serde::{Deserialize, Serialize};
use tengen_rules::Side;

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameResult {
    /// Black won.
    Black,
    /// White won.
    White,
    /// Nobody won.
    Draw,
}

impl GameResult {
    /// This side won.
    pub const fn won_by(side: Side) -> Self {
        match side {
            Side::Black => Self::Black,
            Side::White => Self::White,
        }
    }

    /// Who won.
    pub const fn winner(self) -> Option<Side> {
        match self {
            Self::Black => Some(Side::Black),
            Self::White => Some(Side::White),
            Self::Draw => None,
        }
    }

    /// Half points for this side: 2 for a win, 1 for a draw.
    pub fn half_points(self, side: Side) -> u32 {
        match self.winner() {
            None => 1,
            Some(winner) if winner == side => 2,
            Some(_) => 0,
        }
    }
}

/// Why a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// A line was completed.
    Line,
    /// A win was proved, and the checker verified the proof.
    Proof,
    /// The board is full.
    Full,
    /// The game lasted too long.
    MaxTurns,
    /// The loser took too much time.
    Time,
    /// The loser did not answer at all.
    Silent,
    /// The loser played an illegal turn.
    Illegal,
    /// The loser's engine ended.
    Crash,
    /// The loser's answer made no sense.
    Garbage,
}

impl Reason {
    /// Whether somebody lost by breaking the rules of the match, not on the board.
    pub const fn is_forfeit(self) -> bool {
        matches!(
            self,
            Self::Time | Self::Silent | Self::Illegal | Self::Crash | Self::Garbage
        )
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Line => "line",
            Self::Proof => "proof",
            Self::Full => "full",
            Self::MaxTurns => "max-turns",
            Self::Time => "time",
            Self::Silent => "silent",
            Self::Illegal => "illegal",
            Self::Crash => "crash",
            Self::Garbage => "garbage",
        })
    }
}

/// One turn as an engine played it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TurnLog {
    /// The stones.
    pub turn: String,
    /// How long it took, as the referee measured it.
    pub seconds: f64,
    /// What the engine thought of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    /// The same as a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// How many turns the engine looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// How deep it looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
}

/// One game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number in the schedule, from 1. Games `2n - 1` and `2n` have the same opening.
    pub game: usize,
    /// Which opening, from 1.
    pub opening: usize,
    /// Black's name.
    pub black: String,
    /// White's name.
    pub white: String,
    /// How it ended.
    pub result: GameResult,
    /// Why.
    pub reason: Reason,
    /// More about the reason; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// How many turns the game has, with the opening.
    pub turns: usize,
    /// How many of them were the opening.
    pub opening_turns: usize,
    /// All stones in the order of play.
    pub moves: String,
    /// The turns after the opening.
    pub log: Vec<TurnLog>,
    /// Wins that were claimed and not accepted: what the checker said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rejected_claims: Vec<String>,
}

impl GameRecord {
    /// Half points of the engine with this name: 0, 1 or 2.
    pub fn half_points(&self, name: &str) -> u32 {
        let side = if self.black == name {
            Side::Black
        } else {
            Side::White
        };
        self.result.half_points(side)
    }

    /// Whether this engine took part.
    pub fn has(&self, name: &str) -> bool {
        self.black == name || self.white == name
    }
}
