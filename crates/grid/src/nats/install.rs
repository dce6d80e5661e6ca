//! Gets a NATS server where there is none: the distribution's package, unpacked into a folder of the user's.
//!
//! No rights are needed and nothing else of the system is changed. The package manager checks what it has fetched against the
//! signed lists of the distribution, so nothing is run that it would not have installed.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What people can do themselves.
pub(crate) const BY_HAND: &str = "install it, on Debian and Ubuntu with `sudo apt-get install nats-server`, on macOS with `brew install nats-server`; \
     elsewhere take version 2.9 or newer from https://github.com/nats-io/nats-server/releases, put it into PATH or say where it is with TENGEN_NATS_SERVER";

/// Where a server is that was unpacked into this folder.
pub(crate) fn installed(folder: &Path) -> Option<PathBuf> {
    ["usr/sbin", "usr/bin"]
        .iter()
        .map(|place| folder.join(place).join("nats-server"))
        .find(|path| path.is_file())
}

/// Unpacks the package into this folder. Says where the server is, or why it cannot be had.
pub(crate) fn install(folder: &Path) -> Result<PathBuf, String> {
    install_by("apt-get".as_ref(), "dpkg-deb".as_ref(), folder)
}

fn install_by(fetcher: &OsStr, unpacker: &OsStr, folder: &Path) -> Result<PathBuf, String> {
    let words = |error: std::io::Error| format!("{}: {error}", folder.display());
    let work = folder.join("fetched");
    // Of a try that was broken off.
    let _none = fs::remove_dir_all(&work);
    fs::create_dir_all(&work).map_err(words)?;
    let package = fetch(fetcher, &work)?;
    let mut unpack = Command::new(unpacker);
    unpack.arg("-x").arg(&package).arg(folder);
    run(unpack)?;
    let _left = fs::remove_dir_all(&work);
    let program =
        installed(folder).ok_or_else(|| "the package nats-server has no server".to_owned())?;
    let mut try_it = Command::new(&program);
    try_it.arg("--version");
    run(try_it)?;
    Ok(program)
}

/// The package as a file in this folder.
fn fetch(fetcher: &OsStr, work: &Path) -> Result<PathBuf, String> {
    let download = |options: &[String]| {
        let mut command = Command::new(fetcher);
        command.args(options).args(["download", "nats-server"]);
        run_in(command, work)
    };
    if let Err(first) = download(&[]) {
        // Its lists may be old or missing; with lists of our own no rights are needed to get new ones.
        let lists = work.join("lists");
        let cache = work.join("cache");
        for part in [lists.join("partial"), cache.join("archives/partial")] {
            fs::create_dir_all(&part).map_err(|error| error.to_string())?;
        }
        let options = [
            "-o".to_owned(),
            format!("Dir::State::lists={}", lists.display()),
            "-o".to_owned(),
            format!("Dir::Cache={}", cache.display()),
        ];
        let mut update = Command::new(fetcher);
        update.args(&options).arg("update");
        run_in(update, work).map_err(|_| first.clone())?;
        download(&options).map_err(|_| first)?;
    }
    let found = fs::read_dir(work).map_err(|error| error.to_string())?;
    let mut paths = found.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let is_package = |path: &PathBuf| path.extension().is_some_and(|it| it == "deb");
    paths
        .find(is_package)
        .ok_or_else(|| "no package was fetched".to_owned())
}

fn run(command: Command) -> Result<(), String> {
    run_in(command, Path::new("."))
}

fn run_in(mut command: Command, folder: &Path) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let done = command
        .current_dir(folder)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{name}: {error}"))?;
    if done.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&done.stderr);
    let last = said.lines().rev().find(|line| !line.trim().is_empty());
    let last: String = last.unwrap_or("no reason").chars().take(300).collect();
    Err(format!("{name}: {last}"))
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn script(folder: &Path, name: &str, text: &str) -> PathBuf {
        let path = folder.join(name);
        fs::write(&path, format!("#!/bin/sh\nset -e\n{text}\n")).expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("ours");
        path
    }

    /// With package managers of our own, so that no network is needed.
    #[test]
    fn the_package_is_unpacked_and_failures_are_told() {
        let folder = std::env::temp_dir().join(format!("tengen install {}", std::process::id()));
        let _not_there = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        // Knows the package only after an update with lists of our own.
        let fetcher = script(
            &folder,
            "fetch",
            r#"for it; do last="$it"; done
               case "$2" in Dir::State::lists=*) lists="${2#*=}";; *) lists=/nowhere;; esac
               if [ "$last" = update ]; then echo x > "$lists/known"; exit; fi
               if [ ! -f "$lists/known" ]; then echo "E: no such package" >&2; exit 100; fi
               echo it > nats-server_1_amd64.deb"#,
        );
        let unpacker = script(
            &folder,
            "unpack",
            r#"test "$1" = -x; mkdir -p "$3/usr/sbin"
               printf '#!/bin/sh\nexit 0\n' > "$3/usr/sbin/nats-server"; chmod +x "$3/usr/sbin/nats-server""#,
        );
        let home = folder.join("home");
        assert_eq!(installed(&home), None);
        let program = install_by(fetcher.as_ref(), unpacker.as_ref(), &home).expect("installed");
        assert_eq!(program, home.join("usr/sbin/nats-server"));
        assert_eq!(installed(&home), Some(program));
        assert!(!home.join("fetched").exists());
        let refuses = script(&folder, "refuse", "echo 'E: no network' >&2; exit 100");
        let other = folder.join("other");
        let error = install_by(refuses.as_ref(), unpacker.as_ref(), &other).expect_err("refused");
        assert!(error.ends_with("refuse: E: no network"), "{error}");
        let missing = folder.join("missing");
        let error = install_by(missing.as_ref(), unpacker.as_ref(), &other).expect_err("none");
        assert!(error.contains("missing"), "{error}");
        fs::remove_dir_all(&folder).expect("removed");
    }
}
