//! The defensive strategy: follow the opponent's last stones (seed paper, section III).
//!
//! Candidates are the points of the 5x5 squares around the stones of the opponent's last turn, at most
//! 48 in Connect6. The one with the highest value is taken, then again for the next stone. The
//! alternatives that the verification needs (section IV.B) are turns in decreasing order of the sum of
//! their half-moves' values, each counted with the stones before it on the board.
//!
//! Chosen here: where the opponent's last turn is unknown or leaves too little room, points near any
//! stone are candidates; a turn must stop every window that the opponent could complete, if stones can do
//! that; ties go to the point nearer to the centre.

use std::cmp::Ordering;
use std::collections::HashSet;

use tengen_rules::{Cell, Position, Side, Turn};
use tengen_threats::{CellSet, Index, LineBoard};

use super::influence::value;

/// How far a candidate may be from an opponent's stone: 5x5 squares.
const NEAR: i16 = 2;

/// How many half-moves are considered where the opponent's last stones say nothing; twice what two
/// squares have.
const MOST_CELLS: usize = 96;

/// How many turns are kept while they grow, shared among the stones of a turn. With two stones, it is
/// more than two squares have points, so that nothing is lost there.
const WIDTH: usize = 128;

/// With more stones a turn, critical defences are too many to be listed; see [`greedy_block`].
const MOST_LISTED: u8 = 3;

/// A turn that may have stones missing.
#[derive(Debug, Clone)]
pub(super) struct Choice {
    /// Its cells, in increasing order.
    pub(super) cells: Vec<Index>,
    /// The values of its half-moves.
    pub(super) value: f64,
}

impl Choice {
    pub(super) fn turn(&self, board: &LineBoard) -> Turn {
        self.cells.iter().map(|&cell| board.cell(cell)).collect()
    }

    fn with(&self, cell: Index, value: f64) -> Self {
        let mut cells = self.cells.clone();
        let place = cells.partition_point(|&other| other < cell);
        cells.insert(place, cell);
        Self {
            cells,
            value: self.value + value,
        }
    }
}

/// The best first; equal values by the cells, so that nothing is left to chance.
fn by_value(a: &Choice, b: &Choice) -> Ordering {
    b.value
        .total_cmp(&a.value)
        .then_with(|| a.cells.cmp(&b.cells))
}

/// The cells that the strategy looks at, nearest to the centre first.
pub(super) fn candidates(position: &Position, board: &LineBoard, at_least: usize) -> Vec<Index> {
    let side = position.to_move();
    let last = last_turn(position);
    let stones: Vec<Cell> = position.stones().map(|stone| stone.cell).collect();
    let grid = board.grid();
    let centre = grid.cell(grid.height() / 2 * grid.width() + grid.width() / 2);
    for around in [&last, &stones, &vec![centre]] {
        let cells = squares(board, around);
        if cells.len() >= at_least.max(1) {
            return most_valuable(board, side, cells, at_least);
        }
    }
    most_valuable(board, side, everywhere(board), at_least)
}

/// The cells that are worth most to the side that moves, in the same order.
pub(super) fn most_valuable(
    board: &LineBoard,
    side: Side,
    mut cells: Vec<Index>,
    at_least: usize,
) -> Vec<Index> {
    let most = MOST_CELLS.max(at_least);
    if cells.len() > most {
        let mut worth: Vec<f64> = cells.iter().map(|&cell| value(board, side, cell)).collect();
        let values = worth.clone();
        worth.sort_by(|a, b| b.total_cmp(a));
        let mut places = values.iter();
        cells.retain(|_| places.next().is_some_and(|&value| value >= worth[most - 1]));
        cells.truncate(most);
    }
    cells
}

/// All cells where a stone may be placed.
pub(super) fn everywhere(board: &LineBoard) -> Vec<Index> {
    let all: Vec<Index> = (0..board.grid().len() as Index).collect();
    central_first(board, all)
}

/// The stones of the opponent's last turn, if it is known.
fn last_turn(position: &Position) -> Vec<Cell> {
    let opponent = !position.to_move();
    let history = position.history().rev();
    history
        .skip_while(|&(side, _)| side != opponent)
        .take_while(|&(side, _)| side == opponent)
        .filter_map(|(_, cell)| cell)
        .collect()
}

fn squares(board: &LineBoard, around: &[Cell]) -> Vec<Index> {
    let mut cells = CellSet::new(board.grid().len());
    for centre in around {
        for dy in -NEAR..=NEAR {
            for dx in -NEAR..=NEAR {
                if let Some(index) = board.index(Cell::new(centre.x + dx, centre.y + dy)) {
                    cells.insert(index);
                }
            }
        }
    }
    central_first(board, cells.iter().collect())
}

/// Keeps the empty cells of the patch, those nearest to its centre first.
fn central_first(board: &LineBoard, mut cells: Vec<Index>) -> Vec<Index> {
    let grid = board.grid();
    cells.retain(|&cell| board.stone(cell).is_none() && grid.holds(board.cell(cell)));
    let corner = grid.corner();
    let far = |cell: Cell| {
        let x = 2 * (cell.x - corner.x) + 1 - grid.width() as i16;
        let y = 2 * (cell.y - corner.y) + 1 - grid.height() as i16;
        i32::from(x).pow(2) + i32::from(y).pow(2)
    };
    cells.sort_by_key(|&cell| (far(board.cell(cell)), cell));
    cells
}

/// The strategy itself: the best half-move, then the best one after it, until the turn is whole.
pub(super) fn follow(
    board: &mut LineBoard,
    side: Side,
    start: &Choice,
    cells: &[Index],
    stones: usize,
) -> Choice {
    let mut choice = start.clone();
    let before = choice.cells.len();
    for &cell in &start.cells {
        board.place(side, cell);
    }
    while choice.cells.len() < stones {
        let mut best: Option<(Index, f64)> = None;
        for &cell in cells.iter().filter(|&&cell| board.stone(cell).is_none()) {
            let worth = value(board, side, cell);
            if best.is_none_or(|(_, most)| worth > most) {
                best = Some((cell, worth));
            }
        }
        let Some((cell, worth)) = best else { break };
        choice = choice.with(cell, worth);
        board.place(side, cell);
    }
    for _ in 0..choice.cells.len().max(before) {
        board.undo();
    }
    choice
}

/// Where turns begin: with each way to stop what the opponent could complete; with nothing when there is
/// nothing to stop, or no way.
pub(super) fn starts(board: &mut LineBoard, side: Side, stones: usize) -> Vec<Choice> {
    let blocks = if !board.has_threat(!side) {
        vec![Vec::new()]
    } else if board.rules().per_turn() <= MOST_LISTED {
        let mut sets = board.critical_sets(!side);
        sets.retain(|set| set.len() <= stones);
        sets
    } else {
        greedy_block(board, side, stones).into_iter().collect()
    };
    let mut starts: Vec<Choice> = Vec::new();
    for cells in blocks {
        starts.push(valued(board, side, &cells));
    }
    if starts.is_empty() {
        starts.push(valued(board, side, &[]));
    }
    starts.sort_by(by_value);
    starts
}

/// A set of cells with the values of its half-moves.
fn valued(board: &mut LineBoard, side: Side, cells: &[Index]) -> Choice {
    let mut choice = Choice {
        cells: Vec::new(),
        value: 0.0,
    };
    for &cell in cells {
        choice = choice.with(cell, value(board, side, cell));
        board.place(side, cell);
    }
    for _ in cells {
        board.undo();
    }
    choice
}

/// Stops windows one after the other, always with the empty cell that is worth most.
fn greedy_block(board: &mut LineBoard, side: Side, stones: usize) -> Option<Vec<Index>> {
    let per_turn = board.rules().per_turn();
    let mut block = Vec::new();
    while let Some(open) = board.winning_set(!side, per_turn) {
        let worth =
            |&a: &Index, &b: &Index| value(board, side, a).total_cmp(&value(board, side, b));
        let best = open.iter().copied().max_by(worth);
        let Some(cell) = best.filter(|_| block.len() < stones) else {
            break;
        };
        block.push(cell);
        board.place(side, cell);
    }
    let stopped = !board.has_threat(!side);
    for _ in &block {
        board.undo();
    }
    stopped.then_some(block)
}

/// Turns of `stones` stones in decreasing order of value, at most `most`, none of them refused.
pub(super) fn alternatives(
    board: &mut LineBoard,
    side: Side,
    starts: &[Choice],
    cells: &[Index],
    stones: usize,
    most: usize,
    mut refused: impl FnMut(&Choice) -> bool,
) -> Vec<Choice> {
    let mut whole: Vec<Choice> = Vec::new();
    let mut growing: Vec<Choice> = starts.to_vec();
    let mut seen = HashSet::new();
    for size in 0..=stones {
        let (done, mut now): (Vec<_>, Vec<_>) = growing
            .into_iter()
            .partition(|choice| choice.cells.len() == stones);
        whole.extend(done);
        if size == stones || now.is_empty() {
            break;
        }
        now.sort_by(by_value);
        now.truncate((WIDTH / stones).max(1));
        let mut grown = Vec::new();
        for choice in &now {
            grow(board, side, choice, cells, |next| {
                if seen.insert(next.cells.clone()) && !refused(&next) {
                    grown.push(next);
                }
            });
        }
        growing = grown;
    }
    let mut seen = HashSet::new();
    whole.sort_by(by_value);
    whole.retain(|choice| !refused(choice) && seen.insert(choice.cells.clone()));
    whole.truncate(most);
    whole
}

/// All choices with one more stone.
fn grow(
    board: &mut LineBoard,
    side: Side,
    choice: &Choice,
    cells: &[Index],
    mut found: impl FnMut(Choice),
) {
    for &cell in &choice.cells {
        board.place(side, cell);
    }
    for &cell in cells.iter().filter(|&&cell| board.stone(cell).is_none()) {
        found(choice.with(cell, value(board, side, cell)));
    }
    for _ in &choice.cells {
        board.undo();
    }
}
