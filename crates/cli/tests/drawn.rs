//! `tengen drawn` and `tengen check` on certificates of draws.

mod common;

use common::Folder;

const CROSS: &str = "cells 0,0 1,0 2,0 1,1 1,2\nline 0,0 1,0 2,0\nline 1,0 1,1 1,2\n";

#[test]
fn theorem_1_from_the_command_to_the_verdict() {
    let folder = Folder::new("drawn_prove");
    let text = folder.run(&["drawn", "prove", "11", "2"]).ok();
    assert!(
        text.starts_with("Connect(11,2) is drawn: VERIFIED\n"),
        "{text}"
    );
    let certificate = folder.read("connect-11-2.draw");
    assert!(certificate.len() < 20_000);
    let checked = folder.run(&["check", "connect-11-2.draw"]).ok();
    let words =
        "VERIFIED connect-11-2.draw: Connect(11,2) is drawn on every board and for every q <= 2, ";
    assert!(checked.starts_with(words), "{checked}");
    // A smaller claim, a cut file and a position that it is not about.
    folder.write("ten.draw", certificate.replace("claim 11 2", "claim 10 2"));
    folder.write("cut.draw", &certificate[..certificate.len() / 2]);
    for file in ["ten.draw", "cut.draw"] {
        let run = folder.run(&["check", file]);
        assert_eq!(run.code, Some(1), "{}", run.stdout);
        assert!(run.stdout.starts_with("REJECTED "), "{}", run.stdout);
    }
    let run = folder.run(&["check", "--seconds", "0.000000001", "connect-11-2.draw"]);
    assert_eq!(run.code, Some(2), "{}", run.stdout);
    assert!(run.stdout.starts_with("UNDECIDED "), "{}", run.stdout);
    let message = folder
        .run(&["check", "connect-11-2.draw", "--position", "J10"])
        .refused();
    assert!(message.contains("it is about no position"), "{message}");
    let json = folder.run(&["check", "--json", "connect-11-2.draw"]).ok();
    let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(value["verdict"], "VERIFIED");
    assert_eq!(value["draw"]["line"], 11);
}

#[test]
fn boards_are_solved_and_bad_ones_refused() {
    let folder = Folder::new("drawn_solve");
    folder.write("cross.txt", CROSS);
    let solve = |arguments: &[&str]| {
        folder
            .run(&[&["drawn", "solve", "cross.txt"][..], arguments].concat())
            .ok()
    };
    assert!(solve(&[]).starts_with("MBBoard(B,1) is drawn"));
    assert!(solve(&["--per-turn", "2"]).starts_with("MBBoard(B,2) is won by Black"));
    assert!(solve(&["--exclusive", "1"]).starts_with("MBBoardX(B,1) is drawn"));
    assert!(solve(&["--exclusive", "0"]).starts_with("MBBoardX(B,0) is won by Black"));
    folder.write("bad.txt", CROSS.replace("1,2\nline", "1,2\nlines"));
    let message = folder.run(&["drawn", "solve", "bad.txt"]).refused();
    assert!(
        message.contains("line 2: `lines` where `line` was expected"),
        "{message}"
    );
    folder.write("far.txt", CROSS.replace("line 0,0", "line 9,9"));
    let message = folder.run(&["drawn", "solve", "far.txt"]).refused();
    assert!(
        message.contains("the cell 9,9, which is not on the board"),
        "{message}"
    );
}

#[test]
fn tables_say_how_well_each_line_is_founded() {
    let folder = Folder::new("drawn_table");
    let table = folder.run(&["drawn", "table", "--to", "6"]).ok();
    let row = |p: &str| {
        let start = format!("| {p:>4} |");
        table
            .lines()
            .find(|line| line.starts_with(&start))
            .expect("a row")
            .to_owned()
    };
    assert!(row("2").contains("|   11 | proved   |"), "{table}");
    assert!(row("3").contains("|   16 | proved   |"), "{table}");
    assert!(
        row("5").contains("|   26 | quoted   |") && row("5").contains("N(9,5) by 11"),
        "{table}"
    );
    let lines = folder
        .run(&["drawn", "table", "--to", "1000", "--json"])
        .ok();
    assert_eq!(lines.lines().count(), 1000);
    let family = folder
        .run(&["drawn", "family", "--game", "16", "3", "2"])
        .ok();
    assert!(family.contains("| drawn      | proved   |"), "{family}");
    let family = folder
        .run(&["drawn", "family", "--game", "6", "2", "1"])
        .ok();
    assert!(family.contains("| unknown    | open     |"), "{family}");
    // Other certificates count when they are verified.
    folder.write("no.draw", "tengen-draw 1\nclaim 10 2\n");
    let message = folder.run(&["drawn", "table", "no.draw"]).refused();
    assert!(
        message.contains("`no.draw` proves no draw: REJECTED"),
        "{message}"
    );
    folder.run(&["drawn", "prove", "8", "1"]).ok();
    let with = folder
        .run(&["drawn", "table", "--to", "6", "connect-8-1.draw"])
        .ok();
    assert_eq!(with, table);
    let message = folder.run(&["drawn", "prove", "10", "2"]).refused();
    assert!(
        message.contains("no tiling is known for Connect(10,2)"),
        "{message}"
    );
}

#[test]
fn eight_in_a_row_is_found_from_nothing_and_excluded_frames_are_kept() {
    let folder = Folder::new("drawn_search");
    let search = [
        "drawn",
        "search",
        "8",
        "1",
        "--cells",
        "12",
        "--state",
        "state.txt",
    ];
    let text = folder.run(&search).ok();
    assert!(text.contains("Connect(8,1) is drawn: VERIFIED"), "{text}");
    assert!(text.contains("excluded: lattice 4,0 1,3"), "{text}");
    let check = folder.run(&["check", "connect-8-1.draw"]).ok();
    assert!(check.starts_with("VERIFIED "), "{check}");
    // What was excluded is not tried again.
    let again = folder.run(&search).ok();
    assert!(
        again.contains("VERIFIED") && !again.contains("excluded:"),
        "{again}"
    );
    let small = folder
        .run(&["drawn", "search", "7", "1", "--cells", "6"])
        .ok();
    assert!(small.contains("No tile found: "), "{small}");
}

#[test]
fn fifteen_in_a_row_with_three_stones_a_turn_is_drawn() {
    let folder = Folder::new("drawn_fifteen");
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../suites/drawn/connect-15-3.draw.gz"
    );
    let checked = folder.run(&["check", file]).ok();
    assert!(checked.starts_with("VERIFIED "), "{checked}");
    assert!(checked.contains("Connect(15,3) is drawn"), "{checked}");
    // Half of it is nothing.
    let packed = std::fs::read(file).expect("it is there");
    folder.write("half.draw.gz", &packed[..packed.len() / 2]);
    let run = folder.run(&["check", "half.draw.gz"]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.stdout
            .contains("REJECTED half.draw.gz: it cannot be unpacked"),
        "{}",
        run.stdout
    );
}

#[test]
fn pictures_are_drawn() {
    let folder = Folder::new("drawn_picture");
    folder
        .run(&["drawn", "picture", "16", "3", "tiling.svg"])
        .ok();
    folder
        .run(&["drawn", "picture", "16", "3", "board.svg", "--board"])
        .ok();
    assert!(folder.read("tiling.svg").starts_with("<svg "));
    // 48 cells, and a stroke for each of 18 lines beside the borders.
    let board = folder.read("board.svg");
    assert_eq!(board.matches("stroke=\"#b3261e\"").count(), 18);
    assert_eq!(board.matches("<rect ").count(), 1 + 48);
    folder
        .run(&["drawn", "picture", "11", "2", "answers.svg", "--strategy"])
        .ok();
    // Every cell of B_2 is on a line, and each first stone is answered by one.
    let answers = folder.read("answers.svg");
    assert_eq!(answers.matches("class=\"answer\"").count(), 24);
}
