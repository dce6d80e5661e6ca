//! One turn of a game against a person.

use std::time::{SystemTime, UNIX_EPOCH};

use tengen_player::{Clock, Engine as _, Level, LevelPlayer, Limits, Options, Task};
use tengen_rules::Position;

use super::opinion;
use super::worker::Desk;
use crate::api::JobOutcome;
use crate::convert;
use crate::error::Failure;

/// For tables; a game has several turns a minute.
const MEMORY: usize = 64 << 20;

/// The turn that a player of this level plays. The time is an upper limit: most levels need less.
pub(super) fn turn(
    desk: &Desk<'_>,
    position: &Position,
    level: Level,
) -> Result<Option<JobOutcome>, Failure> {
    let options = Options {
        memory: MEMORY,
        seed: seed(),
    };
    let task = Task {
        stop: Some(desk.stop()),
        ..Task::new(Limits {
            clock: desk.time.map_or_else(Clock::default, Clock::per_turn),
            ..Limits::default()
        })
    };
    let answer = LevelPlayer::new(level, &options)
        .think(position, &task)
        .map_err(|error| Failure::BadRequest(error.to_string()))?;
    desk.progress(|progress| {
        progress.nodes = answer.nodes;
        progress.depth = Some(answer.depth);
    });
    let best = answer.best();
    Ok(Some(JobOutcome::Turn {
        turn: convert::turn(&best.turn),
        opinion: opinion::unchecked(&best.verdict, best.score, position.to_move()),
    }))
}

/// Weak levels play at random to some extent, and not the same game again and again.
fn seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(1, |time| time.as_nanos() as u64)
}
