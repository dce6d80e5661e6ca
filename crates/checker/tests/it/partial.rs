//! Claims with exceptions: every reply that is not excepted loses by plain minimax, a partial claim
//! never gets the verdict of a win, and exceptions that are missing or malformed are refused.

use fastrand::Rng;
use tengen_checker::{Limits, Report, Verdict, check, check_claim, check_partial_claim};

use crate::brute::{Game, Set, State, bits, subsets};
use crate::generate::{Generator, Style, random_state, text, undecided_state};
use crate::soundness::{BOARDS, verify};

/// The report of a partial claim that was verified.
fn verify_partial(proof: &str) -> Option<Report> {
    match check(proof, &Limits::default()) {
        Verdict::VerifiedExcept(report) => Some(report),
        Verdict::Verified(_) => panic!("a partial claim is called a win:\n{proof}"),
        _ => None,
    }
}

fn with_exceptions(game: &Game, proof: &str, except: &[Set]) -> String {
    let lines = except.iter().map(|&set| game.names(set));
    let lines: String = lines.map(|names| format!("except {names}\n")).collect();
    proof.replacen("nodes", &(lines + "nodes"), 1)
}

/// Whole replies after which the attacker does not win, and which contain none of these sets.
fn refutations(game: &mut Game, state: State, except: &[Set]) -> Vec<Set> {
    let mut replies = subsets(game.empty(state), state.left);
    replies.retain(|&reply| {
        let next = State {
            defender: state.defender | reply,
            attacker_moves: true,
            left: game.per_turn,
            ..state
        };
        !except.iter().any(|&set| set & !reply == 0) && !game.is_won(next)
    });
    replies
}

#[derive(Debug, Default)]
struct Tally {
    verified: usize,
    refused: usize,
    /// One exception less, and the claim is false.
    needed: usize,
    still_true: usize,
}

/// A proof for all replies that can be answered, the others excepted: whole, or by a part of them.
fn round(game: &mut Game, state: State, rng: &mut Rng, tally: &mut Tally) {
    let style = Style {
        full: 100,
        ..Style::random(rng)
    };
    let mut generator = Generator {
        game,
        rng,
        style,
        budget: 500,
    };
    let Some(tree) = generator.tree(state, true) else {
        return;
    };
    let mut except: Vec<Set> = Vec::new();
    for reply in refutations(game, state, &[]) {
        let size = rng.u32(0..=state.left).max(rng.u32(1..=state.left));
        let parts = subsets(reply, size);
        let part = parts[rng.usize(..parts.len())];
        if !except.iter().any(|&set| set & !reply == 0) {
            except.push(part);
        }
    }
    // One more, which is not needed.
    let spare = subsets(game.empty(state), rng.u32(0..=state.left));
    let spare = spare[rng.usize(..spare.len())];
    if except.is_empty() || (rng.u32(0..4) == 0 && !except.contains(&spare)) {
        except.push(spare);
    }
    let proof = text(game, state, &tree, rng.bool());
    let complete = with_exceptions(game, &proof, &except);
    judge(game, state, &complete, &except, tally);
    for i in 0..except.len() {
        let mut fewer = except.clone();
        fewer.remove(i);
        if fewer.is_empty() {
            let whole = verify(&proof).is_some();
            assert!(
                !whole || refutations(game, state, &[]).is_empty(),
                "{proof}"
            );
            continue;
        }
        let damaged = with_exceptions(game, &proof, &fewer);
        if refutations(game, state, &fewer).is_empty() {
            judge(game, state, &damaged, &fewer, tally);
            tally.still_true += 1;
        } else {
            assert!(verify_partial(&damaged).is_none(), "false:\n{damaged}");
            tally.needed += 1;
        }
    }
    // Exceptions that have nothing to do with the truth.
    let cells: Vec<Set> = bits(game.empty(state)).collect();
    let mut wrong: Vec<Set> = except.iter().map(|&set| moved(set, &cells, rng)).collect();
    wrong.sort_unstable();
    wrong.dedup();
    let damaged = with_exceptions(game, &proof, &wrong);
    judge(game, state, &damaged, &wrong, tally);
}

/// One cell of the set somewhere else.
fn moved(set: Set, cells: &[Set], rng: &mut Rng) -> Set {
    let old = bits(set).next().unwrap_or(0);
    (set & !old) | cells[rng.usize(..cells.len())]
}

/// What is verified is true.
fn judge(game: &mut Game, state: State, proof: &str, except: &[Set], tally: &mut Tally) {
    let Some(report) = verify_partial(proof) else {
        tally.refused += 1;
        return;
    };
    tally.verified += 1;
    assert_eq!(report.except.len(), except.len());
    assert!(
        report.zones.is_empty(),
        "a partial claim has no zones:\n{proof}"
    );
    let open = refutations(game, state, except);
    let open: Vec<String> = open.iter().map(|&set| game.names(set)).collect();
    assert!(
        open.is_empty(),
        "{open:?} are not lost, yet verified:\n{proof}"
    );
}

#[test]
fn every_reply_that_is_not_excepted_loses() {
    let rounds = std::env::var("CHECKER_ROUNDS").map_or(60, |n| n.parse().expect("a number"));
    let mut rng = Rng::with_seed(77);
    let mut all = Tally::default();
    for (m, n, k, p) in BOARDS {
        let mut game = Game::new(m, n, k, p, false);
        for i in 0..rounds {
            let mut state = if i % 2 == 0 {
                random_state(&game, &mut rng)
            } else {
                undecided_state(&game, &mut rng)
            };
            state.attacker_moves = false;
            if game.empty(state).count_ones() > state.left {
                round(&mut game, state, &mut rng, &mut all);
            }
        }
    }
    println!("{all:?}");
    assert!(all.verified > 5 * rounds && all.refused > rounds);
    assert!(all.needed > 5 * rounds && all.still_true > rounds / 2);
}

const GOOD: &str = "tengen-proof 1\nrules 6,6,4,1,1\nposition B:B2,C2 W:F6 to-move:W\n\
                    attacker black\nexcept A2\nexcept D2\nexcept E2\nnodes 2\n0 - -=1\n1 D2\nend\n";

#[test]
fn a_partial_claim_is_no_win() {
    let verdict = check(GOOD, &Limits::default());
    assert!(!verdict.is_verified());
    assert_eq!(verdict.exit_code(), 0);
    let Verdict::VerifiedExcept(report) = verdict else {
        panic!("{verdict}");
    };
    assert_eq!(report.except, [[(0, 1)], [(3, 1)], [(4, 1)]]);
    let ask = |claim: fn(&str, &str, &str, &str, &Limits) -> Verdict, attacker| {
        let position = "W:F6 B:C2,B2 to-move:W";
        claim(GOOD, "6,6,4,1,1", position, attacker, &Limits::default())
    };
    let refused = ask(check_claim, "black");
    assert!(
        refused.to_string().contains("leaves replies open"),
        "{refused}"
    );
    assert_eq!(refused.exit_code(), 1);
    let verdict = ask(check_partial_claim, "black");
    assert!(matches!(verdict, Verdict::VerifiedExcept(_)), "{verdict}");
    assert_eq!(ask(check_partial_claim, "white").exit_code(), 1);
    // Also where the exceptions are not needed, and where they say that nothing is claimed.
    for (from, to) in [
        ("except E2\n", "except E2\nexcept A6\n"),
        ("except A2", "except -"),
    ] {
        let verdict = check(&GOOD.replace(from, to), &Limits::default());
        assert!(matches!(verdict, Verdict::VerifiedExcept(_)), "{verdict}");
    }
}

#[test]
fn malformed_exceptions_are_refused() {
    for (from, to, because) in [
        ("except E2\n", "", "no child answers the reply E2"),
        ("except E2", "except E3", "no child answers the reply E2"),
        ("except E2", "except D2", "the exception D2 is given twice"),
        ("except E2", "except E2,E3", "expected at most 1"),
        ("except E2", "except E2,E2", "E2 is named twice"),
        ("except E2", "except B2", "B2 of the exception is not empty"),
        ("except E2", "except F6", "F6 of the exception is not empty"),
        ("except E2", "except G2", "off the board"),
        ("except E2", "except", "is not a cell"),
        ("except E2", "except E2 E3", "is not a cell"),
        ("except E2", "exceptE2", "expected `except`"),
        ("nodes", "zone 1 A1\nnodes", "can claim no zones"),
        (
            "except E2",
            "zone 1 A1\nexcept E2",
            "a proof with exceptions can claim no zones",
        ),
        ("to-move:W", "to-move:B", "the attacker is to move"),
        ("black", "white", "the attacker is to move"),
    ] {
        let damaged = GOOD.replacen(from, to, 1);
        assert_ne!(damaged, GOOD, "{from}");
        let verdict = check(&damaged, &Limits::default());
        let said = verdict.to_string();
        assert_eq!(verdict.exit_code(), 1, "{to}: {said}");
        assert!(said.contains(because), "{to}: {said}");
    }
    let zone_first = GOOD.replace("except A2\nexcept D2\n", "zone 1 A1\n");
    let verdict = check(&zone_first, &Limits::default()).to_string();
    assert!(verdict.contains("in this order"), "{verdict}");
}
