//! What a grid is like: how long messages take, and who its workers are.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{fraction, mix};

/// What a grid is like. Times in seconds.
#[derive(Debug, Copy, Clone, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    /// From the coordinator to a worker, or back.
    pub latency: f64,
    /// What the coordinator does for each answer: reading, checking its share of proofs, journal, tree, next order. One after
    /// the other.
    pub service: f64,
    /// A job whose worker has died is handed out again after this time.
    pub redelivery: f64,
    /// How long a worker stays, on average; for ever if this is 0.
    pub stay: f64,
    /// How long it is away then, on average.
    pub away: f64,
    /// Of those that go, the share that takes its leave and hands its job back; the others just die.
    pub polite: f64,
    /// The share of workers that are slow.
    pub stragglers: f64,
    /// How many times longer these take.
    pub slowness: f64,
    /// The share of workers that lie. Half of them forge proofs, the others say of each position the opposite of what they
    /// think.
    pub liars: f64,
    /// Other seeds, other workers.
    pub seed: u64,
}

impl Conditions {
    /// No time is lost and nobody goes, limps or lies.
    pub const IDEAL: Self = Self {
        latency: 0.0,
        service: 0.0,
        redelivery: 30.0,
        stay: 0.0,
        away: 600.0,
        polite: 0.5,
        stragglers: 0.0,
        slowness: 10.0,
        liars: 0.0,
        seed: 1,
    };

    pub(super) fn latency(&self) -> Duration {
        seconds(self.latency)
    }

    /// How long a worker stays this time; nothing if for ever.
    pub(super) fn stay(&self, worker: usize, time: u64) -> Option<Duration> {
        (self.stay > 0.0).then(|| seconds(self.exponential(worker, time, 11) * self.stay))
    }

    /// How long it is away.
    pub(super) fn away(&self, worker: usize, time: u64) -> Duration {
        seconds(self.exponential(worker, time, 12) * self.away)
    }

    /// Whether it takes its leave.
    pub(super) fn is_polite(&self, worker: usize, time: u64) -> bool {
        self.chance(worker, time, 13) < self.polite
    }

    fn exponential(&self, worker: usize, time: u64, what: u64) -> f64 {
        -(1.0 - self.chance(worker, time, what)).ln()
    }

    fn chance(&self, worker: usize, time: u64, what: u64) -> f64 {
        fraction(mix(mix(self.seed, worker as u64), mix(time, what)))
    }
}

/// What a worker is like.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Character {
    /// It does what it is asked.
    Honest,
    /// It sends proofs that prove nothing.
    Forger,
    /// It says the opposite of what it thinks.
    Misleader,
}

/// What a virtual worker does.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum State {
    Away,
    Idle,
    /// At this task.
    Busy(u64),
    /// It was told to stop, and has not heard it yet.
    Stopping,
    /// Nobody wants it any more.
    Dropped,
}

/// A virtual worker.
#[derive(Debug, Clone)]
pub(super) struct Virtual {
    pub(super) name: Arc<str>,
    pub(super) character: Character,
    /// How many times longer its jobs take.
    pub(super) slowness: f64,
    pub(super) state: State,
    /// Since when it is in this state.
    pub(super) since: Duration,
    /// What was scheduled for it before its state changed is void.
    pub(super) epoch: u64,
    /// How often it has come.
    pub(super) visits: u64,
}

impl Virtual {
    pub(super) fn new(conditions: &Conditions, number: usize) -> Self {
        let chance = |what| conditions.chance(number, 0, what);
        let character = match chance(1) {
            lie if lie >= conditions.liars => Character::Honest,
            lie if lie < conditions.liars / 2.0 => Character::Forger,
            _ => Character::Misleader,
        };
        let slow = chance(2) < conditions.stragglers;
        Self {
            name: Arc::from(format!("w{number}")),
            character,
            slowness: if slow {
                conditions.slowness.max(1.0)
            } else {
                1.0
            },
            state: State::Idle,
            since: Duration::ZERO,
            epoch: 0,
            visits: 0,
        }
    }
}

pub(super) fn seconds(time: f64) -> Duration {
    Duration::from_secs_f64(time.clamp(0.0, 1e9))
}
