//! What a search has proved, for its workers: pieces of its journal in a stream that only coordinators write.
//!
//! A feed belongs to one journal. A coordinator that starts again finds its feed by the last piece, which must be what the journal has at
//! that place; otherwise it begins another. Workers read on from where they were before each job, and believe what they read: whoever
//! is told something false answers something false, and that does not get through the gate of the coordinator.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use async_nats::HeaderMap;
use async_nats::jetstream::Context;
use async_nats::jetstream::stream::{LastRawMessageErrorKind, Stream};

use super::message::unpressed;
use super::names::{RECORDS, is_token};
use super::{Grid, streams};
use crate::jobs::Worker;
use crate::{Job, Work};

/// The header of a piece: where in the journal it begins.
const FROM: &str = "Tengen-From";
/// Bytes of a piece before they are compressed; the server takes 1 MiB.
const PIECE: usize = 700 << 10;

/// What a journal has from a place on: whole records, about so many bytes of them.
pub(crate) type Kept<'a> = dyn Fn(u64, usize) -> io::Result<Vec<u8>> + 'a;

/// The feed of a search.
pub(crate) struct Feed {
    grid: Grid,
    client: String,
    name: String,
    /// How much of the journal is in it, if that is known.
    fed: Option<u64>,
}

impl Feed {
    /// Nothing is done before the first [`Self::bring`].
    pub(crate) fn new(grid: &Grid, client: &str) -> Self {
        Self {
            grid: grid.clone(),
            client: client.to_owned(),
            name: String::new(),
            fed: None,
        }
    }

    /// What jobs call it.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Brings what it does not have yet. After an error it is tried again from what the server has then.
    pub(crate) fn bring(&mut self, kept: &Kept<'_>) -> Result<(), async_nats::Error> {
        let brought = self.try_to_bring(kept);
        if brought.is_err() {
            self.fed = None;
        }
        brought
    }

    fn try_to_bring(&mut self, kept: &Kept<'_>) -> Result<(), async_nats::Error> {
        let mut fed = match self.fed {
            Some(fed) => fed,
            None => self.find(kept)?,
        };
        loop {
            let piece = kept(fed, PIECE)?;
            self.fed = Some(fed);
            if piece.is_empty() {
                return Ok(());
            }
            self.publish(fed, &piece)?;
            fed += piece.len() as u64;
        }
    }

    /// The feed that the server has, if it is one of this journal; otherwise another one. How much of the journal is in it.
    fn find(&mut self, kept: &Kept<'_>) -> Result<u64, async_nats::Error> {
        let all = format!("tengen.records.{}.*", self.client);
        let stream = self.wait(async |context| streams::records(context).await)?;
        let last = self.wait(async |_| Ok(last_piece(&stream, &all).await?))?;
        if let Some((name, from, piece)) = last
            && (piece.is_empty() || kept(from, piece.len())? == piece)
        {
            self.name = name;
            return Ok(from + piece.len() as u64);
        }
        self.wait(async |_| Ok(stream.purge().filter(&all).await?))?;
        self.name = format!("{:016x}", fastrand::u64(..));
        // So that it is found again before anything is proved.
        self.publish(0, &[])?;
        Ok(0)
    }

    fn publish(&self, from: u64, piece: &[u8]) -> Result<(), async_nats::Error> {
        let subject = subject(&self.client, &self.name);
        let small = zstd::bulk::compress(piece, 3)?;
        let mut headers = HeaderMap::new();
        headers.insert(FROM, from.to_string());
        self.wait(async |context| {
            let sent = context.publish_with_headers(subject, headers, small.into());
            sent.await?.await?;
            Ok(())
        })
    }

    /// The search is solved: nobody needs it any more.
    pub(crate) fn end(&self) {
        let all = format!("tengen.records.{}.*", self.client);
        let _it_grows_old = self.wait(async |context| {
            let stream = context.get_stream_no_info(RECORDS).await?;
            Ok(stream.purge().filter(&all).await?)
        });
    }

    fn wait<T>(
        &self,
        ask: impl AsyncFnOnce(&Context) -> Result<T, async_nats::Error>,
    ) -> Result<T, async_nats::Error> {
        let waited = self.grid.block_on(async {
            // In here, because the library starts tasks of its own.
            let context = streams::context(self.grid.client());
            ask(&context).await
        });
        waited.unwrap_or_else(|| Err("the grid is gone".into()))
    }
}

fn subject(client: &str, feed: &str) -> String {
    format!("tengen.records.{client}.{feed}")
}

/// The name of the last feed among these, where its last piece begins, and the piece.
async fn last_piece(
    stream: &Stream,
    subjects: &str,
) -> Result<Option<(String, u64, Vec<u8>)>, async_nats::Error> {
    let message = match stream.get_last_raw_message_by_subject(subjects).await {
        Ok(message) => message,
        Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let from = message.headers.get(FROM).map(|from| from.as_str().parse());
    let name = message.subject.rsplit('.').next().unwrap_or_default();
    // What somebody else has written there is as good as nothing.
    let (Some(Ok(from)), Ok(piece)) = (from, unpressed(&message.payload)) else {
        return Ok(None);
    };
    Ok(Some((name.to_owned(), from, piece)))
}

/// Lets a worker hear what the search of a job has proved since it heard of it last. If it cannot be had, the work is done without.
pub(super) async fn hear(
    context: &Context,
    client: &str,
    job: &Job,
    worker: &dyn Worker,
    stop: &AtomicBool,
) {
    let Work::Gomoku { feed, .. } = &job.work else {
        return;
    };
    let Some(mut heard) = worker.heard(job).filter(|_| is_token(feed)) else {
        return;
    };
    let subject = subject(client, feed);
    let Ok(stream) = context.get_stream_no_info(RECORDS).await else {
        return;
    };
    while !stop.load(Ordering::Relaxed) {
        let next = stream.get_first_raw_message_by_subject(&subject, heard + 1);
        let Ok(message) = next.await else {
            return;
        };
        heard = message.sequence.max(heard + 1);
        if let Ok(piece) = unpressed(&message.payload) {
            worker.hear(job, heard, &piece);
        }
    }
}
