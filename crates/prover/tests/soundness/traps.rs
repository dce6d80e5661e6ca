//! The traps of the theory, each with a position in which falling into it gives a wrong answer. Where
//! the board is small enough the wrong prover is there too, to show that the trap is one.

use tengen_prover::{Proof, Request, Solution, Solver, Value};
use tengen_rules::Position;
use tengen_rules::notation::parse_position;

use crate::naive::{Forced, Game, Mask, Mistake, Replay, Stones, subsets};
use crate::support::{self, Case, check, proof_of, setup, text, turns_of, verified, zone_cells};

fn position(rules: &str, stones: &str) -> Position {
    parse_position(stones, support::rules(rules)).expect("a position")
}

fn solve(position: &Position, order: u8) -> Solution {
    let mut request = Request::new(position.to_move(), order);
    request.limits.nodes = Some(20_000);
    Solver::new(14).solve(position, &request)
}

/// The shortest win of order 1, verified; `None` must be proved.
fn shortest(position: &Position) -> Option<u16> {
    let request = Request {
        shortest: true,
        ..Request::new(position.to_move(), 1)
    };
    let solution = Solver::new(14).solve(position, &request);
    match &solution.value {
        Value::Win(proof) => {
            verified(proof, &solution, position);
        }
        Value::None => {}
        Value::Unknown => panic!("unknown without limits: {}", text(position)),
    }
    solution.depth
}

/// What is true and what a wrong prover says, by brute force.
fn truth_and_error(position: &Position, mistake: Mistake) -> (Option<u16>, Option<u16>) {
    let case = Case::new(position.clone());
    let game = Game::new(position.rules());
    let mut right = Forced::new(&game, 100_000);
    let mut wrong = Forced::new(&game, 100_000);
    wrong.mistake = Some(mistake);
    let ask = |search: &mut Forced<'_>| search.shortest(case.stones, case.left()).expect("small");
    (ask(&mut right), ask(&mut wrong))
}

/// Black has a window with four stones, and so has White: Black need not block.
#[test]
fn an_open_window_of_ones_own_wins_before_any_blocking() {
    let four = position("connect6", "B:E5,F5,G5,H5 W:E10,F10,G10,H10 to-move:B");
    assert_eq!(shortest(&four), Some(1));
    // With one stone left it does not, and White's four cannot be stopped with one stone.
    let one_left = position(
        "connect6",
        "B:E5,F5,G5,H5 W:E10,F10,G10,H10 to-move:B left:1",
    );
    assert_eq!(shortest(&one_left), None);
    let five = position(
        "connect6",
        "B:E5,F5,G5,H5,I5 W:E10,F10,G10,H10 to-move:B left:1",
    );
    assert_eq!(shortest(&five), Some(1));
}

/// Two threes that cross win in two turns, unless White completes a line in between.
#[test]
fn the_defender_may_win_first() {
    let black = "B:I10,J10,K10,L7,L8,L9";
    let alone = position("connect6", &format!("{black} to-move:B"));
    assert_eq!(shortest(&alone), Some(2));
    let open_four = position("connect6", &format!("{black} W:C3,D3,E3,F3 to-move:B"));
    assert_eq!(shortest(&open_four), None);
    assert!(proof_of(&solve(&open_four, 2)).is_none());
    // A closed four is stopped with one stone; the other is not enough for three threats here.
    for (rules, stones) in [
        ("6,6,4,2,1", "B:B2,A3,B3,A5 W:A1,D3,C5 to-move:W"),
        (
            "7,7,5,2,1",
            "B:C1,D2,E2,F2,A3,D3,B4,A6,A7,F7 W:E1,A2,C3,E3,D4,E4,C5,B6,D7 to-move:W",
        ),
        (
            "7,7,5,1,1",
            "B:D2,E2,F2,A4,A5,F5,A6 W:A1,C1,B2,G2,D3,G3,D4,E4,G4,B5,B6,C6,D6,F6,B7,C7,G7 to-move:B",
        ),
    ] {
        let position = position(rules, stones);
        let (truth, error) = truth_and_error(&position, Mistake::TrustDefender);
        assert!(truth.is_none() && error.is_some(), "{}", text(&position));
        assert_eq!(shortest(&position), None);
    }
}

/// One stone on a crossing answers two lines: counting line by line finds wins that are none.
#[test]
fn one_stone_answers_two_lines() {
    for (rules, stones) in [
        (
            "7,7,5,2,1",
            "B:C1,B3,F3,G3,D4,E4,A5,E5,F5,B6,D6,G7 \
             W:E1,F2,G2,A3,D3,B4,F4,D5,A6,C6,F6,A7 to-move:W",
        ),
        (
            "9,9,6,2,1",
            "B:A1,E1,G1,B2,C2,F2,G2,E3,F3,G3,I4,B5,D5,A6,D6,F6,A7,C7,D7,F7,H7,A8,C8,E8,A9,D9,E9,G9,\
             I9 W:B1,D1,A2,D2,E2,H2,I2,B3,H3,H4,A5,C5,F5,H5,I5,B6,H6,B7,G7,I7,B8,D8,H8,I8,H9 \
             to-move:B",
        ),
    ] {
        let position = position(rules, stones);
        let (truth, error) = truth_and_error(&position, Mistake::CountPerLine);
        assert!(truth.is_none() && error.is_some(), "{}", text(&position));
        assert_eq!(shortest(&position), None);
    }
}

/// Two stones against one threat. After the turn in question White stops Black's only threat with B3,
/// and every such reply loses; B1 and C3 stop it too, and after them Black does not win.
#[test]
fn relaxed_defences_refute() {
    let rules = support::rules("5,4,4,2,1");
    let game = Game::new(rules);
    let after = "B:B2,A3,D3,E3,B4 W:C1 to-move:B";
    let after = Case::new(parse_position(after, rules).expect("a position")).stones;
    let answers = [
        "A2,C2", "C3,A4", "B1,A4", "D1,D4",
        "D1,E4", // as in suites/proofs/reject-relaxed.proof
    ];
    let turns: Vec<Mask> = answers
        .iter()
        .map(|turn| {
            let cells: Vec<_> = turn
                .split(',')
                .map(|c| c.parse().expect("a cell"))
                .collect();
            support::mask(rules, &cells)
        })
        .collect();
    let mut met = 0;
    for turn in subsets(after.attacker, 2) {
        let before = Stones {
            attacker: after.attacker & !turn,
            ..after
        };
        let mut wrong = Replay::new(&game, turns.clone(), 1_000_000);
        wrong.mistake = Some(Mistake::NoRelaxed);
        assert!(wrong.answers_all(before, turn, 3).expect("small"));
        let every_turn = subsets(game.empty(before), 2);
        let mut right = Replay::new(&game, every_turn, 1_000_000);
        assert!(!right.answers_all(before, turn, 9).expect("small"));
        // Whatever the solver finds before that turn, it is not that turn.
        let setup = setup(rules, before, tengen_rules::Side::Black, None);
        let position = Position::from_setup(&setup).expect("a position");
        let solution = solve(&position, 2);
        if let Some(proof) = proof_of(&solution) {
            verified(proof, &solution, &position);
            assert_ne!(support::mask(rules, &proof.nodes[0].turn), turn);
        }
        met += 1;
    }
    assert_eq!(met, 10);
}

/// White wins with F5, A1 or C4. Black's C6 is outside Z_1 of every child and breaks the win all the
/// same: against one stone the null turn's child is used with one stone less, so its Z_2 counts.
#[test]
fn zones_are_shifted() {
    let stones = "B:E3,F3,F4,A6,F6 W:B1,C1,F1,F2,C3,A4,D4 to-move:W";
    let rules = support::rules("6,6,4,1,1");
    let position = position("6,6,4,1,1", stones);
    let proof: Proof = format!(
        "tengen-proof 1\nrules 6,6,4,1,1\nposition {stones}\nattacker white\nnodes 3\n\
         0 F5 -=2 A1=1\n1 C4\n2 A1\nend\n"
    )
    .parse()
    .expect("a proof");
    let tengen_checker::Verdict::Verified(report) = check(&proof, &position) else {
        panic!("{}", check(&proof, &position));
    };
    let broken = "C6".parse().expect("a cell");
    assert!(report.zones[0].contains(&(2, 5)), "{:?}", report.zones);
    // The children's own first zones do not have it.
    for (black, node) in [("", "A1"), (",A1", "C4")] {
        let claim = format!(
            "tengen-proof 1\nrules 6,6,4,1,1\nposition B:E3,F3,F4,A6,F6{black} \
             W:B1,C1,F1,F2,C3,A4,D4,F5 to-move:W\nattacker white\nnodes 1\n0 {node}\nend\n"
        );
        let limits = tengen_checker::Limits::default();
        let tengen_checker::Verdict::Verified(child) = tengen_checker::check(&claim, &limits)
        else {
            panic!("{claim}");
        };
        assert!(!child.zones[0].contains(&(2, 5)), "{:?}", child.zones);
    }
    // The stone really breaks the win.
    let mut case = Case::new(position.clone());
    case.stones.defender |= support::bit(rules, broken);
    let game = Game::new(rules);
    let every_turn = subsets(game.empty(case.stones), 1);
    let mut replay = Replay::new(&game, every_turn, 3_000_000);
    assert!(!replay.wins(case.stones, 1, 5).expect("small"));
    let setup = setup(rules, case.stones, tengen_rules::Side::White, None);
    let changed = Position::from_setup(&setup).expect("a position");
    assert!(proof_of(&solve(&changed, 2)).is_none());
    // The solver has the cell in its zone, if it finds this win, and the claim without it falls.
    let solution = solve(&position, 2);
    let found = proof_of(&solution).expect("a win of order 2");
    verified(found, &solution, &position);
    let zones = zone_cells(&solution, &position).expect("zones");
    if turns_of(found)[0] == support::bit(rules, "F5".parse().expect("a cell")) {
        assert!(zones[0].contains(&(2, 5)), "{zones:?}");
    }
    let without = |zone: &Vec<(i32, i32)>| {
        let cells = zone.iter().filter(|&&cell| cell != (2, 5));
        let cells = cells.map(|&(x, y)| tengen_rules::Cell::new(x as i16, y as i16));
        cells.collect()
    };
    let claim = Proof {
        zones: report.zones.iter().map(without).collect(),
        ..proof
    };
    assert_eq!(check(&claim, &position).exit_code(), 1);
}

/// After E1 M1 Black has two threats; the four cells of all defences together make a white line of
/// seven, yet no real defence completes anything.
#[test]
fn a_macro_defence_may_complete_a_line_that_is_none() {
    let (mut won, mut not_won) = (0, 0);
    for row_2 in ["", ",G2,H2,I2", ",C2,D2,E2,L2,M2", ",G2,H2", ",C2,D2,N2,O2"] {
        let stones = format!("B:B1,C1,D1,N1,O1,P1{row_2} W:A1,Q1,H1,I1,J1 to-move:B");
        let position = position("17,2,6,2,1", &stones);
        let case = Case::new(position.clone());
        let game = Game::new(position.rules());
        let rules = position.rules();
        let cells = |list: [&str; 4]| {
            let cells = list.map(|cell| cell.parse().expect("a cell"));
            support::mask(rules, &cells)
        };
        // F1, G1, K1 and L1 with H1, I1 and J1: a line.
        let macro_reply = case.stones.defender | cells(["F1", "G1", "K1", "L1"]);
        assert!(game.can_complete(macro_reply, case.stones.attacker, 0));
        let truth = Forced::new(&game, 200_000)
            .shortest(case.stones, 2)
            .expect("small");
        assert_eq!(shortest(&position), truth, "{stones}");
        let solution = solve(&position, 1);
        assert_eq!(solution.depth.is_some(), truth.is_some(), "{stones}");
        if let Some(proof) = proof_of(&solution) {
            verified(proof, &solution, &position);
        }
        won += u32::from(truth.is_some());
        not_won += u32::from(truth.is_none());
    }
    assert!(won > 0 && not_won > 0, "{won} won, {not_won} not");
}

/// A quiet turn wins only if the other side cannot simply complete a line.
#[test]
fn a_quiet_turn_waits_for_nobody() {
    let quiet = "B:E3,F3,F4,A6,F6 W:B1,C1,F1,F2,C3,A4,D4";
    // The roles of `zones_are_shifted`: White wins by the quiet turn F5 ...
    let won = position("6,6,4,1,1", &format!("{quiet} to-move:W"));
    assert!(proof_of(&solve(&won, 2)).is_some());
    // ... but not if Black has three in an open window already.
    let rules = support::rules("6,6,4,1,1");
    let late = position(
        "6,6,4,1,1",
        "B:E3,F3,F4,A6,F6,D6,E6 W:B1,C1,F1,F2,C3,A4,D4 to-move:W",
    );
    let solution = solve(&late, 2);
    if let Some(proof) = proof_of(&solution) {
        // Only a turn on the open window can be the first.
        verified(proof, &solution, &late);
        assert_eq!(
            turns_of(proof)[0],
            support::bit(rules, "C6".parse().expect("a cell"))
        );
    }
    let text = "tengen-proof 1\nrules 6,6,4,1,1\nposition B:E3,F3,F4,A6,F6,D6,E6 \
                W:B1,C1,F1,F2,C3,A4,D4 to-move:W\nattacker white\nnodes 3\n\
                0 F5 -=2 A1=1\n1 C4\n2 A1\nend\n";
    let proof: Proof = text.parse().expect("a proof");
    assert_eq!(check(&proof, &late).exit_code(), 1);

    // Five stones around the centre of a large board win at order 2, but not against an open four.
    let black = "B:J10,K11,J12,I9,K9";
    let won = position("connect6", &format!("{black} W:C3 to-move:B"));
    let solution = solve(&won, 2);
    verified(proof_of(&solution).expect("a win"), &solution, &won);
    let late = position("connect6", &format!("{black} W:C3,D3,E3,F3 to-move:B"));
    assert!(proof_of(&solve(&late, 2)).is_none());
}
