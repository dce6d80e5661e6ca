//! What is written on the wire, and how it is read from strangers.

use std::io::Read as _;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::names::{Class, Kind, is_token};
use crate::{Job, JobResult};

/// The version of all messages. Remember to update `docs/grid.md`.
pub const VERSION: u32 = 1;

/// What is longer is compressed.
const SHORT: usize = 2 << 10;
/// More is not unpacked.
pub(crate) const LARGEST: usize = 256 << 20;
/// A job with its tips is no longer than this; the server takes 1 MiB.
const LARGEST_JOB: usize = 768 << 10;
/// How zstd's frames begin.
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Why a message cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unreadable {
    #[error("it cannot be unpacked: {0}")]
    Packing(#[from] std::io::Error),
    #[error("it is longer than {LARGEST} bytes")]
    TooLong,
    #[error("it is not what was expected: {0}")]
    Json(#[from] serde_json::Error),
    #[error("it is of version {0}, expected {VERSION}")]
    Version(u32),
}

/// A job on its way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct JobMessage {
    pub(crate) version: u32,
    pub(crate) client: String,
    pub(crate) name: String,
    pub(crate) job: Job,
}

/// What a worker says of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Said {
    Done(JobResult),
    Failed(String),
    Stopped,
}

/// An answer on its way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ResultMessage {
    pub(crate) version: u32,
    #[serde(flatten)]
    pub(crate) said: Said,
}

/// What a worker does now.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunningJob {
    /// For which search.
    pub client: String,
    /// Its name.
    pub name: String,
    /// The game.
    pub rules: String,
    /// The position.
    pub position: String,
    /// The sort of work, where the worker says it.
    pub kind: Option<Kind>,
    /// For how long.
    pub seconds: f64,
    /// How often it was handed out.
    pub delivery: i64,
}

/// What a worker says of itself.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Beat {
    /// Of its messages.
    pub version: u32,
    /// The program's version.
    pub program: String,
    /// Its name.
    pub name: String,
    /// Its process: two with one name are told apart.
    pub instance: String,
    /// The machine.
    pub machine: String,
    /// How many jobs it does at once.
    pub threads: usize,
    /// Megabytes it may use, if that is limited.
    pub memory: Option<u64>,
    /// What it does; everything if this is empty.
    pub kinds: Vec<Kind>,
    /// Pools it belongs to, besides the one of its own name and that of all.
    pub labels: Vec<String>,
    /// What it does now.
    pub running: Vec<RunningJob>,
    /// Jobs done since it started.
    pub done: u64,
    /// Jobs that could not be done.
    pub failed: u64,
    /// Jobs of another version.
    pub refused: u64,
    /// Positions looked at.
    pub nodes: u64,
    /// It takes no more jobs.
    pub leaving: bool,
    /// It takes no jobs for the time being; its threads are those at work.
    pub paused: bool,
}

/// What a search says of itself.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ClientBeat {
    /// Of its messages.
    pub version: u32,
    /// Which search.
    pub client: String,
    /// What people call it.
    pub title: String,
    /// The coordinator's machine.
    pub machine: String,
    /// Its share, compared with that of others.
    pub weight: u32,
    /// At most so many workers' threads.
    pub most: Option<usize>,
    /// Only these workers.
    pub pool: Option<String>,
    /// How urgent it is.
    pub class: Class,
    /// How many threads it could use now.
    pub wants: usize,
    /// How many it is given.
    pub granted: usize,
    /// Jobs that wait.
    pub queued: usize,
    /// Jobs at work.
    pub running: usize,
    /// Answers since it started.
    pub done: u64,
    /// Jobs that failed.
    pub failures: u64,
    /// Jobs that nobody finished.
    pub dead: Vec<String>,
    /// Workers that lied, with what they did.
    pub dropped: Vec<(String, String)>,
    /// Jobs that went wrong of late, the last one first.
    pub troubles: Vec<Trouble>,
}

/// A job that went wrong.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Trouble {
    /// Its name.
    pub job: String,
    /// The position.
    pub position: String,
    /// Who had it, if anybody had.
    pub worker: Option<String>,
    /// What went wrong.
    pub reason: String,
    /// Nobody finished it, however often it was handed out.
    pub dead: bool,
    /// So many seconds ago.
    pub ago: f64,
}

/// Which jobs nobody waits for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Cancel {
    pub(crate) names: Vec<String>,
}

/// What a worker is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub(crate) enum Control {
    /// Nothing of it is wanted any more.
    Drop { reason: String },
    /// Finish what you do and leave.
    Drain,
}

/// How a search uses a grid; it can be changed while the search runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Its share, compared with that of others.
    pub weight: u32,
    /// At most so many workers' threads.
    pub most: Option<usize>,
    /// Only workers of this name or label.
    pub pool: Option<String>,
    /// How urgent it is.
    pub class: Class,
}

impl Default for Usage {
    fn default() -> Self {
        Self {
            weight: 1,
            most: None,
            pool: None,
            class: Class::Normal,
        }
    }
}

impl Usage {
    /// Nobody weighs more.
    pub const HEAVIEST: u32 = 1_000;

    /// What is wrong with it, if anything is.
    pub fn wrong(&self) -> Option<String> {
        let Self {
            weight, most, pool, ..
        } = self;
        if !(1..=Self::HEAVIEST).contains(weight) {
            return Some(format!(
                "a share of {weight}, expected 1 to {}",
                Self::HEAVIEST
            ));
        }
        if *most == Some(0) {
            return Some("at most 0 workers, expected 1 or more; pause it instead".to_owned());
        }
        let pool = pool.as_deref().filter(|pool| !is_token(pool))?;
        let pool: String = pool.chars().take(80).collect();
        Some(format!(
            "`{pool}` is no name or label of workers, expected at most 64 letters, digits, - and _"
        ))
    }
}

/// What a search is asked for by somebody with a coordinator's key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub(crate) enum Wish {
    /// Use the grid like this from now on.
    Use(Usage),
    /// Nothing of this worker is wanted any more.
    Drop { worker: String, reason: String },
    /// What this worker says counts again.
    Believe { worker: String },
}

/// A message as bytes.
pub(crate) fn packed<T: Serialize>(message: &T) -> Vec<u8> {
    let text = serde_json::to_vec(message).unwrap_or_default();
    if text.len() < SHORT {
        return text;
    }
    match zstd::bulk::compress(&text, 3) {
        Ok(small) if small.len() < text.len() => small,
        _ => text,
    }
}

/// A message from bytes of anybody.
pub(crate) fn unpacked<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Unreadable> {
    if !bytes.starts_with(&MAGIC) {
        return Ok(serde_json::from_slice(bytes)?);
    }
    Ok(serde_json::from_slice(&unpressed(bytes)?)?)
}

/// What anybody has compressed.
pub(crate) fn unpressed(bytes: &[u8]) -> Result<Vec<u8>, Unreadable> {
    let mut plain = Vec::new();
    let mut reader = zstd::stream::read::Decoder::new(bytes)?.take(LARGEST as u64 + 1);
    reader.read_to_end(&mut plain)?;
    if plain.len() > LARGEST {
        return Err(Unreadable::TooLong);
    }
    Ok(plain)
}

/// What a worker says, if it is of our version. Of another version only the number is read.
pub(crate) fn read_result(bytes: &[u8]) -> Result<Said, Unreadable> {
    match unpacked::<ResultMessage>(bytes) {
        Ok(message) if message.version == VERSION => Ok(message.said),
        Ok(message) => Err(Unreadable::Version(message.version)),
        Err(error) => Err(other_version(bytes).map_or(error, Unreadable::Version)),
    }
}

/// A job, if it is of our version.
pub(crate) fn read_job(bytes: &[u8]) -> Result<JobMessage, Unreadable> {
    match unpacked::<JobMessage>(bytes) {
        Ok(message) if message.version == VERSION => Ok(message),
        Ok(message) => Err(Unreadable::Version(message.version)),
        Err(error) => Err(other_version(bytes).map_or(error, Unreadable::Version)),
    }
}

fn other_version(bytes: &[u8]) -> Option<u32> {
    #[derive(Deserialize)]
    struct OnlyVersion {
        version: u32,
    }
    let read = unpacked::<OnlyVersion>(bytes).ok()?;
    (read.version != VERSION).then_some(read.version)
}

/// A job as bytes. Tips that make it too long are left out, the last ones first.
pub(crate) fn packed_job(client: &str, name: &str, job: &Job) -> Vec<u8> {
    let mut message = JobMessage {
        version: VERSION,
        client: client.to_owned(),
        name: name.to_owned(),
        job: job.clone(),
    };
    loop {
        let bytes = packed(&message);
        if bytes.len() <= LARGEST_JOB || message.job.tips.is_empty() {
            return bytes;
        }
        let keep = message.job.tips.len() / 2;
        message.job.tips.truncate(keep);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{JobId, JobLimits, Work};

    fn job(tips: Vec<String>) -> Job {
        Job {
            id: JobId(1),
            rules: "connect6".to_owned(),
            position: "B:J10 to-move:W".to_owned(),
            work: Work::Evaluate,
            limits: JobLimits::default(),
            tips,
        }
    }

    #[test]
    fn messages_come_back_short_or_long() {
        for tips in [Vec::new(), vec!["0 K11 L10\n".repeat(5_000)]] {
            let bytes = packed_job("c", "n", &job(tips.clone()));
            let read = read_job(&bytes).expect("a job");
            assert_eq!(read.job, job(tips));
        }
        let said = ResultMessage {
            version: VERSION,
            said: Said::Done(JobResult::default()),
        };
        assert_eq!(read_result(&packed(&said)).expect("an answer"), said.said);
        let stopped = br#"{"version":1,"stopped":null}"#;
        assert_eq!(read_result(stopped).expect("an answer"), Said::Stopped);
    }

    #[test]
    fn senseless_wishes_are_told_apart() {
        let usual = Usage::default();
        assert_eq!(usual.wrong(), None);
        let pool = |pool: &str| Usage {
            pool: Some(pool.to_owned()),
            ..Usage::default()
        };
        assert_eq!(pool("attic-2").wrong(), None);
        for wrong in [
            Usage {
                weight: 0,
                ..usual.clone()
            },
            Usage {
                weight: Usage::HEAVIEST + 1,
                ..usual.clone()
            },
            Usage {
                most: Some(0),
                ..usual
            },
            pool(""),
            pool("a.*"),
            pool(&"x".repeat(65)),
        ] {
            assert!(wrong.wrong().is_some(), "{wrong:?}");
        }
        let wish = Wish::Use(pool("attic"));
        let read: Wish = unpacked(&packed(&wish)).expect("a wish");
        assert_eq!(read, wish);
        // What is not said stays as usual.
        let read: Wish = unpacked(br#"{"do":"use","weight":3}"#).expect("a wish");
        let three = Usage {
            weight: 3,
            ..Usage::default()
        };
        assert_eq!(read, Wish::Use(three));
    }

    #[test]
    fn tips_that_do_not_fit_are_left_out() {
        let mut random = fastrand::Rng::with_seed(7);
        let noise = |_| (0..400_000).map(|_| random.alphanumeric()).collect();
        let bytes = packed_job("c", "n", &job((0..8).map(noise).collect()));
        assert!(bytes.len() <= LARGEST_JOB);
        let kept = read_job(&bytes).expect("a job").job.tips.len();
        assert!((1..8).contains(&kept), "{kept}");
    }

    #[test]
    fn other_versions_and_garbage_are_told_apart() {
        let other = br#"{"version":7,"new":{"things":[1,2]}}"#;
        assert!(matches!(read_job(other), Err(Unreadable::Version(7))));
        assert!(matches!(read_result(other), Err(Unreadable::Version(7))));
        let mut random = fastrand::Rng::with_seed(3);
        for length in 0..300 {
            let mut bytes: Vec<u8> = (0..length).map(|_| random.u8(..)).collect();
            assert!(read_result(&bytes).is_err());
            bytes.splice(0..0, MAGIC);
            assert!(read_result(&bytes).is_err());
        }
    }

    #[test]
    fn bombs_are_not_unpacked() {
        let bomb = zstd::bulk::compress(&vec![b' '; LARGEST + 10], 1).expect("packed");
        assert!(bomb.len() < 100_000);
        assert!(matches!(read_job(&bomb), Err(Unreadable::TooLong)));
    }
}
