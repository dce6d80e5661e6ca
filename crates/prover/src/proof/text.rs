//! The text form: one node per line.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::str::FromStr;

use tengen_rules::{Cell, Position, Rules, Side, notation};

use super::{Proof, ProofNode, Reply, VERSION};

/// Why a text is not a proof of this version.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct ProofTextError {
    /// The line, from 1.
    pub line: usize,
    /// What was wrong and what was expected.
    pub message: String,
}

fn cells_text(cells: &[Cell]) -> String {
    if cells.is_empty() {
        return "-".to_owned();
    }
    cells
        .iter()
        .map(Cell::to_string)
        .collect::<Vec<_>>()
        .join(",")
}

impl Proof {
    /// The proof as text.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let mut line = |args: std::fmt::Arguments<'_>| {
            text.write_fmt(args)
                .expect("writing to a string cannot fail");
            text.push('\n');
        };
        line(format_args!("tengen-proof {VERSION}"));
        line(format_args!("rules {}", self.position.rules));
        line(format_args!(
            "position {}",
            notation::setup_text(&self.position)
        ));
        line(format_args!(
            "attacker {}",
            self.attacker.to_string().to_lowercase()
        ));
        for stones in &self.except {
            line(format_args!("except {}", cells_text(stones)));
        }
        if let Some((one, other)) = self.region {
            line(format_args!("region {one},{other}"));
        }
        for (number, zone) in self.zones.iter().enumerate() {
            line(format_args!("zone {} {}", number + 1, cells_text(zone)));
        }
        line(format_args!("nodes {}", self.nodes.len()));
        for (id, node) in self.nodes.iter().enumerate() {
            let replies: Vec<String> = node
                .replies
                .iter()
                .map(|r| format!(" {}={}", cells_text(&r.stones), r.child))
                .collect();
            line(format_args!(
                "{id} {}{}",
                cells_text(&node.turn),
                replies.concat()
            ));
        }
        line(format_args!("end"));
        text
    }
}

/// Lines that say something, with their numbers.
struct Lines<'a> {
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    last: usize,
}

impl<'a> Lines<'a> {
    fn next(&mut self, expected: &str) -> Result<(usize, &'a str), ProofTextError> {
        for (number, line) in self.lines.by_ref() {
            self.last = number + 1;
            let line = line.trim_end();
            if !line.is_empty() && !line.starts_with('#') {
                return Ok((number + 1, line));
            }
        }
        Err(error(
            self.last + 1,
            format!("the file ends here, expected {expected}; it may have been cut"),
        ))
    }

    /// The rest of a line that must begin with `word`.
    fn field(&mut self, word: &str) -> Result<(usize, &'a str), ProofTextError> {
        let (number, line) = self.next(&format!("`{word} ...`"))?;
        let rest = line
            .strip_prefix(word)
            .and_then(|rest| rest.strip_prefix(' '));
        let rest = rest.ok_or_else(|| {
            error(
                number,
                format!("expected `{word} ...`, found `{}`", short(line)),
            )
        })?;
        Ok((number, rest.trim()))
    }
}

fn error(line: usize, message: String) -> ProofTextError {
    ProofTextError { line, message }
}

fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

fn cells(number: usize, text: &str, rules: Rules) -> Result<Vec<Cell>, ProofTextError> {
    if text == "-" {
        return Ok(Vec::new());
    }
    let mut cells = Vec::new();
    let mut seen = HashSet::new();
    for part in split_cells(text) {
        let cell: Cell = part
            .parse()
            .map_err(|e: tengen_rules::ParseCellError| error(number, e.to_string()))?;
        if !rules.contains(cell) {
            return Err(error(number, format!("{cell} is off the board")));
        }
        if !seen.insert(cell) {
            return Err(error(number, format!("{cell} is named twice in one set")));
        }
        cells.push(cell);
    }
    Ok(cells)
}

/// Two opposite corners of a rectangle on the infinite board.
fn corners(number: usize, text: &str, rules: Rules) -> Result<(Cell, Cell), ProofTextError> {
    if rules.size().is_some() {
        let message = "a region is for the infinite board, this one is finite";
        return Err(error(number, message.to_owned()));
    }
    match cells(number, text, rules)?[..] {
        [one, other] => Ok((one, other)),
        _ => Err(error(
            number,
            format!("expected two corners CELL,CELL, found `{}`", short(text)),
        )),
    }
}

/// Splits at commas outside of parentheses: `J10,(-3,12)`.
fn split_cells(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut inside) = (Vec::new(), 0, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => inside = true,
            b')' => inside = false,
            b',' if !inside => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

impl FromStr for Proof {
    type Err = ProofTextError;

    fn from_str(text: &str) -> Result<Self, ProofTextError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut lines = Lines {
            lines: text.lines().enumerate(),
            last: 0,
        };
        let (number, version) = lines.field("tengen-proof")?;
        if version != VERSION.to_string() {
            return Err(error(
                number,
                format!(
                    "version {} of the format, expected {VERSION}",
                    short(version)
                ),
            ));
        }
        let (number, rules) = lines.field("rules")?;
        let rules: Rules = rules
            .parse()
            .map_err(|e: tengen_rules::ParseRulesError| error(number, e.to_string()))?;
        let (number, setup) = lines.field("position")?;
        let position =
            notation::parse_setup(setup, rules).map_err(|e| error(number, e.to_string()))?;
        Position::from_setup(&position).map_err(|e| error(number, e.to_string()))?;
        let (number, attacker) = lines.field("attacker")?;
        let attacker = match attacker {
            "black" => Side::Black,
            "white" => Side::White,
            other => {
                return Err(error(
                    number,
                    format!("expected black or white, found `{}`", short(other)),
                ));
            }
        };
        let (mut except, mut region, mut zones) = (Vec::new(), None, Vec::new());
        let (number, count) = loop {
            let (number, line) = lines.next("`nodes ...`")?;
            let mut words = line.split_whitespace();
            match (words.next(), words.next(), words.next(), words.next()) {
                (Some("nodes"), Some(count), None, None) => break (number, count),
                (Some("except"), Some(stones), None, None)
                    if region.is_none() && zones.is_empty() =>
                {
                    if position.to_move == attacker {
                        let message = "`except` is for replies, but the attacker is to move";
                        return Err(error(number, message.to_owned()));
                    }
                    except.push(cells(number, stones, rules)?);
                }
                (Some("region"), Some(list), None, None)
                    if region.is_none() && zones.is_empty() =>
                {
                    region = Some(corners(number, list, rules)?);
                }
                (Some("zone"), Some(index), Some(list), None)
                    if index == (zones.len() + 1).to_string() =>
                {
                    zones.push(cells(number, list, rules)?);
                }
                _ => {
                    let next = zones.len() + 1;
                    let message = format!(
                        "expected `except STONES`, `region CELL,CELL`, `zone {next} CELLS` or \
                         `nodes NUMBER` in this order, found `{}`",
                        short(line)
                    );
                    return Err(error(number, message));
                }
            }
        };
        let count: usize = count.parse().map_err(|_| {
            error(
                number,
                format!("`{}` is not a number of nodes", short(count)),
            )
        })?;
        let mut nodes = Vec::new();
        for id in 0..count {
            let (number, line) = lines.next(&format!("node {id} of {count}"))?;
            nodes.push(node(number, line, id, count, rules)?);
        }
        let (number, end) = lines.next("`end`")?;
        if end != "end" {
            return Err(error(
                number,
                format!("expected `end` after {count} nodes, found `{}`", short(end)),
            ));
        }
        if let Ok((number, line)) = lines.next("nothing") {
            return Err(error(
                number,
                format!("expected nothing after `end`, found `{}`", short(line)),
            ));
        }
        if nodes.is_empty() {
            return Err(error(number, "a proof has at least one node".to_owned()));
        }
        Ok(Self {
            position,
            attacker,
            except,
            region,
            zones,
            nodes,
        })
    }
}

fn node(
    number: usize,
    line: &str,
    id: usize,
    count: usize,
    rules: Rules,
) -> Result<ProofNode, ProofTextError> {
    let mut words = line.split_whitespace();
    if words.next() != Some(id.to_string().as_str()) {
        return Err(error(
            number,
            format!("expected node {id}, found `{}`", short(line)),
        ));
    }
    let turn = words.next().ok_or_else(|| {
        error(
            number,
            "expected the attacker's turn after the id".to_owned(),
        )
    })?;
    let mut node = ProofNode {
        turn: cells(number, turn, rules)?,
        replies: Vec::new(),
    };
    for word in words {
        let form = || {
            error(
                number,
                format!("expected STONES=CHILD, found `{}`", short(word)),
            )
        };
        let (stones, child) = word.rsplit_once('=').ok_or_else(form)?;
        let child: u32 = child.parse().map_err(|_| form())?;
        if child as usize <= id || child as usize >= count {
            let message = format!(
                "node {id} names child {child}, expected one from {} to {}",
                id + 1,
                count - 1
            );
            return Err(error(number, message));
        }
        node.replies.push(Reply {
            stones: cells(number, stones, rules)?,
            child,
        });
    }
    Ok(node)
}
