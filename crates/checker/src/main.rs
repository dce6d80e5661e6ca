//! `tengen-check FILE...`: checks proofs and prints one verdict a line.
//!
//! `--sample N` looks at N records only of each database of Go-Moku, which is quick and proves nothing;
//! `--seed S` chooses others. Exits with 0 if every file is VERIFIED, 1 if one is REJECTED, otherwise 2.

#![forbid(unsafe_code)]

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, Write as _};
use std::process::ExitCode;
use std::time::Instant;

use tengen_checker::{
    DrawVerdict, GomokuDatabase, GomokuLimits, GomokuVerdict, Limits, Verdict, check, check_draw,
    is_draw_certificate, is_gomoku_database,
};

const USAGE: &str = "usage: tengen-check [--sample N] [--seed S] [--threads N] FILE...";

/// What is asked for.
#[derive(Default)]
struct Arguments {
    sample: Option<u64>,
    seed: u64,
    threads: Option<usize>,
    files: Vec<OsString>,
}

/// `None` if they make no sense.
fn arguments() -> Option<Arguments> {
    let mut given = std::env::args_os().skip(1);
    let mut arguments = Arguments::default();
    while let Some(argument) = given.next() {
        let mut number = || given.next()?.to_str()?.parse().ok();
        match argument.to_str() {
            Some("--sample") => arguments.sample = Some(number()?),
            Some("--seed") => arguments.seed = number()?,
            Some("--threads") => arguments.threads = usize::try_from(number()?).ok(),
            Some(option) if option.starts_with("--") => return None,
            _ => arguments.files.push(argument),
        }
    }
    (!arguments.files.is_empty()).then_some(arguments)
}

/// Prints a line. That nobody reads it any more is no error: the exit code says the same.
fn say(line: impl Display) -> io::Result<()> {
    match writeln!(io::stdout(), "{line}") {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Says what went wrong, if there is anybody to tell.
fn complain(line: impl Display) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Prints the verdict on a database of Go-Moku and returns its exit code.
fn check_gomoku(bytes: &[u8], arguments: &Arguments, name: impl Display) -> io::Result<u8> {
    let start = Instant::now();
    let database = match GomokuDatabase::read(bytes) {
        Ok(database) => database,
        Err(error) => {
            say(format_args!("REJECTED {error}  [{name}]"))?;
            return Ok(1);
        }
    };
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let limits = GomokuLimits {
        threads: arguments.threads.unwrap_or(processors),
        sample: arguments.sample.map(|number| (number, arguments.seed)),
        ..GomokuLimits::default()
    };
    let verdict = database.check(&limits, |_, _| {});
    let seconds = start.elapsed().as_secs_f64();
    say(format_args!("{verdict}  [{name}]"))?;
    if let GomokuVerdict::Verified(report) | GomokuVerdict::VerifiedSample(report) = &verdict {
        say(format_args!("  {report}, {seconds:.3} s"))?;
        say(format_args!("  positions by stones: {:?}", report.plies))?;
    }
    Ok(verdict.exit_code())
}

/// Prints the verdict on a certificate of a draw and returns its exit code.
fn check_certificate(text: &str, name: impl Display) -> io::Result<u8> {
    let start = Instant::now();
    let verdict = check_draw(text, &Limits::default());
    let seconds = start.elapsed().as_secs_f64();
    say(format_args!("{verdict}  [{name}]"))?;
    if let DrawVerdict::Verified(report) = &verdict {
        say(format_args!(
            "  {} positions, {} answers, {seconds:.3} s",
            report.positions, report.answers
        ))?;
    }
    Ok(verdict.exit_code())
}

/// Prints the verdict on a proof of a win and returns its exit code.
fn check_proof(text: &str, name: impl Display) -> io::Result<u8> {
    let start = Instant::now();
    let verdict = check(text, &Limits::default());
    let seconds = start.elapsed().as_secs_f64();
    say(format_args!("{verdict}  [{name}]"))?;
    if let Verdict::Verified(report) | Verdict::VerifiedExcept(report) = &verdict {
        say(format_args!(
            "  {} nodes, {} visits, {} replies covered, depth {}, {seconds:.3} s",
            report.nodes, report.visits, report.covered, report.depth
        ))?;
    }
    Ok(verdict.exit_code())
}

/// Checks one file after the other and returns the worst exit code.
fn run(arguments: &Arguments) -> io::Result<u8> {
    let mut codes = Vec::new();
    for file in &arguments.files {
        let name = file.display();
        codes.push(match std::fs::read(file) {
            Ok(bytes) if is_gomoku_database(&bytes) => check_gomoku(&bytes, arguments, name)?,
            Ok(bytes) => match std::str::from_utf8(&bytes) {
                Ok(text) if is_draw_certificate(text) => check_certificate(text, name)?,
                Ok(text) => check_proof(text, name)?,
                Err(_) => {
                    say(format_args!(
                        "REJECTED the file is not UTF-8 text  [{name}]"
                    ))?;
                    1
                }
            },
            Err(error) => {
                complain(format_args!("tengen-check: cannot read {name}: {error}"));
                2
            }
        });
    }
    Ok(if codes.contains(&1) {
        1
    } else {
        codes.into_iter().max().unwrap_or(2)
    })
}

fn main() -> ExitCode {
    let Some(arguments) = arguments() else {
        complain(USAGE);
        return ExitCode::from(2);
    };
    let code = run(&arguments).unwrap_or_else(|error| {
        complain(format_args!("tengen-check: cannot write: {error}"));
        2
    });
    ExitCode::from(code)
}
