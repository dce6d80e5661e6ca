//! What everybody on a grid says of himself, gathered for a moment.

use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use serde::Serialize;
use tokio::time::timeout;

use super::message::{Beat, ClientBeat, unpacked};
use super::names::{JOBS, RESULTS};
use super::roster::Roster;
use super::{Grid, GridError, streams};

/// A grid at a moment.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Status {
    /// The workers, by name.
    pub workers: Vec<Beat>,
    /// The searches.
    pub clients: Vec<ClientBeat>,
    /// Jobs that the server keeps, waiting or at work.
    pub jobs: u64,
    /// Answers that wait for their coordinator.
    pub results: u64,
}

/// Listens for so long, and says who was heard. Idle workers speak every 4 seconds, but all answer a call.
///
/// # Errors
///
/// If the server does not answer.
pub fn status(grid: &Grid, listen: Duration) -> Result<Status, GridError> {
    let unfit = |reason: String| GridError::Unfit {
        address: grid.address().to_owned(),
        reason,
    };
    let gathered = grid.block_on(gather(grid, listen));
    let gathered = gathered.ok_or_else(|| unfit("its connection is closed".to_owned()))?;
    gathered.map_err(|error| unfit(error.to_string()))
}

async fn gather(grid: &Grid, listen: Duration) -> Result<Status, async_nats::Error> {
    let client = grid.client();
    let mut beats = client.subscribe("tengen.beat.*").await?;
    let mut clients = client.subscribe("tengen.client.*").await?;
    client.publish("tengen.call", "".into()).await?;
    client.flush().await?;
    let mut roster = Roster::default();
    let start = Instant::now();
    let end = start + listen;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        let heard = timeout(left, async {
            tokio::select! {
                message = beats.next() => (message, true),
                message = clients.next() => (message, false),
            }
        });
        let Ok((Some(message), is_worker)) = heard.await else {
            break;
        };
        let name = message.subject.rsplit('.').next().unwrap_or_default();
        if is_worker {
            if let Ok(beat) = unpacked::<Beat>(&message.payload) {
                roster.beat(start.elapsed(), name, beat);
            }
        } else if let Ok(beat) = unpacked::<ClientBeat>(&message.payload) {
            roster.client(start.elapsed(), name, beat);
        }
    }
    let context = streams::context(client);
    let count = async |name: &str| match context.get_stream(name).await {
        Ok(stream) => stream.cached_info().state.messages,
        Err(_) => 0,
    };
    Ok(Status {
        workers: roster.workers().into_iter().cloned().collect(),
        clients: roster.clients(),
        jobs: count(JOBS).await,
        results: count(RESULTS).await,
    })
}
