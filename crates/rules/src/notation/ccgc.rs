//! Records of the Chinese Computer Games Championship:
//! `{[C6][first team B][second team W][先手胜][date place][event];B(J,10);W(I,11);W(I,12)}`.
//!
//! One stone per token, columns with I, row 1 at the bottom. Files are usually GB2312; we write
//! UTF-8, which every character fits in and which cannot be mistaken for another set.

use super::budget::Budget;
use super::cells::cell_at;
use super::charset::{self, Charset};
use super::error::{found, shortened};
use super::{Format, NotationError, Place, ReadOptions, WriteError, lines};
use crate::setup::board_in_words;
use crate::{Action, Info, Placement, Record, Rules, Setup, Side};

const FORMAT: Format = Format::Ccgc;

/// The results' words and what they mean in SGF's.
const RESULTS: [(&str, &str); 3] = [("先手胜", "B+"), ("后手胜", "W+"), ("和棋", "0")];

pub(super) fn read(bytes: &[u8], options: &ReadOptions) -> Result<Vec<Record>, NotationError> {
    // The format is Chinese: what is not UTF-8 is GBK.
    let utf8 = str::from_utf8(bytes).is_ok();
    let usual = if utf8 { Charset::Utf8 } else { Charset::Gbk };
    let text = charset::decode_file(bytes, options.charset.or(Some(usual)), None);
    let mut reader = Reader {
        text: &text,
        at: 0,
        rules: options.rules.unwrap_or(Rules::CONNECT6),
        budget: Budget::new(FORMAT),
    };
    let mut records = Vec::new();
    while records.is_empty() || !reader.at_end() {
        records.push(reader.game()?);
    }
    Ok(records)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    rules: Rules,
    budget: Budget,
}

impl<'a> Reader<'a> {
    /// What follows after blanks.
    fn rest(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let kept = rest.trim_start();
        self.at += rest.len() - kept.len();
        kept
    }

    fn at_end(&mut self) -> bool {
        self.rest().trim_start_matches(['\0', '\x1a']).is_empty()
    }

    fn error(&self, at: usize, reason: impl Into<String>) -> NotationError {
        NotationError::at(FORMAT, self.text, at, reason)
    }

    fn expected(&mut self, what: &str) -> NotationError {
        let reason = format!("expected {what}, found {}", found(self.rest()));
        self.error(self.at, reason)
    }

    fn take(&mut self, sign: char, what: &str) -> Result<(), NotationError> {
        if !self.rest().starts_with(sign) {
            return Err(self.expected(what));
        }
        self.at += sign.len_utf8();
        Ok(())
    }

    fn game(&mut self) -> Result<Record, NotationError> {
        self.rest();
        let opened = self.at;
        self.take('{', "`{`, the beginning of a game")?;
        self.budget
            .take_record(|| Place::in_text(self.text, opened))?;
        let mut record = Record::new(Setup::empty(self.rules));
        let mut fields = 0;
        while self.rest().starts_with('[') {
            let at = self.at;
            let field = self.field()?;
            set_fact(&mut record.info, fields, field)
                .map_err(|reason| self.error(at + 1, reason))?;
            fields += 1;
        }
        if fields == 0 {
            return Err(self.expected("`[C6]`"));
        }
        let mut node = Record::ROOT;
        loop {
            let rest = self.rest();
            if rest.starts_with(';') {
                self.at += 1;
                // A semicolon after the last stone is common.
                if !self.rest().starts_with('}') {
                    let stone = self.stone()?;
                    self.budget.take(1, || Place::in_text(self.text, self.at))?;
                    node = record.add(node, Action::Place(stone));
                }
            } else if rest.starts_with('}') {
                self.at += 1;
                return Ok(record);
            } else {
                let what = format!(
                    "`;` before the next stone, or `}}` to close the game opened at {}",
                    Place::in_text(self.text, opened)
                );
                return Err(self.expected(&what));
            }
        }
    }

    fn field(&mut self) -> Result<&'a str, NotationError> {
        let inside = self.at + 1;
        let rest = &self.text[inside..];
        match rest.find(']') {
            Some(length) => {
                self.at = inside + length + 1;
                Ok(&rest[..length])
            }
            None => {
                let opened = Place::in_text(self.text, self.at);
                self.at = self.text.len();
                Err(self.expected(&format!("`]` to close the field opened at {opened}")))
            }
        }
    }

    /// `B(J,10)`
    fn stone(&mut self) -> Result<Placement, NotationError> {
        let side = match self.rest().bytes().next() {
            Some(b'B' | b'b') => Side::Black,
            Some(b'W' | b'w') => Side::White,
            _ => return Err(self.expected("`B` or `W`")),
        };
        self.at += 1;
        self.take('(', "`(`")?;
        let rest = self.rest();
        let at = self.at;
        let inside = match rest.find(')') {
            Some(length) if length <= 16 => &rest[..length],
            _ => return Err(self.expected("a column, a comma, a row and `)`, such as `J,10)`")),
        };
        let name: String = inside
            .chars()
            .filter(|c| *c != ',' && !c.is_whitespace())
            .collect();
        let cell = match cell_at(&name) {
            Ok((cell, length)) if length == name.len() && inside.contains(',') => cell,
            _ => {
                let point = shortened(inside);
                let reason = format!("`({point})` is not a cell, expected one such as `(J,10)`");
                return Err(self.error(at, reason));
            }
        };
        if !self.rules.contains(cell) {
            let reason = format!("{cell} is off the board, {}", board_in_words(self.rules));
            return Err(self.error(at, reason));
        }
        self.at = at + inside.len() + 1;
        Ok(Placement { side, cell })
    }
}

/// Takes the field with this number, from 0; those after the sixth mean nothing to us.
fn set_fact(info: &mut Info, number: usize, field: &str) -> Result<(), String> {
    let field = one_line(field);
    match number {
        0 if !field.eq_ignore_ascii_case("C6") => {
            return Err(format!(
                "`{}` is another game, expected `C6`, Connect6",
                shortened(&field)
            ));
        }
        1 => info.black = without_letter(&field, 'B'),
        2 => info.white = without_letter(&field, 'W'),
        3 => info.result = in_sgf_words(&field),
        4 => {
            let is_date = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
            let words: Vec<&str> = field.split(' ').collect();
            let date = words.iter().take_while(|word| is_date(word)).count();
            info.date = words[..date].join(" ");
            info.place = words[date..].join(" ");
        }
        5 => info.event = field,
        _ => {}
    }
    Ok(())
}

/// One line with single blanks.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// `team B` is the team's name and its colour.
fn without_letter(field: &str, letter: char) -> String {
    match field.strip_suffix(letter) {
        Some("") => String::new(),
        Some(name) if name.ends_with(' ') => name.trim_end().to_owned(),
        _ => field.to_owned(),
    }
}

fn in_sgf_words(result: &str) -> String {
    let known = RESULTS
        .iter()
        .find(|(chinese, sgf)| result == *chinese || result == *sgf);
    if let Some((_, sgf)) = known {
        return (*sgf).to_owned();
    }
    // CCGC says who won, not how.
    for won in ["B+", "W+"] {
        if result.starts_with(won) {
            return won.to_owned();
        }
    }
    let draw = result.eq_ignore_ascii_case("draw");
    if draw { "0" } else { result }.to_owned()
}

fn in_chinese(result: &str) -> String {
    let result = in_sgf_words(&one_line(result));
    let known = RESULTS.iter().find(|(_, sgf)| result == *sgf);
    known.map_or(result.clone(), |(chinese, _)| (*chinese).to_owned())
}

pub(super) fn write(records: &[Record]) -> Result<Vec<u8>, WriteError> {
    let mut text = String::new();
    for record in records {
        let rules = record.rules();
        if rules != Rules::CONNECT6 {
            return Err(WriteError::Rules {
                format: FORMAT,
                rules,
                holds: "Connect6",
            });
        }
        let stones = lines::single_line(record, FORMAT)?;
        let info = &record.info;
        let fields = [
            "C6".to_owned(),
            format!("{} B", one_line(&info.black)),
            format!("{} W", one_line(&info.white)),
            in_chinese(&info.result),
            one_line(&format!("{} {}", info.date, info.place)),
            one_line(&info.event),
        ];
        text.push('{');
        for field in fields {
            if field.contains(']') {
                return Err(WriteError::Text {
                    format: FORMAT,
                    text: shortened(&field),
                    character: ']',
                });
            }
            text.push_str(&format!("[{}]", field.trim()));
        }
        for Placement { side, cell } in stones {
            let column = crate::Cell::column_name(cell.x).filter(|_| rules.contains(cell));
            let Some(column) = column else {
                return Err(WriteError::OffBoard {
                    format: FORMAT,
                    cell,
                    rules,
                });
            };
            text.push_str(&format!(";{}({column},{})", side.letter(), cell.y + 1));
        }
        text.push_str("}\n");
    }
    Ok(text.into_bytes())
}
