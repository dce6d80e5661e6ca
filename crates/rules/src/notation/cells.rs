//! Cells in running text: `J10`, `j9l11`, `1.j10 2.i9l10`, `(-3,12)`, with any separators.

use super::error::{found, shortened};
use super::{Format, NotationError};
use crate::Cell;

/// Whether the character may stand between cells.
pub(crate) fn separates(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | ';' | '/' | '|' | '-')
}

/// The cell at the beginning of `text` and how many bytes it takes, or what is wrong.
pub(crate) fn cell_at(text: &str) -> Result<(Cell, usize), String> {
    let length = if text.starts_with('(') {
        // No cell is longer; an opening parenthesis may be followed by megabytes of something else.
        let window = &text[..text.floor_char_boundary(24)];
        match window.find(')') {
            Some(end) => end + 1,
            None => return Err("expected a cell such as `(3,-2)` and its `)`".to_owned()),
        }
    } else {
        let letters = text
            .bytes()
            .take_while(u8::is_ascii_alphabetic)
            .take(3)
            .count();
        let digits = text.as_bytes()[letters..]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .take(6)
            .count();
        if letters == 0 {
            return Err(format!(
                "expected a cell such as J10, found {}",
                found(text)
            ));
        }
        if digits == 0 && letters < 3 {
            let column = &text[..letters];
            let rest = found(&text[letters..]);
            return Err(format!(
                "expected a row number after column `{column}`, found {rest}"
            ));
        }
        letters + digits
    };
    match text[..length].parse() {
        Ok(cell) => Ok((cell, length)),
        Err(_) => Err(format!(
            "`{}` is not a cell, expected a column letter and a row number, such as J10",
            shortened(&text[..length])
        )),
    }
}

/// The cells of a part of a text, each with its place. Skips separators, `#` comments to the end
/// of the line, and turn numbers such as `12.`.
#[derive(Debug)]
pub(crate) struct Cells<'a> {
    format: Format,
    text: &'a str,
    at: usize,
    end: usize,
}

impl<'a> Cells<'a> {
    pub(crate) const fn new(format: Format, text: &'a str, at: usize, end: usize) -> Self {
        Self {
            format,
            text,
            at,
            end,
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..self.end]
    }

    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let kept = rest.trim_start_matches(separates);
            self.at += rest.len() - kept.len();
            if kept.starts_with('#') {
                self.at += kept.find('\n').unwrap_or(kept.len());
            } else {
                let digits = kept.bytes().take_while(u8::is_ascii_digit).count();
                if digits == 0 || !kept[digits..].starts_with('.') {
                    return;
                }
                let dots = kept[digits..].bytes().take_while(|&b| b == b'.').count();
                self.at += digits + dots;
            }
        }
    }

    /// The next cell and the offset at which it stands.
    pub(crate) fn next_cell(&mut self) -> Result<Option<(usize, Cell)>, NotationError> {
        self.skip();
        let (at, rest) = (self.at, self.rest());
        if rest.is_empty() {
            return Ok(None);
        }
        let (cell, length) = cell_at(rest)
            .map_err(|reason| NotationError::at(self.format, self.text, at, reason))?;
        self.at += length;
        Ok(Some((at, cell)))
    }
}
