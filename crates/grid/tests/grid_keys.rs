//! Strangers and workers with keys: what they can read and write on a server that `tengen grid keys` has configured.

mod grid_support;
mod runner_support;

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use futures_util::StreamExt as _;
use grid_support::{Server, free_port, until};
use runner_support::{SMALL, Small, assert_proved, book_with, folder, position, settings};
use tengen_grid::nats::{
    Access, ClientOptions, Grid, GridError, GridTransport, Keys, Leave, WorkerOptions, run_worker,
};
use tengen_grid::runner::{Runner, Why};
use tengen_grid::search::Config;

/// A server with keys for a coordinator and the workers `one` and `two`.
fn with_keys(folder: &Path) -> (Server, Keys) {
    let port = free_port();
    let url = format!("nats://127.0.0.1:{port}");
    let mut keys = Keys::create(&folder.join("keys"), &url, None).expect("keys");
    for name in ["one", "two"] {
        keys.add_worker(name).expect("a key");
    }
    let server = Server::start_with(folder, Some(keys.config()), port);
    (server, keys)
}

fn key(folder: &Path, name: &str) -> Access {
    Access::with_key(&folder.join("keys/workers").join(format!("{name}.key"))).expect("a key")
}

#[test]
fn strangers_are_not_let_in() {
    let folder = folder("keys_strangers");
    let (server, _keys) = with_keys(&folder);
    for url in [
        server.url(),
        format!("nats://guess@127.0.0.1:{}", server.port()),
    ] {
        let access = Access::at(&url).expect("an address");
        let refused = Grid::connect(&access).expect_err("no key");
        assert!(matches!(refused, GridError::Refused(_)), "{refused}");
        let leave = Arc::new(Leave::default());
        let options = WorkerOptions::new("w", 1);
        let refused = run_worker(&access, options, Arc::new(Small), leave, |_| {});
        assert!(matches!(refused, Err(GridError::Refused(_))), "{refused:?}");
    }
}

#[test]
fn a_worker_with_its_key_can_work_and_a_search_is_solved() {
    let folder = folder("keys_work");
    let (_server, keys) = with_keys(&folder);
    let access = key(&folder, "one");
    assert_eq!(access.worker(), Some("one"));
    let leave = Arc::new(Leave::default());
    let asked = Arc::clone(&leave);
    let worker = thread::spawn(move || {
        run_worker(
            &access,
            WorkerOptions::new("one", 2),
            Arc::new(Small),
            asked,
            |_| {},
        )
    });
    let root = position(SMALL.0, SMALL.1);
    let (path, search) = book_with(&folder, &root, &Config::default());
    let coordinator = Access::with_key(&keys.coordinator()).expect("a key");
    let mut grid = None;
    until("the grid answers", || {
        grid = Grid::connect(&coordinator).ok();
        grid.is_some()
    });
    let transport =
        GridTransport::new(grid.expect("connected"), ClientOptions::new("keys", "keys"));
    let running = Runner::start_on(path.clone(), search, Box::new(transport), settings(1));
    let end = running.expect("it starts").wait().expect("it ends");
    assert_eq!(end.why, Why::Solved);
    assert_proved(&path, &root, &end);
    leave.ask();
    let worked = worker.join().expect("no panic").expect("it left");
    assert!(worked.done > 5, "{worked:?}");
}

/// The seed in a key file.
fn seed(folder: &Path, name: &str) -> String {
    let text = std::fs::read_to_string(folder.join("keys/workers").join(format!("{name}.key")));
    let key: serde_json::Value = serde_json::from_str(&text.expect("a file")).expect("JSON");
    key["seed"].as_str().expect("a seed").to_owned()
}

#[test]
fn a_workers_key_opens_its_own_subjects_and_nothing_else() {
    let folder = folder("keys_limits");
    let (server, keys) = with_keys(&folder);
    let coordinator = Access::with_key(&keys.coordinator()).expect("a key");
    until("the grid answers", || Grid::connect(&coordinator).is_ok());
    let secret = std::fs::read_to_string(keys.coordinator()).expect("a file");
    let secret: serde_json::Value = serde_json::from_str(&secret).expect("JSON");
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    runtime.block_on(async {
        let master = async_nats::ConnectOptions::with_nkey(
            secret["seed"].as_str().expect("a seed").to_owned(),
        );
        let master = master.connect(server.url()).await.expect("the coordinator");
        let mut heard = master.subscribe("tengen.>").await.expect("subscribed");
        master.flush().await.expect("flushed");

        let one = async_nats::ConnectOptions::with_nkey(seed(&folder, "one"));
        let one = one
            .custom_inbox_prefix("_INBOX_one")
            .connect(server.url())
            .await
            .expect("a worker");
        // A forbidden publication is no error for who publishes: what counts is who hears it.
        for subject in [
            "tengen.beat.two",
            "tengen.result.two.client.name",
            "tengen.job.high.expand.any.client.name",
            "tengen.cancel.client",
            "tengen.control.two",
            "tengen.client.client",
            "tengen.beat.one",
        ] {
            one.publish(subject, "x".into()).await.expect("sent");
        }
        one.flush().await.expect("flushed");
        let first = heard.next().await.expect("a message");
        assert_eq!(
            first.subject.as_str(),
            "tengen.beat.one",
            "only this was allowed"
        );

        // It cannot hear what others say, read streams, or change them.
        for subject in [
            "tengen.beat.*",
            "tengen.result.>",
            "tengen.job.>",
            "_INBOX.>",
            "_INBOX_two.>",
            ">",
        ] {
            let mut spy = one.subscribe(subject).await.expect("asked");
            one.flush().await.expect("flushed");
            for what in [
                "tengen.beat.two",
                "tengen.result.two.c.n",
                "_INBOX.x",
                "_INBOX_two.x",
            ] {
                master.publish(what, "secret".into()).await.expect("sent");
            }
            master.flush().await.expect("flushed");
            let caught = tokio::time::timeout(Duration::from_millis(200), spy.next()).await;
            assert!(!matches!(caught, Ok(Some(_))), "{subject}: {caught:?}");
        }
        let context = async_nats::jetstream::new(one.clone());
        let request = |subject: &'static str| {
            let context = context.clone();
            async move {
                let empty = serde_json::json!({});
                let asked = context.request::<_, _, serde_json::Value>(subject, &empty);
                tokio::time::timeout(Duration::from_millis(400), asked)
                    .await
                    .is_ok_and(|answer| answer.is_ok())
            }
        };
        for subject in [
            "STREAM.INFO.TENGEN_RESULTS",
            "STREAM.PURGE.TENGEN_JOBS",
            "STREAM.DELETE.TENGEN_JOBS",
            "STREAM.MSG.GET.TENGEN_RESULTS",
            "CONSUMER.NAMES.TENGEN_RESULTS",
            "INFO",
        ] {
            assert!(!request(subject).await, "{subject} was answered");
        }
        assert!(request("CONSUMER.NAMES.TENGEN_JOBS").await, "this it needs");
    });
}

#[test]
fn a_revoked_key_opens_nothing() {
    let folder = folder("keys_revoked");
    let (mut server, mut keys) = with_keys(&folder);
    let access = key(&folder, "one");
    keys.revoke("one").expect("revoked");
    assert!(keys.revoke("one").is_err(), "there is none any more");
    assert_eq!(keys.workers().collect::<Vec<_>>(), ["two"]);
    server.kill();
    server.start_again();
    let leave = Arc::new(Leave::default());
    let refused = run_worker(
        &access,
        WorkerOptions::new("one", 1),
        Arc::new(Small),
        leave,
        |_| {},
    );
    assert!(matches!(refused, Err(GridError::Refused(_))), "{refused:?}");
}

#[test]
fn secrets_are_readable_by_their_owner_only_and_nothing_is_overwritten() {
    let folder = folder("keys_files");
    let place = folder.join("keys");
    let mut keys = Keys::create(&place, "nats://example.org:4222", None).expect("keys");
    assert!(Keys::create(&place, "nats://example.org", None).is_err());
    let path = keys.add_worker("laptop").expect("a key");
    assert!(keys.add_worker("laptop").is_err());
    assert!(keys.add_worker("a.b").is_err());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(&path)
            .expect("a file")
            .permissions()
            .mode();
        assert_eq!(mode & 0o077, 0, "{mode:o}");
    }
    let config = std::fs::read_to_string(keys.config()).expect("a configuration");
    assert!(!config.contains("\"seed\"") && !config.contains(&seed(&folder, "laptop")));
    // The server itself says that it is one.
    let server = tengen_grid::nats::find_server().expect("nats-server");
    let tested = Command::new(server)
        .arg("-t")
        .arg("-c")
        .arg(keys.config())
        .output();
    assert!(tested.expect("it runs").status.success());
}
