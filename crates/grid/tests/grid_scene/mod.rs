//! A search on a grid of real processes: its server, its coordinator and its workers, honest or not, each in a process of its own.
//!
//! Faults are injected twice; `TENGEN_FAULTS=20` makes it 20 times (`make test-grid`). The counts are printed.

#![allow(dead_code, reason = "each test file uses a part")]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use tengen_book::{Book, CheckedProof, SearchId};
use tengen_grid::jobs::{JobError, Worker};
use tengen_grid::nats::{
    Access, Beat, ClientOptions, Grid, GridTransport, Leave, VERSION, WorkerOptions, run_worker,
};
use tengen_grid::runner::{Runner, SecondOpinions, Settings, Snapshot, Why};
use tengen_grid::search::Config;
use tengen_grid::{Decision, Evidence, Job, JobResult, Verdict};
use tengen_rules::{Side, notation};

use crate::grid_support::proxy::Cable;
use crate::grid_support::{PATIENCE, Server, until};
use crate::runner_support::{SMALL, Small, book_with, decision, folder, id_of, position, settings};

pub(crate) const URL: &str = "TENGEN_FAULT_URL";
const FOLDER: &str = "TENGEN_FAULT_FOLDER";
pub(crate) const NAME: &str = "TENGEN_FAULT_NAME";
pub(crate) const LIE: &str = "TENGEN_FAULT_LIE";
const JOB: &str = "TENGEN_FAULT_JOB";
const OPINIONS: &str = "TENGEN_FAULT_OPINIONS";

/// Short, so that the tests are.
pub(crate) const ACK_WAIT: Duration = Duration::from_secs(2);
/// How long a job takes at least: long enough to be killed at it.
const USUAL_JOB: Duration = Duration::from_millis(40);
/// Who is at a job for so much longer has to give it to another one.
const LONGER: Duration = Duration::from_secs(6);

/// How often each fault is injected.
pub(crate) fn wanted() -> usize {
    let said = std::env::var("TENGEN_FAULTS").ok();
    said.map_or(2, |text| text.parse().expect("a number of faults"))
}

#[expect(clippy::print_stderr, reason = "the counts are what the run is for")]
pub(crate) fn report(what: &str, faults: usize, searches: usize, start: Instant) {
    let seconds = start.elapsed().as_secs_f64();
    eprintln!("{what}: {faults} faults in {searches} searches, all VERIFIED, {seconds:.0} s");
}

/// How long jobs take here.
fn job_time() -> Duration {
    let said = std::env::var(JOB).ok();
    let time = said.map(|text| Duration::from_millis(text.parse().expect("milliseconds")));
    time.unwrap_or(USUAL_JOB)
}

/// Solves as [`Small`], slowly, or lies.
struct Process {
    lie: String,
}

impl Worker for Process {
    fn run(&self, job: &Job, stop: &AtomicBool) -> Result<JobResult, JobError> {
        let end = Instant::now() + job_time();
        while Instant::now() < end && !stop.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(2));
        }
        let here = position(&job.rules, &job.position);
        let mut result = JobResult::default();
        let side = here.to_move();
        match self.lie.as_str() {
            "false-proof" => {
                let (rules, setup) = (here.rules(), notation::setup_text(&here.to_setup()));
                let text = format!(
                    "tengen-proof 1\nrules {rules}\nposition {setup}\nattacker {}\nnodes 1\n0 -\nend\n",
                    side.to_string().to_lowercase()
                );
                result.expansion.decided = Some(decision(side, &text));
                result.proofs.push((id_of(&text), text));
                Ok(result)
            }
            "false-verdict" => {
                result.expansion.decided = Some(Decision {
                    winner: Side::White,
                    evidence: Evidence::Claim,
                });
                result.expansion.rest_loses = Some(Evidence::Claim);
                Ok(result)
            }
            "other-proof" => {
                let text = "tengen-proof 1\nrules 6,6,4,1,1\nposition B:B2,C2 W:B5,C5 to-move:B\n\
                            attacker black\nnodes 1\n0 D2\nend\n";
                result.expansion.decided = Some(decision(Side::Black, text));
                result.proofs.push((id_of(text), text.to_owned()));
                Ok(result)
            }
            "false-estimates" => {
                let mut result = Small.run(job, stop)?;
                // The others think of every position that nobody knows.
                for turn in &mut result.expansion.turns {
                    turn.verdict = Verdict::W4;
                }
                Ok(result)
            }
            "keeps-jobs" => loop {
                // Deaf, and says for ever that it is at work.
                thread::sleep(Duration::from_secs(1));
            },
            _ => Small.run(job, stop),
        }
    }
}

/// Not a test: a worker's process.
#[test]
#[ignore = "run by the tests below, in a process of its own"]
fn worker_process() {
    let (Ok(url), Ok(name)) = (std::env::var(URL), std::env::var(NAME)) else {
        return;
    };
    let lie = std::env::var(LIE).unwrap_or_default();
    let access = Access::at(&url).expect("an address");
    let mut options = WorkerOptions::new(&name, 1);
    if lie == "version" {
        options.version = VERSION + 1;
    }
    if lie == "garbage" {
        return talk_garbage(&url, &name);
    }
    let leave = Arc::new(Leave::default());
    // Dropped, it leaves.
    let _dropped = run_worker(&access, options, Arc::new(Process { lie }), leave, |_| {});
}

/// Takes jobs and answers with noise.
fn talk_garbage(url: &str, name: &str) {
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    runtime.block_on(async {
        let client = async_nats::connect(url).await.expect("connected");
        let context = async_nats::jetstream::new(client.clone());
        let beat = Beat {
            version: VERSION,
            threads: 1,
            ..Beat::default()
        };
        let beat = serde_json::to_vec(&beat).expect("JSON");
        loop {
            // So that it is thought to be there.
            let here = client.publish(format!("tengen.beat.{name}"), beat.clone().into());
            here.await.expect("sent");
            let consumer = context
                .get_consumer_from_stream("normal-expand-any", "TENGEN_JOBS")
                .await;
            let Ok::<async_nats::jetstream::consumer::PullConsumer, _>(consumer) = consumer else {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let batch = consumer
                .batch()
                .max_messages(1)
                .expires(Duration::from_secs(1))
                .messages()
                .await;
            let Some(Ok(message)) = batch.expect("a batch").next().await else {
                continue;
            };
            let job: Vec<&str> = message.subject.split('.').collect();
            let (client_name, job_name) = (job[job.len() - 2], job[job.len() - 1]);
            let noise: Vec<u8> = (0..fastrand::usize(0..2_000))
                .map(|_| fastrand::u8(..))
                .collect();
            let subject = format!("tengen.result.{name}.{client_name}.{job_name}");
            client.publish(subject, noise.into()).await.expect("sent");
            message.ack().await.expect("sent");
        }
    });
}

/// Not a test: a coordinator's process.
#[test]
#[ignore = "run by the tests below, in a process of its own"]
fn coordinator_process() {
    let (Ok(url), Some(folder)) = (std::env::var(URL), std::env::var_os(FOLDER)) else {
        return;
    };
    let mut grid = None;
    until("the grid answers", || {
        grid = Grid::connect(&Access::at(&url).expect("an address")).ok();
        grid.is_some()
    });
    let path = PathBuf::from(folder).join("test.book");
    let record = Book::open_existing(&path)
        .expect("a book")
        .search(SearchId(1))
        .expect("a search");
    let options = ClientOptions {
        ack_wait: ACK_WAIT,
        longest_job: LONGER + job_time() * 10,
        ..ClientOptions::for_search(&record).remembering(&path)
    };
    let transport = Box::new(GridTransport::new(grid.expect("connected"), options));
    // Its predecessor's lease ends when its process is seen to be dead.
    let settings = Settings {
        snapshot_every: Duration::from_millis(50).max(job_time() / 4),
        second_opinions: opinions(),
        ..settings(1)
    };
    let running = Runner::start_on(path, SearchId(1), transport, settings).expect("it starts");
    let end = running.wait().expect("it ends");
    assert_eq!(end.why, Why::Solved);
}

/// As usual, or of every answer.
fn opinions() -> SecondOpinions {
    match std::env::var_os(OPINIONS) {
        None => SecondOpinions::default(),
        Some(_) => SecondOpinions {
            early: 1,
            later: 1,
            ..SecondOpinions::default()
        },
    }
}

pub(crate) fn process(role: &str, pairs: &[(&str, String)], output: Stdio) -> Child {
    let program = std::env::current_exe().expect("this program");
    Command::new(program)
        .args([
            "--exact",
            &format!("grid_scene::{role}"),
            "--ignored",
            "--nocapture",
        ])
        .envs(pairs.iter().map(|(name, value)| (name, value)))
        .stdout(Stdio::null())
        .stderr(output)
        .spawn()
        .expect("it starts")
}

pub(crate) fn end(mut child: Child) {
    child.kill().expect("killed, or dead already");
    child.wait().expect("dead");
}

pub(crate) fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill")
        .args([&format!("-{name}"), &child.id().to_string()])
        .status();
    assert!(sent.expect("kill is there").success());
}

/// A search on a grid of processes.
pub(crate) struct Scene {
    pub(crate) folder: PathBuf,
    pub(crate) server: Server,
    pub(crate) cable: Cable,
    pub(crate) workers: Vec<Child>,
    pub(crate) coordinator: Child,
    number: usize,
    conduct: Conduct,
}

/// What is out of the ordinary in a scene.
#[derive(Debug, Copy, Clone)]
pub(crate) struct Conduct {
    /// How long jobs take.
    pub(crate) job: Duration,
    /// Every estimate is asked for twice.
    pub(crate) all_twice: bool,
    /// The rules and the position.
    pub(crate) root: (&'static str, &'static str),
}

impl Default for Conduct {
    fn default() -> Self {
        Self {
            job: USUAL_JOB,
            all_twice: false,
            root: SMALL,
        }
    }
}

impl Conduct {
    /// As its processes hear it.
    fn pairs(&self) -> Vec<(&'static str, String)> {
        let mut pairs = vec![(JOB, self.job.as_millis().to_string())];
        if self.all_twice {
            pairs.push((OPINIONS, "all".to_owned()));
        }
        pairs
    }
}

impl Scene {
    pub(crate) fn new(name: &str) -> Self {
        let mut scene = Self::empty(name);
        scene.hire("");
        scene.hire("");
        scene
    }

    /// Without workers.
    pub(crate) fn empty(name: &str) -> Self {
        Self::with(name, Conduct::default())
    }

    /// Without workers, out of the ordinary.
    pub(crate) fn with(name: &str, conduct: Conduct) -> Self {
        let folder = folder(name);
        let server = Server::start(&folder);
        let cable = Cable::to(server.port());
        book_with(
            &folder,
            &position(conduct.root.0, conduct.root.1),
            &Config::default(),
        );
        let coordinator = coordinator(&folder, &server.url(), &conduct);
        Self {
            folder,
            server,
            cable,
            workers: Vec::new(),
            coordinator,
            number: 0,
            conduct,
        }
    }

    /// One more worker, behind the cable.
    pub(crate) fn hire(&mut self, lie: &str) {
        self.number += 1;
        self.hire_as(&format!("w{}{lie}", self.number), lie);
    }

    /// One of this name.
    pub(crate) fn hire_as(&mut self, name: &str, lie: &str) {
        let name = name.to_owned();
        let url = self.cable.url();
        let mut pairs = self.conduct.pairs();
        pairs.extend([(URL, url), (NAME, name), (LIE, lie.to_owned())]);
        let worker = process("worker_process", &pairs, Stdio::null());
        self.workers.push(worker);
    }

    /// Another coordinator, after the death of the one before.
    pub(crate) fn appoint(&mut self) {
        self.coordinator = coordinator(&self.folder, &self.server.url(), &self.conduct);
    }

    pub(crate) fn events(&self) -> u64 {
        let book = Book::open_existing(self.folder.join("test.book")).expect("a book");
        book.search(SearchId(1)).expect("a search").events
    }

    pub(crate) fn is_over(&mut self) -> bool {
        self.coordinator.try_wait().expect("a process").is_some()
    }

    /// Waits until a few more answers are journaled. False if the search is over.
    pub(crate) fn goes_on(&mut self) -> bool {
        let (before, start) = (self.events(), Instant::now());
        let more = fastrand::u64(1..6);
        while self.events() < before + more {
            if self.is_over() {
                return false;
            }
            assert!(
                start.elapsed() < PATIENCE,
                "it hangs after {before} events: {:?}",
                self.notes()
            );
            thread::sleep(self.conduct.job / 8);
        }
        !self.is_over()
    }

    pub(crate) fn notes(&self) -> Vec<String> {
        let book = Book::open_existing(self.folder.join("test.book")).expect("a book");
        let shown = book.search(SearchId(1)).expect("a search").snapshot;
        let shown: Snapshot = serde_json::from_str(&shown.unwrap_or_default()).unwrap_or_default();
        shown.notes
    }

    /// The search ends well, with the right proof.
    pub(crate) fn finish(mut self) -> Vec<String> {
        let start = Instant::now();
        while !self.is_over() {
            assert!(
                start.elapsed() < PATIENCE,
                "it does not end: {:?}",
                self.notes()
            );
            thread::sleep(Duration::from_millis(10));
        }
        let ended = self.coordinator.wait().expect("ended");
        assert!(
            ended.success(),
            "the coordinator failed: {:?} {}",
            self.notes(),
            std::fs::read_to_string(self.folder.join("coordinator.log")).unwrap_or_default()
        );
        let root = position(self.conduct.root.0, self.conduct.root.1);
        let book = Book::open_existing(self.folder.join("test.book")).expect("a book");
        let (winner, id) = book.proved(&root).expect("readable").expect("proved");
        assert_eq!(winner, Side::Black, "as without faults");
        let text = book.proof_text(id).expect("readable").expect("there");
        let checked = CheckedProof::check(text).expect("a proof");
        assert!(checked.proves(&root, winner), "{}", checked.verdict());
        let notes = self.notes();
        for worker in self.workers.drain(..) {
            end(worker);
        }
        notes
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        // After a failed assertion too.
        for worker in &mut self.workers {
            let _dead = worker.kill();
        }
        let _dead = self.coordinator.kill();
    }
}

fn coordinator(folder: &Path, url: &str, conduct: &Conduct) -> Child {
    let log = std::fs::File::create(folder.join("coordinator.log")).expect("a file");
    let mut pairs = conduct.pairs();
    pairs.extend([
        (URL, url.to_owned()),
        (FOLDER, folder.display().to_string()),
    ]);
    process("coordinator_process", &pairs, log.into())
}
