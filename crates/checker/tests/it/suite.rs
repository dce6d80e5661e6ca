//! The proofs of `suites/proofs`: each file says in comments what to expect.

use std::path::Path;

use tengen_checker::{Limits, check};

#[test]
fn every_file_has_the_verdict_it_expects() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites/proofs");
    let mut seen = [0; 3];
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("its files can be listed").path();
        if path
            .extension()
            .is_none_or(|extension| extension != "proof")
        {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a proof is text");
        let comment = |name: &str| text.lines().find_map(|line| line.strip_prefix(name));
        let name = path.display();
        let Some(expected) = comment("# expect: ") else {
            continue;
        };
        let verdict = check(&text, &Limits::default());
        let said = verdict.to_string();
        assert!(said.starts_with(expected), "{name}: {said}");
        let because = comment("# because: ").unwrap_or_default();
        assert!(said.contains(because), "{name}: {said}");
        seen[usize::from(verdict.exit_code())] += 1;
        // The ends of lines do not matter.
        assert_eq!(
            check(&text.replace('\n', "\r\n"), &Limits::default()),
            verdict,
            "{name}"
        );
    }
    assert!(seen[0] >= 8 && seen[1] >= 8 && seen[2] >= 1, "{seen:?}");
}
