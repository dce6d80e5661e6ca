//! Databases of proofs that Black wins Go-Moku, five in a row: `docs/gomoku-format.md`.
//!
//! | file | what it does |
//! |---|---|
//! | `shape.rs` | cells, windows and symmetries of a board |
//! | `board.rs` | stones; fives, doubles and fours, from the definitions |
//! | `file.rs` | reads the file; refuses what is malformed |
//! | `play.rs` | plays strategies through |
//! | `check.rs` | checks every record, or a sample, on several threads |
//! | `verdict.rs` | what is said at the end; limits |

mod board;
mod check;
mod file;
mod play;
mod shape;
mod verdict;

pub use file::{GomokuDatabase, GomokuReadError, is_gomoku_database};
pub use verdict::{GomokuFault, GomokuLimits, GomokuReport, GomokuVerdict};
