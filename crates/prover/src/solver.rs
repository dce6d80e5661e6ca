//! The door: a position in, a value with a proof out.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use tengen_rules::{Overline, Position, Side};
use tengen_threats::LineBoard;

use crate::best_first::BestFirst;
use crate::dependency::{DependencySolver, MaxCategory};
use crate::progress::Progress;
use crate::proof::Proof;
use crate::quiet::{Effort, Left};
use crate::refuter::Refuter;
use crate::region::region_of;
use crate::search::{Budget, ExactTurns, FreeStones, Search};
use crate::table::Table;
use crate::tree::{Forest, WinId};
use crate::zones::{Zones, zones_of};

/// When to give up. The default is never.
#[derive(Debug, Copy, Clone, Default)]
pub struct Limits {
    /// So many nodes.
    pub nodes: Option<u64>,
    /// So much time.
    pub time: Option<Duration>,
}

/// What is asked.
#[derive(Debug, Copy, Clone)]
pub struct Request<'a> {
    /// Who shall win; must be the side to move.
    pub attacker: Side,
    /// 1 for wins by turns that must be answered with a whole turn (VCDT, fours), 2 for wins that
    /// also use turns that leave the defender one stone (VCST, threes), and so on.
    pub order: u8,
    /// Fewest attacker's turns within the order, proved minimal.
    pub shortest: bool,
    /// When to give up.
    pub limits: Limits,
    /// Set from outside to stop the search.
    pub stop: Option<&'a AtomicBool>,
    /// Receives the number of nodes every now and then.
    pub progress: Option<&'a Progress>,
}

impl Request<'_> {
    /// A request without limits.
    pub const fn new(attacker: Side, order: u8) -> Self {
        Self {
            attacker,
            order,
            shortest: false,
            limits: Limits {
                nodes: None,
                time: None,
            },
            stop: None,
            progress: None,
        }
    }
}

/// What is known after a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// The attacker wins; here is how.
    Win(Box<Proof>),
    /// There is no win of this order. There may be others.
    None,
    /// A limit was reached, or the search left something out.
    Unknown,
}

/// The result of a search.
#[derive(Debug, Clone)]
pub struct Solution {
    /// What is known.
    pub value: Value,
    /// Attacker's turns to the completed line against the longest defence, for a win.
    pub depth: Option<u16>,
    /// The relevance zones of the win, if the rules allow zones.
    pub zones: Option<Zones>,
    /// Positions looked at.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

/// Looks for wins. Keep it and use it again: its table is large.
#[derive(Debug)]
pub struct Solver {
    table: Table,
    dependency: DependencySolver,
}

impl Default for Solver {
    fn default() -> Self {
        Self::new(20)
    }
}

/// What dependency-based search may take before depth-first search goes on.
const DEPENDENCY_NODES: u64 = 3_000;

/// What depth-first search may take before quiet turns are searched best-first.
const DEPTH_FIRST_NODES: u64 = 200_000;

/// More attacker's turns than any board has room for.
const ENDLESS: u16 = 4_000;

/// Passes of order 1, until one finds a win or leaves nothing out.
const PASSES: [(ExactTurns, FreeStones); 4] = [
    (ExactTurns::first(0), FreeStones::Useful),
    (ExactTurns::first(1), FreeStones::Useful),
    (ExactTurns::ALL, FreeStones::Useful),
    (ExactTurns::ALL, FreeStones::All),
];

/// Steps of effort for orders above 1.
const EFFORTS: [Effort; 5] = [
    Effort {
        step: 0,
        widest: 12,
        inner_nodes: 1_000,
        longest: 2,
    },
    Effort {
        step: 1,
        widest: 40,
        inner_nodes: 1_000,
        longest: 2,
    },
    Effort {
        step: 2,
        widest: 40,
        inner_nodes: 1_000,
        longest: 4,
    },
    Effort {
        step: 3,
        widest: 400,
        inner_nodes: 40_000,
        longest: 8,
    },
    Effort {
        step: 4,
        widest: usize::MAX,
        inner_nodes: u64::MAX,
        longest: u16::MAX,
    },
];

impl Solver {
    /// A solver whose table has 2^`table_bits` entries of 16 bytes.
    pub fn new(table_bits: u32) -> Self {
        Self {
            table: Table::new(table_bits),
            dependency: DependencySolver::new(),
        }
    }

    /// Looks for a win of the side to move.
    ///
    /// # Panics
    ///
    /// If the attacker is not the side to move, or the game is over.
    pub fn solve(&mut self, position: &Position, request: &Request<'_>) -> Solution {
        assert!(position.to_move() == request.attacker && position.outcome().is_none());
        let start = Instant::now();
        if position.left() > position.rules().per_turn() {
            // The first turn of a game with q > p: threats are not made for it.
            return Solution {
                value: Value::Unknown,
                depth: None,
                zones: None,
                nodes: 0,
                time: start.elapsed(),
            };
        }
        let mut earlier = 0;
        if request.order >= 2 && !request.shortest {
            // Where a turn has one stone this finds most wins by threes, and much faster (see
            // docs/performance.md); elsewhere it returns at once.
            let mut limits = request.limits;
            limits.nodes = Some(limits.nodes.unwrap_or(u64::MAX).min(DEPENDENCY_NODES));
            let found =
                self.dependency
                    .solve(position, request.attacker, MaxCategory::Threes, limits);
            if matches!(found.value, Value::Win(_)) {
                return found;
            }
            earlier = found.nodes;
        }
        let deadline = request
            .limits
            .time
            // A time too long to be told is no limit.
            .and_then(|time| start.checked_add(time));
        let mut task = Task {
            board: LineBoard::from_position(position),
            stones: position.left(),
            request,
            deadline,
            nodes: earlier,
        };
        let (found, exhausted) = self.all_ways(&mut task);
        let Task {
            mut board, nodes, ..
        } = task;
        let attacker = request.attacker;
        let exact = position.rules().overline() == Overline::DoesNotWin;
        let zones = found
            .as_ref()
            .filter(|_| !exact)
            .and_then(|(forest, win)| zones_of(&mut board, forest, *win, attacker));
        let (value, depth) = match found {
            // Two positions with one key could lend each other a win; its zones do not come out then.
            Some(_) if zones.is_none() && !exact => (Value::Unknown, None),
            Some((forest, win)) => {
                let mut proof = forest.proof(win, &board, position.to_setup(), attacker);
                if !exact {
                    proof.region = region_of(&mut board, &forest, win, attacker);
                }
                (Value::Win(Box::new(proof)), Some(forest.get(win).depth))
            }
            None if exhausted => (Value::None, None),
            None => (Value::Unknown, None),
        };
        Solution {
            value,
            depth,
            zones,
            nodes,
            time: start.elapsed(),
        }
    }

    /// A win, or whether there is none of this order.
    fn all_ways(&mut self, task: &mut Task<'_>) -> (Option<(Forest, WinId)>, bool) {
        let Request {
            order, shortest, ..
        } = *task.request;
        let rules = task.board.rules();
        let free_style = rules.overline() == Overline::Wins;
        if order >= 3 && !shortest && free_style && task.stones == rules.per_turn() {
            let (found, exhausted) = self.depth_first(task, DEPTH_FIRST_NODES);
            if found.is_some() || exhausted {
                return (found, exhausted);
            }
            let found = self.best_first(task);
            if found.is_some() {
                return (found, false);
            }
        }
        self.depth_first(task, u64::MAX)
    }

    fn depth_first(&mut self, task: &mut Task<'_>, nodes: u64) -> (Option<(Forest, WinId)>, bool) {
        self.table.next_search();
        let request = task.request;
        let budget = Budget {
            nodes: nodes.min(task.nodes_left()),
            deadline: task.deadline,
            stop: request.stop,
            progress: request.progress,
        };
        let board = task.board.clone();
        let mut search = Search::new(board, request.attacker, &mut self.table, budget);
        let exact = search.board.rules().overline() == Overline::DoesNotWin;
        let (found, exhausted) = if request.order <= 1 || exact {
            let (found, exhausted) = search.all_of_order_1(task.stones, request.shortest, exact);
            (found, exhausted && request.order <= 1)
        } else {
            search.all_of_order(request.order, task.stones, request.shortest)
        };
        task.nodes += search.nodes;
        let Search { forest, .. } = search;
        (found.map(|win| (forest, win)), exhausted)
    }

    fn best_first(&mut self, task: &mut Task<'_>) -> Option<(Forest, WinId)> {
        let request = task.request;
        let mut refuter = Refuter {
            deadline: task.deadline,
            most_nodes: task.nodes_left(),
            stop: request.stop,
            search_progress: request.progress,
            ..Refuter::new(request.attacker, request.order - 1)
        };
        let found = BestFirst::new(&mut refuter, request.order).win(task.board.clone());
        task.nodes += refuter.nodes;
        found.map(|win| (refuter.forest, win))
    }
}

/// A search on its way.
struct Task<'a> {
    board: LineBoard,
    /// How many stones the first turn has.
    stones: u8,
    request: &'a Request<'a>,
    deadline: Option<Instant>,
    nodes: u64,
}

impl Task<'_> {
    fn nodes_left(&self) -> u64 {
        let most = self.request.limits.nodes.unwrap_or(u64::MAX);
        most.saturating_sub(self.nodes)
    }
}

impl Search<'_> {
    /// Order 1 in all ways; also says whether nothing was left out.
    fn all_of_order_1(
        &mut self,
        stones: u8,
        shortest: bool,
        exact_five: bool,
    ) -> (Option<WinId>, bool) {
        let mut passes = PASSES.to_vec();
        if shortest {
            passes.retain(|pass| *pass == (ExactTurns::ALL, FreeStones::All));
        }
        if exact_five {
            passes.retain(|pass| pass.0 == ExactTurns::ALL);
        }
        for (exact, free) in passes {
            (self.exact, self.free) = (exact, free);
            self.left_out = false;
            let found = self.forced_deepening(ENDLESS, stones, u64::MAX);
            if found.is_some() {
                return (found, false);
            }
            if self.stopped {
                return (None, false);
            }
            if exact == ExactTurns::ALL && !self.left_out {
                return (None, true);
            }
        }
        (None, false)
    }

    /// A win of this order, found within the budget.
    pub(crate) fn any_of_order(&mut self, order: u8, stones: u8) -> Option<WinId> {
        if order <= 1 {
            self.all_of_order_1(stones, false, false).0
        } else {
            self.all_of_order(order, stones, false).0
        }
    }

    /// Orders above 1, with more and more effort; the last step leaves nothing out.
    fn all_of_order(&mut self, order: u8, stones: u8, shortest: bool) -> (Option<WinId>, bool) {
        let last = EFFORTS.len() - 1;
        for (step, effort) in EFFORTS.into_iter().enumerate() {
            if shortest && step < last {
                continue;
            }
            if step == last {
                (self.exact, self.free) = (ExactTurns::ALL, FreeStones::All);
            }
            for turns in 1..=ENDLESS {
                self.cut = false;
                self.left_out = false;
                let depth = if shortest { turns } else { ENDLESS };
                let left = Left {
                    depth,
                    quiet: turns - 1,
                };
                let found = self.attack(order, left, stones, effort);
                if found.is_some() || self.stopped {
                    return (found, false);
                }
                if !self.cut {
                    if step == last {
                        return (None, !self.left_out);
                    }
                    break;
                }
                if turns > effort.longest {
                    break;
                }
            }
        }
        (None, false)
    }
}
