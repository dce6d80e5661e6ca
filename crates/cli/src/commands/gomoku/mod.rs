//! `tengen gomoku`: Go-Moku solved, and its solution as an opponent.

mod allis;
mod display;
mod play;
mod show;
mod solve;
mod summary;

use std::path::Path;

use anyhow::{Context as _, anyhow};
use tengen_checker::{GomokuDatabase, GomokuLimits, GomokuVerdict};
use tengen_prover::pn::{Database, Fives};
use tengen_rules::{Cell, Position, Rules, Side};

use super::check_gomoku;
use crate::args::{GomokuArgs, GomokuCommand};
use crate::output::Output;
use crate::{interrupt, proof_file};

pub(crate) use allis::{Allis, DB_SEARCHES, print_plies};
pub(crate) use solve::{Report, Search, search, with_suffix};
pub(crate) use summary::{Summary, processor_time};

pub(crate) fn run(args: &GomokuArgs, out: &mut Output) -> anyhow::Result<()> {
    match &args.command {
        GomokuCommand::Solve(args) => solve::run(args, out),
        GomokuCommand::Play(args) => play::run(args, out),
        GomokuCommand::Show(args) => show::run(args, out),
    }
}

/// A database and the bytes that it was read from.
pub(crate) fn open(path: &Path) -> anyhow::Result<(Database, Vec<u8>)> {
    let bytes = proof_file::plain(proof_file::read_bytes(path)?)
        .map_err(|message| anyhow!(message))
        .and_then(|bytes| Ok((Database::read(bytes.clone())?, bytes)));
    bytes.with_context(|| format!("cannot read `{}`", path.display()))
}

/// The game of a database.
pub(crate) fn rules_of(database: &Database) -> anyhow::Result<Rules> {
    let (width, height) = database.size();
    let exact = match database.wins() {
        Fives::OrMore => "",
        Fives::Exactly => ",exact",
    };
    Ok(format!("{width},{height},5,1,1{exact}").parse()?)
}

/// The position that a database proves, with its stones as a game: black and white in turn.
pub(crate) fn root_of(database: &Database) -> anyhow::Result<Position> {
    let root = database.root();
    let of = |wanted: Side| {
        let stones = root.iter().filter(move |(side, _)| *side == wanted);
        stones.map(|&(_, cell)| cell_of(cell))
    };
    let cells: Vec<Cell> = of(Side::Black)
        .zip(of(Side::White))
        .flat_map(|(black, white)| [black, white])
        .collect();
    Position::replay(rules_of(database)?, &cells)
        .map_err(|(number, error)| anyhow!("stone {} of its position: {error}", number + 1))
}

/// The stones of a position, as the solver names cells.
pub(crate) fn stones_of(position: &Position) -> Vec<(Side, (usize, usize))> {
    let stones = position.stones();
    stones
        .map(|stone| (stone.side, (stone.cell.x as usize, stone.cell.y as usize)))
        .collect()
}

pub(crate) fn cell_of((x, y): (usize, usize)) -> Cell {
    Cell::new(x as i16, y as i16)
}

/// What the checker says of a database.
pub(crate) fn checked(bytes: &[u8], threads: usize) -> anyhow::Result<GomokuVerdict> {
    let database = GomokuDatabase::read(bytes)?;
    let limits = GomokuLimits {
        threads,
        sample: None,
        seconds: None,
        stop: Some(interrupt::flag()),
    };
    check_gomoku::verdict(&database, &limits)
}
