//! What solving took, kept beside the database: `FILE.json`.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use tengen_prover::pn::Work;

use crate::output::write_file;

/// What was done in all runs so far.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Summary {
    pub(crate) rules: String,
    pub(crate) position: String,
    /// `win` if Black wins, otherwise `unknown`.
    pub(crate) result: String,
    /// Positions with Black to move that are proved: of the database, or so far.
    pub(crate) records: usize,
    /// Positions by ply, of the database only.
    pub(crate) plies: Vec<usize>,
    /// Bytes of the database.
    pub(crate) bytes: Option<usize>,
    pub(crate) cpu_seconds: f64,
    pub(crate) seconds: f64,
    pub(crate) runs: u32,
    pub(crate) threads: usize,
    pub(crate) expansions: u64,
    pub(crate) threat_searches: u64,
    pub(crate) unknown_searches: u64,
    pub(crate) replays: u64,
    /// Positions that the threat searches looked at.
    pub(crate) positions: u64,
    /// Whether all work is counted that the records come from.
    pub(crate) complete: bool,
}

impl Summary {
    /// Before anything was done.
    pub(crate) fn new(rules: String, position: String, complete: bool) -> Self {
        Self {
            rules,
            position,
            result: "unknown".to_owned(),
            records: 0,
            plies: Vec::new(),
            bytes: None,
            cpu_seconds: 0.0,
            seconds: 0.0,
            runs: 0,
            threads: 1,
            expansions: 0,
            threat_searches: 0,
            unknown_searches: 0,
            replays: 0,
            positions: 0,
            complete,
        }
    }

    /// What a file says, if it is there and can be read.
    pub(crate) fn read(path: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(path).ok()?).ok()
    }

    /// Writes it so that there is always a whole file.
    pub(crate) fn write(&self, path: &Path) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(self)? + "\n";
        write_whole(path, text.as_bytes())
    }

    /// With the work of one more run.
    pub(crate) fn after(&self, work: Work, cpu: Duration, time: Duration, threads: usize) -> Self {
        Self {
            cpu_seconds: self.cpu_seconds + cpu.as_secs_f64(),
            seconds: self.seconds + time.as_secs_f64(),
            runs: self.runs + 1,
            threads,
            expansions: self.expansions + work.expansions,
            threat_searches: self.threat_searches + work.searches,
            unknown_searches: self.unknown_searches + work.unknown,
            replays: self.replays + work.replays,
            positions: self.positions + work.nodes,
            ..self.clone()
        }
    }
}

/// Writes a file beside and moves it: whoever is killed leaves the old one or the new one.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let beside = super::solve::with_suffix(path, ".new");
    write_file(&beside, bytes)?;
    fs::rename(&beside, path).with_context(|| format!("cannot write `{}`", path.display()))
}

/// How long all threads of this process have run on processors.
#[cfg(unix)]
pub(crate) fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Where the system does not tell: what the clock on the wall says.
#[cfg(not(unix))]
pub(crate) fn processor_time() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}

/// The memory that this process takes, where the system tells.
pub(crate) fn memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes << 10)
}
