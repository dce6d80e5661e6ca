//! Job-level proof-number search as a pure state machine: events in, decisions out, no I/O, no clock, no threads.
//!
//! The driver asks for [`Search::orders`], has them done, journals each answer as an [`Event`], says
//! [`Search::finished`] and applies the event with [`Search::apply`]. Replaying the journal gives the same tree with
//! the same [`NodeId`]s: what jobs are at work is not part of it.
//!
//! # Numbers
//! Proof and disproof numbers are Black's. A leaf takes those of its verdict, a node with children the minimum for the
//! side to move and the sum for the other. 0 and infinite mean *decided*, and only three things decide a node: a proof
//! of its own, a child decided for the side to move, or a proved stopper ("all other turns lose") with all children
//! decided for the other side. Every other number is clamped into `1..=Numbers::MOST`, so no claim, no table and no
//! overflow can decide anything.
//!
//! # Transpositions
//! Equal keys are one node, so this is a DAG. A position only grows: its depth, in turns from the root, follows from
//! its stones. A turn to a known node must lead exactly one level down, which also fixes the side to move, or it is
//! refused: there are no cycles. A change travels up level by level, so that each node is computed once, after all
//! its children. Two turns to the same child count once in a sum. What several parents share is still counted by each
//! of them, as in any proof-number search on a DAG; sums saturate at `MOST`, so counting too much misleads the choice
//! at worst and decides nothing.
//!
//! The turns of a node are those of the position one reaches by its [`Search::line`]; after a turn to a known child
//! the position may be an image of the child's under a symmetry of the board.
//!
//! # Two pairs of numbers
//! Watchers see the real ones. The choice goes by a second pair in which nodes at work count as the [`Policy`]
//! supposes. A *flag* marks nodes under which nothing can be ordered: all is decided, at work, given up or at its end.

mod absorb;
mod config;
mod event;
mod jobs;
mod numbers;
mod select;
mod storage;
mod tree;
mod uct;
mod view;
mod wide;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use tengen_rules::{PositionKey, Side, Turn};

pub use config::{Config, Policy, Selection, UnknownSelection};
pub use event::{Changes, Event, NodeId, Order, Refused, Retry};
pub use view::{EdgeView, NodeView, Totals};

use crate::{JobId, Verdict};
use tree::Tree;

/// One search.
#[derive(Debug)]
pub struct Search {
    config: Config,
    tree: Tree,
    totals: Totals,
    /// Nodes that were given up at some time.
    given_up: BTreeSet<NodeId>,
    /// Nodes whose numbers are to be computed, by depth.
    dirty: Vec<Vec<NodeId>>,
    visits: storage::Chunks<uct::Visits>,

    // From here on nothing is journaled.
    next_job: u64,
    jobs: BTreeMap<JobId, jobs::Active>,
    at_work: BTreeMap<NodeId, JobId>,
    /// The nodes through which the ways of jobs to the root lead, and whose they are.
    ways: BTreeSet<(NodeId, JobId)>,
    /// Orders of next siblings for which no worker was free yet.
    waiting: VecDeque<NodeId>,
    /// Lost jobs since the last answer.
    losses: BTreeMap<NodeId, u32>,
    /// Given up, and tried once more because there was nothing else to do.
    second_chances: BTreeSet<NodeId>,
    /// Nodes that were closed just now: a job that looks for more turns there is pointless.
    closed: Vec<NodeId>,
    /// Something has changed that may make jobs pointless, besides decided and closed nodes.
    recheck_jobs: bool,
}

impl Search {
    /// A search with nothing but its root.
    pub fn new(root_side: Side, root_key: PositionKey, config: Config) -> Self {
        let mut search = Self {
            config,
            tree: Tree::new(root_side),
            totals: Totals::default(),
            given_up: BTreeSet::new(),
            dirty: Vec::new(),
            visits: storage::Chunks::new(),
            next_job: 0,
            jobs: BTreeMap::new(),
            at_work: BTreeMap::new(),
            ways: BTreeSet::new(),
            waiting: VecDeque::new(),
            losses: BTreeMap::new(),
            second_chances: BTreeSet::new(),
            closed: Vec::new(),
            recheck_jobs: false,
        };
        search.add_node(root_key, 0, Verdict::Stable);
        search.update(&mut Changes::default());
        search
    }

    /// Applies an event of the journal, whether or not a job is known to be at work on its node.
    pub fn apply(&mut self, event: Event) -> Changes {
        let mut changes = Changes::default();
        self.totals.events += 1;
        self.absorb_event(event, &mut changes);
        self.update(&mut changes);
        self.cancel_pointless(&mut changes);
        changes
    }

    /// How the search chooses.
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// The root.
    pub fn root(&self) -> NodeView {
        self.view(NodeId::ROOT)
    }

    /// Who wins, once it is proved.
    pub fn winner(&self) -> Option<Side> {
        self.tree.winner(NodeId::ROOT)
    }

    /// How many nodes there are: their numbers are `0..len()`.
    pub fn len(&self) -> usize {
        self.tree.len()
    }

    /// Never: there is always a root.
    pub fn is_empty(&self) -> bool {
        self.tree.len() == 0
    }

    /// A node, if there is one of this number.
    pub fn node(&self, node: NodeId) -> Option<NodeView> {
        self.knows(node).then(|| self.view(node))
    }

    /// Who wins at a node, once it is proved; none for an unknown node.
    pub fn decided(&self, node: NodeId) -> Option<Side> {
        self.knows(node).then(|| self.tree.winner(node)).flatten()
    }

    /// How many turns of a node are known; none for an unknown node.
    pub fn width(&self, node: NodeId) -> Option<usize> {
        self.tree
            .cold
            .get(node.index())
            .map(|cold| cold.edges.len())
    }

    /// The key of a node's position.
    pub fn key(&self, node: NodeId) -> Option<PositionKey> {
        self.tree.cold.get(node.index()).map(|cold| cold.key)
    }

    /// The node of a position.
    pub fn find(&self, key: &PositionKey) -> Option<NodeId> {
        self.tree.find(key)
    }

    /// The turns from the root to a node, by the parents it was found from first. Empty for an unknown node.
    pub fn line(&self, node: NodeId) -> Vec<Turn> {
        let mut turns = Vec::new();
        let mut child = node;
        while let Some(parent) = self.first_parent(child) {
            let edges = self.tree.edges(parent);
            turns.extend(
                edges
                    .iter()
                    .find(|edge| edge.child == child)
                    .map(|edge| tree::unpack(&edge.turn)),
            );
            child = parent;
        }
        turns.reverse();
        turns
    }

    /// What the search has seen so far.
    pub const fn totals(&self) -> Totals {
        self.totals
    }

    /// The jobs at work: job, node and since when.
    pub fn active(&self) -> impl Iterator<Item = (JobId, NodeId, Duration)> {
        self.jobs
            .iter()
            .map(|(&job, active)| (job, active.node, active.since))
    }

    /// How many jobs are at work.
    pub fn active_count(&self) -> usize {
        self.jobs.len()
    }

    fn knows(&self, node: NodeId) -> bool {
        node.index() < self.tree.len()
    }

    fn first_parent(&self, node: NodeId) -> Option<NodeId> {
        let cold = self.tree.cold.get(node.index())?;
        cold.parents.first().copied()
    }

    fn add_node(&mut self, key: PositionKey, depth: u16, verdict: Verdict) -> NodeId {
        let node = self.tree.add_node(key, depth, verdict);
        self.count_new(node, verdict);
        self.touch(node);
        node
    }
}
