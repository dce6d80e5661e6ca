//! `tengen gomoku`: small positions solved, checked, played against, killed and resumed.

mod common;

use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use common::Folder;
use serde_json::Value;
use tengen_prover::pn::Database;
use tengen_rules::{Cell, Outcome, Position, Side};

/// Four stones; solved in a moment.
const FOUR: &[&str] = &["H8", "L10", "I9", "G7"];

/// Two stones; not solved in a moment.
const TWO: &[&str] = &["H8", "A1"];

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

fn position(moves: &[&str]) -> Position {
    let cells: Vec<Cell> = moves
        .iter()
        .map(|cell| cell.parse().expect("a cell"))
        .collect();
    Position::replay("gomoku".parse().expect("rules"), &cells).expect("legal")
}

#[test]
fn a_position_is_solved_checked_and_played() {
    let folder = Folder::new("gomoku_solve");
    let solve = [&["gomoku", "solve"], FOUR, &["--out", "four.db"]].concat();
    let run = folder.run(&solve);
    assert_eq!(run.stderr, "");
    let said = run.ok();
    assert!(said.contains("\nBlack wins: "), "{said}");
    assert!(
        said.contains("\nVERIFIED by the checker: four.db\n"),
        "{said}"
    );
    assert!(said.contains("\n| 4   |         1 |\n"), "{said}");
    let verdict = folder.run(&["check", "four.db", "--json"]).ok();
    let verdict = json(&verdict);
    assert_eq!(verdict["verdict"], "VERIFIED");

    // What it took is beside it, and the same positions are counted by the checker.
    let counts = json(&folder.read("four.db.json"));
    assert_eq!(counts["result"], "win");
    assert_eq!(counts["runs"], 1);
    assert_eq!(counts["complete"], true);
    assert!(counts["expansions"].as_u64() > Some(0));
    assert_eq!(counts["plies"], verdict["plies"]);
    assert_eq!(counts["records"], verdict["records"]);
    let shown = json(&folder.run(&["gomoku", "show", "four.db", "--json"]).ok());
    assert_eq!(shown["plies"], verdict["plies"]);
    let shown = folder.run(&["gomoku", "show", "four.db", "--ascii"]).ok();
    assert!(
        shown.contains("Black to play wins, as the file says"),
        "{shown}"
    );

    // It is not solved again, nor is anything else written over it.
    let again = folder.run(&solve).ok();
    assert!(again.contains("\nSolved already: four.db"), "{again}");
    let other = folder.run(&["gomoku", "solve", "H8", "I9", "--out", "four.db"]);
    assert!(
        other
            .refused()
            .starts_with("`four.db` proves another position")
    );
    let standard = [&solve[..], &["--rules", "gomoku-standard"]].concat();
    assert!(
        folder
            .run(&standard)
            .refused()
            .starts_with("`four.db` proves another position")
    );

    whoever_plays_white_loses(&folder);
    reproduced(&folder);
}

fn whoever_plays_white_loses(folder: &Folder) {
    let bytes = fs::read(folder.path("four.db")).expect("written");
    let database = Database::read(bytes).expect("a database");
    let mut random = fastrand::Rng::with_seed(7);
    let mut lines = Vec::new();
    for _ in 0..60 {
        let mut game = position(FOUR);
        let mut white = Vec::new();
        while game.outcome().is_none() {
            let moves: Vec<(usize, usize)> = game
                .history()
                .filter_map(|(_, cell)| cell)
                .map(|cell| (cell.x as usize, cell.y as usize))
                .collect();
            let play = database.play_game(&moves).expect("Black has an answer");
            let (x, y) = play.cell();
            game.place(Cell::new(x as i16, y as i16)).expect("legal");
            if game.outcome().is_some() {
                break;
            }
            // Near the stones, or anywhere.
            let near = |cell: Cell| {
                let mut stones = game.stones();
                stones.any(|stone| {
                    (stone.cell.x - cell.x).abs() <= 1 && (stone.cell.y - cell.y).abs() <= 1
                })
            };
            let anywhere = random.u8(0..8) == 0;
            let free: Vec<Cell> = (0..15)
                .flat_map(|x| (0..15).map(move |y| Cell::new(x, y)))
                .filter(|&cell| game.stone(cell).is_none() && (anywhere || near(cell)))
                .collect();
            let cell = free[random.usize(..free.len())];
            game.place(cell).expect("legal");
            white.push(cell.to_string());
        }
        assert!(
            matches!(
                game.outcome(),
                Some(Outcome::Win {
                    side: Side::Black,
                    ..
                })
            ),
            "{white:?}"
        );
        lines.push(white);
    }
    // The same games on the command line.
    for white in lines.iter().take(4) {
        let typed = white.join("\n") + "\n";
        let play = [&["gomoku", "play", "four.db"], FOUR, &["--ascii"]].concat();
        let said = folder.run_with(&play, typed.as_bytes()).ok();
        assert!(said.contains("Black has won in turn "), "{said}");
    }
    // In the orientation of the file; moves that cannot be played are explained; one may take back.
    let typed = b"Z99\nundo\nA15\nundo\nquit\n";
    let said = folder.run_with(&["gomoku", "play", "four.db"], typed).ok();
    assert!(said.contains("Z99 is off the board"), "{said}");
    assert!(
        said.contains("There is no move of White to take back"),
        "{said}"
    );
    assert!(said.ends_with("White? quit\n"), "{said}");
    // Black must have played by the proof.
    let elsewhere = [&["gomoku", "play", "four.db"], FOUR, &["A1", "A2"]].concat();
    let run = folder.run(&elsewhere);
    assert_eq!(run.code, Some(2));
    assert!(
        run.stderr
            .contains("the proof does not say what Black plays"),
        "{}",
        run.stderr
    );
    let few = folder.run(&["gomoku", "play", "four.db", "H8", "L10"]);
    assert_eq!(
        few.refused(),
        "the database is about a position of 4 stones, the moves are 2"
    );
}

fn reproduced(folder: &Folder) {
    let said = folder
        .run(&["reproduce", "gomoku", "--quick", "--database", "four.db"])
        .ok();
    assert!(
        said.contains("\nVERIFIED by the checker: Black wins\n"),
        "{said}"
    );
    assert!(said.contains("138,790"), "{said}");
    assert!(said.contains("they cannot be compared"), "{said}");
    assert!(!said.contains("not kept"), "{said}");
    two_ways(&said);
    fs::remove_file(folder.path("four.db.json")).expect("removed");
    let said = folder
        .run(&["reproduce", "gomoku", "--quick", "--database", "four.db"])
        .ok();
    assert!(said.contains("not kept"), "{said}");
    let wrong = folder.run(&["reproduce", "mnk", "--database", "four.db"]);
    assert!(wrong.refused().starts_with("--database is about gomoku"));
}

/// Both searches have a row for each limit, on 20 positions of games and 20 of the proof, and find wins.
fn two_ways(said: &str) {
    for set in ["20 positions of games", "20 positions of the proof"] {
        let rows = said.split_once(set).expect(set).1.lines().skip(4);
        let rows: Vec<Vec<&str>> = rows
            .take(6)
            .map(|row| row.split('|').map(str::trim).collect())
            .collect();
        for (row, search) in rows.iter().zip(["tree search", "db-search"].iter().cycle()) {
            assert_eq!(row[1], *search, "{said}");
        }
        let [tree, db] = [&rows[4], &rows[5]].map(|row| row[3].parse::<u32>().expect("a number"));
        assert!(
            (10..=20).contains(&tree) && (5..=20).contains(&db),
            "{said}"
        );
    }
}

#[test]
fn whoever_is_killed_goes_on() {
    let folder = Folder::new("gomoku_killed");
    let arguments = |stones: &[&'static str], out: &'static str| {
        [&["gomoku", "solve"], stones, &["--out", out]].concat()
    };
    let start = |arguments: &[&str]| {
        let mut command = folder.command(arguments);
        let quiet = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        quiet.spawn().expect("the binary starts")
    };
    // Wherever it is when it is killed, the next run ends solved.
    for milliseconds in [0, 20, 100, 400] {
        let mut child = start(&arguments(FOUR, "four.db"));
        thread::sleep(Duration::from_millis(milliseconds));
        child.kill().expect("killed");
        child.wait().expect("ended");
    }
    folder.run(&arguments(FOUR, "four.db")).ok();
    let verdict = folder.run(&["check", "four.db"]).ok();
    assert!(
        verdict.starts_with("VERIFIED four.db: Black wins"),
        "{verdict}"
    );

    // A longer search goes on from the same records, and is killed in the middle.
    let journal = folder.path("two.db.journal");
    fs::copy(folder.path("four.db.journal"), &journal).expect("copied");
    let size = || fs::metadata(&journal).map_or(0, |data| data.len());
    let whole = size();
    let two = arguments(TWO, "two.db");
    let mut child = start(&two);
    let limited = [&two[..], &["--seconds", "0.001", "--json"]].concat();
    let begun = Instant::now();
    loop {
        // Nobody else may work on it meanwhile.
        let second = folder.run(&limited);
        if second.code == Some(2) {
            let message = second.refused();
            assert!(
                message.contains("another process is working on it"),
                "{message}"
            );
            break;
        }
        // This one may have come first, and then the other has refused to work.
        if child.try_wait().expect("a child").is_some() {
            child = start(&two);
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "it never began");
    }
    child.kill().expect("killed");
    child.wait().expect("ended");
    assert!(!folder.path("two.db").exists());
    // On a busy machine it may have kept something before it was killed.
    let killed = size();
    // As if it had been killed while it wrote.
    let mut bytes = fs::read(&journal).expect("a journal");
    bytes.extend_from_slice(&[200, 0, 0, 0, 1, 2, 3, 4, 5]);
    fs::write(&journal, bytes).expect("written");
    let so_far = json(&folder.run(&limited).ok());
    assert_eq!(so_far["result"], "unknown");
    assert_eq!(so_far["reason"], "the limit of 0.001 s was reached");
    assert_eq!(so_far["complete"], false);
    assert!(so_far["records"].as_u64() > Some(0));
    assert!(
        (whole..=killed).contains(&size()),
        "nothing is lost, and nothing is half there: {whole} <= {} <= {killed}",
        size()
    );
    let limited = [&two[..], &["--seconds", "0.001"]].concat();
    let said = folder.run(&limited).ok();
    assert!(
        said.contains("the same command goes on from there"),
        "{said}"
    );

    // The records are as good as before: with them the four stones are solved without any work.
    fs::rename(&journal, folder.path("again.db.journal")).expect("moved");
    let again = [&arguments(FOUR, "again.db")[..], &["--json"]].concat();
    let again = json(&folder.run(&again).ok());
    assert_eq!(again["result"], "win");
    assert_eq!(again["check"], "VERIFIED");
    assert_eq!(again["expansions"], 0);
    assert_eq!(
        fs::read(folder.path("again.db")).expect("written"),
        fs::read(folder.path("four.db")).expect("written")
    );
}

#[test]
fn a_second_move_is_answered_from_nothing() {
    let folder = Folder::new("gomoku_nothing");
    for rules in ["gomoku", "gomoku-standard"] {
        let name = format!("{rules}.db");
        let solve = [
            "gomoku", "solve", "H8", "C3", "--rules", rules, "--out", &name, "--json",
        ];
        let solved = json(&folder.run(&solve).ok());
        assert_eq!(solved["result"], "win");
        assert_eq!(solved["check"], "VERIFIED");
        assert!(solved["expansions"].as_u64() > Some(0), "{solved}");
        let verdict = json(&folder.run(&["check", &name, "--json"]).ok());
        assert_eq!(verdict["verdict"], "VERIFIED");
        assert!(verdict["records"].as_u64() > Some(200), "{verdict}");
    }
}

#[test]
fn hard_second_moves_are_verified() {
    let folder = Folder::new("gomoku_second");
    let suite = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../suites/gomoku/free-style.journal.zst"
    );
    let records = fs::read(suite).expect("the suite");
    let records = zstd::decode_all(&records[..]).expect("packed records");
    // G6 was the last that fell of those in the suite. What is known leaves nothing to be searched, and the proof is written and checked.
    for second in ["G6", "H6"] {
        fs::write(folder.path("two.db.journal"), &records).expect("written");
        let solve = ["gomoku", "solve", "H8", second, "--out", "two.db", "--json"];
        let solved = json(&folder.run(&solve).ok());
        assert_eq!(solved["result"], "win");
        assert_eq!(solved["check"], "VERIFIED");
        assert_eq!(solved["expansions"], 0);
        let verdict = json(&folder.run(&["check", "two.db", "--json"]).ok());
        assert_eq!(verdict["verdict"], "VERIFIED");
        assert!(verdict["records"].as_u64() > Some(400), "{verdict}");
        fs::remove_file(folder.path("two.db")).expect("there");
        fs::remove_file(folder.path("two.db.json")).expect("there");
    }
}

#[test]
fn the_proofs_of_the_whole_game_stand_a_sample() {
    let folder = Folder::new("gomoku_whole");
    for (name, rules) in [
        ("free-style", "15,15,5,1,1"),
        ("standard", "15,15,5,1,1,exact"),
    ] {
        let suites = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suites/gomoku");
        let proof = &format!("{suites}/{name}.gomoku.zst");
        // All of it takes a minute: `tengen check suites/gomoku/*.gomoku.zst`.
        let check = ["check", proof, "--sample", "300", "--seed", "7", "--json"];
        let verdict = json(&folder.run(&check).ok());
        assert_eq!(verdict["verdict"], "VERIFIED sample");
        assert_eq!(verdict["rules"], rules);
        assert_eq!(verdict["position"], "to-move:B");
        assert!(verdict["checked"].as_u64() >= Some(300), "{verdict}");
        // One for each second move up to symmetry.
        assert_eq!(verdict["plies"][2], 35);
        // Whatever White does, Black has an answer.
        for second in ["H7", "G7", "A1"] {
            let play = ["gomoku", "play", proof, "H8", second];
            let said = folder.run_with(&play, b"quit\n").ok();
            assert!(said.contains("Black: "), "{said}");
        }
    }
}

#[test]
fn what_cannot_be_solved_is_refused() {
    let folder = Folder::new("gomoku_bad");
    let refused = |arguments: &[&str]| {
        folder
            .run(&[&["gomoku", "solve"], arguments].concat())
            .refused()
    };
    let black =
        "Black is to move in a position to be solved, with as many black stones as white ones";
    assert_eq!(refused(&["H8"]), black);
    assert_eq!(refused(&["B:H8,I9 W: to-move:B"]), black);
    for rules in ["connect6", "tic-tac-toe", "19,19,5,1,1", "15,15,5,2,1"] {
        let message = refused(&["--rules", rules]);
        assert!(message.contains("on boards from 5x5 to 15x15"), "{message}");
    }
    assert_eq!(
        refused(&["H8", "A1", "H9", "A2", "H10", "A3", "H11", "A4", "H12"]),
        "the game is over"
    );
    assert!(refused(&["--out", "no/where.db"]).contains("there is no such folder"));
    assert!(refused(&["--out", "-"]).starts_with("--out needs the name of a file"));
    assert_eq!(
        refused(&["--memory", "1K"]),
        "--memory: 1K is too little, expected at least 64M"
    );
    assert!(refused(&["--memory", "much"]).starts_with("--memory: `much` is no number of bytes"));

    // Files that are something else stay as they are.
    folder.write("text.db", "hello");
    assert!(refused(&["--out", "text.db"]).contains("this is not a proof of Go-Moku"));
    folder.write("other.db.journal", "hello");
    let other = refused(&["--out", "other.db", "--seconds", "1"]);
    assert!(
        other.contains("it is no journal of this game and board"),
        "{other}"
    );
    assert_eq!(folder.read("text.db"), "hello");
    assert_eq!(folder.read("other.db.journal"), "hello");
    for command in ["play", "show"] {
        let run = folder.run(&["gomoku", command, "text.db"]);
        assert_eq!(
            run.refused(),
            "cannot read `text.db`: this is not a proof of Go-Moku: it does not begin with TENGENGM, version 1"
        );
        let run = folder.run(&["gomoku", command, "missing.db"]);
        assert_eq!(
            run.refused(),
            "cannot read `missing.db`: there is no such file"
        );
    }
    let mut bytes = b"TENGENGM\x01\x0f\x0f\x00\x00".to_vec();
    bytes.extend([5, 0, 0, 0, 9, 9]);
    folder.write("cut.db", bytes);
    let cut = folder.run(&["gomoku", "show", "cut.db"]).refused();
    assert_eq!(cut, "cannot read `cut.db`: record 0 is damaged");
}

#[test]
fn the_whole_game_is_begun() {
    let folder = Folder::new("gomoku_whole");
    let arguments = [
        "gomoku",
        "solve",
        "--seconds",
        "2",
        "--json",
        "--threads",
        "2",
    ];
    let said = json(&folder.run(&arguments).ok());
    assert_eq!(said["result"], "unknown");
    assert_eq!(said["position"], "to-move:B");
    let second_moves = &said["second_moves"];
    let number = |name: &str| second_moves[name].as_u64().expect("a number");
    assert_eq!(number("answered") + number("open"), 35);
    let again = folder.run(&["gomoku", "solve", "--seconds", "1"]).ok();
    assert!(
        again.contains("\nNot solved: the limit of 1 s was reached\n"),
        "{again}"
    );
    assert!(again.contains(" of White's 35 second moves"), "{again}");
    assert!(again.contains(" in 2 runs: "), "{again}");
}
