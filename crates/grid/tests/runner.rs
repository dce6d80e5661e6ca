//! The runner on small games: solved, composed, checked, kept.

mod runner_support;

use std::sync::Arc;

use runner_support::{SMALL, Small, assert_proved, book_with, folder, position, run};
use tengen_book::Book;
use tengen_grid::Follower;
use tengen_grid::runner::Why;
use tengen_grid::search::{Config, Policy, Selection};

fn config(policy: Policy) -> Config {
    Config {
        selection: Selection::ProofNumber(policy),
        ..Config::default()
    }
}

#[test]
fn a_small_game_is_solved_and_its_proof_verified_with_every_policy() {
    let root = position(SMALL.0, SMALL.1);
    let mut winners = Vec::new();
    for policy in Policy::ALL {
        let folder = folder(&format!("runner_small_{policy}"));
        let (path, search) = book_with(&folder, &root, &config(policy));
        let end = run(&path, search, Arc::new(Small), 2);
        assert_eq!(end.why, Why::Solved, "{policy}");
        assert_proved(&path, &root, &end);
        winners.push(end.winner);
        let book = Book::open_existing(&path).expect("a book");
        let follower = Follower::open(&book, search).expect("a journal");
        assert_eq!(follower.search().winner(), end.winner);
        assert!(follower.search().len() > 10, "a tree was needed");
        // The end is shown and nobody runs it any more.
        let record = book.search(search).expect("there");
        assert!(
            record
                .snapshot
                .expect("shown")
                .contains("\"state\":\"solved\"")
        );
        assert_eq!(record.owner, None);
    }
    assert!(winners.windows(2).all(|pair| pair[0] == pair[1]));
}
