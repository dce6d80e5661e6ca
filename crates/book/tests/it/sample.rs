//! Books and folders for the other tests.

use std::fs;
use std::path::{Path, PathBuf};

use tengen_book::{Book, NewSearch, SearchId, Source};
use tengen_rules::Position;

/// Black completes four in a row.
pub(crate) const WIN: &str = "tengen-proof 1\nrules 6,6,4,1,1\nposition B:B2,C2 W:B5,C5 to-move:B\n\
                              attacker black\nnodes 1\n0 D2\nend\n";

/// The same with a turn that wins nothing.
pub(crate) const WRONG: &str = "tengen-proof 1\nrules 6,6,4,1,1\nposition B:B2,C2 W:B5,C5 to-move:B\n\
                                attacker black\nnodes 1\n0 F6\nend\n";

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

    pub(crate) fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("a folder");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().display().to_string())
            .collect();
        names.sort();
        names
    }
}

pub(crate) fn book() -> Book {
    Book::in_memory().expect("a book")
}

pub(crate) fn connect6(text: &str) -> Position {
    tengen_book::start("connect6", text).expect("legal")
}

pub(crate) fn tester() -> Source {
    Source::named("a test")
}

pub(crate) fn search(book: &Book) -> SearchId {
    let new = NewSearch {
        title: "a search".to_owned(),
        rules: "connect6".to_owned(),
        root: "J10 I8 H9".to_owned(),
        config: "{}".to_owned(),
    };
    book.create_search(&new).expect("a search")
}

/// Everything in it, as text.
pub(crate) fn lines(book: &Book) -> String {
    let mut bytes = Vec::new();
    book.export_lines(&mut bytes).expect("readable");
    String::from_utf8(bytes).expect("text")
}
