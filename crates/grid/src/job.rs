//! What workers are asked and what they answer.

use serde::{Deserialize, Serialize};
use tengen_prover::pn::Findings;
use tengen_rules::{PositionKey, Side, Turn};

use crate::{Numbers, Verdict};

/// Names a job in one search.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct JobId(pub u64);

/// Names a proof by its content: 128 bits of FNV-1a of the text form.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ProofId(pub [u8; 16]);

impl ProofId {
    /// The name of the proof with this text.
    pub fn of(text: &str) -> Self {
        Self(tengen_book::ProofId::of(text).0)
    }
}

/// What a worker is to do. It knows nothing else of the search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// Its name.
    pub id: JobId,
    /// The rules, by name.
    pub rules: String,
    /// The position as a set-up.
    pub position: String,
    /// What is asked.
    pub work: Work,
    /// When to give up.
    pub limits: JobLimits,
    /// Proofs, as text, for positions that differ from this one by the last turn: what won there may win here.
    #[serde(default)]
    pub tips: Vec<String>,
}

/// When a job gives up.
#[derive(Debug, Copy, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct JobLimits {
    /// Positions looked at.
    pub nodes: Option<u64>,
    /// Seconds.
    pub seconds: Option<f64>,
}

/// The sorts of work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Work {
    /// The best turn outside a list, with what is thought of it.
    Expand {
        /// The turns that are known already.
        #[serde(with = "crate::job::turns")]
        exclude: Vec<Turn>,
        /// What an earlier expansion of this position would have tried next, best first.
        #[serde(with = "crate::job::turns")]
        hints: Vec<Turn>,
        /// How many expansions of this position have brought nothing new: worth more effort.
        attempt: u8,
        /// Who is expected to win, where the search is for a win of one side.
        #[serde(with = "crate::job::side_or_none")]
        attacker: Option<Side>,
    },
    /// All replies that are not proved to lose: the side that has just moved claims to win.
    Verify {
        /// The order of the answers.
        order: u8,
    },
    /// A win of the side to move.
    Prove {
        /// Of this order.
        order: u8,
    },
    /// What an engine thinks.
    Evaluate,
    /// One round of a position of Go-Moku that Black is to win (`tengen_prover::pn`).
    Gomoku {
        /// Where the search tells what it has proved.
        feed: String,
        /// Which round.
        round: usize,
        /// The third moves that are to be proved, column and row from 0.
        thirds: Vec<(usize, usize)>,
    },
}

/// What a worker has found out about a position.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Expansion {
    /// Who wins, if that was found out.
    pub decided: Option<Decision>,
    /// Turns of the side to move that are worth a look, the best first.
    pub turns: Vec<Found>,
    /// The stopper: every turn that is neither among the turns above nor among those that were excluded loses.
    pub rest_loses: Option<Evidence>,
    /// What to try next, the best first.
    #[serde(with = "crate::job::turns")]
    pub hints: Vec<Turn>,
    /// How much is missing, as the worker counts it; without it the verdict speaks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Numbers>,
    /// How much the side to move would miss with the best turn that is not listed, as the worker counts it. Without it
    /// the next turn is generated when the last one is looked at, as in the paper.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<u32>,
}

impl Expansion {
    /// Nothing but a count of what is missing.
    pub fn estimated(numbers: Numbers) -> Self {
        Self {
            estimate: Some(numbers),
            ..Self::default()
        }
    }
}

/// A turn, and what is thought of the position after it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// The turn.
    #[serde(with = "crate::job::turn")]
    pub turn: Turn,
    /// The key of the position after it.
    pub key: PositionKey,
    /// What is thought of it.
    pub verdict: Verdict,
    /// What was found out about the position after it on the way.
    pub after: Option<Box<Expansion>>,
}

/// A position is won.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// By whom.
    #[serde(with = "crate::job::side")]
    pub winner: Side,
    /// Why one should believe it.
    pub evidence: Evidence,
}

/// Why one should believe it.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Evidence {
    /// A proof. When it reaches the tree, the checker has verified that it says just this.
    Proof(ProofId),
    /// Nothing but the worker's word.
    Claim,
}

/// A worker's answer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct JobResult {
    /// What it has found out.
    pub expansion: Expansion,
    /// The proofs that are named in it, as text.
    pub proofs: Vec<(ProofId, String)>,
    /// Positions looked at.
    pub nodes: u64,
    /// The processor's time that it took.
    pub seconds: f64,
    /// What came of a round of Go-Moku.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gomoku: Option<Box<Findings>>,
}

/// A side as text: `black`.
pub(crate) mod side {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use tengen_rules::Side;

    pub(crate) fn serialize<S: Serializer>(side: &Side, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match side {
            Side::Black => "black",
            Side::White => "white",
        })
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<Side, D::Error> {
        match String::deserialize(input)?.as_str() {
            "black" => Ok(Side::Black),
            "white" => Ok(Side::White),
            other => Err(D::Error::custom(format!(
                "{other} is no side, expected black or white"
            ))),
        }
    }
}

/// A side as text, or nothing.
pub(crate) mod side_or_none {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use tengen_rules::Side;

    #[derive(Serialize, Deserialize)]
    struct Named(#[serde(with = "super::side")] Side);

    pub(crate) fn serialize<S: Serializer>(
        side: &Option<Side>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        side.map(Named).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        input: D,
    ) -> Result<Option<Side>, D::Error> {
        Ok(Option::<Named>::deserialize(input)?.map(|named| named.0))
    }
}

/// A turn as text: `K10 J9`.
pub(crate) mod turn {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use tengen_rules::Turn;

    pub(crate) fn serialize<S: Serializer>(turn: &Turn, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(turn)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<Turn, D::Error> {
        let text = String::deserialize(input)?;
        text.parse().map_err(D::Error::custom)
    }
}

/// Turns as texts.
mod turns {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use tengen_rules::Turn;

    pub(super) fn serialize<S: Serializer>(
        turns: &[Turn],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(turns.iter().map(Turn::to_string))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<Vec<Turn>, D::Error> {
        let texts = Vec::<String>::deserialize(input)?;
        texts
            .iter()
            .map(|text| text.parse().map_err(D::Error::custom))
            .collect()
    }
}
