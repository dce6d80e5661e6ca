//! What others ask of a search while it runs, and what it tells them of jobs that went wrong.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use super::super::message::{Trouble, Usage, Wish, unpacked};
use super::super::names::{Kind, Queue};
use super::super::streams;
use super::super::table::Action;
use super::Coordinator;

/// So many jobs that went wrong are remembered, with so much of the reason.
const TROUBLES: usize = 20;
const LONGEST_REASON: usize = 300;

impl Coordinator {
    /// Whoever has a coordinator's key may ask for this.
    pub(super) async fn wish(&mut self, message: &async_nats::Message) {
        match unpacked::<Wish>(&message.payload) {
            Ok(Wish::Use(usage)) => match usage.wrong() {
                None => self.use_so(usage).await,
                Some(wrong) => self.tell(format!("a wish was not granted: {wrong}")),
            },
            Ok(Wish::Drop { worker, reason }) => {
                self.tell(format!("worker {worker} is dropped: {reason}"));
                self.distrust(&worker, &reason).await;
            }
            Ok(Wish::Believe { worker }) => {
                self.roster.believe(&worker);
                let ledger = self.options.ledger.as_ref();
                if let Some(Err(error)) = ledger.map(|ledger| ledger.believe(&worker)) {
                    self.tell(format!(
                        "worker {worker} is believed again, which could not be written down: {error}"
                    ));
                }
            }
            Err(error) => self.tell(format!("a wish cannot be read: {error}")),
        }
        // Who has asked sees at once what has become of it.
        self.tick().await;
        self.say().await;
    }

    /// Uses the grid in another way. Jobs that wait move to where they belong now.
    async fn use_so(&mut self, usage: Usage) {
        let before = (self.options.class, self.options.pool().to_owned());
        self.options.adopt(usage);
        if before == (self.options.class, self.options.pool().to_owned()) {
            return;
        }
        let (workers, me) = (self.roster.workers(), &self.options.client);
        let jobs = workers.iter().flat_map(|beat| &beat.running);
        let mine = jobs.filter(|job| job.client == *me);
        let at_work: HashSet<&str> = mine.map(|job| job.name.as_str()).collect();
        let waits = |name: &&str| !at_work.contains(name);
        let waiting = self.table.out().filter(waits).map(str::to_owned);
        let waiting: Vec<String> = waiting.collect();
        let now = self.now();
        let actions = self.table.moved(now, &waiting);
        for action in &actions {
            let Action::Publish { name, .. } = action else {
                continue;
            };
            let Some(kind) = self.bodies.get(name).map(|body| body.queue.kind) else {
                continue;
            };
            let queue = self.queue(kind).await;
            if let Some(body) = self.bodies.get_mut(name) {
                body.queue = queue;
            }
        }
        self.act(actions).await;
    }

    /// The queue for jobs of this kind; made if it is not there.
    pub(super) async fn queue(&mut self, kind: Kind) -> Queue {
        let queue = Queue {
            class: self.options.class,
            kind,
            pool: self.options.pool().to_owned(),
        };
        if !self.made.contains(&queue) {
            match streams::queue(&self.context, &queue, self.options.ack_wait).await {
                Ok(()) => self.made.push(queue.clone()),
                Err(error) => self.tell(format!(
                    "the queue {} cannot be made: {error}",
                    queue.consumer()
                )),
            }
        }
        queue
    }

    pub(super) fn trouble(
        &mut self,
        job: String,
        worker: Option<Arc<str>>,
        reason: String,
        dead: bool,
    ) {
        let position = self.bodies.get(&job).map(|body| body.position.clone());
        let trouble = Trouble {
            job,
            position: position.unwrap_or_default(),
            worker: worker.map(|worker| worker.to_string()),
            reason: reason.chars().take(LONGEST_REASON).collect(),
            dead,
            ago: 0.0,
        };
        self.troubles.push_front((self.now(), trouble));
        self.troubles.truncate(TROUBLES);
    }

    pub(super) fn troubles(&self) -> Vec<Trouble> {
        let now = self.now();
        let told = |(at, trouble): &(Duration, Trouble)| Trouble {
            ago: now.saturating_sub(*at).as_secs_f64(),
            ..trouble.clone()
        };
        self.troubles.iter().map(told).collect()
    }
}
