//! Errors become prose here: one line with the whole chain of reasons, and a hint when there is one.
//!
//! Exit codes: 0 done, 1 a check failed, 2 bad input or usage, 101 a bug in tengen, 130 stopped with
//! Ctrl-C before the end. A broken pipe is success: whoever read our output has seen enough.

use std::any::Any;
use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::{ContextKind, ErrorKind};

/// Bad input or usage.
const BAD_INPUT: u8 = 2;
/// A test that the user asked for has failed.
const CHECK_FAILED: u8 = 1;
/// A bug; the code that Rust programs end with when they panic.
const BUG: u8 = 101;

/// An error with advice for the user.
#[derive(Debug)]
struct Hinted {
    message: String,
    hint: String,
}

impl fmt::Display for Hinted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Hinted {}

/// A check that the user asked for found a difference; the details are already printed.
#[derive(Debug)]
pub(crate) struct CheckFailed(pub(crate) String);

impl fmt::Display for CheckFailed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CheckFailed {}

/// Ends with this exit code; everything is already said.
#[derive(Debug)]
pub(crate) struct ExitWith(pub(crate) u8);

impl fmt::Display for ExitWith {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "exit code {}", self.0)
    }
}

impl std::error::Error for ExitWith {}

/// Adds a hint to a failure.
pub(crate) trait WithHint<T> {
    /// The hint is printed after a blank line; the closure decides whether there is one.
    fn hint(self, hint: impl FnOnce() -> Option<String>) -> anyhow::Result<T>;
}

impl<T, E: Into<anyhow::Error>> WithHint<T> for Result<T, E> {
    fn hint(self, hint: impl FnOnce() -> Option<String>) -> anyhow::Result<T> {
        self.map_err(|error| {
            let error = error.into();
            match hint() {
                Some(hint) => Hinted {
                    message: format!("{error:#}"),
                    hint,
                }
                .into(),
                None => error,
            }
        })
    }
}

/// What the operating system says, in our words: lower case, without a number.
pub(crate) fn io_words(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::IsADirectory => "it is a directory".to_owned(),
        _ => {
            let text = error.to_string();
            let words = text.split(" (os error").next().unwrap_or(&text);
            words.to_lowercase()
        }
    }
}

/// Prints the failure of a command and chooses the exit code.
pub(crate) fn report(error: &anyhow::Error) -> ExitCode {
    let broken_pipe = error.chain().any(|cause| {
        let io = cause.downcast_ref::<io::Error>();
        io.is_some_and(|io| io.kind() == io::ErrorKind::BrokenPipe)
    });
    if broken_pipe {
        return ExitCode::SUCCESS;
    }
    if let Some(ExitWith(code)) = error.downcast_ref() {
        return ExitCode::from(*code);
    }
    let hinted = error
        .chain()
        .find_map(|cause| cause.downcast_ref::<Hinted>());
    say(&format!("{error:#}"), hinted.map(|h| h.hint.as_str()));
    ExitCode::from(if error.downcast_ref::<CheckFailed>().is_some() {
        CHECK_FAILED
    } else {
        BAD_INPUT
    })
}

/// Prints what clap has to say: help and version to stdout, complaints in our form to stderr.
pub(crate) fn report_usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        // Only a closed pipe can fail here.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = error.print();
        return ExitCode::from(BAD_INPUT);
    }
    let source = std::error::Error::source(error);
    if let (ErrorKind::ValueValidation, Some(source)) = (error.kind(), source) {
        let option = error.get(ContextKind::InvalidArg).map(ToString::to_string);
        let option = option.as_deref().unwrap_or("argument");
        let option = option.split(' ').next().unwrap_or(option);
        say(&format!("{option}: {source}"), None);
    } else {
        // Paragraphs: the complaint, tips, usage, advice to ask for help.
        let text = error.render().to_string();
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut paragraphs = text.split("\n\n").map(words);
        let message = paragraphs.next().unwrap_or_default();
        // Nobody who mistypes an option wants it taken as a position.
        let tip = paragraphs
            .find_map(|text| Some(text.strip_prefix("tip: ")?.to_owned()))
            .filter(|tip| !tip.starts_with("to pass"));
        let hint = tip.unwrap_or_else(|| "`tengen COMMAND --help` explains a command".to_owned());
        let message = message.strip_prefix("error: ").unwrap_or(&message);
        say(message, Some(&hint));
    }
    ExitCode::from(BAD_INPUT)
}

/// Prints a failure that does not end the command.
pub(crate) fn complain(error: &anyhow::Error) {
    say(&format!("{error:#}"), None);
}

/// A panic is a bug, and is reported as one.
pub(crate) fn report_bug(place: Option<String>, payload: &(dyn Any + Send)) -> ExitCode {
    let text = payload
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| payload.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    let place = place.map_or_else(String::new, |place| format!(" ({place})"));
    say(
        &format!("internal error: {text}{place}"),
        Some("this is a bug in tengen; a report with the command line would help"),
    );
    ExitCode::from(BUG)
}

/// Input may hold anything; a message stays on one line and cannot drive the terminal.
fn one_line(text: &str) -> String {
    let escape = |c: char| {
        if c.is_control() {
            c.escape_default().collect::<String>()
        } else {
            c.to_string()
        }
    };
    text.chars().map(escape).collect()
}

fn say(message: &str, hint: Option<&str>) {
    let mut text = format!("tengen: {}\n", one_line(message));
    if let Some(hint) = hint {
        text += &format!("\nhint: {}\n", one_line(hint));
    }
    // Nobody is left to be told when stderr is closed.
    let _ = io::stderr().write_all(text.as_bytes());
}
