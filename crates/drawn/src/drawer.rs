//! Plays White on the plane by the strategy of a tiling: answers, in every copy of a board, the stones that Black
//! has just placed there.
//!
//! Nothing is remembered between turns but what the solver knows: the stones say what is left of each copy.

use std::collections::BTreeMap;

use crate::board::Point;
use crate::position::{Position, Stones};
use crate::solver::Solver;
use crate::strategy::{Cells, Part};
use crate::tiling::{Place, Plane};

/// A copy of a board: tile, image and translation.
type Copy = (usize, usize, (i32, i32));

/// White on the plane.
#[derive(Debug)]
pub struct Drawer {
    plane: Plane,
    per_turn: usize,
    solver: Solver,
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DrawerError {
    /// A stone on a stone.
    #[error("two stones on {0},{1}")]
    Occupied(i32, i32),
    /// More stones than a turn has, or none.
    #[error("a turn of {0} stones, expected 1 to {1}")]
    Stones(usize, usize),
    /// The stones are not those of a game in which White has followed the strategy.
    #[error("Black can occupy a line here: White has not followed the strategy")]
    Lost,
}

impl Drawer {
    /// For a tiling whose boards are drawn for turns of so many stones.
    pub fn new(plane: Plane, per_turn: usize) -> Self {
        Self {
            plane,
            per_turn,
            solver: Solver::new(per_turn),
        }
    }

    /// The tiling.
    pub fn plane(&self) -> &Plane {
        &self.plane
    }

    /// Where White answers Black's first stone on a board, for every cell that needs an answer.
    pub fn first_answers(&mut self, tile: usize) -> Result<Vec<(Point, Point)>, DrawerError> {
        let board = self.plane.tiling().tiles[tile].board.clone();
        let mut answers = Vec::new();
        for (cell, &from) in board.cells().iter().enumerate() {
            let white = self.answer_in(tile, (0, 0), 1 << cell)?;
            answers.extend(white.into_iter().map(|cell| (from, board.cells()[cell])));
        }
        Ok(answers)
    }

    /// White's answer to Black's turn, at most as many stones. `black` and `white` are the stones before the turn.
    pub fn answer(
        &mut self,
        black: &[Point],
        white: &[Point],
        turn: &[Point],
    ) -> Result<Vec<Point>, DrawerError> {
        if turn.is_empty() || turn.len() > self.per_turn {
            return Err(DrawerError::Stones(turn.len(), self.per_turn));
        }
        let mut all: Vec<Point> = [black, white, turn].concat();
        all.sort_unstable();
        if let Some(pair) = all.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(DrawerError::Occupied(pair[0].0, pair[0].1));
        }
        let mut copies: BTreeMap<Copy, Cells> = BTreeMap::new();
        for &stone in turn {
            let place = self.plane.place(stone);
            let copy = (place.tile, place.image, place.translation);
            *copies.entry(copy).or_default() |= 1 << place.cell;
        }
        let mut answer = Vec::new();
        for (copy, stones) in copies {
            let before = (self.cells_of(copy, black), self.cells_of(copy, white));
            for cell in self.answer_in(copy.0, before, stones)? {
                let (tile, image, translation) = copy;
                answer.push(self.plane.point(Place {
                    tile,
                    image,
                    cell,
                    translation,
                }));
            }
        }
        Ok(answer)
    }

    fn cells_of(&self, copy: Copy, stones: &[Point]) -> Cells {
        let places = stones.iter().map(|&stone| self.plane.place(stone));
        places
            .filter(|place| (place.tile, place.image, place.translation) == copy)
            .fold(0, |cells, place| cells | 1 << place.cell)
    }

    fn answer_in(
        &mut self,
        tile: usize,
        (black, white): (Cells, Cells),
        turn: Cells,
    ) -> Result<Vec<usize>, DrawerError> {
        let lines = self.plane.tiling().tiles[tile].board.sets();
        let active = lines
            .iter()
            .filter(|&line| line & white == 0)
            .map(|line| line & !black);
        let active: Vec<Cells> = active.collect();
        self.answer_to(&Part::new(active), turn)
    }

    fn answer_to(&mut self, part: &Part, turn: Cells) -> Result<Vec<usize>, DrawerError> {
        let mut black: Stones = Vec::new();
        let mut used: Vec<u8> = Vec::new();
        for (class, cells) in part.cells.iter().enumerate() {
            for &cell in cells.iter().filter(|&cell| turn >> cell & 1 == 1) {
                black.push(class);
                used.push(cell);
            }
        }
        if black.is_empty() {
            // Only cells on no active line: nothing to answer.
            return Ok(Vec::new());
        }
        let position: &Position = &part.position;
        if position
            .sizes()
            .iter()
            .any(|&size| size > 0 && usize::from(size) <= self.per_turn)
        {
            return Err(DrawerError::Lost);
        }
        for white in position.answers(&black, self.per_turn) {
            if self.solver.is_drawn(&position.after(&black, &white)) == Some(true) {
                let free = |&class: &usize| {
                    part.cells[class]
                        .iter()
                        .find(|cell| !used.contains(cell))
                        .copied()
                };
                return Ok(white.iter().filter_map(free).map(usize::from).collect());
            }
        }
        Err(DrawerError::Lost)
    }
}
