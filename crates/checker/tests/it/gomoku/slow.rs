//! The definitions of `docs/gomoku-format.md` once more, as slowly as they are written: cells are
//! tried, rows of stones are measured.

use super::data::{Database, Record, Strategy};

pub(super) const BLACK: u8 = 1;
pub(super) const WHITE: u8 = 2;

/// A board; 0 is an empty cell.
#[derive(Clone)]
pub(super) struct SlowBoard {
    pub(super) width: i32,
    pub(super) height: i32,
    pub(super) exact: bool,
    pub(super) stones: Vec<u8>,
    /// How often a four of White's was answered without a child of the strategy.
    pub(super) interposed: u64,
}

impl SlowBoard {
    pub(super) fn new(width: u8, height: u8, exact: bool, black: &[u8], white: &[u8]) -> Self {
        let mut stones = vec![0; usize::from(width) * usize::from(height)];
        black.iter().for_each(|&c| stones[usize::from(c)] = BLACK);
        white.iter().for_each(|&c| stones[usize::from(c)] = WHITE);
        Self {
            width: width.into(),
            height: height.into(),
            exact,
            stones,
            interposed: 0,
        }
    }

    pub(super) fn of(database: &Database, record: &Record) -> Self {
        let (width, height) = (database.width, database.height);
        Self::new(width, height, database.exact, &record.black, &record.white)
    }

    pub(super) fn set(&mut self, cell: u8, stone: u8) {
        self.stones[usize::from(cell)] = stone;
    }

    pub(super) fn is_empty(&self, cell: u8) -> bool {
        self.stones[usize::from(cell)] == 0
    }

    pub(super) fn cells_with(&self, stone: u8) -> Vec<u8> {
        let cells = 0..self.stones.len() as u8;
        cells
            .filter(|&c| self.stones[usize::from(c)] == stone)
            .collect()
    }

    pub(super) fn empties(&self) -> Vec<u8> {
        self.cells_with(0)
    }

    fn at(&self, x: i32, y: i32) -> Option<u8> {
        let inside = x >= 0 && y >= 0 && x < self.width && y < self.height;
        inside.then(|| self.stones[(y * self.width + x) as usize])
    }

    /// Whether a stone of this side on this cell is part of a row that wins.
    pub(super) fn wins_on(&self, cell: u8, side: u8) -> bool {
        let (x, y) = (i32::from(cell) % self.width, i32::from(cell) / self.width);
        [(1, 0), (0, 1), (1, 1), (1, -1)]
            .into_iter()
            .any(|(dx, dy)| {
                let run = |sign: i32| {
                    (1..)
                        .take_while(|i| self.at(x + sign * i * dx, y + sign * i * dy) == Some(side))
                        .count()
                };
                let length = 1 + run(1) + run(-1);
                if self.exact { length == 5 } else { length >= 5 }
            })
    }

    pub(super) fn has_line(&self, side: u8) -> bool {
        let own = self.cells_with(side);
        own.into_iter().any(|cell| self.wins_on(cell, side))
    }

    pub(super) fn fives(&self, side: u8) -> Vec<u8> {
        let mut cells = self.empties();
        cells.retain(|&cell| self.wins_on(cell, side));
        cells
    }

    /// The fives of a side with one more stone of its.
    fn fives_with(&mut self, cell: u8, side: u8) -> Vec<u8> {
        self.set(cell, side);
        let fives = self.fives(side);
        self.set(cell, 0);
        fives
    }

    /// Each double with its fives.
    fn doubles(&mut self, side: u8) -> Vec<(u8, Vec<u8>)> {
        let mut doubles = Vec::new();
        for cell in self.empties() {
            let fives = self.fives_with(cell, side);
            if fives.len() >= 2 && !self.wins_on(cell, side) {
                doubles.push((cell, fives));
            }
        }
        doubles
    }

    /// A five or a double at hand: *turn* without a strategy.
    pub(super) fn wins_at_once(&mut self) -> bool {
        !self.fives(BLACK).is_empty()
            || self.fives(WHITE).is_empty() && !self.doubles(BLACK).is_empty()
    }

    /// The replies that must be answered after the attacker's move; `None` if it fails.
    pub(super) fn replies(&mut self) -> Option<Vec<u8>> {
        if !self.fives(WHITE).is_empty() {
            return None;
        }
        let fives = self.fives(BLACK);
        match fives.len() {
            0 => {}
            1 => return Some(fives),
            _ => return Some(Vec::new()),
        }
        let doubles = self.doubles(BLACK);
        if doubles.is_empty() {
            return None;
        }
        let mut replies = self.empties();
        replies.retain(|&reply| {
            let stops = doubles.iter().all(|(double, fives)| {
                reply == *double || fives.len() == 2 && fives.contains(&reply)
            });
            stops || !self.fives_with(reply, WHITE).is_empty()
        });
        Some(replies)
    }

    pub(super) fn turn(&mut self, strategy: Option<&Strategy>) -> bool {
        if !self.fives(BLACK).is_empty() {
            return true;
        }
        let threats = self.fives(WHITE);
        if threats.is_empty() && !self.doubles(BLACK).is_empty() {
            return true;
        }
        let Some(strategy) = strategy else {
            return false;
        };
        let cell = strategy.cell;
        if threats.len() > 1 || threats.iter().any(|&five| five != cell) || !self.is_empty(cell) {
            return false;
        }
        self.set(cell, BLACK);
        let wins = self.reply(strategy);
        self.set(cell, 0);
        wins
    }

    fn reply(&mut self, strategy: &Strategy) -> bool {
        let Some(replies) = self.replies() else {
            return false;
        };
        replies.into_iter().all(|reply| {
            self.set(reply, WHITE);
            let wins = match strategy.child(reply) {
                Some(child) => self.turn(Some(child)),
                None => self.without_child(strategy),
            };
            self.set(reply, 0);
            wins
        })
    }

    fn without_child(&mut self, strategy: &Strategy) -> bool {
        if !self.fives(BLACK).is_empty() {
            return true;
        }
        match self.fives(WHITE)[..] {
            [] => self.turn(None),
            [block] => {
                self.interposed += 1;
                self.set(block, BLACK);
                let wins = self.reply(strategy);
                self.set(block, 0);
                wins
            }
            _ => false,
        }
    }

    /// What a strategy that is played through promises, played out: White tries every cell, Black plays
    /// a five, blocks one, plays a double or follows the strategy, until a five is on the board.
    pub(super) fn black_wins_the_game(
        &mut self,
        plan: Option<&Strategy>,
        standing: Option<&Strategy>,
    ) -> bool {
        assert!(!self.has_line(WHITE) && !self.has_line(BLACK));
        if let Some(&five) = self.fives(BLACK).first() {
            self.set(five, BLACK);
            assert!(self.has_line(BLACK));
            self.set(five, 0);
            return true;
        }
        let threats = self.fives(WHITE);
        let double = self.doubles(BLACK).first().map(|double| double.0);
        let (cell, then) = match (plan, threats.first(), double) {
            (None, Some(&block), _) => (block, standing),
            (_, None, Some(double)) => (double, None),
            (Some(plan), _, _) => (plan.cell, Some(plan)),
            (None, None, None) => return false,
        };
        if !self.is_empty(cell) {
            return false;
        }
        self.set(cell, BLACK);
        let replies = self.empties();
        let wins = !replies.is_empty()
            && replies.into_iter().all(|reply| {
                self.set(reply, WHITE);
                let child = then.and_then(|then| then.child(reply));
                let wins = !self.has_line(WHITE) && self.black_wins_the_game(child, then);
                self.set(reply, 0);
                wins
            });
        self.set(cell, 0);
        wins
    }
}

/// Where a database that can be read fails first: the record, and the reply if it comes to that.
pub(super) type Fault = (Option<usize>, Option<u8>);

/// Where a database fails; `None` if it proves its claim.
pub(super) fn fault(database: &Database) -> Option<Fault> {
    let root = database.canonical(&database.root.0, &database.root.1);
    if !database.has(&root) {
        return Some((None, None));
    }
    let records = database.records.iter().enumerate();
    records
        .filter_map(|(number, record)| Some((Some(number), fault_of(database, record)?)))
        .next()
}

/// Whether a record holds if the others do.
pub(super) fn holds(database: &Database, record: &Record) -> bool {
    fault_of(database, record).is_none()
}

/// The first reply that a record does not answer; `Some(None)` if it fails before that.
fn fault_of(database: &Database, record: &Record) -> Option<Option<u8>> {
    let mut board = SlowBoard::of(database, record);
    if board.has_line(BLACK) || board.has_line(WHITE) {
        return Some(None);
    }
    board.set(record.cell, BLACK);
    if board.has_line(BLACK) {
        return None;
    }
    let replies = board.empties();
    if !board.fives(WHITE).is_empty() || replies.is_empty() {
        return Some(None);
    }
    let unanswered = replies.into_iter().find(|&reply| {
        board.set(reply, WHITE);
        let (black, white) = (board.cells_with(BLACK), board.cells_with(WHITE));
        let won = database.has(&database.canonical(&black, &white))
            || board.turn(None)
            || record.strategies.iter().any(|s| board.turn(Some(s)));
        board.set(reply, 0);
        !won
    });
    unanswered.map(Some)
}
