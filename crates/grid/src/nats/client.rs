//! A search on a grid: the transport that the runner sees.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use super::coordinator::{Command, Coordinator};
use super::message::Usage;
use super::names::{Class, is_token};
use super::{ACK_WAIT, ANY, Grid, Ledger};
use crate::transport::{Closed, Returned, Transport};
use crate::{Job, JobId, JobLimits};

/// How a search uses a grid.
#[derive(Debug, Clone, PartialEq)]
pub struct ClientOptions {
    /// The search's name, a token: the same for the same search, whoever runs it.
    pub client: String,
    /// What people call it.
    pub title: String,
    /// Its share, compared with that of others.
    pub weight: u32,
    /// At most so many workers' threads.
    pub most: Option<usize>,
    /// Only workers of this name or label.
    pub pool: Option<String>,
    /// How urgent it is.
    pub class: Class,
    /// A worker that says nothing of its job for so long has lost it. Who makes a queue first decides.
    pub ack_wait: Duration,
    /// A worker that is at a job without limits for longer has to give it to another one.
    pub longest_job: Duration,
    /// Where it is written down who was dropped, so that the next coordinator knows it.
    pub ledger: Option<Ledger>,
}

/// A job without limits is given to another worker after this time.
const LONGEST_JOB: Duration = Duration::from_secs(3600);
/// One with limits after twice its time and this: machines differ, and sleep.
const GRACE: Duration = Duration::from_secs(600);

impl ClientOptions {
    /// As usual.
    pub fn new(client: &str, title: &str) -> Self {
        Self {
            client: client.to_owned(),
            title: title.to_owned(),
            weight: 1,
            most: None,
            pool: None,
            class: Class::Normal,
            ack_wait: ACK_WAIT,
            longest_job: LONGEST_JOB,
            ledger: None,
        }
    }

    /// For a search of a book. Nobody remembers who was dropped unless [`Self::remembering`] is asked for.
    pub fn for_search(search: &tengen_book::Search) -> Self {
        let client: String = search
            .uid
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        Self::new(&client, &search.title)
    }

    /// The same, with what is written down beside this book.
    #[must_use]
    pub fn remembering(mut self, book: &Path) -> Self {
        self.ledger = Some(Ledger::beside(book));
        self
    }

    /// The same with another usage.
    #[must_use]
    pub fn using(mut self, usage: Usage) -> Self {
        self.adopt(usage);
        self
    }

    pub(super) fn adopt(&mut self, usage: Usage) {
        let Usage {
            weight,
            most,
            pool,
            class,
        } = usage;
        (self.weight, self.most, self.pool, self.class) = (weight, most, pool, class);
    }

    /// How long a worker may be at a job with these limits.
    pub(super) fn allowed(&self, limits: &JobLimits) -> Duration {
        let seconds = limits.seconds.filter(|seconds| *seconds >= 0.0);
        let limit = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        limit.map_or(self.longest_job, |limit| {
            limit.saturating_mul(2).saturating_add(GRACE)
        })
    }

    pub(super) fn pool(&self) -> &str {
        self.pool.as_deref().unwrap_or(ANY)
    }
}

/// Who is there for a search.
#[derive(Debug, Default)]
pub(super) struct Present {
    /// How many threads it may use.
    pub(super) threads: AtomicUsize,
    /// How many workers there are, whatever their threads.
    pub(super) workers: AtomicUsize,
}

/// A search on a grid.
pub struct GridTransport {
    grid: Grid,
    options: ClientOptions,
    present: Arc<Present>,
    commands: Option<UnboundedSender<Command>>,
    notes: Option<Receiver<String>>,
    ended: Option<Receiver<()>>,
}

impl GridTransport {
    /// Nothing is sent before it is started.
    pub fn new(grid: Grid, options: ClientOptions) -> Self {
        Self {
            grid,
            options,
            present: Arc::default(),
            commands: None,
            notes: None,
            ended: None,
        }
    }

    fn tell(&self, command: Command) -> Result<(), Closed> {
        let commands = self.commands.as_ref().ok_or(Closed)?;
        commands.send(command).map_err(|_| Closed)
    }
}

impl Transport for GridTransport {
    fn start(&mut self, returned: Sender<Returned>) -> io::Result<()> {
        let wrong = |what: &str| {
            io::Error::new(
                io::ErrorKind::InvalidInput,
                format!("`{what}` is no token of a subject"),
            )
        };
        for part in [self.options.client.as_str(), self.options.pool()] {
            if !is_token(part) {
                return Err(wrong(part));
            }
        }
        let (commands, inbox) = unbounded_channel();
        let (note, notes) = std::sync::mpsc::channel();
        let (end, ended) = std::sync::mpsc::channel();
        let (client, options) = (self.grid.client().clone(), self.options.clone());
        let present = Arc::clone(&self.present);
        self.grid.spawn(async move {
            // In here, because the library starts tasks of its own.
            let coordinator = Coordinator::new(client, options, present, returned, note);
            coordinator.run(inbox).await;
            let _nobody_waits = end.send(());
        });
        self.commands = Some(commands);
        self.notes = Some(notes);
        self.ended = Some(ended);
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.present.threads.load(Ordering::Relaxed)
    }

    fn workers(&self) -> usize {
        self.present.workers.load(Ordering::Relaxed)
    }

    fn send(&mut self, job: Job) -> Result<(), Closed> {
        self.tell(Command::Send(Box::new(job)))
    }

    fn cancel(&mut self, job: JobId) {
        let _gone = self.tell(Command::Cancel(job));
    }

    fn settled(&mut self, job: JobId) {
        let _gone = self.tell(Command::Settled(job));
    }

    fn again(&mut self, job: JobId) -> bool {
        self.tell(Command::Again(job)).is_ok()
    }

    fn distrust(&mut self, worker: &str, reason: &str) {
        let _gone = self.tell(Command::Distrust(worker.to_owned(), reason.to_owned()));
    }

    fn notes(&mut self) -> Vec<String> {
        let notes = self.notes.as_ref();
        notes
            .map(|notes| notes.try_iter().collect())
            .unwrap_or_default()
    }

    fn end(&mut self, solved: bool) {
        if self.tell(Command::End { solved }).is_ok()
            && let Some(ended) = &self.ended
        {
            // So that workers hear it before the process ends.
            let _late = ended.recv_timeout(Duration::from_secs(4));
        }
        self.commands = None;
    }
}
