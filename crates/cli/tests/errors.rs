//! Bad input: one clear message, exit code 2, never a panic.

mod common;

use std::fs::File;
use std::io;
use std::process::Stdio;
use std::time::{Duration, Instant};

use common::Folder;

#[test]
fn positions_that_make_no_sense() {
    let folder = Folder::new("errors_positions");
    let refused = |arguments: &[&str]| {
        let with_show: Vec<&str> = ["show"].iter().chain(arguments).copied().collect();
        folder.run(&with_show).refused()
    };
    for (arguments, message) in [
        (
            &["Z99"][..],
            "stone 1: Z99 is off the board, which has columns A to S and rows 1 to 19",
        ),
        (&["J10", "J10"], "stone 2: J10 is already occupied by Black"),
        (
            &["J10 Q"],
            "character 5 of the position: expected a row number after column `Q`, found its end",
        ),
        (&["B:J10 W:J10 to-move:W"], "J10 holds two stones"),
        (
            &["--rules", "tic-tac-toe", "A1 B1 A2 B2 A3 B3"],
            "stone 6: B3 comes after the end of the game: Black has won with A1 A2 A3",
        ),
        (
            &["--rules", "3,3,5,1,1"],
            "--rules: `3,3,5,1,1` is no game: a line of 5 does not fit on a 3x3 board",
        ),
        (
            &["--rules", "19,19,6,0,1"],
            "--rules: `19,19,6,0,1` is no game: 0 stones per turn make no game, expected at least 1",
        ),
        (
            &["--at", "2", "J10"],
            "the game has 1 stone, --at 2 is beyond its end",
        ),
        (
            &["--game", "2", "J10"],
            "--game needs a file: give --file FILE, or - for stdin",
        ),
    ] {
        assert_eq!(refused(arguments), message);
    }
    assert!(refused(&["--rules", "chess"]).starts_with("--rules: `chess` names no rules"));
    assert!(
        refused(&["B:A1,B1,C1,D1,E1,F1 W:A1 to-move:W left:7"])
            .matches("; ")
            .count()
            == 2
    );
}

#[test]
fn files_that_cannot_be_read() {
    let folder = Folder::new("errors_files");
    folder.write("empty.sgf", "");
    folder.write("unfinished.sgf", "(;FF[4]GM[511];B[JJ]");
    folder.write("words.dat", "hello world");
    folder.write("one.txt", "J10 K11");
    folder.write("twice.sgf", "(;FF[4]GM[511];B[JJ];W[JJ])");
    let refused = |file: &str| folder.run(&["show", "--file", file]).refused();
    assert_eq!(
        refused("missing.sgf"),
        "cannot read `missing.sgf`: there is no such file"
    );
    assert_eq!(refused("."), "cannot read `.`: it is a directory");
    assert_eq!(
        refused("empty.sgf"),
        "cannot read `empty.sgf`: it is empty, expected a game record"
    );
    let unfinished = refused("unfinished.sgf");
    assert!(
        unfinished.starts_with("cannot read `unfinished.sgf`: SGF line 1, column 21: expected")
    );
    assert_eq!(
        refused("words.dat"),
        "cannot read `words.dat`: its format is not known\n\n\
         hint: name it with --format: moves, setup, sgf, ccgc, psq, lib, littlegolem"
    );
    assert_eq!(
        refused("twice.sgf"),
        "cannot play game 1 of `twice.sgf`: stone 2: J10 is already occupied by Black"
    );
    assert_eq!(
        folder
            .run(&["show", "-f", "one.txt", "--game", "3"])
            .refused(),
        "`one.txt` holds 1 game, there is no game 3"
    );
    assert!(
        folder
            .run(&["show", "one.txt"])
            .refused()
            .ends_with("hint: to read a file, write --file one.txt")
    );
    assert_eq!(
        folder.run(&["show", "--svg", "no/where.svg"]).refused(),
        "cannot write `no/where.svg`: there is no such folder"
    );
    assert!(
        folder
            .run_with(&["show", "-"], b"")
            .refused()
            .starts_with("cannot read stdin: ")
    );
}

#[test]
fn huge_garbage_is_refused_quickly() {
    let folder = Folder::new("errors_huge");
    // A sparse file: as long as it claims, without filling the disk.
    let huge = File::create(folder.path("huge")).expect("a temporary file");
    huge.set_len(100_000_000).expect("a sparse file");
    let start = Instant::now();
    assert_eq!(
        folder.run(&["show", "--file", "huge"]).refused(),
        "cannot read `huge`: it is larger than 64 MiB, no game record"
    );
    assert!(start.elapsed() < Duration::from_secs(5));
    // Below the limit, and read as every format.
    let noise: Vec<u8> = (0..2_000_000_u32)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 21) as u8)
        .collect();
    folder.write("noise", noise);
    for format in ["moves", "setup", "sgf", "ccgc", "psq", "lib", "littlegolem"] {
        let message = folder
            .run(&["show", "--file", "noise", "--format", format])
            .refused();
        assert!(message.starts_with("cannot read `noise`: "), "{message}");
        assert!(message.len() < 400, "{message}");
    }
}

#[test]
fn usage_is_explained() {
    let folder = Folder::new("errors_usage");
    let refused = |arguments: &[&str]| folder.run(arguments).refused();
    assert_eq!(
        refused(&["shw"]),
        "unrecognized subcommand 'shw'\n\nhint: a similar subcommand exists: 'show'"
    );
    assert_eq!(
        refused(&["perft"]),
        "the following required arguments were not provided: <DEPTH>\n\n\
         hint: `tengen COMMAND --help` explains a command"
    );
    assert!(refused(&["show", "--nope"]).starts_with("unexpected argument '--nope' found"));
    let bare = folder.run(&[]);
    assert_eq!(bare.code, Some(2));
    assert!(bare.stderr.contains("Usage: tengen"));
}

#[test]
fn too_many_games_to_count() {
    let folder = Folder::new("errors_perft");
    let run = folder.run(&["perft", "2", "--rules", "63,63,30,20,1"]);
    assert_eq!(run.code, Some(2));
    assert_eq!(
        run.stderr,
        "tengen: there may be more than 2^64 sequences of 2 turns, too many to count\n"
    );
}

#[test]
fn a_message_cannot_drive_the_terminal() {
    let folder = Folder::new("errors_escapes");
    let message = folder.run(&["show", "--file", "a\x1b[31m\nb"]).refused();
    assert_eq!(
        message,
        "cannot read `a\\u{1b}[31m\\nb`: there is no such file"
    );
}

#[test]
fn a_closed_pipe_is_success() {
    let folder = Folder::new("errors_pipe");
    for arguments in [
        &["show", "J10"][..],
        &["completions", "bash"],
        &["man"],
        &["--help"],
    ] {
        let (reader, writer) = io::pipe().expect("a pipe");
        drop(reader);
        let output = folder
            .command(arguments)
            .stdin(Stdio::null())
            .stdout(writer)
            .stderr(Stdio::piped())
            .output()
            .expect("the binary runs");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert!(output.stderr.is_empty(), "{arguments:?}");
    }
}
