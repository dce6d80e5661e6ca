//! What controls the search: Table III of the paper, and what it leaves open.

/// Which of the two ways to divide turns into stages (Table I), or none.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub enum Stages {
    /// Turns that make double threats first.
    TypeI,
    /// Turns that make any threat first.
    TypeII,
    /// Traditional search: all turns are equal, and no threat-space search judges nodes.
    None,
}

/// The control variables of Table III. The defaults are the table's; what it does not list is said to be ours.
#[derive(Debug, Copy, Clone, PartialEq)]
pub struct Variables {
    /// How many probing cells turns are made of at a time.
    pub probing_cells: usize,
    /// The exploration coefficient of UCT.
    pub exploration: f32,
    /// The heuristic value of a turn that makes double threats, and of one that allows them.
    pub double_value: f32,
    /// The heuristic value of a turn that makes a single threat, where it belongs to the second stage.
    pub single_value: f32,
    /// How deep a playout goes, counted from the root. The paper does not say whether in turns or in stones;
    /// here it is stones, which plays better.
    pub playout_depth: u32,
    /// Back-propagation of a node that is decided for the side to move at the root.
    pub decided_win: f32,
    /// The same for its opponent.
    pub decided_loss: f32,
    /// The result of a playout won by the side to move at the root; lost, it is the negative.
    pub playout_win: f32,
    /// Simulations after which the value of the root is reliable (section VI-B).
    pub reliable: u32,
    /// With a lower rate than this after so many simulations threats at the root are given up (section VI-B).
    pub give_up_below: f32,
    /// Simulations for which the heuristic values are meant. With fewer they are scaled down (ours).
    pub meant_for: u64,
    /// Nodes of conservative threat-space search at a new node (ours).
    pub ctss_nodes: u64,
    /// The same at the root (ours).
    pub root_ctss_nodes: u64,
    /// Nodes for the relevance zones of one null turn (ours).
    pub zone_nodes: u64,
    /// In the second stage a node has `widening * sqrt(visits)` undecided turns before the next is tried (ours).
    pub widening: f32,
    /// Most single-threat turns in the first stage of a node (ours).
    pub singles: usize,
}

impl Default for Variables {
    fn default() -> Self {
        Self {
            probing_cells: 20,
            exploration: 1.2,
            double_value: 200.0,
            single_value: 300.0,
            playout_depth: 30,
            decided_win: 10.0,
            decided_loss: -5.0,
            playout_win: 1.0,
            reliable: 6_000,
            give_up_below: -0.5,
            meant_for: 60_000,
            ctss_nodes: 300,
            root_ctss_nodes: 20_000,
            zone_nodes: 1_000,
            widening: 1.5,
            singles: 40,
        }
    }
}
