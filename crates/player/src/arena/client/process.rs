//! Runs an engine as a process of its own and passes lines between it and a [`Client`]. Whatever the engine
//! does, nothing here waits longer than it was told to.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use super::{Client, Heard, ProtocolKind, Start};
use crate::arena::own::PERIOD;
use crate::arena::{Contestant, Fault, Question, Reply};

/// How long an engine may take to get ready.
const START: Duration = Duration::from_secs(60);

/// How long it may take to leave.
const LEAVE: Duration = Duration::from_millis(500);

/// No line is longer.
const MAX_LINE: u64 = 64 << 10;

/// An engine that says so much without a turn says nothing.
const MAX_CHAT: usize = 100_000;

/// An engine of somebody else.
pub(in crate::arena) struct External {
    client: Box<dyn Client>,
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<Vec<u8>>,
}

impl External {
    /// Starts it and waits until it is ready.
    pub(in crate::arena) fn start(
        protocol: ProtocolKind,
        command: &[String],
        game: Start,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<Self, Fault> {
        let (program, arguments) = command
            .split_first()
            .ok_or_else(|| Fault::Crashed("no command was given".to_owned()))?;
        let mut process = Command::new(program);
        process
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        apart(&mut process);
        let cannot = |error| Fault::Crashed(format!("cannot start `{program}`: {error}"));
        let mut child = process.spawn().map_err(cannot)?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Fault::Crashed(format!("`{program}` has no pipes")));
        };
        let (sender, lines) = mpsc::sync_channel(1024);
        thread::spawn(move || read(stdout, &sender));
        let mut engine = Self {
            client: protocol.client(game),
            child,
            stdin,
            lines,
        };
        let hello = engine.client.hello();
        if !hello.is_empty() {
            engine.say(&hello);
            engine.until(Some(START), stopped, |heard| {
                (heard == Heard::Ready).then_some(())
            })?;
        }
        Ok(engine)
    }

    /// What cannot be said is heard: the engine's output ends.
    fn say(&mut self, lines: &[String]) {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let _ = self.stdin.write_all(text.as_bytes());
        let _ = self.stdin.flush();
    }

    /// Listens until something wanted is heard.
    fn until<T>(
        &mut self,
        patience: Option<Duration>,
        stopped: &(dyn Fn() -> bool + Sync),
        wanted: impl Fn(Heard) -> Option<T>,
    ) -> Result<T, Fault> {
        let start = Instant::now();
        let mut chat = 0;
        loop {
            if stopped() {
                return Err(Fault::Stopped);
            }
            let waited = start.elapsed();
            if patience.is_some_and(|patience| waited > patience) {
                return Err(Fault::Silent(waited));
            }
            match self.lines.recv_timeout(PERIOD) {
                Ok(line) => {
                    let line = String::from_utf8_lossy(&line);
                    let heard = self.client.hear(line.trim()).map_err(Fault::Garbage)?;
                    if let Some(found) = wanted(heard) {
                        return Ok(found);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
            }
            chat += 1;
            if chat > MAX_CHAT && patience.is_none() {
                return Err(Fault::Garbage(format!("{MAX_CHAT} lines without a turn")));
            }
        }
    }

    /// Its output has ended; how, if it says so soon.
    fn ended(&mut self) -> Fault {
        let status = leave(&mut self.child);
        Fault::Crashed(status.map_or_else(
            || "it closed its output".to_owned(),
            |status| format!("it ended with {status}"),
        ))
    }
}

impl Contestant for External {
    fn play(&mut self, question: &Question<'_>) -> Result<Reply, Fault> {
        let lines = self.client.ask(question.position, &question.limits);
        self.say(&lines);
        let turn = self.until(question.patience, question.stopped, |heard| match heard {
            Heard::Turn(turn) => Some(turn),
            Heard::Nothing | Heard::Ready => None,
        })?;
        Ok(Reply::bare(turn))
    }
}

impl Drop for External {
    /// Asks it to leave, and makes it leave.
    fn drop(&mut self) {
        self.say(&[self.client.bye().to_owned()]);
        if leave(&mut self.child).is_none() {
            // It may have ended in between.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Waits a little for the end of a process.
fn leave(child: &mut Child) -> Option<std::process::ExitStatus> {
    let start = Instant::now();
    loop {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        if start.elapsed() > LEAVE {
            return None;
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// Ctrl-C on our terminal is for us: an engine that dies of it would seem to have crashed.
#[cfg(unix)]
fn apart(process: &mut Command) {
    use std::os::unix::process::CommandExt as _;
    process.process_group(0);
}

#[cfg(not(unix))]
fn apart(_process: &mut Command) {}

/// Passes lines on until the engine's output ends or nobody listens. A line that is too long comes in
/// parts.
fn read(stdout: ChildStdout, lines: &SyncSender<Vec<u8>>) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        match stdout.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) if lines.send(line).is_err() => return,
            Ok(_) => {}
        }
    }
}
