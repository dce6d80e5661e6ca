//! Who was dropped, in a file beside the book: whoever was caught lying stays dropped when the coordinator starts again.
//!
//! Lines of JSON that are only ever appended, the last one of a name counts. So coordinators of several searches may write at
//! the same time, and a crash costs the last line at most. It is not in the book itself, because it is about the grid of this
//! machine, and books are passed on.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::names::is_token;

/// No reason is longer.
const LONGEST_REASON: usize = 300;
/// What is longer is not read to its end: nobody has that many liars.
const MOST_BYTES: u64 = 64 << 20;

/// Who was dropped and why, in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ledger {
    path: PathBuf,
}

#[derive(Serialize, Deserialize)]
struct Line {
    /// Seconds since 1970.
    time: u64,
    worker: String,
    /// Why it is dropped; nothing if it is believed again.
    dropped: Option<String>,
}

impl Ledger {
    /// The one of a book: `BOOK-dropped.jsonl`. There need not be such a file.
    pub fn beside(book: &Path) -> Self {
        let mut name = book.as_os_str().to_owned();
        name.push("-dropped.jsonl");
        Self { path: name.into() }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Who is dropped, with the first reason for it. Lines that cannot be read are left out.
    pub fn all(&self) -> BTreeMap<String, String> {
        let mut bytes = Vec::new();
        if let Ok(file) = File::open(&self.path) {
            // What could be read counts.
            let _rest_is_lost = file.take(MOST_BYTES).read_to_end(&mut bytes);
        }
        let mut known = BTreeMap::new();
        for line in bytes.split(|byte| *byte == b'\n') {
            let Ok(Line {
                worker, dropped, ..
            }) = serde_json::from_slice(line)
            else {
                continue;
            };
            match dropped {
                Some(reason) if is_token(&worker) => {
                    known.entry(worker).or_insert(reason);
                }
                Some(_) => {}
                None => {
                    known.remove(&worker);
                }
            }
        }
        known
    }

    /// From now on this worker is dropped.
    ///
    /// # Errors
    ///
    /// If that cannot be written.
    pub fn drop_worker(&self, worker: &str, reason: &str) -> io::Result<()> {
        if self.all().contains_key(worker) {
            return Ok(());
        }
        let reason = reason.chars().take(LONGEST_REASON).collect();
        self.append(worker, Some(reason))
    }

    /// It is not any more. Says whether it was.
    ///
    /// # Errors
    ///
    /// If that cannot be written.
    pub fn believe(&self, worker: &str) -> io::Result<bool> {
        let was = self.all().contains_key(worker);
        if was {
            self.append(worker, None)?;
        }
        Ok(was)
    }

    fn append(&self, worker: &str, dropped: Option<String>) -> io::Result<()> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let line = Line {
            time: now.map_or(0, |now| now.as_secs()),
            worker: worker.to_owned(),
            dropped,
        };
        let mut text = serde_json::to_string(&line)?;
        text.push('\n');
        if self.is_torn()? {
            text.insert(0, '\n');
        }
        let mut file = OpenOptions::new()
            .append(true)
            .create(true)
            .open(&self.path)?;
        file.write_all(text.as_bytes())?;
        file.sync_data()
    }

    /// Whether the last line was not written to its end.
    fn is_torn(&self) -> io::Result<bool> {
        if fs::metadata(&self.path).map_or(0, |it| it.len()) == 0 {
            return Ok(false);
        }
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::End(-1))?;
        let mut last = [0];
        file.read_exact(&mut last)?;
        Ok(last != *b"\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_was_dropped_stays_so_until_it_is_believed_and_nonsense_is_left_out() {
        let folder = std::env::temp_dir().join(format!("tengen-ledger-{}", std::process::id()));
        let _not_there = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        let ledger = Ledger::beside(&folder.join("a.book"));
        assert_eq!(ledger.path(), folder.join("a.book-dropped.jsonl"));
        assert!(ledger.all().is_empty() && !ledger.believe("one").expect("nothing to write"));
        assert!(!ledger.path().exists());
        ledger.drop_worker("one", "noise").expect("written");
        ledger.drop_worker("one", "more noise").expect("known");
        ledger.drop_worker("two", "a false proof").expect("written");
        // Somebody else writes too, and breaks down.
        let other = Ledger::beside(&folder.join("a.book"));
        assert!(other.believe("one").expect("written"));
        let mut file = OpenOptions::new().append(true).open(ledger.path());
        let file = file.as_mut().expect("a file");
        file.write_all(
            b"\xff\n{\"worker\":\"a.*\",\"time\":1,\"dropped\":\"x\"}\n{\"time\":1,\"wor",
        )
        .expect("written");
        ledger.drop_worker("three", "noise").expect("written");
        let known: Vec<(String, String)> = ledger.all().into_iter().collect();
        let pair = |name: &str, reason: &str| (name.to_owned(), reason.to_owned());
        assert_eq!(
            known,
            [pair("three", "noise"), pair("two", "a false proof")]
        );
        fs::remove_dir_all(&folder).expect("removed");
    }
}
