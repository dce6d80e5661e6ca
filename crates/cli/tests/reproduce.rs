//! `tengen reproduce`: small parts of the tables, proofs kept and taken over.

mod common;

use common::Folder;

#[test]
fn the_items_are_listed() {
    let folder = Folder::new("reproduce_list");
    let list = folder.run(&["reproduce"]).ok();
    assert!(list.starts_with("rzop     Connect(6,2,3)"), "{list}");
    assert!(list.contains("\nfamily   "), "{list}");
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
fn bad_input() {
    let folder = Folder::new("reproduce_bad");
    folder.write("file", "");
    for arguments in [
        &["reproduce", "everything"][..],
        &["reproduce", "--quick"],
        &["reproduce", "rzop", "--threads", "0"],
        &["reproduce", "rzop", "--seconds", "0"],
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
