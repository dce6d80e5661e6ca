//! The jobs of one search that are on their way: events in, actions out, time as an argument.
//!
//! The server forgets, repeats and reorders; workers die, answer twice, or late. Whatever happens, each job that was
//! asked comes back once, and what is finished is kept until the journal has it. No network and no clock are in here.

mod answers;
mod care;
mod entry;

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use crate::JobId;
use crate::transport::{Lost, Returned};
use entry::{Early, Entry, State, back};

/// A job that could not be published is tried again after this time.
const REPUBLISH: Duration = Duration::from_secs(1);
/// A publication of which nothing is heard for so long is tried again. Longer than thousands of them may take: who publishes again what
/// the server has not answered yet makes a slow server slower.
const UNHEARD: Duration = Duration::from_secs(600);
/// How often the server is asked whether a job of which nobody has said anything is still there.
const LOOK: Duration = Duration::from_secs(5);
/// So many such questions at a time, those first that have waited longest.
const MOST_LOOKS: usize = 100;
/// A job that was told to stop and of which nothing is heard has stopped.
const STOPPED: Duration = Duration::from_millis(1_500);
/// What is said to run although nobody waits for it is told so after this time, for answers may be on their way, and a
/// coordinator that has just started has not asked for everything again.
const STRAY: Duration = Duration::from_secs(5);
/// A worker that was heard so long ago is still at its job: it speaks every second.
const AT_WORK: Duration = Duration::from_secs(4);
/// After so many failures of more than one worker a job has failed.
const MOST_FAILURES: u32 = 3;
/// After so many failures of one worker too, for there may be no other.
const MOST_FAILURES_OF_ONE: u32 = 8;
/// Who has failed so often where others have not, and more often than not, is dropped.
const MOST_BLAME: u32 = 10;
/// Each time that a worker keeps a job for too long the next one may keep it twice as long, so many times.
const MOST_DOUBLINGS: u32 = 3;
/// After so many worthless answers too.
const MOST_LIES: u32 = 50;
/// So many answers to questions that nobody has asked yet are kept.
const MOST_EARLY: usize = 1_000;

/// An answer that the server keeps until we say that it need not.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Receipt(pub(super) u64);

/// What the world is to do.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Action {
    /// Publish this job; first take out the message before it, if there is one.
    Publish { name: String, before: Option<u64> },
    /// Take out a message.
    Delete { sequence: u64 },
    /// Tell workers to stop these.
    Cancel { names: Vec<String> },
    /// Is this job's message still there?
    Look { name: String },
    /// Give back.
    Return(Box<Returned>),
    /// The server need not keep these.
    Acknowledge(Vec<Receipt>),
    /// Tell people.
    Note(String),
    /// Tell people that a job went wrong.
    Trouble {
        name: String,
        worker: Option<Arc<str>>,
        reason: String,
        dead: bool,
    },
    /// Nothing of this worker is wanted any more.
    Distrust {
        worker: Arc<str>,
        reason: &'static str,
    },
}

/// What became of a publication.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum Published {
    /// It is there, under this sequence; or it was there already.
    There(u64),
    /// Nobody knows.
    Unknown,
}

/// The jobs of one search.
#[derive(Debug, Default)]
pub(super) struct Table {
    entries: HashMap<String, Entry>,
    names: HashMap<JobId, String>,
    early: HashMap<String, Early>,
    early_order: VecDeque<String>,
    strays: HashMap<String, Duration>,
    /// For each worker: failures where others have not failed, and answers.
    records: HashMap<Arc<str>, (u32, u32)>,
    /// Answers, failures and dead jobs since the start.
    pub(super) done: u64,
    pub(super) failures: u64,
    pub(super) dead: VecDeque<String>,
}

impl Table {
    /// The search asks. A worker may be at it for as long as `allowed`.
    pub(super) fn ask(
        &mut self,
        now: Duration,
        job: JobId,
        name: &str,
        allowed: Duration,
    ) -> Vec<Action> {
        let mut actions = Vec::new();
        // The same question, cancelled a moment ago: that one has stopped, as far as the search is concerned.
        if let Some(old) = self.entries.remove(name) {
            self.names.remove(&old.job);
            if old.state != State::Answered {
                actions.push(back(old.job, None, Err(Lost::Stopped), 0.0));
            }
            actions.push(Action::Acknowledge(old.receipts));
        }
        let mut entry = Entry {
            job,
            state: State::Publishing {
                again: now + UNHEARD,
            },
            ending: None,
            asked: now,
            heard: now,
            worked: None,
            allowed,
            at_work: Vec::new(),
            kept_by: Vec::new(),
            looked: now,
            missing: false,
            stranded: None,
            failures: 0,
            failed: Vec::new(),
            lies: 0,
            sequence: None,
            receipts: Vec::new(),
        };
        if let Some(early) = self.early.remove(name) {
            self.early_order.retain(|known| known != name);
            entry.state = State::Answered;
            entry.receipts = early.receipts;
            self.done += 1;
            actions.push(back(job, Some(early.worker), Ok(early.result), 0.0));
        } else {
            actions.push(Action::Publish {
                name: name.to_owned(),
                before: None,
            });
        }
        self.strays.remove(name);
        self.dead.retain(|dead| dead != name);
        self.names.insert(job, name.to_owned());
        self.entries.insert(name.to_owned(), entry);
        actions
    }

    /// The search does not wait any more.
    pub(super) fn cancel(&mut self, now: Duration, job: JobId) -> Vec<Action> {
        let Some((name, entry)) = self.of(job) else {
            return Vec::new();
        };
        if entry.state == State::Answered || entry.ending.is_some() {
            return Vec::new();
        }
        entry.ending = Some(now);
        let mut actions = vec![Action::Cancel { names: vec![name] }];
        actions.extend(entry.sequence.map(|sequence| Action::Delete { sequence }));
        actions
    }

    /// The journal has what came back.
    pub(super) fn settled(&mut self, job: JobId) -> Vec<Action> {
        let Some(name) = self.names.get(&job) else {
            return Vec::new();
        };
        let is_back = |entry: &Entry| entry.state == State::Answered;
        if !self.entries.get(name).is_some_and(is_back) {
            return Vec::new();
        }
        let entry = self.forget(job);
        entry.map_or_else(Vec::new, |entry| vec![Action::Acknowledge(entry.receipts)])
    }

    /// What came back was worthless.
    pub(super) fn again(&mut self, now: Duration, job: JobId) -> Vec<Action> {
        let Some((name, entry)) = self.of(job) else {
            return Vec::new();
        };
        entry.lies += 1;
        let receipts = std::mem::take(&mut entry.receipts);
        let mut actions = vec![Action::Acknowledge(receipts)];
        if entry.lies > MOST_LIES {
            let reason = Lost::Failed("no worker had an honest answer".to_owned());
            entry.state = State::Answered;
            actions.push(back(job, None, Err(reason), 0.0));
        } else {
            actions.push(entry.publish_again(now, name));
        }
        actions
    }

    /// What became of a publication.
    pub(super) fn published(&mut self, now: Duration, name: &str, what: Published) -> Vec<Action> {
        let Some(entry) = self.entries.get_mut(name) else {
            // Cancelled, and given up, meanwhile.
            return match what {
                Published::There(sequence) => vec![Action::Delete { sequence }],
                Published::Unknown => Vec::new(),
            };
        };
        let Published::There(sequence) = what else {
            if let State::Publishing { again } = &mut entry.state {
                *again = now + REPUBLISH;
            }
            return Vec::new();
        };
        entry.sequence = Some(sequence);
        if matches!(entry.state, State::Publishing { .. }) {
            entry.state = State::Out { sequence };
            entry.heard = now;
            entry.missing = false;
        }
        if entry.ending.is_some() {
            return vec![Action::Delete { sequence }];
        }
        Vec::new()
    }

    /// The end: what is still out is of no use, and if the search is solved, neither is what came early.
    pub(super) fn end(&mut self, solved: bool) -> Vec<Action> {
        let mut actions = Vec::new();
        let mut names = Vec::new();
        for (name, entry) in self.entries.drain() {
            if entry.state != State::Answered {
                names.push(name);
                actions.extend(entry.sequence.map(|sequence| Action::Delete { sequence }));
            }
            if solved {
                actions.push(Action::Acknowledge(entry.receipts));
            }
        }
        self.names.clear();
        if !names.is_empty() {
            actions.push(Action::Cancel { names });
        }
        if solved {
            let early = self.early.drain().map(|(_, early)| early.receipts);
            actions.extend(early.map(Action::Acknowledge));
        }
        actions
    }

    /// Whether a job is known.
    pub(super) fn has(&self, name: &str) -> bool {
        self.entries.contains_key(name)
    }

    /// Jobs that have not come back, or that the search is not done with.
    pub(super) fn held(&self) -> usize {
        self.entries.len()
    }

    /// Jobs that have not come back.
    pub(super) fn out(&self) -> impl Iterator<Item = &str> {
        let open = |entry: &Entry| entry.state != State::Answered && entry.ending.is_none();
        self.entries
            .iter()
            .filter(move |(_, entry)| open(entry))
            .map(|(name, _)| name.as_str())
    }

    fn of(&mut self, job: JobId) -> Option<(String, &mut Entry)> {
        let name = self.names.get(&job)?;
        let entry = self.entries.get_mut(name)?;
        Some((name.clone(), entry))
    }

    fn forget(&mut self, job: JobId) -> Option<Entry> {
        let name = self.names.remove(&job)?;
        self.entries.remove(&name)
    }
}

#[cfg(test)]
mod tests;
