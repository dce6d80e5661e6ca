//! How the server bears many watchers: 200 WebSocket clients see one analysis, then positions are asked for over
//! plain HTTP. Bounded in count and time, on the loopback only.
//!
//! `cargo run --release -p tengen-server --example load`
#![allow(clippy::print_stdout, reason = "it reports")]

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use serde_json::{Value, json};
use tengen_server::{Config, serve};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::oneshot;
use tokio::time::timeout;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

const WATCHERS: usize = 200;
const ANALYSIS: f64 = 5.0;
const CONNECTIONS: usize = 8;
const REQUESTS: usize = 500;
const PATIENCE: Duration = Duration::from_secs(60);

/// When each message was heard, by its sequence.
type Heard = Arc<Mutex<HashMap<u64, Vec<Instant>>>>;

#[tokio::main]
async fn main() {
    let folder = std::env::temp_dir().join(format!("tengen-load-{}", std::process::id()));
    let config = Config {
        bind: SocketAddr::from(([127, 0, 0, 1], 0)),
        workers: 1,
        ..Config::local(folder.clone())
    };
    let (stop, stopped) = oneshot::channel::<()>();
    let (tell, told) = oneshot::channel();
    let ready = |address| {
        let _somebody_waits = tell.send(address);
    };
    let server = tokio::spawn(serve(config, ready, async { drop(stopped.await) }));
    let address = told.await.expect("the server starts");
    watchers(address).await;
    requests(address).await;
    drop(stop);
    server.await.expect("no panic").expect("it ran");
    let _it_is_only_temporary = std::fs::remove_dir_all(folder);
}

async fn watchers(address: SocketAddr) {
    let heard = Heard::default();
    let mut tasks = Vec::new();
    for _ in 0..WATCHERS {
        let url = format!("ws://{address}/api/live");
        let (socket, _) = connect_async(url).await.expect("a WebSocket");
        tasks.push(tokio::spawn(listen(socket, Arc::clone(&heard))));
    }
    let cpu = cpu_seconds();
    let start = Instant::now();
    let request = json!({ "request": {
        "kind": "analyze", "rules": "connect6", "position": "J10 I8 H9", "lines": 4, "seconds": ANALYSIS
    }});
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    ask(&mut stream, address, "/api/jobs", &request).await;
    let (mut messages, mut bytes) = (0, 0);
    for task in tasks {
        let (count, length) = timeout(PATIENCE, task)
            .await
            .expect("in time")
            .expect("no panic");
        messages += count;
        bytes += length;
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{WATCHERS} watchers, an analysis of {seconds:.1} s");
    println!(
        "  messages for each: {:.1}",
        messages as f64 / WATCHERS as f64
    );
    println!(
        "  kilobytes for each: {:.1}",
        bytes as f64 / WATCHERS as f64 / 1_000.0
    );
    println!(
        "  processor time of everything, the analysis and the clients too: {:.2} s",
        cpu_seconds() - cpu
    );
    let mut delays = delays(&heard.lock().expect("no panic"));
    delays.sort_by(f64::total_cmp);
    let part = |share: f64| delays[((delays.len() - 1) as f64 * share) as usize] * 1_000.0;
    println!(
        "  heard after the first who heard it: p50 {:.2} ms, p99 {:.2} ms, last {:.2} ms",
        part(0.5),
        part(0.99),
        part(1.0)
    );
}

/// How much later than the first each watcher heard each message.
fn delays(heard: &HashMap<u64, Vec<Instant>>) -> Vec<f64> {
    let later = |times: &Vec<Instant>| {
        let first = times.iter().min().copied();
        let since = |time: &Instant| first.map_or(0.0, |first| (*time - first).as_secs_f64());
        times.iter().map(since).collect::<Vec<f64>>()
    };
    heard.values().flat_map(later).collect()
}

async fn listen<S>(mut socket: S, heard: Heard) -> (usize, usize)
where
    S: futures_util::Stream<Item = Result<Message, tokio_tungstenite::tungstenite::Error>> + Unpin,
{
    let (mut messages, mut bytes) = (0, 0);
    while let Some(Ok(message)) = socket.next().await {
        let Message::Text(text) = message else {
            continue;
        };
        let now = Instant::now();
        messages += 1;
        bytes += text.len();
        let message: Value = serde_json::from_str(&text).expect("JSON");
        let job = &message["job"];
        if let Some(sequence) = job["sequence"].as_u64() {
            heard
                .lock()
                .expect("no panic")
                .entry(sequence)
                .or_default()
                .push(now);
        }
        if job["state"] == "done" {
            break;
        }
    }
    (messages, bytes)
}

async fn requests(address: SocketAddr) {
    let start = Instant::now();
    let mut tasks = Vec::new();
    for number in 1..=CONNECTIONS {
        tasks.push(tokio::spawn(async move {
            // The server limits how often one address may ask: each connection comes from one of its own.
            let socket = TcpSocket::new_v4().expect("a socket");
            let own = SocketAddr::from(([127, 0, 1, number as u8], 0));
            socket.bind(own).expect("a loopback address");
            let mut stream = socket.connect(address).await.expect("a connection");
            let body =
                json!({ "rules": "connect6", "position": "J10 I8 H9 K11 K9 L10 J8 I10 M12" });
            for _ in 0..REQUESTS {
                ask(&mut stream, address, "/api/position", &body).await;
            }
        }));
    }
    for task in tasks {
        timeout(PATIENCE, task)
            .await
            .expect("in time")
            .expect("no panic");
    }
    let count = CONNECTIONS * REQUESTS;
    let rate = count as f64 / start.elapsed().as_secs_f64();
    println!("POST /api/position, {CONNECTIONS} connections: {rate:.0} requests a second");
}

/// A request on a connection that stays open.
async fn ask(stream: &mut TcpStream, address: SocketAddr, path: &str, body: &Value) {
    let body = body.to_string();
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut answer = Vec::new();
    let mut part = [0; 16 << 10];
    loop {
        let length = stream.read(&mut part).await.expect("an answer");
        assert!(length > 0, "the connection stays open");
        answer.extend(&part[..length]);
        if let Some(end) = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&answer[..end]).to_lowercase();
            assert!(head.starts_with("http/1.1 200"), "{head}");
            let length = head.split("content-length: ").nth(1).expect("a length");
            let length: usize = length
                .split("\r\n")
                .next()
                .expect("a length")
                .parse()
                .expect("a number");
            if answer.len() >= end + 4 + length {
                return;
            }
        }
    }
}

/// Of this process so far; 0 where it cannot be told.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat
        .rsplit(") ")
        .next()
        .unwrap_or_default()
        .split(' ')
        .collect();
    let ticks = |place: usize| fields.get(place).and_then(|text| text.parse::<f64>().ok());
    (ticks(11).unwrap_or(0.0) + ticks(12).unwrap_or(0.0)) / 100.0
}
