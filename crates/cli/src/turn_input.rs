//! Turns that people type: `K11 L10`, `k11,l10` or `K11L10`.

use tengen_rules::{Cell, PlaceError, Position};

use crate::view::{cells_in_words, stones};

/// Stones that the side to move could place next, in the order they are written: at least one, at most
/// those that are left of the turn. The message says what is wrong and what would be right.
pub(crate) fn stones_of(position: &Position, text: &str) -> Result<Vec<Cell>, String> {
    let cells = cells(text)?;
    for (i, &cell) in cells.iter().enumerate() {
        if cells[..i].contains(&cell) {
            return Err(format!("{cell} is named twice, expected different cells"));
        }
        // One at a time: whether a stone can be placed has nothing to do with the others.
        position.clone().place(cell).map_err(|e| refusal(&e))?;
    }
    let (count, left) = (cells.len(), usize::from(position.left()));
    let expected = match left {
        1 => "1".to_owned(),
        left => format!("{left} or fewer"),
    };
    match count {
        0 => Err(format!("there is no stone, expected {expected}")),
        count if count > left => Err(format!(
            "{} are {}, expected {expected}",
            cells_in_words(&cells),
            stones(count as u32)
        )),
        _ => Ok(cells),
    }
}

/// Why a stone cannot be placed, and what to do instead.
fn refusal(error: &PlaceError) -> String {
    match error {
        PlaceError::Occupied { .. } => format!("{error}, expected an empty cell"),
        _ => error.to_string(),
    }
}

/// The cells in the order they are written.
fn cells(text: &str) -> Result<Vec<Cell>, String> {
    let words = words(text).into_iter();
    let cell = |word: String| word.parse::<Cell>().map_err(|error| error.to_string());
    words.map(cell).collect()
}

/// Splits at spaces and commas outside of brackets, and where a letter follows a digit.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut inside = false;
    let mut before = ' ';
    for c in text.chars() {
        let gap = !inside && (c.is_whitespace() || c == ',' || c == ';');
        let next = c == '(' || before == ')' || before.is_ascii_digit() && c.is_ascii_alphabetic();
        if gap || !inside && next {
            words.push(String::new());
        }
        if let (false, Some(word)) = (gap, words.last_mut()) {
            word.push(c);
        }
        inside = (inside || c == '(') && c != ')';
        before = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn however_a_turn_is_typed() {
        for text in [
            "K11 L10",
            "k11,l10",
            " K11L10 ",
            "k11, l10;",
            "(11,11) L10",
            "(11,11)L10",
        ] {
            let cells = cells(text).expect("a turn");
            assert_eq!(cells_in_words(&cells), "K11 L10", "{text}");
        }
        assert_eq!(words("(-3, 12)K7"), ["(-3, 12)", "K7"]);
        assert_eq!(words("(((a"), ["(((a"]);
        assert!(cells("K11 L").is_err());
    }

    #[test]
    fn what_is_wrong_is_named() {
        let cells = ["J10", "I8"].map(|cell| cell.parse().expect("a cell"));
        let position = Position::replay("connect6".parse().expect("rules"), &cells).expect("legal");
        for (text, message) in [
            ("", "there is no stone, expected 1"),
            ("K11 K12", "K11 K12 are 2 stones, expected 1"),
            (
                "J10",
                "J10 is already occupied by Black, expected an empty cell",
            ),
            (
                "T1",
                "T1 is off the board, which has columns A to S and rows 1 to 19",
            ),
            ("K11 K11", "K11 is named twice, expected different cells"),
        ] {
            assert_eq!(stones_of(&position, text), Err(message.to_owned()));
        }
        let mut before = position;
        before.undo();
        let message = stones_of(&before, "A1 A2 A3").expect_err("too many");
        assert_eq!(message, "A1 A2 A3 are 3 stones, expected 2 or fewer");
    }
}
