//! Games played by a simple policy that sees threats, and random positions: from seeds, always the
//! same.

use tengen_rules::{Cell, Outcome, Position, Rules, Side};
use tengen_threats::LineBoard;

/// Plays one game. Each side completes a line if it can, else stops the other from completing one,
/// else takes one of the cells that promise most to both sides.
pub(crate) fn game(rules: Rules, seed: u64) -> Vec<Cell> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut position = Position::new(rules);
    let mut cells = Vec::new();
    let (width, height) = rules.size().expect("a finite board");
    let centre = Cell::new(i16::from(width) / 2, i16::from(height) / 2);
    while position.outcome().is_none() {
        let board = LineBoard::from_position(&position);
        let side = position.to_move();
        let win = board.winning_set(side, 1);
        let block = board.winning_set(!side, 1);
        let cell = match win.or(block) {
            Some(set) => board.cell(set[0]),
            None if cells.is_empty() => centre,
            None => choose(&board, side, &mut random),
        };
        position.place(cell).expect("an empty cell");
        cells.push(cell);
    }
    cells
}

fn choose(board: &LineBoard, side: Side, random: &mut fastrand::Rng) -> Cell {
    let empty = (0..board.grid().len() as u16).filter(|&cell| board.stone(cell).is_none());
    let mut scored: Vec<(i64, u16)> = empty
        .map(|cell| {
            let promise = 3 * board.promise(side, cell) + 2 * board.promise(!side, cell);
            (-promise - company(board, cell) - random.i64(0..12), cell)
        })
        .collect();
    scored.sort_unstable();
    // Mostly one of the best, now and then one that is not.
    let mut place = 0;
    while place + 1 < scored.len() && random.u8(0..100) < 45 {
        place += 1;
    }
    board.cell(scored[place].1)
}

/// How many stones are near: games are fought in the middle, not along the border.
fn company(board: &LineBoard, cell: u16) -> i64 {
    let Cell { x, y } = board.cell(cell);
    let near = (-2..=2).flat_map(|dx| (-2..=2).map(move |dy| Cell::new(x + dx, y + dy)));
    let stones = near
        .filter_map(|cell| board.index(cell))
        .filter(|&cell| board.stone(cell).is_some());
    4 * stones.count() as i64
}

/// The positions of a won game with the winner to move, the last first; `None` for a draw.
pub(crate) fn before_the_end(rules: Rules, seed: u64) -> Option<Vec<Position>> {
    let cells = game(rules, seed);
    let end = Position::replay(rules, &cells).expect("a legal game");
    let Some(Outcome::Win { .. }) = end.outcome() else {
        return None;
    };
    let won = |length: usize| Position::replay(rules, &cells[..length]).expect("a legal game");
    let turns = (0..cells.len()).rev().step_by(2);
    Some(turns.map(won).collect())
}

/// A position with that many random stones, nobody having won; a quarter of them close together.
pub(crate) fn scattered(rules: Rules, stones: usize, random: &mut fastrand::Rng) -> Position {
    let (width, height) = rules.size().expect("a finite board");
    let area = if random.u8(0..4) == 0 {
        (width, height)
    } else {
        (width.min(8), height.min(8))
    };
    'again: loop {
        let mut position = Position::new(rules);
        for _ in 0..stones {
            let cell = Cell::new(
                random.i16(0..i16::from(area.0)),
                random.i16(0..i16::from(area.1)),
            );
            // A taken cell is left alone: some positions have fewer stones.
            let _ = position.place(cell);
            if position.outcome().is_some() {
                continue 'again;
            }
        }
        return position;
    }
}
