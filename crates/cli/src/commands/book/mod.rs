//! `tengen book`: what is known about openings.

mod export;
mod import;
mod proofs;
mod show;
mod show_json;
mod texts;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use serde_json::json;
use tengen_book::{Book, Source, names};
use tengen_rules::{Cell, Position, Rules, notation};

use crate::args::{BookAnnotateArgs, BookArgs, BookCommand, BookInfoArgs, PositionArgs};
use crate::commands::check::counted;
use crate::commands::serve::usual_folder;
use crate::error::{WithHint as _, io_words};
use crate::output::Output;
use crate::position_input;

/// The book's name in the folder for data.
const FILE: &str = "tengen.book";

pub(crate) fn run(args: &BookArgs, out: &mut Output) -> anyhow::Result<()> {
    let path = path(args.book.as_deref())?;
    match &args.command {
        BookCommand::Show(args) => show::run(&existing(&path)?, args, out),
        BookCommand::Search(args) => texts::run(&existing(&path)?, args, out),
        BookCommand::Import(args) => import::run(&opened(&path)?, args, out),
        BookCommand::Merge(args) => import::merge(&opened(&path)?, args, out),
        BookCommand::Export(args) => export::run(&existing(&path)?, args, out),
        BookCommand::Annotate(args) => annotate(&opened(&path)?, args, out),
        BookCommand::AddProof(args) => proofs::add(&opened(&path)?, args, out),
        BookCommand::Check(args) => proofs::check(&existing(&path)?, args, out),
        BookCommand::Info(args) => info(&existing(&path)?, args, out),
    }
}

/// Where the book is: as given, or in the user's folder for data.
pub(crate) fn path(given: Option<&Path>) -> anyhow::Result<PathBuf> {
    let usual = || usual_folder().map(|folder| folder.join(FILE));
    given
        .map(Path::to_owned)
        .or_else(usual)
        .ok_or_else(|| anyhow!("this system does not say where data belongs"))
        .hint(|| Some("name a file with --book FILE".to_owned()))
}

/// A book to write to; it is made when missing.
pub(crate) fn opened(path: &Path) -> anyhow::Result<Book> {
    if let Some(folder) = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    {
        fs::create_dir_all(folder)
            .map_err(|error| anyhow!(io_words(&error)))
            .with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
    }
    Ok(Book::open(path)?)
}

/// A book that must be there.
pub(crate) fn existing(path: &Path) -> anyhow::Result<Book> {
    Book::open_existing(path).hint(|| {
        let missing = !path.exists();
        let hint = "`tengen book import FILE` makes one; --book FILE names another";
        missing.then(|| hint.to_owned())
    })
}

/// The position that words, a file or a name mean.
pub(crate) fn position(book: &Book, args: &PositionArgs) -> anyhow::Result<Position> {
    let words = args.words.join(" ");
    let plain = args.file.is_none() && args.words != ["-"];
    if plain
        && args.rules.is_none_or(|rules| rules == names::RULES)
        && let Some(named) = names::position_of(&words)
    {
        return Ok(named);
    }
    let read = position_input::position(args);
    match read {
        Ok(loaded) => Ok(loaded.position),
        Err(error) if plain => named(book, &words, error),
        Err(error) => Err(error),
    }
}

/// The same from one text.
fn position_from(book: &Book, text: &str, rules: Option<Rules>) -> anyhow::Result<Position> {
    if rules.is_none_or(|rules| rules == names::RULES)
        && let Some(named) = names::position_of(text)
    {
        return Ok(named);
    }
    notation::parse_position(text, rules.unwrap_or(Rules::CONNECT6))
        .or_else(|error| named(book, text, anyhow!(error.reason().to_owned())))
}

/// What is no position may be a traditional name.
fn named(book: &Book, words: &str, error: anyhow::Error) -> anyhow::Result<Position> {
    let mut found = book.named(words)?;
    match found.len() {
        0 => Err(error).hint(|| {
            let hint =
                "nor is it a name that the book knows; `tengen book search WORDS` looks for one";
            // Stones that cannot be played were not meant as a name.
            let stones = words
                .split_whitespace()
                .all(|word| word.parse::<Cell>().is_ok());
            (!stones).then(|| hint.to_owned())
        }),
        1 => Ok(found.remove(0)),
        several => {
            let setups: Vec<String> = found
                .iter()
                .map(|position| notation::setup_text(&position.to_setup()))
                .collect();
            bail!(
                "{several} positions have the name {words}: {}",
                setups.join("; ")
            )
        }
    }
}

fn annotate(book: &Book, args: &BookAnnotateArgs, out: &mut Output) -> anyhow::Result<()> {
    let position = position(book, &args.position)?;
    let source = Source::named(args.source.as_str());
    if let Some(name) = &args.name {
        book.add_name(&position, name, &args.language, &source)?;
    }
    if let Some(comment) = &args.comment {
        book.add_comment(&position, comment, &args.language, &source)?;
    }
    let setup = notation::setup_text(&position.to_setup());
    Ok(writeln!(out, "Noted: {setup}")?)
}

fn info(book: &Book, args: &BookInfoArgs, out: &mut Output) -> anyhow::Result<()> {
    let info = book.info()?;
    let path = book.path().map(|path| path.display().to_string());
    if args.json {
        let proofs: serde_json::Map<String, serde_json::Value> = info
            .proofs
            .iter()
            .map(|(state, count)| (state.name().to_owned(), json!(count)))
            .collect();
        let value = json!({
            "book": path, "version": info.version, "bytes": info.bytes, "positions": info.positions,
            "proved": info.proved, "turns": info.turns, "names": info.names, "comments": info.comments,
            "opinions": info.opinions, "claims": info.claims, "proofs": proofs, "games": info.games,
            "sources": info.sources, "searches": info.searches, "events": info.events,
        });
        return Ok(writeln!(out, "{value}")?);
    }
    let size = counted(info.bytes, "byte");
    writeln!(
        out,
        "{}: version {}, {size}",
        path.unwrap_or_default(),
        info.version
    )?;
    let proved = counted(info.proved, "position");
    writeln!(
        out,
        "{} and {}; {proved} proved",
        counted(info.positions, "position"),
        counted(info.turns, "turn")
    )?;
    let states: Vec<String> = info
        .proofs
        .iter()
        .filter(|(_, count)| *count > 0)
        .map(|(state, count)| format!("{count} {}", state.name()))
        .collect();
    if !states.is_empty() {
        writeln!(out, "Proofs: {}", states.join(", "))?;
    }
    for (count, what) in [
        (info.games, "game"),
        (info.names, "name"),
        (info.comments, "comment"),
        (info.opinions, "opinion"),
        (info.claims, "unchecked claim"),
        (info.sources, "source"),
    ] {
        if count > 0 {
            writeln!(out, "{}", counted(count, what))?;
        }
    }
    if info.searches > 0 {
        let events = counted(info.events, "event");
        let word = if info.searches == 1 {
            "search"
        } else {
            "searches"
        };
        writeln!(out, "{} {word} with {events}", info.searches)?;
    }
    Ok(())
}
