//! Trees of other programs in and out.

use tengen_book::{Book, ImportOptions};
use tengen_rules::notation::{self, Format, ReadOptions};

use crate::sample::{book, connect6, tester};

fn import(book: &Book, text: &[u8], format: Format) -> tengen_book::Imported {
    let options = ImportOptions {
        source: tester(),
        language: "en".to_owned(),
        ..ImportOptions::default()
    };
    book.import(text, format, &options).expect("a file")
}

#[test]
fn a_tree_keeps_its_names_comments_and_marks() {
    let book = book();
    let sgf = "(;GM[511];B[JJ]C[the centre](;W[IH]C[half a turn];W[HI]N[d21]LB[KK:A]TR[LJ]\
               ;B[KK];B[LJ]C[strong])(;W[IH];W[HH]))";
    let found = import(&book, sgf.as_bytes(), Format::Sgf);
    assert_eq!((found.games, found.names, found.comments), (0, 1, 4));
    assert!(found.left_out.is_empty(), "{:?}", found.left_out);
    // Asked about a turned position, marks are turned too; the text is not, and says for what it was written.
    let turned = connect6("J10 K12 L11");
    let entry = book.lookup(&turned).expect("readable");
    assert_eq!(entry.opening.as_deref(), Some("TX-d21"));
    assert_eq!(entry.names[0].name, "d21");
    assert_eq!(
        entry.comments[0].marks.labels,
        [("I9".to_owned(), "A".to_owned())]
    );
    assert!(!entry.comments[0].speaks_of(&turned));
    assert!(entry.comments[0].speaks_of(&connect6("J10 I8 H9")));
    // The position is its own mirror image: this turn stands for H10 I9 too.
    assert_eq!(entry.turns[0].turn.to_string(), "I9 J8");
    assert_eq!(entry.turns[0].comments, 1);
    let half = connect6("B:J10 W:I8 to-move:W left:1");
    assert_eq!(
        book.lookup(&half).expect("readable").comments[0].text,
        "half a turn"
    );
}

#[test]
fn an_exported_tree_has_everything_a_tree_can_hold() {
    let first = book();
    let sgf = "(;GM[511];B[JJ]C[the centre](;W[IH]C[half a turn];W[HI]N[d21]LB[KK:A]\
               ;B[KK];B[LJ]C[strong])(;W[IH];W[HH]))";
    import(&first, sgf.as_bytes(), Format::Sgf);
    let trees = first.export_trees().expect("readable");
    assert_eq!(trees.len(), 1);
    let bytes = notation::write(Format::Sgf, &trees).expect("SGF");
    let second = book();
    import(&second, &bytes, Format::Sgf);
    let facts = |book: &Book| {
        let info = book.info().expect("readable");
        (info.positions, info.turns, info.names, info.comments)
    };
    assert_eq!(facts(&first), facts(&second));
    for moves in ["J10", "J10 I8 H9", "J10 I8 H9 K11 L10"] {
        let texts = |book: &Book| {
            let entry = book.lookup(&connect6(moves)).expect("readable");
            let texts: Vec<String> = entry.comments.into_iter().map(|c| c.text).collect();
            texts
        };
        assert_eq!(texts(&first).len(), 1, "{moves}");
        let [one] = &texts(&second)[..] else {
            panic!("one comment on {moves}");
        };
        assert!(texts(&first)[0].contains(one.as_str()), "{moves}: {one}");
    }
}

#[test]
fn renlib_libraries_go_in_and_out() {
    let first = book();
    let sgf = "(;GM[4]SZ[15]RU[gomoku];B[hh]C[centre](;W[ii];B[gg]C[a])(;W[hi];B[hg]))";
    let options = ReadOptions {
        rules: Some(tengen_rules::Rules::GOMOKU),
        charset: None,
    };
    let records = notation::read(Format::Sgf, sgf.as_bytes(), &options).expect("SGF");
    let library = notation::write(Format::Lib, &records).expect("a library");
    let found = import(&first, &library, Format::Lib);
    assert_eq!(
        (found.games, found.comments, found.left_out.len()),
        (0, 2, 0)
    );
    let empty = tengen_book::start("gomoku", "-").expect("legal");
    let tree = first.export_tree(&empty).expect("readable");
    let again = notation::write(Format::Lib, &[tree]).expect("a library");
    let second = book();
    import(&second, &again, Format::Lib);
    let facts = |book: &Book| {
        let info = book.info().expect("readable");
        (info.positions, info.turns, info.comments)
    };
    assert_eq!(facts(&first), facts(&second));
    assert_eq!(facts(&first).2, 2);
}

#[test]
fn what_cannot_be_played_is_left_out_and_told() {
    let book = book();
    let sgf =
        "(;GM[511];B[JJ];W[JJ];W[KK])(;GM[511];B[JJ];B[KK])(;GM[511];B[JJ];W[KK];W[LL]C[fine])";
    let found = import(&book, sgf.as_bytes(), Format::Sgf);
    assert_eq!(found.left_out.len(), 2, "{:?}", found.left_out);
    assert!(
        found.left_out[0].starts_with("game 1: "),
        "{:?}",
        found.left_out
    );
    assert_eq!(found.comments, 1);
    assert!(
        book.import(b"(;", Format::Sgf, &ImportOptions::default())
            .is_err()
    );
}
