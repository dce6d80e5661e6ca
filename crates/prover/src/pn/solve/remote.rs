//! The same search by other machines: rounds are handed out, records come back.
//!
//! Nothing of what comes back is believed. Records go through [`Solver::publish`] like those that were found here, all of an answer or
//! none; what else an answer says only decides where to look next.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt::Write as _;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tengen_rules::{Position, Rules, Side};

use super::super::journal::{Kept, framed, unframed};
use super::super::record::{Record, Records};
use super::super::{Unsuitable, board_of, empty_of};
use super::{
    Board, Cell, Encoding, Good, Limits, MOST_THIRDS, News, Outcome, ROUNDS, Settings, Solver,
    Stage, Third, Work, canonical, may_fail, not_much_worse, praise, xy,
};

/// Column and row, from 0.
type Xy = (usize, usize);

/// What somebody else is to do: one round of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Round {
    /// Names it among those of a search.
    pub number: u64,
    /// The position as a set-up.
    pub position: String,
    /// Which round.
    pub round: usize,
    /// The third moves that are to be proved; none in the first round, in which they race, and after more than two stones.
    pub thirds: Vec<Xy>,
}

/// What came of a round.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Findings {
    /// Whether it is over; if not, what was found until it was stopped is here.
    pub finished: bool,
    /// Third moves, and how many fourth moves resisted.
    pub thirds: Vec<(Xy, usize)>,
    /// Third moves that lost the race or did not race because another did well at once, the best last.
    pub untried: Vec<Xy>,
    /// What was proved, as a journal has it.
    #[serde(with = "hexadecimal")]
    pub records: Vec<u8>,
    /// What was done.
    pub work: Work,
}

/// Why an answer is not taken. Nobody who is honest gives such an answer.
#[derive(Debug, Copy, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// Bytes that are no records.
    #[error("what it sent are no records of this board")]
    NoRecords,
    /// A record leaves a reply without an answer.
    #[error("a record that it sent does not win against every reply")]
    NoProof,
    /// Third moves that cannot be played.
    #[error("it named a third move that cannot be played")]
    NoMove,
}

/// An answer was taken.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Taken {
    /// The round is not over: it is to be asked again.
    pub again: bool,
    /// Rounds that are out and pointless now.
    pub pointless: Vec<u64>,
}

/// A search whose rounds others do.
#[derive(Debug)]
pub struct Rounds<'a> {
    solver: &'a Solver,
    tasks: Vec<Task>,
    ready: VecDeque<Asked>,
    out: HashMap<u64, Asked>,
    next: u64,
}

/// A position on which others work.
#[derive(Debug)]
struct Task {
    second: Option<Cell>,
    board: Board,
    round: usize,
    /// Third moves that lost the race or did not race because another did well at once, the best last.
    untried: Vec<Cell>,
    /// Rounds that are not back.
    left: usize,
    /// Third moves of this round, with the fourth moves that resisted.
    order: Vec<(usize, Cell)>,
    /// How often nobody could do a round.
    lost: u32,
    over: bool,
}

impl Task {
    const fn new(second: Option<Cell>, board: Board) -> Self {
        Self {
            second,
            board,
            round: 0,
            untried: Vec::new(),
            left: 0,
            order: Vec::new(),
            lost: 0,
            over: false,
        }
    }

    /// Goes on to the next round: its third moves are those that are not much worse than the best, and the next that is untried.
    fn next_round(&mut self) -> Vec<Cell> {
        self.round += 1;
        let mut order = std::mem::take(&mut self.order);
        // Stable: whoever did better in the race goes first among equals.
        order.sort_by_key(|&(failures, _)| failures);
        let best = order.first().map_or(0, |&(failures, _)| failures);
        order.retain(|&(failures, _)| failures <= not_much_worse(best));
        order.truncate(MOST_THIRDS);
        let mut thirds: Vec<Cell> = order.into_iter().map(|(_, stone)| stone).collect();
        thirds.extend(self.untried.pop());
        thirds
    }
}

/// A round, and the task that it belongs to.
#[derive(Debug, Clone)]
struct Asked {
    task: usize,
    round: usize,
    thirds: Vec<Cell>,
}

/// A position is given up when its rounds were lost so often.
const MOST_LOST: u32 = 5;

/// Nobody has done more in one round.
const MOST_WORK: u64 = 1 << 48;

impl<'a> Rounds<'a> {
    /// Of everything that has to be proved.
    pub fn of(solver: &'a Solver) -> Self {
        let tasks: Vec<Task> = match solver.root.len() {
            0 => {
                let seconds = solver.second_moves().into_iter();
                let task = |(second, board)| Task::new(Some(second), board);
                seconds.map(task).collect()
            }
            _ => vec![Task::new(None, solver.board_with(&solver.root))],
        };
        let mut rounds = Self {
            solver,
            tasks: Vec::new(),
            ready: VecDeque::new(),
            out: HashMap::new(),
            next: 0,
        };
        for task in tasks {
            let is_direct = task.board.count() != 2;
            rounds.tasks.push(task);
            let number = rounds.tasks.len() - 1;
            // After four stones and more the ways to search do not depend on each other: all of them at once.
            for round in 0..if is_direct { ROUNDS } else { 1 } {
                rounds.ask(number, round, Vec::new());
            }
        }
        rounds
    }

    fn ask(&mut self, task: usize, round: usize, thirds: Vec<Cell>) {
        self.tasks[task].left += 1;
        self.ready.push_back(Asked {
            task,
            round,
            thirds,
        });
    }

    /// What somebody should do next; `None` if nothing is to be done until answers come.
    pub fn next(&mut self, tell: &dyn Fn(News)) -> Option<Round> {
        while let Some(asked) = self.ready.pop_front() {
            let task = &self.tasks[asked.task];
            if task.over {
                continue;
            }
            if self.solver.records.contains(&canonical(&task.board).0) {
                self.end_task(asked.task, Stage::Won, tell);
                continue;
            }
            self.say(tell, asked.task, self.at_work(&asked), None);
            let number = self.next;
            self.next += 1;
            let round = Round {
                number,
                position: setup_of(&task.board),
                round: asked.round,
                thirds: asked.thirds.iter().map(|&cell| xy(cell)).collect(),
            };
            self.out.insert(number, asked);
            return Some(round);
        }
        None
    }

    /// Whether nothing is left to be done, and nobody does anything.
    pub fn is_over(&self) -> bool {
        self.ready.is_empty() && self.out.is_empty()
    }

    /// Looks at an answer and takes it, all of it or nothing. `elsewhere` is the time that it took the other's processor. Only what
    /// was refused is still out.
    pub fn take(
        &mut self,
        number: u64,
        answer: &Findings,
        elsewhere: Duration,
        stop: &AtomicBool,
        tell: &dyn Fn(News),
    ) -> Result<Taken, Refused> {
        let Some(asked) = self.out.get(&number).cloned() else {
            return Ok(Taken::default());
        };
        let solver = self.solver;
        let board = self.tasks[asked.task].board.clone();
        let thirds = answer.thirds.iter().map(|&(third, _)| third);
        let stones = playable(&board, thirds).ok_or(Refused::NoMove)?;
        let untried = playable(&board, answer.untried.iter().copied()).ok_or(Refused::NoMove)?;
        let size = board.size();
        let records = unframed(size, &answer.records).ok_or(Refused::NoRecords)?;
        if !records.iter().all(|record| record.is_proper(&solver.empty)) {
            return Err(Refused::NoRecords);
        }
        solver
            .publish(records, stop)
            .map_err(|_| Refused::NoProof)?;
        self.tell_work(tell, &asked, answer.work, elsewhere);

        let mut taken = Taken::default();
        if solver.records.contains(&canonical(&board).0) {
            self.out.remove(&number);
            taken.pointless = self.end_task(asked.task, Stage::Won, tell);
        } else if !answer.finished {
            taken.again = true;
        } else {
            self.out.remove(&number);
            if asked.round == 0 && board.count() == 2 {
                self.tasks[asked.task].untried = untried;
            }
            // Who was asked about one third move says nothing about others, and after more stones there are none.
            let is_asked = |stone| {
                let is_one = asked.thirds.is_empty() || asked.thirds.contains(&stone);
                is_one && board.count() == 2
            };
            let tried = answer.thirds.iter().map(|&(_, failures)| failures);
            for (failures, stone) in tried.zip(stones).filter(|&(_, stone)| is_asked(stone)) {
                self.tasks[asked.task].order.push((failures, stone));
                let round = asked.round;
                let stage = Stage::Round { failures, round };
                self.say(tell, asked.task, stage, Some(stone));
            }
            self.is_back(&asked, tell);
        }
        Ok(taken)
    }

    /// Nobody could do it.
    pub fn lost(&mut self, number: u64, tell: &dyn Fn(News)) {
        let Some(asked) = self.out.remove(&number) else {
            return;
        };
        let task = &mut self.tasks[asked.task];
        task.lost += 1;
        if task.lost > MOST_LOST {
            self.is_back(&asked, tell);
        } else {
            self.ready.push_back(asked);
        }
    }

    /// One round less is out. When all are back, the next ones are asked for.
    fn is_back(&mut self, asked: &Asked, tell: &dyn Fn(News)) {
        let number = asked.task;
        let task = &mut self.tasks[number];
        task.left -= 1;
        if task.left > 0 {
            self.say(tell, number, self.at_work(asked), None);
            return;
        }
        let thirds = task.next_round();
        let round = task.round;
        if thirds.is_empty() || round >= ROUNDS {
            self.end_task(number, Stage::GivenUp, tell);
            return;
        }
        // Each third move is worked on by somebody else.
        for third in thirds {
            self.ask(number, round, vec![third]);
        }
    }

    /// Nothing more is to be done for a task; its rounds that are out are of no use.
    fn end_task(&mut self, number: usize, stage: Stage, tell: &dyn Fn(News)) -> Vec<u64> {
        self.tasks[number].over = true;
        self.ready.retain(|asked| asked.task != number);
        let out = self.out.iter().filter(|(_, asked)| asked.task == number);
        let pointless: Vec<u64> = out.map(|(&number, _)| number).collect();
        for number in &pointless {
            self.out.remove(number);
        }
        let third = self.winner(number).filter(|_| stage == Stage::Won);
        self.say(tell, number, stage, third);
        pointless
    }

    /// Black's move in the position of a task, if it is known to win.
    fn winner(&self, number: usize) -> Option<Cell> {
        let board = &self.tasks[number].board;
        let (position, there) = canonical(board);
        let record = self.solver.records.get(board.size(), &position)?;
        Some(
            there
                .inverse(board.size())
                .apply(board.size(), record.stone),
        )
    }

    /// What came of it all.
    ///
    /// # Errors
    ///
    /// If the journal could not be written.
    pub fn end(self, stop: &AtomicBool) -> io::Result<Outcome> {
        let solver = self.solver;
        let outcome = if solver.records.contains(&solver.root()) {
            Outcome::Won
        } else if solver.root.is_empty() {
            solver.with_all_second_moves(stop)
        } else {
            Outcome::Open
        };
        solver.unless_failed(outcome)
    }

    /// How far a position is while somebody does this round.
    fn at_work(&self, asked: &Asked) -> Stage {
        let round = asked.round;
        match (round, self.tasks[asked.task].board.count()) {
            (0, 2) => Stage::Race,
            _ => Stage::Proving { open: 0, round },
        }
    }

    fn say(&self, tell: &dyn Fn(News), task: usize, stage: Stage, third: Option<Cell>) {
        tell(self.news(task, stage, third));
    }

    fn news(&self, task: usize, stage: Stage, third: Option<Cell>) -> News {
        News {
            second: self.tasks[task].second.map(xy),
            stage,
            third: third.map(xy),
            records: self.solver.records.len(),
            work: Work::default(),
            elsewhere: Duration::ZERO,
        }
    }

    fn tell_work(&self, tell: &dyn Fn(News), asked: &Asked, work: Work, elsewhere: Duration) {
        let within = |count: u64| count.min(MOST_WORK);
        let news = self.news(asked.task, self.at_work(asked), None);
        tell(News {
            work: Work {
                expansions: within(work.expansions),
                searches: within(work.searches),
                unknown: within(work.unknown),
                replays: within(work.replays),
                nodes: within(work.nodes),
            },
            elsewhere,
            ..news
        });
    }
}

impl Solver {
    /// What the journal has from this place on, in pieces of about so many bytes that [`Helper::learn`] understands; the first is at 0.
    /// Nothing if no journal is kept.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn kept(&self, from: u64, most: usize) -> io::Result<Vec<u8>> {
        match &*self.kept.lock().unwrap_or_else(PoisonError::into_inner) {
            Kept::Journal(journal) => journal.frames(from, most),
            Kept::Nowhere | Kept::Fresh(_) => Ok(Vec::new()),
        }
    }
}

/// Does rounds for a search somewhere else: what that one has proved is known here, and what is proved here is told.
#[derive(Debug)]
pub struct Helper {
    empty: Board,
    settings: Settings,
    records: Arc<Records>,
    kept: Arc<Mutex<Kept>>,
    good: Arc<Mutex<Good>>,
}

impl Helper {
    /// For searches of this game. The memory of the settings is for all threads together.
    ///
    /// # Errors
    ///
    /// If it is another game.
    pub fn new(rules: Rules, settings: Settings) -> Result<Self, Unsuitable> {
        Ok(Self {
            empty: empty_of(rules)?,
            settings,
            records: Arc::default(),
            kept: Arc::new(Mutex::new(Kept::Fresh(HashSet::new()))),
            good: Arc::default(),
        })
    }

    /// A piece of the journal of the search ([`Solver::kept`]). It is believed: whoever is told something false answers something false, and that is
    /// not believed there. Says whether it can be read.
    pub fn learn(&self, piece: &[u8]) -> bool {
        let size = self.empty.size();
        let Some(records) = unframed(size, piece) else {
            return false;
        };
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        for record in records
            .iter()
            .filter(|record| record.is_proper(&self.empty))
        {
            if self.records.insert(size, record) {
                self.praise(record);
            } else if let Kept::Fresh(fresh) = &mut *kept {
                fresh.remove(&record.position);
            }
        }
        true
    }

    /// Third moves that have won elsewhere are tried first.
    fn praise(&self, record: &Record) {
        if record.position.len() == 2 {
            let stones = super::super::symmetry::stones_of(self.empty.size(), &record.position);
            let mut board = self.empty.clone();
            for (side, cell) in stones {
                board.place(side, cell);
            }
            praise(&self.good, &board, record.stone);
        }
    }

    /// Positions that are known to be won.
    pub fn count(&self) -> usize {
        self.records.len()
    }

    /// Does a round of this position; `None` if it is no position of this game with Black to move, or has no such third moves.
    pub fn work(
        &self,
        position: &Position,
        round: usize,
        thirds: &[Xy],
        stop: &AtomicBool,
    ) -> Option<Findings> {
        let board = board_of(position).filter(|board| board.size() == self.empty.size())?;
        let stones: Vec<(Side, Cell)> = board.placed().collect();
        let black = stones.iter().filter(|stone| stone.0 == Side::Black);
        let is_ours = board.wins() == self.empty.wins()
            && position.to_move() == Side::Black
            && black.count() * 2 == stones.len()
            && stones.len() >= 2
            && round < ROUNDS;
        let thirds = playable(&board, thirds.iter().copied()).filter(|_| is_ours)?;

        let solver = self.solver();
        let answer = Mutex::new(Findings::default());
        let lock = || answer.lock().unwrap_or_else(PoisonError::into_inner);
        let tell = |news: News| {
            let mut answer = lock();
            answer.work += news.work;
            if let (Stage::Round { failures, .. }, Some(third)) = (news.stage, news.third) {
                answer.thirds.push((third, failures));
            }
        };
        if stones.len() == 2 {
            let untried = solver.round_of_thirds(&board, round, thirds, stop, &tell);
            lock().untried = untried.into_iter().map(xy).collect();
        } else {
            solver.round_directly(&board, round, stop, &tell);
        }
        let mut answer = lock().clone();
        answer.finished = !stop.load(Ordering::Relaxed);
        answer.records = self.fresh();
        Some(answer)
    }

    fn solver(&self) -> Solver {
        let (known, threads) = (self.records.bytes(), self.settings.threads.max(1));
        let share = self.settings.memory.saturating_sub(known) / threads;
        let settings = Settings {
            threads: 1,
            memory: known + share,
            ..self.settings.clone()
        };
        Solver {
            records: Arc::clone(&self.records),
            kept: Arc::clone(&self.kept),
            good: Arc::clone(&self.good),
            ..Solver::new(self.empty.clone(), Vec::new(), settings)
        }
    }

    /// All that the search does not have yet, as far as is known here: whatever an answer rests on is in it, or was told by the search.
    fn fresh(&self) -> Vec<u8> {
        let size = self.empty.size();
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let mut positions: Vec<&Encoding> = match &*kept {
            Kept::Fresh(fresh) => fresh.iter().collect(),
            Kept::Nowhere | Kept::Journal(_) => Vec::new(),
        };
        // The same findings are the same bytes.
        positions.sort_unstable();
        let found = positions.into_iter();
        let found: Vec<Record> = found
            .filter_map(|position| self.records.get(size, position))
            .collect();
        framed(size, &found)
    }
}

impl Solver {
    /// One round of third moves, with new trees; in the first they race for it. Says which others there are.
    fn round_of_thirds(
        &self,
        board: &Board,
        round: usize,
        stones: Vec<Cell>,
        stop: &AtomicBool,
        tell: &dyn Fn(News),
    ) -> Vec<Cell> {
        let say = |stage, third: Option<&Third>, work| {
            tell(News {
                second: None,
                stage,
                third: third.map(|third| xy(third.stone)),
                records: self.records.len(),
                work,
                elsewhere: Duration::ZERO,
            });
        };
        if self.records.contains(&canonical(board).0) {
            return Vec::new();
        }
        let (effort, expansions) = self.settings.round_elsewhere(round);
        let (thirds, untried) = if round == 0 {
            self.race(board, stop, &|work| say(Stage::Race, None, work))
        } else {
            let stones = stones.into_iter();
            let thirds = stones.map(|stone| self.third(board, stone, effort.clone()));
            (thirds.collect(), Vec::new())
        };
        let over = || stop.load(Ordering::Relaxed);
        let mut best: Option<usize> = None;
        for mut third in thirds {
            let limits = Limits {
                expansions,
                may_fail: may_fail(best),
                threads: self.settings.threads.max(1),
                stop,
                over: &over,
            };
            let told = |third: &Third, open, work| {
                say(Stage::Proving { open, round }, Some(third), work);
            };
            if self.prove(&mut third, &limits, &told) {
                praise(&self.good, board, third.stone);
                break;
            }
            self.salvage(&third.tree, stop);
            let failures = third.failures;
            let stage = Stage::Round { failures, round };
            say(stage, Some(&third), Work::default());
            best = best.into_iter().chain([failures]).min();
        }
        untried
    }
}

/// These cells, if they are empty ones of the board, each once.
fn playable(board: &Board, cells: impl Iterator<Item = Xy>) -> Option<Vec<Cell>> {
    let (width, height) = board.size();
    let mut found = Vec::new();
    for (x, y) in cells {
        let cell = (x < width && y < height).then(|| Board::at(x, y))?;
        if board.stone(cell).is_some() || found.contains(&cell) {
            return None;
        }
        found.push(cell);
    }
    Some(found)
}

/// `B:H8,I9 W:L10,G7 to-move:B`.
fn setup_of(board: &Board) -> String {
    let of = |wanted: Side| {
        let stones = board.placed().filter(move |(side, _)| *side == wanted);
        let cells = stones.map(|(_, cell)| {
            let (x, y) = xy(cell);
            tengen_rules::Cell::new(x as i16, y as i16).to_string()
        });
        cells.collect::<Vec<_>>().join(",")
    };
    let (mut text, white) = (format!("B:{}", of(Side::Black)), of(Side::White));
    let _ = write!(text, " W:{white} to-move:B");
    text
}

/// Bytes as text.
mod hexadecimal {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    const DIGITS: &[u8; 16] = b"0123456789abcdef";

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        let mut text = String::with_capacity(2 * bytes.len());
        for byte in bytes {
            text.push(char::from(DIGITS[usize::from(byte >> 4)]));
            text.push(char::from(DIGITS[usize::from(byte & 15)]));
        }
        serializer.serialize_str(&text)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(input)?;
        let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
        let pair = |two: &[u8]| match *two {
            [high, low] => Some(digit(high)? << 4 | digit(low)?),
            _ => None,
        };
        let bytes: Option<Vec<u8>> = text.as_bytes().chunks(2).map(pair).collect();
        bytes.ok_or_else(|| D::Error::custom("these are no hexadecimal digits"))
    }
}
