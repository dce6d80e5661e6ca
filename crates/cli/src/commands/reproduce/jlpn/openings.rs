//! The ten openings that are measured.

use tengen_book::names;
use tengen_rules::{Position, notation};

/// Stones in play order, or names, the easiest first: those of section 6 of the design that a search solves in minutes, and others
/// that it does. What nobody has solved yet, such as T-p12, has no speed-up.
const OPENINGS: [&str; 10] = [
    "J10 H9 L9",
    "J10 H8 L12",
    "J10 H8 M13",
    "J10 H12 M8",
    "XX-b22",
    "TX-q22",
    "J10 G9 M9",
    "TX-p22",
    "TX-d22",
    "TX-d21",
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
    fn they_are_ten_different_openings() {
        let openings = openings(ALL);
        assert_eq!(openings.len(), 10);
        let names: BTreeSet<_> = openings.iter().map(|opening| &opening.name).collect();
        let keys = openings.iter().map(|opening| position_key(&opening.root).0);
        assert_eq!((names.len(), keys.collect::<BTreeSet<_>>().len()), (10, 10));
        for opening in &openings {
            assert_eq!(opening.root.to_move(), Side::Black);
            // Its files are called by it.
            let fits = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
            assert!(opening.name.chars().all(fits), "{}", opening.name);
        }
    }
}
