//! `tengen opening` on a small game, from the first search to the exported proof.

mod common;

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use common::{Folder, Run};
use tengen_book::{Book, SearchId};
use tengen_grid::runner::create_search;
use tengen_grid::search::{Config, Event, NodeId, Policy, Selection};
use tengen_grid::{Decision, Evidence, Expansion, Found, ProofId, Verdict};
use tengen_rules::{Side, Turn, position_key};

const GAME: [&str; 3] = ["B:C3", "W:F6", "to-move:B"];

/// A folder and a way to ask its book.
struct Desk(Folder);

impl Desk {
    fn new(name: &str) -> Self {
        Self(Folder::new(name))
    }

    fn opening(&self, arguments: &[&str]) -> Run {
        let all = [&["opening", "--book", "my.book"], arguments].concat();
        self.0.run(&all)
    }

    fn solve(&self, more: &[&str]) -> Run {
        let all = [&["solve", "--rules", "6,6,4,1,1"], &GAME[..], more].concat();
        self.opening(&all)
    }

    fn json(&self, arguments: &[&str]) -> serde_json::Value {
        serde_json::from_str(&self.opening(arguments).ok()).expect("JSON")
    }
}

#[test]
fn an_opening_is_solved_resumed_shown_and_exported() {
    let desk = Desk::new("opening_small");
    let said = desk
        .solve(&["--workers", "2", "--proof", "small.proof"])
        .ok();
    assert!(said.contains("Black wins with "), "{said}");
    assert!(said.contains("VERIFIED by the checker"), "{said}");
    let checked = desk.0.run(&["check", "small.proof"]).ok();
    assert!(checked.contains("VERIFIED"), "{checked}");
    assert!(
        desk.0
            .read("small.proof")
            .contains("position B:C3 W:F6 to-move:B")
    );

    // The same root is the same search, and its proof is there at once.
    let again: serde_json::Value =
        serde_json::from_str(&desk.solve(&["--json"]).ok()).expect("JSON");
    assert_eq!(again["search"], 1);
    assert_eq!(again["state"], "solved");
    assert_eq!(again["winner"], "black");
    assert_eq!(again["check"]["verdict"], "VERIFIED");

    let list = desk.json(&["list", "--json"]);
    assert_eq!(list.as_array().expect("a list").len(), 1);
    assert_eq!(list[0]["winner"], "black");
    assert!(desk.opening(&["list"]).ok().contains("Black wins"));
    let tree = desk.opening(&["watch", "1", "--once"]).ok();
    assert!(tree.contains("Black wins, proved"), "{tree}");

    desk.opening(&["export", "1", "--to", "proof", "again.proof"])
        .ok();
    assert_eq!(desk.0.read("again.proof"), desk.0.read("small.proof"));
    let journal = desk.opening(&["export", "1", "--to", "jsonl", "-"]).ok();
    assert!(
        journal.lines().all(|line| line.starts_with("{\"event\":")),
        "{journal}"
    );
    desk.opening(&["export", "1", "--to", "sgf", "tree.sgf"])
        .ok();
    assert!(desk.0.read("tree.sgf").contains("Black wins, proved"));
}

/// A search in the book of a desk that nobody runs, with these events; what is wanted by `tengen opening solve`.
fn unsolved(desk: &Desk) -> Book {
    let config = Config {
        selection: Selection::ProofNumber(Policy::default()),
        fill: true,
        attacker: Some(Side::Black),
        ..Config::default()
    };
    let book = Book::open(desk.0.path("my.book")).expect("a book");
    let root = tengen_book::start("6,6,4,1,1", "B:C3 W:F6 to-move:B").expect("legal");
    create_search(&book, "by hand", &root, &config).expect("a search");
    book
}

#[test]
fn an_expert_is_heard_or_told_what_is_wrong() {
    let desk = Desk::new("opening_hand");
    let book = unsolved(&desk);
    let said = desk.opening(&["suggest", "1", "root", "D4"]).ok();
    assert!(said.contains("looks at D4 soon"), "{said}");
    let said = desk.opening(&["exclude", "1", "D4", "D5"]).ok();
    assert!(said.contains("leaves D5 alone"), "{said}");
    // It is in the journal at once, and so in the tree.
    let tree = desk.opening(&["watch", "1"]).ok();
    assert!(tree.contains("x D5"), "{tree}");
    let said = desk.opening(&["exclude", "1", "D4", "D5", "--undo"]).ok();
    assert!(said.contains("may look at D5 again"), "{said}");

    let refused = |arguments: &[&str], why: &str| {
        let said = desk.opening(arguments).refused();
        assert!(said.contains(why), "{arguments:?}: {said}");
    };
    refused(
        &["exclude", "1", "D4", "D5", "--undo"],
        "D5 is not excluded",
    );
    refused(&["exclude", "1", "root", "C3"], "C3 is already occupied");
    refused(
        &["exclude", "1", "root", "D4", "D5"],
        "1 stones here, not 2",
    );
    refused(&["exclude", "1", "root", "Z9"], "off the board");
    refused(&["exclude", "1", "here", "D4"], "`here` is not a cell");
    refused(&["suggest", "1", "A1, A2", "C4"], "no turn A1 at the root");
    refused(&["suggest", "1", "D4, A2", "C4"], "no turn A2 after D4");
    refused(&["suggest", "1", "D4 D5", "C4"], "commas separate");
    refused(
        &["suggest", "1", "D4, D4", "C4"],
        "D4 cannot be played after D4",
    );
    refused(&["suggest", "1", "root"], "<TURN>...");
    refused(
        &["suggest", "1", "root", "D4"],
        "D4 is being searched already",
    );
    refused(&["retry", "1", "D4"], "nothing was given up after D4");
    refused(&["retry", "1", "A1"], "no turn A1 at the root");
    refused(&["watch", "7"], "no search 7");
    refused(&["resume", "TX-d21"], "`TX-d21` is no number of a search");
    refused(&["stop", "1"], "does not run: it is new");
    refused(&["export", "1", "--to", "proof", "-"], "not solved");
    let policy = desk.solve(&["--policy", "hope"]).refused();
    assert!(policy.contains("virtual-equivalence"), "{policy}");
    let table = |text: &str, why: &str| {
        std::fs::write(desk.0.path("table.json"), text).expect("written");
        let said = desk.solve(&["--table", "table.json"]).refused();
        assert!(said.contains(why), "{said}");
    };
    table("{\"b9\": [1, 2]}", "unknown variant `b9`");
    table("{\"b4\": 1}", "expected numbers by verdict");
    table("{\"b4\": [0, 2]}", "the least is 1");
    refused(&["solve", "J10", "--table", "none.json"], "none.json");

    // What is said to a search that runs is in its inbox.
    let lease = book.take_lease(SearchId(1)).expect("free");
    let said = desk.opening(&["exclude", "1", "root", "D4"]).ok();
    assert!(said.contains("within a second"), "{said}");
    book.release(lease).expect("ours");
    desk.opening(&["resume", "1"]).ok();
    let journal = desk.opening(&["export", "1", "--to", "jsonl", "-"]).ok();
    for event in ["suggest", "exclude", "allow"] {
        let event = format!("\"event\":\"{event}\"");
        assert!(journal.contains(&event), "{event}: {journal}");
    }
    refused(&["suggest", "1", "root", "D3"], "is solved");
}

#[test]
fn a_book_that_is_not_there_has_no_searches() {
    let desk = Desk::new("opening_no_book");
    assert!(desk.opening(&["list"]).ok().starts_with("No searches"));
    assert_eq!(desk.json(&["list", "--json"]), serde_json::json!([]));
    for arguments in [&["watch", "1"], &["stop", "1"], &["delete", "1"]] {
        let said = desk.opening(arguments).refused();
        assert!(said.contains("there is no book"), "{said}");
        assert!(said.contains("begins a search"), "{said}");
    }
    assert!(!desk.0.path("my.book").exists());
}

#[test]
fn a_search_starts_between_two_turns_and_its_title_tells_which() {
    let desk = Desk::new("opening_titles");
    let half = desk.opening(&["solve", "J10", "H9"]).refused();
    assert!(half.contains("between two turns"), "{half}");
    let twice = desk.opening(&["start", "J10", "H9", "H9"]).refused();
    assert!(
        twice.contains("occupied") && !twice.contains("name"),
        "{twice}"
    );
    let unknown = desk.opening(&["start", "mickey"]).refused();
    assert!(unknown.contains("a name that the book knows"), "{unknown}");
}

#[test]
fn a_search_goes_by_means_or_by_a_table_or_looks_for_the_other_side() {
    let desk = Desk::new("opening_ways");
    let says = |more: &[&str], what: &str| {
        let said = desk.solve(more).ok();
        assert!(said.contains(what), "{said}");
    };
    says(&["--policy", "uct", "--workers", "1"], "Black wins with ");
    let table = "{\"b4\": [1, 30], \"stable\": [5, 5]}";
    std::fs::write(desk.0.path("table.json"), table).expect("written");
    says(
        &["--table", "table.json", "--workers", "1"],
        "Black wins with ",
    );
    let configs: Vec<String> = Book::open(desk.0.path("my.book"))
        .and_then(|book| book.searches())
        .expect("a book")
        .into_iter()
        .map(|search| search.config)
        .collect();
    assert_eq!(configs.len(), 2, "each way is a search of its own");
    assert!(configs.iter().any(|config| config.contains("uct")));
    assert!(
        configs
            .iter()
            .any(|config| config.contains("\"disproof\":30"))
    );
}

/// The mean stands beside the numbers.
#[test]
fn a_search_by_means_shows_them() {
    let desk = Desk::new("opening_means");
    let root = tengen_book::start("6,6,4,1,1", "B:C3 W:F6 to-move:B").expect("legal");
    let book = Book::open(desk.0.path("my.book")).expect("a book");
    let config = Config {
        selection: Selection::UCT,
        ..Config::default()
    };
    create_search(&book, "by means", &root, &config).expect("a search");
    desk.opening(&["suggest", "1", "root", "D4"]).ok();
    let tree = desk.opening(&["watch", "1", "--once"]).ok();
    assert!(tree.contains("Black 80 %"), "{tree}");
}

/// What `tengen opening` says when another process, this one, has the search.
#[test]
fn a_search_that_another_process_runs_is_left_alone() {
    let desk = Desk::new("opening_held");
    let book = unsolved(&desk);
    let lease = book.take_lease(SearchId(1)).expect("free");
    let start = [&["start", "--rules", "6,6,4,1,1"], &GAME[..]].concat();
    for arguments in [&["resume", "1"][..], &["delete", "1"], &start] {
        let said = desk.opening(arguments).refused();
        assert!(said.contains("is run by process"), "{said}");
        assert!(said.contains("`tengen opening stop 1` stops it"), "{said}");
    }
    assert_eq!(desk.json(&["list", "--json"])[0]["state"], "running");
    desk.opening(&["stop", "1"]).ok();
    assert_eq!(desk.json(&["list", "--json"])[0]["state"], "stopping");
    book.release(lease).expect("ours");
}

/// Runs a command while this process has the search and was told to stop it; gives it back when the other one waits.
fn meanwhile(desk: &Desk, book: &Book, command: &str, id: i64) -> Run {
    let lease = book.take_lease(SearchId(id)).expect("free");
    let number = id.to_string();
    desk.opening(&["stop", &number]).ok();
    let all = ["opening", "--book", "my.book", command, &number];
    let mut child = desk
        .0
        .command(&all)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut stderr = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut line = String::new();
    stderr.read_line(&mut line).expect("readable");
    assert!(line.contains("waiting for process"), "{line}");
    book.release(lease).expect("ours");
    let output = child.wait_with_output().expect("it ends");
    Run {
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: line,
        code: output.status.code(),
    }
}

#[test]
fn a_search_that_was_just_stopped_can_be_resumed() {
    let desk = Desk::new("opening_resumed");
    let book = unsolved(&desk);
    let said = meanwhile(&desk, &book, "resume", 1).ok();
    assert!(said.contains("VERIFIED by the checker"), "{said}");
    // What is solved is not started again.
    let start = [&["start", "--rules", "6,6,4,1,1"], &GAME[..]].concat();
    let said = desk.opening(&start).ok();
    assert!(said.contains("is solved, Black wins"), "{said}");
}

#[test]
fn a_search_is_started_in_the_background() {
    let desk = Desk::new("opening_start");
    let start = [
        &["start", "--workers", "1", "--rules", "6,6,4,1,1"],
        &GAME[..],
    ]
    .concat();
    let said = desk.opening(&start).ok();
    assert!(said.starts_with("Search 1: B:C3 W:F6 to-move:B "), "{said}");
    // It ends by itself, and whoever resumes it meanwhile is told that it runs.
    while desk.json(&["list", "--json"])[0]["state"] != "solved" {
        thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(desk.json(&["list", "--json"])[0]["winner"], "black");
}

#[test]
fn a_deleted_search_leaves_what_it_has_proved() {
    let desk = Desk::new("opening_deleted");
    desk.solve(&["--workers", "2"]).ok();
    let said = desk.opening(&["delete", "1"]).ok();
    assert!(said.starts_with("Deleted search 1: B:C3 W:F6"), "{said}");
    assert!(said.contains("stays in the book"), "{said}");
    let gone = desk.opening(&["delete", "1"]).refused();
    assert!(gone.contains("no search 1"), "{gone}");
    let book = Book::open_existing(desk.0.path("my.book")).expect("a book");
    let root = tengen_book::start("6,6,4,1,1", "B:C3 W:F6 to-move:B").expect("legal");
    let proved = book.proved(&root).expect("readable");
    assert_eq!(proved.map(|(side, _)| side), Some(Side::Black));
    // A search of the same root needs no job.
    let again: serde_json::Value =
        serde_json::from_str(&desk.solve(&["--json"]).ok()).expect("JSON");
    assert_eq!(
        (&again["winner"], &again["job_seconds"]),
        (&"black".into(), &0.0.into())
    );
    // One that was told to stop is deleted as soon as it has.
    let said = meanwhile(&desk, &book, "delete", 2).ok();
    assert!(said.starts_with("Deleted search 2"), "{said}");
    assert_eq!(desk.json(&["list", "--json"]), serde_json::json!([]));
}

/// What a process shows of its search, and what a journal says, is no proof.
#[test]
fn what_is_only_said_is_not_shown_as_proved() {
    let desk = Desk::new("opening_lies");
    let book = unsolved(&desk);
    let lease = book.take_lease(SearchId(1)).expect("free");
    let lie = r#"{"event":"answer","node":0,"seconds":1.0,"nodes":1,"expansion":{"decided":{"winner":"black",
        "evidence":{"proof":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]}},"turns":[],"rest_loses":null,"hints":[]}}"#;
    book.append(&lease, &[lie], &[]).expect("JSON");
    let shown = r#"{"state":"solved","winner":"black","proof":0,"disproof":4294967295,"composed":"00000000000000000000000000000001"}"#;
    book.set_snapshot(SearchId(1), shown).expect("JSON");
    book.release(lease).expect("ours");
    let list = desk.opening(&["list"]).ok();
    assert!(!list.contains("wins"), "{list}");
    assert_eq!(
        desk.json(&["list", "--json"])[0]["winner"],
        serde_json::Value::Null
    );
    let tree = desk.opening(&["watch", "1"]).ok();
    assert!(!tree.contains("proved") && !tree.contains("wins"), "{tree}");
    let sgf = desk.opening(&["export", "1", "--to", "sgf", "-"]).ok();
    assert!(!sgf.contains("proved"), "{sgf}");
    let proof = desk
        .opening(&["export", "1", "--to", "proof", "-"])
        .refused();
    assert!(proof.contains("not solved"), "{proof}");
    // Who runs it cannot go on from what was only said, and does not call it solved.
    let said = desk.opening(&["resume", "1"]).ok();
    assert!(said.contains("Open, nothing is left to try"), "{said}");
    assert!(said.contains("tengen opening suggest 1"), "{said}");
}

/// What is shown of a position that somebody has won is how.
#[test]
fn a_solved_search_shows_the_strategy() {
    let desk = Desk::new("opening_strategy");
    let after: serde_json::Value = serde_json::from_str(
        &desk
            .opening(&[
                "solve",
                "--json",
                "--rules",
                "6,6,4,1,1",
                "B:C3,D3",
                "W:F6",
                "to-move:W",
            ])
            .ok(),
    )
    .expect("JSON");
    assert_eq!(after["winner"], "black");
    let book = unsolved(&desk);
    let root = tengen_book::start("6,6,4,1,1", "B:C3 W:F6 to-move:B").expect("legal");
    let found = |text: &str, after: Option<Expansion>| {
        let turn: Turn = text.parse().expect("a turn");
        let mut next = root.clone();
        next.play(&turn).expect("legal");
        Found {
            turn,
            key: position_key(&next).0,
            verdict: Verdict::Stable,
            after: after.map(Box::new),
        }
    };
    let id: tengen_book::ProofId = after["proof"]
        .as_str()
        .and_then(|id| id.parse().ok())
        .expect("a proof");
    let decided = Some(Decision {
        winner: Side::Black,
        evidence: Evidence::Proof(ProofId(id.0)),
    });
    let won = Expansion {
        decided,
        ..Expansion::default()
    };
    let event = Event::Answer {
        node: NodeId::ROOT,
        expansion: Expansion {
            turns: vec![found("A1", None), found("D3", Some(won))],
            ..Expansion::default()
        },
        seconds: 1.0,
        nodes: 1,
    };
    let event = serde_json::to_string(&event).expect("JSON");
    let lease = book.take_lease(SearchId(2)).expect("free");
    book.append(&lease, &[event], &[]).expect("ours");
    book.release(lease).expect("ours");
    let tree = desk.opening(&["watch", "2"]).ok();
    assert!(tree.contains("Black wins, proved"), "{tree}");
    assert!(tree.contains("  + D3       Black wins"), "{tree}");
    assert!(!tree.contains("A1"), "{tree}");
}

/// An opening that somebody else searches does not end the atlas.
#[test]
fn the_atlas_leaves_what_others_search_to_them() {
    let desk = Desk::new("opening_atlas_held");
    let book = Book::open(desk.0.path("my.book")).expect("a book");
    let config = Config {
        fill: true,
        attacker: Some(Side::Black),
        ..Config::default()
    };
    let root = tengen_book::start("connect6", "J10 I9 I8").expect("legal");
    let id = create_search(&book, "held", &root, &config).expect("a search");
    let lease = book.take_lease(id).expect("free");
    let atlas = desk.opening(&["atlas", "--region", "I8-I9", "--seconds", "600"]);
    assert!(
        atlas.stderr.contains("X-d12 is left to process"),
        "{}",
        atlas.stderr
    );
    assert!(atlas.ok().contains("1 openings: 0 proved for Black"));
    book.release(lease).expect("ours");
}

/// Its time is limited unless told otherwise, which is easily taken for the end.
#[test]
fn the_atlas_says_how_to_go_on_when_its_time_is_over() {
    let desk = Desk::new("opening_atlas_over");
    let one = ["atlas", "--region", "I8-I9"];
    let run = |seconds: &str| desk.opening(&[&one[..], &["--seconds", seconds]].concat());
    let over = run("0.5");
    assert!(
        over.stderr
            .contains("the 0.5 s of this run are over, openings left: 1"),
        "{}",
        over.stderr
    );
    // A look at the table is no run.
    assert!(!run("0").stderr.contains("over"));
}

#[test]
fn the_atlas_lists_and_draws_what_the_book_knows() {
    let desk = Desk::new("opening_atlas");
    let table = desk
        .opening(&[
            "atlas",
            "--region",
            "5x5",
            "--seconds",
            "0",
            "--svg",
            "atlas.svg",
        ])
        .ok();
    assert!(
        table.contains("44 openings: 0 proved for Black, 0 for White, 44 open"),
        "{table}"
    );
    assert!(table.contains("TX-d21"), "{table}");
    let picture = desk.0.read("atlas.svg");
    assert!(picture.contains("prefers-color-scheme:dark"));
    assert_eq!(picture.matches("font-weight=\"600\"").count(), 44);
    let wrong = desk.opening(&["atlas", "--region", "4x4"]).refused();
    assert!(wrong.contains("must be odd"), "{wrong}");
}
