//! What studies and proofs add: opinions, places, openings.

use rusqlite::params;
use tengen_rules::notation::setup_text;

use super::{Fresh, position};
use crate::api::{Certainty, Explored, ExploredTurn, Opening, Place, PlaceKind, Side};
use crate::games::{explore, openings, places};
use tengen_rules::position_key;

impl Fresh {
    fn proof(&self, moves: &str, attacker: &str, state: &str) -> u32 {
        let start = position(moves);
        let side = if start.to_move() == tengen_rules::Side::Black {
            "black"
        } else {
            "white"
        };
        let insert = |transaction: &rusqlite::Transaction<'_>| {
            transaction.execute(
                "INSERT INTO proofs (title, rules, position, attacker, to_move, nodes, turns, state, created, key, file)
                 VALUES ('a proof', 'connect6', ?, ?, ?, 1, 5, ?, 0, ?, x'')",
                params![setup_text(&start.to_setup()), attacker, side, state, position_key(&start).0],
            )?;
            Ok(transaction.last_insert_rowid() as u32)
        };
        self.database.write_now(insert).expect("a proof")
    }

    /// A study that is one line of turns, each with the opinion given.
    fn study(&self, title: &str, turns: &[(&str, Option<&str>)]) {
        let insert = |transaction: &rusqlite::Transaction<'_>| {
            transaction.execute(
                "INSERT INTO studies (title, rules, created, updated) VALUES (?, 'connect6', 0, 0)",
                [title],
            )?;
            let study = transaction.last_insert_rowid();
            let mut moves = String::new();
            for (id, (turn, opinion)) in (0_u32..).zip([("", None)].iter().chain(turns)) {
                moves = format!("{moves} {turn}");
                let key = position_key(&position(&moves)).0;
                let parent = id.checked_sub(1);
                transaction.execute(
                    "INSERT INTO nodes (study, id, parent, turn, opinion, key) VALUES (?, ?, ?, ?, ?, ?)",
                    params![study, id, parent, turn, opinion, key],
                )?;
            }
            Ok(())
        };
        self.database.write_now(insert).expect("a study");
    }

    fn explore(&self, moves: &str) -> Explored {
        let position = position(moves);
        let explored = |connection: &_| explore::explore(connection, &position, None);
        self.database.read_now(explored).expect("explored")
    }

    fn only_turn(&self, moves: &str) -> ExploredTurn {
        let mut turns = self.explore(moves).turns;
        assert_eq!(turns.len(), 1, "{turns:?}");
        turns.remove(0)
    }

    fn places(&self, moves: &str, from: (Option<u32>, Option<u32>)) -> Vec<Place> {
        let position = position(moves);
        let places = |connection: &_| places::places(connection, &position, from);
        self.database.read_now(places).expect("places")
    }

    fn openings(&self) -> Vec<Opening> {
        self.database.read_now(openings::list).expect("openings")
    }
}

const LIKELY: &str =
    r#"{"certainty":"likely","side":"white","black":0.2,"turns":null,"grade":2,"proof":null}"#;

fn proved_by(proof: u32) -> String {
    LIKELY
        .replace("likely", "proved")
        .replace(r#""proof":null"#, &format!(r#""proof":{proof}"#))
}

#[test]
fn only_verified_proofs_prove() {
    for (state, proves) in [
        ("verified", true),
        ("verified-except", false),
        ("unverified", false),
        ("checking", false),
        ("rejected", false),
        ("undecided", false),
    ] {
        let fresh = Fresh::new();
        fresh.import("J10 K12 L11\n");
        let proof = fresh.proof("J10 I8 H9", "black", state);
        let opinion = fresh.only_turn("J10").opinion;
        assert_eq!(opinion.is_some(), proves, "{state}");
        if let Some(opinion) = opinion {
            assert_eq!(
                (opinion.certainty, opinion.side),
                (Certainty::Proved, Some(Side::Black))
            );
            assert_eq!(
                (opinion.proof, opinion.turns, opinion.black),
                (Some(proof), Some(5), 1.0)
            );
        }
    }
}

#[test]
fn an_equal_key_alone_proves_nothing() {
    let fresh = Fresh::new();
    fresh.import("J10 I8 H9\n");
    fresh.proof("J10 A1 A2", "black", "verified");
    let wrong = position_key(&position("J10 I8 H9")).0;
    let forge = |transaction: &rusqlite::Transaction<'_>| {
        transaction.execute("UPDATE proofs SET key = ?", [wrong])?;
        Ok(())
    };
    fresh.database.write_now(forge).expect("another key");
    assert_eq!(fresh.only_turn("J10").opinion, None);
    assert!(
        fresh
            .places("J10 I8 H9", (None, None))
            .iter()
            .all(|place| place.kind != PlaceKind::Proof)
    );
}

#[test]
fn studies_have_opinions_and_proofs_are_preferred() {
    let fresh = Fresh::new();
    fresh.study("mine", &[("J10", None), ("H11 I12", Some(LIKELY))]);
    let turn = fresh.only_turn("J10");
    assert_eq!(turn.games, 0, "known, not played");
    assert_eq!(
        turn.opinion.expect("the study's").certainty,
        Certainty::Likely
    );
    fresh.proof("J10 I8 H9", "black", "verified");
    assert_eq!(
        fresh.only_turn("J10").opinion.expect("the proof's").side,
        Some(Side::Black)
    );
}

#[test]
fn a_study_cannot_claim_a_proof_that_is_not_there() {
    let fresh = Fresh::new();
    let proof = fresh.proof("J10 A1 B1", "white", "rejected");
    fresh.study(
        "none",
        &[
            ("J10", None),
            ("I8 H9", Some(&LIKELY.replace("likely", "proved"))),
        ],
    );
    fresh.study(
        "rejected",
        &[("J10", None), ("I8 H9", Some(&proved_by(proof)))],
    );
    fresh.study("broken", &[("J10", None), ("I8 H9", Some("{}"))]);
    assert_eq!(fresh.explore("J10").turns, []);
    let verified = fresh.proof("J10 A1 C1", "white", "verified");
    fresh.study(
        "of another position",
        &[("J10", None), ("I8 H9", Some(&proved_by(verified)))],
    );
    let turns = fresh.explore("J10").turns;
    assert_eq!(
        turns.len(),
        1,
        "the proof's own, not the study's: {turns:?}"
    );
    fresh.proof("J10 I8 H9", "white", "verified");
    let turns = fresh.explore("J10").turns;
    assert_eq!(turns.len(), 2, "now it is proved: {turns:?}");
}

#[test]
fn turns_that_lead_to_proofs_are_found_without_games() {
    let fresh = Fresh::new();
    fresh.proof("J10 K12 L11 K9 L10", "black", "verified");
    let turn = fresh.only_turn("J10 I8 H9");
    assert_eq!((turn.games, turn.turn.join(" ")), (0, "H10 I11".to_owned()));
    assert!(turn.opinion.is_some());
    assert_eq!(fresh.explore("J10").turns, [], "two turns away");
}

#[test]
fn places_are_studies_then_proofs_then_games() {
    let fresh = Fresh::new();
    fresh.import("J10 I8 H9\nJ10 K12 L11 A1 A2\n");
    fresh.study("first", &[("J10", None), ("I8 H9", None)]);
    fresh.study("second", &[("J10", None), ("H11 I12", None)]);
    let proof = fresh.proof("J10 I8 H9", "black", "rejected");
    let places = fresh.places("J10 I8 H9", (Some(2), Some(1)));
    let told: Vec<(PlaceKind, u32, u32, bool)> = places
        .iter()
        .map(|place| (place.kind, place.id, place.at, place.turned))
        .collect();
    assert_eq!(
        told,
        [
            (PlaceKind::Study, 2, 2, true),
            (PlaceKind::Study, 1, 2, false),
            (PlaceKind::Proof, proof, 0, false),
            (PlaceKind::Game, 2, 2, true),
            (PlaceKind::Game, 1, 2, false),
        ]
    );
    assert_eq!(
        (places[0].title.as_str(), places[2].note.as_str()),
        ("second", "rejected")
    );
    let others = fresh.places("J10 I8 H9", (Some(1), Some(2)));
    assert_eq!(
        others.len(),
        places.len() - 1,
        "the node asked from is left out"
    );
    assert!(
        others
            .iter()
            .all(|place| (place.kind, place.id) != (PlaceKind::Study, 1))
    );
}

#[test]
fn openings_are_counted_by_name() {
    let fresh = Fresh::new();
    fresh.import("J10 I8 H9\nJ10 K12 L11\nJ10 H8 L8\nJ10 A1 S19\nK10 I8 H9\nJ10 I8\n");
    let verified = fresh.proof("J10 I8 H12 L10 K11", "black", "verified");
    fresh.proof("J10 J9 K12", "black", "undecided");
    let openings = fresh.openings();
    let told: Vec<(&str, &str, u32)> = openings
        .iter()
        .map(|opening| (opening.name.as_str(), opening.moves.as_str(), opening.games))
        .collect();
    assert_eq!(
        told,
        [
            ("TX-d21", "J10 I8 H9", 2),
            ("XX-b22", "J10 H8 L8", 1),
            ("TX-q22", "J10 I8 H12", 0),
        ]
    );
    assert_eq!(openings[0].opinion, None);
    let won = openings[2].opinion.as_ref().expect("proved");
    assert_eq!(
        (won.side, won.proof, won.turns),
        (Some(Side::Black), Some(verified), Some(6))
    );
}
