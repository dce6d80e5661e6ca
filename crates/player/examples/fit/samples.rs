//! Positions and choices to learn from.

use tengen_evaluation::patterns::{Code, Shape, Traits};
use tengen_evaluation::{PatternBoard, WIDTH, slots};
use tengen_prover::{Effort, Tactics};
use tengen_rules::{Cell, Position, Rules, Side};
use tengen_threats::{Index, LineBoard};

use crate::games::Game;

/// A quiet position: what both sides have, and how the game went for the side to move.
pub(crate) struct Sample {
    /// The mover's features, then the waiter's.
    pub(crate) features: Vec<f32>,
    /// 1 won, 0.5 drawn, 0 lost.
    pub(crate) result: f32,
}

/// A stone that was played, among all that could have been.
pub(crate) struct Choice {
    /// For each cell what its eight patterns contribute: `(slot, times)`.
    pub(crate) cells: Vec<Vec<(u16, f32)>>,
    pub(crate) played: usize,
}

/// Reads positions and choices off games.
pub(crate) struct Reader {
    rules: Rules,
    traits: Vec<Traits>,
    tactics: Tactics,
    random: fastrand::Rng,
}

/// Positions taken from one game.
const FROM_A_GAME: usize = 8;
/// How far from any stone a choice may be.
const NEAR: i16 = 3;

impl Reader {
    pub(crate) fn new(rules: Rules) -> Self {
        let shape = Shape::new(rules);
        let traits = (0..shape.count()).map(|code| shape.traits(code as Code));
        Self {
            rules,
            traits: traits.collect(),
            tactics: Tactics::new(12),
            random: fastrand::Rng::with_seed(2),
        }
    }

    /// A few quiet positions of a game with their results.
    pub(crate) fn samples(&mut self, game: &Game) -> Vec<Sample> {
        let mut position = Position::new(self.rules);
        let mut starts = Vec::new();
        for (number, &cell) in game.stones.iter().enumerate() {
            if position.left() == self.rules.per_turn() && number > 0 {
                starts.push(number);
            }
            if position.place(cell).is_err() || position.outcome().is_some() {
                break;
            }
        }
        self.random.shuffle(&mut starts);
        starts.truncate(FROM_A_GAME);
        starts.sort_unstable();
        let at = |&stones: &usize| Position::replay(self.rules, &game.stones[..stones]).ok();
        let positions: Vec<Position> = starts.iter().filter_map(at).collect();
        positions
            .iter()
            .filter_map(|position| self.sample(position, game.winner))
            .collect()
    }

    fn sample(&mut self, position: &Position, winner: Option<Side>) -> Option<Sample> {
        let mover = position.to_move();
        let lines = LineBoard::from_position(position);
        if position.outcome().is_some() || Side::BOTH.into_iter().any(|side| lines.has_threat(side))
        {
            return None;
        }
        // What threats decide is left to the search.
        let stones = position.left();
        let look = self
            .tactics
            .look(&lines, (mover, stones), Effort::Conservative, 300, false);
        if look.win.is_some() {
            return None;
        }
        let board = PatternBoard::from_position(position);
        let mut features = vec![0.0; 2 * WIDTH];
        for cell in (0..lines.grid().len() as Index).filter(|&cell| lines.stone(cell).is_none()) {
            for (side, base) in [(mover, 0), (!mover, WIDTH)] {
                for direction in 0..4 {
                    let traits = &self.traits[usize::from(board.code(cell, side, direction))];
                    for (slot, times) in slots(direction >= 2, traits) {
                        features[base + slot] += times as f32;
                    }
                }
            }
        }
        let result = match winner {
            None => 0.5,
            Some(side) => f32::from(u8::from(side == mover)),
        };
        Some(Sample { features, result })
    }

    /// The stones the winner chose, in a random order within each turn; one turn in `every`.
    pub(crate) fn choices(&mut self, game: &Game, every: usize) -> Vec<Choice> {
        let mut choices = Vec::new();
        let mut position = Position::new(self.rules);
        let mut turn: Vec<Cell> = Vec::new();
        for &cell in &game.stones {
            turn.push(cell);
            if turn.len() < usize::from(position.left()) {
                continue;
            }
            let wanted = game.winner == Some(position.to_move()) && self.random.usize(..every) == 0;
            self.random.shuffle(&mut turn);
            for cell in turn.drain(..) {
                if wanted && position.stones().next().is_some() {
                    choices.extend(self.choice(&position, cell));
                }
                if position.place(cell).is_err() || position.outcome().is_some() {
                    return choices;
                }
            }
        }
        choices
    }

    fn choice(&self, position: &Position, played: Cell) -> Option<Choice> {
        let board = PatternBoard::from_position(position);
        let mover = position.to_move();
        let grid = position.grid();
        let stones: Vec<Cell> = position.stones().map(|stone| stone.cell).collect();
        let near = |cell: Cell| {
            let close =
                |stone: &Cell| (stone.x - cell.x).abs() <= NEAR && (stone.y - cell.y).abs() <= NEAR;
            stones.iter().any(close)
        };
        let free = |index: &Index| board.is_free(*index) && near(board.cell(*index));
        let cells: Vec<Index> = (0..grid.len() as Index).filter(free).collect();
        let played = cells.iter().position(|&cell| board.cell(cell) == played)?;
        let features = |&cell: &Index| {
            let mut features: Vec<(u16, f32)> = Vec::new();
            for (side, base) in [(mover, 0), (!mover, WIDTH)] {
                for direction in 0..4 {
                    let traits = &self.traits[usize::from(board.code(cell, side, direction))];
                    let worth = slots(direction >= 2, traits).into_iter();
                    let worth = worth.filter(|&(_, times)| times != 0.0);
                    features
                        .extend(worth.map(|(slot, times)| ((base + slot) as u16, times as f32)));
                }
            }
            features
        };
        Some(Choice {
            cells: cells.iter().map(features).collect(),
            played,
        })
    }
}
