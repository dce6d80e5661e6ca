//! Equations that hold for every game of the family, tried on random games.

use proptest::prelude::*;
use tengen_rules::{
    Canonical, Cell, Outcome, Position, Rules, Setup, Side, Symmetry, stone_key, turn_key,
};

const RULES: [&str; 9] = [
    "tic-tac-toe",
    "gomoku",
    "gomoku-standard",
    "connect6",
    "12,9,9,6,4",
    "7,4,4,2,1",
    "5,8,4,3,2,exact",
    "inf,inf,6,2,3",
    "inf,inf,4,1,1",
];

fn rules() -> impl Strategy<Value = Rules> {
    proptest::sample::select(&RULES[..]).prop_map(|text| text.parse().expect("known rules"))
}

/// Up to `most` stones of a random game; on infinite boards it wanders.
fn game(rules: Rules, seed: u64, most: usize) -> Position {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut position = Position::new(rules);
    let (mut near, spread) = (Cell::new(-40, 1000), 4);
    for _ in 0..most {
        if position.outcome().is_some() {
            break;
        }
        let cell = match rules.size() {
            Some((width, height)) => Cell::new(
                random.i16(0..i16::from(width)),
                random.i16(0..i16::from(height)),
            ),
            None => Cell::new(
                near.x + random.i16(-spread..=spread),
                near.y + random.i16(-spread..=spread),
            ),
        };
        if position.place(cell).is_ok() {
            near = cell;
        }
    }
    position
}

/// A line found by looking at every window of the board, the slow twin of win detection.
fn has_line_slow(position: &Position, side: Side) -> bool {
    let (rules, k) = (position.rules(), i16::from(position.rules().line()));
    let exact = rules.overline() == tengen_rules::Overline::DoesNotWin;
    position.grid().cells().any(|cell| {
        [(1, 0), (0, 1), (1, 1), (1, -1)].iter().any(|&d| {
            let own = |n: i16| position.stone(cell.step(d, n)) == Some(side);
            (0..k).all(own) && !(exact && (own(-1) || own(k)))
        })
    })
}

fn key_slow(position: &Position) -> u64 {
    position
        .stones()
        .fold(turn_key(position.to_move(), position.left()), |key, s| {
            key ^ stone_key(s.side, s.cell)
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn keys_and_outcomes_are_incremental(rules in rules(), seed: u64, most in 0..120_usize) {
        let position = game(rules, seed, most);
        prop_assert_eq!(position.key(), key_slow(&position));
        let winner = match position.outcome() {
            Some(Outcome::Win { side, cells }) => {
                prop_assert!(cells.len() >= usize::from(rules.line()));
                for cell in cells {
                    prop_assert_eq!(position.stone(cell), Some(*side));
                }
                Some(*side)
            }
            _ => None,
        };
        for side in Side::BOTH {
            prop_assert_eq!(has_line_slow(&position, side), winner == Some(side));
        }
        let full = position.stones().count() == position.grid().len();
        prop_assert_eq!(position.outcome() == Some(&Outcome::Draw), full && winner.is_none());
    }

    #[test]
    fn undo_is_the_inverse_of_place(rules in rules(), seed: u64, most in 1..120_usize) {
        let end = game(rules, seed, most);
        let moves: Vec<Cell> = end.history().filter_map(|(_, cell)| cell).collect();
        let mut position = Position::new(rules);
        let mut before = Vec::new();
        for &cell in &moves {
            before.push(position.clone());
            position.place(cell).expect("it was legal before");
        }
        prop_assert_eq!(&position, &end);
        while let Some(earlier) = before.pop() {
            prop_assert!(position.undo());
            prop_assert_eq!(&position, &earlier);
            prop_assert_eq!(position.key(), earlier.key());
            prop_assert_eq!(position.outcome(), earlier.outcome());
        }
        prop_assert!(!position.undo());
    }

    #[test]
    fn stones_belong_to_the_side_the_rules_say(rules in rules(), seed: u64, most in 0..60_usize) {
        let position = game(rules, seed, most);
        for (index, (side, _)) in position.history().enumerate() {
            prop_assert_eq!(side, rules.side_of_stone(index));
        }
    }

    #[test]
    fn setup_and_position_are_inverse(rules in rules(), seed: u64, most in 0..60_usize) {
        let position = game(rules, seed, most);
        let again = Position::from_setup(&position.to_setup());
        if position.outcome().is_some() {
            prop_assert!(again.is_err());
        } else {
            let again = again.expect("a position has a legal set-up");
            prop_assert_eq!(&again, &position);
            prop_assert_eq!(again.key(), position.key());
        }
    }

    #[test]
    fn symmetric_positions_have_one_canonical_form(rules in rules(), seed: u64, most in 0..40_usize, shift in -20..20_i16) {
        let position = game(rules, seed, most);
        prop_assume!(position.outcome().is_none());
        let canonical = Canonical::of(&position);
        for stone in position.stones() {
            let image = canonical.map(stone.cell);
            prop_assert!(canonical.setup.stones_of(stone.side).contains(&image));
            prop_assert_eq!(canonical.map_back(image), stone.cell);
        }
        for symmetry in Symmetry::all(rules) {
            let mut setup = symmetry.apply_to_setup(&position.to_setup());
            if rules.size().is_none() {
                for cell in setup.black.iter_mut().chain(&mut setup.white) {
                    *cell = Cell::new(cell.x + shift, cell.y - shift);
                }
            }
            let image = Position::from_setup(&setup).expect("symmetry keeps a position legal");
            prop_assert_eq!(&Canonical::of(&image).setup, &canonical.setup);
            for cell in position.grid().cells() {
                prop_assert_eq!(symmetry.inverse().apply(rules, symmetry.apply(rules, cell)), cell);
            }
        }
    }

    #[test]
    fn refusals_leave_the_position_alone(rules in rules(), seed: u64, most in 0..60_usize, x in -80..80_i16, y in -80..80_i16) {
        let before = game(rules, seed, most);
        let mut position = before.clone();
        let cell = Cell::new(x, y);
        if position.place(cell).is_err() {
            prop_assert_eq!(&position, &before);
            prop_assert_eq!(position.history().count(), before.history().count());
        } else {
            prop_assert_eq!(position.stone(cell), Some(before.to_move()));
        }
    }
}

#[test]
fn a_setup_is_refused_with_all_reasons() {
    let cells = |text: &str| {
        text.split(' ')
            .map(|c| c.parse().expect("a cell"))
            .collect::<Vec<Cell>>()
    };
    let setup = Setup {
        black: cells("A1 B1 C1 D1 E1 F1 Z99"),
        white: cells("A1 J10"),
        left: Some(3),
        ..Setup::empty(Rules::CONNECT6)
    };
    let error = Position::from_setup(&setup).expect_err("four reasons");
    assert_eq!(
        error.to_string(),
        "Black stone Z99 is off the board, which has columns A to S and rows 1 to 19; A1 holds two stones; \
         Black has already won with A1 B1 C1 D1 E1 F1; 3 stones left in the turn, expected 1 to 2"
    );
}

#[test]
fn a_turn_is_a_set() {
    let mut position = Position::new(Rules::CONNECT6);
    position
        .play(&"J10".parse().expect("a turn"))
        .expect("q = 1");
    let mut other = position.clone();
    position
        .play(&"K11 L10".parse().expect("a turn"))
        .expect("p = 2");
    other
        .play(&"L10 K11".parse().expect("a turn"))
        .expect("p = 2");
    assert_eq!(position, other);
    let before = position.clone();
    for wrong in ["H8", "H8 H9 H10", "-", "H8 J10"] {
        assert!(
            position.play(&wrong.parse().expect("a turn")).is_err(),
            "{wrong}"
        );
        assert_eq!(position, before);
    }
}
