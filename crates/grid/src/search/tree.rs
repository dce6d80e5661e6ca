//! The nodes, in little memory.

use smallvec::SmallVec;
use tengen_rules::{Cell, PositionKey, Side, Turn};

use super::NodeId;
use super::storage::{Chunks, Shards};
use super::wide::Blocks;
use crate::{Numbers, ProofId, Verdict};

/// Facts about a node, one bit each.
#[derive(Debug, Copy, Clone, Default, PartialEq, Eq)]
pub(super) struct Marks(u16);

impl Marks {
    /// A job works on it.
    pub(super) const ACTIVE: u16 = 1;
    /// Nothing can be ordered here or below.
    pub(super) const FLAGGED: u16 = 1 << 1;
    /// Proved: the turns that are not children lose.
    pub(super) const CLOSED: u16 = 1 << 2;
    /// A worker knows nothing more, without a proof.
    pub(super) const NO_MORE: u16 = 1 << 3;
    /// The last try was lost.
    pub(super) const GAVE_UP: u16 = 1 << 4;
    /// Proved for both sides.
    pub(super) const CONTRADICTED: u16 = 1 << 5;
    /// Waits for its numbers.
    pub(super) const DIRTY: u16 = 1 << 6;
    /// Has excluded turns.
    pub(super) const EXCLUDES: u16 = 1 << 7;
    /// A patient worker goes elsewhere: nothing can be ordered below without passing a node whose next turn is being
    /// looked for.
    pub(super) const WAITS: u16 = 1 << 8;
    /// Has so many turns that the sums of blocks are kept.
    pub(super) const WIDE: u16 = 1 << 9;

    pub(super) const fn has(self, mark: u16) -> bool {
        self.0 & mark != 0
    }

    pub(super) fn set(&mut self, mark: u16, on: bool) {
        self.0 = if on { self.0 | mark } else { self.0 & !mark };
    }
}

/// What the parents read all the time: apart from the rest, so that a look at hundreds of children stays in the cache.
#[derive(Debug, Copy, Clone)]
pub(super) struct Hot {
    pub(super) real: Numbers,
    pub(super) guess: Numbers,
    pub(super) marks: Marks,
    pub(super) depth: u16,
}

/// The rest of a node.
#[derive(Debug)]
pub(super) struct Cold {
    pub(super) key: PositionKey,
    pub(super) edges: Vec<Edge>,
    pub(super) parents: SmallVec<[NodeId; 4]>,
    /// How many children there were when the next sibling was ordered.
    pub(super) asked: u32,
    pub(super) verdict: Verdict,
    /// What a worker has counted instead.
    pub(super) estimate: Option<Numbers>,
    /// What the mover would miss with a turn that is not a child yet; 0 if no worker has counted it.
    pub(super) next: u32,
    /// Answers in a row that brought nothing new.
    pub(super) barren: u8,
}

/// A turn and where it leads.
#[derive(Debug)]
pub(super) struct Edge {
    pub(super) turn: Packed,
    pub(super) child: NodeId,
    /// Another turn before it leads to the same child.
    pub(super) twin: bool,
    pub(super) excluded: bool,
}

/// A turn; up to two cells need no memory elsewhere.
pub(super) type Packed = SmallVec<[Cell; 2]>;

pub(super) fn unpack(packed: &Packed) -> Turn {
    packed.iter().copied().collect()
}

/// Turns in one piece of memory: their lengths and cells.
#[derive(Debug)]
pub(super) struct PackedTurns(Box<[i16]>);

impl PackedTurns {
    pub(super) fn new(turns: &[Turn]) -> Self {
        let words = turns.iter().flat_map(|turn| {
            // A turn has never more stones than a board has cells; the cut only keeps nonsense from breaking the format.
            let length = turn.len().min(i16::MAX as usize);
            let cells = turn.cells()[..length]
                .iter()
                .flat_map(|cell| [cell.x, cell.y]);
            std::iter::once(length as i16).chain(cells)
        });
        Self(words.collect())
    }

    pub(super) fn unpack(&self) -> Vec<Turn> {
        let mut turns = Vec::new();
        let mut words = self.0.iter().copied();
        while let Some(length) = words.next() {
            let mut cell = || Some(Cell::new(words.next()?, words.next()?));
            turns.push((0..length).map_while(|_| cell()).collect());
        }
        turns
    }
}

/// All nodes.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) hot: Chunks<Hot>,
    pub(super) cold: Chunks<Cold>,
    index: Shards<PositionKey, NodeId>,
    pub(super) hints: Shards<NodeId, PackedTurns>,
    /// Proofs of whole positions.
    pub(super) proofs: Shards<NodeId, ProofId>,
    /// Proofs that the other turns lose.
    pub(super) stoppers: Shards<NodeId, ProofId>,
    pub(super) wide: Shards<NodeId, Blocks>,
    root_side: Side,
}

impl Tree {
    pub(super) fn new(root_side: Side) -> Self {
        Self {
            hot: Chunks::new(),
            cold: Chunks::new(),
            index: Shards::new(),
            hints: Shards::new(),
            proofs: Shards::new(),
            stoppers: Shards::new(),
            wide: Shards::new(),
            root_side,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.hot.len()
    }

    pub(super) fn find(&self, key: &PositionKey) -> Option<NodeId> {
        self.index.get(key).copied()
    }

    pub(super) fn side(&self, node: NodeId) -> Side {
        if self.depth(node).is_multiple_of(2) {
            self.root_side
        } else {
            !self.root_side
        }
    }

    pub(super) fn depth(&self, node: NodeId) -> u16 {
        self.hot[node.index()].depth
    }

    pub(super) fn winner(&self, node: NodeId) -> Option<Side> {
        self.hot[node.index()].real.winner()
    }

    pub(super) fn has(&self, node: NodeId, mark: u16) -> bool {
        self.hot[node.index()].marks.has(mark)
    }

    pub(super) fn set(&mut self, node: NodeId, mark: u16, on: bool) {
        self.hot[node.index()].marks.set(mark, on);
    }

    pub(super) fn edges(&self, node: NodeId) -> &[Edge] {
        &self.cold[node.index()].edges
    }

    /// Whether nothing is known below this node.
    pub(super) fn is_leaf(&self, node: NodeId) -> bool {
        self.edges(node).is_empty()
    }

    /// A job here may bring something: nobody works on it and nothing has ended it.
    pub(super) fn orderable(&self, node: NodeId) -> bool {
        const ENDS: u16 = Marks::ACTIVE | Marks::CLOSED | Marks::NO_MORE | Marks::GAVE_UP;
        !self.has(node, ENDS)
    }

    pub(super) fn add_node(&mut self, key: PositionKey, depth: u16, verdict: Verdict) -> NodeId {
        let node = NodeId(self.hot.len() as u32);
        self.hot.push(Hot {
            // Not decided, and changed by the first update.
            real: Numbers::new(Numbers::MOST, Numbers::MOST),
            guess: Numbers::new(Numbers::MOST, Numbers::MOST),
            marks: Marks::default(),
            depth,
        });
        self.cold.push(Cold {
            key,
            edges: Vec::new(),
            parents: SmallVec::new(),
            asked: 0,
            verdict,
            estimate: None,
            next: 0,
            barren: 0,
        });
        self.index.insert(key, node);
        node
    }

    /// Adds an edge; `twin` says whether another edge leads to the same child.
    pub(super) fn add_edge(&mut self, parent: NodeId, turn: Packed, child: NodeId, twin: bool) {
        let edges = &mut self.cold[parent.index()].edges;
        // Most nodes have very few children: no room is kept for more.
        if edges.len() == edges.capacity() {
            edges.reserve_exact((edges.len() / 2).max(1));
        }
        edges.push(Edge {
            turn,
            child,
            twin,
            excluded: false,
        });
        if !twin {
            self.cold[child.index()].parents.push(parent);
        }
        self.widen(parent);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_of_any_length_survive_packing() {
        let texts = ["-", "K10", "K10 J9", "A1 B2 C3"];
        let turns = texts.map(|text| text.parse::<Turn>().expect("a turn"));
        assert_eq!(PackedTurns::new(&turns).unpack(), turns);
        for turn in turns {
            assert_eq!(unpack(&Packed::from_slice(turn.cells())), turn);
        }
    }

    #[test]
    fn a_node_is_small() {
        let edge_and_index = size_of::<Edge>() + 2 * size_of::<(PositionKey, NodeId)>();
        let node = size_of::<Hot>() + size_of::<Cold>() + edge_and_index;
        assert!(node < 200, "{node}");
    }
}
