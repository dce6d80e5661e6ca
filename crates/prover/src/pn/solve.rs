//! Go-Moku from the empty board, or from a position: which third move, against which fourth moves, with how much work
//! (Allis, section 5.5, without his hand-chosen moves).
//!
//! After two stones all third moves near Black's first race against the fourth moves that look hardest. The third that
//! resists least is then proved against all fourth moves, in rounds with more and more work; the
//! runners-up go on beside it if some fourth move does not fall. Each third move has a tree of its own, which goes on from round to round and is thrown away when another
//! has won or when there is no room for it; what was proved stays in the records. Elsewhere (`remote.rs`) rounds search in different ways instead.

mod remote;

use std::collections::{HashMap, VecDeque};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
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
    /// How many second moves are worked on at once.
    pub threads: usize,
    /// Bytes that all trees may take together.
    pub memory: usize,
    /// How much is tried where. The first is the way to search here; on a grid all ways take turns, because trees do not go on there, and
    /// what one way misses another may find soon.
    pub efforts: Vec<Effort>,
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
        }
    }
}

impl Settings {
    /// How a round is done whose trees go on, with how many more expansions for each position.
    fn going_on(&self, round: usize) -> (Effort, u64) {
        let effort = self.efforts.first().cloned().unwrap_or_default();
        let times = 3_u64.saturating_pow(round as u32);
        (effort, FIRST_ROUND.saturating_mul(times))
    }

    /// How a round is done elsewhere, with how many expansions for each position.
    fn round(&self, round: usize) -> (Effort, u64) {
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
    /// Bytes of trees on which nobody works at the moment.
    waiting: AtomicUsize,
}

/// How often third moves have won, by how they lie to the first stone.
type Good = HashMap<(u32, u32), u32>;

/// Rounds of the race: how many third moves stay, how many fourth moves they are tried against, expansions for each, and
/// how many may fail.
const RACE: [(usize, usize, u64, usize); 3] = [(24, 4, 120, 1), (8, 10, 300, 3), (3, 24, 700, 6)];

/// Expansions for a fourth move in the first rounds of a proof; three times as many when all ways were tried.
const FIRST_ROUND: u64 = 400;

/// Fourth moves that may be hard, and how many of them may fail before a round of a third move is over.
const HARD: usize = 60;
const MAY_FAIL: usize = 24;

/// Positions with so many stones at most are kept that a tree has found won though its third move did not win.
const SALVAGED: usize = 12;

/// If so many resist at most, they get so many times the work.
const WORTH_MORE: usize = 12;
const MORE: u64 = 6;

/// Third moves that are proved beside each other.
const MOST_THIRDS: usize = 3;

/// Rounds before a third move is given up.
const ROUNDS: usize = 40;

/// A position after two stones, and the third moves that are left.
#[derive(Debug)]
struct Task {
    second: Option<Cell>,
    board: Board,
    round: usize,
    thirds: Vec<Cell>,
    /// Third moves that did not race because another did well at once, the best last.
    untried: Vec<Cell>,
    /// Whether trees go on from round to round, and those that wait for the next.
    goes_on: bool,
    waiting: Vec<Third>,
}

impl Task {
    const fn new(second: Option<Cell>, board: Board) -> Self {
        Self {
            second,
            board,
            round: 0,
            thirds: Vec::new(),
            untried: Vec::new(),
            goes_on: true,
            waiting: Vec::new(),
        }
    }

    /// What is left after a round: third moves with the fourth moves that resisted, in the order of the race.
    fn keep_best(&mut self, mut order: Vec<(usize, Cell)>) {
        // Stable: whoever did better in the race goes first among equals.
        order.sort_by_key(|&(failures, _)| failures);
        let best = order.first().map_or(0, |&(failures, _)| failures);
        order.retain(|&(failures, _)| failures <= not_much_worse(best));
        order.truncate(MOST_THIRDS);
        self.thirds = order.into_iter().map(|(_, stone)| stone).collect();
    }
}

/// A third move and what became of it.
#[derive(Debug)]
struct Third {
    stone: Cell,
    tree: Tree,
    at: Quiet,
    failures: usize,
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
            waiting: AtomicUsize::new(0),
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
            2 => self.solve_second(&board, stop, tell),
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

    /// Black takes the centre; every second move is a task.
    fn second_moves(&self) -> impl Iterator<Item = Task> {
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
        let tasks = seconds.into_iter();
        tasks.map(|(cell, board)| Task::new(Some(cell), board))
    }

    /// All second moves, one by one and several at once.
    fn solve_empty(&self, stop: &AtomicBool, tell: &(dyn Fn(News) + Sync)) -> Outcome {
        let queue: Mutex<VecDeque<Task>> = Mutex::new(self.second_moves().collect());
        let next = || {
            queue
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .pop_front()
        };
        std::thread::scope(|scope| {
            for _ in 0..self.settings.threads.max(1) {
                scope.spawn(|| {
                    while let Some(mut task) = next() {
                        let again = self.round(&mut task, stop, tell) == Outcome::Open
                            && task.round < ROUNDS;
                        if stop.load(Ordering::Relaxed) {
                            return;
                        }
                        if again {
                            let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
                            queue.push_back(task);
                        }
                    }
                });
            }
        });
        self.with_all_second_moves(stop)
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

    /// After two stones: rounds until it is proved.
    fn solve_second(
        &self,
        board: &Board,
        stop: &AtomicBool,
        tell: &(dyn Fn(News) + Sync),
    ) -> Outcome {
        let mut task = Task::new(None, board.clone());
        while task.round < ROUNDS && !stop.load(Ordering::Relaxed) {
            if self.round(&mut task, stop, tell) == Outcome::Won {
                return Outcome::Won;
            }
        }
        Outcome::Open
    }

    /// One round: in the first third moves race; those that are left are proved as far as the round goes.
    fn round(&self, task: &mut Task, stop: &AtomicBool, tell: &(dyn Fn(News) + Sync)) -> Outcome {
        let xy = |cell: Cell| (usize::from(cell & 15), usize::from(cell >> 4));
        let (round, second) = (task.round, task.second);
        let say = |stage, third: Option<&Third>, work| {
            tell(News {
                second: second.map(xy),
                stage,
                third: third.map(|third| xy(third.stone)),
                records: self.records.len(),
                work,
                elsewhere: Duration::ZERO,
            });
        };
        let waiting = self.wake(std::mem::take(&mut task.waiting));
        if self.records.contains(&canonical(&task.board).0) {
            say(Stage::Won, None, Work::default());
            return Outcome::Won;
        }
        task.round += 1;
        let (effort, expansions) = match task.goes_on {
            true => self.settings.going_on(round),
            false => self.settings.round(round),
        };
        let mut thirds = Vec::new();
        if round == 0 {
            say(Stage::Race, None, Work::default());
            let told = |work| say(Stage::Race, None, work);
            (thirds, task.untried) = self.race(&task.board, stop, &told);
        } else {
            // Whoever seemed good at once may have been wrong.
            task.thirds.extend(task.untried.pop());
            let mut waiting = waiting;
            for &stone in &task.thirds {
                let known = waiting.iter().position(|third| third.stone == stone);
                thirds.push(match known {
                    Some(known) => waiting.swap_remove(known),
                    None => self.third(&task.board, stone, effort.clone()),
                });
            }
        }
        let mut order: Vec<(usize, Cell)> = Vec::new();
        for mut third in thirds {
            // Whoever is much worse than another is not looked at further.
            let best = order.iter().map(|&(failures, _)| failures).min();
            let may_fail = best.map_or(MAY_FAIL, |best| not_much_worse(best).min(MAY_FAIL));
            let open = third.tree.open_replies(third.at).len();
            say(
                Stage::Proving { open, round },
                Some(&third),
                Work::default(),
            );
            let told = |third: &Third, open, work| {
                say(Stage::Proving { open, round }, Some(third), work);
            };
            if self.prove(&mut third, expansions, may_fail, stop, &told) {
                let mut good = self.good.lock().unwrap_or_else(PoisonError::into_inner);
                *good.entry(shape(&task.board, third.stone)).or_default() += 1;
                say(Stage::Won, Some(&third), Work::default());
                return Outcome::Won;
            }
            self.salvage(&third.tree, stop);
            let failures = third.failures;
            say(
                Stage::Round { failures, round },
                Some(&third),
                Work::default(),
            );
            order.push((failures, third.stone));
            if task.goes_on && self.may_wait(&third) {
                task.waiting.push(third);
            }
        }
        task.keep_best(order);
        let thirds = &task.thirds;
        task.waiting.retain(|third| thirds.contains(&third.stone));
        self.put_to_sleep(&task.waiting);
        if task.round == ROUNDS {
            say(Stage::GivenUp, None, Work::default());
        }
        Outcome::Open
    }

    /// What a tree has proved on its way is known to all others, though it has not proved what was asked.
    fn salvage(&self, tree: &Tree, stop: &AtomicBool) {
        for won in tree.won(SALVAGED) {
            // A record with a reply that nothing answers is left out; the others are as good without it.
            let _ = self.publish(tree.records_of(won), stop);
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

    /// The third moves that do best against the hardest fourth moves.
    /// And those that did not race, the best last.
    fn race(
        &self,
        board: &Board,
        stop: &AtomicBool,
        tell: &dyn Fn(Work),
    ) -> (Vec<Third>, Vec<Cell>) {
        let (effort, _) = self.settings.round(0);
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
                    return (vec![third], thirds);
                }
                third.failures = 0;
            }
            field.push(third);
        }
        for &(stay, fourths, expansions, may_fail) in &RACE[1..] {
            field.sort_by_key(|third| third.failures);
            field.truncate(stay);
            for third in &mut field {
                self.lap(third, fourths, expansions, may_fail, stop, tell);
            }
        }
        field.sort_by_key(|third| third.failures);
        (field, thirds)
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
        expansions: u64,
        may_fail: usize,
        stop: &AtomicBool,
        tell: &dyn Fn(&Third, usize, Work),
    ) -> bool {
        let threads = self.settings.threads.max(1);
        let replies = self.hardest(third);
        let (hard, mut open) = (replies.len().min(HARD), replies.len());
        let mut resist: Vec<(Cell, usize)> = Vec::new();
        third.failures = 0;
        let mut works = |third: &mut Third, reply: (Cell, usize), expansions| {
            let before = third.tree.work;
            let won = third.tree.work_on(third.at, reply, expansions, stop)
                && self.publish(third.tree.records_of(reply.1), stop).is_ok();
            open -= usize::from(won);
            tell(third, open, third.tree.work.since(before));
            won
        };
        for (number, reply) in replies.into_iter().enumerate() {
            // Those that are far away fall by what answers the others: they can wait until these have fallen.
            let vain = third.failures > may_fail || number >= hard && third.failures > 0;
            if vain || stop.load(Ordering::Relaxed) || third.tree.bytes() > self.memory_for(threads)
            {
                return false;
            }
            if !works(third, reply, expansions) {
                resist.push(reply);
                third.failures += 1;
            }
            // Few that resist are worth more work in the same tree.
            if number + 1 == hard && resist.len() <= WORTH_MORE {
                resist.retain(|&reply| !works(third, reply, MORE * expansions));
                third.failures = resist.len();
            }
        }
        third.failures == 0
            && self
                .publish(third.tree.records_of_quiet(third.at), stop)
                .is_ok()
    }

    /// Bytes that the tree of one of so many threads may take.
    fn memory_for(&self, threads: usize) -> usize {
        let taken = self.records.bytes() + self.waiting.load(Ordering::Relaxed);
        self.settings.memory.saturating_sub(taken) / threads
    }

    /// Whether there is room for a tree on which nobody works: half of the memory is for those.
    fn may_wait(&self, third: &Third) -> bool {
        let room = self.settings.memory.saturating_sub(self.records.bytes()) / 2;
        self.waiting.load(Ordering::Relaxed) + third.tree.bytes() <= room
    }

    /// Counts trees on which nobody works from now on.
    fn put_to_sleep(&self, thirds: &[Third]) {
        let bytes: usize = thirds.iter().map(|third| third.tree.bytes()).sum();
        self.waiting.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Trees that have waited are worked on again, or go.
    fn wake(&self, thirds: Vec<Third>) -> Vec<Third> {
        let bytes: usize = thirds.iter().map(|third| third.tree.bytes()).sum();
        self.waiting.fetch_sub(bytes, Ordering::Relaxed);
        thirds
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
            let (first, expansions) = self.settings.going_on(round);
            let mut at_work = tree.take().unwrap_or_else(|| {
                let effort = match round {
                    0 => first,
                    _ => self.settings.round(round).0,
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
            let goes_on = !at_work.is_hopeless(root) && at_work.bytes() < self.memory_for(1);
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
        let (effort, expansions) = self.settings.round(round);
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
        while left > 0 && !tree.is_hopeless(root) && tree.bytes() < self.memory_for(1) {
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
            if stop.load(Ordering::Relaxed) {
                break;
            }
        }
        self.salvage(tree, stop);
        Outcome::Open
    }
}

/// How many failures are not much worse than so many.
const fn not_much_worse(failures: usize) -> usize {
    failures.saturating_mul(2).saturating_add(2)
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

fn distance(one: Cell, other: Cell) -> u32 {
    let apart = |one: u8, other: u8| u32::from(one.abs_diff(other));
    apart(one & 15, other & 15).max(apart(one >> 4, other >> 4))
}
