//! A search on a grid of real processes, tormented: workers, server and coordinator are killed, workers stopped and cut off,
//! answers doubled and reordered. It ends with the right VERIFIED result all the same.
//!
//! Each fault is injected twice; `TENGEN_FAULTS=20` makes it 20 times (`make test-grid`). The counts are printed.

mod grid_scene;
mod grid_support;
mod runner_support;

use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use grid_scene::{ACK_WAIT, Conduct, LIE, NAME, Scene, URL, end, report, signal, wanted};

/// How long a worker is stopped: longer than its job is waited for, and a minute in the full run.
fn pause() -> Duration {
    let said = std::env::var("TENGEN_FAULT_PAUSE").ok();
    let seconds = said.map(|text| text.parse().expect("seconds"));
    seconds.map_or(ACK_WAIT + Duration::from_millis(1_500), Duration::from_secs)
}

/// Injects a fault now and then until it was injected often enough; a search that ends is followed by another one.
fn torment(name: &str, mut fault: impl FnMut(&mut Scene)) {
    let start = Instant::now();
    let (mut faults, mut searches) = (0, 0);
    while faults < wanted() {
        searches += 1;
        assert!(
            searches <= wanted() + 10,
            "searches end before anything can happen"
        );
        let mut scene = Scene::new(&format!("fault_{name}_{searches}"));
        let mut here = 0;
        while faults < wanted() && here < 5 && scene.goes_on() {
            fault(&mut scene);
            faults += 1;
            here += 1;
        }
        scene.finish();
    }
    report(name, faults, searches, start);
}

#[test]
fn workers_are_killed() {
    torment("kill-worker", |scene| {
        let victim = scene.workers.remove(0);
        end(victim);
        scene.hire("");
    });
}

#[test]
fn the_server_is_killed() {
    torment("kill-server", |scene| {
        scene.server.kill();
        thread::sleep(Duration::from_millis(fastrand::u64(0..700)));
        scene.server.start_again();
    });
}

#[test]
fn the_coordinator_is_killed() {
    torment("kill-coordinator", |scene| {
        let before = scene.events();
        signal(&scene.coordinator, "KILL");
        scene.coordinator.wait().expect("dead");
        scene.appoint();
        assert!(scene.events() >= before, "the journal only grows");
    });
}

/// A worker is stopped at its job, which goes to another one; continued after the pause, it goes on with it and answers, while the search
/// is still at work. All searches at once, for most of it is waiting.
#[test]
fn workers_are_stopped_and_continued() {
    let start = Instant::now();
    thread::scope(|scope| {
        for number in 1..=wanted() {
            scope.spawn(move || {
                // A lucky search may end before the worker is continued; then another one follows.
                let is_tried = (0..5).any(|_| is_stopped_and_continued(number));
                assert!(is_tried, "searches end too soon");
            });
        }
    });
    report("stop-worker", wanted(), wanted(), start);
}

/// Says whether the search was still at work when the worker was continued.
fn is_stopped_and_continued(number: usize) -> bool {
    let conduct = Conduct {
        job: pause() / 8,
        ..Conduct::default()
    };
    let mut scene = Scene::with(&format!("fault_stop-worker_{number}"), conduct);
    scene.hire("");
    scene.hire("");
    if !scene.goes_on() {
        return false;
    }
    signal(&scene.workers[0], "STOP");
    thread::sleep(pause());
    let is_at_work = !scene.is_over();
    signal(&scene.workers[0], "CONT");
    scene.finish();
    is_at_work
}

#[test]
fn the_network_is_cut() {
    torment("cut-network", |scene| {
        scene
            .cable
            .cut_for(Duration::from_millis(fastrand::u64(500..4_000)));
    });
}

/// Real cables between hosts: the worker lives in a network of its own, joined to ours by a pair of devices that is taken down. Needs the
/// right to make such networks; where there is none, the proxy above must do.
#[test]
fn the_network_between_hosts_is_cut() {
    let Some(host) = Host::new() else {
        note("network namespaces cannot be made here: not tried");
        return;
    };
    let start = Instant::now();
    let (mut faults, mut searches) = (0, 0);
    while faults < wanted() {
        searches += 1;
        assert!(searches <= wanted() + 10, "searches end too soon");
        let mut scene = Scene::empty(&format!("fault_host_{searches}"));
        for number in 0..2 {
            scene.workers.push(host.worker(&scene, number));
        }
        let mut here = 0;
        while faults < wanted() && here < 5 && scene.goes_on() {
            host.cut_for(Duration::from_millis(fastrand::u64(500..4_000)));
            faults += 1;
            here += 1;
        }
        scene.finish();
    }
    report(
        "cut between hosts (network namespace)",
        faults,
        searches,
        start,
    );
}

#[expect(clippy::print_stderr, reason = "what was not tried must be seen")]
fn note(text: &str) {
    eprintln!("{text}");
}

/// A network of its own, with one cable to ours. What is at the other end of it finds us at [`Host::HERE`].
struct Host {
    name: String,
}

impl Host {
    const HERE: &'static str = "10.213.77.1";

    fn new() -> Option<Self> {
        let host = Self {
            name: format!("tengen{}", std::process::id() % 100_000),
        };
        let name = &host.name;
        let made = ip(&format!("netns add {name}"))
            && ip(&format!("link add {name}a type veth peer name {name}b"))
            && ip(&format!("link set {name}b netns {name}"))
            && ip(&format!("addr add {}/24 dev {name}a", Self::HERE))
            && ip(&format!("link set {name}a up"))
            && ip(&format!("-n {name} addr add 10.213.77.2/24 dev {name}b"))
            && ip(&format!("-n {name} link set {name}b up"));
        made.then_some(host)
    }

    /// A worker's process there, joined to the scene's server by a relay that listens on all addresses here.
    fn worker(&self, scene: &Scene, number: usize) -> Child {
        let port = relay(scene.server.port());
        let url = format!("nats://{}:{port}", Self::HERE);
        let program = std::env::current_exe().expect("this program");
        Command::new("ip")
            .args(["netns", "exec", &self.name])
            .arg(program)
            .args([
                "--exact",
                "grid_scene::worker_process",
                "--ignored",
                "--quiet",
            ])
            .envs([
                (URL, url),
                (NAME, format!("far{number}")),
                (LIE, String::new()),
            ])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts")
    }

    fn cut_for(&self, time: Duration) {
        let name = &self.name;
        assert!(ip(&format!("link set {name}a down")));
        thread::sleep(time);
        assert!(ip(&format!("link set {name}a up")));
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        ip(&format!("link del {}a", self.name));
        ip(&format!("netns del {}", self.name));
    }
}

fn ip(line: &str) -> bool {
    let mut command = Command::new("ip");
    command.args(line.split(' '));
    let done = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    done.is_ok_and(|status| status.success())
}

/// The server listens on the loopback only; who comes from elsewhere is led there.
fn relay(to: u16) -> u16 {
    let listener = std::net::TcpListener::bind((Host::HERE, 0)).expect("a port");
    let port = listener.local_addr().expect("bound").port();
    thread::spawn(move || {
        for near in listener.incoming().flatten() {
            let Ok(far) = std::net::TcpStream::connect(("127.0.0.1", to)) else {
                continue;
            };
            for (from, into) in [(&near, &far), (&far, &near)] {
                let (mut from, mut into) = (
                    from.try_clone().expect("a socket"),
                    into.try_clone().expect("a socket"),
                );
                thread::spawn(move || {
                    let _ended = std::io::copy(&mut from, &mut into);
                    let _closed = into.shutdown(std::net::Shutdown::Both);
                });
            }
        }
    });
    port
}

#[test]
fn answers_are_doubled_and_reordered() {
    let start = Instant::now();
    let mut doubled = 0;
    let mut searches = 0;
    while doubled < wanted() {
        searches += 1;
        let scene = Scene::new(&format!("fault_double_{searches}"));
        let url = scene.server.url();
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let doubler = thread::spawn(move || double(&url, stopped));
        scene.finish();
        let _ended = stop.send(());
        doubled += doubler.join().expect("no panic");
    }
    report("doubled and reordered answers", doubled, searches, start);
}

/// Sends every answer again, later and in another order.
fn double(url: &str, stopped: tokio::sync::oneshot::Receiver<()>) -> usize {
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    runtime.block_on(async {
        let client = async_nats::connect(url).await.expect("connected");
        let mut answers = client.subscribe("tengen.result.>").await.expect("subscribed");
        let (mut seen, mut kept) = (0, Vec::new());
        tokio::pin!(stopped);
        loop {
            tokio::select! {
                _ = &mut stopped => return seen,
                Some(answer) = answers.next() => {
                    // Ours come back to us too.
                    if answer.headers.is_some() && answer.headers.as_ref().is_some_and(|it| it.get("Doubled").is_some()) {
                        continue;
                    }
                    kept.push(answer);
                    if kept.len() >= 4 {
                        fastrand::shuffle(&mut kept);
                        for answer in kept.drain(..) {
                            let mut headers = answer.headers.unwrap_or_default();
                            headers.insert("Doubled", "yes");
                            for _ in 0..2 {
                                let sent = client.publish_with_headers(answer.subject.clone(), headers.clone(), answer.payload.clone());
                                sent.await.expect("sent");
                            }
                            seen += 1;
                        }
                    }
                }
            }
        }
    })
}
