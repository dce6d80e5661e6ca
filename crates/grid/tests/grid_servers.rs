//! More than one server: a cluster, and a leaf node of another organisation, as docs/grid.md has them. A search is solved with workers at
//! other servers than the coordinator's.

mod grid_support;
mod runner_support;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use futures_util::StreamExt as _;
use grid_support::{Server, free_port, until};
use runner_support::{SMALL, Small, assert_proved, book_with, folder, position, settings};
use tengen_book::Book;
use tengen_grid::nats::{
    Access, ClientOptions, Grid, GridError, GridTransport, Keys, Leave, Worked, WorkerOptions,
    run_worker,
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
        let key = folder.join("keys/workers").join(format!("{name}.key"));
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

/// The lines of a configuration but those that say where it listens and what it keeps: each server has its own.
fn common(config: &Path) -> String {
    let text = std::fs::read_to_string(config).expect("a configuration");
    let own = |line: &&str| !line.starts_with("listen:") && !line.starts_with("jetstream {");
    let lines: Vec<&str> = text.lines().filter(own).collect();
    lines.join("\n")
}

fn written(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(format!("{name}.conf"));
    std::fs::write(&path, text).expect("written");
    path
}

#[test]
fn three_servers_are_one_grid_and_one_of_them_may_go_and_come() {
    let folder = folder("servers_cluster");
    let ports = [0; 3].map(|_| free_port());
    let routes = [0; 3].map(|_| free_port());
    let url = format!("nats://127.0.0.1:{}", ports[0]);
    let mut keys = Keys::create(&folder.join("keys"), &url, None).expect("keys");
    for name in ["one", "two"] {
        keys.add_worker(name).expect("a key");
    }
    let others = routes.map(|port| format!("\"nats://127.0.0.1:{port}\""));
    let server = |number: usize| {
        let name = format!("n{number}");
        let (port, route) = (ports[number], routes[number]);
        let home = folder.join(&name);
        std::fs::create_dir_all(&home).expect("a folder");
        let text = format!(
            "server_name: {name}\nlisten: \"127.0.0.1:{port}\"\njetstream {{ store_dir: {:?} }}\n\
             cluster {{ name: grid, listen: \"127.0.0.1:{route}\", routes: [{}] }}\n{}\n",
            home.join("store"),
            others.join(", "),
            common(&keys.config())
        );
        let config = written(&folder, &name, &text);
        Server::start_with(&home, Some(config), port)
    };
    let _first = server(0);
    let (mut second, _third) = (server(1), server(2));
    let workers = [
        Hired::new(&folder, "one", ports[1]),
        Hired::new(&folder, "two", ports[2]),
    ];
    let coordinator = Access::with_key(&keys.coordinator()).expect("a key");
    solves(&folder, &coordinator, || {
        second.kill();
        second.start_again();
    });
    let done: Vec<u64> = workers.map(|worker| worker.ends().done).into();
    assert!(done.iter().sum::<u64>() > 5, "{done:?}");
}

#[test]
fn workers_behind_a_leaf_node_work_and_cannot_speak_for_others() {
    let folder = folder("servers_leaf");
    let [hub_port, leaf_port, join_port] = [0; 3].map(|_| free_port());
    let url = format!("nats://127.0.0.1:{hub_port}");
    let mut keys = Keys::create(&folder.join("keys"), &url, None).expect("keys");
    keys.add_worker("org1").expect("a key");
    // As `WORKERS` has them, but with the name of its one worker.
    let imports = common(&keys.config());
    let imports = imports
        .lines()
        .skip_while(|line| !line.contains("WORKERS {"));
    let imports: Vec<String> = imports
        .filter(|line| line.contains("account: GRID"))
        .map(|line| {
            let only = line.replace("tengen.beat.*", "tengen.beat.org1");
            let only = only.replace("tengen.result.*.*.*", "tengen.result.org1.*.*");
            only.replace("tengen.control.*", "tengen.control.org1")
        })
        .collect();
    let organisation = format!("  ORG {{ imports = [\n{}\n  ] }}\n}}", imports.join("\n"));
    let accounts = common(&keys.config());
    let accounts = accounts.trim_end().strip_suffix('}').expect("its end");
    let text = format!(
        "listen: \"127.0.0.1:{hub_port}\"\njetstream {{ store_dir: {:?} }}\n{accounts}{organisation}\n\
         leafnodes {{ listen: \"127.0.0.1:{join_port}\", authorization {{ users = [ {{ user: org, password: secret, account: ORG }} ] }} }}\n",
        folder.join("store"),
    );
    let _hub = Server::start_with(&folder, Some(written(&folder, "hub", &text)), hub_port);
    // On their side any key will do; here those that are there.
    let registry = std::fs::read_to_string(folder.join("keys/keys.json")).expect("a file");
    let registry: serde_json::Value = serde_json::from_str(&registry).expect("JSON");
    let users = registry["workers"].as_array().expect("workers").iter();
    let users: Vec<String> = users
        .map(|worker| format!("{{ nkey: {} }}", worker[1].as_str().expect("a key")))
        .collect();
    let text = format!(
        "listen: \"127.0.0.1:{leaf_port}\"\naccounts {{ ORG {{ users = [ {} ] }} }}\n\
         leafnodes {{ remotes = [ {{ url: \"nats-leaf://org:secret@127.0.0.1:{join_port}\", account: ORG }} ] }}\n",
        users.join(", ")
    );
    let leaf = folder.join("leaf");
    std::fs::create_dir_all(&leaf).expect("a folder");
    let mut leaf_server =
        Server::start_with(&leaf, Some(written(&folder, "leaf", &text)), leaf_port);

    let ours = Hired::new(&folder, "org1", leaf_port);
    let coordinator = Access::with_key(&keys.coordinator()).expect("a key");
    solves(&folder, &coordinator, || {
        leaf_server.kill();
        leaf_server.start_again();
    });
    assert!(ours.ends().done > 5);
    let heard = heard(
        (hub_port, &seed(&keys.coordinator())),
        (leaf_port, &seed(&folder.join("keys/workers/org1.key"))),
    );
    assert!(
        !heard.is_empty() && heard.iter().all(|it| it == "tengen.beat.org1"),
        "{heard:?}"
    );
}

/// The seed in a key file.
fn seed(path: &Path) -> String {
    let text = std::fs::read_to_string(path).expect("a file");
    let key: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    key["seed"].as_str().expect("a seed").to_owned()
}

/// What arrives at one server of what is said at the other: first under somebody else's name, then under its own.
fn heard(near: (u16, &str), far: (u16, &str)) -> Vec<String> {
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    runtime.block_on(async {
        let connected = async |(port, seed): (u16, &str)| {
            let options = async_nats::ConnectOptions::with_nkey(seed.to_owned());
            let url = format!("nats://127.0.0.1:{port}");
            options.connect(url).await.expect("connected")
        };
        let (near, far) = (connected(near).await, connected(far).await);
        let mut beats = near.subscribe("tengen.beat.*").await.expect("subscribed");
        near.flush().await.expect("sent");
        let mut heard = Vec::new();
        for _ in 0..100 {
            for name in ["somebody", "org1"] {
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
