//! What workers answer: the first answer counts, failures are tried elsewhere, and what nobody has asked yet is kept.

use std::sync::Arc;
use std::time::Duration;

use super::entry::{Early, State, back};
use super::{Action, MOST_BLAME, MOST_EARLY, MOST_FAILURES_OF_ONE, Receipt, Table};
use crate::nats::message::Said;
use crate::transport::Lost;

impl Table {
    /// A worker says something of a job.
    pub(in crate::nats) fn arrived(
        &mut self,
        now: Duration,
        worker: &Arc<str>,
        name: &str,
        said: Said,
        receipts: Vec<Receipt>,
    ) -> Vec<Action> {
        let Some(entry) = self.entries.get_mut(name) else {
            return self.unasked(worker, name, said, receipts);
        };
        if entry.state == State::Answered {
            // Once more: kept and acknowledged with the first.
            entry.receipts.extend(receipts);
            return Vec::new();
        }
        let (job, seconds) = (entry.job, now.saturating_sub(entry.asked).as_secs_f64());
        let by = Arc::clone(worker);
        let worker = Some(Arc::clone(worker));
        let waits = entry.ending.is_none();
        match said {
            Said::Done(result) => {
                // Our clock bounds theirs; the time in the queue is not the job's.
                let seconds = if result.seconds.is_finite() {
                    result.seconds.clamp(0.0, seconds)
                } else {
                    seconds
                };
                entry.state = State::Answered;
                entry.receipts.extend(receipts);
                self.done += 1;
                let failed = std::mem::take(&mut entry.failed);
                let mut actions = vec![back(job, worker, Ok(result), seconds)];
                actions.extend(self.blame(&by, failed));
                actions
            }
            Said::Stopped | Said::Failed(_) if !waits => {
                entry.state = State::Answered;
                entry.receipts.extend(receipts);
                vec![back(job, worker, Err(Lost::Stopped), seconds)]
            }
            // It was told to when the job was taken away from it.
            Said::Stopped if entry.kept_by.contains(&by) => vec![Action::Acknowledge(receipts)],
            // Nobody has told it to.
            Said::Stopped => {
                entry.failures += 1;
                if entry.failures > MOST_FAILURES_OF_ONE {
                    let reason = Lost::Failed("workers stop before its end".to_owned());
                    entry.state = State::Answered;
                    entry.receipts.extend(receipts);
                    return vec![back(job, worker, Err(reason), seconds)];
                }
                let publish = entry.publish_again(now, name.to_owned());
                vec![Action::Acknowledge(receipts), publish]
            }
            Said::Failed(reason) => {
                self.failures += 1;
                entry.failures += 1;
                if !entry.failed.contains(&by) {
                    entry.failed.push(by);
                }
                let trouble = Action::Trouble {
                    name: name.to_owned(),
                    worker: worker.clone(),
                    reason: reason.clone(),
                    dead: false,
                };
                let mut actions = vec![Action::Acknowledge(receipts), trouble];
                if entry.failures < entry.most_failures() {
                    actions.push(entry.publish_again(now, name.to_owned()));
                } else {
                    entry.state = State::Answered;
                    actions.push(back(job, worker, Err(Lost::Failed(reason)), seconds));
                }
                actions
            }
        }
    }

    /// A worker has done what others have failed at.
    fn blame(&mut self, worker: &Arc<str>, failed: Vec<Arc<str>>) -> Vec<Action> {
        self.records.entry(Arc::clone(worker)).or_default().1 += 1;
        let mut actions = Vec::new();
        for other in failed.into_iter().filter(|other| other != worker) {
            let record = self.records.entry(Arc::clone(&other)).or_default();
            record.0 += 1;
            if record.0 == MOST_BLAME && record.1 < record.0 {
                let reason = "it fails where others do not";
                actions.push(Action::Distrust {
                    worker: other,
                    reason,
                });
            }
        }
        actions
    }

    /// An answer to a question that is not asked now: it may be soon, for a coordinator that has started asks what the one
    /// before it has asked.
    fn unasked(
        &mut self,
        worker: &Arc<str>,
        name: &str,
        said: Said,
        receipts: Vec<Receipt>,
    ) -> Vec<Action> {
        let Said::Done(result) = said else {
            return vec![Action::Acknowledge(receipts)];
        };
        if let Some(known) = self.early.get_mut(name) {
            known.receipts.extend(receipts);
            return Vec::new();
        }
        let early = Early {
            worker: Arc::clone(worker),
            result,
            receipts,
        };
        self.early.insert(name.to_owned(), early);
        self.early_order.push_back(name.to_owned());
        if self.early.len() <= MOST_EARLY {
            return Vec::new();
        }
        let oldest = self.early_order.pop_front();
        let oldest = oldest.and_then(|name| self.early.remove(&name));
        oldest.map_or_else(Vec::new, |old| vec![Action::Acknowledge(old.receipts)])
    }

    /// Something came that cannot be read, or from somebody who is not believed.
    pub(in crate::nats) fn worthless(
        &mut self,
        now: Duration,
        name: &str,
        receipts: Vec<Receipt>,
    ) -> Vec<Action> {
        let mut actions = vec![Action::Acknowledge(receipts)];
        if let Some(entry) = self.entries.get_mut(name)
            && entry.state != State::Answered
            && entry.ending.is_none()
        {
            actions.push(entry.publish_again(now, name.to_owned()));
        }
        actions
    }
}
