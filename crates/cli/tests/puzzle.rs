//! `tengen puzzle` from games to a booklet.

mod common;

use common::Folder;
use tengen_rules::notation::{self, Format};
use tengen_rules::{Action, Placement, Record, Rules, Side};

/// Black wins with L5 L6 in four turns; no other first turn wins by double threats.
const PUZZLE: &str = "B:G9,H8,H12,I7,I8,I14,L7,L8,M6 W:G7,H6,H7,H10,I6,J6,J8,J10,K9,N5 to-move:B";

/// A game that comes to the puzzle with White's last turn.
fn game() -> Vec<u8> {
    let mut setup = notation::parse_setup(PUZZLE, Rules::CONNECT6).expect("a set-up");
    let last = setup.white.split_off(8);
    setup.to_move = Side::White;
    let mut record = Record::new(setup);
    let mut at = Record::ROOT;
    for cell in last {
        let side = Side::White;
        at = record.add(at, Action::Place(Placement { side, cell }));
    }
    notation::write(Format::Sgf, &[record]).expect("SGF")
}

#[test]
fn from_a_game_to_every_kind_of_output() {
    let folder = Folder::new("puzzle_outputs");
    // A broken game between two good ones is left out and reported.
    let mut games = game();
    games.extend(b"\n(;FF[4]SZ[19];B[j10];W[zz99\n");
    games.extend(game());
    folder.write("games.sgf", games);
    let run = folder.run(&["puzzle", "generate", "games.sgf", "--out", "mine.puzzles"]);
    assert!(run.stderr.contains("left out: game 2"), "{}", run.stderr);
    let text = run.ok();
    assert!(text.contains("1 puzzles in `mine.puzzles`"), "{text}");
    // The same again adds nothing.
    let again = folder
        .run(&["puzzle", "generate", "games.sgf", "--out", "mine.puzzles"])
        .ok();
    assert!(again.contains("1 puzzles in `mine.puzzles`"), "{again}");

    let checked = folder.run(&["puzzle", "check", "mine.puzzles"]).ok();
    assert!(
        checked.starts_with("1 of 1 puzzles are VERIFIED and unique"),
        "{checked}"
    );
    let info = folder
        .run(&["puzzle", "info", "mine.puzzles", "--json"])
        .ok();
    assert!(info.contains("\"puzzles\":1"), "{info}");

    folder
        .run(&[
            "puzzle",
            "export",
            "mine.puzzles",
            "--to",
            "jsonl",
            "mine.jsonl",
        ])
        .ok();
    let line = folder.read("mine.jsonl");
    assert!(line.contains("\"solution\":[\"L5\",\"L6\"]"), "{line}");
    folder
        .run(&[
            "puzzle",
            "export",
            "mine.puzzles",
            "--to",
            "sgf",
            "mine.sgf",
        ])
        .ok();
    let sgf = folder.read("mine.sgf");
    assert!(
        sgf.contains("White to move and win in 4 turns by double threats"),
        "{sgf}"
    );
    // The tree is legal play: every line of it can be read and shown.
    let records = notation::read(Format::Sgf, sgf.as_bytes(), &Default::default()).expect("SGF");
    assert!(records[0].position(records[0].main_end()).is_ok());
    for (language, word) in [
        ("en", "Solutions"),
        ("ja", "解答"),
        ("zh-hans", "习题"),
        ("zh-hant", "習題"),
    ] {
        folder
            .run(&[
                "puzzle",
                "export",
                "mine.puzzles",
                "--to",
                "booklet",
                "b.html",
                "--language",
                language,
            ])
            .ok();
        assert!(folder.read("b.html").contains(word), "{language}");
    }
    folder
        .run(&[
            "puzzle",
            "export",
            "mine.puzzles",
            "--to",
            "proofs",
            "proofs",
        ])
        .ok();
    folder
        .run(&["puzzle", "export", "mine.puzzles", "--to", "svg", "svg"])
        .ok();
    let id = line.split('"').nth(3).expect("an id").to_owned();
    assert!(folder.read(&format!("svg/{id}.svg")).starts_with("<svg"));
    let verdict = folder.run(&["check", &format!("proofs/{id}.tproof")]).ok();
    assert!(verdict.contains("VERIFIED"), "{verdict}");
}

#[test]
fn other_collections_are_solved_and_rated() {
    let folder = Folder::new("puzzle_others");
    folder.write(
        "theirs.setup",
        format!("{PUZZLE}\nB:J10 W:I8,H9 to-move:B\n"),
    );
    let solved = folder.run(&["puzzle", "solve", "theirs.setup"]).ok();
    let mut lines = solved.lines();
    assert_eq!(
        lines.next(),
        Some("1: Black to move, unique: L5 L6 in 4 turns, VERIFIED")
    );
    assert_eq!(
        lines.next(),
        Some("2: Black to move, no win by double threats")
    );
    let rated = folder
        .run(&["puzzle", "rate", "theirs.setup", "--json"])
        .ok();
    assert!(
        rated
            .lines()
            .next()
            .is_some_and(|line| line.contains("\"grade\":")),
        "{rated}"
    );
}

#[test]
fn bad_input_is_refused_with_words() {
    let folder = Folder::new("puzzle_bad");
    let nothing = folder
        .run(&["puzzle", "generate", "--out", "x.puzzles"])
        .refused();
    assert!(nothing.contains("nothing to look at"), "{nothing}");
    let rules = folder.run(&[
        "puzzle",
        "generate",
        "--self-play",
        "1",
        "--rules",
        "gomoku-standard",
        "--out",
        "x",
    ]);
    assert!(rules.refused().contains("overlines win"));
    let missing = folder.run(&["puzzle", "info", "none.puzzles"]).refused();
    assert!(missing.contains("there is no such file"), "{missing}");
    folder.write(
        "text.puzzles",
        "no database, but long enough to have a header of its own".repeat(40),
    );
    let foreign = folder.run(&["puzzle", "info", "text.puzzles"]).refused();
    assert!(foreign.contains("cannot open the collection"), "{foreign}");
}

#[test]
fn positions_of_a_book_are_a_source() {
    let folder = Folder::new("puzzle_book");
    let position = notation::parse_position(PUZZLE, Rules::CONNECT6).expect("legal");
    let book = tengen_book::Book::open(folder.path("my.book")).expect("a book");
    book.add_position(&position).expect("it is kept");
    drop(book);
    let text = folder
        .run(&[
            "puzzle",
            "generate",
            "--book",
            "my.book",
            "--out",
            "mine.puzzles",
        ])
        .ok();
    assert!(text.contains("1 puzzles in `mine.puzzles`"), "{text}");
    let missing = folder.run(&[
        "puzzle",
        "generate",
        "--book",
        "no.book",
        "--out",
        "mine.puzzles",
    ]);
    assert!(missing.refused().contains("no.book"));
    let rules = folder.run(&[
        "puzzle",
        "generate",
        "--self-play",
        "1",
        "--rules",
        "gomoku",
        "--order",
        "2",
        "--out",
        "x.puzzles",
    ]);
    assert!(rules.refused().contains("two stones a turn"));
}
