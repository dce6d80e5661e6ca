//! The `tengen` command: arguments, messages and wiring. What it knows about games it asks the
//! other crates.

mod args;
mod board_svg;
mod board_text;
mod claim_text;
mod commands;
mod error;
mod interrupt;
mod opinion;
mod output;
mod position_input;
mod progress;
mod proof_file;
mod proof_sgf;
mod proof_tree;
mod solving;
mod strategy;
mod suite;
mod thinking;
mod threat_report;
mod turn_input;
mod verifying;
mod view;

use std::io::Write as _;
use std::panic;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use clap::Parser as _;

use crate::args::{Cli, Command};
use crate::output::Output;

fn main() -> ExitCode {
    let place = Arc::new(Mutex::new(None));
    let seen = Arc::clone(&place);
    panic::set_hook(Box::new(move |info| {
        let location = info.location().map(ToString::to_string);
        if let Ok(mut place) = seen.lock() {
            *place = location;
        }
    }));
    match panic::catch_unwind(run) {
        Ok(code) => code,
        Err(payload) => {
            let place = place.lock().ok().and_then(|mut place| place.take());
            error::report_bug(place, payload.as_ref())
        }
    }
}

fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return error::report_usage(&error),
    };
    let mut out = Output::new(cli.color);
    let done = match &cli.command {
        Command::Serve(args) => commands::serve::run(args, &mut out),
        Command::Show(args) => commands::show::run(args, &mut out),
        Command::Threats(args) => commands::threats::run(args, &mut out),
        Command::Solve(args) => match &args.jsonl {
            Some(path) => commands::solve_jsonl::run(args, path, &mut out),
            None => commands::solve::run(args, &mut out),
        },
        Command::Verify(args) => commands::verify::run(args, &mut out),
        Command::Play(args) => commands::play::run(args, &mut out),
        Command::Analyze(args) => commands::analyze::run(args, &mut out),
        Command::Check(args) => commands::check::run(args, &mut out),
        Command::Proof(command) => commands::proof::run(command, &mut out),
        Command::Book(args) => commands::book::run(args, &mut out),
        Command::Opening(args) => commands::opening::run(args, &mut out),
        Command::Worker(args) => commands::worker::run(args, &mut out),
        Command::Grid(command) => commands::grid::run(command, &mut out),
        Command::Puzzle(command) => commands::puzzle::run(command, &mut out),
        Command::Match(args) => commands::match_::run(args, &mut out),
        Command::Engine(args) => commands::engine::run(args, &mut out),
        Command::Drawn(args) => commands::drawn::run(args, &mut out),
        Command::Gomoku(args) => commands::gomoku::run(args, &mut out),
        Command::Tournament(args) => commands::tournament::run(args, &mut out),
        Command::Convert(args) => commands::convert::run(args, &mut out),
        Command::Reproduce(args) => commands::reproduce::run(args, &mut out),
        Command::Perft(args) => commands::perft::run(args, &mut out),
        Command::Bench(args) => commands::bench::run(args, &mut out),
        Command::Completions(args) => commands::papers::completions(args, &mut out),
        Command::Man(args) => commands::papers::man(args, &mut out),
    };
    // What was printed before a failure is printed before the message.
    let flushed = out.flush().map_err(anyhow::Error::from);
    match done.and(flushed) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => error::report(&error),
    }
}
