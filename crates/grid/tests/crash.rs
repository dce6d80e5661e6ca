//! A search that is killed again and again: nothing that was journaled is lost or done twice.
//!
//! `TENGEN_CRASHES=100 cargo test -p tengen-grid --test crash` kills it at 100 random moments; without the variable it is 12.
//! With `TENGEN_CRASH_OPENING="J10 H8 L12"` it is this opening of Connect6 that is solved, by the real worker, instead of a small game.

mod runner_support;

use std::collections::{HashMap, HashSet};
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use runner_support::{SMALL, Small, assert_proved, book_with, folder, position, run};
use tengen_book::{Book, SearchId};
use tengen_grid::jobs::{JobError, LocalWorker, Worker};
use tengen_grid::runner::Why;
use tengen_grid::search::{Config, Event, NodeId, Search};
use tengen_grid::{Follower, Job, JobResult, Work};
use tengen_rules::{Position, Side, Turn, notation, position_key};

const FOLDER: &str = "TENGEN_CRASH_FOLDER";

fn opening() -> Option<String> {
    std::env::var("TENGEN_CRASH_OPENING").ok()
}

fn root() -> Position {
    match opening() {
        Some(stones) => position("connect6", &stones),
        None => position(SMALL.0, SMALL.1),
    }
}

fn config() -> Config {
    Config {
        attacker: opening().map(|_| Side::Black),
        ..Config::default()
    }
}

fn worker() -> Arc<dyn Worker> {
    match opening() {
        Some(_) => Arc::new(LocalWorker::new()),
        None => Arc::new(Small),
    }
}

/// When it is killed, in milliseconds after its start.
fn moment(random: &mut fastrand::Rng) -> Duration {
    let moments = match opening() {
        Some(_) => 300..5_000,
        None => 20..220,
    };
    Duration::from_millis(random.u64(moments))
}

/// Writes down what it is asked before it begins.
struct Witness(PathBuf, Arc<dyn Worker>);

impl Worker for Witness {
    fn run(&self, job: &Job, stop: &AtomicBool) -> Result<JobResult, JobError> {
        let Work::Expand {
            exclude, attempt, ..
        } = &job.work
        else {
            unreachable!("searches order expansions")
        };
        let line = asked(&job.position, exclude, *attempt);
        let mut log = OpenOptions::new().create(true).append(true).open(&self.0);
        let log = log.as_mut().expect("a log");
        log.write_all(format!("{line}\n").as_bytes())
            .expect("a line");
        // Long enough to be killed at it.
        thread::sleep(Duration::from_millis(25));
        self.1.run(job, stop)
    }
}

/// A question in one line.
fn asked(position: &str, exclude: &[Turn], attempt: u8) -> String {
    let mut turns: Vec<String> = exclude.iter().map(Turn::to_string).collect();
    turns.sort();
    format!("{position} without {}, attempt {attempt}", turns.join(", "))
}

/// Not a test: what the process does that is killed.
#[test]
#[ignore = "run by the test below, in a process of its own"]
fn victim() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else {
        return;
    };
    let worker = Arc::new(Witness(folder.join("log"), worker()));
    run(&folder.join("test.book"), SearchId(1), worker, 2);
}

fn start(folder: &Path) -> Child {
    let program = std::env::current_exe().expect("this program");
    Command::new(program)
        .args(["--exact", "victim", "--ignored", "--quiet"])
        .env(FOLDER, folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts")
}

fn journal(path: &Path) -> Vec<String> {
    let book = Book::open_existing(path).expect("a book");
    let events = book.events(SearchId(1), 0);
    events.map(|event| event.expect("readable").1).collect()
}

/// What was asked and answered, by the journal.
fn answered(events: &[String]) -> HashSet<String> {
    let root = root();
    let mut search = Search::new(root.to_move(), position_key(&root).0, config());
    let mut all = HashSet::new();
    // How often in a row a position was asked about without a new turn.
    let mut attempts: HashMap<NodeId, u8> = HashMap::new();
    for text in events {
        let event: Event = serde_json::from_str(text).expect("an event");
        if let Event::Answer { node, .. } = &event {
            let mut position = root.clone();
            for turn in search.line(*node) {
                position.play(&turn).expect("a line");
            }
            let known: Vec<Turn> = search
                .node(*node)
                .expect("a node")
                .children
                .iter()
                .map(|edge| edge.turn.clone())
                .collect();
            let attempt = attempts.get(node).copied().unwrap_or_default();
            let name = notation::setup_text(&position.to_setup());
            all.insert(asked(&name, &known, attempt));
            let (node, before) = (*node, known.len());
            search.apply(event);
            let after = search.node(node).expect("a node").children.len();
            let attempt = if after > before { 0 } else { attempt + 1 };
            attempts.insert(node, attempt);
            continue;
        }
        search.apply(event);
    }
    all
}

fn lines(folder: &Path) -> Vec<String> {
    let log = fs::read_to_string(folder.join("log")).unwrap_or_default();
    // The last line may have been cut by the death.
    let whole = log.rfind('\n').map_or("", |end| &log[..end]);
    whole.lines().map(ToOwned::to_owned).collect()
}

/// Kills one search up to so many times and lets it end; says how often it was killed.
fn torment(name: &str, most: usize, random: &mut fastrand::Rng) -> usize {
    let folder = folder(name);
    let (path, _) = book_with(&folder, &root(), &config());
    let mut crashes = 0;
    while crashes < most {
        let (before, logged) = (journal(&path), lines(&folder).len());
        let done = answered(&before);
        let mut victim = start(&folder);
        thread::sleep(moment(random));
        let ended = victim.try_wait().expect("a process").is_some();
        victim.kill().expect("killed, or dead already");
        victim.wait().expect("dead");
        let now = journal(&path);
        assert!(now.starts_with(&before), "the journal only grows");
        for line in lines(&folder).iter().skip(logged) {
            assert!(!done.contains(line), "done again: {line}");
        }
        if ended {
            break;
        }
        crashes += 1;
    }
    let end = run(&path, SearchId(1), worker(), 2);
    assert_eq!(end.why, Why::Solved);
    assert_proved(&path, &root(), &end);
    assert_eq!(end.winner, Some(Side::Black), "as without crashes");
    assert_walkable(&path, Side::Black);
    crashes
}

/// Asserts that the book has the turns of the winning strategy: at each of the winner's positions one that wins, at the
/// other's all that the tree has, and a proof of what comes after the first turn.
#[track_caller]
fn assert_walkable(path: &Path, winner: Side) {
    let book = Book::open_existing(path).expect("a book");
    let follower = Follower::open(&book, SearchId(1)).expect("a journal");
    let search = follower.search();
    let turns_of = |position: &Position| book.lookup(position).expect("readable").turns;
    let first = turns_of(follower.root()).into_iter().next();
    let first = first.and_then(|turn| turn.proved).map(|(side, _)| side);
    assert_eq!(first, Some(winner), "the first turn is proved");
    let mut waiting = vec![follower.root().clone()];
    let mut seen = HashSet::new();
    let mut walked = 0;
    while let Some(position) = waiting.pop() {
        let key = position_key(&position).0;
        let node = search.find(&key).expect("a node of the tree");
        let node = search.node(node).expect("a node");
        assert_eq!(node.decided, Some(winner));
        if !seen.insert(key) {
            continue;
        }
        let after = |turn: &Turn| {
            let mut next = position.clone();
            next.play(turn).expect("legal");
            next
        };
        let known: Vec<Position> = turns_of(&position).iter().map(|e| after(&e.turn)).collect();
        let is_won = |next: &&Position| {
            let node = search.find(&position_key(next).0);
            let decided = node.and_then(|node| search.node(node)?.decided);
            decided == Some(winner)
        };
        let won: Vec<&Position> = known.iter().filter(is_won).collect();
        if node.side == winner {
            let own_proof = node.proof.is_some();
            assert!(own_proof || !won.is_empty(), "no turn at {position:?}");
        } else {
            let keys: HashSet<_> = won.iter().map(|next| position_key(next).0).collect();
            for edge in &node.children {
                let child = search.key(edge.node).expect("a node");
                assert!(keys.contains(&child), "{} is missing", edge.turn);
            }
        }
        walked += won.len();
        waiting.extend(won.into_iter().cloned());
    }
    assert!(walked > 1, "a tree was needed");
}

#[test]
fn a_search_that_is_killed_loses_nothing() {
    let undisturbed = folder("crash_none");
    let (path, search) = book_with(&undisturbed, &root(), &config());
    let end = run(&path, search, worker(), 2);
    assert_eq!(end.winner, Some(Side::Black));
    assert_proved(&path, &root(), &end);
    assert_walkable(&path, Side::Black);

    let wanted = std::env::var("TENGEN_CRASHES").ok();
    let wanted: usize = wanted.map_or(12, |text| text.parse().expect("a number of crashes"));
    let mut random = fastrand::Rng::new();
    let (mut crashes, mut round) = (0, 0);
    while crashes < wanted {
        round += 1;
        assert!(round < wanted + 10, "it ends too fast to be killed");
        crashes += torment(&format!("crash_{round}"), wanted - crashes, &mut random);
    }
}
