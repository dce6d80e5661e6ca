//! What comes back: lies exposed, claims and samples heard twice, the rest judged and journaled.

use std::sync::Arc;

use tengen_book::{CheckedProof, ProofState, Wanted};

use super::RunError;
use super::crew::{Answer, Done};
use super::doubt::Hearing;
use super::driver::{Busy, Driver};
use super::judge::Judge;
use super::second::Compared;
use crate::search::{Event, NodeId, Order, Retry};
use crate::{Evidence, JobId};

impl Driver<'_> {
    pub(super) fn receive(&mut self, done: Done) -> Result<(), RunError> {
        if self.seconds.find(done.job).is_some() {
            return self.hear_second(&done);
        }
        let Some(busy) = self.busy.remove(&done.job) else {
            self.crew.carrier().settled(done.job);
            return Ok(());
        };
        if let (Some(worker), Ok(answer)) = (&done.worker, &done.answer)
            && let Some(lie) = self.lie(busy.node, answer)
        {
            self.note(format!("worker {worker} is dropped: {lie}"));
            self.crew.carrier().distrust(worker, &lie);
            if !busy.cancelled && self.crew.carrier().again(done.job) {
                self.busy.insert(done.job, busy);
                return Ok(());
            }
            self.crew.carrier().settled(done.job);
            return self.lose_unless(busy.cancelled, done.job, lie);
        }
        if let (Some(worker), Ok(answer), false) = (&done.worker, &done.answer, busy.cancelled) {
            let workers = self.crew.carrier().workers();
            match self.doubts.hear(done.job, worker, answer, workers) {
                Hearing::Counts => {}
                Hearing::AskAnother => {
                    if self.crew.carrier().again(done.job) {
                        self.busy.insert(done.job, busy);
                        return Ok(());
                    }
                }
                Hearing::Exposes(liar) => {
                    let lie = "others do not confirm what it claims";
                    self.note(format!("worker {liar} is dropped: {lie}"));
                    self.crew.carrier().distrust(&liar, lie);
                }
            }
        }
        self.doubts.forget(done.job);
        match done.answer {
            Ok(answer) if busy.cancelled => self.keep_proofs(&answer)?,
            Ok(answer) => {
                self.believe(done.job, busy.node, &answer)?;
                // Only now: until the journal has it, the grid keeps it.
                self.crew.carrier().settled(done.job);
                return match &done.worker {
                    Some(worker) => self.ask_second(worker, busy, &answer),
                    None => Ok(()),
                };
            }
            Err(reason) => self.lose_unless(busy.cancelled, done.job, reason)?,
        }
        self.crew.carrier().settled(done.job);
        Ok(())
    }

    /// Asks somebody else the same, if this answer is one of those that are asked for twice.
    fn ask_second(
        &mut self,
        worker: &Arc<str>,
        busy: Busy,
        answer: &Answer,
    ) -> Result<(), RunError> {
        let node = busy.node;
        let open = self.follower.search().node(node);
        // The search itself comes first.
        let room = self.seconds.open() < self.crew.capacity().div_ceil(4);
        let wanted = self.wanted == Wanted::Run && room && self.crew.carrier().workers() > 1;
        let is_open = open.is_some_and(|node| node.decided.is_none());
        if !wanted || !is_open {
            return Ok(());
        }
        let Some(position) = self.follower.position(node) else {
            return Ok(());
        };
        let now = self.now();
        let Some(job) = self.seconds.sample(now, worker, node, &answer.expansion) else {
            return Ok(());
        };
        let order = Order {
            job,
            node,
            work: busy.work,
        };
        let job = self.job(&order, &position);
        self.crew.send(job).map_err(|_| RunError::Bug)
    }

    /// What another one says is compared with what counted; only its proofs are kept.
    fn hear_second(&mut self, done: &Done) -> Result<(), RunError> {
        let node = self.seconds.find(done.job).map(|sampled| sampled.node);
        if let (Some(worker), Ok(answer), Some(node)) = (&done.worker, &done.answer, node) {
            if let Some(lie) = self.lie(node, answer) {
                self.note(format!("worker {worker} is dropped: {lie}"));
                self.crew.carrier().distrust(worker, &lie);
            } else {
                self.keep_proofs(answer)?;
                match self.seconds.hear(done.job, worker, &answer.expansion) {
                    Compared::Fine => {}
                    Compared::Again => {
                        if self.crew.carrier().again(done.job) {
                            return Ok(());
                        }
                    }
                    Compared::Exposes(liar) => {
                        let lie = "its estimates are far from those of the others";
                        self.note(format!("worker {liar} is dropped: {lie}"));
                        self.crew.carrier().distrust(&liar, lie);
                    }
                    Compared::Quarrel(one, other) => self.note(format!(
                        "the estimates of workers {one} and {other} contradict each other: one of them may be broken, or lie"
                    )),
                }
            }
        }
        self.seconds.forget(done.job);
        self.crew.carrier().settled(done.job);
        Ok(())
    }

    /// What no honest worker would have said of a node.
    fn lie(&self, node: NodeId, answer: &Answer) -> Option<String> {
        answer.lie.clone().or_else(|| {
            let position = self.follower.position(node)?;
            let said = answer.expansion.decided?;
            let Evidence::Proof(id) = said.evidence else {
                return None;
            };
            let proof = answer.proofs.get(&id)?;
            let sound =
                proof.state() == ProofState::Undecided || proof.proves(&position, said.winner);
            (!sound).then(|| "its proof is of something else".to_owned())
        })
    }

    fn lose_unless(&mut self, cancelled: bool, job: JobId, reason: String) -> Result<(), RunError> {
        if cancelled {
            return Ok(());
        }
        self.lose(job, reason)
    }

    /// An answer that nobody waits for any more may be half an answer. What it proves is true all the same.
    fn keep_proofs(&mut self, answer: &Answer) -> Result<(), RunError> {
        for proof in answer.proofs.values() {
            if proof.state() == ProofState::Verified {
                self.book.add_checked(proof)?;
            }
        }
        Ok(())
    }

    fn believe(&mut self, job: JobId, node: NodeId, answer: &Answer) -> Result<(), RunError> {
        let known = self.follower.search().key(node);
        let (Some(key), Some(position)) = (known, self.follower.position(node)) else {
            return self.lose(job, "its position cannot be reached".to_owned());
        };
        let judge = Judge::new(&self.follower, &answer.proofs);
        let (expansion, used) = judge.answer(key, &position, &answer.expansion);
        let backing = answer.proofs.iter().filter(|(id, _)| used.contains(id));
        let proofs: Vec<CheckedProof> = backing.map(|(_, proof)| proof.clone()).collect();
        self.speed.count();
        self.answered(job, node, expansion, answer.seconds, answer.nodes, &proofs)
    }

    pub(super) fn lose(&mut self, job: JobId, reason: String) -> Result<(), RunError> {
        let retry = self.follower.search_mut().lost(job);
        if let Retry::GiveUp(node) = retry {
            self.note(format!("node {} was given up: {reason}", node.0));
            return self.journal(Event::GaveUp { node, reason }, &[]);
        }
        Ok(())
    }
}
