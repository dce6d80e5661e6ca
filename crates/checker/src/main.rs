//! `tengen-check FILE...`: checks proofs and prints one verdict a line.
//!
//! `--sample N` looks at N records only of each database of Go-Moku, which is quick and proves nothing;
//! `--seed S` chooses others. Exits with 0 if every file is VERIFIED, 1 if one is REJECTED, otherwise 2.

#![forbid(unsafe_code)]
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is the program's output"
)]

use std::ffi::OsString;
use std::fmt::Display;
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

/// Prints the verdict on a database of Go-Moku and returns its exit code.
fn check_gomoku(bytes: &[u8], arguments: &Arguments, name: impl Display) -> u8 {
    let start = Instant::now();
    let database = match GomokuDatabase::read(bytes) {
        Ok(database) => database,
        Err(error) => {
            println!("REJECTED {error}  [{name}]");
            return 1;
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
    println!("{verdict}  [{name}]");
    if let GomokuVerdict::Verified(report) | GomokuVerdict::VerifiedSample(report) = &verdict {
        println!("  {report}, {seconds:.3} s");
        println!("  positions by stones: {:?}", report.plies);
    }
    verdict.exit_code()
}

fn main() -> ExitCode {
    let Some(arguments) = arguments() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let mut codes = Vec::new();
    for file in &arguments.files {
        let name = file.display();
        let bytes = match std::fs::read(file) {
            Ok(bytes) => bytes,
            Err(error) => {
                eprintln!("tengen-check: cannot read {name}: {error}");
                codes.push(2);
                continue;
            }
        };
        if is_gomoku_database(&bytes) {
            codes.push(check_gomoku(&bytes, &arguments, name));
            continue;
        }
        let start = Instant::now();
        let Ok(text) = std::str::from_utf8(&bytes) else {
            println!("REJECTED the file is not UTF-8 text  [{name}]");
            codes.push(1);
            continue;
        };
        if is_draw_certificate(text) {
            let verdict = check_draw(text, &Limits::default());
            let seconds = start.elapsed().as_secs_f64();
            println!("{verdict}  [{name}]");
            if let DrawVerdict::Verified(report) = &verdict {
                println!(
                    "  {} positions, {} answers, {seconds:.3} s",
                    report.positions, report.answers
                );
            }
            codes.push(verdict.exit_code());
            continue;
        }
        let verdict = check(text, &Limits::default());
        let seconds = start.elapsed().as_secs_f64();
        println!("{verdict}  [{name}]");
        if let Verdict::Verified(report) | Verdict::VerifiedExcept(report) = &verdict {
            println!(
                "  {} nodes, {} visits, {} replies covered, depth {}, {seconds:.3} s",
                report.nodes, report.visits, report.covered, report.depth
            );
        }
        codes.push(verdict.exit_code());
    }
    let worst = if codes.contains(&1) {
        1
    } else {
        codes.into_iter().max().unwrap_or(2)
    };
    ExitCode::from(worst)
}
