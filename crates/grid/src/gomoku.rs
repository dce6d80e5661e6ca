//! Go-Moku solved by a grid: workers do rounds, the coordinator keeps the journal.
//!
//! A job is one round of one position. Its answer are records and, for each third move, how many fourth moves resisted. Records go through
//! the same gate as those that are found here ([`Rounds::take`]), an answer as a whole or not at all, and only then into the journal and
//! to the other workers.

use std::collections::HashSet;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use tengen_prover::pn::{Findings, News, Outcome, Rounds, Solver};
use tengen_rules::Rules;

use crate::nats::{ClientOptions, Feed, Grid, GridTransport};
use crate::transport::{Returned, Transport};
use crate::{Job, JobId, JobLimits, Work};

/// A worker that is at a round for longer has to give it to another one.
pub const LONGEST_ROUND: Duration = Duration::from_secs(24 * 3600);

/// How often it is looked whether somebody has come, or wants it to stop.
const TICK: Duration = Duration::from_millis(100);
/// How often what could not be told to workers is tried again.
const AGAIN: Duration = Duration::from_secs(2);
/// How long workers have to hand in what they have when it is told to stop.
const STOPPING: Duration = Duration::from_secs(4);
/// After so long without workers people are told.
const LONELY: Duration = Duration::from_secs(5);

/// Solves a position by the workers of a grid, until it is proved, everything was tried, or it is told to stop. `note` hears what people should know.
///
/// # Errors
///
/// If the journal cannot be written or read, or the options make no sense.
pub fn solve(
    solver: &Solver,
    rules: Rules,
    grid: &Grid,
    options: ClientOptions,
    stop: &AtomicBool,
    tell: &(dyn Fn(News) + Sync),
    note: &dyn Fn(&str),
) -> io::Result<Outcome> {
    let (returned, inbox) = mpsc::channel();
    let feed = Feed::new(grid, &options.client);
    let mut transport = GridTransport::new(grid.clone(), options);
    transport.start(returned)?;
    let mut search = Search {
        solver,
        rules,
        rounds: Rounds::of(solver),
        transport,
        feed,
        fed: None,
        out: HashSet::new(),
        stop,
        tell,
        note,
    };
    let worked = search.work(&inbox);
    let outcome = worked.and_then(|()| search.rounds.end(stop));
    let won = matches!(outcome, Ok(Outcome::Won));
    search.transport.end(won);
    if won {
        search.feed.end();
    }
    outcome
}

struct Search<'a> {
    solver: &'a Solver,
    rules: Rules,
    rounds: Rounds<'a>,
    transport: GridTransport,
    feed: Feed,
    /// When workers were last told, or could not be told, and how many records there were then.
    fed: Option<(Instant, Option<usize>)>,
    out: HashSet<u64>,
    stop: &'a AtomicBool,
    tell: &'a (dyn Fn(News) + Sync),
    note: &'a dyn Fn(&str),
}

impl Search<'_> {
    fn work(&mut self, inbox: &mpsc::Receiver<Returned>) -> io::Result<()> {
        let mut lonely = Some(Instant::now());
        let mut stopping: Option<Instant> = None;
        loop {
            for line in self.transport.notes() {
                (self.note)(&line);
            }
            if self.stop.load(Ordering::Relaxed) && stopping.is_none() {
                stopping = Some(Instant::now());
                for &number in &self.out {
                    self.transport.cancel(JobId(number));
                }
            }
            match stopping {
                Some(since) if self.out.is_empty() || since.elapsed() >= STOPPING => return Ok(()),
                Some(_) => {}
                None => {
                    self.inform();
                    self.hand_out()?;
                    if self.rounds.is_over() {
                        return Ok(());
                    }
                }
            }
            if self.transport.workers() > 0 {
                lonely = None;
            } else if lonely.is_some_and(|since| since.elapsed() >= LONELY) {
                lonely = None;
                (self.note)("no worker is there yet; `tengen worker` on any machine is one");
            }
            if let Ok(back) = inbox.recv_timeout(TICK) {
                self.receive(back);
            }
        }
    }

    /// Tells workers what is proved. A server that is away hears it later.
    fn inform(&mut self) {
        let count = self.solver.count();
        let is_due = match self.fed {
            None => true,
            Some((_, Some(told))) => told != count,
            Some((tried, None)) => tried.elapsed() >= AGAIN,
        };
        if !is_due {
            return;
        }
        let kept = |from, most| self.solver.kept(from, most);
        let told = match self.feed.bring(&kept) {
            Ok(()) => Some(count),
            Err(error) => {
                if !matches!(self.fed, Some((_, None))) {
                    (self.note)(&format!("workers cannot be told what is proved: {error}"));
                }
                None
            }
        };
        self.fed = Some((Instant::now(), told));
    }

    fn hand_out(&mut self) -> io::Result<()> {
        // One waits for the first worker who comes; it may have been answered before this process began.
        let most = self.transport.capacity().max(1);
        // Without a name of the feed nobody could be told anything.
        while !self.feed.name().is_empty() && self.out.len() < most {
            let Some(round) = self.rounds.next(self.tell) else {
                break;
            };
            self.out.insert(round.number);
            let job = Job {
                id: JobId(round.number),
                rules: self.rules.to_string(),
                position: round.position,
                work: Work::Gomoku {
                    feed: self.feed.name().to_owned(),
                    round: round.round,
                    thirds: round.thirds,
                },
                limits: JobLimits::default(),
                tips: Vec::new(),
            };
            self.transport.send(job).map_err(io::Error::other)?;
        }
        Ok(())
    }

    fn receive(&mut self, back: Returned) {
        let Returned {
            job,
            worker,
            answer,
            seconds,
        } = back;
        let number = job.0;
        let findings = match answer {
            Ok(result) => result.gomoku,
            Err(_) if self.stop.load(Ordering::Relaxed) => return self.settle(number),
            Err(lost) => {
                if self.out.contains(&number) {
                    (self.note)(&format!("a round could not be done: {lost}"));
                }
                self.rounds.lost(number, self.tell);
                return self.settle(number);
            }
        };
        let taken = findings
            .ok_or_else(|| "its answer is about something else".to_owned())
            .and_then(|findings| self.take(number, &findings, seconds));
        match taken {
            Ok(true) => self.settle(number),
            Ok(false) => {
                self.transport.again(job);
            }
            Err(lie) => {
                if let Some(worker) = worker {
                    (self.note)(&format!("worker {worker} is dropped: {lie}"));
                    self.transport.distrust(&worker, &lie);
                }
                self.transport.again(job);
            }
        }
    }

    /// Whether the round is done with.
    fn take(&mut self, number: u64, findings: &Findings, seconds: f64) -> Result<bool, String> {
        let time = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        let taken = self
            .rounds
            .take(number, findings, time, self.stop, self.tell)
            .map_err(|lie| lie.to_string())?;
        for &pointless in &taken.pointless {
            self.transport.cancel(JobId(pointless));
        }
        Ok(!taken.again || self.stop.load(Ordering::Relaxed))
    }

    fn settle(&mut self, number: u64) {
        self.out.remove(&number);
        self.transport.settled(JobId(number));
    }
}
