//! Points that are easy to get wrong, each with a proof that a careless checker would judge
//! differently. More are in `suites/proofs`, where the comments explain them.

use std::fmt::Write;
use std::time::Instant;

use tengen_checker::{Limits, Verdict, check, check_claim};

use crate::soundness::verify;

fn proof(rules: &str, position: &str, nodes: &[&str]) -> String {
    let count = nodes.len();
    let nodes = nodes.join("\n");
    format!(
        "tengen-proof 1\nrules {rules}\nposition {position}\nattacker black\nnodes {count}\n{nodes}\nend\n"
    )
}

fn refusal(proof: &str) -> String {
    match check(proof, &Limits::default()) {
        Verdict::Rejected(reason) => reason.to_string(),
        other => panic!("expected a rejection, found {other} for\n{proof}"),
    }
}

const ROWS: &str = "B:D1,E1,D2,E2,D3,E3,D4,E4 to-move:W";

#[test]
fn the_defender_may_win_first_at_every_node_not_only_at_the_root() {
    // White must stop the three with D1. With D2 and D3 that is a three of White's own.
    let nodes = ["0 C1 D1=1", "1 D6"];
    let position = "B:A1,B1,B6,C6 W:D2,D3 to-move:B";
    let refused = refusal(&proof("6,6,4,1,1", position, &nodes));
    assert!(
        refused.contains("node 1: the defender wins first, with D1,D2,D3,D4"),
        "{refused}"
    );
    let position = "B:A1,B1,B6,C6 W:F2,E3 to-move:B";
    assert!(verify(&proof("6,6,4,1,1", position, &nodes)).is_some());
}

#[test]
fn a_turn_may_have_fewer_stones_but_not_more() {
    let position = "B:G10,H10,I10,J7,J8,J9 W:A1,B1,A19 to-move:B";
    assert!(verify(&proof("connect6", position, &["0 J10"])).is_some());
    assert!(verify(&proof("connect6", position, &["0 J10,S19"])).is_some());
    assert!(refusal(&proof("connect6", position, &["0 J10,S19,S1"])).contains("expected 1 to 2"));
    let position = format!("{position} left:1");
    assert!(refusal(&proof("connect6", &position, &["0 J10,S19"])).contains("expected 1 to 1"));
    assert!(
        refusal(&proof("connect6", &position, &["0 J9"])).contains("J9 of the turn is not empty")
    );
}

#[test]
fn the_first_turn_has_its_own_length() {
    // Three black stones in the first turn; White's reply is not answered.
    let nodes = ["0 J10,J11,K10"];
    assert!(refusal(&proof("19,19,6,2,3", "to-move:B", &nodes)).contains("no child answers"));
    assert!(refusal(&proof("19,19,6,2,2", "to-move:B", &nodes)).contains("expected 1 to 2"));
    assert!(refusal(&proof("19,19,6,2,3", "W:A1 to-move:B", &nodes)).contains("expected 1 to 2"));
}

#[test]
fn set_ups_that_cannot_be_played_are_refused() {
    let judge = |position: &str| refusal(&proof("6,6,4,1,1", position, &["0 D2"]));
    assert!(judge("B:B2,C2 W:B2 to-move:B").contains("B2 holds two stones"));
    assert!(judge("B:B2,B2 to-move:B").contains("B2 is named twice"));
    assert!(judge("B:B2,G2 to-move:B").contains("off the board"));
    assert!(judge("B:A1,A2,A3,A4 to-move:B").contains("attacker already has a line"));
    assert!(judge("W:A1,A2,A3,A4 to-move:B").contains("defender already has a line"));
    assert!(judge("B:A1 to-move:B left:2").contains("expected 1 to 1"));
    assert!(judge("B:A1 to-move:B left:0").contains("expected 1 to 1"));
    assert!(judge("B:A1").contains("the side to move is missing"));
    assert!(judge("B:A1 to-move:W").contains("expected the turn `-`"));
    assert!(refusal(&proof("6,6,4,1,1", "B:A1 to-move:B", &["0 -"])).contains("the turn is empty"));
}

#[test]
fn there_are_r_zones_and_a_null_turn_shifts_them() {
    // r = 5 - 2 - 1 = 2.
    let direct = proof("8,4,5,2,1", "B:D1,E1,D2,E2 W:H4 to-move:B", &["0 F1,F2"]);
    let zones = verify(&direct).expect("four threats").zones;
    assert_eq!(zones.len(), 2);
    // The turn, and B, C, G, H of both rows; White's windows have four empty cells: zone 2.
    assert_eq!(zones[0].len(), 10);
    assert_eq!(zones[1].len(), 10 + 4);
    // Answered by the null turn's child: its zones shifted by two are the whole board.
    let nodes = [
        "0 - -=1 F1=2 F2=3 F1,F2=4 F1,F3=5 F2,F3=6",
        "1 F1,F2",
        "2 F2,F3",
        "3 F1,F3",
    ];
    let nodes = [&nodes[..], &["4 F3,F4", "5 F2,F4", "6 F1,F4"]].concat();
    let report = verify(&proof("8,4,5,2,1", ROWS, &nodes)).expect("as in the suite");
    assert_eq!(report.zones.len(), 0);
    // Black to move: one more turn before that.
    let claimed = direct.replace("nodes", "zone 1 A1\nnodes");
    assert!(refusal(&claimed).contains("is missing in the claimed zone 1"));
    let claimed = direct.replace("nodes", "zone 1 A1\nzone 2 A1\nzone 3 A1\nnodes");
    assert!(refusal(&claimed).contains("at most 2"));
}

#[test]
fn the_whole_board_may_be_claimed_where_zones_end() {
    let all = |x: char| (1..=4).map(move |y| format!("{x}{y}"));
    let all: Vec<String> = ('A'..='H').flat_map(all).collect();
    let text = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../suites/proofs/semi-null.proof"
    ));
    let text = text.expect("the suite is there");
    let claim =
        |cells: &[String]| text.replace("nodes", &format!("zone 1 {}\nnodes", cells.join(",")));
    assert!(verify(&claim(&all)).is_some());
    let missing = refusal(&claim(&all[1..]));
    assert!(missing.contains("A1 is missing"), "{missing}");
}

#[test]
fn a_macro_reply_may_not_complete_a_line() {
    // A2,B2,F2,G2 is a sound macro turn; with the four stones beside H4 White would have won.
    let position = "B:C2,D2,C5,D5,C7,D7 W:H4 to-move:B";
    let replies = |stones: &str| format!("0 E2 {stones}=1");
    let judge = |stones: &str| {
        let nodes = [&replies(stones)[..], "1 E5,E7"];
        check(&proof("8,8,5,2,1", position, &nodes), &Limits::default())
    };
    assert!(
        judge("A2,B2,F2,G2").is_verified(),
        "{}",
        judge("A2,B2,F2,G2")
    );
    let refused = judge("A2,B2,F2,G2,D4,E4,F4,G4").to_string();
    assert!(
        refused.contains("completes a line of the defender"),
        "{refused}"
    );
}

#[test]
fn exactly_k_takes_explicit_replies_only() {
    let position = "B:C8,D8,E8,F9,F10 W:B8,A1,A3,A5,A7 to-move:B";
    let judge = |nodes: &[&str]| {
        let verdict = check(
            &proof("gomoku-standard", position, nodes),
            &Limits::default(),
        );
        verdict.to_string()
    };
    assert!(judge(&["0 F8 G8=1", "1 F11"]).starts_with("VERIFIED"));
    assert!(judge(&["0 F8 G8,A9=1", "1 F11"]).starts_with("UNDECIDED"));
    assert!(judge(&["0 F8 -=1", "1 F11"]).starts_with("UNDECIDED"));
    assert!(judge(&["0 F8 H8=1", "1 F11"]).starts_with("REJECTED"));
    assert!(judge(&["0 F8"]).starts_with("REJECTED"));
    // A short turn that does not win.
    let short = proof("15,15,5,2,1,exact", "B:C8,D8,E8 W:A1 to-move:B", &["0 F9"]);
    assert!(matches!(
        check(&short, &Limits::default()),
        Verdict::Undecided(_)
    ));
    // A white stone behind White's own window: six in a row do not win, so White does not win first.
    let position = "B:H8,I8,J8 W:A1,B1,C1,D1,F1 to-move:B";
    assert!(verify(&proof("gomoku-standard", position, &["0 K8"])).is_some());
    assert!(refusal(&proof("gomoku", position, &["0 K8"])).contains("wins first"));
}

#[test]
fn a_proof_of_another_claim_is_not_accepted() {
    let text = proof("6,6,4,1,1", "B:B2,C2 W:B5,C5 to-move:B", &["0 D2"]);
    let ask = |rules: &str, position: &str, attacker: &str| {
        check_claim(&text, rules, position, attacker, &Limits::default()).is_verified()
    };
    assert!(ask(
        "6,6,4,1,1",
        "W:C5,B5 to-move:black B:C2,B2 left:1",
        "black"
    ));
    assert!(!ask("6,6,4,1,1", "B:B2,C2 W:B5 to-move:B", "black"));
    assert!(!ask("6,6,4,1,1", "B:B2,C2 W:B5,C5 to-move:W", "black"));
    assert!(!ask("6,6,4,1,1", "B:B5,C5 W:B2,C2 to-move:B", "black"));
    assert!(!ask("6,6,4,1,1", "B:B2,C2 W:B5,C5 to-move:B", "white"));
    assert!(!ask("6,7,4,1,1", "B:B2,C2 W:B5,C5 to-move:B", "black"));
    assert!(!ask("6,6,4,1,1", "nonsense", "black"));
}

/// Six rows of three on the board of Connect6; a fourth stone in two of them wins. Every reply of
/// one or two stones in a row has its own node.
pub(crate) fn six_rows() -> String {
    let rows = [2, 5, 8, 11, 14, 17];
    let cells: Vec<(usize, char)> = (0..6)
        .flat_map(|row| "FGKLM".chars().map(move |column| (row, column)))
        .collect();
    let name = |&(row, column): &(usize, char)| format!("{column}{}", rows[row]);
    let mut replies: Vec<Vec<(usize, char)>> = vec![Vec::new()];
    replies.extend(cells.iter().map(|&cell| vec![cell]));
    for (i, &first) in cells.iter().enumerate() {
        replies.extend(cells[i + 1..].iter().map(|&second| vec![first, second]));
    }
    let mut root = "0 -".to_owned();
    let mut lines = String::new();
    for (id, reply) in (1..).zip(&replies) {
        let names: Vec<String> = reply.iter().map(name).collect();
        let names = if names.is_empty() {
            "-".to_owned()
        } else {
            names.join(",")
        };
        write!(root, " {names}={id}").expect("a string takes everything");
        let mut free = (0..6).filter(|row| reply.iter().all(|(used, _)| used != row));
        let turn = [free.next(), free.next()].map(|row| rows[row.expect("four rows are left")]);
        writeln!(lines, "{id} K{},K{}", turn[0], turn[1]).expect("a string takes everything");
    }
    let stones = rows.map(|row| format!("H{row},I{row},J{row}")).join(",");
    let count = replies.len() + 1;
    format!(
        "tengen-proof 1\nrules connect6\nposition B:{stones} W:A1 to-move:W\nattacker black\n\
         nodes {count}\n{root}\n{lines}end\n"
    )
}

#[test]
fn large_proofs_are_checked_quickly() {
    let text = six_rows();
    let start = Instant::now();
    let report = verify(&text).expect("two rows are always left");
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{} nodes, {} visits in {seconds} s",
        report.nodes, report.visits
    );
    assert!(report.visits >= 400 && seconds < 2.0);
}
