//! How long to think.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What the clocks say when it is our turn. The default is no clock at all.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Default)]
pub struct Clock {
    /// The most a turn may take.
    pub per_turn: Option<Duration>,
    /// What is left for the rest of the game.
    pub left: Option<Duration>,
    /// What is added to `left` after every turn.
    pub increment: Duration,
}

/// Kept back for what happens between the engine and the one who reads the clock.
const RESERVE: Duration = Duration::from_millis(15);

/// The game is expected to last so many more turns of ours.
const TURNS_TO_GO: u32 = 15;

impl Clock {
    /// So much for each turn.
    pub const fn per_turn(time: Duration) -> Self {
        Self {
            per_turn: Some(time),
            left: None,
            increment: Duration::ZERO,
        }
    }

    /// How long to think about this turn; `None` is as long as one likes.
    pub fn budget(&self) -> Option<Duration> {
        let share = self.left.map(|left| {
            let share = (left / TURNS_TO_GO).saturating_add(self.increment);
            share.min(left.saturating_sub(RESERVE))
        });
        let most = self.per_turn.map(|time| time.saturating_sub(RESERVE));
        match (share, most) {
            (Some(share), Some(most)) => Some(share.min(most)),
            (one, other) => one.or(other),
        }
    }
}

/// When thinking must end.
#[derive(Debug, Copy, Clone)]
pub struct Deadline<'a> {
    start: Instant,
    end: Option<Instant>,
    stop: Option<&'a AtomicBool>,
}

impl<'a> Deadline<'a> {
    /// Starts now.
    pub fn new(clock: &Clock, stop: Option<&'a AtomicBool>) -> Self {
        let start = Instant::now();
        Self {
            start,
            // A time too long to be told is no limit.
            end: clock.budget().and_then(|time| start.checked_add(time)),
            stop,
        }
    }

    /// Whether time is up or somebody said stop.
    pub fn is_over(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// When it ends; `None` for never.
    pub fn end(&self) -> Option<Instant> {
        self.end
    }

    /// Time to the end; `None` without one.
    pub fn remaining(&self) -> Option<Duration> {
        self.end
            .map(|end| end.saturating_duration_since(Instant::now()))
    }

    /// Time from the start to the end; `None` without one.
    pub fn whole(&self) -> Option<Duration> {
        Some(self.end?.saturating_duration_since(self.start))
    }

    /// `part` hundredths of the whole time, but no more than what remains; `None` without an end.
    pub fn share(&self, part: u32) -> Option<Duration> {
        let part = (self.whole()? / 100).saturating_mul(part);
        Some(part.min(self.remaining()?))
    }

    /// The flag that stops everything.
    pub fn stop(&self) -> Option<&'a AtomicBool> {
        self.stop
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_never_exceeds_what_is_there() {
        let seconds = Duration::from_secs;
        assert_eq!(Clock::default().budget(), None);
        let turn = Clock::per_turn(seconds(1)).budget().expect("a limit");
        assert!(turn < seconds(1) && turn > seconds(1) * 9 / 10);
        let mut clock = Clock {
            per_turn: Some(seconds(10)),
            left: Some(seconds(30)),
            increment: Duration::ZERO,
        };
        assert_eq!(clock.budget(), Some(seconds(2)));
        clock.increment = seconds(100);
        assert!(clock.budget() < Some(seconds(10)));
        clock.left = Some(Duration::from_millis(3));
        assert_eq!(clock.budget(), Some(Duration::ZERO));
    }
}
