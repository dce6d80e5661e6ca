//! What the checker says at the end, and the limits under which it works.
//!
//! Only a complete check says VERIFIED, and a claim that leaves replies open has a verdict of its own.

use std::fmt;
use std::time::Instant;

use crate::tokens::cell_names;

/// How much work a check may cost. The default has no limit.
///
/// Reaching a limit gives [`Verdict::Undecided`], never another verdict.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Limits {
    /// Time by the clock.
    pub seconds: Option<f64>,
    /// How many times a node may be checked; shared nodes count in every position they are met in.
    pub nodes: Option<u64>,
    /// Memory for results, an estimate; the text of the proof is not counted. Without a limit it is
    /// one GiB.
    pub memory_bytes: Option<usize>,
}

/// What a check found out.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// The claim is proved: the attacker wins.
    Verified(Report),
    /// The claim is proved, and it is no win: the attacker wins against every reply that contains
    /// none of the sets [`Report::except`].
    VerifiedExcept(Report),
    /// The file is malformed or its strategy does not win. The claim may be true all the same.
    Rejected(Reason),
    /// A limit was reached, or the arguments needed do not hold for these rules.
    Undecided(Reason),
}

/// What was proved, and what it took.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// Nodes in the file.
    pub nodes: u64,
    /// Nodes checked; a shared node counts once for every position.
    pub visits: u64,
    /// Sets of defender's stones that were shown to be answered.
    pub covered: u64,
    /// Relevance zones of the position: empty cells, columns and rows counted from 0, sorted.
    ///
    /// Zones after the last one are the whole board. Empty when overlines do not win, and where
    /// replies are left open.
    pub zones: Vec<Vec<(i32, i32)>>,
    /// The rules as the file has them.
    pub rules: String,
    /// The position as the file has it.
    pub position: String,
    /// Who wins: `black` or `white`.
    pub attacker: String,
    /// The longest line of the proof, in turns of the attacker, including the one that wins.
    pub depth: u32,
    /// Replies that are left open: nothing is said about a reply that contains one of these sets.
    pub except: Vec<Vec<(i32, i32)>>,
    /// The lowest and the highest corner of a rectangle: the attacker wins on every board that
    /// contains it and the stones of the position, also on the infinite one.
    pub region: Option<((i32, i32), (i32, i32))>,
}

/// Why a proof was not verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// The node that fails.
    pub node: Option<u64>,
    /// The line of the file, from 1.
    pub line: Option<usize>,
    /// What is wrong and what would be right.
    pub message: String,
}

impl Verdict {
    /// 0 for VERIFIED, with or without exceptions, 1 for REJECTED, 2 for UNDECIDED.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Verified(_) | Self::VerifiedExcept(_) => 0,
            Self::Rejected(_) => 1,
            Self::Undecided(_) => 2,
        }
    }

    /// Whether it is proved that the attacker wins, whatever the defender does.
    pub fn is_verified(&self) -> bool {
        matches!(self, Self::Verified(_))
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Verified(report) => write!(f, "VERIFIED {report}"),
            Self::VerifiedExcept(report) => {
                let open = report.except.len();
                let replies = if open == 1 { "reply" } else { "replies" };
                write!(f, "VERIFIED except {open} listed {replies}: {report}")
            }
            Self::Rejected(reason) => write!(f, "REJECTED {reason}"),
            Self::Undecided(reason) => write!(f, "UNDECIDED {reason}"),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} wins ", self.attacker)?;
        if let Some((low, high)) = self.region {
            let [low, high] = [low, high].map(|corner| cell_names(&[corner]));
            write!(f, "on every board that contains {low}-{high}: ")?;
        }
        write!(f, "{} {}", self.rules, self.position)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if let Some(node) = self.node {
            write!(f, "node {node}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl Reason {
    /// A reason about the whole file.
    pub(crate) fn general(message: impl Into<String>) -> Self {
        Self {
            node: None,
            line: None,
            message: message.into(),
        }
    }

    /// A reason about one line of the file.
    pub(crate) fn at_line(line: usize, message: impl Into<String>) -> Self {
        Self {
            line: Some(line),
            ..Self::general(message)
        }
    }
}

/// Ends a check before the root is decided.
#[derive(Debug)]
pub(crate) enum Stop {
    Rejected(Reason),
    Undecided(Reason),
}

impl From<Stop> for Verdict {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Rejected(reason) => Self::Rejected(reason),
            Stop::Undecided(reason) => Self::Undecided(reason),
        }
    }
}

/// Counts work and says when it is too much.
pub(crate) struct Budget {
    limits: Limits,
    start: Instant,
    ticks: u64,
    /// Nodes checked so far.
    pub(crate) visits: u64,
}

impl Budget {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            limits: limits.clone(),
            start: Instant::now(),
            ticks: 0,
            visits: 0,
        }
    }

    /// To be called for every node.
    pub(crate) fn visit(&mut self) -> Result<(), Stop> {
        if let Some(most) = self.limits.nodes
            && self.visits >= most
        {
            return Err(undecided(format!("the limit of {most} nodes was reached")));
        }
        self.visits += 1;
        self.look_at_the_clock()
    }

    /// To be called in every loop that may be long.
    pub(crate) fn tick(&mut self) -> Result<(), Stop> {
        self.ticks += 1;
        if self.ticks.is_multiple_of(1024) {
            self.look_at_the_clock()?;
        }
        Ok(())
    }

    /// Whether so much memory may be used.
    pub(crate) fn need(&self, bytes: usize) -> Result<(), Stop> {
        let most = self.limits.memory_bytes.unwrap_or(1 << 30);
        if bytes > most {
            return Err(undecided(format!("the limit of {most} bytes was reached")));
        }
        Ok(())
    }

    fn look_at_the_clock(&self) -> Result<(), Stop> {
        match self.limits.seconds {
            Some(most) if self.start.elapsed().as_secs_f64() >= most => Err(undecided(format!(
                "the limit of {most} seconds was reached"
            ))),
            _ => Ok(()),
        }
    }
}

/// A limit was reached, or an argument is not available.
pub(crate) fn undecided(message: impl Into<String>) -> Stop {
    Stop::Undecided(Reason::general(message))
}
