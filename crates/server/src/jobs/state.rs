//! All jobs at one moment: which there are, which is next, which are old enough to be forgotten.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::api::{Job, JobKind, JobProgress, JobState};

/// More unfinished jobs are refused.
pub(super) const MOST_UNFINISHED: usize = 100;

/// More finished jobs are forgotten, the oldest first.
pub(super) const MOST_FINISHED: usize = 200;

/// Writes what a running search knows of itself into the progress of its job.
pub(super) type Gauge = Box<dyn Fn(&mut JobProgress) + Send>;

/// A job and what belongs to its run.
pub(super) struct Entry {
    pub(super) job: Job,
    /// Set to stop it.
    pub(super) stop: Arc<AtomicBool>,
    /// Asked every now and then while it runs.
    pub(super) gauge: Option<Gauge>,
    /// There is news that nobody was told.
    pub(super) dirty: bool,
    /// Seconds worked before the server was started again.
    pub(super) earlier: f64,
    /// Since when it runs.
    pub(super) begun: Option<std::time::Instant>,
}

impl Entry {
    pub(super) fn new(job: Job) -> Self {
        Self {
            earlier: job.progress.seconds,
            job,
            stop: Arc::new(AtomicBool::new(false)),
            gauge: None,
            dirty: false,
            begun: None,
        }
    }

    /// Seconds worked so far.
    pub(super) fn seconds(&self) -> f64 {
        self.earlier
            + self
                .begun
                .map_or(0.0, |begun| begun.elapsed().as_secs_f64())
    }
}

/// All jobs.
#[derive(Default)]
pub(super) struct State {
    pub(super) entries: BTreeMap<u32, Entry>,
    pub(super) sequence: u64,
    /// The server stops.
    pub(super) closed: bool,
}

/// Which jobs a worker takes.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum Taste {
    /// All.
    Any,
    /// Turns of games only: somebody waits for them at the board.
    Turns,
}

impl State {
    /// The queued job that is to be begun: turns of games first, then analyses, then everything else; of equals
    /// the oldest.
    pub(super) fn next(&self, taste: Taste) -> Option<u32> {
        let queued = self.entries.values().filter(|entry| {
            let job = &entry.job;
            let wanted = taste == Taste::Any || job.kind == JobKind::Turn;
            job.state == JobState::Queued && wanted
        });
        let urgency = |kind| match kind {
            JobKind::Turn => 0,
            JobKind::Analyze => 1,
            _ => 2,
        };
        queued
            .map(|entry| (urgency(entry.job.kind), entry.job.id))
            .min()
            .map(|(_, id)| id)
    }

    /// How many are queued or at work.
    pub(super) fn unfinished(&self) -> usize {
        let open = |entry: &&Entry| !entry.job.state.is_final();
        self.entries.values().filter(open).count()
    }

    /// The finished jobs that are too many, those that ended first.
    pub(super) fn surplus(&self) -> Vec<u32> {
        let finished = self.entries.values().filter(|e| e.job.state.is_final());
        let mut ended: Vec<(f64, u32)> = finished
            .map(|entry| (entry.job.finished.unwrap_or(0.0), entry.job.id))
            .collect();
        ended.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
        ended
            .iter()
            .skip(MOST_FINISHED)
            .map(|&(_, id)| id)
            .collect()
    }

    /// All jobs, oldest first.
    pub(super) fn jobs(&self) -> Vec<Job> {
        self.entries
            .values()
            .map(|entry| entry.job.clone())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::JobRequest;

    fn job(id: u32, request: JobRequest, state: JobState) -> Entry {
        Entry::new(Job {
            id,
            sequence: 0,
            kind: request.kind(),
            request,
            study: None,
            node: None,
            state,
            progress: JobProgress::default(),
            outcome: None,
            error: None,
            seen: false,
            created: f64::from(id),
            finished: state.is_final().then(|| f64::from(id)),
        })
    }

    fn find_win() -> JobRequest {
        JobRequest::FindWin {
            rules: "connect6".into(),
            position: String::new(),
            order: 1,
            seconds: None,
        }
    }

    fn analyze() -> JobRequest {
        JobRequest::Analyze {
            rules: "connect6".into(),
            position: String::new(),
            lines: 1,
            exclude: Vec::new(),
            seconds: None,
        }
    }

    fn turn() -> JobRequest {
        JobRequest::Turn {
            rules: "connect6".into(),
            position: String::new(),
            level: 1,
            seconds: None,
        }
    }

    #[test]
    fn who_waits_at_the_board_comes_first() {
        let mut state = State::default();
        let entries = [find_win(), analyze(), turn(), turn(), analyze()];
        for (id, request) in (1..).zip(entries) {
            state.entries.insert(id, job(id, request, JobState::Queued));
        }
        let mut order = Vec::new();
        while let Some(id) = state.next(Taste::Any) {
            order.push(id);
            state.entries.remove(&id);
        }
        assert_eq!(order, [3, 4, 2, 5, 1]);
        state.entries.insert(9, job(9, analyze(), JobState::Queued));
        assert_eq!(state.next(Taste::Turns), None);
    }

    #[test]
    fn the_oldest_finished_jobs_are_forgotten() {
        let mut state = State::default();
        let many = MOST_FINISHED as u32 + 3;
        for id in 1..=many {
            state
                .entries
                .insert(id, job(id, find_win(), JobState::Done));
        }
        state
            .entries
            .insert(many + 1, job(many + 1, find_win(), JobState::Running));
        assert_eq!(state.surplus(), [3, 2, 1]);
        assert_eq!(state.unfinished(), 1);
    }
}
