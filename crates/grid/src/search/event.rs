//! What goes in and what comes out.

use serde::{Deserialize, Serialize};
use tengen_rules::{PositionKey, Side, Turn};

use crate::{Expansion, JobId, Work};

/// A position in one search. The root is 0; the numbers are given in the order of the events.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NodeId(pub u32);

impl NodeId {
    /// Where the search starts.
    pub const ROOT: Self = Self(0);

    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A job to be done: the driver adds the position of the node.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    /// Its name.
    pub job: JobId,
    /// Where.
    pub node: NodeId,
    /// What.
    pub work: Work,
}

/// What a journal keeps: the same events in the same order give the same tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// A worker's answer. Every [`crate::Evidence::Proof`] in it has been checked.
    Answer {
        /// The node.
        node: NodeId,
        /// What was found out.
        expansion: Expansion,
        /// The processor's time that it took.
        seconds: f64,
        /// How many positions were looked at.
        nodes: u64,
    },
    /// The last try was lost too.
    GaveUp {
        /// The node.
        node: NodeId,
        /// Why.
        reason: String,
    },
    /// By hand: do not look at this turn. It still has to be refuted before the node is lost, which is why it gets
    /// its child like any other turn.
    Exclude {
        /// The node.
        node: NodeId,
        /// The turn.
        #[serde(with = "crate::job::turn")]
        turn: Turn,
        /// The key of the position after it.
        key: PositionKey,
    },
    /// By hand: look at an excluded turn again.
    Allow {
        /// The node.
        node: NodeId,
        /// The turn.
        #[serde(with = "crate::job::turn")]
        turn: Turn,
    },
    /// By hand: look at this turn soon.
    Suggest {
        /// The node.
        node: NodeId,
        /// The turn.
        #[serde(with = "crate::job::turn")]
        turn: Turn,
        /// The key of the position after it.
        key: PositionKey,
    },
    /// By hand: ask the workers once more about a node that was given up, or whose end rests on a mere claim.
    Retry {
        /// The node.
        node: NodeId,
    },
}

/// What an event has changed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Changes {
    /// Nodes that are decided now, leaves before the root.
    pub decided: Vec<(NodeId, Side)>,
    /// Nodes that are new.
    pub added: Vec<NodeId>,
    /// Jobs at work that have become pointless. The search has forgotten them; a late answer is harmless.
    pub cancel: Vec<JobId>,
    /// Nodes that are proved for both sides. The first proof stays; something is badly wrong.
    pub contradictions: Vec<NodeId>,
    /// What could not be done.
    pub refused: Vec<Refused>,
}

/// A part of an event that could not be done.
#[derive(Debug, Clone, PartialEq)]
pub struct Refused {
    /// The node of the event.
    pub node: NodeId,
    /// The turn, if it was about one.
    pub turn: Option<Turn>,
    /// Why.
    pub reason: &'static str,
}

/// What follows from a lost job.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum Retry {
    /// The node will be ordered again.
    Again,
    /// It was the last try: the driver journals [`Event::GaveUp`] for this node.
    GiveUp(NodeId),
    /// The job was not at work: nothing to do.
    Unknown,
}
