//! `tengen play`, by script: every test holds whatever turns the engine chooses.

mod common;

use common::{Folder, Run};

/// Black has three in a row with both ends open, White three that end at the edge.
const DECIDED: &str = "B:B2,C2,D2 W:A5,B5,C5 to-move:B";

const SMALL: [&str; 5] = ["play", "--rules", "6,6,4,1,1", "--nodes", "500"];

fn play(folder: &Folder, arguments: &[&str], lines: &[&str]) -> Run {
    let seeded: Vec<&str> = arguments.iter().chain(&["--seed", "1"]).copied().collect();
    folder.run_with(&seeded, (lines.join("\n") + "\n").as_bytes())
}

fn with<'a>(arguments: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    arguments.iter().chain(more).copied().collect()
}

/// What was printed after this line was typed, up to the next prompt.
#[track_caller]
fn after<'a>(text: &'a str, typed: &str) -> &'a str {
    let (_, rest) = text
        .split_once(&format!("> {typed}\n"))
        .unwrap_or_else(|| panic!("`{typed}` was typed: {text}"));
    let end = rest.find("> ").expect("a prompt follows");
    let line = rest[..end].rfind('\n').map_or(0, |at| at + 1);
    &rest[..line]
}

#[test]
fn a_person_wins() {
    let folder = Folder::new("play_win");
    let text = play(&folder, &with(&SMALL, &[DECIDED]), &["E2", "E3"]).ok();
    assert_eq!(
        text,
        "\
Connect(6,6,4,1,1): 4 in a row on 6x6, 1 stone a turn
● Black  ○ White
You are Black, level-5 is White.
`help` lists what you can type.

    A B C D E F
 6  · · · · · ·  6
 5  ○ ○ ○ · · ·  5
 4  · · · · · ·  4
 3  · · · · · ·  3
 2  · ● ● ● · ·  2
 1  · · · · · ·  1
    A B C D E F

Black to play, 1 stone left
Black> E2

    A B C D E F
 6  · · · · · ·  6
 5  ○ ○ ○ · · ·  5
 4  · · · · · ·  4
 3  · · · · · ·  3
 2  ·(● ● ● ●)·  2
 1  · · · · · ·  1
    A B C D E F

Black has won with B2 C2 D2 E2, marked ( )
You win against level-5! `new` begins another game, `undo` takes back.
game over> E3
the game is over: `undo` takes back, `new` begins another
game over> 
"
    );
}

#[test]
fn the_engine_wins_and_the_person_tries_again() {
    let folder = Folder::new("play_loss");
    let arguments = with(&SMALL, &["--engine", "alphabeta", DECIDED]);
    let lines = ["A1", "save lost.sgf", "undo", "A2", "quit"];
    let text = play(&folder, &arguments, &lines).ok();
    let lost = after(&text, "A1");
    assert!(lost.starts_with("alphabeta plays D5\n"), "{text}");
    assert!(lost.contains(" 5 (○ ○ ○ ○)· ·  5\n"), "{text}");
    assert!(
        lost.ends_with(
            "White has won with A5 B5 C5 D5, marked ( )\n\
             alphabeta wins. `new` begins another game, `undo` takes back.\n"
        ),
        "{text}"
    );
    assert!(folder.read("lost.sgf").contains("RE[W+]"), "{text}");
    assert!(after(&text, "undo").ends_with("\nBlack to play, 1 stone left\n"));
    assert!(after(&text, "A2").contains("You win"), "{text}");
}

#[test]
fn a_turn_may_be_typed_stone_by_stone() {
    let folder = Folder::new("play_halves");
    let arguments = ["play", "--level", "1", "--nodes", "100", "J10 I8 H9"];
    let lines = [
        "K11", "k11", "undo", "redo", "moves", "A1 A2", "A1", "undo", "moves", "redo", "swap",
    ];
    let text = play(&folder, &arguments, &lines).ok();
    let half = after(&text, "K11");
    assert!(
        half.ends_with("Turn 3: Black to play, 1 stone left; ( ) marks Black K11\n"),
        "{text}"
    );
    assert!(text.contains("\nBlack, 1 stone left> k11\n"), "{text}");
    assert_eq!(
        after(&text, "k11"),
        "K11 is already occupied by Black, expected an empty cell\n"
    );
    assert!(
        after(&text, "undo")
            .ends_with("Turn 3: Black to play, 2 stones left; ( ) marks White I8 H9\n"),
        "{text}"
    );
    assert!(after(&text, "redo").ends_with("( ) marks Black K11\n"));
    let played = "  1. Black J10\n  2. White I8 H9\n";
    assert_eq!(after(&text, "moves"), format!("{played}  3. Black K11\n"));
    assert_eq!(after(&text, "A1 A2"), "A1 A2 are 2 stones, expected 1\n");
    let (before, rest) = text.split_once("> A1\n").expect("the turn is finished");
    assert!(!before.contains("level-1 plays"), "{text}");
    assert!(rest.starts_with("level-1 plays "), "{text}");
    assert!(rest.contains("Turn 5: Black to play, 2 stones left; ( ) marks White "));
    // Both turns are gone, and come back.
    assert_eq!(after(rest, "moves"), played);
    assert!(after(rest, "redo").contains("Turn 5: Black to play, 2 stones left"));
    assert!(
        text.contains("You are White, level-1 is Black.\nlevel-1 plays "),
        "{text}"
    );
}

#[test]
fn nonsense_is_explained() {
    let folder = Folder::new("play_nonsense");
    for (typed, message) in [
        (
            "Z9",
            "Z9 is off the board, which has columns A to F and rows 1 to 6\n",
        ),
        ("A1 A3", "A1 A3 are 2 stones, expected 1\n"),
        (
            "A5",
            "A5 is already occupied by White, expected an empty cell\n",
        ),
        (
            "4a",
            "`4` is not a cell; expected a column letter and a row number, such as J10\n",
        ),
        (
            "castle",
            "`castle` is neither a turn such as K11 L10 nor a command; `help` lists the commands\n",
        ),
        ("re", "`re` may mean redo or resign\n"),
        ("redo", "nothing was taken back\n"),
        ("undo", "there is no turn of yours to take back\n"),
        ("level", "`level` needs a number from 1 to 10\n"),
        ("level 0", "there is no level `0`, expected 1 to 10\n"),
        (
            "save",
            "`save` needs the name of a file, such as game.sgf\n",
        ),
        (
            "save game.doc",
            "`game.doc` does not say which format to write: let it end in one of .moves, .setup, \
             .sgf, .ccgc, .psq, .lib, .littlegolem\n",
        ),
        (
            "save no/where.sgf",
            "cannot write `no/where.sgf`: there is no such folder\n",
        ),
        (
            "load missing.sgf",
            "cannot read `missing.sgf`: there is no such file\n",
        ),
        ("", ""),
    ] {
        let run = play(&folder, &with(&SMALL, &[DECIDED]), &[typed, "moves"]);
        let text = run.ok();
        assert_eq!(after(&text, typed), message);
        assert!(
            text.ends_with("> moves\nnothing has been played\nBlack> \n"),
            "{text}"
        );
    }
    let bytes = b"\xff\xfe\x00\x1b[31m\n";
    let text = folder.run_with(&with(&SMALL, &[DECIDED]), bytes).ok();
    assert!(
        !text.contains('\x1b') && text.contains("is not a cell"),
        "{text}"
    );
    let text = folder
        .run_with(&with(&SMALL, &[DECIDED]), &vec![b'x'; 20_000])
        .ok();
    assert!(text.contains("neither a turn"), "{text}");
}

#[test]
fn what_one_can_ask_for() {
    let folder = Folder::new("play_ask");
    let lines = [
        "help", "threats", "hint", "level 7", "board", "resign", "hint", "undo",
    ];
    let text = play(&folder, &with(&SMALL, &[DECIDED]), &lines).ok();
    for word in [
        "undo",
        "redo",
        "hint",
        "threats",
        "level N",
        "save FILE",
        "quit",
    ] {
        assert!(
            after(&text, "help").contains(&format!("\n{word} ")),
            "{word}"
        );
    }
    let threats = after(&text, "threats");
    assert!(threats.contains("wins now"), "{text}");
    assert!(
        threats.contains("White: 1 threat, Black needs 1 stone"),
        "{text}"
    );
    // Black wins at once, and every engine that gives hints sees it.
    let hint = after(&text, "hint");
    assert!(hint.starts_with("Hint: A2; with it ") || hint.starts_with("Hint: E2; with it "));
    assert!(hint.contains("(alphabeta, "), "{text}");
    assert_eq!(after(&text, "level 7"), "level-7 plays on\n");
    assert!(after(&text, "board").contains(" 2  · ● ● ● · ·  2\n"));
    assert_eq!(
        after(&text, "resign"),
        "You resign: level-7 wins. `new` begins another game, `undo` takes back.\n"
    );
    let over = text.split_once("> resign\n").expect("typed").1;
    assert!(
        after(over, "hint").starts_with("the game is over"),
        "{text}"
    );
    assert!(
        after(over, "undo").ends_with("Black to play, 1 stone left\n"),
        "{text}"
    );
}

#[test]
fn games_are_saved_and_loaded() {
    let folder = Folder::new("play_save");
    let arguments = ["play", "--nodes", "100", "--level", "2"];
    let lines = [
        "J10",
        "save game.sgf",
        "save game.moves",
        "resign",
        "save end.sgf",
    ];
    let text = play(&folder, &arguments, &lines).ok();
    assert_eq!(after(&text, "save game.sgf"), "Saved as SGF: game.sgf\n");
    assert_eq!(
        after(&text, "save game.moves"),
        "Saved as moves: game.moves\n"
    );
    let [sgf, moves] =
        ["game.sgf", "game.moves"].map(|file| folder.run(&["show", "--file", file]).ok());
    assert_eq!(sgf, moves);
    assert!(
        sgf.contains("Turn 3: Black to play, 2 stones left"),
        "{sgf}"
    );
    let end = folder.read("end.sgf");
    for fact in ["PB[player]", "PW[level-2]", "RE[W+R]"] {
        assert!(end.contains(fact), "{end}");
    }
    let lines = ["load game.sgf", "undo", "moves", "new", "moves"];
    let text = play(&folder, &arguments, &lines).ok();
    let loaded = after(&text, "load game.sgf");
    assert!(
        loaded.starts_with("You are Black, level-2 is White.\n"),
        "{text}"
    );
    assert!(loaded.contains("Turn 3: Black to play, 2 stones left; ( ) marks White"));
    assert_eq!(after(&text, "moves"), "nothing has been played\n");
    assert!(
        after(&text, "new").contains("Turn 3: Black to play, 2 stones left"),
        "{text}"
    );
}

#[test]
fn the_engine_begins_when_the_person_is_white() {
    let folder = Folder::new("play_white");
    let arguments = with(&SMALL, &["--side", "white", "--level", "3"]);
    let text = play(&folder, &arguments, &["quit"]).ok();
    let greeting =
        "You are White, level-3 is Black.\n`help` lists what you can type.\nlevel-3 plays ";
    assert!(text.contains(greeting), "{text}");
    assert!(text.ends_with("\nWhite> quit\n"), "{text}");
}

#[test]
fn the_last_cell_may_be_a_draw() {
    let folder = Folder::new("play_draw");
    let position = "B:A1,C1,B2,B3 W:B1,A2,C2,A3 to-move:B";
    let text = play(
        &folder,
        &["play", "--rules", "3,3,3,2,1", "--nodes", "9", position],
        &["C3"],
    );
    let text = text.ok();
    assert!(
        text.contains("\nBlack has won with A1 B2 C3, marked ( )\nYou win"),
        "{text}"
    );
    let position = "B:A1,C2,B2,A3 W:C1,A2,B3,B1 to-move:W";
    let arguments = [
        "play",
        "--rules",
        "tic-tac-toe",
        "--side",
        "white",
        position,
    ];
    let text = play(&folder, &arguments, &["C3"]).ok();
    assert!(
        text.contains("\nDraw: the board is full\nNobody wins. `new` begins"),
        "{text}"
    );
}

#[test]
fn a_seed_and_a_limit_of_nodes_repeat_a_game() {
    let folder = Folder::new("play_same");
    let arguments = [
        "play",
        "--rules",
        "7,7,5,2,1",
        "--nodes",
        "300",
        "--side",
        "random",
    ];
    let lines = [
        "hint", "A1", "A7", "G1", "G7", "B1", "B7", "new", "swap", "moves",
    ];
    let [one, two] = [(), ()].map(|()| play(&folder, &arguments, &lines).ok());
    assert_eq!(one, two);
    assert!(one.contains("level-5 plays "), "{one}");
}

#[test]
fn what_cannot_be_played_is_refused() {
    let folder = Folder::new("play_refused");
    let refused = |arguments: &[&str]| folder.run(&with(&["play"], arguments)).refused();
    for (arguments, message) in [
        (
            &["-"][..],
            "your turns come from stdin: give the position in words, or with --file FILE",
        ),
        (
            &["--file", "-"],
            "your turns come from stdin: give the position in words, or with --file FILE",
        ),
        (
            &["--level", "11"],
            "--level: there is no level `11`, expected 1 to 10",
        ),
        (&["J10", "J10"], "stone 2: J10 is already occupied by Black"),
    ] {
        assert_eq!(refused(arguments), message);
    }
    assert!(refused(&["--engine", "hal"]).starts_with("--engine: there is no engine `hal`"));
    assert!(refused(&["--engine", "alphabeta", "--level", "2"]).contains("cannot be used with"));
    assert!(refused(&["--side", "red"]).contains("random"));
}

/// While the person thinks there is nothing to stop: Ctrl-C ends the game.
#[cfg(unix)]
#[test]
fn ctrl_c_at_the_prompt_ends() {
    use std::io::Read as _;
    use std::process::{Command, Stdio};

    let folder = Folder::new("play_ctrl_c");
    let mut child = folder
        .command(&SMALL)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdout = child.stdout.take().expect("a pipe");
    let mut text = Vec::new();
    while !text.ends_with(b"Black> ") {
        let mut byte = [0];
        stdout.read_exact(&mut byte).expect("a prompt comes");
        text.push(byte[0]);
    }
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status();
    assert!(sent.expect("kill runs").success());
    let output = child.wait_with_output().expect("the binary ends");
    assert_eq!(output.status.code(), Some(130));
}
