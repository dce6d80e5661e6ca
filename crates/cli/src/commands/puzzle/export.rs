//! `tengen puzzle export`: SGF, JSON lines, diagrams, proofs, a booklet.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, anyhow, bail};
use tengen_puzzles::{Kind, Puzzle, Selection, Theme};
use tengen_rules::notation::{self, Format};
use tengen_rules::{Action, Cell, NodeId, Placement, Record, Side};

use super::{booklet, diagram, existing};
use crate::args::{PuzzleExportArgs, PuzzleForm};
use crate::error::io_words;
use crate::output::{Output, write_file};

pub(crate) fn run(args: &PuzzleExportArgs, out: &mut Output) -> anyhow::Result<()> {
    let collection = existing(&args.collection)?;
    let selection = Selection {
        kind: None,
        grade: args.grade,
        limit: args.limit,
    };
    let mut puzzles = collection.puzzles(selection)?;
    if let Some(most) = args.most_steps {
        puzzles.retain(|(puzzle, _)| puzzle.features.steps <= most);
    }
    if puzzles.is_empty() {
        bail!("`{}` has no such puzzle", args.collection.display());
    }
    match args.to {
        PuzzleForm::Sgf => {
            let records: Vec<Record> = puzzles
                .iter()
                .filter_map(|(puzzle, _)| record(puzzle))
                .collect();
            write_file(&args.path, &notation::write(Format::Sgf, &records)?)?;
        }
        PuzzleForm::Jsonl => {
            let mut lines = String::new();
            for (puzzle, _) in &puzzles {
                lines.push_str(&serde_json::to_string(puzzle)?);
                lines.push('\n');
            }
            write_file(&args.path, lines.as_bytes())?;
        }
        PuzzleForm::Svg => {
            folder(&args.path)?;
            for (puzzle, _) in &puzzles {
                let svg = diagram::draw(puzzle, false).unwrap_or_default();
                write_file(
                    &args.path.join(format!("{}.svg", puzzle.id)),
                    svg.as_bytes(),
                )?;
            }
        }
        PuzzleForm::Booklet => {
            let puzzles: Vec<Puzzle> = puzzles.iter().map(|(puzzle, _)| puzzle.clone()).collect();
            booklet::write(args, &puzzles)?;
        }
        PuzzleForm::Proofs => {
            folder(&args.path)?;
            for (puzzle, proof) in &puzzles {
                write_file(&args.path.join(format!("{}.tproof", puzzle.id)), proof)?;
            }
        }
    }
    writeln!(
        out,
        "{} puzzles written to `{}`",
        puzzles.len(),
        args.path.display()
    )?;
    Ok(())
}

fn folder(path: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(path)
        .map_err(|error| anyhow!(io_words(&error)))
        .with_context(|| format!("cannot make the folder `{}`", path.display()))
}

/// By which turns a puzzle is won.
fn means(puzzle: &Puzzle) -> &'static str {
    match puzzle.order {
        1 => "double threats",
        2 => "threats, one of them single",
        _ if is_quiet(puzzle) => "a quiet turn and double threats after it",
        _ => "a single threat and double threats after it",
    }
}

/// Whether the first turn of the solution threatens nothing.
pub(super) fn is_quiet(puzzle: &Puzzle) -> bool {
    puzzle.themes.contains(&Theme::Quiet)
}

/// A puzzle with its whole solution and the tempting turns that fail.
fn record(puzzle: &Puzzle) -> Option<Record> {
    let setup = puzzle.setup()?;
    let to_move = setup.to_move;
    let mut record = Record::new(setup);
    record.info.name = format!("Puzzle {}", puzzle.id);
    record.info.source.clone_from(&puzzle.source);
    let task = match puzzle.kind {
        Kind::Win => format!(
            "{to_move} to move and win in {} turns by {}.",
            puzzle.features.turns,
            means(puzzle)
        ),
        Kind::Defence => format!("{to_move} to move: find the only defence."),
    };
    record.node_mut(Record::ROOT).comment = format!(
        "{task} Grade {}, rating {} (machine difficulty).",
        puzzle.grade, puzzle.rating
    );
    match puzzle.kind {
        Kind::Win => {
            attack(&mut record, Record::ROOT, puzzle, 0, to_move);
            for wrong in &puzzle.tries {
                let at = turn(&mut record, Record::ROOT, to_move, &wrong.turn);
                let why = match wrong.defences {
                    1 => match puzzle.order {
                        1 => "Wrong: the reply leaves no win by double threats.".to_owned(),
                        2 => "Wrong: the reply leaves no win by threats.".to_owned(),
                        _ => "Wrong: after the reply double threats do not win.".to_owned(),
                    },
                    n => format!(
                        "Tempting: {} of {n} defences lose, but this one holds.",
                        n - 1
                    ),
                };
                record.node_mut(at).comment = why;
                turn(&mut record, at, !to_move, &wrong.reply);
            }
        }
        Kind::Defence => {
            let at = turn(&mut record, Record::ROOT, to_move, &puzzle.solution);
            record.node_mut(at).comment =
                "The only defence: no win by double threats is left.".to_owned();
            for (reply, next) in &puzzle.steps.first()?.replies {
                let at = turn(&mut record, Record::ROOT, to_move, reply);
                record.node_mut(at).comment = "This loses.".to_owned();
                attack(&mut record, at, puzzle, *next, !to_move);
            }
        }
    }
    Some(record)
}

fn attack(record: &mut Record, at: NodeId, puzzle: &Puzzle, step: usize, side: Side) {
    let Some(step) = puzzle.steps.get(step) else {
        return;
    };
    let at = turn(record, at, side, &step.turn);
    if step.turn.len() == 1 && step.within > 1 {
        record.node_mut(at).comment = "The other stone is free.".to_owned();
    }
    if step.replies.is_empty() {
        record.node_mut(at).comment = match step.within {
            1 => format!("{side} wins."),
            _ => format!("{side} has more threats than one turn can answer."),
        };
    }
    for (reply, next) in &step.replies {
        let after = turn(record, at, !side, reply);
        if reply.len() < usize::from(record.rules().per_turn()) {
            record.node_mut(after).comment = "The other stone goes anywhere.".to_owned();
        }
        attack(record, after, puzzle, *next, side);
    }
}

/// One node for each stone; a turn with a free stone ends with a pass.
fn turn(record: &mut Record, mut at: NodeId, side: Side, cells: &[String]) -> NodeId {
    for name in cells {
        if let Ok(cell) = name.parse::<Cell>() {
            at = record.add(at, Action::Place(Placement { side, cell }));
        }
    }
    if cells.len() < usize::from(record.rules().per_turn()) {
        at = record.add(at, Action::Pass(side));
    }
    at
}
