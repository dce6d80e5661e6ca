//! How long a contestant may think, and how much longer before it loses on time.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{Clock, Limits};

/// What a contestant may use for its turns. Without any limit it would think for ever.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Pace {
    /// Seconds for each turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Seconds for the whole game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game_seconds: Option<f64>,
    /// Seconds added to those of the game after each turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub increment: Option<f64>,
    /// Nodes for each turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Turns deep.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
}

impl Pace {
    /// So many seconds a turn.
    pub fn per_turn(seconds: f64) -> Self {
        Self {
            seconds: Some(seconds),
            ..Self::default()
        }
    }

    /// Whether anything is limited.
    pub fn is_limited(&self) -> bool {
        self.has_clock() || self.nodes.is_some() || self.depth.is_some()
    }

    /// Whether time is limited.
    pub fn has_clock(&self) -> bool {
        self.seconds.is_some() || self.game_seconds.is_some()
    }
}

impl fmt::Display for Pace {
    /// `1 s a turn`, `60 s a game + 1 s a turn`, `1000 nodes`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some(seconds) = self.seconds {
            parts.push(format!("{seconds} s a turn"));
        }
        if let Some(seconds) = self.game_seconds {
            let increment = self.increment.filter(|&more| more > 0.0);
            let more = increment.map_or_else(String::new, |more| format!(" + {more} s a turn"));
            parts.push(format!("{seconds} s a game{more}"));
        }
        if let Some(nodes) = self.nodes {
            parts.push(format!("{nodes} nodes"));
        }
        if let Some(depth) = self.depth {
            parts.push(format!("depth {depth}"));
        }
        f.pad(&parts.join(", "))
    }
}

/// How far a contestant may overstep before it loses on time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Margin {
    /// Two seconds and as much again as the time itself: a busy machine loses no game.
    Generous,
    /// So many milliseconds.
    Milliseconds(u64),
}

impl Margin {
    /// The margin on this time.
    pub fn on(self, time: Duration) -> Duration {
        match self {
            Self::Generous => time.saturating_add(Duration::from_secs(2)),
            Self::Milliseconds(margin) => Duration::from_millis(margin),
        }
    }
}

/// The clock of one side in one game.
#[derive(Debug, Clone, Copy)]
pub(super) struct GameClock {
    pace: Pace,
    margin: Margin,
    used: Duration,
    turns: u32,
}

/// A number of seconds; one that makes no sense is as long as time.
fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

impl GameClock {
    pub(super) fn new(pace: Pace, margin: Margin) -> Self {
        Self {
            pace,
            margin,
            used: Duration::ZERO,
            turns: 0,
        }
    }

    /// All that the game has given so far.
    fn given(&self) -> Option<Duration> {
        let increment = duration(self.pace.increment.unwrap_or(0.0));
        let game = duration(self.pace.game_seconds?);
        Some(game.saturating_add(increment.saturating_mul(self.turns)))
    }

    /// What to tell the engine.
    pub(super) fn limits(&self) -> Limits {
        let left = self.given().map(|given| given.saturating_sub(self.used));
        Limits {
            clock: Clock {
                per_turn: self.pace.seconds.map(duration),
                left,
                increment: duration(self.pace.increment.unwrap_or(0.0)),
            },
            nodes: self.pace.nodes,
            depth: self.pace.depth,
        }
    }

    /// A turn that takes longer loses; `None` without a clock.
    pub(super) fn allowed(&self) -> Option<Duration> {
        let with_margin = |time: Duration| time.saturating_add(self.margin.on(time));
        let turn = self.pace.seconds.map(duration).map(with_margin);
        let game = self.given().map(with_margin);
        let game = game.map(|most| most.saturating_sub(self.used));
        match (turn, game) {
            (Some(turn), Some(game)) => Some(turn.min(game)),
            (one, other) => one.or(other),
        }
    }

    /// A turn took so long.
    pub(super) fn take(&mut self, time: Duration) {
        self.used = self.used.saturating_add(time);
        self.turns = self.turns.saturating_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn game_clocks_count_down_and_up() {
        let pace = Pace {
            seconds: Some(4.0),
            game_seconds: Some(10.0),
            increment: Some(1.0),
            ..Pace::default()
        };
        let seconds = Duration::from_secs;
        let mut clock = GameClock::new(pace, Margin::Milliseconds(500));
        assert_eq!(clock.limits().clock.left, Some(seconds(10)));
        assert_eq!(clock.allowed(), Some(Duration::from_millis(4500)));
        clock.take(seconds(9));
        assert_eq!(clock.limits().clock.left, Some(seconds(2)));
        assert_eq!(clock.allowed(), Some(Duration::from_millis(2500)));
        clock.take(seconds(9));
        assert_eq!(clock.limits().clock.left, Some(Duration::ZERO), "overdrawn");
        assert_eq!(clock.allowed(), Some(Duration::ZERO));
        let free = GameClock::new(Pace::default(), Margin::Generous);
        assert_eq!(free.allowed(), None);
        let generous = GameClock::new(Pace::per_turn(1.0), Margin::Generous);
        assert_eq!(generous.allowed(), Some(seconds(4)));
        let endless = GameClock::new(Pace::per_turn(f64::INFINITY), Margin::Generous);
        assert_eq!(endless.allowed(), Some(Duration::MAX));
    }
}
