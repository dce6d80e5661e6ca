//! The AND/OR tree: nodes in an arena, what is decided, and which first stages have failed (sections IV-B.9
//! and IV-C.2).
//!
//! A node is the position after its turn. Values are absolute: who wins. A node is won by the side to move
//! if one turn wins, and lost if all its turns lose, which takes a list of turns that is complete.

use tengen_rules::Side;

use super::field::Cells;
use super::plan::Plan;

/// The number of a node.
pub(super) type NodeId = u32;

pub(super) const ROOT: NodeId = 0;

/// What is known of a node.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Unknown,
    Won(Side),
    Drawn,
}

/// How many threats a turn makes.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sort {
    Quiet,
    Single,
    /// As many as there are stones in a turn.
    Double,
}

/// A turn that may become a node.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) turn: Cells,
    pub(super) sort: Sort,
    /// Whether it belongs to the first stage.
    pub(super) first: bool,
    /// The heuristic value Hv it starts with.
    pub(super) hv: f32,
}

#[derive(Debug)]
pub(super) struct Node {
    pub(super) turn: Cells,
    /// Who plays next.
    pub(super) mover: Side,
    pub(super) value: Value,
    pub(super) sort: Sort,
    /// Whether its turn belongs to the first stage of the parent.
    pub(super) first: bool,
    pub(super) children: Vec<NodeId>,
    pub(super) visits: u32,
    /// The sum of results, seen from the side that played the turn.
    pub(super) pv: f32,
    pub(super) hv: f32,
    /// The first stage of the side to move has found nothing.
    pub(super) own_fail: bool,
    /// The side to move has an answer to the first stage of its opponent.
    pub(super) answered: bool,
    /// Turns that are not nodes yet.
    pub(super) plan: Option<Box<Plan>>,
}

/// How a child is chosen.
#[derive(Debug, Copy, Clone, PartialEq)]
pub(super) enum Formula {
    /// Formula (2): evenly, as in breadth-first search.
    Even,
    /// Formula (3), with this exploration coefficient. Without heuristic values it is formula (1).
    Uct(f32),
}

#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// An estimate of the memory in use.
    bytes: usize,
    limit: usize,
}

impl Node {
    pub(super) fn new(candidate: Candidate, mover: Side) -> Self {
        Self {
            turn: candidate.turn,
            mover,
            value: Value::Unknown,
            sort: candidate.sort,
            first: candidate.first,
            children: Vec::new(),
            visits: 0,
            pv: 0.0,
            hv: candidate.hv,
            own_fail: false,
            answered: false,
            plan: None,
        }
    }

    pub(super) fn is_decided(&self) -> bool {
        self.value != Value::Unknown
    }

    /// The rate of formula (1), seen from the side that played the turn.
    pub(super) fn rate(&self) -> f32 {
        self.pv / self.visits.max(1) as f32
    }
}

impl Tree {
    /// A tree of just the root, with about so much memory.
    pub(super) fn new(mover: Side, limit: usize) -> Self {
        let root = Candidate {
            turn: Cells::new(),
            sort: Sort::Quiet,
            first: false,
            hv: 0.0,
        };
        Self {
            nodes: vec![Node::new(root, mover)],
            bytes: 0,
            limit,
        }
    }

    pub(super) fn get(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    pub(super) fn get_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id as usize]
    }

    /// Whether there is no room for more nodes.
    pub(super) fn is_full(&self) -> bool {
        // A vector that grows needs the old and the new half for a moment.
        self.bytes + self.nodes.capacity() * size_of::<Node>() * 3 >= self.limit
    }

    /// Counts memory of a plan or a list.
    pub(super) fn charge(&mut self, bytes: usize) {
        self.bytes += bytes;
    }

    pub(super) fn release(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_sub(bytes);
    }

    pub(super) fn add(&mut self, parent: NodeId, candidate: Candidate) -> NodeId {
        let id = self.nodes.len() as NodeId;
        let mover = !self.get(parent).mover;
        // Its number in the parent's list, and stones that do not fit into the node.
        self.charge(2 * size_of::<NodeId>() + 2 * candidate.turn.len());
        self.nodes.push(Node::new(candidate, mover));
        self.get_mut(parent).children.push(id);
        id
    }

    /// The best child among those that are allowed and not decided.
    pub(super) fn select(
        &self,
        parent: NodeId,
        formula: Formula,
        allowed: impl Fn(&Node) -> bool,
    ) -> Option<NodeId> {
        let above = self.get(parent).visits.max(1) as f32;
        let worth = |node: &Node| {
            let visits = node.visits.max(1) as f32;
            let more = match formula {
                Formula::Even => above / visits,
                Formula::Uct(factor) => factor * (above.ln() / visits).sqrt() + node.hv,
            };
            node.rate() + more
        };
        let mut best: Option<(f32, NodeId)> = None;
        for &child in &self.get(parent).children {
            let node = self.get(child);
            if node.is_decided() || !allowed(node) {
                continue;
            }
            let value = worth(node);
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, child));
            }
        }
        best.map(|(_, child)| child)
    }

    /// Brings value and failures of a node up to date with its children.
    pub(super) fn update(&mut self, id: NodeId) {
        let node = self.get(id);
        if node.is_decided() {
            return;
        }
        let mover = node.mover;
        let children = || node.children.iter().map(|&child| self.get(child));
        let complete = node.plan.as_ref().is_some_and(|plan| plan.is_complete());
        let value = if children().any(|child| child.value == Value::Won(mover)) {
            Value::Won(mover)
        } else if complete && children().all(Node::is_decided) && children().next().is_some() {
            match children().any(|child| child.value == Value::Drawn) {
                true => Value::Drawn,
                false => Value::Won(!mover),
            }
        } else {
            Value::Unknown
        };
        let closed = |child: &Node| !child.first || child.is_decided() || child.answered;
        let tried = node.plan.as_ref().is_some_and(|plan| plan.first.is_empty());
        let own_fail = node.own_fail || (tried && children().all(closed));
        let answers =
            |child: &Node| child.value == Value::Drawn || (child.own_fail && !child.is_decided());
        let answered = node.answered || children().any(answers);
        let node = self.get_mut(id);
        (node.value, node.own_fail, node.answered) = (value, own_fail, answered);
        if node.is_decided() {
            let plan = node.plan.take();
            self.release(plan.map_or(0, |plan| plan.bytes));
        }
    }

    /// The children of a node.
    pub(super) fn children(&self, id: NodeId) -> impl Iterator<Item = &Node> {
        self.get(id).children.iter().map(|&child| self.get(child))
    }
}
