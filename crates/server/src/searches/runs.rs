//! Who runs searches: the one place where the server and the driver of searches meet.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tengen_book::SearchId;

use crate::error::Failure;

/// Starts searches.
pub(super) trait Starter: Send + Sync + fmt::Debug {
    /// Whether searches can be started at all; the failure says why not.
    fn available(&self) -> Result<(), Failure>;

    /// Takes the lease of a search that is in this book and runs it on threads of its own.
    fn start(
        &self,
        book: &Path,
        search: SearchId,
        workers: usize,
    ) -> Result<Box<dyn Running>, Failure>;
}

/// A search that runs in this process.
pub(super) trait Running: Send + fmt::Debug {
    /// Ends it soon; what is finished stays in the journal.
    fn stop(&self);

    /// Whether it has ended.
    fn is_done(&self) -> bool;
}

/// The driver of this build.
///
/// To connect the real one: `available` is `Ok(())`, `start` is `tengen_grid::runner::Runner::start(book, search,
/// Arc::new(LocalWorker::default()), Settings { workers, ..Settings::default() })` with its error as a
/// [`Failure::Conflict`], and `Running` is implemented for what that gives.
#[derive(Debug)]
pub(super) struct Local;

impl Starter for Local {
    fn available(&self) -> Result<(), Failure> {
        Err(Failure::Refused(
            "running searches is not available in this build: it shows searches that other programs run".to_owned(),
        ))
    }

    fn start(&self, _: &Path, _: SearchId, _: usize) -> Result<Box<dyn Running>, Failure> {
        self.available()?;
        Err(Failure::Internal(
            "there is no driver of searches".to_owned(),
        ))
    }
}

/// The searches that run in this process.
#[derive(Debug)]
pub(super) struct Runs {
    starter: Box<dyn Starter>,
    running: Mutex<HashMap<SearchId, Box<dyn Running>>>,
}

impl Runs {
    pub(super) fn new(starter: Box<dyn Starter>) -> Self {
        Self {
            starter,
            running: Mutex::default(),
        }
    }

    pub(super) fn available(&self) -> Result<(), Failure> {
        self.starter.available()
    }

    /// Runs a search, unless it runs here already.
    pub(super) fn start(
        &self,
        book: &Path,
        search: SearchId,
        workers: usize,
    ) -> Result<(), Failure> {
        let mut running = self.lock();
        if running.get(&search).is_none_or(|run| run.is_done()) {
            running.insert(search, self.starter.start(book, search, workers)?);
        }
        Ok(())
    }

    pub(super) fn stop(&self, search: SearchId) {
        if let Some(run) = self.lock().get(&search) {
            run.stop();
        }
    }

    pub(super) fn stop_all(&self) {
        self.lock().values().for_each(|run| run.stop());
    }

    /// Whether it runs here.
    pub(super) fn has(&self, search: SearchId) -> bool {
        self.lock().get(&search).is_some_and(|run| !run.is_done())
    }

    /// Whether anything runs here.
    pub(super) fn any(&self) -> bool {
        self.lock().values().any(|run| !run.is_done())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SearchId, Box<dyn Running>>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
