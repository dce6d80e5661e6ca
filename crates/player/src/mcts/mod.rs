//! Kavalan and its baseline: Monte-Carlo tree search over whole turns.
//!
//! Shi-Jim Yen and Jung-Kuei Yang, "Two-Stage Monte Carlo Tree Search for Connect6" (2011), sections III to
//! VI. In the first stage a side tries its threats, in the second the turns that look promising; every
//! new node is judged by conservative threat-space search (`ctss`), values are propagated through an AND/OR
//! tree (`tree`), and where the opponent would win after a pass only turns in the relevance zones of that win
//! are tried (`plan`, `zones`). `Variables` is the paper's Table III. Traditional search ([`Stages::None`])
//! shares everything but these ideas.

mod answer;
mod ctss;
mod expansion;
mod field;
mod plan;
mod playout;
mod search;
mod solve;
#[cfg(test)]
mod tests;
mod threat_tree;
mod tree;
mod variables;
mod zones;

use std::thread;
use std::time::{Duration, Instant};

use tengen_rules::Position;

use crate::{Answer, Deadline, Engine, Options, Task, ThinkError};
use search::{Search, Setup};
pub use solve::{SolveLimits, Solved};
pub use threat_tree::{breadth_first, depth_first};
pub use variables::{Stages, Variables};

/// The prover recurses once a turn.
const STACK: usize = 64 << 20;

/// How often progress is told.
const PERIOD: Duration = Duration::from_millis(100);

/// Two-stage Monte-Carlo tree search, or traditional search without stages.
#[derive(Debug, Copy, Clone)]
pub struct Mcts {
    options: Options,
    /// How the search is controlled.
    pub variables: Variables,
    /// How turns are divided.
    pub stages: Stages,
    /// Whether relevance zones restrict the turns.
    pub zones: bool,
}

impl Mcts {
    /// Kavalan: type II with relevance zones.
    pub fn new(options: &Options) -> Self {
        Self {
            options: *options,
            variables: Variables::default(),
            stages: Stages::TypeII,
            zones: true,
        }
    }

    /// The paper's traditional search.
    pub fn plain(options: &Options) -> Self {
        Self {
            stages: Stages::None,
            zones: false,
            ..Self::new(options)
        }
    }

    fn setup<'a>(&self, deadline: Deadline<'a>) -> Setup<'a> {
        Setup {
            variables: self.variables,
            stages: self.stages,
            zones: self.zones,
            contest: true,
            seed: self.options.seed,
            memory: self.options.memory,
            deadline,
            nodes: None,
            exclude: &[],
        }
    }
}

/// Nodes when the only limit is a depth.
const NODES_FOR_A_DEPTH: u64 = 100_000;

impl Engine for Mcts {
    fn name(&self) -> String {
        match self.stages {
            Stages::TypeI => "mcts-1".to_owned(),
            Stages::TypeII => "mcts".to_owned(),
            Stages::None => "mcts-plain".to_owned(),
        }
    }

    fn think(&mut self, position: &Position, task: &Task<'_>) -> Result<Answer, ThinkError> {
        if position.outcome().is_some() {
            return Err(ThinkError::Over);
        }
        let deadline = Deadline::new(&task.limits.clock, task.stop);
        // A growing tree has no depth that could be a limit: who asks for one gets so many nodes instead.
        let only_depth = task.limits.depth.is_some() && deadline.end().is_none();
        let setup = Setup {
            nodes: task
                .limits
                .nodes
                .or(only_depth.then_some(NODES_FOR_A_DEPTH)),
            exclude: task.exclude,
            ..self.setup(deadline)
        };
        on_large_stack(|| think(position, setup, task))
    }
}

/// Searches until the limits or the end, and answers.
fn think(position: &Position, setup: Setup<'_>, task: &Task<'_>) -> Result<Answer, ThinkError> {
    let mut search = Search::new(position, setup);
    let mut told = Instant::now();
    loop {
        search.simulate();
        if search.is_over() && (search.has_turn() || search.is_exhausted()) {
            break;
        }
        if let Some(progress) = task.progress
            && told.elapsed() >= PERIOD
        {
            told = Instant::now();
            if let Some(answer) = search.answer(task.lines) {
                progress(&answer);
            }
        }
    }
    search.final_answer(task.lines)
}

/// Runs the work on a thread of its own, whose stack is deep enough for the prover.
fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let worker = thread::Builder::new().stack_size(STACK);
        let handle = worker
            .spawn_scoped(scope, work)
            .expect("the system has room for a thread");
        match handle.join() {
            Ok(result) => result,
            Err(payload) => std::panic::resume_unwind(payload),
        }
    })
}
