//! Checks the records of a database, each by itself: `docs/gomoku-format.md`, *What a record claims*.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::board::{Fives, Side};
use super::file::{GomokuDatabase, Record};
use super::play::{Failure, Play, Until};
use super::verdict::{GomokuFault, GomokuLimits, GomokuReport, GomokuVerdict};

/// So many strategies are explained when a record fails.
const MOST_EXPLAINED: usize = 3;

/// Why a record was not verified.
enum Trouble {
    Fault(GomokuFault),
    Stopped,
}

impl Trouble {
    fn is_a_stop(&self) -> bool {
        matches!(self, Self::Stopped)
    }
}

/// Replies, by what becomes of them.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    checked: u64,
    replies: u64,
    to_records: u64,
    at_once: u64,
    by_strategies: u64,
    steps: u64,
}

impl Counts {
    fn add(&mut self, other: Self) {
        self.checked += other.checked;
        self.replies += other.replies;
        self.to_records += other.to_records;
        self.at_once += other.at_once;
        self.by_strategies += other.by_strategies;
        self.steps += other.steps;
    }
}

impl GomokuDatabase<'_> {
    /// Checks every record, or a sample; `progress` is told, from any thread, how many records are
    /// done and how many there are to check.
    ///
    /// Of several records that fail the first one is named. Never panics, whatever the file.
    pub fn check(
        &self,
        limits: &GomokuLimits<'_>,
        progress: impl Fn(u64, u64) + Sync,
    ) -> GomokuVerdict {
        let root = self.root();
        let Some(root) = self.find(&self.shape.canonical(root.black, root.white)) else {
            return GomokuVerdict::Rejected(GomokuFault {
                record: None,
                position: self.position(),
                reply: None,
                reason: "the root is not among the records".to_owned(),
            });
        };
        let sample = limits.sample.filter(|&(n, _)| n < self.records() as u64);
        let chosen: Vec<usize> = match sample {
            Some((number, seed)) => random_sample(self.records(), root, number, seed),
            None => (0..self.records()).collect(),
        };
        let threads = limits.threads.clamp(1, chosen.len());
        let until = Until {
            stop: limits.stop,
            deadline: deadline(limits.seconds),
        };
        match self.check_records(&chosen, threads, until, progress) {
            Ok(counts) => {
                let report = self.report(counts, threads);
                match sample {
                    Some(_) => GomokuVerdict::VerifiedSample(report),
                    None => GomokuVerdict::Verified(report),
                }
            }
            Err(Trouble::Fault(fault)) => GomokuVerdict::Rejected(fault),
            Err(Trouble::Stopped) => GomokuVerdict::Undecided(
                if limits.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                    "the check was stopped".to_owned()
                } else {
                    "the limit of time was reached".to_owned()
                },
            ),
        }
    }

    /// Checks these records on several threads.
    fn check_records(
        &self,
        chosen: &[usize],
        threads: usize,
        until: Until<'_>,
        progress: impl Fn(u64, u64) + Sync,
    ) -> Result<Counts, Trouble> {
        let next = AtomicUsize::new(0);
        let done = AtomicU64::new(0);
        // Nothing from here on needs to be looked at any more.
        let end = AtomicUsize::new(chosen.len());
        let first_trouble: Mutex<Option<(usize, Trouble)>> = Mutex::new(None);
        let work = || {
            let mut checker = Checker::new(self, until);
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= end.load(Ordering::Relaxed) {
                    return checker.counts();
                }
                if let Err(trouble) = checker.check(chosen[index]) {
                    end.fetch_min(index, Ordering::Relaxed);
                    let mut first = first_trouble.lock().unwrap_or_else(|e| e.into_inner());
                    // A fault says more than that time was up.
                    let rank = |index, trouble: &Trouble| (trouble.is_a_stop(), index);
                    let rank_of_known = first.as_ref().map(|(known, why)| rank(*known, why));
                    if rank_of_known.is_none_or(|known| rank(index, &trouble) < known) {
                        *first = Some((index, trouble));
                    }
                    return checker.counts();
                }
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                progress(done, chosen.len() as u64);
            }
        };
        let mut counts = Counts::default();
        thread::scope(|scope| {
            let workers: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            counts.add(work());
            for worker in workers {
                match worker.join() {
                    Ok(theirs) => counts.add(theirs),
                    Err(payload) => std::panic::resume_unwind(payload),
                }
            }
        });
        match first_trouble
            .into_inner()
            .unwrap_or_else(|e| e.into_inner())
        {
            Some((_, trouble)) => Err(trouble),
            None => Ok(counts),
        }
    }

    fn report(&self, counts: Counts, threads: usize) -> GomokuReport {
        GomokuReport {
            rules: self.rules(),
            position: self.position(),
            records: self.records() as u64,
            strategies: self.strategies(),
            checked: counts.checked,
            replies: counts.replies,
            to_records: counts.to_records,
            at_once: counts.at_once,
            by_strategies: counts.by_strategies,
            steps: counts.steps,
            plies: self.plies(),
            threads,
        }
    }

    /// How many positions there are with 0, 1, 2, ... stones, up to symmetry.
    fn plies(&self) -> Vec<u64> {
        let mut after_moves: Vec<HashSet<Vec<u8>>> = Vec::new();
        let mut plies = Vec::new();
        for number in 0..self.records() {
            let record = self.record(number);
            let ply = record.stones.encoding.len();
            if plies.len() <= ply {
                plies.resize(ply + 2, 0);
                after_moves.resize(ply / 2 + 1, HashSet::new());
            }
            plies[ply] += 1;
            let black = [record.stones.black, &[record.cell]].concat();
            let after = self.shape.canonical(&black, record.stones.white);
            if after_moves[ply / 2].insert(after) {
                plies[ply + 1] += 1;
            }
        }
        plies
    }
}

/// The time at which the check must end.
fn deadline(seconds: Option<f64>) -> Option<Instant> {
    let limit = Duration::try_from_secs_f64(seconds?.max(0.0)).ok()?;
    Instant::now().checked_add(limit)
}

/// So many of the first `records` numbers, and `root`, in increasing order.
fn random_sample(records: usize, root: usize, number: u64, seed: u64) -> Vec<usize> {
    // Steele, Lea and Flood's SplitMix64.
    let mut state = seed;
    let mut random = move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let mut chosen = HashSet::from([root]);
    // Floyd: each step adds one number, and every set of them is as likely as any other.
    for last in records - number as usize..records {
        let candidate = (random() % (last as u64 + 1)) as usize;
        if !chosen.insert(candidate) {
            chosen.insert(last);
        }
    }
    let mut chosen: Vec<usize> = chosen.into_iter().collect();
    chosen.sort_unstable();
    chosen
}

/// Checks records, one after the other.
struct Checker<'a> {
    database: &'a GomokuDatabase<'a>,
    play: Play<'a>,
    until: Until<'a>,
    counts: Counts,
}

impl<'a> Checker<'a> {
    fn new(database: &'a GomokuDatabase<'a>, until: Until<'a>) -> Self {
        Self {
            database,
            play: Play::new(&database.shape, until),
            until,
            counts: Counts::default(),
        }
    }

    fn counts(&self) -> Counts {
        Counts {
            steps: self.play.steps,
            ..self.counts
        }
    }

    /// Checks one record.
    fn check(&mut self, number: usize) -> Result<(), Trouble> {
        if self.until.is_reached() {
            return Err(Trouble::Stopped);
        }
        let record = self.database.record(number);
        self.play.board.take_back_to(0);
        let stones = record.stones;
        let board = &mut self.play.board;
        for (cells, side) in [(stones.black, Side::Black), (stones.white, Side::White)] {
            cells.iter().for_each(|&cell| board.place(cell, side));
            if board.has_line(side) {
                return Err(self.fault(number, &record, None, "the game is over already"));
            }
        }
        board.place(record.cell, Side::Black);
        self.counts.checked += 1;
        if board.has_line(Side::Black) {
            return Ok(());
        }
        if board.fives(Side::White) != Fives::No {
            let reason = "White completes a five after Black's move";
            return Err(self.fault(number, &record, None, reason));
        }
        let replies = board.empty_cells();
        if replies.is_empty() {
            return Err(self.fault(number, &record, None, "the board is full: a draw"));
        }
        // What answered the last reply is tried first.
        let mut order = record.strategies.roots().to_vec();
        for reply in replies {
            self.counts.replies += 1;
            self.answer(number, &record, reply, &mut order)?;
        }
        Ok(())
    }

    /// One reply of White to the record's move: another record, a win at once, or a strategy.
    fn answer(
        &mut self,
        number: usize,
        record: &Record<'_>,
        reply: u8,
        order: &mut [usize],
    ) -> Result<(), Trouble> {
        let stones = record.stones;
        let black = [stones.black, &[record.cell]].concat();
        let white = [stones.white, &[reply]].concat();
        let database = self.database;
        let canonical = database.shape.canonical(&black, &white);
        if database.find(&canonical).is_some() {
            self.counts.to_records += 1;
            return Ok(());
        }
        let before = self.play.board.placed().len();
        self.play.board.place(reply, Side::White);
        if self.play.turn(&record.strategies, None).is_ok() {
            self.counts.at_once += 1;
        } else if self.wins_by_strategy(record, order)? {
            self.counts.by_strategies += 1;
        } else {
            let reason = self.why(record)?;
            return Err(self.fault(number, record, Some(reply), reason));
        }
        self.play.board.take_back_to(before);
        Ok(())
    }

    /// Whether one of the strategies, tried in this order, wins; it comes first then.
    fn wins_by_strategy(
        &mut self,
        record: &Record<'_>,
        order: &mut [usize],
    ) -> Result<bool, Trouble> {
        let before = self.play.board.placed().len();
        for tried in 0..order.len() {
            match self.play.turn(&record.strategies, Some(order[tried])) {
                Ok(()) => {
                    order[..=tried].rotate_right(1);
                    return Ok(true);
                }
                Err(Failure::Stopped) => return Err(Trouble::Stopped),
                Err(_) => self.play.board.take_back_to(before),
            }
        }
        Ok(false)
    }

    /// Why nothing answers the position on the board.
    fn why(&mut self, record: &Record<'_>) -> Result<String, Trouble> {
        let shape = &self.database.shape;
        let before = self.play.board.placed().len();
        let mut reason = "no record, neither a five nor a double at hand".to_owned();
        let roots = record.strategies.roots();
        for (&root, number) in roots.iter().zip(0..MOST_EXPLAINED) {
            let result = self.play.turn(&record.strategies, Some(root));
            let line: Vec<u8> = self.play.board.placed()[before..]
                .iter()
                .map(|&(cell, _)| cell)
                .collect();
            self.play.board.take_back_to(before);
            match result {
                Err(Failure::Stopped) => return Err(Trouble::Stopped),
                Err(failure) => {
                    let (line, words) = (shape.names(&line), failure.in_words(shape));
                    write!(reason, "; strategy {number} fails after {line}: {words}")
                        .expect("strings can be written to");
                }
                Ok(()) => {}
            }
        }
        if roots.len() > MOST_EXPLAINED {
            let more = roots.len() - MOST_EXPLAINED;
            write!(reason, "; and {more} more").expect("strings can be written to");
        }
        Ok(reason)
    }

    fn fault(
        &self,
        number: usize,
        record: &Record<'_>,
        reply: Option<u8>,
        reason: impl Into<String>,
    ) -> Trouble {
        let shape = &self.database.shape;
        Trouble::Fault(GomokuFault {
            record: Some(number),
            position: shape.position(record.stones.black, record.stones.white),
            reply: reply.map(|reply| (shape.name(record.cell), shape.name(reply))),
            reason: reason.into(),
        })
    }
}
