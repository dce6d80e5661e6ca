//! Engines that play Connect(m,n,k,p,q).
//!
//! An [`Engine`] is asked for the best turns of a [`Position`](tengen_rules::Position) and says how good
//! they are on one scale, [`Verdict`]: only what is proved is called a win or a loss, everything else is
//! an opinion.

mod alphabeta;
pub mod arena;
mod clock;
mod defender;
mod engine;
mod kind;
mod level;
pub mod mcts;
pub mod protocol;
mod verdict;

pub use alphabeta::AlphaBeta;
pub use clock::{Clock, Deadline};
pub use defender::Defender;
pub use engine::{Answer, Engine, Limits, Line, Task, ThinkError};
pub use kind::{EngineKind, Options, UnknownEngine};
pub use level::{Level, LevelPlayer};
pub use verdict::{Score, Verdict, begins_with};
