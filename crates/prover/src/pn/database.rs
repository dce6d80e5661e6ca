//! The proof of a position as one file (`docs/gomoku-format.md`), and playing by it.

use tengen_rules::Side;

use super::board::{Board, LARGEST};
use super::cells::Cell;
use super::patterns::Fives;
use super::record::{Record, turned};
use super::solve::Solver;
use super::strategy::{AtHand, Strategy, at_hand, wins};
use super::symmetry::{Encoding, Symmetry, canonical, canonical_of, stones_of};

const MAGIC: &[u8; 8] = b"TENGENGM";
const VERSION: u8 = 1;

impl Solver {
    /// The proof of the root: all records that it needs, and no others; `None` if it is not proved.
    pub fn database(&self) -> Option<Vec<u8>> {
        let empty = self.empty();
        let size = empty.size();
        let root = self.root();
        let mut found: Vec<Record> = Vec::new();
        let mut seen = std::collections::HashSet::from([root.clone()]);
        let mut waiting = vec![root.clone()];
        while let Some(position) = waiting.pop() {
            let record = self.records.get(size, &position)?;
            for after in open_after(empty, &record) {
                if seen.insert(after.clone()) {
                    waiting.push(after);
                }
            }
            found.push(record);
        }
        found.sort_by(|one, other| {
            let key = |record: &Record| (record.position.len(), record.position.clone());
            key(one).cmp(&key(other))
        });
        let mut bytes = MAGIC.to_vec();
        bytes.extend([VERSION, size.0 as u8, size.1 as u8, empty.wins() as u8]);
        bytes.push(root.len() as u8);
        bytes.extend_from_slice(&root);
        bytes.extend_from_slice(&(found.len() as u32).to_le_bytes());
        for record in &found {
            record.write(size, &mut bytes);
        }
        Some(bytes)
    }
}

impl Solver {
    /// Whether Black is known to win with these stones on the board, to move.
    pub fn knows(&self, stones: impl IntoIterator<Item = (Side, (usize, usize))>) -> bool {
        let place = |(side, (x, y))| (side, Board::at(x, y));
        let stones: Vec<(Side, Cell)> = stones.into_iter().map(place).collect();
        self.records
            .contains(&canonical_of(self.empty().size(), &stones).0)
    }
}

/// The positions after replies that neither the strategies nor what is at hand answers.
fn open_after(empty: &Board, record: &Record) -> Vec<Encoding> {
    let mut board = empty.clone();
    for (side, cell) in stones_of(board.size(), &record.position) {
        board.place(side, cell);
    }
    if board.fives(Side::Black).contains(record.stone) {
        return Vec::new();
    }
    board.place(Side::Black, record.stone);
    let mut open = Vec::new();
    for reply in board.empty().iter() {
        board.place(Side::White, reply);
        let strategies = || record.strategies.iter().map(Vec::as_slice);
        let answered = std::iter::once([].as_slice())
            .chain(strategies())
            .any(|strategy| wins(&mut board, Side::Black, strategy));
        if !answered {
            open.push(canonical(&board).0);
        }
        board.undo();
    }
    open
}

/// Why a file is not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DatabaseError {
    /// It begins with something else.
    #[error("this is not a proof of Go-Moku: it does not begin with TENGENGM, version 1")]
    NotOne,
    /// It has a board or a rule that does not exist.
    #[error("its board is {0}x{1}, rule {2}: boards have 5 to 15 cells a side, rules are 0 and 1")]
    Board(u8, u8, u8),
    /// What it proves is no position with Black to move.
    #[error("the position that it proves is damaged")]
    Root,
    /// It ends too early or has something that is no record.
    #[error("record {0} is damaged")]
    Record(usize),
}

/// A proof to play by. It is believed: whether it is right, `tengen check` says.
#[derive(Debug)]
pub struct Database {
    empty: Board,
    root: Encoding,
    bytes: Vec<u8>,
    /// Where each record begins, in the order of their positions.
    starts: Vec<usize>,
}

/// What Black plays by a proof.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum Play {
    /// A record has this move.
    Known {
        /// Column and row, from 0.
        cell: (usize, usize),
    },
    /// It is part of a win by threats.
    Threat {
        /// Column and row, from 0.
        cell: (usize, usize),
    },
    /// It completes a five.
    Five {
        /// Column and row, from 0.
        cell: (usize, usize),
    },
}

impl Play {
    /// Where.
    pub const fn cell(self) -> (usize, usize) {
        match self {
            Self::Known { cell } | Self::Threat { cell } | Self::Five { cell } => cell,
        }
    }
}

/// Where one is in the proof.
enum Following {
    /// At records only.
    Records,
    /// After a step of a strategy.
    Strategy { strategy: Strategy, step: usize },
    /// Black takes what is at hand.
    AtHand,
}

impl Database {
    /// Reads a file.
    pub fn read(bytes: Vec<u8>) -> Result<Self, DatabaseError> {
        let Some([VERSION, width, height, rule, count]) = bytes
            .strip_prefix(MAGIC)
            .and_then(|rest| rest.first_chunk::<5>())
        else {
            return Err(DatabaseError::NotOne);
        };
        let fits = |side: u8| (5..LARGEST as u8).contains(&side);
        if !fits(*width) || !fits(*height) || *rule > 1 {
            return Err(DatabaseError::Board(*width, *height, *rule));
        }
        let size = (usize::from(*width), usize::from(*height));
        let wins = if *rule == 0 {
            Fives::OrMore
        } else {
            Fives::Exactly
        };
        let first = MAGIC.len() + 5;
        let end = first + usize::from(*count);
        let root = bytes.get(first..end).ok_or(DatabaseError::Root)?;
        let mut cells = root.to_vec();
        cells.sort_unstable();
        cells.dedup();
        let within = |&cell: &u8| usize::from(cell) < size.0 * size.1;
        if count % 2 != 0 || cells.len() != root.len() || !cells.iter().all(within) {
            return Err(DatabaseError::Root);
        }
        let root = Encoding::from(root);
        let number = bytes
            .get(end..end + 4)
            .and_then(|four| four.first_chunk::<4>());
        let number = u32::from_le_bytes(*number.ok_or(DatabaseError::Record(0))?) as usize;
        let mut starts = Vec::new();
        let mut at = end + 4;
        while at < bytes.len() {
            let read = Record::read(size, &bytes[at..]);
            let (_, used) = read.ok_or(DatabaseError::Record(starts.len()))?;
            starts.push(at);
            at += used;
        }
        if starts.len() != number {
            return Err(DatabaseError::Record(starts.len()));
        }
        Ok(Self {
            empty: Board::new(size.0, size.1, wins),
            root,
            bytes,
            starts,
        })
    }

    /// Columns and rows.
    pub const fn size(&self) -> (usize, usize) {
        self.empty.size()
    }

    /// Which fives win.
    pub const fn wins(&self) -> Fives {
        self.empty.wins()
    }

    /// How many positions it has.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The position that it proves, Black's stones first; columns and rows from 0.
    pub fn root(&self) -> Vec<(Side, (usize, usize))> {
        let stones = stones_of(self.size(), &self.root);
        stones
            .into_iter()
            .map(|(side, cell)| (side, xy(cell)))
            .collect()
    }

    /// How many records have so many stones: Table 5.1 of Allis at even depths.
    pub fn depths(&self) -> Vec<usize> {
        let mut depths = Vec::new();
        for &start in &self.starts {
            let stones = usize::from(self.bytes[start]);
            depths.resize(depths.len().max(stones + 1), 0);
            depths[stones] += 1;
        }
        depths
    }

    /// How many positions have so many stones, up to symmetry: records, and at odd depths what Black's moves lead to.
    pub fn plies(&self) -> Vec<usize> {
        let size = self.size();
        let mut plies = self.depths();
        plies.push(0);
        let mut after = std::collections::HashSet::new();
        let records = self.starts.iter();
        for (record, _) in records.filter_map(|&start| Record::read(size, &self.bytes[start..])) {
            let mut stones = stones_of(size, &record.position);
            stones.push((Side::Black, record.stone));
            if after.insert(canonical_of(size, &stones).0) {
                plies[stones.len()] += 1;
            }
        }
        plies
    }

    /// Whether these stones, with Black to move, are the position that it proves, up to symmetry.
    pub fn is_root(&self, stones: impl IntoIterator<Item = (Side, (usize, usize))>) -> bool {
        let place = |(side, (x, y))| (side, Board::at(x, y));
        let stones: Vec<(Side, Cell)> = stones.into_iter().map(place).collect();
        canonical_of(self.size(), &stones).0 == canonical_of(self.size(), &self.stones()).0
    }

    fn stones(&self) -> Vec<(Side, Cell)> {
        stones_of(self.size(), &self.root)
    }

    fn record(&self, position: &[u8]) -> Option<Record> {
        let key = |start: usize| {
            let count = usize::from(self.bytes[start]);
            (count, &self.bytes[start + 1..start + 1 + count])
        };
        let wanted = (position.len(), position);
        let found = self
            .starts
            .binary_search_by(|&start| key(start).cmp(&wanted));
        let (record, _) = Record::read(self.size(), &self.bytes[self.starts[found.ok()?]..])?;
        Some(record)
    }

    /// What Black, who is to move, plays after these moves, black and white in turn, from the [root](Self::root) as it stands
    /// there; `None` if the moves leave the proof. Whether somebody has won before is not looked at.
    pub fn play(&self, moves: &[(usize, usize)]) -> Option<Play> {
        let mut board = self.empty.clone();
        for (side, cell) in self.stones() {
            board.place(side, cell);
        }
        self.play_on(board, moves)
    }

    /// The same after the moves of a game from the empty board. The first ones lead to the position that the file proves, in any order and
    /// orientation.
    pub fn play_game(&self, moves: &[(usize, usize)]) -> Option<Play> {
        let mut board = self.empty.clone();
        let (before, after) = moves.split_at_checked(self.root.len())?;
        for (number, &cell) in before.iter().enumerate() {
            self.place(&mut board, number, cell)?;
        }
        self.play_on(board, after)
    }

    /// Places the next stone of a game, if it can be placed.
    fn place(&self, board: &mut Board, number: usize, (x, y): (usize, usize)) -> Option<()> {
        let (width, height) = self.size();
        let side = [Side::Black, Side::White][number % 2];
        if x >= width || y >= height || board.stone(Board::at(x, y)).is_some() {
            return None;
        }
        board.place(side, Board::at(x, y));
        Some(())
    }

    /// What Black plays after moves that follow the root, which is on the board.
    fn play_on(&self, mut board: Board, moves: &[(usize, usize)]) -> Option<Play> {
        let mut following = Following::Records;
        let mut last: Option<(Record, Symmetry)> = None;
        for number in 0..=moves.len() {
            if number % 2 == 0 {
                let (play, next, record) = self.turn(&mut board, following, last.take())?;
                if number == moves.len() {
                    // A damaged file may have a stone there already.
                    let (x, y) = play.cell();
                    return board.stone(Board::at(x, y)).is_none().then_some(play);
                }
                (following, last) = (next, record);
                if play.cell() != moves[number] {
                    return None;
                }
            }
            self.place(&mut board, number, *moves.get(number)?)?;
        }
        None
    }

    /// Black's move, and where one is then.
    #[expect(clippy::type_complexity, reason = "three parts of one state")]
    fn turn(
        &self,
        board: &mut Board,
        following: Following,
        last: Option<(Record, Symmetry)>,
    ) -> Option<(Play, Following, Option<(Record, Symmetry)>)> {
        let size = self.size();
        if let Some(five) = board.fives(Side::Black).first() {
            return Some((Play::Five { cell: xy(five) }, Following::AtHand, None));
        }
        let at_hand = at_hand(board, Side::Black);
        if at_hand == AtHand::Win {
            let double = board.doubles(Side::Black).first()?;
            return Some((Play::Threat { cell: xy(double) }, Following::AtHand, None));
        }
        // A record of its own comes first, unless a strategy is being followed.
        if matches!(following, Following::Records) {
            let stones: Vec<(Side, Cell)> = board.placed().collect();
            let (position, symmetry) = canonical_of(size, &stones);
            if let Some(record) = self.record(&position) {
                let cell = symmetry.inverse(size).apply(size, record.stone);
                let back = symmetry.inverse(size);
                return Some((
                    Play::Known { cell: xy(cell) },
                    Following::Records,
                    Some((record, back)),
                ));
            }
            let (record, back) = last?;
            let strategies = record.strategies.iter();
            let strategy = strategies
                .map(|strategy| turned(size, back, strategy))
                .find(|strategy| wins(board, Side::Black, strategy))?;
            let cell = strategy.first()?.stone;
            let following = Following::Strategy { strategy, step: 0 };
            return Some((Play::Threat { cell: xy(cell) }, following, None));
        }
        let Following::Strategy { strategy, step } = following else {
            return None;
        };
        let (_, reply) = board.placed().last()?;
        let named = strategy[step]
            .replies
            .iter()
            .find(|(cell, _)| *cell == reply);
        let (cell, step) = match (named, at_hand) {
            (Some(&(_, answer)), _) => (strategy[usize::from(answer)].stone, usize::from(answer)),
            // A four that changes nothing.
            (None, AtHand::Forced(block)) => (block, step),
            (None, _) => return None,
        };
        let following = Following::Strategy { strategy, step };
        Some((Play::Threat { cell: xy(cell) }, following, None))
    }
}

const fn xy(cell: Cell) -> (usize, usize) {
    ((cell & 15) as usize, (cell >> 4) as usize)
}
