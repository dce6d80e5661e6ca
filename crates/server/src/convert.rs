//! Between the words of the API and those of the rules.

use tengen_rules::{Cell, Outcome, Position, Rules, Setup, Turn, notation};

use crate::api;
use crate::error::Failure;

/// Longer texts are no positions: every cell of the largest board takes a tenth of it.
const LONGEST_TEXT: usize = 100_000;

impl From<tengen_rules::Side> for api::Side {
    fn from(side: tengen_rules::Side) -> Self {
        match side {
            tengen_rules::Side::Black => Self::Black,
            tengen_rules::Side::White => Self::White,
        }
    }
}

impl From<api::Side> for tengen_rules::Side {
    fn from(side: api::Side) -> Self {
        match side {
            api::Side::Black => Self::Black,
            api::Side::White => Self::White,
        }
    }
}

/// "black", as proofs and the database have it.
pub(crate) const fn side_name(side: tengen_rules::Side) -> &'static str {
    match side {
        tengen_rules::Side::Black => "black",
        tengen_rules::Side::White => "white",
    }
}

/// The names of cells.
pub(crate) fn names(cells: &[Cell]) -> Vec<String> {
    cells.iter().map(Cell::to_string).collect()
}

/// A turn as the API has it.
pub(crate) fn turn(turn: &Turn) -> api::Turn {
    names(turn.cells())
}

/// Reads the cells of a turn.
pub(crate) fn cells(names: &[String]) -> Result<Vec<Cell>, Failure> {
    let cell = |name: &String| {
        name.trim()
            .parse()
            .map_err(|error| Failure::BadRequest(format!("`{}`: {error}", shortened(name))))
    };
    names.iter().map(cell).collect()
}

/// Cells as the checker names them.
pub(crate) fn checker_cells(cells: &[(i32, i32)]) -> Vec<Cell> {
    let cell = |&(x, y): &(i32, i32)| Cell::new(x as i16, y as i16);
    cells.iter().map(cell).collect()
}

/// The game that is meant.
pub(crate) fn rules(text: &str) -> Result<Rules, Failure> {
    let bad = |error: tengen_rules::ParseRulesError| Failure::BadRequest(format!("rules: {error}"));
    shortened(text).parse().map_err(bad)
}

/// The position that is meant; the game may be over.
pub(crate) fn position(rules_text: &str, text: &str) -> Result<Position, Failure> {
    if text.len() > LONGEST_TEXT {
        let length = text.len();
        return Err(Failure::TooLarge(format!(
            "the position has {length} characters, expected at most {LONGEST_TEXT}"
        )));
    }
    notation::parse_position(text, rules(rules_text)?)
        .map_err(|error| Failure::BadRequest(error.to_string()))
}

/// The same; the game must go on.
pub(crate) fn open_position(rules_text: &str, text: &str) -> Result<Position, Failure> {
    let position = position(rules_text, text)?;
    match position.outcome() {
        None => Ok(position),
        Some(Outcome::Win { side, .. }) => Err(Failure::BadRequest(format!(
            "the game is over: {side} has won; take back a turn first"
        ))),
        Some(Outcome::Draw) => Err(Failure::BadRequest(
            "the game is over: the board is full; take back a turn first".to_owned(),
        )),
    }
}

/// The stones in play order where they are known: from the empty board on, without a pass.
pub(crate) fn moves(position: &Position) -> String {
    let cells: Option<Vec<Cell>> = position.history().map(|(_, cell)| cell).collect();
    let stones = position.stones().count();
    match cells {
        Some(cells) if cells.len() == stones => notation::moves_text(&cells),
        _ => String::new(),
    }
}

/// A set-up as text.
pub(crate) fn setup(setup: &Setup) -> String {
    notation::setup_text(setup)
}

/// The beginning of a text, for messages.
fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}
