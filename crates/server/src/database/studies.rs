//! Studies in the database: `nodes.rs` has the rows of trees, `edits.rs` what is done to them and taken back,
//! `replay.rs` plays what was changed, `search.rs` looks for texts.

mod edits;
mod nodes;
mod replay;
mod search;

use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use tengen_rules::{Rules, Setup, notation};

use crate::api::{Document, GameInfo, NewStudy, Study};
use crate::database::now;
use crate::error::Failure;
use crate::tree::{self, DEEPEST, MOST_NODES, Tree};

pub(crate) use edits::{Undo, edit, take_back};
pub(crate) use search::search;

const LONGEST_TITLE: usize = 500;
const LONGEST_FACT: usize = 2_000;

const COLUMNS: &str =
    "SELECT id, title, folder, rules, start, info, revision, next_node, created, updated,
    (SELECT count(*) FROM nodes WHERE study = studies.id),
    EXISTS (SELECT 1 FROM edits WHERE study = studies.id AND NOT undone),
    EXISTS (SELECT 1 FROM edits WHERE study = studies.id AND undone)
    FROM studies";

fn study_of(row: &Row<'_>) -> rusqlite::Result<Study> {
    let info: String = row.get(5)?;
    Ok(Study {
        id: row.get(0)?,
        title: row.get(1)?,
        folder: row.get(2)?,
        rules: row.get(3)?,
        start: row.get(4)?,
        info: json_of(&info)?,
        revision: row.get(6)?,
        next_node: row.get(7)?,
        created: row.get(8)?,
        updated: row.get(9)?,
        nodes: row.get(10)?,
        can_undo: row.get(11)?,
        can_redo: row.get(12)?,
    })
}

/// JSON that we wrote ourselves.
fn json_of<T: serde::de::DeserializeOwned>(text: &str) -> rusqlite::Result<T> {
    serde_json::from_str(text).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, error.into())
    })
}

fn json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("plain data")
}

/// All studies, the one changed last first.
pub(crate) fn list(database: &Connection) -> Result<Vec<Study>, Failure> {
    let mut query =
        database.prepare_cached(&format!("{COLUMNS} ORDER BY updated DESC, id DESC"))?;
    let rows = query.query_map([], study_of)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// One study.
pub(crate) fn study(database: &Connection, id: u32) -> Result<Study, Failure> {
    let mut query = database.prepare_cached(&format!("{COLUMNS} WHERE id = ?"))?;
    let found = query.query_row([id], study_of).optional()?;
    found.ok_or_else(|| Failure::NotFound(format!("there is no study {id}")))
}

/// One study with its tree.
pub(crate) fn document(database: &Connection, id: u32) -> Result<Document, Failure> {
    // Study and nodes must be of the same revision.
    document_within(&database.unchecked_transaction()?, id)
}

/// The same inside a transaction.
pub(crate) fn document_within(database: &Transaction<'_>, id: u32) -> Result<Document, Failure> {
    let study = study(database, id)?;
    let nodes = nodes::all(database, id)?;
    Ok(Document { study, nodes })
}

/// The game and the start of a study.
pub(crate) fn start_of(study: &Study) -> Result<Setup, Failure> {
    let broken = |error: &dyn std::fmt::Display| {
        Failure::Internal(format!("study {} is damaged: {error}", study.id))
    };
    let rules: Rules = study.rules.parse().map_err(|error| broken(&error))?;
    if study.start.is_empty() {
        return Ok(Setup::empty(rules));
    }
    notation::parse_setup(&study.start, rules).map_err(|error| broken(&error))
}

/// A tree with its keys, ready to be stored: made before the database is locked.
pub(crate) struct Prepared {
    tree: Tree,
    keys: Vec<Option<tengen_rules::PositionKey>>,
    folder: String,
}

impl Prepared {
    /// Refuses what is too large; computes the keys.
    pub(crate) fn new(tree: Tree, folder: String) -> Result<Self, Failure> {
        let count = tree.nodes.len();
        if count > MOST_NODES {
            return Err(Failure::TooLarge(format!(
                "the tree has {count} turns, a study holds at most {MOST_NODES}: import a part of it"
            )));
        }
        let depth = tree.depth();
        if depth > DEEPEST {
            return Err(Failure::TooLarge(format!(
                "a line of play has {depth} turns, a study holds at most {DEEPEST}"
            )));
        }
        check_head(Some(&tree.title), Some(&folder), Some(&tree.info))?;
        let keys = tree.keys();
        Ok(Self { tree, keys, folder })
    }
}

/// Stores a tree as a new study.
pub(crate) fn create(database: &Transaction<'_>, prepared: &Prepared) -> Result<u32, Failure> {
    let Prepared { tree, keys, folder } = prepared;
    let start = if tree.start == Setup::empty(tree.start.rules) {
        String::new()
    } else {
        notation::setup_text(&tree.start)
    };
    let now = now();
    database.execute(
        "INSERT INTO studies (title, folder, rules, start, info, next_node, created, updated)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        params![
            tree.title,
            folder,
            tree.start.rules.to_string(),
            start,
            json(&tree.info),
            tree.nodes.len() as u32,
            now,
            now
        ],
    )?;
    let id = u32::try_from(database.last_insert_rowid())
        .map_err(|_| Failure::TooMany("there are too many studies".into()))?;
    for (node, key) in tree.nodes.iter().zip(keys) {
        nodes::put(database, id, node, *key)?;
    }
    Ok(id)
}

/// Changes title, folder and facts.
pub(crate) fn change(
    database: &Transaction<'_>,
    id: u32,
    new: &NewStudy,
) -> Result<Study, Failure> {
    check_head(
        new.title.as_deref(),
        new.folder.as_deref(),
        new.info.as_ref(),
    )?;
    database.execute(
        "UPDATE studies SET title = coalesce(?, title), folder = coalesce(?, folder),
         info = coalesce(?, info), updated = ? WHERE id = ?",
        params![
            new.title,
            new.folder,
            new.info.as_ref().map(json),
            now(),
            id
        ],
    )?;
    study(database, id)
}

/// Forgets a study.
pub(crate) fn delete(database: &Transaction<'_>, id: u32) -> Result<(), Failure> {
    match database.execute("DELETE FROM studies WHERE id = ?", [id])? {
        0 => Err(Failure::NotFound(format!("there is no study {id}"))),
        _ => Ok(()),
    }
}

fn check_head(
    title: Option<&str>,
    folder: Option<&str>,
    info: Option<&GameInfo>,
) -> Result<(), Failure> {
    let facts = info.map(|info| {
        [
            ("Black's name", &info.black),
            ("White's name", &info.white),
            ("the result", &info.result),
            ("the date", &info.date),
            ("the place", &info.place),
            ("the event", &info.event),
            ("the source", &info.source),
        ]
    });
    let checked = tree::text("the title", title.unwrap_or_default(), LONGEST_TITLE)
        .and_then(|()| tree::text("the folder", folder.unwrap_or_default(), LONGEST_TITLE))
        .and_then(|()| {
            let mut facts = facts.into_iter().flatten();
            facts.try_for_each(|(what, fact)| tree::text(what, fact, LONGEST_FACT))
        });
    checked.map_err(Failure::BadRequest)
}
