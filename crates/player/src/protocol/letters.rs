//! Cells of Connect6 as two letters, column and row, as the Connect6 protocols write them.
//!
//! `A` is the leftmost column and the **lowest** row, so `JJ` is J10 and `CB` is C2. The SAU platform only says
//! that A has index 0; a board seen upside down plays the same game, and this choice agrees with Cloudict and
//! with NCTU's records.

use tengen_rules::{Cell, Position, Rules, Turn};

use super::quoted;

/// Stands for no stone.
const NOTHING: &str = "@@";

const SIDE: u8 = 19;

/// `CB` for C2.
pub(super) fn letters(cell: Cell) -> String {
    let letter = |value: i16| char::from(b'A' + u8::try_from(value).unwrap_or(0).min(SIDE - 1));
    [letter(cell.x), letter(cell.y)].into_iter().collect()
}

/// The cells of a text such as `IHHI`, in its order; `@@` is left out.
pub(super) fn cells(text: &str) -> Result<Vec<Cell>, String> {
    let expected = "expected two letters from A to S for each stone, column and row";
    if !text.is_ascii() || text.len() % 2 == 1 {
        return Err(format!("{} are no cells, {expected}", quoted(text)));
    }
    let mut cells = Vec::new();
    for at in (0..text.len()).step_by(2) {
        let pair = &text[at..at + 2];
        if pair == NOTHING {
            continue;
        }
        let mut values = pair.bytes().map(|byte| {
            let value = byte.to_ascii_uppercase().checked_sub(b'A')?;
            (value < SIDE).then_some(i16::from(value))
        });
        match (values.next().flatten(), values.next().flatten()) {
            (Some(x), Some(y)) => cells.push(Cell::new(x, y)),
            _ => return Err(format!("{} is no cell, {expected}", quoted(pair))),
        }
    }
    Ok(cells)
}

/// The stones of one turn. One stone may be written once, twice, or with `@@`.
pub(super) fn turn(text: &str) -> Result<Turn, String> {
    if text.is_empty() {
        return Err("the stones are missing, expected a turn such as IHHI".to_owned());
    }
    let turn: Turn = cells(text)?.into_iter().collect();
    match turn.len() {
        1 | 2 => Ok(turn),
        stones => Err(format!(
            "{} has {stones} stones, expected 1 or 2",
            quoted(text)
        )),
    }
}

/// The answer to a position as four letters.
///
/// An engine that wins with its first stone may leave the second out, but the other side counts two: it gets
/// any empty cell. `alone` is what stands for a second stone that has no place.
pub(super) fn answer(position: &Position, turn: &Turn, alone: &str) -> (Turn, String) {
    let stones = usize::from(position.left());
    let mut cells = turn.cells().to_vec();
    let empty = |cell: &Cell| position.stone(*cell).is_none() && !turn.contains(*cell);
    let more = stones.saturating_sub(cells.len());
    cells.extend(position.grid().cells().filter(empty).take(more));
    let mut text: String = cells.iter().map(|&cell| letters(cell)).collect();
    if cells.len() == 1 {
        text.push_str(alone);
    }
    (cells.into_iter().collect(), text)
}

/// Plays a turn of the other side; on failure nothing has changed.
pub(super) fn play(position: &mut Position, turn: &Turn) -> Result<(), String> {
    position.play(turn).map_err(|error| error.to_string())
}

/// The empty board.
pub(super) fn empty_board() -> Position {
    Position::new(Rules::CONNECT6)
}

/// How a finished game ended; `None` while it goes on.
pub(super) fn ending(position: &Position) -> Option<String> {
    use tengen_rules::Outcome;
    Some(match position.outcome()? {
        Outcome::Win { side, cells } => format!("{side} has won with {cells}"),
        Outcome::Draw => "the board is full".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_column_and_row_from_below() {
        for (text, name) in [("JJ", "J10"), ("CB", "C2"), ("AS", "A19"), ("SA", "S1")] {
            let cell: Cell = name.parse().expect("a cell");
            assert_eq!(letters(cell), text);
            assert_eq!(cells(text), Ok(vec![cell]));
            assert_eq!(cells(&text.to_lowercase()), Ok(vec![cell]));
        }
        let turn = |text| turn(text).map(|turn| turn.to_string());
        assert_eq!(turn("IHHI"), Ok("H9 I8".to_owned()));
        assert_eq!(turn("CB@@"), Ok("C2".to_owned()));
        assert_eq!(turn("CBCB"), Ok("C2".to_owned()));
        for bad in [
            "", "@@", "@@@@", "J", "JJJ", "JT", "J1", "AABBCC", "éé", "A\0",
        ] {
            assert!(turn(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_turn_that_wins_early_is_filled_up() {
        let moves = "J10 A1 B1 K10 L10 C1 D1 M10 O10 F1 G1";
        let cells: Vec<Cell> = moves
            .split(' ')
            .map(|name| name.parse().expect("a cell"))
            .collect();
        let mut position = Position::replay(Rules::CONNECT6, &cells).expect("a game");
        position
            .place("A19".parse().expect("a cell"))
            .expect("empty");
        position
            .place("A18".parse().expect("a cell"))
            .expect("empty");
        let win: Turn = "E1".parse().expect("a turn");
        let (turn, text) = answer(&position, &win, "@@");
        assert_eq!(
            (turn.to_string(), text),
            ("E1 H1".to_owned(), "EAHA".to_owned())
        );
        assert_eq!(position.play(&turn), Ok(()));
        assert!(ending(&position).expect("won").starts_with("White has won"));
    }
}
