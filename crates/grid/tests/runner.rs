//! The runner on small games: solved, composed, checked, kept.

mod runner_support;

use std::sync::Arc;

use runner_support::{SMALL, Small, assert_proved, book_with, folder, position, run};
use tengen_book::Book;
use tengen_grid::Follower;
use tengen_grid::runner::{Command, Snapshot, Why, create_search};
use tengen_grid::search::{Config, NodeId, Policy, Selection};
use tengen_rules::{Position, Symmetry};

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
        // The book says which turn wins.
        let turns = book.lookup(&root).expect("there").turns;
        let proved = turns.first().and_then(|turn| turn.proved);
        let winner = proved.map(|(winner, _)| winner);
        assert_eq!(winner, end.winner, "{policy}");
    }
    assert!(winners.windows(2).all(|pair| pair[0] == pair[1]));
}

/// The position turned by half a circle.
fn turned(position: &Position) -> Position {
    let half = Symmetry::all(position.rules())
        .nth(3)
        .expect("a square board");
    Position::from_setup(&half.apply_to_setup(&position.to_setup())).expect("an image")
}

#[test]
fn proofs_of_turned_images_are_used_and_turned_back() {
    let root = position(SMALL.0, SMALL.1);
    let (path, search) = book_with(&folder("runner_plain"), &root, &Config::default());
    run(&path, search, Arc::new(Small), 1);
    let book = Book::open_existing(&path).expect("a book");
    let follower = Follower::open(&book, search).expect("a journal");

    // Another book learns the positions after two turns, all of them upside down.
    let (path, search) = book_with(&folder("runner_turned"), &root, &Config::default());
    let book = Book::open_existing(&path).expect("a book");
    let mut learnt = 0;
    for node in 0..follower.search().len() {
        let node = follower.search().node(NodeId(node as u32)).expect("there");
        if node.depth == 2 && node.decided.is_some() {
            let image = turned(&follower.position(node.id).expect("a line"));
            let other = create_search(&book, "an image", &image, &Config::default());
            let end = run(&path, other.expect("a search"), Arc::new(Small), 1);
            assert_proved(&path, &image, &end);
            learnt += 1;
        }
    }
    assert!(learnt > 1, "{learnt}");
    let end = run(&path, search, Arc::new(Small), 1);
    assert_proved(&path, &root, &end);
    // The whole of it is known upside down now: no job is needed, and the proof is of the position that was asked for.
    let image = turned(&root);
    let other = create_search(&book, "the image", &image, &Config::default());
    let other = other.expect("a search");
    let end = run(&path, other, Arc::new(Small), 1);
    assert_proved(&path, &image, &end);
    assert_eq!(book.search(other).expect("there").events, 1);
}

#[test]
fn what_experts_say_is_journaled_and_nonsense_is_noted() {
    let root = position(SMALL.0, SMALL.1);
    let (path, search) = book_with(&folder("runner_expert"), &root, &Config::default());
    let book = Book::open_existing(&path).expect("a book");
    let turn = |text: &str| text.parse().expect("a turn");
    let node = NodeId::ROOT;
    for command in [
        Command::Suggest {
            node,
            turn: turn("D4"),
        },
        Command::Exclude {
            node,
            turn: turn("A6"),
        },
        Command::Exclude {
            node,
            turn: turn("C3"),
        },
        Command::Retry { node: NodeId(99) },
    ] {
        book.post_command(search, &command.to_json())
            .expect("posted");
    }
    book.post_command(search, "[\"dance\"]").expect("posted");
    let end = run(&path, search, Arc::new(Small), 1);
    assert_proved(&path, &root, &end);
    assert_eq!(book.commands(search).expect("readable"), []);
    let record = book.search(search).expect("there");
    let snapshot: Snapshot = serde_json::from_str(&record.snapshot.expect("shown")).expect("one");
    assert_eq!(snapshot.notes.len(), 3, "{:?}", snapshot.notes);
    let follower = Follower::open(&book, search).expect("a journal");
    let excluded = follower.search().root().children;
    assert!(
        excluded
            .iter()
            .any(|edge| edge.excluded && edge.turn == turn("A6"))
    );
}
