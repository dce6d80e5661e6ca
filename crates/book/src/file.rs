//! The file: made whole or not at all, recognised before it is touched, shared by several processes.
//!
//! The write-ahead log lets others read while one writes; `synchronous=full` because what a search has found in hours
//! shall survive the loss of power too, and a commit every few seconds can afford the wait for the disk.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};

use crate::{Error, Result};

/// The schema, step by step: a book has the first `user_version` of them.
const SCHEMA: [&str; 1] = [include_str!("schema_1.sql")];

/// `TnBk`, in the header of the file.
const APPLICATION: u32 = 0x546e_426b;

/// How long a process waits for another one that writes.
const PATIENCE: Duration = Duration::from_secs(60);

/// Statements that stay prepared.
const PREPARED: usize = 128;

/// An open book. Threads may share it; they take turns.
#[derive(Debug)]
pub struct Book {
    connection: Mutex<Connection>,
    path: Option<PathBuf>,
}

impl Book {
    /// Opens a book, or makes one where no file is.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        if !path.try_exists().map_err(|error| failed(path, error))? {
            create(path)?;
        }
        Self::open_existing(path)
    }

    /// Opens a book that must be there. A file that is no book is refused and left as it is.
    pub fn open_existing(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let mut connection = recognised(path)?;
        prepare(&connection)?;
        bring_up_to_date(&mut connection, path)?;
        Ok(Self {
            connection: Mutex::new(connection),
            path: Some(path.to_owned()),
        })
    }

    /// A book that ends with the program.
    pub fn in_memory() -> Result<Self> {
        let mut connection = Connection::open_in_memory()?;
        prepare(&connection)?;
        bring_up_to_date(&mut connection, Path::new(":memory:"))?;
        Ok(Self {
            connection: Mutex::new(connection),
            path: None,
        })
    }

    /// Where it is; `None` in memory.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Reads.
    pub(crate) fn read<T>(&self, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        work(&self.lock())
    }

    /// Writes in one transaction: all of it or nothing.
    pub(crate) fn write<T>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T>) -> Result<T> {
        let mut connection = self.lock();
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let result = work(&transaction)?;
        transaction.commit()?;
        Ok(result)
    }

    /// A panic while the lock was held rolled its transaction back: the connection is good.
    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

fn failed(path: &Path, error: io::Error) -> Error {
    Error::File {
        path: path.to_owned(),
        error,
    }
}

/// Makes an empty book beside the place and puts it there when it is whole: nobody ever sees half a book.
fn create(path: &Path) -> Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".new-{}-{:p}", std::process::id(), &name));
    let unfinished = path.with_file_name(name);
    // Of a process that had the same number and crashed.
    let _ = fs::remove_file(&unfinished);
    let made = make(&unfinished).and_then(|()| {
        match fs::hard_link(&unfinished, path) {
            Ok(()) => Ok(()),
            // Another process was faster: its book is as good.
            Err(_) if path.exists() => Ok(()),
            Err(_) => fs::rename(&unfinished, path).map_err(|error| failed(path, error)),
        }
    });
    let _ = fs::remove_file(&unfinished);
    made
}

fn make(path: &Path) -> Result<()> {
    File::create(path).map_err(|error| failed(path, error))?;
    let mut connection = Connection::open(path)?;
    prepare(&connection)?;
    bring_up_to_date(&mut connection, path)?;
    connection.close().map_err(|(_, error)| error.into())
}

/// Opens a file that must be a book, and changes nothing in it before it is known to be one.
///
/// Nobody but SQLite may open the file: when a process closes any descriptor of a file, it loses all locks that it has on it,
/// those of its open books too. Another process would then take itself for the last one and delete the write-ahead log.
fn recognised(path: &Path) -> Result<Connection> {
    let length = fs::metadata(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Error::Missing(path.to_owned()),
        _ => failed(path, error),
    })?;
    let no_book = |reason: &str| Error::NotABook {
        path: path.to_owned(),
        reason: reason.to_owned(),
    };
    if length.len() == 0 {
        return Err(no_book(
            "it is empty; delete it and a book can be made there",
        ));
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    let application = connection.pragma_query_value(None, "application_id", |row| row.get(0));
    match application {
        Ok(APPLICATION) => Ok(connection),
        Ok(_) => Err(no_book("it is the SQLite file of another program")),
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) => {
            Err(no_book("it is no SQLite file"))
        }
        Err(error) => Err(error.into()),
    }
}

fn prepare(connection: &Connection) -> Result<()> {
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.set_prepared_statement_cache_capacity(PREPARED);
    Ok(())
}

fn bring_up_to_date(connection: &mut Connection, path: &Path) -> Result<()> {
    let known = SCHEMA.len() as u32;
    let found = version(connection)?;
    if found > known {
        return Err(Error::Newer {
            path: path.to_owned(),
            found,
            known,
        });
    }
    if found == known {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have been faster.
    for step in version(&transaction)?..known {
        transaction.execute_batch(SCHEMA[step as usize])?;
        transaction.pragma_update(None, "user_version", step + 1)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.commit()?;
    Ok(())
}

fn version(connection: &Connection) -> Result<u32> {
    Ok(connection.pragma_query_value(None, "user_version", |row| row.get(0))?)
}
