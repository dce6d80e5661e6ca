use super::*;
use tengen_prover::{Request, Solver, Value, VerifyRequest, verify};
use tengen_rules::notation;

fn position(text: &str) -> Position {
    let rules = "6,6,4,1,1".parse().expect("rules");
    notation::parse_position(text, rules).expect("a position")
}

fn turn(text: &str) -> Turn {
    text.parse().expect("a turn")
}

fn answer(turn: Turn, verdict: Verdict) -> Answer {
    Answer {
        lines: vec![Line {
            main_line: vec![turn.clone()],
            turn,
            verdict,
            score: Score(0),
        }],
        others_lose: None,
        nodes: 1,
        depth: 1,
        time: Duration::ZERO,
    }
}

/// Black wins here, whoever is asked.
fn won() -> (Position, Proof) {
    let position = position("B:B2,C2 W:B5,C5 to-move:B");
    let solution = Solver::new(10).solve(&position, &Request::new(Side::Black, 1));
    let Value::Win(proof) = solution.value else {
        panic!("Black wins");
    };
    (position, *proof)
}

/// White loses here, whatever he plays.
fn lost() -> (Position, Proof) {
    let position = position("B:B2,C2 W:B5 to-move:W");
    let found = verify(&position, &VerifyRequest::new(2)).expect("a claim");
    (position, *found.proof.expect("all replies lose"))
}

fn is_proved(position: &Position, turn: Turn, verdict: Verdict) -> bool {
    let opinion = Opinion::new(position, answer(turn, verdict), &[]);
    opinion.is_ok_and(|opinion| opinion.lines[0].check.is_some())
}

#[test]
fn a_proof_is_about_the_turn_it_comes_with() {
    let (position, proof) = won();
    let first: Turn = proof.nodes[0].turn.iter().copied().collect();
    let win = Verdict::Win(Arc::new(proof.clone()));
    assert!(is_proved(&position, first.clone(), win.clone()));
    assert!(!is_proved(&position, turn("F6"), win));
    // It is Black's win, not White's, and about another position after White has moved.
    assert!(!is_proved(
        &position,
        first,
        Verdict::Loss(Arc::new(proof.clone()))
    ));
    let (other, _) = lost();
    assert!(is_proved(
        &other,
        turn("C5"),
        Verdict::Loss(Arc::new(proof.clone()))
    ));
    assert!(!is_proved(
        &other,
        turn("A2"),
        Verdict::Loss(Arc::new(proof))
    ));
}

#[test]
fn a_proof_of_the_position_before_covers_its_turns() {
    let (position, proof) = lost();
    let loss = |proof: &Proof| Verdict::Loss(Arc::new(proof.clone()));
    assert!(is_proved(&position, turn("A1"), loss(&proof)));
    let mut partial = proof;
    partial.except = vec![turn("D2").cells().to_vec()];
    assert!(is_proved(&position, turn("A1"), loss(&partial)));
    assert!(!is_proved(&position, turn("D2"), loss(&partial)));
    assert!(!is_proved(&position, turn("B2"), loss(&partial)), "illegal");
}

#[test]
fn others_lose_only_if_nothing_else_is_left_open() {
    let (position, proof) = lost();
    let others = |proof: &Proof, exclude: &[&str]| {
        let exclude: Vec<Turn> = exclude.iter().map(|text| turn(text)).collect();
        let answer = Answer {
            others_lose: Some(Arc::new(proof.clone())),
            ..answer(turn("A1"), Verdict::LossLikely(4))
        };
        Opinion::new(&position, answer, &exclude).is_ok()
    };
    let mut partial = proof.clone();
    partial.except = vec![turn("D2").cells().to_vec()];
    assert!(others(&proof, &[]));
    assert!(others(&proof, &["E2"]));
    assert!(others(&partial, &["E2", "D2"]));
    assert!(!others(&partial, &["E2"]));
    assert!(!others(&partial, &[]));
    let (_, other) = won();
    assert!(!others(&other, &[]));
}

#[test]
fn words_for_every_verdict() {
    let (_, proof) = won();
    let win = Verdict::Win(Arc::new(proof));
    assert_eq!(verdict_in_table(&win, None), "win, unchecked");
    assert_eq!(verdict_in_table(&win, Some(true)), "win, proved");
    assert_eq!(
        verdict_in_words(&win, Side::White, true),
        "White wins, and that is proved"
    );
    assert!(!verdict_in_words(&win, Side::White, false).contains("proved"));
    assert_eq!(
        verdict_in_words(&Verdict::LossLikely(3), Side::White, false),
        "Black is much better"
    );
    assert_eq!(score_in_words(Score(-125)), "-1.25");
    assert_eq!(score_in_words(Score::WIN), "+max");
    assert_eq!(score_in_words(Score(i32::MIN)), "-max");
}
