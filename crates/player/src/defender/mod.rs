//! Kagami: a defender that follows the opponent, with threat-space search to check on it (Liu and Lin,
//! "A Defensive Strategy Combined with Threat-Space Search in Connect6").
//!
//! [`influence`] values half-moves (section II), [`greedy`] follows the opponent's last stones (section
//! III), [`pattern`] and [`threat_space`] are the search (section IV.A), and [`thinking`] and
//! [`searching`] join them (section IV.B, Figure 15). Each header says what comes from the paper and what had to be chosen, for
//! the figures and a part of section II.B are lost.
//!
//! From the paper besides: at most 50 defensive turns are verified, in decreasing order of value; the
//! defensive turn is decided first, and a winning turn is played instead when one is found. Chosen
//! here: a line that can be completed is completed, and what the opponent could complete is always
//! stopped, also without search; claims of the table are confirmed by the prover before anything is
//! called won or lost; other games with at most two stones a turn search with the prover alone, and with
//! more stones the strategy plays without search, for a single node may take longer than the clock allows.

mod greedy;
mod influence;
mod pattern;
mod searching;
#[cfg(test)]
mod tests;
mod thinking;
mod threat_space;

use std::thread;

use tengen_prover::Solver;
use tengen_rules::Position;

use crate::{Answer, Engine, Options, Task, ThinkError};
use thinking::Thinking;

/// Searches recurse once a turn; the longest lines need more than a thread's usual stack.
const STACK: usize = 64 << 20;

/// The prover's table: 2^16 entries of 16 bytes are plenty for its short searches.
const TABLE_BITS: u32 = 16;

/// The engine of the paper.
#[derive(Debug)]
pub struct Defender {
    /// None: only the defensive strategy, as in the paper's section III.
    solver: Option<Solver>,
    table_bits: u32,
    re_searches: u32,
}

impl Defender {
    /// The defensive strategy combined with threat-space search.
    pub fn new(options: &Options) -> Self {
        let entries = (options.memory / 16).max(2);
        let table_bits = entries.ilog2().min(TABLE_BITS);
        Self {
            solver: Some(Solver::new(table_bits)),
            table_bits,
            re_searches: 0,
        }
    }

    /// The defensive strategy without any search.
    pub const fn greedy() -> Self {
        Self {
            solver: None,
            table_bits: 0,
            re_searches: 0,
        }
    }

    /// In how many turns since the last [`forget`](Engine::forget) the strategy's own choice failed and
    /// others had to be verified.
    pub const fn re_searches(&self) -> u32 {
        self.re_searches
    }
}

impl Engine for Defender {
    fn name(&self) -> String {
        match self.solver {
            Some(_) => "defender".to_owned(),
            None => "defender-greedy".to_owned(),
        }
    }

    fn think(&mut self, position: &Position, task: &Task<'_>) -> Result<Answer, ThinkError> {
        if position.outcome().is_some() {
            return Err(ThinkError::Over);
        }
        let Some(solver) = self.solver.as_mut() else {
            return Thinking::new(position, task, None).decide();
        };
        let work = || {
            let mut thinking = Thinking::new(position, task, Some(solver));
            let answer = thinking.decide();
            (answer, thinking.searched_again)
        };
        let result = thread::scope(|scope| {
            let worker = thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, work);
            worker.map(|worker| worker.join())
        });
        match result {
            Ok(Ok((answer, again))) => {
                self.re_searches += u32::from(again);
                answer
            }
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            // Without a thread there is no room to search.
            Err(_) => Thinking::new(position, task, None).decide(),
        }
    }

    fn forget(&mut self) {
        self.re_searches = 0;
        if let Some(solver) = &mut self.solver {
            *solver = Solver::new(self.table_bits);
        }
    }
}
