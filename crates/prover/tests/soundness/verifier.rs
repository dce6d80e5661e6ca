//! The verifier after turns that make no threat: every reply that it strikes out loses by brute
//! force, its proof leaves open exactly what it lists, threads change nothing, and a verification that
//! goes on from an earlier one leaves no more replies than that.

use std::collections::BTreeSet;

use fastrand::Rng;
use tengen_checker::{Limits, Verdict};
use tengen_prover::{Proof, Solver, Verification, VerifyRequest, verify};
use tengen_rules::{Cell, Position};

use crate::naive::{Game, Mask, Replay, Stones, subsets};
use crate::support::{self, is_quiet, pick, proof_of, setup, solve, stones_of, text, turns_of};
use crate::walk::Walk;

/// What was met.
#[derive(Debug, Default)]
struct Counts {
    positions: u32,
    won: u32,
    /// Some replies lose, some do not.
    partly: u32,
    /// Replies that are struck out.
    struck: usize,
    /// Verifications that were interrupted and gained by going on.
    gained: u32,
}

/// A position with the defender to move, after a turn that may win.
struct After<'a> {
    game: &'a Game,
    position: Position,
    stones: Stones,
}

impl After<'_> {
    fn masks(&self, sets: &[Vec<Cell>]) -> BTreeSet<Mask> {
        let rules = self.position.rules();
        sets.iter().map(|set| support::mask(rules, set)).collect()
    }

    /// The replies that contain no survivor.
    fn struck(&self, found: &Verification) -> Vec<Mask> {
        let survivors = self.masks(&found.survivors);
        let mut replies = subsets(self.game.empty(self.stones), self.game.per_turn);
        replies.retain(|reply| survivors.iter().all(|stones| reply & stones != *stones));
        replies
    }

    /// The proof is accepted, with these exceptions and no others; its depth.
    fn checked(&self, proof: &Proof, survivors: &[Vec<Cell>]) -> u16 {
        let verdict = tengen_checker::check(&proof.to_text(), &Limits::default());
        let report = match verdict {
            Verdict::Verified(report) if survivors.is_empty() => report,
            Verdict::VerifiedExcept(report) if !survivors.is_empty() => report,
            other => panic!("{other}\n{}", proof.to_text()),
        };
        let cell = |&(x, y): &(i32, i32)| Cell::new(x as i16, y as i16);
        let except = report
            .except
            .iter()
            .map(|set| set.iter().map(cell).collect());
        let except: Vec<Vec<Cell>> = except.collect();
        assert_eq!(
            self.masks(&except),
            self.masks(survivors),
            "{}",
            text(&self.position)
        );
        report.depth as u16
    }

    /// Every reply that is struck out loses; how many these are.
    fn lose(&self, found: &Verification) -> usize {
        let struck = self.struck(found);
        let Some(proof) = &found.proof else {
            assert!(struck.is_empty(), "{}", text(&self.position));
            return 0;
        };
        let depth = self.checked(proof, &found.survivors);
        let mut replay = Replay::new(self.game, turns_of(proof), 4_000_000);
        for &reply in &struck {
            let defender = self.stones.defender | reply;
            let next = Stones {
                defender,
                ..self.stones
            };
            let loses = replay.wins(next, self.game.per_turn, depth);
            assert!(
                matches!(loses, Ok(true)),
                "{:?} does not lose\n{}",
                support::cells_of(self.position.rules(), reply),
                proof.to_text()
            );
        }
        struck.len()
    }
}

/// The position after a turn; sometimes with another stone of the defender.
fn after<'a>(game: &'a Game, proof: &Proof, rng: &mut Rng) -> Option<After<'a>> {
    let rules = proof.position.rules;
    let mut stones = stones_of(&proof.position, proof.attacker);
    stones.attacker |= support::mask(rules, &proof.nodes[0].turn);
    if rng.bool() {
        stones.defender |= pick(game.empty(stones), rng);
    }
    if game.can_complete(stones.defender, stones.attacker, game.per_turn) {
        return None;
    }
    let mut setup = setup(rules, stones, proof.attacker, None);
    setup.to_move = !proof.attacker;
    let position = Position::from_setup(&setup).ok()?;
    Some(After {
        game,
        position,
        stones,
    })
}

#[expect(clippy::print_stderr, reason = "counts, seen with --no-capture")]
fn compare(name: &str, order: u8, positions: u32) {
    let mut walk = Walk::new(name, 0x5eed);
    let game = walk.game.clone();
    let mut rng = Rng::with_seed(9);
    let mut solver = Solver::new(12);
    let mut counts = Counts::default();
    while counts.positions < positions {
        let case = walk.look();
        let solution = solve(&mut solver, &case.position, 3, Some(300));
        let Some(proof) = proof_of(&solution).filter(|proof| is_quiet(&game, proof)) else {
            continue;
        };
        walk.go(&case);
        let Some(after) = after(&game, proof, &mut rng) else {
            continue;
        };
        counts.positions += 1;
        let mut request = VerifyRequest {
            stages: &[20, 200],
            ..VerifyRequest::new(order)
        };
        request.limits.nodes = Some(3_000);
        let ask = |request: &VerifyRequest<'_>| verify(&after.position, request).expect("legal");
        let found = ask(&request);
        let struck = after.lose(&found);
        counts.struck += struck;
        counts.won += u32::from(found.survivors.is_empty());
        counts.partly += u32::from(struck > 0 && !found.survivors.is_empty());

        let threads = ask(&VerifyRequest {
            threads: 2,
            ..request
        });
        assert_eq!(threads.survivors, found.survivors);
        assert_eq!(threads.proof, found.proof);
        assert_eq!(
            (threads.nodes, threads.searches),
            (found.nodes, found.searches)
        );

        let mut short = request;
        short.limits.nodes = Some(rng.u64(10..200));
        let begun = ask(&short);
        let before = after.lose(&begun);
        let known = begun.proof.as_deref();
        let gone_on = ask(&VerifyRequest { known, ..request });
        let now = after.struck(&gone_on);
        let kept = after.struck(&begun).iter().all(|reply| now.contains(reply));
        assert!(kept, "something was forgotten: {}", text(&after.position));
        assert!(after.lose(&gone_on) >= before);
        counts.gained += u32::from(now.len() > before);
    }
    eprintln!("{name} order {order}: {counts:?}");
    let some = positions / 20;
    assert!(counts.won > some && counts.partly > some && counts.gained > some);
}

#[test]
fn one_stone() {
    compare("8,7,5,1,1", 2, 100);
    compare("9,6,5,1,1", 3, 100);
}

#[test]
fn two_stones() {
    compare("9,5,5,2,1", 2, 100);
    compare("8,8,6,2,1", 2, 100);
    compare("9,6,6,2,1", 3, 100);
}
