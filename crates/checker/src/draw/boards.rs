//! Follows White's answers on one board through all positions that can arise.
//!
//! Every position in the list is drawn, by induction on its cells: no line can be occupied in one turn, and
//! for every turn there is an answer after which all parts are, up to names, in the list.

use std::collections::VecDeque;

use super::isomorphism::Seen;
use super::position::{Cells, Position, parts};
use super::text::{AnswerLine, Tile};
use super::turns::{Turn, Turns};
use crate::verdict::{Budget, Reason, Stop};

/// The numbers of positions and of answers.
pub(super) fn check_board(
    tile: &Tile,
    per_turn: usize,
    budget: &mut Budget,
) -> Result<(u64, u64), Stop> {
    let mut seen = Seen::default();
    let mut list = VecDeque::new();
    let mut add = |parts: Vec<Position>, list: &mut VecDeque<Position>, budget: &mut Budget| {
        for part in parts {
            if seen.add(&part, budget)? {
                list.push_back(part);
            }
        }
        Ok(())
    };
    add(parts(tile.lines.clone(), per_turn), &mut list, budget)?;
    let (mut positions, mut answers) = (0, 0);
    let mut lines = tile.answers.iter();
    while let Some(position) = list.pop_front() {
        budget.visit()?;
        positions += 1;
        if position
            .lines
            .iter()
            .any(|line| line.count_ones() as usize <= per_turn)
        {
            return reject(
                lines.as_slice().first(),
                format!("position {positions} has a line of at most {per_turn} cells: Black wins"),
            );
        }
        let Some(line) = lines.next() else {
            return reject(
                None,
                format!("there are no answers for position {positions}"),
            );
        };
        let mut choices = line.stones.as_slice();
        let mut turns = Turns::of(&position);
        for _ in 0..per_turn {
            for turn in turns.next(budget)? {
                budget.tick()?;
                answers += 1;
                let (black, white) = answer(&position, &turn, &mut choices, line)?;
                turns.answer(black, white);
                let after = position.after(black, white, per_turn);
                add(after, &mut list, budget)?;
            }
        }
        if !choices.is_empty() {
            return reject(Some(line), format!("{} stones too many", choices.len()));
        }
    }
    if let Some(line) = lines.next() {
        return reject(
            Some(line),
            "answers for a position that does not arise".to_owned(),
        );
    }
    Ok((positions, answers))
}

/// Takes the answer to a turn from the line.
fn answer(
    position: &Position,
    turn: &Turn,
    choices: &mut &[Option<u8>],
    line: &AnswerLine,
) -> Result<(Cells, Cells), Stop> {
    let Some((stones, rest)) = choices.split_at_checked(turn.len()) else {
        return reject(Some(line), format!("no answer to Black's turn {turn:?}"));
    };
    *choices = rest;
    let black: Cells = turn.iter().fold(0, |cells, cell| cells | 1 << cell);
    let mut white: Cells = 0;
    for &stone in stones.iter().flatten() {
        let cell: Cells = 1 << stone;
        if cell & position.cells() == 0 || cell & (black | white) != 0 {
            let message = format!("the answer to {turn:?} is on cell {stone}, which is not free");
            return reject(Some(line), message);
        }
        white |= cell;
    }
    Ok((black, white))
}

fn reject<T>(line: Option<&AnswerLine>, message: String) -> Result<T, Stop> {
    Err(Stop::Rejected(match line {
        Some(line) => Reason::at_line(line.number, message),
        None => Reason::general(message),
    }))
}
