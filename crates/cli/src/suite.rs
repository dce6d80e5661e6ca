//! Test data as text: lines `rules RULES` and `position POSITION` say where we are, other lines ask
//! something there; `#` begins a comment. New rules begin with the empty board.

use anyhow::Context as _;
use tengen_rules::{Position, Rules, notation};

/// A line of a suite and the position it stands at.
#[derive(Debug)]
pub(crate) struct Entry<'a> {
    /// The line's number, from 1.
    pub(crate) line: usize,
    /// Where we are; after a line `position` the new one.
    pub(crate) position: Position,
    /// The line's first word.
    pub(crate) word: &'a str,
    /// What follows it.
    pub(crate) rest: &'a str,
}

/// All lines but those with rules.
pub(crate) fn parse(text: &str) -> anyhow::Result<Vec<Entry<'_>>> {
    let mut entries = Vec::new();
    let mut position = Position::new(Rules::CONNECT6);
    for (index, line) in text.lines().enumerate() {
        let at = || format!("line {}", index + 1);
        let line = line.split('#').next().unwrap_or(line).trim();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "" => continue,
            "rules" => {
                position = Position::new(rest.parse().with_context(at)?);
                continue;
            }
            "position" => {
                position = notation::parse_position(rest, position.rules()).with_context(at)?;
            }
            _ => {}
        }
        entries.push(Entry {
            line: index + 1,
            position: position.clone(),
            word,
            rest: rest.trim(),
        });
    }
    Ok(entries)
}
