//! A process that writes a journal is killed again and again: nothing that was answered is lost.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use tengen_book::{Book, CheckedProof, SearchId};

use crate::sample::{Folder, WIN, search};

const PATH: &str = "TENGEN_TEST_JOURNAL";

/// Not a test of its own: the process that is killed.
#[test]
#[ignore = "started by the test below"]
fn writer() {
    let Some(path) = std::env::var_os(PATH) else {
        return;
    };
    let book = Book::open(path).expect("a book");
    let lease = book
        .take_lease(SearchId(1))
        .expect("the one before is dead");
    let proof = CheckedProof::check(WIN).expect("a proof");
    let mut last = book.search(lease.search()).expect("there").events;
    let mut out = std::io::stderr();
    loop {
        let event = format!("{{\"number\":{}}}", last + 1);
        let proofs = std::slice::from_ref(&proof);
        last = book.append(&lease, &[event], proofs).expect("ours");
        writeln!(out, "\nappended {last}").expect("a pipe");
    }
}

#[test]
fn what_was_answered_survives_kill_9() {
    if !std::fs::exists("/proc/self/stat").unwrap_or(false) {
        return; // Elsewhere a dead process is noticed after half a minute.
    }
    let folder = Folder::new("book_killed");
    let path = folder.path("killed.book");
    search(&Book::open(&path).expect("a book"));
    let mut random = fastrand::Rng::with_seed(11);
    let mut answered = 0;
    for _ in 0..10 {
        let mut child = Command::new(std::env::current_exe().expect("this test"))
            .args(["crashes::writer", "--exact", "--ignored", "--nocapture"])
            .env(PATH, &path)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a process");
        let lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
        let appended = lines
            .map_while(Result::ok)
            .filter_map(|line| line.strip_prefix("appended ")?.parse::<u64>().ok());
        let seen = appended.take(random.usize(1..20)).last();
        child.kill().expect("a process");
        child.wait().expect("a process");
        answered = seen.expect("it appended something");
        let book = Book::open_existing(&path).expect("whole");
        let numbers: Vec<u64> = book
            .events(SearchId(1), 0)
            .map(|event| {
                let (number, event) = event.expect("readable");
                assert_eq!(event, format!("{{\"number\":{number}}}"));
                number
            })
            .collect();
        let last = numbers.len() as u64;
        assert!(numbers.iter().copied().eq(1..=last), "without gaps");
        assert!(last >= answered, "{last} of {answered}");
        assert_eq!(book.search(SearchId(1)).expect("there").events, last);
        assert_eq!(book.info().expect("readable").proved, 1);
    }
    assert!(answered >= 10);
}

/// A process that opens its book a second time must keep its locks on it: else another one that opens the book and leaves
/// takes itself for the last one and deletes the write-ahead log under the others, which then fail with an I/O error.
#[cfg(target_os = "linux")]
#[test]
fn a_second_look_keeps_the_locks() {
    use std::os::unix::fs::MetadataExt as _;

    let folder = Folder::new("book_locks");
    let path = folder.path("locked.book");
    let book = Book::open(&path).expect("a book");
    let locks = || {
        let file = std::fs::metadata(&path).expect("a file");
        let (process, inode) = (std::process::id().to_string(), format!(":{}", file.ino()));
        let table = std::fs::read_to_string("/proc/locks").expect("a table");
        let ours = table.lines().filter(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            words.contains(&process.as_str()) && words.iter().any(|word| word.ends_with(&inode))
        });
        ours.count()
    };
    search(&book);
    assert!(locks() > 0, "the book is in use");
    let second = Book::open_existing(&path).expect("a book");
    assert!(locks() > 0, "a second look");
    drop(second);
    assert!(locks() > 0, "the first one is still there");
    drop(book);
    assert_eq!(locks(), 0);
}
