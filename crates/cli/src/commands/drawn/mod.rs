//! `tengen drawn`: proofs of draws, and what is known.

mod family;
pub(crate) mod prove;
mod search;
pub(crate) mod table;

use std::io::{Read as _, Write as _};
use std::path::Path;

use anyhow::{Context as _, anyhow};
use serde_json::json;
use tengen_checker::{DrawReport, DrawVerdict, Limits, check_draw};
use tengen_drawn::known::{self, Known};
use tengen_drawn::{Board, Drawer, ExclusiveSolver, Position, Solver, picture};

use crate::args::{DrawnArgs, DrawnCommand, DrawnPictureArgs, DrawnSolveArgs};
use crate::error::{CheckFailed, io_words};
use crate::output::{Output, grouped, write_file};
use crate::position_input::{is_stdin, name};
use crate::proof_file;

pub(crate) use prove::prove;

pub(crate) fn run(args: &DrawnArgs, out: &mut Output) -> anyhow::Result<()> {
    match &args.command {
        DrawnCommand::Prove(args) => prove::run(args, out),
        DrawnCommand::Solve(args) => solve(args, out),
        DrawnCommand::Table(args) => table::run(args, out),
        DrawnCommand::Family(args) => family::run(args, out),
        DrawnCommand::Picture(args) => draw(args, out),
        DrawnCommand::Search(args) => search::run(args, out),
    }
}

/// The tiling for a claim, or which ones there are.
pub(crate) fn tiling_for(line: usize, per_turn: usize) -> anyhow::Result<Known> {
    known::find(line, per_turn).ok_or_else(|| {
        let claims = known::all().into_iter();
        let claims: Vec<String> =
            claims.map(|known| format!("{} {}", known.line, known.per_turn)).collect();
        anyhow!(
            "no tiling is known for Connect({line},{per_turn}), only for {}; `tengen drawn search` looks for one",
            claims.join(", ")
        )
    })
}

/// The report on a certificate of ours; anything but VERIFIED is a failure.
pub(crate) fn verified(text: &str) -> Result<DrawReport, CheckFailed> {
    match check_draw(text, &Limits::default()) {
        DrawVerdict::Verified(report) => Ok(report),
        other => Err(CheckFailed(format!(
            "the certificate does not prove its claim: {other}; a report of it would help"
        ))),
    }
}

/// The least k for each p that a kept certificate proves; each is checked now.
pub(crate) fn verified_bounds() -> Result<Vec<(usize, usize)>, CheckFailed> {
    let mut bounds: Vec<(usize, usize)> = Vec::new();
    for (_, text) in known::certificates() {
        let report = verified(text)?;
        bounds.push((report.per_turn, report.line));
    }
    Ok(bounds)
}

/// The p and k of the draw that a certificate in a file proves; it is checked now.
pub(crate) fn bound_of(path: &Path) -> anyhow::Result<(usize, usize)> {
    let text = proof_file::text(proof_file::read_bytes(path)?).map_err(|message| anyhow!(message));
    let report = text.and_then(|text| match check_draw(&text, &Limits::default()) {
        DrawVerdict::Verified(report) => Ok(report),
        other => Err(anyhow!("{other}")),
    });
    let report = report.with_context(|| format!("{} proves no draw", name(path)))?;
    Ok((report.per_turn, report.line))
}

fn solve(args: &DrawnSolveArgs, out: &mut Output) -> anyhow::Result<()> {
    let board: Board = read(&args.file)?
        .parse()
        .with_context(|| format!("cannot read the board {}", name(&args.file)))?;
    let (drawn, positions) = match args.exclusive {
        Some(most) => {
            let mut solver = ExclusiveSolver::new(&board, most);
            let drawn = solver.is_drawn();
            (Some(drawn), solver.solved() as u64)
        }
        None => {
            let per_turn = usize::from(args.per_turn);
            let mut solver = Solver::new(per_turn).with_limit(args.positions);
            let drawn = solver.is_drawn(&Position::from_board(&board));
            (drawn, solver.generated())
        }
    };
    let result = match drawn {
        Some(true) => "drawn",
        Some(false) => "black wins",
        None => "unknown",
    };
    if args.json {
        let line = json!({ "result": result, "positions": positions,
            "cells": board.cells().len(), "lines": board.lines().len() });
        return Ok(writeln!(out, "{line}")?);
    }
    let game = match args.exclusive {
        Some(most) => format!("MBBoardX(B,{most})"),
        None => format!("MBBoard(B,{})", args.per_turn),
    };
    let words = match drawn {
        Some(true) => "is drawn: White keeps Black from every line",
        Some(false) => "is won by Black",
        None => "is not solved: the limit of positions was reached",
    };
    Ok(writeln!(
        out,
        "{game} {words}; {} positions",
        grouped(positions)
    )?)
}

fn draw(args: &DrawnPictureArgs, out: &mut Output) -> anyhow::Result<()> {
    let known = tiling_for(args.line, args.per_turn)?;
    let title = format!("Connect({},{})", args.line, args.per_turn);
    let text = if args.board {
        picture::board_picture(&known.tiling.tiles[0].board, &title)
    } else if args.strategy {
        let board = known.tiling.tiles[0].board.clone();
        let mut drawer = Drawer::new(known.tiling.into_plane()?, known.per_turn);
        picture::strategy_picture(&board, &drawer.first_answers(0)?, &title)
    } else {
        let size = known.line as i32 + 9;
        let plane = known.tiling.into_plane()?;
        picture::plane_picture(&plane, ((0, 0), (size, size)), &[], &[], &title)
    };
    if is_stdin(&args.file) {
        return Ok(out.write_all(text.as_bytes())?);
    }
    write_file(&args.file, text.as_bytes())
}

fn read(path: &Path) -> anyhow::Result<String> {
    let mut text = String::new();
    let done = if is_stdin(path) {
        std::io::stdin()
            .lock()
            .read_to_string(&mut text)
            .map(|_| ())
    } else {
        std::fs::read_to_string(path).map(|content| text = content)
    };
    done.map_err(|error| anyhow!(io_words(&error)))
        .with_context(|| format!("cannot read {}", name(path)))?;
    Ok(text)
}
