//! Jobs in the database: what was asked, how far it is, what came out.

use rusqlite::{Connection, Row, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::api::{Job, JobRequest, JobState, NewJob};
use crate::error::Failure;

/// A job as it was stored.
pub(crate) struct StoredJob {
    pub(crate) job: Job,
    /// How often it was begun without coming far: a job that brings the server down is not begun for ever.
    pub(crate) starts: u32,
}

/// Stores a new job; its number.
pub(crate) fn insert(connection: &Connection, new: &NewJob, created: f64) -> Result<u32, Failure> {
    connection.execute(
        "INSERT INTO jobs (kind, request, study, node, state, created) VALUES (?, ?, ?, ?, ?, ?)",
        params![
            word(&new.request.kind())?,
            json(&new.request)?,
            new.study,
            new.node,
            word(&JobState::Queued)?,
            created
        ],
    )?;
    u32::try_from(connection.last_insert_rowid())
        .map_err(|_| Failure::Internal("there are too many jobs".to_owned()))
}

/// Stores how a job stands.
pub(crate) fn update(connection: &Connection, job: &Job) -> Result<(), Failure> {
    let outcome = job.outcome.as_ref().map(json).transpose()?;
    connection.execute(
        "UPDATE jobs SET state = ?, progress = ?, outcome = ?, error = ?, seen = ?, finished = ? WHERE id = ?",
        params![
            word(&job.state)?,
            json(&job.progress)?,
            outcome,
            job.error,
            job.seen,
            job.finished,
            job.id
        ],
    )?;
    Ok(())
}

/// Stores how far a job is, unless it has ended meanwhile.
pub(crate) fn update_progress(connection: &Connection, job: &Job) -> Result<(), Failure> {
    connection.execute(
        "UPDATE jobs SET progress = ? WHERE id = ? AND finished IS NULL",
        params![json(&job.progress)?, job.id],
    )?;
    Ok(())
}

/// Somebody has looked at it.
pub(crate) fn see(connection: &Connection, id: u32) -> Result<(), Failure> {
    connection.execute("UPDATE jobs SET seen = 1 WHERE id = ?", [id])?;
    Ok(())
}

/// Counts a start.
pub(crate) fn count_start(connection: &Connection, id: u32) -> Result<(), Failure> {
    connection.execute("UPDATE jobs SET starts = starts + 1 WHERE id = ?", [id])?;
    Ok(())
}

/// The job has run well for a while, or was ended in good order.
pub(crate) fn forget_starts(connection: &Connection, id: u32) -> Result<(), Failure> {
    connection.execute("UPDATE jobs SET starts = 0 WHERE id = ?", [id])?;
    Ok(())
}

/// Deletes a job.
pub(crate) fn delete(connection: &Connection, id: u32) -> Result<(), Failure> {
    connection.execute("DELETE FROM jobs WHERE id = ?", [id])?;
    Ok(())
}

/// All jobs, oldest first. One that cannot be read, written by another version perhaps, is left out.
pub(crate) fn all(connection: &Connection) -> Result<Vec<StoredJob>, Failure> {
    let mut statement = connection.prepare(
        "SELECT id, request, study, node, state, progress, outcome, error, seen, created, finished, starts \
         FROM jobs ORDER BY id",
    )?;
    let rows = statement.query_map([], |row| Ok(read(row)))?;
    let rows: Vec<Result<StoredJob, Failure>> = rows.collect::<Result<_, _>>()?;
    Ok(rows.into_iter().filter_map(Result::ok).collect())
}

fn read(row: &Row<'_>) -> Result<StoredJob, Failure> {
    let request: JobRequest = parsed(&row.get::<_, String>(1)?)?;
    let outcome: Option<String> = row.get(6)?;
    let job = Job {
        id: row.get(0)?,
        sequence: 0,
        kind: request.kind(),
        request,
        study: row.get(2)?,
        node: row.get(3)?,
        state: parsed(&format!("\"{}\"", row.get::<_, String>(4)?))?,
        progress: parsed(&row.get::<_, String>(5)?)?,
        outcome: outcome.as_deref().map(parsed).transpose()?,
        error: row.get(7)?,
        seen: row.get(8)?,
        created: row.get(9)?,
        finished: row.get(10)?,
    };
    let starts = row.get(11)?;
    Ok(StoredJob { job, starts })
}

/// A value without content as the word that stands for it in JSON.
pub(super) fn word<T: Serialize>(value: &T) -> Result<String, Failure> {
    Ok(json(value)?.trim_matches('"').to_owned())
}

pub(super) fn json<T: Serialize>(value: &T) -> Result<String, Failure> {
    serde_json::to_string(value).map_err(|error| Failure::Internal(error.to_string()))
}

pub(super) fn parsed<T: DeserializeOwned>(text: &str) -> Result<T, Failure> {
    serde_json::from_str(text)
        .map_err(|error| Failure::Internal(format!("the database holds something else: {error}")))
}
