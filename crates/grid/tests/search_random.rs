//! Random games with known values and unreliable but honest workers.

mod search_support;

use std::time::Duration;

use search_support::{Driver, Game, answer, configs, decision, dump, key, proof, turn};
use tengen_grid::search::{Event, NodeId, Search};
use tengen_grid::{Evidence, Expansion, Found, Verdict};
use tengen_rules::Side;

#[test]
fn every_way_to_choose_finds_the_value_and_the_journal_gives_the_same_tree() {
    let mut values = [0; 2];
    for seed in 0..60 {
        let game = Game::random(&mut fastrand::Rng::with_seed(seed));
        values[game.value() as usize] += 1;
        for config in configs() {
            let rng = fastrand::Rng::with_seed(seed ^ 0x5eed);
            let mut driver = Driver::new(&game, config.clone(), rng);
            assert_eq!(driver.run(), game.value(), "seed {seed}, {config:?}");
            assert_eq!(driver.search.active_count(), 0, "all else is cancelled");
            let text = serde_json::to_string(&driver.journal).expect("a journal is data");
            let journal: Vec<Event> = serde_json::from_str(&text).expect("what was written");
            assert_eq!(journal, driver.journal);
            let mut again = Search::new(Side::Black, Game::root_key(), config);
            for event in journal {
                again.apply(event);
            }
            assert_eq!(dump(&again), dump(&driver.search), "seed {seed}");
            assert_eq!(again.totals(), driver.search.totals());
        }
    }
    assert!(
        values.iter().all(|&count| count > 10),
        "both sides win games: {values:?}"
    );
}

#[test]
fn the_same_seed_gives_the_same_search() {
    let game = Game::random(&mut fastrand::Rng::with_seed(3));
    for config in configs() {
        let run = |config| {
            let mut driver = Driver::new(&game, config, fastrand::Rng::with_seed(7));
            driver.run();
            driver.journal
        };
        assert_eq!(run(config.clone()), run(config));
    }
}

/// Nodes with many hundreds of turns keep sums of blocks: they must be those of all turns, whatever happens to these.
#[test]
fn wide_nodes_are_what_their_turns_come_to() {
    for config in configs() {
        let mut rng = fastrand::Rng::with_seed(11);
        let mut search = Search::new(Side::Black, key(0, 0), config);
        for (node, depth) in [(0, 0), (1, 1), (2, 1)] {
            search.apply(answer(NodeId(node), many_turns(depth, 900, &mut rng)));
        }
        for step in 0..100 {
            let orders = search.orders(rng.usize(1..6), Duration::ZERO);
            for order in orders {
                let depth = search.line(order.node).len();
                let event = if rng.u32(..5) == 0 && depth > 1 {
                    let winner = Side::BOTH[rng.usize(..2)];
                    answer(
                        order.node,
                        decision(winner, Evidence::Proof(proof(&mut rng))),
                    )
                } else {
                    let most = if depth < 2 { 120 } else { 3 };
                    answer(order.node, many_turns(depth, most, &mut rng))
                };
                search.finished(order.job);
                search.apply(event);
            }
            if step % 7 == 0 {
                let node = NodeId(rng.usize(..search.len()) as u32);
                let turns = search.node(node).expect("in range").children;
                if let Some(edge) = turns.get(rng.usize(..turns.len().max(1))) {
                    let turn = edge.turn.clone();
                    let key = search.key(edge.node).expect("linked");
                    search.apply(match edge.excluded {
                        true => Event::Allow { node, turn },
                        false => Event::Exclude { node, turn, key },
                    });
                }
            }
            search
                .check_slow()
                .expect("what is kept is what is computed");
            if search.winner().is_some() {
                break;
            }
        }
        let widest = (0..search.len() as u32).filter_map(|id| search.width(NodeId(id)));
        assert!(widest.max() > Some(300), "{:?}", search.config());
    }
}

/// Turns to a few hundred positions of the next level, so that many lead to the same one.
fn many_turns(depth: usize, most: usize, rng: &mut fastrand::Rng) -> Expansion {
    let turns = (0..rng.usize(most / 2..=most)).map(|_| {
        // The same turn leads to the same position, and now and then two do.
        let number = rng.usize(..1_500);
        Found {
            turn: turn(number),
            key: key(depth + 1, number % 1_400),
            verdict: Verdict::ALL[rng.usize(..13)],
            after: None,
        }
    });
    Expansion {
        turns: turns.collect(),
        ..Expansion::default()
    }
}
