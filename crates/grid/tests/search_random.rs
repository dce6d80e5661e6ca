//! Random games with known values and unreliable but honest workers.

mod search_support;

use search_support::{Driver, Game, configs, dump};
use tengen_grid::search::{Event, Search};
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
