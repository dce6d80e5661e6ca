//! JSON lines: a book comes back exactly, and what is wrong is told with its line.

use tengen_book::{Book, CheckedProof, ImportOptions, Source};
use tengen_rules::Side;
use tengen_rules::notation::Format;

use crate::sample::{WIN, WRONG, book, connect6, lines, search, tester};

/// A book with some of everything.
fn full() -> Book {
    let book = book();
    let opening = connect6("J10 K12 L11");
    let source = Source {
        name: "\"quoted\"\nname".to_owned(),
        url: "https://example.org/?a=b&c".to_owned(),
        licence: "CC-BY-4.0".to_owned(),
    };
    book.add_source(&Source::named("unused")).expect("a source");
    book.add_position(&connect6("J10 A1 B1"))
        .expect("a position");
    book.add_turn(&opening, &"K11 L10".parse().expect("a turn"))
        .expect("legal");
    book.add_name(&opening, "Mickey Mouse", "en", &source)
        .expect("a name");
    book.add_comment(&opening, "K11 is better\n\u{1f42d}", "en", &source)
        .expect("a comment");
    book.add_comment(&opening, "更好", "zh-Hans", &tester())
        .expect("a comment");
    book.add_opinion(&opening, "B4", Some(-12), &source)
        .expect("an opinion");
    book.add_opinion(&opening, "stable", None, &tester())
        .expect("an opinion");
    book.add_claim(&opening, Side::Black, &source)
        .expect("a claim");
    for text in [WIN, WRONG] {
        book.add_proof(text).expect("a proof");
    }
    let options = ImportOptions {
        source: tester(),
        language: "de".to_owned(),
        ..ImportOptions::default()
    };
    let games = b"1 j10 i8h9 k11l10\n2 j10 i8h8\n";
    book.import(games, Format::LittleGolem, &options)
        .expect("games");
    let tree = "(;GM[511];B[JJ]C[Mitte]LB[IH:A];W[IH]N[halb];W[HI]C[ganz]TR[KK])";
    book.import(tree.as_bytes(), Format::Sgf, &options)
        .expect("a tree");
    let lease = book.take_lease(search(&book)).expect("free");
    let proof = CheckedProof::check(WIN).expect("a proof");
    book.append(&lease, &["{\"n\": 1}", "[1,  2]"], &[proof])
        .expect("ours");
    book.set_snapshot(lease.search(), "{\"nodes\":2}")
        .expect("JSON");
    book.post_command(lease.search(), "{\"exclude\":\"K9\"}")
        .expect("JSON");
    book.release(lease).expect("ours");
    book
}

#[test]
fn a_book_comes_back_exactly() {
    let original = full();
    let text = lines(&original);
    let copy = book();
    copy.import_lines(text.as_bytes()).expect("our own lines");
    assert_eq!(lines(&copy), text);
    let again = copy.import_lines(text.as_bytes()).expect("our own lines");
    assert_eq!((again.proofs, again.games), (0, 0));
    assert_eq!(lines(&copy), text, "twice is once");
    let (mut ours, mut theirs) = (original.info(), copy.info());
    for info in [&mut ours, &mut theirs] {
        info.as_mut().expect("readable").bytes = 0;
    }
    assert_eq!(ours.expect("readable"), theirs.expect("readable"));
    for kind in [
        "book", "source", "position", "turn", "name", "comment", "opinion", "claim", "proof",
        "game", "search", "event", "command",
    ] {
        assert!(text.contains(&format!("{{\"fact\":\"{kind}\"")), "{kind}");
    }
}

#[test]
fn wrong_lines_are_told_by_number_and_change_nothing() {
    let head = "{\"fact\":\"book\",\"version\":1}\n";
    let good = "{\"fact\":\"position\",\"rules\":\"connect6\",\"position\":\"J10\"}\n";
    for (line, expected) in [
        ("{\"fact\":\"poem\"}", "unknown variant `poem`"),
        (
            "{\"fact\":\"turn\",\"rules\":\"connect6\"}",
            "missing field",
        ),
        ("not JSON", "expected a fact"),
        (
            "{\"fact\":\"position\",\"rules\":\"connect6\",\"position\":\"J10 J10\"}",
            "J10",
        ),
        (
            "{\"fact\":\"position\",\"rules\":\"chess\",\"position\":\"J10\"}",
            "chess",
        ),
        (
            "{\"fact\":\"turn\",\"rules\":\"connect6\",\"position\":\"J10\",\"turn\":\"Z99 A1\"}",
            "Z99",
        ),
        (
            "{\"fact\":\"claim\",\"rules\":\"connect6\",\"position\":\"J10\",\"winner\":\"red\",\"at\":1}",
            "`red` is no side",
        ),
        (
            "{\"fact\":\"event\",\"search\":\"00000000000000000000000000000000\",\"number\":1,\"event\":\"1\"}",
            "no line of its own",
        ),
        ("{\"fact\":\"book\",\"version\":1}", "only the first line"),
        (
            "{\"fact\":\"position\",\"rules\":\"connect6\",\"position\":\"J10\",\"extra\":1}",
            "extra",
        ),
    ] {
        let book = book();
        let text = format!("{head}{good}\n{line}\n");
        let error = book.import_lines(text.as_bytes()).expect_err(line);
        let told = error.to_string();
        assert!(
            told.starts_with("line 4: ") && told.contains(expected),
            "{told}"
        );
        assert_eq!(book.info().expect("readable").positions, 0, "{line}");
    }
    let told = |text: &str| {
        book()
            .import_lines(text.as_bytes())
            .expect_err(text)
            .to_string()
    };
    assert!(told("").contains("empty"));
    assert!(told(good).starts_with("line 1: expected `{\"fact\":\"book\""));
    assert!(told("{\"fact\":\"book\",\"version\":7}").contains("version 7"));
}

#[test]
fn cut_and_garbled_lines_never_panic() {
    let text = lines(&full()).into_bytes();
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..60 {
        let mut garbled = text[..random.usize(..text.len())].to_vec();
        for _ in 0..random.usize(..3) {
            if let Some(byte) = random.choice(0..garbled.len()) {
                garbled[byte] = random.u8(..);
            }
        }
        // Any answer is fine.
        let _ = book().import_lines(&garbled);
    }
}
