//! Matches between engines, ours and others: who plays, the referee, many games at a time, and what the
//! results mean. `docs/matches.md` has the words and formulas.
//!
//! The referee trusts nobody: a turn is legal when [`Position`](tengen_rules::Position) says so, time is
//! what its own clock shows, and a claimed win ends a game only when the [`Check`] that the caller brings
//! has verified the proof for the very position on the board.

mod client;
mod contestant;
mod game;
mod opening;
mod own;
mod pace;
mod referee;
mod run;
mod schedule;
mod spec;
pub mod statistics;

#[cfg(test)]
mod tests;

pub use contestant::{Contestant, Fault, Question, Reply};
pub use game::{GameRecord, GameResult, Reason, TurnLog};
pub use opening::{Opening, OpeningError, random_openings, read_openings};
pub use pace::{Margin, Pace};
pub use referee::{Check, Checked, Conditions};
pub use run::{Arena, Event};
pub use schedule::{Plan, pair_of, schedule};
pub use spec::{Entry, Source, Spec, SpecError, distinguish};
