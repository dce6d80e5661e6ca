//! Collections of games: reading them, and what is known of positions.
//!
//! | file | what is there |
//! |---|---|
//! | `file.rs` | an uploaded file: unpacking, its format, its records one by one |
//! | `line.rs` | one record as the database keeps it: its main line, and the key of every position |
//! | `import.rs` | a whole file into the database, in steps that can be stopped |
//! | `explore.rs` | what was played in a position, under symmetry |
//! | `opinions.rs` | what proofs and studies say of a position |
//! | `places.rs` | where else a position is |
//! | `openings.rs` | openings and their names |

pub(crate) mod explore;
pub(crate) mod file;
mod import;
pub(crate) mod line;
pub(crate) mod openings;
pub(crate) mod opinions;
pub(crate) mod places;

pub(crate) use import::import;

use tengen_rules::{Position, Rules, notation};

use crate::error::Failure;

/// The position of a request.
pub(crate) fn position_of(rules: &str, position: &str) -> Result<Position, Failure> {
    let bad = |error: &dyn std::fmt::Display| Failure::BadRequest(error.to_string());
    let rules: Rules = rules.trim().parse().map_err(|error| bad(&error))?;
    notation::parse_position(position, rules).map_err(|error| bad(&error))
}

/// A position as the database has it; nothing if another version wrote what this one cannot read.
fn stored_position(rules: &str, position: &str) -> Option<Position> {
    position_of(rules, position).ok()
}

#[cfg(test)]
mod tests;
