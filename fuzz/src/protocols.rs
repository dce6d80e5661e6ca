//! What the protocols are asked to survive.

use std::time::Duration;

use tengen_player::protocol::{ProtocolKind, Settings, converse};
use tengen_player::{Answer, Engine, Line, Score, Task, ThinkError, Verdict};
use tengen_rules::{Cell, Position, Turn};

/// The first byte chooses the protocol, the rest are lines. Nothing panics, what is said is one line each, and
/// commands that are always answered are.
pub fn talk(bytes: &[u8]) {
    let Some((&first, lines)) = bytes.split_first() else {
        return;
    };
    let kind = ProtocolKind::ALL[usize::from(first) % ProtocolKind::ALL.len()];
    let mut protocol = kind.start(Settings::default());
    let mut engine = FirstCells;
    for line in String::from_utf8_lossy(lines).split('\n') {
        let _ = protocol.urgency(line);
        let reply = converse(protocol.as_mut(), &mut engine, line);
        assert!(
            !reply.said.is_empty() || !is_due(kind, line),
            "{kind} is silent about {line:?}"
        );
        let single = |line: &String| !line.contains(['\n', '\r']);
        assert!(reply.said.iter().all(single), "{:?}", reply.said);
        if reply.quit {
            return;
        }
    }
    protocol.overlong();
}

/// Commands that are answered whatever happened before.
fn is_due(kind: ProtocolKind, line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or("");
    let due: &[&str] = match kind {
        ProtocolKind::Gomocup => &[
            "ABOUT",
            "START",
            "RECTSTART",
            "RESTART",
            "BEGIN",
            "TURN",
            "TAKEBACK",
            "YXNBEST",
        ],
        ProtocolKind::Sau => &["name?", "move"],
        ProtocolKind::Cloudict => &["name", "next", "move", "depth", "print"],
        ProtocolKind::Simple => &["go"],
    };
    due.contains(&word)
}

/// Plays on the first empty cells.
struct FirstCells;

impl Engine for FirstCells {
    fn name(&self) -> String {
        "first cells".to_owned()
    }

    fn think(&mut self, position: &Position, task: &Task<'_>) -> Result<Answer, ThinkError> {
        assert!(position.outcome().is_none(), "asked about a finished game");
        let empty = |cell: &Cell| {
            position.stone(*cell).is_none() && !task.excludes(&Turn::from_iter([*cell]))
        };
        let stones = usize::from(position.left());
        let turn: Turn = position.grid().cells().filter(empty).take(stones).collect();
        if turn.is_empty() {
            return Err(ThinkError::AllExcluded);
        }
        let line = Line {
            main_line: vec![turn.clone()],
            turn,
            verdict: Verdict::Stable,
            score: Score(0),
        };
        Ok(Answer {
            lines: vec![line],
            others_lose: None,
            nodes: 1,
            depth: 1,
            time: Duration::from_millis(1),
        })
    }
}
