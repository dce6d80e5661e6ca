//! The grid's part of the API: with no grid, and with a real one.

mod requests;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::Request;
use requests::Server;
use serde_json::{Value, json};
use tengen_grid::jobs::{JobError, Worker};
use tengen_grid::nats::{
    Access, ClientOptions, Grid, GridError, GridTransport, Leave, Ledger, LocalServer,
    WorkerOptions, run_worker,
};
use tengen_grid::transport::Transport as _;
use tengen_grid::{Job, JobId, JobLimits, JobResult, Work};
use tokio::runtime::Runtime;

/// Long enough for the slowest machine; nothing waits for it where things go well.
const PATIENCE: Duration = Duration::from_secs(120);

#[tokio::test]
async fn without_a_grid_the_page_hears_so_and_nothing_can_be_done() {
    let server = Server::new("grid_none");
    let state = server.get("/api/grid").await.ok();
    assert_eq!(state["address"], Value::Null);
    assert_eq!(state["workers"], json!([]));
    assert_eq!(state["summary"]["threads"], 0);
    let usage = json!({ "weight": 2, "class": "normal" });
    for answer in [
        server.get("/api/grid/history").await,
        server
            .json("PUT", "/api/grid/searches/abc", usage.clone())
            .await,
        server.post("/api/grid/workers/w/drain", json!({})).await,
        server
            .post("/api/grid/workers/w/drop", json!({ "reason": "noisy" }))
            .await,
        server.post("/api/grid/workers/w/believe", json!({})).await,
    ] {
        let message = answer.refused(409, "conflict");
        assert!(message.contains("tengen serve --grid"), "{message}");
    }
    // Other sites may not even ask.
    for (method, path) in [
        ("PUT", "/api/grid/searches/abc"),
        ("POST", "/api/grid/workers/w/drain"),
        ("POST", "/api/grid/workers/w/drop"),
    ] {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", "127.0.0.1:6160")
            .header("origin", "http://evil.example")
            .header("content-type", "application/json");
        let request = request.body(Body::from(usage.to_string()));
        let answer = server.send(request.expect("a request")).await;
        answer.refused(403, "refused");
    }
}

#[tokio::test]
async fn the_description_has_the_grid() {
    let server = Server::new("grid_description");
    let description = server.get("/api/openapi.json").await.ok();
    for (path, method) in [
        ("/api/grid", "get"),
        ("/api/grid/history", "get"),
        ("/api/grid/searches/{client}", "put"),
        ("/api/grid/workers/{name}/drain", "post"),
        ("/api/grid/workers/{name}/drop", "post"),
        ("/api/grid/workers/{name}/believe", "post"),
        ("/api/searches/{id}/nodes/{node}/retry", "post"),
    ] {
        assert!(description["paths"][path][method].is_object(), "{path}");
    }
    assert!(description["components"]["schemas"]["GridState"].is_object());
}

/// Works until it is told to stop, or does not know how.
struct Patient;

impl Worker for Patient {
    fn run(&self, job: &Job, stop: &AtomicBool) -> Result<JobResult, JobError> {
        if job.rules == "tic-tac-toe" {
            return Err(JobError::Senseless {
                id: job.id,
                reason: "I do not like it".to_owned(),
            });
        }
        while !stop.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(2));
        }
        Err(JobError::Stopped)
    }
}

fn job(id: u64, rules: &str) -> Job {
    Job {
        id: JobId(id),
        rules: rules.to_owned(),
        position: "B:J10 to-move:W".to_owned(),
        work: Work::Evaluate,
        limits: JobLimits {
            nodes: Some(id),
            seconds: None,
        },
        tips: Vec::new(),
    }
}

/// A server that uses a grid, with a thread to ask it.
struct Stage {
    server: Server,
    runtime: Runtime,
}

impl Stage {
    fn state(&self) -> Value {
        self.runtime.block_on(self.server.get("/api/grid")).ok()
    }

    #[track_caller]
    fn until(&self, what: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        loop {
            let state = self.state();
            if is_so(&state) {
                return state;
            }
            assert!(start.elapsed() < PATIENCE, "not in time, {what}: {state}");
            thread::sleep(Duration::from_millis(50));
        }
    }

    #[track_caller]
    fn refuses(&self, method: &str, path: &str, body: Value, status: u16) -> String {
        let path = format!("/api/grid/{path}");
        let answer = self.runtime.block_on(self.server.json(method, &path, body));
        let code = match status {
            400 => "bad-request",
            _ => "not-found",
        };
        answer.refused(status, code)
    }

    #[track_caller]
    fn does(&self, method: &str, path: &str, body: Value) {
        let path = format!("/api/grid/{path}");
        let answer = self.runtime.block_on(self.server.json(method, &path, body));
        assert_eq!(answer.status.as_u16(), 204, "{}", answer.text());
    }
}

#[test]
fn workers_and_searches_are_seen_and_controlled() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("grid_nats");
    let _left_over = std::fs::remove_dir_all(&folder);
    let anywhere = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let nats = LocalServer::start(&folder, anywhere).expect("nats-server is installed");
    let access = Access::at(nats.url()).expect("an address");
    let grid = Grid::connect(&access).expect("it answers");
    let stage = Stage {
        server: Server::with("grid_used", |config| config.grid = Some(grid.clone())),
        runtime: Runtime::new().expect("threads"),
    };
    let state = stage.until("connected", |state| state["summary"]["connected"] == true);
    let address = state["address"].as_str().expect("an address");
    assert!(address.starts_with("nats://127.0.0.1:"), "{address}");
    assert!(!address.contains('@'), "the token is a secret: {address}");
    assert_eq!(state["workers"], json!([]));

    // A worker with two threads and a search that wants three jobs done.
    let work = |name: &str| {
        let (access, leave) = (access.clone(), Arc::new(Leave::default()));
        let asked = Arc::clone(&leave);
        let options = WorkerOptions {
            labels: vec!["attic".to_owned()],
            ..WorkerOptions::new(name, 2)
        };
        let run = move || run_worker(&access, options, Arc::new(Patient), asked, |_| {});
        (leave, thread::spawn(run))
    };
    let (_, first) = work("w1");
    let options = ClientOptions::new("suite", "the suite");
    let mut transport = GridTransport::new(grid, options);
    let (sender, returned) = std::sync::mpsc::channel();
    transport.start(sender).expect("it starts");
    for id in 1..=3 {
        transport.send(job(id, "connect6")).expect("sent");
    }
    let state = stage.until("two jobs run", |state| {
        state["summary"]["busy"] == 2 && state["searches"][0]["running"] == 2
    });
    let worker = &state["workers"][0];
    assert_eq!(worker["name"], "w1");
    assert_eq!(worker["labels"], json!(["attic"]));
    let running = &worker["running"][0];
    assert_eq!(running["position"], "B:J10 to-move:W");
    assert_eq!(
        (&running["rules"], &running["kind"]),
        (&json!("connect6"), &json!("evaluate"))
    );
    let search = &state["searches"][0];
    assert_eq!(search["title"], "the suite");
    assert_eq!(search["search"], Value::Null, "it is not in our book");
    assert_eq!(
        (&search["granted"], &search["queued"]),
        (&json!(2), &json!(1))
    );

    // Nonsense is refused, and says what would be right.
    for (usage, hint) in [
        (json!({ "weight": 0, "class": "normal" }), "1 to 1000"),
        (
            json!({ "weight": 1, "most": 0, "class": "low" }),
            "1 or more",
        ),
        (
            json!({ "weight": 1, "pool": "a b", "class": "low" }),
            "letters",
        ),
        (json!({ "weight": 1, "class": "urgent" }), "high"),
        (json!({ "class": "high" }), "weight"),
    ] {
        let message = stage.refuses("PUT", "searches/suite", usage, 400);
        assert!(message.contains(hint), "{message}");
    }
    let usual = json!({ "weight": 1, "class": "normal" });
    stage.refuses("PUT", "searches/nobody", usual.clone(), 404);
    stage.refuses("POST", "workers/nobody/drain", json!({}), 404);
    stage.refuses("POST", "workers/w%20%2A/drain", json!({}), 404);
    stage.refuses("POST", "workers/w1/drop", json!({ "reason": " " }), 400);
    let long = json!({ "reason": "x".repeat(201) });
    stage.refuses("POST", "workers/w1/drop", long, 400);
    stage.refuses("POST", "workers/w1/believe", json!({}), 404);
    stage.refuses("GET", "history?span=year", json!({}), 400);

    // One thread at most, then another urgency and only some workers: what waits moves with it and is done there.
    let modest = json!({ "weight": 3, "most": 1, "class": "normal", "pool": null });
    stage.does("PUT", "searches/suite", modest.clone());
    stage.until("one thread", |state| {
        state["searches"][0]["usage"] == modest && state["searches"][0]["granted"] == 1
    });
    let elsewhere = json!({ "weight": 1, "most": null, "class": "high", "pool": "cellar" });
    stage.does("PUT", "searches/suite", elsewhere.clone());
    stage.until("nobody serves it", |state| {
        state["searches"][0]["usage"] == elsewhere && state["searches"][0]["granted"] == 0
    });
    let attic = json!({ "weight": 1, "most": null, "class": "high", "pool": "attic" });
    stage.does("PUT", "searches/suite", attic);
    transport.cancel(JobId(1));
    transport.cancel(JobId(2));
    // Only somebody who serves the new queue can have the third.
    stage.until("the third job runs", |state| {
        let worker = &state["workers"][0];
        state["searches"][0]["running"] == 1
            && worker["running"].as_array().map(Vec::len) == Some(1)
    });

    // What fails is told with its reason. Where nobody else can try, a worker fails eight times.
    transport.send(job(4, "tic-tac-toe")).expect("sent");
    let state = stage.until("it has failed", |state| {
        state["searches"][0]["troubles"].as_array().map(Vec::len) == Some(8)
    });
    let trouble = &state["searches"][0]["troubles"][0];
    let reason = trouble["reason"].as_str().expect("a reason");
    assert!(reason.contains("I do not like it"), "{reason}");
    assert_eq!(
        (&trouble["worker"], &trouble["dead"]),
        (&json!("w1"), &json!(false))
    );
    assert_eq!(trouble["position"], "B:J10 to-move:W");

    // A worker that is dropped goes, and is not let in again until it is brought back.
    let reason = json!({ "reason": "it is too loud" });
    stage.does("POST", "workers/w1/drop", reason);
    let end = first.join().expect("no panic");
    assert!(
        matches!(&end, Err(GridError::Dropped(why)) if why == "it is too loud"),
        "{end:?}"
    );
    let state = stage.until("the search knows", |state| {
        state["dropped"][0]["searches"] == json!(["the suite"])
    });
    assert_eq!(state["dropped"][0]["name"], "w1");
    assert_eq!(state["dropped"][0]["reason"], "it is too loud");
    let (_, again) = work("w1");
    let end = again.join().expect("no panic");
    assert!(matches!(end, Err(GridError::Dropped(_))), "{end:?}");
    stage.does("POST", "workers/w1/believe", json!({}));
    stage.until("nobody is dropped", |state| state["dropped"] == json!([]));
    // Those that have gone are listed for some seconds: it is the new one that counts.
    let instances = |state: &Value| -> Vec<Value> {
        let all = state["workers"].as_array().cloned().unwrap_or_default();
        all.iter().map(|it| it["instance"].clone()).collect()
    };
    let gone = instances(&stage.state());
    let (leave, third) = work("w1");
    let is_third = |worker: &&Value| !gone.contains(&worker["instance"]);
    let third_of = |state: &Value| -> Value {
        let all = state["workers"].as_array().cloned().unwrap_or_default();
        all.iter().find(is_third).cloned().unwrap_or_default()
    };
    stage.until("it works again", |state| {
        third_of(state)["running"][0].is_object()
    });

    // One that pauses keeps the job at hand, and shows it.
    leave.pause(true);
    stage.until("it pauses", |state| {
        let third = third_of(state);
        third["paused"] == true && third["threads"] == 1 && third["running"][0].is_object()
    });
    leave.pause(false);
    stage.until("it goes on", |state| {
        let third = third_of(state);
        third["paused"] == false && third["threads"] == 2
    });

    // One that is told to leave finishes what it does.
    stage.does("POST", "workers/w1/drain", json!({}));
    stage.until("it is leaving", |state| {
        let third = third_of(state);
        third["leaving"] == true && third["running"][0].is_object()
    });
    transport.cancel(JobId(3));
    let end = third.join().expect("no panic").expect("in good order");
    assert_eq!(end.failed, 0);
    drop(leave);
    transport.end(false);
    drop(returned);
}

/// Whom a person drops stays dropped when the workbench is started again, and for searches that begin anew.
#[test]
fn who_was_dropped_by_hand_stays_so_after_a_restart() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("grid_nats_again");
    let _left_over = std::fs::remove_dir_all(&folder);
    let anywhere = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let nats = LocalServer::start(&folder, anywhere).expect("nats-server is installed");
    let access = Access::at(nats.url()).expect("an address");
    let grid = Grid::connect(&access).expect("it answers");
    let work = || {
        let (access, leave) = (access.clone(), Arc::new(Leave::default()));
        let options = WorkerOptions::new("w1", 1);
        thread::spawn(move || run_worker(&access, options, Arc::new(Patient), leave, |_| {}))
    };
    let stage = Stage {
        server: Server::with("grid_again", |config| config.grid = Some(grid.clone())),
        runtime: Runtime::new().expect("threads"),
    };
    let first = work();
    stage.until("it is there", |state| state["workers"][0]["name"] == "w1");
    let reason = json!({ "reason": "it is too loud" });
    stage.does("POST", "workers/w1/drop", reason);
    let end = first.join().expect("no panic");
    assert!(matches!(end, Err(GridError::Dropped(_))), "{end:?}");

    let data = stage.server.folder.clone();
    drop(stage);
    let stage = Stage {
        server: Server::at(data.clone(), |config| config.grid = Some(grid.clone())),
        runtime: Runtime::new().expect("threads"),
    };
    let state = stage.state();
    assert_eq!(state["dropped"][0]["name"], "w1");
    assert_eq!(state["dropped"][0]["reason"], "it is too loud");
    let end = work().join().expect("no panic");
    assert!(
        matches!(&end, Err(GridError::Dropped(why)) if why == "it is too loud"),
        "{end:?}"
    );
    // A search hears it; so does the next run of the same search, however soon it comes.
    for _ in 0..2 {
        let options = ClientOptions::new("suite", "the suite");
        let mut transport = GridTransport::new(grid.clone(), options);
        let (sender, _returned) = std::sync::mpsc::channel();
        transport.start(sender).expect("it starts");
        let start = Instant::now();
        let mut notes = Vec::new();
        while !notes.contains(&"worker w1 is dropped: it is too loud".to_owned()) {
            assert!(start.elapsed() < PATIENCE, "{notes:?}");
            notes.extend(transport.notes());
            thread::sleep(Duration::from_millis(20));
        }
        transport.end(false);
    }
    stage.does("POST", "workers/w1/believe", json!({}));
    // Whom a search of the book has caught is listed with them, and brought back as they are, though no search runs.
    let ledger = Ledger::beside(&data.join("tengen.book"));
    ledger
        .drop_worker("liar", "its proof is false")
        .expect("written");
    let state = stage.state();
    assert_eq!(state["dropped"][0]["name"], "liar");
    drop(stage);
    let stage = Stage {
        server: Server::at(data.clone(), |config| config.grid = Some(grid.clone())),
        runtime: Runtime::new().expect("threads"),
    };
    let dropped = json!([{ "name": "liar", "reason": "its proof is false", "searches": [] }]);
    assert_eq!(stage.state()["dropped"], dropped);
    stage.does("POST", "workers/liar/believe", json!({}));
    stage.refuses("POST", "workers/liar/believe", json!({}), 404);
    assert!(ledger.all().is_empty());
    drop(stage);
    let server = Server::at(data, |config| config.grid = Some(grid.clone()));
    let runtime = Runtime::new().expect("threads");
    let state = runtime.block_on(server.get("/api/grid")).ok();
    assert_eq!(state["dropped"], json!([]));
}
