//! Full-text search over names, comments and sources.

use rusqlite::Connection;

use crate::{Book, Result};

/// More results help nobody.
const MOST: u32 = 200;

/// What was found.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum HitKind {
    /// A traditional name.
    Name,
    /// A comment.
    Comment,
    /// A source.
    Source,
}

/// Where words were found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// In what.
    pub kind: HitKind,
    /// The whole text.
    pub text: String,
    /// The rules and the set-up it belongs to; a source has none.
    pub position: Option<(String, String)>,
}

impl Book {
    /// Names, comments and sources in which words begin with all of these, the best first. Scripts without blanks
    /// between words are searched for the words as they are.
    pub fn search_text(&self, words: &str) -> Result<Vec<Hit>> {
        let words: Vec<&str> = words.split_whitespace().collect();
        if words.is_empty() {
            return Ok(Vec::new());
        }
        self.read(|connection| {
            if words.iter().any(|word| word.chars().any(has_no_blanks)) {
                containing(connection, &words)
            } else {
                beginning(connection, &words)
            }
        })
    }
}

/// Chinese, Japanese, Korean and their neighbours.
fn has_no_blanks(c: char) -> bool {
    c >= '\u{2e80}'
}

const TEXTS: &str = "SELECT words.text, words.rowid % 4, rules, \
     CASE words.rowid % 4 WHEN 0 THEN setup WHEN 1 THEN written_for END FROM words \
     LEFT JOIN names ON words.rowid % 4 = 0 AND names.id = words.rowid / 4 \
     LEFT JOIN comments ON words.rowid % 4 = 1 AND comments.id = words.rowid / 4 \
     LEFT JOIN positions ON positions.id = coalesce(names.position, comments.position)";

fn beginning(connection: &Connection, words: &[&str]) -> Result<Vec<Hit>> {
    // In quotes nothing has a meaning of its own; a star asks for beginnings.
    let quoted: Vec<String> = words
        .iter()
        .map(|word| format!("\"{}\"*", word.replace('"', "\"\"")))
        .collect();
    let query = format!("{TEXTS} WHERE words MATCH ?1 ORDER BY rank, words.rowid LIMIT ?2");
    hits(
        connection,
        &query,
        rusqlite::params![quoted.join(" "), MOST],
    )
}

fn containing(connection: &Connection, words: &[&str]) -> Result<Vec<Hit>> {
    let wanted = vec!["instr(lower(words.text), lower(?)) > 0"; words.len()].join(" AND ");
    let query = format!("{TEXTS} WHERE {wanted} ORDER BY words.rowid LIMIT {MOST}");
    hits(connection, &query, rusqlite::params_from_iter(words))
}

fn hits(connection: &Connection, query: &str, with: impl rusqlite::Params) -> Result<Vec<Hit>> {
    let mut query = connection.prepare_cached(query)?;
    let rows = query.query_map(with, |row| {
        let position: (Option<String>, Option<String>) = (row.get(2)?, row.get(3)?);
        Ok(Hit {
            text: row.get(0)?,
            kind: match row.get(1)? {
                0 => HitKind::Name,
                1 => HitKind::Comment,
                _ => HitKind::Source,
            },
            position: position.0.zip(position.1),
        })
    })?;
    Ok(rows.collect::<std::result::Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Source, start};

    #[test]
    fn words_are_found_in_every_script_and_nothing_in_them_is_a_command() {
        let book = Book::in_memory().expect("a book");
        let mouse = start("connect6", "J10 I8 K8").expect("legal");
        let source = Source {
            name: "Connect6 players".to_owned(),
            url: "https://example.org".to_owned(),
            licence: "CC0-1.0".to_owned(),
        };
        book.add_name(&mouse, "Mickey Mouse", "en", &source)
            .expect("a name");
        book.add_name(&mouse, "米老鼠", "zh", &source)
            .expect("a name");
        let comment = "Black's répertoire: \"K11\" AND more";
        book.add_comment(&mouse, comment, "en", &source)
            .expect("a comment");
        let kinds = |words: &str| -> Vec<HitKind> {
            let hits = book.search_text(words).expect("a search");
            hits.iter().map(|hit| hit.kind).collect()
        };
        assert_eq!(kinds("mick mou"), [HitKind::Name]);
        assert_eq!(kinds("mouse mickey"), [HitKind::Name]);
        assert_eq!(kinds("老鼠"), [HitKind::Name]);
        assert_eq!(kinds("repertoire"), [HitKind::Comment]);
        assert_eq!(kinds("\"k11\""), [HitKind::Comment]);
        assert_eq!(kinds("players"), [HitKind::Source]);
        assert_eq!(kinds("mouse OR players"), []);
        assert_eq!(kinds("* ( NEAR ^ -"), []);
        assert_eq!(kinds("  "), []);
        let hits = book.search_text("mickey").expect("a search");
        let (rules, setup) = hits[0].position.clone().expect("a position");
        let found = start(&rules, &setup).expect("legal");
        assert_eq!(book.lookup(&found).expect("readable").names.len(), 2);
    }
}
