//! Messages name the place and say what was expected and found.

use tengen_rules::notation::{
    Format, Place, ReadOptions, parse_moves, parse_position, parse_setup, read, write,
};
use tengen_rules::{Cell, Record, Rules, Setup, Side};

#[track_caller]
fn refused(format: Format, bytes: impl AsRef<[u8]>, message: &str) {
    let error = read(format, bytes.as_ref(), &ReadOptions::default()).expect_err("not readable");
    assert_eq!(error.to_string(), message);
    assert_eq!(error.format(), format);
}

#[test]
fn empty_files() {
    for (format, message) in [
        (Format::Sgf, "SGF: the file is empty, expected `(;`"),
        (
            Format::Lib,
            "RenLib: the file is empty, expected a RenLib header (FF `RenLib` FF) or the centre move (78)",
        ),
        (
            Format::Moves,
            "moves: the file is empty, expected stones such as `J10 K11 L10`",
        ),
    ] {
        refused(format, b"", message);
    }
    for format in Format::ALL {
        for bytes in [&b""[..], b" ", b"\n\n", b"\0"] {
            assert!(
                read(format, bytes, &ReadOptions::default()).is_err(),
                "{format}"
            );
        }
    }
}

#[test]
fn sgf() {
    let sgf = |text: &str, message: &str| refused(Format::Sgf, text, message);
    sgf(
        "(;FF[4]\n;C[no end\n;B[j10",
        "SGF line 3, column 7: expected `]` to close the value opened at line 2, column 3, found the end of the file",
    );
    sgf(
        "(;FF[4];B[j10]\n(;W[k10]",
        "SGF line 2, column 9: expected `)` to close the variation opened at line 2, column 1, found the end of the file",
    );
    sgf(
        "hello",
        "SGF line 1, column 1: expected `(;`, the beginning of a game, found `h`",
    );
    sgf(
        "(;B[j10](W[k10]))",
        "SGF line 1, column 10: expected `;` after `(`, found `W`",
    );
    sgf(
        "(;B j10)",
        "SGF line 1, column 5: expected `[` after the property B, found `j`",
    );
    sgf(
        "(;B[j10]])",
        "SGF line 1, column 9: expected a property, `;`, `(` or `)`, found `]`",
    );
    sgf(
        "(;B[j10]) x",
        "SGF line 1, column 11: expected `(` of another game or the end of the file, found `x`",
    );
    sgf(
        "(;B[t1])",
        "SGF line 1, column 5: point `t1` is off the board, which has columns A to S and rows 1 to 19",
    );
    sgf(
        "(;B[TA])",
        "SGF line 1, column 5: point `TA` is off the board, which has columns A to S and rows 1 to 19",
    );
    sgf(
        "(;B[!])",
        "SGF line 1, column 5: `!` is not a point, expected a point such as `j10`, `JJ` or `jj`",
    );
    sgf(
        "(;GM[1]SZ[19];B[aa])",
        "SGF line 1, column 6: GM[1] is another game, expected GM[511] (Connect6) or GM[4] (gomoku), or give the rules to read it with",
    );
    sgf(
        "(;SZ[big])",
        "SGF line 1, column 6: `big` is no board size, expected `19` or `20:15`",
    );
    sgf(
        "(;B[j10];AW[k10])",
        "SGF line 1, column 13: set-up stones after the first move; a record has one set-up, at its start",
    );
    sgf(
        "(;(;AB[j10])(;B[j10]))",
        "SGF line 1, column 15: this variation and its sibling start from different set-ups; a record has one set-up, at its start",
    );
    let options = ReadOptions {
        rules: Some(Rules::CONNECT6),
        ..ReadOptions::default()
    };
    let error = read(Format::Sgf, b"(;SZ[15];B[hh])", &options).expect_err("another board");
    assert_eq!(
        error.to_string(),
        "SGF line 1, column 6: the board is 15x15, but the rules connect6 have one of 19x19"
    );
    assert_eq!(error.place(), Place::Text { line: 1, column: 6 });
}

#[test]
fn renlib() {
    let mut file = b"\xffRenLib\xff\x03\x04".to_vec();
    file.resize(20, 0xff);
    refused(
        Format::Lib,
        &file[..12],
        "RenLib byte 12: the header is cut, expected 20 bytes",
    );
    refused(
        Format::Lib,
        &file[..5],
        "RenLib byte 5: the header is cut, expected 20 bytes",
    );
    let with = |nodes: &[u8]| [&file[..], nodes].concat();
    refused(
        Format::Lib,
        with(&[0, 0, 0x78, 0]),
        "RenLib byte 24: expected another move of the tree, found the end of the file",
    );
    refused(
        Format::Lib,
        with(b"\0\0\x78\x48abcd"),
        "RenLib byte 28: expected the rest of a comment, found the end of the file",
    );
    refused(
        Format::Lib,
        with(&[0, 0, 0x70, 0x40]),
        "RenLib byte 22: 70 is no place on 15x15, expected row 0 to e, column 1 to f",
    );
    refused(
        Format::Lib,
        with(&[0, 0x40, 0x78, 0x40]),
        "RenLib byte 22: expected the end of the file after the last move of the tree",
    );
    refused(
        Format::Lib,
        b"RenLib",
        "RenLib byte 0: expected a RenLib header (FF `RenLib` FF) or the centre move (78), found the byte 52",
    );
    file[9] = 9;
    refused(
        Format::Lib,
        &file,
        "RenLib byte 8: the version is 3.9, expected at most 3.4",
    );
}

#[test]
fn other_files() {
    refused(
        Format::Ccgc,
        "{[C6][a B][b W][][][];B(J,10);W(T,1)}",
        "CCGC line 1, column 33: T1 is off the board, which has columns A to S and rows 1 to 19",
    );
    refused(
        Format::Ccgc,
        "{[C6][a B][b W",
        "CCGC line 1, column 15: expected `]` to close the field opened at line 1, column 11, found the end of the file",
    );
    refused(
        Format::Ccgc,
        "{[C6];B(J,10)",
        "CCGC line 1, column 14: expected `;` before the next stone, or `}` to close the game opened at line 1, column 1, found the end of the file",
    );
    refused(
        Format::Ccgc,
        "{[GO]}",
        "CCGC line 1, column 3: `GO` is another game, expected `C6`, Connect6",
    );
    refused(
        Format::Ccgc,
        "{[C6];B(J10)}",
        "CCGC line 1, column 9: `(J10)` is not a cell, expected one such as `(J,10)`",
    );
    refused(
        Format::Psq,
        "Piskvorky 15x15, 0:0, 0\n8,8,0\n16,1,0\n",
        "Piskvork line 3, column 1: move 2: column 16 is off the board, expected 1 to 15",
    );
    refused(
        Format::Psq,
        "Gomoku\n",
        "Piskvork line 1, column 1: expected a line such as `Piskvorky 20x20, 0:0, 0`, found `Gomoku`",
    );
    refused(
        Format::Psq,
        "Piskvorky 15x15, 0:0, 0\n8,eight\n",
        "Piskvork line 2, column 1: move 1: expected `x,y,time`, found `8,eight`",
    );
    refused(
        Format::LittleGolem,
        "1 j10\nj10 k11\n",
        "LittleGolem line 2, column 1: expected a game number of up to 18 digits and a blank, found `j`",
    );
    refused(
        Format::LittleGolem,
        "1 j10 j10k10\n",
        "LittleGolem line 1, column 7: stone 2: J10 is already occupied by Black",
    );
    refused(
        Format::Moves,
        "J10\n\nJ10 K20\n",
        "moves line 3, column 5: stone 2: K20 is off the board, which has columns A to S and rows 1 to 19",
    );
}

#[test]
fn moves() {
    let refused = |text: &str, message: &str| {
        let error = parse_moves(text, Rules::CONNECT6).expect_err("not a game");
        assert_eq!(error.to_string(), message);
    };
    refused(
        "J10 K11 J10",
        "moves line 1, column 9: stone 3: J10 is already occupied by Black",
    );
    refused(
        "j10 t1",
        "moves line 1, column 5: stone 2: T1 is off the board, which has columns A to S and rows 1 to 19",
    );
    refused(
        "j10 k",
        "moves line 1, column 5: expected a row number after column `k`, found the end of the file",
    );
    refused(
        "j10 12",
        "moves line 1, column 5: expected a cell such as J10, found `1`",
    );
    refused(
        "j10é",
        "moves line 1, column 4: expected a cell such as J10, found `é`",
    );
    refused(
        "j0",
        "moves line 1, column 1: `j0` is not a cell, expected a column letter and a row number, such as J10",
    );
    let won = "A1 A2 A3 B1 C1 A4 A5 D1 E1 S1 S2 F1 G1";
    let error = parse_moves(won, Rules::CONNECT6)
        .expect_err("after the end")
        .to_string();
    assert!(
        error.starts_with(
            "moves line 1, column 37: stone 13: G1 comes after the end of the game: Black has won"
        ),
        "{error}"
    );
    assert_eq!(parse_moves("", Rules::CONNECT6), Ok(vec![]));
}

#[test]
fn set_ups() {
    let refused = |text: &str, message: &str| {
        let error = parse_setup(text, Rules::CONNECT6).expect_err("not a set-up");
        assert_eq!(error.to_string(), message);
    };
    refused(
        "B:J10",
        "set-up line 1, column 6: who plays next is missing, expected `to-move:B` or `to-move:W`",
    );
    refused(
        "B:J10 to-move:red",
        "set-up line 1, column 15: `red` is no side, expected B, W, black or white after `to-move:`",
    );
    refused(
        "B:J10 B:J11 to-move:W",
        "set-up line 1, column 7: `B:` is given twice",
    );
    refused(
        "R:J10 to-move:W",
        "set-up line 1, column 1: `R:` is no field, expected B:, W:, to-move: or left:",
    );
    refused(
        "to-move:W left:many",
        "set-up line 1, column 16: `many` is no number of stones, expected `left:1` or so",
    );
    refused(
        "J10 to-move:W",
        "set-up line 1, column 1: expected a field such as `B:`, `W:`, `to-move:` or `left:`, found `J`",
    );
    refused(
        "B:J10,K to-move:W",
        "set-up line 1, column 7: expected a row number after column `K`, found ` `",
    );

    let setup =
        parse_setup("left: 1 To-Move: White w: (1,2) b: a1b2", Rules::CONNECT6).expect("reads");
    assert_eq!(setup.black, [Cell::new(0, 0), Cell::new(1, 1)]);
    assert_eq!(setup.white, [Cell::new(0, 1)]);
    assert_eq!((setup.to_move, setup.left), (Side::White, Some(1)));

    let error = parse_position("B:J10,J10 W:T1 to-move:W", Rules::CONNECT6).expect_err("refused");
    assert_eq!(
        error.to_string(),
        "set-up: J10 holds two stones; White stone T1 is off the board, which has columns A to S and rows 1 to 19"
    );
    let empty = parse_position(" # nothing: yet\n", Rules::CONNECT6).expect("the empty board");
    assert_eq!(empty.stones().count(), 0);
    assert_eq!(empty.left(), 1);
}

#[test]
fn what_formats_cannot_hold() {
    let game = |rules: Rules, text: &str| {
        Record::from_moves(rules, &parse_moves(text, rules).expect("legal"))
    };
    let refused = |format: Format, records: &[Record], message: &str| {
        assert_eq!(
            write(format, records).expect_err("cannot hold").to_string(),
            message
        );
    };
    let connect6 = game(Rules::CONNECT6, "J10 K11 L12");
    refused(
        Format::Lib,
        std::slice::from_ref(&connect6),
        "RenLib files hold games with one stone per turn on 15x15, not connect6; SGF holds every game",
    );
    refused(
        Format::Psq,
        std::slice::from_ref(&connect6),
        "Piskvork files hold five in a row, one stone per turn, on a finite board, not connect6; SGF holds every game",
    );
    let gomoku = game(Rules::GOMOKU, "H8 I9");
    refused(
        Format::Ccgc,
        std::slice::from_ref(&gomoku),
        "CCGC files hold Connect6, not gomoku; SGF holds every game",
    );
    refused(
        Format::Psq,
        &[gomoku.clone(), gomoku.clone()],
        "Piskvork files hold one game, there are 2; write each to a file of its own",
    );
    let mut tree = gomoku.clone();
    let action = tree.node(tree.main_end()).action;
    tree.add(Record::ROOT, action);
    refused(
        Format::Psq,
        std::slice::from_ref(&tree),
        "Piskvork files hold one line of play, this record has variations; write SGF, or its main line only",
    );
    assert!(write(Format::Psq, &[tree.main_line()]).is_ok());
    let mut passed = gomoku.clone();
    passed.add(passed.main_end(), tengen_rules::Action::Pass(Side::Black));
    refused(
        Format::Moves,
        &[passed],
        "moves files cannot hold Black's pass after 2 stones; write SGF",
    );
    let setup = Setup {
        to_move: Side::White,
        ..Setup::empty(Rules::GOMOKU)
    };
    refused(
        Format::Lib,
        &[Record::new(setup)],
        "RenLib files start from the empty board, this record from a set-up; write SGF",
    );
    let mut named = connect6.clone();
    named.info.black = "a]b".to_owned();
    refused(
        Format::Ccgc,
        &[named],
        "CCGC files cannot hold ']' in the text `a]b B`; remove it, or write SGF",
    );
    refused(Format::Sgf, &[], "there is no game to write");
}
