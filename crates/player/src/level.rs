//! How strong an opponent a person wants.

use std::fmt;
use std::ops::RangeInclusive;

use tengen_rules::{Position, Turn};

use crate::{AlphaBeta, Answer, Engine, Line, Options, Score, Task, ThinkError, Verdict};
use tengen_evaluation::PatternBoard;

/// A strength from 1, for somebody who has just learned the rules, to 10, the strongest.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

impl Level {
    /// The numbers there are.
    pub const NUMBERS: RangeInclusive<u8> = 1..=10;

    /// The level with this number; `None` if there is none.
    pub fn new(number: u8) -> Option<Self> {
        Self::NUMBERS.contains(&number).then_some(Self(number))
    }

    /// All of them, weakest first.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::NUMBERS.map(Self)
    }

    /// Its number.
    pub const fn number(self) -> u8 {
        self.0
    }
}

/// The name of the engine that plays so, such as `level-5`.
impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("level-{}", self.0))
    }
}

/// What makes a level weaker than the strongest.
#[derive(Debug, Copy, Clone)]
struct Weakness {
    /// Nodes for a turn.
    nodes: u64,
    /// Turns of depth.
    depth: u32,
    /// What it sees of threats.
    sight: Sight,
    /// How far its scores are wrong, in hundredths: some turn is played that seems so much worse.
    noise: i32,
    /// Of a hundred turns, how many it plays without looking at what the opponent threatens.
    careless: u8,
}

/// What a level sees of threats.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum Sight {
    /// What alpha-beta sees.
    Turns,
    /// Wins by double threats, while it searches.
    Threats,
    /// And what the prover finds at the root.
    Proofs,
}

impl Level {
    /// Spread so that each level beats the one below in at least 65 of 100 games; docs/results.md says what was
    /// measured.
    fn weakness(self) -> Weakness {
        let weakness = |nodes, depth, sight, noise, careless| Weakness {
            nodes,
            depth,
            sight,
            noise,
            careless,
        };
        match self.0 {
            1 => weakness(1_000, 1, Sight::Turns, 250, 60),
            2 => weakness(1_000, 1, Sight::Turns, 150, 25),
            3 => weakness(2_000, 1, Sight::Turns, 80, 8),
            4 => weakness(2_000, 1, Sight::Turns, 45, 2),
            5 => weakness(4_000, 2, Sight::Turns, 45, 0),
            6 => weakness(30_000, 2, Sight::Threats, 5, 0),
            7 => weakness(40_000, 4, Sight::Threats, 0, 0),
            8 => weakness(80_000, 8, Sight::Proofs, 0, 0),
            9 => weakness(300_000, 16, Sight::Proofs, 0, 0),
            _ => weakness(1_500_000, 30, Sight::Proofs, 0, 0),
        }
    }
}

/// An opponent for people: the main engine, held back.
#[derive(Debug)]
pub struct LevelPlayer {
    level: Level,
    engine: AlphaBeta,
    random: fastrand::Rng,
}

/// Turns among which a noisy level chooses.
const CHOICE: usize = 12;

impl LevelPlayer {
    /// A player of this strength.
    pub fn new(level: Level, options: &Options) -> Self {
        let engine = match level.weakness().sight {
            Sight::Turns => AlphaBeta::without_threats(options),
            Sight::Threats => AlphaBeta::without_proofs(options),
            Sight::Proofs => AlphaBeta::new(options),
        };
        Self {
            level,
            engine,
            random: fastrand::Rng::with_seed(options.seed),
        }
    }

    /// A turn played for its looks alone.
    fn careless_turn(&mut self, position: &Position, task: &Task<'_>) -> Option<Turn> {
        let mut position = position.clone();
        let mover = position.to_move();
        let mut cells = Vec::new();
        for _ in 0..position.left() {
            let board = PatternBoard::from_position(&position);
            let mut best = Vec::new();
            board.best_cells(mover, CHOICE, &mut best);
            let (_, cell) = *best.get(self.random.usize(..best.len().max(1)))?;
            position.place(board.cell(cell)).ok()?;
            cells.push(board.cell(cell));
            if position.outcome().is_some() {
                break;
            }
        }
        let turn: Turn = cells.into_iter().collect();
        (!task.excludes(&turn)).then_some(turn)
    }

    /// A roughly normal error.
    fn error(&mut self, noise: i32) -> i32 {
        (0..4).map(|_| self.random.i32(-noise..=noise)).sum::<i32>() / 2
    }
}

impl Engine for LevelPlayer {
    fn name(&self) -> String {
        self.level.to_string()
    }

    fn think(&mut self, position: &Position, task: &Task<'_>) -> Result<Answer, ThinkError> {
        let weakness = self.level.weakness();
        let mut limits = task.limits;
        limits.nodes = Some(limits.nodes.unwrap_or(u64::MAX).min(weakness.nodes));
        limits.depth = Some(limits.depth.unwrap_or(u32::MAX).min(weakness.depth));
        let lines = task.lines.max(1);
        let wanted = if weakness.noise > 0 {
            lines.max(CHOICE)
        } else {
            lines
        };
        let held_back = Task {
            limits,
            lines: wanted,
            ..*task
        };
        let mut answer = self.engine.think(position, &held_back)?;
        let decided = answer.best().score >= Score::WIN_IN_SIGHT;
        if weakness.noise > 0 && !decided {
            for line in &mut answer.lines {
                line.score.0 += self.error(weakness.noise);
            }
            answer
                .lines
                .sort_by_key(|line| std::cmp::Reverse(line.score));
        }
        if self.random.u8(..100) < weakness.careless
            && let Some(turn) = self.careless_turn(position, task)
        {
            answer.lines.insert(
                0,
                Line {
                    main_line: vec![turn.clone()],
                    turn,
                    verdict: Verdict::Stable,
                    score: Score(0),
                },
            );
        }
        answer.lines.truncate(lines);
        Ok(answer)
    }

    fn forget(&mut self) {
        self.engine.forget();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_outside_the_scale_are_no_levels() {
        assert_eq!(Level::new(0), None);
        assert_eq!(Level::new(11), None);
        let names: Vec<String> = Level::all().map(|level| level.to_string()).collect();
        assert_eq!(names.len(), 10);
        assert_eq!((&*names[0], &*names[9]), ("level-1", "level-10"));
        assert!(Level::all().all(|level| Level::new(level.number()) == Some(level)));
    }
}
