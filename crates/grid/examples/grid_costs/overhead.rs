//! What the grid costs where it has time.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tengen_grid::jobs::{JobError, Worker};
use tengen_grid::nats::{
    Access, Beat, ClientOptions, Grid, GridError, GridTransport, Leave, VERSION, Worked,
    WorkerOptions, run_worker,
};
use tengen_grid::runner::{Runner, Settings};
use tengen_grid::transport::Transport as _;
use tengen_grid::{Job, JobResult};

use crate::made_up::{connect, result};
use crate::{Result, begun, job, processor_time};

const THREADS: usize = 8;
const JOBS: usize = 240;
const SECOND: Duration = Duration::from_secs(1);

/// Does nothing, for a second, and then answers something.
#[derive(Default)]
struct Sleeper {
    done: AtomicU64,
}

impl Worker for Sleeper {
    fn run(&self, job: &Job, stop: &AtomicBool) -> std::result::Result<JobResult, JobError> {
        let end = Instant::now() + SECOND;
        let mut random = fastrand::Rng::new();
        let result = result(job, &mut random);
        while let Some(left) = end.checked_duration_since(Instant::now()) {
            if stop.load(Ordering::Relaxed) {
                return Err(JobError::Stopped);
            }
            thread::sleep(left);
        }
        self.done.fetch_add(1, Ordering::SeqCst);
        Ok(result)
    }
}

/// So many workers' threads, in one worker or one each.
struct Hired {
    sleeper: Arc<Sleeper>,
    leave: Arc<Leave>,
    threads: Vec<JoinHandle<std::result::Result<Worked, GridError>>>,
}

impl Hired {
    fn new(access: &Access, workers: usize, each: usize) -> Self {
        let (sleeper, leave) = (Arc::new(Sleeper::default()), Arc::new(Leave::default()));
        let hire = |number: usize| {
            let (access, leave) = (access.clone(), Arc::clone(&leave));
            let does: Arc<dyn Worker> = sleeper.clone();
            let options = WorkerOptions::new(&format!("w{number}"), each);
            thread::spawn(move || run_worker(&access, options, does, leave, |_| {}))
        };
        let threads = (0..workers).map(hire).collect();
        Self {
            sleeper,
            leave,
            threads,
        }
    }

    fn end(self) -> Result<()> {
        self.leave.ask();
        self.leave.ask();
        for thread in self.threads {
            thread.join().map_err(|_| "a worker broke down")??;
        }
        Ok(())
    }
}

fn told(what: &str, took: f64, jobs: usize) {
    let ideal = SECOND.as_secs_f64() * jobs as f64 / THREADS as f64;
    println!(
        "{what}: {jobs} jobs of a second with 8 workers took {took:.2} s, ideal {ideal:.2} s, overhead {:.2} %",
        (took / ideal - 1.0) * 100.0
    );
}

/// Jobs of a second, without a search.
pub(crate) fn jobs(url: &str) -> Result<()> {
    let access = Access::at(url)?;
    let workers = Hired::new(&access, THREADS, 1);
    let options = ClientOptions::new("overhead", "overhead");
    let mut transport = GridTransport::new(Grid::connect(&access)?, options);
    let (sender, returned) = channel();
    transport.start(sender)?;
    while transport.capacity() < THREADS {
        thread::sleep(Duration::from_millis(10));
    }
    let mut sent = 0;
    let mut send = |transport: &mut GridTransport| {
        sent += 1;
        transport.send(job(sent))
    };
    for _ in 0..THREADS {
        send(&mut transport)?;
    }
    // The first round finds the queues.
    for _ in 0..THREADS {
        let back = returned.recv()?;
        transport.settled(back.job);
        send(&mut transport)?;
    }
    let start = Instant::now();
    for _ in 0..JOBS {
        let back = returned.recv()?;
        transport.settled(back.job);
        send(&mut transport)?;
    }
    told("grid", start.elapsed().as_secs_f64(), JOBS);
    transport.end(false);
    workers.end()
}

/// Jobs of a second, with a search that chooses, judges and journals. Second opinions are jobs too.
pub(crate) fn search(url: &str, folder: &Path) -> Result<()> {
    let access = Access::at(url)?;
    let workers = Hired::new(&access, THREADS, 1);
    let (path, search) = begun(folder, "J10 I8 H9", None)?;
    let options = ClientOptions::new("search", "search");
    let transport = GridTransport::new(Grid::connect(&access)?, options);
    let running = Runner::start_on(path, search, Box::new(transport), Settings::default())?;
    let done = || workers.sleeper.done.load(Ordering::SeqCst);
    // Until the tree has work for all.
    while done() < 10 * THREADS as u64 {
        thread::sleep(Duration::from_millis(1));
    }
    let (start, before, cost) = (Instant::now(), done(), processor_time("self")?);
    while done() < before + JOBS as u64 {
        thread::sleep(Duration::from_millis(1));
    }
    told(
        "grid and search",
        start.elapsed().as_secs_f64(),
        (done() - before) as usize,
    );
    let cost = (processor_time("self")? - cost) / JOBS as f64;
    println!(
        "coordinator and 8 workers: {:.2} ms of processor time for each job",
        cost * 1e3
    );
    running.stop();
    running.wait()?;
    workers.end()
}

/// What the beats of idle workers cost.
pub(crate) fn idle(url: &str) -> Result<()> {
    let options = ClientOptions::new("idle", "idle");
    let mut transport = GridTransport::new(Grid::connect(&Access::at(url)?)?, options);
    let (sender, _returned) = channel();
    transport.start(sender)?;
    let program = std::env::current_exe()?;
    let mut others = Command::new(program).args(["--beats", url]).spawn()?;
    thread::sleep(Duration::from_secs(8));
    let (start, before) = (Instant::now(), processor_time("self")?);
    thread::sleep(Duration::from_secs(20));
    let share = (processor_time("self")? - before) / start.elapsed().as_secs_f64();
    others.kill()?;
    others.wait()?;
    println!(
        "beats of 1,000 idle workers: {:.2} % of a core; {} threads granted",
        share * 100.0,
        transport.capacity()
    );
    transport.end(false);
    Ok(())
}

/// The beats of 1,000 workers, each every 4 seconds.
pub(crate) fn beat(url: &str) -> Result<()> {
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let client = connect(url).await?;
        let mut every = tokio::time::interval(Duration::from_millis(4));
        for number in (0..1_000).cycle() {
            every.tick().await;
            let name = format!("idle-{number}");
            let beat = Beat {
                version: VERSION,
                program: "0.1.0".to_owned(),
                name: name.clone(),
                instance: "0".to_owned(),
                machine: format!("machine-{number}"),
                threads: 4,
                ..Beat::default()
            };
            let text = serde_json::to_vec(&beat)?;
            client
                .publish(format!("tengen.beat.{name}"), text.into())
                .await?;
        }
        Ok(())
    })
}
