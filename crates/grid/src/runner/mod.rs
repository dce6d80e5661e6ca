//! Runs one search, with its journal in a book, on this machine's threads or on a grid.
//!
//! The driver takes orders from the tree, lets workers do them (`transport`), and appends each answer with its proofs to the journal
//! before the tree hears of it. Whatever happens to the process, the next one reads the journal and goes on; only the
//! jobs that were at work are done again. Every proof is checked here, whoever sent it (`crew.rs`); what an answer then says is judged
//! against the tree (`judge.rs`), and what is not proved for exactly its position becomes a claim.

mod commands;
mod crew;
mod doubt;
mod driver;
mod finish;
mod judge;
mod receive;
pub(crate) mod second;
mod snapshot;
mod tips;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tengen_book::{Book, NewSearch, Owner, SearchId, Wanted};
use tengen_checker::Limits;
use tengen_rules::{Position, Side, notation};

pub use commands::{Command, TellError, Told, tell};
pub use second::SecondOpinions;
pub use snapshot::{ActiveJob, Snapshot};

use crate::jobs::Worker;
use crate::search::Config;
use crate::transport::{Threads, Transport};
use crate::{ComposeError, FollowError, JobLimits, ProofId};
use driver::Driver;

/// How a search is run; nothing of this changes what is true.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// How many threads do jobs, where it runs on threads.
    pub workers: usize,
    /// When a job gives up.
    pub job_limits: JobLimits,
    /// When the checker gives up on a job's proof.
    pub check_limits: Limits,
    /// How often watchers get something new to see.
    pub snapshot_every: Duration,
    /// How often estimates of workers elsewhere are asked for twice.
    pub second_opinions: SecondOpinions,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            workers: thread::available_parallelism().map_or(1, usize::from),
            job_limits: JobLimits::default(),
            check_limits: Limits::default(),
            snapshot_every: Duration::from_secs(1),
            second_opinions: SecondOpinions::default(),
        }
    }
}

impl Settings {
    /// How long the proofs of strangers may take to check: honest ones take seconds.
    pub fn check_limits_for_strangers() -> Limits {
        Limits {
            seconds: Some(300.0),
            ..Limits::default()
        }
    }
}

/// Why a run has ended.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum Why {
    /// The root is solved.
    Solved,
    /// Nothing is left to be ordered: only an expert's hand helps, or other limits.
    Stuck,
    /// Somebody wanted it to end.
    Stopped,
    /// Somebody wanted a pause: the jobs in flight were finished.
    Paused,
}

impl Why {
    /// `solved`, `stuck`, `stopped` or `paused`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Stuck => "stuck",
            Self::Stopped => "stopped",
            Self::Paused => "paused",
        }
    }
}

/// How a run has ended.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct End {
    /// Who wins the root, proved.
    pub winner: Option<Side>,
    /// Why it has ended.
    pub why: Why,
    /// The proof of the root, which the checker has verified and the book has.
    pub composed: Option<ProofId>,
}

/// Why a search could not be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The book says so.
    #[error(transparent)]
    Book(#[from] tengen_book::Error),
    /// The search cannot be read.
    #[error(transparent)]
    Follow(#[from] FollowError),
    /// No thread can be started.
    #[error("no thread could be started: {0}")]
    Thread(#[from] std::io::Error),
    /// All nodes are proved and yet there is no proof of the root.
    #[error("the root is decided, but its proof could not be composed: {0}")]
    Compose(#[from] ComposeError),
    /// The checker does not accept the composed proof.
    #[error("the root is decided, but the checker does not accept its composed proof: {0}")]
    NotVerified(String),
    /// A bug.
    #[error(
        "the search broke down, which is a bug in tengen; its journal is whole, and it can be resumed"
    )]
    Bug,
}

/// Runs searches.
#[derive(Debug, Copy, Clone)]
pub struct Runner;

impl Runner {
    /// Takes the right to run a search, reads its journal and goes on with it on threads of its own. From now on it is
    /// wanted that it runs.
    ///
    /// # Errors
    ///
    /// If another process runs it, or the book or a thread fails.
    pub fn start(
        book_path: PathBuf,
        search: SearchId,
        worker: Arc<dyn Worker>,
        settings: Settings,
    ) -> Result<Running, RunError> {
        let size = settings.workers;
        let threads = move || -> Option<Box<dyn Transport>> {
            Some(Box::new(Threads::new(size, Arc::clone(&worker))))
        };
        Self::start_by(book_path, search, threads, settings)
    }

    /// The same with whoever is behind this transport, which serves one run only: see [`Runner::start_by`].
    ///
    /// # Errors
    ///
    /// If another process runs it, or the book or a thread fails.
    pub fn start_on(
        book_path: PathBuf,
        search: SearchId,
        transport: Box<dyn Transport>,
        settings: Settings,
    ) -> Result<Running, RunError> {
        let mut transport = Some(transport);
        Self::start_by(book_path, search, move || transport.take(), settings)
    }

    /// The same, with a way to make such a transport anew: who changes his mind while the search stops gets a new run.
    ///
    /// # Errors
    ///
    /// If another process runs it, or the book or a thread fails.
    pub fn start_by(
        book_path: PathBuf,
        search: SearchId,
        mut transport: impl FnMut() -> Option<Box<dyn Transport>> + Send + 'static,
        settings: Settings,
    ) -> Result<Running, RunError> {
        let book = Book::open_existing(&book_path)?;
        let lease = book.take_lease(search)?;
        book.set_wanted(search, Wanted::Run)?;
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let driver = thread::Builder::new()
            .name(format!("search {}", search.0))
            .spawn(move || Driver::run(&book, lease, &mut transport, &settings, &stopped))?;
        Ok(Running { driver, stop })
    }
}

/// A search that runs.
#[derive(Debug)]
pub struct Running {
    driver: JoinHandle<Result<End, RunError>>,
    stop: Arc<AtomicBool>,
}

impl Running {
    /// Waits for the end.
    ///
    /// # Errors
    ///
    /// If the search could not go on.
    pub fn wait(self) -> Result<End, RunError> {
        self.driver.join().unwrap_or(Err(RunError::Bug))
    }

    /// Asks it to end soon. What is not answered until then is done again another time.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether it has ended.
    pub fn is_done(&self) -> bool {
        self.driver.is_finished()
    }
}

/// Waits as long as a search is run by a process that was told to end, and `patience` lasts; it is asked again and
/// again. Whether another process still has the search is for [`Runner::start`] to say.
///
/// # Errors
///
/// If the book cannot be read.
pub fn wait_for_end(
    book: &Book,
    search: SearchId,
    patience: &mut dyn FnMut(&Owner) -> bool,
) -> Result<(), RunError> {
    loop {
        let record = book.search(search)?;
        let owner = record.owner.filter(|owner| owner.alive);
        match owner.filter(|_| record.wanted != Wanted::Run) {
            Some(owner) if patience(&owner) => thread::sleep(Duration::from_millis(20)),
            _ => return Ok(()),
        }
    }
}

/// The newest search of a book with this root and configuration.
///
/// # Errors
///
/// If the book cannot be read.
pub fn find_search(
    book: &Book,
    root: &Position,
    config: &Config,
) -> Result<Option<SearchId>, RunError> {
    let (rules, setup) = (root.rules().to_string(), setup_of(root));
    let same = |search: &tengen_book::Search| {
        let theirs = serde_json::from_str::<Config>(&search.config);
        search.rules == rules
            && search.root == setup
            && theirs.is_ok_and(|theirs| theirs == *config)
    };
    Ok(book
        .searches()?
        .into_iter()
        .find(same)
        .map(|search| search.id))
}

/// Makes a search.
///
/// # Errors
///
/// If the book cannot be written, or the game is over.
pub fn create_search(
    book: &Book,
    title: &str,
    root: &Position,
    config: &Config,
) -> Result<SearchId, RunError> {
    let new = NewSearch {
        title: title.to_owned(),
        rules: root.rules().to_string(),
        root: setup_of(root),
        config: serde_json::to_string(config).unwrap_or_default(),
    };
    Ok(book.create_search(&new)?)
}

fn setup_of(position: &Position) -> String {
    notation::setup_text(&position.to_setup())
}
