//! What is proved is what the checker has verified, and nothing else.

use tengen_book::{Book, CheckedProof, Error, ProofId, ProofState};
use tengen_rules::Side;

use crate::sample::{Folder, WIN, WRONG, book, connect6, lines, tester};

#[test]
fn a_verified_proof_proves_its_position_in_every_orientation() {
    let book = book();
    let stored = book.add_proof(WIN).expect("a proof");
    assert!(stored.new && stored.proof.is_win());
    assert_eq!(stored.proof.first, Some("D2".parse().expect("a turn")));
    assert!(!book.add_proof(WIN).expect("a proof").new);
    for setup in [
        "B:B2,C2 W:B5,C5 to-move:B",
        "B:D2,E2 W:D5,E5 to-move:B",
        "B:B5,C5 W:B2,C2 to-move:B",
        "B:B2,B3 W:E2,E3 to-move:B",
    ] {
        let position = tengen_book::start("6,6,4,1,1", setup).expect("legal");
        let proved = book.proved(&position).expect("readable");
        assert_eq!(proved, Some((Side::Black, ProofId::of(WIN))), "{setup}");
    }
    for other in [
        "B:B2,C2 W:B5,C5 to-move:W",
        "B:B2,C2 W:B5,D5 to-move:B",
        "B:B5,C5 W:B2,C2 to-move:W",
    ] {
        let position = tengen_book::start("6,6,4,1,1", other).expect("legal");
        assert_eq!(book.proved(&position).expect("readable"), None, "{other}");
    }
}

#[test]
fn claims_opinions_and_wrong_proofs_prove_nothing() {
    let book = book();
    let position = tengen_book::start("6,6,4,1,1", "B:B2,C2 W:B5,C5 to-move:B").expect("legal");
    book.add_claim(&position, Side::Black, &tester())
        .expect("a claim");
    book.add_opinion(&position, "black-wins", Some(99), &tester())
        .expect("an opinion");
    let stored = book.add_proof(WRONG).expect("a claim that can be read");
    assert_eq!(stored.proof.state, ProofState::Rejected);
    assert!(!stored.proof.reason.is_empty());
    let entry = book.lookup(&position).expect("readable");
    assert_eq!(entry.proved, None);
    assert_eq!((entry.claims.len(), entry.opinions.len()), (1, 1));
    for text in [
        "",
        "hello",
        "tengen-proof 1\nrules chess\n",
        "tengen-proof 1\n",
    ] {
        let refused = book.add_proof(text);
        assert!(matches!(refused, Err(Error::Proof(_))), "{text}");
    }
    assert_eq!(book.info().expect("readable").proved, 0);
}

#[test]
fn exceptions_are_no_win() {
    let text = include_str!("../../../../suites/proofs/partial.proof");
    let book = book();
    let stored = book.add_proof(text).expect("a proof");
    assert_eq!(stored.proof.state, ProofState::VerifiedExcept);
    assert!(!stored.proof.open.is_empty());
    let proof = CheckedProof::check(text).expect("a proof");
    assert!(!proof.proves(proof.position(), proof.attacker()));
    assert_eq!(book.proved(proof.position()).expect("readable"), None);
}

#[test]
fn lines_that_call_a_wrong_proof_verified_are_not_believed() {
    let honest = book();
    honest.add_proof(WRONG).expect("a claim that can be read");
    let lies = lines(&honest).replace("\"state\":\"rejected\"", "\"state\":\"verified\"");
    assert!(lies.contains("\"state\":\"verified\""));
    let book = book();
    let merged = book.import_lines(lies.as_bytes()).expect("lines");
    assert_eq!((merged.proofs, merged.refused.len()), (1, 1));
    assert_eq!(book.info().expect("readable").proved, 0);
    let changed = lines(&honest).replace("0 F6", "0 D2");
    let error = book
        .import_lines(changed.as_bytes())
        .expect_err("another text");
    assert!(
        error.to_string().contains("it was changed or cut"),
        "{error}"
    );
}

#[test]
fn a_check_demotes_what_was_tampered_with() {
    let folder = Folder::new("book_tampered");
    let path = folder.path("my.book");
    let book = Book::open(&path).expect("a book");
    book.add_proof(WIN).expect("a proof");
    book.add_proof(WRONG).expect("a claim that can be read");
    let report = book.check(&mut |_, _| true).expect("readable");
    assert_eq!((report.proofs, report.verified, report.demoted), (2, 1, 0));
    let vandal = rusqlite::Connection::open(&path).expect("a file");
    vandal
        .execute("UPDATE proofs SET state = 'verified', reason = ''", [])
        .expect("a lie");
    let report = book.check(&mut |_, _| true).expect("readable");
    assert_eq!(
        (report.verified, report.demoted, report.failed.len()),
        (1, 1, 1)
    );
    vandal
        .execute(
            "UPDATE proofs SET text = x'00' WHERE state = 'verified'",
            [],
        )
        .expect("damage");
    let report = book.check(&mut |_, _| true).expect("readable");
    assert_eq!(
        (report.verified, report.demoted, report.failed.len()),
        (0, 1, 2)
    );
    assert_eq!(book.info().expect("readable").proved, 0);

    // What can be read can still be taken elsewhere, and a copy that is whole mends it.
    let exported = book.export_lines(&mut Vec::new()).expect("the rest");
    assert_eq!(exported.unreadable.len(), 1);
    let whole = Book::open(folder.path("whole.book")).expect("a book");
    let merged = whole.merge(&book).expect("the rest");
    assert_eq!((merged.proofs, merged.unreadable.len()), (1, 1));
    whole.add_proof(WIN).expect("a proof");
    let merged = book.merge(&whole).expect("a book");
    assert_eq!((merged.proofs, merged.unreadable.len()), (0, 0));
    assert_eq!(book.info().expect("readable").proved, 1);
    let text = book.proof_text(ProofId::of(WIN)).expect("mended");
    assert_eq!(text.as_deref(), Some(WIN));
    vandal
        .execute(
            "UPDATE proofs SET text = x'00' WHERE state = 'verified'",
            [],
        )
        .expect("damage");

    let stopped = book.check(&mut |done, _| done < 1).expect("readable");
    assert_eq!((stopped.proofs, stopped.complete), (1, false));
}

#[test]
fn turns_show_what_is_proved_after_them() {
    let book = book();
    let stored = book.add_proof(WIN).expect("a proof");
    let start = tengen_book::start("6,6,4,1,1", "B:B2,C2 W:B5 to-move:W").expect("legal");
    book.add_turn(&start, &"C5".parse().expect("a turn"))
        .expect("legal");
    let entry = book.lookup(&start).expect("readable");
    assert_eq!(entry.turns.len(), 1);
    assert_eq!(entry.turns[0].turn, "C5".parse().expect("a turn"));
    assert_eq!(entry.turns[0].proved, Some((Side::Black, stored.proof.id)));
    let mover = connect6("J10 I8 H9");
    assert!(
        book.add_turn(&mover, &"J10 K10".parse().expect("cells"))
            .is_err()
    );
    assert!(
        book.add_turn(&mover, &"A1 A2 A3".parse().expect("cells"))
            .is_err()
    );
}

#[test]
fn giving_up_says_nothing_against_a_proof() {
    let book = book();
    book.add_proof(WIN).expect("a proof");
    let limits = tengen_checker::Limits {
        nodes: Some(0),
        ..tengen_checker::Limits::default()
    };
    let tired = CheckedProof::check_within(WIN, &limits).expect("a claim");
    assert_eq!(tired.state(), ProofState::Undecided);
    assert!(!tired.proves(tired.position(), Side::Black));
    assert!(book.add_checked(&tired).expect("known").proof.is_win());
    let fresh = crate::sample::book();
    assert!(!fresh.add_checked(&tired).expect("kept").proof.is_win());
    assert!(
        fresh
            .add_proof(WIN)
            .expect("checked to the end")
            .proof
            .is_win()
    );
}
