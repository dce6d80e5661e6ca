//! The events of a search: appended with their proofs, read in order.

use std::collections::VecDeque;

use rusqlite::{Connection, params};

use super::{Lease, SearchId, get, lease};
use crate::proofs::Packed;
use crate::{Book, CheckedProof, Result, fields};

/// Events that are read at once.
const CHUNK: u32 = 1_000;

impl Book {
    /// Appends events, which are JSON, together with the proofs that they name: all of it or nothing. Returns the number
    /// of the last event.
    pub fn append<E: AsRef<str>>(
        &self,
        lease: &Lease,
        events: &[E],
        proofs: &[CheckedProof],
    ) -> Result<u64> {
        for event in events {
            fields::json("an event", event.as_ref())?;
        }
        let packed: Vec<Packed<'_>> = proofs.iter().map(Packed::of).collect::<Result<_>>()?;
        self.write(|transaction| {
            lease::beat(transaction, lease)?;
            for proof in &packed {
                proof.store(transaction)?;
            }
            add(transaction, lease.search(), events)
        })
    }

    /// The events after number `after`, with their numbers. Events that are appended meanwhile are read too.
    pub fn events(&self, search: SearchId, after: u64) -> Events<'_> {
        Events {
            book: self,
            search,
            last: after,
            ready: VecDeque::new(),
            ended: false,
        }
    }
}

/// Adds events at the end.
pub(crate) fn add<E: AsRef<str>>(
    connection: &Connection,
    search: SearchId,
    events: &[E],
) -> Result<u64> {
    let mut number = get(connection, search)?.events;
    let mut insert =
        connection.prepare_cached("INSERT INTO events (search, number, event) VALUES (?, ?, ?)")?;
    for event in events {
        number += 1;
        insert.execute(params![search.0, number as i64, event.as_ref()])?;
    }
    connection
        .prepare_cached("UPDATE searches SET events = ? WHERE id = ?")?
        .execute([number as i64, search.0])?;
    Ok(number)
}

/// Reads a journal piece by piece.
#[derive(Debug)]
pub struct Events<'a> {
    book: &'a Book,
    search: SearchId,
    last: u64,
    ready: VecDeque<(u64, String)>,
    ended: bool,
}

impl Iterator for Events<'_> {
    type Item = Result<(u64, String)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ready.is_empty() && !self.ended {
            let read = self
                .book
                .read(|connection| chunk(connection, self.search, self.last));
            match read {
                Ok(chunk) => self.ready = chunk,
                Err(error) => {
                    self.ended = true;
                    return Some(Err(error));
                }
            }
        }
        let next = self.ready.pop_front();
        match &next {
            Some((number, _)) => self.last = *number,
            None => self.ended = true,
        }
        next.map(Ok)
    }
}

pub(crate) fn chunk(
    connection: &Connection,
    search: SearchId,
    after: u64,
) -> Result<VecDeque<(u64, String)>> {
    // Numbers that no journal reaches mean its end.
    let after = i64::try_from(after).unwrap_or(i64::MAX);
    let mut query = connection.prepare_cached(
        "SELECT number, event FROM events WHERE search = ? AND number > ? ORDER BY number LIMIT ?",
    )?;
    let rows = query.query_map(params![search.0, after, CHUNK], |row| {
        Ok((row.get::<_, i64>(0)? as u64, row.get(1)?))
    })?;
    Ok(rows.collect::<std::result::Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use crate::{Book, CheckedProof, Error, NewSearch, SearchId};

    const PROOF: &str = "tengen-proof 1\nrules 6,6,4,1,1\nposition B:B2,C2 W:B5,C5 to-move:B\n\
                         attacker black\nnodes 1\n0 D2\nend\n";

    fn search(book: &Book) -> SearchId {
        let new = NewSearch {
            title: "a search".to_owned(),
            rules: "connect6".to_owned(),
            root: "J10 I8 H9".to_owned(),
            config: r#"{"workers":2}"#.to_owned(),
        };
        book.create_search(&new).expect("a search")
    }

    #[test]
    fn events_are_numbered_without_gaps_and_come_back_in_order() {
        let book = Book::in_memory().expect("a book");
        let (first, other) = (search(&book), search(&book));
        let (lease, second) = (book.take_lease(first), book.take_lease(other));
        let (lease, second) = (lease.expect("free"), second.expect("free"));
        let events: Vec<String> = (1..=2_500).map(|n| format!("{{\"n\":{n}}}")).collect();
        for part in events.chunks(700) {
            book.append(&lease, part, &[]).expect("ours");
            book.append(&second, &["[]"], &[]).expect("ours");
        }
        let read: Vec<(u64, String)> = book
            .events(first, 0)
            .collect::<Result<_, _>>()
            .expect("a journal");
        assert!(read.iter().map(|(number, _)| *number).eq(1..=2_500));
        assert!(read.iter().map(|(_, event)| event).eq(&events));
        assert_eq!(book.events(first, 2_498).count(), 2);
        assert_eq!(book.events(first, u64::MAX).count(), 0);
        assert_eq!(book.search(other).expect("there").events, 4);
    }

    #[test]
    fn proofs_come_with_their_events_or_not_at_all() {
        let book = Book::in_memory().expect("a book");
        let lease = book.take_lease(search(&book)).expect("free");
        let proof = CheckedProof::check(PROOF).expect("a claim");
        let refused = book.append(&lease, &["{}", "no JSON"], std::slice::from_ref(&proof));
        assert!(matches!(refused, Err(Error::Json { .. })));
        assert_eq!(book.proof(proof.id()).expect("readable"), None);
        assert_eq!(book.search(lease.search()).expect("there").events, 0);
        let proofs = std::slice::from_ref(&proof);
        assert_eq!(book.append(&lease, &["{}"], proofs).expect("ours"), 1);
        let text = book.proof_text(proof.id()).expect("readable");
        assert_eq!(text.as_deref(), Some(PROOF));
    }

    #[test]
    fn commands_wait_until_they_are_taken() {
        let book = Book::in_memory().expect("a book");
        let id = search(&book);
        book.post_command(id, r#"{"exclude":"K10 J9"}"#)
            .expect("JSON");
        book.post_command(id, "2").expect("JSON");
        assert!(book.post_command(id, "exclude K10").is_err());
        assert!(book.post_command(SearchId(99), "{}").is_err());
        let waiting = book.commands(id).expect("readable");
        book.done_with_commands(id, waiting[0].number)
            .expect("there");
        let taken = book.take_commands(id).expect("readable");
        assert_eq!(taken, waiting[1..]);
        assert!(book.take_commands(id).expect("readable").is_empty());
    }
}
