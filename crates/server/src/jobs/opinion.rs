//! What an engine thinks, in the words of the API, seen from Black.
//!
//! [`Certainty::Proved`] is said in one place only, [`Proved::opinion`], and needs a stored proof that the
//! independent checker has verified.

use tengen_player::{Score, Verdict};
use tengen_rules::{Side, Turn};

use crate::api::{Certainty, Opinion, ProofState, ProofSummary};
use crate::convert;

/// A stored proof that decides a position, as the checker says.
#[derive(Debug, Copy, Clone)]
pub(crate) struct Proved<'a>(&'a ProofSummary);

impl<'a> Proved<'a> {
    /// The proof decides its position: it leaves nothing open.
    pub(crate) fn position(proof: &'a ProofSummary) -> Option<Self> {
        (proof.state == ProofState::Verified).then_some(Self(proof))
    }

    /// The proof decides what follows this turn of its position, which the defender plays: it does not leave it
    /// open.
    pub(crate) fn reply(proof: &'a ProofSummary, turn: &Turn) -> Option<Self> {
        let names: Vec<String> = convert::turn(turn);
        let leaves_open = |set: &Vec<String>| set.iter().all(|cell| names.contains(cell));
        let covered = match proof.state {
            ProofState::Verified => true,
            ProofState::VerifiedExcept => !proof.except.iter().any(leaves_open),
            _ => false,
        };
        covered.then_some(Self(proof))
    }

    /// What is known then. `turns` are the winner's that are left.
    pub(crate) fn opinion(self, turns: u32) -> Opinion {
        let Self(proof) = self;
        Opinion {
            certainty: Certainty::Proved,
            side: Some(proof.attacker),
            black: match proof.attacker {
                crate::api::Side::Black => 1.0,
                crate::api::Side::White => 0.0,
            },
            turns: Some(turns),
            grade: None,
            proof: Some(proof.id),
        }
    }
}

/// An opinion that nobody has checked: at best a win is likely.
pub(crate) fn unchecked(verdict: &Verdict, score: Score, mover: Side) -> Opinion {
    let (certainty, side, grade) = match verdict {
        Verdict::Win(_) => (Certainty::Likely, Some(mover), Some(4)),
        Verdict::WinLikely(grade) => (Certainty::Likely, Some(mover), Some((*grade).clamp(1, 4))),
        Verdict::Loss(_) => (Certainty::Likely, Some(!mover), Some(4)),
        Verdict::LossLikely(grade) => (Certainty::Likely, Some(!mover), Some((*grade).clamp(1, 4))),
        Verdict::Stable => (Certainty::Even, None, None),
        Verdict::Unstable(_) => (Certainty::Open, None, None),
    };
    let share = match verdict {
        Verdict::Win(_) => SURE,
        Verdict::Loss(_) => 1.0 - SURE,
        _ => share(score),
    };
    Opinion {
        certainty,
        side: side.map(Into::into),
        black: match mover {
            Side::Black => share,
            Side::White => 1.0 - share,
        },
        turns: None,
        grade,
        proof: None,
    }
}

/// The largest share of what is not proved.
const SURE: f64 = 0.98;

/// Scores are hundredths of the logarithm of the odds, so this is what the engine takes for the mover's chance.
fn share(Score(score): Score) -> f64 {
    let odds = f64::from(score) / 100.0;
    let chance = 1.0 / (1.0 + (-odds).exp());
    chance.clamp(1.0 - SURE, SURE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opinions_are_black_s_whoever_moves() {
        let black = unchecked(&Verdict::WinLikely(2), Score(150), Side::Black);
        let white = unchecked(&Verdict::LossLikely(2), Score(-150), Side::White);
        assert_eq!(black, white);
        assert!(black.black > 0.8 && black.black < 0.83, "{}", black.black);
        assert_eq!(
            (black.side, black.grade),
            (Some(crate::api::Side::Black), Some(2))
        );
        let even = unchecked(&Verdict::Stable, Score(0), Side::White);
        assert_eq!(
            (even.certainty, even.side, even.black),
            (Certainty::Even, None, 0.5)
        );
        let open = unchecked(&Verdict::Unstable(1), Score(-20), Side::White);
        assert_eq!(open.certainty, Certainty::Open);
        assert!(open.black > 0.5);
    }

    #[test]
    fn only_verified_rows_prove() {
        let mut proof = ProofSummary {
            id: 7,
            title: String::new(),
            rules: "connect6".into(),
            position: "B:J10 to-move:W".into(),
            moves: String::new(),
            attacker: crate::api::Side::White,
            to_move: crate::api::Side::White,
            nodes: 1,
            bytes: 1,
            turns: Some(3),
            state: ProofState::Verified,
            reason: None,
            except: vec![vec!["K9".into()]],
            checked: None,
            check_seconds: None,
            checker: None,
            created: 0.0,
        };
        let turn: Turn = "K9 L8".parse().expect("a turn");
        let other: Turn = "K8 L8".parse().expect("a turn");
        let opinion = Proved::position(&proof).expect("verified").opinion(3);
        assert_eq!((opinion.black, opinion.proof), (0.0, Some(7)));
        proof.state = ProofState::VerifiedExcept;
        assert!(Proved::position(&proof).is_none());
        assert!(Proved::reply(&proof, &turn).is_none());
        assert!(Proved::reply(&proof, &other).is_some());
        for state in [
            ProofState::Unverified,
            ProofState::Checking,
            ProofState::Rejected,
            ProofState::Undecided,
        ] {
            proof.state = state;
            assert!(Proved::position(&proof).is_none() && Proved::reply(&proof, &other).is_none());
        }
    }
}
