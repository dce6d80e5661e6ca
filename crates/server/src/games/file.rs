//! An uploaded file: unpacking, its format, its records one by one.

use std::borrow::Cow;
use std::io::{self, Read as _};

use flate2::read::MultiGzDecoder;
use tengen_rules::notation::{self, Charset, Format, ReadOptions};
use tengen_rules::{Record, Rules};

use crate::error::Failure;

/// The most bytes that a packed file may unpack to.
const LARGEST: u64 = 256 << 20;

/// What formats are told apart by.
const HEAD: u64 = 4096;

/// Undoes gzip; other files are left as they are.
pub(crate) fn unpacked(bytes: &[u8]) -> Result<Cow<'_, [u8]>, Failure> {
    if !is_packed(bytes) {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut unpacked = Vec::new();
    let mut reader = MultiGzDecoder::new(bytes).take(LARGEST + 1);
    reader.read_to_end(&mut unpacked).map_err(damaged)?;
    within(unpacked.len() as u64, LARGEST)?;
    Ok(Cow::Owned(unpacked))
}

/// The beginning of a file. A packed one is read to its end, but not kept, to see whether it can be unpacked.
pub(crate) fn head(bytes: &[u8]) -> Result<Vec<u8>, Failure> {
    head_within(bytes, LARGEST)
}

fn head_within(bytes: &[u8], most: u64) -> Result<Vec<u8>, Failure> {
    let mut head = Vec::new();
    if is_packed(bytes) {
        let mut reader = MultiGzDecoder::new(bytes).take(most + 1);
        let begun = reader.by_ref().take(HEAD).read_to_end(&mut head);
        let begun = begun.map_err(damaged)? as u64;
        let rest = io::copy(&mut reader, &mut io::sink()).map_err(damaged)?;
        within(begun + rest, most)?;
    } else {
        head.extend(bytes.iter().take(HEAD as usize));
    }
    Ok(head)
}

fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b])
}

fn damaged(error: io::Error) -> Failure {
    let reason = format!("the gzip file is damaged or incomplete ({error}); upload it again");
    Failure::BadRequest(reason)
}

fn within(size: u64, most: u64) -> Result<(), Failure> {
    if size <= most {
        return Ok(());
    }
    let megabytes = most >> 20;
    Err(Failure::TooLarge(format!(
        "the file unpacks to more than {megabytes} MiB, the most that is read; split it"
    )))
}

/// The format as it is given, or else as the file's name or content has it.
pub(crate) fn format_of(given: Option<&str>, name: &str, bytes: &[u8]) -> Result<Format, Failure> {
    if let Some(given) = given.filter(|text| !text.trim().is_empty()) {
        let unknown = |error: notation::ParseFormatError| Failure::BadRequest(error.to_string());
        return given.parse().map_err(unknown);
    }
    let name = name.strip_suffix(".gz").unwrap_or(name);
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    let named = extension.and_then(Format::from_extension);
    named.or_else(|| Format::detect(bytes)).ok_or_else(|| {
        let known = Format::ALL.map(Format::name).join(", ");
        Failure::BadRequest(format!(
            "the file is none of those that are read ({known}, or one of them packed with gzip)"
        ))
    })
}

/// How to read a file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reading {
    pub(crate) format: Format,
    pub(crate) rules: Option<Rules>,
    pub(crate) charset: Option<Charset>,
}

impl Reading {
    /// All records, or for one that cannot be read the reason.
    ///
    /// Where a file is damaged and its games can be told apart all the same, the others are read.
    pub(crate) fn records(self, bytes: &[u8]) -> Result<Vec<Result<Record, String>>, Failure> {
        let whole = match notation::read(self.format, bytes, &self.options()) {
            Ok(records) => return Ok(records.into_iter().map(Ok).collect()),
            Err(error) => error,
        };
        let parts = match self.format {
            Format::Moves | Format::LittleGolem | Format::Setup => self.lines(bytes),
            Format::Sgf => self.trees(bytes),
            _ => Vec::new(),
        };
        if parts.iter().any(Result::is_ok) {
            Ok(parts)
        } else {
            Err(Failure::BadRequest(whole.to_string()))
        }
    }

    const fn options(self) -> ReadOptions {
        ReadOptions {
            rules: self.rules,
            charset: self.charset,
        }
    }

    /// A file with one game per line.
    fn lines(self, bytes: &[u8]) -> Vec<Result<Record, String>> {
        let text = self
            .charset
            .unwrap_or_else(|| Charset::guess(bytes))
            .decode(bytes);
        let mut rules = "";
        let mut records = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let content = line.split('#').next().unwrap_or("").trim();
            let names_rules = content
                .get(..5)
                .is_some_and(|word| word.eq_ignore_ascii_case("rules"));
            if names_rules {
                rules = content;
            } else if !content.is_empty() {
                let alone = format!("{rules}\n{content}");
                let place = format!("line {}", index + 1);
                records.extend(self.part(alone.as_bytes(), &place));
            }
        }
        records
    }

    /// An SGF collection.
    fn trees(self, bytes: &[u8]) -> Vec<Result<Record, String>> {
        let trees = game_trees(bytes);
        let numbered = trees.iter().enumerate();
        let records = numbered.flat_map(|(index, tree)| {
            let place = format!("game {}", index + 1);
            self.part(tree, &place)
        });
        records.collect()
    }

    fn part(self, bytes: &[u8], place: &str) -> Vec<Result<Record, String>> {
        match notation::read(self.format, bytes, &self.options()) {
            Ok(records) => records.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(format!("{place}: {}", error.reason()))],
        }
    }
}

/// The outermost `(...)` of an SGF file. Values in brackets are skipped, so comments may have parentheses.
fn game_trees(bytes: &[u8]) -> Vec<&[u8]> {
    let mut trees = Vec::new();
    let mut depth = 0_usize;
    let mut begin = 0;
    let mut in_value = false;
    let mut escaped = false;
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_value => escaped = true,
            b']' => in_value = false,
            _ if in_value => {}
            b'[' => in_value = depth > 0,
            b'(' => {
                if depth == 0 {
                    begin = at;
                }
                depth += 1;
            }
            b')' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    trees.push(&bytes[begin..=at]);
                }
            }
            _ => {}
        }
    }
    trees
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(bytes).expect("memory");
        encoder.finish().expect("memory")
    }

    #[test]
    fn bombs_are_refused_and_damage_is_told() {
        let bomb = packed(&vec![b' '; 100_000]);
        assert!(bomb.len() < 1000);
        assert_eq!(head_within(&bomb, 100_000).expect("fits").len(), 4096);
        let refused = head_within(&bomb, 99_999).expect_err("too large");
        assert!(matches!(refused, Failure::TooLarge(_)), "{refused}");
        let cut = head(&bomb[..bomb.len() - 9]).expect_err("cut off");
        assert!(cut.to_string().contains("incomplete"), "{cut}");
        let cut = unpacked(&bomb[..bomb.len() - 9]).expect_err("cut off");
        assert!(cut.to_string().contains("incomplete"), "{cut}");
        let two = [packed(b"J10\n"), packed(b"K9\n")].concat();
        assert_eq!(*unpacked(&two).expect("two members"), b"J10\nK9\n"[..]);
        assert_eq!(head(&two).expect("two members"), b"J10\nK9\n");
        assert_eq!(*unpacked(b"J10").expect("not packed"), b"J10"[..]);
    }

    #[test]
    fn formats_are_guessed_from_name_and_content() {
        let guess = |given, name, bytes: &[u8]| format_of(given, name, bytes).ok();
        assert_eq!(guess(None, "a.sgf.gz", b""), Some(Format::Sgf));
        assert_eq!(
            guess(None, "a.txt", b"12 j10 k9k8"),
            Some(Format::LittleGolem)
        );
        assert_eq!(guess(Some("moves"), "a.sgf", b""), Some(Format::Moves));
        assert_eq!(guess(Some("pdf"), "a.sgf", b""), None);
        assert_eq!(guess(None, "a.txt", b"\x00\x01hello"), None);
    }

    #[test]
    fn one_bad_game_does_not_spoil_the_others() {
        let reading = |format| Reading {
            format,
            rules: None,
            charset: None,
        };
        let text = b"1 j10 k10k11\n2 j10 j10j11\nrules gomoku\n3 h8 h9 # fine\n4 z99\n";
        let records = reading(Format::LittleGolem).records(text).expect("some");
        let said: Vec<String> = records
            .iter()
            .map(|record| match record {
                Ok(record) => record.rules().to_string(),
                Err(reason) => reason[..7].to_owned(),
            })
            .collect();
        assert_eq!(said, ["connect6", "line 2:", "gomoku", "line 5:"]);

        let first = b"(;GM[511]C[a (bracket\\] ];B[JJ])";
        let trees = [&first[..], b" ) (;B[JJ](;W[II])(;W[KK])) (;B["].concat();
        assert_eq!(
            game_trees(&trees),
            [&first[..], b"(;B[JJ](;W[II])(;W[KK]))"]
        );
        let sgf = b"(;GM[511];B[JJ]) (;SZ[0];B[JJ]) (;GM[511];B[JJ](;W[II])(;W[KK]))";
        let records = reading(Format::Sgf).records(sgf).expect("some");
        assert_eq!(records.iter().filter(|record| record.is_ok()).count(), 2);
    }
}
