//! The ten openings that are measured.

use tengen_book::names;
use tengen_rules::{Position, notation};

/// Stones in play order, or names: what section 6 of the design and the paper's Figure 6 are about, the easiest first.
const OPENINGS: [&str; 10] = [
    "J10 H9 L9",
    "J10 H8 L12",
    "TX-d21",
    "XX-b22",
    "TX-d22",
    "TX-q22",
    "T-p12",
    "X-p11",
    "TT-p02",
    "TT-b20",
];

/// Where a search begins: the position after White's second turn.
pub(super) struct Opening {
    /// By which its files are called.
    pub(super) name: String,
    pub(super) root: Position,
}

/// The first `count` of them.
pub(super) fn openings(count: usize) -> Vec<Opening> {
    let read = |text: &&str| {
        let stones = || notation::parse_position(text, names::RULES).ok();
        let root = names::position_of(text)
            .or_else(stones)
            .expect("an opening of ours");
        let name = names::name_of(&root).unwrap_or_else(|| text.replace(' ', ""));
        Opening { name, root }
    };
    OPENINGS.iter().take(count).map(read).collect()
}

/// How many there are.
pub(super) const ALL: usize = OPENINGS.len();

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use tengen_rules::{Side, position_key};

    use super::{ALL, openings};

    #[test]
    fn they_are_ten_different_openings_with_names() {
        let openings = openings(ALL);
        assert_eq!(openings.len(), 10);
        let names: BTreeSet<_> = openings.iter().map(|opening| &opening.name).collect();
        let keys = openings.iter().map(|opening| position_key(&opening.root).0);
        assert_eq!((names.len(), keys.collect::<BTreeSet<_>>().len()), (10, 10));
        for opening in &openings {
            assert_eq!(opening.root.to_move(), Side::Black);
            assert!(opening.name.contains('-'), "{}", opening.name);
        }
    }
}
