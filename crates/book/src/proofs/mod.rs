//! Proofs: checked on the way in, kept by their content, the only thing that proves a position.

mod checked;
mod stored;

use std::fmt;
use std::str::FromStr;

pub use checked::CheckedProof;
pub(crate) use stored::{Packed, Told, all, proofs_at, proved_at, seen_before, text_of};
pub use stored::{ProofSummary, StoredProof};

use crate::{Error, Result, fields};

/// Which checker it is.
pub const CHECKER: &str = concat!("tengen-checker ", env!("CARGO_PKG_VERSION"));

/// Names a proof by its content: 128 bits of FNV-1a of the text form.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProofId(pub [u8; 16]);

impl ProofId {
    /// The name of the proof with this text.
    pub fn of(text: &str) -> Self {
        Self(fields::digest(text.as_bytes()))
    }
}

impl fmt::Display for ProofId {
    /// 32 hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&fields::hex(&self.0))
    }
}

impl FromStr for ProofId {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let name = fields::from_hex(text.trim());
        name.map(Self).ok_or_else(|| {
            let text = fields::shortened(text);
            Error::Fact(format!(
                "`{text}` names no proof, expected 32 hexadecimal digits"
            ))
        })
    }
}

/// What the checker said.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub enum ProofState {
    /// The attacker wins, whatever the defender does.
    Verified,
    /// The attacker wins against all replies but those that the proof leaves open.
    VerifiedExcept,
    /// The proof is wrong.
    Rejected,
    /// The checker gave up.
    Undecided,
}

impl ProofState {
    /// All of them.
    pub const ALL: [Self; 4] = [
        Self::Verified,
        Self::VerifiedExcept,
        Self::Rejected,
        Self::Undecided,
    ];

    /// `verified`, `verified-except`, `rejected` or `undecided`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::VerifiedExcept => "verified-except",
            Self::Rejected => "rejected",
            Self::Undecided => "undecided",
        }
    }

    pub(crate) fn named(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == text)
    }
}
