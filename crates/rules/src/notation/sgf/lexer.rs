//! The signs of SGF: parentheses, semicolons, and properties with bracketed values.

use crate::notation::error::found;
use crate::notation::{Format, NotationError, Place};

/// A value of a property: what stands between its brackets, escapes and all.
#[derive(Debug, Copy, Clone)]
pub(super) struct Value<'a> {
    pub(super) raw: &'a str,
    /// The offset of `raw` in the file.
    pub(super) at: usize,
}

/// Walks through the text of a file.
#[derive(Debug, Clone)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    pub(super) const fn at(&self) -> usize {
        self.at
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(super) fn place(&self, at: usize) -> Place {
        Place::in_text(self.text, at)
    }

    pub(super) fn error(&self, at: usize, reason: impl Into<String>) -> NotationError {
        NotationError::at(Format::Sgf, self.text, at, reason)
    }

    /// An error here: something else was expected.
    pub(super) fn expected(&self, what: &str) -> NotationError {
        self.error(
            self.at,
            format!("expected {what}, found {}", found(self.rest())),
        )
    }

    /// The next sign that is not a blank.
    pub(super) fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while bytes
            .get(self.at)
            .is_some_and(|&b| b.is_ascii_whitespace() || b == 0x0b)
        {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }

    /// Steps over one ASCII sign.
    pub(super) fn step(&mut self) {
        self.at += 1;
    }

    /// Goes to the first `(;` from here: text before the first game is no part of it.
    pub(super) fn find_game(&mut self) -> bool {
        let mut ahead = self.clone();
        while let Some(open) = ahead.rest().find('(') {
            ahead.at += open + 1;
            let inside = ahead.at;
            if ahead.peek() == Some(b';') {
                self.at = inside - 1;
                return true;
            }
            ahead.at = inside;
        }
        false
    }

    /// Calls `each` with the name and every value of every property up to the end of the node.
    ///
    /// Names lose their lower-case letters, as old files write `Black[hh]`.
    pub(super) fn properties(
        &mut self,
        mut each: impl FnMut(&str, Value<'a>) -> Result<(), NotationError>,
    ) -> Result<(), NotationError> {
        while self.peek().is_some_and(|b| b.is_ascii_alphabetic()) {
            let letters = self
                .rest()
                .bytes()
                .take_while(u8::is_ascii_alphabetic)
                .count();
            let full = &self.rest()[..letters];
            self.at += letters;
            let capitals: String;
            let name = if full.bytes().any(|b| b.is_ascii_lowercase()) {
                capitals = full.chars().filter(char::is_ascii_uppercase).collect();
                &capitals
            } else {
                full
            };
            if self.peek() != Some(b'[') {
                return Err(self.expected(&format!("`[` after the property {}", short(full))));
            }
            while self.peek() == Some(b'[') {
                let value = self.value()?;
                each(name, value)?;
            }
        }
        Ok(())
    }

    fn value(&mut self) -> Result<Value<'a>, NotationError> {
        let open = self.at;
        let begin = open + 1;
        let bytes = self.text.as_bytes();
        let mut at = begin;
        loop {
            match bytes.get(at) {
                Some(b']') => break,
                // The escaped sign may be the first byte of a longer one: none of its bytes is `]`.
                Some(b'\\') => at += 2,
                Some(_) => at += 1,
                None => {
                    self.at = self.text.len();
                    let what = format!("`]` to close the value opened at {}", self.place(open));
                    return Err(self.expected(&what));
                }
            }
        }
        self.at = at + 1;
        Ok(Value {
            raw: &self.text[begin..at],
            at: begin,
        })
    }
}

fn short(name: &str) -> &str {
    &name[..name.len().min(20)]
}
