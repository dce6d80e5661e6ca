//! A collection of LittleGolem's Connect6 games: per line a game number and the turns,
//! `509154 j10 k11l9 j12i11`. A `rules` line, which is our own addition, names other rules.
//!
//! Quirk: LittleGolem always records whole turns. When the first stone of the last turn already
//! wins, a second one follows all the same. It is kept; [`Record::position`] leaves it out.

use super::budget::Budget;
use super::cells::Cells;
use super::error::found;
use super::{Format, NotationError, Place, ReadOptions, WriteError, charset, lines};
use crate::record::place_or_leave_out;
use crate::{Cell, Position, Record, Rules};

const FORMAT: Format = Format::LittleGolem;
/// What `Info::source` begins with; the game's number follows.
const SOURCE: &str = "littlegolem ";

pub(super) fn read(bytes: &[u8], options: &ReadOptions) -> Result<Vec<Record>, NotationError> {
    let text = charset::decode_file(bytes, options.charset, None);
    let mut budget = Budget::new(FORMAT);
    let mut records = Vec::new();
    lines::each_line(FORMAT, &text, options.rules, |begin, end, rules| {
        let line = &text[begin..end];
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        let rest = &line[digits..];
        if digits == 0 || digits > 18 || !(rest.is_empty() || rest.starts_with([' ', '\t'])) {
            let reason = format!(
                "expected a game number of up to 18 digits and a blank, found {}",
                found(if digits > 18 { line } else { rest })
            );
            return Err(NotationError::at(FORMAT, &text, begin, reason));
        }
        let cells = game(&text, begin + digits, end, rules)?;
        let place = || Place::in_text(&text, begin);
        budget.take_record(place)?;
        budget.take(cells.len(), place)?;
        let mut record = Record::from_moves(rules, &cells);
        record.info.source = format!("{SOURCE}{}", &line[..digits]);
        records.push(record);
        Ok(())
    })?;
    if records.is_empty() {
        let reason = format!("the file has no game, expected {}", FORMAT.beginning());
        return Err(NotationError::new(FORMAT, Place::File, reason));
    }
    Ok(records)
}

fn game(text: &str, begin: usize, end: usize, rules: Rules) -> Result<Vec<Cell>, NotationError> {
    let mut position = Position::new(rules);
    let mut surplus = 0;
    let mut played = Vec::new();
    let mut cells = Cells::new(FORMAT, text, begin, end);
    while let Some((at, cell)) = cells.next_cell()? {
        played.push(cell);
        place_or_leave_out(&mut position, &mut surplus, cell).map_err(|error| {
            let reason = format!("stone {}: {error}", played.len());
            NotationError::at(FORMAT, text, at, reason)
        })?;
    }
    Ok(played)
}

pub(super) fn write(records: &[Record]) -> Result<Vec<u8>, WriteError> {
    let mut text = String::new();
    let mut rules = Rules::CONNECT6;
    for (index, record) in records.iter().enumerate() {
        let (cells, _) = lines::legal_line(record, FORMAT)?;
        lines::push_rules(&mut text, &mut rules, record);
        let number = record.info.source.strip_prefix(SOURCE).filter(|number| {
            (1..=18).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit())
        });
        match number {
            Some(number) => text.push_str(number),
            None => text.push_str(&(index + 1).to_string()),
        }
        for (index, cell) in cells.iter().enumerate() {
            // Stones of one turn are glued.
            if index == 0 || rules.side_of_stone(index) != rules.side_of_stone(index - 1) {
                text.push(' ');
            }
            text.push_str(&cell.to_string().to_ascii_lowercase());
        }
        text.push('\n');
    }
    Ok(text.into_bytes())
}
