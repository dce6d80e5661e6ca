//! `tengen serve` as a process: how it starts, how it ends, and that nothing is lost when it is killed.

#![cfg(unix)]

mod common;

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use common::Folder;
use serde_json::{Value, json};

/// A running server; killed when dropped.
struct Server {
    child: Child,
    stdout: BufReader<ChildStdout>,
    line: String,
    address: String,
}

impl Server {
    fn start(folder: &Folder, more: &[&str]) -> Self {
        let mut arguments = vec!["serve", "--data", "data", "--port", "0"];
        arguments.extend(more);
        let mut command = folder.command(&arguments);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("it starts");
        let mut line = String::new();
        let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        stdout.read_line(&mut line).expect("one line");
        let address = line
            .split(['/', ' '])
            .find(|word| word.contains("127.0.0.1:"));
        let address = address.expect("an address").to_owned();
        Self {
            child,
            stdout,
            line,
            address,
        }
    }

    fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args(["-s", name, &pid]).status();
        assert!(sent.expect("kill").success());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The body of a successful answer; nothing if the server died or refused.
fn ask(address: &str, method: &str, path: &str, body: &str) -> Option<Value> {
    let mut stream = TcpStream::connect(address).ok()?;
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let fine = head.starts_with("HTTP/1.1 200 ");
    // A killed server may have sent a part.
    serde_json::from_str(body).ok().filter(|_| fine)
}

#[test]
fn it_says_where_it_is_and_ends_when_asked() {
    let folder = Folder::new("serve_ends");
    for signal in ["INT", "TERM"] {
        let mut server = Server::start(&folder, &["--workers", "1"]);
        let expected = format!(
            "Tengen is at http://{}/ (data in data); Ctrl-C stops it\n",
            server.address
        );
        assert_eq!(server.line, expected);
        let about = ask(&server.address, "GET", "/api/about", "").expect("an answer");
        assert_eq!(about["workers"], 1);
        // A request that never ends keeps nobody waiting.
        let mut open = TcpStream::connect(&server.address).expect("a connection");
        let half = format!(
            "POST /api/studies/import HTTP/1.1\r\nHost: {}\r\nContent-Length: 100\r\n\r\n(;",
            server.address
        );
        open.write_all(half.as_bytes()).expect("sent");
        server.signal(signal);
        let status = server.child.wait().expect("it ends");
        assert_eq!(status.code(), Some(0), "{signal}");
    }
}

#[test]
fn it_says_which_proof_of_gomoku_is_played() {
    let folder = Folder::new("serve_gomoku");
    let stored = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../suites/gomoku/four-stones.gomoku"
    );
    let plain = fs::read(stored).expect("the stored proof");
    let packed = zstd::encode_all(&plain[..], 3).expect("packed");
    for (name, bytes) in [("plain.db", &plain), ("packed.db.zst", &packed)] {
        folder.write(name, bytes);
        let mut server = Server::start(&folder, &["--gomoku", name]);
        let mut line = String::new();
        server.stdout.read_line(&mut line).expect("a second line");
        let start = format!(
            "Proof of Go-Moku at http://{}/#/gomoku: rules gomoku, Black wins B:",
            server.address
        );
        assert!(
            line.starts_with(&start) && line.ends_with(" positions\n"),
            "{line}"
        );
        let state = ask(&server.address, "GET", "/api/gomoku", "").expect("an answer");
        assert_eq!(state["proof"]["rules"], "gomoku");
    }
    folder.write("short.db", &plain[..plain.len() / 2]);
    folder.write("other.db", "no proof");
    for (name, reason) in [
        ("short.db", "damaged"),
        ("other.db", "it does not begin with TENGENGM"),
        ("none.db", "there is no such file"),
    ] {
        let message = folder
            .run(&["serve", "--data", "data", "--port", "0", "--gomoku", name])
            .refused();
        assert!(
            message.contains(name) && message.contains(reason),
            "{message}"
        );
    }
}

#[test]
fn bad_starts_are_explained() {
    let folder = Folder::new("serve_refused");
    let message = folder
        .run(&["serve", "--data", "data", "--bind", "0.0.0.0"])
        .refused();
    assert!(message.contains("--token"), "{message}");
    let message = folder.run(&["serve", "--token", "short"]).refused();
    assert!(message.contains("at least 8"), "{message}");
    folder.write("file", "");
    let message = folder.run(&["serve", "--data", "file"]).refused();
    assert!(message.contains("data folder file"), "{message}");
    let server = Server::start(&folder, &[]);
    let port = server.address.split(':').nth(1).expect("a port");
    let message = folder
        .run(&["serve", "--data", "other", "--port", port])
        .refused();
    assert!(message.contains("cannot listen"), "{message}");
}

/// One study and what is known to be in it.
struct Writer {
    study: u64,
    revision: u64,
    next: u64,
    acknowledged: Vec<u64>,
}

impl Writer {
    fn new(address: &str) -> Self {
        let made = ask(address, "POST", "/api/studies", "{}").expect("a study");
        Self {
            study: made["study"]["id"].as_u64().expect("a number"),
            revision: 0,
            next: 1,
            acknowledged: Vec::new(),
        }
    }

    /// Edits until the server dies.
    fn write(&mut self, address: &str, stop: &AtomicBool) {
        while !stop.load(Ordering::Relaxed) {
            let id = self.next;
            let comment = format!("edit {id} {}", "x".repeat(id as usize % 3000));
            let edit = json!({"base": self.revision, "label": "add", "patch": {"put": [
                {"id": id, "parent": 0, "turn": ["J10"], "comment": comment}]}});
            let path = format!("/api/studies/{}/edits", self.study);
            let Some(edited) = ask(address, "POST", &path, &edit.to_string()) else {
                continue;
            };
            self.revision = edited["revision"].as_u64().expect("a number");
            self.next += 1;
            self.acknowledged.push(id);
        }
    }

    /// Everything acknowledged is there; what was under way may be.
    fn check(&mut self, address: &str) {
        let path = format!("/api/studies/{}", self.study);
        let document = ask(address, "GET", &path, "").expect("the study is there");
        let nodes = document["nodes"].as_array().expect("a list");
        let comment = |id: u64| {
            let node = nodes.iter().find(|node| node["id"] == id);
            node.and_then(|node| node["comment"].as_str())
        };
        for &id in &self.acknowledged {
            let begin = format!("edit {id} ");
            let found = comment(id).is_some_and(|text| text.starts_with(&begin));
            assert!(found, "edit {id} of study {} is lost", self.study);
        }
        let revision = document["study"]["revision"].as_u64().expect("a number");
        assert_eq!(
            nodes.len() as u64,
            revision + 1,
            "an edit is there whole or not at all"
        );
        assert!(
            revision - self.revision <= 1,
            "at most one edit was under way"
        );
        self.revision = revision;
        self.next = document["study"]["next_node"].as_u64().expect("a number");
    }
}

fn check_database(folder: &Folder) {
    let path = folder.path("data/tengen.sqlite");
    let database = rusqlite::Connection::open(path).expect("it opens");
    database.busy_timeout(Duration::from_secs(10)).expect("set");
    let integrity: String = database
        .pragma_query_value(None, "integrity_check", |row| row.get(0))
        .expect("an answer");
    assert_eq!(integrity, "ok");
    let mut orphans = database.prepare("PRAGMA foreign_key_check").expect("sql");
    assert!(
        !orphans.exists([]).expect("an answer"),
        "rows without their study"
    );
}

#[test]
fn nothing_is_lost_when_it_is_killed() {
    const KILLS: usize = 50;
    let folder = Folder::new("serve_killed");
    let mut random = fastrand::Rng::with_seed(6);
    let mut server = Server::start(&folder, &[]);
    let mut writers: Vec<Writer> = (0..3).map(|_| Writer::new(&server.address)).collect();
    for _ in 0..KILLS {
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            for writer in &mut writers {
                scope.spawn(|| writer.write(&server.address, &stop));
            }
            thread::sleep(Duration::from_millis(random.u64(5..120)));
            server.signal("KILL");
            stop.store(true, Ordering::Relaxed);
        });
        drop(server);
        server = Server::start(&folder, &[]);
        check_database(&folder);
        for writer in &mut writers {
            writer.check(&server.address);
        }
    }
    let acknowledged: usize = writers.iter().map(|writer| writer.acknowledged.len()).sum();
    assert!(acknowledged > KILLS, "only {acknowledged} edits were made");
}
