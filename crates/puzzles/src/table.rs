//! What the exact search has found out about positions with the attacker to move.
//!
//! The prover's table keeps wins as parts of proofs; here only their lengths matter, from both sides: no
//! win within so many turns, a win within so many. An entry of an earlier search is recognised by its
//! generation. Two positions with one 64-bit key would be confused; that cannot make a false puzzle, for
//! the proof is checked by `tengen-checker` and uniqueness again by [`crate::recheck`], which compares
//! stones.

use tengen_rules::Key;

/// No win of this kind, however many turns.
pub(crate) const NEVER: u8 = u8::MAX;

/// What is known of a position.
#[derive(Debug, Copy, Clone, Default)]
pub(crate) struct Known {
    /// There is no win within so many attacker's turns.
    pub(crate) none_within: u8,
    /// There is a win within so many; 0 if none is known.
    pub(crate) win_within: u8,
}

#[derive(Debug, Copy, Clone, Default)]
struct Entry {
    key: Key,
    generation: u32,
    known: Known,
}

/// A table of fixed size; newer entries replace older ones.
#[derive(Debug)]
pub(crate) struct Table {
    entries: Vec<Entry>,
    generation: u32,
}

impl Table {
    /// With 2^`bits` entries of 16 bytes.
    pub(crate) fn new(bits: u32) -> Self {
        Self {
            entries: vec![Entry::default(); 1 << bits],
            generation: 1,
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
        (key >> 32) as usize & (self.entries.len() - 1)
    }

    pub(crate) fn get(&self, key: Key) -> Known {
        let entry = &self.entries[self.slot(key)];
        if entry.key == key && entry.generation == self.generation {
            entry.known
        } else {
            Known::default()
        }
    }

    pub(crate) fn put(&mut self, key: Key, known: Known) {
        let slot = self.slot(key);
        self.entries[slot] = Entry {
            key,
            generation: self.generation,
            known,
        };
    }
}
