//! `tengen drawn prove`: solves the boards of a tiling, writes the certificate, has it checked.

use std::io::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::bail;
use serde_json::json;
use tengen_checker::DrawReport;
use tengen_drawn::{Position, Solver, Strategy, Tiling, certificate};

use super::{tiling_for, verified};
use crate::args::DrawnProveArgs;
use crate::output::{Output, grouped, write_file};
use crate::progress::watched;

/// A verified proof, and what it took.
pub(crate) struct Proved {
    pub(crate) text: String,
    pub(crate) report: DrawReport,
    /// Positions generated until the boards were known to be drawn.
    pub(crate) positions: u64,
    pub(crate) solve_seconds: f64,
    pub(crate) write_seconds: f64,
    pub(crate) check_seconds: f64,
}

/// Proves that a tiling shows Connect(k,p) to be drawn.
pub(crate) fn prove(line: usize, per_turn: usize, tiling: &Tiling) -> anyhow::Result<Proved> {
    tiling.clone().into_plane()?.check_windows(line)?;
    let mut solver = Solver::new(per_turn);
    let start = Instant::now();
    for tile in &tiling.tiles {
        if solver.is_drawn(&Position::from_board(&tile.board)) != Some(true) {
            bail!("Black wins on a board of this tiling: it proves nothing");
        }
    }
    let solve_seconds = start.elapsed().as_secs_f64();
    let positions = solver.generated();
    let start = Instant::now();
    let strategies: Option<Vec<Strategy>> = tiling
        .tiles
        .iter()
        .map(|tile| Strategy::find(&tile.board.sets(), per_turn, &mut solver))
        .collect();
    let Some(strategies) = strategies else {
        bail!("no strategy was found on a drawn board; a report of it would help");
    };
    let text = certificate(line, per_turn, tiling, &strategies);
    let write_seconds = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let report = verified(&text)?;
    Ok(Proved {
        text,
        report,
        positions,
        solve_seconds,
        write_seconds,
        check_seconds: start.elapsed().as_secs_f64(),
    })
}

pub(super) fn run(args: &DrawnProveArgs, out: &mut Output) -> anyhow::Result<()> {
    let (line, per_turn) = (args.line, args.per_turn);
    let known = tiling_for(line, per_turn)?;
    let path = args
        .out
        .clone()
        .unwrap_or_else(|| PathBuf::from(format!("connect-{line}-{per_turn}.draw")));
    let busy = || format!("proving Connect({line},{per_turn})");
    let proved = watched(busy, || prove(line, per_turn, &known.tiling))??;
    write_file(&path, proved.text.as_bytes())?;
    if args.json {
        let object = json!({
            "claim": { "line": line, "per_turn": per_turn }, "verdict": "VERIFIED",
            "source": known.source, "positions": proved.positions,
            "solve_seconds": proved.solve_seconds, "write_seconds": proved.write_seconds,
            "check_seconds": proved.check_seconds, "bytes": proved.text.len(),
            "strategy_positions": proved.report.positions, "answers": proved.report.answers,
            "file": path.display().to_string(),
        });
        return Ok(writeln!(out, "{object}")?);
    }
    writeln!(out, "Connect({line},{per_turn}) is drawn: VERIFIED")?;
    writeln!(
        out,
        "  tile of {} cells and {} lines ({})",
        proved.report.cells, proved.report.lines, known.source
    )?;
    writeln!(
        out,
        "  solved after {} positions, {:.3} s; strategy written in {:.3} s",
        grouped(proved.positions),
        proved.solve_seconds,
        proved.write_seconds
    )?;
    writeln!(
        out,
        "  certificate {}: {} bytes, {} positions, {} answers, checked in {:.3} s",
        path.display(),
        grouped(proved.text.len() as u64),
        grouped(proved.report.positions),
        grouped(proved.report.answers),
        proved.check_seconds
    )?;
    Ok(())
}
