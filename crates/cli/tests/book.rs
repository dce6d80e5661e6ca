//! `tengen book`, from an empty folder to two merged books.

mod common;

use common::Folder;

const WIN: &str = "tengen-proof 1\nrules 6,6,4,1,1\nposition B:B2,C2 W:B5,C5 to-move:B\n\
                   attacker black\nnodes 1\n0 D2\nend\n";

const TREE: &str = "(;GM[511];B[JJ]C[the centre](;W[IH];W[HI]C[K11 L10 is strong]\
                    ;B[KK];B[LJ])(;W[IH];W[KH]N[Mickey Mouse]))";

/// A folder and a way to ask its book.
struct Desk(Folder);

impl Desk {
    fn new(name: &str) -> Self {
        Self(Folder::new(name))
    }

    fn book(&self, arguments: &[&str]) -> common::Run {
        let all = [&["book", "--book", "my.book"], arguments].concat();
        self.0.run(&all)
    }

    fn json(&self, arguments: &[&str]) -> serde_json::Value {
        serde_json::from_str(&self.book(arguments).ok()).expect("JSON")
    }
}

#[test]
fn a_tree_is_imported_shown_and_searched() {
    let desk = Desk::new("book_tree");
    desk.0.write("tree.sgf", TREE);
    let said = desk
        .book(&[
            "import",
            "tree.sgf",
            "--language",
            "en",
            "--source",
            "a friend",
        ])
        .ok();
    assert_eq!(
        said,
        "`tree.sgf`: 0 new games, 4 turns, 2 comments, 1 name\n"
    );
    let shown = desk.book(&["show", "TX-d21"]).ok();
    for line in [
        "Name: TX-d21",
        "Not proved",
        "Comment (en, a friend):\n  K11 L10 is strong",
        "Turn     Games  Black won  What is known\nK11 L10\n",
    ] {
        assert!(shown.contains(line), "{line}: {shown}");
    }
    let turned = desk.book(&["show", "J10", "K12", "L11"]).ok();
    assert!(turned.contains("written for B:J10 W:"), "{turned}");
    let first = desk.book(&["show", "J10"]).ok();
    assert!(first.contains("TX-d21, 1 comment"), "{first}");
    assert!(first.contains("TX-b12, Mickey Mouse"), "{first}");
    let named = desk.json(&["show", "--json", "mickey", "mouse"]);
    assert_eq!(named["opening"], "TX-b12");
    assert_eq!(named["names"][0]["name"], "Mickey Mouse");
    let found = desk.book(&["search", "mick"]).ok();
    assert!(found.starts_with("name: Mickey Mouse  B:"), "{found}");
    assert_eq!(
        desk.book(&["search", "nowhere"]).ok(),
        "Nothing has these words\n"
    );
    let unknown = desk.book(&["show", "A1"]).ok();
    assert!(
        unknown.contains("The book does not have this position"),
        "{unknown}"
    );
}

#[test]
fn games_make_statistics_and_count_once() {
    let desk = Desk::new("book_games");
    desk.0
        .write("games.txt", "1 j10 i8h9 k11l10\n2 j10 k12l11\n3 j10 i8h8\n");
    let first = desk.book(&["import", "games.txt"]).ok();
    assert_eq!(first, "`games.txt`: 3 new games\n");
    let again = desk.book(&["import", "games.txt"]).ok();
    assert_eq!(again, "`games.txt`: 0 new games, 3 known\n");
    let shown = desk.book(&["show", "J10"]).ok();
    assert!(
        shown.contains("Games: 3: Black won 1, White 2, drawn 0"),
        "{shown}"
    );
    let json = desk.json(&["show", "--json", "J10"]);
    assert_eq!(json["games"]["games"], 3);
    assert_eq!(json["turns"][0]["games"]["games"], 2);
    assert_eq!(json["turns"][0]["opening"], "TX-d21");
}

#[test]
fn proofs_are_checked_kept_and_checked_again() {
    let desk = Desk::new("book_proofs");
    desk.0.write("win.proof", WIN);
    desk.0.write("wrong.proof", WIN.replace("0 D2", "0 F6"));
    let said = desk.book(&["add-proof", "win.proof"]).ok();
    assert!(
        said.starts_with("`win.proof`: VERIFIED, Black wins, 1 node; proof "),
        "{said}"
    );
    let wrong = desk.book(&["add-proof", "wrong.proof"]);
    assert_eq!(wrong.code, Some(1));
    assert!(wrong.stdout.contains("REJECTED"), "{}", wrong.stdout);
    let shown = desk
        .book(&["show", "--rules", "6,6,4,1,1", "B:D2,E2 W:D5,E5 to-move:B"])
        .ok();
    assert!(shown.contains("Proved: Black wins by D2"), "{shown}");
    assert!(shown.contains("VERIFIED by tengen-checker"), "{shown}");
    let checked = desk.book(&["check"]).ok();
    assert!(
        checked.ends_with(
            "2 proofs checked: 1 verified, 0 verified with exceptions, 1 not verified\n"
        ),
        "{checked}"
    );
    let vandal = rusqlite::Connection::open(desk.0.path("my.book")).expect("a file");
    vandal
        .execute("UPDATE proofs SET state = 'verified'", [])
        .expect("a lie");
    drop(vandal);
    let demoted = desk.book(&["check", "--json"]);
    assert_eq!(demoted.code, Some(1));
    assert!(
        demoted.stdout.contains("\"demoted\":1"),
        "{}",
        demoted.stdout
    );
    let info = desk.json(&["info", "--json"]);
    assert_eq!(
        (&info["proved"], &info["proofs"]["rejected"]),
        (&1.into(), &1.into())
    );
}

#[test]
fn books_are_exported_and_merged() {
    let desk = Desk::new("book_merge");
    desk.0.write("tree.sgf", TREE);
    desk.0.write("win.proof", WIN);
    desk.book(&["import", "tree.sgf"]).ok();
    desk.book(&["annotate", "TX-d21", "--comment", "mine", "--name", "Wu's"])
        .ok();
    let folder = &desk.0;
    let other = |arguments: &[&str]| {
        let all = [&["book", "--book", "other.book"], arguments].concat();
        folder.run(&all)
    };
    other(&["add-proof", "win.proof"]).ok();
    other(&["annotate", "TX-d21", "--comment", "theirs"]).ok();
    let merged = desk.book(&["merge", "other.book"]).ok();
    assert!(merged.contains("1 new proof and 0 new games"), "{merged}");
    let shown = desk.book(&["show", "TX-d21"]).ok();
    assert!(
        shown.contains("mine") && shown.contains("theirs"),
        "{shown}"
    );
    desk.book(&["export", "--to", "jsonl", "all.jsonl"]).ok();
    let copy = ["book", "--book", "copy.book"];
    folder
        .run(&[&copy[..], &["import", "all.jsonl"]].concat())
        .ok();
    let again = folder.run(&[&copy[..], &["export", "--to", "jsonl", "-"]].concat());
    assert_eq!(again.ok(), folder.read("all.jsonl"));
    let sgf = desk
        .book(&["export", "--to", "sgf", "--from", "TX-d21", "-"])
        .ok();
    assert!(sgf.contains("mine") && sgf.contains("Wu's"), "{sgf}");
}

#[test]
fn what_is_wrong_is_said() {
    let desk = Desk::new("book_wrong");
    let missing = desk.book(&["show", "J10"]).refused();
    assert!(
        missing.starts_with("there is no book `my.book`"),
        "{missing}"
    );
    assert!(missing.contains("tengen book import"), "{missing}");
    desk.0.write("my.book", "no book at all");
    let other = desk.book(&["info"]).refused();
    assert!(
        other.contains("is no book of tengen: it is no SQLite file"),
        "{other}"
    );
    assert_eq!(desk.0.read("my.book"), "no book at all");
    let desk = Desk::new("book_wrong_input");
    desk.book(&["annotate", "J10", "--comment", "here"]).ok();
    let name = desk.book(&["show", "Donald", "Duck"]).refused();
    assert!(name.contains("nor is it a name"), "{name}");
    let tag = desk
        .book(&["annotate", "J10", "--comment", "x", "--language", "en us"])
        .refused();
    assert!(tag.contains("`en us` is no language tag"), "{tag}");
    desk.0.write(
        "bad.jsonl",
        "{\"fact\":\"book\",\"version\":1}\n{\"fact\":\"poem\"}\n",
    );
    let line = desk.book(&["import", "bad.jsonl"]).refused();
    assert!(
        line.contains("cannot import `bad.jsonl`: line 2: unknown variant `poem`"),
        "{line}"
    );
    let binary = desk
        .book(&["export", "--to", "renlib", "--from", "J10", "x.lib"])
        .refused();
    assert!(binary.starts_with("cannot write lib"), "{binary}");
    let over = desk.book(&["annotate", "J10"]).refused();
    assert!(over.contains("--comment"), "{over}");
}
