//! What a running search shows: written by the search, read by whoever watches.

use std::sync::atomic::{AtomicU16, AtomicU64};
use std::sync::{Mutex, PoisonError};

use tengen_rules::Cell;

/// The state of a running search. Values are from different moments.
#[derive(Debug, Default)]
pub struct Progress {
    /// Positions looked at.
    pub nodes: AtomicU64,
    /// How many attacker's turns ahead threats that take a whole turn to answer are followed now.
    pub depth: AtomicU16,
    turn: Mutex<Vec<Cell>>,
}

impl Progress {
    /// The first turn that is tried now; empty before the first.
    pub fn turn(&self) -> Vec<Cell> {
        self.turn
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub(crate) fn set_turn(&self, turn: Vec<Cell>) {
        *self.turn.lock().unwrap_or_else(PoisonError::into_inner) = turn;
    }
}
