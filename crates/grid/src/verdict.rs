//! What a job thinks of a position, and the numbers a search starts with (JL-PN, section 3.1, Table 1).

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};
use tengen_rules::Side;

/// The state of the game as a job judges it. Only a verified proof makes the first and the last of them final.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// A sure win of Black: `Bw`.
    BlackWins,
    /// Black is very likely to win.
    B4,
    /// Black is much better.
    B3,
    /// Black is better.
    B2,
    /// Black is a little better.
    B1,
    /// Quiet and even.
    Stable,
    /// Even, with chances for both.
    Unstable1,
    /// Even, with many chances for both.
    Unstable2,
    /// White is a little better.
    W1,
    /// White is better.
    W2,
    /// White is much better.
    W3,
    /// White is very likely to win.
    W4,
    /// A sure win of White: `Ww`.
    WhiteWins,
}

impl Verdict {
    /// All of them, Black's win first.
    pub const ALL: [Self; 13] = [
        Self::BlackWins,
        Self::B4,
        Self::B3,
        Self::B2,
        Self::B1,
        Self::Stable,
        Self::Unstable1,
        Self::Unstable2,
        Self::W1,
        Self::W2,
        Self::W3,
        Self::W4,
        Self::WhiteWins,
    ];

    /// A sure win of this side.
    pub const fn win(side: Side) -> Self {
        match side {
            Side::Black => Self::BlackWins,
            Side::White => Self::WhiteWins,
        }
    }

    /// The same seen by the other side: B3 for W3.
    pub fn mirrored(self) -> Self {
        match self {
            Self::Stable | Self::Unstable1 | Self::Unstable2 => self,
            _ => Self::ALL[12 - self as usize],
        }
    }
}

/// A proof number and a disproof number: how much is missing until Black's win is proved, and White's.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Numbers {
    /// Until a win of Black is proved; 0 when it is.
    pub proof: u32,
    /// Until a win of White is proved; 0 when it is.
    pub disproof: u32,
}

impl Numbers {
    /// "Never": the number of what is decided the other way.
    pub const INFINITE: u32 = u32::MAX;
    /// The largest number of what is not decided.
    pub const MOST: u32 = u32::MAX - 1;

    /// Both numbers.
    pub const fn new(proof: u32, disproof: u32) -> Self {
        Self { proof, disproof }
    }

    /// The numbers of a decided position.
    pub const fn decided(winner: Side) -> Self {
        match winner {
            Side::Black => Self::new(0, Self::INFINITE),
            Side::White => Self::new(Self::INFINITE, 0),
        }
    }

    /// The less, the better for this side: what it misses, then what the other one does not.
    pub const fn missing_for(self, side: Side) -> (u32, Reverse<u32>) {
        match side {
            Side::Black => (self.proof, Reverse(self.disproof)),
            Side::White => (self.disproof, Reverse(self.proof)),
        }
    }

    /// Who has won, if it is decided.
    pub const fn winner(self) -> Option<Side> {
        match (self.proof, self.disproof) {
            (0, _) => Some(Side::Black),
            (_, 0) => Some(Side::White),
            _ => None,
        }
    }
}

/// The numbers of a new leaf for each verdict: Table 1, or what a user wants instead.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NumberTable(pub [Numbers; 13]);

impl Default for NumberTable {
    fn default() -> Self {
        let table = [
            (1, 18), // a claimed win is as good as a B4
            (1, 18),
            (2, 12),
            (3, 10),
            (4, 8),
            (6, 6),
            (5, 5),
            (4, 4),
            (8, 4),
            (10, 3),
            (12, 2),
            (18, 1),
            (18, 1),
        ];
        Self(table.map(|(proof, disproof)| Numbers::new(proof, disproof)))
    }
}

impl NumberTable {
    /// The numbers of a leaf that is not proved.
    pub fn of(&self, verdict: Verdict) -> Numbers {
        self.0[verdict as usize]
    }
}
