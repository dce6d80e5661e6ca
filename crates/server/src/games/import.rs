//! A whole file into the database, in steps that can be stopped.
//!
//! Games are replayed before a transaction begins, so that others can write in between. How many records of the
//! file are done is stored with their games: a second call goes on exactly there.

use tengen_rules::Record;

use super::file::{self, Reading};
use super::line::Line;
use crate::api::JobOutcome;
use crate::database::Database;
use crate::database::games::{self, Imported, Step};
use crate::error::Failure;

/// A step has at most so many records
const RECORDS: usize = 500;
/// and not many more positions than this.
const POSITIONS: usize = 20_000;

/// Stores and indexes the games of a collection's file. `progress` hears how many games are done of how many, and
/// says whether to go on; what was stored before stays, and a second call goes on after it.
pub(crate) fn import(
    database: &Database,
    collection: u32,
    progress: &mut dyn FnMut(u64, u64) -> bool,
) -> Result<JobOutcome, Failure> {
    let source = database.read_now(|connection| games::source(connection, collection))?;
    let Some(source) = source else {
        return outcome(database, collection);
    };
    let reading = Reading {
        format: source.format,
        rules: source.rules,
        charset: source.charset,
    };
    let records = file::unpacked(&source.file).and_then(|bytes| reading.records(&bytes));
    let records = match records {
        Ok(records) => records,
        Err(failure) => {
            // Not one game can be read: nobody wants the empty collection.
            database.write_now(|transaction| games::delete(transaction, collection))?;
            return Err(failure);
        }
    };
    let total = records.len() as u32;
    let mut done = source.done;
    while done < total {
        let step = step(&records, done, reading);
        done = step.done;
        database.write_now(|transaction| games::store(transaction, collection, &step))?;
        if !progress(done.into(), total.into()) && done < total {
            return outcome(database, collection);
        }
    }
    database.write_now(|transaction| games::finish(transaction, collection))?;
    outcome(database, collection)
}

fn step(records: &[Result<Record, String>], begin: u32, reading: Reading) -> Step {
    let mut step = Step {
        done: begin,
        ..Step::default()
    };
    let mut positions = 0;
    for record in records[begin as usize..].iter().take(RECORDS) {
        step.done += 1;
        let line = match record {
            Ok(record) => Line::of(record, reading.format)
                .map_err(|reason| format!("game {}: {reason}", step.done)),
            Err(reason) => Err(reason.clone()),
        };
        match line {
            Ok(line) => {
                positions += line.positions.len();
                step.lines.push(line);
            }
            Err(reason) => step.refused.push(reason),
        }
        if positions >= POSITIONS {
            break;
        }
    }
    step
}

fn outcome(database: &Database, collection: u32) -> Result<JobOutcome, Failure> {
    let imported = database.read_now(|connection| games::imported(connection, collection))?;
    let Imported {
        games,
        refused,
        reasons,
    } = imported;
    Ok(JobOutcome::Imported {
        collection,
        games,
        refused,
        reasons,
    })
}
