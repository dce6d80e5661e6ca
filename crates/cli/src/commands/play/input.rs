//! Lines from a person or from a pipe.

use std::io::{self, BufRead as _, IsTerminal as _, Read as _, StdinLock, Write as _};

use crate::output::Output;

/// No line that means anything is longer; what is beyond counts as the next one.
const MOST: u64 = 4096;

/// Standard input.
pub(crate) struct Input {
    stdin: StdinLock<'static>,
    terminal: bool,
}

impl Input {
    pub(crate) fn new() -> Self {
        let stdin = io::stdin().lock();
        let terminal = stdin.is_terminal();
        Self { stdin, terminal }
    }

    /// The next line; `None` at the end. What comes from a pipe is repeated, so that the output can be
    /// read like a terminal's.
    pub(crate) fn line(&mut self, prompt: &str, out: &mut Output) -> io::Result<Option<String>> {
        write!(out, "{prompt}")?;
        out.flush()?;
        let mut bytes = Vec::new();
        let read = self.stdin.by_ref().take(MOST).read_until(b'\n', &mut bytes);
        // What is repeated, here or in messages, cannot drive the terminal.
        let clean = |c: char| if c.is_control() { '?' } else { c };
        let line = String::from_utf8_lossy(&bytes);
        let line: String = line.trim().chars().map(clean).collect();
        if read? == 0 {
            writeln!(out)?;
            return Ok(None);
        }
        if !self.terminal {
            writeln!(out, "{line}")?;
        }
        Ok(Some(line))
    }
}
