//! Searches with a driver that only pretends, and journals that lie.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use tengen_book::{Book, CheckedProof, Lease, NewSearch, SearchId, Wanted};
use tengen_grid::jobs::{Effort, LocalWorker};
use tengen_grid::runner::{Runner, Settings, create_search};
use tengen_grid::search::{Config, Event, NodeId, Selection};
use tengen_grid::{Decision, Evidence, Expansion, Found, ProofId, Verdict};
use tengen_rules::{Position, Side, Turn, position_key};

use super::runs::{Running, Starter};
use super::{Hint, Searches};
use crate::api::{self, AtlasState, SearchEnd, SearchState};
use crate::error::Failure;
use crate::live::Hub;

/// Takes the lease of a search and does nothing until it is wanted that it ends.
#[derive(Debug, Default)]
struct Idle {
    fails: bool,
    /// With how many workers searches were started.
    workers: Arc<Mutex<Vec<Option<usize>>>>,
}

#[derive(Debug)]
struct Held {
    book: Book,
    lease: Mutex<Option<Lease>>,
    done: AtomicBool,
}

impl Starter for Idle {
    fn start(
        &self,
        book: &Path,
        search: SearchId,
        workers: Option<usize>,
    ) -> Result<Box<dyn Running>, Failure> {
        self.workers.lock().expect("no panic").push(workers);
        if self.fails {
            return Err(Failure::Conflict("no thread is left".to_owned()));
        }
        let book = Book::open(book)?;
        let lease = Mutex::new(Some(book.take_lease(search)?));
        Ok(Box::new(Held {
            book,
            lease,
            done: AtomicBool::new(false),
        }))
    }
}

impl Running for Held {
    fn stop(&self) {
        if let Some(lease) = self.lease.lock().expect("no panic").take() {
            self.book.release(lease).expect("ours");
        }
        self.done.store(true, Ordering::Relaxed);
    }

    fn is_done(&self) -> bool {
        let wanted = |lease: &Lease| self.book.wanted(lease.search()).expect("there");
        let wanted = self.lease.lock().expect("no panic").as_ref().map(wanted);
        if wanted == Some(Wanted::Stop) {
            self.stop();
        }
        self.done.load(Ordering::Relaxed)
    }
}

/// A data folder that goes away with the test.
struct Desk {
    searches: Arc<Searches>,
    workers: Arc<Mutex<Vec<Option<usize>>>>,
    folder: std::path::PathBuf,
}

impl Desk {
    fn new(fails: bool) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("tengen-searches-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).expect("a folder");
        let workers = Arc::default();
        let starter = Idle {
            fails,
            workers: Arc::clone(&workers),
        };
        let searches = Searches::with(&folder, Hub::new(), Box::new(starter)).expect("a book");
        Self {
            searches,
            workers,
            folder,
        }
    }

    /// A search with these events, which nobody runs.
    fn search(&self, rules: &str, root: &str, events: &[Event]) -> u32 {
        let new = NewSearch {
            title: "by hand".to_owned(),
            rules: rules.to_owned(),
            root: root.to_owned(),
            config: "{}".to_owned(),
        };
        let id = self.searches.book.create_search(&new).expect("a search");
        self.append(id.0 as u32, events);
        id.0 as u32
    }

    fn append(&self, id: u32, events: &[Event]) {
        let book = &self.searches.book;
        let lease = book.take_lease(super::number(id)).expect("free");
        let texts: Vec<String> = events
            .iter()
            .map(|event| serde_json::to_string(event).expect("JSON"))
            .collect();
        book.append(&lease, &texts, &[]).expect("events");
        book.release(lease).expect("ours");
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _it_is_only_temporary = std::fs::remove_dir_all(&self.folder);
    }
}

fn turn(text: &str) -> Turn {
    text.parse().expect("cells")
}

fn found(position: &Position, text: &str, verdict: Verdict) -> Found {
    let mut after = position.clone();
    after.play(&turn(text)).expect("legal");
    Found {
        turn: turn(text),
        key: position_key(&after).0,
        verdict,
        after: None,
    }
}

fn answer(node: u32, expansion: Expansion) -> Event {
    Event::Answer {
        node: NodeId(node),
        expansion,
        seconds: 2.0,
        nodes: 1_000,
    }
}

fn opening() -> Position {
    tengen_book::start("connect6", "J10 I8 H9").expect("legal")
}

fn new(position: &str) -> api::NewSearch {
    api::NewSearch {
        rules: "connect6".to_owned(),
        position: position.to_owned(),
        ..api::NewSearch::default()
    }
}

#[test]
fn a_search_is_started_paused_resumed_and_stopped() {
    let desk = Desk::new(false);
    let searches = &desk.searches;
    let search = searches.start(&new("J10 I8 H9")).expect("started");
    assert_eq!(search.title, "TX-d21");
    assert_eq!(search.moves, "J10 I8 H9");
    assert_eq!(search.state, SearchState::Running);
    assert_eq!(search.elsewhere, None);
    let again = searches.start(&new("J10 K12 L11"));
    assert!(
        matches!(&again, Err(Failure::Conflict(text)) if text.contains("TX-d21")),
        "an image of it: {again:?}"
    );
    let state = |summary: Result<api::SearchSummary, Failure>| summary.expect("a search").state;
    assert_eq!(state(searches.pause(search.id)), SearchState::Paused);
    assert_eq!(state(searches.resume(search.id)), SearchState::Running);
    assert_eq!(state(searches.stop(search.id)), SearchState::Stopped);
    assert!(!searches.runs.any());
    assert_eq!(
        state(searches.resume(search.id)),
        SearchState::Running,
        "started anew"
    );
    searches.close();
}

#[test]
fn a_search_goes_on_with_as_many_workers_as_it_was_started_with() {
    let desk = Desk::new(false);
    let wanted = api::NewSearch {
        workers: Some(3),
        policy: Some("uct".to_owned()),
        attacker: Some(api::SearchAttacker::Both),
        ..new("J10 I8 H9")
    };
    let id = desk.searches.start(&wanted).expect("started").id;
    desk.searches.stop(id).expect("told");
    assert!(!desk.searches.runs.any());
    desk.searches.resume(id).expect("started anew");
    assert_eq!(*desk.workers.lock().expect("no panic"), [Some(3), Some(3)]);
    let search = desk.searches.book.search(super::number(id)).expect("there");
    let config: Config = serde_json::from_str(&search.config).expect("JSON");
    assert_eq!((config.selection, config.attacker), (Selection::UCT, None));
    desk.searches.close();
}

#[test]
fn a_search_says_that_it_is_stuck_and_what_went_wrong() {
    let desk = Desk::new(false);
    let end = Expansion {
        rest_loses: Some(Evidence::Claim),
        ..Expansion::default()
    };
    let id = desk.search("connect6", "J10 I8 H9", &[answer(0, end)]);
    let book = &desk.searches.book;
    let shown = r#"{"state":"stuck","events":1,"estimate":60.0,"notes":["a job was lost"]}"#;
    book.set_snapshot(super::number(id), shown).expect("shown");
    let search = desk.searches.get(id).expect("there");
    assert_eq!(search.state, SearchState::Stuck);
    assert_eq!(search.notes, ["a job was lost"]);
    assert_eq!(search.left, None, "nobody runs it");
    // Its end is only said: somebody may insist.
    let asked = desk.searches.retry(id, 0).expect("told");
    assert_eq!(asked.state, SearchState::Stopped);
    let refused = desk.searches.retry(id, 0).expect_err("nothing to try");
    assert!(refused.to_string().contains("not given up"), "{refused}");
}

/// Whoever solved it has ended before the proof was composed.
#[test]
fn a_proof_that_was_not_put_together_is_when_somebody_asks_for_it() {
    let (desk, elsewhere) = (Desk::new(false), Desk::new(false));
    let root = tengen_book::start(SMALL, "B:C3 W:F6 to-move:B").expect("legal");
    let book = &elsewhere.searches.book;
    let config = Config {
        attacker: Some(Side::Black),
        ..Config::default()
    };
    let search = create_search(book, "small", &root, &config).expect("a search");
    let path = book.path().expect("a file").to_owned();
    // Too little for a proof of the root itself: it is won by a turn.
    let worker = Arc::new(LocalWorker::with_effort(Effort {
        forced: 1,
        ..Effort::default()
    }));
    let running = Runner::start(path, search, worker, Settings::default()).expect("free");
    let composed = running.wait().expect("an end").composed.expect("solved");
    let composed = tengen_book::ProofId(composed.0).to_string();
    let mut lines = Vec::new();
    book.export_lines(&mut lines).expect("readable");
    let lines = String::from_utf8(lines).expect("text");
    let mut kept: Vec<&str> = lines.lines().collect();
    kept.retain(|line| !line.contains(&format!("\"fact\":\"proof\",\"id\":\"{composed}\"")));
    assert_eq!(kept.len(), lines.lines().count() - 1);
    let book = &desk.searches.book;
    book.import_lines(kept.join("\n").as_bytes())
        .expect("lines");

    let search = desk.searches.list().expect("readable").remove(0);
    assert_eq!(search.state, SearchState::Solved);
    assert!(!desk.searches.runs.any());
    let soon = desk.searches.proof(search.id).expect_err("not there yet");
    assert!(soon.to_string().contains("being put together"), "{soon}");
    assert!(desk.searches.runs.any(), "somebody does it now");
    desk.searches.close();
}

#[test]
fn a_search_that_is_ending_can_be_resumed() {
    let desk = Desk::new(false);
    let searches = &desk.searches;
    let id = searches.start(&new("J10 I8 H9")).expect("started").id;
    // It is told to stop, and resumed before it has done so: whoever has it hears of it.
    searches.stop(id).expect("told");
    let resumed = searches.resume(id).expect("told");
    assert_eq!(resumed.state, SearchState::Running);
    assert!(searches.runs.any(), "it goes on");
    searches.close();
}

#[test]
fn a_search_is_deleted_and_what_it_has_proved_stays() {
    let desk = Desk::new(false);
    let searches = &desk.searches;
    let running = searches.start(&new("J10 I8 H9")).expect("started").id;
    let refused = searches.delete(running).expect_err("it runs");
    assert!(matches!(refused, Failure::Conflict(_)), "{refused:?}");
    assert!(refused.to_string().contains("stop that one first"));
    assert!(searches.get(running).is_ok());

    let proof = proof();
    let solved = desk.search(SMALL, WON, &[answer(0, decided(Side::Black, proof.id().0))]);
    searches.book.add_proof(proof.text()).expect("stored");
    assert_eq!(
        searches.get(solved).expect("there").state,
        SearchState::Solved
    );
    searches.delete(solved).expect("nobody runs it");
    assert!(matches!(searches.get(solved), Err(Failure::NotFound(_))));
    assert!(matches!(searches.delete(solved), Err(Failure::NotFound(_))));
    let root = tengen_book::start(SMALL, WON).expect("legal");
    let proved = searches.book.proved(&root).expect("readable");
    assert_eq!(proved, Some((Side::Black, proof.id())));
    // Its number is not given again.
    assert_ne!(desk.search(SMALL, WON, &[]), solved);
    searches.close();
}

#[test]
fn a_search_that_cannot_be_started_is_not_left_behind() {
    let desk = Desk::new(true);
    let failed = desk.searches.start(&new("J10 I8 H9"));
    assert!(matches!(failed, Err(Failure::Conflict(_))), "{failed:?}");
    assert_eq!(desk.searches.list().expect("a list"), []);
}

#[test]
fn nonsense_is_refused_in_words() {
    let desk = Desk::new(false);
    let refused = |new: api::NewSearch| match desk.searches.start(&new) {
        Err(Failure::BadRequest(text)) => text,
        other => panic!("{other:?}"),
    };
    assert!(refused(new("J10 I8")).contains("between two turns"));
    assert!(refused(new("J10 J10 H9")).contains("J10"));
    let with = |policy: &str, workers| api::NewSearch {
        policy: Some(policy.to_owned()),
        workers: Some(workers),
        ..new("J10")
    };
    assert!(refused(with("random", 1)).contains("virtual-loss"));
    assert!(refused(with("greedy", 0)).contains("1 to 256"));
    assert!(refused(with("greedy", 1_000_000)).contains("1 to 256"));
    let long = api::NewSearch {
        title: Some("x".repeat(201)),
        ..new("J10")
    };
    assert!(refused(long).contains("200"));
    assert_eq!(desk.searches.list().expect("a list"), []);
}

#[test]
fn hints_go_into_the_journal_or_to_whoever_runs_the_search() {
    let desk = Desk::new(false);
    let position = opening();
    let first = Expansion {
        turns: vec![found(&position, "K11 L10", Verdict::B3)],
        ..Expansion::default()
    };
    let id = desk.search("connect6", "J10 I8 H9", &[answer(0, first)]);
    let cells = |text: &str| -> Vec<String> { text.split(' ').map(str::to_owned).collect() };
    let hint = |node, hint, text: &str| desk.searches.hint(id, node, hint, &cells(text));
    assert_eq!(hint(0, Hint::Exclude, "K11 L10").expect("done").events, 2);
    assert_eq!(hint(0, Hint::Suggest, "K10 K11").expect("done").nodes, 3);
    let node = desk.searches.node(id, 0).expect("the root");
    let turns: Vec<_> = node
        .children
        .iter()
        .map(|child| (child.turn.join(" "), child.excluded))
        .collect();
    assert_eq!(
        turns,
        [("K10 K11".to_owned(), false), ("K11 L10".to_owned(), true)]
    );
    for (node, what, text, expected) in [
        (0, Hint::Allow, "K10 K11", "not excluded"),
        (0, Hint::Exclude, "K11 L10", "already"),
        (0, Hint::Suggest, "K11", "2 stones"),
        (0, Hint::Suggest, "J10 K11", "cannot be played"),
        (0, Hint::Suggest, "Z99 K11", "cannot be played"),
        (0, Hint::Suggest, "nonsense", "nonsense"),
        (77, Hint::Suggest, "K10 K11", "no node 77"),
    ] {
        let failure = hint(node, what, text).expect_err("refused").to_string();
        assert!(failure.contains(expected), "{text}: {failure}");
    }
    let lease = desk
        .searches
        .book
        .take_lease(super::number(id))
        .expect("free");
    let asked = hint(0, Hint::Allow, "K11 L10").expect("posted");
    assert_eq!((asked.events, asked.asked), (3, 1));
    let command = &desk.searches.book.commands(super::number(id)).expect("one")[0];
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&command.text).expect("JSON"),
        serde_json::json!({ "command": "allow", "node": 0, "turn": "K11 L10" })
    );
    desk.searches.book.release(lease).expect("ours");
}

const SMALL: &str = "6,6,4,1,1";
const WON: &str = "B:B2,C2 W:B5,C5 to-move:B";

fn proof() -> CheckedProof {
    let text = format!(
        "tengen-proof 1\nrules {SMALL}\nposition {WON}\nattacker black\nnodes 1\n0 D2\nend\n"
    );
    CheckedProof::check(text).expect("a proof")
}

fn decided(winner: Side, id: [u8; 16]) -> Expansion {
    let evidence = Evidence::Proof(ProofId(id));
    Expansion {
        decided: Some(Decision { winner, evidence }),
        ..Expansion::default()
    }
}

#[test]
fn only_what_the_checker_has_verified_is_proved() {
    let desk = Desk::new(false);
    let proof = proof();
    let good = [answer(0, decided(Side::Black, proof.id().0))];
    let state = |id| desk.searches.get(id).expect("a search").state;
    let early = desk.search(SMALL, WON, &good);
    assert_eq!(
        state(early),
        SearchState::Stopped,
        "the book does not have it"
    );
    desk.searches.book.add_proof(proof.text()).expect("stored");
    let solved = desk.search(SMALL, WON, &good);
    assert_eq!(state(solved), SearchState::Solved);
    let image = desk.search(SMALL, "B:E2,D2 W:E5,D5 to-move:B", &good);
    assert_eq!(state(image), SearchState::Solved, "a reflection");
    let wrong_winner = answer(0, decided(Side::White, proof.id().0));
    assert_eq!(
        state(desk.search(SMALL, WON, &[wrong_winner])),
        SearchState::Stopped
    );
    let elsewhere = desk.search(SMALL, "B:B2,C3 W:B5,C5 to-move:B", &good);
    assert_eq!(state(elsewhere), SearchState::Stopped, "another position");
    assert!(desk.searches.proof(elsewhere).is_err());
    assert_eq!(
        desk.searches.proof(solved).expect("a file").text,
        proof.text()
    );
    let refused = desk.searches.resume(solved).expect_err("nothing to do");
    assert!(refused.to_string().contains("solved"), "{refused}");
}

#[test]
fn a_stopper_needs_a_proof_that_leaves_nothing_else_open() {
    let desk = Desk::new(false);
    desk.searches
        .book
        .add_proof(proof().text())
        .expect("stored");
    // The proof is the mover's own: it says nothing about losing turns.
    let stopper = |id: [u8; 16]| {
        let position = tengen_book::start(SMALL, WON).expect("legal");
        let rest_loses = Some(Evidence::Proof(ProofId(id)));
        let turns = vec![found(&position, "A1", Verdict::Stable)];
        answer(
            0,
            Expansion {
                turns,
                rest_loses,
                ..Expansion::default()
            },
        )
    };
    for id in [proof().id().0, [7; 16]] {
        let search = desk.search(SMALL, WON, &[stopper(id)]);
        let root = desk.searches.node(search, 0).expect("the root");
        assert_eq!(root.closed, Some(SearchEnd::Claimed));
    }
}

/// A journal may say that a turn leads to a position that is won, though it does not.
#[test]
fn a_turn_that_leads_elsewhere_decides_nothing() {
    let desk = Desk::new(false);
    let proof = proof();
    desk.searches.book.add_proof(proof.text()).expect("stored");
    let root = "B:B2 W:B5 to-move:B";
    let first = tengen_book::start(SMALL, root).expect("legal");
    let second = tengen_book::start(SMALL, "B:B2,C2 W:B5 to-move:W").expect("legal");
    let one = |found: Found| Expansion {
        turns: vec![found],
        ..Expansion::default()
    };
    let won = Found {
        after: Some(Box::new(decided(Side::Black, proof.id().0))),
        ..found(&second, "C5", Verdict::B4)
    };
    let lie = Found {
        key: won.key,
        ..found(&first, "F6", Verdict::B4)
    };
    let by_hand = Event::Suggest {
        node: NodeId::ROOT,
        turn: lie.turn.clone(),
        key: lie.key,
    };
    let honest = [
        answer(0, one(found(&first, "C2", Verdict::B4))),
        answer(1, one(won)),
    ];
    for lie in [answer(0, one(lie)), by_hand] {
        let id = desk.search(SMALL, root, &honest);
        desk.append(id, &[lie]);
        let search = desk.searches.get(id).expect("a search");
        assert_eq!((search.state, search.nodes), (SearchState::Stopped, 3));
        let leaf = desk.searches.node(id, 2).expect("the last node");
        assert_eq!(leaf.decided, Some(api::Side::Black));
    }
}

#[test]
fn a_damaged_journal_spoils_only_its_own_search() {
    let desk = Desk::new(false);
    let bad = desk.search("connect6", "J10", &[]);
    let good = desk.search("connect6", "J10 I8 H9", &[]);
    let book = &desk.searches.book;
    let lease = book.take_lease(super::number(bad)).expect("free");
    book.append(&lease, &["{\"event\":\"what\"}"], &[])
        .expect("JSON");
    book.release(lease).expect("ours");
    let list = desk.searches.list().expect("a list");
    assert_eq!(
        list.iter().map(|search| search.id).collect::<Vec<_>>(),
        [good, bad]
    );
    assert_eq!(list[0].error, None);
    let error = list[1].error.as_deref().expect("told");
    assert!(error.contains("event 1"), "{error}");
    assert!(desk.searches.node(bad, 0).is_err());
    assert!(desk.searches.atlas("5x5").is_ok());
}

#[test]
fn the_atlas_says_what_is_proved_searched_and_untouched() {
    let desk = Desk::new(false);
    desk.search("connect6", "J10 K12 L11", &[]);
    let atlas = desk.searches.atlas("5x5").expect("a region");
    assert_eq!(atlas.classes.len(), 44);
    let class = |name: &str| {
        let is_it = |class: &&api::AtlasClass| class.name.as_deref() == Some(name);
        atlas.classes.iter().find(is_it).expect("a class")
    };
    assert_eq!(class("TX-d21").state, AtlasState::Open);
    assert_eq!(class("TX-d21").moves, "J10 I8 H9");
    assert!(class("TX-d21").proof.is_some());
    assert_eq!(class("XX-b22").state, AtlasState::Untouched);
    for wrong in ["", "6x6", "5x7", "99x99", "5x5 "] {
        assert!(
            matches!(desk.searches.atlas(wrong), Err(Failure::BadRequest(_))),
            "{wrong}"
        );
    }
}

#[test]
fn what_was_given_up_is_tried_again_when_somebody_asks() {
    let desk = Desk::new(false);
    let reason = "nobody finished it".to_owned();
    let node = NodeId(0);
    let gave_up = Event::GaveUp { node, reason };
    let id = desk.search("6,6,4,1,1", "B:C3 W:F6 to-move:B", &[gave_up]);
    let named = desk.searches.on_grid().expect("a book");
    let (client, record) = named.iter().next().expect("a search");
    assert_eq!(client.len(), 32);
    // As a worker may have it: in another orientation.
    for position in ["B:C3 W:F6 to-move:B", "B:D4 W:A1 to-move:B"] {
        assert_eq!(desk.searches.given_up(record, position), Some(0));
    }
    for other in ["B:C4 W:F6 to-move:B", "nonsense", ""] {
        assert_eq!(desk.searches.given_up(record, other), None, "{other}");
    }
    desk.searches.retry(id, 0).expect("told");
    let record = desk.searches.book.search(super::number(id)).expect("there");
    assert_eq!(desk.searches.given_up(&record, "B:C3 W:F6 to-move:B"), None);
    assert!(matches!(
        desk.searches.retry(id, 0),
        Err(Failure::Conflict(_))
    ));
    assert!(matches!(
        desk.searches.retry(id, 9),
        Err(Failure::NotFound(_))
    ));
    assert!(matches!(
        desk.searches.retry(id + 1, 0),
        Err(Failure::NotFound(_))
    ));
}
