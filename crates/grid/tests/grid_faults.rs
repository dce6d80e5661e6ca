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
    Access, Beat, ClientOptions, Grid, GridTransport, Leave, VERSION, WorkerOptions, run_worker,
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

/// How long a worker is stopped: longer than its job is waited for, and a minute in the full run.
fn pause() -> Duration {
    let said = std::env::var("TENGEN_FAULT_PAUSE").ok();
    let seconds = said.map(|text| text.parse().expect("seconds"));
    seconds.map_or(ACK_WAIT + Duration::from_millis(1_500), Duration::from_secs)
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
        ..ClientOptions::for_search(&record)
    };
    let transport = Box::new(GridTransport::new(grid.expect("connected"), options));
    // Its predecessor's lease ends when its process is seen to be dead.
    let running = Runner::start_on(path, SearchId(1), transport, settings(1)).expect("it starts");
    let end = running.wait().expect("it ends");
    assert_eq!(end.why, Why::Solved);
}

fn process(role: &str, pairs: &[(&str, &str)], output: Stdio) -> Child {
    let program = std::env::current_exe().expect("this program");
    Command::new(program)
        .args(["--exact", role, "--ignored", "--nocapture"])
        .envs(pairs.iter().copied())
        .stdout(Stdio::null())
        .stderr(output)
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
        let mut scene = Self::empty(name);
        scene.hire("");
        scene.hire("");
        scene
    }

    /// Without workers.
    fn empty(name: &str) -> Self {
        let folder = folder(name);
        let server = Server::start(&folder);
        let cable = Cable::to(server.port());
        book_with(&folder, &position(SMALL.0, SMALL.1), &Config::default());
        let coordinator = coordinator(&folder, &server.url());
        Self {
            folder,
            server,
            cable,
            workers: Vec::new(),
            coordinator,
            number: 0,
        }
    }

    /// One more worker, behind the cable.
    fn hire(&mut self, lie: &str) {
        self.number += 1;
        let name = format!("w{}{lie}", self.number);
        let url = self.cable.url();
        self.workers.push(process(
            "worker_process",
            &[(URL, &url), (NAME, &name), (LIE, lie)],
            Stdio::null(),
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
            "the coordinator failed: {:?} {}",
            self.notes(),
            std::fs::read_to_string(self.folder.join("coordinator.log")).unwrap_or_default()
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
    let log = std::fs::File::create(folder.join("coordinator.log")).expect("a file");
    let folder = folder.display().to_string();
    let pairs = [(URL, url), (FOLDER, folder.as_str())];
    process("coordinator_process", &pairs, log.into())
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
        thread::sleep(pause());
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

/// Real cables between hosts: the worker lives in a network of its own, joined to ours by a pair of devices that is taken down. Needs the
/// right to make such networks; where there is none, the proxy above must do.
#[test]
fn the_network_between_hosts_is_cut() {
    let Some(host) = Host::new() else {
        note("network namespaces cannot be made here: not tried");
        return;
    };
    let start = Instant::now();
    let (mut faults, mut searches) = (0, 0);
    while faults < wanted() {
        searches += 1;
        assert!(searches <= wanted() + 10, "searches end too soon");
        let mut scene = Scene::empty(&format!("fault_host_{searches}"));
        for number in 0..2 {
            scene.workers.push(host.worker(&scene, number));
        }
        let mut here = 0;
        while faults < wanted() && here < 5 && scene.goes_on() {
            host.cut_for(Duration::from_millis(fastrand::u64(500..4_000)));
            faults += 1;
            here += 1;
        }
        scene.finish();
    }
    report(
        "cut between hosts (network namespace)",
        faults,
        searches,
        start,
    );
}

#[expect(clippy::print_stderr, reason = "what was not tried must be seen")]
fn note(text: &str) {
    eprintln!("{text}");
}

/// A network of its own, with one cable to ours. What is at the other end of it finds us at [`Host::HERE`].
struct Host {
    name: String,
}

impl Host {
    const HERE: &'static str = "10.213.77.1";

    fn new() -> Option<Self> {
        let host = Self {
            name: format!("tengen{}", std::process::id() % 100_000),
        };
        let name = &host.name;
        let made = ip(&format!("netns add {name}"))
            && ip(&format!("link add {name}a type veth peer name {name}b"))
            && ip(&format!("link set {name}b netns {name}"))
            && ip(&format!("addr add {}/24 dev {name}a", Self::HERE))
            && ip(&format!("link set {name}a up"))
            && ip(&format!("-n {name} addr add 10.213.77.2/24 dev {name}b"))
            && ip(&format!("-n {name} link set {name}b up"));
        made.then_some(host)
    }

    /// A worker's process there, joined to the scene's server by a relay that listens on all addresses here.
    fn worker(&self, scene: &Scene, number: usize) -> Child {
        let port = relay(scene.server.port());
        let url = format!("nats://{}:{port}", Self::HERE);
        let program = std::env::current_exe().expect("this program");
        Command::new("ip")
            .args(["netns", "exec", &self.name])
            .arg(program)
            .args(["--exact", "worker_process", "--ignored", "--quiet"])
            .envs([
                (URL, url),
                (NAME, format!("far{number}")),
                (LIE, String::new()),
            ])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts")
    }

    fn cut_for(&self, time: Duration) {
        let name = &self.name;
        assert!(ip(&format!("link set {name}a down")));
        thread::sleep(time);
        assert!(ip(&format!("link set {name}a up")));
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        ip(&format!("link del {}a", self.name));
        ip(&format!("netns del {}", self.name));
    }
}

fn ip(line: &str) -> bool {
    let mut command = Command::new("ip");
    command.args(line.split(' '));
    let done = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    done.is_ok_and(|status| status.success())
}

/// The server listens on the loopback only; who comes from elsewhere is led there.
fn relay(to: u16) -> u16 {
    let listener = std::net::TcpListener::bind((Host::HERE, 0)).expect("a port");
    let port = listener.local_addr().expect("bound").port();
    thread::spawn(move || {
        for near in listener.incoming().flatten() {
            let Ok(far) = std::net::TcpStream::connect(("127.0.0.1", to)) else {
                continue;
            };
            for (from, into) in [(&near, &far), (&far, &near)] {
                let (mut from, mut into) = (
                    from.try_clone().expect("a socket"),
                    into.try_clone().expect("a socket"),
                );
                thread::spawn(move || {
                    let _ended = std::io::copy(&mut from, &mut into);
                    let _closed = into.shutdown(std::net::Shutdown::Both);
                });
            }
        }
    });
    port
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

/// A worker that sends what no honest one would send is dropped and reported, whatever else happens; then honest ones do its work.
fn is_dropped(lie: &str) {
    let start = Instant::now();
    for round in 1..=wanted() {
        let mut scene = Scene::empty(&format!("fault_{lie}_{round}"));
        scene.hire(lie);
        let expected = format!("worker w1{lie} is dropped");
        until("the liar is dropped", || {
            assert!(!scene.is_over(), "solved by a liar: {:?}", scene.notes());
            scene.notes().iter().any(|note| note.starts_with(&expected))
        });
        scene.hire("");
        scene.hire("");
        let notes = scene.finish();
        let others = notes
            .iter()
            .filter(|note| note.contains("is dropped") && !note.starts_with(&expected));
        assert_eq!(others.count(), 0, "honest workers were dropped: {notes:?}");
    }
    report(
        &format!("a worker that lies ({lie}), dropped and reported"),
        wanted(),
        wanted(),
        start,
    );
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
    is_dropped("false-proof");
}

#[test]
fn proofs_of_something_else_are_rejected() {
    is_dropped("other-proof");
}

#[test]
fn false_verdicts_decide_nothing() {
    // Seen only where others disagree three times before the end.
    lies("false-verdict", true);
}

#[test]
fn garbage_is_recognised() {
    is_dropped("garbage");
}

#[test]
fn other_versions_get_no_jobs_done_and_harm_nobody() {
    lies("version", false);
}
