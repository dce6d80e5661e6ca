//! `tengen puzzle solve` and `rate`: other people's collections.

use std::io::Write as _;

use serde_json::json;
use tengen_puzzles::{Examination, Miner, Options, suits};
use tengen_rules::{Position, Record, Rules, notation};

use super::sources;
use crate::args::PuzzleSolveArgs;
use crate::error::ExitWith;
use crate::interrupt::{self, INTERRUPTED};
use crate::output::Output;

pub(crate) fn run(args: &PuzzleSolveArgs, rate: bool, out: &mut Output) -> anyhow::Result<()> {
    let (games, skipped) = sources::read(&args.file)?;
    let stop = interrupt::flag();
    let mut miner: Option<(Rules, Miner)> = None;
    for (number, record) in games.records.iter().enumerate() {
        if stop.load(std::sync::atomic::Ordering::Relaxed) {
            return Err(ExitWith(INTERRUPTED).into());
        }
        let number = number + 1;
        let position = match puzzle_of(record) {
            Ok(position) => position,
            Err(why) => {
                complain(out, args.json, number, &why)?;
                continue;
            }
        };
        let rules = position.rules();
        let mut at_hand = match miner.take() {
            Some((known, miner)) if known == rules => miner,
            _ => Miner::new(rules, Options::default()),
        };
        let examination = at_hand.examine(&position, args.nodes);
        miner = Some((rules, at_hand));
        if args.json {
            print_json(out, number, &position, &examination, rate)?;
        } else {
            print(out, number, &position, &examination, rate)?;
        }
    }
    for reason in skipped {
        complain(out, args.json, 0, &reason)?;
    }
    Ok(())
}

/// The last position of the main line before a whole turn.
fn puzzle_of(record: &Record) -> Result<Position, String> {
    if !suits(record.rules()) {
        return Err("the rules are none for puzzles: finite boards, one or two stones a turn, overlines win".to_owned());
    }
    let path = record.path(record.main_end());
    let mut last = Err("no position before a whole turn".to_owned());
    for id in path {
        match record.position(id) {
            Ok(position)
                if position.outcome().is_none()
                    && position.left() == position.rules().per_turn() =>
            {
                last = Ok(position);
            }
            Ok(_) => {}
            Err(error) => return last.map_err(|_| error.to_string()),
        }
    }
    last
}

fn complain(out: &mut Output, json: bool, number: usize, why: &str) -> anyhow::Result<()> {
    match (json, number) {
        (true, _) => writeln!(out, "{}", json!({ "number": number, "error": why }))?,
        (false, 0) => writeln!(out, "left out: {why}")?,
        (false, _) => writeln!(out, "{number}: left out: {why}")?,
    }
    Ok(())
}

fn verdict(examination: &Examination) -> &'static str {
    match (
        examination.turns,
        examination.exhausted,
        examination.winning.len(),
    ) {
        (Some(1), _, _) => "a line can be completed at once",
        (Some(_), true, 1) => "unique",
        (Some(_), true, _) => "several solutions",
        (Some(_), false, _) => "won; whether other turns win is open",
        (None, true, _) => "no win by double threats",
        (None, false, _) => "no win found, not exhausted",
    }
}

fn print(
    out: &mut Output,
    number: usize,
    position: &Position,
    examination: &Examination,
    rate: bool,
) -> anyhow::Result<()> {
    let words = verdict(examination);
    write!(out, "{number}: {} to move, {words}", position.to_move())?;
    if let Some(turns) = examination.turns.filter(|&turns| turns > 1) {
        let turns_text: Vec<String> = examination
            .winning
            .iter()
            .map(ToString::to_string)
            .collect();
        let checked = if examination.verified {
            "VERIFIED"
        } else {
            "not verified"
        };
        write!(
            out,
            ": {} in {turns} turns, {checked}",
            turns_text.join(" or ")
        )?;
    }
    if rate && let Some((rating, grade)) = examination.rating {
        write!(out, ", rating {rating}, grade {grade}")?;
    }
    writeln!(out)?;
    Ok(())
}

fn print_json(
    out: &mut Output,
    number: usize,
    position: &Position,
    examination: &Examination,
    rate: bool,
) -> anyhow::Result<()> {
    let winning: Vec<Vec<String>> = examination
        .winning
        .iter()
        .map(|turn| turn.cells().iter().map(ToString::to_string).collect())
        .collect();
    let mut object = json!({
        "number": number,
        "rules": position.rules().to_string(),
        "position": notation::setup_text(&position.to_setup()),
        "turns": examination.turns,
        "winning": winning,
        "unique": examination.exhausted && winning.len() == 1,
        "exhausted": examination.exhausted,
        "verified": examination.verified,
    });
    if rate {
        object["rating"] = json!(examination.rating.map(|rating| rating.0));
        object["grade"] = json!(examination.rating.map(|rating| rating.1));
        object["features"] = json!(examination.features);
    }
    writeln!(out, "{object}")?;
    Ok(())
}
