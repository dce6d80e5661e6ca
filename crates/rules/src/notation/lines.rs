//! What the line formats share: comments, a `rules` line, and records that are a single line.

use super::{Format, NotationError, WriteError};
use crate::record::place_or_leave_out;
use crate::{Action, Cell, Placement, Position, Record, RecordError, Rules, Setup};

/// A line without its `#` comment and surrounding blanks.
pub(crate) fn content(line: &str) -> &str {
    line.split('#').next().unwrap_or("").trim()
}

/// The text after `rules` when the line names rules for the lines below it.
pub(crate) fn rules_named(content: &str) -> Option<&str> {
    let word = content.get(..5)?;
    let rest = &content[5..];
    let named = word.eq_ignore_ascii_case("rules") && rest.starts_with([' ', '\t', ':']);
    named.then(|| rest[1..].trim())
}

/// Adds a line that names the record's rules when they differ from those of the line before.
/// Connect6 holds at the beginning.
pub(crate) fn push_rules(text: &mut String, current: &mut Rules, record: &Record) {
    if record.rules() != *current {
        *current = record.rules();
        text.push_str(&format!("rules {current}\n"));
    }
}

/// Calls `each` with the byte range of every line's content and the rules that hold there.
///
/// `given` rules win over those of the file.
pub(crate) fn each_line(
    format: Format,
    text: &str,
    given: Option<Rules>,
    mut each: impl FnMut(usize, usize, Rules) -> Result<(), NotationError>,
) -> Result<(), NotationError> {
    let mut rules = given.unwrap_or(Rules::CONNECT6);
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let content = content(line);
        if content.is_empty() {
            continue;
        }
        let begin = start + (line.len() - line.trim_start().len());
        match rules_named(content) {
            None => each(begin, begin + content.len(), rules)?,
            Some(name) => {
                let named: Rules = name.parse().map_err(|error: crate::ParseRulesError| {
                    NotationError::at(format, text, begin, error.to_string())
                })?;
                if given.is_none() {
                    rules = named;
                }
            }
        }
    }
    Ok(())
}

/// The only line of play of a record, checked to be what `format` can hold: from the empty board,
/// without variations and passes.
pub(crate) fn single_line(record: &Record, format: Format) -> Result<Vec<Placement>, WriteError> {
    let empty = Setup::empty(record.rules());
    let mut start = record.start.clone();
    if start.left == Some(start.whole_turn()) {
        start.left = None;
    }
    if start != empty {
        return Err(WriteError::Setup { format });
    }
    let mut stones = Vec::new();
    let mut at = Record::ROOT;
    loop {
        let node = record.node(at);
        match node.action {
            Action::Place(stone) => stones.push(stone),
            Action::Pass(side) => {
                return Err(WriteError::Pass {
                    format,
                    side,
                    stones: stones.len(),
                });
            }
            Action::Nothing => {}
        }
        match node.children() {
            [] => return Ok(stones),
            [only] => at = *only,
            _ => return Err(WriteError::Variations { format }),
        }
    }
}

/// The same, with the stones in the order of turns that the rules prescribe.
pub(crate) fn single_line_in_turn(
    record: &Record,
    format: Format,
) -> Result<Vec<Cell>, WriteError> {
    let stones = single_line(record, format)?;
    let rules = record.rules();
    for (index, stone) in stones.iter().enumerate() {
        if stone.side != rules.side_of_stone(index) {
            return Err(WriteError::Side {
                format,
                number: index + 1,
                side: stone.side,
            });
        }
    }
    Ok(stones.into_iter().map(|stone| stone.cell).collect())
}

/// The same, and legal to the last stone; also how many stones at the end follow the win in the
/// same turn.
pub(crate) fn legal_line(
    record: &Record,
    format: Format,
) -> Result<(Vec<Cell>, usize), WriteError> {
    let cells = single_line_in_turn(record, format)?;
    let mut position = Position::new(record.rules());
    let mut surplus = 0;
    for (index, &cell) in cells.iter().enumerate() {
        place_or_leave_out(&mut position, &mut surplus, cell).map_err(|error| {
            let number = index + 1;
            let error = RecordError::Place { number, error };
            WriteError::Illegal { format, error }
        })?;
    }
    Ok((cells, surplus.into()))
}
