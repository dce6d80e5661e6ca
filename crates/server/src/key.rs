//! The name of a position in the database: the same for all its rotations and reflections.

use tengen_rules::{Canonical, Position, notation};

/// 128 bits: equal positions have equal keys; different ones differ with overwhelming probability. Whoever draws
/// conclusions from an equal key compares the positions too.
pub(crate) type PositionKey = [u8; 16];

/// The key of a position, with the image it stands for.
pub(crate) fn of(position: &Position) -> (PositionKey, Canonical) {
    let canonical = Canonical::of(position);
    let text = format!(
        "{} {}",
        position.rules(),
        notation::setup_text(&canonical.setup)
    );
    (digest(text.as_bytes()), canonical)
}

/// FNV-1a with 128 bits: no dependency, the same in every version, and good enough where nobody attacks.
fn digest(bytes: &[u8]) -> PositionKey {
    const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let fold = |hash: u128, &byte: &u8| (hash ^ u128::from(byte)).wrapping_mul(PRIME);
    bytes.iter().fold(OFFSET, fold).to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::Rules;

    fn key(moves: &str) -> PositionKey {
        let position = notation::parse_position(moves, Rules::CONNECT6).expect("legal");
        of(&position).0
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
        assert_ne!(of(&other).0, of(&standard).0, "other rules");
    }
}
