//! Subjects, streams and the tokens they are made of. `docs/grid.md` has the table.

use std::fmt;
use std::str::FromStr;

use crate::{Job, Work};

/// The stream of jobs.
pub(crate) const JOBS: &str = "TENGEN_JOBS";
/// The stream of answers.
pub(crate) const RESULTS: &str = "TENGEN_RESULTS";
/// The stream of what searches have proved.
pub(crate) const RECORDS: &str = "TENGEN_RECORDS";
/// The pool of all workers.
pub const ANY: &str = "any";
/// The longest token.
const LONGEST: usize = 64;

/// A part of a subject: letters, digits, `-` and `_`, at most 64 of them.
pub fn is_token(text: &str) -> bool {
    let plain = |c: u8| c.is_ascii_alphanumeric() || c == b'-' || c == b'_';
    (1..=LONGEST).contains(&text.len()) && text.bytes().all(plain)
}

/// A text made into a token: what does not belong there becomes `-`.
pub fn token(text: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || c == '_' {
            c
        } else {
            '-'
        }
    };
    let token: String = text.chars().take(LONGEST).map(plain).collect();
    if token.is_empty() {
        "-".to_owned()
    } else {
        token
    }
}

/// How urgent a search is.
#[derive(
    Debug,
    Copy,
    Clone,
    Default,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    serde::Serialize,
    serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// Before all others.
    High,
    /// As usual.
    #[default]
    Normal,
    /// When nothing else is to be done.
    Low,
}

impl Class {
    /// All of them, the most urgent first.
    pub const ALL: [Self; 3] = [Self::High, Self::Normal, Self::Low];

    /// `high`, `normal` or `low`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Normal => "normal",
            Self::Low => "low",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The sorts of work, as subjects have them.
#[derive(
    Debug, Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The best turn outside a list.
    Expand,
    /// All replies that are not proved to lose.
    Verify,
    /// A win of the side to move.
    Prove,
    /// What an engine thinks.
    Evaluate,
    /// Rounds of Go-Moku.
    Gomoku,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Expand,
        Self::Verify,
        Self::Prove,
        Self::Evaluate,
        Self::Gomoku,
    ];

    /// Of this job.
    pub const fn of(work: &Work) -> Self {
        match work {
            Work::Expand { .. } => Self::Expand,
            Work::Verify { .. } => Self::Verify,
            Work::Prove { .. } => Self::Prove,
            Work::Evaluate => Self::Evaluate,
            Work::Gomoku { .. } => Self::Gomoku,
        }
    }

    /// `expand`, `verify`, `prove`, `evaluate` or `gomoku`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Expand => "expand",
            Self::Verify => "verify",
            Self::Prove => "prove",
            Self::Evaluate => "evaluate",
            Self::Gomoku => "gomoku",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A word that names no sort of work or class.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{word} is not known, expected {expected}")]
pub struct UnknownWord {
    word: String,
    expected: &'static str,
}

impl FromStr for Kind {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        let found = Self::ALL.into_iter().find(|kind| kind.name() == text);
        found.ok_or_else(|| UnknownWord {
            word: text.to_owned(),
            expected: "expand, verify, prove, evaluate or gomoku",
        })
    }
}

impl FromStr for Class {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        let found = Self::ALL.into_iter().find(|class| class.name() == text);
        found.ok_or_else(|| UnknownWord {
            word: text.to_owned(),
            expected: "high, normal or low",
        })
    }
}

/// Where jobs of a sort wait: a consumer of the stream of jobs.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Queue {
    pub(crate) class: Class,
    pub(crate) kind: Kind,
    pub(crate) pool: String,
}

impl Queue {
    /// The consumer's name.
    pub(crate) fn consumer(&self) -> String {
        format!("{}-{}-{}", self.class, self.kind, self.pool)
    }

    /// The queue of a consumer.
    pub(crate) fn of_consumer(name: &str) -> Option<Self> {
        let mut parts = name.splitn(3, '-');
        let class = parts.next()?.parse().ok()?;
        let kind = parts.next()?.parse().ok()?;
        let pool = parts.next().filter(|pool| is_token(pool))?.to_owned();
        Some(Self { class, kind, pool })
    }

    /// The subjects that wait there.
    pub(crate) fn filter(&self) -> String {
        format!("tengen.job.{}.{}.{}.>", self.class, self.kind, self.pool)
    }

    /// The subject of a job.
    pub(crate) fn subject(&self, client: &str, name: &str) -> String {
        let Self { class, kind, pool } = self;
        format!("tengen.job.{class}.{kind}.{pool}.{client}.{name}")
    }
}

/// The name of a job: its content. Tips are left out, because they change the way and not the question.
pub(crate) fn name_of(job: &Job) -> String {
    let question = serde_json::json!([job.rules, job.position, job.work, job.limits]);
    tengen_book::ProofId::of(&question.to_string()).to_string()
}

/// The client and the name at the end of the subject of a job or an answer.
pub(crate) fn client_and_name(subject: &str) -> Option<(&str, &str)> {
    let mut parts = subject.rsplit('.');
    let name = parts.next()?;
    let client = parts.next()?;
    (is_token(name) && is_token(client)).then_some((client, name))
}

/// The worker of the subject of an answer: `tengen.result.WORKER.CLIENT.NAME`.
pub(crate) fn worker_of(subject: &str) -> Option<&str> {
    let mut parts = subject.strip_prefix("tengen.result.")?.split('.');
    parts.next().filter(|worker| is_token(worker))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{JobId, JobLimits};

    #[test]
    fn consumers_name_their_queues() {
        let queue = Queue {
            class: Class::High,
            kind: Kind::Expand,
            pool: "my-pool".to_owned(),
        };
        assert_eq!(queue.consumer(), "high-expand-my-pool");
        assert_eq!(Queue::of_consumer(&queue.consumer()), Some(queue));
        for wrong in [
            "",
            "high",
            "high-expand",
            "high-expand-",
            "high-dance-any",
            "some-expand-any",
        ] {
            assert_eq!(Queue::of_consumer(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn tokens_have_no_dots_and_no_wildcards() {
        for wrong in ["", "a.b", "*", ">", "a b", "é", &"x".repeat(65)] {
            assert!(!is_token(wrong), "{wrong}");
            assert!(is_token(&token(wrong)), "{wrong}");
        }
        assert_eq!(token("host.example"), "host-example");
    }

    #[test]
    fn the_same_question_has_the_same_name() {
        let job = Job {
            id: JobId(1),
            rules: "connect6".to_owned(),
            position: "B:J10 to-move:W".to_owned(),
            work: Work::Verify { order: 2 },
            limits: JobLimits::default(),
            tips: Vec::new(),
        };
        let later = Job {
            id: JobId(77),
            tips: vec!["a proof".to_owned()],
            ..job.clone()
        };
        assert_eq!(name_of(&job), name_of(&later));
        assert!(is_token(&name_of(&job)));
        let other = Job {
            work: Work::Verify { order: 3 },
            ..job.clone()
        };
        assert_ne!(name_of(&job), name_of(&other));
    }
}
