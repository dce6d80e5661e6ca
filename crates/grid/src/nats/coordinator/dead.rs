//! Jobs that the server hands out no more.

use async_nats::Client;
use async_nats::jetstream::Context;
use futures_util::StreamExt as _;
use tokio::sync::mpsc::UnboundedSender;

use super::Inner;
use crate::nats::names::{JOBS, client_and_name};

/// Hears which jobs the server hands out no more.
pub(super) async fn collect_dead(
    client: Client,
    context: Context,
    me: String,
    report: UnboundedSender<Inner>,
) {
    #[derive(serde::Deserialize)]
    struct Advisory {
        stream_seq: u64,
    }
    let subject = format!("$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.{JOBS}.*");
    let Ok(mut advisories) = client.subscribe(subject).await else {
        return;
    };
    while let Some(message) = advisories.next().await {
        let Ok(advisory) = serde_json::from_slice::<Advisory>(&message.payload) else {
            continue;
        };
        let sequence = advisory.stream_seq;
        let Ok(stream) = context.get_stream_no_info(JOBS).await else {
            continue;
        };
        let Ok(found) = stream.get_raw_message(sequence).await else {
            continue;
        };
        if let Some((owner, name)) = client_and_name(&found.subject)
            && owner == me
        {
            let name = name.to_owned();
            let _search_is_gone = report.send(Inner::Dead { name, sequence });
        }
    }
}
