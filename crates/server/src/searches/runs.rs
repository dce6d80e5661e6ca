//! Who runs searches: the one place where the server and the driver of searches meet.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tengen_book::{Book, SearchId};
use tengen_grid::jobs::LocalWorker;
use tengen_grid::nats::{ClientOptions, Grid, GridTransport};
use tengen_grid::runner::{self, Runner, Settings};
use tengen_grid::transport::Transport;

use crate::error::Failure;
use crate::grid::Usages;

/// Starts searches.
pub(super) trait Starter: Send + Sync + fmt::Debug {
    /// Takes the lease of a search that is in this book and runs it on threads of its own, with so many jobs at a time if
    /// somebody says.
    fn start(
        &self,
        book: &Path,
        search: SearchId,
        workers: Option<usize>,
    ) -> Result<Box<dyn Running>, Failure>;
}

/// A search that runs in this process.
pub(super) trait Running: Send + fmt::Debug {
    /// Ends it soon, whatever is wanted of it; what is finished stays in the journal.
    fn stop(&self);

    /// Whether it has ended.
    fn is_done(&self) -> bool;
}

/// This machine's prover.
#[derive(Debug)]
pub(super) struct Local {
    /// How many jobs run at a time if nobody says.
    pub(super) workers: usize,
}

impl Starter for Local {
    fn start(
        &self,
        book: &Path,
        search: SearchId,
        workers: Option<usize>,
    ) -> Result<Box<dyn Running>, Failure> {
        let settings = Settings {
            workers: workers.unwrap_or(self.workers),
            ..Settings::default()
        };
        let worker = Arc::new(LocalWorker::new());
        let running = Runner::start(book.to_owned(), search, worker, settings);
        let running = running.map_err(|error| Failure::Conflict(error.to_string()))?;
        Ok(Box::new(running))
    }
}

/// The workers of a grid: as many as are due to a search.
#[derive(Debug)]
pub(super) struct OnGrid {
    pub(super) grid: Grid,
    /// What people have said of their shares.
    pub(super) usages: Arc<Usages>,
}

impl Starter for OnGrid {
    fn start(
        &self,
        book: &Path,
        search: SearchId,
        workers: Option<usize>,
    ) -> Result<Box<dyn Running>, Failure> {
        let record = Book::open_existing(book)?.search(search)?;
        let options = ClientOptions::for_search(&record).remembering(book);
        if workers.is_some() {
            let mut usage = self.usages.of(&options.client);
            usage.most = workers;
            self.usages.keep(&options.client, usage);
        }
        let (grid, usages) = (self.grid.clone(), Arc::clone(&self.usages));
        let transport = move || -> Option<Box<dyn Transport>> {
            // As people want it now: a search that is resumed while it stops gets another carrier.
            let options = options.clone().using(usages.of(&options.client));
            Some(Box::new(GridTransport::new(grid.clone(), options)))
        };
        let settings = Settings {
            check_limits: Settings::check_limits_for_strangers(),
            ..Settings::default()
        };
        let running = Runner::start_by(book.to_owned(), search, transport, settings);
        let running = running.map_err(|error| Failure::Conflict(error.to_string()))?;
        Ok(Box::new(running))
    }
}

impl Running for runner::Running {
    fn stop(&self) {
        self.stop();
    }

    fn is_done(&self) -> bool {
        self.is_done()
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

    /// Runs a search that nobody has.
    pub(super) fn start(
        &self,
        book: &Path,
        search: SearchId,
        workers: Option<usize>,
    ) -> Result<(), Failure> {
        // Under the lock: whoever looks sees that it is ours. What ran here before has given it back.
        let mut running = self.lock();
        running.insert(search, self.starter.start(book, search, workers)?);
        Ok(())
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
