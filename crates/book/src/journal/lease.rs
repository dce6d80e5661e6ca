//! Who runs a search: one process at a time, and another one after a crash.
//!
//! On one machine the number of the process tells at once that it is gone. From elsewhere, and where systems do not
//! tell, a process that was not heard of for [`SILENCE`] is taken for dead. If it was only asleep it cannot do harm:
//! whoever appends shows a token, and only the last one given is good.

use std::fs;

use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::{Owner, SearchId, Wanted, get};
use crate::{Book, Error, Result, fields};

/// Milliseconds without a heartbeat after which a process is taken for dead.
const SILENCE: u64 = 30_000;

/// The right to run a search. It ends with [`Book::release`], or when the process does.
#[derive(Debug, PartialEq, Eq)]
pub struct Lease {
    search: SearchId,
    token: i64,
}

impl Lease {
    /// What may be run.
    pub const fn search(&self) -> SearchId {
        self.search
    }
}

impl Book {
    /// Takes the right to run a search, from a dead process if need be. [`Error::Owned`] if a living one has it.
    pub fn take_lease(&self, search: SearchId) -> Result<Lease> {
        self.write(|transaction| {
            if let Some(owner) = get(transaction, search)?.owner.filter(|owner| owner.alive) {
                return Err(owned(search, &owner));
            }
            let random = super::fresh("lease");
            let token = i64::from_be_bytes(std::array::from_fn(|index| random[index]));
            transaction.execute(
                "UPDATE searches SET token = ?, host = ?, machine = ?, pid = ?, heartbeat = ? WHERE id = ?",
                params![
                    token,
                    host(),
                    machine(),
                    std::process::id(),
                    fields::now(),
                    search.0
                ],
            )?;
            Ok(Lease { search, token })
        })
    }

    /// Says that the process still runs, to be called every few seconds; tells what is wanted of it.
    pub fn heartbeat(&self, lease: &Lease) -> Result<Wanted> {
        self.write(|transaction| {
            beat(transaction, lease)?;
            Ok(get(transaction, lease.search)?.wanted)
        })
    }

    /// Gives the right back.
    pub fn release(&self, lease: Lease) -> Result<()> {
        self.write(|transaction| {
            transaction.execute(
                "UPDATE searches SET token = NULL, host = NULL, machine = NULL, pid = NULL, heartbeat = NULL \
                 WHERE id = ? AND token = ?",
                [lease.search.0, lease.token],
            )?;
            Ok(())
        })
    }
}

pub(super) fn owned(search: SearchId, owner: &Owner) -> Error {
    Error::Owned {
        search,
        host: owner.host.clone(),
        pid: owner.pid,
    }
}

/// Whoever writes is alive, and must still have the right to.
pub(super) fn beat(connection: &Connection, lease: &Lease) -> Result<()> {
    let changed = connection
        .prepare_cached("UPDATE searches SET heartbeat = ? WHERE id = ? AND token = ?")?
        .execute([fields::now(), lease.search.0, lease.token])?;
    if changed == 1 {
        return Ok(());
    }
    let there = connection
        .query_row(
            "SELECT 1 FROM searches WHERE id = ?",
            [lease.search.0],
            |_| Ok(()),
        )
        .optional()?;
    Err(match there {
        Some(()) => Error::LeaseLost(lease.search),
        None => Error::NoSearch(lease.search),
    })
}

/// The owner in a row of `searches`, from column 10 on.
pub(super) fn owner(row: &Row<'_>) -> Result<Option<Owner>> {
    if row.get::<_, Option<i64>>(10)?.is_none() {
        return Ok(None);
    }
    let home: Option<String> = row.get(12)?;
    let pid = row.get::<_, Option<u32>>(13)?.unwrap_or(0);
    let heartbeat = row.get::<_, Option<i64>>(14)?.unwrap_or(0);
    // A clock that was set back makes no process immortal.
    let heard = fields::now().abs_diff(heartbeat) < SILENCE;
    let gone = home.is_some_and(|home| home == machine()) && is_dead(pid);
    Ok(Some(Owner {
        host: row.get::<_, Option<String>>(11)?.unwrap_or_default(),
        pid,
        heartbeat,
        alive: heard && !gone,
    }))
}

/// Whether there is no such process here for certain.
fn is_dead(pid: u32) -> bool {
    if !fs::exists("/proc/self/stat").unwrap_or(false) {
        return false;
    }
    match fs::read_to_string(format!("/proc/{pid}/stat")) {
        // After the name in parentheses comes the state: a zombie runs nothing.
        Ok(stat) => stat
            .rsplit(')')
            .next()
            .is_some_and(|rest| rest.trim_start().starts_with(['Z', 'X'])),
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}

/// The machine's name, for people.
fn host() -> String {
    let named = fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let named = named.or_else(|| std::env::var("HOSTNAME").ok());
    let named = named.or_else(|| std::env::var("COMPUTERNAME").ok());
    named.map_or_else(|| "this machine".to_owned(), |name| name.trim().to_owned())
}

/// Where numbers of processes mean the same: the machine since it was started, and the container.
fn machine() -> String {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let space = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    format!("{} {} {}", host(), boot.trim(), space.display())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NewSearch;

    fn book() -> (Book, SearchId) {
        let book = Book::in_memory().expect("a book");
        let new = NewSearch {
            title: "TX-d21".to_owned(),
            rules: "connect6".to_owned(),
            root: "J10 I8 H9".to_owned(),
            config: "{}".to_owned(),
        };
        let search = book.create_search(&new).expect("a search");
        (book, search)
    }

    fn set(book: &Book, column: &str, value: impl rusqlite::ToSql) {
        book.write(|transaction| {
            Ok(transaction.execute(&format!("UPDATE searches SET {column} = ?"), [value])?)
        })
        .expect("a column");
    }

    #[test]
    fn one_process_runs_a_search() {
        let (book, search) = book();
        let lease = book.take_lease(search).expect("free");
        assert!(matches!(book.take_lease(search), Err(Error::Owned { .. })));
        assert_eq!(book.heartbeat(&lease).expect("ours"), Wanted::Run);
        book.set_wanted(search, Wanted::Pause).expect("a search");
        assert_eq!(book.heartbeat(&lease).expect("ours"), Wanted::Pause);
        book.release(lease).expect("ours");
        assert_eq!(book.search(search).expect("there").owner, None);
        book.take_lease(search).expect("free again");
    }

    #[test]
    fn a_dead_process_loses_its_search_and_a_silent_one_too() {
        let (book, search) = book();
        let first = book.take_lease(search).expect("free");
        // No system gives this number.
        set(&book, "pid", 4_000_000_000_i64);
        if fs::exists("/proc/self/stat").unwrap_or(false) {
            let second = book.take_lease(search).expect("its process is dead");
            assert!(matches!(book.heartbeat(&first), Err(Error::LeaseLost(_))));
            let lost = book.append(&first, &["{}"], &[]);
            assert!(matches!(lost, Err(Error::LeaseLost(_))), "{lost:?}");
            book.append(&second, &["{}"], &[]).expect("ours");
            book.release(second).expect("ours");
        }
        let third = book.take_lease(search).expect("free");
        set(&book, "pid", 4_000_000_000_i64);
        set(&book, "machine", "elsewhere");
        let living = book.take_lease(search);
        assert!(
            matches!(living, Err(Error::Owned { .. })),
            "heard of just now"
        );
        set(&book, "heartbeat", fields::now() - 31_000);
        book.take_lease(search).expect("silent for too long");
        assert!(matches!(book.heartbeat(&third), Err(Error::LeaseLost(_))));
    }
}
