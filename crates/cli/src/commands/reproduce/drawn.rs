//! Drawn k-in-a-row games (Chiang, Wu and Lin, 2011): Theorem 1, what this project adds, and Theorem 2.

use std::fs;
use std::io::Write as _;

use tengen_drawn::{known, picture};

use super::table::Table;
use crate::args::ReproduceArgs;
use crate::commands::drawn::{prove, table};
use crate::interrupt;
use crate::output::{Output, grouped, write_file};
use crate::progress::watched;

pub(super) fn run(args: &ReproduceArgs, out: &mut Output) -> anyhow::Result<()> {
    writeln!(
        out,
        "Boards that White draws. The paper's program searched 1,291,140,480 positions in 17,104 s for Theorem 1, and 844,618 in 37 s when \
         the tree was made small. Ours: positions generated until the board is solved, and the seconds for it; the certificate and its check."
    )?;
    let heads = [
        "statement    ",
        "cells",
        "lines",
        "positions",
        "seconds",
        "certificate",
        "its positions",
        "its answers",
        "check s",
        "checker ",
    ];
    let table_of_boards = Table::start(out, heads)?;
    let tilings = known::all()
        .into_iter()
        .filter(|known| !args.quick || known.per_turn < 3);
    for known in tilings {
        if interrupt::is_stopped() {
            return Ok(());
        }
        let name = format!("Connect({},{})", known.line, known.per_turn);
        let proved = watched(
            || format!("proving {name}"),
            || prove(known.line, known.per_turn, &known.tiling),
        )??;
        if let Some(folder) = &args.out {
            let stem = format!("connect-{}-{}", known.line, known.per_turn);
            fs::write(folder.join(format!("{stem}.draw")), &proved.text)?;
            let board = picture::board_picture(&known.tiling.tiles[0].board, &name);
            write_file(&folder.join(format!("{stem}-board.svg")), board.as_bytes())?;
            let size = known.line as i32 + 9;
            let plane = known.tiling.clone().into_plane()?;
            let tiling = picture::plane_picture(&plane, ((0, 0), (size, size)), &[], &[], &name);
            write_file(
                &folder.join(format!("{stem}-tiling.svg")),
                tiling.as_bytes(),
            )?;
        }
        table_of_boards.row(
            out,
            [
                name,
                proved.report.cells.to_string(),
                proved.report.lines.to_string(),
                grouped(proved.positions),
                format!("{:.3}", proved.solve_seconds),
                grouped(proved.text.len() as u64),
                grouped(proved.report.positions),
                grouped(proved.report.answers),
                format!("{:.3}", proved.check_seconds),
                "VERIFIED".to_owned(),
            ],
        )?;
    }
    writeln!(
        out,
        "\nThe least k known to be drawn, beside the paper's 3p + 3d - 1 (Theorem 2) and Hsieh and Tsai's 4p + 7."
    )?;
    let heads = [
        "p   ",
        "k   ",
        "standing",
        "Theorem 2",
        "4p + 7",
        "by                                                                       ",
    ];
    let table_of_bounds = Table::start(out, heads)?;
    for row in table::rows(if args.quick { 4 } else { 20 }, &[])? {
        table_of_bounds.row(
            out,
            [
                row.per_turn.to_string(),
                row.line.to_string(),
                row.standing.to_owned(),
                row.theorem_2.to_string(),
                row.hsieh_tsai.to_string(),
                row.by,
            ],
        )?;
    }
    Ok(())
}
