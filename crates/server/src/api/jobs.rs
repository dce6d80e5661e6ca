//! Jobs: work of seconds to hours that belongs to the server. A page only watches it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use super::{Side, StudyChange, Turn};

/// How sure one is.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Certainty {
    /// The checker has verified a proof.
    Proved,
    /// An engine believes that a side wins.
    Likely,
    /// An engine sees no side ahead, and nothing urgent.
    Even,
    /// An engine cannot tell.
    Open,
}

/// What is known or believed of a position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct Opinion {
    /// How sure.
    pub certainty: Certainty,
    /// Who is ahead or wins; nobody if even or open.
    pub side: Option<Side>,
    /// Black's share, 0 to 1; of proved positions 0 or 1. A hint for drawing, not a probability.
    pub black: f64,
    /// Of proved wins: the winner's turns from this position on, against the longest defence; 0 if his line is
    /// complete.
    pub turns: Option<u32>,
    /// Of likely wins: 1 to 4.
    pub grade: Option<u8>,
    /// The proof.
    pub proof: Option<u32>,
}

/// One of the best turns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct Line {
    /// The turn (with a half-turn placed: what is left of it).
    pub turn: Turn,
    /// How the game may go on, from the turn after it.
    pub then: Vec<Turn>,
    /// What is believed of the position after the turn.
    pub opinion: Opinion,
}

/// What a job does. Positions as in [`super::PositionText`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[ts(optional_fields)]
pub enum JobRequest {
    /// The best turns, live, until stopped or the limit is reached.
    Analyze {
        /// The game.
        rules: String,
        /// The position.
        position: String,
        /// How many turns to rank; 1 to 8.
        lines: u8,
        /// Turns that are not considered.
        #[serde(default)]
        exclude: Vec<Turn>,
        /// The most seconds; 600 without.
        seconds: Option<f64>,
    },
    /// One turn of a game.
    Turn {
        /// The game.
        rules: String,
        /// The position.
        position: String,
        /// 1 to 10.
        level: u8,
        /// The most seconds; 5 without.
        seconds: Option<f64>,
    },
    /// A win of the side to move by threats.
    FindWin {
        /// The game.
        rules: String,
        /// The position.
        position: String,
        /// 1 VCDT, 2 VCST, 3 and 4 with quiet turns.
        order: u8,
        /// The most seconds; 60 without.
        seconds: Option<f64>,
    },
    /// All replies of the side to move that are not proved to lose.
    Verify {
        /// The game.
        rules: String,
        /// The position after the turn that is claimed to win.
        position: String,
        /// Of the searches inside; 1 or 2.
        order: u8,
        /// The most seconds; 120 without.
        seconds: Option<f64>,
    },
    /// The independent checker reads a stored proof.
    Check {
        /// Which.
        proof: u32,
    },
    /// Games of a collection are stored and indexed.
    ImportGames {
        /// The collection.
        collection: u32,
    },
}

impl JobRequest {
    /// What sort of job it is.
    pub const fn kind(&self) -> JobKind {
        match self {
            Self::Analyze { .. } => JobKind::Analyze,
            Self::Turn { .. } => JobKind::Turn,
            Self::FindWin { .. } => JobKind::FindWin,
            Self::Verify { .. } => JobKind::Verify,
            Self::Check { .. } => JobKind::Check,
            Self::ImportGames { .. } => JobKind::ImportGames,
        }
    }
}

impl JobState {
    /// Whether nothing more will happen.
    pub const fn is_final(self) -> bool {
        matches!(self, Self::Done | Self::Failed | Self::Stopped)
    }
}

/// What sort of job it is.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum JobKind {
    /// See [`JobRequest::Analyze`].
    Analyze,
    /// See [`JobRequest::Turn`].
    Turn,
    /// See [`JobRequest::FindWin`].
    FindWin,
    /// See [`JobRequest::Verify`].
    Verify,
    /// See [`JobRequest::Check`].
    Check,
    /// See [`JobRequest::ImportGames`].
    ImportGames,
}

/// A job to be made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[ts(optional_fields)]
pub struct NewJob {
    /// What to do.
    pub request: JobRequest,
    /// The study it was asked in.
    pub study: Option<u32>,
    /// The node of that study.
    pub node: Option<u32>,
}

/// How a job stands.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum JobState {
    /// Waits for a free worker.
    Queued,
    /// Works.
    Running,
    /// A proof was found and the independent checker reads it.
    Checking,
    /// Has a result.
    Done,
    /// Has an error.
    Failed,
    /// Somebody stopped it; a result may be there.
    Stopped,
}

/// How far a job is: what was spent and what is open, never a guessed percentage.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(default)]
pub struct JobProgress {
    /// Seconds worked.
    pub seconds: f64,
    /// The most seconds it may work.
    pub limit: Option<f64>,
    /// Nodes searched, games read.
    #[ts(type = "number")]
    pub nodes: u64,
    /// The depth of an analysis.
    pub depth: Option<u32>,
    /// The lines of an analysis so far.
    pub lines: Vec<Line>,
    /// Of a verification: the stage, from 1.
    pub stage: Option<u32>,
    /// Of a verification: how many stages there are.
    pub stages: Option<u32>,
    /// Of a verification: replies proved to lose.
    #[ts(type = "number | null")]
    pub refuted: Option<u64>,
    /// Of a verification: replies that are still tried.
    #[ts(type = "number | null")]
    pub open: Option<u64>,
    /// Of an import: how many games there are.
    #[ts(type = "number | null")]
    pub total: Option<u64>,
}

/// A reply, or a part of one, that is not proved to lose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct Survivor {
    /// Its stones; fewer than a turn: together with any others.
    pub stones: Turn,
}

/// What came out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum JobOutcome {
    /// Of an analysis.
    Analysis {
        /// The best first.
        lines: Vec<Line>,
        /// Every turn that is not excluded and not listed is proved to lose.
        others_lose: bool,
    },
    /// Of a game turn.
    Turn {
        /// What is played.
        turn: Turn,
        /// What the engine believes.
        opinion: Opinion,
    },
    /// A win, verified by the checker.
    Win {
        /// Who wins.
        side: Side,
        /// How it begins.
        turn: Turn,
        /// The winner's turns against the longest defence.
        turns: u32,
        /// The stored proof.
        proof: u32,
        /// Z1, Z2, Z3: where stones of the defender could matter.
        zones: Vec<Vec<String>>,
        /// The winning tree as nodes to insert: node ids from 1, parent 0 is the position searched.
        tree: Vec<super::Node>,
    },
    /// No win of this order exists.
    None,
    /// The limit was reached; nothing is known.
    Unknown,
    /// Of a verification.
    Verified {
        /// Who claims to win: the side that just moved.
        attacker: Side,
        /// Replies that are not proved to lose; none: the attacker wins.
        survivors: Vec<Survivor>,
        /// How many of all replies survive, counted as whole turns; nothing where they cannot be counted.
        #[ts(type = "number | null")]
        open: Option<u64>,
        /// How many replies there are; 0 on infinite boards.
        #[ts(type = "number")]
        replies: u64,
        /// The stored proof that the others lose.
        proof: Option<u32>,
        /// Z1, Z2, Z3 of the proof against the null turn, if there is one.
        zones: Vec<Vec<String>>,
        /// Whether every reply was tried to the last stage.
        finished: bool,
    },
    /// Of a check.
    Checked {
        /// The proof with its new state.
        proof: super::ProofSummary,
    },
    /// Of an import.
    Imported {
        /// The collection.
        collection: u32,
        /// Games stored.
        games: u32,
        /// Games left out, with the first reasons.
        refused: u32,
        /// Why, at most ten.
        reasons: Vec<String>,
    },
}

/// A job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct Job {
    /// Its number.
    pub id: u32,
    /// Grows with every change of any job: later is newer.
    #[ts(type = "number")]
    pub sequence: u64,
    /// What sort.
    pub kind: JobKind,
    /// What was asked.
    pub request: JobRequest,
    /// The study it was asked in.
    pub study: Option<u32>,
    /// The node of that study.
    pub node: Option<u32>,
    /// How it stands.
    pub state: JobState,
    /// How far it is.
    pub progress: JobProgress,
    /// What came out.
    pub outcome: Option<JobOutcome>,
    /// Why it failed.
    pub error: Option<String>,
    /// Whether somebody has looked at the outcome.
    pub seen: bool,
    /// When it was made.
    pub created: f64,
    /// When it ended.
    pub finished: Option<f64>,
}

/// What the WebSocket `/api/live` tells. The first message is always a snapshot; so is one after messages were
/// missed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Live {
    /// All jobs there are.
    Snapshot {
        /// The jobs.
        jobs: Vec<Job>,
    },
    /// A job is new or has changed.
    Job {
        /// The whole job.
        job: Box<Job>,
    },
    /// A job was forgotten.
    Forgotten {
        /// Which.
        job: u32,
    },
    /// A study was edited.
    Study {
        /// How.
        change: StudyChange,
    },
    /// A search is new or has changed; its tree may have grown.
    Search {
        /// The search without its tree.
        search: Box<super::SearchSummary>,
    },
    /// A search was deleted.
    SearchDeleted {
        /// Which.
        search: u32,
    },
    /// Something happens on the grid: ask `/api/grid` for more.
    Grid {
        /// The sums.
        grid: super::GridSummary,
    },
    /// The list of studies, proofs or collections changed: ask again.
    Library,
}
