//! What can go wrong with a book, in words that say what would be right.

use std::path::PathBuf;

use crate::SearchId;

/// What can go wrong with a book.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no file.
    #[error("there is no book `{}`", .0.display())]
    Missing(PathBuf),
    /// The file is something else. It was not touched.
    #[error("`{}` is no book of tengen: {reason}", .path.display())]
    NotABook {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        reason: String,
    },
    /// A newer program has written it.
    #[error(
        "`{}` has version {found} of the book's schema, this program knows {known}: a newer tengen is needed",
        .path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The last one known here.
        known: u32,
    },
    /// The content makes no sense.
    #[error("the book is damaged: {0}; restore a copy, or export what can be read")]
    Damaged(String),
    /// The file cannot be read or written.
    #[error("cannot open `{}`: {error}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// SQLite refuses.
    #[error("the book's file: {0}")]
    Sqlite(rusqlite::Error),
    /// A position cannot be read or kept.
    #[error("`{text}` is no position of {rules}: {reason}")]
    Position {
        /// What was given.
        text: String,
        /// The game.
        rules: String,
        /// Why it is refused.
        reason: String,
    },
    /// A turn cannot be played.
    #[error("{turn} cannot be played: {reason}")]
    Turn {
        /// The turn.
        turn: String,
        /// Why.
        reason: String,
    },
    /// A text that must be JSON is not.
    #[error("{what} must be JSON: {reason}")]
    Json {
        /// Which text.
        what: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// The claim of a proof cannot be read.
    #[error("not a proof that a book can keep: {0}")]
    Proof(String),
    /// There is no such search.
    #[error("the book has no search {}", .0.0)]
    NoSearch(SearchId),
    /// Another process runs the search.
    #[error("search {} is run by process {pid} on {host}; stop that one first", .search.0)]
    Owned {
        /// The search.
        search: SearchId,
        /// The machine.
        host: String,
        /// The process.
        pid: u32,
    },
    /// Another process has taken the search over.
    #[error("search {} was taken over by another process: nothing was written", .0.0)]
    LeaseLost(SearchId),
    /// A fact lacks something or has it wrong.
    #[error("{0}")]
    Fact(String),
    /// A line of a file is wrong.
    #[error("line {line}: {reason}")]
    Line {
        /// Counted from 1.
        line: u64,
        /// What is wrong and what was expected.
        reason: String,
    },
    /// A file of games or a tree cannot be read or written.
    #[error("{0}")]
    Notation(String),
}

/// The result of asking a book.
pub type Result<T> = std::result::Result<T, Error>;

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                Self::Damaged(error.to_string())
            }
            Some(ErrorCode::DatabaseBusy) => Self::Sqlite(error),
            _ => match error {
                rusqlite::Error::FromSqlConversionFailure(..)
                | rusqlite::Error::InvalidColumnType(..)
                | rusqlite::Error::IntegralValueOutOfRange(..) => Self::Damaged(error.to_string()),
                other => Self::Sqlite(other),
            },
        }
    }
}
