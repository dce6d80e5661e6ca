//! `tengen check` and `tengen proof`: verdicts, forms, and files that are not what they say.

mod common;

use common::Folder;
use serde_json::Value;

const WORKED: &str = "\
tengen-proof 1
rules 6,6,4,1,1
position B:B2,C2 W:B5,C5 to-move:B
attacker black
nodes 3
0 D2 A2=1 E2=2
1 E2
2 A2
end
";
const FORK: &str = "B:H8,I9,J10,L8,M7 W:G7,K10,K12,N6 to-move:B";

/// A folder with a proof that has some depth, in both forms.
fn with_proofs(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("worked.proof", WORKED);
    folder
        .run(&["solve", "--order", "1", FORK, "--proof", "fork.proof"])
        .ok();
    folder
        .run(&["proof", "import", "fork.proof", "fork.tproof"])
        .ok();
    folder
}

/// The verdict's first word and the exit code.
fn judge(folder: &Folder, file: &str) -> (String, Option<i32>) {
    let run = folder.run(&["check", file]);
    let word = run.stdout.split(' ').next().unwrap_or_default();
    (word.to_owned(), run.code)
}

#[test]
fn verdicts_and_exit_codes() {
    let folder = with_proofs("check_verdicts");
    folder.write(
        "wrong.proof",
        WORKED.replace("D2 A2=1 E2=2", "A1 D2=1 E2=2"),
    );
    let good = folder.run(&["check", "worked.proof", "fork.tproof"]).ok();
    let lines: Vec<&str> = good.lines().collect();
    assert!(
        lines[0].starts_with("VERIFIED worked.proof: Black wins, 2 turns, 3 nodes, 118 bytes, ")
    );
    assert_eq!(lines[1], "  6,6,4,1,1 B:B2,C2 W:B5,C5 to-move:B");
    assert!(lines[2].starts_with("VERIFIED fork.tproof: Black wins, "));
    // Rejected weighs more than missing, and missing more than verified.
    let run = folder.run(&["check", "none.proof", "wrong.proof", "worked.proof"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.starts_with("REJECTED wrong.proof: "));
    assert!(run.stdout.contains("\nVERIFIED worked.proof: "));
    assert_eq!(
        run.stderr,
        "tengen: cannot read `none.proof`: there is no such file\n"
    );
    let run = folder.run(&["check", "worked.proof", "none.proof"]);
    assert_eq!(run.code, Some(2));
    let stdin = folder.run_with(&["check", "-"], WORKED.as_bytes()).ok();
    assert!(stdin.starts_with("VERIFIED stdin: "));
}

#[test]
fn undecided_is_not_success() {
    let folder = with_proofs("check_undecided");
    let run = folder.run(&["check", "--seconds", "0.000000001", "fork.proof"]);
    assert_eq!(run.code, Some(2), "{}", run.stdout);
    assert!(run.stdout.starts_with("UNDECIDED fork.proof: "));
    assert!(!run.stdout.contains("VERIFIED"));
    for (arguments, message) in [
        (
            ["--seconds", "0"],
            "--seconds: 0 seconds leave no time, expected more than 0, or inf for no limit",
        ),
        (
            ["--memory", "0"],
            "--memory: 0 MiB hold nothing, expected at least 1",
        ),
    ] {
        let [option, value] = arguments;
        let run = folder.run(&["check", option, value, "fork.proof"]);
        assert_eq!(run.refused(), message);
    }
}

#[test]
fn a_proof_about_something_else() {
    let folder = with_proofs("check_other");
    let check = |position: &str, rules: &str| {
        let run = folder.run(&[
            "check",
            "--position",
            position,
            "--rules",
            rules,
            "worked.proof",
        ]);
        (run.stdout, run.code)
    };
    let same = check("W:C5,B5 B:C2,B2 to-move:black left:1", "6,6,4,1,1");
    assert_eq!(same.1, Some(0), "{}", same.0);
    for (position, rules) in [
        ("B:B2,C2 W:B5,C5 to-move:W", "6,6,4,1,1"),
        ("B:B2,C2 W:B5 to-move:B", "6,6,4,1,1"),
        ("B:B2,C2 W:B5,C5 to-move:B", "7,7,4,1,1"),
    ] {
        let (text, code) = check(position, rules);
        assert_eq!(code, Some(1));
        assert!(
            text.starts_with("REJECTED worked.proof: the proof is about"),
            "{text}"
        );
    }
    let run = folder.run(&["check", "--position", "J10 J10", "worked.proof"]);
    assert_eq!(
        run.refused(),
        "--position: stone 2: J10 is already occupied by Black"
    );
}

#[test]
fn damaged_files_are_rejected() {
    let folder = with_proofs("check_damaged");
    folder.write(
        "version.proof",
        WORKED.replace("tengen-proof 1", "tengen-proof 2"),
    );
    let run = folder.run(&["check", "version.proof"]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.stdout.contains("version `2`") || run.stdout.contains("version 2"),
        "{}",
        run.stdout
    );
    let text = folder.read("fork.proof");
    let compact = std::fs::read(folder.path("fork.tproof")).expect("a file");
    let mut version = compact.clone();
    version[8] = 3;
    folder.write("version.tproof", &version);
    let run = folder.run(&["check", "version.tproof"]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.stdout
            .contains("version 3 of the format, expected 1 to 2"),
        "{}",
        run.stdout
    );
    // Cut anywhere.
    for tenth in 0..10 {
        folder.write("cut", &text.as_bytes()[..text.len() * tenth / 10]);
        assert_eq!(judge(&folder, "cut"), ("REJECTED".to_owned(), Some(1)));
        folder.write("cut", &compact[..compact.len() * tenth / 10]);
        assert_eq!(judge(&folder, "cut"), ("REJECTED".to_owned(), Some(1)));
    }
    // One bit changed: hardly ever still a proof, and never a crash. Where it is one, it is of
    // something true.
    let mut rejected = 0;
    for (bytes, step) in [(text.as_bytes(), 11), (&compact[..], 5)] {
        for at in (0..bytes.len()).step_by(step) {
            let mut flipped = bytes.to_vec();
            flipped[at] ^= 1 << (at % 8);
            folder.write("flipped", &flipped);
            let (word, code) = judge(&folder, "flipped");
            match word.as_str() {
                "REJECTED" => assert_eq!(code, Some(1)),
                "VERIFIED" => assert_eq!(code, Some(0)),
                other => panic!("{other} {code:?} at {at}"),
            }
            rejected += usize::from(word == "REJECTED");
        }
    }
    assert!(rejected > 20, "{rejected}");
}

#[test]
fn zones_and_json() {
    let folder = with_proofs("check_zones");
    let text = folder.run(&["check", "--zones", "worked.proof"]).ok();
    assert!(text.contains("\n 2  1 ● ● 1 1 2  2\n"), "{text}");
    assert!(text.contains("Relevance zones: Z1 6 cells, Z2 20 cells"));
    let json = folder.run(&["check", "--json", "fork.proof"]).ok();
    let report: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(report["verdict"], "VERIFIED");
    assert_eq!(report["rules"], "connect6");
    assert_eq!(report["attacker"], "black");
    assert_eq!(report["reason"], Value::Null);
}

#[test]
fn the_tree_of_a_proof() {
    let folder = with_proofs("proof_show");
    let text = folder.run(&["proof", "show", "worked.proof"]).ok();
    assert!(text.starts_with(
        "Connect(6,6,4,1,1): 4 in a row on 6x6, 1 stone a turn\n\
         Claim: Black wins, Black to move; 3 nodes, not checked here\n"
    ));
    assert!(text.ends_with("\n0: Black D2, more threats than can be stopped\n"));
    let node = folder
        .run(&["proof", "show", "worked.proof", "--node", "1"])
        .ok();
    assert!(node.contains("\n 2  ○ ● ● ● · ·  2\n"), "{node}");
    assert!(
        node.ends_with("Node 1: Black to play, 1 stone left\n\n1: Black E2, a complete line\n")
    );
    let fork = folder
        .run(&["proof", "show", "fork.tproof", "--depth", "2"])
        .ok();
    assert!(
        fork.contains("\n  White ") && fork.contains(" -> 1: Black "),
        "{fork}"
    );
    assert!(fork.contains(" not shown\n"), "{fork}");
    let run = folder.run(&["proof", "show", "worked.proof", "--node", "3"]);
    assert_eq!(
        run.refused(),
        "`worked.proof` has 3 nodes, there is no node 3"
    );
}

#[test]
fn from_form_to_form() {
    let folder = with_proofs("proof_forms");
    let text = folder.read("fork.proof");
    let export = |to: &str, from: &str| folder.run(&["proof", "export", from, "--to", to]).ok();
    assert_eq!(export("text", "fork.tproof"), text);
    let json: Value = serde_json::from_str(&export("json", "fork.proof")).expect("JSON");
    assert_eq!(json["format"], "tengen-proof");
    assert_eq!(json["nodes"][0]["id"], 0);
    folder
        .run(&["proof", "export", "fork.proof", "again.tproof"])
        .ok();
    let bytes = |file: &str| std::fs::read(folder.path(file)).expect("a file");
    assert_eq!(bytes("again.tproof"), bytes("fork.tproof"));
    assert_eq!(folder.run(&["proof", "import", "fork.tproof"]).ok(), text);
    // Every line of the SGF is legal, and ends as it should.
    folder
        .run(&["proof", "export", "fork.proof", "fork.sgf"])
        .ok();
    let sgf = folder.read("fork.sgf");
    assert!(sgf.contains("more threats than White can stop"));
    let line = folder.run(&["show", "--file", "fork.sgf"]).ok();
    assert!(line.contains("Last turn: Black"), "{line}");
    let cut = folder.run(&[
        "proof",
        "export",
        "fork.proof",
        "--to",
        "sgf",
        "--most",
        "5",
    ]);
    assert_eq!(
        cut.stderr,
        "tengen: the tree was cut at 5 stones; --most N allows more\n"
    );
    assert!(cut.stdout.contains("Cut here"));
}

#[test]
fn null_turns_become_passes() {
    let folder = Folder::new("proof_null");
    folder.write(
        "null.proof",
        "tengen-proof 1\nrules 6,6,4,1,1\nposition B:B2,C2 W:B5,C5 to-move:W\nattacker black\n\
         nodes 3\n0 - -=1 D2=2\n1 D2\n2 A2\nend\n",
    );
    let sgf = folder
        .run(&["proof", "export", "null.proof", "--to", "sgf"])
        .ok();
    assert!(sgf.contains("Null turn"), "{sgf}");
    let tree = folder.run(&["proof", "show", "null.proof"]).ok();
    assert!(
        tree.contains("\n0: White to move\n  White - (null) -> 1: Black D2"),
        "{tree}"
    );
}

#[test]
fn files_that_cannot_be_used() {
    let folder = with_proofs("proof_bad");
    folder.write("cut.proof", &WORKED[..100]);
    folder.write(
        "wrong.proof",
        WORKED.replace("D2 A2=1 E2=2", "A1 D2=1 E2=2"),
    );
    folder.write("version.proof", WORKED.replace("proof 1", "proof 7"));
    folder.write("noise.proof", [0xff, 0xfe, 0]);
    let refused = |arguments: &[&str]| folder.run(arguments).refused();
    assert!(
        refused(&["proof", "show", "cut.proof"])
            .starts_with("cannot read proof `cut.proof`: line 6: ")
    );
    assert_eq!(
        refused(&["proof", "show", "version.proof"]),
        "cannot read proof `version.proof`: line 1: version 7 of the format, expected 1"
    );
    assert_eq!(
        refused(&["proof", "show", "noise.proof"]),
        "cannot read proof `noise.proof`: neither UTF-8 text nor a compact proof"
    );
    assert_eq!(
        refused(&["proof", "show", "none.proof"]),
        "cannot read `none.proof`: there is no such file"
    );
    assert_eq!(
        refused(&["proof", "export", "worked.proof"]),
        "which form to write is missing\n\nhint: name it with --to: text, compact, json, sgf"
    );
    assert_eq!(
        refused(&["proof", "export", "worked.proof", "no/where.sgf"]),
        "cannot write `no/where.sgf`: there is no such folder"
    );
    // Only verified proofs are imported.
    for file in ["wrong.proof", "cut.proof", "noise.proof"] {
        let run = folder.run(&["proof", "import", file, "out.tproof"]);
        assert_eq!(run.code, Some(1), "{}", run.stderr);
        assert!(
            run.stderr.contains("is not imported: REJECTED "),
            "{}",
            run.stderr
        );
        assert!(!folder.path("out.tproof").exists());
    }
}

const PARTIAL: &str = "\
tengen-proof 1
rules inf,inf,4,1,1
position B:B2,C2 W:(-3,12) to-move:W
attacker black
except A2
except D2
except E2
region E2,A1
nodes 2
0 - -=1
1 D2
end
";

/// A partial claim is never taken for a win, whatever is done with it.
#[test]
fn replies_left_open_and_regions() {
    let folder = Folder::new("check_partial");
    folder.write("partial.proof", PARTIAL);
    let whole = PARTIAL.replace("to-move:W", "to-move:B");
    let whole = whole.replace("except A2\nexcept D2\nexcept E2\n", "");
    let whole = whole.replace("nodes 2\n0 - -=1\n1 D2\n", "nodes 1\n0 D2\n");
    folder.write("whole.proof", &whole);
    let text = folder.run(&["check", "partial.proof", "whole.proof"]).ok();
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[0].starts_with(
            "VERIFIED except 3 replies, partial.proof: Black wins on every board that contains \
             A1-E2 against every reply except the 3 listed, 2 turns, 2 nodes, "
        ),
        "{text}"
    );
    assert_eq!(lines[2], "  Left open: every reply with A2; D2; E2");
    assert!(
        lines[3].starts_with(
            "VERIFIED whole.proof: Black wins on every board that contains A1-E2, 2 turns, "
        ),
        "{text}"
    );
    let zones = folder.run(&["check", "--zones", "partial.proof"]).ok();
    assert!(zones.contains("No relevance zones"), "{zones}");
    let json = folder.run(&["check", "--json", "partial.proof"]).ok();
    let report: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(report["verdict"], "VERIFIED except");
    assert_eq!(
        report["except"],
        serde_json::json!([["A2"], ["D2"], ["E2"]])
    );
    assert_eq!(report["region"], serde_json::json!(["A1", "E2"]));
    folder.write("worked.proof", WORKED);
    let json = folder.run(&["check", "--json", "worked.proof"]).ok();
    let report: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(report["except"], serde_json::json!([]));
    assert_eq!(report["region"], Value::Null);
    // Who asks for a win of a position gets no for an answer.
    let position = ["--position", "B:B2,C2 W:(-3,12) to-move:W"];
    let rules = ["--rules", "inf,inf,4,1,1"];
    let run = folder.run(&[&["check"], &position[..], &rules, &["partial.proof"]].concat());
    assert_eq!(run.code, Some(1));
    assert!(
        run.stdout
            .starts_with("REJECTED partial.proof: the proof leaves replies open"),
        "{}",
        run.stdout
    );
}

#[test]
fn replies_left_open_in_other_forms() {
    let folder = Folder::new("proof_partial");
    folder.write("partial.proof", PARTIAL);
    let imported = folder.run(&["proof", "import", "partial.proof", "partial.tproof"]);
    assert!(
        imported
            .stderr
            .contains("against every reply except the 3 listed"),
        "{}",
        imported.stderr
    );
    let text = folder
        .run(&["proof", "export", "partial.tproof", "--to", "text"])
        .ok();
    assert_eq!(text, PARTIAL);
    let shown = folder.run(&["proof", "show", "partial.tproof"]).ok();
    assert!(
        shown.contains("against every reply except the 3 listed, White to move; 2 nodes"),
        "{shown}"
    );
    assert!(shown.contains("\nLeft open: every reply with A2; D2; E2\n"));
    folder.write(
        "finite.proof",
        PARTIAL
            .replace("inf,inf", "6,6")
            .replace("(-3,12)", "F6")
            .replace("region E2,A1\n", ""),
    );
    let sgf = folder
        .run(&["proof", "export", "finite.proof", "--to", "sgf"])
        .ok();
    assert!(
        sgf.contains("Black wins against every reply except the 3 listed"),
        "{sgf}"
    );
    assert!(sgf.contains("Left open: every reply with A2"), "{sgf}");
    // A reply that is neither answered nor listed.
    folder.write("wrong.proof", PARTIAL.replace("except E2\n", ""));
    let run = folder.run(&["proof", "import", "wrong.proof", "out.tproof"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(!folder.path("out.tproof").exists());
}

#[test]
fn the_solved_openings_are_verified() {
    let folder = Folder::new("check_openings");
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suites/openings/solved");
    let files = std::fs::read_dir(suite).expect("the suite is there");
    let paths = files.map(|file| file.expect("readable").path());
    let proofs: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|end| end == "tproof"))
        .collect();
    assert!(proofs.len() >= 4);
    for path in &proofs {
        let file = path.to_str().expect("a name");
        let said = folder.run(&["book", "add-proof", "--book", "solved.book", file]);
        assert!(said.ok().contains(": VERIFIED, Black wins, "));
        // Of the opening after which it is named, not of any other position.
        let name = path.file_stem().and_then(|name| name.to_str());
        let opening = name.expect("a name");
        let shown = folder.run(&["book", "show", "--book", "solved.book", opening]);
        assert!(shown.ok().contains("\nProved: Black wins by "), "{opening}");
    }
}
