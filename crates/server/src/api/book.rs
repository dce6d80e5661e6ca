//! The book of openings as the page sees it, and the atlas.
//!
//! *Proved* is what a stored proof shows that the checker has verified for exactly this position. Claims are what
//! somebody says, opinions what somebody thinks.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::{IntoParams, ToSchema};

use super::{Side, Turn};

/// Which position to look up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema, IntoParams)]
#[ts(optional_fields)]
pub struct BookQuery {
    /// The game; Connect6 without.
    pub rules: Option<String>,
    /// Stones in play order or a set-up; in any orientation.
    pub position: String,
    /// The language comments are wanted in, such as `zh-Hant`: they come first.
    pub language: Option<String>,
}

/// Words to look for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema, IntoParams)]
pub struct BookSearchQuery {
    /// Beginnings of words, all of which must occur.
    pub q: String,
}

/// A name that players gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct BookName {
    /// The name.
    pub name: String,
    /// A tag such as `en`; may be empty.
    pub language: String,
}

/// A verified proof.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct BookProof {
    /// Who wins.
    pub winner: Side,
    /// Its name in the book, 32 hexadecimal digits.
    pub proof: String,
    /// The winner's first turn, if the winner moves first.
    pub turn: Option<Turn>,
}

/// Somebody says that a side wins; nobody has checked it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct BookClaim {
    /// Who is said to win.
    pub winner: Side,
    /// Who says so.
    pub source: String,
}

/// What somebody thinks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct BookOpinion {
    /// In the words of whoever thinks so.
    pub verdict: String,
    /// Who thinks so.
    pub source: String,
}

/// A comment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct BookComment {
    /// Free text.
    pub text: String,
    /// A tag such as `en`; may be empty.
    pub language: String,
    /// Who wrote it.
    pub source: String,
    /// When.
    pub at: f64,
    /// The set-up the text speaks of, if that is not the position that was asked for but an image of it.
    pub written_for: Option<String>,
}

/// Games in the book.
#[derive(Debug, Copy, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct BookStats {
    /// How many.
    pub games: u32,
    /// Of these, won by Black,
    pub black: u32,
    /// by White.
    pub white: u32,
}

/// What the book knows of a position, in the orientation in which it was asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct BookEntry {
    /// Whether the book has the position at all.
    pub known: bool,
    /// The computed name of its opening.
    pub opening: Option<String>,
    /// Traditional names.
    pub names: Vec<BookName>,
    /// Who wins for certain.
    pub proved: Option<BookProof>,
    /// Who is said to win.
    pub claims: Vec<BookClaim>,
    /// What is thought of it, the newest first.
    pub opinions: Vec<BookOpinion>,
    /// Those in the wanted language first, then English, then the others.
    pub comments: Vec<BookComment>,
    /// Games that went on from here.
    pub stats: BookStats,
    /// Known turns: proved wins first, then the most played.
    pub turns: Vec<BookTurn>,
    /// Searches that start here.
    pub searches: Vec<u32>,
}

/// A turn and what the book knows of the position after it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct BookTurn {
    /// The stones.
    pub turn: Turn,
    /// Whether it ends the game.
    pub ends: bool,
    /// The computed name of the opening after it.
    pub opening: Option<String>,
    /// Traditional names of the position after it.
    pub names: Vec<BookName>,
    /// Who wins after it for certain.
    pub proved: Option<BookProof>,
    /// Who is said to win after it.
    pub claims: Vec<BookClaim>,
    /// What is thought of it, the newest first.
    pub opinions: Vec<BookOpinion>,
    /// How many comments there are after it.
    pub comments: u32,
    /// How many turns are known after it.
    pub turns: u32,
    /// Games with it.
    pub stats: BookStats,
}

/// Where words were found.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BookHitKind {
    /// A traditional name.
    Name,
    /// A comment.
    Comment,
    /// A source.
    Source,
}

/// Something the words were found in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct BookHit {
    /// In what.
    pub kind: BookHitKind,
    /// The whole text.
    pub text: String,
    /// The game; empty for a source.
    pub rules: String,
    /// The set-up; empty for a source.
    pub position: String,
    /// The name of its opening.
    pub opening: Option<String>,
}

/// A comment to be written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[ts(optional_fields)]
pub struct NewBookComment {
    /// The game.
    pub rules: String,
    /// The position it speaks of.
    pub position: String,
    /// At most 10,000 characters.
    pub text: String,
    /// A tag such as `en`.
    pub language: Option<String>,
    /// Who writes it.
    pub source: Option<String>,
}

/// Which part of the board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema, IntoParams)]
#[ts(optional_fields)]
pub struct AtlasQuery {
    /// `3x3`, `5x5`, `7x7` or `9x9`, around the centre; `5x5` without.
    pub region: Option<String>,
}

/// White's second turns around Black's first stone, up to symmetry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct Atlas {
    /// `5x5`.
    pub region: String,
    /// The openings, the nearest stones first.
    pub classes: Vec<AtlasClass>,
}

/// How an opening stands.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AtlasState {
    /// Black wins by a verified proof.
    BlackProved,
    /// White wins by a verified proof.
    WhiteProved,
    /// A search has begun.
    Open,
    /// Nobody has looked at it.
    Untouched,
}

/// An opening of the atlas.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct AtlasClass {
    /// Such as `TX-d21`; openings far from the centre have none.
    pub name: Option<String>,
    /// Traditional names.
    pub names: Vec<BookName>,
    /// White's stones, turned as the name has them.
    pub white: Turn,
    /// The three stones in play order.
    pub moves: String,
    /// How it stands.
    pub state: AtlasState,
    /// The turn by which Black wins.
    pub turn: Option<Turn>,
    /// The proof number of its search.
    pub proof: Option<u32>,
    /// The disproof number.
    pub disproof: Option<u32>,
    /// The search that has it.
    pub search: Option<u32>,
    /// Whether that one is running.
    pub running: bool,
    /// Who is said to win; nobody has checked it.
    pub claim: Option<Side>,
}
