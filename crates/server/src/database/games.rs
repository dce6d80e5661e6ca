//! Collections, games and their positions in the database.

use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, named_params, params};
use tengen_rules::notation::{Charset, Format};
use tengen_rules::{Rules, Side, Turn};

use super::now;
use crate::api::{Collection, Game, GameList};
use crate::error::Failure;
use crate::games::line::{Line, Passed};
use tengen_rules::PositionKey;

/// Reasons that are kept.
const MOST_REASONS: usize = 10;

/// A collection to be made.
#[derive(Debug)]
pub(crate) struct NewCollection {
    pub(crate) name: String,
    pub(crate) format: Format,
    pub(crate) rules: Option<Rules>,
    pub(crate) charset: Option<Charset>,
    pub(crate) file: Vec<u8>,
}

/// The file of a collection, and how much of it is done.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) format: Format,
    pub(crate) rules: Option<Rules>,
    pub(crate) charset: Option<Charset>,
    pub(crate) file: Vec<u8>,
    pub(crate) done: u32,
}

/// Some records of a file.
#[derive(Debug, Default)]
pub(crate) struct Step {
    pub(crate) lines: Vec<Line>,
    /// Why records are left out.
    pub(crate) refused: Vec<String>,
    /// How many records of the file are done with these.
    pub(crate) done: u32,
}

/// What came out of a file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Imported {
    pub(crate) games: u32,
    pub(crate) refused: u32,
    pub(crate) reasons: Vec<String>,
}

/// Keeps an uploaded file; its games are not there yet.
pub(crate) fn create(transaction: &Transaction<'_>, new: &NewCollection) -> Result<u32, Failure> {
    transaction.execute(
        "INSERT INTO collections (name, format, rules, charset, file, created) VALUES (?, ?, ?, ?, ?, ?)",
        params![
            new.name,
            new.format.name(),
            new.rules.map(|rules| rules.to_string()),
            new.charset.map(Charset::name),
            new.file,
            now()
        ],
    )?;
    Ok(transaction.last_insert_rowid() as u32)
}

/// The file to be imported; nothing if that is done.
pub(crate) fn source(connection: &Connection, collection: u32) -> Result<Option<Source>, Failure> {
    let row = connection.query_row(
        "SELECT format, rules, charset, file, done FROM collections WHERE id = ?",
        [collection],
        |row| {
            let texts: [Option<String>; 3] = [row.get(0)?, row.get(1)?, row.get(2)?];
            let file: Option<Vec<u8>> = row.get(3)?;
            Ok((texts, file, row.get(4)?))
        },
    );
    let found = row.optional()?.ok_or_else(|| missing(collection))?;
    let ([format, rules, charset], Some(file), done) = found else {
        return Ok(None);
    };
    let unknown = || Failure::Internal("the stored collection is of an unknown format".into());
    Ok(Some(Source {
        format: format
            .and_then(|text| text.parse().ok())
            .ok_or_else(unknown)?,
        rules: rules.and_then(|text| text.parse().ok()),
        charset: charset.and_then(|text| text.parse().ok()),
        file,
        done,
    }))
}

/// Stores some games with their positions.
pub(crate) fn store(
    transaction: &Transaction<'_>,
    collection: u32,
    step: &Step,
) -> Result<(), Failure> {
    let mut imported = imported(transaction, collection)?;
    let room = MOST_REASONS.saturating_sub(imported.reasons.len());
    imported
        .reasons
        .extend(step.refused.iter().take(room).cloned());
    // A step ends beyond where the last one did; an import of the same file beside this one has been there.
    let moved = transaction.execute(
        "UPDATE collections SET done = ?1, refused = refused + ?2, reasons = ?3 WHERE id = ?4 AND done < ?1",
        params![
            step.done,
            step.refused.len() as u32,
            json(&imported.reasons),
            collection
        ],
    )?;
    if moved == 0 {
        return Err(Failure::Conflict(
            "another import of this collection is at work".into(),
        ));
    }
    let mut passed: Vec<(&Passed, i64, u32)> = Vec::new();
    for line in &step.lines {
        let game = insert(transaction, collection, line)?;
        let numbered = (0..).zip(&line.positions);
        passed.extend(numbered.map(|(turn, position)| (position, game, turn)));
    }
    // Neighbours in the index one after the other: each of its pages is written once.
    passed.sort_unstable_by_key(|(position, game, _)| (position.key, *game));
    let mut statement = transaction
        .prepare_cached("INSERT INTO positions (key, game, turn, next) VALUES (?, ?, ?, ?)")?;
    for (position, game, turn) in passed {
        let next = position
            .next
            .as_ref()
            .map_or_else(String::new, Turn::to_string);
        statement.execute(params![position.key, game, turn, next])?;
    }
    Ok(())
}

fn insert(transaction: &Transaction<'_>, collection: u32, line: &Line) -> Result<i64, Failure> {
    let mut statement = transaction.prepare_cached(
        "INSERT INTO games (collection, rules, moves, turns, winner, black, white, event, date, info)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )?;
    let winner = line.winner.map(|side| match side {
        Side::Black => "black",
        Side::White => "white",
    });
    let info = &line.info;
    Ok(statement.insert(params![
        collection,
        line.rules.to_string(),
        line.moves,
        line.turns,
        winner,
        info.black,
        info.white,
        info.event,
        info.date,
        json(info)
    ])?)
}

/// All games are there: the file is no longer needed.
pub(crate) fn finish(transaction: &Transaction<'_>, collection: u32) -> Result<(), Failure> {
    transaction.execute(
        "UPDATE collections SET file = NULL WHERE id = ?",
        [collection],
    )?;
    Ok(())
}

/// What came out so far.
pub(crate) fn imported(connection: &Connection, collection: u32) -> Result<Imported, Failure> {
    let found = connection.query_row(
        "SELECT (SELECT count(*) FROM games WHERE collection = c.id), refused, reasons
         FROM collections c WHERE id = ?",
        [collection],
        |row| {
            let reasons: String = row.get(2)?;
            Ok(Imported {
                games: row.get(0)?,
                refused: row.get(1)?,
                reasons: serde_json::from_str(&reasons).unwrap_or_default(),
            })
        },
    );
    found.optional()?.ok_or_else(|| missing(collection))
}

/// All collections, the newest first.
pub(crate) fn collections(connection: &Connection) -> Result<Vec<Collection>, Failure> {
    let mut statement = connection.prepare_cached(
        "SELECT id, name, (SELECT count(*) FROM games WHERE collection = c.id), created
         FROM collections c ORDER BY id DESC",
    )?;
    let rows = statement.query_map([], |row| {
        Ok(Collection {
            id: row.get(0)?,
            name: row.get(1)?,
            games: row.get(2)?,
            created: row.get(3)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Deletes a collection with all its games.
pub(crate) fn delete(transaction: &Transaction<'_>, collection: u32) -> Result<(), Failure> {
    let deleted = transaction.execute("DELETE FROM collections WHERE id = ?", [collection])?;
    if deleted == 0 {
        return Err(missing(collection));
    }
    Ok(())
}

/// Deletes some of a collection's games and says whether there are more: others can write in between.
pub(crate) fn delete_some(transaction: &Transaction<'_>, collection: u32) -> Result<bool, Failure> {
    // Keys are scattered: every part writes much of the index anew, so the parts are not too small.
    const SOME: u32 = 2000;
    let deleted = transaction.execute(
        "DELETE FROM games WHERE id IN (SELECT id FROM games WHERE collection = ? LIMIT ?)",
        params![collection, SOME],
    )?;
    Ok(deleted == SOME as usize)
}

/// Which games to list.
#[derive(Debug, Default)]
pub(crate) struct Filter {
    pub(crate) collection: Option<u32>,
    pub(crate) text: Option<String>,
    pub(crate) key: Option<PositionKey>,
    pub(crate) offset: u32,
    pub(crate) limit: u32,
}

const COLUMNS: &str = "id, collection, rules, moves, turns, info";

/// A page of games, the newest first.
pub(crate) fn list(connection: &Connection, filter: &Filter) -> Result<GameList, Failure> {
    let mut conditions = vec!["1"];
    let mut values: Vec<Value> = Vec::new();
    if let Some(collection) = filter.collection {
        conditions.push("collection = ?");
        values.push(collection.into());
    }
    if let Some(key) = filter.key {
        conditions.push("id IN (SELECT game FROM positions WHERE key = ?)");
        values.push(key.to_vec().into());
    }
    if let Some(text) = &filter.text {
        conditions.push(
            r"(black || char(10) || white || char(10) || event || char(10) || date) LIKE ? ESCAPE '\'",
        );
        values.push(like(text).into());
    }
    let conditions = conditions.join(" AND ");
    let count = format!("SELECT count(*) FROM games WHERE {conditions}");
    let total = connection
        .prepare_cached(&count)?
        .query_row(rusqlite::params_from_iter(&values), |row| row.get(0))?;
    values.extend([filter.limit.into(), filter.offset.into()]);
    let page =
        format!("SELECT {COLUMNS} FROM games WHERE {conditions} ORDER BY id DESC LIMIT ? OFFSET ?");
    let mut statement = connection.prepare_cached(&page)?;
    let rows = statement.query_map(rusqlite::params_from_iter(&values), game_of)?;
    Ok(GameList {
        total,
        games: rows.collect::<Result<_, _>>()?,
    })
}

/// A pattern that finds the text anywhere; `%` and `_` are what they are.
fn like(text: &str) -> String {
    let mut pattern = "%".to_owned();
    for c in text.chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern + "%"
}

/// One game.
pub(crate) fn game(connection: &Connection, id: u32) -> Result<Game, Failure> {
    let query = format!("SELECT {COLUMNS} FROM games WHERE id = ?");
    let found = connection.query_row(&query, [id], game_of).optional()?;
    found.ok_or_else(|| {
        Failure::NotFound(format!("there is no game {id}; it may have been deleted"))
    })
}

fn game_of(row: &Row<'_>) -> rusqlite::Result<Game> {
    let info: String = row.get(5)?;
    Ok(Game {
        id: row.get(0)?,
        collection: row.get(1)?,
        rules: row.get(2)?,
        moves: row.get(3)?,
        turns: row.get(4)?,
        info: serde_json::from_str(&info).unwrap_or_default(),
    })
}

/// Games that went on in one way and ended in one way.
#[derive(Debug)]
pub(crate) struct Continued {
    /// As the canonical image has it; nothing at the end of the game.
    pub(crate) next: Option<Turn>,
    pub(crate) winner: Option<Side>,
    pub(crate) games: u32,
}

/// How games went on from a position.
pub(crate) fn continued(
    connection: &Connection,
    key: PositionKey,
    collection: Option<u32>,
) -> Result<Vec<Continued>, Failure> {
    let mut statement = connection.prepare_cached(
        "SELECT p.next, g.winner, count(*) FROM positions p JOIN games g ON g.id = p.game
         WHERE p.key = :key AND (:collection IS NULL OR g.collection = :collection)
         GROUP BY p.next, g.winner",
    )?;
    let rows = statement.query_map(
        named_params! { ":key": key, ":collection": collection },
        |row| {
            let next: String = row.get(0)?;
            let winner: Option<String> = row.get(1)?;
            Ok(Continued {
                next: next.parse().ok().filter(|turn: &Turn| !turn.is_empty()),
                winner: winner.and_then(|text| side_named(&text)),
                games: row.get(2)?,
            })
        },
    )?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The last games with a position, each with the number of turns before it.
pub(crate) fn with_position(
    connection: &Connection,
    key: PositionKey,
    most: u32,
) -> Result<Vec<(Game, u32)>, Failure> {
    let mut statement = connection.prepare_cached(
        "SELECT id, collection, rules, moves, turns, info, turn FROM positions JOIN games ON id = game
         WHERE key = ? ORDER BY game DESC LIMIT ?",
    )?;
    let rows = statement.query_map(params![key, most], |row| Ok((game_of(row)?, row.get(6)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// `black` or `white`.
pub(crate) fn side_named(text: &str) -> Option<Side> {
    match text {
        "black" => Some(Side::Black),
        "white" => Some(Side::White),
        _ => None,
    }
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("plain data")
}

fn missing(collection: u32) -> Failure {
    Failure::NotFound(format!(
        "there is no collection {collection}; it may have been deleted"
    ))
}
