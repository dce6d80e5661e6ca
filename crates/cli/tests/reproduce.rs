//! `tengen reproduce`: small parts of the tables, proofs kept and taken over.

mod common;

use common::Folder;

#[test]
fn the_items_are_listed() {
    let folder = Folder::new("reproduce_list");
    let list = folder.run(&["reproduce"]).ok();
    assert!(list.starts_with("rzop     Connect(6,2,3)"), "{list}");
    assert!(list.contains("\nfamily   "), "{list}");
    assert!(list.contains("\nkagami   "), "{list}");
    assert!(list.contains("\nkavalan  "), "{list}");
    assert!(list.contains("\nmnk      "), "{list}");
}

#[test]
fn rzop_keeps_proofs_and_goes_on_from_them() {
    let folder = Folder::new("reproduce_rzop");
    let run = || {
        let arguments = ["reproduce", "rzop", "--quick", "--out", "out/proofs"];
        folder.run(&arguments).ok()
    };
    let table = run();
    assert!(table.contains("\n| paper "), "{table}");
    let row = table.lines().find(|line| line.starts_with("| triangle"));
    let row = row.expect("a row of ours");
    assert!(row.contains("|    30 |    63 |"), "{row}");
    assert!(row.ends_with("| VERIFIED |"), "{row}");
    let proof = "out/proofs/triangle-19-order2.tproof";
    let verdict = folder.run(&["check", proof]).ok();
    assert!(verdict.starts_with("VERIFIED "), "{verdict}");
    // Counts and times come from the folder now.
    assert_eq!(run(), table);
    // A damaged proof is no proof: it is found again, in another time.
    folder.write(proof, "TENGENPF nonsense");
    let again = run();
    assert!(again.contains("\n| triangle"), "{again}");
    folder.run(&["check", proof]).ok();
    // The counts of one position do not make another won.
    let corner = "out/proofs/corner-19-order2.tproof";
    std::fs::copy(folder.path(proof), folder.path(corner)).expect("copied");
    assert!(run().contains("\n| corner"));
    let verdict = folder.run(&["check", corner]).ok();
    assert!(verdict.contains("B:J10,K10,J11 "), "{verdict}");
}

#[test]
fn family() {
    let folder = Folder::new("reproduce_family");
    let table = folder.run(&["reproduce", "family", "--quick"]).ok();
    assert!(
        table.contains("\n| J10 K10 J11 | 2x2 | Black wins |         0 |"),
        "{table}"
    );
    assert!(table.contains("\n2x2 box: Black wins 1 of 1 starts, "));
    assert!(table.contains("\n| Connect(5,2,2) |     B |  proved |     B |"));
    assert!(table.ends_with("\nProved 1 of 1 games\n"), "{table}");
}

#[test]
fn kagami_plays_and_takes_games_over() {
    let folder = Folder::new("reproduce_kagami");
    let arguments = [
        "reproduce",
        "kagami",
        "--quick",
        "--nodes",
        "40",
        "--out",
        "games",
    ];
    let table = folder.run(&arguments).ok();
    // The first game with each colour, beside the paper's.
    let games = |text: &str| -> Vec<String> {
        let row = |line: &&str| line.contains("| Black |") || line.contains("| White |");
        text.lines().filter(row).map(str::to_owned).collect()
    };
    let rows = games(&table);
    assert!(rows.len() >= 4 && rows.len().is_multiple_of(2), "{table}");
    for (place, row) in rows.iter().enumerate() {
        let (number, side) = [("1", "Black"), ("6", "White")][place % 2];
        assert!(
            row.starts_with(&format!("| {number}    | {side} |       1 |")),
            "{row}"
        );
    }
    assert!(
        rows[0].ends_with("|           D  121 |           L   31 |"),
        "{table}"
    );
    for row in [
        "| strategy alone v alphabeta ",
        "| with search v alphabeta ",
        "| paper: with search v MeinStein       |    6 |     0 |      4 |  45.9 |          23 |",
    ] {
        assert!(table.contains(row), "{row}: {table}");
    }
    // A game is what the rules make of its stones.
    let kept = folder.read("games/kagami-strategy-alone-v-alphabeta-1.json");
    let kept: serde_json::Value = serde_json::from_str(&kept).expect("JSON");
    let moves = kept["moves"].as_str().expect("stones");
    let words: Vec<&str> = ["show"].into_iter().chain(moves.split(' ')).collect();
    folder.run(&words).ok();
    // The second run only reads, unless the conditions are others.
    let mark = |text: &str| text.replace("\"turns\": ", "\"turns\": 4242");
    let path = "games/kagami-strategy-alone-v-alphabeta-1.json";
    folder.write(path, mark(&folder.read(path)));
    assert!(folder.run(&arguments).ok().contains("4242"));
    let mut other = arguments;
    other[4] = "41";
    assert!(!folder.run(&other).ok().contains("4242"));
}

#[test]
fn kavalan_keeps_what_it_took() {
    let folder = Folder::new("reproduce_kavalan");
    let arguments = ["reproduce", "kavalan", "--quick", "--out", "out"];
    let table = folder.run(&arguments).ok();
    let row = |name: &str| {
        let start = format!("| {name} ");
        let found = table.lines().filter(|line| line.starts_with(&start));
        let rows: Vec<Vec<&str>> = found
            .map(|line| line.split('|').map(str::trim).collect())
            .collect();
        rows
    };
    assert_eq!(row("t2-1")[0].len(), 1 + 9 + 1, "{table}");
    assert_eq!(row("tss-1")[0].len(), 1 + 7 + 1, "{table}");
    // Threat-space search at the root finds the first.
    let first = &row("t2-1")[0];
    assert!(
        first[6].contains(" (") && first[9].contains(" ("),
        "{table}"
    );
    assert_eq!(row("solved")[0][6], "1/1");
    assert_eq!(row("solved").len(), 2);
    // Times come from the folder now.
    assert_eq!(folder.run(&arguments).ok(), table);
}

#[test]
fn mnk_has_the_known_values() {
    let folder = Folder::new("reproduce_mnk");
    let arguments = [
        "reproduce",
        "mnk",
        "--quick",
        "--nodes",
        "100000",
        "--out",
        "out",
    ];
    let table = folder.run(&arguments).ok();
    let row = |name: &str| -> Vec<&str> {
        let start = format!("| {name} ");
        let found = table.lines().find(|line| line.starts_with(&start));
        let row = found.unwrap_or_else(|| panic!("no {name}: {table}"));
        row.split('|').map(str::trim).collect()
    };
    assert_eq!(row("5,5,4")[2..5], ["draw", "draw", "exact"]);
    assert_eq!(row("6,5,4")[2..5], ["win", "win", "exact"]);
    assert_eq!(row("5,5,5")[2..5], ["draw", "draw", "Maker-Breaker"]);
    let json: serde_json::Value = serde_json::from_str(&folder.read("out/mnk.json")).expect("JSON");
    let games = json.as_array().expect("a list");
    assert!(games.iter().all(|game| game["value"] == game["literature"]));
    assert!(table.contains(&format!("Decided {0} of {0} games", games.len())));

    let few = ["reproduce", "mnk", "--quick", "--nodes", "50"];
    let table = folder.run(&few).ok();
    assert!(
        table.contains("| 5,5,4  | unknown |       draw |             - |"),
        "{table}"
    );
}

#[test]
fn bad_input() {
    let folder = Folder::new("reproduce_bad");
    folder.write("file", "");
    for arguments in [
        &["reproduce", "everything"][..],
        &["reproduce", "--quick"],
        &["reproduce", "rzop", "--threads", "0"],
        &["reproduce", "rzop", "--seconds", "0"],
        &["reproduce", "rzop", "--nodes", "100"],
        &["reproduce", "kagami", "--seconds", "inf"],
        &["reproduce", "kagami", "--seconds", "1", "--nodes", "100"],
    ] {
        folder.run(arguments).refused();
    }
    let taken = folder.run(&["reproduce", "rzop", "--quick", "--out", "file"]);
    assert!(
        taken
            .refused()
            .starts_with("cannot make the folder `file`: ")
    );
}
