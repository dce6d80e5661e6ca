//! Go-Moku solved by workers of a real server, each a process of its own: two of them, one that is killed, one that lies, and a coordinator that is
//! killed while its answer is on the way.

mod grid_support;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use grid_support::{Server, free_port, until};
use tengen_checker::{GomokuDatabase, GomokuLimits, GomokuVerdict};
use tengen_grid::gomoku;
use tengen_grid::jobs::{JobError, LocalWorker, Worker};
use tengen_grid::nats::{
    Access, ClientOptions, Grid, Keys, Leave, WorkerOptions, run_worker, status,
};
use tengen_grid::{Job, JobResult, Work};
use tengen_prover::pn::{Outcome, Settings, Solver};
use tengen_rules::{Position, Rules, notation};

/// Four stones; solved in a moment.
const FOUR: &str = "H8 L10 I9 G7";

const FOLDER: &str = "TENGEN_GOMOKU_FOLDER";
const URL: &str = "TENGEN_GOMOKU_URL";
const NAME: &str = "TENGEN_GOMOKU_NAME";
const CLIENT: &str = "a-search";

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a temporary folder");
    path
}

fn rules() -> Rules {
    "gomoku".parse().expect("rules")
}

fn position(text: &str) -> Position {
    notation::parse_position(text, rules()).expect("a position")
}

/// A solver with the journal of this folder.
fn solver(text: &str, folder: &Path) -> Solver {
    let mut solver = Solver::of(&position(text), Settings::default()).expect("suitable");
    solver
        .keep_in(&folder.join("journal"))
        .expect("a journal, new or not");
    solver
}

/// Solves by a grid, and says what people were told.
fn solve(solver: &Solver, grid: &Grid, most: usize, stop: &AtomicBool) -> (Outcome, Vec<String>) {
    let options = ClientOptions {
        most: Some(most),
        ack_wait: Duration::from_secs(2),
        ..ClientOptions::new(CLIENT, "a test")
    };
    let notes = Mutex::new(Vec::new());
    let note = |text: &str| notes.lock().expect("whole").push(text.to_owned());
    let outcome = gomoku::solve(solver, rules(), grid, options, stop, &|_| {}, &note);
    (
        outcome.expect("the journal is kept"),
        notes.into_inner().expect("whole"),
    )
}

#[track_caller]
fn is_verified(solver: &Solver) {
    let bytes = solver.database().expect("it is proved");
    let database = GomokuDatabase::read(&bytes).expect("well formed");
    let verdict = database.check(&GomokuLimits::default(), |_, _| {});
    assert!(matches!(verdict, GomokuVerdict::Verified(_)), "{verdict}");
}

/// Does jobs as usual, and writes down in its folder which. If its name begins with `slow`, not before there is a file `go`.
struct Witness {
    folder: PathBuf,
    name: String,
    local: LocalWorker,
}

impl Worker for Witness {
    fn run(&self, job: &Job, stop: &AtomicBool) -> Result<JobResult, JobError> {
        if let Work::Gomoku { round, .. } = &job.work {
            let begun = self.folder.join(format!("{}-{round}", self.name));
            std::fs::write(begun, "").expect("a file");
        }
        while self.name.starts_with("slow") && !self.folder.join("go").exists() {
            thread::sleep(Duration::from_millis(10));
        }
        self.local.run(job, stop)
    }

    fn heard(&self, job: &Job) -> Option<u64> {
        self.local.heard(job)
    }

    fn hear(&self, job: &Job, number: u64, piece: &[u8]) {
        self.local.hear(job, number, piece);
    }
}

/// Not a test: a worker's process.
#[test]
#[ignore = "run by the tests below, in a process of its own"]
fn worker_process() {
    let (Ok(url), Ok(name)) = (std::env::var(URL), std::env::var(NAME)) else {
        return;
    };
    let folder = std::env::var_os(FOLDER).expect("a folder").into();
    let witness = Witness {
        folder,
        name: name.clone(),
        local: LocalWorker::new(),
    };
    let access = Access::at(&url).expect("an address");
    let (options, leave) = (WorkerOptions::new(&name, 1), Arc::new(Leave::default()));
    let _dropped = run_worker(&access, options, Arc::new(witness), leave, |_| {});
}

/// Not a test: a coordinator's process.
#[test]
#[ignore = "run by the tests below, in a process of its own"]
fn coordinator_process() {
    let (Ok(url), Some(folder)) = (std::env::var(URL), std::env::var_os(FOLDER)) else {
        return;
    };
    let access = Access::at(&url).expect("an address");
    let grid = Grid::connect(&access).expect("the grid is there");
    let solver = solver(FOUR, Path::new(&folder));
    solve(&solver, &grid, 1, &AtomicBool::new(false));
}

/// Killed when it is dropped.
struct Process(Child);

impl Process {
    fn start(role: &str, name: &str, server: &Server, folder: &Path) -> Self {
        let program = std::env::current_exe().expect("this program");
        let child = Command::new(program)
            .args(["--exact", role, "--ignored", "--nocapture"])
            .env(URL, server.url())
            .env(NAME, name)
            .env(FOLDER, folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        Self(child.expect("it starts"))
    }

    fn worker(name: &str, server: &Server, folder: &Path) -> Self {
        Self::start("worker_process", name, server, folder)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _dead_already = self.0.kill();
        let _ended = self.0.wait();
    }
}

#[test]
fn two_workers_solve_a_position() {
    let folder = folder("gomoku_two_workers");
    let server = Server::start(&folder);
    let grid = server.grid();
    let workers = ["one", "two"].map(|name| Process::worker(name, &server, &folder));
    until("both are there", || {
        let status = status(&grid, Duration::from_millis(200)).expect("an answer");
        status.workers.len() == 2
    });
    let (first, stop) = (solver(FOUR, &folder), AtomicBool::new(false));
    let (outcome, notes) = solve(&first, &grid, 2, &stop);
    assert_eq!(outcome, Outcome::Won, "{notes:?}");
    is_verified(&first);
    // The journal has it: nobody is asked again.
    let again = solver(FOUR, &folder);
    assert_eq!(again.count(), first.count());
    drop(workers);
    assert_eq!(solve(&again, &grid, 2, &stop).0, Outcome::Won);
    is_verified(&again);
}

#[test]
fn the_job_of_a_worker_that_is_killed_is_done_by_another() {
    let folder = folder("gomoku_killed_worker");
    let server = Server::start(&folder);
    let grid = server.grid();
    let (solver, stop) = (solver(FOUR, &folder), AtomicBool::new(false));
    let slow = Process::worker("slow", &server, &folder);
    thread::scope(|scope| {
        // One job at a time: the second worker can only do what the first has begun.
        let search = scope.spawn(|| solve(&solver, &grid, 1, &stop));
        until("it has begun", || folder.join("slow-0").exists());
        drop(slow);
        let _other = Process::worker("other", &server, &folder);
        let (outcome, notes) = search.join().expect("it ends");
        assert_eq!(outcome, Outcome::Won, "{notes:?}");
    });
    assert!(folder.join("other-0").exists());
    is_verified(&solver);
}

#[test]
fn what_is_answered_while_nobody_listens_is_not_lost() {
    let folder = folder("gomoku_killed_coordinator");
    let server = Server::start(&folder);
    let slow = Process::worker("slow", &server, &folder);
    let coordinator = Process::start("coordinator_process", "", &server, &folder);
    until("it has begun", || folder.join("slow-0").exists());
    drop(coordinator);
    std::fs::write(folder.join("go"), "").expect("a file");
    let grid = server.grid();
    until("it is done", || {
        let status = status(&grid, Duration::from_millis(100)).expect("an answer");
        let mut workers = status.workers.iter();
        workers.any(|worker| worker.done == 1 && worker.running.is_empty())
    });
    drop(slow);
    // Nobody is left to work, but the answer is there.
    let (solver, stop) = (solver(FOUR, &folder), AtomicBool::new(false));
    assert_eq!(solver.count(), 0);
    let (outcome, notes) = solve(&solver, &grid, 1, &stop);
    assert_eq!(outcome, Outcome::Won, "{notes:?}");
    is_verified(&solver);
}

/// Makes something else of a result.
type Lie = fn(&mut JobResult);

/// Does what it is asked, and then says something else.
struct Liar {
    local: LocalWorker,
    lie: Lie,
}

impl Worker for Liar {
    fn run(&self, job: &Job, stop: &AtomicBool) -> Result<JobResult, JobError> {
        let mut result = self.local.run(job, stop)?;
        (self.lie)(&mut result);
        Ok(result)
    }
}

/// The empty board, won by the centre, just so: a record without any strategy, as a journal has it.
fn false_record() -> Vec<u8> {
    let body = [0, 112, 0];
    let mix = |sum: u32, byte: &u8| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
    let sum = body.iter().fold(0x811c_9dc5, mix);
    [&3_u32.to_le_bytes(), &sum.to_le_bytes(), &body[..]].concat()
}

#[test]
fn who_lies_adds_nothing_and_is_dropped() {
    let folder = folder("gomoku_liars");
    let server = Server::start(&folder);
    let grid = server.grid();
    let (solver, stop) = (solver(FOUR, &folder), AtomicBool::new(false));
    let lies: [(&str, Lie); 2] = [
        ("false-record", |result| {
            let findings = result.gomoku.as_mut().expect("a round");
            findings.records.extend(false_record());
        }),
        ("nothing", |result| result.gomoku = None),
    ];
    thread::scope(|scope| {
        let search = scope.spawn(|| solve(&solver, &grid, 1, &stop));
        for (name, lie) in lies {
            let liar = Liar {
                local: LocalWorker::new(),
                lie,
            };
            let (options, leave) = (WorkerOptions::new(name, 1), Arc::new(Leave::default()));
            // It ends when it is dropped, and not before.
            let dropped = run_worker(&server.access(), options, Arc::new(liar), leave, |_| {});
            dropped.expect_err("a liar is sent away");
            assert_eq!(solver.count(), 0, "{name}");
        }
        let _honest = Process::worker("honest", &server, &folder);
        let (outcome, notes) = search.join().expect("it ends");
        assert_eq!(outcome, Outcome::Won, "{notes:?}");
        for (name, _) in lies {
            let said = format!("worker {name} is dropped");
            let told = notes.iter().filter(|note| note.starts_with(&said));
            assert_eq!(told.count(), 1, "{notes:?}");
        }
    });
    is_verified(&solver);
    assert!(!solver.knows([]), "nothing false is among the records");
}

/// Hears what the search has proved, with a worker's key, and counts it.
struct Listener {
    local: LocalWorker,
    heard: Arc<AtomicU64>,
    begun: Arc<AtomicBool>,
}

impl Worker for Listener {
    fn run(&self, job: &Job, stop: &AtomicBool) -> Result<JobResult, JobError> {
        self.begun.store(true, Ordering::Relaxed);
        self.local.run(job, stop)
    }

    fn heard(&self, job: &Job) -> Option<u64> {
        self.local.heard(job)
    }

    fn hear(&self, job: &Job, number: u64, piece: &[u8]) {
        let bytes = piece.len() as u64;
        self.heard.fetch_add(bytes, Ordering::Relaxed);
        self.local.hear(job, number, piece);
    }
}

#[test]
fn workers_hear_what_is_known_and_hand_in_what_they_have_when_it_stops() {
    let folder = folder("gomoku_feed");
    let port = free_port();
    let url = format!("nats://127.0.0.1:{port}");
    let mut keys = Keys::create(&folder.join("keys"), &url, None).expect("keys");
    keys.add_worker("one").expect("a key");
    let _server = Server::start_with(&folder, Some(keys.config()), port);
    let mut found = None;
    until("the grid answers", || {
        found = Grid::connect(&Access::with_key(&keys.coordinator()).expect("a key")).ok();
        found.is_some()
    });
    let grid = found.expect("connected");
    // What is known of four stones is of use for two of them.
    let four = solver(FOUR, &folder);
    let stop = AtomicBool::new(false);
    assert_eq!(four.solve(&stop, &|_| {}).expect("kept"), Outcome::Won);
    let bytes = four.kept(0, 1 << 30).expect("readable").len() as u64;
    let known = four.count();
    drop(four);

    let (leave, heard) = (Arc::new(Leave::default()), Arc::new(AtomicU64::new(0)));
    let begun = Arc::new(AtomicBool::new(false));
    let listener = Listener {
        local: LocalWorker::new(),
        heard: Arc::clone(&heard),
        begun: Arc::clone(&begun),
    };
    let access = Access::with_key(&folder.join("keys/workers/one.key")).expect("a key");
    let asked = Arc::clone(&leave);
    let worker = thread::spawn(move || {
        let options = WorkerOptions::new("one", 1);
        run_worker(&access, options, Arc::new(listener), asked, |_| {})
    });
    let two = solver("H8 L10", &folder);
    thread::scope(|scope| {
        let search = scope.spawn(|| solve(&two, &grid, 1, &stop));
        until("somebody works", || begun.load(Ordering::Relaxed));
        stop.store(true, Ordering::Relaxed);
        let (outcome, notes) = search.join().expect("it ends");
        assert_eq!(outcome, Outcome::Open, "{notes:?}");
        assert!(notes.is_empty(), "{notes:?}");
    });
    assert_eq!(
        heard.load(Ordering::Relaxed),
        bytes,
        "all, and nothing twice"
    );
    assert!(two.count() >= known);
    leave.ask();
    let worked = worker.join().expect("it ends").expect("it was let in");
    assert_eq!(
        (worked.done, worked.failed),
        (1, 0),
        "what it had was an answer"
    );
}
