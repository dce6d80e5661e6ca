//! Files into the database: all of it, in parts, and what cannot be read.

use tengen_rules::Rules;

use super::{Fresh, file_of, random_games};
use crate::api::JobOutcome;
use crate::database::games::{self, Filter};
use crate::error::Failure;
use crate::games::import;

fn imported(outcome: JobOutcome) -> (u32, u32, Vec<String>) {
    match outcome {
        JobOutcome::Imported {
            games,
            refused,
            reasons,
            ..
        } => (games, refused, reasons),
        other => panic!("not an import: {other:?}"),
    }
}

/// Everything about games and positions except their numbers.
fn stored(fresh: &Fresh) -> Vec<(String, u32, String, Vec<u8>)> {
    let query =
        "SELECT moves, turn, next, key FROM positions JOIN games ON id = game ORDER BY id, turn";
    let rows = |connection: &rusqlite::Connection| {
        let mut statement = connection.prepare(query)?;
        let rows = statement.query_map([], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
        })?;
        Ok(rows.collect::<Result<Vec<_>, _>>()?)
    };
    fresh.database.read_now(rows).expect("rows")
}

#[test]
fn a_stopped_import_goes_on_where_it_was() {
    let rules = Rules::TIC_TAC_TOE;
    let mut text = file_of(rules, &random_games(rules, 1300, 7));
    text.push_str("A1 A1\nB2 Z9\n");
    let whole = Fresh::new();
    let expected = imported(whole.import(&text));
    assert_eq!((expected.0, expected.1), (1300, 2), "{:?}", expected.2);

    let parts = Fresh::new();
    let collection = parts.upload(&text);
    let mut heard = Vec::new();
    for calls in 1..=3 {
        let outcome = import(&parts.database, collection, &mut |done, total| {
            heard.push((done, total));
            false
        });
        let (games, ..) = imported(outcome.expect("a part"));
        assert_eq!(games, [500, 1000, 1300][calls - 1]);
    }
    assert_eq!(heard, [(500, 1302), (1000, 1302), (1302, 1302)]);
    assert_eq!(stored(&parts), stored(&whole));
    let again = import(&parts.database, collection, &mut |_, _| {
        panic!("it is all there")
    });
    assert_eq!(imported(again.expect("nothing to do")), expected);
    assert_eq!(parts.count("collections WHERE file IS NULL"), 1);
}

#[test]
fn at_most_ten_reasons_are_kept_and_they_name_the_line() {
    let fresh = Fresh::new();
    let text = format!("J10\n{}", "J10 J10\n".repeat(25));
    let (games, refused, reasons) = imported(fresh.import(&text));
    assert_eq!((games, refused, reasons.len()), (1, 25, 10));
    assert!(
        reasons[0].starts_with("line 2: ") && reasons[0].contains("occupied"),
        "{reasons:?}"
    );
}

#[test]
fn a_file_without_a_game_leaves_nothing_behind() {
    let fresh = Fresh::new();
    for text in ["hello", "J10 J10\n", "rules nonsense\n", "\u{0}\u{1}"] {
        let collection = fresh.upload(text);
        let failure = import(&fresh.database, collection, &mut |_, _| true).expect_err(text);
        assert!(matches!(failure, Failure::BadRequest(_)), "{failure}");
    }
    assert_eq!(fresh.count("collections"), 0);
    let missing = import(&fresh.database, 99, &mut |_, _| true).expect_err("not there");
    assert!(matches!(missing, Failure::NotFound(_)), "{missing}");
}

#[test]
fn a_collection_deleted_meanwhile_stays_deleted() {
    let fresh = Fresh::new();
    let rules = Rules::TIC_TAC_TOE;
    let collection = fresh.upload(&file_of(rules, &random_games(rules, 600, 9)));
    let result = import(&fresh.database, collection, &mut |_, _| {
        let delete =
            |transaction: &rusqlite::Transaction<'_>| games::delete(transaction, collection);
        fresh.database.write_now(delete).expect("deleted");
        true
    });
    assert!(matches!(result, Err(Failure::NotFound(_))), "{result:?}");
    assert_eq!((fresh.count("games"), fresh.count("positions")), (0, 0));
}

#[test]
fn texts_are_found_as_they_are_written() {
    let fresh = Fresh::new();
    fresh.import("J10\n");
    let rename = |name: &str| {
        let name = name.to_owned();
        fresh.database.write_now(move |transaction| {
            transaction.execute("UPDATE games SET black = ?", [name])?;
            Ok(())
        })
    };
    let found = |text: &str| {
        let filter = Filter {
            text: Some(text.into()),
            limit: 10,
            ..Filter::default()
        };
        let list = fresh
            .database
            .read_now(|connection| games::list(connection, &filter));
        list.expect("a list").total
    };
    rename("100%_sure\\").expect("renamed");
    assert_eq!(
        (found("100%"), found("%_S"), found("\\"), found("100_")),
        (1, 1, 1, 0)
    );
    rename("'; DROP TABLE games; --").expect("renamed");
    assert_eq!((found("'; drop"), found("' OR 1 = 1")), (1, 0));
}
