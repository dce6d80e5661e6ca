//! `tengen book import` and `merge`: what others know.

use std::borrow::Cow;
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use anyhow::{Context as _, anyhow, bail};
use flate2::read::MultiGzDecoder;
use tengen_book::{Book, ImportOptions, Imported, Merged, Source};
use tengen_rules::notation::Format;

use crate::args::{BookImportArgs, BookMergeArgs};
use crate::commands::check::counted;
use crate::error::WithHint as _;
use crate::output::Output;
use crate::position_input::{format_names, is_stdin, name};
use crate::proof_file::read_bytes;

/// The most bytes that a packed file may unpack to.
const LARGEST: u64 = 1 << 30;

/// Reasons that are printed for a file.
const REASONS: usize = 5;

pub(crate) fn run(book: &Book, args: &BookImportArgs, out: &mut Output) -> anyhow::Result<()> {
    for path in &args.files {
        one(book, args, path, out).with_context(|| format!("cannot import {}", name(path)))?;
        out.flush()?;
    }
    Ok(())
}

fn one(book: &Book, args: &BookImportArgs, path: &Path, out: &mut Output) -> anyhow::Result<()> {
    let bytes = read_bytes(path)?;
    let bytes = unpacked(&bytes)?;
    let shown = name(path);
    if is_lines(path, &bytes) {
        let merged = book.import_lines(&bytes)?;
        return print_merged(&shown, &merged, out);
    }
    let format = args
        .format
        .or_else(|| format_of(path, &bytes))
        .ok_or_else(|| anyhow!("its format is not known"))
        .hint(|| Some(format!("name it with --format: {}", format_names())))?;
    let file = path.file_name().map(|file| file.display().to_string());
    let options = ImportOptions {
        source: Source {
            name: args.source.clone().or(file).unwrap_or_default(),
            url: args.url.clone(),
            licence: args.licence.clone(),
        },
        language: args.language.clone(),
        rules: args.rules,
        charset: args.charset,
        games: args.games,
    };
    let found = book.import(&bytes, format, &options)?;
    print_imported(&shown, &found, out)
}

fn print_imported(file: &str, found: &Imported, out: &mut Output) -> anyhow::Result<()> {
    let mut parts = vec![counted(found.games, "new game")];
    if found.known_games > 0 {
        parts.push(format!("{} known", found.known_games));
    }
    for (count, what) in [
        (found.turns, "turn"),
        (found.comments, "comment"),
        (found.names, "name"),
    ] {
        if count > 0 {
            parts.push(counted(count, what));
        }
    }
    writeln!(out, "{file}: {}", parts.join(", "))?;
    for reason in found.left_out.iter().take(REASONS) {
        writeln!(out, "  left out, {}", super::show::one_line(reason))?;
    }
    let more = found.left_out.len().saturating_sub(REASONS);
    if more > 0 {
        writeln!(out, "  and {more} more were left out")?;
    }
    Ok(())
}

pub(crate) fn merge(book: &Book, args: &BookMergeArgs, out: &mut Output) -> anyhow::Result<()> {
    for path in &args.files {
        let other = super::existing(path)?;
        let merged = book
            .merge(&other)
            .with_context(|| format!("cannot merge {}", name(path)))?;
        print_merged(&name(path), &merged, out)?;
        out.flush()?;
    }
    Ok(())
}

fn print_merged(file: &str, merged: &Merged, out: &mut Output) -> anyhow::Result<()> {
    writeln!(
        out,
        "{file}: {} read, {} and {}",
        counted(merged.facts, "fact"),
        counted(merged.proofs, "new proof"),
        counted(merged.games, "new game")
    )?;
    for (id, reason) in &merged.refused {
        let reason = super::show::one_line(reason);
        writeln!(out, "  proof {id} is not verified: {reason}")?;
    }
    for (_, reason) in &merged.unreadable {
        writeln!(out, "  left out: {reason}")?;
    }
    Ok(())
}

fn is_lines(path: &Path, bytes: &[u8]) -> bool {
    let named = path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("jsonl"));
    named || bytes.starts_with(b"{\"fact\"")
}

/// The name decides, without `.gz`; without a telling one, the content.
fn format_of(path: &Path, bytes: &[u8]) -> Option<Format> {
    let plain = path.to_string_lossy().trim_end_matches(".gz").to_owned();
    let extension = Path::new(&plain).extension();
    extension
        .and_then(|extension| extension.to_str())
        .filter(|_| !is_stdin(path))
        .and_then(Format::from_extension)
        .or_else(|| Format::detect(bytes))
}

fn unpacked(bytes: &[u8]) -> anyhow::Result<Cow<'_, [u8]>> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut unpacked = Vec::new();
    let mut reader = MultiGzDecoder::new(bytes).take(LARGEST + 1);
    let damaged = |error: io::Error| anyhow!("the gzip file is damaged or incomplete ({error})");
    reader.read_to_end(&mut unpacked).map_err(damaged)?;
    if unpacked.len() as u64 > LARGEST {
        bail!("it unpacks to more than {} MiB; split it", LARGEST >> 20);
    }
    Ok(Cow::Owned(unpacked))
}
