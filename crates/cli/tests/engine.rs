//! `tengen engine`: the transcripts of docs/protocols.md, and what a pipe can do to a program.

mod common;

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use common::Folder;

const DOCUMENT: &str = include_str!("../../../docs/protocols.md");

/// Far more than anything here takes; a test that hangs fails by it.
const FOR_EVER: Duration = Duration::from_secs(60);

/// The binary at the other end of two pipes.
struct Peer {
    child: Child,
    input: Option<ChildStdin>,
    said: Receiver<String>,
}

impl Peer {
    fn start(folder: &Folder, arguments: &[&str]) -> Self {
        let mut child = folder
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let output = child.stdout.take().expect("a pipe");
        let (sender, said) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let line = line.expect("UTF-8");
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self {
            input: child.stdin.take(),
            child,
            said,
        }
    }

    fn tell(&mut self, line: &str) {
        let input = self.input.as_mut().expect("still open");
        input.write_all(line.as_bytes()).expect("it listens");
    }

    #[track_caller]
    fn hear(&self) -> String {
        self.said.recv_timeout(FOR_EVER).expect("an answer")
    }

    /// It must end by itself, with status 0 and without another word.
    #[track_caller]
    fn ends(mut self) {
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                break status;
            }
            assert!(start.elapsed() < FOR_EVER, "it does not end");
            thread::sleep(Duration::from_millis(2));
        };
        assert!(status.success(), "{status}");
        assert_eq!(self.said.recv_timeout(FOR_EVER).ok(), None);
    }
}

/// A failed test leaves no process behind.
impl Drop for Peer {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What may differ from one version of the engine to the next.
fn shape(line: &str) -> String {
    let choice = |c: char| match c {
        '0'..='9' => '0',
        'A'..='S' => 'A',
        other => other,
    };
    let line: String = line.chars().map(choice).collect();
    let mut shape = line.replace("00", "0");
    if shape == "AAAA" || shape == "AWAA" {
        // The other choice of swap2.
        shape = "0,0".to_owned();
    }
    shape
}

fn matches(expected: &str, said: &str) -> bool {
    match expected.split_once("  # ") {
        None => said == expected,
        Some((choice, "any")) => shape(choice) == shape(said),
        Some((number, "varies")) => {
            let key = number.rsplit_once(' ').expect("a key and a number").0;
            said.starts_with(&format!("{key} "))
        }
        Some((_, remark)) => panic!("what does `{remark}` mean?"),
    }
}

fn play(transcript: &str, end_of_line: &str) {
    let (call, lines) = transcript.split_once('\n').expect("a command");
    let arguments: Vec<&str> = call
        .strip_prefix("$ tengen ")
        .expect("our command")
        .split(' ')
        .collect();
    let mut peer = Peer::start(&Folder::new("engine-transcripts"), &arguments);
    for line in lines.lines() {
        match line.split_at_checked(2) {
            Some(("> ", line)) => peer.tell(&format!("{line}{end_of_line}")),
            Some(("< ", expected)) => {
                let said = peer.hear();
                assert!(
                    matches(expected, &said),
                    "{call}: {said}, expected {expected}"
                );
            }
            _ => panic!("neither said nor heard: {line}"),
        }
    }
    peer.ends();
}

#[test]
fn the_transcripts_of_the_document_are_true() {
    let transcripts: Vec<&str> = DOCUMENT
        .split("```transcript\n")
        .skip(1)
        .map(|rest| rest.split("```").next().expect("a block ends"))
        .collect();
    assert_eq!(transcripts.len(), 4);
    for transcript in transcripts {
        play(transcript, "\n");
        play(transcript, "\r\n");
    }
}

#[test]
fn thinking_without_end_is_stopped() {
    let folder = Folder::new("engine-stop");
    let call = ["engine", "--protocol", "gomocup", "--seconds", "inf"];
    let mut peer = Peer::start(&folder, &call);
    peer.tell("START 15\nTURN 7,7\nYXSTOP\nABOUT\n");
    assert_eq!(peer.hear(), "OK");
    assert_eq!(shape(&peer.hear()), "0,0");
    assert!(peer.hear().starts_with("name="));
    // The pipe stays open: it is END that ends it.
    peer.tell("YXNBEST 1\nEND\n");
    while let Ok(line) = peer.said.recv_timeout(FOR_EVER) {
        assert!(line.starts_with("INFO ") || shape(&line) == "0,0", "{line}");
    }
    peer.ends();
}

#[test]
fn the_end_of_input_is_the_end() {
    let folder = Folder::new("engine-end");
    for (protocol, lines, words) in [
        ("gomocup", "START 15\nBEGIN\n", 2),
        ("gomocup", "BOARD\n1,1,1", 0),
        ("sau", "new white\nmove JJ@@", 1),
        ("cloudict", "next", 1),
        ("simple", "go", 1),
        ("simple", "", 0),
    ] {
        let mut call = vec!["engine", "--protocol", protocol, "--nodes", "100"];
        let said = folder.run_with(&call, lines.as_bytes()).ok();
        assert_eq!(said.lines().count(), words, "{protocol}: {said}");
        call.extend(["--seconds", "inf"]);
        let said = folder.run_with(&call, lines.as_bytes()).ok();
        assert_eq!(said.lines().count(), words, "{protocol}: {said}");
    }
}

#[test]
fn bytes_of_any_kind_are_answered() {
    let folder = Folder::new("engine-bytes");
    let mut lines = b"\xff\xfe\0\x1b[2J\n".to_vec();
    lines.extend(vec![b'7'; 1_000_000]);
    lines.extend(b"\n\n   \n\r\n\xc3\n");
    for (protocol, error) in [
        ("gomocup", "UNKNOWN "),
        ("sau", "error "),
        ("cloudict", "error "),
        ("simple", "error "),
    ] {
        let said = folder
            .run_with(&["engine", "--protocol", protocol], &lines)
            .ok();
        let said: Vec<&str> = said.lines().collect();
        assert_eq!(said.len(), 3, "{said:?}");
        assert!(
            said[0].starts_with(error) && !said[0].contains('\x1b'),
            "{said:?}"
        );
        assert!(
            said[1]
                .to_lowercase()
                .ends_with("error the line is too long"),
            "{said:?}"
        );
        assert!(said[2].starts_with(error), "{said:?}");
    }
}

#[test]
fn mistakes_of_the_command_line_are_explained() {
    let folder = Folder::new("engine-usage");
    let refused = |call: &[&str]| folder.run(call).refused();
    assert!(refused(&["engine"]).contains("--protocol"));
    assert!(refused(&["engine", "--protocol", "uci"]).contains("gomocup, sau, cloudict, simple"));
    let call = ["engine", "--protocol", "sau", "--engine", "deep-thought"];
    assert!(refused(&call).contains("there is no engine `deep-thought`"));
    let call = ["engine", "--protocol", "sau", "--seconds", "0"];
    assert!(refused(&call).contains("leave no time"));
}
