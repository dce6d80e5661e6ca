//! A search that is killed again and again: nothing that was journaled is lost or done twice.
//!
//! `TENGEN_CRASHES=100 cargo test -p tengen-grid --test crash` kills it at 100 random moments; without the variable it is 12.

mod runner_support;

use std::collections::HashSet;
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
use tengen_grid::jobs::{JobError, Worker};
use tengen_grid::runner::Why;
use tengen_grid::search::{Config, Event, Search};
use tengen_grid::{Job, JobResult, Work};
use tengen_rules::{Position, Turn, notation, position_key};

const FOLDER: &str = "TENGEN_CRASH_FOLDER";

fn root() -> Position {
    position(SMALL.0, SMALL.1)
}

/// Writes down what it is asked before it begins.
struct Witness(PathBuf);

impl Worker for Witness {
    fn run(&self, job: &Job, stop: &AtomicBool) -> Result<JobResult, JobError> {
        let Work::Expand { exclude, .. } = &job.work else {
            unreachable!("searches order expansions")
        };
        let line = asked(&job.position, exclude);
        let mut log = OpenOptions::new().create(true).append(true).open(&self.0);
        let log = log.as_mut().expect("a log");
        log.write_all(format!("{line}\n").as_bytes())
            .expect("a line");
        thread::sleep(Duration::from_millis(25));
        Small.run(job, stop)
    }
}

/// A question in one line.
fn asked(position: &str, exclude: &[Turn]) -> String {
    let mut turns: Vec<String> = exclude.iter().map(Turn::to_string).collect();
    turns.sort();
    format!("{position} without {}", turns.join(", "))
}

/// Not a test: what the process does that is killed.
#[test]
#[ignore = "run by the test below, in a process of its own"]
fn victim() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else {
        return;
    };
    let worker = Arc::new(Witness(folder.join("log")));
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
    let mut search = Search::new(root.to_move(), position_key(&root).0, Config::default());
    let mut all = HashSet::new();
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
            all.insert(asked(&notation::setup_text(&position.to_setup()), &known));
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
    let (path, _) = book_with(&folder, &root(), &Config::default());
    let mut crashes = 0;
    while crashes < most {
        let (before, logged) = (journal(&path), lines(&folder).len());
        let done = answered(&before);
        let mut victim = start(&folder);
        thread::sleep(Duration::from_millis(random.u64(20..220)));
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
    let end = run(&path, SearchId(1), Arc::new(Small), 2);
    assert_eq!(end.why, Why::Solved);
    assert_proved(&path, &root(), &end);
    assert_eq!(
        end.winner,
        Some(tengen_rules::Side::Black),
        "as without crashes"
    );
    crashes
}

#[test]
fn a_search_that_is_killed_loses_nothing() {
    let undisturbed = folder("crash_none");
    let (path, search) = book_with(&undisturbed, &root(), &Config::default());
    let end = run(&path, search, Arc::new(Small), 2);
    assert_eq!(end.winner, Some(tengen_rules::Side::Black));
    assert_proved(&path, &root(), &end);

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
