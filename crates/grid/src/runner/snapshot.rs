//! What a running search shows to those who watch it.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tengen_rules::Side;

use crate::search::NodeId;
use crate::{Follower, Numbers};

/// Over how much time the speed is measured.
const WINDOW: Duration = Duration::from_secs(300);

/// What a running search shows, as JSON in the book.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Snapshot {
    /// `running`, `solved`, `stuck`, `stopped` or `paused`.
    pub state: String,
    /// `black` or `white`, once it is proved.
    pub winner: Option<String>,
    /// Until Black's win is proved.
    pub proof: u32,
    /// Until White's win is proved.
    pub disproof: u32,
    /// Nodes of the tree.
    pub nodes: usize,
    /// Events of the journal.
    pub events: u64,
    /// Answers among them.
    pub answers: u64,
    /// Seconds of the processors that the workers took for them, together.
    pub seconds: f64,
    /// Positions that they looked at.
    pub positions: u64,
    /// How many workers there are.
    pub workers: usize,
    /// Jobs a minute.
    pub speed: f64,
    /// Jobs at work.
    pub active: Vec<ActiveJob>,
    /// The line on which the search spends its hope.
    pub principal: Vec<String>,
    /// Seconds that are left, a rough guess: as many jobs as the root misses for a win that is looked for, at this speed.
    pub estimate: Option<f64>,
    /// The proof of the root, by name.
    pub composed: Option<String>,
    /// What went wrong, the last one last.
    pub notes: Vec<String>,
}

/// A job at work.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ActiveJob {
    /// Its number.
    pub job: u64,
    /// Its node.
    pub node: u32,
    /// The turns from the root to the node.
    pub line: Vec<String>,
    /// For how long.
    pub seconds: f64,
}

/// When answers came.
#[derive(Debug)]
pub(super) struct Speed {
    start: Instant,
    answers: VecDeque<Instant>,
}

impl Speed {
    pub(super) fn new() -> Self {
        Self {
            start: Instant::now(),
            answers: VecDeque::new(),
        }
    }

    pub(super) fn count(&mut self) {
        self.answers.push_back(Instant::now());
        while self
            .answers
            .front()
            .is_some_and(|first| first.elapsed() > WINDOW)
        {
            self.answers.pop_front();
        }
    }

    /// Jobs a minute.
    pub(super) fn per_minute(&self) -> f64 {
        let recent = self.answers.iter().filter(|at| at.elapsed() <= WINDOW);
        let time = self.start.elapsed().min(WINDOW).as_secs_f64();
        recent.count() as f64 * 60.0 / time.max(1.0)
    }
}

impl Snapshot {
    /// What the tree itself says. `now` is the time that the search is told.
    pub(super) fn of(follower: &Follower, now: Duration, speed: f64) -> Self {
        let search = follower.search();
        let (root, totals) = (search.root(), search.totals());
        let active = search.active().map(|(job, node, since)| ActiveJob {
            job: job.0,
            node: node.0,
            line: line(follower, node),
            seconds: now.saturating_sub(since).as_secs_f64(),
        });
        let Numbers { proof, disproof } = root.numbers;
        let jobs_left = f64::from(match search.config().attacker {
            Some(Side::Black) => proof,
            Some(Side::White) => disproof,
            None => proof.min(disproof),
        });
        Self {
            state: "running".to_owned(),
            winner: root.decided.map(|side| side.to_string().to_lowercase()),
            proof,
            disproof,
            nodes: search.len(),
            events: totals.events,
            answers: totals.answers,
            seconds: totals.seconds,
            positions: totals.nodes,
            active: active.collect(),
            principal: follower
                .principal()
                .iter()
                .map(ToString::to_string)
                .collect(),
            estimate: (speed > 0.0).then(|| jobs_left * 60.0 / speed),
            speed,
            ..Self::default()
        }
    }
}

fn line(follower: &Follower, node: NodeId) -> Vec<String> {
    let turns = follower.search().line(node);
    turns.iter().map(ToString::to_string).collect()
}
