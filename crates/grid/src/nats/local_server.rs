//! A NATS server of our own, for trying the grid out.

use std::env;
use std::fs;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::GridError;
use super::install;
use super::keys::write_secret;

/// How long a server may take to listen.
const PATIENCE: Duration = Duration::from_secs(20);

/// Where `nats-server` is: what `TENGEN_NATS_SERVER` says, in the path, or where packages put it.
pub fn find_server() -> Option<PathBuf> {
    if let Some(said) = env::var_os("TENGEN_NATS_SERVER") {
        return Some(PathBuf::from(said)).filter(|path| path.is_file());
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let usual = [
        "/usr/sbin",
        "/usr/local/bin",
        "/usr/local/sbin",
        "/opt/homebrew/bin",
    ];
    let name = if cfg!(windows) {
        "nats-server.exe"
    } else {
        "nats-server"
    };
    env::split_paths(&path)
        .chain(usual.iter().map(PathBuf::from))
        .map(|folder| folder.join(name))
        .find(|path| path.is_file())
}

/// Where a server's program comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerProgram {
    /// It is there.
    Found(PathBuf),
    /// It was not there, and is now.
    Installed(PathBuf),
}

impl ServerProgram {
    /// The program.
    pub fn path(&self) -> &Path {
        match self {
            Self::Found(path) | Self::Installed(path) => path,
        }
    }

    /// Finds the program, also where it was installed before; `folder` is where that is.
    ///
    /// # Errors
    ///
    /// If there is none: what to do about it.
    pub fn find(folder: &Path) -> Result<Self, GridError> {
        if let Some(said) = env::var_os("TENGEN_NATS_SERVER")
            && !Path::new(&said).is_file()
        {
            let said = said.to_string_lossy();
            let reason = format!("TENGEN_NATS_SERVER says `{said}`, which is no file");
            return Err(GridError::NoServer(reason));
        }
        let found = find_server().or_else(|| install::installed(folder));
        let reason = || format!("nats-server is not installed; {}", install::BY_HAND);
        found
            .map(Self::Found)
            .ok_or_else(|| GridError::NoServer(reason()))
    }

    /// Finds the program, or gets it into this folder; `tell` hears before something is fetched.
    ///
    /// # Errors
    ///
    /// If it cannot be had: why, and what to do about it.
    pub fn find_or_install(folder: &Path, tell: impl FnOnce()) -> Result<Self, GridError> {
        let found = Self::find(folder);
        if found.is_ok() || env::var_os("TENGEN_NATS_SERVER").is_some() {
            return found;
        }
        tell();
        let done = install::install(folder).map(Self::Installed);
        done.map_err(|why| {
            let by_hand = install::BY_HAND;
            GridError::NoServer(format!(
                "nats-server is not installed and could not be fetched ({why}); {by_hand}"
            ))
        })
    }
}

/// A server that ends with this value.
#[derive(Debug)]
pub struct LocalServer {
    child: Child,
    url: String,
}

impl LocalServer {
    /// Starts a server that keeps its data in a folder and lets in who knows the token, which is in the folder too. With
    /// port 0 it takes a free one.
    ///
    /// # Errors
    ///
    /// If there is no server to be found, or it does not start.
    pub fn start(folder: &Path, bind: SocketAddr) -> Result<Self, GridError> {
        let program = ServerProgram::find(folder)?;
        Self::start_program(program.path(), folder, bind)
    }

    /// The same with this program.
    ///
    /// # Errors
    ///
    /// If it does not start.
    pub fn start_program(
        program: &Path,
        folder: &Path,
        bind: SocketAddr,
    ) -> Result<Self, GridError> {
        let failed = |reason: String| GridError::Unfit {
            address: bind.to_string(),
            reason,
        };
        let words = |error: std::io::Error| failed(error.to_string());
        fs::create_dir_all(folder).map_err(words)?;
        let token = token_of(folder).map_err(words)?;
        let port = match bind.port() {
            0 => free_port(bind).map_err(words)?,
            port => port,
        };
        let address = SocketAddr::new(bind.ip(), port);
        if TcpStream::connect_timeout(&reachable(address), Duration::from_millis(300)).is_ok() {
            return Err(failed(format!("somebody listens on port {port} already")));
        }
        let config = folder.join("nats.conf");
        let store = folder.join("store").display().to_string();
        let text = format!(
            "listen: \"{address}\"\nmax_payload: 1MB\njetstream {{ store_dir: {store:?} }}\nauthorization {{ token: \"{token}\" }}\n"
        );
        write_secret(&config, &text).map_err(words)?;
        let mut command = Command::new(program);
        command
            .arg("-c")
            .arg(&config)
            .arg("-l")
            .arg(folder.join("nats.log"));
        let child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(words)?;
        let mut server = Self {
            child,
            url: format!("nats://{token}@{}", reachable(address)),
        };
        let start = Instant::now();
        while TcpStream::connect_timeout(&reachable(address), Duration::from_millis(300)).is_err() {
            if server.has_ended() || start.elapsed() > PATIENCE {
                let log = folder.join("nats.log");
                return Err(failed(format!("it does not start; see {}", log.display())));
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(server)
    }

    /// Where it is, with the token.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Whether it has ended by itself.
    pub fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }
}

impl Drop for LocalServer {
    fn drop(&mut self) {
        // It keeps what it has acknowledged, however it ends.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The token of a folder; made if there is none.
fn token_of(folder: &Path) -> std::io::Result<String> {
    let path = folder.join("token");
    let plain = |text: &String| text.len() >= 16 && text.bytes().all(|c| c.is_ascii_alphanumeric());
    if let Some(token) = fs::read_to_string(&path)
        .ok()
        .map(|text| text.trim().to_owned())
        .filter(plain)
    {
        return Ok(token);
    }
    // A seed of the system's good randomness, without its letters that only say what it is.
    let seed = nkeys::KeyPair::new_user()
        .seed()
        .map_err(std::io::Error::other)?;
    let token: String = seed.chars().skip(6).take(32).collect();
    write_secret(&path, &token)?;
    Ok(token)
}

fn free_port(bind: SocketAddr) -> std::io::Result<u16> {
    Ok(TcpListener::bind(bind)?.local_addr()?.port())
}

/// "All addresses" is none that one could connect to.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        address.set_ip(match address {
            SocketAddr::V4(_) => [127, 0, 0, 1].into(),
            SocketAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
        });
    }
    address
}
