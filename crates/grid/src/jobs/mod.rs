//! The work itself, on the machine that does it.

mod alone;
mod attraction;
mod counting;
mod gomoku;
mod local;
mod memory;

pub use local::{Effort, LocalWorker};

use std::sync::atomic::AtomicBool;

use crate::{Job, JobResult};

/// Who does jobs: this machine's prover, or in tests somebody who lies.
pub trait Worker: Send + Sync {
    /// Does one job. It ends soon after `stop` is set; what it has found until then is answered.
    ///
    /// # Errors
    ///
    /// If the job makes no sense or could not be done.
    fn run(&self, job: &Job, stop: &AtomicBool) -> Result<JobResult, JobError>;

    /// The number of the last thing that it has heard of what the search of this job has proved, 0 if it has heard nothing; `None` if that
    /// does not interest it.
    fn heard(&self, _job: &Job) -> Option<u64> {
        None
    }

    /// The next thing that the search of this job has proved.
    fn hear(&self, _job: &Job, _number: u64, _piece: &[u8]) {}
}

/// Why a job could not be done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JobError {
    /// What was asked makes no sense.
    #[error("job {id} cannot be done: {reason}", id = .id.0)]
    Senseless {
        /// Which job.
        id: crate::JobId,
        /// What was wrong with it.
        reason: String,
    },
    /// It was stopped before it had found anything.
    #[error("the job was stopped")]
    Stopped,
}
