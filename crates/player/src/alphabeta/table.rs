//! What earlier iterations and other orders of turns have found.

use tengen_rules::Key;
use tengen_threats::Index;

use super::boards::Cells;

/// What a score in the table means.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Default)]
pub(crate) enum Bound {
    /// The score itself.
    #[default]
    Exact,
    /// The score or more.
    Lower,
    /// The score or less.
    Upper,
}

/// Marks places of a turn without a stone.
const NOTHING: Index = Index::MAX;
/// Stones of a turn that are kept.
const KEPT: usize = 3;

/// An entry.
#[derive(Debug, Copy, Clone)]
pub(crate) struct Entry {
    key: Key,
    pub(crate) score: i32,
    turn: [Index; KEPT],
    pub(crate) depth: i8,
    pub(crate) bound: Bound,
    /// The effort, a power of two of nodes, with which a threat search was in vain; 0 for none.
    pub(crate) no_threats: u8,
    age: u8,
}

const EMPTY: Entry = Entry {
    key: 0,
    score: 0,
    turn: [NOTHING; KEPT],
    depth: -1,
    bound: Bound::Upper,
    no_threats: 0,
    age: 0,
};

impl Entry {
    /// The best turn, if it is kept whole.
    pub(crate) fn turn(&self) -> Cells {
        self.turn
            .iter()
            .copied()
            .take_while(|&cell| cell != NOTHING)
            .collect()
    }
}

/// What is to be kept.
#[derive(Debug, Copy, Clone)]
pub(crate) struct News<'a> {
    pub(crate) score: i32,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
    pub(crate) turn: &'a [Index],
    pub(crate) no_threats: u8,
}

/// A table of fixed size; the deeper and the newer stay.
#[derive(Debug)]
pub(crate) struct Table {
    entries: Vec<Entry>,
    age: u8,
}

impl Table {
    /// A table of at most so many bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        let most = (bytes / size_of::<Entry>()).max(2);
        let count = 1_usize << most.ilog2();
        Self {
            entries: vec![EMPTY; count],
            age: 0,
        }
    }

    pub(crate) fn clear(&mut self) {
        self.entries.fill(EMPTY);
        self.age = 0;
    }

    /// A new search begins: older entries may be replaced.
    pub(crate) fn next_search(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    fn slot(&self, key: Key) -> usize {
        (key >> 20) as usize & (self.entries.len() - 1)
    }

    pub(crate) fn get(&self, key: Key) -> Option<&Entry> {
        let entry = &self.entries[self.slot(key)];
        (entry.key == key && entry.depth >= 0).then_some(entry)
    }

    pub(crate) fn put(&mut self, key: Key, news: &News<'_>) {
        let slot = self.slot(key);
        let old = &mut self.entries[slot];
        if old.age == self.age && i32::from(old.depth) > news.depth && old.key != key {
            return;
        }
        let mut turn = [NOTHING; KEPT];
        if news.turn.len() <= KEPT {
            turn[..news.turn.len()].copy_from_slice(news.turn);
        }
        if news.turn.is_empty() && old.key == key {
            turn = old.turn;
        }
        *old = Entry {
            key,
            score: news.score,
            turn,
            depth: news.depth.clamp(0, 100) as i8,
            bound: news.bound,
            no_threats: news.no_threats,
            age: self.age,
        };
    }
}
