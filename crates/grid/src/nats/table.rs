//! The jobs of one search that are on their way: events in, actions out, time as an argument.
//!
//! The server forgets, repeats and reorders; workers die, answer twice, or late. Whatever happens, each job that was
//! asked comes back once, and what is finished is kept until the journal has it. No network and no clock are in here.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use super::message::Said;
use crate::transport::{Lost, Returned};
use crate::{JobId, JobResult};

/// A job that could not be published is tried again after this time.
const REPUBLISH: Duration = Duration::from_secs(1);
/// How often the server is asked whether a job of which nobody has said anything is still there.
const LOOK: Duration = Duration::from_secs(5);
/// A job that was told to stop and of which nothing is heard has stopped.
const STOPPED: Duration = Duration::from_millis(1_500);
/// What is said to run although nobody waits for it is told so after this time, for answers may be on their way, and a
/// coordinator that has just started has not asked for everything again.
const STRAY: Duration = Duration::from_secs(5);
/// After so many failures a job has failed.
const MOST_FAILURES: u32 = 3;
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
}

/// What became of a publication.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum Published {
    /// It is there, under this sequence; or it was there already.
    There(u64),
    /// Nobody knows.
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nobody knows whether the server has it; try again at this time.
    Publishing { again: Duration },
    /// The server has it, or a worker.
    Out { sequence: u64 },
    /// It has come back; the search has not said yet that it is done with it.
    Answered,
}

#[derive(Debug)]
struct Entry {
    job: JobId,
    state: State,
    /// Since when nobody waits for it.
    ending: Option<Duration>,
    asked: Duration,
    /// When a sign of life was seen last.
    heard: Duration,
    /// When the server was asked last, and whether it had the message.
    looked: Duration,
    missing: bool,
    /// Since when the server has it and workers have nothing to do.
    stranded: Option<Duration>,
    failures: u32,
    lies: u32,
    /// The last message that is known to have been there.
    sequence: Option<u64>,
    receipts: Vec<Receipt>,
}

#[derive(Debug)]
struct Early {
    worker: Arc<str>,
    result: JobResult,
    receipts: Vec<Receipt>,
}

/// The jobs of one search.
#[derive(Debug, Default)]
pub(super) struct Table {
    entries: HashMap<String, Entry>,
    names: HashMap<JobId, String>,
    early: HashMap<String, Early>,
    early_order: VecDeque<String>,
    strays: HashMap<String, Duration>,
    /// Answers, failures and dead jobs since the start.
    pub(super) done: u64,
    pub(super) failures: u64,
    pub(super) dead: VecDeque<String>,
}

impl Table {
    /// The search asks.
    pub(super) fn ask(&mut self, now: Duration, job: JobId, name: &str) -> Vec<Action> {
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
                again: now + REPUBLISH,
            },
            ending: None,
            asked: now,
            heard: now,
            looked: now,
            missing: false,
            stranded: None,
            failures: 0,
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

    /// A worker says something of a job.
    pub(super) fn arrived(
        &mut self,
        now: Duration,
        worker: &Arc<str>,
        name: &str,
        said: Said,
        receipts: Vec<Receipt>,
    ) -> Vec<Action> {
        let Some(entry) = self.entries.get_mut(name) else {
            return self.unasked(worker, name, said, receipts);
        };
        if entry.state == State::Answered {
            // Once more: kept and acknowledged with the first.
            entry.receipts.extend(receipts);
            return Vec::new();
        }
        let (job, seconds) = (entry.job, now.saturating_sub(entry.asked).as_secs_f64());
        let worker = Some(Arc::clone(worker));
        let waits = entry.ending.is_none();
        match said {
            Said::Done(result) => {
                // Our clock bounds theirs; the time in the queue is not the job's.
                let seconds = if result.seconds.is_finite() {
                    result.seconds.clamp(0.0, seconds)
                } else {
                    seconds
                };
                entry.state = State::Answered;
                entry.receipts.extend(receipts);
                self.done += 1;
                vec![back(job, worker, Ok(result), seconds)]
            }
            Said::Stopped | Said::Failed(_) if !waits => {
                entry.state = State::Answered;
                entry.receipts.extend(receipts);
                vec![back(job, worker, Err(Lost::Stopped), seconds)]
            }
            Said::Stopped => {
                let publish = entry.publish_again(now, name.to_owned());
                vec![Action::Acknowledge(receipts), publish]
            }
            Said::Failed(reason) => {
                self.failures += 1;
                entry.failures += 1;
                let trouble = Action::Trouble {
                    name: name.to_owned(),
                    worker: worker.clone(),
                    reason: reason.clone(),
                    dead: false,
                };
                let mut actions = vec![Action::Acknowledge(receipts), trouble];
                if entry.failures < MOST_FAILURES {
                    actions.push(entry.publish_again(now, name.to_owned()));
                } else {
                    entry.state = State::Answered;
                    actions.push(back(job, worker, Err(Lost::Failed(reason)), seconds));
                }
                actions
            }
        }
    }

    /// An answer to a question that is not asked now: it may be soon, for a coordinator that has started asks what the one
    /// before it has asked.
    fn unasked(
        &mut self,
        worker: &Arc<str>,
        name: &str,
        said: Said,
        receipts: Vec<Receipt>,
    ) -> Vec<Action> {
        let Said::Done(result) = said else {
            return vec![Action::Acknowledge(receipts)];
        };
        if let Some(known) = self.early.get_mut(name) {
            known.receipts.extend(receipts);
            return Vec::new();
        }
        let early = Early {
            worker: Arc::clone(worker),
            result,
            receipts,
        };
        self.early.insert(name.to_owned(), early);
        self.early_order.push_back(name.to_owned());
        if self.early.len() <= MOST_EARLY {
            return Vec::new();
        }
        let oldest = self.early_order.pop_front();
        let oldest = oldest.and_then(|name| self.early.remove(&name));
        oldest.map_or_else(Vec::new, |old| vec![Action::Acknowledge(old.receipts)])
    }

    /// Something came that cannot be read, or from somebody who is not believed.
    pub(super) fn worthless(
        &mut self,
        now: Duration,
        name: &str,
        receipts: Vec<Receipt>,
    ) -> Vec<Action> {
        let mut actions = vec![Action::Acknowledge(receipts)];
        if let Some(entry) = self.entries.get_mut(name)
            && entry.state != State::Answered
            && entry.ending.is_none()
        {
            actions.push(entry.publish_again(now, name.to_owned()));
        }
        actions
    }

    /// A worker says that it does these.
    pub(super) fn running(&mut self, now: Duration, names: &[&str]) -> Vec<Action> {
        let mut pointless = Vec::new();
        for &name in names {
            match self.entries.get_mut(name) {
                Some(entry) if entry.ending.is_none() && entry.state != State::Answered => {
                    entry.heard = now;
                    entry.missing = false;
                    entry.stranded = None;
                    self.strays.remove(name);
                }
                Some(entry) if entry.ending.is_some() => pointless.push(name.to_owned()),
                _ => {
                    let since = *self.strays.entry(name.to_owned()).or_insert(now);
                    if now.saturating_sub(since) >= STRAY {
                        pointless.push(name.to_owned());
                    }
                }
            }
        }
        if pointless.is_empty() {
            return Vec::new();
        }
        vec![Action::Cancel { names: pointless }]
    }

    /// Those of these that wait are published anew, because from now on they belong elsewhere. A job that a worker has taken
    /// meanwhile is done twice, which is no harm.
    pub(super) fn moved(&mut self, now: Duration, waiting: &[String]) -> Vec<Action> {
        let mut actions = Vec::new();
        for name in waiting {
            if let Some(entry) = self.entries.get_mut(name)
                && matches!(entry.state, State::Out { .. })
                && entry.ending.is_none()
            {
                actions.push(entry.publish_again(now, name.clone()));
            }
        }
        actions
    }

    /// The server has handed a job out too often.
    pub(super) fn died(&mut self, name: &str, sequence: u64) -> Vec<Action> {
        let mut actions = vec![Action::Delete { sequence }];
        let Some(entry) = self.entries.get_mut(name) else {
            return actions;
        };
        if entry.state == State::Answered || entry.sequence.is_some_and(|now| now != sequence) {
            return actions;
        }
        entry.state = State::Answered;
        let reason = "nobody finished it, however often it was handed out".to_owned();
        actions.push(Action::Trouble {
            name: name.to_owned(),
            worker: None,
            reason: reason.clone(),
            dead: true,
        });
        actions.push(back(entry.job, None, Err(Lost::Failed(reason)), 0.0));
        self.failures += 1;
        self.dead.push_back(name.to_owned());
        if self.dead.len() > 20 {
            self.dead.pop_front();
        }
        actions.push(Action::Note(format!(
            "job {name} is dead: workers took it and nobody finished it"
        )));
        actions
    }

    /// Whether the server has a job's message, as it was asked. Where workers stand idle for longer than `patience` and
    /// the message is there all the same, it is handed out no more, and nobody has told us.
    pub(super) fn looked(
        &mut self,
        now: Duration,
        name: &str,
        there: bool,
        idle: Option<Duration>,
    ) -> Vec<Action> {
        let Some(entry) = self.entries.get_mut(name) else {
            return Vec::new();
        };
        let out = matches!(entry.state, State::Out { .. });
        if there && out && entry.ending.is_none() {
            entry.missing = false;
            let Some(patience) = idle else {
                entry.stranded = None;
                return Vec::new();
            };
            let since = *entry.stranded.get_or_insert(now);
            if now.saturating_sub(since) < patience {
                return Vec::new();
            }
            entry.failures += 1;
            if let Some(sequence) = entry.sequence.filter(|_| entry.failures >= MOST_FAILURES) {
                return self.died(name, sequence);
            }
            return vec![entry.publish_again(now, name.to_owned())];
        }
        if there || !out || entry.ending.is_some() {
            entry.missing = false;
            return Vec::new();
        }
        // Its answer may be on its way: only what is missing twice is lost.
        if !std::mem::replace(&mut entry.missing, true) {
            return Vec::new();
        }
        vec![entry.publish_again(now, name.to_owned())]
    }

    /// Time passes.
    pub(super) fn tick(&mut self, now: Duration) -> Vec<Action> {
        let mut actions = Vec::new();
        for (name, entry) in &mut self.entries {
            if let Some(since) = entry.ending {
                if entry.state != State::Answered && now.saturating_sub(since) >= STOPPED {
                    entry.state = State::Answered;
                    actions.push(back(entry.job, None, Err(Lost::Stopped), 0.0));
                }
                continue;
            }
            match entry.state {
                State::Publishing { again } if now >= again => {
                    entry.state = State::Publishing {
                        again: now + REPUBLISH,
                    };
                    actions.push(Action::Publish {
                        name: name.clone(),
                        before: None,
                    });
                }
                State::Out { .. } => {
                    let last = entry.heard.max(entry.looked);
                    if now.saturating_sub(last) >= LOOK {
                        entry.looked = now;
                        actions.push(Action::Look { name: name.clone() });
                    }
                }
                State::Publishing { .. } | State::Answered => {}
            }
        }
        self.strays
            .retain(|_, since| now.saturating_sub(*since) < STRAY * 20);
        actions
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

impl Entry {
    fn publish_again(&mut self, now: Duration, name: String) -> Action {
        self.state = State::Publishing {
            again: now + REPUBLISH,
        };
        self.missing = false;
        self.stranded = None;
        self.heard = now;
        Action::Publish {
            name,
            before: self.sequence.take(),
        }
    }
}

fn back(
    job: JobId,
    worker: Option<Arc<str>>,
    answer: Result<JobResult, Lost>,
    seconds: f64,
) -> Action {
    Action::Return(Box::new(Returned {
        job,
        worker,
        answer,
        seconds,
    }))
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
