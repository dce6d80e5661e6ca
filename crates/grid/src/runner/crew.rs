//! Who does jobs, and the threads that have the proofs checked which come back, so that the search never waits for that.

use std::collections::HashSet;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use tengen_book::{CheckedProof, ProofState};
use tengen_checker::Limits;

use super::judge::Proofs;
use crate::clock::processor_time;
use crate::transport::{Closed, Returned, Transport};
use crate::{Evidence, Expansion, Job, JobId, JobResult, ProofId};

/// A job that has come back.
pub(super) struct Done {
    pub(super) job: JobId,
    /// Who did it, if it was somebody else than this process.
    pub(super) worker: Option<Arc<str>>,
    /// What was found, or why nothing was.
    pub(super) answer: Result<Answer, String>,
}

/// A worker's answer with its proofs checked.
pub(super) struct Answer {
    pub(super) expansion: Expansion,
    pub(super) proofs: Proofs,
    pub(super) nodes: u64,
    pub(super) seconds: f64,
    /// What no honest worker would have sent.
    pub(super) lie: Option<String>,
}

/// The workers behind a transport, and the threads that check.
pub(super) struct Crew {
    transport: Box<dyn Transport>,
    done: Receiver<Done>,
}

impl Crew {
    pub(super) fn start(mut transport: Box<dyn Transport>, check: &Limits) -> io::Result<Self> {
        let (returned, inbox) = mpsc::channel();
        let (outbox, done) = mpsc::channel();
        let inbox = Arc::new(Mutex::new(inbox));
        let checkers = thread::available_parallelism().map_or(1, usize::from);
        for number in 1..=checkers {
            let (inbox, outbox) = (Arc::clone(&inbox), outbox.clone());
            let check = check.clone();
            thread::Builder::new()
                .name(format!("checker {number}"))
                .spawn(move || check_all(&inbox, &outbox, &check))?;
        }
        transport.start(returned)?;
        Ok(Self { transport, done })
    }

    pub(super) fn carrier(&mut self) -> &mut dyn Transport {
        self.transport.as_mut()
    }

    pub(super) fn capacity(&self) -> usize {
        self.transport.capacity()
    }

    pub(super) fn send(&mut self, job: Job) -> Result<(), Closed> {
        self.transport.send(job)
    }

    /// The next job that comes back within this time.
    pub(super) fn next(&self, patience: Duration) -> Option<Done> {
        self.done.recv_timeout(patience).ok()
    }
}

fn check_all(inbox: &Mutex<Receiver<Returned>>, outbox: &Sender<Done>, check: &Limits) {
    loop {
        let next = inbox.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(back) = next else {
            return;
        };
        let (job, worker) = (back.job, back.worker.clone());
        let looked_at = panic::catch_unwind(AssertUnwindSafe(|| look_at(back, check)));
        let answer = looked_at.unwrap_or_else(|_| Err("the checker broke down".to_owned()));
        let done = Done {
            job,
            worker,
            answer,
        };
        if outbox.send(done).is_err() {
            return;
        }
    }
}

fn look_at(back: Returned, check: &Limits) -> Result<Answer, String> {
    let result = back.answer.map_err(|lost| lost.to_string())?;
    let start = processor_time();
    let (proofs, lie) = checked(&result, check);
    Ok(Answer {
        expansion: result.expansion,
        proofs,
        nodes: result.nodes,
        seconds: back.seconds + (processor_time() - start).as_secs_f64(),
        lie,
    })
}

/// Has the proofs checked that the answer names. What cannot be read as a proof, or bears another's name, is left out.
/// The text says what no honest worker would have sent: that a proof was too much for the checker is no such thing.
fn checked(result: &JobResult, limits: &Limits) -> (Proofs, Option<String>) {
    let mut named = HashSet::new();
    names(&result.expansion, &mut named);
    let mut proofs = Proofs::new();
    let mut lie = None;
    let mut lies = |what: String| lie = lie.take().or(Some(what));
    for (id, text) in &result.proofs {
        if tengen_book::ProofId::of(text).0 != id.0 {
            lies("a proof bears the name of another one".to_owned());
            continue;
        }
        if !named.contains(id) || proofs.contains_key(id) {
            continue;
        }
        match CheckedProof::check_within(text.as_str(), limits) {
            Ok(proof) => {
                if proof.state() == ProofState::Rejected {
                    lies(format!("its proof is wrong: {}", proof.verdict()));
                }
                proofs.insert(*id, proof);
            }
            Err(error) => lies(format!("its proof cannot be read: {error}")),
        }
    }
    let sent: HashSet<_> = result.proofs.iter().map(|(id, _)| *id).collect();
    if !named.is_subset(&sent) {
        lies("it names a proof that it has not sent".to_owned());
    }
    (proofs, lie)
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
