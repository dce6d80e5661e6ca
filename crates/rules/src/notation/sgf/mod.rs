//! SGF: every dialect of five-in-a-row and Connect6 in, one clean dialect out.
//!
//! In: FF[1] to FF[4], one or several stones per node, points as letter and number (LittleGolem),
//! as two capital letters with the row from the bottom (NCTU), or as two lower-case letters with
//! the row from the top (the SGF standard). Out: FF[4], UTF-8, one stone per node.
//!
//! Neither reading nor writing recurses: a tree may be a million nodes deep.

mod header;
mod lexer;
mod points;
mod reader;
mod text;
mod writer;

pub(super) use reader::read;
pub(super) use writer::write;

use crate::{Action, Side};

/// Who plays first when the file does not say: who plays the first move, or else who is behind in
/// set-up stones. The writer writes PL where this guess would be wrong.
fn likely_to_move(first: Option<Action>, black: usize, white: usize) -> Side {
    match first {
        Some(Action::Place(stone)) => stone.side,
        Some(Action::Pass(side)) => side,
        _ if black > white => Side::White,
        _ => Side::Black,
    }
}
