//! A won position and what wins it, as `docs/gomoku-format.md` has it: Black's turn, and strategies that answer all replies
//! but those whose positions have records of their own.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock};

use tengen_rules::Side;

use super::board::Board;
use super::cells::Cell;
use super::strategy::{Step, Strategy, wins};
use super::symmetry::{Encoding, Symmetry, canonical, canonical_of, cell_of, number_of, stones_of};

/// A position with Black to move, as small as its symmetries make it, and how Black wins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) position: Encoding,
    pub(crate) stone: Cell,
    pub(crate) strategies: Vec<Strategy>,
}

impl Record {
    /// As bytes.
    pub(crate) fn write(&self, size: (usize, usize), out: &mut Vec<u8>) {
        out.push(self.position.len() as u8);
        out.extend_from_slice(&self.position);
        out.push(number_of(size, self.stone));
        out.push(self.strategies.len() as u8);
        for strategy in &self.strategies {
            write_step(size, strategy, 0, out);
        }
    }

    /// From bytes, and how many they were; `None` if they are no record.
    pub(crate) fn read(size: (usize, usize), bytes: &[u8]) -> Option<(Self, usize)> {
        let mut reader = Reader { size, bytes, at: 0 };
        let count = usize::from(reader.byte()?);
        let cells = size.0 * size.1;
        let position: Encoding = (0..count).map(|_| reader.byte()).collect::<Option<_>>()?;
        if count % 2 != 0 || position.iter().any(|&cell| usize::from(cell) >= cells) {
            return None;
        }
        let stone = reader.cell()?;
        let count = reader.byte()?;
        let mut strategies = Vec::new();
        for _ in 0..count {
            let mut strategy = Strategy::new();
            reader.step(&mut strategy, 0)?;
            strategies.push(strategy);
        }
        let record = Self {
            position,
            stone,
            strategies,
        };
        Some((record, reader.at))
    }

    /// Whether its stones are those of a position on this board, written as it should be, and its move can be played there.
    pub(crate) fn is_proper(&self, empty: &Board) -> bool {
        let (size, mut board) = (empty.size(), empty.clone());
        let stones = stones_of(size, &self.position);
        for &(side, cell) in &stones {
            if board.stone(cell).is_some() {
                return false;
            }
            board.place(side, cell);
        }
        board.empty().contains(self.stone) && canonical_of(size, &stones).0 == self.position
    }

    /// Takes away strategies that no reply needs. `Err` with a reply that nothing answers: neither a strategy nor, as far as
    /// `is_known` says, a record of the position after it.
    pub(crate) fn trim(
        &mut self,
        empty: &Board,
        is_known: impl Fn(&Encoding) -> bool,
    ) -> Result<(), Cell> {
        let mut board = empty.clone();
        for (side, cell) in stones_of(board.size(), &self.position) {
            board.place(side, cell);
        }
        if board.fives(Side::Black).contains(self.stone) {
            self.strategies.clear();
            return Ok(());
        }
        board.place(Side::Black, self.stone);
        // A full board without a five is a draw.
        if board.empty().is_empty() {
            return Err(self.stone);
        }
        let mut needed = vec![false; self.strategies.len()];
        let mut last = 0;
        for reply in board.empty().iter() {
            if board.fives(Side::White).contains(reply) {
                return Err(reply);
            }
            board.place(Side::White, reply);
            let at_hand = wins(&mut board, Side::Black, &[]);
            let order = std::iter::once(last).chain(0..self.strategies.len());
            let answer = order
                .filter(|&number| !at_hand && number < self.strategies.len())
                .find(|&number| wins(&mut board, Side::Black, &self.strategies[number]));
            let known = at_hand || answer.is_some() || is_known(&canonical(&board).0);
            board.undo();
            match answer {
                Some(number) => {
                    needed[number] = true;
                    last = number;
                }
                None if known => {}
                None => return Err(reply),
            }
        }
        let mut needed = needed.into_iter();
        self.strategies.retain(|_| needed.next() == Some(true));
        Ok(())
    }
}

/// A strategy on the board turned.
pub(crate) fn turned(size: (usize, usize), by: Symmetry, strategy: &[Step]) -> Strategy {
    let cell = |cell| by.apply(size, cell);
    let step = |step: &Step| Step {
        stone: cell(step.stone),
        replies: step
            .replies
            .iter()
            .map(|&(reply, to)| (cell(reply), to))
            .collect(),
    };
    strategy.iter().map(step).collect()
}

fn write_step(size: (usize, usize), strategy: &[Step], at: usize, out: &mut Vec<u8>) {
    let step = &strategy[at];
    out.push(number_of(size, step.stone));
    out.push(step.replies.len() as u8);
    for &(reply, answer) in &step.replies {
        out.push(number_of(size, reply));
        write_step(size, strategy, usize::from(answer), out);
    }
}

struct Reader<'a> {
    size: (usize, usize),
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let byte = self.bytes.get(self.at).copied();
        self.at += 1;
        byte
    }

    fn cell(&mut self) -> Option<Cell> {
        let number = self.byte()?;
        let within = usize::from(number) < self.size.0 * self.size.1;
        within.then(|| cell_of(self.size, number))
    }

    fn step(&mut self, strategy: &mut Strategy, depth: usize) -> Option<u16> {
        let stone = self.cell()?;
        let number = strategy.len();
        if number > usize::from(u16::MAX) || depth > self.size.0 * self.size.1 {
            return None;
        }
        strategy.push(Step {
            stone,
            replies: Vec::new(),
        });
        for _ in 0..self.byte()? {
            let reply = self.cell()?;
            let answer = self.step(strategy, depth + 1)?;
            strategy[number].replies.push((reply, answer));
        }
        Some(number as u16)
    }
}

/// Records that all threads share, as bytes, by whole positions.
#[derive(Debug, Default)]
pub(crate) struct Records {
    map: RwLock<HashMap<Encoding, Box<[u8]>>>,
    /// The last records that have one white stone more than these stones.
    similar: RwLock<HashMap<Encoding, Vec<Encoding>>>,
    bytes: AtomicUsize,
}

/// How many records are remembered for the stones that they have but one.
const SIMILAR: usize = 3;

impl Records {
    pub(crate) fn contains(&self, position: &Encoding) -> bool {
        let map = self.map.read().unwrap_or_else(PoisonError::into_inner);
        map.contains_key(position)
    }

    pub(crate) fn get(&self, size: (usize, usize), position: &[u8]) -> Option<Record> {
        let map = self.map.read().unwrap_or_else(PoisonError::into_inner);
        let bytes = map.get(position)?;
        Record::read(size, bytes).map(|(record, _)| record)
    }

    /// Whether it is new.
    pub(crate) fn insert(&self, size: (usize, usize), record: &Record) -> bool {
        let mut bytes = Vec::new();
        record.write(size, &mut bytes);
        let mut map = self.map.write().unwrap_or_else(PoisonError::into_inner);
        if map.contains_key(&record.position) {
            return false;
        }
        let about = 2 * record.position.len() + bytes.len() + BESIDES;
        self.bytes.fetch_add(about, Ordering::Relaxed);
        map.insert(record.position.clone(), bytes.into());
        drop(map);
        let mut similar = self.similar.write().unwrap_or_else(PoisonError::into_inner);
        for (stones, _) in without_a_white_stone(size, &record.position) {
            let known = similar.entry(stones).or_default();
            known.truncate(SIMILAR - 1);
            known.insert(0, record.position.clone());
        }
        true
    }

    /// Records that have the same stones but for one white one, and the symmetries that lead from them here.
    pub(crate) fn similar(
        &self,
        size: (usize, usize),
        position: &[u8],
    ) -> Vec<(Encoding, Symmetry)> {
        let similar = self.similar.read().unwrap_or_else(PoisonError::into_inner);
        let mut found: Vec<(Encoding, Symmetry)> = Vec::new();
        for (stones, here) in without_a_white_stone(size, position) {
            for record in similar.get(&stones).into_iter().flatten() {
                let mut theirs = without_a_white_stone(size, record);
                if let Some((_, there)) = theirs.find(|(other, _)| *other == stones)
                    && record.as_ref() != position
                {
                    found.push((record.clone(), there.then(here.inverse(size), size)));
                }
            }
        }
        found
    }

    pub(crate) fn len(&self) -> usize {
        let map = self.map.read().unwrap_or_else(PoisonError::into_inner);
        map.len()
    }

    /// About how many bytes they take.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }
}

/// What an entry takes besides its contents.
const BESIDES: usize = 80;

/// A position without one of its white stones, as small as symmetries make it, and the symmetry that leads there.
fn without_a_white_stone(
    size: (usize, usize),
    position: &[u8],
) -> impl Iterator<Item = (Encoding, Symmetry)> {
    let stones = stones_of(size, position);
    (stones.len() / 2..stones.len()).map(move |white| {
        let mut others = stones.clone();
        others.remove(white);
        canonical_of(size, &others)
    })
}
