//! `tengen puzzle`: make, solve, rate, check and print puzzles.

mod booklet;
mod diagram;
mod export;
mod generate;
mod solve;
mod sources;
mod words;

use std::io::Write as _;
use std::path::Path;

use anyhow::Context as _;
use serde_json::json;
use tengen_checker::{Limits, check_claim, check_partial_claim};
use tengen_prover::Proof;
use tengen_puzzles::{
    Collection, Kind, Puzzle, Rating, Selection, Stage, Stand, Workshop, calibrate, grade_of,
    recheck,
};
use tengen_rules::{Cell, Side};

use crate::args::{PuzzleCalibrateArgs, PuzzleCheckArgs, PuzzleCommand, PuzzleInfoArgs};
use crate::error::CheckFailed;
use crate::interrupt::{self, INTERRUPTED};
use crate::output::Output;
use crate::progress::ProgressLine;

pub(crate) fn run(command: &PuzzleCommand, out: &mut Output) -> anyhow::Result<()> {
    match command {
        PuzzleCommand::Generate(args) => generate::run(args, out),
        PuzzleCommand::Info(args) => info(args, out),
        PuzzleCommand::Export(args) => export::run(args, out),
        PuzzleCommand::Check(args) => check(args, out),
        PuzzleCommand::Solve(args) => solve::run(args, false, out),
        PuzzleCommand::Rate(args) => solve::run(args, true, out),
        PuzzleCommand::Calibrate(args) => run_calibrate(args, out),
    }
}

/// Opens a collection that must be there.
fn existing(path: &Path) -> anyhow::Result<Collection> {
    let cannot = || format!("cannot open the collection `{}`", path.display());
    if !path.is_file() {
        return Err(anyhow::anyhow!("there is no such file").context(cannot()));
    }
    Collection::open(path).with_context(cannot)
}

fn info(args: &PuzzleInfoArgs, out: &mut Output) -> anyhow::Result<()> {
    let collection = existing(&args.collection)?;
    let counts = collection.counts()?;
    let grades = collection.grades()?;
    if args.json {
        let stages: serde_json::Map<String, serde_json::Value> = Stage::ALL
            .into_iter()
            .map(|stage| (stage.name().to_owned(), counts.of(stage).into()))
            .collect();
        let grades: Vec<_> = grades
            .iter()
            .map(|(kind, grade, count)| json!({ "kind": kind, "grade": grade, "puzzles": count }))
            .collect();
        let all = json!({ "puzzles": collection.len()?, "stages": stages, "grades": grades });
        writeln!(out, "{all}")?;
        return Ok(());
    }
    writeln!(out, "{} puzzles\n", collection.len()?)?;
    writeln!(out, "Stage                            passed")?;
    for stage in Stage::ALL.into_iter().filter(|&stage| counts.of(stage) > 0) {
        writeln!(out, "{:<28} {:>10}", stage.name(), counts.of(stage))?;
    }
    writeln!(out, "\nGrade   to win  to defend")?;
    for grade in 1..=tengen_puzzles::GRADES {
        let of = |kind: Kind| {
            let matching = grades
                .iter()
                .filter(|entry| (entry.0, entry.1) == (kind, grade));
            matching.map(|entry| entry.2).sum::<u64>()
        };
        writeln!(
            out,
            "{grade:>5} {:>8} {:>10}",
            of(Kind::Win),
            of(Kind::Defence)
        )?;
    }
    Ok(())
}

/// Proofs by the checker, lengths and uniqueness by the naive search.
fn check(args: &PuzzleCheckArgs, out: &mut Output) -> anyhow::Result<()> {
    let collection = existing(&args.collection)?;
    let selection = Selection {
        limit: args.limit,
        ..Selection::default()
    };
    let puzzles = collection.puzzles(selection)?;
    let stop = interrupt::flag();
    let mut line = ProgressLine::new();
    let (mut good, mut bad, mut undecided) = (0_u64, 0_u64, 0_u64);
    for (number, (puzzle, proof)) in puzzles.iter().enumerate() {
        if stop.load(std::sync::atomic::Ordering::Relaxed) {
            return Err(crate::error::ExitWith(INTERRUPTED).into());
        }
        line.draw(&format!(
            "{} of {} puzzles, {bad} wrong",
            number + 1,
            puzzles.len()
        ));
        match check_one(puzzle, proof, args.nodes) {
            Ok(()) => good += 1,
            Err(Complaint::Undecided) => {
                undecided += 1;
                writeln!(
                    out,
                    "{}: UNDECIDED within {} positions",
                    puzzle.id, args.nodes
                )?;
            }
            Err(Complaint::Wrong(why)) => {
                bad += 1;
                writeln!(out, "{}: REJECTED {why}", puzzle.id)?;
            }
        }
    }
    line.erase();
    writeln!(
        out,
        "{good} of {} puzzles are VERIFIED and unique, {bad} rejected, {undecided} undecided",
        puzzles.len()
    )?;
    if bad + undecided > 0 {
        return Err(CheckFailed("not every puzzle is as claimed".to_owned()).into());
    }
    Ok(())
}

enum Complaint {
    Undecided,
    Wrong(String),
}

fn check_one(puzzle: &Puzzle, proof: &[u8], nodes: u64) -> Result<(), Complaint> {
    let wrong = |why: &str| Complaint::Wrong(why.to_owned());
    let proof = Proof::from_compact(proof).map_err(|error| Complaint::Wrong(error.to_string()))?;
    let attacker = match puzzle.attacker() {
        Some(Side::Black) => "black",
        Some(Side::White) => "white",
        None => return Err(wrong("its position cannot be read")),
    };
    let (text, limits) = (proof.to_text(), Limits::default());
    let (rules, position) = (&puzzle.rules, &puzzle.position);
    let verdict = match puzzle.kind {
        Kind::Win => check_claim(&text, rules, position, attacker, &limits),
        Kind::Defence => check_partial_claim(&text, rules, position, attacker, &limits),
    };
    if verdict.exit_code() != 0 {
        return Err(Complaint::Wrong(verdict.to_string()));
    }
    if puzzle.kind == Kind::Win && proof.nodes[0].turn.len() != puzzle.solution.len() {
        return Err(wrong("the proof begins with another turn"));
    }
    let Some(start) = puzzle.start() else {
        return Err(wrong("its position cannot be played"));
    };
    let mut stand = Stand::of(&start);
    if !stand.is_legal_count() {
        return Err(wrong("no game comes to these numbers of stones"));
    }
    if puzzle.kind == Kind::Defence {
        std::mem::swap(&mut stand.own, &mut stand.other);
    }
    let read = |names: &[String]| -> Result<Vec<Cell>, _> {
        names.iter().map(|name| name.parse::<Cell>()).collect()
    };
    let cells = read(&puzzle.solution).map_err(|_| wrong("its solution cannot be read"))?;
    let places = |cells: &[Cell]| -> Vec<(usize, usize)> {
        cells
            .iter()
            .map(|cell| (cell.x as usize, cell.y as usize))
            .collect()
    };
    let refutations: Result<Vec<_>, _> = puzzle.refutations.iter().map(|r| read(r)).collect();
    let refutations = refutations.map_err(|_| wrong("its refutations cannot be read"))?;
    let refutations: Vec<_> = refutations.iter().map(|cells| places(cells)).collect();
    let (width, height) = start.rules().size().unwrap_or((0, 0));
    let claim = recheck::Claim {
        size: (usize::from(width), usize::from(height)),
        line: usize::from(start.rules().line()),
        per_turn: usize::from(start.rules().per_turn()),
        own: &places(&stand.own),
        other: &places(&stand.other),
        turn: &places(&cells),
        turns: puzzle.features.turns,
        order: puzzle.order,
        refutations: &refutations,
    };
    let checked = match puzzle.kind {
        Kind::Win => recheck::recheck(&claim, nodes),
        Kind::Defence => recheck::recheck_defence(&claim, nodes),
    };
    match checked {
        Ok(_) => Ok(()),
        Err(recheck::Doubt::Undecided(_)) => Err(Complaint::Undecided),
        Err(doubt) => Err(Complaint::Wrong(doubt.to_string())),
    }
}

/// Positions that the unlimited solver looks at before it has the win.
fn effort(puzzle: &Puzzle) -> u64 {
    let Some(start) = puzzle.start() else {
        return 0;
    };
    let mut workshop = Workshop::new(start.rules());
    let mut attack = workshop.attack(&Stand::of(&start), EFFORT);
    let _found = attack.shortest(puzzle.features.turns);
    attack.nodes
}

/// Nodes for that.
const EFFORT: u64 = 1_000_000;

fn run_calibrate(args: &PuzzleCalibrateArgs, out: &mut Output) -> anyhow::Result<()> {
    let mut collection = existing(&args.collection)?;
    if args.write {
        collection.rate(|puzzle| {
            let rating = Rating::of(&puzzle.features);
            (rating, grade_of(rating))
        })?;
    }
    let selection = Selection {
        kind: Some(Kind::Win),
        ..Selection::default()
    };
    let mut puzzles = collection.puzzles(selection)?;
    // By name: ratings must not decide who is held out.
    puzzles.sort_by(|a, b| a.0.id.cmp(&b.0.id));
    let features: Vec<_> = puzzles.iter().map(|(puzzle, _)| puzzle.features).collect();
    let effort: Vec<u64> = puzzles.iter().map(|(puzzle, _)| effort(puzzle)).collect();
    let fit = calibrate(&features, &effort, args.built_in);
    writeln!(
        out,
        "Fitted to {} puzzles, tried on {} others",
        fit.fitted, fit.held_out
    )?;
    let weights: Vec<String> = fit
        .weights
        .iter()
        .map(|weight| format!("{weight:.4}"))
        .collect();
    writeln!(out, "Weights: {}", weights.join(", "))?;
    writeln!(out, "\nGrade  puzzles  solved by the ladder")?;
    for (number, (count, solved)) in fit.grades.iter().enumerate() {
        writeln!(
            out,
            "{:>5} {count:>8} {:>20.1} %",
            number + 1,
            solved * 100.0
        )?;
    }
    writeln!(
        out,
        "\nRank correlation of rating and failures of the ladder: {:.3}",
        fit.correlation
    )?;
    writeln!(
        out,
        "Rank correlation of rating and positions searched: {:.3}",
        fit.effort
    )?;
    Ok(())
}
