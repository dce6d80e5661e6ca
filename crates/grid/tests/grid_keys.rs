//! Strangers and workers with keys: what they can read and write on a server that `tengen grid keys` has configured.

mod grid_support;
mod runner_support;

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use async_nats::Client;
use async_nats::jetstream::consumer::{AckPolicy, pull};
use futures_util::StreamExt as _;
use grid_support::{Server, free_port, until};
use runner_support::{SMALL, Small, assert_proved, book_with, folder, position, settings};
use tengen_grid::nats::{
    Access, Certificates, ClientOptions, Grid, GridError, GridTransport, Keys, Leave, Log,
    WorkerOptions, run_worker, status,
};
use tengen_grid::runner::{Runner, Why};
use tengen_grid::search::Config;

/// A server with keys for a coordinator and the workers `one` and `two`.
fn with_keys(folder: &Path) -> (Server, Keys) {
    with_certificates(folder, None)
}

/// The same, and it encrypts if there are certificates.
fn with_certificates(folder: &Path, tls: Option<Certificates>) -> (Server, Keys) {
    let port = free_port();
    let url = format!("nats://127.0.0.1:{port}");
    let mut keys = Keys::create(&folder.join("keys"), &url, tls).expect("keys");
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
    solves(&folder, &keys);
}

/// A search is solved with the keys of a folder.
fn solves(folder: &Path, keys: &Keys) {
    let access = key(folder, "one");
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
    let (path, search) = book_with(folder, &root, &Config::default());
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

/// A client with a key, as the library has it: nothing of ours between it and the server.
async fn raw(server: &Server, seed: String, inbox: &str) -> Client {
    let options = async_nats::ConnectOptions::with_nkey(seed).custom_inbox_prefix(inbox);
    options.connect(server.url()).await.expect("let in")
}

/// A coordinator and the worker `one`, both raw.
async fn both(folder: &Path, server: &Server, keys: &Keys) -> (Client, Client) {
    let secret = std::fs::read_to_string(keys.coordinator()).expect("a file");
    let secret: serde_json::Value = serde_json::from_str(&secret).expect("JSON");
    let secret = secret["seed"].as_str().expect("a seed").to_owned();
    let master = raw(server, secret, "_INBOX").await;
    let one = raw(server, seed(folder, "one"), "_INBOX_one").await;
    (master, one)
}

/// A server with keys and streams.
fn with_streams(folder: &Path) -> (Server, Keys) {
    let (server, keys) = with_keys(folder);
    let coordinator = Access::with_key(&keys.coordinator()).expect("a key");
    until("the grid answers", || Grid::connect(&coordinator).is_ok());
    (server, keys)
}

#[test]
fn a_workers_key_opens_its_own_subjects_and_nothing_else() {
    let folder = folder("keys_limits");
    let (server, keys) = with_streams(&folder);
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    runtime.block_on(only_its_own(&folder, &server, &keys));
}

async fn only_its_own(folder: &Path, server: &Server, keys: &Keys) {
    let (master, one) = both(folder, server, keys).await;
    let mut heard = master.subscribe("tengen.>").await.expect("subscribed");
    settled(&master, "$JS.API").await;
    // A forbidden publication is no error for who publishes: what counts is who hears it.
    for subject in [
        "tengen.beat.two",
        "tengen.result.two.client.name",
        "tengen.job.high.expand.any.client.name",
        "tengen.cancel.client",
        "tengen.control.two",
        "tengen.client.client",
        "tengen.records.client.feed",
        "tengen.call",
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

    // It cannot hear what others say.
    for subject in [
        "tengen.beat.*",
        "tengen.result.>",
        "tengen.job.>",
        "tengen.client.*",
        "tengen.control.two",
        "_INBOX.>",
        "_INBOX_two.>",
        "$JS.>",
        ">",
        "tengen.control.one",
    ] {
        let mut spy = one.subscribe(subject).await.expect("asked");
        settled(&one, "tengen.api").await;
        for what in [
            "tengen.beat.two",
            "tengen.result.two.c.n",
            "tengen.client.c",
            "tengen.control.two",
            "_INBOX.x",
            "_INBOX_two.x",
            "tengen.control.one",
        ] {
            master.publish(what, "secret".into()).await.expect("sent");
        }
        settled(&master, "$JS.API").await;
        let caught = tokio::time::timeout(Duration::from_millis(200), spy.next()).await;
        let caught = matches!(caught, Ok(Some(_)));
        assert_eq!(caught, subject == "tengen.control.one", "{subject}");
    }
    // Nor read streams, or change them.
    for prefix in ["$JS.API", "tengen.api"] {
        for subject in [
            "STREAM.INFO.TENGEN_RESULTS",
            "STREAM.PURGE.TENGEN_JOBS",
            "STREAM.DELETE.TENGEN_JOBS",
            "STREAM.CREATE.MINE",
            "STREAM.MSG.GET.TENGEN_RESULTS",
            "STREAM.MSG.DELETE.TENGEN_JOBS",
            "STREAM.INFO.TENGEN_RECORDS",
            "STREAM.PURGE.TENGEN_RECORDS",
            "STREAM.MSG.DELETE.TENGEN_RECORDS",
            "CONSUMER.CREATE.TENGEN_RECORDS",
            "CONSUMER.NAMES.TENGEN_RESULTS",
            "CONSUMER.CREATE.TENGEN_RESULTS",
            "CONSUMER.CREATE.TENGEN_JOBS",
            "CONSUMER.DURABLE.CREATE.TENGEN_JOBS.mine",
            "CONSUMER.DELETE.TENGEN_JOBS.normal-expand-any",
            "CONSUMER.MSG.NEXT.TENGEN_RESULTS.answers-client",
            "INFO",
        ] {
            let answer = asked(&one, &format!("{prefix}.{subject}")).await;
            assert!(answer.is_none(), "{prefix}.{subject}: {answer:?}");
        }
    }
    let needed = asked(&one, "tengen.api.CONSUMER.NAMES.TENGEN_JOBS").await;
    let needed = needed.expect("this it needs");
    assert!(needed.get("error").is_none(), "{needed}");
}

/// The server has done what this client has wanted until now: flushing alone does not say that.
async fn settled(client: &Client, api: &str) {
    let mut tries = 0;
    while asked(client, &format!("{api}.CONSUMER.NAMES.TENGEN_JOBS"))
        .await
        .is_none()
    {
        tries += 1;
        assert!(tries < 100, "the server does not answer");
    }
}

/// What the server says to a question.
async fn asked(client: &Client, subject: &str) -> Option<serde_json::Value> {
    let request = client.request(subject.to_owned(), "{}".into());
    let answer = tokio::time::timeout(Duration::from_millis(200), request).await;
    serde_json::from_slice(&answer.ok()?.ok()?.payload).ok()
}

/// The reply of a question may be wanted anywhere, and the server sends it: without an account of their own workers could
/// have had it delete streams, publish under others' names and drop others.
#[test]
fn what_the_server_replies_cannot_be_steered_out_of_the_workers_account() {
    let folder = folder("keys_steered");
    let (server, keys) = with_streams(&folder);
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    runtime.block_on(steer(&folder, &server, &keys));
}

async fn steer(folder: &Path, server: &Server, keys: &Keys) {
    let (master, one) = both(folder, server, keys).await;
    let context = async_nats::jetstream::new(master.clone());
    let jobs = context.get_stream("TENGEN_JOBS").await.expect("there");
    jobs.create_consumer(pull::Config {
        durable_name: Some("normal-expand-any".to_owned()),
        ack_policy: AckPolicy::Explicit,
        filter_subject: "tengen.job.normal.expand.any.>".to_owned(),
        ..pull::Config::default()
    })
    .await
    .expect("a queue");
    for number in 0..40 {
        let subject = format!("tengen.job.normal.expand.any.client.{number}");
        let sent = context
            .publish(subject, "a job".into())
            .await
            .expect("sent");
        sent.await.expect("kept");
    }
    let answer = context.publish("tengen.result.two.client.0", "an answer".into());
    answer.await.expect("sent").await.expect("kept");
    let records = async_nats::jetstream::stream::Config {
        name: "TENGEN_RECORDS".to_owned(),
        subjects: vec!["tengen.records.>".to_owned()],
        ..async_nats::jetstream::stream::Config::default()
    };
    context.create_stream(records).await.expect("a stream");
    let record = context.publish("tengen.records.client.feed", "a record".into());
    record.await.expect("sent").await.expect("kept");
    let counts = async || {
        let mut both = Vec::new();
        for stream in ["TENGEN_JOBS", "TENGEN_RESULTS", "TENGEN_RECORDS"] {
            let mut stream = context.get_stream(stream).await.expect("still there");
            both.push(stream.info().await.expect("readable").state.messages);
        }
        both
    };
    assert_eq!(counts().await, [40, 1, 1]);
    let mut heard = master.subscribe("tengen.>").await.expect("subscribed");
    settled(&master, "$JS.API").await;
    let next = "tengen.api.CONSUMER.MSG.NEXT.TENGEN_JOBS.normal-expand-any";
    let nothing_there = "tengen.api.CONSUMER.MSG.NEXT.TENGEN_JOBS.no-such-queue";
    let questions = [
        (next, r#"{"batch":1,"no_wait":true}"#),
        (nothing_there, r#"{"batch":1,"no_wait":true}"#),
        ("tengen.api.CONSUMER.NAMES.TENGEN_JOBS", "{}"),
        ("tengen.api.STREAM.MSG.GET.TENGEN_RECORDS", r#"{"seq":1}"#),
        ("$JS.ACK.TENGEN_JOBS.normal-expand-any.1.39.39.0.0", "+NXT"),
    ];
    for reply in [
        "tengen.result.two.client.name",
        "tengen.beat.two",
        "tengen.client.client",
        "tengen.records.client.feed",
        "tengen.job.high.expand.any.client.name",
        "$JS.API.STREAM.PURGE.TENGEN_RESULTS",
        "$JS.API.STREAM.DELETE.TENGEN_RESULTS",
        "$JS.API.STREAM.DELETE.TENGEN_JOBS",
        "$JS.API.CONSUMER.DELETE.TENGEN_JOBS.normal-expand-any",
        "tengen.api.CONSUMER.NAMES.TENGEN_JOBS",
    ] {
        for (question, body) in questions {
            let sent = one.publish_with_reply(question, reply, body.into());
            sent.await.expect("sent");
        }
        settled(&one, "tengen.api").await;
    }
    // Its own answer, whose receipt is wanted under another's name.
    let sent = one.publish_with_reply("tengen.result.one.c.n", "tengen.result.two.c.n", "x".into());
    sent.await.expect("sent");
    one.flush().await.expect("flushed");
    let first = heard.next().await.expect("a message");
    assert_eq!(first.subject.as_str(), "tengen.result.one.c.n");
    let more = tokio::time::timeout(Duration::from_millis(300), heard.next()).await;
    assert!(more.is_err(), "{more:?}");
    // One may have been acknowledged: that is what it is for.
    let [jobs, results, records] = counts().await[..] else {
        panic!("three streams")
    };
    assert!((39..=40).contains(&jobs), "{jobs}");
    assert_eq!((results, records), (2, 1));
    let names = asked(&master, "$JS.API.CONSUMER.NAMES.TENGEN_JOBS").await;
    let names = names.expect("an answer")["consumers"].clone();
    assert_eq!(names, serde_json::json!(["normal-expand-any"]));
}

/// What a worker's key can do all the same: settle a job that another has. It is asked again, and the search ends well.
#[test]
fn acknowledging_the_jobs_of_others_costs_time_and_nothing_else() {
    let folder = folder("keys_acks");
    let (server, keys) = with_streams(&folder);
    let url = (server.url(), seed(&folder, "two"));
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    let vandal = thread::spawn(move || {
        let runtime = tokio::runtime::Runtime::new().expect("threads");
        runtime.block_on(async {
            let options = async_nats::ConnectOptions::with_nkey(url.1);
            let two = options.custom_inbox_prefix("_INBOX_two").connect(url.0);
            let two = two.await.expect("let in");
            let mut sent = 0_u64;
            while !stopped.load(Ordering::Relaxed) {
                for sequence in 1..60 {
                    let kind = ["-NAK", "+TERM", "+ACK"][sequence % 3];
                    let subject = format!(
                        "$JS.ACK.TENGEN_JOBS.normal-expand-any.1.{sequence}.{sequence}.0.0"
                    );
                    two.publish(subject, kind.into()).await.expect("sent");
                    sent += 1;
                }
                two.flush().await.expect("flushed");
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            sent
        })
    });
    solves(&folder, &keys);
    stop.store(true, Ordering::Relaxed);
    assert!(vandal.join().expect("no panic") > 0);
}

#[test]
fn a_key_is_added_and_taken_back_while_the_server_runs() {
    let folder = folder("keys_reloaded");
    let (server, mut keys) = with_streams(&folder);
    let work = |name: &'static str| {
        let (access, leave) = (key(&folder, name), Arc::new(Leave::default()));
        let (asked, connected) = (Arc::clone(&leave), Arc::new(AtomicBool::new(false)));
        let told = Arc::clone(&connected);
        let worker = thread::spawn(move || {
            let options = WorkerOptions::new(name, 1);
            run_worker(&access, options, Arc::new(Small), asked, move |log| {
                if log == Log::Connected {
                    told.store(true, Ordering::Relaxed);
                }
            })
        });
        until("it is let in", || connected.load(Ordering::Relaxed));
        (leave, worker)
    };
    let one = work("one");
    let two = work("two");
    keys.revoke("one").expect("revoked");
    keys.add_worker("three").expect("a key");
    server.reload();
    // It is told so, and does not knock for ever.
    let ended = one.1.join().expect("no panic");
    assert!(matches!(ended, Err(GridError::Refused(_))), "{ended:?}");
    let three = work("three");
    let coordinator = Access::with_key(&keys.coordinator()).expect("a key");
    let grid = Grid::connect(&coordinator).expect("connected");
    until("the others are there", || {
        let status = status(&grid, Duration::from_millis(300)).expect("an answer");
        let names: Vec<String> = status.workers.into_iter().map(|it| it.name).collect();
        names == ["three", "two"]
    });
    for (leave, worker) in [two, three] {
        leave.ask();
        worker.join().expect("no panic").expect("it left");
    }
}

/// Runs openssl in a folder.
fn openssl(folder: &Path, line: &str) {
    let done = Command::new("openssl")
        .args(line.split(' '))
        .current_dir(folder)
        .output()
        .expect("openssl is installed");
    assert!(done.status.success(), "{line}: {done:?}");
}

/// An authority of our own and a certificate for this machine that it has signed.
fn certificates(folder: &Path) -> Certificates {
    std::fs::create_dir_all(folder).expect("a folder");
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    openssl(
        folder,
        &format!("req -x509 {key} -keyout ca.key -out ca.pem -days 2 -subj /CN=test-authority"),
    );
    openssl(
        folder,
        &format!("req {key} -keyout server.key -out server.csr -subj /CN=localhost"),
    );
    std::fs::write(folder.join("names"), "subjectAltName=IP:127.0.0.1").expect("written");
    openssl(
        folder,
        "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out server.pem",
    );
    ["server.pem", "server.key", "ca.pem"].map(|file| folder.join(file))
}

#[test]
fn with_certificates_all_is_encrypted_and_a_false_server_is_not_believed() {
    let folder = folder("keys_tls");
    let (server, keys) = with_certificates(&folder, Some(certificates(&folder.join("good"))));
    solves(&folder, &keys);
    // The server itself wants it encrypted.
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    let plain = runtime.block_on(async {
        let options = async_nats::ConnectOptions::with_nkey(seed(&folder, "one"));
        options.connect(server.url()).await.err()
    });
    assert!(plain.is_some(), "the authority is not known to the system");
    // An authority that has not signed it.
    let other = certificates(&folder.join("other"));
    let known = folder.join("keys/workers/authority.pem");
    std::fs::copy(&other[2], known).expect("copied");
    let leave = Arc::new(Leave::default());
    let options = WorkerOptions::new("two", 1);
    let refused = run_worker(
        &key(&folder, "two"),
        options,
        Arc::new(Small),
        leave,
        |_| {},
    );
    let Err(error @ GridError::Untrusted { .. }) = refused else {
        panic!("it worked for a stranger: {refused:?}");
    };
    assert!(error.to_string().contains("certificate"), "{error}");
}

/// A leaf node of a grid that encrypts joins encrypted or not at all.
#[test]
fn the_connection_of_a_leaf_node_is_encrypted_too() {
    let folder = folder("keys_tls_leaf");
    let [port, leaf_port, join_port] = [0; 3].map(|_| free_port());
    let url = format!("nats://127.0.0.1:{port}");
    let tls = certificates(&folder.join("good"));
    let mut keys = Keys::create(&folder.join("keys"), &url, Some(tls)).expect("keys");
    let theirs = keys.add_leaf(
        "org",
        &format!("nats://127.0.0.1:{leaf_port}"),
        Some(join_port),
    );
    let theirs = theirs.expect("a leaf node");
    let path = keys.add_leaf_worker("org", "org1").expect("a key");
    let _server = Server::start_with(&folder, Some(keys.config()), port);
    let _leaf = Server::start_in(&theirs, Path::new("server.conf"), leaf_port);
    let access = Access::with_key(&path).expect("a key");
    let leave = Arc::new(Leave::default());
    let asked = Arc::clone(&leave);
    let options = WorkerOptions::new("org1", 1);
    let worker =
        thread::spawn(move || run_worker(&access, options, Arc::new(Small), asked, |_| {}));
    let coordinator = Access::with_key(&keys.coordinator()).expect("a key");
    let grid = Grid::connect(&coordinator).expect("connected");
    until("it is there", || {
        let status = status(&grid, Duration::from_millis(300)).expect("an answer");
        status.workers.iter().any(|it| it.name == "org1")
    });
    leave.ask();
    worker.join().expect("no panic").expect("it left");
    // Without encryption a leaf node is not let in.
    let plain = std::fs::read_to_string(theirs.join("server.conf")).expect("theirs");
    let plain = plain.replace("tls://", "nats-leaf://");
    let plain = plain.replace(", tls { ca_file: \"authority.pem\" }", "");
    assert!(!plain.contains("tls"), "{plain}");
    let plain_port = free_port();
    let plain = plain.replace(&format!(":{leaf_port}\""), &format!(":{plain_port}\""));
    std::fs::write(folder.join("plain.conf"), plain).expect("written");
    let _plain = Server::start_in(&folder, Path::new("plain.conf"), plain_port);
    until("it is refused", || {
        let log = std::fs::read_to_string(folder.join("plain.log")).unwrap_or_default();
        log.contains("certificate") || log.contains("TLS")
    });
    for secret in ["keys.json", "leafs.conf", "leaf-org/server.conf"] {
        use std::os::unix::fs::PermissionsExt as _;
        let data = std::fs::metadata(folder.join("keys").join(secret)).expect(secret);
        assert_eq!(data.permissions().mode() & 0o077, 0, "{secret}");
    }
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
