//! A set-up as text: `B:J10,K11 W:L12 to-move:W left:1`. A file has one per line.

use super::budget::{Budget, MOST_STONES};
use super::cells::{cell_at, separates};
use super::error::{found, shortened};
use super::{Format, NotationError, Place, ReadOptions, WriteError, charset, lines, parse_moves};
use crate::{Cell, Position, Record, Rules, Setup, SetupError, Side};

/// Reads a set-up: the fields `B:` and `W:` with cells, `to-move:` with B, W, black or white, and
/// optionally `left:` with the stones left in the turn, in any order and case.
///
/// Not checked: whether it can be played; [`Position::from_setup`] does that.
pub fn parse_setup(text: &str, rules: Rules) -> Result<Setup, NotationError> {
    Fields::new(text, 0, text.len(), rules).parse()
}

/// Reads a game or a set-up and validates it; an empty text is the empty board.
///
/// A text with a colon is a set-up.
pub fn parse_position(text: &str, rules: Rules) -> Result<Position, NotationError> {
    if !text.lines().any(|line| lines::content(line).contains(':')) {
        let cells = parse_moves(text, rules)?;
        return Ok(Position::replay(rules, &cells).expect("parse_moves has replayed the game"));
    }
    let setup = parse_setup(text, rules)?;
    let refused =
        |error: SetupError| NotationError::new(Format::Setup, Place::File, in_few_words(&error));
    Position::from_setup(&setup).map_err(refused)
}

fn in_few_words(error: &SetupError) -> String {
    const MOST: usize = 3;
    let first: Vec<String> = error
        .reasons
        .iter()
        .take(MOST)
        .map(ToString::to_string)
        .collect();
    let more = match error.reasons.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    format!("{}{more}", first.join("; "))
}

/// The set-up as [`parse_setup`] reads it.
pub fn setup_text(setup: &Setup) -> String {
    let mut fields = Vec::new();
    for side in Side::BOTH {
        let cells = setup.stones_of(side);
        if !cells.is_empty() {
            let names: Vec<String> = cells.iter().map(Cell::to_string).collect();
            fields.push(format!("{}:{}", side.letter(), names.join(",")));
        }
    }
    fields.push(format!("to-move:{}", setup.to_move.letter()));
    if let Some(left) = setup.left {
        fields.push(format!("left:{left}"));
    }
    fields.join(" ")
}

/// The fields of one set-up.
struct Fields<'a> {
    text: &'a str,
    at: usize,
    end: usize,
    setup: Setup,
    given: [bool; 4],
}

/// Names of fields, the first of each group is the one we write.
const NAMES: [&[&str]; 4] = [
    &["b", "black"],
    &["w", "white"],
    &["to-move", "to_move", "tomove"],
    &["left"],
];

impl<'a> Fields<'a> {
    fn new(text: &'a str, at: usize, end: usize, rules: Rules) -> Self {
        Self {
            text,
            at,
            end,
            setup: Setup::empty(rules),
            given: [false; 4],
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..self.end]
    }

    fn error(&self, at: usize, reason: impl Into<String>) -> NotationError {
        NotationError::at(Format::Setup, self.text, at, reason)
    }

    fn skip(&mut self) {
        loop {
            let kept = self.rest().trim_start_matches(separates);
            self.at = self.end - kept.len();
            if !kept.starts_with('#') {
                return;
            }
            self.at += kept.find('\n').unwrap_or(kept.len());
        }
    }

    /// The name of the field that begins here and the length up to its colon.
    fn field_name(&self) -> Option<(&'a str, usize)> {
        let rest = self.rest();
        let is_name = |b: &u8| b.is_ascii_alphabetic() || matches!(b, b'-' | b'_');
        let length = rest.bytes().take_while(is_name).take(32).count();
        let blanks = rest[length..]
            .bytes()
            .take_while(|b| *b == b' ')
            .take(32)
            .count();
        let colon = length + blanks;
        (length > 0 && rest[colon..].starts_with(':')).then(|| (&rest[..length], colon + 1))
    }

    fn parse(mut self) -> Result<Setup, NotationError> {
        loop {
            self.skip();
            if self.rest().is_empty() {
                break;
            }
            let at = self.at;
            let Some((name, length)) = self.field_name() else {
                let expected = "expected a field such as `B:`, `W:`, `to-move:` or `left:`";
                let reason = format!("{expected}, found {}", found(self.rest()));
                return Err(self.error(at, reason));
            };
            let lower = name.to_ascii_lowercase();
            let known = NAMES
                .iter()
                .position(|names| names.contains(&lower.as_str()));
            let Some(field) = known else {
                let reason = format!("`{name}:` is no field, expected B:, W:, to-move: or left:");
                return Err(self.error(at, reason));
            };
            if self.given[field] {
                return Err(self.error(at, format!("`{name}:` is given twice")));
            }
            self.given[field] = true;
            self.at += length;
            match field {
                0 => self.cells(Side::Black)?,
                1 => self.cells(Side::White)?,
                2 => self.side()?,
                _ => self.left()?,
            }
        }
        if self.given[2] {
            Ok(self.setup)
        } else {
            let reason = "who plays next is missing, expected `to-move:B` or `to-move:W`";
            Err(self.error(self.end, reason))
        }
    }

    fn cells(&mut self, side: Side) -> Result<(), NotationError> {
        loop {
            self.skip();
            if self.rest().is_empty() || self.field_name().is_some() {
                return Ok(());
            }
            let (cell, length) =
                cell_at(self.rest()).map_err(|reason| self.error(self.at, reason))?;
            let stones = self.setup.stones_of_mut(side);
            stones.push(cell);
            if stones.len() > MOST_STONES {
                let reason =
                    format!("more than {MOST_STONES} stones, expected at most one per cell");
                return Err(self.error(self.at, reason));
            }
            self.at += length;
        }
    }

    /// A word of a field that is not a list of cells.
    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
        let rest = self.rest();
        let length = rest
            .find(|c: char| separates(c) || c == '#')
            .unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn side(&mut self) -> Result<(), NotationError> {
        let word = self.word();
        self.setup.to_move = match word.to_ascii_lowercase().as_str() {
            "b" | "black" => Side::Black,
            "w" | "white" => Side::White,
            _ => {
                let reason = format!(
                    "`{}` is no side, expected B, W, black or white after `to-move:`",
                    shortened(word)
                );
                return Err(self.error(self.at - word.len(), reason));
            }
        };
        Ok(())
    }

    fn left(&mut self) -> Result<(), NotationError> {
        let word = self.word();
        let digits = word.bytes().all(|b| b.is_ascii_digit());
        let number = word.parse().ok().filter(|_| digits);
        self.setup.left = Some(number.ok_or_else(|| {
            let reason = format!(
                "`{}` is no number of stones, expected `left:1` or so",
                shortened(word)
            );
            self.error(self.at - word.len(), reason)
        })?);
        Ok(())
    }
}

pub(super) fn read(bytes: &[u8], options: &ReadOptions) -> Result<Vec<Record>, NotationError> {
    let text = charset::decode_file(bytes, options.charset, None);
    let mut budget = Budget::new(Format::Setup);
    let mut records = Vec::new();
    lines::each_line(Format::Setup, &text, options.rules, |begin, end, rules| {
        let setup = Fields::new(&text, begin, end, rules).parse()?;
        let place = || Place::in_text(&text, begin);
        budget.take_record(place)?;
        // A stone of a set-up takes 4 bytes, a node 80.
        budget.take((setup.black.len() + setup.white.len()) / 16, place)?;
        records.push(Record::new(setup));
        Ok(())
    })?;
    if records.is_empty() {
        let reason = format!(
            "the file has no set-up, expected {}",
            Format::Setup.beginning()
        );
        return Err(NotationError::new(Format::Setup, Place::File, reason));
    }
    Ok(records)
}

/// One set-up per line: where the record starts, or the position at its end when stones follow.
pub(super) fn write(records: &[Record]) -> Result<Vec<u8>, WriteError> {
    let format = Format::Setup;
    let mut text = String::new();
    let mut rules = Rules::CONNECT6;
    for record in records {
        let end = record.main_end();
        if record.path(end).len() != record.len() {
            return Err(WriteError::Variations { format });
        }
        let setup = if record.is_empty() {
            record.start.clone()
        } else {
            let position = record.position(end);
            position
                .map_err(|error| WriteError::Illegal { format, error })?
                .to_setup()
        };
        lines::push_rules(&mut text, &mut rules, record);
        text.push_str(&setup_text(&setup));
        text.push('\n');
    }
    Ok(text.into_bytes())
}
