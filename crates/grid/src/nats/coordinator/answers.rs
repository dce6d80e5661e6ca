//! Answers: taken from the server, put together, read as those of strangers.

use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::consumer::pull::Batch;
use async_nats::jetstream::{Context, Message};
use futures_util::StreamExt as _;
use tokio::sync::mpsc::UnboundedSender;
use tokio::time::{sleep, timeout};

use super::{Coordinator, Inner};
use crate::nats::message::{Unreadable, read_result};
use crate::nats::names::{client_and_name, worker_of};
use crate::nats::parts::{HEADER, Joined};
use crate::nats::table::{Action, Receipt};
use crate::nats::{access, streams};

impl Coordinator {
    pub(super) async fn answer(&mut self, now: Duration, message: Message) {
        let (message, acker) = message.split();
        let receipt = Receipt(self.next_receipt);
        self.next_receipt += 1;
        self.receipts.insert(receipt, acker);
        let subject = message.subject.to_string();
        let (Some(worker), Some((_, name))) = (worker_of(&subject), client_and_name(&subject))
        else {
            self.act(vec![Action::Acknowledge(vec![receipt])]).await;
            return;
        };
        if self.roster.is_dropped(worker) {
            let actions = self.table.worthless(now, name, vec![receipt]);
            self.act(actions).await;
            return;
        }
        let header = message
            .headers
            .as_ref()
            .and_then(|headers| headers.get(HEADER));
        let (bytes, receipts) = match header {
            None => (message.payload.to_vec(), vec![receipt]),
            Some(header) => {
                let whose = format!("{worker}/{name}");
                let part = message.payload.to_vec();
                let (joined, given_up) = self.parts.add(&whose, header.as_str(), part, receipt);
                self.act(vec![Action::Acknowledge(given_up)]).await;
                match joined {
                    Joined::Whole(bytes, receipts) => (bytes, receipts),
                    Joined::Wait => return,
                    Joined::Nonsense(receipt) => {
                        self.unreadable(now, worker, name, "a part of nothing", vec![receipt])
                            .await;
                        return;
                    }
                }
            }
        };
        // Long answers take long to read: not here, where others wait.
        let read = if bytes.len() > 64 << 10 {
            let read = tokio::task::spawn_blocking(move || read_result(&bytes)).await;
            read.unwrap_or(Err(Unreadable::TooLong))
        } else {
            read_result(&bytes)
        };
        match read {
            Ok(said) => {
                let worker = Arc::from(worker);
                let actions = self.table.arrived(now, &worker, name, said, receipts);
                self.act(actions).await;
            }
            Err(error) => {
                let error = error.to_string();
                self.unreadable(now, worker, name, &error, receipts).await;
            }
        }
    }

    /// Nobody who is honest and of our version sends such a thing.
    async fn unreadable(
        &mut self,
        now: Duration,
        worker: &str,
        name: &str,
        what: &str,
        receipts: Vec<Receipt>,
    ) {
        let lie = format!("its answer cannot be read: {what}");
        self.tell(format!("worker {worker} is dropped: {lie}"));
        self.distrust(worker, &lie).await;
        let actions = self.table.worthless(now, name, receipts);
        self.act(actions).await;
    }
}

/// Takes answers from the server for ever.
pub(super) async fn receive(context: Context, client: String, report: UnboundedSender<Inner>) {
    let mut attempts = 0;
    loop {
        let consumer = match streams::answers(&context, &client).await {
            Ok(consumer) => consumer,
            Err(error) => {
                if attempts == 3 {
                    let _gone =
                        report.send(Inner::Note(format!("answers cannot be taken: {error}")));
                }
                sleep(access::back_off(attempts)).await;
                attempts += 1;
                continue;
            }
        };
        attempts = 0;
        loop {
            let batch = consumer
                .batch()
                .max_messages(200)
                .expires(Duration::from_secs(2))
                .messages();
            let taken = match batch.await {
                Ok(mut batch) => taken(&mut batch, &report).await,
                Err(_) => Taken::Failed,
            };
            match taken {
                Taken::All => continue,
                Taken::Failed => sleep(Duration::from_millis(200)).await,
                Taken::Silence => {}
                Taken::Gone => return,
            }
            // What was on its way, from a server that was killed or over a connection that broke, may be lost to this consumer
            // for an hour: a new one sees it all again.
            break;
        }
    }
}

enum Taken {
    All,
    Failed,
    Silence,
    Gone,
}

/// Takes what the server sends within its time. The library would wait for five seconds longer than the server.
async fn taken(batch: &mut Batch, report: &UnboundedSender<Inner>) -> Taken {
    loop {
        match timeout(Duration::from_secs(4), batch.next()).await {
            Ok(Some(Ok(message))) => {
                if report.send(Inner::Answer(Box::new(message))).is_err() {
                    return Taken::Gone;
                }
            }
            Ok(Some(Err(_))) => return Taken::Failed,
            Ok(None) => return Taken::All,
            Err(_) => return Taken::Silence,
        }
    }
}
