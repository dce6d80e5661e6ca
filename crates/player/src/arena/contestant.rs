//! Who plays, as the referee sees it: asked for a turn, answers with one or fails.

use std::time::Duration;

use tengen_rules::{Position, Turn};

use crate::{Limits, Score, Verdict};

/// What the referee asks.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The position, with the contestant to move.
    pub position: &'a Position,
    /// What it may use.
    pub limits: Limits,
    /// How long to wait for an answer; `None` is for ever.
    pub patience: Option<Duration>,
    /// Whether the whole match is to end at once.
    pub stopped: &'a (dyn Fn() -> bool + Sync),
}

/// What a contestant answers. Only the turn is needed; the rest is for the record.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// The turn to play, not yet known to be legal.
    pub turn: Turn,
    /// What the engine thinks of it.
    pub verdict: Option<Verdict>,
    /// The same as a number.
    pub score: Option<Score>,
    /// How many turns it looked at.
    pub nodes: Option<u64>,
    /// How deep it looked.
    pub depth: Option<u32>,
}

impl Reply {
    /// A turn without a comment.
    pub const fn bare(turn: Turn) -> Self {
        Self {
            turn,
            verdict: None,
            score: None,
            nodes: None,
            depth: None,
        }
    }
}

/// Why there is no turn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Nothing came in time.
    #[error("no answer after {:.1} s", .0.as_secs_f64())]
    Silent(Duration),
    /// The engine ended or could not be started.
    #[error("{0}")]
    Crashed(String),
    /// The answer makes no sense.
    #[error("{0}")]
    Garbage(String),
    /// The match was stopped; nobody is to blame.
    #[error("the match was stopped")]
    Stopped,
}

/// Something that can take a side in one game.
pub trait Contestant: Send {
    /// The turn of the side to move.
    ///
    /// # Errors
    ///
    /// If there is none: then the game is lost, unless the match was stopped.
    fn play(&mut self, question: &Question<'_>) -> Result<Reply, Fault>;
}
