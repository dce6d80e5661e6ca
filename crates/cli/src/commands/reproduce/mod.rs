//! `tengen reproduce`: the papers' experiments, with ours beside theirs.

mod drawn;
mod family;
mod gomoku;
mod grid;
mod jlpn;
mod kagami;
mod kavalan;
mod mnk;
mod plot;
mod runs;
mod rzop;
mod table;

use std::fs;
use std::io::Write as _;

use anyhow::{Context as _, anyhow, bail};
use clap::ValueEnum as _;

use crate::args::{ReproduceArgs, ReproduceItem};
use crate::error::{ExitWith, io_words};
use crate::interrupt::{self, INTERRUPTED};
use crate::output::Output;
use runs::Runs;
pub(crate) use table::Table;

pub(crate) fn run(args: &ReproduceArgs, out: &mut Output) -> anyhow::Result<()> {
    let Some(item) = args.item else {
        for item in ReproduceItem::value_variants() {
            let value = item.to_possible_value().expect("no item is hidden");
            let help = value.get_help().map(ToString::to_string);
            writeln!(out, "{:<8} {}", value.get_name(), help.unwrap_or_default())?;
        }
        return Ok(());
    };
    if args.nodes.is_some() && !matches!(item, ReproduceItem::Kagami | ReproduceItem::Mnk) {
        bail!("--nodes is about kagami and mnk; limit this item with --seconds");
    }
    if args.simulate_only && item != ReproduceItem::Jlpn {
        bail!("--simulate-only is about jlpn, the only item that simulates anything");
    }
    if args.database.is_some() && item != ReproduceItem::Gomoku {
        bail!("--database is about gomoku, the only item that has one");
    }
    if let Some(folder) = &args.out {
        fs::create_dir_all(folder)
            .map_err(|error| anyhow!(io_words(&error)))
            .with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
    }
    interrupt::flag();
    let runs = Runs::new(args);
    match item {
        ReproduceItem::Rzop => rzop::run(args.quick, &runs, out)?,
        ReproduceItem::Family => family::run(args.quick, &runs, out)?,
        ReproduceItem::Kagami => kagami::run(args, out)?,
        ReproduceItem::Kavalan => kavalan::run(args, out)?,
        ReproduceItem::Drawn => drawn::run(args, out)?,
        ReproduceItem::Jlpn => jlpn::run(args, out)?,
        ReproduceItem::Grid => grid::run(args, out)?,
        ReproduceItem::Mnk => mnk::run(args, out)?,
        ReproduceItem::Gomoku => gomoku::run(args, out)?,
    }
    if interrupt::is_stopped() {
        return Err(ExitWith(INTERRUPTED).into());
    }
    Ok(())
}
