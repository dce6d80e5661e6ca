//! Where a coordinator saturates: everybody else answers at once.

use std::path::Path;
use std::process::{Child, Command};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tengen_book::{Book, CheckedProof, ProofState};
use tengen_grid::jobs::{JobError, LocalWorker, Worker};
use tengen_grid::nats::{Access, ClientOptions, Grid, GridTransport, LocalServer};
use tengen_grid::runner::{Runner, Settings, Snapshot};
use tengen_grid::transport::Transport as _;
use tengen_grid::{Job, JobResult};
use tengen_prover::Proof;
use tengen_rules::Side;

use crate::made_up::THREADS;
use crate::{Result, begun, job, memory, processor_time};

/// How long is measured.
const TIME: Duration = Duration::from_secs(20);
/// The proofs of real openings.
const PROOFS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suites/openings/solved");

/// Who answers, until it is dropped.
struct Answers(Child);

impl Answers {
    fn to(url: &str, kind: &str, seconds: &str) -> Result<Self> {
        let program = std::env::current_exe()?;
        let child = Command::new(program)
            .args(["--answers", url, kind, seconds])
            .spawn()?;
        Ok(Self(child))
    }
}

impl Drop for Answers {
    fn drop(&mut self) {
        let _dead = self.0.kill();
        let _dead = self.0.wait();
    }
}

/// Processor time of coordinator, server and who answers.
fn costs(server: &LocalServer, answers: &Answers) -> Result<[f64; 3]> {
    Ok([
        processor_time("self")?,
        processor_time(&server.pid().to_string())?,
        processor_time(&answers.0.id().to_string())?,
    ])
}

fn told(what: &str, count: u64, took: f64, before: [f64; 3], after: [f64; 3]) {
    let each = |at: usize| (after[at] - before[at]) * 1e6 / count as f64;
    println!(
        "{what}: {:.0} a second ({count} in {took:.1} s); processor time of each: coordinator {:.0} us, server {:.0} us, \
         who answers {:.0} us; the coordinator used {:.0} % of a core",
        count as f64 / took,
        each(0),
        each(1),
        each(2),
        (after[0] - before[0]) / took * 100.0
    );
}

/// Jobs there and back, without a search.
pub(crate) fn carry(server: &LocalServer) -> Result<()> {
    for out in [100, 1_000, 10_000, 50_000] {
        let answers = Answers::to(server.url(), "evaluate", "0")?;
        let options = ClientOptions::new(&format!("carry-{out}"), "carry");
        let mut transport = GridTransport::new(Grid::connect(&Access::at(server.url())?)?, options);
        let (sender, returned) = channel();
        transport.start(sender)?;
        let room = memory()?;
        let mut next = out * 10_000_000;
        for _ in 0..out {
            next += 1;
            transport.send(job(next))?;
        }
        let mut back = || -> Result<()> {
            let done = returned.recv_timeout(Duration::from_secs(60))?;
            done.answer.map_err(|lost| lost.to_string())?;
            transport.settled(done.job);
            next += 1;
            transport.send(job(next))?;
            Ok(())
        };
        for _ in 0..out {
            back()?;
        }
        let (start, before, mut count) = (Instant::now(), costs(server, &answers)?, 0);
        while start.elapsed() < TIME / 2 {
            back()?;
            count += 1;
        }
        let took = start.elapsed().as_secs_f64();
        let after = costs(server, &answers)?;
        told(&format!("jobs, {out} at once"), count, took, before, after);
        println!(
            "memory: {:.1} MB more",
            memory()?.saturating_sub(room) as f64 / 1e6
        );
        transport.end(false);
    }
    Ok(())
}

/// Answers to a search.
pub(crate) fn answers(server: &LocalServer, folder: &Path) -> Result<()> {
    let answers = Answers::to(server.url(), "expand", "1")?;
    let (path, search) = begun(folder, "J10 I8 H9", None)?;
    let options = ClientOptions::new("answers", "answers");
    let transport = GridTransport::new(Grid::connect(&Access::at(server.url())?)?, options);
    let room = memory()?;
    let running = Runner::start_on(
        path.clone(),
        search,
        Box::new(transport),
        Settings::default(),
    )?;
    let book = Book::open_existing(&path)?;
    let events = || -> Result<u64> { Ok(book.search(search)?.events) };
    // It asks for more and more workers, and gets them.
    thread::sleep(TIME);
    for _ in 0..3 {
        let (start, before, first) = (Instant::now(), costs(server, &answers)?, events()?);
        thread::sleep(TIME);
        let (took, count) = (start.elapsed().as_secs_f64(), events()? - first);
        let after = costs(server, &answers)?;
        let seen: Snapshot =
            serde_json::from_str(&book.search(search)?.snapshot.unwrap_or_default())?;
        let what = format!(
            "answers to a search with {} nodes and {} of {THREADS} threads",
            seen.nodes, seen.workers
        );
        told(&what, count, took, before, after);
        let used = memory()?.saturating_sub(room);
        println!(
            "memory: {:.0} MB, {:.0} bytes for each node of the tree",
            used as f64 / 1e6,
            used as f64 / seen.nodes as f64
        );
    }
    running.stop();
    running.wait()?;
    let size = std::fs::metadata(&path)?.len();
    println!(
        "the book: {:.0} bytes for each answer",
        size as f64 / events()? as f64
    );
    Ok(())
}

/// Solves, and keeps the proofs of its answers.
struct Recorder {
    worker: LocalWorker,
    proofs: Mutex<Vec<String>>,
}

impl Worker for Recorder {
    fn run(&self, job: &Job, stop: &AtomicBool) -> std::result::Result<JobResult, JobError> {
        let result = self.worker.run(job, stop)?;
        let texts = result.proofs.iter().map(|(_, text)| text.clone());
        self.proofs
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend(texts);
        Ok(result)
    }
}

/// The proofs of the jobs of a real opening, and those of whole openings, checked by one thread.
pub(crate) fn checks(folder: &Path) -> Result<()> {
    let recorder = Arc::new(Recorder {
        worker: LocalWorker::new(),
        proofs: Mutex::default(),
    });
    let (path, search) = begun(folder, "J10 H8 L12", Some(Side::Black))?;
    let settings = Settings {
        workers: 1,
        ..Settings::default()
    };
    let start = Instant::now();
    let end = Runner::start(path.clone(), search, recorder.clone(), settings)?.wait()?;
    let jobs = Book::open_existing(&path)?.search(search)?.events;
    println!(
        "J10 H8 L12: {}, {jobs} answers, {:.1} s",
        end.why.name(),
        start.elapsed().as_secs_f64()
    );
    let proofs = std::mem::take(
        &mut *recorder
            .proofs
            .lock()
            .unwrap_or_else(PoisonError::into_inner),
    );
    checked("proofs of its jobs", &proofs)?;
    let mut all = Vec::new();
    for file in std::fs::read_dir(PROOFS)? {
        let path = file?.path();
        if path.extension().is_some_and(|kind| kind == "tproof") {
            all.push(Proof::from_compact(&std::fs::read(path)?)?.to_text());
        }
    }
    checked("proofs of whole openings", &all)
}

/// The processor time of the whole process: the checker has a thread of its own.
fn checked(what: &str, texts: &[String]) -> Result<()> {
    let bytes: usize = texts.iter().map(String::len).sum();
    let (start, mut count) = (processor_time("self")?, 0);
    while count == 0 || processor_time("self")? - start < 3.0 {
        for text in texts {
            let checked = CheckedProof::check(text.as_str())?;
            if matches!(
                checked.state(),
                ProofState::Rejected | ProofState::Undecided
            ) {
                return Err(checked.verdict().to_string().into());
            }
            count += 1;
        }
    }
    let each = (processor_time("self")? - start) / f64::from(count);
    println!(
        "{what}: {} with {:.1} kB each, {:.2} ms of one core each, {:.0} a second",
        texts.len(),
        bytes as f64 / 1e3 / texts.len().max(1) as f64,
        each * 1e3,
        1.0 / each
    );
    Ok(())
}
