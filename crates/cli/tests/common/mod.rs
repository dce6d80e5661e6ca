//! Runs the real binary in a folder of its own.

#![allow(dead_code, reason = "each test file uses a part")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a run printed.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: Option<i32>,
}

impl Run {
    /// The output of a run that must succeed.
    #[track_caller]
    pub(crate) fn ok(self) -> String {
        assert_eq!(self.code, Some(0), "{}", self.stderr);
        self.stdout
    }

    /// The message of a run that must fail as bad input does: one line, perhaps a hint, code 2.
    #[track_caller]
    pub(crate) fn refused(self) -> String {
        assert_eq!(self.code, Some(2), "{}{}", self.stdout, self.stderr);
        assert_eq!(self.stdout, "", "a failure prints no data");
        let message = self.stderr.strip_prefix("tengen: ").expect("our prefix");
        let lines: Vec<&str> = message.lines().collect();
        let well_formed = match lines[..] {
            [_] => true,
            [_, "", hint] => hint.starts_with("hint: "),
            _ => false,
        };
        assert!(well_formed, "one line and perhaps a hint: {message}");
        message.trim_end().to_owned()
    }
}

/// A folder for one test; `name` must be its own.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        // Left over from an earlier run, or not there.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a temporary folder");
        Self(path)
    }

    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.0.join(file)
    }

    pub(crate) fn write(&self, file: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(file), content).expect("a temporary file");
    }

    pub(crate) fn read(&self, file: &str) -> String {
        String::from_utf8(fs::read(self.path(file)).expect("a written file")).expect("a text")
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
        command
            .args(arguments)
            .current_dir(&self.0)
            .env_remove("NO_COLOR")
            .env_remove("CLICOLOR_FORCE")
            .env("LC_ALL", "C.UTF-8");
        command
    }

    /// Runs with this text on stdin.
    pub(crate) fn run_with(&self, arguments: &[&str], input: &[u8]) -> Run {
        run(self.command(arguments), input)
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        self.run_with(arguments, b"")
    }
}

/// Runs a prepared command.
pub(crate) fn run(mut command: Command, input: &[u8]) -> Run {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    // It may refuse before it has read everything.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    let output = child.wait_with_output().expect("the binary ends");
    Run {
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
        code: output.status.code(),
    }
}
