//! From words, files and stdin to records and positions.
//!
//! Everything that comes in here is untrusted: it may be huge, cut off or of no format at all.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context as _, anyhow, bail};
use tengen_rules::notation::{self, Format, NotationError, Place, ReadOptions};
use tengen_rules::{Action, Position, Record, Rules};

use crate::args::PositionArgs;
use crate::error::{WithHint as _, io_words};
use crate::view;

/// No game record is larger; the largest public opening libraries have some 30 MB.
const MAX_BYTES: u64 = 64 << 20;

/// A position and, when it came from a file with several games, which of them it is.
#[derive(Debug)]
pub(crate) struct Loaded {
    /// The position.
    pub(crate) position: Position,
    /// The number of the game and how many there are; `None` unless there are several.
    pub(crate) game: Option<(usize, usize)>,
}

/// The position that the arguments describe.
pub(crate) fn position(args: &PositionArgs) -> anyhow::Result<Loaded> {
    let stdin = args.words == ["-"];
    let path = match &args.file {
        Some(path) => Some(path.as_path()),
        None if stdin => Some(Path::new("-")),
        None => None,
    };
    let Some(path) = path else {
        return from_words(args);
    };
    let options = ReadOptions {
        rules: args.rules,
        charset: args.charset,
    };
    let records = records(path, args.format, &options)?;
    let number = args.game.unwrap_or(1) as usize;
    let record = nth(&records, number, path)?;
    let position = at(record, args.at)
        .with_context(|| format!("cannot play game {number} of {}", name(path)))?;
    let game = (records.len() > 1).then_some((number, records.len()));
    Ok(Loaded { position, game })
}

fn from_words(args: &PositionArgs) -> anyhow::Result<Loaded> {
    for (option, given) in [
        ("--game", args.game.is_some()),
        ("--format", args.format.is_some()),
        ("--charset", args.charset.is_some()),
    ] {
        if given {
            bail!("{option} needs a file: give --file FILE, or - for stdin");
        }
    }
    let text = args.words.join(" ");
    let rules = args.rules.unwrap_or(Rules::CONNECT6);
    let mut position = notation::parse_position(&text, rules)
        .map_err(|error| anyhow!(words_complaint(&error)))
        .hint(|| words_hint(args))?;
    if let Some(at) = args.at {
        let stones = |position: &Position| position.history().filter(|(_, c)| c.is_some()).count();
        let all = stones(&position);
        if at > all {
            bail!(beyond(all, at));
        }
        while stones(&position) > at {
            position.undo();
        }
    }
    let game = None;
    Ok(Loaded { position, game })
}

/// Words have no lines; a stone that cannot be played is named, other faults need a place.
fn words_complaint(error: &NotationError) -> String {
    match error.place() {
        Place::Text { column, .. } if !error.reason().starts_with("stone ") => {
            let reason = error.reason().replace("the end of the file", "its end");
            format!("character {column} of the position: {reason}")
        }
        _ => error.reason().to_owned(),
    }
}

fn beyond(stones: usize, at: usize) -> String {
    let stones = view::stones(stones as u32);
    format!("the game has {stones}, --at {at} is beyond its end")
}

/// What may have been meant when the words are no position.
fn words_hint(args: &PositionArgs) -> Option<String> {
    if let [word] = &args.words[..]
        && Path::new(word).is_file()
    {
        return Some(format!("to read a file, write --file {word}"));
    }
    None
}

/// The games of a file, at least one.
pub(crate) fn records(
    path: &Path,
    format: Option<Format>,
    options: &ReadOptions,
) -> anyhow::Result<Vec<Record>> {
    let cannot = || format!("cannot read {}", name(path));
    let bytes = read_bytes(path).with_context(cannot)?;
    if bytes.is_empty() {
        return Err(anyhow!("it is empty, expected a game record").context(cannot()));
    }
    let format = format
        .or_else(|| format_of(path, &bytes))
        .ok_or_else(|| anyhow!("its format is not known").context(cannot()))
        .hint(|| Some(format!("name it with --format: {}", format_names())))?;
    let records = notation::read(format, &bytes, options).with_context(cannot)?;
    if records.is_empty() {
        return Err(anyhow!("it holds no game").context(cannot()));
    }
    Ok(records)
}

/// The file's name decides; without a telling one, its content.
fn format_of(path: &Path, bytes: &[u8]) -> Option<Format> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension
        .and_then(Format::from_extension)
        .or_else(|| Format::detect(bytes))
}

/// "moves, setup, sgf, ...".
pub(crate) fn format_names() -> String {
    Format::ALL.map(|format| format.name()).join(", ")
}

/// Game `number` of a file, counted from 1.
pub(crate) fn nth<'a>(
    records: &'a [Record],
    number: usize,
    path: &Path,
) -> anyhow::Result<&'a Record> {
    number
        .checked_sub(1)
        .and_then(|index| records.get(index))
        .with_context(|| {
            let games = match records.len() {
                1 => "1 game".to_owned(),
                n => format!("{n} games"),
            };
            format!("{} holds {games}, there is no game {number}", name(path))
        })
}

/// The position after `stones` stones of the main line, or at its end.
fn at(record: &Record, stones: Option<usize>) -> anyhow::Result<Position> {
    let end = record.main_end();
    let Some(stones) = stones else {
        return Ok(record.position(end)?);
    };
    let path = record.path(end);
    let places =
        |node: &&tengen_rules::NodeId| matches!(record.node(**node).action, Action::Place(_));
    if stones == 0 {
        return Ok(record.position(Record::ROOT)?);
    }
    match path.iter().filter(places).nth(stones - 1) {
        Some(&node) => Ok(record.position(node)?),
        None => bail!(beyond(path.iter().filter(places).count(), stones)),
    }
}

/// Reads a file or stdin, but never more than [`MAX_BYTES`].
fn read_bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    let words = |error: io::Error| anyhow!(io_words(&error));
    let mut bytes = Vec::new();
    let source: &mut dyn Read = if is_stdin(path) {
        &mut io::stdin().lock()
    } else {
        let file = File::open(path).map_err(words)?;
        let length = file.metadata().map_err(words)?.len();
        if length > MAX_BYTES {
            bail!(too_large());
        }
        &mut { file }
    };
    source
        .take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(words)?;
    if bytes.len() as u64 > MAX_BYTES {
        bail!(too_large());
    }
    Ok(bytes)
}

fn too_large() -> String {
    format!("it is larger than {} MiB, no game record", MAX_BYTES >> 20)
}

/// Whether the path means stdin.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// The file as messages name it.
pub(crate) fn name(path: &Path) -> String {
    if is_stdin(path) {
        "stdin".to_owned()
    } else {
        format!("`{}`", path.display())
    }
}
