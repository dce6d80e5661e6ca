//! The whole book as JSON lines, one fact a line: what is exported, imported and merged.
//!
//! `docs/book.md` describes the lines. Reading them again gives the same book; reading them twice changes nothing.

mod apply;
mod collect;
mod journals;

use std::io::Write;

use rusqlite::Connection;
use serde::{Deserialize, Serialize};

use crate::games::Game;
use crate::proofs::{self, CHECKER, Packed, Told};
use crate::{Book, CheckedProof, Error, Marks, ProofId, Result, Source, fields};

/// The version of the lines.
const VERSION: u32 = 1;

/// One line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "fact", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Fact {
    /// The first line.
    Book { version: u32 },
    /// Who says something.
    Source {
        name: String,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        url: String,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        licence: String,
    },
    /// A position that nothing else speaks of.
    Position { rules: String, position: String },
    /// A turn that no game implies.
    Turn {
        rules: String,
        position: String,
        turn: String,
    },
    /// A traditional name.
    Name {
        rules: String,
        position: String,
        name: String,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        language: String,
        #[serde(default)]
        source: Source,
        at: i64,
    },
    /// A comment on the position as it is written here.
    Comment {
        rules: String,
        position: String,
        text: String,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        language: String,
        #[serde(default, skip_serializing_if = "Marks::is_empty")]
        marks: Marks,
        #[serde(default)]
        source: Source,
        at: i64,
    },
    /// What somebody thinks.
    Opinion {
        rules: String,
        position: String,
        verdict: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        score: Option<i64>,
        #[serde(default)]
        source: Source,
        at: i64,
    },
    /// Who is said to win.
    Claim {
        rules: String,
        position: String,
        winner: String,
        #[serde(default)]
        source: Source,
        at: i64,
    },
    /// A proof. It is checked again when it is read: state and checker are for people.
    Proof {
        id: String,
        state: String,
        checker: String,
        checked: i64,
        added: i64,
        text: String,
    },
    /// A game.
    Game(Game),
    /// A search; its events follow.
    Search {
        search: String,
        title: String,
        rules: String,
        root: String,
        config: String,
        created: i64,
        events: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        snapshot: Option<String>,
        wanted: String,
    },
    /// An event of a search.
    Event {
        search: String,
        number: u64,
        event: String,
    },
    /// A command that nobody has taken.
    Command {
        search: String,
        command: String,
        at: i64,
    },
}

/// Proofs whose text is damaged, with what is wrong.
pub type Unreadable = Vec<(ProofId, String)>;

/// What was written.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Exported {
    /// Facts.
    pub facts: u64,
    /// Proofs that are left out because their text is damaged.
    pub unreadable: Unreadable,
}

/// What reading lines or another book has brought.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Merged {
    /// Facts that were read.
    pub facts: u64,
    /// Proofs that are new; each was checked.
    pub proofs: u64,
    /// Those of them that the checker did not verify, with its reasons.
    pub refused: Vec<(ProofId, String)>,
    /// Proofs that the other book has lost.
    pub unreadable: Unreadable,
    /// Games that are new.
    pub games: u64,
}

impl Book {
    /// Writes every fact of the book, in an order that depends on the facts alone.
    pub fn export_lines(&self, out: &mut dyn Write) -> Result<Exported> {
        let mut facts = 0;
        let mut write = |fact: Fact| {
            let line = serde_json::to_string(&fact).map_err(|e| Error::Fact(e.to_string()))?;
            facts += 1;
            writeln!(out, "{line}").map_err(|e| Error::Fact(format!("cannot write: {e}")))
        };
        let unreadable = self.read(|connection| {
            // One view of the book, whatever others write meanwhile.
            let view = connection.unchecked_transaction()?;
            collect::all_but_proofs(&view, &mut write)?;
            collect::all_proofs(&view, &mut write)
        })?;
        Ok(Exported { facts, unreadable })
    }

    /// Reads facts. Everything is checked before anything is written; proofs are then written one by one, all the rest
    /// in one transaction.
    pub fn import_lines(&self, bytes: &[u8]) -> Result<Merged> {
        let facts = parse(bytes)?;
        let mut merged = Merged::default();
        for (line, fact) in &facts {
            self.take_proof(fact, &mut merged)
                .map_err(|error| at(*line, &error))?;
        }
        self.write(|transaction| {
            let mut journals = journals::Journals::default();
            for (line, fact) in &facts {
                apply::fact(transaction, fact, &mut journals, &mut merged)
                    .map_err(|error| at(*line, &error))?;
            }
            journals.end(transaction)
        })?;
        Ok(merged)
    }

    /// Takes over everything that another book has and this one has not. Proofs are checked again.
    pub fn merge(&self, other: &Self) -> Result<Merged> {
        let mut merged = Merged::default();
        if std::ptr::eq(self, other) {
            return Ok(merged);
        }
        other.read(|connection| {
            // One view of the other book, whatever is written there meanwhile.
            let connection = &connection.unchecked_transaction()?;
            merged.unreadable =
                collect::all_proofs(connection, &mut |fact| self.take_proof(&fact, &mut merged))?;
            self.write(|transaction| {
                let mut journals = journals::Journals::default();
                collect::all_but_proofs(connection, &mut |fact| {
                    apply::fact(transaction, &fact, &mut journals, &mut merged)
                })?;
                journals.end(transaction)
            })
        })?;
        Ok(merged)
    }

    /// Has the proof of a fact checked and stores it; other facts are left for later.
    fn take_proof(&self, fact: &Fact, merged: &mut Merged) -> Result<()> {
        let Fact::Proof {
            id,
            state,
            checker,
            checked,
            added,
            text,
        } = fact
        else {
            return Ok(());
        };
        if *id != ProofId::of(text).to_string() {
            return Err(Error::Fact(format!(
                "the proof's id is {id}, that of its text is {}: it was changed or cut",
                ProofId::of(text)
            )));
        }
        let told = Told {
            state,
            checker,
            checked: *checked,
            added: *added,
        };
        let id = ProofId::of(text);
        if self.write(|transaction| proofs::seen_before(transaction, id, &told))? {
            return Ok(());
        }
        let mut proof = CheckedProof::check(text.as_str())?;
        if checker == CHECKER && *state == proof.state().name() {
            // This checker has said the same before.
            proof.checked = *checked;
        }
        let mut packed = Packed::of(&proof)?;
        packed.added = *added;
        let new = self.write(|transaction| packed.store(transaction))?;
        merged.proofs += u64::from(new);
        if proof.report().is_none() {
            merged.refused.push((proof.id(), proof.reason()));
        }
        Ok(())
    }
}

fn at(line: u64, error: &Error) -> Error {
    Error::Line {
        line,
        reason: error.to_string(),
    }
}

/// The facts with the numbers of their lines.
fn parse(bytes: &[u8]) -> Result<Vec<(u64, Fact)>> {
    let mut facts = Vec::new();
    for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        let line = line.trim_ascii();
        if line.is_empty() {
            continue;
        }
        let number = index as u64 + 1;
        let wrong = |reason: String| Error::Line {
            line: number,
            reason,
        };
        let fact: Fact = serde_json::from_slice(line).map_err(|error| {
            let found = fields::shortened(&String::from_utf8_lossy(line));
            wrong(format!(
                "{error}; expected a fact as docs/book.md has them, found `{found}`"
            ))
        })?;
        match (&fact, facts.is_empty()) {
            (Fact::Book { version }, true) if *version == VERSION => {}
            (Fact::Book { version }, true) => {
                return Err(wrong(format!(
                    "these are lines of version {version}, this program knows {VERSION}"
                )));
            }
            (Fact::Book { .. }, false) => {
                return Err(wrong("only the first line says `book`".to_owned()));
            }
            (_, true) => {
                let expected = format!("{{\"fact\":\"book\",\"version\":{VERSION}}}");
                return Err(wrong(format!("expected `{expected}` first")));
            }
            (_, false) => {}
        }
        facts.push((number, fact));
    }
    match facts.len() {
        0 => Err(Error::Line {
            line: 1,
            reason: "the file is empty, expected lines of a book".to_owned(),
        }),
        _ => Ok(facts),
    }
}

/// The position that a fact is about.
fn position(rules: &str, text: &str) -> Result<tengen_rules::Position> {
    fields::position(rules, text)
}

/// The search with this name in every copy.
fn uid(text: &str) -> Result<[u8; 16]> {
    fields::from_hex(text).ok_or_else(|| {
        let text = fields::shortened(text);
        Error::Fact(format!(
            "`{text}` names no search, expected 32 hexadecimal digits"
        ))
    })
}

/// Its number here.
fn search_with(connection: &Connection, uid: &[u8; 16]) -> Result<Option<crate::SearchId>> {
    use rusqlite::OptionalExtension as _;
    Ok(connection
        .prepare_cached("SELECT id FROM searches WHERE uid = ?")?
        .query_row([uid], |row| row.get(0).map(crate::SearchId))
        .optional()?)
}
