//! Files of games as a source: a game that cannot be read is left out and reported, not fatal.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, anyhow};
use flate2::read::GzDecoder;
use tengen_puzzles::{Source, suits};
use tengen_rules::notation::{self, Format, ReadOptions};
use tengen_rules::{Cell, Position, Record, Rules};

use crate::error::io_words;

/// Games of one file.
pub(super) struct Games {
    name: String,
    pub(super) records: Vec<Record>,
}

impl Source for Games {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn len(&self) -> usize {
        self.records.len()
    }

    fn item(&self, number: usize) -> Option<(Position, Vec<Cell>, String)> {
        let record = &self.records[number];
        if !suits(record.rules()) {
            return None;
        }
        let start = Position::from_setup(&record.start).ok()?;
        let title = match record.info.source.as_str() {
            "" => format!("{}, game {}", self.name, number + 1),
            source => source.to_owned(),
        };
        Some((start, record.main_moves(), title))
    }
}

/// Positions of a book.
pub(super) struct BookPositions {
    name: String,
    positions: Vec<Position>,
}

impl Source for BookPositions {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn len(&self) -> usize {
        self.positions.len()
    }

    fn item(&self, number: usize) -> Option<(Position, Vec<Cell>, String)> {
        let position = self.positions[number].clone();
        Some((position, Vec::new(), self.name.clone()))
    }
}

/// The positions of one game that a book has.
pub(super) fn book(path: &Path, rules: Rules) -> anyhow::Result<BookPositions> {
    let book = crate::commands::book::existing(path)?;
    let name = path
        .file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    Ok(BookPositions {
        name,
        positions: book.positions(rules)?,
    })
}

/// Reads a file, packed or not; also says which games are left out, and why.
pub(super) fn read(path: &Path) -> anyhow::Result<(Games, Vec<String>)> {
    let cannot = || format!("cannot read `{}`", path.display());
    let mut bytes = Vec::new();
    let mut file = File::open(path)
        .map_err(|error| anyhow!(io_words(&error)))
        .with_context(cannot)?;
    file.read_to_end(&mut bytes)
        .map_err(|error| anyhow!(io_words(&error)))
        .with_context(cannot)?;
    if bytes.starts_with(&[0x1f, 0x8b]) {
        let mut plain = Vec::new();
        GzDecoder::new(&bytes[..])
            .read_to_end(&mut plain)
            .with_context(cannot)?;
        bytes = plain;
    }
    let name = path
        .file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let plain = Path::new(name.trim_end_matches(".gz"));
    let extension = plain.extension().and_then(|extension| extension.to_str());
    let format = extension
        .and_then(Format::from_extension)
        .or_else(|| Format::detect(&bytes))
        .ok_or_else(|| anyhow!("its format is not known").context(cannot()))?;
    let options = ReadOptions::default();
    let (records, skipped) = match notation::read(format, &bytes, &options) {
        Ok(records) => (records, Vec::new()),
        Err(error) => {
            let parts = parts(format, &bytes);
            if parts.len() < 2 {
                return Err(anyhow!(error).context(cannot()));
            }
            one_by_one(format, &parts, &options)
        }
    };
    if records.is_empty() {
        return Err(anyhow!("it holds no game that can be read").context(cannot()));
    }
    Ok((Games { name, records }, skipped))
}

fn one_by_one(
    format: Format,
    parts: &[&[u8]],
    options: &ReadOptions,
) -> (Vec<Record>, Vec<String>) {
    let mut records = Vec::new();
    let mut skipped = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        match notation::read(format, part, options) {
            Ok(more) => records.extend(more),
            Err(error) => skipped.push(format!("game {}: {error}", number + 1)),
        }
    }
    (records, skipped)
}

/// The games of a file, each by itself: lines, or for SGF what begins with `(;` at the start of a line.
fn parts(format: Format, bytes: &[u8]) -> Vec<&[u8]> {
    match format {
        Format::Sgf => {
            let begins = |at: &usize| {
                bytes[*at..].starts_with(b"(;") && (*at == 0 || bytes[*at - 1] == b'\n')
            };
            let mut starts: Vec<usize> = (0..bytes.len()).filter(begins).collect();
            starts.push(bytes.len());
            starts
                .windows(2)
                .map(|pair| &bytes[pair[0]..pair[1]])
                .collect()
        }
        Format::Moves | Format::Setup | Format::LittleGolem => {
            let lines = bytes.split(|&byte| byte == b'\n');
            lines
                .filter(|line| !line.trim_ascii().is_empty() && !line.starts_with(b"#"))
                .collect()
        }
        _ => vec![bytes],
    }
}
