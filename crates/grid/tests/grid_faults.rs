//! A search on a grid of real processes, tormented: workers, server and coordinator are killed, workers stopped and cut off,
//! answers doubled and reordered, and some workers lie. It ends with the right VERIFIED result all the same.
//!
//! Each fault is injected twice; `TENGEN_FAULTS=20` makes it 20 times (`make test-grid`). The counts are printed.

mod grid_support;
mod runner_support;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use grid_support::proxy::Cable;
use grid_support::{PATIENCE, Server, until};
use runner_support::{SMALL, Small, book_with, decision, folder, id_of, position, settings};
use tengen_book::{Book, CheckedProof, SearchId};
use tengen_grid::jobs::{JobError, Worker};
use tengen_grid::nats::{
    Access, ClientOptions, Grid, GridTransport, Leave, VERSION, WorkerOptions, run_worker,
};
use tengen_grid::runner::{Runner, Snapshot, Why};
use tengen_grid::search::Config;
use tengen_grid::{Decision, Evidence, Job, JobResult};
use tengen_rules::{Side, notation};

const URL: &str = "TENGEN_FAULT_URL";
const FOLDER: &str = "TENGEN_FAULT_FOLDER";
const NAME: &str = "TENGEN_FAULT_NAME";
const LIE: &str = "TENGEN_FAULT_LIE";

/// Short, so that the tests are.
const ACK_WAIT: Duration = Duration::from_secs(2);
/// How long a job takes at least: long enough to be killed at it.
const JOB: Duration = Duration::from_millis(40);

/// How often each fault is injected.
fn wanted() -> usize {
    let said = std::env::var("TENGEN_FAULTS").ok();
    said.map_or(2, |text| text.parse().expect("a number of faults"))
}

#[expect(clippy::print_stderr, reason = "the counts are what the run is for")]
fn report(what: &str, faults: usize, searches: usize, start: Instant) {
    let seconds = start.elapsed().as_secs_f64();
    eprintln!("{what}: {faults} faults in {searches} searches, all VERIFIED, {seconds:.0} s");
}

/// Solves as [`Small`], slowly, or lies.
struct Process {
    lie: String,
}

impl Worker for Process {
    fn run(&self, job: &Job, stop: &AtomicBool) -> Result<JobResult, JobError> {
        let end = Instant::now() + JOB;
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
        loop {
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
        ..ClientOptions::for_search(&record)
    };
    let transport = Box::new(GridTransport::new(grid.expect("connected"), options));
    // Its predecessor's lease ends when its process is seen to be dead.
    let running = Runner::start_on(path, SearchId(1), transport, settings(1)).expect("it starts");
    let end = running.wait().expect("it ends");
    assert_eq!(end.why, Why::Solved);
}

fn process(role: &str, pairs: &[(&str, &str)]) -> Child {
    let program = std::env::current_exe().expect("this program");
    Command::new(program)
        .args(["--exact", role, "--ignored", "--quiet"])
        .envs(pairs.iter().copied())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts")
}

fn end(mut child: Child) {
    child.kill().expect("killed, or dead already");
    child.wait().expect("dead");
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill")
        .args([&format!("-{name}"), &child.id().to_string()])
        .status();
    assert!(sent.expect("kill is there").success());
}

/// A search on a grid of processes.
struct Scene {
    folder: PathBuf,
    server: Server,
    cable: Cable,
    workers: Vec<Child>,
    coordinator: Child,
    number: usize,
}

impl Scene {
    fn new(name: &str) -> Self {
        let folder = folder(name);
        let server = Server::start(&folder);
        let cable = Cable::to(server.port());
        book_with(&folder, &position(SMALL.0, SMALL.1), &Config::default());
        let coordinator = coordinator(&folder, &server.url());
        let mut scene = Self {
            folder,
            server,
            cable,
            workers: Vec::new(),
            coordinator,
            number: 0,
        };
        scene.hire("");
        scene.hire("");
        scene
    }

    /// One more worker, behind the cable.
    fn hire(&mut self, lie: &str) {
        self.number += 1;
        let name = format!("w{}{lie}", self.number);
        let url = self.cable.url();
        self.workers.push(process(
            "worker_process",
            &[(URL, &url), (NAME, &name), (LIE, lie)],
        ));
    }

    fn events(&self) -> u64 {
        let book = Book::open_existing(self.folder.join("test.book")).expect("a book");
        book.search(SearchId(1)).expect("a search").events
    }

    fn is_over(&mut self) -> bool {
        self.coordinator.try_wait().expect("a process").is_some()
    }

    /// Waits until a few more answers are journaled. False if the search is over.
    fn goes_on(&mut self) -> bool {
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
            thread::sleep(Duration::from_millis(5));
        }
        !self.is_over()
    }

    fn notes(&self) -> Vec<String> {
        let book = Book::open_existing(self.folder.join("test.book")).expect("a book");
        let shown = book.search(SearchId(1)).expect("a search").snapshot;
        let shown: Snapshot = serde_json::from_str(&shown.unwrap_or_default()).unwrap_or_default();
        shown.notes
    }

    /// The search ends well, with the right proof.
    fn finish(mut self) -> Vec<String> {
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
            "the coordinator failed: {:?}",
            self.notes()
        );
        let root = position(SMALL.0, SMALL.1);
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

fn coordinator(folder: &Path, url: &str) -> Child {
    let folder = folder.display().to_string();
    process("coordinator_process", &[(URL, url), (FOLDER, &folder)])
}

/// Injects a fault now and then until it was injected often enough; a search that ends is followed by another one.
fn torment(name: &str, mut fault: impl FnMut(&mut Scene)) {
    let start = Instant::now();
    let (mut faults, mut searches) = (0, 0);
    while faults < wanted() {
        searches += 1;
        assert!(
            searches <= wanted() + 10,
            "searches end before anything can happen"
        );
        let mut scene = Scene::new(&format!("fault_{name}_{searches}"));
        let mut here = 0;
        while faults < wanted() && here < 5 && scene.goes_on() {
            fault(&mut scene);
            faults += 1;
            here += 1;
        }
        scene.finish();
    }
    report(name, faults, searches, start);
}

#[test]
fn workers_are_killed() {
    torment("kill-worker", |scene| {
        let victim = scene.workers.remove(0);
        end(victim);
        scene.hire("");
    });
}

#[test]
fn the_server_is_killed() {
    torment("kill-server", |scene| {
        scene.server.kill();
        thread::sleep(Duration::from_millis(fastrand::u64(0..700)));
        scene.server.start_again();
    });
}

#[test]
fn the_coordinator_is_killed() {
    torment("kill-coordinator", |scene| {
        let before = scene.events();
        signal(&scene.coordinator, "KILL");
        scene.coordinator.wait().expect("dead");
        scene.coordinator = coordinator(&scene.folder, &scene.server.url());
        assert!(scene.events() >= before, "the journal only grows");
    });
}

#[test]
fn workers_are_stopped_and_continued() {
    torment("stop-worker", |scene| {
        signal(&scene.workers[0], "STOP");
        thread::sleep(ACK_WAIT + Duration::from_millis(1_500));
        signal(&scene.workers[0], "CONT");
    });
}

#[test]
fn the_network_is_cut() {
    torment("cut-network", |scene| {
        scene
            .cable
            .cut_for(Duration::from_millis(fastrand::u64(500..4_000)));
    });
}

#[test]
fn answers_are_doubled_and_reordered() {
    let start = Instant::now();
    let mut doubled = 0;
    let mut searches = 0;
    while doubled < wanted() {
        searches += 1;
        let scene = Scene::new(&format!("fault_double_{searches}"));
        let url = scene.server.url();
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let doubler = thread::spawn(move || double(&url, stopped));
        scene.finish();
        let _ended = stop.send(());
        doubled += doubler.join().expect("no panic");
    }
    report("doubled and reordered answers", doubled, searches, start);
}

/// Sends every answer again, later and in another order.
fn double(url: &str, stopped: tokio::sync::oneshot::Receiver<()>) -> usize {
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    runtime.block_on(async {
        let client = async_nats::connect(url).await.expect("connected");
        let mut answers = client.subscribe("tengen.result.>").await.expect("subscribed");
        let (mut seen, mut kept) = (0, Vec::new());
        tokio::pin!(stopped);
        loop {
            tokio::select! {
                _ = &mut stopped => return seen,
                Some(answer) = answers.next() => {
                    // Ours come back to us too.
                    if answer.headers.is_some() && answer.headers.as_ref().is_some_and(|it| it.get("Doubled").is_some()) {
                        continue;
                    }
                    kept.push(answer);
                    if kept.len() >= 4 {
                        fastrand::shuffle(&mut kept);
                        for answer in kept.drain(..) {
                            let mut headers = answer.headers.unwrap_or_default();
                            headers.insert("Doubled", "yes");
                            for _ in 0..2 {
                                let sent = client.publish_with_headers(answer.subject.clone(), headers.clone(), answer.payload.clone());
                                sent.await.expect("sent");
                            }
                            seen += 1;
                        }
                    }
                }
            }
        }
    })
}

/// A worker that lies works beside honest ones; it is dropped where a lie can be seen.
fn lies(lie: &str, is_seen: bool) {
    let start = Instant::now();
    for round in 1..=wanted() {
        let mut scene = Scene::new(&format!("fault_{lie}_{round}"));
        scene.hire(lie);
        let name = format!("w3{lie}");
        let mut dropped = false;
        let begun = Instant::now();
        while !scene.is_over() {
            dropped |= scene
                .notes()
                .iter()
                .any(|note| note.contains(&format!("{name} is dropped")));
            assert!(
                begun.elapsed() < PATIENCE,
                "it does not end: {:?}",
                scene.notes()
            );
            thread::sleep(Duration::from_millis(10));
        }
        let notes = scene.finish();
        dropped |= notes
            .iter()
            .any(|note| note.contains(&format!("{name} is dropped")));
        assert!(!dropped || is_seen, "{lie}: {notes:?}");
        let others = notes
            .iter()
            .filter(|note| note.contains("is dropped") && !note.contains(&name));
        assert_eq!(others.count(), 0, "honest workers were dropped: {notes:?}");
    }
    report(
        &format!("a worker that lies ({lie})"),
        wanted(),
        wanted(),
        start,
    );
}

#[test]
fn false_proofs_are_rejected() {
    lies("false-proof", true);
}

#[test]
fn proofs_of_something_else_are_rejected() {
    lies("other-proof", true);
}

#[test]
fn false_verdicts_decide_nothing() {
    // Seen only where others disagree three times before the end.
    lies("false-verdict", true);
}

#[test]
fn garbage_is_recognised() {
    lies("garbage", true);
}

#[test]
fn other_versions_get_no_jobs_done_and_harm_nobody() {
    lies("version", false);
}
