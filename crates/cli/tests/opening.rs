//! `tengen opening` on a small game, from the first search to the exported proof.

mod common;

use common::{Folder, Run};

const GAME: [&str; 3] = ["B:C3", "W:F6", "to-move:B"];

/// A folder and a way to ask its book.
struct Desk(Folder);

impl Desk {
    fn new(name: &str) -> Self {
        Self(Folder::new(name))
    }

    fn opening(&self, arguments: &[&str]) -> Run {
        let all = [&["opening", "--book", "my.book"], arguments].concat();
        self.0.run(&all)
    }

    fn solve(&self, more: &[&str]) -> Run {
        let all = [&["solve", "--rules", "6,6,4,1,1"], &GAME[..], more].concat();
        self.opening(&all)
    }

    fn json(&self, arguments: &[&str]) -> serde_json::Value {
        serde_json::from_str(&self.opening(arguments).ok()).expect("JSON")
    }
}

#[test]
fn an_opening_is_solved_resumed_shown_and_exported() {
    let desk = Desk::new("opening_small");
    let said = desk
        .solve(&["--workers", "2", "--proof", "small.proof"])
        .ok();
    assert!(said.contains("Black wins with "), "{said}");
    assert!(said.contains("VERIFIED by the checker"), "{said}");
    let checked = desk.0.run(&["check", "small.proof"]).ok();
    assert!(checked.contains("VERIFIED"), "{checked}");
    assert!(
        desk.0
            .read("small.proof")
            .contains("position B:C3 W:F6 to-move:B")
    );

    // The same root is the same search, and its proof is there at once.
    let again: serde_json::Value =
        serde_json::from_str(&desk.solve(&["--json"]).ok()).expect("JSON");
    assert_eq!(again["search"], 1);
    assert_eq!(again["state"], "solved");
    assert_eq!(again["winner"], "black");
    assert_eq!(again["check"]["verdict"], "VERIFIED");

    let list = desk.json(&["list", "--json"]);
    assert_eq!(list.as_array().expect("a list").len(), 1);
    assert_eq!(list[0]["winner"], "black");
    assert!(desk.opening(&["list"]).ok().contains("black wins"));
    let tree = desk.opening(&["watch", "1", "--once"]).ok();
    assert!(tree.contains("Black wins, proved"), "{tree}");

    desk.opening(&["export", "1", "--to", "proof", "again.proof"])
        .ok();
    assert_eq!(desk.0.read("again.proof"), desk.0.read("small.proof"));
    let journal = desk.opening(&["export", "1", "--to", "jsonl", "-"]).ok();
    assert!(
        journal.lines().all(|line| line.starts_with("{\"event\":")),
        "{journal}"
    );
    desk.opening(&["export", "1", "--to", "sgf", "tree.sgf"])
        .ok();
    assert!(desk.0.read("tree.sgf").contains("Black wins, proved"));
}

#[test]
fn an_expert_is_heard_or_told_what_is_wrong() {
    let desk = Desk::new("opening_hand");
    desk.solve(&[]).ok();
    desk.opening(&["suggest", "1", "root", "D4"]).ok();
    desk.opening(&["exclude", "1", "root", "D3"]).ok();
    let taken = desk.opening(&["exclude", "1", "root", "C3"]).refused();
    assert!(taken.contains("C3"), "{taken}");
    let nowhere = desk.opening(&["exclude", "1", "A1, A2", "C4"]).refused();
    assert!(nowhere.contains("no position after A1, A2"), "{nowhere}");
    let unknown = desk.opening(&["watch", "7"]).refused();
    assert!(unknown.contains("no search 7"), "{unknown}");
    let idle = desk.opening(&["stop", "1"]).refused();
    assert!(idle.contains("does not run"), "{idle}");
    let policy = desk.solve(&["--policy", "hope"]).refused();
    assert!(policy.contains("virtual-equivalence"), "{policy}");
    // What was said to a search that does not run is heard when it is resumed.
    desk.opening(&["resume", "1"]).ok();
    let journal = desk.opening(&["export", "1", "--to", "jsonl", "-"]).ok();
    assert!(journal.contains("\"event\":\"suggest\""), "{journal}");
}

#[test]
fn the_atlas_lists_and_draws_what_the_book_knows() {
    let desk = Desk::new("opening_atlas");
    let table = desk
        .opening(&[
            "atlas",
            "--region",
            "5x5",
            "--seconds",
            "0",
            "--svg",
            "atlas.svg",
        ])
        .ok();
    assert!(
        table.contains("44 openings: 0 proved for Black, 0 for White, 44 open"),
        "{table}"
    );
    assert!(table.contains("TX-d21"), "{table}");
    let picture = desk.0.read("atlas.svg");
    assert!(picture.contains("prefers-color-scheme:dark"));
    assert_eq!(picture.matches("font-weight=\"600\"").count(), 44);
    let wrong = desk.opening(&["atlas", "--region", "4x4"]).refused();
    assert!(wrong.contains("must be odd"), "{wrong}");
}
