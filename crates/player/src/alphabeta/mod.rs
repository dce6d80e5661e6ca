//! The main engine. So far it only completes lines, blocks, and plays where lines promise most.

use std::time::Instant;

use tengen_rules::{Position, Turn};
use tengen_threats::{Index, LineBoard};

use crate::{Answer, Engine, Line, Options, Score, Task, ThinkError, Verdict};

/// The main engine.
#[derive(Debug)]
pub struct AlphaBeta;

impl AlphaBeta {
    /// An engine with empty tables.
    pub fn new(_options: &Options) -> Self {
        Self
    }
}

impl Engine for AlphaBeta {
    fn name(&self) -> String {
        "alphabeta".to_owned()
    }

    fn think(&mut self, position: &Position, task: &Task<'_>) -> Result<Answer, ThinkError> {
        let start = Instant::now();
        if position.outcome().is_some() {
            return Err(ThinkError::Over);
        }
        let mut board = LineBoard::from_position(position);
        let side = position.to_move();
        let mut cells = Vec::new();
        while cells.len() < usize::from(position.left()) {
            let left = position.left() - cells.len() as u8;
            let empty =
                (0..board.grid().len() as Index).filter(|&cell| board.stone(cell).is_none());
            let worth = |cell: Index| {
                let at = board.cell(cell);
                let grid = board.grid();
                let centre = grid.cell(grid.len() / 2);
                let far = (at.x - centre.x).abs() + (at.y - centre.y).abs();
                board.promise(side, cell) * 3 + board.promise(!side, cell) * 2 - i64::from(far)
            };
            let best = match board.winning_set(side, left) {
                Some(cells) => Some(cells[0]),
                None => match board.critical_sets(!side).first() {
                    Some(set) if board.has_threat(!side) => Some(set[0]),
                    _ => empty.max_by_key(|&cell| worth(cell)),
                },
            };
            let Some(cell) = best else { break };
            cells.push(board.cell(cell));
            if board.place(side, cell) {
                break;
            }
        }
        let turn: Turn = cells.into_iter().collect();
        if task.excludes(&turn) {
            return Err(ThinkError::AllExcluded);
        }
        Ok(Answer {
            lines: vec![Line {
                main_line: vec![turn.clone()],
                turn,
                verdict: Verdict::Stable,
                score: Score(0),
            }],
            others_lose: None,
            nodes: 1,
            depth: 1,
            time: start.elapsed(),
        })
    }
}
