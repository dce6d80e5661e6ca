//! The engines by name.

use std::fmt;
use std::str::FromStr;

use crate::alphabeta::AlphaBeta;
use crate::defender::Defender;
use crate::mcts::Mcts;
use crate::{Engine, Level, LevelPlayer};

/// Which engine.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub enum EngineKind {
    /// The main engine: alpha-beta over whole turns with threat-space search.
    AlphaBeta,
    /// Kavalan: two-stage Monte-Carlo tree search.
    Mcts,
    /// Its baseline, traditional Monte-Carlo tree search.
    MctsPlain,
    /// Kagami: greedy defence, checked by threat-space search.
    Defender,
    /// An opponent for people, of a given strength.
    Level(Level),
}

/// What every engine can be told when it is made.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct Options {
    /// The most memory for tables and trees, in bytes.
    pub memory: usize,
    /// Where random choices start.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            memory: 256 << 20,
            seed: 1,
        }
    }
}

impl EngineKind {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        [Self::AlphaBeta, Self::Mcts, Self::MctsPlain, Self::Defender]
            .into_iter()
            .chain(Level::all().map(Self::Level))
    }

    /// The name on the command line.
    pub fn name(self) -> String {
        match self {
            Self::AlphaBeta => "alphabeta".to_owned(),
            Self::Mcts => "mcts".to_owned(),
            Self::MctsPlain => "mcts-plain".to_owned(),
            Self::Defender => "defender".to_owned(),
            Self::Level(level) => level.to_string(),
        }
    }

    fn names() -> Vec<String> {
        Self::all().map(Self::name).collect()
    }

    /// Makes one.
    pub fn build(self, options: &Options) -> Box<dyn Engine> {
        match self {
            Self::AlphaBeta => Box::new(AlphaBeta::new(options)),
            Self::Level(level) => Box::new(LevelPlayer::new(level, options)),
            Self::Mcts => Box::new(Mcts::new(options)),
            Self::MctsPlain => Box::new(Mcts::plain(options)),
            Self::Defender => Box::new(Defender::new(options)),
        }
    }
}

impl fmt::Display for EngineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.name())
    }
}

/// Nobody is called so.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no engine `{0}`; known are {known}", known = EngineKind::names().join(", "))]
pub struct UnknownEngine(String);

impl FromStr for EngineKind {
    type Err = UnknownEngine;

    fn from_str(text: &str) -> Result<Self, UnknownEngine> {
        let known = Self::all().find(|kind| kind.name() == text);
        known.ok_or_else(|| UnknownEngine(text.to_owned()))
    }
}
