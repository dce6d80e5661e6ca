//! Journals of another copy. One that goes on where ours ends is taken over; two that went different ways are both kept.

use std::collections::HashMap;

use rusqlite::{Connection, params};

use super::{Fact, search_with, uid};
use crate::journal::{self, Search};
use crate::{Error, Result, SearchId, Wanted, fields};

/// How far the journals that come in have been read.
#[derive(Default)]
pub(super) struct Journals(HashMap<[u8; 16], Reading>);

struct Reading {
    /// The search as it comes in.
    search: Search,
    /// Where its events go here.
    target: SearchId,
    /// How many events the target had.
    had: u64,
    /// The number of the event that comes next.
    next: u64,
    /// Events to be added at the end, kept until there are some.
    new: Vec<String>,
}

/// Events that are added at once.
const CHUNK: usize = 1_000;

impl Journals {
    /// A search begins.
    pub(super) fn search(&mut self, connection: &Connection, fact: &Fact) -> Result<()> {
        let search = read(fact)?;
        let known = search_with(connection, &search.uid)?;
        let target = match known {
            Some(known) => known,
            None => journal::insert(connection, &search)?,
        };
        let had = journal::get(connection, target)?.events;
        let reading = Reading {
            search,
            target,
            had,
            next: 1,
            new: Vec::new(),
        };
        let uid = reading.search.uid;
        match self.0.insert(uid, reading) {
            None => Ok(()),
            Some(_) => Err(Error::Fact("the search is there twice".to_owned())),
        }
    }

    /// An event of a search that has begun.
    pub(super) fn event(
        &mut self,
        connection: &Connection,
        search: &str,
        number: u64,
        event: &str,
    ) -> Result<()> {
        let reading = self.reading(search)?;
        if number != reading.next {
            let expected = reading.next;
            return Err(Error::Fact(format!(
                "event {number} of search {search}, expected event {expected}"
            )));
        }
        fields::json("an event", event)?;
        reading.add(connection, event)?;
        reading.next += 1;
        Ok(())
    }

    /// A command for a search that has begun.
    pub(super) fn command(
        &mut self,
        connection: &Connection,
        search: &str,
        command: &str,
        at: i64,
    ) -> Result<()> {
        fields::json("a command", command)?;
        let target = self.reading(search)?.target;
        connection
            .prepare_cached(
                "INSERT INTO commands (search, command, at) SELECT ?1, ?2, ?3 WHERE NOT EXISTS \
                 (SELECT 1 FROM commands WHERE search = ?1 AND command = ?2 AND at = ?3)",
            )?
            .execute(params![target.0, command, at])?;
        Ok(())
    }

    /// All facts were read.
    pub(super) fn end(mut self, connection: &Connection) -> Result<()> {
        for reading in self.0.values_mut() {
            reading.flush(connection)?;
            let came = reading.next - 1;
            if came != reading.search.events {
                let (uid, said) = (fields::hex(&reading.search.uid), reading.search.events);
                return Err(Error::Fact(format!(
                    "search {uid} has {came} events, its first line says {said}"
                )));
            }
            reading.take_state(connection)?;
        }
        Ok(())
    }

    fn reading(&mut self, search: &str) -> Result<&mut Reading> {
        self.0.get_mut(&uid(search)?).ok_or_else(|| {
            Error::Fact(format!(
                "search {search} has no line of its own before this one"
            ))
        })
    }
}

impl Reading {
    fn add(&mut self, connection: &Connection, event: &str) -> Result<()> {
        if self.next > self.had {
            self.new.push(event.to_owned());
            if self.new.len() >= CHUNK {
                self.flush(connection)?;
            }
            return Ok(());
        }
        if at(connection, self.target, self.next)? == event {
            return Ok(());
        }
        self.part(connection, event)?;
        self.add(connection, event)
    }

    /// Ours went another way here: the other one becomes a search of its own, the same one every time.
    fn part(&mut self, connection: &Connection, event: &str) -> Result<()> {
        let number = self.next.to_be_bytes();
        let uid = fields::digest_of(&[&self.search.uid, &number, event.as_bytes()]);
        let ours = self.target;
        self.target = match search_with(connection, &uid)? {
            Some(known) => known,
            None => {
                let copy = Search {
                    uid,
                    ..self.search.clone()
                };
                let copy = journal::insert(connection, &copy)?;
                connection.execute(
                    "INSERT INTO events (search, number, event) \
                     SELECT ?1, number, event FROM events WHERE search = ?2 AND number < ?3",
                    params![copy.0, ours.0, self.next as i64],
                )?;
                connection.execute(
                    "UPDATE searches SET events = ? WHERE id = ?",
                    params![self.next as i64 - 1, copy.0],
                )?;
                copy
            }
        };
        self.had = journal::get(connection, self.target)?.events;
        Ok(())
    }

    fn flush(&mut self, connection: &Connection) -> Result<()> {
        if self.new.is_empty() {
            return Ok(());
        }
        let target = journal::get(connection, self.target)?;
        if let Some(owner) = target.owner.filter(|owner| owner.alive) {
            // Whoever runs it would not know of these events.
            return Err(Error::Owned {
                search: self.target,
                host: owner.host,
                pid: owner.pid,
            });
        }
        journal::add(connection, self.target, &self.new)?;
        self.new.clear();
        Ok(())
    }

    /// What is shown and wanted comes from the longer journal; of equal ones, from the same one in either direction.
    fn take_state(&self, connection: &Connection) -> Result<()> {
        let ours = journal::get(connection, self.target)?;
        let state = |search: &Search| (search.snapshot.clone(), search.wanted.name());
        let longer = self.search.events > self.had;
        let equal = self.search.events == self.had;
        if longer || (equal && state(&self.search) > state(&ours)) {
            connection.execute(
                "UPDATE searches SET snapshot = ?, wanted = ? WHERE id = ?",
                params![
                    self.search.snapshot,
                    self.search.wanted.name(),
                    self.target.0
                ],
            )?;
        }
        Ok(())
    }
}

fn at(connection: &Connection, search: SearchId, number: u64) -> Result<String> {
    Ok(connection
        .prepare_cached("SELECT event FROM events WHERE search = ? AND number = ?")?
        .query_row([search.0, number as i64], |row| row.get(0))?)
}

fn read(fact: &Fact) -> Result<Search> {
    let Fact::Search {
        search,
        title,
        rules,
        root,
        config,
        created,
        events,
        snapshot,
        wanted,
    } = fact
    else {
        return Err(Error::Fact("expected a search".to_owned()));
    };
    fields::position(rules, root)?;
    fields::json("the configuration of a search", config)?;
    if let Some(snapshot) = snapshot {
        fields::json("a snapshot", snapshot)?;
    }
    let wanted = Wanted::named(wanted).ok_or_else(|| {
        let wanted = fields::shortened(wanted);
        Error::Fact(format!(
            "`{wanted}` cannot be wanted, expected run, pause or stop"
        ))
    })?;
    Ok(Search {
        id: SearchId(0),
        uid: uid(search)?,
        title: title.clone(),
        rules: rules.clone(),
        root: root.clone(),
        config: config.clone(),
        created: *created,
        events: *events,
        snapshot: snapshot.clone(),
        wanted,
        owner: None,
    })
}
