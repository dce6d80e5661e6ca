//! The proof as a value, and its forms; `docs/proof-format.md` is the contract.

mod compact;
mod json;
mod text;

pub use compact::CompactError;
pub use text::ProofTextError;

use tengen_rules::{Cell, Setup, Side};

/// The version of the format that is written and read.
pub(crate) const VERSION: u32 = 1;

/// A claim that a side wins, with its strategy. Nothing is guaranteed before a checker accepted it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// The rules and the position.
    pub position: Setup,
    /// Who is claimed to win.
    pub attacker: Side,
    /// Claimed relevance zones Z_1, Z_2, ...; may be empty.
    pub zones: Vec<Vec<Cell>>,
    /// The nodes; the first is the root, children come after their parents.
    pub nodes: Vec<ProofNode>,
}

/// What the attacker does in one node, and which replies are answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProofNode {
    /// The attacker's turn; empty only at a root where the defender moves.
    pub turn: Vec<Cell>,
    /// The replies with the nodes that answer them.
    pub replies: Vec<Reply>,
}

/// A reply of the defender and the node that answers it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The stones; fewer than a turn for null and semi-null turns, more for macro turns.
    pub stones: Vec<Cell>,
    /// The number of the node.
    pub child: u32,
}

/// What sort of reply it is.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum ReplyKind {
    /// A whole turn.
    Full,
    /// Some stones of a turn.
    SemiNull,
    /// No stone.
    Null,
    /// More stones than a turn has: all alternatives at once.
    Macro,
}

impl Reply {
    /// What sort of reply it is where a turn has `per_turn` stones.
    pub fn kind(&self, per_turn: u8) -> ReplyKind {
        match self.stones.len() {
            0 => ReplyKind::Null,
            n if n < usize::from(per_turn) => ReplyKind::SemiNull,
            n if n == usize::from(per_turn) => ReplyKind::Full,
            _ => ReplyKind::Macro,
        }
    }
}
