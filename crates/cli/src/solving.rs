//! A search and the check of what it found. Nothing here calls a position won before the checker
//! has said VERIFIED.

use std::panic;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use tengen_checker::{Limits, Report, Verdict, check, check_claim, check_partial_claim};
use tengen_prover::{Proof, Request, Solution, Solver, Value};
use tengen_rules::{Position, Side, notation};

use crate::error::CheckFailed;
use crate::interrupt;

/// A win whose proof was verified.
#[derive(Debug)]
pub(crate) struct Win {
    /// The strategy.
    pub(crate) proof: Proof,
    /// What the checker says.
    pub(crate) report: Report,
    /// The attacker's turns to the completed line, against the longest defence.
    pub(crate) depth: u16,
    /// How long the check took.
    pub(crate) check_time: Duration,
}

/// What is known after a search.
#[derive(Debug)]
pub(crate) enum Answer {
    /// Won, and verified.
    Win(Box<Win>),
    /// No win of this order.
    None,
    /// Nothing is known.
    Unknown,
}

/// An answer and what it took.
#[derive(Debug)]
pub(crate) struct Solved {
    pub(crate) answer: Answer,
    pub(crate) nodes: u64,
    pub(crate) time: Duration,
}

/// Searches and checks.
pub(crate) fn solve(
    solver: &mut Solver,
    position: &Position,
    request: &Request<'_>,
) -> Result<Solved, CheckFailed> {
    let solution = solver.solve(position, request);
    let (nodes, time) = (solution.nodes, solution.time);
    let answer = answer(solution, position, request.attacker)?;
    Ok(Solved {
        answer,
        nodes,
        time,
    })
}

fn answer(solution: Solution, position: &Position, attacker: Side) -> Result<Answer, CheckFailed> {
    let proof = match solution.value {
        Value::Win(proof) => *proof,
        Value::None => return Ok(Answer::None),
        Value::Unknown => return Ok(Answer::Unknown),
    };
    let start = Instant::now();
    let claim = Claim::new(position, attacker);
    // Stopped in the middle of the check: nothing is known.
    let Some(verdict) = verdict(proof.to_text(), Some(claim), Limits::default()) else {
        return Ok(Answer::Unknown);
    };
    let check_time = start.elapsed();
    let report = accepted(verdict)?;
    Ok(Answer::Win(Box::new(Win {
        depth: solution.depth.unwrap_or(report.depth as u16),
        proof,
        report,
        check_time,
    })))
}

/// The report of a verified proof; anything else is a failure of ours.
pub(crate) fn accepted(verdict: Verdict) -> Result<Report, CheckFailed> {
    match verdict {
        Verdict::Verified(report) => Ok(report),
        other => Err(not_accepted(&other)),
    }
}

/// The report of a verified proof that may leave replies open.
pub(crate) fn accepted_in_part(verdict: Verdict) -> Result<Report, CheckFailed> {
    match verdict {
        Verdict::Verified(report) | Verdict::VerifiedExcept(report) => Ok(report),
        other => Err(not_accepted(&other)),
    }
}

fn not_accepted(verdict: &Verdict) -> CheckFailed {
    CheckFailed(format!(
        "the search claims more than its proof shows: {verdict}; nothing is known of the position, \
         and a report of it would help"
    ))
}

/// What a proof must be about.
#[derive(Debug, Clone)]
pub(crate) struct Claim {
    rules: String,
    position: String,
    attacker: String,
}

impl Claim {
    pub(crate) fn new(position: &Position, attacker: Side) -> Self {
        Self {
            rules: position.rules().to_string(),
            position: notation::setup_text(&position.to_setup()),
            attacker: side_name(attacker).to_owned(),
        }
    }

    /// Runs the checker on a proof that may leave replies open, Ctrl-C or not.
    pub(crate) fn check_in_part(&self, proof: &Proof) -> Verdict {
        let (rules, position, attacker) = (&self.rules, &self.position, &self.attacker);
        let text = proof.to_text();
        check_partial_claim(&text, rules, position, attacker, &Limits::default())
    }
}

/// Runs the checker; `None` if Ctrl-C comes first.
pub(crate) fn verdict(text: String, claim: Option<Claim>, limits: Limits) -> Option<Verdict> {
    let (sender, receiver) = mpsc::channel();
    let worker = thread::spawn(move || {
        let verdict = match claim {
            Some(claim) => check_claim(
                &text,
                &claim.rules,
                &claim.position,
                &claim.attacker,
                &limits,
            ),
            None => check(&text, &limits),
        };
        // Nobody waits any more after Ctrl-C.
        let _ = sender.send(verdict);
    });
    loop {
        match receiver.recv_timeout(Duration::from_millis(50)) {
            Ok(verdict) => return Some(verdict),
            Err(RecvTimeoutError::Timeout) if interrupt::is_stopped() => return None,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => match worker.join() {
                Err(payload) => panic::resume_unwind(payload),
                Ok(()) => unreachable!("the checker returns a verdict"),
            },
        }
    }
}

/// "black".
pub(crate) const fn side_name(side: Side) -> &'static str {
    match side {
        Side::Black => "black",
        Side::White => "white",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POSITION: &str = "B:B2,C2 W:B5,C5 to-move:B";

    fn position() -> Position {
        let rules = "6,6,4,1,1".parse().expect("rules");
        notation::parse_position(POSITION, rules).expect("a position")
    }

    fn claimed(nodes: &str) -> Result<Answer, CheckFailed> {
        let text = format!(
            "tengen-proof 1\nrules 6,6,4,1,1\nposition {POSITION}\nattacker black\n{nodes}\nend\n"
        );
        let proof: Proof = text.parse().expect("well-formed");
        let solution = Solution {
            value: Value::Win(Box::new(proof)),
            depth: Some(2),
            ..Solver::new(4).solve(&position(), &Request::new(Side::Black, 1))
        };
        answer(solution, &position(), Side::Black)
    }

    #[test]
    fn only_a_verified_win_is_a_win() {
        assert!(matches!(claimed("nodes 1\n0 D2"), Ok(Answer::Win(_))));
        for wrong in ["nodes 1\n0 D3", "nodes 2\n0 A1 D2=1\n1 F6"] {
            let failure = claimed(wrong).expect_err("not proved").to_string();
            assert!(failure.contains("REJECTED"), "{failure}");
        }
    }

    #[test]
    fn a_proof_about_something_else_is_no_proof() {
        let mut other = position();
        other.place("F6".parse().expect("a cell")).expect("legal");
        other.place("A1".parse().expect("a cell")).expect("legal");
        let solution = Solver::new(4).solve(&position(), &Request::new(Side::Black, 1));
        assert!(matches!(solution.value, Value::Win(_)));
        assert!(answer(solution, &other, Side::Black).is_err());
    }

    #[test]
    fn a_verdict_that_is_not_verified_is_a_failure() {
        let limits = Limits {
            nodes: Some(0),
            ..Limits::default()
        };
        let text = format!(
            "tengen-proof 1\nrules 6,6,4,1,1\nposition {POSITION}\nattacker black\nnodes 1\n0 D2\nend\n"
        );
        let verdict = verdict(text, None, limits).expect("not stopped");
        assert!(matches!(verdict, Verdict::Undecided(_)));
        assert!(accepted(verdict).is_err());
    }
}
