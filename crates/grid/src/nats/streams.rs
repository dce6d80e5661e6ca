//! The streams and their consumers, as docs/grid.md has them.

use std::time::Duration;

use async_nats::Client;
use async_nats::jetstream::Context;
use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, PullConsumer, pull};
use async_nats::jetstream::context::ContextBuilder;
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType, Stream};

use super::names::{JOBS, Queue, RECORDS, RESULTS};

/// A job is handed out so often at most.
pub(crate) const MOST_DELIVERIES: i64 = 5;
/// A worker that says nothing of its job for so long has lost it.
pub const ACK_WAIT: Duration = Duration::from_secs(30);
/// How long answers wait for a coordinator.
const KEPT: Duration = Duration::from_secs(7 * 24 * 3600);
/// How long jobs wait for workers whose coordinator is gone.
const JOBS_KEPT: Duration = Duration::from_secs(30 * 24 * 3600);
/// How long it is kept what searches have proved.
const RECORDS_KEPT: Duration = Duration::from_secs(90 * 24 * 3600);
/// Workers that may wait at once.
const WAITING: i64 = 20_000;
/// Jobs that may be at work at once.
const AT_WORK: i64 = 100_000;

type Result<T> = std::result::Result<T, async_nats::Error>;

/// JetStream with patience that fits us.
pub(crate) fn context(client: &Client) -> Context {
    context_under(client, "$JS.API")
}

/// The same where JetStream has other subjects.
pub(crate) fn context_under(client: &Client, api: &str) -> Context {
    let patience = Duration::from_secs(3);
    let builder = ContextBuilder::new().timeout(patience);
    // What is not answered until then does not keep others from publishing.
    let builder = builder.ack_timeout(patience).api_prefix(api);
    builder.build(client.clone())
}

/// The stream of jobs; made if it is not there.
pub(crate) async fn jobs(context: &Context) -> Result<Stream> {
    let config = Config {
        name: JOBS.to_owned(),
        subjects: vec!["tengen.job.>".to_owned()],
        retention: RetentionPolicy::WorkQueue,
        storage: StorageType::File,
        // One pending job for each name: what is there already is refused.
        max_messages_per_subject: 1,
        discard: DiscardPolicy::New,
        discard_new_per_subject: true,
        max_age: JOBS_KEPT,
        ..Config::default()
    };
    Ok(context.get_or_create_stream(config).await?)
}

/// The stream of answers; made if it is not there.
pub(crate) async fn results(context: &Context) -> Result<Stream> {
    let config = Config {
        name: RESULTS.to_owned(),
        subjects: vec!["tengen.result.>".to_owned()],
        retention: RetentionPolicy::WorkQueue,
        storage: StorageType::File,
        max_age: KEPT,
        ..Config::default()
    };
    Ok(context.get_or_create_stream(config).await?)
}

/// The stream of what searches have proved; made if it is not there.
pub(crate) async fn records(context: &Context) -> Result<Stream> {
    let config = Config {
        name: RECORDS.to_owned(),
        subjects: vec!["tengen.records.>".to_owned()],
        retention: RetentionPolicy::Limits,
        storage: StorageType::File,
        max_age: RECORDS_KEPT,
        ..Config::default()
    };
    Ok(context.get_or_create_stream(config).await?)
}

/// The consumer of a queue; made if it is not there.
pub(crate) async fn queue(context: &Context, queue: &Queue, ack_wait: Duration) -> Result<()> {
    let config = pull::Config {
        durable_name: Some(queue.consumer()),
        deliver_policy: DeliverPolicy::All,
        ack_policy: AckPolicy::Explicit,
        ack_wait,
        max_deliver: MOST_DELIVERIES,
        filter_subject: queue.filter(),
        max_waiting: WAITING,
        max_ack_pending: AT_WORK,
        ..pull::Config::default()
    };
    let stream = jobs(context).await?;
    let name = queue.consumer();
    stream.get_or_create_consumer(&name, config).await?;
    Ok(())
}

/// A new consumer of a client's answers, from the first that is not acknowledged. Acknowledgements that an earlier process
/// or connection owes do not matter: its consumer goes.
pub(crate) async fn answers(context: &Context, client: &str) -> Result<PullConsumer> {
    let stream = results(context).await?;
    let name = format!("answers-{client}");
    let config = pull::Config {
        durable_name: Some(name.clone()),
        deliver_policy: DeliverPolicy::All,
        ack_policy: AckPolicy::Explicit,
        ack_wait: Duration::from_secs(3600),
        filter_subject: format!("tengen.result.*.{client}.*"),
        max_ack_pending: AT_WORK,
        ..pull::Config::default()
    };
    // Most often there is none.
    let _ = stream.delete_consumer(&name).await;
    Ok(stream.get_or_create_consumer(&name, config).await?)
}

/// Takes out a message. That it is gone already is as good.
pub(crate) async fn delete(context: &Context, sequence: u64) -> Result<()> {
    let stream = context.get_stream_no_info(JOBS).await?;
    stream.delete_message(sequence).await?;
    Ok(())
}

/// The sequence of the message with this subject.
pub(crate) async fn find(context: &Context, subject: &str) -> Result<Option<u64>> {
    use async_nats::jetstream::stream::LastRawMessageErrorKind;
    let stream = context.get_stream_no_info(JOBS).await?;
    match stream.get_last_raw_message_by_subject(subject).await {
        Ok(message) => Ok(Some(message.sequence)),
        Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The queues that there are.
pub(crate) async fn queues(context: &Context) -> Result<Vec<Queue>> {
    #[derive(serde::Deserialize)]
    struct Names {
        consumers: Option<Vec<String>>,
        error: Option<serde_json::Value>,
    }
    let request = format!("CONSUMER.NAMES.{JOBS}");
    let names: Names = context.request(request, &serde_json::json!({})).await?;
    if names.error.is_some() {
        // No stream yet: nobody has ever asked anything.
        return Ok(Vec::new());
    }
    let consumers = names.consumers.unwrap_or_default();
    let queues = consumers.iter().filter_map(|name| Queue::of_consumer(name));
    Ok(queues.collect())
}
