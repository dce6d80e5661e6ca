//! What the grid costs: `cargo run --release -p tengen-grid --example grid_overhead`.
//!
//! Eight threads of a worker do jobs of exactly one second; how much longer than a second does each take, from answer to
//! answer? And how much of a core do the beats of 1,000 idle workers cost a coordinator?

#![allow(clippy::print_stdout, reason = "it prints what it measures")]

use std::error::Error;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use tengen_grid::jobs::{JobError, Worker};
use tengen_grid::nats::{
    Access, Beat, ClientOptions, Grid, GridTransport, Leave, LocalServer, VERSION, WorkerOptions,
    run_worker,
};
use tengen_grid::transport::Transport as _;
use tengen_grid::{Job, JobId, JobLimits, JobResult, Work};

const THREADS: usize = 8;
const JOBS: usize = 240;
const SECOND: Duration = Duration::from_secs(1);

/// Does nothing, for a second.
struct Sleeper;

impl Worker for Sleeper {
    fn run(&self, _: &Job, stop: &AtomicBool) -> Result<JobResult, JobError> {
        let end = Instant::now() + SECOND;
        while let Some(left) = end.checked_duration_since(Instant::now()) {
            if stop.load(Ordering::Relaxed) {
                return Err(JobError::Stopped);
            }
            thread::sleep(left);
        }
        Ok(JobResult::default())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    if let Some(url) = std::env::args().nth(1) {
        return beat(&url);
    }
    let folder = std::env::temp_dir().join(format!("tengen-overhead-{}", std::process::id()));
    let server = LocalServer::start(&folder, ([127, 0, 0, 1], 0).into())?;
    let measured = jobs(server.url()).and_then(|()| idle(server.url()));
    drop(server);
    std::fs::remove_dir_all(&folder)?;
    measured
}

fn jobs(url: &str) -> Result<(), Box<dyn Error>> {
    let access = Access::at(url)?;
    let leave = Arc::new(Leave::default());
    let (theirs, asked) = (access.clone(), Arc::clone(&leave));
    let worker = thread::spawn(move || {
        run_worker(
            &theirs,
            WorkerOptions::new("w", THREADS),
            Arc::new(Sleeper),
            asked,
            |_| {},
        )
    });
    let mut transport = GridTransport::new(
        Grid::connect(&access)?,
        ClientOptions::new("overhead", "overhead"),
    );
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
    let ideal = SECOND.as_secs_f64() * JOBS as f64 / THREADS as f64;
    let took = start.elapsed().as_secs_f64();
    println!(
        "{JOBS} jobs of a second on {THREADS} threads: {took:.2} s, ideal {ideal:.2} s, overhead {:.2} %",
        (took / ideal - 1.0) * 100.0
    );
    transport.end(false);
    leave.ask();
    worker.join().map_err(|_| "the worker broke down")??;
    Ok(())
}

fn job(number: u64) -> Job {
    Job {
        id: JobId(number),
        rules: "connect6".to_owned(),
        position: "B:J10 to-move:W".to_owned(),
        work: Work::Evaluate,
        limits: JobLimits {
            nodes: Some(number),
            seconds: None,
        },
        tips: Vec::new(),
    }
}

fn idle(url: &str) -> Result<(), Box<dyn Error>> {
    let mut transport = GridTransport::new(
        Grid::connect(&Access::at(url)?)?,
        ClientOptions::new("idle", "idle"),
    );
    let (sender, _returned) = channel();
    transport.start(sender)?;
    let mut others = Command::new(std::env::current_exe()?).arg(url).spawn()?;
    thread::sleep(Duration::from_secs(8));
    let (start, before) = (Instant::now(), processor_time()?);
    thread::sleep(Duration::from_secs(20));
    let share = (processor_time()? - before) / start.elapsed().as_secs_f64();
    others.kill()?;
    others.wait()?;
    println!(
        "1,000 idle workers (one of them in 4 ms): {:.2} % of a core; {} threads granted",
        share * 100.0,
        transport.capacity()
    );
    transport.end(false);
    Ok(())
}

/// Seconds of processor time that this process has used.
fn processor_time() -> Result<f64, Box<dyn Error>> {
    let text = std::fs::read_to_string("/proc/self/stat")?;
    let fields: Vec<&str> = text
        .rsplit_once(')')
        .ok_or("no stat")?
        .1
        .split_whitespace()
        .collect();
    let ticks: f64 = fields[11].parse::<f64>()? + fields[12].parse::<f64>()?;
    Ok(ticks / 100.0)
}

/// The beats of 1,000 workers, each every 4 seconds.
fn beat(url: &str) -> Result<(), Box<dyn Error>> {
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let (token, host) = url
            .trim_start_matches("nats://")
            .split_once('@')
            .ok_or("no token")?;
        let client = async_nats::ConnectOptions::with_token(token.to_owned())
            .connect(host)
            .await?;
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
