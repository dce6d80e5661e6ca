//! Claims that would close a position are heard twice.
//!
//! A worker may say without a proof that a position is decided, or that it knows no more turns worth a look. That decides
//! nothing, but the search looks elsewhere from then on, and a liar could so leave it with nothing to do. On a grid
//! such a claim counts only once a second worker has said the same. Who is alone with his claims three times is dropped.

use std::collections::HashMap;
use std::sync::Arc;

use super::crew::Answer;
use crate::{Evidence, JobId};

/// Claims that nobody else makes, before a worker is dropped.
const MOST_DISPUTES: u32 = 3;
/// How often a job is asked again while the same worker gets it each time.
const MOST_REPEATS: u32 = 20;

/// What is to be done with an answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Hearing {
    /// It counts as what it is.
    Counts,
    /// Somebody else is to be asked first.
    AskAnother,
    /// It counts, and this worker's claims have not been confirmed too often.
    Exposes(Arc<str>),
}

struct Claimed {
    worker: Arc<str>,
    repeats: u32,
}

/// The claims that wait for a second voice.
#[derive(Default)]
pub(super) struct Doubts {
    claimed: HashMap<JobId, Claimed>,
    disputes: HashMap<Arc<str>, u32>,
}

impl Doubts {
    /// Hears an answer of a worker elsewhere; `workers` is how many there are.
    pub(super) fn hear(
        &mut self,
        job: JobId,
        worker: &Arc<str>,
        answer: &Answer,
        workers: usize,
    ) -> Hearing {
        let claims = is_claim(answer);
        match self.claimed.get_mut(&job) {
            None if !claims || workers < 2 => Hearing::Counts,
            None => {
                let worker = Arc::clone(worker);
                self.claimed.insert(job, Claimed { worker, repeats: 0 });
                Hearing::AskAnother
            }
            Some(first) if first.worker == *worker && claims && workers > 1 => {
                first.repeats += 1;
                if first.repeats < MOST_REPEATS {
                    return Hearing::AskAnother;
                }
                self.claimed.remove(&job);
                Hearing::Counts
            }
            Some(first) => {
                let first = Arc::clone(&first.worker);
                self.claimed.remove(&job);
                if claims || first == *worker {
                    return Hearing::Counts;
                }
                let disputes = self.disputes.entry(Arc::clone(&first)).or_default();
                *disputes += 1;
                if *disputes < MOST_DISPUTES {
                    return Hearing::Counts;
                }
                Hearing::Exposes(first)
            }
        }
    }

    /// Nobody waits for this job any more.
    pub(super) fn forget(&mut self, job: JobId) {
        self.claimed.remove(&job);
    }
}

/// Whether the search would turn away from a position because of mere words.
fn is_claim(answer: &Answer) -> bool {
    let decided = answer.expansion.decided.map(|decision| decision.evidence);
    let said = [decided, answer.expansion.rest_loses];
    said.contains(&Some(Evidence::Claim))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Expansion;
    use crate::runner::judge::Proofs;

    fn answer(claims: bool) -> Answer {
        Answer {
            expansion: Expansion {
                rest_loses: claims.then_some(Evidence::Claim),
                ..Expansion::default()
            },
            proofs: Proofs::new(),
            nodes: 0,
            seconds: 0.0,
            lie: None,
        }
    }

    #[test]
    fn two_voices_are_needed() {
        let mut doubts = Doubts::default();
        let (a, b): (Arc<str>, Arc<str>) = (Arc::from("a"), Arc::from("b"));
        let job = JobId(1);
        assert_eq!(doubts.hear(job, &a, &answer(false), 3), Hearing::Counts);
        assert_eq!(doubts.hear(job, &a, &answer(true), 3), Hearing::AskAnother);
        assert_eq!(doubts.hear(job, &a, &answer(true), 3), Hearing::AskAnother);
        assert_eq!(doubts.hear(job, &b, &answer(true), 3), Hearing::Counts);
        // Alone, a worker is all that can be asked.
        assert_eq!(doubts.hear(job, &a, &answer(true), 1), Hearing::Counts);
    }

    #[test]
    fn who_is_alone_with_his_claims_is_exposed() {
        let mut doubts = Doubts::default();
        let (a, b): (Arc<str>, Arc<str>) = (Arc::from("a"), Arc::from("b"));
        for number in 1..=3 {
            let job = JobId(number);
            assert_eq!(doubts.hear(job, &a, &answer(true), 2), Hearing::AskAnother);
            let expected = match number {
                3 => Hearing::Exposes(Arc::clone(&a)),
                _ => Hearing::Counts,
            };
            assert_eq!(doubts.hear(job, &b, &answer(false), 2), expected);
        }
    }

    #[test]
    fn a_worker_that_always_comes_first_is_believed_in_the_end() {
        let mut doubts = Doubts::default();
        let a: Arc<str> = Arc::from("a");
        let heard = (0..100)
            .take_while(|_| doubts.hear(JobId(1), &a, &answer(true), 2) == Hearing::AskAnother);
        assert_eq!(heard.count(), MOST_REPEATS as usize);
    }
}
