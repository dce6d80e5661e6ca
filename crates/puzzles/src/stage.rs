//! The stages of the pipeline and how many passed each.

use serde::{Deserialize, Serialize};

use crate::minimal::Failure;

/// What happens to a position, in this order.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// It is looked at.
    Position,
    /// The side to move wins by double threats, as far as a quick look sees.
    Won,
    /// Not with the next turn or the one after it.
    NotAtOnce,
    /// Without the stones it does not need, one first turn wins and all others are exhausted.
    Unique,
    /// It fits on a diagram.
    Clear,
    /// Always taking the strongest-looking threat does not solve it, and there is something to choose.
    NotObvious,
    /// The solution is of a size to be shown.
    Solved,
    /// The checker has verified the proof.
    Verified,
    /// The naive search agrees about length and uniqueness.
    Rechecked,
    /// The collection had no such shape.
    New,
    /// A position whose side to move has exactly one defence.
    Defence,
    /// Defence puzzles that were verified and rechecked.
    DefenceRechecked,
    /// Defence puzzles the collection did not have.
    DefenceNew,
    /// Order 2: the attacker wins by single threats, and not by double ones.
    Second,
    /// Without the stones it does not need, one first turn of order 2 wins and all others are exhausted.
    SecondUnique,
    /// The checker has verified the proof.
    SecondVerified,
    /// The naive search agrees.
    SecondRechecked,
    /// The collection had no such shape.
    SecondNew,
    /// Order 3: a first turn that need not threaten anything wins, and double threats alone do not.
    Quiet,
    /// Without the stones it does not need, one such turn wins and all others are refuted.
    QuietUnique,
    /// The checker has verified the proof.
    QuietVerified,
    /// The naive search agrees.
    QuietRechecked,
    /// The collection had no such shape.
    QuietNew,
    /// Given up: other turns win too.
    Double,
    /// Given up: a limit was reached before uniqueness was known.
    Limit,
    /// Given up: no legal number of stones.
    Count,
    /// Given up: taking the strongest-looking threat again and again wins.
    Obvious,
    /// Given up: the naive search did not come to an end.
    Undecided,
}

impl Stage {
    /// All of them.
    pub const ALL: [Self; 28] = [
        Self::Position,
        Self::Won,
        Self::NotAtOnce,
        Self::Unique,
        Self::Clear,
        Self::NotObvious,
        Self::Solved,
        Self::Verified,
        Self::Rechecked,
        Self::New,
        Self::Defence,
        Self::DefenceRechecked,
        Self::DefenceNew,
        Self::Second,
        Self::SecondUnique,
        Self::SecondVerified,
        Self::SecondRechecked,
        Self::SecondNew,
        Self::Quiet,
        Self::QuietUnique,
        Self::QuietVerified,
        Self::QuietRechecked,
        Self::QuietNew,
        Self::Double,
        Self::Limit,
        Self::Count,
        Self::Obvious,
        Self::Undecided,
    ];

    /// Its name in tables and files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Position => "positions",
            Self::Won => "won by double threats",
            Self::NotAtOnce => "three turns or more",
            Self::Unique => "unique, fewest stones",
            Self::Clear => "clear",
            Self::NotObvious => "not obvious",
            Self::Solved => "solution written",
            Self::Verified => "proof verified",
            Self::Rechecked => "rechecked",
            Self::New => "new",
            Self::Defence => "only defence",
            Self::DefenceRechecked => "defence rechecked",
            Self::DefenceNew => "defence new",
            Self::Second => "won by single threats",
            Self::SecondUnique => "single threats unique",
            Self::SecondVerified => "single threats verified",
            Self::SecondRechecked => "single threats rechecked",
            Self::SecondNew => "single threats new",
            Self::Quiet => "won by a quiet turn",
            Self::QuietUnique => "quiet unique",
            Self::QuietVerified => "quiet verified",
            Self::QuietRechecked => "quiet rechecked",
            Self::QuietNew => "quiet new",
            Self::Double => "given up: double solution",
            Self::Limit => "given up: limit",
            Self::Count => "given up: number of stones",
            Self::Obvious => "given up: obvious",
            Self::Undecided => "given up: recheck undecided",
        }
    }
}

/// How many passed each stage.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Default)]
pub struct Counts([u64; Stage::ALL.len()]);

impl Counts {
    /// How many passed a stage.
    pub const fn of(&self, stage: Stage) -> u64 {
        self.0[stage as usize]
    }

    /// One more.
    pub const fn add(&mut self, stage: Stage) {
        self.0[stage as usize] += 1;
    }

    /// So many more.
    pub const fn add_many(&mut self, stage: Stage, count: u64) {
        self.0[stage as usize] += count;
    }

    /// What came on top of an earlier count.
    pub fn since(&self, earlier: &Self) -> Self {
        let mut since = *self;
        since
            .0
            .iter_mut()
            .zip(earlier.0)
            .for_each(|(own, less)| *own -= less);
        since
    }

    /// Adds all counts of another.
    pub fn merge(&mut self, other: &Self) {
        self.0
            .iter_mut()
            .zip(other.0)
            .for_each(|(own, more)| *own += more);
    }
}

impl From<Failure> for Stage {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Double => Self::Double,
            Failure::Limit => Self::Limit,
            Failure::Count => Self::Count,
            Failure::Obvious => Self::Obvious,
        }
    }
}
