//! What an analysis claims to be proved, checked beside it: the engine goes on while the checker reads.

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tengen_player::{Answer, Line, Verdict, begins_with};
use tengen_prover::Proof;
use tengen_rules::{Cell, Outcome, Position, Side, Turn};

use super::checking::{self, Accepted};
use super::opinion::{self, Proved};
use super::worker::Desk;
use crate::api::Opinion;
use crate::convert;
use crate::error::Failure;

/// A proof to be checked, and what it must be about.
pub(super) struct Claim {
    proof: Arc<Proof>,
    about: Position,
    attacker: Side,
}

/// The claims of one analysis, and what the checker has said of them.
pub(super) struct Claims<'a> {
    position: &'a Position,
    checks: Mutex<Checks>,
}

#[derive(Default)]
struct Checks {
    /// By the place in memory of the proof, which is kept, so that the place stays its own.
    known: HashMap<usize, (Arc<Proof>, Option<Accepted>)>,
    failure: Option<Failure>,
}

fn name(proof: &Arc<Proof>) -> usize {
    Arc::as_ptr(proof).addr()
}

impl<'a> Claims<'a> {
    pub(super) fn new(position: &'a Position) -> Self {
        Self {
            position,
            checks: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Checks> {
        self.checks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands over the proofs that are new.
    pub(super) fn hand_over(&self, answer: &Answer, checker: &Sender<Claim>) {
        let mover = self.position.to_move();
        let others = answer.others_lose.iter().map(|proof| (proof, None, !mover));
        let lines = answer.lines.iter().filter_map(|line| {
            let attacker = match line.verdict {
                Verdict::Loss(_) => !mover,
                _ => mover,
            };
            Some((line.verdict.proof()?, Some(&line.turn), attacker))
        });
        for (proof, turn, attacker) in lines.chain(others) {
            let mut checks = self.lock();
            if checks.known.contains_key(&name(proof)) {
                continue;
            }
            let Some(about) = self.about(proof, turn) else {
                continue;
            };
            checks.known.insert(name(proof), (Arc::clone(proof), None));
            let proof = Arc::clone(proof);
            let claim = Claim {
                proof,
                about,
                attacker,
            };
            // The one who checks may have been stopped.
            let _ = checker.send(claim);
        }
    }

    /// The position that the proof of a turn must be about: the one before the turn or the one after it.
    fn about(&self, proof: &Proof, turn: Option<&Turn>) -> Option<Position> {
        let before = Position::from_setup(&proof.position).is_ok_and(|it| it == *self.position);
        let mut position = self.position.clone();
        if let Some(turn) = turn.filter(|_| !before) {
            position.play(turn).ok()?;
        }
        Some(position)
    }

    /// Checks what comes, until nobody hands anything over any more or the job is stopped. `heard` is told
    /// whenever something is known.
    pub(super) fn check(&self, desk: &Desk<'_>, claims: &Receiver<Claim>, heard: impl Fn()) {
        for claim in claims {
            let stopped = || desk.is_stopped();
            if stopped() {
                return;
            }
            let Claim {
                proof,
                about,
                attacker,
            } = claim;
            let done = checking::accepted(desk.database(), &about, attacker, &proof, &stopped);
            {
                let mut checks = self.lock();
                match done {
                    Ok(accepted) => drop(checks.known.insert(name(&proof), (proof, accepted))),
                    Err(failure) => drop(checks.failure.get_or_insert(failure)),
                }
            }
            desk.library_changed();
            heard();
        }
    }

    /// The checker refused something: a bug of ours, which is not to be hidden.
    pub(super) fn failure(&self) -> Option<Failure> {
        self.lock().failure.take()
    }

    /// Whether something is still to be checked.
    pub(super) fn are_open(&self) -> bool {
        let checks = self.lock();
        checks.failure.is_none()
            && checks
                .known
                .values()
                .any(|(_, accepted)| accepted.is_none())
    }

    /// What is known or believed of the position after a turn.
    pub(super) fn opinion(&self, line: &Line) -> Opinion {
        let checks = self.lock();
        let accepted = line.verdict.proof().and_then(|proof| {
            let (proof, accepted) = checks.known.get(&name(proof))?;
            Some((proof, accepted.as_ref()?))
        });
        accepted
            .and_then(|(proof, accepted)| self.proved(line, proof, accepted))
            .unwrap_or_else(|| {
                opinion::unchecked(&line.verdict, line.score, self.position.to_move())
            })
    }

    /// What an accepted proof says of a turn, if it says what the engine claims.
    fn proved(&self, line: &Line, proof: &Proof, accepted: &Accepted) -> Option<Opinion> {
        let mover = self.position.to_move();
        let turns = accepted.summary.turns?;
        let before = accepted.summary.position == convert::setup(&self.position.to_setup());
        let wins = matches!(line.verdict, Verdict::Win(_));
        if !before {
            let mut after = self.position.clone();
            after.play(&line.turn).ok()?;
            let here = convert::setup(&after.to_setup());
            (accepted.summary.position == here).then_some(())?;
            let proved = Proved::position(&accepted.summary)?;
            return Some(proved.opinion(turns));
        }
        if !wins {
            let proved = Proved::reply(&accepted.summary, &line.turn)?;
            return Some(proved.opinion(turns));
        }
        let mut after = self.position.clone();
        after.play(&line.turn).ok()?;
        let complete = matches!(after.outcome(), Some(Outcome::Win { side, .. }) if *side == mover);
        (complete || begins_with(proof, &line.turn)).then_some(())?;
        let left = if complete { 0 } else { turns.saturating_sub(1) };
        Some(Proved::position(&accepted.summary)?.opinion(left))
    }

    /// Whether it is proved that every turn loses that is not excluded.
    pub(super) fn others_lose(&self, answer: &Answer, exclude: &[Turn]) -> bool {
        let Some(proof) = &answer.others_lose else {
            return false;
        };
        let checks = self.lock();
        let Some((_, Some(accepted))) = checks.known.get(&name(proof)) else {
            return false;
        };
        let excluded = |open: &Vec<Cell>| {
            let within = |turn: &Turn| turn.cells().iter().all(|cell| open.contains(cell));
            exclude.iter().any(within)
        };
        let open = accepted.report.except.iter();
        open.map(|set| convert::checker_cells(set))
            .all(|set| excluded(&set))
    }
}
