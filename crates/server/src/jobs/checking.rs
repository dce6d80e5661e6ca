//! The independent checker at work. Nothing is called proved or won that has not gone through here.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use tengen_checker::{Limits, Report, Verdict, check, check_partial_claim};
use tengen_prover::Proof;
use tengen_rules::{Position, Side};

use super::STACK;
use crate::api::{ProofState, ProofSummary};
use crate::convert;
use crate::database::{Database, proofs};
use crate::error::Failure;

/// No check takes longer.
const LONGEST: f64 = 3_600.0;

/// How often somebody who waits for the checker looks whether to go on.
const LOOK: Duration = Duration::from_millis(20);

/// What the checker said, and how long it took.
pub(crate) struct Checked {
    pub(crate) verdict: Verdict,
    pub(crate) seconds: f64,
}

impl Checked {
    /// As the database keeps it.
    pub(crate) fn to_row(&self) -> proofs::Check {
        let (state, reason, turns) = match &self.verdict {
            Verdict::Verified(report) => (ProofState::Verified, None, Some(report.depth)),
            Verdict::VerifiedExcept(report) => {
                (ProofState::VerifiedExcept, None, Some(report.depth))
            }
            Verdict::Rejected(reason) => (ProofState::Rejected, Some(reason.to_string()), None),
            Verdict::Undecided(reason) => (ProofState::Undecided, Some(reason.to_string()), None),
        };
        proofs::Check {
            state,
            reason,
            turns,
            seconds: Some(self.seconds),
        }
    }

    /// The report, if something is proved.
    pub(crate) const fn report(&self) -> Option<&Report> {
        match &self.verdict {
            Verdict::Verified(report) | Verdict::VerifiedExcept(report) => Some(report),
            _ => None,
        }
    }
}

/// A proof that the checker has accepted, at least in part, and that is stored.
pub(crate) struct Accepted {
    pub(crate) summary: ProofSummary,
    pub(crate) report: Report,
}

/// Checks whatever a proof says; `None` if `stopped` becomes true first.
pub(crate) fn any(text: String, stopped: &dyn Fn() -> bool) -> Option<Checked> {
    on_a_thread(stopped, move || check(&text, &limits()))
}

/// Has a proof checked that must be about this position and attacker, and stores it; `None` if `stopped` becomes
/// true first. A proof of ours that is not accepted is a failure of ours.
pub(crate) fn accepted(
    database: &Database,
    position: &Position,
    attacker: Side,
    proof: &Proof,
    stopped: &dyn Fn() -> bool,
) -> Result<Option<Accepted>, Failure> {
    let text = proof.to_text();
    let rules = position.rules().to_string();
    let setup = convert::setup(&position.to_setup());
    let name = convert::side_name(attacker);
    let checked = on_a_thread(stopped, move || {
        check_partial_claim(&text, &rules, &setup, name, &limits())
    });
    let Some(checked) = checked else {
        return Ok(None);
    };
    let Some(report) = checked.report() else {
        return Err(Failure::Internal(format!(
            "the search claims more than its proof shows: {}; nothing is known of the position, and a report of \
             it would help",
            checked.verdict
        )));
    };
    let title = title(position, attacker, report);
    let new = proofs::NewProof::new(title, proof, position, checked.to_row());
    let summary = database.write_now(|connection| proofs::insert(connection, &new))?;
    let report = report.clone();
    Ok(Some(Accepted { summary, report }))
}

/// "Black wins in 5 turns, 13 stones".
fn title(position: &Position, attacker: Side, report: &Report) -> String {
    let stones = position.stones().count();
    let stones = match stones {
        1 => "1 stone".to_owned(),
        n => format!("{n} stones"),
    };
    match (report.except.len(), report.depth) {
        (0, 1) => format!("{attacker} wins in 1 turn, {stones}"),
        (0, turns) => format!("{attacker} wins in {turns} turns, {stones}"),
        (1, _) => format!("{attacker} wins but for 1 reply, {stones}"),
        (open, _) => format!("{attacker} wins but for {open} replies, {stones}"),
    }
}

fn limits() -> Limits {
    Limits {
        seconds: Some(LONGEST),
        ..Limits::default()
    }
}

/// The checker cannot be told to stop: somebody who must not wait leaves it to its limits.
fn on_a_thread(
    stopped: &dyn Fn() -> bool,
    work: impl FnOnce() -> Verdict + Send + 'static,
) -> Option<Checked> {
    let start = Instant::now();
    let (sender, receiver) = mpsc::channel();
    let worker = thread::Builder::new()
        .name("checker".to_owned())
        .stack_size(STACK)
        .spawn(move || drop(sender.send(work())))
        .expect("a thread can be started");
    loop {
        match receiver.recv_timeout(LOOK) {
            Ok(verdict) => {
                let seconds = start.elapsed().as_secs_f64();
                return Some(Checked { verdict, seconds });
            }
            Err(RecvTimeoutError::Timeout) if stopped() => return None,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => match worker.join() {
                Err(payload) => std::panic::resume_unwind(payload),
                Ok(()) => unreachable!("the checker returns a verdict"),
            },
        }
    }
}
