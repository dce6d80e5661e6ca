//! `tengen convert` between all formats.

mod common;

use std::fs;

use common::Folder;

const MOVES: &str = "J10 I8 H9 K11 L10\n";

#[test]
fn one_game_through_every_format_that_holds_connect6() {
    let folder = Folder::new("convert_chain");
    folder.write("game.moves", MOVES);
    let chain = [
        "game.moves",
        "game.sgf",
        "game.ccgc",
        "game.littlegolem",
        "back.sgf",
        "back.moves",
    ];
    for pair in chain.windows(2) {
        let run = folder.run(&["convert", pair[0], pair[1]]);
        assert_eq!(run.stderr, format!("{}: 1 game, 5 stones\n", pair[1]));
        assert_eq!(run.ok(), "");
    }
    assert_eq!(folder.read("back.moves"), MOVES);
    assert!(folder.read("game.ccgc").contains("B(J,10);W(I,8);W(H,9)"));
}

#[test]
fn one_game_through_every_format_that_holds_gomoku() {
    let folder = Folder::new("convert_gomoku");
    // No symmetry maps this game to itself, so a flipped board would show.
    folder.write("game.moves", "rules gomoku\nH8 I9 G11 C2\n");
    for (from, to) in [
        ("game.moves", "game.psq"),
        ("game.psq", "game.lib"),
        ("game.lib", "game.sgf"),
    ] {
        folder.run(&["convert", from, to]).ok();
    }
    let text = folder.run(&["convert", "game.sgf", "--to", "moves"]).ok();
    assert!(text.ends_with("H8 I9 G11 C2\n"), "{text}");
    let shown = folder.run(&["show", "--file", "game.lib"]).ok();
    assert!(shown.contains("Last turn: White C2"), "{shown}");
}

#[test]
fn pipes_and_choices() {
    let folder = Folder::new("convert_pipes");
    let sgf = folder
        .run_with(
            &["convert", "-", "--from", "moves", "--to", "sgf"],
            MOVES.as_bytes(),
        )
        .ok();
    assert!(sgf.starts_with("(;FF[4]"));
    let back = folder.run_with(&["convert", "-", "-", "--to", "moves"], sgf.as_bytes());
    assert_eq!(back.ok(), MOVES);
    folder.write("two.moves", "J10 I8 H9\nJ10 K9 K8\n");
    let second = folder.run(&["convert", "two.moves", "--to", "moves", "--game", "2"]);
    assert_eq!(second.ok(), "J10 K9 K8\n");
    let setup = folder.run(&["convert", "two.moves", "--to", "setup", "--game", "1"]);
    assert_eq!(setup.ok(), "B:J10 W:I8,H9 to-move:B\n");
}

#[test]
fn what_cannot_be_converted() {
    let folder = Folder::new("convert_refused");
    folder.write("game.moves", MOVES);
    let refused = |arguments: &[&str]| folder.run(arguments).refused();
    let names = "hint: name it with --to: moves, setup, sgf, ccgc, psq, lib, littlegolem";
    assert_eq!(
        refused(&["convert", "game.moves"]),
        format!("which format to write is missing\n\n{names}")
    );
    assert_eq!(
        refused(&["convert", "game.moves", "game.xyz"]),
        format!("`game.xyz` does not say which format to write\n\n{names}")
    );
    assert!(refused(&["convert", "game.moves", "game.lib"]).starts_with("cannot write lib: "));
    assert!(
        !folder.path("game.lib").exists(),
        "nothing is written on failure"
    );
}

#[test]
fn a_cut_library_is_refused_wherever_it_is_cut() {
    let folder = Folder::new("convert_cut");
    folder.write("game.moves", "rules gomoku\nH8 I9 G11 C2\n");
    folder.run(&["convert", "game.moves", "game.lib"]).ok();
    let whole = fs::read(folder.path("game.lib")).expect("a written file");
    // The header alone, 20 bytes, is an empty library.
    for length in (1..whole.len()).filter(|&length| length != 20) {
        folder.write("cut.lib", &whole[..length]);
        let message = folder.run(&["show", "--file", "cut.lib"]).refused();
        assert!(
            message.starts_with("cannot read `cut.lib`: RenLib"),
            "{length}: {message}"
        );
    }
}
