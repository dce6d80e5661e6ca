//! Random lines: nothing panics, what is due is said, and errors change nothing.

use proptest::prelude::*;
use tengen_player::protocol::ProtocolKind;

use crate::support::Talk;

/// Commands that are answered whatever happens, even inside a list.
fn is_due(kind: ProtocolKind, line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or("");
    match kind {
        ProtocolKind::Gomocup => {
            const DUE: [&str; 8] = [
                "ABOUT",
                "START",
                "RECTSTART",
                "RESTART",
                "BEGIN",
                "TURN",
                "TAKEBACK",
                "YXNBEST",
            ];
            DUE.contains(&word.to_ascii_uppercase().as_str())
        }
        ProtocolKind::Sau => !["", "new", "error", "end", "quit"].contains(&word),
        ProtocolKind::Cloudict => {
            ["name", "next", "move", "depth", "print", "help", "zzz"].contains(&word)
        }
        ProtocolKind::Simple => !["", "time", "quit"].contains(&word),
    }
}

fn is_error(said: &[String]) -> bool {
    let refuses = |line: &String| {
        ["ERROR ", "UNKNOWN ", "error "]
            .iter()
            .any(|start| line.starts_with(start))
    };
    said.iter().any(refuses)
}

/// Several lines that belong together.
fn unit(kind: ProtocolKind) -> BoxedStrategy<String> {
    let number = || -2_i64..8;
    match kind {
        ProtocolKind::Gomocup => prop_oneof![
            4 => (number(), number()).prop_map(|(x, y)| format!("TURN {x},{y}")),
            2 => (number(), number()).prop_map(|(x, y)| format!("TAKEBACK {x},{y}")),
            2 => (3_u8..8).prop_map(|n| format!("START {n}")),
            1 => (1_u8..8, 3_u8..8).prop_map(|(w, h)| format!("RECTSTART {w},{h}")),
            2 => prop::sample::select(vec![
                "BEGIN", "RESTART", "ABOUT", "YXSHOWINFO", "YXSTOP", "YXNBEST 2", "YXNBEST x", "INFO rule 1",
                "INFO rule 0", "INFO rule 4", "INFO time_left -3", "INFO max_memory 5", "INFO show_detail 3",
                "INFO max_node 12", "YXBLOCKRESET", "DONE", "", "7,7", "INFO", "MESSAGE hello",
            ]).prop_map(str::to_owned),
            3 => (
                prop::sample::select(vec!["BOARD", "YXBOARD", "YXBLOCK", "SWAP2BOARD"]),
                prop::collection::vec((number(), number(), 0_u8..4), 0..6),
            ).prop_map(|(name, stones)| {
                let mut lines = vec![name.to_owned()];
                let field = |f: u8| if f == 0 { String::new() } else { format!(",{f}") };
                lines.extend(stones.into_iter().map(|(x, y, f)| format!("{x},{y}{}", field(f))));
                lines.push("DONE".to_owned());
                lines.join("\n")
            }),
        ].boxed(),
        _ => prop_oneof![
            6 => (
                prop::sample::select(vec!["move ", "black ", "white ", "go "]),
                prop::collection::vec("[A-E]{2}|@@|[R-U]{2}", 0..5),
            ).prop_map(|(word, cells)| word.to_owned() + &cells.concat()),
            3 => prop::sample::select(vec![
                "name", "name?", "new black", "new white", "next", "depth 3", "depth x", "print", "vcf", "unvcf",
                "help", "end", "error", "time 5", "time x", "zzz", "",
            ]).prop_map(str::to_owned),
        ].boxed(),
    }
}

fn any_kind() -> impl Strategy<Value = ProtocolKind> {
    prop::sample::select(ProtocolKind::ALL.to_vec())
}

fn units() -> impl Strategy<Value = (ProtocolKind, Vec<String>)> {
    any_kind().prop_flat_map(|kind| (Just(kind), prop::collection::vec(unit(kind), 1..40)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn errors_change_nothing((kind, units) in units()) {
        let mut talk = Talk::new(kind);
        let mut good = Vec::new();
        for unit in units {
            let said: Vec<String> = unit.split('\n').flat_map(|line| talk.hear(line).said).collect();
            prop_assert!(!said.is_empty() || !is_due(kind, &unit), "{kind} is silent about {unit}");
            if !is_error(&said) {
                good.push((unit, said));
            }
        }
        // The same conversation without the refused lines.
        let mut again = Talk::new(kind);
        for (unit, said) in good {
            let repeated: Vec<String> = unit.split('\n').flat_map(|line| again.hear(line).said).collect();
            prop_assert_eq!(repeated, said, "{}", unit);
        }
    }

    #[test]
    fn garbage_is_survived(kind in any_kind(), lines in prop::collection::vec("\\PC{0,30}|[A-Z ,0-9]{0,20}", 0..30)) {
        let mut talk = Talk::new(kind);
        for line in &lines {
            let said = talk.hear(line).said;
            prop_assert!(!said.is_empty() || !is_due(kind, line), "{kind} is silent about {line}");
            prop_assert!(said.iter().all(|line| !line.contains(['\n', '\r'])));
        }
    }
}
