//! Containers that never stand still to grow.
//!
//! A `Vec` of a million nodes is copied when it is full, and a `HashMap` hashes all its keys anew: tens of milliseconds in
//! which nobody gets an order. Here what is full stays where it is, and what grows is a small part of the whole. The price
//! is one more step for each look.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::{Index, IndexMut};

use tengen_rules::PositionKey;

use super::NodeId;

/// How many items a chunk has, as a power of two.
const CHUNK_BITS: u32 = 12;
const CHUNK: usize = 1 << CHUNK_BITS;

/// How many shards there are, as a power of two.
const SHARD_BITS: u32 = 10;
const SHARDS: usize = 1 << SHARD_BITS;

/// A vector that only grows. Items stay where they are.
#[derive(Debug)]
pub(super) struct Chunks<T> {
    /// All full but the last.
    chunks: Vec<Vec<T>>,
}

impl<T> Chunks<T> {
    pub(super) const fn new() -> Self {
        Self { chunks: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        let full = self.chunks.len().saturating_sub(1);
        full * CHUNK + self.chunks.last().map_or(0, Vec::len)
    }

    pub(super) fn push(&mut self, item: T) {
        match self.chunks.last_mut() {
            Some(last) if last.len() < CHUNK => last.push(item),
            // The first chunk grows as a vector does: most searches are small.
            None => self.chunks.push(vec![item]),
            Some(_) => {
                let mut chunk = Vec::with_capacity(CHUNK);
                chunk.push(item);
                self.chunks.push(chunk);
            }
        }
    }

    pub(super) fn get(&self, index: usize) -> Option<&T> {
        self.chunks.get(index >> CHUNK_BITS)?.get(index % CHUNK)
    }
}

impl<T> Index<usize> for Chunks<T> {
    type Output = T;

    fn index(&self, index: usize) -> &T {
        &self.chunks[index >> CHUNK_BITS][index % CHUNK]
    }
}

impl<T> IndexMut<usize> for Chunks<T> {
    fn index_mut(&mut self, index: usize) -> &mut T {
        &mut self.chunks[index >> CHUNK_BITS][index % CHUNK]
    }
}

/// A key that says which shard it belongs to.
pub(super) trait Sharded: Hash + Eq {
    /// Well-mixed bits.
    fn bits(&self) -> u64;
}

impl Sharded for NodeId {
    fn bits(&self) -> u64 {
        u64::from(self.0).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

impl Sharded for PositionKey {
    fn bits(&self) -> u64 {
        let word = u128::from_be_bytes(*self);
        // Keys are hashes, but nobody promises that: both halves count, and all their bits.
        let folded = (word >> 64) as u64 ^ (word as u64).rotate_left(29);
        let mixed = (folded ^ (folded >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    }
}

/// A hash map in many small parts, each of which grows for itself. Only ever asked for one key: its order decides nothing.
#[derive(Debug)]
pub(super) struct Shards<K, V> {
    /// None at all before the first key.
    shards: Vec<HashMap<K, V>>,
}

impl<K: Sharded, V> Shards<K, V> {
    pub(super) const fn new() -> Self {
        Self { shards: Vec::new() }
    }

    fn shard(key: &K) -> usize {
        (key.bits() >> (u64::BITS - SHARD_BITS)) as usize
    }

    fn shard_mut(&mut self, key: &K) -> &mut HashMap<K, V> {
        if self.shards.is_empty() {
            self.shards.resize_with(SHARDS, HashMap::new);
        }
        &mut self.shards[Self::shard(key)]
    }

    pub(super) fn get(&self, key: &K) -> Option<&V> {
        self.shards.get(Self::shard(key))?.get(key)
    }

    pub(super) fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        self.shards.get_mut(Self::shard(key))?.get_mut(key)
    }

    pub(super) fn insert(&mut self, key: K, value: V) {
        self.shard_mut(&key).insert(key, value);
    }

    /// Inserts a value unless there is one.
    pub(super) fn insert_first(&mut self, key: K, value: V) {
        self.shard_mut(&key).entry(key).or_insert(value);
    }

    pub(super) fn remove(&mut self, key: &K) {
        if !self.shards.is_empty() {
            self.shard_mut(key).remove(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn chunks_are_a_vector() {
        let mut chunks = Chunks::new();
        assert_eq!((chunks.len(), chunks.get(0)), (0, None));
        let count = 2 * CHUNK + 5;
        for number in 0..count {
            chunks.push(number);
            assert_eq!(chunks.len(), number + 1);
        }
        chunks[CHUNK] += 1;
        let right = |number: usize| chunks[number] == number + usize::from(number == CHUNK);
        assert!((0..count).all(right));
        assert_eq!(chunks.get(count), None);
        assert_eq!(chunks.get(usize::MAX), None);
    }

    #[test]
    fn shards_are_a_map_and_evenly_filled() {
        let mut shards: Shards<NodeId, u32> = Shards::new();
        let mut map = HashMap::new();
        let mut rng = fastrand::Rng::with_seed(1);
        for value in 0..50_000 {
            let key = NodeId(rng.u32(..20_000));
            match rng.u32(..4) {
                0 => {
                    shards.remove(&key);
                    map.remove(&key);
                }
                1 => {
                    shards.insert_first(key, value);
                    map.entry(key).or_insert(value);
                }
                _ => {
                    shards.insert(key, value);
                    map.insert(key, value);
                }
            }
        }
        assert!((0..20_000).all(|key| shards.get(&NodeId(key)) == map.get(&NodeId(key))));
        let fullest = shards.shards.iter().map(HashMap::len).max();
        assert!(fullest < Some(8 * map.len() / SHARDS), "{fullest:?}");
    }

    #[test]
    fn keys_that_differ_in_any_byte_are_spread() {
        for byte in 0..16 {
            let keys = (0..=255).map(|value| {
                let mut key: PositionKey = [7; 16];
                key[byte] = value;
                key
            });
            let shards: std::collections::BTreeSet<usize> = keys
                .map(|key| Shards::<PositionKey, ()>::shard(&key))
                .collect();
            assert!(shards.len() > 128, "byte {byte}: {}", shards.len());
        }
    }
}
