//! The transposition table: what is known of positions with the attacker to move.
//!
//! One table serves one attacker at a time; the kind of search (order, kind of replies) is mixed
//! into the key. An entry of an earlier search is recognised by its generation, so that a new
//! search need not clear the table. A full 64-bit key is compared: two positions with one key would
//! be confused, which cannot make a false claim (proofs are checked) but could lose a win.

use tengen_rules::Key;

use crate::tree::WinId;

/// What is known of a position.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Known {
    /// The attacker wins.
    Win(WinId),
    /// No win within that many attacker's turns.
    NoWinWithin(u16),
    /// No win of this kind at all.
    NoWin,
    /// Not within that many turns, as far as a limited search could see: no disproof.
    Unseen(u16),
}

#[derive(Debug, Copy, Clone, Default)]
struct Entry {
    key: Key,
    content: u32,
    generation: u16,
    kind: u8,
}

/// A table of fixed size; newer entries replace older ones.
#[derive(Debug)]
pub(crate) struct Table {
    entries: Vec<Entry>,
    generation: u16,
}

impl Table {
    /// A table with 2^`bits` entries of 16 bytes.
    pub(crate) fn new(bits: u32) -> Self {
        Self {
            entries: vec![Entry::default(); 1 << bits],
            generation: 0,
        }
    }

    /// Forgets everything.
    pub(crate) fn next_search(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.entries.fill(Entry::default());
            self.generation = 1;
        }
    }

    fn slot(&self, key: Key) -> usize {
        // The high bits choose the slot; the table has a power of two of entries.
        (key >> 32) as usize & (self.entries.len() - 1)
    }

    pub(crate) fn get(&self, key: Key) -> Option<Known> {
        let entry = &self.entries[self.slot(key)];
        if entry.key != key || entry.generation != self.generation {
            return None;
        }
        Some(match entry.kind {
            0 => Known::Win(entry.content),
            1 => Known::NoWinWithin(entry.content as u16),
            2 => Known::NoWin,
            _ => Known::Unseen(entry.content as u16),
        })
    }

    pub(crate) fn put(&mut self, key: Key, known: Known) {
        let (kind, content) = match known {
            Known::Win(id) => (0, id),
            Known::NoWinWithin(depth) => (1, u32::from(depth)),
            Known::NoWin => (2, 0),
            Known::Unseen(depth) => (3, u32::from(depth)),
        };
        let slot = self.slot(key);
        self.entries[slot] = Entry {
            key,
            content,
            generation: self.generation,
            kind,
        };
    }
}
