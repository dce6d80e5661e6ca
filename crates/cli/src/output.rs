//! Where output goes: stdout, buffered, with or without colour.

use std::fs;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::path::Path;

use anstream::{AutoStream, ColorChoice};
use anyhow::{Context as _, anyhow};

use crate::args::ColorWhen;
use crate::board_text::TextStyle;
use crate::error::io_words;

/// Standard output and how to draw on it.
pub(crate) struct Output {
    stdout: BufWriter<StdoutLock<'static>>,
    colour: bool,
}

impl Output {
    /// Decides about colour once: the drawing itself depends on it.
    pub(crate) fn new(when: ColorWhen) -> Self {
        let stdout = io::stdout();
        let colour = match when {
            ColorWhen::Always => true,
            ColorWhen::Never => false,
            ColorWhen::Auto => AutoStream::choice(&stdout) != ColorChoice::Never,
        };
        Self {
            stdout: BufWriter::new(stdout.lock()),
            colour,
        }
    }

    /// How to draw a board here.
    pub(crate) fn text_style(&self, ascii: bool) -> TextStyle {
        TextStyle {
            ascii: ascii || !locale_is_utf8(),
            colour: self.colour,
        }
    }

    /// Whether a person looks at it directly.
    pub(crate) fn is_terminal(&self) -> bool {
        self.stdout.get_ref().is_terminal()
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stdout.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stdout.flush()
    }
}

/// Writes a whole file.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let words = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => anyhow!("there is no such folder"),
        _ => anyhow!(io_words(&error)),
    };
    fs::write(path, bytes)
        .map_err(words)
        .with_context(|| format!("cannot write `{}`", path.display()))
}

/// What the environment says about characters: the first of the three variables that is set.
fn locale_is_utf8() -> bool {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(|name| std::env::var(name).ok())
        .find(|value| !value.is_empty());
    set.is_some_and(|value| {
        let value = value.to_lowercase();
        value.contains("utf-8") || value.contains("utf8")
    })
}

/// A number as people write it: 23,327,820.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_are_grouped() {
        for (number, text) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (23_327_820, "23,327,820"),
        ] {
            assert_eq!(grouped(number), text);
        }
    }
}
