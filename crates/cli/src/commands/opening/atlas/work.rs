//! Who gets time next, and the searches that have it now.
//!
//! Every worker has an opening of its own: several workers on one search do some work that one of them would not have
//! done. All of them share what the jobs remember, so that turns that won one opening are tried early in the next.

use std::io::{self, Write as _};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use tengen_book::{Error, SearchId, Wanted};
use tengen_grid::jobs::Worker;
use tengen_grid::runner::{RunError, Runner, Running, Settings, Why, create_search};

use super::{Atlas, Entry};
use crate::commands::opening::{search, settings, shown, solve, worker};
use crate::interrupt;
use crate::progress::ProgressLine;

/// How often the searches are looked at.
const PERIOD: Duration = Duration::from_millis(50);

/// A search that has its time now.
struct Turn {
    index: usize,
    id: SearchId,
    running: Running,
    start: Instant,
    /// The seconds of work after which it is another one's turn.
    until: f64,
    paused: bool,
}

impl Atlas<'_> {
    /// Works until the time is over, all is proved, or somebody wants it to end.
    pub(super) fn work(&mut self) -> anyhow::Result<()> {
        let all = settings(&self.args.effort);
        let one = Settings {
            workers: 1,
            ..all.clone()
        };
        let worker = worker();
        let mut progress = ProgressLine::new();
        let mut turns: Vec<Turn> = Vec::new();
        loop {
            while turns.len() < all.workers && !self.is_over() {
                let Some(index) = self.next(&turns) else {
                    break;
                };
                turns.extend(self.start_turn(index, &worker, &one)?);
            }
            if turns.is_empty() {
                return Ok(());
            }
            thread::sleep(PERIOD);
            for turn in &mut turns {
                self.watch(turn)?;
            }
            let (ended, on): (Vec<Turn>, Vec<Turn>) =
                turns.into_iter().partition(|turn| turn.running.is_done());
            turns = on;
            for turn in ended {
                progress.erase();
                self.end_turn(turn)?;
            }
            if progress.is_shown() {
                progress.draw(&self.line(&turns)?);
            }
        }
    }

    /// How much time is left; none if there is no limit.
    fn left(&self) -> Option<Duration> {
        let limit = self.args.seconds.limit()?;
        Some(limit.saturating_sub(self.start.elapsed()))
    }

    fn is_over(&self) -> bool {
        interrupt::is_stopped() || self.left().is_some_and(|left| left.is_zero())
    }

    /// The opening that gets time next: the smallest product of the work it will have had and the square of what its
    /// root misses, so that the hopeless wait long.
    fn next(&self, turns: &[Turn]) -> Option<usize> {
        let waits = |index: &usize| {
            self.entries[*index].is_open() && turns.iter().all(|turn| turn.index != *index)
        };
        let cost = |index: &usize| {
            let entry = &self.entries[*index];
            let missing = entry.missing(self.args.attacker);
            self.work_after_turn(entry) * f64::from(missing).powi(2)
        };
        let waiting = (0..self.entries.len()).filter(waits);
        waiting.min_by(|a, b| cost(a).total_cmp(&cost(b)))
    }

    /// Seconds of work, by the processor's clock, that an opening will have had after its next turn: each turn is as long as
    /// all before it.
    fn work_after_turn(&self, entry: &Entry) -> f64 {
        (2.0 * entry.seconds).max(self.args.first_round.max(0.1))
    }

    /// Begins with an opening, unless another process searches it: then it is left to that one.
    fn start_turn(
        &mut self,
        index: usize,
        worker: &Arc<dyn Worker>,
        settings: &Settings,
    ) -> anyhow::Result<Option<Turn>> {
        let entry = &self.entries[index];
        let id = match entry.search {
            Some(id) => id,
            None => {
                let class = &entry.class;
                create_search(self.book, &class.name, &class.root, &self.config())?
            }
        };
        let path = self.path.to_owned();
        let running = match Runner::start(path, id, Arc::clone(worker), settings.clone()) {
            Ok(running) => running,
            Err(RunError::Book(Error::Owned { host, pid, .. })) => {
                let name = &entry.class.name;
                // Nobody is left to be told when stderr is closed.
                let _ = writeln!(
                    io::stderr(),
                    "{name} is left to process {pid} on {host}, which searches it"
                );
                self.entries[index].elsewhere = true;
                return Ok(None);
            }
            Err(error) => return Err(error.into()),
        };
        Ok(Some(Turn {
            index,
            id,
            running,
            start: Instant::now(),
            until: self.work_after_turn(entry),
            paused: false,
        }))
    }

    /// Jobs in flight are finished when its work is done, unless the whole time is over.
    fn watch(&self, turn: &mut Turn) -> anyhow::Result<()> {
        if self.is_over() {
            turn.running.stop();
        } else if !turn.paused && shown(&search(self.book, turn.id.0)?).seconds >= turn.until {
            self.book.set_wanted(turn.id, Wanted::Pause)?;
            turn.paused = true;
        }
        Ok(())
    }

    /// Says how far the opening is now, and draws the map again.
    fn end_turn(&mut self, turn: Turn) -> anyhow::Result<()> {
        let end = turn.running.wait()?;
        let class = self.entries[turn.index].class.clone();
        self.entries[turn.index] = self.known(class)?;
        self.entries[turn.index].stuck = end.why == Why::Stuck;
        let entry = &self.entries[turn.index];
        let proved = self.entries.iter().filter(|entry| entry.winner.is_some());
        let said = writeln!(
            io::stderr(),
            "{:.0} s: {} {} after {} jobs, {:.0} s of work; {} of {} proved",
            self.start.elapsed().as_secs_f64(),
            entry.class.name,
            entry.verdict(),
            entry.jobs,
            entry.seconds,
            proved.count(),
            self.entries.len()
        );
        // Nobody listens; the table at the end has it too.
        drop(said);
        self.draw()
    }

    /// The searches that have time now.
    fn line(&self, turns: &[Turn]) -> anyhow::Result<String> {
        let lines = turns.iter().map(|turn| {
            let name = &self.entries[turn.index].class.name;
            let snapshot = shown(&search(self.book, turn.id.0)?);
            Ok(format!(
                "{name} {}",
                solve::line(&snapshot, turn.start.elapsed())
            ))
        });
        Ok(lines.collect::<anyhow::Result<Vec<String>>>()?.join(" | "))
    }
}
