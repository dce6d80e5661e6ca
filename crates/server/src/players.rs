//! Playing against stored proofs. What was worked out about a proof is kept for the next turn.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use tengen_prover::Proof;
use tengen_prover::play::{PlayError, ProofPlayer, Standing, Why};
use tengen_rules::Turn;

use crate::api::{Challenge, ChallengeReason, Defence, PlayedTurn, ProofState};
use crate::convert;
use crate::database::{Database, proofs};
use crate::error::Failure;
use crate::jobs::{STACK, verify};

/// So many proofs are kept.
const MOST_PLAYERS: usize = 8;

/// Proof nodes that are looked at; more would take minutes.
const MOST_VISITS: u64 = 3_000_000;

/// Defences that are listed.
const MOST_DEFENCES: usize = 60;

type Player = Arc<Mutex<ProofPlayer>>;

/// The proofs that somebody plays against, the last used last.
#[derive(Debug, Default)]
pub(crate) struct Players(Mutex<Vec<(u32, Player)>>);

impl Players {
    /// Where the game against a proof stands. Only what the checker has verified is played.
    pub(crate) fn challenge(
        &self,
        database: &Database,
        id: u32,
        replies: &[Turn],
    ) -> Result<Challenge, Failure> {
        let player = self.player(database, id)?;
        // Proofs are as deep as games are long.
        let challenge = thread::scope(|scope| {
            let work = || {
                let mut player = player.lock().unwrap_or_else(PoisonError::into_inner);
                challenge(&mut player, replies)
            };
            let thread = thread::Builder::new().stack_size(STACK);
            let thread = thread.spawn_scoped(scope, work).map_err(|error| {
                Failure::Internal(format!("no thread could be started: {error}"))
            })?;
            thread
                .join()
                .unwrap_or_else(|_| Err(Failure::Internal("a bug stopped the game".to_owned())))
        });
        if matches!(challenge, Err(Failure::Internal(_))) {
            self.forget(id);
        }
        challenge
    }

    /// The proof is no longer there, or another one.
    pub(crate) fn forget(&self, id: u32) {
        self.lock().retain(|(known, _)| *known != id);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<(u32, Player)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn player(&self, database: &Database, id: u32) -> Result<Player, Failure> {
        let (summary, file) = database.read_now(|connection| {
            Ok((proofs::get(connection, id)?, proofs::file(connection, id)?))
        })?;
        match summary.state {
            ProofState::Verified | ProofState::VerifiedExcept => {}
            ProofState::Unverified | ProofState::Checking => {
                return Err(Failure::Conflict(
                    "the checker has not read this proof yet: wait until it is verified".to_owned(),
                ));
            }
            ProofState::Rejected | ProofState::Undecided => {
                let reason = summary.reason.unwrap_or_default();
                return Err(Failure::BadRequest(format!(
                    "only verified proofs can be challenged; the checker says: {reason}"
                )));
            }
        }
        let mut players = self.lock();
        if let Some(place) = players.iter().position(|(known, _)| *known == id) {
            let found = players.remove(place);
            players.push(found.clone());
            return Ok(found.1);
        }
        let damaged =
            |error: String| Failure::Internal(format!("the stored proof is damaged: {error}"));
        let proof = Proof::from_compact(&file).map_err(|error| damaged(error.to_string()))?;
        let player =
            ProofPlayer::new(proof, MOST_VISITS).map_err(|error| damaged(error.to_string()))?;
        let player = Arc::new(Mutex::new(player));
        if players.len() >= MOST_PLAYERS {
            players.remove(0);
        }
        players.push((id, Arc::clone(&player)));
        Ok(player)
    }
}

fn challenge(player: &mut ProofPlayer, replies: &[Turn]) -> Result<Challenge, Failure> {
    let standing = player.play(replies).map_err(refused)?;
    let defences = player.defences(&standing, MOST_DEFENCES).map_err(refused)?;
    let played = standing.played.iter().map(|(side, turn)| PlayedTurn {
        side: (*side).into(),
        turn: convert::turn(turn),
    });
    let defence = |defence: &tengen_prover::play::Defence| Defence {
        stones: convert::names(&defence.stones),
        example: convert::turn(&defence.example),
        answer: convert::turn(&defence.answer),
        turns: defence.turns,
    };
    let over = standing.won || standing.why == Why::LeftOpen;
    let (why, reason) = in_words(&standing);
    Ok(Challenge {
        played: played.collect(),
        won: standing.won,
        left_open: standing.why == Why::LeftOpen,
        zones: standing
            .zones
            .iter()
            .map(|zone| convert::names(zone))
            .collect(),
        defences: defences.iter().map(defence).collect(),
        replies: if over {
            0
        } else {
            verify::counts(&standing.position, &[]).0
        },
        turns_left: standing.turns_left,
        why,
        reason,
    })
}

fn refused(error: PlayError) -> Failure {
    match error {
        PlayError::Illegal { .. } | PlayError::AfterTheEnd { .. } => {
            Failure::BadRequest(error.to_string())
        }
        PlayError::TooLarge => Failure::TooLarge(error.to_string()),
        // The checker has verified it, so this must not be.
        error => Failure::Internal(format!("{error}; a report of it would help")),
    }
}

fn in_words(standing: &Standing) -> (String, ChallengeReason) {
    let attacker = match standing.played.last() {
        Some((side, _)) => *side,
        None => !standing.position.to_move(),
    };
    match standing.why {
        Why::Begin => {
            let text = format!("{} begins; {attacker} claims to win.", !attacker);
            (text, ChallengeReason::Begin)
        }
        Why::First => (
            format!("{attacker} begins as the proof does."),
            ChallengeReason::First,
        ),
        Why::Completes => (
            format!("{attacker} completes a line."),
            ChallengeReason::Completes,
        ),
        Why::Exact => (
            "The proof answers exactly this reply.".to_owned(),
            ChallengeReason::Exact,
        ),
        Why::Macro => (
            "The proof answers several replies at once, this one among them.".to_owned(),
            ChallengeReason::Macro,
        ),
        Why::Similar => (
            "The proof answers a reply that differs from this one by irrelevant stones.".to_owned(),
            ChallengeReason::Similar,
        ),
        Why::Null => (
            "All stones of the reply are irrelevant: answered as if nothing had been played."
                .to_owned(),
            ChallengeReason::Null,
        ),
        Why::LeftOpen => (
            "The proof leaves this reply open: it is not shown to lose.".to_owned(),
            ChallengeReason::LeftOpen,
        ),
    }
}
