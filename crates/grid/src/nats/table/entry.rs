//! A job on its way, and an answer that came before its question.

use std::sync::Arc;
use std::time::Duration;

use super::{Action, REPUBLISH, Receipt};
use crate::transport::{Lost, Returned};
use crate::{JobId, JobResult};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// Nobody knows whether the server has it; try again at this time.
    Publishing { again: Duration },
    /// The server has it, or a worker.
    Out { sequence: u64 },
    /// It has come back; the search has not said yet that it is done with it.
    Answered,
}

#[derive(Debug)]
pub(super) struct Entry {
    pub(super) job: JobId,
    pub(super) state: State,
    /// Since when nobody waits for it.
    pub(super) ending: Option<Duration>,
    pub(super) asked: Duration,
    /// When a sign of life was seen last.
    pub(super) heard: Duration,
    /// When a worker said last that it does it.
    pub(super) worked: Option<Duration>,
    /// When the server was asked last, and whether it had the message.
    pub(super) looked: Duration,
    pub(super) missing: bool,
    /// Since when the server has it and workers have nothing to do.
    pub(super) stranded: Option<Duration>,
    pub(super) failures: u32,
    /// By whom.
    pub(super) failed: Vec<Arc<str>>,
    pub(super) lies: u32,
    /// The last message that is known to have been there.
    pub(super) sequence: Option<u64>,
    pub(super) receipts: Vec<Receipt>,
}

#[derive(Debug)]
pub(super) struct Early {
    pub(super) worker: Arc<str>,
    pub(super) result: JobResult,
    pub(super) receipts: Vec<Receipt>,
}

impl Entry {
    /// It is to be published anew, and the message before taken out.
    pub(super) fn publish_again(&mut self, now: Duration, name: String) -> Action {
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

/// It goes back to the search.
pub(super) fn back(
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
