//! The SQLite file. Writing is serial, in transactions; reading goes beside it (write-ahead log).

pub(crate) mod games;
pub(crate) mod jobs;
pub(crate) mod proofs;
pub(crate) mod studies;

use std::fs::File;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::error::{Failure, StartError};

/// The schema, step by step: a database has the first `user_version` of them.
const SCHEMA: [&str; 1] = [include_str!("schema_1.sql")];

/// The file's name in the data folder.
const FILE: &str = "tengen.sqlite";

/// The database; cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Database {
    writer: Arc<Mutex<Connection>>,
    reader: Arc<Mutex<Connection>>,
    /// Held as long as the database is open: two servers would both work on its jobs.
    _lock: Arc<File>,
}

impl Database {
    /// Opens or makes the database of a data folder, and brings its schema up to date.
    pub(crate) fn open(folder: &Path) -> Result<Self, StartError> {
        let shown = || folder.display().to_string();
        std::fs::create_dir_all(folder).map_err(|error| StartError::Folder {
            path: shown(),
            error,
        })?;
        let lock = lock_folder(folder)?;
        let path = folder.join(FILE);
        let failed = |error| StartError::Database {
            path: path.display().to_string(),
            error,
        };
        let mut writer = connect(&path).map_err(failed)?;
        let found: u32 = writer
            .pragma_query_value(None, "user_version", |row| row.get(0))
            .map_err(failed)?;
        let known = SCHEMA.len() as u32;
        if found > known {
            return Err(StartError::Newer {
                path: path.display().to_string(),
                found,
                known,
            });
        }
        for step in found..known {
            migrate(&mut writer, step).map_err(failed)?;
        }
        let reader = connect(&path).map_err(failed)?;
        Ok(Self {
            writer: Arc::new(Mutex::new(writer)),
            reader: Arc::new(Mutex::new(reader)),
            _lock: Arc::new(lock),
        })
    }

    /// Reads, away from the threads that serve.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let database = self.clone();
        blocking(move || database.read_now(work)).await
    }

    /// Writes in one transaction, away from the threads that serve: all of it or nothing.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let database = self.clone();
        blocking(move || database.write_now(work)).await
    }

    /// The same on this thread, for workers.
    pub(crate) fn read_now<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        work(&lock(&self.reader))
    }

    /// The same on this thread, for workers.
    pub(crate) fn write_now<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let mut writer = lock(&self.writer);
        let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let result = work(&transaction)?;
        transaction.commit()?;
        Ok(result)
    }
}

/// The system lets go of it however the process ends.
fn lock_folder(folder: &Path) -> Result<File, StartError> {
    let path = folder.join("tengen.lock");
    let failed = |error| StartError::Folder {
        path: path.display().to_string(),
        error,
    };
    let file = File::create(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(std::fs::TryLockError::WouldBlock) => {
            Err(StartError::InUse(folder.display().to_string()))
        }
        Err(std::fs::TryLockError::Error(error)) => Err(failed(error)),
    }
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(Duration::from_secs(10))?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    // An edit that was answered survives a crash of the machine, not only of the program.
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    Ok(connection)
}

fn migrate(connection: &mut Connection, step: u32) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute_batch(SCHEMA[step as usize])?;
    transaction.pragma_update(None, "user_version", step + 1)?;
    transaction.commit()
}

/// A panic while the lock was held rolled its transaction back: the connection is good.
fn lock(connection: &Mutex<Connection>) -> MutexGuard<'_, Connection> {
    connection.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| {
        Err(Failure::Internal(
            "a bug in the server stopped this request; nothing was changed".into(),
        ))
    })
}

/// Seconds since 1970.
pub(crate) fn now() -> f64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0.0, |time| time.as_secs_f64())
}
