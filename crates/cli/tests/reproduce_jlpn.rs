//! `tengen reproduce jlpn`: the simulator, its pictures, and what is taken over.

mod common;

use common::Folder;

const POLICIES: [&str; 5] = [
    "virtual-win",
    "virtual-loss",
    "greedy",
    "virtual-equivalence",
    "patient",
];

#[test]
fn a_simulation_prints_its_losses_and_draws_all_policies() {
    let folder = Folder::new("reproduce_jlpn_simulation");
    let run = || {
        let arguments = [
            "reproduce",
            "jlpn",
            "--simulate-only",
            "--quick",
            "--out",
            "jlpn",
        ];
        folder.run(&arguments).ok()
    };
    let table = run();
    assert!(
        table.contains("\nJob times: the simulator's own"),
        "{table}"
    );
    for policy in POLICIES {
        for way in [policy.to_owned(), format!("{policy}, fill")] {
            let rows = |line: &&str| line.starts_with(&format!("| {way} "));
            let rows: Vec<&str> = table.lines().filter(rows).collect();
            assert_eq!(rows.len(), 11, "1 to 1,024 workers: {table}");
            assert!(
                rows.iter().all(|row| row.ends_with("|    2/2 |")),
                "{table}"
            );
            shares_add_up(&rows);
        }
    }
    for picture in ["speedup", "efficiency", "policies-simulated"] {
        let svg = folder.read(&format!("jlpn/{picture}.svg"));
        let texts = texts_of(&svg);
        for policy in POLICIES {
            let is_there = texts.iter().any(|text| text.starts_with(policy));
            assert!(is_there, "{policy} in {picture}: {texts:?}");
        }
        assert!(svg.contains("prefers-color-scheme:dark"));
    }
    // No clock and no chance in it.
    assert_eq!(run(), table);
}

/// Efficiency and the three losses make up all the time there is.
fn shares_add_up(rows: &[&str]) {
    for row in rows {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let share = |cell: &str| cell.parse::<f64>().expect("a number");
        let sum: f64 = cells[4..8].iter().map(|cell| share(cell)).sum();
        assert!((sum - 1.0).abs() < 0.03, "{row}");
    }
}

/// The texts of a picture, which must be well-formed: every element is closed in its turn.
fn texts_of(svg: &str) -> Vec<&str> {
    let (mut open, mut texts, mut rest) = (Vec::new(), Vec::new(), svg);
    while let Some(start) = rest.find('<') {
        let text = rest[..start].trim();
        assert!(text.is_empty() || !open.is_empty(), "text outside: {text}");
        assert!(!text.contains('>'), "{text}");
        if open.last() == Some(&"text") {
            texts.push(text);
        }
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        assert!(tag.matches('"').count().is_multiple_of(2), "{tag}");
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(closed), "{tag}");
        } else if !tag.ends_with('/') {
            open.push(tag.split_whitespace().next().expect("a name"));
        }
        rest = &rest[end + 1..];
    }
    assert_eq!((open.len(), rest.trim()), (0, ""), "something is left open");
    texts
}

#[test]
fn finished_runs_are_taken_over() {
    let folder = Folder::new("reproduce_jlpn_kept");
    let run = |seconds: &str| {
        let arguments = [
            "reproduce",
            "jlpn",
            "--quick",
            "--seconds",
            seconds,
            "--out",
            "jlpn",
        ];
        folder.run(&arguments).ok()
    };
    // No search is solved in no time, yet each is a finished run of that limit.
    let table = run("0.01");
    let rows = |table: &str| -> Vec<String> {
        let rows = table.lines().filter(|line| line.contains(" open "));
        rows.map(str::to_owned).collect()
    };
    // One worker once, two with each policy.
    assert_eq!(rows(&table).len(), 1 + POLICIES.len(), "{table}");
    // The seconds would differ if anything had been run again.
    assert_eq!(run("0.01"), table);
    // A win without a proof beside it is not believed.
    let first = &rows(&table)[0];
    let name = first.split('|').nth(1).expect("a name").trim();
    let kept = format!("jlpn/{name}-virtual-loss-1.json");
    let forged = folder
        .read(&kept)
        .replace("\"winner\":null", "\"winner\":\"black\"");
    assert!(forged.contains("\"winner\":\"black\""), "{forged}");
    folder.write(&kept, forged);
    let again = run("0.01");
    assert!(!again.contains("VERIFIED black"), "{again}");
}

#[test]
fn a_book_gives_its_recorded_searches() {
    let folder = Folder::new("reproduce_jlpn_recorded");
    let simulate = ["reproduce", "jlpn", "--simulate-only", "--quick"];
    let recorded = |book| folder.run(&[&simulate[..], &["--recorded", book]].concat());
    let missing = recorded("my.book").refused();
    assert!(missing.contains("my.book"), "{missing}");

    let solve = "opening --book my.book solve --rules 6,6,4,1,1 B:C3 W:F6 to-move:B --attacker both --table-one";
    folder.run(&solve.split(' ').collect::<Vec<_>>()).ok();
    let table = recorded("my.book").ok();
    let head = "Recorded searches in `my.book`: 1, of which 1 solved.\n";
    assert!(table.starts_with(head), "{table}");
    assert!(table.contains("for 1 jobs were recorded"), "{table}");
    assert!(!table.contains("VERIFIED"), "a recording proves nothing");

    let first = [&["reproduce", "jlpn"][..], &["--recorded", "my.book"]].concat();
    let message = folder.run(&first).refused();
    assert!(message.contains("--simulate-only"), "{message}");
}

#[test]
fn only_jlpn_simulates() {
    let folder = Folder::new("reproduce_jlpn_other");
    let message = folder
        .run(&["reproduce", "rzop", "--simulate-only"])
        .refused();
    assert!(
        message.contains("--simulate-only is about jlpn"),
        "{message}"
    );
}
