//! What an engine is asked and what it answers.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tengen_prover::Proof;
use tengen_rules::{Position, Turn};

use crate::{Clock, Score, Verdict};

/// When to stop thinking; what comes first counts. Without any limit an engine thinks until it is
/// stopped or has nothing left to think about.
#[derive(Debug, Copy, Clone, Default)]
pub struct Limits {
    /// The clocks.
    pub clock: Clock,
    /// So many nodes. With this limit alone the answer depends on nothing but the question and what the
    /// engine remembers.
    pub nodes: Option<u64>,
    /// So many turns deep, where the engine has a notion of depth; others take a fixed number of nodes when
    /// there is no other limit.
    pub depth: Option<u32>,
}

/// A question.
#[derive(Clone, Copy, Default)]
pub struct Task<'a> {
    /// When to stop.
    pub limits: Limits,
    /// Turns that are not to be considered. A set of fewer stones than a turn has excludes every turn that
    /// contains it.
    pub exclude: &'a [Turn],
    /// How many different turns are wanted; 0 counts as 1.
    pub lines: usize,
    /// Set from outside to stop.
    pub stop: Option<&'a AtomicBool>,
    /// Is told what is known so far, every now and then.
    pub progress: Option<&'a (dyn Fn(&Answer) + Sync)>,
}

impl Task<'_> {
    /// One line within these limits.
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            lines: 1,
            ..Self::default()
        }
    }

    /// Whether a turn is excluded.
    pub fn excludes(&self, turn: &Turn) -> bool {
        let within = |set: &Turn| set.cells().iter().all(|&cell| turn.contains(cell));
        self.exclude.iter().any(within)
    }
}

/// One turn and what is thought of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The turn.
    pub turn: Turn,
    /// How good it is for the side that plays it.
    pub verdict: Verdict,
    /// The same as a number.
    pub score: Score,
    /// The turn and what is expected to follow.
    pub main_line: Vec<Turn>,
}

/// An answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The best turns, best first; at least one.
    pub lines: Vec<Line>,
    /// A proof of the opponent that every turn loses that is not excluded. Its `except` lists the
    /// excluded turns that are not covered by it.
    pub others_lose: Option<Arc<Proof>>,
    /// Turns looked at, by whatever search.
    pub nodes: u64,
    /// How deep, in turns.
    pub depth: u32,
    /// Time taken.
    pub time: Duration,
}

impl Answer {
    /// The turn to play.
    pub fn best(&self) -> &Line {
        &self.lines[0]
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ThinkError {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// All turns are excluded.
    #[error("every legal turn is excluded")]
    AllExcluded,
}

/// Something that plays.
pub trait Engine: Send {
    /// What it is called in tables.
    fn name(&self) -> String;

    /// The best turns of the side to move.
    ///
    /// # Errors
    ///
    /// If there is no turn to play.
    fn think(&mut self, position: &Position, task: &Task<'_>) -> Result<Answer, ThinkError>;

    /// Forgets everything learned: a new game begins.
    fn forget(&mut self) {}
}
