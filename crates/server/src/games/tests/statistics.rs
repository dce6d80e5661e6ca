//! What explore says agrees with counting game by game.

use std::collections::BTreeMap;

use tengen_rules::{Outcome, Position, Rules, Side, Symmetry, Turn};

use super::{Fresh, file_of, image, position, random_games};
use crate::api::Explored;
use crate::games::explore::explore;

fn explored(fresh: &Fresh, position: &Position) -> Explored {
    let explored = fresh
        .database
        .read_now(|connection| explore(connection, position, None));
    explored.expect("explored")
}

/// Games, wins of Black, wins of White.
type Counts = [u32; 3];

/// All turns that are the same as this one in the position, the least first.
fn least(position: &Position, turn: &Turn) -> Turn {
    let rules = position.rules();
    let setup = Symmetry::IDENTITY.apply_to_setup(&position.to_setup());
    let own = Symmetry::all(rules).filter(|symmetry| symmetry.apply_to_setup(&setup) == setup);
    own.map(|symmetry| image(symmetry, rules, turn))
        .min()
        .expect("the identity")
}

/// The slow twin: every game, every turn, every symmetry.
fn counted(position: &Position, games: &[Vec<Turn>]) -> (Counts, BTreeMap<Turn, Counts>) {
    let rules = position.rules();
    let wanted = Symmetry::IDENTITY.apply_to_setup(&position.to_setup());
    let mut all = Counts::default();
    let mut turns: BTreeMap<Turn, Counts> = BTreeMap::new();
    for game in games {
        let mut end = Position::new(rules);
        game.iter().for_each(|turn| end.play(turn).expect("legal"));
        let winner = match end.outcome() {
            Some(Outcome::Win { side, .. }) => Some(*side),
            _ => None,
        };
        let add = |counts: &mut Counts| {
            counts[0] += 1;
            counts[1] += u32::from(winner == Some(Side::Black));
            counts[2] += u32::from(winner == Some(Side::White));
        };
        let mut here = Position::new(rules);
        for played in 0..=game.len() {
            let setup = here.to_setup();
            let mut ways = Symmetry::all(rules);
            if let Some(way) = ways.find(|way| way.apply_to_setup(&setup) == wanted) {
                add(&mut all);
                if let Some(next) = game.get(played) {
                    let next = least(position, &image(way, rules, next));
                    add(turns.entry(next).or_default());
                }
            }
            if let Some(turn) = game.get(played) {
                here.play(turn).expect("legal");
            }
        }
    }
    (all, turns)
}

#[test]
fn statistics_agree_with_counting_game_by_game() {
    for (rules, seed) in [("3,3,3,1,1", 1), ("4,4,4,2,1", 2), ("5,3,3,2,2", 3)] {
        let rules: Rules = rules.parse().expect("rules");
        let games = random_games(rules, 150, seed);
        let fresh = Fresh::new();
        fresh.import(&file_of(rules, &games));
        let mut random = fastrand::Rng::with_seed(seed);
        let mut compared = 0;
        for game in games.iter().take(60) {
            let symmetries: Vec<Symmetry> = Symmetry::all(rules).collect();
            let turned = symmetries[random.usize(..symmetries.len())];
            let mut here = Position::new(rules);
            for turn in game {
                let (all, turns) = counted(&here, &games);
                let explored = explored(&fresh, &here);
                assert_eq!(
                    [explored.games, explored.black, explored.white],
                    all,
                    "{here:?}"
                );
                assert_eq!(explored.others, all[0] - all[1] - all[2]);
                let found: BTreeMap<Turn, Counts> = explored
                    .turns
                    .iter()
                    .map(|turn| {
                        let cells: Turn = turn.turn.join(" ").parse().expect("cells");
                        (least(&here, &cells), [turn.games, turn.black, turn.white])
                    })
                    .collect();
                assert_eq!(found.len(), explored.turns.len(), "no turn twice");
                assert_eq!(found, turns, "{here:?}");
                assert!(explored.turns.is_sorted_by_key(|turn| !turn.games));
                here.play(&image(turned, rules, turn)).expect("legal");
                compared += turns.len();
            }
        }
        assert!(compared > 200, "{rules}: {compared}");
    }
}

#[test]
fn transpositions_and_reflections_are_one() {
    let fresh = Fresh::new();
    fresh.import("J10 I8 H9 A1 A2\nJ10 H11 I12 S1 R1\nJ10 K12 L11\nJ10 I8 H9 B1 B2\nK10 I8 H9\n");
    let after_first = explored(&fresh, &position("J10"));
    assert_eq!(after_first.games, 4);
    assert_eq!(after_first.turns.len(), 1, "{:?}", after_first.turns);
    assert_eq!(after_first.turns[0].games, 4);
    let opening = explored(&fresh, &position("J10 H9 I8"));
    assert_eq!(
        (opening.games, opening.opening.as_deref()),
        (4, Some("TX-d21"))
    );
    // J10 H11 I12 is the opening turned by a quarter or mirrored; what followed is turned back.
    let turns: Vec<String> = opening
        .turns
        .iter()
        .map(|turn| turn.turn.join(" "))
        .collect();
    assert_eq!(turns.len(), 3, "{turns:?}");
    let start = explored(&fresh, &position(""));
    assert_eq!((start.games, start.turns.len()), (5, 2));
    assert_eq!(start.turns[0].turn, ["J10"]);
}

#[test]
fn half_turns_and_unknown_positions_have_no_statistics() {
    let fresh = Fresh::new();
    fresh.import("J10 I8 H9 A1\n");
    for moves in ["J10 I8", "J10 I8 H9 A1", "A1"] {
        let explored = explored(&fresh, &position(moves));
        assert_eq!((explored.games, explored.turns.len()), (0, 0), "{moves}");
    }
    let last = explored(&fresh, &position("J10 I8 H9"));
    assert_eq!(
        (last.games, last.turns.len()),
        (1, 0),
        "a half-turn is no next turn"
    );
}

#[test]
fn infinite_boards_are_explored_wherever_the_game_was_played() {
    let fresh = Fresh::new();
    fresh.import("rules inf,inf,6,2,1\nJ10 J11 K11\n(-5,3) (-5,2) (-6,2)\nA1 B2 C3\n");
    let rules = "inf,inf,6,2,1";
    let at = |moves| super::position_of(rules, moves).expect("legal");
    let start = explored(&fresh, &at(""));
    assert_eq!((start.games, start.turns.len()), (3, 1));
    let first = explored(&fresh, &at("Z9"));
    assert_eq!(
        (first.games, first.turns.len(), first.turns[0].games),
        (3, 2, 2)
    );
    let second = explored(&fresh, &at("Z9 Z10 Y10"));
    assert_eq!(second.games, 2);
}
