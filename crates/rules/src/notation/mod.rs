//! Text and files in and out: moves, set-ups, SGF, CCGC, Piskvork, RenLib and LittleGolem.
//!
//! `docs/notation.md` has the grammar of each format, and what each keeps and loses. Readers never
//! panic, never recurse, and refuse files with more than five million nodes, marks and the like.
//!
//! Not guaranteed: tree formats (SGF, RenLib, CCGC, Piskvork) are read as they are written, so a
//! record may hold an occupied cell or a side out of turn; [`Record::position`] tells. Moves and
//! LittleGolem lines are replayed while they are read and always legal.

mod budget;
mod ccgc;
mod cells;
mod charset;
mod error;
mod format;
mod lines;
mod littlegolem;
mod moves;
mod psq;
mod renlib;
mod setup;
mod sgf;

pub use charset::{Charset, ParseCharsetError};
pub use error::{NotationError, Place, WriteError};
pub use format::{Format, ParseFormatError};
pub use moves::{moves_text, parse_moves};
pub use setup::{parse_position, parse_setup, setup_text};

use crate::{Record, Rules};

/// What the caller knows better than the file.
#[derive(Debug, Default, Copy, Clone, PartialEq, Eq)]
pub struct ReadOptions {
    /// The game; `None` takes it from the file, or else from the format: gomoku for Piskvork and
    /// RenLib, Connect6 for the others.
    pub rules: Option<Rules>,
    /// The character set; `None` takes it from the file or guesses.
    pub charset: Option<Charset>,
}

/// Reads all games of a file, at least one.
pub fn read(
    format: Format,
    bytes: &[u8],
    options: &ReadOptions,
) -> Result<Vec<Record>, NotationError> {
    if bytes.is_empty() {
        let reason = format!("the file is empty, expected {}", format.beginning());
        return Err(NotationError::new(format, Place::File, reason));
    }
    match format {
        Format::Moves => moves::read(bytes, options),
        Format::Setup => setup::read(bytes, options),
        Format::Sgf => sgf::read(bytes, options),
        Format::Ccgc => ccgc::read(bytes, options),
        Format::Psq => psq::read(bytes, options),
        Format::Lib => renlib::read(bytes, options),
        Format::LittleGolem => littlegolem::read(bytes, options),
    }
}

/// Writes games as a file, text as UTF-8.
///
/// What makes another game of it (variations, set-ups, passes, the board) is an error when the
/// format cannot hold it. Comments, marks and facts that a format has no place for are left out;
/// `docs/notation.md` says which.
pub fn write(format: Format, records: &[Record]) -> Result<Vec<u8>, WriteError> {
    if records.is_empty() {
        return Err(WriteError::NoGame);
    }
    match format {
        Format::Moves => moves::write(records),
        Format::Setup => setup::write(records),
        Format::Sgf => sgf::write(records),
        Format::Ccgc => ccgc::write(records),
        Format::Psq => psq::write(records),
        Format::Lib => renlib::write(records),
        Format::LittleGolem => littlegolem::write(records),
    }
}
