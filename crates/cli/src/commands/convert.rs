//! `tengen convert`: from any format to any other, through a record.

use std::io::{self, Write as _};
use std::path::Path;

use anyhow::{Context as _, anyhow, bail};
use tengen_rules::notation::{self, Format, ReadOptions};
use tengen_rules::{Action, NodeId, Record};

use crate::args::ConvertArgs;
use crate::error::WithHint as _;
use crate::output::{Output, write_file};
use crate::position_input::{self, is_stdin};
use crate::view::stones;

pub(crate) fn run(args: &ConvertArgs, out: &mut Output) -> anyhow::Result<()> {
    let file = args.output.as_deref().filter(|path| !is_stdin(path));
    let to = target(args.to, file)?;
    let options = ReadOptions {
        rules: args.rules,
        charset: args.charset,
    };
    let mut records = position_input::records(&args.input, args.from, &options)?;
    if let Some(number) = args.game {
        let record = position_input::nth(&records, number as usize, &args.input)?;
        records = vec![record.clone()];
    }
    let bytes = notation::write(to, &records)
        .with_context(|| format!("cannot write {to}"))
        .hint(|| (records.len() > 1).then(|| "choose one game with --game N".to_owned()))?;
    match file {
        Some(path) => {
            write_file(path, &bytes)?;
            // The message is a courtesy; the file is written.
            let _ = writeln!(io::stderr(), "{}: {}", path.display(), summary(&records));
        }
        None if to == Format::Lib && out.is_terminal() => {
            bail!("lib is binary: name a file, or redirect the output");
        }
        None => out.write_all(&bytes)?,
    }
    Ok(())
}

/// The format that is asked for, or that the name of the output means.
fn target(to: Option<Format>, file: Option<&Path>) -> anyhow::Result<Format> {
    let extension = || file?.extension()?.to_str();
    to.or_else(|| Format::from_extension(extension()?))
        .ok_or_else(|| match file {
            Some(path) => anyhow!("`{}` does not say which format to write", path.display()),
            None => anyhow!("which format to write is missing"),
        })
        .hint(|| {
            let names = position_input::format_names();
            Some(format!("name it with --to: {names}"))
        })
}

/// "3 games, 120 stones".
fn summary(records: &[Record]) -> String {
    let placed = |record: &Record| {
        (0..record.len())
            .filter(|&id| matches!(record.node(NodeId(id)).action, Action::Place(_)))
            .count()
    };
    let total: usize = records.iter().map(placed).sum();
    let games = match records.len() {
        1 => "1 game".to_owned(),
        n => format!("{n} games"),
    };
    format!("{games}, {}", stones(total as u32))
}
