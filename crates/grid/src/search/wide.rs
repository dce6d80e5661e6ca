//! What the children of a node come to, kept piece by piece where there are many.
//!
//! A position may have thousands of turns, and each change of one child asks for the sum over all. A node with
//! [`WIDE`] turns keeps the sums of blocks of 64; a change computes the blocks it touches, then adds up the blocks.
//! Memory is paid for wide nodes only: about 9 bytes for each of their turns.

use tengen_rules::Side;

use super::NodeId;
use super::numbers::Seen;
use super::tree::{Edge, Marks, Tree};

/// From so many turns on a node keeps sums of blocks.
pub(super) const WIDE: usize = 256;

/// How many turns a block has.
const BLOCK: usize = 64;

/// What children come to. `u32::MAX` in a minimum: there is none.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) struct Sum {
    pub(super) won: bool,
    pub(super) open: bool,
    pub(super) hope: u32,
    pub(super) theirs: u64,
    /// The same with what is supposed of active nodes; in the hope, nothing that cannot be worked on.
    pub(super) guessed_hope: u32,
    /// Only what cannot be worked on.
    pub(super) stuck_hope: u32,
    pub(super) guessed_theirs: u64,
    pub(super) guessed_open: bool,
    /// A child that can be worked on, and the best of these.
    pub(super) free: bool,
    pub(super) free_hope: u32,
    /// One that nobody has to wait for, and the best of these.
    pub(super) ready: bool,
    pub(super) ready_hope: u32,
}

impl Sum {
    /// Of no child at all.
    const NOTHING: Self = Self {
        won: false,
        open: false,
        hope: u32::MAX,
        theirs: 0,
        guessed_hope: u32::MAX,
        stuck_hope: u32::MAX,
        guessed_theirs: 0,
        guessed_open: false,
        free: false,
        free_hope: u32::MAX,
        ready: false,
        ready_hope: u32::MAX,
    };

    fn of(tree: &Tree, side: Side, edges: &[Edge]) -> Self {
        let mut sum = Self::NOTHING;
        for edge in edges {
            sum.add(tree, side, edge);
        }
        sum
    }

    fn add(&mut self, tree: &Tree, side: Side, edge: &Edge) {
        let child = &tree.hot[edge.child.index()];
        if let Some(winner) = child.real.winner() {
            self.won |= winner == side;
            return;
        }
        self.open = true;
        let real = Seen::by(side, child.real);
        let guess = Seen::by(side, child.guess);
        self.guessed_open |= guess.theirs != 0;
        if !edge.twin {
            self.theirs += u64::from(real.theirs);
            self.guessed_theirs += u64::from(guess.theirs);
        }
        if edge.excluded {
            return;
        }
        self.hope = self.hope.min(real.mine);
        let flagged = child.marks.has(Marks::FLAGGED);
        if !flagged {
            self.free = true;
            self.free_hope = self.free_hope.min(guess.mine);
        }
        if !child.marks.has(Marks::WAITS) {
            self.ready = true;
            self.ready_hope = self.ready_hope.min(guess.mine);
        }
        if flagged && child.guess.winner().is_none() {
            self.stuck_hope = self.stuck_hope.min(guess.mine);
        } else {
            self.guessed_hope = self.guessed_hope.min(guess.mine);
        }
    }

    fn and(self, other: &Self) -> Self {
        Self {
            won: self.won | other.won,
            open: self.open | other.open,
            hope: self.hope.min(other.hope),
            theirs: self.theirs + other.theirs,
            guessed_hope: self.guessed_hope.min(other.guessed_hope),
            stuck_hope: self.stuck_hope.min(other.stuck_hope),
            guessed_theirs: self.guessed_theirs + other.guessed_theirs,
            guessed_open: self.guessed_open | other.guessed_open,
            free: self.free | other.free,
            free_hope: self.free_hope.min(other.free_hope),
            ready: self.ready | other.ready,
            ready_hope: self.ready_hope.min(other.ready_hope),
        }
    }

    /// How good the best free child is, the ready ones first if one is patient; none if nothing is free.
    fn best(&self, patient: bool) -> Option<(bool, u32)> {
        if patient && self.ready {
            return Some((false, self.ready_hope));
        }
        self.free.then_some((patient, self.free_hope))
    }
}

/// The blocks of a wide node.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    sums: Vec<Sum>,
    /// Blocks that have changed, perhaps more than once.
    stale: Vec<u32>,
    /// The turns to each child, sorted: new children come last, so most additions are at the end.
    places: Vec<(NodeId, u32)>,
}

impl Blocks {
    fn new(edges: &[Edge]) -> Self {
        let mut blocks = Self::default();
        for (place, edge) in edges.iter().enumerate() {
            blocks.push(place, edge.child);
        }
        blocks
    }

    fn push(&mut self, place: usize, child: NodeId) {
        if self.sums.len() <= place / BLOCK {
            self.sums.push(Sum::NOTHING);
        }
        let new = (child, place as u32);
        let at = self.places.partition_point(|known| *known < new);
        self.places.insert(at, new);
        self.touch((place / BLOCK) as u32);
    }

    fn touch(&mut self, block: u32) {
        if self.stale.last() != Some(&block) {
            self.stale.push(block);
        }
    }
}

impl Tree {
    /// The last turn of a node is new.
    pub(super) fn widen(&mut self, node: NodeId) {
        let edges = &self.cold[node.index()].edges;
        let last = edges.len() - 1;
        if edges.len() == WIDE {
            let blocks = Blocks::new(edges);
            self.wide.insert(node, blocks);
            self.set(node, Marks::WIDE, true);
        } else if let Some(blocks) = self.wide.get_mut(&node) {
            blocks.push(last, edges[last].child);
        }
    }

    /// A child shows something else.
    pub(super) fn child_changed(&mut self, parent: NodeId, child: NodeId) {
        if !self.has(parent, Marks::WIDE) {
            return;
        }
        if let Some(blocks) = self.wide.get_mut(&parent) {
            let mut at = blocks.places.partition_point(|known| known.0 < child);
            while let Some(&(known, place)) = blocks.places.get(at) {
                if known != child {
                    break;
                }
                blocks.touch(place / BLOCK as u32);
                at += 1;
            }
        }
    }

    /// Turns of a node were excluded or allowed.
    pub(super) fn edges_changed(&mut self, node: NodeId) {
        if let Some(blocks) = self.wide.get_mut(&node) {
            blocks.stale = (0..blocks.sums.len() as u32).collect();
        }
    }

    /// What the children of a node come to.
    pub(super) fn sum(&mut self, node: NodeId) -> Sum {
        if !self.has(node, Marks::WIDE) {
            return self.sum_slow(node);
        }
        let mut blocks = self.wide.get_mut(&node).map(std::mem::take);
        let blocks = blocks.get_or_insert_default();
        let (side, edges) = (self.side(node), self.edges(node));
        blocks.stale.sort_unstable();
        blocks.stale.dedup();
        for block in blocks.stale.drain(..) {
            let first = block as usize * BLOCK;
            let last = edges.len().min(first + BLOCK);
            blocks.sums[block as usize] = Sum::of(self, side, &edges[first..last]);
        }
        let sums = blocks.sums.iter();
        let sum = sums.fold(Sum::NOTHING, |all, block| all.and(block));
        self.wide.insert(node, std::mem::take(blocks));
        sum
    }

    /// The same, from all children.
    pub(super) fn sum_slow(&self, node: NodeId) -> Sum {
        Sum::of(self, self.side(node), self.edges(node))
    }

    /// The turns among which the first of the best is, if something is free: the block of a wide node that has it.
    pub(super) fn best_edges(&self, node: NodeId, patient: bool) -> &[Edge] {
        let edges = self.edges(node);
        let wide = self
            .wide
            .get(&node)
            .filter(|blocks| blocks.stale.is_empty());
        let Some(blocks) = wide.filter(|_| self.has(node, Marks::WIDE)) else {
            return edges;
        };
        let free = blocks.sums.iter().enumerate();
        let free = free.filter_map(|(block, sum)| Some((sum.best(patient)?, block)));
        let Some((_, block)) = free.min() else {
            return &[];
        };
        let first = block * BLOCK;
        &edges[first..edges.len().min(first + BLOCK)]
    }
}
