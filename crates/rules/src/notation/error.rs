//! Why a text or file could not be read or written, with the place.

use std::fmt;

use super::Format;
use crate::{Cell, RecordError, Rules, Side};

/// Where in a file something is wrong. Lines and columns count from 1, bytes from 0, as editors
/// and hex viewers show them.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub enum Place {
    /// The file as a whole.
    File,
    /// A character of a text.
    Text {
        /// The line, from 1.
        line: usize,
        /// The character in the line, from 1.
        column: usize,
    },
    /// A byte of a binary file, from 0.
    Byte(usize),
}

impl Place {
    /// The line and column of a byte of `text`. Takes time in proportion to `offset`, so it is
    /// called for errors only.
    pub(crate) fn in_text(text: &str, offset: usize) -> Self {
        let offset = text.floor_char_boundary(offset);
        let before = &text[..offset];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self::Text {
            line: before.bytes().filter(|&b| b == b'\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => f.pad("the file"),
            Self::Text { line, column } => f.pad(&format!("line {line}, column {column}")),
            Self::Byte(offset) => f.pad(&format!("byte {offset}")),
        }
    }
}

/// Why a text or file could not be read: the format, the place, and what was expected and found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotationError {
    format: Format,
    place: Place,
    reason: String,
}

impl NotationError {
    pub(crate) fn new(format: Format, place: Place, reason: impl Into<String>) -> Self {
        Self {
            format,
            place,
            reason: reason.into(),
        }
    }

    /// An error at a byte of a text.
    pub(crate) fn at(format: Format, text: &str, offset: usize, reason: impl Into<String>) -> Self {
        Self::new(format, Place::in_text(text, offset), reason)
    }

    /// The format that was expected.
    pub const fn format(&self) -> Format {
        self.format
    }

    /// Where it went wrong.
    pub const fn place(&self) -> Place {
        self.place
    }

    /// What was expected and found, without format and place.
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let title = self.format.title();
        match self.place {
            Place::File => write!(f, "{title}: {}", self.reason),
            place => write!(f, "{title} {place}: {}", self.reason),
        }
    }
}

impl std::error::Error for NotationError {}

/// What stands at the beginning of `rest`, for messages: one character or the end of the file.
pub(crate) fn found(rest: &str) -> String {
    match rest.chars().next() {
        None => "the end of the file".to_owned(),
        Some('\n' | '\r') => "the end of the line".to_owned(),
        Some(c) => format!("`{}`", c.escape_debug()),
    }
}

/// The first characters of a text, for messages: files may hold very long ones.
pub(crate) fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    let mut short: String = text
        .chars()
        .take(MOST)
        .flat_map(char::escape_debug)
        .collect();
    if text.chars().nth(MOST).is_some() {
        short.push('…');
    }
    short
}

/// Why records cannot be written in a format, and which format could hold them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// The format is for another game or board.
    #[error("{} files hold {holds}, not {rules}; SGF holds every game", .format.title())]
    Rules {
        /// The format.
        format: Format,
        /// The game.
        rules: Rules,
        /// What the format can hold.
        holds: &'static str,
    },
    /// The record has variations, the format only single lines.
    #[error(
        "{} files hold one line of play, this record has variations; write SGF, or its main line only",
        .format.title()
    )]
    Variations {
        /// The format.
        format: Format,
    },
    /// The record starts from a set-up, the format from the empty board.
    #[error("{} files start from the empty board, this record from a set-up; write SGF", .format.title())]
    Setup {
        /// The format.
        format: Format,
    },
    /// The record has a pass.
    #[error("{} files cannot hold {side}'s pass after {stones} stones; write SGF", .format.title())]
    Pass {
        /// The format.
        format: Format,
        /// Who passes.
        side: Side,
        /// After how many stones.
        stones: usize,
    },
    /// The format holds one game, there are more.
    #[error("{} files hold one game, there are {games}; write each to a file of its own", .format.title())]
    SeveralGames {
        /// The format.
        format: Format,
        /// How many there are.
        games: usize,
    },
    /// There is nothing to write.
    #[error("there is no game to write")]
    NoGame,
    /// The format tells whose a stone is by its number, and the record says otherwise.
    #[error(
        "stone {number} is {side}'s, but {} files give it to {}; write SGF",
        .format.title(), !*.side
    )]
    Side {
        /// The format.
        format: Format,
        /// The stone, from 1.
        number: usize,
        /// Whose it is.
        side: Side,
    },
    /// A cell has no name in the format.
    #[error("{} files cannot hold the cell {cell} of {rules}, it is off the board", .format.title())]
    OffBoard {
        /// The format.
        format: Format,
        /// The cell.
        cell: Cell,
        /// The game.
        rules: Rules,
    },
    /// A text has a character that the format cannot hold.
    #[error(
        "{} files cannot hold {character:?} in the text `{text}`; remove it, or write SGF",
        .format.title()
    )]
    Text {
        /// The format.
        format: Format,
        /// The text, shortened.
        text: String,
        /// The character.
        character: char,
    },
    /// The line of play breaks the rules, and the format is read back with a check.
    #[error("{} files hold legal games only; {error}; write SGF", .format.title())]
    Illegal {
        /// The format.
        format: Format,
        /// What is wrong.
        error: RecordError,
    },
}
