//! An engine that plays where it is told, or on the first empty cells.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tengen_player::protocol::{Protocol, ProtocolKind, Reply, Settings, converse};
use tengen_player::{Answer, Engine, Limits, Line, Score, Task, ThinkError, Verdict};
use tengen_rules::{Position, Turn};

/// What an engine was asked.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) position: Position,
    pub(crate) limits: Limits,
    pub(crate) lines: usize,
    pub(crate) exclude: Vec<Turn>,
}

impl Asked {
    /// `B:... W:...`, sorted by row, and who is to move.
    pub(crate) fn text(&self) -> String {
        let mut setup = self.position.to_setup();
        setup.left = None;
        tengen_rules::notation::setup_text(&setup)
    }
}

/// Plays the turns it was given, then the first empty cells, row by row from below.
#[derive(Debug, Default, Clone)]
pub(crate) struct Scripted {
    pub(crate) turns: Vec<&'static str>,
    pub(crate) scores: Vec<i32>,
    pub(crate) asked: Arc<Mutex<Vec<Asked>>>,
}

impl Scripted {
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().expect("nobody panicked").clone()
    }
}

pub(crate) fn first_turns(position: &Position, task: &Task<'_>) -> Vec<Turn> {
    let empty = |cell: &tengen_rules::Cell| {
        position.stone(*cell).is_none() && !task.excludes(&Turn::from_iter([*cell]))
    };
    let cells: Vec<_> = position.grid().cells().filter(empty).collect();
    let stones = usize::from(position.left()).min(cells.len()).max(1);
    let turns = cells
        .windows(stones)
        .map(|cells| cells.iter().copied().collect());
    turns.take(task.lines.max(1)).collect()
}

pub(crate) fn line(turn: Turn, score: i32) -> Line {
    Line {
        main_line: vec![turn.clone()],
        turn,
        verdict: Verdict::Stable,
        score: Score(score),
    }
}

pub(crate) fn answer(lines: Vec<Line>) -> Answer {
    Answer {
        lines,
        others_lose: None,
        nodes: 1,
        depth: 1,
        time: Duration::from_millis(100),
    }
}

impl Engine for Scripted {
    fn name(&self) -> String {
        "scripted".to_owned()
    }

    fn think(&mut self, position: &Position, task: &Task<'_>) -> Result<Answer, ThinkError> {
        self.asked.lock().expect("nobody panicked").push(Asked {
            position: position.clone(),
            limits: task.limits,
            lines: task.lines,
            exclude: task.exclude.to_vec(),
        });
        let score = if self.scores.is_empty() {
            0
        } else {
            self.scores.remove(0)
        };
        let turns = if self.turns.is_empty() {
            first_turns(position, task)
        } else {
            vec![self.turns.remove(0).parse().expect("a turn")]
        };
        if turns.is_empty() {
            return Err(ThinkError::AllExcluded);
        }
        Ok(answer(
            turns.into_iter().map(|turn| line(turn, score)).collect(),
        ))
    }
}

/// A conversation without threads.
pub(crate) struct Talk {
    protocol: Box<dyn Protocol>,
    pub(crate) engine: Scripted,
}

impl Talk {
    pub(crate) fn new(kind: ProtocolKind) -> Self {
        Self::with(kind, Settings::default())
    }

    pub(crate) fn with(kind: ProtocolKind, settings: Settings) -> Self {
        Self {
            protocol: kind.start(settings),
            engine: Scripted::default(),
        }
    }

    /// What is said to one line.
    pub(crate) fn hear(&mut self, line: &str) -> Reply {
        converse(self.protocol.as_mut(), &mut self.engine, line)
    }

    /// What is said to several lines, joined by ` | `.
    pub(crate) fn say(&mut self, lines: &str) -> String {
        let said = lines.split('\n').flat_map(|line| self.hear(line).said);
        said.collect::<Vec<_>>().join(" | ")
    }

    pub(crate) fn overlong(&mut self) -> usize {
        self.protocol.overlong().len()
    }

    /// The last position that the engine was asked about.
    pub(crate) fn last(&self) -> Asked {
        self.engine.asked().pop().expect("a question")
    }
}
