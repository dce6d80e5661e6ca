//! Opening: what is made, what is refused, and that refusing touches nothing.

use std::fs;
use std::thread;

use tengen_book::{Book, Error};

use crate::sample::{Folder, connect6, search, tester};

#[test]
fn a_book_is_made_and_found_again() {
    let folder = Folder::new("book_made");
    let path = folder.path("my.book");
    assert!(matches!(Book::open_existing(&path), Err(Error::Missing(_))));
    assert!(folder.files().is_empty(), "looking makes nothing");
    let book = Book::open(&path).expect("a new book");
    book.add_name(&connect6("J10 I8 H9"), "a name", "en", &tester())
        .expect("a name");
    drop(book);
    assert_eq!(folder.files(), ["my.book"], "nothing is left behind");
    let book = Book::open(&path).expect("the same book");
    assert_eq!(book.info().expect("readable").names, 1);
    assert!(Book::open(folder.path("none/my.book")).is_err());
}

#[test]
fn other_files_are_refused_and_left_as_they_are() {
    let folder = Folder::new("book_refused");
    let sqlite = folder.path("other.sqlite");
    let connection = rusqlite::Connection::open(&sqlite).expect("a file");
    connection
        .execute_batch("CREATE TABLE notes (text)")
        .expect("a table");
    drop(connection);
    fs::write(
        folder.path("text"),
        "Dear friend, this is a letter. ".repeat(9),
    )
    .expect("a file");
    fs::write(folder.path("short"), "SQLite").expect("a file");
    fs::write(folder.path("empty"), "").expect("a file");
    for (file, reason) in [
        ("other.sqlite", "another program"),
        ("text", "no SQLite"),
        ("short", "no SQLite"),
        ("empty", "empty"),
    ] {
        let before = fs::read(folder.path(file)).expect("there");
        let error = Book::open(folder.path(file)).expect_err("no book");
        assert!(error.to_string().contains(reason), "{file}: {error}");
        assert_eq!(
            fs::read(folder.path(file)).expect("there"),
            before,
            "{file}"
        );
    }
    assert_eq!(folder.files(), ["empty", "other.sqlite", "short", "text"]);
}

#[test]
fn a_newer_book_is_refused_with_both_versions() {
    let folder = Folder::new("book_newer");
    let path = folder.path("newer.book");
    drop(Book::open(&path).expect("a new book"));
    let connection = rusqlite::Connection::open(&path).expect("a file");
    connection
        .pragma_update(None, "user_version", 99)
        .expect("a number");
    drop(connection);
    let error = Book::open(&path).expect_err("newer");
    let text = error.to_string();
    assert!(
        text.contains("version 99") && text.contains("knows 1"),
        "{text}"
    );
}

#[test]
fn a_cut_book_is_an_error_wherever_it_is_cut() {
    let folder = Folder::new("book_cut");
    let path = folder.path("whole.book");
    let book = Book::open(&path).expect("a new book");
    for column in ["A", "B", "C", "D"] {
        let position = connect6(&format!("J10 I8 {column}9"));
        let text = "a long comment ".repeat(100);
        book.add_comment(&position, &text, "en", &tester())
            .expect("a comment");
    }
    drop(book);
    let whole = fs::read(&path).expect("there");
    let mut refused = 0;
    for length in (0..whole.len()).step_by(4096 + 1000) {
        fs::write(folder.path("cut.book"), &whole[..length]).expect("a file");
        let read = Book::open_existing(folder.path("cut.book")).and_then(|book| {
            book.info()?;
            book.lookup(&connect6("J10 I8 A9"))?;
            book.export_lines(&mut std::io::sink())
        });
        refused += u32::from(read.is_err());
    }
    assert!(refused > 5, "{refused}");
}

#[test]
fn many_who_make_and_write_one_book_do_not_disturb_each_other() {
    let folder = Folder::new("book_many");
    let path = folder.path("shared.book");
    thread::scope(|scope| {
        for writer in 0..4 {
            let path = &path;
            scope.spawn(move || {
                let book = Book::open(path).expect("a book");
                let lease = book.take_lease(search(&book)).expect("its own search");
                for number in 0..20 {
                    let event = format!("{{\"writer\":{writer},\"number\":{number}}}");
                    book.append(&lease, &[event], &[]).expect("its own");
                }
            });
        }
    });
    let book = Book::open_existing(&path).expect("a book");
    let searches = book.searches().expect("readable");
    assert_eq!(searches.len(), 4);
    assert!(searches.iter().all(|search| search.events == 20));
}
