//! The program `tengen-check`: it says the same by its exit code, whether anybody reads its output or not.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn suite(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../suites")
        .join(name)
}

#[test]
fn a_closed_pipe_changes_nothing_and_is_no_panic() {
    for (file, code) in [
        ("gomoku/four-stones.gomoku", 0),
        ("proofs/exact.proof", 0),
        ("drawn/connect-8-1.draw", 0),
        ("gomoku/README.md", 1),
        ("not there", 2),
    ] {
        let (reader, writer) = io::pipe().expect("a pipe");
        drop(reader);
        let output = Command::new(env!("CARGO_BIN_EXE_tengen-check"))
            .arg(suite(file))
            .stdin(Stdio::null())
            .stdout(writer)
            .stderr(Stdio::piped())
            .output()
            .expect("the binary runs");
        assert_eq!(output.status.code(), Some(code), "{file}");
        let said = String::from_utf8_lossy(&output.stderr);
        match code {
            2 => assert!(said.starts_with("tengen-check: cannot read "), "{said}"),
            _ => assert!(said.is_empty(), "{file}: {said}"),
        }
    }
}
