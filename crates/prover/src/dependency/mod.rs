//! Dependency-based threat search for games with one stone a turn (L. V. Allis, *Searching for
//! Solutions in Games and Artificial Intelligence*, chapter 5, Go-Moku).
//!
//! The attacker's threats and all their answers are played as if the defender had no other choice;
//! only threats that depend on each other are joined, so independent threats do not multiply. What
//! comes out is a sequence that would win if the defender only answered. It is then played out
//! against everything that could disturb it, and a win is returned only with the strategy that
//! answers all of it, in the format of `docs/proof-format.md`.
//!
//! | file | section of the thesis |
//! |---|---|
//! | `spans.rs` | 5.3.2, the lines G_5 and G_6 |
//! | `operators.rs` | 5.3.2, operators; 5.3.3, categories |
//! | `space.rs` | 3, dependency and combination stages |
//! | `replies.rs` | 5.4.2, related squares (here: relevance zones) |
//! | `strategy.rs` | 5.3.3, global defences |
//!
//! The same class of wins is searched by [`Solver`](crate::Solver) by depth-first search over
//! positions, of any number of stones a turn and with wider threats; this module exists beside it
//! because it does not search permutations of independent threats.

mod operators;
mod replies;
mod space;
mod spans;
mod strategy;

use std::time::Instant;

use tengen_rules::{Overline, Position, Side};
use tengen_threats::LineBoard;

use crate::solver::{Limits, Solution, Value};
use crate::zones::zones_of;
use space::Space;
use spans::Board;
use strategy::{Reach, Strategy};

/// Which threats are used.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub enum MaxCategory {
    /// Category 1: fours and straight fours. The defender has no choice.
    Fours,
    /// Category 2: also threes and broken threes.
    Threes,
}

/// What a search may still cost.
#[derive(Debug)]
pub(crate) struct Budget {
    nodes: u64,
    ticks: u64,
    limit: u64,
    deadline: Option<Instant>,
    stopped: bool,
}

impl Budget {
    fn new(limits: &Limits, start: Instant) -> Self {
        Self {
            nodes: 0,
            ticks: 0,
            limit: limits.nodes.unwrap_or(u64::MAX),
            deadline: limits.time.and_then(|time| start.checked_add(time)),
            stopped: false,
        }
    }

    /// Counts a node; `true` when a limit is reached.
    pub(crate) fn count(&mut self) -> bool {
        self.nodes += 1;
        self.stopped |= self.nodes > self.limit;
        self.tick()
    }

    /// Counts something too small to be a node; `true` when a limit is reached.
    pub(crate) fn tick(&mut self) -> bool {
        self.ticks += 1;
        if self.ticks.is_multiple_of(256) {
            let late = self.deadline.is_some_and(|end| Instant::now() >= end);
            self.stopped |= late;
        }
        self.stopped
    }

    /// Whether a limit was reached.
    pub(crate) const fn stopped(&self) -> bool {
        self.stopped
    }
}

/// The steps of effort.
const REACHES: [Reach; 3] = [
    Reach {
        nested: 0,
        nodes: 20_000,
        refuted: 40,
    },
    Reach {
        nested: 1,
        nodes: 20_000,
        refuted: 40,
    },
    Reach {
        nested: 2,
        nodes: 20_000,
        refuted: 40,
    },
];

/// Looks for wins by dependency-based search. Keep it and use it again: it keeps its memory.
#[derive(Debug, Default)]
pub struct DependencySolver {
    /// The board of the last position, empty, and its lines.
    boards: Option<(LineBoard, Board)>,
    spaces: Vec<Space>,
}

impl DependencySolver {
    /// A solver.
    pub fn new() -> Self {
        Self::default()
    }

    /// Looks for a win of the side to move by threats of these categories.
    ///
    /// [`Value::Win`] comes with a proof. [`Value::None`] is said only of fours: no sequence of
    /// fours reaches five in a row, even if the defender never does more than answer. Everything
    /// else is [`Value::Unknown`], in particular whenever a sequence was found and refuted, and for
    /// what this search is not made for: more than one stone a turn, overlines that do not win,
    /// fewer than three in a row, an attacker who is not to move, a game that is over.
    pub fn solve(
        &mut self,
        position: &Position,
        attacker: Side,
        category: MaxCategory,
        limits: Limits,
    ) -> Solution {
        let start = Instant::now();
        let rules = position.rules();
        let mut solution = Solution {
            value: Value::Unknown,
            depth: None,
            zones: None,
            nodes: 0,
            time: start.elapsed(),
        };
        let known =
            rules.per_turn() == 1 && rules.overline() == Overline::Wins && rules.line() >= 3;
        let possible = position.to_move() == attacker && position.outcome().is_none();
        if !known || !possible {
            return solution;
        }
        // Threes need zones, and shorter lines have none.
        let category = match category {
            MaxCategory::Threes if rules.line() >= 4 => MaxCategory::Threes,
            _ => MaxCategory::Fours,
        };
        let asked_for_fours = category == MaxCategory::Fours;
        let grid = position.grid();
        let same = |(_, board): &mut (LineBoard, Board)| board.rules == rules && board.grid == grid;
        if !self.boards.as_mut().is_some_and(same) {
            self.boards = Some((LineBoard::new(rules, grid), Board::new(rules, grid)));
        }
        let (stones, board) = self.boards.as_mut().expect("made above");
        for stone in position.stones() {
            let cell = stones
                .index(stone.cell)
                .expect("the position has this grid");
            stones.place(stone.side, cell);
        }
        let mut budget = Budget::new(&limits, start);
        let mut strategy = Strategy::new(board, attacker, category, &mut self.spaces);
        for reach in REACHES {
            strategy.incomplete = false;
            let found = strategy.search(stones, reach, &mut budget);
            if let Some(found) = found {
                let setup = position.to_setup();
                let forest = &strategy.forest;
                let proof = forest.proof(found.win, stones, setup, attacker);
                solution.depth = Some(forest.get(found.win).depth);
                solution.value = Value::Win(Box::new(proof));
                let zones = || zones_of(stones, forest, found.win, attacker);
                solution.zones = found.zones.or_else(zones);
                break;
            }
            if budget.stopped() {
                break;
            }
            if !strategy.incomplete {
                if asked_for_fours {
                    solution.value = Value::None;
                }
                break;
            }
        }
        while stones.undo() {}
        solution.nodes = budget.nodes;
        solution.time = start.elapsed();
        solution
    }
}
