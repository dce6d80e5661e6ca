//! Workers that lie: whatever they say, nothing false is proved.

mod runner_support;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use runner_support::{
    SMALL, Small, assert_proved, book_with, decision, expand, folder, found, id_of, position, run,
    settings,
};
use tengen_book::Book;
use tengen_grid::Follower;
use tengen_grid::jobs::{JobError, Worker};
use tengen_grid::runner::{Runner, Why};
use tengen_grid::search::{Config, NodeId};
use tengen_grid::{Decision, Evidence, Expansion, Job, JobResult, Verdict, Work};
use tengen_rules::{Position, Side, Turn, notation};

/// A position in which nobody has anything.
const QUIET: (&str, &str) = ("connect6", "J10");

/// A right proof, of another position.
const OTHER: &str = "tengen-proof 1\nrules 6,6,4,1,1\nposition B:B2,C2 W:B5,C5 to-move:B\n\
                     attacker black\nnodes 1\n0 D2\nend\n";

/// A worker that always gives the same answer.
struct Always(fn(&Position) -> JobResult);

impl Worker for Always {
    fn run(&self, job: &Job, _: &AtomicBool) -> Result<JobResult, JobError> {
        Ok((self.0)(&position(&job.rules, &job.position)))
    }
}

fn says(decided: Decision, proof: Option<&str>) -> JobResult {
    JobResult {
        expansion: Expansion {
            decided: Some(decided),
            ..Expansion::default()
        },
        proofs: proof
            .map(|text| (id_of(text), text.to_owned()))
            .into_iter()
            .collect(),
        ..JobResult::default()
    }
}

/// A proof of this position that proves nothing.
fn wrong(position: &Position, attacker: &str, except: &str) -> String {
    let (rules, setup) = (position.rules(), notation::setup_text(&position.to_setup()));
    format!(
        "tengen-proof 1\nrules {rules}\nposition {setup}\nattacker {attacker}\n{except}nodes 1\n0 -\nend\n"
    )
}

/// What a root comes to with such a worker.
#[track_caller]
fn assert_unproved(name: &str, answer: fn(&Position) -> JobResult) {
    let root = position(QUIET.0, QUIET.1);
    let (path, search) = book_with(&folder(name), &root, &Config::default());
    let end = run(&path, search, Arc::new(Always(answer)), 2);
    assert_eq!((end.winner, end.composed), (None, None), "{name}");
    assert_eq!(end.why, Why::Stuck, "{name}");
    let book = Book::open_existing(&path).expect("a book");
    assert_eq!(book.proved(&root).expect("readable"), None, "{name}");
    let follower = Follower::open(&book, search).expect("a journal");
    for node in 0..follower.search().len() {
        let node = follower.search().node(NodeId(node as u32)).expect("there");
        assert_eq!(node.decided, None, "{name}: {:?}", node.id);
        assert!(!matches!(node.closed, Some(Evidence::Proof(_))), "{name}");
    }
}

#[test]
fn claims_and_wrong_proofs_decide_nothing() {
    assert_unproved("lies_claim", |_| {
        let evidence = Evidence::Claim;
        says(
            Decision {
                winner: Side::White,
                evidence,
            },
            None,
        )
    });
    assert_unproved("lies_no_text", |_| says(decision(Side::White, OTHER), None));
    assert_unproved("lies_other_position", |_| {
        says(decision(Side::Black, OTHER), Some(OTHER))
    });
    assert_unproved("lies_wrong_proof", |position| {
        let text = wrong(position, "black", "");
        says(decision(Side::Black, &text), Some(&text))
    });
    assert_unproved("lies_no_proof", |_| {
        says(decision(Side::Black, "hello"), Some("hello"))
    });
    assert_unproved("lies_name", |position| {
        let mut result = says(decision(Side::Black, OTHER), None);
        result.proofs = vec![(id_of(OTHER), wrong(position, "black", ""))];
        result
    });
}

#[test]
fn stoppers_that_say_less_than_they_should_close_nothing() {
    // True, for nothing is claimed: every reply is left open.
    assert_unproved("lies_all_open", |position| {
        let text = wrong(position, "black", "except -\n");
        let mut result = JobResult::default();
        result.expansion.rest_loses = Some(Evidence::Proof(id_of(&text)));
        result.proofs = vec![(id_of(&text), text)];
        result
    });
    // A stopper of another position.
    assert_unproved("lies_other_stopper", |_| {
        let mut result = JobResult::default();
        result.expansion.rest_loses = Some(Evidence::Proof(id_of(OTHER)));
        result.proofs = vec![(id_of(OTHER), OTHER.to_owned())];
        result
    });
}

/// Solves as [`Small`], but hides one of the turns that its stopper leaves open.
struct Hider;

impl Worker for Hider {
    fn run(&self, job: &Job, _: &AtomicBool) -> Result<JobResult, JobError> {
        let Work::Expand { exclude, .. } = &job.work else {
            unreachable!("searches order expansions")
        };
        let mut result = expand(&position(&job.rules, &job.position), exclude);
        if matches!(result.expansion.rest_loses, Some(Evidence::Proof(_))) {
            // With its mirror images, which would do as well.
            let hidden = result.expansion.turns.last().map(|found| found.key);
            let turns = &mut result.expansion.turns;
            turns.retain(|found| Some(found.key) != hidden);
        }
        Ok(result)
    }
}

#[test]
fn a_hidden_reply_leaves_the_node_open() {
    let root = position(SMALL.0, SMALL.1);
    let (path, search) = book_with(&folder("lies_hider"), &root, &Config::default());
    let running = Runner::start(path.clone(), search, Arc::new(Hider), settings(1));
    let running = running.expect("it starts");
    let book = Book::open_existing(&path).expect("a book");
    // It would go on for long: nothing is ever closed.
    while !running.is_done() && book.search(search).expect("there").events < 60 {
        thread::sleep(Duration::from_millis(10));
    }
    running.stop();
    let end = running.wait().expect("it ends");
    let follower = Follower::open(&book, search).expect("a journal");
    let closed = (0..follower.search().len()).filter(|&node| {
        let node = follower.search().node(NodeId(node as u32)).expect("there");
        matches!(node.closed, Some(Evidence::Proof(_)))
    });
    assert_eq!(closed.count(), 0, "every stopper hid something");
    if end.winner.is_some() {
        assert_proved(&path, &root, &end);
    }
}

/// Solves as [`Small`], with wrong keys, illegal turns among the right ones, and a breakdown now and then.
#[derive(Default)]
struct Clumsy(AtomicU64);

impl Worker for Clumsy {
    fn run(&self, job: &Job, stop: &AtomicBool) -> Result<JobResult, JobError> {
        let count = self.0.fetch_add(1, Ordering::Relaxed);
        assert!(count % 3 != 1, "a breakdown");
        let mut result = Small.run(job, stop)?;
        let position = position(&job.rules, &job.position);
        for found in &mut result.expansion.turns {
            found.key = [7; 16];
            found.verdict = Verdict::WhiteWins;
        }
        let taken = position.stones().next().map(|stone| stone.cell);
        let mut illegal = found(&position, std::iter::once("A1".parse().expect("a turn")));
        for found in &mut illegal {
            found.turn = taken.into_iter().collect::<Turn>();
        }
        result.expansion.turns.extend(illegal);
        Ok(result)
    }
}

#[test]
fn wrong_keys_are_corrected_illegal_turns_dropped_and_breakdowns_survived() {
    let root = position(SMALL.0, SMALL.1);
    let (path, search) = book_with(&folder("lies_clumsy"), &root, &Config::default());
    let end = run(&path, search, Arc::new(Clumsy::default()), 2);
    assert_eq!(end.why, Why::Solved);
    assert_proved(&path, &root, &end);
}
