//! The runner on small games: solved, composed, checked, kept.

mod runner_support;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use runner_support::{SMALL, Small, assert_proved, book_with, folder, position, run, settings};
use tengen_book::{Book, SearchId, Wanted};
use tengen_grid::jobs::{JobError, Worker};
use tengen_grid::runner::{
    Command, Runner, Snapshot, TellError, Told, Why, create_search, tell, wait_for_end,
};
use tengen_grid::search::{Config, Event, NodeId, Policy, Search, Selection};
use tengen_grid::simulate::{Model, Recording, SampleKind};
use tengen_grid::{Evidence, Follower, Job, JobResult};
use tengen_rules::{Cell, Position, Symmetry, Turn, position_key};

fn config(policy: Policy) -> Config {
    Config {
        selection: Selection::ProofNumber(policy),
        ..Config::default()
    }
}

/// The nodes of the tree that one worker needs for [`SMALL`].
const NODES: usize = 19;

#[test]
fn a_small_game_is_solved_and_its_proof_verified_with_every_policy() {
    let root = position(SMALL.0, SMALL.1);
    let mut winners = Vec::new();
    for policy in Policy::ALL {
        let folder = folder(&format!("runner_small_{policy}"));
        let (path, search) = book_with(&folder, &root, &config(policy));
        let end = run(&path, search, Arc::new(Small), 1);
        assert_eq!(end.why, Why::Solved, "{policy}");
        assert_proved(&path, &root, &end);
        winners.push(end.winner);
        let book = Book::open_existing(&path).expect("a book");
        let follower = Follower::open(&book, search).expect("a journal");
        assert_eq!(follower.search().winner(), end.winner);
        assert_believed(&book, &follower, &config(policy));
        // With one worker all policies choose alike, and the tree is always the same.
        assert_eq!(follower.search().len(), NODES, "{policy}");
        let recording = Recording::read(&book, search).expect("a journal");
        let totals = follower.search().totals();
        let seconds: f64 = recording.samples.iter().map(|sample| sample.seconds).sum();
        assert_eq!(recording.jobs, totals.answers);
        assert_eq!(recording.samples.len() as u64, totals.answers);
        assert!((seconds - totals.seconds).abs() < 1e-9 * totals.seconds);
        assert_eq!(recording.model, Model::fitted(follower.search(), 1));
        assert!(recording.model.is_some(), "it is solved");
        assert_eq!(recording.samples[0].kind, SampleKind::Leaf, "the root");
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

/// Asserts that every word of a journal that was written here is believed.
#[track_caller]
fn assert_believed(book: &Book, follower: &Follower, config: &Config) {
    let root = follower.root();
    let mut told = Search::new(root.to_move(), position_key(root).0, config.clone());
    for event in book.events(follower.id(), 0) {
        let event: Event = serde_json::from_str(&event.expect("readable").1).expect("an event");
        told.apply(event);
    }
    assert_eq!(told.len(), follower.search().len());
    for node in (0..told.len()).map(|node| NodeId(node as u32)) {
        assert_eq!(told.node(node), follower.search().node(node));
    }
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
    for search in book.searches().expect("readable") {
        let follower = Follower::open(&book, search.id).expect("a journal");
        assert_believed(&book, &follower, &Config::default());
    }
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

/// Says when it begins and when it is told to stop, and goes on when it is let.
struct Slow {
    told: mpsc::Sender<()>,
    gate: Arc<AtomicBool>,
}

impl Worker for Slow {
    fn run(&self, job: &Job, stop: &AtomicBool) -> Result<JobResult, JobError> {
        if !self.gate.load(Ordering::Relaxed) {
            let _ = self.told.send(());
            while !stop.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(1));
            }
            // The test may have ended.
            let _ = self.told.send(());
            while !self.gate.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(1));
            }
        }
        Small.run(job, stop)
    }
}

#[test]
fn a_search_that_is_resumed_while_it_stops_goes_on() {
    let root = position(SMALL.0, SMALL.1);
    let (path, search) = book_with(&folder("runner_resumed"), &root, &Config::default());
    let book = Book::open_existing(&path).expect("a book");
    let (told, heard) = mpsc::channel();
    let gate = Arc::new(AtomicBool::new(false));
    let worker = Arc::new(Slow {
        told,
        gate: Arc::clone(&gate),
    });
    let running = Runner::start(path.clone(), search, worker, settings(1)).expect("it starts");
    heard.recv().expect("the job begins");
    book.set_wanted(search, Wanted::Stop).expect("there");
    heard.recv().expect("the job is told to stop");
    book.set_wanted(search, Wanted::Run).expect("there");
    gate.store(true, Ordering::Relaxed);
    let end = running.wait().expect("it ends well");
    assert_eq!(end.why, Why::Solved);
    assert_proved(&path, &root, &end);
}

#[test]
fn one_waits_only_for_a_process_that_was_told_to_stop() {
    let root = position(SMALL.0, SMALL.1);
    let (path, search) = book_with(&folder("runner_waits"), &root, &Config::default());
    let book = Book::open_existing(&path).expect("a book");
    let waits = |search: SearchId| {
        let mut asked = 0;
        wait_for_end(&book, search, &mut |owner| {
            assert_eq!(owner.pid, std::process::id());
            asked += 1;
            asked < 3
        })
        .expect("readable");
        asked
    };
    assert_eq!(waits(search), 0, "nobody runs it");
    let lease = book.take_lease(search).expect("free");
    assert_eq!(waits(search), 0, "it is to run");
    book.set_wanted(search, Wanted::Stop).expect("there");
    assert_eq!(waits(search), 3, "until patience ends");
    book.release(lease).expect("ours");
    assert_eq!(waits(search), 0);
}

/// What is proved needs no more looking at, and what is searched is not begun anew.
#[test]
fn what_is_pointless_is_refused() {
    let root = position(SMALL.0, SMALL.1);
    let (path, search) = book_with(&folder("runner_pointless"), &root, &Config::default());
    let book = Book::open_existing(&path).expect("a book");
    let told = |command: &Command| {
        let follower = Follower::open(&book, search).expect("a journal");
        tell(&book, &follower, command)
    };
    let suggest = |node: NodeId, turn: &str| {
        let turn = turn.parse().expect("a turn");
        told(&Command::Suggest { node, turn })
    };
    let retry = |node: u32| told(&Command::Retry { node: NodeId(node) });
    suggest(NodeId::ROOT, "D4").expect("said");
    suggest(NodeId(1), "D5").expect("said");
    let again = suggest(NodeId::ROOT, "D4");
    assert!(matches!(again, Err(TellError::Searched(_))), "{again:?}");
    assert!(matches!(retry(1), Err(TellError::NotGivenUp(_))));
    assert!(matches!(retry(99), Err(TellError::NoNode(_))));
    let journal = |event: Event| {
        let lease = book.take_lease(search).expect("free");
        let text = serde_json::to_string(&event).expect("JSON");
        book.append(&lease, &[text], &[]).expect("written");
        book.release(lease).expect("ours");
    };
    journal(Event::GaveUp {
        node: NodeId(1),
        reason: "nobody knows".to_owned(),
    });
    assert_eq!(retry(1).expect("given up"), Told::Journaled);
    assert!(matches!(retry(1), Err(TellError::NotGivenUp(_))));
}

/// Where a proof shows that all other turns lose, another one would only keep the position open.
#[test]
fn a_refuted_turn_is_neither_suggested_nor_excluded() {
    let root = position(SMALL.0, SMALL.1);
    let (path, search) = book_with(&folder("runner_refuted"), &root, &Config::default());
    run(&path, search, Arc::new(Small), 1);
    let book = Book::open_existing(&path).expect("a book");
    let events: Vec<String> = book
        .events(search, 0)
        .map(|event| event.expect("readable").1)
        .collect();
    let mut refused = 0;
    // Before the end there are positions that are closed by a proof and not yet decided.
    for length in 1..events.len() {
        let id = create_search(&book, "a part", &root, &Config::default()).expect("a search");
        let lease = book.take_lease(id).expect("free");
        book.append(&lease, &events[..length], &[])
            .expect("written");
        book.release(lease).expect("ours");
        let part = Follower::open(&book, id).expect("a journal");
        for node in (0..part.search().len() as u32).map(NodeId) {
            let view = part.search().node(node).expect("there");
            let closed = matches!(view.closed, Some(Evidence::Proof(_)));
            let position = part.position(node).expect("a line");
            let leads_on = |turn: &Turn| {
                let mut after = position.clone();
                let played = after.play(turn).is_ok() && after.outcome().is_none();
                let child = part.search().find(&position_key(&after).0);
                played && !view.children.iter().any(|edge| Some(edge.node) == child)
            };
            let cells = (0..36).map(|number| Cell::new(number % 6, number / 6));
            let turn = cells
                .map(|cell| std::iter::once(cell).collect())
                .find(leads_on);
            let Some(turn) = turn.filter(|_| closed && view.decided.is_none()) else {
                continue;
            };
            let suggest = Command::Suggest {
                node,
                turn: turn.clone(),
            };
            for command in [suggest, Command::Exclude { node, turn }] {
                let told = tell(&book, &part, &command);
                assert!(matches!(told, Err(TellError::Refuted(_))), "{told:?}");
                refused += 1;
            }
        }
    }
    assert!(refused > 0);
}

#[test]
fn what_is_told_is_in_the_journal_at_once_unless_somebody_runs_the_search() {
    let root = position(SMALL.0, SMALL.1);
    let (path, search) = book_with(&folder("runner_told"), &root, &Config::default());
    let book = Book::open_existing(&path).expect("a book");
    let node = NodeId::ROOT;
    let turn = || "D4".parse().expect("a turn");
    let told = |command: &Command| {
        let follower = Follower::open(&book, search).expect("a journal");
        tell(&book, &follower, command)
    };
    let exclude = Command::Exclude { node, turn: turn() };
    let allow = Command::Allow { node, turn: turn() };
    assert!(matches!(told(&allow), Err(TellError::NotExcluded(_))));
    assert_eq!(told(&exclude).expect("said"), Told::Journaled);
    assert!(matches!(told(&exclude), Err(TellError::Excluded(_))));
    let lease = book.take_lease(search).expect("free");
    assert_eq!(told(&allow).expect("said"), Told::Posted);
    book.release(lease).expect("ours");
    let end = run(&path, search, Arc::new(Small), 1);
    assert_proved(&path, &root, &end);
    assert!(matches!(told(&allow), Err(TellError::Solved)));
}
