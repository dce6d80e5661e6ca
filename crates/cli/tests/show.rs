//! What `tengen show` draws.

mod common;

use common::{Folder, run};

#[test]
fn a_position_without_threats() {
    let folder = Folder::new("show_threats");
    let run = folder.run(&[
        "show",
        "--threats",
        "--rules",
        "9,9,6,2,1",
        "E5 C3 D2 F6 G5 E1 F2 G6 H6 D3 E3",
    ]);
    assert_eq!(
        run.ok(),
        "\
Connect(9,9,6,2,1): 6 in a row on 9x9, 2 stones a turn, 1 in the first

    A B C D E F G H I
 9  · · · · · · · · ·  9
 8  · · · · · · · · ·  8
 7  · · + · + · + · ·  7
 6  · · · · · ● ● ● ·  6
 5  · · + · ● · ● · ·  5
 4  · · · · · · · · ·  4
 3  · · ○(○ ○)· + · ·  3
 2  · · · ○ · ○ · · ·  2
 1  · · · · ○ · · · ·  1
    A B C D E F G H I

● Black  ○ White
Turn 7: Black to play, 2 stones left
Last turn: White D3 E3, marked ( )

Black: no threat
White: no threat
"
    );
}

#[test]
fn threats_are_marked() {
    let folder = Folder::new("show_marks");
    let run = folder.run(&[
        "show",
        "-t",
        "--rules",
        "12,3,6,2,1",
        "B:C2,D2,E2,F2 W:B1,C1,D1,E1 to-move:W",
    ]);
    assert_eq!(
        run.ok(),
        "\
Connect(12,3,6,2,1): 6 in a row on 12x3, 2 stones a turn, 1 in the first

    A B C D E F G H I J K L
 3  · · · · · · · · · · · ·  3
 2  □ □ ● ● ● ● □ □ · · · ·  2
 1  ◇ ○ ○ ○ ○ ◇ ◇ · · · · ·  1
    A B C D E F G H I J K L

● Black  ○ White
White to play, 2 stones left

Black: 2 threats, White needs 2 stones to stop them
  wins next turn         3: A2 B2, B2 G2, G2 H2
  normal defences        3: A2 G2, B2 G2, B2 H2
White: 1 threat, Black needs 1 stone to stop it
  wins now               2: A1 F1, F1 G1
  normal defences        1: F1
  relaxed defences       1: A1 G1
Open cells of threats: □ Black's, ◇ White's
"
    );
}

#[test]
fn ascii_when_asked_or_when_the_locale_needs_it() {
    let folder = Folder::new("show_ascii");
    let board = "\
Tic-tac-toe: 3 in a row on 3x3, 1 stone a turn

    A B C
 3  . . .  3
 2  .(O).  2
 1  X . .  1
    A B C

X Black  O White
Turn 3: Black to play, 1 stone left
Last turn: White B2, marked ( )
";
    let arguments = ["show", "--rules", "tic-tac-toe", "A1", "B2"];
    let with_flag: Vec<&str> = arguments.iter().copied().chain(["--ascii"]).collect();
    assert_eq!(folder.run(&with_flag).ok(), board);
    let mut command = folder.command(&arguments);
    command.env("LC_ALL", "C");
    assert_eq!(run(command, b"").ok(), board);
}

#[test]
fn colour_only_when_wanted() {
    let folder = Folder::new("show_colour");
    let escapes = |arguments: &[&str]| folder.run(arguments).ok().contains('\x1b');
    assert!(!escapes(&["show", "J10"]));
    assert!(!escapes(&["--color", "never", "show", "J10"]));
    assert!(escapes(&["--color", "always", "show", "J10"]));
    assert!(escapes(&["show", "J10", "--color=always"]));
}

#[test]
fn an_infinite_board_is_cut_out() {
    let folder = Folder::new("show_infinite");
    let text = folder
        .run(&["show", "--rules", "inf,inf,3,1,1", "A1", "B2"])
        .ok();
    assert_eq!(
        text,
        "\
Connect(inf,inf,3,1,1): 3 in a row on an infinite board, 1 stone a turn

     - -
     2 1 0 A B C D E
  5  · · · · · · · ·  5
  4  · · · · · · · ·  4
  3  · · · · · · · ·  3
  2  · · · ·(○)· · ·  2
  1  · · · ● · · · ·  1
  0  · · · · · · · ·  0
 -1  · · · · · · · ·  -1
 -2  · · · · · · · ·  -2
     - - 0 A B C D E
     2 1

● Black  ○ White
Turn 3: Black to play, 1 stone left
Last turn: White B2, marked ( )
The board is infinite; shown is what lies within 3 cells of the stones
"
    );
}

#[test]
fn a_file_with_games_and_a_place_in_one() {
    let folder = Folder::new("show_file");
    folder.write("games.txt", "J10 I8 H9\nJ10 K9 K8 L10 L8\n");
    let text = folder
        .run(&["show", "-f", "games.txt", "--game", "2", "--at", "3"])
        .ok();
    assert!(text.contains("Game 2 of 2; choose another with --game N"));
    assert!(text.contains("Turn 3: Black to play, 2 stones left\nLast turn: White K9 K8"));
    let stdin = folder.run_with(&["show", "-"], b"(;B[j10];W[j9l11])").ok();
    assert!(stdin.contains("Last turn: White J9 L11"));
}

#[test]
fn a_won_game_is_called_won() {
    let folder = Folder::new("show_won");
    let run = folder.run(&["show", "-t", "--rules", "tic-tac-toe", "A1 B1 A2 B2 A3"]);
    assert!(run.ok().contains("Black has won in turn 5 with A1 A2 A3"));
}

#[test]
fn the_picture_shows_everything() {
    let folder = Folder::new("show_svg");
    let game = "J10 I8 H9 K11 L10 J7 K6";
    assert_eq!(
        folder.run(&["show", "-t", "--svg", "board.svg", game]).ok(),
        ""
    );
    let svg = folder.read("board.svg");
    assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
    assert!(svg.ends_with("</svg>\n"));
    let count = |what: &str| svg.matches(what).count();
    assert_eq!(count("r=\"14.5\""), 7, "stones");
    assert_eq!(count("r=\"12.2\""), 2, "rings of the last turn");
    assert_eq!(count("r=\"3.5\""), 9, "star points");
    assert_eq!(count("stroke-width=\"4\""), 3, "windows");
    assert_eq!(count("l10 10l-10 10l-10 -10z"), 4, "diamonds on open cells");
    assert_eq!(
        count(">4</text>"),
        4,
        "two coordinates and two stones of turn 4"
    );
    // Every element that is opened is closed, so that picture viewers take it.
    for tag in ["svg", "g", "title", "text"] {
        let opened = count(&format!("<{tag}>")) + count(&format!("<{tag} "));
        assert_eq!(opened, count(&format!("</{tag}>")), "{tag}");
    }
    let stdout = folder.run(&["show", "-t", "--svg", "-", game]).ok();
    assert_eq!(stdout, svg);
}
