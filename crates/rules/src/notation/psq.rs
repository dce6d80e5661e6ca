//! Piskvork's saved games: `Piskvorky 20x20, 7:7, 0`, then `x,y,ms` per move, then the names of
//! the two programs and a code.
//!
//! `x` counts from 1 at the left, `y` from 1 at the **top**. The last number of the first line
//! tells which of the two named players begins. The code says how the game ended for the manager
//! (-1: normally), not who won. The rule for overlines is not stored.

use super::error::{found, shortened};
use super::{Format, NotationError, ReadOptions, WriteError, charset, lines};
use crate::{Action, Cell, Overline, Placement, Record, Rules, Setup};

const FORMAT: Format = Format::Psq;
/// Stands for a name that is not known: an empty line would be skipped.
const NO_NAME: &str = "?";

pub(super) fn read(bytes: &[u8], options: &ReadOptions) -> Result<Vec<Record>, NotationError> {
    let text = charset::decode_file(bytes, options.charset, None);
    let mut at = 0;
    let placed = text.split_inclusive('\n').map(|line| {
        let start = at;
        at += line.len();
        (start + line.len() - line.trim_start().len(), line.trim())
    });
    let mut lines = placed.filter(|(_, line)| !line.is_empty());
    let (first_at, first) = lines.next().unwrap_or((0, ""));
    let header = Header::parse(first).ok_or_else(|| {
        let what = if first.is_empty() {
            found("")
        } else {
            format!("`{}`", shortened(first))
        };
        let reason = format!("expected {}, found {what}", FORMAT.beginning());
        NotationError::at(FORMAT, &text, first_at, reason)
    })?;
    let rules = header
        .rules(options.rules)
        .map_err(|reason| NotationError::at(FORMAT, &text, first_at, reason))?;

    let mut record = Record::new(Setup::empty(rules));
    let mut node = Record::ROOT;
    let mut number = 0;
    let mut names: Vec<&str> = Vec::new();
    for (at, line) in lines {
        if names.is_empty() && is_move(line) {
            number += 1;
            if number > header.cells() {
                let reason = format!("more than {} moves, expected one per cell", header.cells());
                return Err(NotationError::at(FORMAT, &text, at, reason));
            }
            let cell = header.cell(line).map_err(|reason| {
                NotationError::at(FORMAT, &text, at, format!("move {number}: {reason}"))
            })?;
            let side = rules.side_of_stone(number - 1);
            node = record.add(node, Action::Place(Placement { side, cell }));
        } else if names.len() == 2 || is_move(line) || line.parse::<i64>().is_ok() {
            break;
        } else {
            names.push(line);
        }
    }
    let name = |index: usize| {
        let known = names.get(index).filter(|name| **name != NO_NAME);
        known.map_or(String::new(), |name| name.replace('\r', " "))
    };
    let begins = usize::from(header.second_begins);
    record.info.black = name(begins);
    record.info.white = name(1 - begins);
    Ok(vec![record])
}

/// Whether the line is meant as a move: a digit first, and a comma somewhere.
fn is_move(line: &str) -> bool {
    line.starts_with(|c: char| c.is_ascii_digit()) && line.contains(',')
}

/// The first line.
struct Header {
    width: u32,
    height: u32,
    second_begins: bool,
}

impl Header {
    fn parse(line: &str) -> Option<Self> {
        let (word, rest) = line.split_once(' ')?;
        if !word.get(..7)?.eq_ignore_ascii_case("piskvor") {
            return None;
        }
        let mut fields = rest.split(',').map(str::trim);
        let (width, height) = fields.next()?.split_once(['x', 'X'])?;
        Some(Self {
            width: width.trim().parse().ok()?,
            height: height.trim().parse().ok()?,
            second_begins: fields.nth(1) == Some("1"),
        })
    }

    fn rules(&self, given: Option<Rules>) -> Result<Rules, String> {
        let (width, height) = (self.width, self.height);
        match given {
            None => Rules::finite(width, height, 5, 1, 1, Overline::Wins).map_err(|reasons| {
                let reasons: Vec<String> = reasons.iter().map(ToString::to_string).collect();
                reasons.join("; ")
            }),
            Some(rules) => {
                let board = rules.size().map(|(w, h)| (u32::from(w), u32::from(h)));
                if board == Some((width, height)) {
                    Ok(rules)
                } else {
                    Err(format!(
                        "the board is {width}x{height}, that of the rules {rules} is not"
                    ))
                }
            }
        }
    }

    /// How many cells the board has; its sides are at most 63.
    const fn cells(&self) -> usize {
        self.width as usize * self.height as usize
    }

    fn cell(&self, line: &str) -> Result<Cell, String> {
        let fields: Vec<&str> = line.splitn(4, ',').map(str::trim).collect();
        let wrong = || format!("expected `x,y,time`, found `{}`", shortened(line));
        let number = |field: &str| field.parse::<i64>().map_err(|_| wrong());
        let (x, y) = match fields[..] {
            [x, y] => (number(x)?, number(y)?),
            [x, y, time] => {
                number(time)?;
                (number(x)?, number(y)?)
            }
            _ => return Err(wrong()),
        };
        for (name, value, most) in [("column", x, self.width), ("row", y, self.height)] {
            if !(1..=i64::from(most)).contains(&value) {
                return Err(format!(
                    "{name} {value} is off the board, expected 1 to {most}"
                ));
            }
        }
        // Both are at most 63 now; rows come from the top.
        Ok(Cell::new(x as i16 - 1, self.height as i16 - y as i16))
    }
}

pub(super) fn write(records: &[Record]) -> Result<Vec<u8>, WriteError> {
    let [record] = records else {
        return Err(WriteError::SeveralGames {
            format: FORMAT,
            games: records.len(),
        });
    };
    let rules = record.rules();
    let gomoku = (rules.line(), rules.per_turn(), rules.first_turn()) == (5, 1, 1);
    let Some((width, height)) = rules.size().filter(|_| gomoku) else {
        return Err(WriteError::Rules {
            format: FORMAT,
            rules,
            holds: "five in a row, one stone per turn, on a finite board",
        });
    };
    let cells = lines::single_line_in_turn(record, FORMAT)?;
    let mut text = format!("Piskvorky {width}x{height}, 0:0, 0\n");
    for cell in cells {
        if !rules.contains(cell) {
            return Err(WriteError::OffBoard {
                format: FORMAT,
                cell,
                rules,
            });
        }
        text.push_str(&format!(
            "{},{},0\n",
            cell.x + 1,
            i16::from(height) - cell.y
        ));
    }
    let names = [&record.info.black, &record.info.white];
    if names.iter().any(|name| !name.is_empty()) {
        for name in names {
            text.push_str(&written_name(name)?);
            text.push('\n');
        }
    }
    text.push_str("-1\n");
    Ok(text.into_bytes())
}

fn written_name(name: &str) -> Result<String, WriteError> {
    let name = name.replace(['\n', '\r'], " ");
    let name = name.trim();
    let sign = name.chars().next();
    match sign {
        None => Ok(NO_NAME.to_owned()),
        // It would be read as a move or as the code.
        Some(character) if is_move(name) || name.parse::<i64>().is_ok() => Err(WriteError::Text {
            format: FORMAT,
            text: shortened(name),
            character,
        }),
        Some(_) => Ok(name.to_owned()),
    }
}
