//! What watchers hear.

mod common;

use std::collections::HashMap;

use common::{Folder, PATIENCE, Server};
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

async fn watch(server: &Server) -> Socket {
    let address = format!("ws://{}/api/live", server.address);
    connect_async(address).await.expect("a WebSocket").0
}

/// The next message; nothing after the end.
async fn next(socket: &mut Socket) -> Option<Value> {
    loop {
        match timeout(PATIENCE, socket.next()).await.expect("a message")? {
            Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).expect("JSON")),
            Ok(Message::Close(_)) | Err(_) => return None,
            Ok(_) => {}
        }
    }
}

fn analysis(seconds: f64) -> Value {
    json!({ "kind": "analyze", "rules": "connect6", "position": "J10 I8 H9", "lines": 3, "seconds": seconds })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watcher_hears_everything_once_it_has_the_snapshot() {
    let folder = Folder::new();
    let server = Server::start(&folder, 1).await;
    let old = server
        .job(json!({ "kind": "find-win", "rules": "tic-tac-toe", "position": "", "order": 1 }))
        .await;
    server.end_of(old).await;
    let mut socket = watch(&server).await;
    let snapshot = next(&mut socket).await.expect("a snapshot");
    assert_eq!(snapshot["type"], "snapshot");
    assert_eq!(snapshot["jobs"][0]["id"], old);
    let id = server.job(analysis(0.5)).await;
    let (mut states, mut last) = (Vec::new(), 0);
    loop {
        let message = next(&mut socket).await.expect("a message");
        if message["type"] != "job" {
            continue;
        }
        let job = &message["job"];
        assert_eq!(job["id"], id);
        let sequence = job["sequence"].as_u64().expect("a number");
        assert!(sequence > last, "in order");
        last = sequence;
        let state = job["state"].as_str().expect("a state").to_owned();
        if states.last() != Some(&state) {
            states.push(state);
        }
        if common::has_ended(job) {
            break;
        }
    }
    assert_eq!(states, ["queued", "running", "done"]);
    server.delete(&format!("/jobs/{id}")).await;
    let message = next(&mut socket).await.expect("a message");
    assert_eq!(message, json!({ "type": "forgotten", "job": id }));
    server.stop().await;
    assert_eq!(next(&mut socket).await, None, "closed in good order");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_watchers_see_the_end() {
    const WATCHERS: usize = 200;
    let folder = Folder::new();
    let server = Server::start(&folder, 1).await;
    let id = server.job(analysis(1.5)).await;
    let mut tasks = Vec::new();
    for _ in 0..WATCHERS {
        let mut socket = watch(&server).await;
        tasks.push(tokio::spawn(async move {
            let mut jobs: HashMap<u64, Value> = HashMap::new();
            // As the page does: whatever is older than what one has is dropped.
            let mut take = |job: &Value| {
                let known = jobs
                    .entry(job["id"].as_u64().expect("a number"))
                    .or_default();
                if known["sequence"].as_u64() < job["sequence"].as_u64() {
                    *known = job.clone();
                }
                jobs.values().all(common::has_ended).then(|| jobs.clone())
            };
            loop {
                let message = next(&mut socket).await.expect("a message");
                let done = match message["type"].as_str() {
                    Some("snapshot") => {
                        let jobs = message["jobs"].as_array().expect("jobs");
                        jobs.iter().map(&mut take).last().flatten()
                    }
                    Some("job") => take(&message["job"]),
                    _ => None,
                };
                if let Some(jobs) = done {
                    return jobs;
                }
            }
        }));
    }
    let end = server.end_of(id).await;
    for task in tasks {
        let jobs = task.await.expect("no panic");
        assert_eq!(jobs[&u64::from(id)], end);
    }
    server.stop().await;
}
