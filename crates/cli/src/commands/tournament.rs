//! `tengen tournament`: everybody against everybody, and the cross table.

use std::io::Write as _;

use anyhow::bail;

use super::arena::table::Table;
use super::arena::{Session, html};
use crate::args::TournamentArgs;
use crate::error::ExitWith;
use crate::interrupt::{self, INTERRUPTED};
use crate::output::{Output, write_file};

pub(crate) fn run(args: &TournamentArgs, out: &mut Output) -> anyhow::Result<()> {
    if args.engines.len() < 2 {
        bail!("a tournament needs at least two engines");
    }
    let mut session = Session::new(args.engines.clone(), &args.arena)?;
    if !args.arena.json {
        session.introduce(out)?;
    }
    session.play(out, |_| false)?;
    let table = Table::new(&session);
    if let Some(path) = &args.html {
        write_file(path, html::page(&table).as_bytes())?;
    }
    if args.arena.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&table)?)?;
    } else {
        print(&table, out)?;
    }
    if interrupt::is_stopped() {
        return Err(ExitWith(INTERRUPTED).into());
    }
    Ok(())
}

fn print(table: &Table, out: &mut Output) -> anyhow::Result<()> {
    write!(out, "\n{}", table.text())?;
    if table.games > 0 {
        writeln!(out, "\n{} games, ended by {}", table.games, table.reasons)?;
    }
    if table.rejected_claims > 0 {
        let count = table.rejected_claims;
        writeln!(
            out,
            "{count} claimed wins were rejected by the checker: see games.jsonl"
        )?;
    }
    Ok(())
}
