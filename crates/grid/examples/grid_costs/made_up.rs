//! Answers out of thin air: as long as real ones, with turns that can be played, and at once.

use std::time::Duration;

use async_nats::jetstream::consumer::PullConsumer;
use futures_util::StreamExt as _;
use serde::Deserialize;
use serde_json::json;
use tengen_grid::nats::{Beat, VERSION};
use tengen_grid::{Expansion, Found, Job, JobResult, Verdict, Work};
use tengen_rules::{Cell, Position, Turn, notation, position_key};

use crate::Result;

/// How many replies an answer lists below its turn: real ones of TX-d21 bring 13 nodes each.
const REPLIES: usize = 12;
/// How many threads the workers of [`answer`] say that they have, together.
pub(crate) const THREADS: usize = 4_096;

/// An answer that could be a real one: a turn, and replies to it.
pub(crate) fn result(job: &Job, random: &mut fastrand::Rng) -> JobResult {
    let mut result = JobResult {
        nodes: 1_000,
        seconds: 1.0,
        ..JobResult::default()
    };
    let Work::Expand { exclude, .. } = &job.work else {
        return result;
    };
    let rules = job.rules.parse().ok();
    let Some(here) = rules.and_then(|rules| notation::parse_position(&job.position, rules).ok())
    else {
        return result;
    };
    let Some(mut best) = found(&here, exclude, random) else {
        return result;
    };
    let mut next = here.clone();
    if next.play(&best.turn).is_ok() {
        let replies = (0..REPLIES).filter_map(|_| found(&next, &[], random));
        best.after = Some(Box::new(Expansion {
            turns: replies.collect(),
            ..Expansion::default()
        }));
    }
    result.expansion.turns.push(best);
    result
}

fn found(position: &Position, known: &[Turn], random: &mut fastrand::Rng) -> Option<Found> {
    for _ in 0..50 {
        let stones = 0..position.left();
        let turn: Turn = stones
            .map(|_| Cell::new(random.i16(4..15), random.i16(4..15)))
            .collect();
        let mut next = position.clone();
        if known.contains(&turn) || next.play(&turn).is_err() || next.outcome().is_some() {
            continue;
        }
        return Some(Found {
            key: position_key(&next).0,
            turn,
            verdict: Verdict::Stable,
            after: None,
        });
    }
    None
}

#[derive(Deserialize)]
struct Asked {
    job: Job,
}

/// Answers everything after this time, as a process of its own: one connection in place of thousands of workers.
pub(crate) fn answer(url: &str, kind: &str, time: Duration) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let client = connect(url).await?;
        tokio::spawn(beats(client.clone()));
        let context = async_nats::jetstream::new(client.clone());
        let mut random = fastrand::Rng::with_seed(1);
        loop {
            let name = format!("normal-{kind}-any");
            let found = context.get_consumer_from_stream(name, "TENGEN_JOBS").await;
            let Ok::<PullConsumer, _>(consumer) = found else {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let batch = consumer
                .batch()
                .max_messages(100)
                .expires(Duration::from_millis(500));
            let mut batch = batch.messages().await?;
            while let Some(Ok(message)) = batch.next().await {
                let text = if message.payload.starts_with(b"{") {
                    message.payload.to_vec()
                } else {
                    zstd::decode_all(&message.payload[..])?
                };
                let asked: Asked = serde_json::from_slice(&text)?;
                let done = json!({ "version": VERSION, "done": result(&asked.job, &mut random) });
                let mut parts = message.subject.rsplit('.');
                let (name, search) = (parts.next(), parts.next());
                let subject = format!(
                    "tengen.result.w0.{}.{}",
                    search.ok_or("no search")?,
                    name.ok_or("no name")?
                );
                let text = serde_json::to_vec(&done)?;
                let bytes = match text.len() {
                    // As workers do it.
                    2_048.. => zstd::bulk::compress(&text, 3)?,
                    _ => text,
                };
                let client = client.clone();
                tokio::spawn(async move {
                    if !time.is_zero() {
                        tokio::time::sleep(time).await;
                    }
                    let _server_is_gone = client.publish(subject, bytes.into()).await;
                    let _server_is_gone = message.ack().await;
                });
            }
        }
    })
}

/// They say that they are there, and nothing of what they do.
async fn beats(client: async_nats::Client) {
    loop {
        for number in 0..4 {
            let beat = Beat {
                version: VERSION,
                threads: THREADS / 4,
                ..Beat::default()
            };
            let text = serde_json::to_vec(&beat).unwrap_or_default();
            let subject = format!("tengen.beat.w{number}");
            let _comes_again = client.publish(subject, text.into()).await;
        }
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
}

/// A connection with the token in the address.
pub(crate) async fn connect(url: &str) -> Result<async_nats::Client> {
    let (token, host) = url
        .trim_start_matches("nats://")
        .split_once('@')
        .ok_or("no token")?;
    let options = async_nats::ConnectOptions::with_token(token.to_owned());
    Ok(options.connect(host).await?)
}
