//! A game as text: its stones in play order, `J10 K11 L10`. A file has one game per line.

use super::budget::Budget;
use super::cells::Cells;
use super::{Format, NotationError, Place, ReadOptions, WriteError, charset, lines};
use crate::{Cell, Position, Record, Rules};

/// Reads stones in play order and replays them: every stone is legal, and none follows the end of
/// the game. Whose each stone is follows from the rules.
///
/// Cells are `J10` in upper or lower case or `(x,y)` with A1 = `(1,1)`, glued or separated by
/// blanks, commas, semicolons, slashes, bars or hyphens. Turn numbers such as `12.` and `#`
/// comments are skipped.
pub fn parse_moves(text: &str, rules: Rules) -> Result<Vec<Cell>, NotationError> {
    parse_part(text, 0, text.len(), rules)
}

fn parse_part(
    text: &str,
    begin: usize,
    end: usize,
    rules: Rules,
) -> Result<Vec<Cell>, NotationError> {
    let mut position = Position::new(rules);
    let mut found = Vec::new();
    let mut cells = Cells::new(Format::Moves, text, begin, end);
    while let Some((at, cell)) = cells.next_cell()? {
        found.push(cell);
        position.place(cell).map_err(|error| {
            let reason = format!("stone {}: {error}", found.len());
            NotationError::at(Format::Moves, text, at, reason)
        })?;
    }
    Ok(found)
}

/// The cells separated by blanks; [`parse_moves`] reads it.
pub fn moves_text(cells: &[Cell]) -> String {
    let names: Vec<String> = cells.iter().map(Cell::to_string).collect();
    names.join(" ")
}

pub(super) fn read(bytes: &[u8], options: &ReadOptions) -> Result<Vec<Record>, NotationError> {
    let text = charset::decode_file(bytes, options.charset, None);
    let mut budget = Budget::new(Format::Moves);
    let mut records = Vec::new();
    lines::each_line(Format::Moves, &text, options.rules, |begin, end, rules| {
        let cells = parse_part(&text, begin, end, rules)?;
        let place = || Place::in_text(&text, begin);
        budget.take_record(place)?;
        budget.take(cells.len(), place)?;
        records.push(Record::from_moves(rules, &cells));
        Ok(())
    })?;
    if records.is_empty() {
        let reason = format!(
            "the file has no game, expected {}",
            Format::Moves.beginning()
        );
        return Err(NotationError::new(Format::Moves, Place::File, reason));
    }
    Ok(records)
}

/// One game per line without stones that follow the win in the same turn, `-` for a game without a stone, and a `rules` line wherever the rules change
/// (Connect6 holds at the beginning).
pub(super) fn write(records: &[Record]) -> Result<Vec<u8>, WriteError> {
    let mut text = String::new();
    let mut rules = Rules::CONNECT6;
    for record in records {
        let (cells, surplus) = lines::legal_line(record, Format::Moves)?;
        lines::push_rules(&mut text, &mut rules, record);
        let line = moves_text(&cells[..cells.len() - surplus]);
        text.push_str(if line.is_empty() { "-" } else { &line });
        text.push('\n');
    }
    Ok(text.into_bytes())
}
