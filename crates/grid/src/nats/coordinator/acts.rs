//! What the table wants done with the server: jobs published and taken out, workers told, answers acknowledged.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::Context;
use tokio::time::timeout;

use super::{Body, Coordinator, Inner};
use crate::nats::message::{Cancel, ClientBeat, packed};
use crate::nats::streams;
use crate::nats::table::{Action, Published};

/// So often queues are made anew at most.
const MEND: Duration = Duration::from_secs(1);

impl Coordinator {
    /// Does what the table wants.
    pub(super) async fn act(&mut self, actions: Vec<Action>) {
        for action in actions {
            match action {
                Action::Publish { name, before } => self.publish(name, before),
                Action::Delete { sequence } => {
                    let (context, room) = (self.context.clone(), Arc::clone(&self.room));
                    // If it fails, workers hear that nobody waits for it.
                    tokio::spawn(async move {
                        let _room = room.acquire().await;
                        streams::delete(&context, sequence).await.ok()
                    });
                }
                Action::Cancel { names } => {
                    let subject = format!("tengen.cancel.{}", self.options.client);
                    let bytes = packed(&Cancel { names });
                    let _told_again = self.client.publish(subject, bytes.into()).await;
                }
                Action::Look { name } => self.look(name),
                Action::Return(back) => {
                    let _search_is_gone = self.returned.send(*back);
                }
                Action::Acknowledge(receipts) => {
                    for receipt in receipts {
                        if let Some(acker) = self.receipts.remove(&receipt) {
                            // Unheard, it comes again and is known.
                            let _again = acker.ack().await;
                        }
                    }
                }
                Action::Note(note) => self.tell(note),
                Action::Trouble {
                    name,
                    worker,
                    reason,
                    dead,
                } => self.trouble(name, worker, reason, dead),
                Action::Distrust { worker, reason } => {
                    self.tell(format!("worker {worker} is dropped: {reason}"));
                    Box::pin(self.distrust(&worker, reason)).await;
                }
            }
        }
    }

    fn publish(&self, name: String, before: Option<u64>) {
        let Some(Body { queue, bytes, .. }) = self.bodies.get(&name).cloned() else {
            return;
        };
        let (context, report) = (self.context.clone(), self.report.clone());
        let (client, ack_wait) = (self.options.client.clone(), self.options.ack_wait);
        let (room, mended) = (Arc::clone(&self.room), Arc::clone(&self.mended));
        tokio::spawn(async move {
            let _room = room.acquire().await;
            if let Some(sequence) = before {
                // A message that stays is found below.
                let _gone = streams::delete(&context, sequence).await;
            }
            let subject = queue.subject(&client, &name);
            let what = match published(&context, &subject, &bytes).await {
                Ok(sequence) => Published::There(sequence),
                Err(_) => {
                    // The server may have been wiped.
                    if is_due(&mended) {
                        let _later = streams::queue(&context, &queue, ack_wait).await;
                    }
                    Published::Unknown
                }
            };
            let _search_is_gone = report.send(Inner::Published(name, what));
        });
    }

    fn look(&self, name: String) {
        let Some(body) = self.bodies.get(&name) else {
            return;
        };
        let subject = body.queue.subject(&self.options.client, &name);
        let (context, report) = (self.context.clone(), self.report.clone());
        let room = Arc::clone(&self.room);
        tokio::spawn(async move {
            let _room = room.acquire().await;
            // A server that does not answer says nothing about the job.
            if let Ok(found) = streams::find(&context, &subject).await {
                let _search_is_gone = report.send(Inner::Looked(name, found.is_some()));
            }
        });
    }

    pub(super) async fn end(&mut self, solved: bool) {
        let actions = self.table.end(solved);
        let mut sequences = Vec::new();
        let mut rest = Vec::new();
        for action in actions {
            match action {
                Action::Delete { sequence } => sequences.push(sequence),
                other => rest.push(other),
            }
        }
        self.act(rest).await;
        let context = &self.context;
        let deletions = sequences
            .into_iter()
            .map(|sequence| streams::delete(context, sequence));
        let all = futures_util::future::join_all(deletions);
        let _in_vain = timeout(Duration::from_secs(2), all).await;
        let gone = ClientBeat {
            wants: 0,
            ..self.me(0)
        };
        let subject = format!("tengen.client.{}", self.options.client);
        let _nobody = self.client.publish(subject, packed(&gone).into()).await;
        let _in_vain = timeout(Duration::from_secs(1), self.client.flush()).await;
    }
}

/// Whether it is a while ago that queues were made anew: once is enough for all jobs that could not be published.
fn is_due(mended: &Mutex<Option<Instant>>) -> bool {
    let mut last = mended.lock().unwrap_or_else(PoisonError::into_inner);
    let is_due = last.is_none_or(|last| last.elapsed() >= MEND);
    if is_due {
        *last = Some(Instant::now());
    }
    is_due
}

/// Publishes a job; one that is there already is as good as a new one.
async fn published(
    context: &Context,
    subject: &str,
    body: &[u8],
) -> Result<u64, async_nats::Error> {
    let sent = context
        .publish(subject.to_owned(), body.to_vec().into())
        .await?;
    match sent.await {
        Ok(acknowledged) => Ok(acknowledged.sequence),
        Err(error) => match streams::find(context, subject).await? {
            Some(sequence) => Ok(sequence),
            None => Err(error.into()),
        },
    }
}
