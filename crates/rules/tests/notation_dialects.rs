//! Every format and dialect with an asymmetric game: flipped rows, exchanged axes and a skipped I
//! all give other cells.

use tengen_rules::notation::{Charset, Format, ReadOptions, moves_text, parse_moves, read, write};
use tengen_rules::{Action, Cell, Mark, NodeId, Placement, Record, Rules, Side};

fn suite(name: &str) -> Vec<u8> {
    let path = format!("{}/../../suites/records/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn read_suite(name: &str) -> Vec<Record> {
    let bytes = suite(name);
    let extension = name.rsplit('.').next().expect("a part");
    let format = Format::from_extension(extension).expect("known extension");
    assert_eq!(Format::detect(&bytes), Some(format), "{name}");
    read(format, &bytes, &ReadOptions::default()).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn read_text(format: Format, text: &str) -> Record {
    let options = ReadOptions::default();
    let mut records = read(format, text.as_bytes(), &options).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(records.len(), 1);
    records.remove(0)
}

fn cell(name: &str) -> Cell {
    name.parse().expect("a cell")
}

const GAME: &str = "J10 K12 C3 Q5 I9";

#[test]
fn the_same_connect6_game_in_every_format() {
    for name in [
        "connect6.moves",
        "connect6-littlegolem.sgf",
        "connect6-nctu.sgf",
        "connect6-standard.sgf",
        "connect6-gb2312.ccgc",
        "connect6.ccgc",
        "connect6.littlegolem",
    ] {
        let records = read_suite(name);
        let record = &records[0];
        assert_eq!(record.rules(), Rules::CONNECT6, "{name}");
        assert_eq!(moves_text(&record.main_moves()), GAME, "{name}");
        let position = record.position(record.main_end()).expect("legal");
        assert_eq!(position.to_move(), Side::White, "{name}");
        for (text, side) in [
            ("J10", Side::Black),
            ("C3", Side::White),
            ("I9", Side::Black),
        ] {
            assert_eq!(position.stone(cell(text)), Some(side), "{name}");
        }
    }
    assert_eq!(read_suite("connect6.moves").len(), 3);
    for record in read_suite("connect6.moves") {
        assert_eq!(moves_text(&record.main_moves()), GAME);
    }
}

#[test]
fn facts_of_connect6_files() {
    let golem = &read_suite("connect6-littlegolem.sgf")[0].info;
    assert_eq!((golem.black.as_str(), golem.white.as_str()), ("one", "two"));
    assert_eq!(golem.event, "connect6.test.1");
    assert_eq!(golem.source, "http://www.littlegolem.com");
    for name in ["connect6-gb2312.ccgc", "connect6.ccgc"] {
        let info = &read_suite(name)[0].info;
        assert_eq!((info.black.as_str(), info.white.as_str()), ("甲队", "乙队"));
        assert_eq!(info.result, "B+");
        assert_eq!(info.date, "2019.08.01 10:00");
        assert_eq!(info.place, "天津");
        assert_eq!(info.event, "全国比赛");
    }
    let lines = read_suite("connect6.littlegolem");
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0].info.source, "littlegolem 17");
    assert_eq!(lines[1].info.source, "littlegolem 18");
}

#[test]
fn set_ups() {
    let records = read_suite("connect6.setup");
    let start = &records[0].start;
    assert_eq!(moves_text(&start.black), "J10 Q5 I9");
    assert_eq!(moves_text(&start.white), "K12 C3");
    assert_eq!((start.to_move, start.left), (Side::White, None));
    let start = &records[1].start;
    assert_eq!(moves_text(&start.black), "J10 Q5");
    assert_eq!((start.to_move, start.left), (Side::Black, Some(1)));
}

#[test]
fn gomoku_sgf_counts_rows_from_the_top() {
    let record = &read_suite("gomoku.sgf")[0];
    assert_eq!(record.rules(), Rules::GOMOKU);
    assert_eq!(moves_text(&record.main_moves()), "H8 I10 C3");
    assert_eq!(record.info.result, "B+R");
    let first = record.node(record.node(Record::ROOT).children()[0]);
    assert_eq!(first.comment, "the centre");
    let [main, other] = first.children() else {
        panic!("two variations");
    };
    let main = record.node(*main);
    assert_eq!(main.labels[&cell("J9")], "A");
    assert_eq!(main.marks[&cell("I10")], Mark::Cross);
    assert_eq!(record.node(*other).name, "other");
    let white = Action::Place(Placement {
        side: Side::White,
        cell: cell("J9"),
    });
    assert_eq!(record.node(*other).action, white);
}

#[test]
fn piskvork_counts_rows_from_the_top() {
    let record = &read_suite("gomoku.psq")[0];
    assert_eq!(record.rules(), "20,20,5,1,1".parse().expect("rules"));
    assert_eq!(moves_text(&record.main_moves()), "K11 I16 C2");
    // The header says that the second player begins.
    assert_eq!(record.info.black, "pbrain-one.zip");
    assert_eq!(record.info.white, "pbrain-two.zip");
    let record = read_text(Format::Psq, "Piskvorky 7x9, 0:0, 0\n1,1\n7,9,5\n-1\n");
    assert_eq!(moves_text(&record.main_moves()), "A9 G1");
    assert_eq!(record.rules(), "7,9,5,1,1".parse().expect("rules"));
}

#[test]
fn renlib_trees() {
    for name in ["gomoku.lib", "gomoku-old.lib"] {
        let record = &read_suite(name)[0];
        assert_eq!(record.rules(), Rules::GOMOKU);
        assert_eq!(moves_text(&record.main_moves()), "H8 I10 C3", "{name}");
        let centre = record.node(record.node(Record::ROOT).children()[0]);
        let [_, other] = centre.children() else {
            panic!("two variations in {name}");
        };
        let position = record.position(*other).expect("legal");
        assert_eq!(position.stone(cell("J9")), Some(Side::White));
        assert_eq!(record.node(*other).marks[&cell("J9")], Mark::Circle);
    }
    let record = &read_suite("gomoku.lib")[0];
    let centre = record.node(NodeId(1));
    assert_eq!(centre.comment, "centre\nsecond line\nthird");
    assert_eq!(centre.labels[&cell("J9")], "A");
    let record = &read_suite("gomoku-old.lib")[0];
    assert_eq!(record.node(NodeId(1)).comment, "centre");
}

#[test]
fn renlib_details() {
    let mut bytes = b"\xffRenLib\xff\x03\x00".to_vec();
    bytes.resize(20, 0xff);
    let header = bytes.clone();
    let read_nodes = |nodes: &[u8], charset: Option<Charset>| {
        let bytes = [&header[..], nodes].concat();
        let options = ReadOptions {
            charset,
            ..ReadOptions::default()
        };
        let mut records = read(Format::Lib, &bytes, &options).unwrap_or_else(|e| panic!("{e}"));
        records.remove(0)
    };
    // A 3.0 file begins with the first move; a pass is place 0; a text without a move is a label.
    let nodes = b"\x78\x00\x00\x80\x79\x40\x7a\x43\x00\x01\xe9\x00";
    let record = read_nodes(nodes, None);
    let first = record.node(NodeId(1));
    assert_eq!(first.children().len(), 1);
    assert_eq!(record.node(NodeId(2)).action, Action::Pass(Side::White));
    assert_eq!(moves_text(&record.main_moves()), "H8 I8");
    let position = record.position(record.main_end()).expect("legal");
    assert_eq!(position.stone(cell("I8")), Some(Side::Black));
    assert_eq!(first.labels[&cell("J8")], "é");
    let cyrillic = read_nodes(nodes, Some(Charset::Windows1251));
    assert_eq!(cyrillic.node(NodeId(1)).labels[&cell("J8")], "й");
    // A header alone is an empty library.
    assert!(read_nodes(b"", None).is_empty());
}

#[test]
fn sgf_details() {
    let read_sgf = |text: &str| read_text(Format::Sgf, text);
    // A board that is not square, a set-up, who plays, and how many stones are left.
    let record = read_sgf("(;FF[4]RU[7,4,4,2,1]SZ[7:4]AB[gd]AW[A1][B2]PL[W]LEFT[1];W[aa])");
    assert_eq!(record.rules(), "7,4,4,2,1".parse().expect("rules"));
    assert_eq!(moves_text(&record.start.black), "G1");
    assert_eq!(moves_text(&record.start.white), "A1 B2");
    assert_eq!(
        (record.start.to_move, record.start.left),
        (Side::White, Some(1))
    );
    assert_eq!(moves_text(&record.main_moves()), "A4");
    // Rectangles of points, stones taken away, a move in the root, long names, a soft break.
    let record = read_sgf("(;AB[A1:B2]AE[B2];AddWhite[c3]PL[black])");
    assert_eq!(moves_text(&record.start.black), "A1 B1 A2");
    assert_eq!(moves_text(&record.start.white), "C3");
    let record = read_sgf("(;Black[j10]C[a \\\nb\\]]AR[A1:B2];W[])");
    assert_eq!(record.node(NodeId(1)).comment, "a b]");
    assert_eq!(record.node(NodeId(1)).arrows, [(cell("A1"), cell("B2"))]);
    assert_eq!(record.node(NodeId(2)).action, Action::Pass(Side::White));
    // Who plays is guessed from the first move or the stones.
    assert_eq!(
        read_sgf("(;AB[j10]AW[k10];W[l10])").start.to_move,
        Side::White
    );
    assert_eq!(read_sgf("(;AB[j10])").start.to_move, Side::White);
    assert_eq!(read_sgf("(;GM[4]AB[hh]AW[ii])").start.to_move, Side::Black);
    // The infinite board.
    let record = read_sgf("(;RU[inf,inf,6,2,1];B[(-3,0)];W[A1(2,-7)])");
    assert_eq!(moves_text(&record.main_moves()), "(-3,0) A1 (2,-7)");
    // Rules named without regard to the board.
    let record = read_sgf("(;GM[4]SZ[19]RU[gomoku-standard];B[ab])");
    assert_eq!(record.rules(), "19,19,5,1,1,exact".parse().expect("rules"));
    assert_eq!(moves_text(&record.main_moves()), "A18");
    // Several games, text around them, GB2312 by name.
    let text = b"From: me\r\n\r\n(;CA[gb2312]C[\xcf\xc8];B[j10]) (;GM[4];B[hh])\x1a";
    let records = read(Format::Sgf, text, &ReadOptions::default()).expect("two games");
    assert_eq!(records.len(), 2);
    assert_eq!(records[0].node(Record::ROOT).comment, "先");
    assert_eq!(records[1].rules(), Rules::GOMOKU);
}

#[test]
fn a_second_winning_stone_is_no_harm() {
    // White makes six from A1 to F1 with the first of two stones.
    let line = "j10 a1d1 j11j12 c1f1 m13n13 e1s18 j13k17 b1s19";
    assert!(parse_moves(line, Rules::CONNECT6).is_err());
    let golem = read_text(Format::LittleGolem, &format!("5 {line}\n"));
    let nodes: String = line
        .split(' ')
        .enumerate()
        .map(|(turn, stones)| format!(";{}[{stones}]", ["B", "W"][turn % 2]))
        .collect();
    let sgf = read_text(Format::Sgf, &format!("({nodes})"));
    for record in [golem, sgf] {
        // The record keeps the surplus stone; position and moves text have no place for it.
        assert!(moves_text(&record.main_moves()).ends_with("B1 S19"));
        let position = record.position(record.main_end()).expect("legal");
        assert!(position.outcome().is_some());
        assert_eq!(position.stone(cell("S19")), None);
        let moves = write(Format::Moves, std::slice::from_ref(&record)).expect("writes");
        assert!(moves.ends_with(b"K17 B1\n"));
        // A third stone is too many.
        let mut longer = record.clone();
        let stone = Placement {
            side: Side::White,
            cell: cell("A19"),
        };
        longer.add(longer.main_end(), Action::Place(stone));
        assert!(longer.position(longer.main_end()).is_err());
    }
}

#[test]
fn our_sgf_is_stable() {
    let record = &read_suite("gomoku.sgf")[0];
    let text = String::from_utf8(write(Format::Sgf, std::slice::from_ref(record)).expect("writes"))
        .expect("text");
    let version = env!("CARGO_PKG_VERSION");
    let expected = format!(
        "(;FF[4]CA[UTF-8]AP[tengen:{version}]GM[4]SZ[15]RU[gomoku]PB[one]PW[two]RE[B+R]\n\
         ;B[hh]C[the centre]\n(;W[if]MA[if]LB[jg:A];B[cm])\n(;W[jg]N[other]))\n"
    );
    assert_eq!(text, expected);
    let record = &read_suite("connect6-littlegolem.sgf")[0];
    let text = String::from_utf8(write(Format::Sgf, std::slice::from_ref(record)).expect("writes"))
        .expect("text");
    assert!(text.contains("GM[511]SZ[19]RU[connect6]"), "{text}");
    assert!(text.contains(";B[JJ];W[KL];W[CC];B[QE];B[II])"), "{text}");
}
