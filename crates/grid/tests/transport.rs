//! What every transport does, tried on threads and on a grid alike.

mod grid_support;
mod runner_support;

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use grid_support::{PATIENCE, Server, until};
use runner_support::{SMALL, Small, assert_proved, book_with, folder, position, settings};
use tengen_grid::jobs::{JobError, Worker};
use tengen_grid::nats::{ClientOptions, GridTransport, Leave, WorkerOptions, run_worker};
use tengen_grid::runner::{Runner, Why};
use tengen_grid::search::Config;
use tengen_grid::transport::{Lost, Returned, Threads, Transport};
use tengen_grid::{Expansion, Job, JobId, JobLimits, JobResult, Numbers, Work};

/// Does what the position's number says.
struct Puppet(AtomicU64);

impl Worker for Puppet {
    fn run(&self, job: &Job, stop: &AtomicBool) -> Result<JobResult, JobError> {
        self.0.fetch_add(1, Ordering::SeqCst);
        match job.position.split(' ').next() {
            Some("fail") => Err(JobError::Senseless {
                id: job.id,
                reason: "I do not like it".to_owned(),
            }),
            Some("panic") => panic!("a breakdown"),
            Some("forever") => {
                while !stop.load(Ordering::Relaxed) {
                    thread::sleep(Duration::from_millis(2));
                }
                Err(JobError::Stopped)
            }
            Some("huge") => {
                // Does not compress.
                let mut random = fastrand::Rng::with_seed(1);
                let text: String = (0..3 << 20).map(|_| random.alphanumeric()).collect();
                let mut result = JobResult::default();
                result.proofs.push((tengen_grid::ProofId::of(&text), text));
                Ok(result)
            }
            _ => Ok(JobResult {
                expansion: Expansion::estimated(Numbers::new(
                    job.limits.nodes.unwrap_or(0) as u32,
                    1,
                )),
                nodes: 7,
                ..JobResult::default()
            }),
        }
    }
}

fn job(id: u64, position: &str) -> Job {
    Job {
        id: JobId(id),
        rules: "connect6".to_owned(),
        position: format!("{position} {id}"),
        work: Work::Evaluate,
        limits: JobLimits {
            nodes: Some(id),
            seconds: None,
        },
        tips: Vec::new(),
    }
}

/// What a test needs of a transport.
struct Stage {
    transport: Box<dyn Transport>,
    returned: Receiver<Returned>,
    puppet: Arc<Puppet>,
    leave: Option<(Arc<Leave>, JoinHandle<()>)>,
    _server: Option<Server>,
}

impl Stage {
    fn threads() -> Self {
        let puppet = Arc::new(Puppet(AtomicU64::new(0)));
        let transport = Box::new(Threads::new(2, puppet.clone()));
        Self::with(transport, puppet, None, None)
    }

    fn grid(name: &str) -> Self {
        let server = Server::start(&folder(name));
        let puppet = Arc::new(Puppet(AtomicU64::new(0)));
        let leave = work(&server, "w1", 2, puppet.clone());
        let options = ClientOptions {
            ack_wait: Duration::from_secs(2),
            ..ClientOptions::new("suite", "the suite")
        };
        let transport = Box::new(GridTransport::new(server.grid(), options));
        Self::with(transport, puppet, Some(leave), Some(server))
    }

    fn with(
        mut transport: Box<dyn Transport>,
        puppet: Arc<Puppet>,
        leave: Option<(Arc<Leave>, JoinHandle<()>)>,
        server: Option<Server>,
    ) -> Self {
        let (sender, returned) = channel();
        transport.start(sender).expect("it starts");
        until("workers are there", || transport.capacity() == 2);
        Self {
            transport,
            returned,
            puppet,
            leave,
            _server: server,
        }
    }

    #[track_caller]
    fn back(&self) -> Returned {
        self.returned.recv_timeout(PATIENCE).expect("it comes back")
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        if let Some((leave, thread)) = self.leave.take() {
            leave.ask();
            leave.ask();
            let _broken = thread.join();
        }
    }
}

fn work(
    server: &Server,
    name: &str,
    threads: usize,
    worker: Arc<dyn Worker>,
) -> (Arc<Leave>, JoinHandle<()>) {
    let leave = Arc::new(Leave::default());
    let (access, asked) = (server.access(), Arc::clone(&leave));
    let options = WorkerOptions::new(name, threads);
    let thread = thread::spawn(move || {
        run_worker(&access, options, worker, asked, |_| {}).expect("it works");
    });
    (leave, thread)
}

fn every_job_comes_back_once(mut stage: Stage) {
    for id in 1..=50 {
        stage.transport.send(job(id, "easy")).expect("sent");
    }
    let mut seen = HashSet::new();
    for _ in 1..=50 {
        let back = stage.back();
        let result = back.answer.expect("an answer");
        let told = result.expansion.estimate.expect("a number").proof;
        assert_eq!(
            u64::from(told),
            back.job.0,
            "the answer is that of the question"
        );
        assert!(seen.insert(back.job), "{:?} came back twice", back.job);
        stage.transport.settled(back.job);
    }
    // The same question once more is a new question.
    stage.transport.send(job(1, "easy")).expect("sent");
    assert_eq!(stage.back().job, JobId(1));
    assert_eq!(stage.puppet.0.load(Ordering::SeqCst), 51);
}

fn failures_and_breakdowns_come_back_with_a_reason(mut stage: Stage) {
    stage.transport.send(job(1, "fail")).expect("sent");
    stage.transport.send(job(2, "panic")).expect("sent");
    let mut reasons: Vec<(u64, String)> = Vec::new();
    for _ in 0..2 {
        let back = stage.back();
        let Err(Lost::Failed(reason)) = back.answer else {
            panic!("{:?} has no answer", back.job);
        };
        reasons.push((back.job.0, reason));
        stage.transport.settled(back.job);
    }
    reasons.sort();
    assert!(reasons[0].1.contains("I do not like it"), "{reasons:?}");
    assert!(reasons[1].1.contains("broke down"), "{reasons:?}");
    // The workers are still there.
    stage.transport.send(job(3, "easy")).expect("sent");
    assert!(stage.back().answer.is_ok());
}

fn cancelled_jobs_stop_soon_and_make_room(mut stage: Stage) {
    for id in 1..=4 {
        stage.transport.send(job(id, "forever")).expect("sent");
    }
    // Two are at work, two wait.
    until("both threads work", || {
        stage.puppet.0.load(Ordering::SeqCst) >= 2
    });
    for id in 1..=4 {
        stage.transport.cancel(JobId(id));
    }
    let mut back: Vec<JobId> = (0..4)
        .map(|_| {
            let back = stage.back();
            assert_eq!(back.answer, Err(Lost::Stopped));
            stage.transport.settled(back.job);
            back.job
        })
        .collect();
    back.sort_unstable();
    assert_eq!(back, [1, 2, 3, 4].map(JobId));
    stage.transport.send(job(5, "easy")).expect("sent");
    assert_eq!(stage.back().job, JobId(5));
    // The time is bounded by nothing here but patience; `docs/grid.md` has what it takes.
}

fn long_answers_arrive_whole(mut stage: Stage) {
    stage.transport.send(job(1, "huge")).expect("sent");
    let result = stage.back().answer.expect("an answer");
    let (id, text) = &result.proofs[0];
    assert_eq!(text.len(), 3 << 20);
    assert_eq!(*id, tengen_grid::ProofId::of(text));
}

fn the_end_stops_what_is_at_work(mut stage: Stage) {
    stage.transport.send(job(1, "forever")).expect("sent");
    until("it works", || stage.puppet.0.load(Ordering::SeqCst) == 1);
    stage.transport.end(false);
    // The thread is free again: it would not end otherwise.
    if let Some((leave, thread)) = stage.leave.take() {
        leave.ask();
        thread.join().expect("it left after its job");
    }
}

macro_rules! on_both {
    ($($name:ident),*) => {
        mod threads {
            $(#[test] fn $name() { super::$name(super::Stage::threads()); })*
        }
        mod grid {
            $(#[test] fn $name() { super::$name(super::Stage::grid(concat!("transport_", stringify!($name)))); })*
        }
    };
}

on_both!(
    every_job_comes_back_once,
    failures_and_breakdowns_come_back_with_a_reason,
    cancelled_jobs_stop_soon_and_make_room,
    long_answers_arrive_whole,
    the_end_stops_what_is_at_work
);

#[test]
fn a_search_on_a_grid_is_solved_and_its_proof_verified() {
    let folder = folder("transport_search");
    let server = Server::start(&folder);
    let (leave, thread) = work(&server, "w1", 2, Arc::new(Small));
    let root = position(SMALL.0, SMALL.1);
    let (path, search) = book_with(&folder, &root, &Config::default());
    let transport = GridTransport::new(server.grid(), ClientOptions::new("small", "a small game"));
    let running = Runner::start_on(path.clone(), search, Box::new(transport), settings(1));
    let end = running.expect("it starts").wait().expect("it ends");
    assert_eq!(end.why, Why::Solved);
    assert_proved(&path, &root, &end);
    leave.ask();
    thread.join().expect("it left");
}

#[test]
fn two_searches_share_the_workers_and_a_cap_is_kept() {
    let server = Server::start(&folder("transport_shares"));
    let puppet = Arc::new(Puppet(AtomicU64::new(0)));
    let (leave, thread) = work(&server, "w1", 6, puppet);
    let grid = server.grid();
    let search = |name: &str, most| {
        let options = ClientOptions {
            most,
            ..ClientOptions::new(name, name)
        };
        let mut transport = GridTransport::new(grid.clone(), options);
        let (sender, returned) = channel();
        transport.start(sender).expect("it starts");
        (transport, Mutex::new(returned))
    };
    let (mut one, _one) = search("one", None);
    until("one has all", || one.capacity() == 6);
    let (mut two, _two) = search("two", None);
    until("each has half", || {
        one.capacity() == 3 && two.capacity() == 3
    });
    let (mut three, _three) = search("three", Some(1));
    until("the rest is shared", || {
        three.capacity() == 1 && one.capacity() + two.capacity() == 5
    });
    two.end(false);
    three.end(false);
    until("one has all again", || one.capacity() == 6);
    one.end(false);
    leave.ask();
    thread.join().expect("it left");
}
