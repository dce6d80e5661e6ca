//! What is known of a position besides proofs: turns, names, comments, opinions, claims, and where all that comes from.

use rusqlite::{Connection, OptionalExtension as _, params};
use serde::{Deserialize, Serialize};
use tengen_rules::{Position, Side, Turn, notation};

use crate::place::Place;
use crate::{Book, Error, Marks, PositionId, Result, fields};

/// Who or what says something. Empty texts mean "not known".
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// A person, a program, a book.
    pub name: String,
    /// Where to find it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub url: String,
    /// Under which licence it may be used.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub licence: String,
}

impl Source {
    /// A source that has a name only.
    pub fn named(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }
}

/// A traditional name of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub name: String,
    /// A BCP 47 tag such as `en` or `zh-Hant`; empty if none is known.
    pub language: String,
    /// Who calls it so.
    pub source: Source,
    /// When it was written; milliseconds since 1970.
    pub at: i64,
}

/// A comment on a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// Free text. It may speak of cells: see [`Comment::written_for`].
    pub text: String,
    /// A BCP 47 tag; empty if none is known.
    pub language: String,
    /// Marks, in the orientation of the position that was asked about.
    pub marks: Marks,
    /// The set-up that the text speaks of; a rotation or reflection of the position that was asked about.
    pub written_for: String,
    /// Who wrote it.
    pub source: Source,
    /// When it was written; milliseconds since 1970.
    pub at: i64,
}

/// What somebody thinks of a position. Never a proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opinion {
    /// In the words of whoever has it: `B4`, `stable`.
    pub verdict: String,
    /// In the units of whoever has it.
    pub score: Option<i64>,
    /// Who thinks so.
    pub source: Source,
    /// Since when; milliseconds since 1970.
    pub at: i64,
}

/// Somebody says that this side wins. Nobody has checked it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Who is said to win.
    pub winner: Side,
    /// Who says so.
    pub source: Source,
    /// Since when; milliseconds since 1970.
    pub at: i64,
}

impl Book {
    /// The book has this position afterwards.
    pub fn add_position(&self, position: &Position) -> Result<PositionId> {
        unfinished(position)?;
        self.write(|transaction| Place::of(position).put(transaction))
    }

    /// The book has this turn afterwards: a whole one, or the first stones of one.
    pub fn add_turn(&self, position: &Position, turn: &Turn) -> Result<()> {
        self.write(|transaction| put_turn(transaction, position, turn))
    }

    /// The same for many turns: all of them or none.
    pub fn add_turns(&self, turns: &[(Position, Turn)]) -> Result<()> {
        self.write(|transaction| {
            let mut turns = turns.iter();
            turns.try_for_each(|(position, turn)| put_turn(transaction, position, turn))
        })
    }

    /// Adds what somebody thinks. If it is what the same source thought last, nothing is added.
    pub fn add_opinion(
        &self,
        position: &Position,
        verdict: &str,
        score: Option<i64>,
        source: &Source,
    ) -> Result<()> {
        unfinished(position)?;
        let opinion = Opinion {
            verdict: verdict.to_owned(),
            score,
            source: source.clone(),
            at: fields::now(),
        };
        self.write(|transaction| {
            let place = Place::of(position).put(transaction)?;
            let source = put_source(transaction, source)?;
            let last: Option<(String, Option<i64>)> = transaction
                .prepare_cached(
                    "SELECT verdict, score FROM opinions WHERE position = ? AND source = ? \
                     ORDER BY at DESC, id DESC LIMIT 1",
                )?
                .query_row([place.0, source], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()?;
            if last == Some((opinion.verdict.clone(), score)) {
                return Ok(());
            }
            put_opinion(transaction, place, &opinion)
        })
    }

    /// Adds the claim that this side wins. It does not make the position proved.
    pub fn add_claim(&self, position: &Position, winner: Side, source: &Source) -> Result<()> {
        unfinished(position)?;
        let claim = Claim {
            winner,
            source: source.clone(),
            at: fields::now(),
        };
        self.write(|transaction| {
            let place = Place::of(position).put(transaction)?;
            put_claim(transaction, place, &claim)
        })
    }

    /// Adds a traditional name.
    pub fn add_name(
        &self,
        position: &Position,
        name: &str,
        language: &str,
        source: &Source,
    ) -> Result<()> {
        unfinished(position)?;
        let name = Name {
            name: name.trim().to_owned(),
            language: language_tag(language)?,
            source: source.clone(),
            at: fields::now(),
        };
        self.write(|transaction| {
            let place = Place::of(position).put(transaction)?;
            put_name(transaction, place, &name)
        })
    }

    /// Adds a comment, which speaks of the position as it is given.
    pub fn add_comment(
        &self,
        position: &Position,
        text: &str,
        language: &str,
        source: &Source,
    ) -> Result<()> {
        unfinished(position)?;
        let comment = Comment {
            text: text.to_owned(),
            language: language_tag(language)?,
            marks: Marks::default(),
            written_for: notation::setup_text(&position.to_setup()),
            source: source.clone(),
            at: fields::now(),
        };
        self.write(|transaction| put_comment(transaction, position, &comment).map(|_| ()))
    }

    /// Adds a source, with url and licence.
    pub fn add_source(&self, source: &Source) -> Result<()> {
        self.write(|transaction| put_source(transaction, source).map(|_| ()))
    }
}

/// A game that is over has no theory.
pub(crate) fn unfinished(position: &Position) -> Result<()> {
    match position.outcome() {
        None => Ok(()),
        Some(_) => Err(Error::Position {
            text: notation::setup_text(&position.to_setup()),
            rules: position.rules().to_string(),
            reason: "the game is over".to_owned(),
        }),
    }
}

/// A tag as BCP 47 has it, not looked up in any registry.
pub(crate) fn language_tag(text: &str) -> Result<String> {
    let part = |part: &str| {
        (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    if text.is_empty() || text.split('-').all(part) {
        return Ok(text.to_owned());
    }
    let text = fields::shortened(text);
    Err(Error::Fact(format!(
        "`{text}` is no language tag, expected one such as en, de or zh-Hant"
    )))
}

pub(crate) fn put_source(connection: &Connection, source: &Source) -> Result<i64> {
    let values = params![source.name, source.url, source.licence];
    let known = connection
        .prepare_cached("SELECT id FROM sources WHERE name = ? AND url = ? AND licence = ?")?
        .query_row(values, |row| row.get(0))
        .optional()?;
    if let Some(known) = known {
        return Ok(known);
    }
    connection
        .prepare_cached("INSERT INTO sources (name, url, licence) VALUES (?, ?, ?)")?
        .execute(params![source.name, source.url, source.licence])?;
    Ok(connection.last_insert_rowid())
}

/// Stores a turn with both its positions.
pub(crate) fn put_turn(connection: &Connection, position: &Position, turn: &Turn) -> Result<()> {
    unfinished(position)?;
    Stored::of(connection, position.clone())?.play(connection, turn)?;
    Ok(())
}

/// A position with its place and number: whoever plays many turns looks each position up once.
pub(crate) struct Stored {
    pub(crate) position: Position,
    place: Place,
    id: PositionId,
}

impl Stored {
    pub(crate) fn of(connection: &Connection, position: Position) -> Result<Self> {
        let place = Place::of(&position);
        let id = place.put(connection)?;
        Ok(Self {
            position,
            place,
            id,
        })
    }

    /// Stores a turn; returns its number, and the position after it unless it ends the game.
    pub(crate) fn play(&self, connection: &Connection, turn: &Turn) -> Result<(i64, Option<Self>)> {
        let after = played(&self.position, turn)?;
        let stones = self.place.turn(turn).to_string();
        let child = match after.outcome() {
            None => Some(Self::of(connection, after)?),
            Some(_) => None,
        };
        let known = connection
            .prepare_cached("SELECT id FROM turns WHERE parent = ? AND stones = ?")?
            .query_row(params![self.id.0, stones], |row| row.get(0))
            .optional()?;
        if let Some(known) = known {
            return Ok((known, child));
        }
        let number = child.as_ref().map(|child| child.id.0);
        connection
            .prepare_cached("INSERT INTO turns (parent, stones, child) VALUES (?, ?, ?)")?
            .execute(params![self.id.0, stones, number])?;
        Ok((connection.last_insert_rowid(), child))
    }
}

/// The position after a whole turn, or after the first stones of one.
fn played(position: &Position, turn: &Turn) -> Result<Position> {
    let refused = |reason: String| Error::Turn {
        turn: turn.to_string(),
        reason,
    };
    if turn.is_empty() || turn.len() > usize::from(position.left()) {
        let left = position.left();
        return Err(refused(format!("expected 1 to {left} stones")));
    }
    let mut after = position.clone();
    let placed = match turn.len() == usize::from(position.left()) {
        true => after.play(turn),
        false => turn.into_iter().try_for_each(|cell| after.place(cell)),
    };
    placed.map_err(|error| refused(error.to_string()))?;
    Ok(after)
}

pub(crate) fn put_name(connection: &Connection, position: PositionId, name: &Name) -> Result<()> {
    if name.name.is_empty() {
        return Err(Error::Fact("a name must not be empty".to_owned()));
    }
    connection
        .prepare_cached(
            "INSERT INTO names (position, language, name, source, at) VALUES (?, ?, ?, ?, ?) \
             ON CONFLICT DO UPDATE SET at = min(at, excluded.at)",
        )?
        .execute(params![
            position.0,
            name.language,
            name.name,
            put_source(connection, &name.source)?,
            name.at
        ])?;
    Ok(())
}

/// Stores a comment whose text and marks speak of the position as it is given.
pub(crate) fn put_comment(
    connection: &Connection,
    position: &Position,
    comment: &Comment,
) -> Result<PositionId> {
    if comment.text.is_empty() && comment.marks.is_empty() {
        return Err(Error::Fact("a comment must not be empty".to_owned()));
    }
    let place = Place::of(position).put(connection)?;
    let marks = match comment.marks.is_empty() {
        true => String::new(),
        false => serde_json::to_string(&comment.marks).unwrap_or_default(),
    };
    let source = &comment.source;
    let rules = position.rules().to_string();
    let texts = [
        &rules,
        &comment.written_for,
        &comment.language,
        &comment.text,
        &marks,
        &source.name,
        &source.url,
        &source.licence,
    ];
    let digest = fields::digest_of(&texts.map(|text| text.as_bytes()));
    connection
        .prepare_cached(
            "INSERT INTO comments (digest, position, language, text, marks, written_for, source, at) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET at = min(at, excluded.at)",
        )?
        .execute(params![
            digest,
            place.0,
            comment.language,
            comment.text,
            marks,
            comment.written_for,
            put_source(connection, source)?,
            comment.at
        ])?;
    Ok(place)
}

pub(crate) fn put_opinion(
    connection: &Connection,
    position: PositionId,
    opinion: &Opinion,
) -> Result<()> {
    if opinion.verdict.trim().is_empty() {
        return Err(Error::Fact("an opinion needs a verdict".to_owned()));
    }
    connection
        .prepare_cached(
            "INSERT OR IGNORE INTO opinions (position, verdict, score, source, at) VALUES (?, ?, ?, ?, ?)",
        )?
        .execute(params![
            position.0,
            opinion.verdict,
            opinion.score,
            put_source(connection, &opinion.source)?,
            opinion.at
        ])?;
    Ok(())
}

pub(crate) fn put_claim(
    connection: &Connection,
    position: PositionId,
    claim: &Claim,
) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO claims (position, winner, source, at) VALUES (?, ?, ?, ?) \
             ON CONFLICT DO UPDATE SET at = min(at, excluded.at)",
        )?
        .execute(params![
            position.0,
            fields::side_text(claim.winner),
            put_source(connection, &claim.source)?,
            claim.at
        ])?;
    Ok(())
}
