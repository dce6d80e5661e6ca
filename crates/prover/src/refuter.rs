//! Refutes replies: the searches behind the verifier and the best-first search of quiet turns.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use tengen_rules::Side;
use tengen_threats::LineBoard;

use crate::cover::Child;
use crate::matrix::Matrix;
use crate::progress::Progress;
use crate::search::{Budget, Search};
use crate::table::Table;
use crate::tree::{Cells, Forest, WinId};
use crate::verifier::VerifyProgress;
use crate::zones::{Zones, zones_of};

/// How many searches are chosen at a time, whatever the number of threads: the result must not
/// depend on that.
const BATCH: usize = 8;

/// Searches of so many nodes are long, and so many of them are few.
const LONG: u64 = 100_000;
const FEW: usize = 32;

/// The null turn is worth more nodes than others: without a win against it nothing else is tried.
const NULL_TURN_NODES: u64 = 20_000;
/// Not in shorter stages: with the null turn won they would try all replies in vain.
const NULL_TURN_STAGE: u64 = 3_000;

/// How many entries the table of an inner search has, as a power of two.
const TABLE_BITS: u32 = 18;

/// Searches recurse once a turn; the longest lines need more than a thread's usual stack.
const STACK: usize = 64 << 20;

/// Searches for answers to the defender's stones and keeps the strategies that were found.
pub(crate) struct Refuter<'a> {
    pub(crate) attacker: Side,
    /// The order of the wins that answer.
    pub(crate) order: u8,
    pub(crate) threads: usize,
    /// When all must end.
    pub(crate) deadline: Option<Instant>,
    pub(crate) most_nodes: u64,
    pub(crate) stop: Option<&'a AtomicBool>,
    pub(crate) progress: Option<&'a VerifyProgress>,
    /// Receives the number of nodes, and the turn that is looked at.
    pub(crate) search_progress: Option<&'a Progress>,
    pub(crate) forest: Forest,
    pub(crate) tables: Vec<Table>,
    pub(crate) searches: u64,
    pub(crate) replays: u64,
    pub(crate) nodes: u64,
    /// How many replies and parts of replies one look met at the most.
    pub(crate) replies: u64,
}

/// How long to go on when replies survive.
#[derive(Debug, Copy, Clone)]
pub(crate) enum Patience {
    /// To the end.
    Endless,
    /// Until more than so many survive.
    Failures(usize),
}

/// What a search for one set of stones has found.
struct Found {
    stones: Cells,
    win: Option<(Strategy, Zones)>,
    nodes: u64,
}

/// A strategy that answers: one that is known already, or a new one.
enum Strategy {
    Known(WinId),
    New(Forest, WinId),
}

impl Refuter<'_> {
    /// Searches for wins of this order, on one thread, without limits.
    pub(crate) fn new(attacker: Side, order: u8) -> Self {
        Self {
            attacker,
            order,
            threads: 1,
            deadline: None,
            most_nodes: u64::MAX,
            stop: None,
            progress: None,
            search_progress: None,
            forest: Forest::default(),
            tables: Vec::new(),
            searches: 0,
            replays: 0,
            nodes: 0,
            replies: 0,
        }
    }

    /// Shows how far it is.
    fn show(&self) {
        if let Some(progress) = self.progress {
            progress.searches.store(self.searches, Ordering::Relaxed);
            progress.nodes.store(self.nodes, Ordering::Relaxed);
        }
        if let Some(progress) = self.search_progress {
            progress.nodes.store(self.nodes, Ordering::Relaxed);
        }
    }

    /// Whether a limit of the whole work is reached.
    pub(crate) fn is_over(&self) -> bool {
        let told = self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        let late = self
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline);
        told || late || self.nodes >= self.most_nodes
    }

    /// Tries everything that is open with so many nodes each; `false` when a limit ended it.
    pub(crate) fn refute_all(
        &mut self,
        matrix: &mut Matrix,
        nodes: u64,
        patience: Patience,
    ) -> bool {
        loop {
            let frontier = matrix.frontier();
            if matches!(patience, Patience::Failures(most) if frontier.failed.len() > most) {
                return true;
            }
            let few = frontier.needed.is_empty() && frontier.open.len() <= FEW;
            let batch = if few && nodes >= LONG {
                // Hard replies, one of which hardly answers another: all at once keeps threads busy.
                frontier.open.clone()
            } else {
                matrix.next_searches(&frontier, BATCH)
            };
            self.replies = self.replies.max(frontier.met());
            if let Some(progress) = self.progress {
                let open = frontier.needed.len() + frontier.open.len();
                progress.open.store(open, Ordering::Relaxed);
                progress
                    .failed
                    .store(frontier.failed.len(), Ordering::Relaxed);
                progress.met.store(frontier.met(), Ordering::Relaxed);
            }
            if batch.is_empty() {
                return true;
            }
            self.refute(matrix, &batch, nodes);
            if self.is_over() {
                return false;
            }
        }
    }

    /// Searches for answers to these sets of stones; how many were found.
    pub(crate) fn refute(&mut self, matrix: &mut Matrix, batch: &[Cells], nodes: u64) -> usize {
        let mut answered = 0;
        for found in self.search_all(matrix, batch, nodes) {
            self.nodes += found.nodes;
            match &found.win {
                Some((Strategy::Known(_), _)) => self.replays += 1,
                _ => self.searches += 1,
            }
            let Some((strategy, zones)) = found.win else {
                matrix.fail(&found.stones);
                continue;
            };
            let win = match strategy {
                Strategy::Known(win) => win,
                Strategy::New(forest, win) => self.forest.adopt(&forest, win),
            };
            answered += 1;
            matrix.add(Child {
                stones: found.stones,
                win,
                zones,
            });
        }
        self.show();
        answered
    }

    /// The searches for all these stones, on as many threads as were asked for.
    fn search_all(&mut self, matrix: &Matrix, batch: &[Cells], nodes: u64) -> Vec<Found> {
        self.on_threads(batch, |refuter, stones, table| {
            refuter.search(matrix, stones, nodes, table)
        })
    }

    /// Does some work for every job, each with a table of its own; the results are in the jobs' order.
    pub(crate) fn on_threads<J: Sync, R: Send>(
        &mut self,
        jobs: &[J],
        work: impl Fn(&Self, &J, &mut Table) -> R + Sync,
    ) -> Vec<R> {
        let threads = self.threads.clamp(1, jobs.len().max(1));
        while self.tables.len() < threads {
            self.tables.push(Table::new(TABLE_BITS));
        }
        let mut tables = std::mem::take(&mut self.tables);
        let next = AtomicUsize::new(0);
        let results: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::new());
        let refuter = &*self;
        let run = |table: &mut Table| {
            loop {
                let place = next.fetch_add(1, Ordering::Relaxed);
                let Some(job) = jobs.get(place) else {
                    return;
                };
                let result = work(refuter, job, table);
                let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
                results.push((place, result));
            }
        };
        let (mine, others) = tables.split_at_mut(1);
        thread::scope(|scope| {
            for table in &mut others[..threads - 1] {
                let thread = thread::Builder::new().stack_size(STACK);
                if thread.spawn_scoped(scope, || run(table)).is_err() {
                    // No further thread is to be had: those that run do the work.
                    break;
                }
            }
            run(&mut mine[0]);
        });
        self.tables = tables;
        let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        results.sort_by_key(|(place, _)| *place);
        results.into_iter().map(|(_, result)| result).collect()
    }

    /// Looks for a win against these stones.
    fn search(&self, matrix: &Matrix, stones: &Cells, nodes: u64, table: &mut Table) -> Found {
        let mut board = matrix.board.clone();
        for &cell in stones {
            board.place(!self.attacker, cell);
        }
        let mut found = Found {
            stones: stones.clone(),
            win: None,
            nodes: 0,
        };
        // What beats another reply often beats this one too.
        for win in matrix.known_wins(stones) {
            found.nodes += 1;
            if let Some(zones) = zones_of(&mut board, &self.forest, win, self.attacker) {
                found.win = Some((Strategy::Known(win), zones));
                return found;
            }
        }
        let nodes = if stones.is_empty() && nodes >= NULL_TURN_STAGE {
            nodes.max(NULL_TURN_NODES)
        } else {
            nodes
        };
        let (win, searched) = self.win(board, self.order, nodes, table);
        found.nodes += searched;
        found.win = win.map(|(forest, win, zones)| (Strategy::New(forest, win), zones));
        found
    }

    /// A win of the attacker, who is to move, within so many nodes, in a forest of its own.
    pub(crate) fn win_here(
        &mut self,
        board: &LineBoard,
        order: u8,
        nodes: u64,
    ) -> Option<(Forest, WinId, Zones)> {
        let mut found = self.on_threads(&[()], |refuter, (), table| {
            refuter.win(board.clone(), order, nodes, table)
        });
        let (win, searched) = found.pop().expect("one search");
        self.count(1, searched);
        win
    }

    /// Counts searches and their nodes.
    pub(crate) fn count(&mut self, searches: u64, nodes: u64) {
        self.searches += searches;
        self.nodes += nodes;
        self.show();
    }

    /// A win of the attacker, who is to move, within so many nodes; and the nodes it took.
    pub(crate) fn win(
        &self,
        board: LineBoard,
        order: u8,
        nodes: u64,
        table: &mut Table,
    ) -> (Option<(Forest, WinId, Zones)>, u64) {
        let budget = Budget {
            nodes: nodes.min(self.most_nodes.saturating_sub(self.nodes)),
            deadline: self.deadline,
            stop: self.stop,
            progress: None,
        };
        table.next_search();
        let mut search = Search::new(board, self.attacker, table, budget);
        let per_turn = search.per_turn;
        let win = search.any_of_order(order, per_turn);
        let zones =
            win.and_then(|win| zones_of(&mut search.board, &search.forest, win, self.attacker));
        let nodes = search.nodes;
        let Search { forest, .. } = search;
        (
            win.zip(zones).map(|(win, zones)| (forest, win, zones)),
            nodes,
        )
    }
}
