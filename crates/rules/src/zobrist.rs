//! Zobrist keys: a position's key is the exclusive or of its parts.
//!
//! Every part is a fixed mixing function of what it stands for, not a random table, so keys are
//! the same in every process and on every board size, and a book may store them.

use crate::{Cell, Side};

/// A 64-bit hash of a position or of its stones. Equal things have equal keys; different things
/// have different keys with overwhelming probability, not with certainty.
pub type Key = u64;

/// The finaliser of SplitMix64, a bijection with good avalanche.
const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The part of one stone.
pub const fn stone_key(side: Side, cell: Cell) -> Key {
    let place = (cell.x as u16 as u64) << 16 | cell.y as u16 as u64;
    // The bit above keeps the argument from 0, which `mix` leaves 0: such a stone would not count.
    mix((1 << 41 | place << 1 | side as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// The part of the side to move and the stones left in its turn.
pub const fn turn_key(to_move: Side, left: u8) -> Key {
    mix((1 << 40 | (left as u64) << 1 | to_move as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn parts_differ() {
        let mut seen = HashSet::from([0]);
        for side in Side::BOTH {
            for x in -80..80 {
                for y in -80..80 {
                    assert!(seen.insert(stone_key(side, Cell::new(x, y))));
                }
            }
            for left in 0..64 {
                assert!(seen.insert(turn_key(side, left)));
            }
        }
    }
}
