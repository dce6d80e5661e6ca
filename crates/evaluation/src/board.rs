//! Stones with the patterns of every empty cell, kept up to date.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use tengen_rules::{Cell, Grid, Position, Rules, Side};
use tengen_threats::Index;

use super::patterns::{Code, Shape};
use super::weights::{EVALUATION_UNIT, Role, Weights, Worth, compile};

/// A cell in reach of another: the direction that joins them, and what the other contributes to its
/// pattern.
#[derive(Debug, Copy, Clone)]
struct Neighbour {
    cell: Index,
    direction: u8,
    power: Code,
}

/// What does not change while stones come and go.
#[derive(Debug)]
struct Ground {
    /// The patterns' worth, straight and diagonal.
    worth: [Vec<Worth>; 2],
    bias: i32,
    /// The neighbours of cell `c` are `neighbours[starts[c]..starts[c + 1]]`.
    neighbours: Vec<Neighbour>,
    starts: Vec<u32>,
    empty_codes: Vec<[Code; 4]>,
}

/// Rows, columns, rising and falling diagonals.
const DIRECTIONS: [(i16, i16); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

impl Ground {
    fn new(rules: Rules, grid: Grid) -> Self {
        let weights = Weights::of(rules);
        let shape = Shape::new(rules);
        let reach = shape.reach as i16;
        let mut ground = Self {
            worth: compile(&weights, &shape),
            bias: (weights.bias * EVALUATION_UNIT) as i32,
            neighbours: Vec::new(),
            starts: vec![0],
            empty_codes: Vec::new(),
        };
        for cell in grid.cells() {
            let mut codes = [0; 4];
            for (number, &direction) in DIRECTIONS.iter().enumerate() {
                for step in (-reach..=reach).filter(|&step| step != 0) {
                    match grid.index(cell.step(direction, step)) {
                        None => codes[number] += 2 * shape.power(i32::from(step)),
                        Some(other) => ground.neighbours.push(Neighbour {
                            cell: other as Index,
                            direction: number as u8,
                            power: shape.power(-i32::from(step)),
                        }),
                    }
                }
            }
            ground.empty_codes.push(codes);
            ground.starts.push(ground.neighbours.len() as u32);
        }
        ground
    }

    /// The ground of a game, made once; infinite boards share one, whatever part of them is kept.
    fn of(rules: Rules, grid: Grid) -> Arc<Self> {
        static GROUNDS: LazyLock<Mutex<HashMap<Rules, Arc<Ground>>>> =
            LazyLock::new(Mutex::default);
        let mut grounds = match GROUNDS.lock() {
            Ok(grounds) => grounds,
            Err(poisoned) => poisoned.into_inner(),
        };
        let made = grounds.entry(rules);
        Arc::clone(made.or_insert_with(|| Arc::new(Self::new(rules, grid))))
    }

    fn neighbours(&self, cell: Index) -> &[Neighbour] {
        let cell = usize::from(cell);
        &self.neighbours[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }

    #[inline(always)]
    fn worth(&self, direction: u8, code: Code) -> &Worth {
        &self.worth[usize::from(direction >= 2)][usize::from(code)]
    }
}

/// Stones with what they are worth.
#[derive(Debug, Clone)]
pub struct PatternBoard {
    ground: Arc<Ground>,
    grid: Grid,
    /// The four patterns of each cell as Black and White see them.
    codes: Vec<[[Code; 4]; 2]>,
    occupied: Vec<bool>,
    /// How attractive each cell is to Black and White.
    attraction: Vec<[i32; 2]>,
    /// For each side what its patterns are worth when it moves and when it waits.
    sums: [[i32; 2]; 2],
    placed: Vec<(Side, Index)>,
}

impl PatternBoard {
    /// The stones of a position.
    pub fn from_position(position: &Position) -> Self {
        let grid = position.grid();
        let ground = Ground::of(position.rules(), grid);
        let mut board = Self {
            grid,
            codes: ground.empty_codes.iter().map(|&codes| [codes; 2]).collect(),
            occupied: vec![false; grid.len()],
            attraction: vec![[0; 2]; grid.len()],
            sums: [[0; 2]; 2],
            placed: Vec::new(),
            ground,
        };
        for cell in 0..grid.len() as Index {
            board.count_cell(cell, 1);
        }
        for stone in position.stones() {
            let index = grid.index(stone.cell).expect("the position has this grid");
            board.place(stone.side, index as Index);
        }
        board.placed.clear();
        board
    }

    /// Adds or takes away all that an empty cell contributes.
    fn count_cell(&mut self, cell: Index, times: i32) {
        let codes = self.codes[usize::from(cell)];
        for (side, codes) in codes.iter().enumerate() {
            for (direction, &code) in codes.iter().enumerate() {
                let [mover, waiter, attack, defence] = self
                    .ground
                    .worth(direction as u8, code)
                    .roles
                    .map(i32::from);
                self.sums[side][0] += times * mover;
                self.sums[side][1] += times * waiter;
                self.attraction[usize::from(cell)][side] += times * attack;
                self.attraction[usize::from(cell)][1 - side] += times * defence;
            }
        }
    }

    /// Places a stone on an empty cell.
    pub fn place(&mut self, side: Side, cell: Index) {
        debug_assert!(!self.occupied[usize::from(cell)]);
        self.count_cell(cell, -1);
        self.occupied[usize::from(cell)] = true;
        self.placed.push((side, cell));
        self.spread::<true>(side, cell);
    }

    /// Takes back the last placement; `false` when there is none since the board was made.
    pub fn undo(&mut self) -> bool {
        let Some((side, cell)) = self.placed.pop() else {
            return false;
        };
        self.spread::<false>(side, cell);
        self.occupied[usize::from(cell)] = false;
        self.count_cell(cell, 1);
        true
    }

    /// Tells the neighbours that a stone has come or gone.
    fn spread<const COMES: bool>(&mut self, side: Side, cell: Index) {
        let (us, them) = (side as usize, !side as usize);
        let Self {
            ground,
            codes,
            occupied,
            attraction,
            sums,
            ..
        } = self;
        for neighbour in ground.neighbours(cell) {
            let at = usize::from(neighbour.cell);
            let direction = usize::from(neighbour.direction);
            let seen = &mut codes[at];
            let before = [seen[us][direction], seen[them][direction]];
            let after = if COMES {
                [before[0] + neighbour.power, before[1] + 2 * neighbour.power]
            } else {
                [before[0] - neighbour.power, before[1] - 2 * neighbour.power]
            };
            seen[us][direction] = after[0];
            seen[them][direction] = after[1];
            if occupied[at] {
                continue;
            }
            for (who, number) in [(us, 0), (them, 1)] {
                let old = ground.worth(neighbour.direction, before[number]).roles;
                let new = ground.worth(neighbour.direction, after[number]).roles;
                let change =
                    |role: Role| i32::from(new[role as usize]) - i32::from(old[role as usize]);
                sums[who][0] += change(Role::Mover);
                sums[who][1] += change(Role::Waiter);
                attraction[at][who] += change(Role::Attack);
                attraction[at][1 - who] += change(Role::Defence);
            }
        }
    }

    /// How good the position is for `mover`, who is to move: a hundred times the logarithm of the odds that it wins. An opinion.
    pub fn evaluate(&self, mover: Side) -> i32 {
        let own = self.sums[mover as usize][0];
        let other = self.sums[!mover as usize][1];
        (self.ground.bias + own - other) / (EVALUATION_UNIT as i32 / 100)
    }

    /// How attractive a cell is to `side`, in thousandths.
    pub fn attraction(&self, side: Side, cell: Index) -> i32 {
        self.attraction[usize::from(cell)][side as usize]
    }

    /// Whether a stone can be placed here, as far as this board goes.
    pub fn is_free(&self, cell: Index) -> bool {
        !self.occupied[usize::from(cell)] && self.grid.holds(self.cell(cell))
    }

    /// The cell with this number.
    pub fn cell(&self, index: Index) -> Cell {
        self.grid.cell(usize::from(index))
    }

    /// The pattern of a cell in a direction, as a side sees it: for fitting weights.
    #[doc(hidden)]
    pub fn code(&self, cell: Index, side: Side, direction: usize) -> Code {
        self.codes[usize::from(cell)][side as usize][direction]
    }

    /// The most attractive free cells for `side`, best first.
    pub fn best_cells(&self, side: Side, count: usize, best: &mut Vec<(i32, Index)>) {
        best.clear();
        if count == 0 {
            return;
        }
        let mut bar = i32::MIN;
        for cell in 0..self.occupied.len() as Index {
            let worth = self.attraction[usize::from(cell)][side as usize];
            if (worth <= bar && best.len() == count) || !self.is_free(cell) {
                continue;
            }
            if best.len() == count {
                best.pop();
            }
            let place = best.partition_point(|&(other, _)| other >= worth);
            best.insert(place, (worth, cell));
            bar = best[best.len() - 1].0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slow twin: everything from the stones.
    fn again(position: &Position, board: &PatternBoard) -> PatternBoard {
        let mut fresh = PatternBoard::from_position(position);
        for &(side, cell) in &board.placed {
            fresh.place(side, cell);
        }
        fresh
    }

    #[test]
    fn sums_are_what_the_cells_say() {
        let mut random = fastrand::Rng::with_seed(5);
        for rules in [
            "connect6",
            "gomoku",
            "7,9,4,3,1",
            "3,3,3,1,1",
            "inf,inf,6,2,1",
            "12,12,9,2,2",
        ] {
            let rules: Rules = rules.parse().expect("legal rules");
            let position = Position::new(rules);
            let mut board = PatternBoard::from_position(&position);
            let start = board.clone();
            let mut side = Side::Black;
            for step in 0..40 {
                let free: Vec<Index> = (0..board.occupied.len() as Index)
                    .filter(|&cell| board.is_free(cell))
                    .collect();
                if free.is_empty() || (step % 5 == 4 && random.bool()) {
                    board.undo();
                } else {
                    board.place(side, free[random.usize(..free.len())]);
                    side = !side;
                }
                let mut sums = [[0; 2]; 2];
                let mut attraction = vec![[0; 2]; board.occupied.len()];
                let mut fresh = again(&position, &board);
                std::mem::swap(&mut fresh.sums, &mut sums);
                std::mem::swap(&mut fresh.attraction, &mut attraction);
                fresh.sums = [[0; 2]; 2];
                fresh.attraction.fill([0; 2]);
                for cell in 0..fresh.occupied.len() as Index {
                    if !fresh.occupied[usize::from(cell)] {
                        fresh.count_cell(cell, 1);
                    }
                }
                assert_eq!(
                    (fresh.sums, &fresh.attraction),
                    (board.sums, &board.attraction)
                );
                assert_eq!((sums, attraction), (fresh.sums, fresh.attraction));
            }
            while board.undo() {}
            assert_eq!(board.codes, start.codes);
            assert_eq!(
                (board.sums, board.attraction),
                (start.sums, start.attraction)
            );
        }
    }

    #[test]
    fn the_best_cells_are_the_best() {
        let position = Position::replay(Rules::CONNECT6, &[Cell::new(9, 9)]).expect("legal");
        let board = PatternBoard::from_position(&position);
        let mut best = Vec::new();
        board.best_cells(Side::White, 7, &mut best);
        let mut all: Vec<i32> = (0..361)
            .filter(|&cell| board.is_free(cell))
            .map(|cell| board.attraction(Side::White, cell))
            .collect();
        all.sort_unstable_by(|a, b| b.cmp(a));
        let worth: Vec<i32> = best.iter().map(|&(worth, _)| worth).collect();
        assert_eq!(worth, all[..7]);
    }
}
