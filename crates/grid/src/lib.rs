//! Job-level search: a tree in one process, heavy jobs on many workers.
//!
//! Wu, Lin, Lin, Sun, Chan and Chen, "Job-Level Proof-Number Search for Connect6" (2010). `search` is the tree: a pure
//! state machine, events in, decisions out. A [`Job`] is what a worker is asked, an [`Expansion`] what it answers.
//! Nothing a worker says is believed: what is not backed by a proof that the checker has verified is a claim, and
//! guides the search without deciding anything.

pub mod clock;
mod compose;
mod follow;
pub mod gomoku;
mod job;
pub mod jobs;
pub mod nats;
pub mod runner;
pub mod search;
pub mod simulate;
pub mod transport;
mod trust;
mod verdict;

pub use compose::{ComposeError, compose, compose_at};
pub use follow::{FollowError, Follower};
pub use job::{
    Decision, Evidence, Expansion, Found, Job, JobId, JobLimits, JobResult, ProofId, Work,
};
pub use verdict::{NumberTable, Numbers, Verdict};
