//! `tengen serve`: the workbench, until Ctrl-C.

use std::env;
use std::io::Write as _;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use anyhow::{Context as _, anyhow};
use tengen_server::{Config, Gomoku};

use crate::args::ServeArgs;
use crate::commands::grid;
use crate::error::WithHint as _;
use crate::output::Output;
use crate::proof_file;

pub(crate) fn run(args: &ServeArgs, out: &mut Output) -> anyhow::Result<()> {
    let data = args.data.clone().or_else(usual_folder);
    let data = data
        .ok_or_else(|| anyhow!("this system does not say where data belongs"))
        .hint(|| Some("name a folder with --data DIR".to_owned()))?;
    let mut config = Config::local(data.clone());
    config.bind = SocketAddr::new(args.bind, args.port);
    config.token.clone_from(&args.token);
    config.puzzles.clone_from(&args.puzzles);
    config.gomoku = args.gomoku.as_deref().map(gomoku).transpose()?;
    let proof = config.gomoku.clone();
    if let Some(workers) = args.workers {
        config.workers = workers.into();
    }
    config.grid = grid::connected(&args.grid)?;
    tengen_server::run(config, |address| {
        let page = format!("http://{}/", reachable(address));
        // Nobody is left to be told when stdout is closed; the server serves all the same.
        let _ = writeln!(
            out,
            "Tengen is at {page} (data in {}); Ctrl-C stops it",
            data.display()
        );
        if let Some(proof) = proof {
            let _ = writeln!(out, "Proof of Go-Moku at {page}#/gomoku: {proof}");
        }
        let _ = out.flush();
        if args.open {
            let token = args
                .token
                .as_deref()
                .map(|token| format!("?token={}", encoded(token)));
            open_browser(&format!("{page}{}", token.unwrap_or_default()));
        }
    })?;
    Ok(())
}

/// A proof to play against.
fn gomoku(path: &Path) -> anyhow::Result<Arc<Gomoku>> {
    let bytes = proof_file::plain(proof_file::read_bytes(path)?).map_err(|error| anyhow!(error));
    bytes
        .and_then(|bytes| Ok(Arc::new(Gomoku::read(bytes)?)))
        .with_context(|| format!("cannot serve the proof of Go-Moku `{}`", path.display()))
        .hint(|| Some("`tengen check FILE` says more about such a file".to_owned()))
}

/// Where programs keep data of the user.
pub(crate) fn usual_folder() -> Option<PathBuf> {
    let folder = |name| {
        env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let base = if cfg!(windows) {
        folder("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        folder("XDG_DATA_HOME").or_else(|| folder("HOME").map(|home| home.join(".local/share")))
    };
    base.map(|base| base.join("tengen"))
}

/// "All addresses" is none that a browser could open.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

fn encoded(token: &str) -> String {
    token.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// It is a courtesy: the address is printed anyway.
fn open_browser(page: &str) {
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        Command::new("explorer")
    } else {
        Command::new("xdg-open")
    };
    let quiet = command
        .arg(page)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let _ = quiet.spawn();
}
