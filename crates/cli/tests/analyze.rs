//! `tengen analyze`: whatever the engine is, the answer has this form, and bad questions are refused.

mod common;

use common::Folder;
use serde_json::{Value, json};

const FORK: &str = "B:B2,C2 W:B5,C5 to-move:B";
const SMALL: [&str; 6] = ["analyze", "--rules", "6,6,4,1,1", "--nodes", "2000", FORK];

fn with<'a>(arguments: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    arguments.iter().chain(more).copied().collect()
}

fn json_of(folder: &Folder, arguments: &[&str]) -> Value {
    let text = folder.run(&with(arguments, &["--json"])).ok();
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn a_table_for_people() {
    let folder = Folder::new("analyze_text");
    let text = folder.run(&with(&SMALL, &["--multi", "2"])).ok();
    let start = "Connect(6,6,4,1,1): 4 in a row on 6x6, 1 stone a turn\n\n    A B C D E F\n";
    assert!(text.starts_with(start), "{text}");
    assert!(text.contains("\nBlack to play, 1 stone left\n"), "{text}");
    let (board, rest) = text.split_once("\n#  turn").expect("a table");
    let mut lines = rest.lines();
    let headings = lines.next().expect("headings");
    let headings: Vec<&str> = headings.split_whitespace().collect();
    assert_eq!(headings.join(" "), "verdict score expected to follow");
    let best: Vec<&str> = lines
        .next()
        .expect("a turn")
        .split_whitespace()
        .take(2)
        .collect();
    assert_eq!(best[0], "1");
    // The turn is on the board with its number.
    let column = 4 + 2 * usize::from(best[1].as_bytes()[0] - b'A');
    let row = best[1][1..].parse::<usize>().expect("a row");
    let drawn = board.lines().nth(3 + 6 - row).expect("a row of the board");
    assert_eq!(drawn.chars().nth(column), Some('1'), "{text}");
    assert!(!text.contains('\x1b'), "a pipe gets plain text");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.iter().any(|line| line.starts_with("alphabeta: ")));
    // A stone beside the two wins, and what is called proved has been checked.
    assert!(text.contains("win, proved"), "{text}");
    assert!(text.contains("\nVERIFIED by the checker: "), "{text}");
}

#[test]
fn json_for_scripts() {
    let folder = Folder::new("analyze_json");
    let answer = json_of(&folder, &with(&SMALL, &["-x", "D2", "-x", "A2"]));
    assert_eq!(answer["rules"], "6,6,4,1,1");
    assert_eq!(answer["position"], FORK);
    assert_eq!(answer["to_move"], "black");
    assert_eq!(answer["engine"], "alphabeta");
    assert_eq!(answer["excluded"], json!([["D2"], ["A2"]]));
    assert_eq!(answer["proof"], Value::Null);
    assert_eq!(answer["stopped"], false);
    for number in ["nodes", "depth", "seconds"] {
        assert!(answer[number].is_number(), "{number}");
    }
    assert!(answer["others_lose"].is_boolean());
    let lines = answer["lines"].as_array().expect("lines");
    assert!(!lines.is_empty());
    for line in lines {
        assert_ne!(line["turn"], json!(["D2"]));
        assert_ne!(line["turn"], json!(["A2"]));
        assert_eq!(line["main_line"][0], line["turn"]);
        assert!(line["score"].is_i64());
        let status = line["status"].as_str().expect("a status");
        let decided = status == "Bw" || status == "Ww";
        assert_eq!(line["proved"], decided, "{line}");
        assert_eq!(line["wins_on"].is_string(), decided, "{line}");
        let verdict = line["verdict"].as_str().expect("a verdict");
        assert_eq!(decided, verdict == "win" || verdict == "loss");
    }
}

#[test]
fn the_same_question_has_the_same_answer() {
    let folder = Folder::new("analyze_same");
    let mut answers = [(), ()].map(|()| json_of(&folder, &SMALL));
    for answer in &mut answers {
        answer["seconds"] = Value::Null;
    }
    assert_eq!(answers[0], answers[1]);
}

#[test]
fn the_proof_is_written_and_checks() {
    let folder = Folder::new("analyze_proof");
    let answer = json_of(&folder, &with(&SMALL, &["--proof", "best.proof"]));
    assert_eq!(answer["lines"][0]["proved"], true);
    assert!(answer["proof"].is_string());
    let text = folder.run(&["check", "best.proof"]).ok();
    assert!(text.starts_with("VERIFIED"), "{text}");
}

#[test]
fn bad_questions_are_refused() {
    let folder = Folder::new("analyze_bad");
    let refused = |more: &[&str]| folder.run(&with(&["analyze", "J10"], more)).refused();
    for (more, message) in [
        (
            &["--exclude", "K11 T1"][..],
            "--exclude `K11 T1`: T1 is off the board, which has columns A to S and rows 1 to 19",
        ),
        (
            &["--exclude", "J10"],
            "--exclude `J10`: J10 is already occupied by Black, expected an empty cell",
        ),
        (
            &["--exclude", "A1 A2 A3"],
            "--exclude `A1 A2 A3`: A1 A2 A3 are 3 stones, expected 2 or fewer",
        ),
        (
            &["--exclude", "here"],
            "--exclude `here`: `here` is not a cell; expected a column letter and a row number, such as J10",
        ),
        (
            &["--exclude", ""],
            "--exclude ``: there is no stone, expected 2 or fewer",
        ),
        (
            &["--proof", "no/where.proof"],
            "cannot write `no/where.proof`: there is no such folder",
        ),
        (&["--proof", "-"], "--proof needs the name of a file"),
        (
            &["--seconds", "0"],
            "--seconds: 0 seconds leave no time, expected more than 0, or inf for no limit",
        ),
    ] {
        assert_eq!(refused(more), message);
    }
    assert!(refused(&["--engine", "hal"]).starts_with("--engine: there is no engine `hal`; known"));
    assert!(refused(&["--multi", "0"]).starts_with("--multi: 0 is not in 1..=35"));
    let over = ["analyze", "--rules", "tic-tac-toe", "A1 B1 A2 B2 A3"];
    assert_eq!(
        folder.run(&over).refused(),
        "the game is over: Black has won with A1 A2 A3"
    );
    let last = [
        "analyze",
        "--rules",
        "tic-tac-toe",
        "B:A1,B1,C2,A3 W:C1,A2,B2,B3 to-move:B",
        "-x",
        "C3",
    ];
    assert_eq!(folder.run(&last).refused(), "every legal turn is excluded");
}
