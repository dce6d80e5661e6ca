//! How good a turn or a position is, in the words the job-level search uses (seed paper "Job-Level
//! Proof-Number Search for Connect6", Table 1).

use std::fmt;
use std::sync::Arc;

use tengen_prover::Proof;
use tengen_rules::{Overline, Side, Turn};

/// An opinion, in hundredths of the engine's unit, seen from the side to move. It is never a proof:
/// nothing converts it into one.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
pub struct Score(pub i32);

impl Score {
    /// Better than any position that is not decided. Scores beyond are wins the engine believes in.
    pub const WIN: Self = Self(1_000_000);
    /// From here on the engine believes that the game is won, in some number of turns.
    pub const WIN_IN_SIGHT: Self = Self(Self::WIN.0 - 10_000);
}

/// Whether the strategy of a proof about the position before a turn begins with this turn. Stones that
/// contribute nothing may be added where overlines win; where they do not, a stone too many can hurt.
pub fn begins_with(proof: &Proof, turn: &Turn) -> bool {
    let Some(first) = proof.nodes.first() else {
        return false;
    };
    let within = first.turn.iter().all(|&cell| turn.contains(cell));
    let whole = first.turn.len() == turn.len();
    within && (whole || proof.position.rules.overline() == Overline::Wins)
}

/// How good something is for the side to move.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// Proved to win.
    Win(Arc<Proof>),
    /// Likely to win, from 1 (a little better) to 4 (as good as won).
    WinLikely(u8),
    /// Balanced and quiet.
    Stable,
    /// Balanced, but somebody attacks: 1, or 2 when both do.
    Unstable(u8),
    /// Likely to lose, from 1 to 4.
    LossLikely(u8),
    /// Proved to lose: the proof is the opponent's.
    Loss(Arc<Proof>),
}

impl Verdict {
    /// Whether it is proved, one way or the other.
    pub fn proof(&self) -> Option<&Arc<Proof>> {
        match self {
            Self::Win(proof) | Self::Loss(proof) => Some(proof),
            _ => None,
        }
    }

    /// The word of the job-level paper: `Bw`, `B4` ... `B1`, `stable`, `unstable1`, `W1` ... `Ww`.
    pub fn status(&self, mover: Side) -> String {
        let letter = |side: Side| match side {
            Side::Black => 'B',
            Side::White => 'W',
        };
        match self {
            Self::Win(_) => format!("{}w", letter(mover)),
            Self::WinLikely(level) => format!("{}{level}", letter(mover)),
            Self::Stable => "stable".to_owned(),
            Self::Unstable(level) => format!("unstable{level}"),
            Self::LossLikely(level) => format!("{}{level}", letter(!mover)),
            Self::Loss(_) => format!("{}w", letter(!mover)),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win(_) => f.pad("win"),
            Self::WinLikely(level) => f.pad(&format!("win likely {level}")),
            Self::Stable => f.pad("stable"),
            Self::Unstable(level) => f.pad(&format!("unstable {level}")),
            Self::LossLikely(level) => f.pad(&format!("loss likely {level}")),
            Self::Loss(_) => f.pad("loss"),
        }
    }
}
