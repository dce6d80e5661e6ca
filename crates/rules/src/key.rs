//! The name of a position in databases and on grids: the same for all its rotations and reflections.

use crate::{Canonical, Position, Side};

/// 128 bits: equal positions have equal keys; different ones differ with overwhelming probability. Whoever draws
/// conclusions from an equal key compares the positions too.
pub type PositionKey = [u8; 16];

/// The key of a position, with the image it stands for.
pub fn position_key(position: &Position) -> (PositionKey, Canonical) {
    let canonical = Canonical::of(position);
    let mut digest = Digest::new();
    digest.add(position.rules().to_string().as_bytes());
    for side in Side::BOTH {
        // No rules' name and no column has this byte first: the lists cannot be mistaken for each other.
        digest.add(&[0xff]);
        for cell in canonical.setup.stones_of(side) {
            digest.add(&cell.x.to_be_bytes());
            digest.add(&cell.y.to_be_bytes());
        }
    }
    digest.add(&[0xff, position.to_move() as u8, position.left()]);
    (digest.0.to_be_bytes(), canonical)
}

/// FNV-1a with 128 bits: no dependency, the same in every version, and good enough where nobody attacks.
struct Digest(u128);

impl Digest {
    const fn new() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    fn add(&mut self, bytes: &[u8]) {
        const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
        for &byte in bytes {
            self.0 = (self.0 ^ u128::from(byte)).wrapping_mul(PRIME);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rules, notation};

    fn key(moves: &str) -> PositionKey {
        let position = notation::parse_position(moves, Rules::CONNECT6).expect("legal");
        position_key(&position).0
    }

    #[test]
    fn turned_positions_have_one_key_and_others_another() {
        let original = key("J10 I8 H9");
        assert_eq!(original, key("J10 H9 I8"));
        assert_eq!(original, key("J10 K12 L11"), "turned by half a circle");
        assert_ne!(original, key("J10 I8 H10"));
        assert_ne!(original, key("J10 I8"), "half a turn");
        let other = notation::parse_position("H8", Rules::GOMOKU).expect("legal");
        let standard = notation::parse_position("H8", Rules::GOMOKU_STANDARD).expect("legal");
        assert_ne!(
            position_key(&other).0,
            position_key(&standard).0,
            "other rules"
        );
    }
}
