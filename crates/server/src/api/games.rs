//! Collections of games, and where positions occur.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::{IntoParams, ToSchema};

use super::{GameInfo, Opinion, Turn};

/// A collection of games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct Collection {
    /// Its number.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// How many games it has.
    pub games: u32,
    /// When it was imported.
    pub created: f64,
}

/// How a file is imported.
#[derive(
    Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema, IntoParams,
)]
#[serde(default)]
#[ts(optional_fields)]
pub struct ImportQuery {
    /// What to call it; the file's name.
    pub name: Option<String>,
    /// `sgf`, `lib`, `psq`, `ccgc`, `littlegolem`, `moves`, `setup`; guessed without.
    pub format: Option<String>,
    /// The game, where the file does not say it.
    pub rules: Option<String>,
    /// The character set, where the file does not say it.
    pub charset: Option<String>,
}

/// Which games to list.
#[derive(
    Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema, IntoParams,
)]
#[serde(default)]
#[ts(optional_fields)]
pub struct GameQuery {
    /// Only of this collection.
    pub collection: Option<u32>,
    /// Only with this in a name, event or date.
    pub text: Option<String>,
    /// Only those with this position; as in `PositionText`, under symmetry.
    pub position: Option<String>,
    /// The game of that position.
    pub rules: Option<String>,
    /// How many to leave out.
    pub offset: Option<u32>,
    /// How many to list, at most 200.
    pub limit: Option<u32>,
}

/// A page of games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct GameList {
    /// How many there are in all.
    pub total: u32,
    /// Those asked for.
    pub games: Vec<Game>,
}

/// A game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct Game {
    /// Its number.
    pub id: u32,
    /// Its collection.
    pub collection: u32,
    /// The game played.
    pub rules: String,
    /// The stones in play order.
    pub moves: String,
    /// How many turns.
    pub turns: u32,
    /// Facts about it.
    pub info: GameInfo,
}

/// Which position to look for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[ts(optional_fields)]
pub struct ExploreRequest {
    /// The game.
    pub rules: String,
    /// The position.
    pub position: String,
    /// Only in this collection.
    pub collection: Option<u32>,
}

/// What was played in a position, under symmetry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct Explored {
    /// Games with the position.
    pub games: u32,
    /// Of these, won by Black,
    pub black: u32,
    /// by White,
    pub white: u32,
    /// drawn or unknown.
    pub others: u32,
    /// The name of the opening, such as `TX-d21`.
    pub opening: Option<String>,
    /// What was played next, the most frequent first, turned to the position asked for. Turns that are the same up
    /// to a symmetry of the position are one.
    pub turns: Vec<ExploredTurn>,
}

/// A turn that was played, or about which something is known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct ExploredTurn {
    /// The stones.
    pub turn: Turn,
    /// Games with it.
    pub games: u32,
    /// Of these, won by Black,
    pub black: u32,
    /// by White,
    pub white: u32,
    /// drawn or unknown.
    pub others: u32,
    /// What a verified proof or a study says of the position after it.
    pub opinion: Option<Opinion>,
}

/// An opening of Connect6: Black in the centre and White's answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct Opening {
    /// Such as `TX-d21`.
    pub name: String,
    /// Its stones in play order.
    pub moves: String,
    /// Games with it.
    pub games: u32,
    /// Of these, won by Black,
    pub black: u32,
    /// by White.
    pub white: u32,
    /// What a verified proof or a study says of it.
    pub opinion: Option<Opinion>,
}

/// Where else a position is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[ts(optional_fields)]
pub struct PlacesRequest {
    /// The game.
    pub rules: String,
    /// The position.
    pub position: String,
    /// The node one looks from: it is left out.
    pub study: Option<u32>,
    /// Of that study.
    pub node: Option<u32>,
}

/// What a place is.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PlaceKind {
    /// A node of a study.
    Study,
    /// A game of a collection.
    Game,
    /// The start of a proof.
    Proof,
}

/// A place with the same position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct Place {
    /// What it is.
    pub kind: PlaceKind,
    /// The number of the study, game or proof.
    pub id: u32,
    /// The node of a study, the turn of a game.
    pub at: u32,
    /// What to call it.
    pub title: String,
    /// A date, or the state of a proof.
    pub note: String,
    /// The tree has it turned or mirrored.
    pub turned: bool,
}
