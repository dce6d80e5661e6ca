//! The words of the text form: numbers, cells, rules and positions (`docs/proof-format.md`).

use crate::text::{Cell, Position, Rules, Side};

/// A coordinate beyond this is refused, so that arithmetic on it cannot overflow.
const FAR: i32 = 9_999;

/// The longest side of a finite board and the longest line.
const MOST: usize = 63;

/// A word as a message may show it.
pub(crate) fn shown(word: &str) -> String {
    let clean: String = word.chars().take(40).flat_map(char::escape_debug).collect();
    let dots = if word.chars().nth(40).is_some() {
        "..."
    } else {
        ""
    };
    format!("`{clean}{dots}`")
}

/// Digits only: no sign, no leading zero.
pub(crate) fn number(word: &str) -> Result<usize, String> {
    let digits = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    if !digits || (word.len() > 1 && word.starts_with('0')) {
        return Err(format!("{} is not a number", shown(word)));
    }
    let value = word.parse::<u32>();
    value.map(|value| value as usize).map_err(|_| {
        let most = u32::MAX;
        format!(
            "the number {} is too large, expected at most {most}",
            shown(word)
        )
    })
}

/// `J10` or, on infinite boards also left of column A and below row 1, `(x,y)` with A1 = `(1,1)`.
pub(crate) fn cell(word: &str) -> Result<Cell, String> {
    let error = || format!("{} is not a cell, expected one such as J10", shown(word));
    let coordinate = |text: &str| -> Result<i32, String> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let value = number(digits).map_err(|_| error())?;
        let value = i32::try_from(value).ok().filter(|&value| value <= FAR);
        let value = value.ok_or_else(|| format!("{} is too far away", shown(word)))?;
        Ok(if negative { -value } else { value } - 1)
    };
    if let Some(inner) = word
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
    {
        let (x, y) = inner.split_once(',').ok_or_else(error)?;
        return Ok((coordinate(x)?, coordinate(y)?));
    }
    let letters = word.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (column, row) = word.split_at(letters);
    if !(1..=2).contains(&letters) || row.starts_with(['-', '0']) {
        return Err(error());
    }
    let column = column.bytes().fold(0, |sum, b| {
        sum * 26 + i32::from(b.to_ascii_uppercase() - b'A') + 1
    });
    Ok((column - 1, coordinate(row)?))
}

/// A set of cells on the board, joined by commas, none twice; `-` is the empty set.
pub(crate) fn cells(word: &str, rules: &Rules) -> Result<Vec<Cell>, String> {
    if word == "-" {
        return Ok(Vec::new());
    }
    let mut cells = Vec::new();
    for part in split_at_commas(word) {
        let cell = cell(part)?;
        if !rules.contains(cell) {
            let (width, height) = rules.size.unwrap_or_default();
            return Err(format!(
                "{} is off the board of {width}x{height} cells",
                shown(part)
            ));
        }
        cells.push(cell);
    }
    let mut sorted = cells.clone();
    sorted.sort_unstable();
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!("{} is named twice", cell_names(&pair[..1])));
    }
    Ok(cells)
}

/// Splits at the commas that are not inside `(x,y)`.
fn split_at_commas(word: &str) -> impl Iterator<Item = &str> {
    let mut inside = false;
    word.split(move |c| {
        match c {
            '(' => inside = true,
            ')' => inside = false,
            _ => {}
        }
        c == ',' && !inside
    })
}

/// Cells as text, joined by commas; `-` if there are none.
pub(crate) fn cell_names(cells: &[Cell]) -> String {
    let name = |&(x, y): &Cell| {
        if x < 0 || y < 0 || x >= 702 {
            return format!("({},{})", x + 1, y + 1);
        }
        let letter = |n: i32| char::from(b'A' + n as u8);
        let first = (x >= 26).then(|| letter(x / 26 - 1));
        first.into_iter().collect::<String>() + &format!("{}{}", letter(x % 26), y + 1)
    };
    if cells.is_empty() {
        return "-".to_owned();
    }
    cells.iter().map(name).collect::<Vec<_>>().join(",")
}

/// A name, or `m,n,k,p,q` with `inf` for an infinite board and a sixth word `exact`.
pub(crate) fn rules(text: &str) -> Result<Rules, String> {
    let text = text.trim().to_ascii_lowercase();
    let numbers = match text.as_str() {
        "connect6" => "19,19,6,2,1",
        "gomoku" => "15,15,5,1,1",
        "gomoku-standard" => "15,15,5,1,1,exact",
        "tic-tac-toe" => "3,3,3,1,1",
        other => other,
    };
    let mut fields: Vec<&str> = numbers.split(',').map(str::trim).collect();
    let exact = fields.len() == 6 && fields[5] == "exact";
    if exact {
        fields.pop();
    }
    let [width, height, line, per_turn, first_turn] = fields[..] else {
        return Err(format!(
            "{} names no rules, expected m,n,k,p,q such as 19,19,6,2,1",
            shown(&text)
        ));
    };
    let within = |word: &str, what: &str, least: usize, most: usize| {
        let value = number(word)?;
        if (least..=most).contains(&value) {
            return Ok(value);
        }
        Err(format!("{what} is {value}, expected {least} to {most}"))
    };
    let size = if width == "inf" && height == "inf" {
        None
    } else {
        let width = within(width, "the number of columns", 1, MOST)?;
        let height = within(height, "the number of rows", 1, MOST)?;
        Some((width as i32, height as i32))
    };
    let longest = size.map_or(MOST, |(width, height)| width.max(height) as usize);
    let line = within(line, "the line length", 2, longest)?;
    Ok(Rules {
        size,
        line,
        per_turn: within(per_turn, "the number of stones in a turn", 1, line - 1)?,
        first_turn: within(
            first_turn,
            "the number of stones in the first turn",
            1,
            line - 1,
        )?,
        exact,
    })
}

/// `black` or `white`, or their first letters.
pub(crate) fn side(word: &str) -> Result<Side, String> {
    match word.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Side::Black),
        "w" | "white" => Ok(Side::White),
        _ => Err(format!(
            "{} is no side, expected black or white",
            shown(word)
        )),
    }
}

/// A set-up: `B:J10,K11 W:L12 to-move:W left:1`. That its stones may stand together is checked
/// later, on the board.
pub(crate) fn position(text: &str, rules: &Rules) -> Result<Position, String> {
    let (mut black, mut white, mut to_move, mut left) = (None, None, None, None);
    for field in text.split_ascii_whitespace() {
        let Some((name, value)) = field.split_once(':') else {
            return Err(format!(
                "{} is no field, expected one such as B:J10",
                shown(field)
            ));
        };
        let again = match name.to_ascii_lowercase().as_str() {
            "b" | "black" => black.replace(cells(value, rules)?).is_some(),
            "w" | "white" => white.replace(cells(value, rules)?).is_some(),
            "to-move" => to_move.replace(side(value)?).is_some(),
            "left" => left.replace(number(value)?).is_some(),
            _ => {
                let name = shown(name);
                return Err(format!(
                    "unknown field {name}, expected B, W, to-move or left"
                ));
            }
        };
        if again {
            return Err(format!("the field {} is given twice", shown(name)));
        }
    }
    let to_move = to_move.ok_or("the side to move is missing, expected to-move:B or to-move:W")?;
    let (black, white) = (black.unwrap_or_default(), white.unwrap_or_default());
    let opening = black.is_empty() && white.is_empty() && to_move == Side::Black;
    let whole = if opening {
        rules.first_turn
    } else {
        rules.per_turn
    };
    let left = left.unwrap_or(whole);
    if !(1..=whole).contains(&left) {
        return Err(format!(
            "{left} stones left in the turn, expected 1 to {whole}"
        ));
    }
    Ok(Position {
        black,
        white,
        to_move,
        left,
    })
}
