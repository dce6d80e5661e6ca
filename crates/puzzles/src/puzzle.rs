//! A puzzle as it is kept: what is asked, the whole solution, and what is known about it.

use serde::{Deserialize, Serialize};
use tengen_rules::{Position, Rules, Setup, Side, notation};

/// What the solver is asked for.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The side to move wins, and with one turn only.
    Win,
    /// All turns of the side to move lose but one.
    Defence,
}

/// What a puzzle is about.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Theme {
    /// A win by double threats.
    DoubleThreat,
    /// A win that also needs turns with one threat, which leave the defender a stone to spare.
    SingleThreat,
    /// A first turn that threatens nothing, and double threats after it.
    Quiet,
    /// The defender threatens something himself on the way.
    CounterThreat,
    /// The first turn must also stop the defender's threat.
    UnderThreat,
    /// The first turn has one necessary stone; the other may go anywhere.
    OneStone,
    /// Five turns or more.
    Long,
    /// The only defence.
    Defence,
}

/// A node of the solution: the attacker's turn, and the replies to it, the most stubborn first. Without replies the
/// turn completes a line or makes more threats than one turn can answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The attacker's stones; fewer than a turn has if the others are free. Empty at the root of a defence puzzle.
    pub turn: Vec<String>,
    /// Attacker's turns to the completed line, this one included.
    pub within: u8,
    /// The critical defences, each with the number of the step that answers it. One stone where a turn has two: the
    /// other goes anywhere.
    pub replies: Vec<(Vec<String>, usize)>,
}

/// A first turn that tempts and fails.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Try {
    /// The turn.
    pub turn: Vec<String>,
    /// The reply after which the attacker has no win of this order.
    pub reply: Vec<String>,
    /// How many critical defences there are, of which only this one holds.
    pub defences: u8,
}

/// What difficulty is guessed from.
#[derive(Debug, Copy, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Features {
    /// Attacker's turns to the completed line.
    pub turns: u8,
    /// First turns that make enough threats.
    pub candidates: u32,
    /// How many of them look stronger than the solution.
    pub stronger: u32,
    /// How many fail to one defence only.
    pub tempting: u32,
    /// Steps of the solution.
    pub steps: u32,
    /// Steps of the solution in which the defender threatens to complete a line.
    pub counter_threats: u32,
    /// Positions an exhaustive search looks at.
    pub nodes: u64,
    /// The largest distance between two stones of the main line's first two turns.
    pub spread: u8,
    /// Stones on the board.
    pub stones: u32,
    /// Turns of the main line in which only one turn wins.
    pub only_turns: u8,
    /// Of the limited solvers, how many solve it.
    pub solved_by: u8,
}

/// A puzzle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Puzzle {
    /// A name that depends on its shape only: 16 letters and digits.
    pub id: String,
    /// What is asked.
    pub kind: Kind,
    /// The game.
    pub rules: String,
    /// The stones and the side to move.
    pub position: String,
    /// The order of the win: 1 for double threats, 2 for single threats, 3 for a first turn of any kind and double
    /// threats after it.
    pub order: u8,
    /// The solution's first turn; one stone if the other is free.
    pub solution: Vec<String>,
    /// The solution; the first step is the root.
    pub steps: Vec<Step>,
    /// Turns that tempt and fail.
    pub tries: Vec<Try>,
    /// Order 3: replies of which one refutes each other first turn that is not refuted by any reply whatever.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refutations: Vec<Vec<String>>,
    /// What it is about.
    pub themes: Vec<Theme>,
    /// What difficulty is guessed from.
    pub features: Features,
    /// Machine difficulty.
    pub rating: i32,
    /// From 1, the easiest.
    pub grade: u8,
    /// Where it comes from.
    pub source: String,
}

impl Puzzle {
    /// The stones.
    pub fn setup(&self) -> Option<Setup> {
        notation::parse_setup(&self.position, self.rules().ok()?).ok()
    }

    /// The position.
    pub fn start(&self) -> Option<Position> {
        Position::from_setup(&self.setup()?).ok()
    }

    /// The game.
    pub fn rules(&self) -> Result<Rules, tengen_rules::ParseRulesError> {
        self.rules.parse()
    }

    /// Who is to move.
    pub fn to_move(&self) -> Option<Side> {
        self.setup().map(|setup| setup.to_move)
    }

    /// Who wins: the side to move, or in a defence puzzle the other if the solution is missed.
    pub fn attacker(&self) -> Option<Side> {
        let side = self.to_move()?;
        Some(match self.kind {
            Kind::Win => side,
            Kind::Defence => !side,
        })
    }

    /// The turns of the main line: the solution against the most stubborn replies.
    pub fn main_line(&self) -> Vec<&[String]> {
        let mut line: Vec<&[String]> = Vec::new();
        let mut step = self.steps.first();
        if self.kind == Kind::Defence {
            return vec![&self.solution];
        }
        while let Some(at) = step {
            line.push(&at.turn);
            step = at.replies.first().and_then(|(reply, next)| {
                line.push(reply);
                self.steps.get(*next)
            });
        }
        line
    }
}
