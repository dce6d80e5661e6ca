//! The threads that do jobs and have their proofs checked, so that the search never waits for that.

use std::collections::HashSet;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tengen_book::CheckedProof;
use tengen_checker::Limits;

use super::judge::Proofs;
use crate::jobs::Worker;
use crate::{Evidence, Expansion, Job, JobId, JobResult, ProofId};

/// Provers recurse once a turn.
const STACK: usize = 64 << 20;

/// A job on its way to a worker.
pub(super) struct Task {
    pub(super) job: Job,
    pub(super) stop: Arc<AtomicBool>,
}

/// A job that has come back.
pub(super) struct Done {
    pub(super) job: JobId,
    /// What was found, or why nothing was.
    pub(super) answer: Result<Answer, String>,
}

/// A worker's answer with its proofs checked.
pub(super) struct Answer {
    pub(super) expansion: Expansion,
    pub(super) proofs: Proofs,
    pub(super) nodes: u64,
    pub(super) seconds: f64,
}

/// The threads. They end when this is dropped, each after its job.
pub(super) struct Crew {
    tasks: Sender<Task>,
    done: Receiver<Done>,
}

impl Crew {
    pub(super) fn start(size: usize, worker: &Arc<dyn Worker>, check: &Limits) -> io::Result<Self> {
        let (tasks, inbox) = mpsc::channel();
        let (outbox, done) = mpsc::channel();
        let inbox = Arc::new(Mutex::new(inbox));
        for number in 1..=size {
            let (inbox, outbox) = (Arc::clone(&inbox), outbox.clone());
            let (worker, check) = (Arc::clone(worker), check.clone());
            thread::Builder::new()
                .name(format!("worker {number}"))
                .stack_size(STACK)
                .spawn(move || work(&inbox, &outbox, worker.as_ref(), &check))?;
        }
        Ok(Self { tasks, done })
    }

    /// False if all threads are gone.
    pub(super) fn send(&self, task: Task) -> bool {
        self.tasks.send(task).is_ok()
    }

    /// The next job that comes back within this time.
    pub(super) fn next(&self, patience: Duration) -> Option<Done> {
        self.done.recv_timeout(patience).ok()
    }
}

fn work(inbox: &Mutex<Receiver<Task>>, outbox: &Sender<Done>, worker: &dyn Worker, check: &Limits) {
    loop {
        let next = inbox.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Task { job, stop }) = next else {
            return;
        };
        let attempt = AssertUnwindSafe(|| attempt(&job, &stop, worker, check));
        let answer = panic::catch_unwind(attempt)
            .unwrap_or_else(|_| Err("the worker broke down".to_owned()));
        if outbox
            .send(Done {
                job: job.id,
                answer,
            })
            .is_err()
        {
            return;
        }
    }
}

fn attempt(
    job: &Job,
    stop: &AtomicBool,
    worker: &dyn Worker,
    check: &Limits,
) -> Result<Answer, String> {
    if stop.load(Ordering::Relaxed) {
        return Err("the job was stopped".to_owned());
    }
    let start = Instant::now();
    let result = worker.run(job, stop).map_err(|error| error.to_string())?;
    let proofs = checked(&result, check);
    // A worker's clock may be broken; ours is not.
    let seconds = start.elapsed().as_secs_f64();
    Ok(Answer {
        expansion: result.expansion,
        proofs,
        nodes: result.nodes,
        seconds,
    })
}

/// Has the proofs checked that the answer names. What cannot be read as a proof, or bears another's name, is left out.
fn checked(result: &JobResult, limits: &Limits) -> Proofs {
    let mut named = HashSet::new();
    names(&result.expansion, &mut named);
    let mut proofs = Proofs::new();
    for (id, text) in &result.proofs {
        let honest = tengen_book::ProofId::of(text).0 == id.0;
        if !honest || !named.contains(id) || proofs.contains_key(id) {
            continue;
        }
        if let Ok(proof) = CheckedProof::check_within(text.as_str(), limits) {
            proofs.insert(*id, proof);
        }
    }
    proofs
}

/// The proofs that an answer names.
fn names(expansion: &Expansion, into: &mut HashSet<ProofId>) {
    let mut stack = vec![expansion];
    while let Some(next) = stack.pop() {
        let decision = next.decided.map(|decision| decision.evidence);
        for evidence in [decision, next.rest_loses].into_iter().flatten() {
            if let Evidence::Proof(id) = evidence {
                into.insert(id);
            }
        }
        stack.extend(next.turns.iter().filter_map(|found| found.after.as_deref()));
    }
}
