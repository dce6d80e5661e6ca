//! What a position looks like to somebody who does not search.
//!
//! Everything is a sum over empty cells and directions of what the line around the cell looks like to
//! each side ([`patterns`]): windows that could still become lines, by the stones they lack (live and
//! dead shapes differ in how many of the best there are), the distance of friendly stones, and the
//! influence of Liu and Lin's "A Defensive Strategy Combined with Threat-Space Search in Connect6",
//! section II. The same sums with other weights rank the cells to play on. [`Weights`] come from
//! logistic regression (`crates/player/examples/fit`, `docs/evaluation.md`); [`PatternBoard`] keeps all sums up to
//! date with integers only.
//!
//! Engines search with it, and provers ask it where to look first. Nothing here proves anything.

mod board;
pub mod patterns;
mod weights;

pub use board::PatternBoard;
pub use weights::{Role, WIDTH, Weights, WeightsError, slots};
