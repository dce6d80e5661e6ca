//! The main engine: what NCTU6 is in the papers.
//!
//! Threat-space search first, for both sides; then alpha-beta over whole turns in what remains; and before
//! a turn is played, another threat-space search whether it loses (Wu and Huang, "A New Family of
//! k-in-a-row Games", section 4.3; Wu et al., "Job-Level Proof-Number Search for Connect6", section 2).

mod boards;
mod budget;
mod generate;
mod proving;
mod root;
mod search;
mod table;

use std::thread;

use tengen_prover::{Solver, Tactics};
use tengen_rules::Position;

use self::boards::Boards;
use self::budget::Budget;
use self::generate::{Generator, Width};
use self::root::Root;
use self::search::{Search, Style};
use self::table::Table;
use crate::{Answer, Engine, Options, Task, ThinkError};

/// The main engine.
#[derive(Debug)]
pub struct AlphaBeta {
    table: Table,
    tactics: Tactics,
    solver: Solver,
    style: Style,
    turns: u64,
}

/// Searches recurse once a turn; the longest lines need more than a thread's usual stack.
const STACK: usize = 64 << 20;

/// As strong as it can.
const BEST: Style = Style {
    width: Width {
        cells: 10,
        turns: 20,
    },
    leaf_nodes: 16,
    threats: true,
    proofs: true,
};

impl AlphaBeta {
    /// An engine with empty tables.
    pub fn new(options: &Options) -> Self {
        Self::with_style(options, BEST)
    }

    /// One that does not search for wins by threats: it sees what alpha-beta sees.
    pub(crate) fn without_threats(options: &Options) -> Self {
        let style = Style {
            threats: false,
            proofs: false,
            ..BEST
        };
        Self::with_style(options, style)
    }

    /// One that sees threats while it searches, but proves nothing.
    pub(crate) fn without_proofs(options: &Options) -> Self {
        let style = Style {
            proofs: false,
            ..BEST
        };
        Self::with_style(options, style)
    }

    fn with_style(options: &Options, style: Style) -> Self {
        // The solver's table gets a quarter, within reason; its entries have 16 bytes.
        let solver_bits = (options.memory / 4 / 16).max(1 << 10).ilog2().min(20);
        let rest = options.memory.saturating_sub(16 << solver_bits);
        Self {
            table: Table::new(rest.min(1 << 30)),
            tactics: Tactics::new(10),
            solver: Solver::new(solver_bits),
            style,
            turns: 0,
        }
    }

    /// How many turns alpha-beta searched for the last answer, without those of threat searches.
    pub fn turns(&self) -> u64 {
        self.turns
    }

    fn root<'a>(&'a mut self, position: &'a Position, task: &'a Task<'a>) -> Root<'a> {
        self.table.next_search();
        let budget = Budget::new(&task.limits, task.stop, position.rules());
        self.tactics.end_at(budget.end());
        let search = Search {
            boards: Boards::new(position),
            budget,
            table: &mut self.table,
            tactics: &mut self.tactics,
            generator: Generator::default(),
            style: self.style,
            turns: 0,
            deepest: 0,
        };
        Root::new(position, task, &mut self.solver, search)
    }
}

impl Engine for AlphaBeta {
    fn name(&self) -> String {
        "alphabeta".to_owned()
    }

    fn think(&mut self, position: &Position, task: &Task<'_>) -> Result<Answer, ThinkError> {
        if position.outcome().is_some() {
            return Err(ThinkError::Over);
        }
        let (answer, turns) = thread::scope(|scope| {
            let thinking = || {
                let mut root = self.root(position, task);
                let answer = root.think();
                (answer, root.turns_searched())
            };
            let thread = thread::Builder::new().stack_size(STACK);
            let thread = thread
                .spawn_scoped(scope, thinking)
                .expect("a thread can be started");
            match thread.join() {
                Ok(done) => done,
                Err(payload) => std::panic::resume_unwind(payload),
            }
        });
        self.turns = turns;
        answer
    }

    fn forget(&mut self) {
        self.table.clear();
    }
}
