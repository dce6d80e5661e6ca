//! Journals of searches: a root, a configuration and a list of events, from which a search is found again exactly.
//!
//! Events are appended together with their proofs in one transaction, so what was answered is never lost. One process
//! at a time runs a search ([`Lease`]); others watch it, say what they want of it and send commands.

mod events;
mod lease;

use rusqlite::{Connection, OptionalExtension as _, Row, params};
use tengen_rules::notation;

pub use events::Events;
pub(crate) use events::{add, chunk};
pub use lease::Lease;

use crate::{Book, Error, Result, fields};

/// The number of a search in one file.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SearchId(pub i64);

/// A search to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSearch {
    /// For people.
    pub title: String,
    /// The rules, by name.
    pub rules: String,
    /// The root as a set-up or moves; kept as a set-up in this orientation.
    pub root: String,
    /// JSON.
    pub config: String,
}

/// What somebody wants of the process that runs a search.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub enum Wanted {
    /// It shall go on.
    Run,
    /// It shall finish the jobs in flight and wait.
    Pause,
    /// It shall end.
    Stop,
}

impl Wanted {
    /// `run`, `pause` or `stop`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Pause => "pause",
            Self::Stop => "stop",
        }
    }

    pub(crate) fn named(text: &str) -> Option<Self> {
        let all = [Self::Run, Self::Pause, Self::Stop];
        all.into_iter().find(|wanted| wanted.name() == text)
    }
}

/// Who runs a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    /// The machine's name.
    pub host: String,
    /// The process.
    pub pid: u32,
    /// When it was last heard of; milliseconds since 1970.
    pub heartbeat: i64,
    /// Whether it still runs, as far as one can tell from here.
    pub alive: bool,
}

/// A search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    /// Its number in this file.
    pub id: SearchId,
    /// The same in every copy.
    pub uid: [u8; 16],
    /// For people.
    pub title: String,
    /// The rules, by name.
    pub rules: String,
    /// The root as a set-up.
    pub root: String,
    /// JSON.
    pub config: String,
    /// When it was made; milliseconds since 1970.
    pub created: i64,
    /// How many events there are; the last one has this number.
    pub events: u64,
    /// What the process that runs it shows; JSON.
    pub snapshot: Option<String>,
    /// What is wanted.
    pub wanted: Wanted,
    /// Who runs it.
    pub owner: Option<Owner>,
}

/// What an expert wants a search to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// In the order of posting.
    pub number: i64,
    /// JSON.
    pub text: String,
    /// When it was posted; milliseconds since 1970.
    pub at: i64,
}

impl Book {
    /// Makes a search without events.
    pub fn create_search(&self, new: &NewSearch) -> Result<SearchId> {
        let root = fields::position(&new.rules, &new.root)?;
        fields::json("the configuration of a search", &new.config)?;
        let search = Search {
            id: SearchId(0),
            uid: fresh(&new.title),
            title: new.title.clone(),
            rules: root.rules().to_string(),
            root: notation::setup_text(&root.to_setup()),
            config: new.config.clone(),
            created: fields::now(),
            events: 0,
            snapshot: None,
            wanted: Wanted::Run,
            owner: None,
        };
        self.write(|transaction| insert(transaction, &search))
    }

    /// All searches, the newest first.
    pub fn searches(&self) -> Result<Vec<Search>> {
        self.read(all)
    }

    /// One search.
    pub fn search(&self, id: SearchId) -> Result<Search> {
        self.read(|connection| get(connection, id))
    }

    /// Gives a search another title.
    pub fn rename_search(&self, id: SearchId, title: &str) -> Result<()> {
        self.change(id, "UPDATE searches SET title = ?2 WHERE id = ?1", title)
    }

    /// Replaces what is shown of a running search; `snapshot` is JSON.
    pub fn set_snapshot(&self, id: SearchId, snapshot: &str) -> Result<()> {
        fields::json("a snapshot", snapshot)?;
        self.change(
            id,
            "UPDATE searches SET snapshot = ?2 WHERE id = ?1",
            snapshot,
        )
    }

    /// Says what is wanted of the process that runs a search, now or later.
    pub fn set_wanted(&self, id: SearchId, wanted: Wanted) -> Result<()> {
        self.change(
            id,
            "UPDATE searches SET wanted = ?2 WHERE id = ?1",
            wanted.name(),
        )
    }

    /// What is wanted of a search.
    pub fn wanted(&self, id: SearchId) -> Result<Wanted> {
        self.read(|connection| Ok(get(connection, id)?.wanted))
    }

    /// Sends a command to the process that runs a search, now or later; `command` is JSON.
    pub fn post_command(&self, id: SearchId, command: &str) -> Result<()> {
        fields::json("a command", command)?;
        self.write(|transaction| {
            get(transaction, id)?;
            transaction
                .prepare_cached("INSERT INTO commands (search, command, at) VALUES (?, ?, ?)")?
                .execute(params![id.0, command, fields::now()])?;
            Ok(())
        })
    }

    /// Commands that nobody has taken, the oldest first.
    pub fn commands(&self, id: SearchId) -> Result<Vec<Command>> {
        self.read(|connection| commands(connection, id))
    }

    /// Takes the commands out of the inbox, the oldest first. Who takes them and crashes has lost them; who cannot
    /// afford that reads [`Book::commands`], appends what they mean and then calls [`Book::done_with_commands`].
    pub fn take_commands(&self, id: SearchId) -> Result<Vec<Command>> {
        self.write(|transaction| {
            let taken = commands(transaction, id)?;
            if let Some(last) = taken.last() {
                forget_commands(transaction, id, last.number)?;
            }
            Ok(taken)
        })
    }

    /// Removes the commands up to this number from the inbox.
    pub fn done_with_commands(&self, id: SearchId, number: i64) -> Result<()> {
        self.write(|transaction| forget_commands(transaction, id, number))
    }

    /// Deletes a search with its journal. Its proofs stay.
    pub fn delete_search(&self, id: SearchId) -> Result<()> {
        self.write(|transaction| {
            let search = get(transaction, id)?;
            if let Some(owner) = search.owner.filter(|owner| owner.alive) {
                return Err(lease::owned(id, &owner));
            }
            for table in ["events", "commands"] {
                let delete = format!("DELETE FROM {table} WHERE search = ?");
                transaction.execute(&delete, [id.0])?;
            }
            transaction.execute("DELETE FROM searches WHERE id = ?", [id.0])?;
            Ok(())
        })
    }

    fn change(&self, id: SearchId, statement: &str, value: &str) -> Result<()> {
        self.write(|transaction| {
            let changed = transaction
                .prepare_cached(statement)?
                .execute(params![id.0, value])?;
            match changed {
                0 => Err(Error::NoSearch(id)),
                _ => Ok(()),
            }
        })
    }
}

/// A number that nobody else has.
fn fresh(title: &str) -> [u8; 16] {
    use std::hash::{BuildHasher as _, RandomState};
    // The standard library seeds it from the system's randomness.
    let random = [(); 2].map(|()| RandomState::new().hash_one(title).to_be_bytes());
    let time = fields::now().to_be_bytes();
    fields::digest_of(&[&random[0], &random[1], &time])
}

pub(crate) fn insert(connection: &Connection, search: &Search) -> Result<SearchId> {
    connection
        .prepare_cached(
            "INSERT INTO searches (uid, title, rules, root, config, created, snapshot, wanted) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        )?
        .execute(params![
            search.uid,
            search.title,
            search.rules,
            search.root,
            search.config,
            search.created,
            search.snapshot,
            search.wanted.name(),
        ])?;
    Ok(SearchId(connection.last_insert_rowid()))
}

const COLUMNS: &str = "id, uid, title, rules, root, config, created, events, snapshot, wanted, token, host, machine, \
     pid, heartbeat";

pub(crate) fn get(connection: &Connection, id: SearchId) -> Result<Search> {
    let query = format!("SELECT {COLUMNS} FROM searches WHERE id = ?");
    let mut query = connection.prepare_cached(&query)?;
    let found = query.query_row([id.0], |row| Ok(search(row))).optional()?;
    found.ok_or(Error::NoSearch(id))?
}

pub(crate) fn all(connection: &Connection) -> Result<Vec<Search>> {
    let query = format!("SELECT {COLUMNS} FROM searches ORDER BY id DESC");
    let mut query = connection.prepare_cached(&query)?;
    let rows = query.query_map([], |row| Ok(search(row)))?;
    rows.map(|row| row?).collect()
}

fn search(row: &Row<'_>) -> Result<Search> {
    let wanted: String = row.get(9)?;
    Ok(Search {
        id: SearchId(row.get(0)?),
        uid: row.get(1)?,
        title: row.get(2)?,
        rules: row.get(3)?,
        root: row.get(4)?,
        config: row.get(5)?,
        created: row.get(6)?,
        events: row.get::<_, i64>(7)? as u64,
        snapshot: row.get(8)?,
        wanted: Wanted::named(&wanted)
            .ok_or_else(|| Error::Damaged(format!("`{wanted}` cannot be wanted of a search")))?,
        owner: lease::owner(row)?,
    })
}

pub(crate) fn commands(connection: &Connection, id: SearchId) -> Result<Vec<Command>> {
    let mut query = connection
        .prepare_cached("SELECT id, command, at FROM commands WHERE search = ? ORDER BY id")?;
    let rows = query.query_map([id.0], |row| {
        Ok(Command {
            number: row.get(0)?,
            text: row.get(1)?,
            at: row.get(2)?,
        })
    })?;
    Ok(rows.collect::<std::result::Result<_, _>>()?)
}

fn forget_commands(connection: &Connection, id: SearchId, last: i64) -> Result<()> {
    connection
        .prepare_cached("DELETE FROM commands WHERE search = ? AND id <= ?")?
        .execute([id.0, last])?;
    Ok(())
}
