//! `tengen verify`: what is not listed loses, and the checker has said so.

mod common;

use common::Folder;
use serde_json::{Value, json};

/// Every reply loses.
const WON: [&str; 4] = ["verify", "--rules", "6,6,4,1,1", "B:B2,C2 W:B5 to-move:W"];
/// An open three: only blocks at its ends survive.
const OPEN: [&str; 6] = [
    "verify",
    "--rules",
    "9,9,5,1,1",
    "B:E4,E5,E6 W:A1,A9 to-move:W",
    "--order",
    "1",
];
const TRIANGLE: [&str; 6] = ["verify", "--rules", "19,19,6,2,3", "J10", "J12", "K11"];

fn with<'a>(arguments: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    arguments.iter().chain(more).copied().collect()
}

fn json_of(folder: &Folder, arguments: &[&str]) -> Value {
    let text = folder.run(&with(arguments, &["--json"])).ok();
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn a_won_position_for_people() {
    let folder = Folder::new("verify_won");
    let text = folder.run(&with(&WON, &["--zones"])).ok();
    let start = "\
Connect(6,6,4,1,1): 4 in a row on 6x6, 1 stone a turn

    A B C D E F
";
    assert!(text.starts_with(start), "{text}");
    assert!(
        text.contains("\nWhite to play, 1 stone left\n\nEvery reply loses: Black wins on 6x6\n")
    );
    assert!(text.contains("\nRelevance zones: Z1 "), "{text}");
    assert!(text.contains("\nVERIFIED by the checker: "), "{text}");
    assert!(!text.contains('?'), "{text}");
}

#[test]
fn survivors_for_people() {
    let folder = Folder::new("verify_open");
    let text = folder.run(&OPEN).ok();
    let list = "\nNot proved to lose at order 1: 2, marked ?; all other replies lose\n  E3, E7\n";
    assert!(text.contains(list), "{text}");
    assert!(text.contains("\n 7  · · + · ? · + · ·  7\n"), "{text}");
    assert!(text.contains("\nVERIFIED by the checker except for what is listed: "));
    assert!(!text.contains("wins"), "{text}");
}

#[test]
fn nothing_proved_is_said() {
    let folder = Folder::new("verify_nothing");
    let text = folder.run(&["verify", "J10", "--proof", "a.proof"]).ok();
    assert!(
        text.contains("\nNothing is proved at order 2: no reply is shown to lose\n\nMade "),
        "{text}"
    );
    assert!(!text.contains("VERIFIED") && !folder.path("a.proof").exists());
    let report = json_of(&folder, &["verify", "J10"]);
    assert_eq!(report["result"], "open");
    assert_eq!(report["survivors"], json!([[]]));
    assert_eq!(report["check"], Value::Null);
}

#[test]
fn the_triangle_of_connect_6_2_3() {
    let folder = Folder::new("verify_triangle");
    let report = json_of(&folder, &with(&TRIANGLE, &["--proof", "won.tproof"]));
    assert_eq!(report["result"], "win");
    assert_eq!(report["attacker"], "black");
    assert_eq!(report["wins_on"], "19x19");
    assert_eq!(report["survivors"], json!([]));
    assert_eq!(report["finished"], true);
    assert_eq!(report["check"]["verdict"], "VERIFIED");
    assert_eq!(report["proof"], "won.tproof");
    for count in ["searches", "replies", "nodes"] {
        assert!(report[count].as_u64() > Some(0), "{count}");
    }
    let verdict = folder.run(&["check", "won.tproof"]).ok();
    assert!(verdict.starts_with("VERIFIED won.tproof: Black wins, "));
    // On the infinite board too, and threads make no difference.
    let mut infinite = TRIANGLE;
    infinite[2] = "inf,inf,6,2,3";
    let one = json_of(&folder, &with(&infinite, &["--threads", "1"]));
    let three = json_of(&folder, &with(&infinite, &["--threads", "3"]));
    assert_eq!(one["result"], "win");
    let boards = one["wins_on"].as_str().expect("words");
    assert!(boards == "the infinite board" || boards.starts_with("every board that contains "));
    for field in ["searches", "replays", "nodes", "survivors"] {
        assert_eq!(one[field], three[field], "{field}");
    }
}

#[test]
fn stopped_and_resumed() {
    let folder = Folder::new("verify_resume");
    let first = json_of(&folder, &with(&OPEN, &["--proof", "a.proof"]));
    assert_eq!(first["result"], "open");
    assert_eq!(first["check"]["verdict"], "VERIFIED except");
    assert_eq!(first["survivors"], json!([["E3"], ["E7"]]));
    let verdict = folder.run(&["check", "a.proof"]).ok();
    assert!(verdict.starts_with("VERIFIED except "), "{verdict}");
    // The same file may be read and written.
    let files = ["--resume", "a.proof", "--proof", "a.proof"];
    let second = json_of(&folder, &with(&OPEN, &files));
    assert_eq!(second["survivors"], first["survivors"]);
    assert!(second["searches"].as_u64() < first["searches"].as_u64());
    folder.run(&["check", "a.proof"]).ok();
    // What is won stays won, without a search.
    let won = json_of(&folder, &with(&TRIANGLE, &["--proof", "won.proof"]));
    assert_eq!(won["result"], "win");
    let again = json_of(&folder, &with(&TRIANGLE, &["--resume", "won.proof"]));
    assert_eq!(again["result"], "win");
    assert_eq!(again["searches"], 0);
}

#[test]
fn the_clock_stops_it() {
    let folder = Folder::new("verify_seconds");
    let opening = ["verify", "J10", "I8", "H9", "K11", "L10"];
    let limited = with(&opening, &["--seconds", "0.05", "--proof", "part.proof"]);
    let report = json_of(&folder, &limited);
    assert_eq!(report["result"], "open");
    assert_eq!(report["finished"], false);
    assert_eq!(report["reason"], "the limit of 0.05 s was reached");
    let text = folder.run(&limited).ok();
    assert!(
        text.contains("\nNot finished: the limit of 0.05 s was reached\n"),
        "{text}"
    );
    if report["proof"] == "part.proof" {
        folder.run(&["check", "part.proof"]).ok();
    }
}

#[test]
fn bad_input() {
    let folder = Folder::new("verify_bad");
    folder.run(&with(&TRIANGLE, &["--proof", "won.proof"])).ok();
    folder.write("bad.proof", "nonsense");
    let altered = folder.read("won.proof").replace("\n1 ", "\n1 A1 ");
    folder.write("altered.proof", altered);
    for (arguments, message) in [
        (
            &["B:J10 W:A1,A2,A3,A4 to-move:W"][..],
            "White wins at once with A5 A6",
        ),
        (
            &["--rules", "gomoku-standard", "H8", "I9"],
            "where overlines do not win, no reply makes others irrelevant; verification needs that",
        ),
        (
            &["--rules", "19,19,6,2,3", "to-move:B"],
            "a first turn of 3 stones is longer than the others and cannot be verified",
        ),
        (
            &["--rules", "tic-tac-toe", "A1 B1 A2 B2 A3"],
            "the game is over",
        ),
        (&["--proof", "-", "J10"], "--proof needs the name of a file"),
        (
            &["--proof", "no/where.proof", "J10"],
            "cannot write `no/where.proof`: there is no such folder",
        ),
        (
            &["--resume", "missing.proof", "J10"],
            "cannot read `missing.proof`: there is no such file",
        ),
        (
            &["--resume", "bad.proof", "J10"],
            "cannot read proof `bad.proof`: line 1: expected `tengen-proof ...`, found `nonsense`",
        ),
    ] {
        assert_eq!(folder.run(&with(&["verify"], arguments)).refused(), message);
    }
    let other = folder.run(&["verify", "--resume", "won.proof", "J10"]);
    let message = other.refused();
    assert!(message.starts_with("cannot go on from `won.proof`: the proof is about"));
    for arguments in [&["--order", "5", "J10"][..], &["--threads", "0", "J10"]] {
        folder.run(&with(&["verify"], arguments)).refused();
    }
    // A file that proves nothing is no start.
    let altered = folder.run(&with(&TRIANGLE, &["--resume", "altered.proof"]));
    altered.refused();
}

/// The first Ctrl-C ends it; what was proved is kept.
#[cfg(unix)]
#[test]
fn ctrl_c_keeps_the_proof() {
    use std::process::{Command, Stdio};
    use std::thread;
    use std::time::Duration;

    let folder = Folder::new("verify_ctrl_c");
    let opening = ["verify", "J10", "I8", "H9", "K11", "L10"];
    let long = [
        "--nodes",
        "100000000",
        "--seconds",
        "600",
        "--proof",
        "a.proof",
    ];
    let child = folder
        .command(&with(&opening, &long))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    thread::sleep(Duration::from_millis(2500));
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status();
    assert!(sent.expect("kill runs").success());
    let output = child.wait_with_output().expect("the binary ends");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(output.status.code(), Some(0));
    assert!(
        text.contains("\nNot finished: stopped with Ctrl-C\n"),
        "{text}"
    );
    let verdict = folder.run(&["check", "a.proof"]).ok();
    assert!(verdict.starts_with("VERIFIED except "), "{verdict}");
}
