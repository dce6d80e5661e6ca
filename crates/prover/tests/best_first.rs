//! Wins with quiet turns that depth-first search does not find in time.

use tengen_checker::{Limits as CheckLimits, Verdict, check};
use tengen_prover::{Limits, Request, Solution, Solver, Value};
use tengen_rules::{Rules, Side, notation};

/// What depth-first search gets before best-first search goes on.
const DEPTH_FIRST: u64 = 200_000;

fn solve(position: &str, order: u8, nodes: u64) -> Solution {
    let position = notation::parse_position(position, Rules::CONNECT6).expect("a position");
    let request = Request {
        limits: Limits {
            nodes: Some(nodes),
            time: None,
        },
        ..Request::new(Side::Black, order)
    };
    Solver::new(18).solve(&position, &request)
}

/// The opening TX-d21 after Black K11 L10 and three of the replies that survive order 2.
const REPLIES: [&str; 3] = ["G10,E12", "K6,G10", "L5,G10"];

#[test]
fn replies_to_an_opening_fall() {
    for reply in REPLIES {
        let position = format!("B:J10,K11,L10 W:I8,H9,{reply} to-move:B");
        let early = solve(&position, 3, DEPTH_FIRST);
        assert_eq!(early.value, Value::Unknown, "{reply}");
        let found = solve(&position, 3, 2_000_000);
        let Value::Win(proof) = &found.value else {
            panic!("no win against {reply}");
        };
        let verdict = check(&proof.to_text(), &CheckLimits::default());
        assert!(
            matches!(verdict, Verdict::Verified(_)),
            "{reply}: {verdict}"
        );
        // Nothing depends on chance.
        let again = solve(&position, 3, 2_000_000);
        assert_eq!((again.nodes, &again.value), (found.nodes, &found.value));
    }
}

#[test]
fn a_limit_ends_it_without_a_claim() {
    // White's J7 K6 is not solved in so many nodes.
    let position = "B:J10,K11,L10 W:I8,H9,J7,K6 to-move:B";
    let found = solve(position, 3, 400_000);
    assert_eq!(found.value, Value::Unknown);
    assert!((400_000..500_000).contains(&found.nodes), "{}", found.nodes);
}
