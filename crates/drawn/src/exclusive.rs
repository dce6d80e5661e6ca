//! MBBoardX(B,b), Definition 2: every line has an exclusive square of its own, Black places any number of
//! stones in a turn and wins when a line without a white stone holds more than b black ones at the end of
//! White's turn. For small boards: nothing here is made to be fast.

use std::collections::HashMap;

use crate::board::Board;
use crate::strategy::{Cells, members};

/// Lines that are active, and the black stones on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct State {
    active: u64,
    black: Cells,
}

/// Solves MBBoardX for one board.
#[derive(Debug)]
pub struct ExclusiveSolver {
    lines: Vec<Cells>,
    most: u32,
    known: HashMap<State, bool>,
}

impl ExclusiveSolver {
    /// For a board and b.
    pub fn new(board: &Board, most: u32) -> Self {
        Self {
            lines: board.sets(),
            most,
            known: HashMap::new(),
        }
    }

    /// Whether White draws.
    pub fn is_drawn(&mut self) -> bool {
        let active = self
            .lines
            .iter()
            .enumerate()
            .fold(0, |all, (line, _)| all | 1 << line);
        self.drawn(State { active, black: 0 })
    }

    /// How many positions were solved.
    pub fn solved(&self) -> usize {
        self.known.len()
    }

    fn cells(&self, active: u64) -> Cells {
        let lines = self.lines.iter().enumerate();
        lines
            .filter(|(line, _)| active >> line & 1 == 1)
            .fold(0, |all, (_, line)| all | line)
    }

    fn full(&self, state: State) -> u64 {
        let over = |&(line, cells): &(usize, &Cells)| {
            state.active >> line & 1 == 1 && (cells & state.black).count_ones() > self.most
        };
        let lines = self.lines.iter().enumerate();
        lines.filter(over).fold(0, |all, (line, _)| all | 1 << line)
    }

    fn drawn(&mut self, state: State) -> bool {
        let cells = self.cells(state.active);
        let state = State {
            black: state.black & cells,
            ..state
        };
        if self.full(state) != 0 {
            return false;
        }
        if let Some(&drawn) = self.known.get(&state) {
            return drawn;
        }
        // As in `turns.rs`: a turn is new if it spoils every answer to its parts. An exclusive square
        // spoils nothing, so few turns are.
        let free = cells & !state.black;
        let mut answers: Vec<(Cells, Cells)> = Vec::new();
        let mut turns: Vec<Cells> = members(free).map(|cell| 1 << cell).collect();
        let mut drawn = true;
        while drawn && !turns.is_empty() {
            let mut larger = Vec::new();
            for &turn in &turns {
                let known = answers
                    .iter()
                    .find(|(black, white)| black & !turn == 0 && white & turn == 0)
                    .map(|(_, white)| *white);
                let white = match known {
                    Some(white) => white,
                    None => match self.answer(state, turn) {
                        Some(white) => {
                            answers.push((turn, white));
                            white
                        }
                        None => {
                            drawn = false;
                            break;
                        }
                    },
                };
                larger.extend(members(white).map(|cell| turn | 1 << cell));
            }
            larger.sort_unstable();
            larger.dedup();
            turns = larger;
        }
        self.known.insert(state, drawn);
        drawn
    }

    /// A good answer to a turn: its ordinary cells. Exclusive squares are not named, Black cannot use them.
    fn answer(&mut self, state: State, turn: Cells) -> Option<Cells> {
        let state = State {
            black: state.black | turn,
            ..state
        };
        self.place(state, turn.count_ones(), 0)
    }

    /// Places up to so many white stones, each on a line that is too full if there is one.
    fn place(&mut self, state: State, stones: u32, white: Cells) -> Option<Cells> {
        if self.full(state) == 0 && self.drawn(state) {
            return Some(white);
        }
        if stones == 0 {
            return None;
        }
        let urgent = self.full(state);
        let lines = if urgent == 0 {
            state.active
        } else {
            urgent & urgent.wrapping_neg()
        };
        for line in 0..self.lines.len() {
            if lines >> line & 1 == 0 {
                continue;
            }
            let kill = |dead: u64| State {
                active: state.active & !dead,
                ..state
            };
            if let Some(white) = self.place(kill(1 << line), stones - 1, white) {
                return Some(white);
            }
            for cell in members(self.lines[line] & !state.black & !white) {
                let through = (0..self.lines.len())
                    .filter(|&other| self.lines[other] >> cell & 1 == 1)
                    .fold(0, |all, other| all | 1 << other);
                if let Some(white) = self.place(kill(through), stones - 1, white | 1 << cell) {
                    return Some(white);
                }
            }
        }
        None
    }
}
