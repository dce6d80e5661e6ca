//! A turn that was stored in one orientation is found in every other.

use proptest::prelude::*;
use tengen_rules::{Position, Symmetry, Turn, position_key};

use crate::sample::book;

/// The position after these stones, and then a turn, both on the board's middle so that symmetric ones are common.
fn case() -> impl Strategy<Value = (String, Vec<(i16, i16)>, usize)> {
    let rules = prop_oneof![
        Just("connect6".to_owned()),
        Just("9,6,4,2,1".to_owned()),
        Just("inf,inf,6,2,1".to_owned())
    ];
    let cell = (2..7_i16, 1..5_i16);
    (rules, prop::collection::vec(cell, 1..9), 0..8_usize)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_turn_is_found_in_every_orientation((rules, cells, image) in case()) {
        let rules = rules.parse().expect("rules");
        let mut position = Position::new(rules);
        let (turn, stones) = cells.split_first().expect("at least one");
        for &(x, y) in stones {
            // Occupied cells are skipped.
            let _ = position.place(tengen_rules::Cell::new(x, y));
        }
        prop_assume!(position.outcome().is_none());
        let turn: Turn = [tengen_rules::Cell::new(turn.0, turn.1)].into_iter().collect();
        let mut after = position.clone();
        prop_assume!(after.place(turn.cells()[0]).is_ok() && after.outcome().is_none());

        let book = book();
        book.add_turn(&position, &turn).expect("legal");
        let symmetries: Vec<Symmetry> = Symmetry::all(rules).collect();
        let symmetry = symmetries[image % symmetries.len()];
        let moved = symmetry.apply(rules, turn.cells()[0]);
        let image = symmetry.apply_to_setup(&position.to_setup());
        let image = Position::from_setup(&image).expect("as legal");
        let entry = book.lookup(&image).expect("readable");
        prop_assert_eq!(entry.turns.len(), 1);
        let mut found = image.clone();
        found.place(entry.turns[0].turn.cells()[0]).expect("on an empty cell");
        prop_assert_eq!(position_key(&found).0, position_key(&after).0);
        // The image of the same turn is no second one.
        book.add_turn(&image, &[moved].into_iter().collect()).expect("legal");
        prop_assert_eq!(book.lookup(&position).expect("readable").turns.len(), 1);
    }
}
