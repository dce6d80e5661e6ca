//! What is known of positions. Entries hold the whole position, so none is ever taken for another.

use tengen_rules::Side;

use super::board::Stones;

/// Positions that share a place.
const BUCKET: usize = 4;

/// Entries in the beginning: most small games need no more.
const FIRST_SIZE: usize = 1 << 14;

/// A table that grows up to a size; then entries that took little work give way.
pub(super) struct Table {
    entries: Vec<Entry>,
    used: usize,
    most: usize,
}

#[derive(Clone)]
struct Entry {
    stones: Stones,
    numbers: Numbers,
    to_move: Side,
    /// 0 in an empty entry.
    work: u32,
}

/// Proof and disproof number for the side to move: of "it gets what it wants", and of the opposite.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) proof: u32,
    pub(super) disproof: u32,
}

/// The number of what is impossible.
pub(super) const INFINITE: u32 = u32::MAX / 4;

impl Numbers {
    /// Whether Black wins is known.
    pub(super) fn decided(black_wins: bool, to_move: Side) -> Self {
        match black_wins == (to_move == Side::Black) {
            true => Self::PROVED,
            false => Self::DISPROVED,
        }
    }

    pub(super) const fn is_decided(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    /// The side to move gets what it wants.
    pub(super) const PROVED: Self = Self {
        proof: 0,
        disproof: INFINITE,
    };
    /// It does not.
    pub(super) const DISPROVED: Self = Self {
        proof: INFINITE,
        disproof: 0,
    };
}

impl Table {
    /// With room for 2^bits positions at most.
    pub(super) fn new(bits: u32) -> Self {
        let most = (1usize << bits).max(BUCKET);
        Self {
            entries: vec![Entry::EMPTY; most.min(FIRST_SIZE)],
            used: 0,
            most,
        }
    }

    pub(super) fn get(&self, stones: Stones, to_move: Side) -> Option<Numbers> {
        let bucket = self.bucket(stones, to_move);
        let entries = &self.entries[bucket..bucket + BUCKET];
        let found = entries.iter().find(|entry| entry.is(stones, to_move));
        found.map(|entry| entry.numbers)
    }

    pub(super) fn put(&mut self, stones: Stones, to_move: Side, numbers: Numbers, work: u32) {
        let bucket = self.bucket(stones, to_move);
        let entries = &mut self.entries[bucket..bucket + BUCKET];
        let place = entries.iter().position(|entry| entry.is(stones, to_move));
        let place = place.unwrap_or_else(|| {
            let least = (0..BUCKET).min_by_key(|&place| entries[place].work);
            least.expect("a bucket is not empty")
        });
        self.used += usize::from(entries[place].work == 0);
        entries[place] = Entry {
            stones,
            numbers,
            to_move,
            work: work.max(1),
        };
        if self.used > self.entries.len() / 2 && self.entries.len() < self.most {
            self.grow();
        }
    }

    fn grow(&mut self) {
        let size = (self.entries.len() * 4).min(self.most);
        let entries = std::mem::replace(&mut self.entries, vec![Entry::EMPTY; size]);
        self.used = 0;
        for entry in entries.iter().filter(|entry| entry.work != 0) {
            self.put(entry.stones, entry.to_move, entry.numbers, entry.work);
        }
    }

    fn bucket(&self, stones: Stones, to_move: Side) -> usize {
        let mixed = (stones.black ^ stones.white.rotate_left(32) ^ to_move as u64)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ (mixed >> 29) ^ stones.white).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let bucket =
            (u128::from(mixed ^ (mixed >> 32)) * (self.entries.len() / BUCKET) as u128) >> 64;
        bucket as usize * BUCKET
    }
}

impl Entry {
    const EMPTY: Self = Self {
        stones: Stones { black: 0, white: 0 },
        numbers: Numbers::PROVED,
        to_move: Side::Black,
        work: 0,
    };

    fn is(&self, stones: Stones, to_move: Side) -> bool {
        self.work != 0 && self.stones == stones && self.to_move == to_move
    }
}
