//! One of the threads of a worker: one job at a time.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use async_nats::HeaderMap;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{AckKind, Context, Message};
use futures_util::StreamExt as _;
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::time::{interval, sleep, timeout};

use super::message::{JobMessage, ResultMessage, Said, Unreadable, packed, read_job};
use super::names::{JOBS, Kind, Queue};
use super::parts::{HEADER, split};
use super::worker::{AtWork, Log, Shared};
use super::{access, feed, streams};
use crate::transport::{Lost, STACK, attempt};

/// How long the server keeps a question open while there is nothing to do: longer and longer.
const SHORTEST: Duration = Duration::from_millis(250);
const LONGEST: Duration = Duration::from_secs(2);
/// Who was given a job of another version rests.
const REST: Duration = Duration::from_secs(30);
/// When such a job is handed out again.
const HAND_BACK: Duration = Duration::from_millis(500);

/// One thread of a worker.
pub(super) struct Slot {
    shared: Arc<Shared>,
    context: Context,
    consumers: HashMap<Queue, PullConsumer>,
    /// Where the last job came from: the next one probably comes from there too.
    favourite: Option<Queue>,
    patience: Duration,
}

impl Slot {
    /// Works until the worker leaves.
    pub(super) async fn run(shared: Arc<Shared>) {
        let context = shared.context.clone();
        let mut slot = Self {
            shared,
            context,
            consumers: HashMap::new(),
            favourite: None,
            patience: SHORTEST,
        };
        while !slot.shared.leave.is_asked() {
            if slot.shared.leave.is_paused() {
                sleep(SHORTEST).await;
                continue;
            }
            match slot.next().await {
                // Asked for before the pause.
                Some((_, message)) if slot.shared.leave.is_paused() => {
                    let _comes_again = message.ack_with(AckKind::Nak(None)).await;
                }
                Some((queue, message)) => {
                    slot.favourite = Some(queue.clone());
                    slot.patience = SHORTEST;
                    slot.handle(&queue, message).await;
                }
                None => slot.patience = (slot.patience * 2).min(LONGEST),
            }
        }
    }

    /// The next job: whatever waits, the most urgent first; and if nothing does, the first that comes where the last one came from.
    async fn next(&mut self) -> Option<(Queue, Message)> {
        let queues = self.shared.queues();
        if queues.is_empty() {
            sleep(SHORTEST).await;
            return None;
        }
        let known = self
            .favourite
            .clone()
            .filter(|queue| queues.contains(queue));
        let favourite = known.unwrap_or_else(|| queues[0].clone());
        for queue in &queues {
            if *queue == favourite && queues.len() == 1 {
                break;
            }
            if let Some(message) = self.ask(queue, None).await {
                return Some((queue.clone(), message));
            }
            if self.shared.leave.is_asked() {
                return None;
            }
        }
        let message = self.ask(&favourite, Some(self.patience)).await?;
        Some((favourite, message))
    }

    async fn ask(&mut self, queue: &Queue, patience: Option<Duration>) -> Option<Message> {
        if !self.consumers.contains_key(queue) {
            let found = self
                .context
                .get_consumer_from_stream(queue.consumer(), JOBS)
                .await;
            let Ok(consumer) = found else {
                sleep(SHORTEST).await;
                return None;
            };
            self.consumers.insert(queue.clone(), consumer);
        }
        let consumer = self.consumers.get(queue)?;
        let most = patience.unwrap_or_default() + Duration::from_secs(2);
        let asked = async {
            let mut batch = match patience {
                Some(patience) => {
                    consumer
                        .batch()
                        .max_messages(1)
                        .expires(patience)
                        .messages()
                        .await?
                }
                None => {
                    consumer
                        .fetch()
                        .max_messages(1)
                        .expires(SHORTEST)
                        .messages()
                        .await?
                }
            };
            batch.next().await.transpose()
        };
        match timeout(most, asked).await {
            Ok(Ok(message)) => message,
            Ok(Err(_)) | Err(_) => {
                // The server was restarted, or wiped: look again.
                self.consumers.remove(queue);
                sleep(access::back_off(0)).await;
                None
            }
        }
    }

    async fn handle(&self, queue: &Queue, message: Message) {
        let read = match read_job(&message.payload) {
            Ok(read) if self.shared.options.version != super::VERSION => {
                Err(Unreadable::Version(read.version))
            }
            other => other,
        };
        match read {
            Ok(job) => {
                let wait = self
                    .consumers
                    .get(queue)
                    .map(|it| it.cached_info().config.ack_wait);
                let wait = wait
                    .unwrap_or(streams::ACK_WAIT)
                    .max(Duration::from_millis(300));
                self.work(job, message, wait / 3).await;
            }
            Err(error @ Unreadable::Version(_)) => {
                self.shared.refused.fetch_add(1, Ordering::Relaxed);
                let ours = self.shared.options.version;
                (self.shared.log)(Log::Refused(format!(
                    "a job was handed back: {error}; this worker speaks version {ours}, install the coordinator's version of tengen"
                )));
                let _comes_again = message.ack_with(AckKind::Nak(Some(HAND_BACK))).await;
                self.rest(REST).await;
            }
            Err(error) => {
                self.shared.failed.fetch_add(1, Ordering::Relaxed);
                (self.shared.log)(Log::Failed(format!("a job cannot be read: {error}")));
                let _comes_again = message.ack_with(AckKind::Nak(Some(HAND_BACK))).await;
                self.rest(HAND_BACK * 2).await;
            }
        }
    }

    async fn rest(&self, time: Duration) {
        let until = Instant::now() + time;
        while Instant::now() < until && !self.shared.leave.is_asked() {
            sleep(Duration::from_millis(100)).await;
        }
    }

    /// Does a job on a thread of its own, and says meanwhile that it is in progress.
    async fn work(&self, read: JobMessage, message: Message, every: Duration) {
        let shared = &self.shared;
        let JobMessage {
            client, name, job, ..
        } = read;
        let key = (client, name);
        let stop = Arc::new(AtomicBool::new(false));
        let position = job.position.clone();
        let at_work = AtWork {
            stop: Arc::clone(&stop),
            since: Instant::now(),
            rules: job.rules.clone(),
            position: position.clone(),
            kind: Kind::of(&job.work),
            delivery: message.info().map_or(1, |info| info.delivered),
        };
        match shared.at_work().entry(key.clone()) {
            Entry::Vacant(free) => free.insert(at_work),
            // The server has handed out twice what one of our threads does already: once is enough.
            Entry::Occupied(_) => return,
        };
        (shared.log)(Log::Begins(position.clone()));
        let (send, mut done) = oneshot::channel();
        let (all, start) = (Arc::clone(shared), Instant::now());
        let (stopping, asker) = (Arc::clone(&stop), key.0.clone());
        let network = Handle::current();
        let thread = std::thread::Builder::new()
            .name("job".to_owned())
            .stack_size(STACK);
        let started = thread.spawn(move || {
            // What the search knows may spare much of the work. Without it the work is done all the same.
            let one_by_one = all.hears.lock().unwrap_or_else(PoisonError::into_inner);
            let worker = all.worker.as_ref();
            network.block_on(feed::hear(&all.context, &asker, &job, worker, &stopping));
            drop(one_by_one);
            let _nobody_waits = send.send(attempt(&job, &stopping, worker));
        });
        let mut progress = interval(every);
        let answer = loop {
            tokio::select! {
                answer = &mut done => break answer.ok(),
                _ = progress.tick() => {
                    let _comes_again = message.ack_with(AckKind::Progress).await;
                }
                () = sleep(Duration::from_millis(100)) => {
                    if shared.leave.is_urgent() {
                        stop.store(true, Ordering::Relaxed);
                        break None;
                    }
                }
            }
        };
        if answer.is_none() && (shared.leave.is_urgent() || started.is_err()) {
            shared.at_work().remove(&key);
            let _comes_again = message.ack_with(AckKind::Nak(None)).await;
            return;
        }
        let seconds = start.elapsed().as_secs_f64();
        let said =
            match answer.unwrap_or_else(|| Err(Lost::Failed("the worker broke down".to_owned()))) {
                Ok(result) => {
                    shared.done.fetch_add(1, Ordering::Relaxed);
                    shared.nodes.fetch_add(result.nodes, Ordering::Relaxed);
                    (shared.log)(Log::Ends(position, seconds));
                    Said::Done(result)
                }
                Err(Lost::Stopped) => {
                    (shared.log)(Log::Stopped(position));
                    Said::Stopped
                }
                Err(Lost::Failed(reason)) => {
                    shared.failed.fetch_add(1, Ordering::Relaxed);
                    (shared.log)(Log::Failed(format!("{position}: {reason}")));
                    Said::Failed(reason)
                }
            };
        self.deliver(&key, said, &message, every).await;
        shared.at_work().remove(&key);
    }

    /// Brings an answer to the server, however long it takes, and only then says that the job is done.
    async fn deliver(
        &self,
        key: &(String, String),
        said: Said,
        message: &Message,
        every: Duration,
    ) {
        let subject = format!(
            "tengen.result.{}.{}.{}",
            self.shared.options.name, key.0, key.1
        );
        let version = self.shared.options.version;
        let bytes = packed(&ResultMessage { version, said });
        let upload = format!("{:016x}", fastrand::u64(..));
        for (header, part) in split(bytes, &upload) {
            let mut attempts = 0;
            while self
                .publish(&subject, header.as_deref(), &part)
                .await
                .is_err()
            {
                if self.shared.leave.is_urgent() {
                    return;
                }
                let _comes_again = message.ack_with(AckKind::Progress).await;
                sleep(access::back_off(attempts).min(every)).await;
                attempts += 1;
            }
        }
        let _comes_again = message.ack().await;
    }

    async fn publish(
        &self,
        subject: &str,
        header: Option<&str>,
        part: &[u8],
    ) -> Result<(), async_nats::Error> {
        let mut headers = HeaderMap::new();
        if let Some(header) = header {
            headers.insert(HEADER, header);
        }
        let body = part.to_vec().into();
        let sent = self
            .context
            .publish_with_headers(subject.to_owned(), headers, body)
            .await?;
        sent.await?;
        Ok(())
    }
}
