//! `tengen-check FILE...`: checks proofs and prints one verdict a line.
//!
//! Exits with 0 if every file is VERIFIED, 1 if one is REJECTED, otherwise 2.

#![forbid(unsafe_code)]
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is the program's output"
)]

use std::process::ExitCode;
use std::time::Instant;

use tengen_checker::{DrawVerdict, Limits, Verdict, check, check_draw, is_draw_certificate};

fn main() -> ExitCode {
    let files: Vec<_> = std::env::args_os().skip(1).collect();
    if files.is_empty() {
        eprintln!("usage: tengen-check FILE...");
        return ExitCode::from(2);
    }
    let mut codes = Vec::new();
    for file in &files {
        let name = file.display();
        let bytes = match std::fs::read(file) {
            Ok(bytes) => bytes,
            Err(error) => {
                eprintln!("tengen-check: cannot read {name}: {error}");
                codes.push(2);
                continue;
            }
        };
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
