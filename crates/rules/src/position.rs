//! A position: something one can play. Stones go down one at a time; undo is exact.

use crate::setup::board_in_words;
use crate::{
    BySide, Cell, Grid, Key, Overline, Placement, Rules, Setup, SetupError, SetupRefusal, Side,
    Turn, stone_key, turn_key,
};

/// How a finished game ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// A side completed a line.
    Win {
        /// Who.
        side: Side,
        /// All cells of all winning lines through the last stone.
        cells: Turn,
    },
    /// The board is full and nobody has a line.
    Draw,
}

/// Why a stone could not be placed. The position is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlaceError {
    /// The cell is not on the board.
    #[error("{cell} is off the board, {}", board_in_words(*.rules))]
    OffBoard {
        /// The cell.
        cell: Cell,
        /// The game.
        rules: Rules,
    },
    /// A stone stands there already.
    #[error("{cell} is already occupied by {side}")]
    Occupied {
        /// The cell.
        cell: Cell,
        /// Whose stone it is.
        side: Side,
    },
    /// The game is over.
    #[error("{cell} comes after the end of the game: {}", match .outcome {
        Outcome::Win { side, cells } => format!("{side} has won with {cells}"),
        Outcome::Draw => "the board is full".to_owned(),
    })]
    GameOver {
        /// The cell.
        cell: Cell,
        /// How the game ended.
        outcome: Outcome,
    },
    /// The stones of an infinite board lie too far apart to be kept in memory.
    #[error(
        "{cell} lies more than {reach} columns or rows from other stones, too far for one analysis"
    )]
    TooFarApart {
        /// The cell.
        cell: Cell,
        /// How many columns and rows the stones may span.
        reach: u8,
    },
    /// A turn has more stones than are left to place.
    #[error("the turn {turn} has {} stones, expected {left}", .turn.len())]
    TurnLength {
        /// The turn.
        turn: Turn,
        /// How many stones are left.
        left: u8,
    },
}

/// A legal state of a game.
///
/// Two positions are equal when rules, stones, side to move and stones left in the turn are; the
/// order of play is ignored.
#[derive(Debug, Clone)]
pub struct Position {
    rules: Rules,
    grid: Grid,
    cells: Vec<Option<Side>>,
    count: BySide<u32>,
    to_move: Side,
    left: u8,
    stones_key: Key,
    steps: Vec<Step>,
    outcome: Option<Outcome>,
}

/// What is needed to undo one placement, or one pass (`cell` is `None`).
#[derive(Debug, Copy, Clone)]
struct Step {
    cell: Option<Cell>,
    to_move: Side,
    left: u8,
}

/// One direction of each of the four kinds of lines.
pub(crate) const DIRECTIONS: [(i16, i16); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

impl Position {
    /// The empty board.
    pub fn new(rules: Rules) -> Self {
        Self::from_setup(&Setup::empty(rules)).expect("the empty board is a legal set-up")
    }

    /// Validates a set-up; reports *all* reasons for a refusal.
    pub fn from_setup(setup: &Setup) -> Result<Self, SetupError> {
        let rules = setup.rules;
        let mut reasons = Vec::new();
        let on_board = setup.stones().filter(|stone| rules.contains(stone.cell));
        let grid =
            Grid::around(rules, on_board.map(|stone| stone.cell)).ok_or_else(|| SetupError {
                reasons: vec![SetupRefusal::TooFarApart(Grid::reach(rules))],
            })?;
        let mut position = Self {
            rules,
            grid,
            cells: vec![None; grid.len()],
            count: BySide::default(),
            to_move: setup.to_move,
            left: setup.left.unwrap_or_else(|| setup.whole_turn()),
            stones_key: 0,
            steps: Vec::new(),
            outcome: None,
        };
        for stone in setup.stones() {
            match grid.index(stone.cell) {
                None => reasons.push(SetupRefusal::OffBoard { stone, rules }),
                Some(index) if position.cells[index].is_some() => {
                    reasons.push(SetupRefusal::Overlap(stone.cell));
                }
                Some(index) => position.put(index, stone.cell, stone.side),
            }
        }
        for side in Side::BOTH {
            let stones = setup
                .stones_of(side)
                .iter()
                .filter(|&&cell| position.stone(cell) == Some(side));
            if let Some(cells) = stones
                .map(|&cell| position.lines_through(cell, side))
                .find(|l| !l.is_empty())
            {
                reasons.push(SetupRefusal::Decided { side, cells });
            }
        }
        if position.empty_cells() == Some(0) {
            reasons.push(SetupRefusal::Full);
        }
        let most = setup.whole_turn();
        if !(1..=most).contains(&position.left) {
            reasons.push(SetupRefusal::Left {
                left: position.left,
                most,
            });
        }
        if reasons.is_empty() {
            Ok(position)
        } else {
            Err(SetupError { reasons })
        }
    }

    /// Plays a game given as its stones in order; on failure also says which stone it was (from 0).
    pub fn replay(rules: Rules, cells: &[Cell]) -> Result<Self, (usize, PlaceError)> {
        let mut position = Self::new(rules);
        for (number, &cell) in cells.iter().enumerate() {
            position.place(cell).map_err(|error| (number, error))?;
        }
        Ok(position)
    }

    /// The game.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// The cells kept in memory: the whole board when it is finite.
    pub const fn grid(&self) -> Grid {
        self.grid
    }

    /// Who plays next. After the end of the game: who made the last placement.
    pub const fn to_move(&self) -> Side {
        self.to_move
    }

    /// How many stones of the turn are still to be placed.
    pub const fn left(&self) -> u8 {
        self.left
    }

    /// How the game ended; `None` while it goes on.
    pub const fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// The stone on this cell.
    pub fn stone(&self, cell: Cell) -> Option<Side> {
        self.cells[self.grid.index(cell)?]
    }

    /// How many stones this side has on the board.
    pub fn count(&self, side: Side) -> u32 {
        self.count[side]
    }

    /// How many cells are empty; `None` on an infinite board.
    pub fn empty_cells(&self) -> Option<u32> {
        let (width, height) = self.rules.size()?;
        Some(u32::from(width) * u32::from(height) - self.count.black - self.count.white)
    }

    /// All stones, ordered by row and column.
    pub fn stones(&self) -> impl Iterator<Item = Placement> + '_ {
        let stones = self.cells.iter().enumerate();
        stones.filter_map(|(index, &side)| {
            Some(Placement {
                side: side?,
                cell: self.grid.cell(index),
            })
        })
    }

    /// The placements and passes made since the set-up, oldest first; a pass has no cell.
    pub fn history(&self) -> impl DoubleEndedIterator<Item = (Side, Option<Cell>)> + '_ {
        self.steps.iter().map(|step| (step.to_move, step.cell))
    }

    /// The key of stones, side to move and stones left.
    pub const fn key(&self) -> Key {
        self.stones_key ^ turn_key(self.to_move, self.left)
    }

    /// The key of the stones alone.
    pub const fn stones_key(&self) -> Key {
        self.stones_key
    }

    /// Places one stone of the side to move.
    pub fn place(&mut self, cell: Cell) -> Result<(), PlaceError> {
        if let Some(outcome) = &self.outcome {
            return Err(PlaceError::GameOver {
                cell,
                outcome: outcome.clone(),
            });
        }
        if !self.rules.contains(cell) {
            return Err(PlaceError::OffBoard {
                cell,
                rules: self.rules,
            });
        }
        if let Some(side) = self.stone(cell) {
            return Err(PlaceError::Occupied { cell, side });
        }
        if !self.grid.holds(cell) {
            self.move_grid(cell)?;
        }
        let side = self.to_move;
        let index = self.grid.index(cell).expect("the grid holds the cell");
        self.steps.push(Step {
            cell: Some(cell),
            to_move: side,
            left: self.left,
        });
        self.put(index, cell, side);
        self.left -= 1;
        let cells = self.lines_through(cell, side);
        if !cells.is_empty() {
            self.outcome = Some(Outcome::Win { side, cells });
        } else if self.empty_cells() == Some(0) {
            self.outcome = Some(Outcome::Draw);
        } else if self.left == 0 {
            self.end_turn();
        }
        Ok(())
    }

    /// Plays a whole turn, or the rest of one. The order of its stones does not matter: when some
    /// of them complete a line, those are enough and the others may be there as well.
    ///
    /// On failure the position is unchanged.
    pub fn play(&mut self, turn: &Turn) -> Result<(), PlaceError> {
        if let (Some(outcome), Some(&cell)) = (&self.outcome, turn.cells().first()) {
            return Err(PlaceError::GameOver {
                cell,
                outcome: outcome.clone(),
            });
        }
        let free = self.empty_cells().unwrap_or(u32::MAX);
        if turn.len() as u32 != u32::from(self.left).min(free) {
            // A shorter turn is whole when it ends the game.
            let too_long = turn.len() > usize::from(self.left) || turn.is_empty();
            if too_long || !self.ends_with(turn)? {
                return Err(PlaceError::TurnLength {
                    turn: turn.clone(),
                    left: self.left,
                });
            }
        }
        let before = self.steps.len();
        for cell in turn {
            if let Err(error) = self.place(cell) {
                let surplus = matches!(error, PlaceError::GameOver { .. });
                if surplus && self.rules.contains(cell) && self.stone(cell).is_none() {
                    continue;
                }
                self.undo_to(before);
                return Err(error);
            }
        }
        Ok(())
    }

    fn ends_with(&self, turn: &Turn) -> Result<bool, PlaceError> {
        let mut after = self.clone();
        for cell in turn {
            after.place(cell)?;
        }
        Ok(after.outcome.is_some())
    }

    fn undo_to(&mut self, steps: usize) {
        while self.steps.len() > steps {
            self.undo();
        }
    }

    /// Ends the turn without placing the stones that are left: a null or semi-null turn, as
    /// analysis needs it. No effect after the end of the game.
    pub fn pass(&mut self) {
        if self.outcome.is_none() {
            self.steps.push(Step {
                cell: None,
                to_move: self.to_move,
                left: self.left,
            });
            self.end_turn();
        }
    }

    /// Takes back the last placement or pass; `false` when there is none.
    pub fn undo(&mut self) -> bool {
        let Some(step) = self.steps.pop() else {
            return false;
        };
        if let Some(cell) = step.cell {
            let index = self.grid.index(cell).expect("stones stay on the grid");
            self.cells[index] = None;
            self.count[step.to_move] -= 1;
            self.stones_key ^= stone_key(step.to_move, cell);
        }
        self.to_move = step.to_move;
        self.left = step.left;
        self.outcome = None;
        true
    }

    /// The same stones and turn, as a set-up without history. After the end of the game this is a
    /// set-up that will be refused.
    pub fn to_setup(&self) -> Setup {
        let mut setup = Setup {
            to_move: self.to_move,
            ..Setup::empty(self.rules)
        };
        for stone in self.stones() {
            setup.stones_of_mut(stone.side).push(stone.cell);
        }
        setup.left = (self.left != setup.whole_turn()).then_some(self.left);
        setup
    }

    /// All cells of all winning lines of `side` that go through `cell`, which must hold a stone of
    /// that side; empty when there is none.
    fn lines_through(&self, cell: Cell, side: Side) -> Turn {
        let line = i16::from(self.rules.line());
        let mut cells = Vec::new();
        for direction in DIRECTIONS {
            let run = |sign: i16| {
                let own = |n: &i16| self.stone(cell.step(direction, sign * n)) == Some(side);
                (1..).take_while(own).count() as i16
            };
            let (back, ahead) = (run(-1), run(1));
            let length = back + ahead + 1;
            if length == line || (length > line && self.rules.overline() == Overline::Wins) {
                cells.extend((-back..=ahead).map(|n| cell.step(direction, n)));
            }
        }
        cells.into_iter().collect()
    }

    fn put(&mut self, index: usize, cell: Cell, side: Side) {
        self.cells[index] = Some(side);
        self.count[side] += 1;
        self.stones_key ^= stone_key(side, cell);
    }

    fn end_turn(&mut self) {
        self.to_move = !self.to_move;
        self.left = self.rules.per_turn();
    }

    /// Lays the patch of an infinite board anew so that it holds `cell` too.
    fn move_grid(&mut self, cell: Cell) -> Result<(), PlaceError> {
        let stones: Vec<Placement> = self.stones().collect();
        let all = stones.iter().map(|stone| stone.cell).chain([cell]);
        let reach = Grid::reach(self.rules);
        let grid = Grid::around(self.rules, all).ok_or(PlaceError::TooFarApart { cell, reach })?;
        self.cells.fill(None);
        for stone in stones {
            let index = grid
                .index(stone.cell)
                .expect("the grid was made for this stone");
            self.cells[index] = Some(stone.side);
        }
        self.grid = grid;
        Ok(())
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        let turn = |p: &Self| (p.rules, p.to_move, p.left, p.count);
        turn(self) == turn(other)
            && self
                .stones()
                .all(|stone| other.stone(stone.cell) == Some(stone.side))
    }
}

impl Eq for Position {}
