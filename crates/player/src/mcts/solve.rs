//! The value of a position, as in the paper's experiments: no turn is wanted, and nothing is proved to anybody
//! else.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tengen_rules::{Position, Side};

use super::search::{Search, Setup};
use super::tree::{ROOT, Value};
use super::{Mcts, on_large_stack};
use crate::{Clock, Deadline};

/// When a search for the value of a position gives up.
#[derive(Debug, Copy, Clone)]
pub struct SolveLimits<'a> {
    /// So many simulations, or positions where there are none.
    pub steps: u64,
    /// So much time.
    pub time: Option<Duration>,
    /// Set from outside to stop.
    pub stop: Option<&'a AtomicBool>,
}

impl<'a> SolveLimits<'a> {
    /// Only this limit.
    pub const fn steps(steps: u64) -> Self {
        Self {
            steps,
            time: None,
            stop: None,
        }
    }

    /// Starts the clock.
    pub(super) fn deadline(&self) -> Deadline<'a> {
        let clock = Clock {
            per_turn: self.time,
            ..Clock::default()
        };
        Deadline::new(&clock, self.stop)
    }
}

/// What a search for the value of a position found.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct Solved {
    /// Who wins, if the tree has decided it.
    pub winner: Option<Side>,
    /// Simulations, or positions where there are none.
    pub steps: u64,
    /// The same with all nodes of threat-space search.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

impl Mcts {
    /// Searches for the value of a position as in the paper's section VI-A: nothing is given up, and the
    /// heuristic values are not scaled. Who wins is not proved to anybody else.
    pub fn solve(&self, position: &Position, limits: &SolveLimits<'_>) -> Solved {
        let deadline = limits.deadline();
        let setup = Setup {
            contest: false,
            ..self.setup(deadline)
        };
        on_large_stack(|| {
            let mut search = Search::new(position, setup);
            while search.simulations < limits.steps
                && (search.simulations == 0 || !search.is_over())
            {
                search.simulate();
            }
            let winner = match search.tree.get(ROOT).value {
                Value::Won(side) => Some(side),
                Value::Unknown | Value::Drawn => None,
            };
            Solved {
                winner,
                steps: search.simulations,
                nodes: search.nodes(),
                time: deadline.elapsed(),
            }
        })
    }
}
