//! A collection: one SQLite file with puzzles, their proofs, how far each source was read, and what every stage
//! counted. `docs/puzzles.md` has the schema.
//!
//! A puzzle's shape is its primary key, so that no run adds it twice. A batch of games and the place that was reached
//! are written in one transaction: a run that is killed goes on where the last batch ended, and comes to the same
//! collection.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension as _, params};
use tengen_prover::Proof;

use crate::puzzle::{Kind, Puzzle, Theme};
use crate::stage::{Counts, Stage};

/// The version of the schema.
const VERSION: i64 = 1;

/// `TnPz`, in the header of the file.
const APPLICATION: i64 = 0x546e_507a;

const SCHEMA: &str = "
CREATE TABLE puzzles (
    id       TEXT PRIMARY KEY,
    number   INTEGER NOT NULL UNIQUE,
    kind     TEXT NOT NULL,
    turns    INTEGER NOT NULL,
    rating   INTEGER NOT NULL,
    grade    INTEGER NOT NULL,
    position TEXT NOT NULL,
    source   TEXT NOT NULL,
    puzzle   TEXT NOT NULL,
    proof    BLOB NOT NULL
) STRICT;
CREATE INDEX puzzles_by_grade ON puzzles (kind, grade);
CREATE TABLE sources (name TEXT PRIMARY KEY, done INTEGER NOT NULL) STRICT;
CREATE TABLE counts (stage TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT;
";

/// Why a collection cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CollectionError {
    /// The database says no.
    #[error(transparent)]
    Database(#[from] rusqlite::Error),
    /// The file is something else.
    #[error("the file is no collection of puzzles")]
    Foreign,
    /// The file was written by another version.
    #[error("the collection has version {0}, expected {VERSION}")]
    Version(i64),
    /// A puzzle cannot be read.
    #[error("puzzle {id}: {error}")]
    Puzzle {
        /// Which.
        id: String,
        /// Why.
        error: String,
    },
}

/// Which puzzles are wanted.
#[derive(Debug, Copy, Clone, Default)]
pub struct Selection {
    /// Of this kind.
    pub kind: Option<Kind>,
    /// Of this grade.
    pub grade: Option<u8>,
    /// At most so many.
    pub limit: Option<u64>,
}

/// A puzzle in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// Its name.
    pub id: String,
    /// What is asked.
    pub kind: Kind,
    /// Attacker's turns.
    pub turns: u8,
    /// Machine difficulty.
    pub rating: i32,
    /// From 1, the easiest.
    pub grade: u8,
    /// The order of the win.
    pub order: u8,
    /// What it is about.
    pub themes: Vec<Theme>,
}

impl From<&Puzzle> for Summary {
    fn from(puzzle: &Puzzle) -> Self {
        Self {
            id: puzzle.id.clone(),
            kind: puzzle.kind,
            turns: puzzle.features.turns,
            rating: puzzle.rating,
            grade: puzzle.grade,
            order: puzzle.order,
            themes: puzzle.themes.clone(),
        }
    }
}

/// An open collection.
#[derive(Debug)]
pub struct Collection {
    connection: Connection,
}

impl Collection {
    /// Opens a collection, or makes one where no file is.
    pub fn open(path: &Path) -> Result<Self, CollectionError> {
        Self::prepared(Connection::open(path)?)
    }

    /// A collection that ends with the program.
    pub fn in_memory() -> Result<Self, CollectionError> {
        Self::prepared(Connection::open_in_memory()?)
    }

    fn prepared(connection: Connection) -> Result<Self, CollectionError> {
        connection.busy_timeout(Duration::from_secs(60))?;
        let pragma = |name: &str| {
            connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i64>(0))
        };
        let tables: i64 =
            connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        match (tables, pragma("application_id")?, pragma("user_version")?) {
            (0, 0, 0) => connection.execute_batch(&format!(
                "PRAGMA journal_mode=WAL; BEGIN; {SCHEMA} PRAGMA application_id={APPLICATION}; PRAGMA user_version={VERSION}; COMMIT;"
            ))?,
            (_, APPLICATION, VERSION) => {}
            (_, APPLICATION, version) => return Err(CollectionError::Version(version)),
            _ => return Err(CollectionError::Foreign),
        }
        Ok(Self { connection })
    }

    /// How many items of a source were read in earlier runs.
    pub fn done(&self, source: &str) -> Result<u64, CollectionError> {
        let sql = "SELECT done FROM sources WHERE name = ?1";
        let done: Option<i64> = self
            .connection
            .query_row(sql, [source], |row| row.get(0))
            .optional()?;
        Ok(done.unwrap_or(0) as u64)
    }

    /// Keeps a batch: the puzzles whose shape is new, what was counted, and how far the source was read. Says how many
    /// were new.
    pub fn add(
        &mut self,
        source: &str,
        done: u64,
        puzzles: &[(Puzzle, Proof)],
        mut counts: Counts,
    ) -> Result<u64, CollectionError> {
        let transaction = self.connection.transaction()?;
        let mut number: i64 =
            transaction.query_row("SELECT coalesce(max(number), 0) FROM puzzles", [], |row| {
                row.get(0)
            })?;
        let mut new = 0;
        for (puzzle, proof) in puzzles {
            let json = serde_json::to_string(puzzle).map_err(|error| CollectionError::Puzzle {
                id: puzzle.id.clone(),
                error: error.to_string(),
            })?;
            let added = transaction.execute(
                "INSERT OR IGNORE INTO puzzles VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                params![
                    puzzle.id,
                    number + 1,
                    kind_name(puzzle.kind),
                    puzzle.features.turns,
                    puzzle.rating,
                    puzzle.grade,
                    puzzle.position,
                    puzzle.source,
                    json,
                    proof.to_compact(),
                ],
            )?;
            if added == 1 {
                number += 1;
                new += 1;
                counts.add(match (puzzle.kind, puzzle.order) {
                    (Kind::Win, 1) => Stage::New,
                    (Kind::Win, 2) => Stage::SecondNew,
                    (Kind::Win, _) => Stage::QuietNew,
                    (Kind::Defence, _) => Stage::DefenceNew,
                });
            }
        }
        for stage in Stage::ALL {
            transaction.execute(
                "INSERT INTO counts VALUES (?1, ?2) ON CONFLICT (stage) DO UPDATE SET count = count + excluded.count",
                params![stage.name(), counts.of(stage) as i64],
            )?;
        }
        transaction.execute(
            "INSERT INTO sources VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET done = excluded.done",
            params![source, done as i64],
        )?;
        transaction.commit()?;
        Ok(new)
    }

    /// What all runs together have counted.
    pub fn counts(&self) -> Result<Counts, CollectionError> {
        let mut counts = Counts::default();
        for stage in Stage::ALL {
            let sql = "SELECT count FROM counts WHERE stage = ?1";
            let count: Option<i64> = self
                .connection
                .query_row(sql, [stage.name()], |row| row.get(0))
                .optional()?;
            counts.add_many(stage, count.unwrap_or(0) as u64);
        }
        Ok(counts)
    }

    /// How many puzzles there are, for each kind and grade.
    pub fn grades(&self) -> Result<Vec<(Kind, u8, u64)>, CollectionError> {
        let sql = "SELECT kind, grade, count(*) FROM puzzles GROUP BY kind, grade ORDER BY kind DESC, grade";
        let mut statement = self.connection.prepare(sql)?;
        let rows = statement.query_map([], |row| {
            let kind: String = row.get(0)?;
            Ok((kind_of(&kind), row.get(1)?, row.get::<_, i64>(2)? as u64))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// How many puzzles there are.
    pub fn len(&self) -> Result<u64, CollectionError> {
        let count: i64 = self
            .connection
            .query_row("SELECT count(*) FROM puzzles", [], |row| row.get(0))?;
        Ok(count as u64)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> Result<bool, CollectionError> {
        Ok(self.len()? == 0)
    }

    /// What a list says of all puzzles, easiest first within their kind.
    pub fn summaries(&self) -> Result<Vec<Summary>, CollectionError> {
        let sql = "SELECT id, kind, turns, rating, grade, json_extract(puzzle, '$.order'), json_extract(puzzle, '$.themes')
            FROM puzzles ORDER BY kind DESC, rating, number";
        let mut statement = self.connection.prepare(sql)?;
        let rows = statement.query_map([], |row| {
            let kind: String = row.get(1)?;
            let themes: String = row.get(6)?;
            Ok(Summary {
                id: row.get(0)?,
                kind: kind_of(&kind),
                turns: row.get(2)?,
                rating: row.get(3)?,
                grade: row.get(4)?,
                order: row.get(5)?,
                // A theme of a later version is no theme here.
                themes: serde_json::from_str::<Vec<serde_json::Value>>(&themes)
                    .unwrap_or_default()
                    .into_iter()
                    .filter_map(|theme| serde_json::from_value(theme).ok())
                    .collect(),
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The puzzle of this name.
    pub fn puzzle(&self, id: &str) -> Result<Option<Puzzle>, CollectionError> {
        let sql = "SELECT puzzle FROM puzzles WHERE id = ?1";
        let json: Option<String> = self
            .connection
            .query_row(sql, [id], |row| row.get(0))
            .optional()?;
        let parse = |json: String| {
            serde_json::from_str(&json).map_err(|error| CollectionError::Puzzle {
                id: id.to_owned(),
                error: error.to_string(),
            })
        };
        json.map(parse).transpose()
    }

    /// The puzzles, easiest first within their kind, with their proofs.
    pub fn puzzles(&self, selection: Selection) -> Result<Vec<(Puzzle, Vec<u8>)>, CollectionError> {
        let sql = "SELECT id, puzzle, proof FROM puzzles
            WHERE (?1 IS NULL OR kind = ?1) AND (?2 IS NULL OR grade = ?2)
            ORDER BY kind DESC, rating, number LIMIT ?3";
        let mut statement = self.connection.prepare(sql)?;
        let limit = selection.limit.map_or(-1, |limit| limit as i64);
        let rows = statement.query_map(
            params![selection.kind.map(kind_name), selection.grade, limit],
            |row| {
                Ok((
                    row.get::<_, String>(0)?,
                    row.get::<_, String>(1)?,
                    row.get::<_, Vec<u8>>(2)?,
                ))
            },
        )?;
        let mut puzzles = Vec::new();
        for row in rows {
            let (id, json, proof) = row?;
            let puzzle = serde_json::from_str(&json).map_err(|error| CollectionError::Puzzle {
                id,
                error: error.to_string(),
            })?;
            puzzles.push((puzzle, proof));
        }
        Ok(puzzles)
    }

    /// Writes new ratings.
    pub fn rate(&mut self, rating: impl Fn(&Puzzle) -> (i32, u8)) -> Result<(), CollectionError> {
        let puzzles = self.puzzles(Selection::default())?;
        let transaction = self.connection.transaction()?;
        for (mut puzzle, _) in puzzles {
            (puzzle.rating, puzzle.grade) = rating(&puzzle);
            let json = serde_json::to_string(&puzzle).map_err(|error| CollectionError::Puzzle {
                id: puzzle.id.clone(),
                error: error.to_string(),
            })?;
            transaction.execute(
                "UPDATE puzzles SET rating = ?2, grade = ?3, puzzle = ?4 WHERE id = ?1",
                params![puzzle.id, puzzle.rating, puzzle.grade, json],
            )?;
        }
        transaction.commit()?;
        Ok(())
    }
}

fn kind_of(name: &str) -> Kind {
    match name {
        "win" => Kind::Win,
        _ => Kind::Defence,
    }
}

const fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Win => "win",
        Kind::Defence => "defence",
    }
}
