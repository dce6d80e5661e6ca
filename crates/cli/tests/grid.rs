//! The grid as a new user tries it: a server, a worker and a search, each a command.

mod common;

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use common::Folder;

/// Ends with this value, as with Ctrl-C: a server's command ends its server then.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let pid = self.0.id().to_string();
        for _ in 0..2 {
            let _dead_already = Command::new("kill").args(["-INT", &pid]).status();
            thread::sleep(Duration::from_millis(200));
        }
        let _ended = self.0.wait();
    }
}

fn start(folder: &Folder, args: &[&str]) -> Running {
    let mut command = folder.command(args);
    let child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    Running(child.expect("it starts"))
}

/// A server for one test, ended with its command; and where it is.
fn up(folder: &Folder) -> (Running, String) {
    let mut server = start(folder, &["grid", "up", "--data", "grid"]);
    let lines = BufReader::new(server.0.stdout.take().expect("a pipe")).lines();
    let first = lines
        .map_while(Result::ok)
        .find(|line| line.contains("The grid is at"));
    let url = first
        .expect("it says where it is")
        .split(' ')
        .nth(4)
        .expect("an address")
        .to_owned();
    (server, url)
}

#[test]
fn a_server_a_worker_and_a_search() {
    let folder = Folder::new("grid_start");
    let (_server, url) = up(&folder);
    let _worker = start(
        &folder,
        &[
            "worker",
            "--connect",
            &url,
            "--threads",
            "2",
            "--name",
            "w1",
            "--nice",
            "0",
        ],
    );
    let solved = folder.run(&[
        "opening",
        "--book",
        "small.book",
        "solve",
        "--rules",
        "6,6,4,1,1",
        "B:C3 W:F6 to-move:B",
        "--grid",
        &url,
        "--json",
    ]);
    let solved: serde_json::Value = serde_json::from_str(&solved.ok()).expect("JSON");
    assert_eq!(solved["state"], "solved");
    assert_eq!(solved["winner"], "black");
    assert_eq!(solved["check"]["verdict"], "VERIFIED");
    let status = folder.run(&["grid", "status", "--grid", &url]).ok();
    assert!(status.contains("1 worker with 2 threads"), "{status}");
    assert!(status.contains("w1"), "{status}");
}

#[test]
fn what_cannot_work_is_said_clearly() {
    let folder = Folder::new("grid_errors");
    let cases: [(&[&str], &str); 5] = [
        (&["worker", "--connect", "http://x"], "no address of a grid"),
        (&["worker", "--key", "missing.key"], "cannot be used"),
        (
            &["grid", "status", "--grid", "nats://127.0.0.1:1"],
            "cannot be reached",
        ),
        (&["grid", "status"], "which grid?"),
        (
            &["grid", "keys", "worker", "nowhere", "laptop"],
            "cannot be used",
        ),
    ];
    for (args, message) in cases {
        let error = folder.run(args).refused();
        assert!(error.contains(message), "{args:?}: {error}");
    }
}

#[test]
fn keys_are_made_and_taken_back() {
    let folder = Folder::new("grid_keys");
    let made = folder
        .run(&[
            "grid",
            "keys",
            "init",
            "keys",
            "--url",
            "nats://example.org:4222",
        ])
        .ok();
    assert!(made.contains("nats-server -c keys/server.conf"), "{made}");
    folder
        .run(&["grid", "keys", "worker", "keys", "laptop"])
        .ok();
    let config = folder.path("keys/server.conf");
    let text = std::fs::read_to_string(&config).expect("a configuration");
    assert!(text.contains("tengen.result.laptop.*.*"));
    folder
        .run(&["grid", "keys", "revoke", "keys", "laptop"])
        .ok();
    let text = std::fs::read_to_string(&config).expect("a configuration");
    assert!(!text.contains("laptop"));
}
