//! Threads of this process.

use std::collections::HashMap;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use super::{Closed, Lost, Returned, Transport};
use crate::clock::processor_time;
use crate::jobs::{JobError, Worker};
use crate::{Job, JobId, JobResult};

/// Provers recurse once a turn.
pub(crate) const STACK: usize = 64 << 20;

/// A job on its way to a thread.
struct Task {
    job: Job,
    stop: Arc<AtomicBool>,
}

/// The threads. They end when this is dropped, each after its job.
pub struct Threads {
    size: usize,
    worker: Arc<dyn Worker>,
    tasks: Option<Sender<Task>>,
    stops: HashMap<JobId, Arc<AtomicBool>>,
}

impl Threads {
    /// So many threads that ask this worker.
    pub fn new(size: usize, worker: Arc<dyn Worker>) -> Self {
        Self {
            size: size.max(1),
            worker,
            tasks: None,
            stops: HashMap::new(),
        }
    }
}

impl Transport for Threads {
    fn start(&mut self, returned: Sender<Returned>) -> io::Result<()> {
        let (tasks, inbox) = mpsc::channel();
        let inbox = Arc::new(Mutex::new(inbox));
        for number in 1..=self.size {
            let (inbox, returned) = (Arc::clone(&inbox), returned.clone());
            let worker = Arc::clone(&self.worker);
            thread::Builder::new()
                .name(format!("worker {number}"))
                .stack_size(STACK)
                .spawn(move || work(&inbox, &returned, worker.as_ref()))?;
        }
        self.tasks = Some(tasks);
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.size
    }

    fn workers(&self) -> usize {
        1
    }

    fn send(&mut self, job: Job) -> Result<(), Closed> {
        let stop = Arc::new(AtomicBool::new(false));
        self.stops.insert(job.id, Arc::clone(&stop));
        let tasks = self.tasks.as_ref().ok_or(Closed)?;
        tasks.send(Task { job, stop }).map_err(|_| Closed)
    }

    fn cancel(&mut self, job: JobId) {
        if let Some(stop) = self.stops.get(&job) {
            stop.store(true, Ordering::Relaxed);
        }
    }

    fn settled(&mut self, job: JobId) {
        self.stops.remove(&job);
    }

    /// The same thread would say the same.
    fn again(&mut self, _: JobId) -> bool {
        false
    }

    fn distrust(&mut self, _: &str, _: &str) {}

    fn notes(&mut self) -> Vec<String> {
        Vec::new()
    }

    fn end(&mut self, _: bool) {
        for stop in self.stops.values() {
            stop.store(true, Ordering::Relaxed);
        }
    }
}

fn work(inbox: &Mutex<Receiver<Task>>, returned: &Sender<Returned>, worker: &dyn Worker) {
    loop {
        let next = inbox.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Task { job, stop }) = next else {
            return;
        };
        let start = processor_time();
        let answer = attempt(&job, &stop, worker);
        let back = Returned {
            job: job.id,
            worker: None,
            answer,
            // A worker's clock may be broken; ours is not.
            seconds: (processor_time() - start).as_secs_f64(),
        };
        if returned.send(back).is_err() {
            return;
        }
    }
}

/// Does a job, whatever the worker does.
pub(crate) fn attempt(
    job: &Job,
    stop: &AtomicBool,
    worker: &dyn Worker,
) -> Result<JobResult, Lost> {
    if stop.load(Ordering::Relaxed) {
        return Err(Lost::Stopped);
    }
    let done = panic::catch_unwind(AssertUnwindSafe(|| worker.run(job, stop)));
    match done {
        Ok(Ok(result)) => Ok(result),
        Ok(Err(JobError::Stopped)) => Err(Lost::Stopped),
        Ok(Err(error)) => Err(Lost::Failed(error.to_string())),
        Err(_) => Err(Lost::Failed("the worker broke down".to_owned())),
    }
}
