//! `tengen book export`: the book for other programs.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::{Context as _, anyhow, bail};
use tengen_book::{Book, Exported, Unreadable};
use tengen_rules::notation::{self, Format};

use crate::args::{BookExportArgs, BookForm};
use crate::commands::check::counted;
use crate::error::{WithHint as _, io_words};
use crate::output::{Output, write_file};
use crate::position_input::is_stdin;

pub(crate) fn run(book: &Book, args: &BookExportArgs, out: &mut Output) -> anyhow::Result<()> {
    let file = Some(args.output.as_path()).filter(|path| !is_stdin(path));
    match args.to {
        BookForm::Jsonl => lines(book, args, file, out),
        BookForm::Sgf => tree(book, args, Format::Sgf, file, out),
        BookForm::Renlib => tree(book, args, Format::Lib, file, out),
    }
}

fn lines(
    book: &Book,
    args: &BookExportArgs,
    file: Option<&Path>,
    out: &mut Output,
) -> anyhow::Result<()> {
    if args.from.is_some() {
        bail!("JSON lines are always the whole book: leave --from away, or write sgf");
    }
    let Some(path) = file else {
        let exported = book.export_lines(out)?;
        say_unreadable(&exported.unreadable);
        return Ok(());
    };
    let write = || -> anyhow::Result<Exported> {
        let created = File::create(path).map_err(|error| anyhow!(io_words(&error)))?;
        let mut writer = BufWriter::new(created);
        let exported = book.export_lines(&mut writer)?;
        writer.flush()?;
        Ok(exported)
    };
    let exported = write().with_context(|| format!("cannot write `{}`", path.display()))?;
    say(path, &counted(exported.facts, "line"));
    say_unreadable(&exported.unreadable);
    Ok(())
}

/// What is missing in the file.
fn say_unreadable(proofs: &Unreadable) {
    for (_, reason) in proofs {
        // Nobody is left to be told when stderr is closed.
        let _ = writeln!(io::stderr(), "left out: {reason}");
    }
}

fn tree(
    book: &Book,
    args: &BookExportArgs,
    format: Format,
    file: Option<&Path>,
    out: &mut Output,
) -> anyhow::Result<()> {
    let records = match &args.from {
        Some(text) => {
            let from = super::position_from(book, text, args.rules)?;
            if !book.lookup(&from)?.known {
                bail!("the book does not have the position {text}");
            }
            vec![book.export_tree(&from)?]
        }
        None => book.export_trees()?,
    };
    if records.is_empty() {
        bail!("the book has no position, so there is nothing to write");
    }
    let bytes = notation::write(format, &records)
        .with_context(|| format!("cannot write {format}"))
        .hint(|| {
            let several = records.len() > 1 && format == Format::Lib;
            several
                .then(|| "choose one tree with --from, such as --from - --rules gomoku".to_owned())
        })?;
    match file {
        Some(path) => {
            write_file(path, &bytes)?;
            let nodes: usize = records.iter().map(|record| record.len() - 1).sum();
            let trees = counted(records.len() as u64, "tree");
            say(
                path,
                &format!("{trees}, {}", counted(nodes as u64, "stone")),
            );
        }
        None if format == Format::Lib && out.is_terminal() => {
            bail!("lib is binary: name a file, or redirect the output")
        }
        None => out.write_all(&bytes)?,
    }
    Ok(())
}

/// The message is a courtesy; the file is written.
fn say(path: &Path, what: &str) {
    let _ = writeln!(io::stderr(), "{}: {what}", path.display());
}
