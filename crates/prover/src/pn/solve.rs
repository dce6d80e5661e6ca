//! Go-Moku from the empty board, or from a position: which third move, against which fourth moves, with how much work
//! (Allis, section 5.5, without his hand-chosen moves).
//!
//! After two stones all third moves near Black's first race against the fourth moves that look hardest. The third that
//! resists least is then proved against all fourth moves, in rounds with more and more work (`local.rs`); the runners-up go on beside it
//! if some fourth move does not fall, and so do, one after the other, those that lost the race. Elsewhere (`remote.rs`) rounds search in different ways.

mod local;
mod remote;

use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tengen_rules::Side;

use super::board::Board;
use super::cells::Cell;
use super::journal::{Journal, Kept};
use super::record::{Record, Records};
use super::symmetry::{Encoding, canonical, canonical_of};
use super::tree::{Effort, Quiet, Tree, Work};

pub use remote::{Findings, Helper, Refused, Round, Rounds, Taken};

/// How Go-Moku is to be solved.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How many third moves are worked on at once.
    pub threads: usize,
    /// Bytes that all trees may take together.
    pub memory: usize,
    /// How much is tried where. The first is the way to search here; on a grid all ways take turns, for
    /// what one way misses another may find soon.
    pub efforts: Vec<Effort>,
    /// Expansions of a tree after which what it has proved on its way is kept, though it has not proved what was asked: about half a minute.
    pub kept_every: u64,
}

impl Default for Settings {
    fn default() -> Self {
        let usual = Effort::default();
        let worst = Effort {
            worst: true,
            ..usual.clone()
        };
        let wide = Effort {
            turns: 8,
            ..usual.clone()
        };
        let hasty = Effort {
            patience: 2,
            ..usual.clone()
        };
        let thorough = Effort {
            threats: vec![(5, 60_000), (7, 12_000), (9, 4_000), (255, 1_200)],
            ..usual.clone()
        };
        Self {
            threads: 2,
            memory: 4 << 30,
            efforts: vec![usual, worst, wide, hasty, thorough],
            kept_every: 20_000,
        }
    }
}

impl Settings {
    /// How a round is done here, with how many expansions for each position.
    fn round_here(&self, round: usize) -> (Effort, u64) {
        let effort = self.efforts.first().cloned().unwrap_or_default();
        let times = 3_u64.saturating_pow(round as u32);
        (effort, FIRST_ROUND.saturating_mul(times))
    }

    /// How a round is done elsewhere, with how many expansions for each position.
    fn round_elsewhere(&self, round: usize) -> (Effort, u64) {
        let count = self.efforts.len().max(1);
        let effort = self.efforts.get(round % count).cloned();
        let level = (round / count) as u32;
        let mut effort = effort.unwrap_or_default();
        effort.search_longer(level.saturating_sub(1));
        (effort, FIRST_ROUND * 3_u64.pow(level))
    }
}

/// How far a position with Black to move has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Nobody works on it yet.
    Waiting,
    /// Third moves race.
    Race,
    /// A third move is being proved; so many of the fourth moves are open.
    Proving {
        /// Fourth moves that are not answered.
        open: usize,
        /// The round.
        round: usize,
    },
    /// A round of a third move is over; so many fourth moves did not fall.
    Round {
        /// Fourth moves that resisted; hopeless third moves are left early.
        failures: usize,
        /// The round.
        round: usize,
    },
    /// Black wins.
    Won,
    /// Nothing was found.
    GivenUp,
}

/// What is told while the search goes on.
#[derive(Debug, Clone)]
pub struct News {
    /// White's second move (column and row from 0), or none if the root is worked on itself.
    pub second: Option<(usize, usize)>,
    /// How far it is.
    pub stage: Stage,
    /// Black's third move, where there is one.
    pub third: Option<(usize, usize)>,
    /// Records so far.
    pub records: usize,
    /// What was done since the last news of this thread.
    pub work: Work,
    /// For how long processors of other machines did it.
    pub elsewhere: Duration,
}

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Black wins, and the records prove it.
    Won,
    /// Not proved.
    Open,
}

/// A position to be solved, with the records that are known.
#[derive(Debug)]
pub struct Solver {
    empty: Board,
    root: Vec<(Side, Cell)>,
    pub(super) records: Arc<Records>,
    kept: Arc<Mutex<Kept>>,
    settings: Settings,
    failed: Mutex<Option<io::Error>>,
    /// How often a third move at this distance from the first (columns and rows, the larger first) has won.
    good: Arc<Mutex<Good>>,
}

/// How often third moves have won, by how they lie to the first stone.
type Good = HashMap<(u32, u32), u32>;

/// Rounds of the race: how many third moves stay, how many fourth moves they are tried against, expansions for each, and
/// how many may fail.
const RACE: [(usize, usize, u64, usize); 3] = [(24, 4, 120, 1), (8, 10, 300, 3), (3, 24, 700, 6)];

/// Expansions for a fourth move in the first round of a proof; three times as many in the next, elsewhere when all ways were tried.
const FIRST_ROUND: u64 = 400;

/// Fourth moves that may be hard, and how many of them may fail before a round of a third move is over.
const HARD: usize = 60;
const MAY_FAIL: usize = 24;

/// Positions with so many stones at most are kept that a tree has found won though its third move did not win.
const SALVAGED: usize = 12;

/// If so many resist at most, they get so many times the work.
const WORTH_MORE: usize = 12;
const MORE: u64 = 6;

/// Expansions after which it is looked whether to go on.
const SLICE: u64 = 500;

/// A third move is left if so many others did better.
const MOST_THIRDS: usize = 3;

/// Rounds before a third move is given up.
const ROUNDS: usize = 40;

/// A third move and what became of it.
#[derive(Debug)]
struct Third {
    stone: Cell,
    tree: Tree,
    at: Quiet,
    failures: usize,
}

/// What a round of a third move may take.
struct Limits<'a> {
    expansions: u64,
    /// When more fourth moves resist, it is over.
    may_fail: usize,
    /// Among how many the memory is shared.
    threads: usize,
    stop: &'a AtomicBool,
    /// Whether it is told to stop, or of no use any more.
    over: &'a dyn Fn() -> bool,
}

impl Solver {
    /// From this position, with Black to move.
    pub(crate) fn new(empty: Board, root: Vec<(Side, Cell)>, settings: Settings) -> Self {
        Self {
            empty,
            root,
            records: Arc::default(),
            kept: Arc::new(Mutex::new(Kept::Nowhere)),
            settings,
            failed: Mutex::new(None),
            good: Arc::default(),
        }
    }

    /// Keeps records in a file, and goes on from those that it has.
    pub fn keep_in(&mut self, path: &Path) -> io::Result<()> {
        let (size, wins) = (self.empty.size(), self.empty.wins());
        let journal = Journal::open(path, size, wins, &self.records)?;
        self.kept = Arc::new(Mutex::new(Kept::Journal(journal)));
        Ok(())
    }

    /// Positions that are proved.
    pub fn count(&self) -> usize {
        self.records.len()
    }

    /// Searches until the root is proved, everything has been tried, or it is told to stop.
    pub fn solve(&self, stop: &AtomicBool, tell: &(dyn Fn(News) + Sync)) -> io::Result<Outcome> {
        let board = self.board_with(&self.root);
        let outcome = match self.root.len() {
            0 => self.solve_empty(stop, tell),
            2 => {
                self.solve_all(&[local::Goal::new(None, board)], stop, tell);
                self.outcome()
            }
            _ => self.solve_directly(&board, stop, tell),
        };
        self.unless_failed(outcome)
    }

    /// What came of it, if all of it could be kept.
    fn unless_failed(&self, outcome: Outcome) -> io::Result<Outcome> {
        let failed = self
            .failed
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        match failed {
            Some(error) => Err(error),
            None => Ok(outcome),
        }
    }

    pub(super) fn root(&self) -> Encoding {
        canonical_of(self.empty.size(), &self.root).0
    }

    pub(super) const fn empty(&self) -> &Board {
        &self.empty
    }

    fn board_with(&self, stones: &[(Side, Cell)]) -> Board {
        let mut board = self.empty.clone();
        for &(side, cell) in stones {
            board.place(side, cell);
        }
        board
    }

    /// Adds records to those that are known, after looking at every reply once more. If they cannot be kept, everything
    /// stops.
    fn publish(&self, mut found: Vec<Record>, stop: &AtomicBool) -> Result<(), Cell> {
        let size = self.empty.size();
        let own: std::collections::HashSet<Encoding> =
            found.iter().map(|record| record.position.clone()).collect();
        let known = |position: &Encoding| self.records.contains(position) || own.contains(position);
        for record in &mut found {
            record.trim(&self.empty, known)?;
        }
        if found.is_empty() {
            return Ok(());
        }
        // Locked before others see them: what they build on it is kept after it.
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        found.retain(|record| self.records.insert(size, record));
        if let Err(error) = kept.add(&found) {
            *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            stop.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    fn centre(&self) -> Cell {
        let (width, height) = self.empty.size();
        Board::at(width / 2, height / 2)
    }

    /// Black takes the centre: all second moves, with the board after them.
    fn second_moves(&self) -> Vec<(Cell, Board)> {
        let centre = self.centre();
        let mut board = self.board_with(&[(Side::Black, centre)]);
        let mut seconds: Vec<(Cell, Board)> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        let mut cells: Vec<Cell> = board.empty().iter().collect();
        // Rounds keep the hardest, which are the nearest, from holding up all others.
        cells.sort_by_key(|&cell| (std::cmp::Reverse(distance(cell, centre)), cell));
        for cell in cells {
            board.place(Side::White, cell);
            if seen.insert(canonical(&board).0) {
                seconds.push((cell, board.clone()));
            }
            board.undo();
        }
        seconds
    }

    fn solve_empty(&self, stop: &AtomicBool, tell: &(dyn Fn(News) + Sync)) -> Outcome {
        let seconds = self.second_moves().into_iter();
        let goals: Vec<local::Goal> = seconds
            .map(|(second, board)| local::Goal::new(Some(second), board))
            .collect();
        self.solve_all(&goals, stop, tell);
        self.with_all_second_moves(stop)
    }

    /// What the records say of the root.
    fn outcome(&self) -> Outcome {
        match self.records.contains(&self.root()) {
            true => Outcome::Won,
            false => Outcome::Open,
        }
    }

    /// Black wins from the empty board if all second moves are answered.
    fn with_all_second_moves(&self, stop: &AtomicBool) -> Outcome {
        let record = Record {
            position: Encoding::default(),
            stone: self.centre(),
            strategies: Vec::new(),
        };
        match self.publish(vec![record], stop) {
            Ok(()) => Outcome::Won,
            Err(_) => Outcome::Open,
        }
    }

    /// What a tree has proved on its way is known to all others, though it has not proved what was asked.
    fn salvage(&self, tree: &Tree, stop: &AtomicBool) {
        for won in tree.won(SALVAGED) {
            // A record with a reply that nothing answers is left out; the others are as good without it.
            let _ = self.publish(tree.records_of(won), stop);
        }
    }

    /// The same after every so many expansions.
    fn salvage_if_due(&self, tree: &mut Tree, stop: &AtomicBool) {
        if tree.work.expansions - tree.kept_at >= self.settings.kept_every {
            tree.kept_at = tree.work.expansions;
            self.salvage(tree, stop);
        }
    }

    fn third(&self, board: &Board, stone: Cell, effort: Effort) -> Third {
        let mut tree = Tree::new(self.empty.clone(), effort, Arc::clone(&self.records));
        let at = tree.quiet_turn(board, stone);
        Third {
            stone,
            tree,
            at,
            failures: usize::MAX,
        }
    }

    /// Third moves near Black's first stone, those first that leave most open.
    fn thirds(&self, board: &Board) -> Vec<Cell> {
        let stones: Vec<(Side, Cell)> = board.placed().collect();
        let of = |wanted: Side| {
            let mut cells = stones.iter().filter(move |(side, _)| *side == wanted);
            cells.next().map_or(0, |&(_, cell)| cell)
        };
        let (black, white) = (of(Side::Black), of(Side::White));
        let mut seen = std::collections::HashSet::new();
        let mut cells: Vec<Cell> = board
            .empty()
            .iter()
            .filter(|&cell| distance(cell, black) <= 2)
            .filter(|&cell| {
                let mut three = stones.clone();
                three.push((Side::Black, cell));
                seen.insert(canonical_of(board.size(), &three).0)
            })
            .collect();
        let good = self.good.lock().unwrap_or_else(PoisonError::into_inner);
        let keys = |&cell: &Cell| {
            let worth = board.worth(Side::Black, cell);
            let won = good.get(&shape(board, cell)).copied().unwrap_or(0);
            (
                std::cmp::Reverse(won),
                std::cmp::Reverse(worth),
                std::cmp::Reverse(distance(cell, white)),
            )
        };
        cells.sort_by_key(keys);
        cells
    }

    /// The third moves that do best against the hardest fourth moves, and all others, the best last.
    fn race(
        &self,
        board: &Board,
        stop: &AtomicBool,
        tell: &dyn Fn(Work),
    ) -> (Vec<Third>, Vec<Cell>) {
        let (effort, _) = self.settings.round_elsewhere(0);
        let mut thirds = self.thirds(board);
        thirds.reverse();
        let mut field: Vec<Third> = Vec::new();
        while let Some(stone) = thirds.pop() {
            let mut third = self.third(board, stone, effort.clone());
            let (_, fourths, expansions, may_fail) = RACE[0];
            self.lap(&mut third, fourths, expansions, may_fail, stop, tell);
            // Whoever does not fail at all is tried further at once, and need not race if it fails little.
            if third.failures == 0 {
                let (_, fourths, expansions, may_fail) = RACE[2];
                self.lap(&mut third, fourths, expansions, may_fail, stop, tell);
                if third.failures <= may_fail / 2 {
                    let mut others = by_failures(&mut field);
                    others.extend(thirds);
                    return (vec![third], others);
                }
                third.failures = 0;
            }
            field.push(third);
        }
        let mut others = Vec::new();
        for &(stay, fourths, expansions, may_fail) in &RACE[1..] {
            field.sort_by_key(|third| third.failures);
            others.extend(by_failures(&mut field.split_off(stay.min(field.len()))));
            for third in &mut field {
                self.lap(third, fourths, expansions, may_fail, stop, tell);
            }
        }
        field.sort_by_key(|third| third.failures);
        (field, others)
    }

    /// Tries a third move against the hardest fourth moves until too many do not fall.
    fn lap(
        &self,
        third: &mut Third,
        fourths: usize,
        expansions: u64,
        may_fail: usize,
        stop: &AtomicBool,
        tell: &dyn Fn(Work),
    ) {
        let before = third.tree.work;
        third.failures = 0;
        for reply in self.hardest(third).into_iter().take(fourths) {
            if third.failures > may_fail || stop.load(Ordering::Relaxed) {
                break;
            }
            let won = third.tree.work_on(third.at, reply, expansions, stop)
                && self.publish(third.tree.records_of(reply.1), stop).is_ok();
            third.failures += usize::from(!won);
        }
        tell(third.tree.work.since(before));
    }

    /// Open fourth moves, those near all stones first.
    fn hardest(&self, third: &Third) -> Vec<(Cell, usize)> {
        let stones = third.tree.stones(third.at);
        let mut replies = third.tree.open_replies(third.at);
        let near = |&(cell, _): &(Cell, usize)| -> u32 {
            let distances = stones.iter().map(|&(side, stone)| match side {
                Side::Black => 2 * distance(cell, stone),
                Side::White => distance(cell, stone).min(4),
            });
            distances.sum()
        };
        replies.sort_by_key(near);
        replies
    }

    /// One round of a proof: whether all fourth moves are answered.
    fn prove(
        &self,
        third: &mut Third,
        limits: &Limits<'_>,
        tell: &dyn Fn(&Third, usize, Work),
    ) -> bool {
        let replies = self.hardest(third);
        let (hard, mut open) = (replies.len().min(HARD), replies.len());
        let mut resist: Vec<(Cell, usize)> = Vec::new();
        third.failures = 0;
        let mut works = |third: &mut Third, reply, expansions| {
            let won = self.work_on(third, reply, expansions, limits, &|third, work| {
                tell(third, open, work);
            });
            open -= usize::from(won);
            tell(third, open, Work::default());
            won
        };
        for (number, reply) in replies.into_iter().enumerate() {
            // Those that are far away fall by what answers the others: they can wait until these have fallen.
            let vain = third.failures > limits.may_fail || number >= hard && third.failures > 0;
            if vain || (limits.over)() {
                return false;
            }
            if self.has_outgrown(third, limits) {
                // What was not tried may resist.
                third.failures = third.failures.max(hard.saturating_sub(number)).max(1);
                return false;
            }
            if !works(third, reply, limits.expansions) {
                resist.push(reply);
                third.failures += 1;
            }
            // Few that resist are worth more work in the same tree.
            if number + 1 == hard && resist.len() <= WORTH_MORE {
                resist
                    .retain(|&reply| !works(third, reply, MORE.saturating_mul(limits.expansions)));
                third.failures = resist.len();
            }
        }
        third.failures == 0
            && self
                .publish(third.tree.records_of_quiet(third.at), limits.stop)
                .is_ok()
    }

    /// Works on a fourth move; what is proved on the way is kept now and then.
    fn work_on(
        &self,
        third: &mut Third,
        reply: (Cell, usize),
        expansions: u64,
        limits: &Limits<'_>,
        tell: &dyn Fn(&Third, Work),
    ) -> bool {
        let mut done = 0;
        while done < expansions && !(limits.over)() {
            let slice = SLICE.min(expansions - done);
            let before = third.tree.work;
            let won = third.tree.work_on(third.at, reply, slice, limits.stop)
                && self
                    .publish(third.tree.records_of(reply.1), limits.stop)
                    .is_ok();
            let work = third.tree.work.since(before);
            tell(third, work);
            self.salvage_if_due(&mut third.tree, limits.stop);
            // Less than it may do: there is nothing left to be done.
            if won || work.expansions < slice || self.has_outgrown(third, limits) {
                return won;
            }
            done += slice;
        }
        false
    }

    /// Whether a tree takes more than its share of the memory.
    fn has_outgrown(&self, third: &Third, limits: &Limits<'_>) -> bool {
        third.tree.bytes() > self.room() / limits.threads
    }

    /// Bytes that are left for trees.
    fn room(&self) -> usize {
        self.settings.memory.saturating_sub(self.records.bytes())
    }

    /// A position of four stones or more: one tree that goes on, or another way to search when there is nothing left in it.
    fn solve_directly(
        &self,
        board: &Board,
        stop: &AtomicBool,
        tell: &(dyn Fn(News) + Sync),
    ) -> Outcome {
        let mut tree: Option<Tree> = None;
        for round in 0..ROUNDS {
            let (first, expansions) = self.settings.round_here(round);
            let mut at_work = tree.take().unwrap_or_else(|| {
                let effort = match round {
                    0 => first,
                    _ => self.settings.round_elsewhere(round).0,
                };
                Tree::new(self.empty.clone(), effort, Arc::clone(&self.records))
            });
            if self.work_directly(&mut at_work, board, (round, expansions), stop, tell)
                == Outcome::Won
            {
                return Outcome::Won;
            }
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let root = at_work.root(board);
            let goes_on = !at_work.is_hopeless(root) && at_work.bytes() < self.room();
            tree = goes_on.then_some(at_work);
        }
        Outcome::Open
    }

    fn round_directly(
        &self,
        board: &Board,
        round: usize,
        stop: &AtomicBool,
        tell: &(dyn Fn(News) + Sync),
    ) -> Outcome {
        let (effort, expansions) = self.settings.round_elsewhere(round);
        let mut tree = Tree::new(self.empty.clone(), effort, Arc::clone(&self.records));
        self.work_directly(&mut tree, board, (round, expansions), stop, tell)
    }

    /// So many expansions in a tree, and what it has proved is kept.
    fn work_directly(
        &self,
        tree: &mut Tree,
        board: &Board,
        (round, expansions): (usize, u64),
        stop: &AtomicBool,
        tell: &(dyn Fn(News) + Sync),
    ) -> Outcome {
        let root = tree.root(board);
        let mut left = expansions;
        while left > 0 && !tree.is_hopeless(root) && tree.bytes() < self.room() {
            let before = tree.work;
            let slice = left.min(100);
            left -= slice;
            let won = tree.work_at(root, slice, stop);
            let news = |stage| News {
                second: None,
                stage,
                third: None,
                records: self.records.len(),
                work: tree.work.since(before),
                elsewhere: Duration::ZERO,
            };
            if won && self.publish(tree.records_of(root), stop).is_ok() {
                tell(news(Stage::Won));
                return Outcome::Won;
            }
            tell(news(Stage::Proving { open: 1, round }));
            self.salvage_if_due(tree, stop);
            if stop.load(Ordering::Relaxed) {
                break;
            }
        }
        self.salvage(tree, stop);
        Outcome::Open
    }
}

/// Third moves of a race, those last that failed least; of these who looked best before the race comes first.
fn by_failures(thirds: &mut [Third]) -> Vec<Cell> {
    thirds.sort_by_key(|third| std::cmp::Reverse(third.failures));
    thirds.iter().map(|third| third.stone).collect()
}

/// How many fourth moves may resist a third move if so many resist the best one.
fn may_fail(best: Option<usize>) -> usize {
    best.map_or(MAY_FAIL, |best| not_much_worse(best).min(MAY_FAIL))
}

/// How many failures are not much worse than so many.
const fn not_much_worse(failures: usize) -> usize {
    failures.saturating_mul(2).saturating_add(2)
}

/// A third move has won.
fn praise(good: &Mutex<Good>, board: &Board, third: Cell) {
    let mut good = good.lock().unwrap_or_else(PoisonError::into_inner);
    *good.entry(shape(board, third)).or_default() += 1;
}

/// How a third move lies to Black's first stone.
fn shape(board: &Board, third: Cell) -> (u32, u32) {
    let mut stones = board.placed();
    let first = stones.find(|(side, _)| *side == Side::Black);
    let first = first.map_or(third, |(_, cell)| cell);
    let columns = u32::from((first & 15).abs_diff(third & 15));
    let rows = u32::from((first >> 4).abs_diff(third >> 4));
    (columns.max(rows), columns.min(rows))
}

/// Column and row, from 0.
const fn xy(cell: Cell) -> (usize, usize) {
    ((cell & 15) as usize, (cell >> 4) as usize)
}

fn distance(one: Cell, other: Cell) -> u32 {
    let apart = |one: u8, other: u8| u32::from(one.abs_diff(other));
    apart(one & 15, other & 15).max(apart(one >> 4, other >> 4))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many records there are after work in vain on a hard fourth move, in three parts.
    fn kept_in_vain(kept_every: u64) -> usize {
        let empty = Board::new(15, 15, super::super::Fives::OrMore);
        let settings = Settings {
            kept_every,
            ..Settings::default()
        };
        let at = |x, y| Board::at(x, y);
        let root = vec![(Side::Black, at(7, 7)), (Side::White, at(7, 6))];
        let solver = Solver::new(empty, root, settings);
        let board = solver.board_with(&solver.root);
        let mut third = solver.third(&board, at(6, 6), Effort::default());
        let hardest = solver.hardest(&third)[0];
        let stop = AtomicBool::new(false);
        let limits = Limits {
            expansions: 0,
            may_fail: 0,
            threads: 1,
            stop: &stop,
            over: &|| false,
        };
        // It counts what the tree has done, not one call.
        for _ in 0..3 {
            assert!(!solver.work_on(&mut third, hardest, 500, &limits, &|_, _| {}));
        }
        solver.count()
    }

    #[test]
    fn what_a_tree_proves_is_kept_though_its_fourth_move_resists() {
        assert_eq!(kept_in_vain(u64::MAX), 0);
        assert!(kept_in_vain(1_000) > 0);
    }
}
