//! Long work, watched: a line on the terminal that says how far it is, nothing on a pipe.

use std::io::{self, IsTerminal as _, Write as _};
use std::panic;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// How often the line is drawn anew.
pub(crate) const PERIOD: Duration = Duration::from_millis(250);

/// Searches recurse once a turn; the longest lines need more than a thread's usual stack.
pub(crate) const STACK: usize = 64 << 20;

/// The line on the terminal.
pub(crate) struct ProgressLine {
    terminal: bool,
    drawn: bool,
}

impl ProgressLine {
    pub(crate) fn new() -> Self {
        Self {
            terminal: io::stderr().is_terminal(),
            drawn: false,
        }
    }

    /// Whether anybody sees it.
    pub(crate) const fn is_shown(&self) -> bool {
        self.terminal
    }

    pub(crate) fn draw(&mut self, text: &str) {
        if self.terminal {
            // Carriage return, text, erase the rest of the line.
            let _ = write!(io::stderr(), "\r{text}\x1b[K");
            self.drawn = true;
        }
    }

    pub(crate) fn erase(&mut self) {
        if self.drawn {
            let _ = write!(io::stderr(), "\r\x1b[K");
            self.drawn = false;
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.erase();
    }
}

/// Waits for a message; meanwhile draws `line` every now and then.
pub(crate) fn next_message<T>(
    messages: &Receiver<T>,
    progress: &mut ProgressLine,
    line: impl Fn() -> String,
) -> Option<T> {
    loop {
        match messages.recv_timeout(PERIOD) {
            Ok(message) => return Some(message),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) if progress.is_shown() => progress.draw(&line()),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Does the work on a thread with a large stack; meanwhile draws `line` every now and then.
pub(crate) fn watched<T: Send>(
    line: impl Fn() -> String,
    work: impl FnOnce() -> T + Send,
) -> io::Result<T> {
    let mut progress = ProgressLine::new();
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        let worker = thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, move || {
                // The receiver is there as long as the scope.
                let _ = sender.send(work());
            })?;
        match next_message(&receiver, &mut progress, line) {
            Some(result) => Ok(result),
            None => match worker.join() {
                Err(payload) => panic::resume_unwind(payload),
                Ok(()) => unreachable!("the work sends its result"),
            },
        }
    })
}
