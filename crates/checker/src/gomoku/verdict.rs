//! What is said of a database at the end, and the limits under which it is checked.

use std::fmt;
use std::sync::atomic::AtomicBool;

/// How a database is checked. The default checks every record, on one thread, without a limit.
#[derive(Debug, Clone, Copy, Default)]
pub struct GomokuLimits<'a> {
    /// How many threads work; 0 means one.
    pub threads: usize,
    /// Check only so many records, chosen at random with this seed, and the root: a quick look,
    /// which proves nothing.
    pub sample: Option<(u64, u64)>,
    /// Time by the clock.
    pub seconds: Option<f64>,
    /// The check ends soon after this is set.
    pub stop: Option<&'a AtomicBool>,
}

/// What a check of a database found out.
#[derive(Debug, Clone, PartialEq)]
pub enum GomokuVerdict {
    /// The claim is proved: Black wins.
    Verified(GomokuReport),
    /// The records of a sample hold, which proves nothing: the others were not looked at.
    VerifiedSample(GomokuReport),
    /// A record does not hold, or there is none for the root. The claim may be true all the same.
    Rejected(GomokuFault),
    /// The check was stopped, or a limit was reached.
    Undecided(String),
}

/// Where a database fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GomokuFault {
    /// The record, from 0.
    pub record: Option<usize>,
    /// Its position, or that of the root.
    pub position: String,
    /// Black's move there and the reply of White that is not answered; none if the record fails before
    /// that.
    pub reply: Option<(String, String)>,
    /// What is wrong.
    pub reason: String,
}

/// What was checked, and what it took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GomokuReport {
    /// The board and the rules: `15,15,5,1,1`, with `,exact` where overlines do not win.
    pub rules: String,
    /// The position that Black, to move, wins.
    pub position: String,
    /// Records in the file.
    pub records: u64,
    /// Strategies in the file.
    pub strategies: u64,
    /// Records checked: all of them, but for a sample.
    pub checked: u64,
    /// Replies of White that were looked at in these records.
    pub replies: u64,
    /// Replies that lead to another record.
    pub to_records: u64,
    /// Replies after which a five or a double was at hand.
    pub at_once: u64,
    /// Replies that a strategy answers; the rest of the replies.
    pub by_strategies: u64,
    /// Stones of Black placed when strategies were played through.
    pub steps: u64,
    /// How many positions of the file have 0, 1, 2, ... stones, up to symmetry: with an even number
    /// Black is to move, with an odd one Black has just moved.
    pub plies: Vec<u64>,
    /// How many threads worked.
    pub threads: usize,
}

impl GomokuVerdict {
    /// 0 for VERIFIED, also of a sample, 1 for REJECTED, 2 for UNDECIDED.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Verified(_) | Self::VerifiedSample(_) => 0,
            Self::Rejected(_) => 1,
            Self::Undecided(_) => 2,
        }
    }

    /// Whether it is proved that Black wins.
    pub fn is_verified(&self) -> bool {
        matches!(self, Self::Verified(_))
    }
}

impl fmt::Display for GomokuVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Verified(report) => {
                write!(
                    f,
                    "VERIFIED black wins {} {}",
                    report.rules, report.position
                )
            }
            Self::VerifiedSample(report) => write!(
                f,
                "VERIFIED sample, no proof: {} of {} records hold, {} {}",
                report.checked, report.records, report.rules, report.position
            ),
            Self::Rejected(fault) => write!(f, "REJECTED {fault}"),
            Self::Undecided(reason) => write!(f, "UNDECIDED {reason}"),
        }
    }
}

impl fmt::Display for GomokuFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.record {
            Some(record) => write!(f, "record {record}, {}: ", self.position)?,
            None => write!(f, "{}: ", self.position)?,
        }
        if let Some((cell, reply)) = &self.reply {
            write!(f, "after {cell} {reply}: ")?;
        }
        f.write_str(&self.reason)
    }
}

impl fmt::Display for GomokuReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} records, {} strategies, {} replies ({} to records, {} won at once, {} by strategies), \
             {} steps, {} threads",
            self.records,
            self.strategies,
            self.replies,
            self.to_records,
            self.at_once,
            self.by_strategies,
            self.steps,
            self.threads,
        )
    }
}
