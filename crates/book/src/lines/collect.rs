//! From the file to facts, in an order that does not depend on how they came in.

use rusqlite::{Connection, Row};

use super::{Fact, Unreadable, VERSION};
use crate::games::Game;
use crate::lookup::{marks_of, source};
use crate::{Error, ProofId, Result, fields, journal, proofs};

/// Takes one fact.
type Emit<'a> = &'a mut dyn FnMut(Fact) -> Result<()>;

/// All facts but the proofs.
pub(super) fn all_but_proofs(connection: &Connection, emit: Emit<'_>) -> Result<()> {
    emit(Fact::Book { version: VERSION })?;
    simple(connection, emit)?;
    annotations(connection, emit)?;
    judgements(connection, emit)?;
    games(connection, emit)?;
    searches(connection, emit)
}

/// All proofs; returns those whose text is damaged.
pub(super) fn all_proofs(connection: &Connection, emit: Emit<'_>) -> Result<Unreadable> {
    let mut unreadable = Vec::new();
    for id in proofs::all(connection)? {
        match proof(connection, id) {
            Ok(fact) => emit(fact)?,
            Err(Error::Damaged(reason)) => unreadable.push((id, reason)),
            Err(other) => return Err(other),
        }
    }
    Ok(unreadable)
}

fn each(
    connection: &Connection,
    query: &str,
    emit: Emit<'_>,
    fact: impl Fn(&Row<'_>) -> Result<Fact>,
) -> Result<()> {
    let mut statement = connection.prepare_cached(query)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        emit(fact(row)?)?;
    }
    Ok(())
}

fn simple(connection: &Connection, emit: Emit<'_>) -> Result<()> {
    let sources =
        "SELECT name, url, licence FROM sources WHERE id <> 0 ORDER BY name, url, licence";
    each(connection, sources, emit, |row| {
        Ok(Fact::Source {
            name: row.get(0)?,
            url: row.get(1)?,
            licence: row.get(2)?,
        })
    })?;
    let lonely = "SELECT rules, setup FROM positions p WHERE \
         NOT EXISTS (SELECT 1 FROM turns WHERE parent = p.id) AND \
         NOT EXISTS (SELECT 1 FROM turns WHERE child = p.id) AND \
         NOT EXISTS (SELECT 1 FROM names WHERE position = p.id) AND \
         NOT EXISTS (SELECT 1 FROM comments WHERE position = p.id) AND \
         NOT EXISTS (SELECT 1 FROM opinions WHERE position = p.id) AND \
         NOT EXISTS (SELECT 1 FROM claims WHERE position = p.id) AND \
         NOT EXISTS (SELECT 1 FROM proofs WHERE position = p.id) ORDER BY rules, setup";
    each(connection, lonely, emit, |row| {
        Ok(Fact::Position {
            rules: row.get(0)?,
            position: row.get(1)?,
        })
    })?;
    let turns = "SELECT rules, setup, stones FROM turns JOIN positions ON positions.id = parent \
         WHERE NOT EXISTS (SELECT 1 FROM plays WHERE turn = turns.id) ORDER BY rules, setup, stones";
    each(connection, turns, emit, |row| {
        Ok(Fact::Turn {
            rules: row.get(0)?,
            position: row.get(1)?,
            turn: row.get(2)?,
        })
    })
}

fn annotations(connection: &Connection, emit: Emit<'_>) -> Result<()> {
    let names = "SELECT rules, setup, names.name, language, at, sources.name, url, licence FROM names \
         JOIN positions ON positions.id = position JOIN sources ON sources.id = source \
         ORDER BY rules, setup, language, names.name, sources.name, url, licence";
    each(connection, names, emit, |row| {
        Ok(Fact::Name {
            rules: row.get(0)?,
            position: row.get(1)?,
            name: row.get(2)?,
            language: row.get(3)?,
            at: row.get(4)?,
            source: source(row, 5)?,
        })
    })?;
    let comments = "SELECT rules, written_for, text, language, marks, at, name, url, licence FROM comments \
         JOIN positions ON positions.id = position JOIN sources ON sources.id = source \
         ORDER BY rules, setup, written_for, language, text, marks, name, url, licence";
    each(connection, comments, emit, |row| {
        Ok(Fact::Comment {
            rules: row.get(0)?,
            position: row.get(1)?,
            text: row.get(2)?,
            language: row.get(3)?,
            marks: marks_of(&row.get::<_, String>(4)?)?,
            at: row.get(5)?,
            source: source(row, 6)?,
        })
    })
}

fn judgements(connection: &Connection, emit: Emit<'_>) -> Result<()> {
    let opinions = "SELECT rules, setup, verdict, score, at, name, url, licence FROM opinions \
         JOIN positions ON positions.id = position JOIN sources ON sources.id = source \
         ORDER BY rules, setup, at, name, url, licence, verdict, score";
    each(connection, opinions, emit, |row| {
        Ok(Fact::Opinion {
            rules: row.get(0)?,
            position: row.get(1)?,
            verdict: row.get(2)?,
            score: row.get(3)?,
            at: row.get(4)?,
            source: source(row, 5)?,
        })
    })?;
    let claims = "SELECT rules, setup, winner, at, name, url, licence FROM claims \
         JOIN positions ON positions.id = position JOIN sources ON sources.id = source \
         ORDER BY rules, setup, winner, name, url, licence";
    each(connection, claims, emit, |row| {
        Ok(Fact::Claim {
            rules: row.get(0)?,
            position: row.get(1)?,
            winner: row.get(2)?,
            at: row.get(3)?,
            source: source(row, 4)?,
        })
    })
}

fn proof(connection: &Connection, id: ProofId) -> Result<Fact> {
    let text = proofs::text_of(connection, id)?;
    let text = text.ok_or_else(|| Error::Damaged(format!("proof {id} has vanished")))?;
    let mut query = connection
        .prepare_cached("SELECT state, checker, checked, added FROM proofs WHERE id = ?")?;
    Ok(query.query_row([id.0], |row| {
        Ok(Fact::Proof {
            id: id.to_string(),
            state: row.get(0)?,
            checker: row.get(1)?,
            checked: row.get(2)?,
            added: row.get(3)?,
            text,
        })
    })?)
}

fn games(connection: &Connection, emit: Emit<'_>) -> Result<()> {
    let mut sources = connection.prepare_cached(
        "SELECT name, url, licence, origin FROM game_sources JOIN sources ON sources.id = source WHERE game = ? \
         ORDER BY name, url, licence, origin",
    )?;
    let mut query = connection.prepare_cached(
        "SELECT id, rules, moves, black, white, result, date, event, place FROM games ORDER BY digest",
    )?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let from = sources.query_map([row.get::<_, i64>(0)?], |row| {
            Ok((source(row, 0)?, row.get(3)?))
        })?;
        emit(Fact::Game(Game {
            rules: row.get(1)?,
            moves: row.get(2)?,
            black: row.get(3)?,
            white: row.get(4)?,
            result: row.get(5)?,
            date: row.get(6)?,
            event: row.get(7)?,
            place: row.get(8)?,
            sources: from.collect::<std::result::Result<_, _>>()?,
        }))?;
    }
    Ok(())
}

fn searches(connection: &Connection, emit: Emit<'_>) -> Result<()> {
    let mut searches = journal::all(connection)?;
    searches.sort_by_key(|search| search.uid);
    for search in searches {
        let uid = fields::hex(&search.uid);
        emit(Fact::Search {
            search: uid.clone(),
            title: search.title,
            rules: search.rules,
            root: search.root,
            config: search.config,
            created: search.created,
            events: search.events,
            snapshot: search.snapshot,
            wanted: search.wanted.name().to_owned(),
        })?;
        let mut last = 0;
        loop {
            let events = journal::chunk(connection, search.id, last)?;
            let Some(&(number, _)) = events.back() else {
                break;
            };
            last = number;
            for (number, event) in events {
                let search = uid.clone();
                emit(Fact::Event {
                    search,
                    number,
                    event,
                })?;
            }
        }
        for command in journal::commands(connection, search.id)? {
            emit(Fact::Command {
                search: uid.clone(),
                command: command.text,
                at: command.at,
            })?;
        }
    }
    Ok(())
}
