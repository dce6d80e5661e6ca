//! `tengen match` and `tengen tournament` through the binary: our engines, other people's engines played by
//! small scripts, files, resume and refusals.

mod common;

use std::fs;

use common::Folder;

/// A match that ends soon.
const QUICK: [&str; 6] = ["--nodes", "50", "--games", "4", "--concurrency", "2"];

fn with<'a>(start: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    start.iter().chain(more).copied().collect()
}

/// Games without what differs from run to run.
fn games(folder: &Folder, file: &str) -> Vec<serde_json::Value> {
    let text = folder.read(file);
    let mut games: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    for game in &mut games {
        for turn in game["log"].as_array_mut().expect("a log") {
            turn.as_object_mut().expect("a turn").remove("seconds");
        }
    }
    games.sort_by_key(|game| game["game"].as_u64());
    games
}

#[test]
fn a_match_of_our_own_engines() {
    let folder = Folder::new("match_own");
    let start = ["match", "alphabeta@name=one", "alphabeta@name=two"];
    let text = folder
        .run(&with(&start, &with(&QUICK, &["--out", "a"])))
        .ok();
    assert!(
        text.starts_with("one - two: connect6, 50 nodes, 4 games, "),
        "{text}"
    );
    let told = text
        .lines()
        .filter(|line| line.starts_with("game "))
        .count();
    assert_eq!(told, 4, "{text}");
    for part in [
        "one against two, 4 games:",
        "  score     ",
        "  Elo       ",
        "  pairs     ",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let first = games(&folder, "a/games.jsonl");
    assert_eq!(first.len(), 4);
    assert_eq!(
        (&first[0]["black"], &first[1]["black"]),
        (&"one".into(), &"two".into())
    );
    // Each game can be replayed.
    for game in 1..=4 {
        let file = format!("a/{game:04}.sgf");
        assert!(folder.read(&file).contains("PB["));
        folder.run(&["show", "--file", &file]).ok();
    }
    // The same again, one game at a time.
    let again = with(
        &start,
        &[
            "--nodes",
            "50",
            "--games",
            "4",
            "--concurrency",
            "1",
            "--out",
            "b",
        ],
    );
    folder.run(&again).ok();
    assert_eq!(games(&folder, "b/games.jsonl"), first);
}

#[test]
fn a_match_goes_on_where_it_stopped() {
    let folder = Folder::new("match_resume");
    let run = |more: &[&str]| {
        let start = [
            "match",
            "alphabeta",
            "alphabeta",
            "--out",
            "m",
            "--nodes",
            "50",
        ];
        folder.run(&with(&start, more))
    };
    run(&["--games", "2"]).ok();
    let two = folder.read("m/games.jsonl");
    // A game that was being written when the machine went down.
    fs::write(
        folder.path("m/games.jsonl"),
        format!("{two}{{\"game\":3,\"op"),
    )
    .expect("a file");
    let text = run(&["--games", "4"]).ok();
    assert!(text.contains("2 of them are there already"), "{text}");
    assert_eq!(
        text.lines()
            .filter(|line| line.starts_with("game "))
            .count(),
        2
    );
    let four = folder.read("m/games.jsonl");
    assert!(four.starts_with(&two) && four.lines().count() == 4);
    let text = run(&["--games", "4"]).ok();
    assert!(!text.contains("\ngame "), "nothing is missing: {text}");
    assert_eq!(folder.read("m/games.jsonl"), four);
    let run = run(&["--games", "4", "--seed", "9", "--margin", "5"]);
    assert_eq!(
        run.refused(),
        "`m` holds a match with other settings: margin was `generous`, is 5; seed was 1, is 9\n\n\
         hint: give the same settings to go on with it, or another --out"
    );
    fs::write(folder.path("m/games.jsonl"), "nonsense\n").expect("a file");
    let broken = folder
        .run(&[
            "match",
            "alphabeta",
            "alphabeta",
            "--out",
            "m",
            "--nodes",
            "50",
        ])
        .refused();
    assert!(
        broken.starts_with("cannot read `m/games.jsonl`: line 1: "),
        "{broken}"
    );
}

#[test]
fn mistakes_are_explained() {
    let folder = Folder::new("match_mistakes");
    folder.write("partial.txt", "J10 I8 H9\nJ10 I8\n");
    folder.write("one.txt", "J10\n");
    let refused = |arguments: &[&str]| folder.run(&with(&["match"], arguments)).refused();
    for (arguments, message) in [
        (
            &["alphabeta", "alphabeta", "--games", "3"][..],
            "--games 3: every opening is played from both sides, expected an even number",
        ),
        (
            &["alphabeta", "alphabeta", "--openings", "none.txt"],
            "cannot read `none.txt`: there is no such file",
        ),
        (
            &["alphabeta", "alphabeta", "--openings", "partial.txt"],
            "cannot read `partial.txt`: opening 2 ends within a turn: 1 more stones needed\n\n\
             hint: one opening a line, stones in play order: J10 I8 H9 K11 L10",
        ),
        (
            &["alphabeta", "alphabeta", "--sprt", "5,0"],
            "--sprt: the second Elo difference must be larger than the first, found `5,0`",
        ),
        (
            &["alphabeta", "alphabeta", "--seconds", "0"],
            "--seconds: expected a number of seconds above 0, found `0`",
        ),
        (
            &["alphabeta", "gomocup:./x"],
            "gomocup:./x: the protocol gomocup cannot play this: its turns have one stone",
        ),
        (
            &["alphabeta", "sau:./x", "--openings", "one.txt"],
            "sau:./x: the protocol sau cannot play this: its games begin with the empty board, the line \
             `-` of an openings file",
        ),
        (
            &["alphabeta", "uci:./x"],
            "<B>: there is no protocol `uci`; known are gomocup, sau, cloudict, simple",
        ),
    ] {
        assert_eq!(refused(arguments), message);
    }
    assert!(
        refused(&["alpha", "alphabeta"]).starts_with("<A>: there is no engine `alpha`; known are")
    );
    let gone = refused(&["alphabeta", "simple:./no-such-engine"]);
    assert!(
        gone.starts_with("simple:./no-such-engine: cannot start `./no-such-engine`: "),
        "{gone}"
    );
    let alone = folder.run(&["tournament", "alphabeta"]).refused();
    assert_eq!(alone, "a tournament needs at least two engines");
}

#[cfg(unix)]
mod external {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    /// Plays rows 1, 2, 3... of two columns, in the protocol `simple`.
    const COLUMNS: &str = r#"#!/bin/sh
n=0
while read -r word rest; do
  case "$word" in
    go) n=$((n + 1))
      row=$(echo ABCDEFGHIJKLMNOPQRS | cut -c $n)
      echo "thinking about turn $n"
      echo "move $1$row$2$row" ;;
    quit) exit 0 ;;
  esac
done
"#;

    /// Does one thing wrong when asked for a turn.
    const BROKEN: &str = r#"#!/bin/sh
while read -r word rest; do
  case "$word" in
    go) case "$1" in
        crash) exit 3 ;;
        illegal) echo "move JJJK" ;;
        garbage) echo "move 5%" ;;
        error) echo "error I give up" ;;
        hang) sleep 10 ;;
        deaf) exec sleep 10 ;;
        chat) while :; do echo "still thinking" || exit; done ;;
        close) exec >&-; sleep 10 ;;
        long) head -c 300000 /dev/zero; echo; sleep 10 ;;
      esac ;;
    quit) exit 0 ;;
  esac
done
"#;

    fn folder(name: &str) -> Folder {
        let folder = Folder::new(name);
        for (file, text) in [
            ("columns", COLUMNS),
            ("broken", BROKEN),
            ("gomoku", GOMOKU),
            ("sau", SAU),
        ] {
            folder.write(file, text);
            let mode = fs::Permissions::from_mode(0o755);
            fs::set_permissions(folder.path(file), mode).expect("permissions");
        }
        folder
    }

    #[test]
    fn two_commands_play() {
        let folder = folder("match_external");
        folder.write("o.txt", "J10 I8 H9 K11 L10\n");
        let text = folder
            .run(&[
                "match",
                "simple:./columns A C@name=left",
                "simple:./columns Q S@name=right",
                "--openings",
                "o.txt",
                "--games",
                "2",
                "--out",
                "m",
            ])
            .ok();
        let games = games(&folder, "m/games.jsonl");
        assert_eq!(games.len(), 2, "{text}");
        for game in games {
            assert_eq!(
                game["result"], "white",
                "White moves first after the opening: {text}"
            );
            assert_eq!(game["reason"], "line");
            assert_eq!(game["turns"], 3 + 11);
        }
        assert!(text.contains("1 wins, 0 draws, 1 losses"), "{text}");
    }

    #[test]
    fn offenders_lose_and_the_match_goes_on() {
        let folder = folder("match_broken");
        folder.write("o.txt", "J10 I8 H9 K11 L10\n");
        for (fault, reason, detail) in [
            ("crash", "crash", "it ended with exit status: 3"),
            (
                "illegal",
                "illegal",
                "J10 J11: J10 is already occupied by Black",
            ),
            ("garbage", "garbage", "`5%` is no turn"),
            ("error", "garbage", "it says `error I give up`"),
            ("hang", "silent", "no answer after"),
            ("deaf", "silent", "no answer after"),
            ("chat", "silent", "no answer after"),
            ("close", "crash", "it closed its output"),
            ("long", "silent", "no answer after"),
        ] {
            let engine = format!("simple:./broken {fault}");
            // Only who does not answer is short of time, however busy the machine is.
            let seconds = if reason == "silent" { "0.3" } else { "60" };
            let run = folder.run(&[
                "match",
                "alphabeta@nodes=1",
                &engine,
                "--openings",
                "o.txt",
                "--games",
                "2",
                "--seconds",
                seconds,
                "--margin",
                "0",
                "--out",
                fault,
            ]);
            let text = run.ok();
            for game in games(&folder, &format!("{fault}/games.jsonl")) {
                assert_eq!(game["reason"], reason, "{text}");
                let winner = if game["black"] == "broken" {
                    "white"
                } else {
                    "black"
                };
                assert_eq!(game["result"], winner, "{text}");
                let found = game["detail"].as_str().expect("a text");
                assert!(found.contains(detail), "{found}");
            }
            assert!(text.contains("2 wins, 0 draws, 0 losses"), "{text}");
        }
    }

    #[test]
    fn a_sequential_test_stops_early() {
        let folder = folder("match_sprt");
        folder.write("o.txt", "J10 I8 H9 K11 L10\n");
        let text = folder
            .run(&[
                "match",
                "simple:./columns A C@name=left",
                "simple:./columns Q S@name=right",
                "--openings",
                "o.txt",
                "--games",
                "100000",
                "--seconds",
                "20",
                "--sprt",
                "-150,0",
                "--concurrency",
                "2",
            ])
            .ok();
        // White always wins: every pair is even.
        assert!(text.contains("pairs: Elo 0 accepted"), "{text}");
        assert!(text.contains("  50.0 %  ["), "{text}");
        assert!(text.lines().count() < 200, "{}", text.lines().count());
    }

    /// Answers BEGIN, TURN and BOARD with the rows of one column, from the top.
    const GOMOKU: &str = r#"#!/bin/sh
y=0
answer() { echo "MESSAGE row $y"; printf '%s,%s\r\n' "$1" "$y"; y=$((y + 1)); }
while read -r word rest; do
  case "$word" in
    START) echo OK ;;
    INFO) : ;;
    BEGIN|TURN|DONE) answer "$1" ;;
    BOARD) : ;;
    END) exit 0 ;;
  esac
done
"#;

    #[test]
    fn gomocup_engines_play() {
        let folder = folder("match_gomocup");
        folder.write("o.txt", "rules gomoku\nH8 I9\n-\n");
        let text = folder
            .run(&[
                "match",
                "gomocup:./gomoku 0@name=left",
                "gomocup:./gomoku 14@name=right",
                "--openings",
                "o.txt",
                "--out",
                "m",
            ])
            .ok();
        let games = games(&folder, "m/games.jsonl");
        assert_eq!(games.len(), 4, "{text}");
        for game in &games {
            assert_eq!(
                (&game["result"], &game["reason"]),
                (&"black".into(), &"line".into()),
                "{text}"
            );
        }
        assert!(
            games[2]["moves"]
                .as_str()
                .expect("a text")
                .starts_with("A15 O15 A14 O14")
        );
    }

    /// Speaks `sau`, and `cloudict` as far as they agree.
    const SAU: &str = r#"#!/bin/sh
n=0
answer() { n=$((n + 1)); row=$(echo ABCDEFGHIJKLMNOPQRS | cut -c $n); echo "move $1$row$2$row"; }
while read -r word rest; do
  case "$word" in
    name*) echo "name test" ;;
    new) if [ "$rest" = black ]; then echo "move JJ@@"; fi ;;
    next) answer "$1" "$2" ;;
    move) answer "$1" "$2" ;;
    quit) exit 0 ;;
  esac
done
"#;

    #[test]
    fn sau_and_cloudict_engines_play() {
        let folder = folder("match_sau");
        let text = folder
            .run(&[
                "match",
                "sau:./sau A C@name=s",
                "cloudict:./sau Q S@name=c",
                "--out",
                "m",
            ])
            .ok();
        let games = games(&folder, "m/games.jsonl");
        assert_eq!(games.len(), 2, "the empty board from both sides: {text}");
        for game in games {
            assert_eq!(
                (&game["result"], &game["reason"]),
                (&"white".into(), &"line".into()),
                "{text}"
            );
            assert!(game["moves"].as_str().expect("a text").starts_with("J10 "));
        }
    }

    #[test]
    fn a_round_robin() {
        let folder = folder("tournament");
        folder.write("o.txt", "J10 I8 H9 K11 L10\nJ10 I9 H9 K12 L10\n");
        let run = |more: &[&str]| {
            let start = [
                "tournament",
                "alphabeta@nodes=50,name=<ours>",
                "simple:./columns A C",
                "simple:./broken crash",
                "--openings",
                "o.txt",
                "--seconds",
                "20",
                "--out",
                "t",
            ];
            folder.run(&with(&start, more)).ok()
        };
        let text = run(&["--html", "t.html"]);
        assert!(text.contains("12 games, ended by "), "{text}");
        let rows: Vec<&str> = text
            .lines()
            .filter(|line| line.starts_with(['1', '2', '3']))
            .collect();
        assert!(rows[2].contains("broken"), "{text}");
        assert!(rows[2].contains("0/8"), "{text}");
        let page = folder.read("t.html");
        assert!(page.starts_with("<!DOCTYPE html>") && page.contains("&lt;ours&gt;"));
        assert!(
            !page.contains("<ours>") && !page.contains("http"),
            "self-contained"
        );
        assert_eq!(page.matches("<svg").count(), 3);
        let json: serde_json::Value = serde_json::from_str(&run(&["--json"])).expect("JSON");
        assert_eq!(json["games"], 12);
        assert_eq!(json["rows"][2]["name"], "broken");
        assert_eq!(json["rows"][2]["total"]["losses"], 8);
    }

    #[test]
    fn ctrl_c_keeps_what_is_finished() {
        let folder = folder("match_ctrl_c");
        folder.write("o.txt", "J10 I8 H9 K11 L10\n");
        let mut child = folder
            .command(&[
                "match",
                "simple:./columns A C",
                "simple:./broken hang",
                "--openings",
                "o.txt",
                "--games",
                "1000",
                "--seconds",
                "0.3",
                "--margin",
                "0",
                "--out",
                "m",
            ])
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let listed = || fs::read_to_string(folder.path("m/games.jsonl")).unwrap_or_default();
        while listed().lines().count() < 2 {
            std::thread::sleep(std::time::Duration::from_millis(20));
            assert!(child.try_wait().expect("a child").is_none(), "it ended");
        }
        let pid = child.id().to_string();
        let killed = std::process::Command::new("kill")
            .args(["-INT", &pid])
            .status();
        assert!(killed.expect("kill").success());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(130));
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(text.contains("columns against broken, "), "{text}");
        assert!(games(&folder, "m/games.jsonl").len() >= 2);
    }
}
