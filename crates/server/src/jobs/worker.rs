//! The threads: take a job, run it, tell and store how it goes.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::Inner;
use super::request::Work;
use super::state::Taste;
use crate::api::{Job, JobOutcome, JobProgress, JobRequest, JobState, Live};
use crate::database::{self, Database};
use crate::error::Failure;

/// How often at most progress is told.
const PERIOD: Duration = Duration::from_millis(250);

/// Every so many periods it is stored, and told even if nothing but the clock went on.
const PERIODS_OF_STORING: u64 = 4;

/// After so many seconds a job is not suspected to bring the server down.
const SAFE_SECONDS: f64 = 10.0;

/// A job that continues after a restart has at least so long.
const LEAST_TIME: Duration = Duration::from_secs(1);

/// What a job has on its desk while it works.
pub(super) struct Desk<'a> {
    inner: &'a Inner,
    id: u32,
    stop: Arc<AtomicBool>,
    /// How long it may still work.
    pub(super) time: Option<Duration>,
    /// How far it was when the server stopped.
    pub(super) earlier: JobProgress,
}

impl Desk<'_> {
    /// Set when the job shall end.
    pub(super) fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub(super) const fn database(&self) -> &Database {
        &self.inner.database
    }

    /// Changes the progress; it is told soon.
    pub(super) fn progress(&self, change: impl FnOnce(&mut JobProgress)) {
        let mut state = self.inner.lock();
        if let Some(entry) = state.entries.get_mut(&self.id) {
            change(&mut entry.job.progress);
            entry.dirty = true;
        }
    }

    /// Has the progress changed every now and then by something that runs.
    pub(super) fn watch(&self, gauge: impl Fn(&mut JobProgress) + Send + 'static) {
        let mut state = self.inner.lock();
        if let Some(entry) = state.entries.get_mut(&self.id) {
            entry.gauge = Some(Box::new(gauge));
        }
    }

    /// From now on the checker works.
    pub(super) fn checking(&self) {
        let job = {
            let mut state = self.inner.lock();
            let Some(entry) = state.entries.get_mut(&self.id) else {
                return;
            };
            entry.job.state = JobState::Checking;
            self.inner.changed(&mut state, self.id)
        };
        self.inner.store(job.as_ref());
    }

    /// The list of proofs or collections has changed.
    pub(super) fn library_changed(&self) {
        self.inner.hub.tell(&Live::Library);
    }
}

impl Inner {
    /// Works until the server stops.
    pub(super) fn work(&self, taste: Taste) {
        while let Some((desk, request)) = self.take(taste) {
            let done = guarded(|| perform(&desk, &request));
            self.end(&desk, done);
        }
    }

    /// Waits for a job; `None` when the server stops.
    fn take(&self, taste: Taste) -> Option<(Desk<'_>, JobRequest)> {
        let (desk, job) = {
            let mut state = self.lock();
            let id = loop {
                if state.closed {
                    return None;
                }
                if let Some(id) = state.next(taste) {
                    break id;
                }
                state = self
                    .wake
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
            };
            let entry = state.entries.get_mut(&id)?;
            entry.job.state = JobState::Running;
            entry.begun = Some(Instant::now());
            let progress = &entry.job.progress;
            let spent = Duration::from_secs_f64(progress.seconds.max(0.0));
            let limit = progress.limit.map(Duration::from_secs_f64);
            let desk = Desk {
                inner: self,
                id,
                stop: Arc::clone(&entry.stop),
                time: limit.map(|limit| limit.saturating_sub(spent).max(LEAST_TIME.min(limit))),
                earlier: progress.clone(),
            };
            let job = self.changed(&mut state, id)?;
            (desk, job)
        };
        self.write(|connection| {
            database::jobs::update(connection, &job)?;
            database::jobs::count_start(connection, job.id)
        });
        Some((desk, job.request))
    }

    fn end(&self, desk: &Desk<'_>, done: Result<Option<JobOutcome>, Failure>) {
        let mut forgotten = Vec::new();
        let job = {
            let mut state = self.lock();
            let closed = state.closed;
            let Some(entry) = state.entries.get_mut(&desk.id) else {
                return;
            };
            entry.job.progress.seconds = entry.seconds();
            entry.gauge = None;
            entry.begun = None;
            if closed {
                // It goes on when the server is started again.
                let job = entry.job.clone();
                drop(state);
                return self.write(|connection| {
                    database::jobs::update_progress(connection, &job)?;
                    database::jobs::forget_starts(connection, job.id)
                });
            }
            let job = &mut entry.job;
            job.finished = Some(database::now());
            (job.state, job.outcome, job.error) = match done {
                Ok(outcome) if desk.is_stopped() => (JobState::Stopped, outcome, None),
                Ok(outcome) => (JobState::Done, outcome, None),
                Err(failure) => (JobState::Failed, None, Some(failure.to_string())),
            };
            let job = self.changed(&mut state, desk.id);
            for id in state.surplus() {
                state.entries.remove(&id);
                self.hub.tell(&Live::Forgotten { job: id });
                forgotten.push(id);
            }
            job
        };
        self.store(job.as_ref());
        self.write(|connection| {
            let mut forgotten = forgotten.iter();
            forgotten.try_for_each(|&id| database::jobs::delete(connection, id))
        });
    }

    fn store(&self, job: Option<&Job>) {
        if let Some(job) = job {
            self.write(|connection| database::jobs::update(connection, job));
        }
    }

    /// A job whose row cannot be written, on a full disk perhaps, goes on: its outcome is told all the same.
    fn write(&self, work: impl FnOnce(&rusqlite::Transaction<'_>) -> Result<(), Failure>) {
        let _the_next_write_may_succeed = self.database.write_now(work);
    }

    /// Tells and stores how far jobs are, until the server stops.
    pub(super) fn tell_progress(&self) {
        for period in 1.. {
            let storing = period % PERIODS_OF_STORING == 0;
            let Some(jobs) = self.tell_period(storing) else {
                return;
            };
            if !jobs.is_empty() {
                self.write(|connection| {
                    for job in &jobs {
                        database::jobs::update_progress(connection, job)?;
                        if job.progress.seconds >= SAFE_SECONDS {
                            database::jobs::forget_starts(connection, job.id)?;
                        }
                    }
                    Ok(())
                });
            }
        }
    }

    /// Waits one period and tells; what is to be stored, `None` when the server stops.
    fn tell_period(&self, storing: bool) -> Option<Vec<Job>> {
        let end = Instant::now() + PERIOD;
        let mut state = self.lock();
        loop {
            if state.closed {
                return None;
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let waited = self.wake.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        let mut news = Vec::new();
        for (&id, entry) in &mut state.entries {
            if entry.begun.is_none() {
                continue;
            }
            let before = entry.job.progress.clone();
            if let Some(gauge) = &entry.gauge {
                gauge(&mut entry.job.progress);
            }
            let changed = entry.dirty || entry.job.progress != before;
            entry.job.progress.seconds = entry.seconds();
            if changed || storing {
                news.push(id);
            }
        }
        let told = news.into_iter();
        let told: Vec<Job> = told.filter_map(|id| self.changed(&mut state, id)).collect();
        Some(if storing { told } else { Vec::new() })
    }
}

fn perform(desk: &Desk<'_>, request: &JobRequest) -> Result<Option<JobOutcome>, Failure> {
    match Work::read(request)?.0 {
        Work::Analyze(analysis) => super::analyze::analyze(desk, &analysis),
        Work::Turn { position, level } => super::play::turn(desk, &position, level),
        Work::FindWin { position, order } => super::find_win::find_win(desk, &position, order),
        Work::Verify { position, order } => super::verify::verify(desk, &position, order),
        Work::Check { proof } => super::stored::check(desk, proof),
        Work::ImportGames { collection } => super::stored::import(desk, collection),
    }
}

/// A bug in one job must not end the worker.
fn guarded<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    let done = catch_unwind(AssertUnwindSafe(work));
    done.unwrap_or_else(|payload| Err(panicked(&*payload)))
}

/// A bug of ours, in words.
fn panicked(payload: &(dyn Any + Send)) -> Failure {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
    Failure::Internal(format!(
        "a bug stopped this job ({}); the others go on, and a report of it would help",
        text.unwrap_or("no details")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_message() {
        assert_eq!(guarded(|| Ok(7)).expect("no panic"), 7);
        let number = 3;
        for failure in [
            guarded::<()>(|| panic!("out of luck")),
            guarded::<()>(|| panic!("out of luck {number}")),
        ] {
            let message = failure.expect_err("a panic").to_string();
            assert!(
                message.contains("a bug stopped this job (out of luck"),
                "{message}"
            );
        }
    }
}
