//! How strong an opponent a person wants.

use std::fmt;
use std::ops::RangeInclusive;

/// A strength from 1, for somebody who has just learned the rules, to 10, the strongest.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

impl Level {
    /// The numbers there are.
    pub const NUMBERS: RangeInclusive<u8> = 1..=10;

    /// The level with this number; `None` if there is none.
    pub fn new(number: u8) -> Option<Self> {
        Self::NUMBERS.contains(&number).then_some(Self(number))
    }

    /// All of them, weakest first.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::NUMBERS.map(Self)
    }

    /// Its number.
    pub const fn number(self) -> u8 {
        self.0
    }
}

/// The name of the engine that plays so, such as `level-5`.
impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("level-{}", self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_outside_the_scale_are_no_levels() {
        assert_eq!(Level::new(0), None);
        assert_eq!(Level::new(11), None);
        let names: Vec<String> = Level::all().map(|level| level.to_string()).collect();
        assert_eq!(names.len(), 10);
        assert_eq!((&*names[0], &*names[9]), ("level-1", "level-10"));
        assert!(Level::all().all(|level| Level::new(level.number()) == Some(level)));
    }
}
