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

/// A search of Go-Moku that two workers do, killed and stopped and gone on with.
#[test]
fn go_moku_is_solved_by_two_workers() {
    let folder = Folder::new("grid_gomoku");
    let (_server, url) = up(&folder);
    let solve = |stones: &[&'static str], out: &'static str| {
        let mut arguments = vec!["gomoku", "solve", "--out", out, "--grid", &url];
        arguments.extend(stones);
        arguments
    };
    let four = solve(&["H8", "L10", "I9", "G7"], "four.db");
    let two = solve(&["H8", "A1"], "two.db");
    let status = || {
        let shown = folder.run(&["grid", "status", "--json", "--grid", &url]);
        serde_json::from_str::<serde_json::Value>(&shown.ok()).expect("JSON")
    };
    let is_there = || status()["clients"].to_string().contains("gomoku");
    // Killed while it waits for workers.
    let mut killed = start(&folder, &four);
    until("the search is there", is_there);
    killed.0.kill().expect("killed");
    let _workers = ["w1", "w2"].map(|name| {
        let line = ["worker", "--threads", "1", "--nice", "0", "--name", name];
        start(&folder, &[&line[..], &["--connect", &url]].concat())
    });
    let solved = folder.run(&[&four[..], &["--json"]].concat());
    let solved: serde_json::Value = serde_json::from_str(&solved.ok()).expect("JSON");
    assert_eq!(solved["result"], "win", "{solved}");
    assert_eq!(solved["check"], "VERIFIED");
    assert!(solved["expansions"].as_u64() > Some(0), "workers tell it");
    assert!(solved["cpu_seconds"].as_f64() > Some(0.0));
    let verdict = folder.run(&["check", "four.db"]).ok();
    assert!(verdict.starts_with("VERIFIED"), "{verdict}");

    // Ctrl-C: workers stop, and the same command would go on.
    let mut stopped = start(&folder, &two);
    until("somebody works on it", || {
        let workers = status()["workers"].to_string();
        workers.contains("\"kind\":\"gomoku\"")
    });
    let pid = stopped.0.id().to_string();
    let sent = Command::new("kill").args(["-INT", &pid]).status();
    assert!(sent.expect("kill is there").success());
    assert_eq!(stopped.0.wait().expect("it ends").code(), Some(130));
    assert!(folder.path("two.db.journal").exists() && !folder.path("two.db").exists());
    until("the workers are free", || {
        !status()["workers"]
            .to_string()
            .contains("\"kind\":\"gomoku\"")
    });
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

#[test]
fn parts_for_clusters_and_other_organisations_are_written() {
    let folder = Folder::new("grid_parts");
    let keys = |line: &str| {
        let args: Vec<&str> = ["grid", "keys"]
            .into_iter()
            .chain(line.split(' '))
            .collect();
        folder.run(&args)
    };
    keys("init keys --url nats://example.org:4222").ok();
    let cluster = keys("cluster keys n1.example.org n2.example.org:4333 n3.example.org").ok();
    assert!(cluster.contains("nats-server -c n2.conf"), "{cluster}");
    let read = |name: &str| std::fs::read_to_string(folder.path(name)).expect("a file");
    let second = read("keys/cluster/n2.conf");
    assert!(second.contains("listen: \"0.0.0.0:4333\""), "{second}");
    assert!(second.contains("@n3.example.org:6222"), "{second}");
    let leaf = keys("leaf keys other-lab --url nats://other.example:4222").ok();
    assert!(leaf.contains("keys/leaf-other-lab"), "{leaf}");
    let worker = keys("worker keys atlas --leaf other-lab").ok();
    assert!(worker.contains("keys/leaf-other-lab/atlas.key"), "{worker}");
    let ours = read("keys/server.conf");
    assert!(ours.contains("tengen.result.atlas.*.*") && ours.contains("leafs.conf"));
    // The cluster knows it too, and a leaf node may join at each of its servers.
    assert!(read("keys/cluster/accounts.conf").contains("tengen.result.atlas.*.*"));
    assert!(read("keys/leaf-other-lab/server.conf").contains("@n1.example.org:7422"));
    let revoked = keys("revoke keys other-lab").ok();
    assert!(revoked.contains("is started anew"), "{revoked}");
    assert!(!read("keys/server.conf").contains("atlas"));
    for (line, message) in [
        ("cluster keys a b", "at least 3 servers"),
        ("cluster keys a b c:x", "is no server"),
        ("cluster nowhere a b c", "cannot be used"),
        ("leaf keys lab --url http://x", "no address of a grid"),
        ("leaf keys a/b --url nats://x", "letters, digits"),
        (
            "worker keys x --leaf nobody",
            "there is no leaf node nobody",
        ),
        ("revoke keys nobody", "no worker and no leaf node nobody"),
    ] {
        let error = keys(line).refused();
        assert!(error.contains(message), "{line}: {error}");
    }
}

#[test]
fn a_server_that_is_not_there_is_said_to_be_so() {
    let folder = Folder::new("grid_no_server");
    let up = folder
        .command(&["grid", "up", "--data", "grid", "--no-install"])
        .env("TENGEN_NATS_SERVER", "/nowhere/nats-server")
        .output()
        .expect("it runs");
    assert!(!up.status.success());
    let error = String::from_utf8_lossy(&up.stderr);
    assert!(
        error.contains("TENGEN_NATS_SERVER says `/nowhere/nats-server`, which is no file"),
        "{error}"
    );
}

/// Waits until something is so.
#[track_caller]
fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    for _ in 0..900 {
        if is_so() {
            return;
        }
        thread::sleep(Duration::from_millis(100));
    }
    panic!("not in 90 seconds: {what}");
}

#[test]
fn a_server_ends_with_its_command_however_that_is_told_to_end() {
    for signal in ["-INT", "-TERM"] {
        let folder = Folder::new(&format!("grid_up{signal}"));
        let (mut server, url) = up(&folder);
        let address = url.rsplit_once('@').expect("a token").1.to_owned();
        let there = || std::net::TcpStream::connect(&address).is_ok();
        assert!(there());
        let pid = server.0.id().to_string();
        let sent = Command::new("kill").args([signal, &pid]).status();
        assert!(sent.expect("kill is there").success());
        let ended = server.0.wait().expect("it ends");
        assert!(ended.success(), "{signal}: {ended}");
        assert!(!there(), "{signal}: the server was left behind");
    }
}

#[test]
fn little_memory_means_few_threads_and_one_ctrl_c_is_enough() {
    let folder = Folder::new("grid_memory");
    let (_server, url) = up(&folder);
    let line = "worker --threads 8 --memory 600 --only prove --name modest --nice 0 --connect";
    let mut args: Vec<&str> = line.split(' ').collect();
    args.push(&url);
    let mut worker = start(&folder, &args);
    let shown = || {
        folder
            .run(&["grid", "status", "--json", "--grid", &url])
            .ok()
    };
    let mut seen = serde_json::Value::Null;
    until("the worker is there", || {
        let status: serde_json::Value = serde_json::from_str(&shown()).expect("JSON");
        seen = status["workers"][0].clone();
        !seen.is_null()
    });
    assert_eq!(seen["threads"], 2, "{seen}");
    assert_eq!(seen["memory"], 600);
    assert_eq!(seen["kinds"], serde_json::json!(["prove"]));
    let pid = worker.0.id().to_string();
    let sent = Command::new("kill").args(["-INT", &pid]).status();
    assert!(sent.expect("kill is there").success());
    assert!(worker.0.wait().expect("it ends").success());
}

#[test]
fn the_workbench_runs_on_a_grid_and_shows_its_metrics() {
    use std::io::{Read as _, Write as _};
    let folder = Folder::new("grid_serve");
    let (_server, url) = up(&folder);
    let _worker = start(
        &folder,
        &["worker", "--connect", &url, "--threads", "3", "--nice", "0"],
    );
    let line = "serve --data bench --port 0 --grid";
    let mut args: Vec<&str> = line.split(' ').collect();
    args.push(&url);
    let mut serving = start(&folder, &args);
    let lines = BufReader::new(serving.0.stdout.take().expect("a pipe")).lines();
    let found = lines.map_while(Result::ok).find_map(|line| {
        let (_, rest) = line.split_once("http://")?;
        let host = rest.split(['/', ' ']).next()?;
        Some(host.to_owned())
    });
    let host = found.expect("it says where it is");
    let get = |path: &str| {
        let mut stream = std::net::TcpStream::connect(&host).expect("it listens");
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        )
        .expect("sent");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("an answer");
        text
    };
    until("the worker is counted", || {
        let text = get("/metrics");
        assert!(text.starts_with("HTTP/1.1 200"), "{text}");
        text.contains("\ntengen_grid_threads 3\n") && text.contains("\ntengen_grid_workers 1\n")
    });
    assert!(get("/metrics").contains("# TYPE tengen_grid_threads gauge"));
}
