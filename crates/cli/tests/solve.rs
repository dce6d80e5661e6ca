//! `tengen solve`: wins come with a verified proof, everything else is called what it is.

mod common;

use common::Folder;
use serde_json::{Value, json};

const SMALL: [&str; 4] = ["solve", "--rules", "6,6,4,1,1", "B:B2,C2 W:B5,C5 to-move:B"];
const FORK: &str = "B:H8,I9,J10,L8,M7 W:G7,K10,K12,N6 to-move:B";
const SUITE: &str = include_str!("../../../suites/solve/positions.jsonl");

fn with<'a>(arguments: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    arguments.iter().chain(more).copied().collect()
}

/// The lines without what differs from run to run.
fn without_times(text: &str) -> Vec<Value> {
    let line = |line: &str| {
        let mut value: Value = serde_json::from_str(line).expect("JSON");
        if let Some(object) = value.as_object_mut() {
            object.remove("seconds");
        }
        value
    };
    text.lines().map(line).collect()
}

#[test]
fn a_win_for_people() {
    let folder = Folder::new("solve_text");
    let text = folder.run(&with(&SMALL, &["--order", "1", "--zones"])).ok();
    let start = "\
Connect(6,6,4,1,1): 4 in a row on 6x6, 1 stone a turn

    A B C D E F
 6  2 2 2 2 · ·  6
 5  1 ○ ○ 1 1 2  5
 4  · 2 2 2 · ·  4
 3  2 2 2 2 2 ·  3
 2  1 ● ●(●)1 2  2
 1  · · · · · ·  1
    A B C D E F

● Black  ○ White
Black to play, 1 stone left

Black: win on 6x6, at most 2 turns: D2, marked ( )
Relevance zones: Z1 6 cells, Z2 20 cells; a digit marks the first zone of a cell, which is in that \
one and all that follow

Main line, against the longest defence:
  1. Black D2           more threats than White can stop
  2. Black completes a line

Searched ";
    assert!(text.starts_with(start), "{text}");
    assert!(text.contains("\nVERIFIED by the checker: 1 node in "));
}

#[test]
fn a_win_for_scripts() {
    let folder = Folder::new("solve_json");
    let text = folder
        .run(&["solve", "--json", "--zones", FORK, "--proof", "win.proof"])
        .ok();
    let report: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(report["result"], "win");
    assert_eq!(report["attacker"], "black");
    assert_eq!(report["null_turn"], false);
    assert_eq!(report["order"], 2);
    assert_eq!(report["check"]["verdict"], "VERIFIED");
    assert_eq!(report["proof"], "win.proof");
    assert_eq!(report["zones"].as_array().map(Vec::len), Some(3));
    assert_eq!(report["main_line"][0]["stones"], report["turn"]);
    // The proof says the same, and claims the zones.
    assert!(folder.read("win.proof").contains("\nzone 3 "));
    let verdict = folder.run(&["check", "--position", FORK, "win.proof"]).ok();
    assert!(verdict.starts_with("VERIFIED win.proof: Black wins, "));
}

#[test]
fn proofs_in_the_form_that_the_name_means() {
    let folder = Folder::new("solve_forms");
    for (name, flag, compact) in [
        ("a.proof", None, false),
        ("a.txt", None, false),
        ("a.tproof", None, true),
        ("b.proof", Some("--compact"), true),
    ] {
        let mut arguments = vec!["solve", FORK, "--proof", name];
        arguments.extend(flag);
        let text = folder.run(&arguments).ok();
        assert!(text.contains(&format!("\nProof: {name}, ")));
        let bytes = std::fs::read(folder.path(name)).expect("written");
        assert_eq!(bytes.starts_with(b"TENGENPF"), compact, "{name}");
        assert!(folder.run(&["check", name]).ok().starts_with("VERIFIED"));
    }
}

#[test]
fn no_win_and_unknown_are_different_things() {
    let folder = Folder::new("solve_none");
    let none = folder.run(&["solve", "--order", "1", "J10 I8 H9"]).ok();
    assert!(none.contains("\nBlack: no win of order 1; there may be others\n"));
    let unknown = folder
        .run(&["solve", "--nodes", "2", "--order", "2", FORK])
        .ok();
    assert!(
        unknown.contains("\nBlack: unknown: the limit of 2 nodes was reached\n"),
        "{unknown}"
    );
    for text in [none, unknown] {
        assert!(!text.contains("win on") && !text.contains("VERIFIED"));
    }
    // No win, no proof.
    folder
        .run(&["solve", "--order", "1", "J10 I8 H9", "--proof", "x.proof"])
        .ok();
    assert!(!folder.path("x.proof").exists());
}

#[test]
fn the_other_side_attacks_after_a_null_turn() {
    let folder = Folder::new("solve_null");
    let position = "B:H8,I9,J10,L8,M7 W:G7,K10,K12,N6 to-move:W";
    let text = folder
        .run(&["solve", "--attacker", "black", "--order", "1", position])
        .ok();
    assert!(text.contains("\nWhite passes: solved as if Black were to play a whole turn\n"));
    assert!(text.contains("\nBlack: win on "));
    let proof = ["--proof", "null.proof"];
    let arguments = ["solve", "--attacker", "black", "--json", position];
    let json = folder.run(&with(&arguments, &proof)).ok();
    let report: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(report["null_turn"], true);
    // The proof is about the position after the null turn.
    assert!(folder.read("null.proof").contains("to-move:B"));
}

#[test]
fn a_side_without_stones() {
    let folder = Folder::new("solve_bare");
    let text = folder
        .run(&["solve", "--rules", "5,5,3,2,1", "to-move:B"])
        .ok();
    assert!(text.contains("\nBlack: win on "), "{text}");
    let text = folder
        .run(&["solve", "--order", "1", "B:J10,J11 to-move:W"])
        .ok();
    assert!(text.contains("\nWhite: no win of order 1"), "{text}");
    assert_eq!(
        folder
            .run(&["solve", "--rules", "inf,inf,6,2,3", "to-move:B"])
            .refused(),
        "a first turn of 3 stones is longer than the others and cannot be solved"
    );
}

#[test]
fn bad_input() {
    let folder = Folder::new("solve_bad");
    for (arguments, message) in [
        (
            &["--rules", "tic-tac-toe", "A1 B1 A2 B2 A3"][..],
            "the game is over: Black has won with A1 A2 A3",
        ),
        (
            &["B:A1,B1,C1,D1,E1,F1 W:J10 to-move:W"],
            "Black has already won with A1 B1 C1 D1 E1 F1",
        ),
        (&["B:J10 W:J10 to-move:W"], "J10 holds two stones"),
        (
            &["--nodes", "0", "J10"],
            "--nodes: 0 nodes find nothing, expected at least 1",
        ),
        (
            &["--seconds", "0", "J10"],
            "--seconds: 0 seconds leave no time, expected more than 0, or inf for no limit",
        ),
        (
            &["--seconds", "nan", "J10"],
            "--seconds: nan seconds leave no time, expected more than 0, or inf for no limit",
        ),
        (
            &["--proof", "no/where.proof", "J10"],
            "cannot write `no/where.proof`: there is no such folder",
        ),
        (
            &["--proof", ".", "J10"],
            "cannot write `.`: it is a directory",
        ),
        (&["--proof", "-", "J10"], "--proof needs the name of a file"),
        (
            &["--jsonl", "missing.jsonl"],
            "cannot read `missing.jsonl`: there is no such file",
        ),
        (&["--jsonl", "."], "cannot read `.`: it is a directory"),
    ] {
        assert_eq!(folder.run(&with(&["solve"], arguments)).refused(), message);
    }
    for arguments in [
        &["--order", "0", "J10"][..],
        &["--order", "5", "J10"],
        &["--threads", "2", "J10"],
        &["--jsonl", "-", "J10"],
        &["--jsonl", "-", "--proof", "a"],
    ] {
        folder.run(&with(&["solve"], arguments)).refused();
    }
}

#[test]
fn a_quiet_turn_wins() {
    // XX-b22 after White's I8 J8: no win by threats alone, but K8 I10 wins quietly.
    let line = ["solve", "J10", "H8", "L8", "J9", "K10", "I8", "J8"];
    let folder = Folder::new("solve_quiet");
    let threats = folder.run(&with(&line, &["--order", "2"])).ok();
    assert!(threats.contains("no win of order 2"), "{threats}");
    let run = folder.run(&with(&line, &["--order", "3", "--nodes", "1000000"]));
    assert!(run.stderr.is_empty());
    let quiet = run.ok();
    assert!(
        quiet.contains("Black: win on 19x19") && quiet.contains("VERIFIED"),
        "{quiet}"
    );
}

#[test]
fn a_file_of_positions() {
    let folder = Folder::new("solve_jsonl");
    folder.write("in.jsonl", SUITE);
    let arguments = ["solve", "--jsonl", "in.jsonl", "--order", "1"];
    let limited = with(&arguments, &["--nodes", "20000"]);
    let one = folder.run(&with(&limited, &["--threads", "1"])).ok();
    let three = folder.run(&with(&limited, &["--threads", "3"])).ok();
    assert_eq!(without_times(&one), without_times(&three));
    for (question, answer) in without_times(SUITE).iter().zip(without_times(&one)) {
        assert_eq!(question["id"], answer["id"]);
        assert_eq!(question["expect"], answer["result"], "{answer}");
        assert_eq!(answer["order"], 1);
        assert_eq!(answer["proof"], Value::Null);
        assert_eq!(answer["result"] == "win", answer["depth"].is_u64());
    }
    assert_eq!(one.lines().count(), SUITE.lines().count());
    // The fields are in the documented order.
    assert!(one.starts_with(
        "{\"id\":\"worked-example\",\"result\":\"win\",\"order\":1,\"turn\":[\"D2\"],\"depth\":2,\"nodes\":"
    ));
}

#[test]
fn a_proof_for_every_win() {
    let folder = Folder::new("solve_proofs");
    let text = folder
        .run_with(
            &[
                "solve",
                "--jsonl",
                "-",
                "--order",
                "1",
                "--proofs",
                "out/proofs",
            ],
            SUITE.as_bytes(),
        )
        .ok();
    let mut checked = 0;
    for answer in without_times(&text) {
        if answer["result"] == "win" {
            let path = answer["proof"].as_str().expect("a path");
            assert!(folder.run(&["check", path]).ok().starts_with("VERIFIED"));
            checked += 1;
        } else {
            assert_eq!(answer["proof"], Value::Null);
        }
    }
    assert!(checked >= 5);
    let files = std::fs::read_dir(folder.path("out/proofs")).expect("a folder");
    assert_eq!(files.count(), checked);
}

#[test]
fn one_bad_line_does_not_stop_the_others() {
    let folder = Folder::new("solve_bad_lines");
    let input = concat!(
        "{\"id\":1,\"rules\":\"6,6,4,1,1\",\"black\":[\"B2\",\"C2\"],\"white\":[\"B5\",\"C5\"],\"to_move\":\"black\"}\n",
        "nonsense\n",
        "\n",
        "{\"id\":[3],\"rules\":\"chess\",\"to_move\":\"black\"}\n",
        "{\"id\":4,\"black\":[\"J10\"],\"white\":[\"J10\"],\"to_move\":\"white\"}\n",
        "{\"id\":5,\"rules\":\"tic-tac-toe\",\"black\":[\"A1\",\"A2\",\"A3\"],\"to_move\":\"white\"}\n",
        "{\"id\":6,\"black\":\"J10\",\"to_move\":\"white\"}\n",
        "{\"id\":7,\"black\":[\"Z\"],\"to_move\":\"white\"}\n",
        "{\"id\":8,\"black\":[\"J10\"]}\n",
        "{\"id\":9,\"black\":[\"J10\"],\"to_move\":\"white\",\"left\":-1}\n",
        "[]\n",
        "{\"id\":11,\"rules\":\"6,6,4,1,1\",\"black\":[\"B2\",\"C2\"],\"white\":[\"B5\",\"C5\"],\"to_move\":\"black\"}",
    );
    let run = folder.run_with(
        &["solve", "--jsonl", "-", "--nodes", "99"],
        input.as_bytes(),
    );
    assert_eq!(run.code, Some(2));
    let answers = without_times(&run.stdout);
    let ids: Vec<&Value> = answers.iter().map(|answer| &answer["id"]).collect();
    let null = Value::Null;
    assert_eq!(
        ids,
        [
            &json!(1),
            &null,
            &json!([3]),
            &json!(4),
            &json!(5),
            &json!(6),
            &json!(7),
            &json!(8),
            &json!(9),
            &null,
            &json!(11)
        ]
    );
    for (place, answer) in answers.iter().enumerate() {
        let solved = place == 0 || place == 10;
        assert_eq!(answer["result"] == "win", solved, "{answer}");
        assert_eq!(answer["error"].is_string(), !solved, "{answer}");
    }
    let error = |place: usize| answers[place]["error"].as_str().expect("an error");
    assert!(error(1).starts_with("line 2: not JSON: "), "{}", error(1));
    assert!(error(2).starts_with("`rules`: `chess` names no rules"));
    assert_eq!(error(3), "J10 holds two stones");
    assert_eq!(error(4), "Black has already won with A1 A2 A3");
    assert_eq!(error(5), "`black`: expected a list of cells");
    assert_eq!(error(7), "`to_move`: expected \"black\" or \"white\"");
    assert_eq!(error(8), "`left`: -1 is no number of stones");
    assert_eq!(error(9), "line 11: expected a JSON object");
    assert_eq!(
        run.stderr,
        "tengen: 9 of 11 lines could not be solved; their answers say why\n"
    );
}

#[test]
fn nothing_in_nothing_out() {
    let folder = Folder::new("solve_empty");
    let run = folder.run_with(&["solve", "--jsonl", "-"], b"\n\n");
    assert_eq!(run.stderr, "");
    assert_eq!(run.ok(), "");
}

/// The first Ctrl-C ends a long search, which then says what is known.
#[cfg(unix)]
#[test]
fn ctrl_c_stops_cleanly() {
    use std::process::{Command, Stdio};
    use std::thread;
    use std::time::{Duration, Instant};

    let folder = Folder::new("solve_ctrl_c");
    // Fewest turns, proved minimal, in an opening: hours.
    let position = "J10 K9 J9 I7 I9 M8 K13 H11 L11";
    let arguments = ["solve", "--shortest", "--seconds", "600", position];
    let start = Instant::now();
    let child = folder
        .command(&arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    thread::sleep(Duration::from_millis(1500));
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status();
    assert!(sent.expect("kill runs").success());
    let output = child.wait_with_output().expect("the binary ends");
    assert!(start.elapsed() < Duration::from_secs(60));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let talk = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(0), "{talk}");
    assert!(
        text.contains("\nWhite: unknown: stopped with Ctrl-C\n"),
        "{text}"
    );
    assert!(text.contains("\nSearched "), "{text}");
    assert_eq!(talk, "\ntengen: stopping; Ctrl-C again aborts\n");
}

/// Ctrl-C works while stdin says nothing, and what was answered stays answered.
#[cfg(unix)]
#[test]
fn ctrl_c_while_waiting_for_questions() {
    use std::io::{BufRead as _, BufReader, Read as _, Write as _};
    use std::process::{Command, Stdio};

    let folder = Folder::new("solve_jsonl_ctrl_c");
    let mut child = folder
        .command(&["solve", "--jsonl", "-", "--order", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let first = SUITE.lines().next().expect("a line");
    writeln!(stdin, "{first}").expect("it reads");
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut answer = String::new();
    // Answers are not held back until the end of the input.
    stdout.read_line(&mut answer).expect("a line");
    assert!(answer.contains("\"win\""), "{answer}");
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status();
    assert!(sent.expect("kill runs").success());
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).expect("the end");
    let output = child.wait_with_output().expect("the binary ends");
    drop(stdin);
    assert_eq!((rest.as_str(), output.status.code()), ("", Some(130)));
    let talk = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(
        talk.ends_with("\ntengen: stopped with Ctrl-C after 1 positions\n"),
        "{talk}"
    );
}
