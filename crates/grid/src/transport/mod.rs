//! How jobs get to workers and answers back: threads of this process, or a grid. The runner knows no difference.

mod local;

use std::io;
use std::sync::Arc;
use std::sync::mpsc::Sender;

pub use local::Threads;
pub(crate) use local::{STACK, attempt};

use crate::{Job, JobId, JobResult};

/// Carries jobs to workers and answers back.
///
/// Every job that was sent comes back exactly once: with an answer, or with a reason why there is none. What comes back is
/// a worker's word, unchecked. After [`Transport::again`] the same job comes back once more.
pub trait Transport: Send {
    /// Begins; what comes back goes to `returned`.
    ///
    /// # Errors
    ///
    /// If no thread can be started.
    fn start(&mut self, returned: Sender<Returned>) -> io::Result<()>;

    /// How many jobs may be on their way now. It changes when workers come and go.
    fn capacity(&self) -> usize;

    /// How many workers there are, whatever their threads.
    fn workers(&self) -> usize;

    /// Takes a job.
    ///
    /// # Errors
    ///
    /// If it can carry nothing any more.
    fn send(&mut self, job: Job) -> Result<(), Closed>;

    /// Nobody waits for this job any more. It comes back soon all the same.
    fn cancel(&mut self, job: JobId);

    /// What came back for this job is in the journal, or not needed: it need not be kept any longer.
    fn settled(&mut self, job: JobId);

    /// What came back for this job was worthless: somebody else is to do it. Says whether anybody will.
    fn again(&mut self, job: JobId) -> bool;

    /// This worker cannot be honest: nothing of it is wanted any more.
    fn distrust(&mut self, worker: &str, reason: &str);

    /// What people should know, since they were last told.
    fn notes(&mut self) -> Vec<String>;

    /// The search has ended, solved or not. What is still on its way is of no use.
    fn end(&mut self, solved: bool);
}

/// A job that has come back.
#[derive(Debug, Clone, PartialEq)]
pub struct Returned {
    /// Which one.
    pub job: JobId,
    /// Who did it, if it was somebody else than this process.
    pub worker: Option<Arc<str>>,
    /// What it says.
    pub answer: Result<JobResult, Lost>,
    /// The processor's time that it took, as far as we can tell.
    pub seconds: f64,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Lost {
    /// It was told to stop.
    #[error("the job was stopped")]
    Stopped,
    /// It could not be done.
    #[error("{0}")]
    Failed(String),
}

/// A transport that can carry nothing any more.
#[derive(Debug, Copy, Clone, PartialEq, Eq, thiserror::Error)]
#[error("jobs cannot be sent any more")]
pub struct Closed;
