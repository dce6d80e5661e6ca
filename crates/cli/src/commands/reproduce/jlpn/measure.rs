//! One opening, one policy, so many workers: a search with a book of its own.
//!
//! No two runs share a book, for proofs that are known from an earlier run would spoil the times of the next. What is
//! taken over from the folder are counts and times; that an opening is solved is believed only after the checker has
//! verified the proof beside them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow};
use serde::{Deserialize, Serialize};
use tengen_book::{Book, SearchId};
use tengen_checker::Verdict;
use tengen_grid::Follower;
use tengen_grid::jobs::LocalWorker;
use tengen_grid::runner::{End, Runner, Settings, Snapshot, Why, create_search};
use tengen_grid::search::{Config, Policy, Selection};
use tengen_grid::simulate::{Model, Recording, Sample};
use tengen_prover::Proof;
use tengen_rules::Side;

use super::openings::Opening;
use crate::error::io_words;
use crate::interrupt;
use crate::output::{grouped, write_file};
use crate::progress::{PERIOD, ProgressLine, watched};
use crate::proof_file;
use crate::solving::Claim;

/// What is run.
pub(super) struct Task<'a> {
    pub(super) opening: &'a Opening,
    pub(super) policy: Policy,
    pub(super) workers: usize,
    pub(super) time: Option<Duration>,
    pub(super) folder: &'a Path,
}

/// What a run took and found, as kept in the folder.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Measured {
    pub(super) opening: String,
    pub(super) policy: Policy,
    pub(super) workers: usize,
    /// The limit of seconds it ran with; nothing for none.
    limit: Option<f64>,
    /// `solved`, `stuck` or `stopped`.
    state: String,
    /// `black` or `white`, if it is solved.
    pub(super) winner: Option<String>,
    pub(super) proof_number: u32,
    pub(super) disproof_number: u32,
    pub(super) jobs: u64,
    pub(super) seconds: f64,
    /// Nodes of the tree.
    pub(super) tree: usize,
    /// Positions that the jobs looked at.
    pub(super) positions: u64,
    /// The jobs, in the order of their answers.
    pub(super) samples: Vec<Sample>,
    /// The proportions of the tree, if it is solved.
    pub(super) model: Option<Model>,
}

impl Measured {
    pub(super) const fn is_solved(&self) -> bool {
        self.winner.is_some()
    }

    /// What the simulator takes from it.
    pub(super) fn recording(&self) -> Recording {
        Recording {
            name: self.opening.clone(),
            jobs: self.jobs,
            samples: self.samples.clone(),
            model: self.model,
        }
    }

    /// Whether it need not be run again with this limit.
    fn serves(&self, task: &Task<'_>) -> bool {
        let time = task.time.map(|time| time.as_secs_f64());
        let same = (self.opening.as_str(), self.policy, self.workers)
            == (task.opening.name.as_str(), task.policy, task.workers);
        let long_enough = match (self.limit, time) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(limit), Some(time)) => limit >= time,
        };
        same && (self.is_solved() || self.state == Why::Stuck.name() || long_enough)
    }
}

impl Task<'_> {
    /// What an earlier run left, or a new run; `None` after Ctrl-C.
    pub(super) fn measured(&self) -> anyhow::Result<Option<Measured>> {
        if interrupt::is_stopped() {
            return Ok(None);
        }
        if let Some(earlier) = self.earlier()? {
            return Ok(Some(earlier));
        }
        self.run()
    }

    /// What an earlier run left, if it serves and the checker accepts its proof.
    pub(super) fn earlier(&self) -> anyhow::Result<Option<Measured>> {
        let read = |path| serde_json::from_slice::<Measured>(&fs::read(path).ok()?).ok();
        let kept = read(self.file("json")).filter(|kept| kept.serves(self));
        Ok(match kept {
            Some(kept) if !kept.is_solved() || self.is_proved(&kept)? => Some(kept),
            _ => None,
        })
    }

    fn is_proved(&self, kept: &Measured) -> anyhow::Result<bool> {
        let winner = match kept.winner.as_deref() {
            Some("black") => Side::Black,
            Some("white") => Side::White,
            _ => return Ok(false),
        };
        let Ok(proof) = proof_file::read(&self.file("tproof")) else {
            return Ok(false);
        };
        let claim = Claim::new(&self.opening.root, winner);
        let verdict = watched(
            || format!("{}: checking its proof", self.name()),
            || claim.check_in_part(&proof),
        )?;
        Ok(matches!(verdict, Verdict::Verified(_)))
    }

    fn run(&self) -> anyhow::Result<Option<Measured>> {
        let path = self.file("book");
        remove_book(&path)?;
        let book = Book::open(&path)?;
        let id = create_search(&book, &self.name(), &self.opening.root, &self.config())?;
        let start = Instant::now();
        let end = self.watch(&path, &book, id)?;
        let time = start.elapsed();
        // A run that was cut short says nothing about times.
        if interrupt::is_stopped() && end.why == Why::Stopped {
            return Ok(None);
        }
        if let Some(proof) = end.composed {
            let text = book.proof_text(tengen_book::ProofId(proof.0))?;
            let proof: Proof = text.context("the proof has vanished")?.parse()?;
            write_file(&self.file("tproof"), &proof.to_compact())?;
        }
        let measured = self.summary(&book, id, &end, time)?;
        let json = serde_json::to_string(&measured)? + "\n";
        write_file(&self.file("json"), json.as_bytes())?;
        Ok(Some(measured))
    }

    /// Runs the search with a line on the terminal.
    fn watch(&self, path: &Path, book: &Book, id: SearchId) -> anyhow::Result<End> {
        let settings = Settings {
            workers: self.workers,
            ..Settings::default()
        };
        let worker = Arc::new(LocalWorker::default());
        let running = Runner::start(path.to_owned(), id, worker, settings)?;
        let mut progress = ProgressLine::new();
        let start = Instant::now();
        while !running.is_done() {
            let left = self.time.map(|time| time.saturating_sub(start.elapsed()));
            if interrupt::is_stopped() || left.is_some_and(|left| left.is_zero()) {
                running.stop();
            }
            if progress.is_shown() {
                let shown = book.search(id)?.snapshot.unwrap_or_default();
                let shown: Snapshot = serde_json::from_str(&shown).unwrap_or_default();
                progress.draw(&self.line(&shown, start.elapsed()));
            }
            let period = PERIOD.min(Duration::from_millis(50));
            let nap = left.map_or(period, |left| period.min(left));
            thread::sleep(nap.max(Duration::from_millis(5)));
        }
        drop(progress);
        Ok(running.wait()?)
    }

    fn line(&self, shown: &Snapshot, time: Duration) -> String {
        format!(
            "{}: {:.0} s, proof {}, disproof {}, {} jobs",
            self.name(),
            time.as_secs_f64(),
            shown.proof,
            shown.disproof,
            grouped(shown.answers)
        )
    }

    /// Reads the journal once more.
    fn summary(
        &self,
        book: &Book,
        id: SearchId,
        end: &End,
        time: Duration,
    ) -> anyhow::Result<Measured> {
        let follower = Follower::open(book, id)?;
        let search = follower.search();
        let (numbers, totals) = (search.root().numbers, search.totals());
        let winner = end.winner.filter(|_| end.composed.is_some());
        let recording = Recording::read(book, id)?;
        Ok(Measured {
            opening: self.opening.name.clone(),
            policy: self.policy,
            workers: self.workers,
            limit: self.time.map(|time| time.as_secs_f64()),
            state: end.why.name().to_owned(),
            winner: winner.map(|side| side.to_string().to_lowercase()),
            proof_number: numbers.proof,
            disproof_number: numbers.disproof,
            jobs: totals.answers,
            seconds: time.as_secs_f64(),
            tree: search.len(),
            positions: totals.nodes,
            samples: recording.samples,
            model: recording.model.filter(|_| winner.is_some()),
        })
    }

    fn config(&self) -> Config {
        Config {
            selection: Selection::ProofNumber(self.policy),
            attacker: Some(Side::Black),
            fill: true,
            ..Config::default()
        }
    }

    fn name(&self) -> String {
        format!("{}-{}-{}", self.opening.name, self.policy, self.workers)
    }

    fn file(&self, end: &str) -> PathBuf {
        self.folder.join(format!("{}.{end}", self.name()))
    }
}

/// A run that was cut short leaves a book; its times are lost, so it begins anew.
fn remove_book(path: &Path) -> anyhow::Result<()> {
    for end in ["", "-wal", "-shm"] {
        let mut file = path.as_os_str().to_owned();
        file.push(end);
        match fs::remove_file(&file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(anyhow!(io_words(&error)))
                    .with_context(|| format!("cannot remove `{}`", path.display()));
            }
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tengen_grid::search::Policy;
    use tengen_rules::{Rules, notation};

    use super::super::openings::Opening;
    use super::Task;

    #[test]
    fn a_solved_run_is_taken_over_with_its_proof_only() {
        let folder = std::env::temp_dir().join(format!("tengen-measure-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a temporary folder");
        // Black has four in a row and is to move.
        let text = "J10 A1 B1 K10 L10 A3 B3 M10 A19 C1 E1";
        let root = notation::parse_position(text, Rules::CONNECT6).expect("a position");
        let name = "won".to_owned();
        let opening = Opening { name, root };
        let task = Task {
            opening: &opening,
            policy: Policy::Greedy,
            workers: 1,
            time: None,
            folder: &folder,
        };
        let run = task.measured().expect("it runs").expect("not interrupted");
        assert_eq!(run.winner.as_deref(), Some("black"), "{run:?}");
        assert_eq!(run.samples.len() as u64, run.jobs);
        assert!(run.jobs > 0 && run.model.is_some(), "{run:?}");
        let kept = task.earlier().expect("readable").expect("kept");
        assert_eq!(kept.seconds, run.seconds, "not run again");
        fs::write(task.file("tproof"), "TENGENPF nonsense").expect("written");
        assert!(
            task.earlier().expect("readable").is_none(),
            "no proof, no win"
        );
        fs::remove_dir_all(&folder).expect("removed");
    }
}
