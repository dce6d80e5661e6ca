//! Cells as two letters, column and row, A the leftmost and the lowest.

use tengen_rules::{Cell, Rules, Turn};

use super::{Heard, quoted};

/// Stands for no stone.
pub(super) const NOTHING: &str = "@@";

/// Whether every cell of the board has letters.
pub(super) fn fit(rules: Rules) -> bool {
    rules
        .size()
        .is_some_and(|(width, height)| width <= 26 && height <= 26)
}

/// `IHHI`.
pub(super) fn text(cells: impl IntoIterator<Item = Cell>) -> String {
    let letter = |value: i16| char::from(b'A' + u8::try_from(value.clamp(0, 25)).unwrap_or(0));
    let pair = |cell: Cell| [letter(cell.x), letter(cell.y)];
    cells.into_iter().flat_map(pair).collect()
}

/// What a line means in a protocol whose turns are `move IHHI`. Engines chat: anything else is nothing.
pub(super) fn hear(line: &str) -> Result<Heard, String> {
    let mut words = line.split_whitespace();
    match (words.next(), words.next()) {
        (Some("name"), _) => Ok(Heard::Ready),
        (Some("move"), Some(stones)) => Ok(Heard::Turn(turn(stones)?)),
        (Some("error" | "Error" | "ERROR"), _) => Err(format!("it says {}", quoted(line))),
        _ => Ok(Heard::Nothing),
    }
}

fn turn(stones: &str) -> Result<Turn, String> {
    let wrong = || {
        format!(
            "{} is no turn, expected letters such as IHHI",
            quoted(stones)
        )
    };
    if !stones.len().is_multiple_of(2) || !stones.is_ascii() {
        return Err(wrong());
    }
    let mut cells = Vec::new();
    for pair in stones.as_bytes().chunks(2) {
        if pair == NOTHING.as_bytes() {
            continue;
        }
        let value = |byte: u8| {
            let letter = byte.to_ascii_uppercase();
            letter
                .is_ascii_uppercase()
                .then(|| i16::from(letter - b'A'))
        };
        match (value(pair[0]), value(pair[1])) {
            (Some(x), Some(y)) => cells.push(Cell::new(x, y)),
            _ => return Err(wrong()),
        }
    }
    Ok(cells.into_iter().collect())
}
