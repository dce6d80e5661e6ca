//! How a search chooses and when it gives up.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tengen_rules::Side;

use crate::NumberTable;

/// What is supposed of a node while a job works on it, so that the next worker gets another one.
#[derive(Debug, Copy, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Policy {
    /// Black wins it.
    VirtualWin,
    /// White wins it.
    VirtualLoss,
    /// White wins it if White is thought to be better, otherwise Black.
    Greedy,
    /// It stays as good as the best sibling that is free: branches where every leaf is being worked on are flagged and
    /// passed over, and their parent hopes for the next best.
    VirtualEquivalence,
    /// It gets harder for both, and what one worker would wait for is waited for: where the next turn of a position is
    /// being looked for, the others go elsewhere as long as there is an elsewhere. Not in the paper.
    #[default]
    Patient,
}

impl Policy {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::VirtualWin,
        Self::VirtualLoss,
        Self::Greedy,
        Self::VirtualEquivalence,
        Self::Patient,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::VirtualWin => "virtual-win",
            Self::VirtualLoss => "virtual-loss",
            Self::Greedy => "greedy",
            Self::VirtualEquivalence => "virtual-equivalence",
            Self::Patient => "patient",
        }
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How the next leaf is chosen.
#[derive(Debug, Copy, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Selection {
    /// The most-proving node.
    ProofNumber(Policy),
    /// The most promising node by upper confidence bounds: for positions that will not be solved.
    Uct {
        /// How much weight what was seldom looked at gets; 1 is usual.
        exploration: f64,
    },
}

impl Selection {
    /// By bounds, with the usual weight.
    pub const UCT: Self = Self::Uct { exploration: 1.0 };
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ProofNumber(policy) => policy.fmt(f),
            Self::Uct { .. } => f.pad("uct"),
        }
    }
}

impl FromStr for Selection {
    type Err = UnknownSelection;

    fn from_str(text: &str) -> Result<Self, UnknownSelection> {
        if text == "uct" {
            return Ok(Self::UCT);
        }
        let policy = Policy::ALL.into_iter().find(|policy| policy.name() == text);
        policy
            .map(Self::ProofNumber)
            .ok_or_else(|| UnknownSelection(text.to_owned()))
    }
}

/// A word that names no way to choose.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0} is no policy, expected virtual-win, virtual-loss, greedy, virtual-equivalence, patient or uct"
)]
pub struct UnknownSelection(pub String);

impl Default for Selection {
    fn default() -> Self {
        Self::ProofNumber(Policy::default())
    }
}

/// How a search chooses and when it gives up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Config {
    /// How the next leaf is chosen.
    pub selection: Selection,
    /// The numbers of a new leaf.
    pub numbers: NumberTable,
    /// How often a lost job is tried again.
    pub retries: u32,
    /// A job that takes longer is lost.
    pub timeout: Option<Duration>,
    /// How many jobs may be at work at once.
    pub most_active: usize,
    /// What idle workers do once the root is decided if the jobs at work end as is supposed: nothing, as in the paper,
    /// or the next best that nobody works on. Worth it with many workers and the policies
    /// that suppose an end; the others never suppose that the root is decided.
    pub fill: bool,
    /// Who is expected to win: workers then look for wins of this side only. Without it they look for both, as in the
    /// paper, at nearly twice the effort.
    #[serde(with = "crate::job::side_or_none")]
    pub attacker: Option<Side>,
    /// Whether what workers count (surviving replies) is taken instead of the table where they count it.
    pub estimates: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            selection: Selection::default(),
            numbers: NumberTable::default(),
            retries: 2,
            timeout: None,
            most_active: 4_096,
            fill: false,
            attacker: None,
            estimates: true,
        }
    }
}

impl Config {
    /// The policy of a proof-number search.
    pub(super) const fn policy(&self) -> Option<Policy> {
        match self.selection {
            Selection::ProofNumber(policy) => Some(policy),
            Selection::Uct { .. } => None,
        }
    }
}
