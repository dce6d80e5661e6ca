//! A job on its way, and an answer that came before its question.

use std::sync::Arc;
use std::time::Duration;

use super::{Action, MOST_DOUBLINGS, MOST_FAILURES, MOST_FAILURES_OF_ONE, Receipt, UNHEARD};
use crate::nats::roster::SILENT;
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
    /// How long a worker may be at it.
    pub(super) allowed: Duration,
    /// Who does it since it was published.
    pub(super) at_work: Vec<AtWork>,
    /// Who kept it for too long; what they say of it does not count.
    pub(super) kept_by: Vec<Arc<str>>,
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
            again: now + UNHEARD,
        };
        self.at_work.clear();
        self.missing = false;
        self.stranded = None;
        self.heard = now;
        Action::Publish {
            name,
            before: self.sequence.take(),
        }
    }

    /// After so many failures it has failed.
    pub(super) fn most_failures(&self) -> u32 {
        match self.failed.len() {
            0 | 1 => MOST_FAILURES_OF_ONE,
            _ => MOST_FAILURES,
        }
    }

    /// A worker says that it does it.
    pub(super) fn worked_at_by(&mut self, now: Duration, worker: &Arc<str>) {
        match self.at_work.iter_mut().find(|it| it.worker == *worker) {
            Some(known) => known.last = now,
            None => self.at_work.push(AtWork {
                worker: Arc::clone(worker),
                since: now,
                last: now,
            }),
        }
    }

    /// Takes out who is at it for longer than is allowed, if somebody is.
    pub(super) fn keeper(&mut self, now: Duration) -> Option<AtWork> {
        // Who says nothing any more is dead, and the job another's.
        self.at_work
            .retain(|it| now.saturating_sub(it.last) < SILENT);
        let doublings = MOST_DOUBLINGS.min(self.kept_by.len() as u32);
        let allowed = self.allowed.saturating_mul(1 << doublings);
        let too_long = |it: &AtWork| now.saturating_sub(it.since) >= allowed;
        let place = self.at_work.iter().position(too_long)?;
        Some(self.at_work.remove(place))
    }
}

/// Somebody who does a job.
#[derive(Debug)]
pub(super) struct AtWork {
    pub(super) worker: Arc<str>,
    pub(super) since: Duration,
    /// When it said so last.
    pub(super) last: Duration,
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
