//! Playing White against a proof that Black wins Go-Moku.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::{IntoParams, ToSchema};

use super::Side;

/// Whether there is a proof to play against.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct GomokuState {
    /// The proof that the server was started with.
    pub proof: Option<GomokuProof>,
}

/// A proof that Black, to move, wins a position of Go-Moku. It was not checked: `tengen check` does that.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct GomokuProof {
    /// The game: `gomoku`, `gomoku-standard`, or m,n,k,p,q.
    pub rules: String,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// The black stones of the position that is won; none if that is the empty board.
    pub black: Vec<String>,
    /// Its white stones, as many.
    pub white: Vec<String>,
    /// Positions with an answer of their own, up to symmetry.
    pub records: u32,
    /// How many of them have 0, 1, 2, ... stones.
    pub by_stones: Vec<u32>,
}

/// The game so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct GomokuQuery {
    /// What was played after the position that is won, black and white in turn: `H8,I9`; nothing at the beginning.
    #[serde(default)]
    #[param(required = false)]
    pub moves: String,
}

/// What Black plays by the proof.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum GomokuAnswer {
    /// The proof has this position, with this answer.
    Known {
        /// Black's stone.
        cell: String,
    },
    /// A part of a win by threats.
    Threat {
        /// Black's stone.
        cell: String,
    },
    /// It wins.
    Five {
        /// Black's stone.
        cell: String,
        /// The stones of the row, this one among them.
        line: Vec<String>,
    },
    /// These moves leave the proof: Black did not play by it, or the file is damaged.
    Left,
    /// Nothing is to be played any more.
    Over {
        /// Who has won; nobody if the board is full.
        winner: Option<Side>,
        /// The stones of the row.
        line: Vec<String>,
    },
}
