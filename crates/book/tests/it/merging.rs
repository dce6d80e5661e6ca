//! Merging: nothing is lost, twice is once, and the order does not matter.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tengen_book::{Book, ImportOptions, Source};
use tengen_rules::Side;
use tengen_rules::notation::Format;

use crate::sample::{WIN, WRONG, book, connect6, lines, search};

/// Something that somebody adds to a book.
#[derive(Debug, Clone)]
enum Change {
    Turn(usize, usize),
    Name(usize, u8, u8),
    Comment(usize, u8, u8),
    Opinion(usize, u8, u8),
    Claim(usize, bool, u8),
    Proof(bool),
    Game(u8, u8),
}

const POSITIONS: [&str; 6] = [
    "-",
    "J10",
    "J10 I8 H9",
    "J10 K12 L11",
    "J10 H8 L8",
    "B:J10 W:I8 to-move:W left:1",
];
const TURNS: [&str; 4] = ["K11 L10", "A1 B2", "C3", "S19 A1"];
const GAMES: [&str; 4] = ["j10 i8h9", "j10 k12l11 a1a2", "j10 h8l8", "c3"];

fn change() -> impl Strategy<Value = Change> {
    let place = 0..POSITIONS.len();
    prop_oneof![
        (place.clone(), 0..TURNS.len()).prop_map(|(p, t)| Change::Turn(p, t)),
        (place.clone(), 0..3_u8, 0..2_u8).prop_map(|(p, n, s)| Change::Name(p, n, s)),
        (place.clone(), 0..3_u8, 0..2_u8).prop_map(|(p, n, s)| Change::Comment(p, n, s)),
        (place.clone(), 0..3_u8, 0..2_u8).prop_map(|(p, n, s)| Change::Opinion(p, n, s)),
        (place, any::<bool>(), 0..2_u8).prop_map(|(p, b, s)| Change::Claim(p, b, s)),
        any::<bool>().prop_map(Change::Proof),
        (0..GAMES.len() as u8, 0..3_u8).prop_map(|(g, n)| Change::Game(g, n)),
    ]
}

fn source(number: u8) -> Source {
    Source::named(format!("source {number}"))
}

fn apply(book: &Book, change: &Change) {
    let done = match *change {
        // Some of them cannot be played; then nothing happens.
        Change::Turn(place, turn) => {
            let turn = TURNS[turn].parse().expect("cells");
            let _ = book.add_turn(&connect6(POSITIONS[place]), &turn);
            Ok(())
        }
        Change::Name(place, name, by) => {
            let name = format!("name {name}");
            book.add_name(&connect6(POSITIONS[place]), &name, "en", &source(by))
        }
        Change::Comment(place, text, by) => {
            let text = format!("text {text}");
            book.add_comment(&connect6(POSITIONS[place]), &text, "", &source(by))
        }
        Change::Opinion(place, verdict, by) => {
            let score = (verdict > 0).then_some(i64::from(verdict));
            let verdict = format!("B{verdict}");
            book.add_opinion(&connect6(POSITIONS[place]), &verdict, score, &source(by))
        }
        Change::Claim(place, black, by) => {
            let winner = if black { Side::Black } else { Side::White };
            book.add_claim(&connect6(POSITIONS[place]), winner, &source(by))
        }
        Change::Proof(right) => book.add_proof(if right { WIN } else { WRONG }).map(|_| ()),
        Change::Game(moves, number) => {
            let text = format!("{number} {}", GAMES[usize::from(moves)]);
            let options = ImportOptions::default();
            book.import(text.as_bytes(), Format::LittleGolem, &options)
                .map(|_| ())
        }
    };
    done.expect("legal");
}

fn built(changes: &[Change]) -> Book {
    let book = book();
    for change in changes {
        apply(&book, change);
    }
    book
}

fn copy(original: &Book) -> Book {
    let copy = book();
    copy.import_lines(lines(original).as_bytes())
        .expect("our own lines");
    copy
}

/// The lines without times, which merging brings together.
fn timeless(text: &str) -> BTreeSet<String> {
    let mut facts = BTreeSet::new();
    for line in text.lines() {
        let mut fact: serde_json::Value = serde_json::from_str(line).expect("JSON");
        for time in ["at", "checked", "added"] {
            fact.as_object_mut().expect("an object").remove(time);
        }
        facts.insert(fact.to_string());
    }
    facts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn nothing_is_lost_and_the_order_does_not_matter(
        a in prop::collection::vec(change(), 0..12),
        b in prop::collection::vec(change(), 0..12),
    ) {
        let (a, b) = (built(&a), built(&b));
        let (a_lines, b_lines) = (lines(&a), lines(&b));
        let (ab, ba) = (copy(&a), copy(&b));
        prop_assert_eq!(lines(&ab), a_lines.clone(), "a copy");
        ab.merge(&b).expect("a book");
        ba.merge(&a).expect("a book");
        let both = lines(&ab);
        prop_assert_eq!(&both, &lines(&ba), "commutative");
        let merged = timeless(&both);
        for fact in timeless(&a_lines).union(&timeless(&b_lines)) {
            // A turn or a position may be implied by what the other book has.
            let implied = fact.contains("\"fact\":\"turn\"") || fact.contains("\"fact\":\"position\"");
            // A game may have more sources now; these have one each.
            prop_assert!(merged.contains(fact) || implied, "{} is lost", fact);
        }
        let sum = |book: &Book| book.info().expect("readable");
        prop_assert!(sum(&ab).turns >= sum(&a).turns.max(sum(&b).turns));
        prop_assert!(sum(&ab).positions >= sum(&a).positions.max(sum(&b).positions));
        ab.merge(&b).expect("a book");
        ab.merge(&a).expect("a book");
        prop_assert_eq!(&lines(&ab), &both, "idempotent");
        a.merge(&copy(&a)).expect("a book");
        prop_assert_eq!(lines(&a), a_lines, "with itself");
    }
}

/// The journals without their names.
fn journals(book: &Book) -> BTreeSet<(String, Vec<String>)> {
    let searches = book.searches().expect("readable");
    searches
        .into_iter()
        .map(|search| {
            let events = book.events(search.id, 0);
            let events = events.map(|event| event.expect("readable").1).collect();
            (search.title, events)
        })
        .collect()
}

fn append(book: &Book, events: &[&str]) {
    let id = book.searches().expect("readable")[0].id;
    let lease = book.take_lease(id).expect("free");
    book.append(&lease, events, &[]).expect("ours");
    book.release(lease).expect("ours");
}

#[test]
fn a_longer_journal_is_taken_over_and_two_ways_are_both_kept() {
    let ours = book();
    search(&ours);
    append(&ours, &["1", "2"]);
    let theirs = copy(&ours);
    append(&theirs, &["3", "4"]);
    ours.merge(&theirs).expect("a book");
    assert_eq!(journals(&ours), journals(&theirs), "theirs went on");
    theirs.merge(&copy(&ours)).expect("a book");
    assert_eq!(journals(&ours), journals(&theirs), "nothing new");

    append(&ours, &["5"]);
    append(&theirs, &["6", "7"]);
    let (before_ours, before_theirs) = (copy(&ours), copy(&theirs));
    ours.merge(&before_theirs).expect("a book");
    theirs.merge(&before_ours).expect("a book");
    let both: BTreeSet<_> = journals(&before_ours)
        .union(&journals(&before_theirs))
        .cloned()
        .collect();
    assert_eq!(both.len(), 2);
    assert_eq!(journals(&ours), both);
    assert_eq!(journals(&theirs), both);
    ours.merge(&before_theirs).expect("a book");
    assert_eq!(journals(&ours), both, "twice is once");
}

#[test]
fn a_search_that_runs_is_not_changed_from_outside() {
    let ours = book();
    search(&ours);
    append(&ours, &["1"]);
    let theirs = copy(&ours);
    append(&theirs, &["2"]);
    let lease = ours
        .take_lease(ours.searches().expect("readable")[0].id)
        .expect("free");
    let error = ours.merge(&theirs).expect_err("it runs");
    assert!(error.to_string().contains("is run by process"), "{error}");
    assert_eq!(journals(&ours).len(), 1);
    ours.release(lease).expect("ours");
    ours.merge(&theirs).expect("free");
    assert_eq!(journals(&ours), journals(&theirs));
}
