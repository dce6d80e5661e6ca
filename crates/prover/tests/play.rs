//! A verified proof answers everything: thousands of games against proofs of all sorts, by defenders who play at
//! random, block what they see, attack themselves, or follow the proof's own longest lines.

use std::fs;
use std::path::{Path, PathBuf};

use tengen_checker::{Verdict, check};
use tengen_prover::play::{PlayError, ProofPlayer, Standing, Why};
use tengen_prover::{Limits, Proof, Request, STAGES, Solver, Value, VerifyRequest, verify};
use tengen_rules::{Cell, Overline, Position, Turn, notation};
use tengen_threats::LineBoard;

const VISITS: u64 = 1_000_000;

fn suite(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../suites")
        .join(name)
}

/// The defender's next turn; any legal one will do.
fn reply(player: &mut ProofPlayer, standing: &Standing, random: &mut fastrand::Rng) -> Turn {
    let position = &standing.position;
    let defender = position.to_move();
    let board = LineBoard::from_position(position);
    let mut stones: Vec<Cell> = Vec::new();
    match random.u8(..10) {
        0..3 => {
            let defences = player.defences(standing, 50).expect("small");
            let pick = if random.bool() {
                0
            } else {
                random.usize(..defences.len().max(1))
            };
            if let Some(defence) = defences.get(pick) {
                if random.bool() {
                    return defence.example.clone();
                }
                stones.extend(
                    defence
                        .stones
                        .iter()
                        .filter(|&&c| position.stone(c).is_none()),
                );
            }
        }
        3..8 => {
            let sets = board.critical_sets(!defender);
            if let Some(set) = random.choice(&sets) {
                stones.extend(set.iter().map(|&cell| board.cell(cell)));
            }
        }
        _ => {}
    }
    let whole = usize::from(position.left());
    random.shuffle(&mut stones);
    stones.truncate(whole);
    let free = |cell: &Cell| position.stone(*cell).is_none() && position.grid().holds(*cell);
    let mut cells: Vec<Cell> = position.grid().cells().filter(free).collect();
    random.shuffle(&mut cells);
    match random.u8(..3) {
        // Where the defender's own lines grow.
        0 => cells.sort_by_key(|&cell| {
            let index = board.index(cell).expect("on the board");
            std::cmp::Reverse(board.promise(defender, index))
        }),
        // Where the proof says that stones matter.
        1 => {
            let zone = random.choice(&standing.zones).cloned().unwrap_or_default();
            cells.sort_by_key(|cell| !zone.contains(cell));
        }
        _ => {}
    }
    for cell in cells {
        if stones.len() < whole && !stones.contains(&cell) {
            stones.push(cell);
        }
    }
    stones.into_iter().collect()
}

/// Plays games against a proof; how many there were.
fn challenge(name: &str, proof: &Proof, games: u32, random: &mut fastrand::Rng) -> u32 {
    let mut player = ProofPlayer::new(proof.clone(), VISITS).expect("a position");
    for _ in 0..games {
        let mut replies: Vec<Turn> = Vec::new();
        let mut standing = player
            .play(&replies)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let promised = standing.turns_left + u32::from(!standing.played.is_empty());
        while !standing.won {
            replies.push(reply(&mut player, &standing, random));
            standing = match player.play(&replies) {
                Ok(standing) => standing,
                Err(error) => panic!("{name}: {error} after {replies:?}\n{}", proof.to_text()),
            };
            if standing.why == Why::LeftOpen {
                let open = |set: &Vec<Cell>| set.iter().all(|&cell| replies[0].contains(cell));
                assert!(
                    proof.except.iter().any(open) && replies.len() == 1,
                    "{name}"
                );
                break;
            }
            let turns = standing
                .played
                .iter()
                .filter(|(side, _)| *side == proof.attacker);
            let turns = turns.count() as u32;
            assert!(
                turns + standing.turns_left <= promised,
                "{name}: too long, {replies:?}"
            );
            assert!(
                standing.won || standing.turns_left > 0,
                "{name}: {replies:?}"
            );
        }
        let legal = replay(proof, &standing);
        assert_eq!(legal.outcome(), standing.position.outcome(), "{name}");
    }
    games
}

/// The game, played by the rules alone.
fn replay(proof: &Proof, standing: &Standing) -> Position {
    let mut position = Position::from_setup(&proof.position).expect("a position");
    for (side, turn) in &standing.played {
        assert_eq!(position.to_move(), *side);
        position.play(turn).expect("legal");
    }
    position
}

#[test]
fn the_suite_of_proofs() {
    let mut random = fastrand::Rng::with_seed(1);
    let mut games = 0;
    for file in fs::read_dir(suite("proofs")).expect("the suite") {
        let path = file.expect("a file").path();
        if path
            .extension()
            .is_none_or(|extension| extension != "proof")
        {
            continue;
        }
        let text = fs::read_to_string(&path).expect("text");
        if !matches!(
            check(&text, &Default::default()),
            Verdict::Verified(_) | Verdict::VerifiedExcept(_)
        ) {
            continue;
        }
        let proof: Proof = text.parse().expect("well formed");
        // Infinite boards are large, and so are the lists of where one may play.
        let most = if proof.position.rules.size().is_some() {
            100
        } else {
            15
        };
        games += challenge(&path.display().to_string(), &proof, most, &mut random);
    }
    assert!(games >= 1_000, "{games}");
}

/// Finds and checks the proof of a position, if there is one.
fn proof_of(position: &Position, order: u8) -> Option<Proof> {
    let request = Request {
        limits: Limits {
            nodes: Some(200_000),
            time: None,
        },
        ..Request::new(position.to_move(), order)
    };
    let Value::Win(proof) = Solver::new(16).solve(position, &request).value else {
        return None;
    };
    assert!(check(&proof.to_text(), &Default::default()).is_verified());
    Some(*proof)
}

/// The positions of the suites that have a win, with its order.
fn won_positions() -> Vec<(Position, u8)> {
    let mut found = Vec::new();
    for name in ["solved/small.txt", "solved/quiet.txt"] {
        let text = fs::read_to_string(suite(name)).expect("the suite");
        let mut rules = None;
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("rules ") {
                rules = Some(name.parse().expect("rules"));
            }
            let words: Vec<&str> = line.splitn(5, ' ').collect();
            if let (["order", order, "win", _, position], Some(rules)) = (&words[..], rules) {
                let position = notation::parse_position(position, rules).expect("a position");
                found.push((position, order.parse().expect("an order")));
            }
        }
    }
    found
}

#[test]
fn proofs_found_on_the_fly() {
    let mut random = fastrand::Rng::with_seed(2);
    let (mut games, mut proofs) = (0, 0);
    for (position, order) in won_positions() {
        let Some(proof) = proof_of(&position, order.min(2)) else {
            continue;
        };
        proofs += 1;
        let name = notation::setup_text(&proof.position);
        games += challenge(&name, &proof, 30, &mut random);
    }
    assert!(
        proofs >= 50 && games >= 1_500,
        "{proofs} proofs, {games} games"
    );
}

#[test]
fn verifications_leave_open_only_what_they_say() {
    let mut random = fastrand::Rng::with_seed(3);
    let mut games = 0;
    for (position, _) in won_positions().into_iter().step_by(2) {
        // The other side begins: some replies lose all the same.
        let mut passed = position.to_setup();
        passed.to_move = !passed.to_move;
        passed.left = None;
        let Ok(passed) = Position::from_setup(&passed) else {
            continue;
        };
        if passed.rules().overline() == Overline::DoesNotWin {
            continue;
        }
        let request = VerifyRequest {
            stages: &STAGES[..1],
            ..VerifyRequest::new(2)
        };
        let Ok(found) = verify(&passed, &request) else {
            continue;
        };
        let Some(proof) = found.proof else {
            continue;
        };
        let verdict = check(&proof.to_text(), &Default::default());
        assert!(verdict.exit_code() == 0, "{verdict}");
        let name = notation::setup_text(&proof.position);
        games += challenge(&name, &proof, 20, &mut random);
    }
    assert!(games >= 300, "{games}");
}

#[test]
fn wins_of_connect6_on_its_board_and_on_the_infinite_one() {
    let mut random = fastrand::Rng::with_seed(4);
    let stones = "B:H10,I10,J10,H8,I8,J12,K13 W:G10,D4,D7,G4,M6,O9,O8 to-move:B";
    let single = "B:I10,J10,K11,K9,J8,I12 W:H10,L10,G9,M12,J13,H7 to-move:B";
    let mut games = 0;
    for rules in ["connect6", "inf,inf,6,2,1", "15,15,6,2,1"] {
        for position in [stones, single] {
            let position = notation::parse_position(position, rules.parse().expect("rules"));
            let Some(proof) = proof_of(&position.expect("a position"), 2) else {
                continue;
            };
            games += challenge(rules, &proof, 30, &mut random);
        }
    }
    assert!(games >= 90, "{games}");
}

#[test]
fn what_is_no_game_is_refused() {
    let text = "tengen-proof 1\nrules 6,6,4,1,1\nposition B:B2,C2 W:B5,C5 to-move:B\n\
        attacker black\nnodes 1\n0 D2\nend\n";
    let proof: Proof = text.parse().expect("well formed");
    let turn = |text: &str| -> Turn { text.parse().expect("a turn") };
    let mut player = ProofPlayer::new(proof.clone(), VISITS).expect("a position");
    let start = player.play(&[]).expect("an answer");
    assert_eq!((start.why, start.turns_left), (Why::First, 1));
    assert!(matches!(
        player.play(&[turn("D2")]),
        Err(PlayError::Illegal { number: 1, .. })
    ));
    let won = player.play(&[turn("A2")]).expect("an answer");
    assert_eq!((won.won, won.why), (true, Why::Completes));
    assert!(matches!(
        player.play(&[turn("A2"), turn("A1")]),
        Err(PlayError::AfterTheEnd { number: 2, .. })
    ));
    // A proof that shows nothing has no answers.
    let wrong: Proof = text.replace("0 D2", "0 D3").parse().expect("well formed");
    let mut player = ProofPlayer::new(wrong, VISITS).expect("a position");
    assert_eq!(
        player.play(&[]).unwrap_err(),
        PlayError::Unanswered { number: 0 }
    );
    let mut player = ProofPlayer::new(proof, 0).expect("a position");
    assert_eq!(player.play(&[]).unwrap_err(), PlayError::TooLarge);
}
