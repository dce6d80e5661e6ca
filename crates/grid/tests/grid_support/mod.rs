//! A NATS server of our own, in a folder of its own, killed when it is dropped.

#![allow(dead_code, reason = "each test file uses a part")]

pub(crate) mod proxy;

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tengen_grid::nats::{Access, Grid, find_server};

/// Long enough for the slowest machine; nothing waits for it where things go well.
pub(crate) const PATIENCE: Duration = Duration::from_secs(180);

/// A server. Its port stays the same when it is killed and started again.
pub(crate) struct Server {
    child: Option<Child>,
    port: u16,
    folder: PathBuf,
    config: Option<PathBuf>,
    /// Where it is started.
    home: Option<PathBuf>,
}

impl Server {
    /// Starts one; `folder` is its own.
    pub(crate) fn start(folder: &Path) -> Self {
        Self::start_with(folder, None, free_port())
    }

    /// Starts one with a configuration file, which says where it listens and what it keeps.
    pub(crate) fn start_with(folder: &Path, config: Option<PathBuf>, port: u16) -> Self {
        let mut server = Self {
            child: None,
            port,
            folder: folder.join("nats"),
            config,
            home: None,
        };
        server.start_again();
        server
    }

    /// Starts one in the folder of its configuration, as somebody would to whom the folder was given.
    pub(crate) fn start_in(home: &Path, config: &Path, port: u16) -> Self {
        let mut server = Self {
            child: None,
            port,
            folder: home.join(config),
            config: Some(config.to_owned()),
            home: Some(home.to_owned()),
        };
        server.start_again();
        server
    }

    /// Starts it again after a kill.
    pub(crate) fn start_again(&mut self) {
        assert!(self.child.is_none(), "it runs");
        let mut command = Command::new(
            find_server().expect("nats-server is installed; scripts/setup.sh does that"),
        );
        match &self.config {
            Some(config) => command.arg("-c").arg(config),
            None => command
                .args([
                    "-js",
                    "-a",
                    "127.0.0.1",
                    "-p",
                    &self.port.to_string(),
                    "-sd",
                ])
                .arg(&self.folder),
        };
        if let Some(home) = &self.home {
            command.current_dir(home);
        }
        let log = self.folder.with_extension("log");
        command.arg("-l").arg(log);
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        self.child = Some(child.expect("it starts"));
        until("the server listens", || {
            TcpStream::connect(("127.0.0.1", self.port)).is_ok()
        });
    }

    /// Kills it as a power cut would.
    pub(crate) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().expect("killed, or dead already");
            child.wait().expect("dead");
        }
    }

    /// Has it read its configuration again, as `nats-server --signal reload` does.
    pub(crate) fn reload(&self) {
        let pid = self.child.as_ref().expect("it runs").id().to_string();
        let sent = Command::new("kill").args(["-HUP", &pid]).status();
        assert!(sent.expect("kill is there").success());
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub(crate) fn access(&self) -> Access {
        Access::at(&self.url()).expect("an address")
    }

    /// A coordinator's connection. A server that has just begun may not be ready yet.
    pub(crate) fn grid(&self) -> Grid {
        let mut found = None;
        until("the grid answers", || {
            found = Grid::connect(&self.access()).ok();
            found.is_some()
        });
        found.expect("connected")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A port that nobody uses now.
pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    listener.local_addr().expect("bound").port()
}

/// Waits until something is so.
#[track_caller]
pub(crate) fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "not in {PATIENCE:?}: {what}");
        thread::sleep(Duration::from_millis(10));
    }
}
