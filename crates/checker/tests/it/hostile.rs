//! Files made to do harm: every one gets a verdict, none of them VERIFIED, within its limits.

use std::fmt::Write;
use std::time::{Duration, Instant};

use fastrand::Rng;
use tengen_checker::{Limits, Verdict, check};

const GOOD: &str = "tengen-proof 1\nrules 6,6,4,1,1\nposition B:B2,C2 W:B5,C5 to-move:B\n\
                    attacker black\nnodes 3\n0 D2 A2=1 E2=2\n1 E2\n2 A2\nend\n";

fn judge(text: &str) -> Verdict {
    check(text, &Limits::default())
}

#[test]
fn malformed_files_are_refused_and_the_message_says_why() {
    assert!(judge(GOOD).is_verified());
    for (from, to, because) in [
        ("proof 1", "proof 2", "only version 1 is read"),
        ("proof 1", "proof 01", "only version 1 is read"),
        ("tengen-proof 1\n", "", "expected `tengen-proof`"),
        (
            "tengen-proof 1",
            "\u{feff}tengen-proof 1",
            "byte order mark",
        ),
        ("6,6,4,1,1", "6,6,4,1", "names no rules"),
        ("6,6,4,1,1", "6,6,4,1,1,1", "names no rules"),
        (
            "6,6,4,1,1",
            "6,6,7,1,1",
            "the line length is 7, expected 2 to 6",
        ),
        ("6,6,4,1,1", "6,6,1,1,1", "expected 2 to 6"),
        ("6,6,4,1,1", "6,6,4,4,1", "expected 1 to 3"),
        ("6,6,4,1,1", "6,6,4,0,1", "expected 1 to 3"),
        ("6,6,4,1,1", "6,6,4,1,0", "expected 1 to 3"),
        (
            "6,6,4,1,1",
            "6,99,4,1,1",
            "the number of rows is 99, expected 1 to 63",
        ),
        ("6,6,4,1,1", "6,99999999999999999999,4,1,1", "too large"),
        ("6,6,4,1,1", "inf,6,4,1,1", "is not a number"),
        ("6,6,4,1,1", "-6,6,4,1,1", "is not a number"),
        ("to-move:B", "to-move:X", "expected black or white"),
        ("to-move:B", "to-move:B to-move:B", "is given twice"),
        ("to-move:B", "to-move:B Z:A1", "unknown field"),
        ("B:B2,C2", "B:B2,,C2", "is not a cell"),
        ("B:B2,C2", "B:B2,C0", "is not a cell"),
        ("B:B2,C2", "B:B2,C02", "is not a cell"),
        ("B:B2,C2", "B:B2,C99999999999", "is not a cell"),
        ("B:B2,C2", "B:B2,C9999", "off the board"),
        ("B:B2,C2", "B:B2,(0,1)", "off the board"),
        ("B:B2,C2", "B:B2,(1,1", "is not a cell"),
        ("black", "red", "expected black or white"),
        ("attacker black", "attacker", "expected black or white"),
        ("nodes 3", "nodes 2", "expected a later node, at most 1"),
        ("nodes 3", "nodes 4", "expected node 3 of 4"),
        ("nodes 3", "nodes 0", "at least 1 node"),
        ("nodes 3", "nodes 4294967296", "too large"),
        ("nodes 3", "nodes 4000000000", "expected node 3 of"),
        ("nodes 3", "nodes three", "is not a number"),
        ("nodes 3", "zone 2 A1\nnodes 3", "zone 2 is out of order"),
        ("nodes 3", "zone 1\nnodes 3", "expected a number and cells"),
        ("nodes 3", "zone 1 A1,A1\nnodes 3", "A1 is named twice"),
        (
            "nodes 3",
            "zones 1 A1\nnodes 3",
            "expected `except`, `region`, `zone` or `nodes`",
        ),
        ("A2=1", "A2=0", "expected a later node"),
        ("A2=1", "A2=3", "expected a later node"),
        ("A2=1", "A2=99999999999999999999", "too large"),
        ("A2=1", "A2=-1", "is not a number"),
        ("A2=1", "A2", "expected STONES=CHILD"),
        ("A2=1", "A2,A2=1", "A2 is named twice"),
        ("E2=2", "A2=2", "the reply A2 is given twice"),
        ("E2=2", "E2=1", "expected every node to be reachable"),
        ("0 D2", "0 D2,E2", "expected 1 to 1"),
        ("0 D2", "0 G2", "off the board"),
        ("0 D2", "1 D2", "expected node 0 of 3"),
        ("\n1 E2", "\n1", "the turn is missing"),
        ("\n1 E2", "\n1 -", "the turn is empty"),
        ("2 A2\n", "", "expected node 2 of 3"),
        ("end\n", "", "it may have been cut"),
        ("end\n", "end\nend\n", "after `end`"),
        ("end\n", "end of it\n", "nothing may follow `end`"),
        ("end\n", "END\n", "expected `end`"),
    ] {
        let text = GOOD.replacen(from, to, 1);
        assert_ne!(text, GOOD, "{from}");
        let verdict = judge(&text);
        let said = verdict.to_string();
        assert_eq!(verdict.exit_code(), 1, "{to}: {said}");
        assert!(said.contains(because), "{to}: {said}");
    }
}

#[test]
fn comments_empty_lines_and_case_do_not_matter() {
    let text = GOOD
        .replace('\n', "\r\n# a comment\r\n\r\n   \n")
        .replace("D2", "d2");
    assert!(judge(&text).is_verified());
    assert!(judge(GOOD.trim_end()).is_verified());
}

#[test]
fn long_chains_do_not_exhaust_the_stack() {
    // One threat after the other along a row of an infinite board, never answered well.
    let mut text = String::from("tengen-proof 1\nrules inf,inf,3,1,1\nposition B:A1 to-move:B\n");
    text += "attacker black\nnodes 100000\n";
    for id in 0..100_000 {
        let (x, y) = (id % 240, id / 240);
        let (reply, next) = (format!("({},{y})", x + 1000), id + 1);
        let reply = if id == 99_999 {
            String::new()
        } else {
            format!(" {reply}={next}")
        };
        writeln!(text, "{id} ({},{y}){reply}", x + 2).expect("a string takes everything");
    }
    text += "end\n";
    assert!(!judge(&text).is_verified());
    // The same without width, so that it fits on the board that is kept.
    let mut text = String::from("tengen-proof 1\nrules 63,63,63,1,1\nposition B:A1 to-move:B\n");
    text += "attacker black\nnodes 1900\n";
    let cell = |i: usize| format!("({},{})", i % 63 + 1, i / 63 + 1);
    for id in 0..1900 {
        let reply = if id == 1899 {
            String::new()
        } else {
            format!(" {}={}", cell(2 * id + 2), id + 1)
        };
        writeln!(text, "{id} {}{reply}", cell(2 * id + 1)).expect("a string takes everything");
    }
    text += "end\n";
    assert!(matches!(judge(&text), Verdict::Rejected(_)));
}

/// Every node leads to the next by many replies: as a tree this is 20^60 nodes.
fn exponential() -> String {
    let mut text = String::from("tengen-proof 1\nrules 63,63,5,2,1\nposition W:A1 to-move:B\n");
    text += "attacker black\nnodes 60\n";
    for id in 0..60 {
        write!(text, "{id} (1,{})", id + 2).expect("a string takes everything");
        for x in 0..20 {
            if id < 59 {
                write!(text, " ({},{})={}", 3 * x + 3, id + 2, id + 1).expect("a string");
            }
        }
        text += "\n";
    }
    text + "end\n"
}

#[test]
fn limits_are_honoured() {
    let text = exponential();
    let limits = Limits {
        nodes: Some(5_000),
        ..Limits::default()
    };
    let verdict = check(&text, &limits);
    assert!(matches!(verdict, Verdict::Undecided(_)), "{verdict}");
    assert!(verdict.to_string().contains("5000 nodes"), "{verdict}");
    let start = Instant::now();
    let limits = Limits {
        seconds: Some(0.2),
        memory_bytes: Some(1 << 20),
        ..Limits::default()
    };
    let verdict = check(&text, &limits);
    assert!(matches!(verdict, Verdict::Undecided(_)), "{verdict}");
    assert!(start.elapsed() < Duration::from_secs(5));
    // A limit never turns into another verdict, and a small one stops a good proof.
    let limits = Limits {
        nodes: Some(0),
        ..Limits::default()
    };
    assert_eq!(check(GOOD, &limits).exit_code(), 2);
    let limits = Limits {
        seconds: Some(0.0),
        ..Limits::default()
    };
    assert_eq!(check(GOOD, &limits).exit_code(), 2);
}

#[test]
fn many_critical_defences_are_stopped_by_limits() {
    // 30 rows with one stone each and p = 61: every window is a threat, with a multitude of answers.
    let stones: Vec<String> = (1..=60).map(|row| format!("A{row}")).collect();
    let text = format!(
        "tengen-proof 1\nrules 63,63,62,61,1\nposition B:{} to-move:W\nattacker black\nnodes 1\n0 -\nend\n",
        stones.join(",")
    );
    let limits = Limits {
        seconds: Some(0.3),
        memory_bytes: Some(50 << 20),
        nodes: None,
    };
    let start = Instant::now();
    assert!(!check(&text, &limits).is_verified());
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn little_memory_forgets_results_or_stops_but_changes_no_verdict() {
    let text = crate::traps::six_rows();
    for bytes in [0, 1_000, 10_000, 100_000, 1_000_000] {
        let limits = Limits {
            memory_bytes: Some(bytes),
            ..Limits::default()
        };
        let verdict = check(&text, &limits);
        assert_ne!(verdict.exit_code(), 1, "{verdict}");
    }
    let limits = Limits {
        memory_bytes: Some(10_000_000),
        ..Limits::default()
    };
    assert!(check(&text, &limits).is_verified());
}

#[test]
fn cells_too_far_apart_are_undecided() {
    let text = "tengen-proof 1\nrules inf,inf,4,1,1\nposition B:B2,C2 W:(9999,9999) to-move:B\n\
                attacker black\nnodes 1\n0 D2\nend\n";
    assert_eq!(judge(text).exit_code(), 2, "{}", judge(text));
}

#[test]
fn noise_never_panics() {
    let mut rng = Rng::with_seed(5);
    let words = [
        "tengen-proof 1\n",
        "rules ",
        "connect6",
        "inf,inf,6,2,3",
        "\nposition ",
        "B:",
        "W:",
        "A1",
        "(0,-3)",
        ",",
        " ",
        "to-move:B",
        "left:1",
        "\nattacker black",
        "\nnodes 2\n",
        "0 ",
        "1 ",
        "=",
        "-",
        "\nend\n",
        "#",
        "zone 1 ",
        "\nexcept ",
        "\nregion ",
        "é",
        "\u{0}",
        "(",
        ")",
        "99999999999",
        "\r\n",
        "=1",
        "J10,K10",
    ];
    for _ in 0..30_000 {
        let text: String = (0..rng.usize(0..40))
            .map(|_| words[rng.usize(..words.len())])
            .collect();
        assert!(!judge(&text).is_verified(), "{text}");
        let rest = rng.usize(..5);
        let header = "tengen-proof 1\nrules 4,4,3,1,1\nposition B:A1,B2 to-move:B\nattacker black\nnodes 1\n0 ";
        let tail: String = (0..rest).map(|_| words[rng.usize(..words.len())]).collect();
        judge(&format!("{header}{tail}\nend\n"));
    }
}
