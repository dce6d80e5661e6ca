//! What a grid does for its users, with a real server: who gets which job, how workers leave, what is cancelled, what is dead.

mod grid_support;
mod runner_support;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use grid_support::{PATIENCE, Server, until};
use runner_support::{SMALL, Small, assert_proved, book_with, folder, position, settings};
use tengen_book::{Book, Wanted};
use tengen_grid::jobs::{JobError, Worker};
use tengen_grid::nats::{
    Class, ClientOptions, GridError, GridTransport, Kind, Leave, Log, VERSION, Worked,
    WorkerOptions, run_worker, status,
};
use tengen_grid::runner::{Runner, Why};
use tengen_grid::search::Config;
use tengen_grid::transport::{Lost, Returned, Transport};
use tengen_grid::{Job, JobId, JobLimits, JobResult, Work};

/// Writes down what it is asked. Jobs named `wait` end when they are let or stopped, `huge` ones answer at length.
#[derive(Default)]
struct Puppet {
    asked: Mutex<Vec<String>>,
    let_go: AtomicBool,
}

impl Puppet {
    fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("no panic").clone()
    }
}

impl Worker for Puppet {
    fn run(&self, job: &Job, stop: &AtomicBool) -> Result<JobResult, JobError> {
        self.asked
            .lock()
            .expect("no panic")
            .push(job.position.clone());
        if job.position.starts_with("wait") {
            while !self.let_go.load(Ordering::SeqCst) {
                if stop.load(Ordering::Relaxed) {
                    return Err(JobError::Stopped);
                }
                thread::sleep(Duration::from_millis(1));
            }
        }
        let mut result = JobResult::default();
        if job.position.starts_with("huge") {
            let mut random = fastrand::Rng::with_seed(1);
            let text: String = (0..24 << 20).map(|_| random.alphanumeric()).collect();
            result.proofs.push((tengen_grid::ProofId::of(&text), text));
        }
        Ok(result)
    }
}

fn job(id: u64, position: &str) -> Job {
    Job {
        id: JobId(id),
        rules: "connect6".to_owned(),
        position: position.to_owned(),
        work: Work::Evaluate,
        limits: JobLimits {
            nodes: Some(id),
            seconds: None,
        },
        tips: Vec::new(),
    }
}

/// A worker in a thread of this process.
struct Hired {
    puppet: Arc<Puppet>,
    leave: Arc<Leave>,
    log: Arc<Mutex<Vec<Log>>>,
    thread: Option<JoinHandle<Result<Worked, GridError>>>,
}

impl Hired {
    fn new(server: &Server, options: WorkerOptions) -> Self {
        let (puppet, leave) = (Arc::new(Puppet::default()), Arc::new(Leave::default()));
        let log: Arc<Mutex<Vec<Log>>> = Arc::default();
        let access = server.access();
        let (does, asked, told) = (puppet.clone(), Arc::clone(&leave), Arc::clone(&log));
        let thread = thread::spawn(move || {
            run_worker(&access, options, does, asked, move |event| {
                told.lock().expect("no panic").push(event);
            })
        });
        Self {
            puppet,
            leave,
            log,
            thread: Some(thread),
        }
    }

    fn log(&self) -> Vec<Log> {
        self.log.lock().expect("no panic").clone()
    }

    fn ended(&mut self) -> Result<Worked, GridError> {
        let thread = self.thread.take().expect("once");
        thread.join().expect("no panic")
    }
}

impl Drop for Hired {
    fn drop(&mut self) {
        self.leave.ask();
        self.leave.ask();
        if let Some(thread) = self.thread.take() {
            let _ended = thread.join();
        }
    }
}

/// A search as the grid sees one.
fn client(server: &Server, options: ClientOptions) -> (GridTransport, Receiver<Returned>) {
    let mut transport = GridTransport::new(server.grid(), options);
    let (sender, returned) = channel();
    transport.start(sender).expect("it starts");
    (transport, returned)
}

#[track_caller]
fn back(returned: &Receiver<Returned>) -> Returned {
    returned.recv_timeout(PATIENCE).expect("it comes back")
}

/// Sends jobs of which each comes back before the next, and says who did them.
fn done_by(
    transport: &mut GridTransport,
    returned: &Receiver<Returned>,
    count: u64,
) -> Vec<String> {
    let mut by = Vec::new();
    for id in 1..=count {
        transport.send(job(id, "easy")).expect("sent");
        let back = back(returned);
        back.answer.as_ref().expect("an answer");
        transport.settled(back.job);
        by.push(back.worker.expect("somebody").to_string());
    }
    by.dedup();
    by
}

#[test]
fn a_cancel_reaches_a_running_worker_within_a_second() {
    let server = Server::start(&folder("behaviour_cancel"));
    let worker = Hired::new(&server, WorkerOptions::new("w", 1));
    let (mut transport, returned) = client(&server, ClientOptions::new("c", "c"));
    let mut times = Vec::new();
    for id in 1..=9 {
        transport.send(job(id, "wait")).expect("sent");
        until("it is at work", || worker.puppet.asked().len() as u64 == id);
        let start = Instant::now();
        transport.cancel(JobId(id));
        let back = back(&returned);
        // The worker says so itself: nobody has let it go, and nobody has given it up.
        assert_eq!(back.answer, Err(Lost::Stopped));
        if back.worker.is_some() {
            times.push(start.elapsed());
        }
        transport.settled(back.job);
        until("it is told so", || {
            let is = |event: &&Log| matches!(event, Log::Stopped(_));
            worker.log().iter().filter(is).count() as u64 == id
        });
    }
    times.sort();
    assert!(times.len() >= 5, "{times:?}");
    assert!(times[times.len() / 2] < Duration::from_secs(1), "{times:?}");
}

#[test]
fn searches_get_the_workers_they_ask_for_and_workers_the_work_they_do() {
    let server = Server::start(&folder("behaviour_pools"));
    let of = |name: &str, label: &str, kind| WorkerOptions {
        labels: vec![label.to_owned()],
        kinds: vec![kind],
        ..WorkerOptions::new(name, 1)
    };
    let _one = Hired::new(&server, of("one", "fast", Kind::Evaluate));
    let _two = Hired::new(&server, of("two", "slow", Kind::Evaluate));
    let _three = Hired::new(&server, of("three", "fast", Kind::Expand));
    for (pool, expected) in [("fast", "one"), ("slow", "two"), ("two", "two")] {
        let options = ClientOptions {
            pool: Some(pool.to_owned()),
            ..ClientOptions::new(pool, pool)
        };
        let (mut transport, returned) = client(&server, options);
        assert_eq!(done_by(&mut transport, &returned, 6), [expected], "{pool}");
        transport.end(false);
    }
}

#[test]
fn urgent_jobs_come_first() {
    let server = Server::start(&folder("behaviour_classes"));
    let worker = Hired::new(&server, WorkerOptions::new("w", 1));
    let of = |class: Class| {
        let name = class.to_string();
        let options = ClientOptions {
            class,
            ..ClientOptions::new(&name, &name)
        };
        client(&server, options)
    };
    let [mut low, mut normal, mut high] = [Class::Low, Class::Normal, Class::High].map(of);
    // The worker learns of the queues.
    for (transport, returned) in [&mut low, &mut normal, &mut high] {
        done_by(transport, returned, 1);
    }
    low.0.send(job(2, "wait")).expect("sent");
    until("it is at work", || worker.puppet.asked().len() == 4);
    for id in 10..13 {
        low.0.send(job(id, "low")).expect("sent");
        normal.0.send(job(id, "normal")).expect("sent");
        high.0.send(job(id, "high")).expect("sent");
    }
    let grid = server.grid();
    until("all wait", || {
        let status = status(&grid, Duration::from_millis(200)).expect("an answer");
        status.jobs == 10
    });
    worker.puppet.let_go.store(true, Ordering::SeqCst);
    until("all are done", || worker.puppet.asked().len() == 13);
    let order = &worker.puppet.asked()[4..];
    let expected = [
        "high", "high", "high", "normal", "normal", "normal", "low", "low", "low",
    ];
    assert_eq!(order, expected);
}

#[test]
fn who_is_asked_to_leave_finishes_and_who_is_asked_twice_hands_back() {
    let server = Server::start(&folder("behaviour_leave"));
    let mut first = Hired::new(&server, WorkerOptions::new("first", 1));
    let (mut transport, returned) = client(&server, ClientOptions::new("c", "c"));
    transport.send(job(1, "wait")).expect("sent");
    until("it is at work", || first.puppet.asked().len() == 1);
    transport.send(job(2, "easy")).expect("sent");
    first.leave.ask();
    until("it is leaving", || first.log().contains(&Log::Leaving));
    first.puppet.let_go.store(true, Ordering::SeqCst);
    let worked = first.ended().expect("it left");
    assert_eq!(
        (worked.done, first.puppet.asked().len()),
        (1, 1),
        "no other job"
    );
    let done = back(&returned);
    assert_eq!(done.job, JobId(1));
    transport.settled(done.job);

    let mut second = Hired::new(&server, WorkerOptions::new("second", 1));
    assert_eq!(back(&returned).job, JobId(2));
    transport.send(job(3, "wait")).expect("sent");
    until("it is at work", || second.puppet.asked().len() == 2);
    second.leave.ask();
    second.leave.ask();
    let worked = second.ended().expect("it left");
    assert_eq!(worked.done, 1, "the job was not finished");
    // Handed back, it is at once there for another one: the time of silence is half a minute.
    let start = Instant::now();
    let third = Hired::new(&server, WorkerOptions::new("third", 1));
    until("somebody else has it", || third.puppet.asked().len() == 1);
    assert!(
        start.elapsed() < Duration::from_secs(25),
        "only after silence"
    );
    third.puppet.let_go.store(true, Ordering::SeqCst);
    assert_eq!(back(&returned).worker.as_deref(), Some("third"));
}

#[test]
fn a_search_that_has_much_to_read_keeps_its_workers() {
    let server = Server::start(&folder("behaviour_backlog"));
    let _worker = Hired::new(&server, WorkerOptions::new("w", 64));
    let (mut transport, returned) = client(&server, ClientOptions::new("c", "c"));
    until("it may use some", || transport.capacity() >= 8);
    for id in 1..=30 {
        transport.send(job(id, "easy")).expect("sent");
    }
    until("it may use all", || transport.capacity() == 64);
    let answers: Vec<JobId> = (1..=30).map(|_| back(&returned).job).collect();
    // Longer than a demand is remembered.
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(7) {
        assert_eq!(transport.capacity(), 64);
        thread::sleep(Duration::from_millis(50));
    }
    for job in answers {
        transport.settled(job);
    }
    until("it is done with all", || transport.capacity() == 8);
}

#[test]
fn a_worker_that_is_paused_takes_no_jobs_and_its_threads_do_not_count() {
    let server = Server::start(&folder("behaviour_pause"));
    let worker = Hired::new(&server, WorkerOptions::new("w", 2));
    let (mut transport, returned) = client(&server, ClientOptions::new("c", "c"));
    transport.send(job(1, "wait")).expect("sent");
    until("it is at work", || worker.puppet.asked().len() == 1);
    until("both threads count", || transport.capacity() == 2);
    worker.leave.pause(true);
    until("it says so", || worker.log().contains(&Log::Paused));
    until("only the one at work counts", || transport.capacity() == 1);
    let grid = server.grid();
    let shown = status(&grid, Duration::from_millis(300)).expect("an answer");
    assert!(shown.workers[0].paused);
    transport.send(job(2, "easy")).expect("sent");
    // What it does it finishes.
    worker.puppet.let_go.store(true, Ordering::SeqCst);
    let done = back(&returned);
    assert_eq!(done.job, JobId(1));
    transport.settled(done.job);
    until("nothing of it is to be had", || transport.capacity() == 0);
    // Somebody else would have had it long ago.
    let other = Hired::new(&server, WorkerOptions::new("other", 1));
    assert_eq!(back(&returned).worker.as_deref(), Some("other"));
    assert_eq!(worker.puppet.asked().len(), 1);
    drop(other);
    transport.send(job(3, "easy")).expect("sent");
    worker.leave.pause(false);
    assert_eq!(back(&returned).worker.as_deref(), Some("w"));
    until("it says so", || worker.log().contains(&Log::Resumed));
}

#[test]
fn a_job_that_nobody_finishes_is_dead_and_shown() {
    let server = Server::start(&folder("behaviour_dead"));
    let options = ClientOptions {
        ack_wait: Duration::from_secs(1),
        ..ClientOptions::new("c", "c")
    };
    let (mut transport, returned) = client(&server, options);
    transport.send(job(1, "deadly")).expect("sent");
    let url = server.url();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    // Takes the job again and again, and dies of it.
    let victims = thread::spawn(move || {
        let runtime = tokio::runtime::Runtime::new().expect("threads");
        runtime.block_on(async {
            let client = async_nats::connect(url).await.expect("connected");
            let context = async_nats::jetstream::new(client);
            let take = async {
                loop {
                    let consumer = context
                        .get_consumer_from_stream("normal-evaluate-any", "TENGEN_JOBS")
                        .await;
                    let Ok::<async_nats::jetstream::consumer::PullConsumer, _>(consumer) = consumer
                    else {
                        tokio::time::sleep(Duration::from_millis(20)).await;
                        continue;
                    };
                    let batch = consumer
                        .batch()
                        .max_messages(1)
                        .expires(Duration::from_secs(1));
                    if let Ok(mut batch) = batch.messages().await {
                        let _taken = batch.next().await;
                    }
                }
            };
            tokio::select! {
                () = take => {}
                _ = stopped => {}
            }
        });
    });
    let dead = back(&returned);
    let Err(Lost::Failed(reason)) = dead.answer else {
        panic!("{dead:?}");
    };
    assert!(reason.contains("nobody finished it"), "{reason}");
    transport.settled(dead.job);
    let grid = server.grid();
    until("everybody sees it", || {
        let status = status(&grid, Duration::from_millis(300)).expect("an answer");
        let shown = status.clients.first().is_some_and(|it| it.dead.len() == 1);
        shown && status.jobs == 0
    });
    let notes = transport.notes();
    assert!(
        notes.iter().any(|note| note.contains("is dead")),
        "{notes:?}"
    );
    let _ended = stop.send(());
    victims.join().expect("no panic");
}

#[test]
fn another_version_is_refused_with_a_clear_message_and_others_do_the_job() {
    let server = Server::start(&folder("behaviour_version"));
    let old = WorkerOptions {
        version: VERSION + 1,
        ..WorkerOptions::new("other", 1)
    };
    let old = Hired::new(&server, old);
    let (mut transport, returned) = client(&server, ClientOptions::new("c", "c"));
    transport.send(job(1, "easy")).expect("sent");
    until("it hands the job back", || {
        let clear = |event: &Log| match event {
            Log::Refused(why) => {
                why.contains(&format!("speaks version {}", VERSION + 1)) && why.contains("install")
            }
            _ => false,
        };
        old.log().iter().any(clear)
    });
    assert_eq!(transport.capacity(), 0, "its threads do not count");
    let _new = Hired::new(&server, WorkerOptions::new("new", 1));
    assert_eq!(back(&returned).worker.as_deref(), Some("new"));
    assert_eq!(old.puppet.asked(), [""; 0]);
}

#[test]
fn answers_of_many_megabytes_arrive_whole() {
    let server = Server::start(&folder("behaviour_huge"));
    let _worker = Hired::new(&server, WorkerOptions::new("w", 1));
    let (mut transport, returned) = client(&server, ClientOptions::new("c", "c"));
    transport.send(job(1, "huge")).expect("sent");
    let result = back(&returned).answer.expect("an answer");
    let (id, text) = &result.proofs[0];
    assert_eq!(text.len(), 24 << 20);
    assert_eq!(*id, tengen_grid::ProofId::of(text));
    transport.settled(JobId(1));
    let grid = server.grid();
    until("the server keeps nothing of it", || {
        let status = status(&grid, Duration::from_millis(100)).expect("an answer");
        (status.jobs, status.results) == (0, 0)
    });
}

/// Stops when it is told to, and does small games when it is let.
struct Gate {
    open: Arc<AtomicBool>,
    at_work: Arc<AtomicBool>,
    told: Arc<AtomicBool>,
}

impl Worker for Gate {
    fn run(&self, job: &Job, stop: &AtomicBool) -> Result<JobResult, JobError> {
        while !self.open.load(Ordering::SeqCst) {
            self.at_work.store(true, Ordering::SeqCst);
            if stop.load(Ordering::Relaxed) {
                self.told.store(true, Ordering::SeqCst);
            }
            thread::sleep(Duration::from_millis(1));
        }
        Small.run(job, stop)
    }
}

#[test]
fn a_search_that_is_resumed_while_it_stops_goes_on_with_the_grid() {
    let folder = folder("behaviour_resumed");
    let server = Server::start(&folder);
    let [open, at_work, told] = [0; 3].map(|_| Arc::new(AtomicBool::new(false)));
    let gate = Gate {
        open: Arc::clone(&open),
        at_work: Arc::clone(&at_work),
        told: Arc::clone(&told),
    };
    let (leave, access) = (Arc::new(Leave::default()), server.access());
    let asked = Arc::clone(&leave);
    let worker = thread::spawn(move || {
        let options = WorkerOptions::new("w", 1);
        run_worker(&access, options, Arc::new(gate), asked, |_| {})
    });
    let root = position(SMALL.0, SMALL.1);
    let (path, search) = book_with(&folder, &root, &Config::default());
    let book = Book::open_existing(&path).expect("a book");
    let grid = server.grid();
    let mut runs = 0;
    let (counted, counting) = channel();
    let transport = move || -> Option<Box<dyn Transport>> {
        runs += 1;
        let _ = counted.send(runs);
        let options = ClientOptions::new("resumed", "resumed");
        Some(Box::new(GridTransport::new(grid.clone(), options)))
    };
    let running = Runner::start_by(path.clone(), search, transport, settings(1));
    let running = running.expect("it starts");
    until("it is at work", || at_work.load(Ordering::SeqCst));
    book.set_wanted(search, Wanted::Stop).expect("there");
    until("it is told to stop", || told.load(Ordering::SeqCst));
    book.set_wanted(search, Wanted::Run).expect("there");
    open.store(true, Ordering::SeqCst);
    let end = running.wait().expect("it ends well");
    assert_eq!(end.why, Why::Solved);
    assert_proved(&path, &root, &end);
    assert_eq!(counting.try_iter().last(), Some(2), "a second run");
    leave.ask();
    worker.join().expect("no panic").expect("it left");
}
