//! Openings as strong players make them.

use tengen_evaluation::PatternBoard;
use tengen_rules::{Position, Rules};
use tengen_threats::Index;

/// Where stones are drawn from: the most attractive cells.
const CELLS: usize = 40;

/// A few turns; the first is in the middle.
pub(crate) fn opening(rules: Rules, turns: usize, random: &mut fastrand::Rng) -> Option<Position> {
    let mut position = Position::new(rules);
    let mut done = 0;
    while done < turns {
        let mover = position.to_move();
        let board = PatternBoard::from_position(&position);
        let grid = position.grid();
        let index = if position.stones().next().is_none() {
            (grid.len() / 2) as Index
        } else {
            let mut cells = Vec::new();
            board.best_cells(mover, CELLS, &mut cells);
            let best = cells.first()?.0;
            let chance =
                |&(worth, _): &(i32, Index)| f64::from(worth - best).mul_add(1e-3, 0.0).exp();
            let mut at = random.f64() * cells.iter().map(chance).sum::<f64>();
            let drawn = cells.iter().find(|cell| {
                at -= chance(cell);
                at <= 0.0
            });
            drawn.unwrap_or(&cells[0]).1
        };
        position.place(board.cell(index)).ok()?;
        if position.outcome().is_some() {
            return None;
        }
        done += usize::from(position.to_move() != mover);
    }
    Some(position)
}
