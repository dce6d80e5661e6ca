//! Quick looks for wins inside another search, such as an engine's: on its own board, without a proof.
//!
//! What is found here guides; whoever claims a win asks the [`Solver`](crate::Solver) for a proof.

use std::time::Instant;

use smallvec::SmallVec;
use tengen_rules::{Overline, Side};
use tengen_threats::{Index, LineBoard};

use crate::search::{Budget, ExactTurns, Search};
use crate::table::Table;
use crate::zones::{Zones, zones_of};

/// How hard to look.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum Effort {
    /// Order 1, where the defender gets all his defences at once: fastest, misses some wins.
    Conservative,
    /// A win of this order in all ways the solver knows.
    Order(u8),
}

/// A win that was seen.
#[derive(Debug, Clone)]
pub struct SeenWin {
    /// The attacker's first turn; stones that contribute nothing are left out.
    pub turn: SmallVec<[Index; 4]>,
    /// Attacker's turns to the completed line.
    pub depth: u16,
    /// Where the defender must have played to prevent it, if asked for and where the rules allow zones.
    pub zones: Option<Zones>,
}

/// What a look has found.
#[derive(Debug, Clone)]
pub struct Look {
    /// A win, if one was seen.
    pub win: Option<SeenWin>,
    /// Positions looked at.
    pub nodes: u64,
}

/// Looks for wins on a board. Keep it: it owns a table.
#[derive(Debug)]
pub struct Tactics {
    table: Table,
    deadline: Option<Instant>,
}

/// More attacker's turns than a quick look can see.
const FAR: u16 = 200;

impl Tactics {
    /// With a table of 2^`table_bits` entries of 16 bytes; small ones are faster.
    pub fn new(table_bits: u32) -> Self {
        Self {
            table: Table::new(table_bits),
            deadline: None,
        }
    }

    /// From now on every look ends at this time, or soon after.
    pub fn end_at(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
    }

    /// Looks for a win of `attacker`, who is to place `stones` stones, with so many nodes.
    pub fn look(
        &mut self,
        board: &LineBoard,
        (attacker, stones): (Side, u8),
        effort: Effort,
        nodes: u64,
        want_zones: bool,
    ) -> Look {
        self.table.next_search();
        let budget = Budget {
            nodes,
            deadline: self.deadline,
            stop: None,
            progress: None,
        };
        let mut search = Search::new(board.clone(), attacker, &mut self.table, budget);
        let exact = board.rules().overline() == Overline::DoesNotWin;
        let found = match effort {
            // Extra stones can hurt him who makes exact lines: no reply may stand for another.
            _ if exact => {
                search.exact = ExactTurns::ALL;
                search.forced_deepening(FAR, stones, u64::MAX)
            }
            Effort::Conservative => search.forced_deepening(FAR, stones, u64::MAX),
            Effort::Order(order) => search.any_of_order(order, stones),
        };
        let Search {
            forest,
            mut board,
            nodes,
            ..
        } = search;
        let win = found.map(|id| {
            let win = forest.get(id);
            SeenWin {
                turn: win.turn.clone(),
                depth: win.depth,
                zones: (want_zones && !exact)
                    .then(|| zones_of(&mut board, &forest, id, attacker))
                    .flatten(),
            }
        });
        Look { win, nodes }
    }
}
