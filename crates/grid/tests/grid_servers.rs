//! More than one server: a cluster, and a leaf node of another organisation, as docs/grid.md has them. A search is solved with workers at
//! other servers than the coordinator's.

mod grid_support;
mod runner_support;

use std::path::Path;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use futures_util::StreamExt as _;
use grid_support::{Server, free_port, until};
use runner_support::{SMALL, Small, assert_proved, book_with, folder, position, settings};
use tengen_book::Book;
use tengen_grid::nats::{
    Access, ClientOptions, Grid, GridError, GridTransport, Keys, Leave, Member, Revoked, Worked,
    WorkerOptions, run_worker,
};
use tengen_grid::runner::{Runner, Why};
use tengen_grid::search::Config;

/// A worker with a key, at one of the servers.
struct Hired {
    leave: Arc<Leave>,
    thread: JoinHandle<Result<Worked, GridError>>,
}

impl Hired {
    fn new(folder: &Path, name: &str, port: u16) -> Self {
        let key = folder.join(format!("{name}.key"));
        let access = Access::with_key(&key).expect("a key");
        let access = access.moved_to(&format!("nats://127.0.0.1:{port}"));
        let (access, leave) = (access.expect("an address"), Arc::new(Leave::default()));
        let (asked, options) = (Arc::clone(&leave), WorkerOptions::new(name, 1));
        let run = move || run_worker(&access, options, Arc::new(Small), asked, |_| {});
        Self {
            leave,
            thread: thread::spawn(run),
        }
    }

    fn ends(self) -> Worked {
        self.leave.ask();
        self.thread.join().expect("no panic").expect("it left")
    }
}

/// Solves the small game with the workers that are there; `meanwhile` happens when the search has begun.
fn solves(folder: &Path, coordinator: &Access, meanwhile: impl FnOnce()) {
    let mut grid = None;
    until("the grid answers", || {
        grid = Grid::connect(coordinator).ok();
        grid.is_some()
    });
    let root = position(SMALL.0, SMALL.1);
    let (path, search) = book_with(folder, &root, &Config::default());
    let options = ClientOptions::new("servers", "servers");
    let transport = GridTransport::new(grid.expect("connected"), options);
    let running = Runner::start_on(path.clone(), search, Box::new(transport), settings(1));
    let running = running.expect("it starts");
    let book = Book::open_existing(&path).expect("a book");
    until("something is answered", || {
        book.search(search).expect("there").events > 2
    });
    meanwhile();
    let end = running.wait().expect("it ends");
    assert_eq!(end.why, Why::Solved);
    assert_proved(&path, &root, &end);
}

#[test]
fn three_servers_are_one_grid_and_one_of_them_may_go_and_come() {
    let folder = folder("servers_cluster");
    let ports = [0; 3].map(|_| free_port());
    let routes = [0; 3].map(|_| free_port());
    let url = format!("nats://127.0.0.1:{}", ports[0]);
    let mut keys = Keys::create(&folder.join("keys"), &url, None).expect("keys");
    keys.add_worker("one").expect("a key");
    let members = ports.iter().zip(routes).map(|(port, routes)| {
        let text = format!("127.0.0.1:{port}:{routes}");
        text.parse::<Member>().expect("a server")
    });
    let configs = keys.make_cluster(members.collect()).expect("written");
    // A key that is made later is known to all of them too.
    keys.add_worker("two").expect("a key");
    let server = |number: usize| {
        let config = Path::new(configs[number].file_name().expect("a name"));
        Server::start_in(&folder.join("keys/cluster"), config, ports[number])
    };
    let _first = server(0);
    let (mut second, _third) = (server(1), server(2));
    let workers = [
        Hired::new(&folder.join("keys/workers"), "one", ports[1]),
        Hired::new(&folder.join("keys/workers"), "two", ports[2]),
    ];
    let coordinator = Access::with_key(&keys.coordinator()).expect("a key");
    solves(&folder, &coordinator, || {
        second.kill();
        second.start_again();
    });
    let done: Vec<u64> = workers.map(|worker| worker.ends().done).into();
    assert!(done.iter().sum::<u64>() > 5, "{done:?}");
    // Who does not know the password of the routes cannot join as a server.
    let (port, route) = (free_port(), free_port());
    let text = format!(
        "server_name: stranger\nlisten: \"127.0.0.1:{port}\"\naccounts {{ GRID {{ users = [ {{ user: a, password: b }} ] }} }}\n\
         cluster {{ name: grid, listen: \"127.0.0.1:{route}\", routes: [\"nats://127.0.0.1:{}\"] }}\n",
        routes[0]
    );
    std::fs::write(folder.join("stranger.conf"), text).expect("written");
    let _stranger = Server::start_in(&folder, Path::new("stranger.conf"), port);
    let log = folder.join("stranger.log");
    until("the stranger is shut out", || {
        let log = std::fs::read_to_string(&log).unwrap_or_default();
        log.contains("Authorization Violation") || log.contains("Authentication")
    });
}

#[test]
fn workers_behind_a_leaf_node_work_and_cannot_speak_for_others() {
    let folder = folder("servers_leaf");
    let [hub_port, leaf_port, join_port] = [0; 3].map(|_| free_port());
    let at = |port: u16| format!("nats://127.0.0.1:{port}");
    let mut keys = Keys::create(&folder.join("keys"), &at(hub_port), None).expect("keys");
    let theirs = keys.add_leaf("org", &at(leaf_port), Some(join_port));
    let theirs = theirs.expect("a leaf node");
    keys.add_leaf("others", &at(free_port()), None)
        .expect("another one");
    for (leaf, name) in [("org", "org1"), ("org", "org2"), ("others", "somebody")] {
        keys.add_leaf_worker(leaf, name).expect("a key");
    }
    assert!(keys.add_leaf_worker("nobody", "x").is_err());
    assert!(
        keys.add_worker("org1").is_err(),
        "names are what tells them apart"
    );
    let _hub = Server::start_with(&folder, Some(keys.config()), hub_port);
    let mut leaf_server = Server::start_in(&theirs, Path::new("server.conf"), leaf_port);

    let ours = Hired::new(&theirs, "org1", leaf_port);
    let coordinator = Access::with_key(&keys.coordinator()).expect("a key");
    solves(&folder, &coordinator, || {
        leaf_server.kill();
        leaf_server.start_again();
    });
    assert!(ours.ends().done > 5);
    // With its own key a worker is heard under its own name only.
    let near = (hub_port, Login::Key(seed(&keys.coordinator())));
    let far = (leaf_port, Login::Key(seed(&theirs.join("org1.key"))));
    let by_key = heard(&near, &far);
    assert!(
        !by_key.is_empty() && by_key.iter().all(|it| it == "tengen.beat.org1"),
        "{by_key:?}"
    );
    // And the organisation itself, whatever its server allows, only under the names of its workers.
    let theirs = std::fs::read_to_string(theirs.join("server.conf")).expect("theirs");
    let lax = theirs.replace(
        "    users = [",
        "    users = [ { user: boss, password: boss }",
    );
    let lax_port = free_port();
    let lax = lax.replace(&format!(":{leaf_port}\""), &format!(":{lax_port}\""));
    std::fs::write(folder.join("lax.conf"), lax).expect("written");
    let _lax = Server::start_in(&folder, Path::new("lax.conf"), lax_port);
    let by_boss = heard(&near, &(lax_port, Login::Boss));
    let is_theirs = |it: &String| ["tengen.beat.org1", "tengen.beat.org2"].contains(&it.as_str());
    assert!(
        !by_boss.is_empty() && by_boss.iter().all(is_theirs),
        "{by_boss:?}"
    );
}

#[test]
fn what_cannot_be_written_down_is_refused() {
    let folder = folder("servers_refused").join("keys");
    let mut keys = Keys::create(&folder, "nats://127.0.0.1:4222", None).expect("keys");
    let member = |text: &str| text.parse::<Member>().expect("a server");
    let two = vec![member("a"), member("b")];
    let error = keys.make_cluster(two).expect_err("two").to_string();
    assert!(error.contains("at least 3 servers, not 2"), "{error}");
    let twice = vec![member("a"), member("b"), member("b:4222:7000")];
    let error = keys.make_cluster(twice).expect_err("twice").to_string();
    assert!(error.contains("b has the same port twice"), "{error}");
    assert!(keys.add_leaf("../x", "nats://x", None).is_err());
    assert!(keys.add_leaf("x", "http://x", None).is_err());
    keys.add_leaf("org", "nats://x", None).expect("a leaf node");
    let error = keys.add_leaf("org", "nats://x", None).expect_err("twice");
    assert!(error.to_string().contains("already"), "{error}");
    let error = keys
        .add_leaf("org2", "nats://x", Some(1))
        .expect_err("port");
    assert!(error.to_string().contains("port 7422"), "{error}");
    // Taken back, nothing of it is left.
    keys.add_leaf_worker("org", "w").expect("a key");
    assert_eq!(keys.revoke("w").expect("revoked"), Revoked::Leaf);
    assert!(!folder.join("leaf-org/w.key").exists());
    assert_eq!(keys.revoke("org").expect("revoked"), Revoked::Leaf);
    assert!(!folder.join("leaf-org").exists() && !folder.join("leafs.conf").exists());
    let config = std::fs::read_to_string(keys.config()).expect("a file");
    assert!(!config.contains("LEAF_org") && !config.contains("include"));
    assert!(keys.revoke("org").is_err());
}

/// The seed in a key file.
fn seed(path: &Path) -> String {
    let text = std::fs::read_to_string(path).expect("a file");
    let key: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    key["seed"].as_str().expect("a seed").to_owned()
}

/// How one gets in.
enum Login {
    Key(String),
    /// By a name and a password that only a lax server takes.
    Boss,
}

/// What arrives at one server of what is said at the other: first under somebody else's name, then under its own.
fn heard(near: &(u16, Login), far: &(u16, Login)) -> Vec<String> {
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    runtime.block_on(async {
        let connected = async |(port, login): &(u16, Login)| {
            let options = match login {
                Login::Key(seed) => async_nats::ConnectOptions::with_nkey(seed.clone()),
                Login::Boss => {
                    async_nats::ConnectOptions::with_user_and_password("boss".into(), "boss".into())
                }
            };
            let url = format!("nats://127.0.0.1:{port}");
            options.connect(url).await.expect("connected")
        };
        let (near, far) = (connected(near).await, connected(far).await);
        let mut beats = near.subscribe("tengen.beat.*").await.expect("subscribed");
        near.flush().await.expect("sent");
        let mut heard = Vec::new();
        for _ in 0..100 {
            for name in ["somebody", "stranger", "org1"] {
                let subject = format!("tengen.beat.{name}");
                far.publish(subject, "{}".into()).await.expect("sent");
            }
            far.flush().await.expect("sent");
            let wait = Duration::from_millis(200);
            while let Ok(Some(beat)) = tokio::time::timeout(wait, beats.next()).await {
                heard.push(beat.subject.to_string());
            }
            if heard.len() > 3 {
                break;
            }
        }
        heard
    })
}
