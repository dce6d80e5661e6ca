//! Long work on worker threads.
//!
//! | file | what it does |
//! |---|---|
//! | `state.rs` | all jobs at one moment; which is next |
//! | `worker.rs` | the threads: take a job, run it, tell and store how it goes |
//! | `request.rs` | what is asked, read and found possible |
//! | `checking.rs` | the independent checker |
//! | `opinion.rs` | what engines think, in the API's words; what is proved |
//! | `analyze.rs`, `claims.rs` | the best turns, and the proofs of what is claimed of them |
//! | `play.rs`, `find_win.rs`, `tree.rs`, `verify.rs`, `stored.rs` | the other kinds of jobs |

mod analyze;
pub(crate) mod checking;
mod claims;
mod find_win;
mod opinion;
mod play;
mod request;
mod state;
mod stored;
mod tree;
pub(crate) mod verify;
mod worker;

use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::api::{Job, JobKind, JobOutcome, JobProgress, JobState, Live, NewJob};
use crate::database::{self, Database};
use crate::error::Failure;
use crate::live::Hub;
use request::Work;
use state::{Entry, MOST_UNFINISHED, State, Taste};

/// Searches recurse once a turn; the longest lines need more than a thread's usual stack.
pub(crate) const STACK: usize = 64 << 20;

/// A job that was begun so often without coming far is not begun again.
const MOST_STARTS: u32 = 5;

/// How long somebody who stops a job waits for it to end; it goes on ending afterwards.
const PATIENCE: Duration = Duration::from_secs(2);

/// All jobs, and the threads that work on them.
#[derive(Debug)]
pub(crate) struct Jobs {
    inner: Arc<Inner>,
    threads: Vec<JoinHandle<()>>,
}

/// What the threads share.
pub(crate) struct Inner {
    database: Database,
    hub: Hub,
    state: Mutex<State>,
    /// Somebody waits for a job, or for the end.
    wake: Condvar,
}

impl std::fmt::Debug for Inner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Jobs").finish_non_exhaustive()
    }
}

impl Jobs {
    /// Starts the workers, and again the jobs that were running when the server stopped.
    pub(crate) fn start(database: Database, hub: Hub, workers: usize) -> Self {
        let inner = Arc::new(Inner {
            state: Mutex::new(stored(&database)),
            database,
            hub,
            wake: Condvar::new(),
        });
        let tastes = std::iter::repeat_n(Taste::Any, workers.max(1));
        // However busy the others are, a game goes on.
        let tastes = tastes.chain([Taste::Turns]);
        let mut threads: Vec<JoinHandle<()>> = tastes
            .map(|taste| spawn(&inner, "worker", move |inner| inner.work(taste)))
            .collect();
        threads.push(spawn(&inner, "progress", Inner::tell_progress));
        Self { inner, threads }
    }

    /// Makes a job.
    pub(crate) async fn submit(&self, new: NewJob) -> Result<Job, Failure> {
        let (_, limit) = Work::read(&new.request)?;
        if self.inner.lock().unfinished() >= MOST_UNFINISHED {
            return Err(Failure::TooMany(format!(
                "{MOST_UNFINISHED} jobs are waiting or at work: stop some of them first"
            )));
        }
        let created = database::now();
        let stored = new.clone();
        let insert = move |connection: &rusqlite::Transaction<'_>| {
            database::jobs::insert(connection, &stored, created)
        };
        let id = self.inner.database.write(insert).await?;
        let job = Job {
            id,
            sequence: 0,
            kind: new.request.kind(),
            request: new.request,
            study: new.study,
            node: new.node,
            state: JobState::Queued,
            progress: JobProgress {
                limit: limit.map(|limit| limit.as_secs_f64()),
                ..JobProgress::default()
            },
            outcome: None,
            error: None,
            seen: false,
            created,
            finished: None,
        };
        let mut state = self.inner.lock();
        state.entries.insert(id, Entry::new(job));
        let job = self.inner.changed(&mut state, id);
        self.inner.wake.notify_all();
        job.ok_or_else(|| missing(id))
    }

    /// All jobs, oldest first.
    pub(crate) fn list(&self) -> Vec<Job> {
        self.inner.lock().jobs()
    }

    /// One job.
    pub(crate) fn get(&self, id: u32) -> Result<Job, Failure> {
        let state = self.inner.lock();
        let entry = state.entries.get(&id).ok_or_else(|| missing(id))?;
        Ok(entry.job.clone())
    }

    /// Stops a job: a queued one at once, one at work as soon as it looks up.
    pub(crate) async fn stop(&self, id: u32) -> Result<Job, Failure> {
        self.begin_to_stop(id).await?;
        let end = tokio::time::Instant::now() + PATIENCE;
        loop {
            let job = self.get(id)?;
            if job.state.is_final() || tokio::time::Instant::now() >= end {
                return Ok(job);
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    async fn begin_to_stop(&self, id: u32) -> Result<(), Failure> {
        let queued = {
            let mut state = self.inner.lock();
            let entry = state.entries.get_mut(&id).ok_or_else(|| missing(id))?;
            entry.stop.store(true, Ordering::Relaxed);
            let queued = entry.job.state == JobState::Queued;
            if queued {
                entry.job.state = JobState::Stopped;
                entry.job.finished = Some(database::now());
                entry.job.outcome = kept(&entry.job);
            }
            queued.then(|| self.inner.changed(&mut state, id)).flatten()
        };
        if let Some(job) = queued {
            let update = move |connection: &rusqlite::Transaction<'_>| {
                database::jobs::update(connection, &job)
            };
            self.inner.database.write(update).await?;
        }
        Ok(())
    }

    /// Somebody has looked at the outcome.
    pub(crate) async fn see(&self, id: u32) -> Result<Job, Failure> {
        let job = {
            let mut state = self.inner.lock();
            let entry = state.entries.get_mut(&id).ok_or_else(|| missing(id))?;
            entry.job.seen = true;
            self.inner
                .changed(&mut state, id)
                .ok_or_else(|| missing(id))?
        };
        let see = move |connection: &rusqlite::Transaction<'_>| database::jobs::see(connection, id);
        self.inner.database.write(see).await?;
        Ok(job)
    }

    /// Stops a job and forgets it.
    pub(crate) async fn forget(&self, id: u32) -> Result<(), Failure> {
        {
            let mut state = self.inner.lock();
            let entry = state.entries.remove(&id).ok_or_else(|| missing(id))?;
            entry.stop.store(true, Ordering::Relaxed);
            self.inner.hub.tell(&Live::Forgotten { job: id });
        }
        let delete =
            move |connection: &rusqlite::Transaction<'_>| database::jobs::delete(connection, id);
        self.inner.database.write(delete).await
    }
}

impl Drop for Jobs {
    /// Jobs at work are left as they are: they go on when the server is started again.
    fn drop(&mut self) {
        {
            let mut state = self.inner.lock();
            state.closed = true;
            for entry in state.entries.values() {
                entry.stop.store(true, Ordering::Relaxed);
            }
        }
        self.inner.wake.notify_all();
        // A thread that does not hear ends with the process; the database bears it.
        let end = Instant::now() + PATIENCE;
        for thread in self.threads.drain(..) {
            while !thread.is_finished() && Instant::now() < end {
                std::thread::sleep(Duration::from_millis(5));
            }
            if thread.is_finished() {
                let _it_panicked = thread.join();
            }
        }
    }
}

impl Inner {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing is left half done under the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells everybody of a change. Told while the lock is held, so that messages come in the order of changes.
    fn changed(&self, state: &mut State, id: u32) -> Option<Job> {
        state.sequence += 1;
        let sequence = state.sequence;
        let entry = state.entries.get_mut(&id)?;
        entry.dirty = false;
        entry.job.sequence = sequence;
        let job = entry.job.clone();
        self.hub.tell(&Live::Job {
            job: Box::new(job.clone()),
        });
        Some(job)
    }
}

/// What a job that is stopped before its end leaves.
fn kept(job: &Job) -> Option<JobOutcome> {
    let lines = &job.progress.lines;
    (job.kind == JobKind::Analyze && !lines.is_empty()).then(|| JobOutcome::Analysis {
        lines: lines.clone(),
        others_lose: false,
    })
}

fn missing(id: u32) -> Failure {
    Failure::NotFound(format!("there is no job {id}; it may have been forgotten"))
}

fn spawn(
    inner: &Arc<Inner>,
    name: &str,
    work: impl FnOnce(&Inner) + Send + 'static,
) -> JoinHandle<()> {
    let inner = Arc::clone(inner);
    std::thread::Builder::new()
        .name(name.to_owned())
        .stack_size(STACK)
        .spawn(move || work(&inner))
        .expect("a thread can be started")
}

/// The jobs of the database; those that were not finished are queued again.
fn stored(database: &Database) -> State {
    let jobs = database.read_now(database::jobs::all);
    let mut state = State::default();
    for stored in jobs.unwrap_or_default() {
        let mut job = stored.job;
        if !job.state.is_final() {
            job.state = JobState::Queued;
            // The row of a job that never ran does not have it.
            if let Ok((_, limit)) = Work::read(&job.request) {
                job.progress.limit = limit.map(|limit| limit.as_secs_f64());
            }
            if stored.starts >= MOST_STARTS {
                job.state = JobState::Failed;
                job.finished = Some(database::now());
                job.error = Some(format!(
                    "the server has stopped {MOST_STARTS} times while it worked on this"
                ));
            }
            let _the_next_write_may_succeed =
                database.write_now(|connection| database::jobs::update(connection, &job));
        }
        state.sequence += 1;
        job.sequence = state.sequence;
        state.entries.insert(job.id, Entry::new(job));
    }
    state
}
