//! Stored proofs, and playing against them.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use super::{Side, Turn};

/// What the independent checker has said.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProofState {
    /// Nobody has checked it yet.
    Unverified,
    /// The checker is at work.
    Checking,
    /// VERIFIED.
    Verified,
    /// VERIFIED but for the replies it leaves open.
    VerifiedExcept,
    /// REJECTED: it does not show what it claims.
    Rejected,
    /// UNDECIDED: a limit of the checker was reached.
    Undecided,
}

/// A proof without its nodes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct ProofSummary {
    /// Its number.
    pub id: u32,
    /// Its name.
    pub title: String,
    /// The game.
    pub rules: String,
    /// Where it starts, as a set-up.
    pub position: String,
    /// The stones in play order if they are known, or empty.
    pub moves: String,
    /// Who is claimed to win.
    pub attacker: Side,
    /// Who moves first.
    pub to_move: Side,
    /// How many nodes it has.
    pub nodes: u32,
    /// Of the compact file.
    pub bytes: u32,
    /// The winner's turns against the longest defence.
    pub turns: Option<u32>,
    /// What the checker says.
    pub state: ProofState,
    /// The checker's reason where it is not verified.
    pub reason: Option<String>,
    /// Replies it leaves open.
    pub except: Vec<Turn>,
    /// When it was checked.
    pub checked: Option<f64>,
    /// How many seconds the check took.
    pub check_seconds: Option<f64>,
    /// Which checker.
    pub checker: Option<String>,
    /// When it was stored.
    pub created: f64,
}

/// What the defender has played so far against a proof.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct ChallengeRequest {
    /// The defender's turns, the first one first.
    pub replies: Vec<Turn>,
}

/// Where the game against a proof stands: it is the defender's turn, or over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct Challenge {
    /// The turns since the proof's position, both sides'.
    pub played: Vec<PlayedTurn>,
    /// Whether the attacker has completed a line.
    pub won: bool,
    /// The reply is one that the proof leaves open.
    pub left_open: bool,
    /// Z1, Z2, Z3 for the defender's next stones.
    pub zones: Vec<Vec<String>>,
    /// Replies that the proof answers one by one, the longest first.
    pub defences: Vec<Defence>,
    /// How many replies there are in all.
    #[ts(type = "number")]
    pub replies: u64,
    /// The attacker's turns that are left against the longest defence.
    pub turns_left: u32,
    /// Why the attacker's last turn, in one sentence.
    pub why: String,
    /// The same as a word.
    pub reason: ChallengeReason,
}

/// Why the attacker's last turn is what it is.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ChallengeReason {
    /// There is none yet: the defender begins.
    Begin,
    /// The proof's first turn.
    First,
    /// It completes a line.
    Completes,
    /// The proof answers exactly this reply.
    Exact,
    /// The proof answers several replies at once, this one among them.
    Macro,
    /// The proof answers a reply that differs from this one by irrelevant stones.
    Similar,
    /// None of the stones is relevant: it is answered like no stone at all.
    Null,
    /// The proof leaves this reply open: there is no answer.
    LeftOpen,
}

/// Another name for a proof.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct NewTitle {
    /// At most 200 characters.
    pub title: String,
}

/// A turn of the game against a proof.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct PlayedTurn {
    /// Whose.
    pub side: Side,
    /// The stones.
    pub turn: Turn,
}

/// A reply in a proof.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct Defence {
    /// Its stones: fewer than a turn stands for all turns with these and irrelevant others, more for all of them at
    /// once.
    pub stones: Turn,
    /// A whole turn that can be played.
    pub example: Turn,
    /// The attacker's answer.
    pub answer: Turn,
    /// The attacker's turns to the completed line from here.
    pub turns: u32,
}
