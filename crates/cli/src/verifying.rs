//! A verification and the check of what it proved. No reply is said to lose before the checker has
//! accepted the proof.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use tengen_checker::{Report, Verdict};
use tengen_prover::{Proof, STAGES, Verification, VerifyProgress, VerifyRequest, verify};
use tengen_rules::{Cell, Position, Setup, Side};

use crate::commands::check::{counted, sets_of};
use crate::error::CheckFailed;
use crate::output::grouped;
use crate::position_input::name;
use crate::solving::{Claim, accepted_in_part};
use crate::{progress, proof_file};

/// What is known after a verification.
#[derive(Debug)]
pub(crate) struct Verified {
    /// Who claims to win.
    pub(crate) attacker: Side,
    /// Counts, and the proof. What it says of replies is said by `check` only.
    pub(crate) found: Verification,
    /// What the checker says; `None` if there is no proof.
    pub(crate) check: Option<Checked>,
}

/// An accepted proof.
#[derive(Debug)]
pub(crate) struct Checked {
    pub(crate) report: Report,
    pub(crate) time: Duration,
}

impl Checked {
    /// Has a proof checked that may leave replies open, Ctrl-C or not.
    pub(crate) fn new(
        position: &Position,
        attacker: Side,
        proof: &Proof,
    ) -> Result<Self, CheckFailed> {
        let start = Instant::now();
        let report = accepted_in_part(Claim::new(position, attacker).check_in_part(proof))?;
        let time = start.elapsed();
        Ok(Self { report, time })
    }
}

impl Verified {
    /// The report of a proof that leaves nothing open: the attacker wins.
    pub(crate) fn win(&self) -> Option<&Checked> {
        let check = self.check.as_ref();
        check.filter(|check| check.report.except.is_empty())
    }

    /// Replies, or parts of them, that are not proved to lose.
    pub(crate) fn survivors(&self) -> Vec<Vec<Cell>> {
        match &self.check {
            Some(check) => sets_of(&check.report.except),
            None => vec![Vec::new()],
        }
    }
}

/// Verifies, with a line on the terminal that says how far it is, and checks.
pub(crate) fn verified(
    position: &Position,
    request: &VerifyRequest<'_>,
    what: &str,
) -> anyhow::Result<Verified> {
    let progress = VerifyProgress::default();
    let request = VerifyRequest {
        progress: Some(&progress),
        ..*request
    };
    let start = Instant::now();
    let line = || {
        let stages = request.stages.len();
        format!("{what}{}", in_words(&progress, stages, start.elapsed()))
    };
    let found = progress::watched(line, || verify(position, &request))??;
    let attacker = !position.to_move();
    let proof = found.proof.as_ref();
    let check = proof.map(|proof| Checked::new(position, attacker, proof));
    Ok(Verified {
        attacker,
        found,
        check: check.transpose()?,
    })
}

/// "stage 2 of 4, 82 searches, 21,000 nodes, 9.1 s; 1,471 replies refuted, 31 to try, 12 resist; ...".
fn in_words(progress: &VerifyProgress, stages: usize, time: Duration) -> String {
    let searches = progress.searches.load(Ordering::Relaxed);
    let open = progress.open.load(Ordering::Relaxed) as u64;
    let failed = progress.failed.load(Ordering::Relaxed) as u64;
    let refuted = progress.met.load(Ordering::Relaxed);
    let refuted = refuted.saturating_sub(open + failed);
    let seconds = time.as_secs_f64();
    // As if every reply needed a search of its own, as long as those so far.
    let left = seconds / searches.max(1) as f64 * open as f64;
    format!(
        "stage {} of {stages}, {}, {}, {seconds:.1} s; {} refuted, {} to try, {} resist; about {left:.0} s left in this stage",
        progress.stage.load(Ordering::Relaxed),
        searches_in_words(searches),
        counted(progress.nodes.load(Ordering::Relaxed), "node"),
        replies_in_words(refuted),
        grouped(open),
        grouped(failed),
    )
}

/// "1 search", "82 searches".
pub(crate) fn searches_in_words(searches: u64) -> String {
    match searches {
        1 => "1 search".to_owned(),
        n => format!("{} searches", grouped(n)),
    }
}

/// "1 reply", "1,514 replies".
pub(crate) fn replies_in_words(replies: u64) -> String {
    match replies {
        1 => "1 reply".to_owned(),
        n => format!("{} replies", grouped(n)),
    }
}

/// The usual stages, ended or extended by one of so many nodes.
pub(crate) fn stages(last: Option<u64>) -> Vec<u64> {
    let Some(last) = last else {
        return STAGES.to_vec();
    };
    let shorter = STAGES.into_iter().filter(|&nodes| nodes < last);
    shorter.chain([last]).collect()
}

/// One for each processor.
pub(crate) fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// A proof to go on from; it must be about this position, and the checker must accept it.
pub(crate) fn earlier_proof(path: &Path, position: &Position) -> anyhow::Result<Proof> {
    let proof = proof_file::read(path)?;
    let claim = Claim::new(position, !position.to_move());
    match claim.check_in_part(&proof) {
        Verdict::Verified(_) | Verdict::VerifiedExcept(_) => Ok(proof),
        Verdict::Rejected(reason) | Verdict::Undecided(reason) => {
            Err(anyhow::anyhow!(reason.to_string()))
        }
    }
    .with_context(|| format!("cannot go on from {}", name(path)))
}

/// The same stones with this side to make a whole turn.
pub(crate) fn after_null_turn(position: &Position, attacker: Side) -> anyhow::Result<Position> {
    let setup = Setup {
        to_move: attacker,
        left: None,
        ..position.to_setup()
    };
    Ok(Position::from_setup(&setup)?)
}

/// "J7 K6", "J8 + any", "any".
pub(crate) fn reply_in_words(stones: &[Cell], turn: usize) -> String {
    let mut words: Vec<String> = stones.iter().map(Cell::to_string).collect();
    if stones.len() < turn {
        words.extend((!stones.is_empty()).then(|| "+".to_owned()));
        words.push("any".to_owned());
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_cut_or_extended() {
        assert_eq!(stages(None), STAGES);
        assert_eq!(stages(Some(50)), [50]);
        assert_eq!(stages(Some(300)), [300]);
        assert_eq!(stages(Some(5_000)), [300, 3_000, 5_000]);
        assert_eq!(stages(Some(9_000_000))[4..], [1_000_000, 9_000_000]);
    }

    #[test]
    fn replies_and_parts_of_replies() {
        let cells = ["J8", "K9"].map(|cell| cell.parse().expect("a cell"));
        assert_eq!(reply_in_words(&cells, 2), "J8 K9");
        assert_eq!(reply_in_words(&cells[..1], 2), "J8 + any");
        assert_eq!(reply_in_words(&[], 2), "any");
    }
}
