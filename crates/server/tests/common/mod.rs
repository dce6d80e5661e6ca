//! A server of one's own, in a folder of one's own, on a free port of the loopback.
#![allow(dead_code, unreachable_pub, reason = "not every test needs all of it")]

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tengen_server::{Config, StartError, serve};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// How long a test waits for something that must happen.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A data folder that goes away with the test.
pub struct Folder(pub PathBuf);

#[allow(clippy::new_without_default, reason = "a test wants a new one")]
impl Folder {
    pub fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("tengen-server-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _nothing_is_left_of_another = std::fs::remove_dir_all(&path);
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _it_is_only_temporary = std::fs::remove_dir_all(&self.0);
    }
}

/// A running server.
pub struct Server {
    pub address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    task: JoinHandle<Result<(), StartError>>,
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("JSON")
    }

    /// The answer of a request that must succeed.
    pub fn read<T: DeserializeOwned>(&self) -> T {
        let text = String::from_utf8_lossy(&self.body);
        assert_eq!(self.status, 200, "{text}");
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    /// The message of a request that must fail so.
    pub fn refusal(&self, status: u16) -> String {
        let text = String::from_utf8_lossy(&self.body);
        assert_eq!(self.status, status, "{text}");
        self.json()["message"]
            .as_str()
            .expect("a message")
            .to_owned()
    }
}

impl Server {
    pub async fn start(folder: &Folder, workers: usize) -> Self {
        let config = Config {
            workers,
            ..Config::local(folder.0.clone())
        };
        Self::with(config).await
    }

    /// On a free port, whatever the configuration says.
    pub async fn with(mut config: Config) -> Self {
        config.bind = SocketAddr::from(([127, 0, 0, 1], 0));
        let (stop, stopped) = oneshot::channel::<()>();
        let (tell, told) = oneshot::channel();
        let ready = |address| {
            let _somebody_waits = tell.send(address);
        };
        let until = async { drop(stopped.await) };
        let task = tokio::spawn(serve(config, ready, until));
        let address = told.await.expect("the server starts");
        Self {
            address,
            stop: Some(stop),
            task,
        }
    }

    /// Stops it in good order.
    pub async fn stop(mut self) {
        drop(self.stop.take());
        self.task.await.expect("no panic").expect("it ran");
    }

    /// A request of its own connection.
    pub async fn ask(&self, method: &str, path: &str, body: &[u8], content: &str) -> Answer {
        let mut stream = TcpStream::connect(self.address)
            .await
            .expect("a connection");
        let head = format!(
            "{method} /api{path} HTTP/1.1\r\nHost: {}\r\nContent-Type: {content}\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n",
            self.address,
            body.len()
        );
        stream.write_all(head.as_bytes()).await.expect("sent");
        stream.write_all(body).await.expect("sent");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.expect("an answer");
        parse(&answer)
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, b"", "application/json").await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.ask("DELETE", path, b"", "application/json").await
    }

    pub async fn post(&self, path: &str, body: &impl Serialize) -> Answer {
        let body = serde_json::to_vec(body).expect("JSON");
        self.ask("POST", path, &body, "application/json").await
    }

    /// Starts a job; its number.
    pub async fn job(&self, request: Value) -> u32 {
        let job: Value = self
            .post("/jobs", &json!({ "request": request }))
            .await
            .read();
        job["id"].as_u64().expect("a number") as u32
    }

    pub async fn get_job(&self, id: u32) -> Value {
        self.get(&format!("/jobs/{id}")).await.read()
    }

    /// Waits until a job is as wanted.
    pub async fn wait(&self, id: u32, wanted: impl Fn(&Value) -> bool) -> Value {
        let end = tokio::time::Instant::now() + PATIENCE;
        loop {
            let job = self.get_job(id).await;
            if wanted(&job) {
                return job;
            }
            assert!(tokio::time::Instant::now() < end, "in vain: {job}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Waits until a job has ended.
    pub async fn end_of(&self, id: u32) -> Value {
        self.wait(id, has_ended).await
    }
}

pub fn has_ended(job: &Value) -> bool {
    ["done", "failed", "stopped"].contains(&job["state"].as_str().expect("a state"))
}

fn parse(answer: &[u8]) -> Answer {
    let end = answer.windows(4).position(|part| part == b"\r\n\r\n");
    let (head, body) = answer.split_at(end.expect("a head") + 4);
    let head = String::from_utf8_lossy(head).to_lowercase();
    let status = head[9..12].parse().expect("a status");
    let body = if head.contains("transfer-encoding: chunked") {
        unchunked(body)
    } else {
        body.to_vec()
    };
    Answer { status, body }
}

fn unchunked(mut body: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    while let Some(end) = body.windows(2).position(|part| part == b"\r\n") {
        let length = std::str::from_utf8(&body[..end]).expect("a length");
        let length = usize::from_str_radix(length, 16).expect("a length");
        if length == 0 {
            break;
        }
        whole.extend(&body[end + 2..end + 2 + length]);
        body = &body[end + 4 + length..];
    }
    whole
}
