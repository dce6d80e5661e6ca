//! Searches of openings: job-level proof-number search as the page sees it.
//!
//! Proof and disproof numbers are Black's: how much is missing until a win of Black is proved, and of White. `null` is
//! infinite.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::{IntoParams, ToSchema};

use super::{Side, Turn};

/// How a search stands.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SearchState {
    /// A process works on it.
    Running,
    /// It was asked to wait.
    Paused,
    /// Nobody works on it; it can go on.
    Stopped,
    /// Nothing is left to try: suggest a turn, or have a node tried again.
    Stuck,
    /// Its root is decided by verified proofs.
    Solved,
}

/// A search without its tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct SearchSummary {
    /// Its number.
    pub id: u32,
    /// For people.
    pub title: String,
    /// The game.
    pub rules: String,
    /// The root as a set-up.
    pub root: String,
    /// The root's stones in play order where they can be told, or empty.
    pub moves: String,
    /// The name of its opening, such as `TX-d21`.
    pub opening: Option<String>,
    /// How it stands.
    pub state: SearchState,
    /// Who wins, proved.
    pub winner: Option<Side>,
    /// The root's proof number.
    pub proof: Option<u32>,
    /// The root's disproof number.
    pub disproof: Option<u32>,
    /// Positions in the tree.
    pub nodes: u32,
    /// Jobs done.
    #[ts(type = "number")]
    pub jobs: u64,
    /// Jobs at work.
    pub active: u32,
    /// How many workers it was started with.
    pub workers: Option<u32>,
    /// Seconds that the jobs took, all together.
    pub seconds: f64,
    /// Positions that a worker looks at in a second.
    pub speed: f64,
    /// Events in its journal: grows with every change of the tree.
    #[ts(type = "number")]
    pub events: u64,
    /// Seconds that are left, a very rough guess, while it runs.
    pub left: Option<f64>,
    /// What went wrong in its last run, the last one last.
    pub notes: Vec<String>,
    /// What was asked of it by hand and is not done yet.
    pub asked: u32,
    /// Who works on it, if it is another process than this server.
    pub elsewhere: Option<String>,
    /// When it was made.
    pub created: f64,
    /// Why its journal cannot be read.
    pub error: Option<String>,
}

/// Whose win a search looks for.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SearchAttacker {
    /// Black's.
    Black,
    /// White's.
    White,
    /// Either, at more than twice the effort.
    Both,
}

/// A search to be started.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[ts(optional_fields)]
pub struct NewSearch {
    /// The game.
    #[schema(example = "connect6")]
    pub rules: String,
    /// Where it starts: stones in play order or a set-up, whole turns only.
    #[schema(example = "J10 I8 H9")]
    pub position: String,
    /// What to call it; the name of the opening without.
    pub title: Option<String>,
    /// What is supposed of positions at work: `virtual-win`, `virtual-loss`, `greedy`, `virtual-equivalence` or `patient`; or
    /// `uct`, which goes by the mean of the verdicts. `patient` without.
    pub policy: Option<String>,
    /// Whose win is looked for; `black` without, `both` for either.
    pub attacker: Option<SearchAttacker>,
    /// How many jobs may run at a time; as many as the server has workers without.
    pub workers: Option<u32>,
}

/// Why the turns that are not listed lose.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SearchEnd {
    /// By a verified proof.
    Proved,
    /// Somebody says so.
    Claimed,
}

/// A position of a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct SearchNode {
    /// Its number in the search; 0 is the root.
    pub id: u32,
    /// Who moves.
    pub side: Side,
    /// The turns from the root, in the orientation of the root.
    pub line: Vec<Turn>,
    /// The position as a set-up, after this line.
    pub position: String,
    /// The proof number.
    pub proof: Option<u32>,
    /// The disproof number.
    pub disproof: Option<u32>,
    /// What was thought of it when it was found: `b4`, `stable`, `w2`.
    pub verdict: String,
    /// The mean of the verdicts for Black, in a search by `uct`.
    pub mean: Option<f64>,
    /// Who wins, proved.
    pub decided: Option<Side>,
    /// A proof of its own in the book; a node that is decided by its children has none.
    pub own_proof: Option<String>,
    /// Whether and why all other turns lose.
    pub closed: Option<SearchEnd>,
    /// Whether a job works on it.
    pub active: bool,
    /// Whether the workers have given it up.
    pub gave_up: bool,
    /// It was proved for both sides: something is badly wrong.
    pub contradicted: bool,
    /// Its turns, the best of the side to move first.
    pub children: Vec<SearchChild>,
    /// How many more turns there are: only the first few hundred are listed.
    pub more: u32,
}

/// A turn of a node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct SearchChild {
    /// The turn, in the orientation of the node's own line.
    pub turn: Turn,
    /// The node after it. It may have been reached otherwise before: then its line is another one.
    pub node: u32,
    /// The name of the opening after it.
    pub opening: Option<String>,
    /// The proof number.
    pub proof: Option<u32>,
    /// The disproof number.
    pub disproof: Option<u32>,
    /// What was thought of it when it was found.
    pub verdict: String,
    /// Who wins, proved.
    pub decided: Option<Side>,
    /// Whether a job works on it.
    pub active: bool,
    /// The mean of the verdicts for Black, in a search by `uct`.
    pub mean: Option<f64>,
    /// Whether it was excluded by hand.
    pub excluded: bool,
    /// How many turns are known after it.
    pub children: u32,
}

/// Which part of a tree is wanted.
#[derive(
    Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema, IntoParams,
)]
#[serde(default)]
#[ts(optional_fields)]
pub struct SearchTreeQuery {
    /// How many turns from the root; 12 without, at most 60.
    pub depth: Option<u32>,
    /// How many nodes; 60 without, at most 300.
    pub limit: Option<u32>,
    /// These nodes instead, at most 300: `0,4,17`.
    pub ids: Option<String>,
}

/// Nodes of a search that belong together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct SearchTree {
    /// The search.
    pub search: SearchSummary,
    /// The principal line: the nodes that both sides' numbers lead to.
    pub principal: Vec<u32>,
    /// The principal line and the ways to the nodes at work, or those that were asked for; parents first.
    pub nodes: Vec<SearchNode>,
}

/// What is asked of a node by hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct SearchTurn {
    /// A turn of the node, in the orientation of its line.
    pub turn: Turn,
}
