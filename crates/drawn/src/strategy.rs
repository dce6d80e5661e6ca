//! White's strategy on a board, written down: answers in every position that can arise.
//!
//! Walks as the checker will (`docs/drawn.md`): a list of positions, new turns in order, an answer to
//! each, parts that are not isomorphic to an earlier one. Any good answer would do. One that leads
//! only to positions that are in the list already costs nothing, so it is preferred: that makes the list
//! several times shorter than the first good answers would.

use std::collections::{HashMap, HashSet, VecDeque};

use crate::position::{Position, Stones, ones};
use crate::solver::Solver;
use crate::turns::Answer;

/// A set of cells of a board, by number.
pub type Cells = u128;

/// A position with the names of its cells: the lines that matter, as sets of empty cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// No cell is in two parts.
    pub lines: Vec<Cells>,
    /// The same without names.
    pub position: Position,
    /// The cells of each class, in increasing order.
    pub cells: Vec<Vec<u8>>,
}

/// The cells of a set in increasing order.
pub(crate) fn members(mut cells: Cells) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (cells != 0).then(|| {
            let cell = cells.trailing_zeros() as u8;
            cells &= cells - 1;
            cell
        })
    })
}

/// The lines through each cell of some lines, at most 64 of them.
fn through(lines: &[Cells]) -> impl Iterator<Item = (u8, u64)> {
    let all = lines.iter().fold(0, |all, line| all | line);
    members(all).map(|cell| {
        let on = |(number, line): (usize, &Cells)| ((line >> cell & 1) as u64) << number;
        (cell, lines.iter().enumerate().map(on).sum())
    })
}

impl Part {
    /// The parts of what is left when these are the lines without white stones.
    pub fn all(lines: &[Cells], per_turn: usize) -> Vec<Self> {
        let whole = Position::from_cells(through(lines).map(|(_, lines)| lines));
        let kept = whole.reduced(per_turn);
        let mut parts: Vec<Self> = kept
            .components()
            .iter()
            .map(|part| Self::new(ones(part.lines()).map(|line| lines[line]).collect()))
            .collect();
        parts.sort_by_key(|part| part.cells.iter().flatten().min().copied());
        parts
    }

    /// All of these lines, whether they matter or not.
    pub(crate) fn new(lines: Vec<Cells>) -> Self {
        let position = Position::from_cells(through(&lines).map(|(_, lines)| lines));
        let mut cells = vec![Vec::new(); position.classes().len()];
        for (cell, lines) in through(&lines) {
            let class = position
                .classes()
                .binary_search_by_key(&lines, |class| class.lines);
            cells[class.expect("every cell is in a class")].push(cell);
        }
        Self {
            lines,
            position,
            cells,
        }
    }

    /// The first cells of the classes of a turn.
    fn first_cells(&self, turn: &[usize]) -> Vec<u8> {
        let mut cells = Vec::new();
        for (index, &class) in turn.iter().enumerate() {
            let before = turn[..index]
                .iter()
                .filter(|&&other| other == class)
                .count();
            cells.push(self.cells[class][before]);
        }
        cells.sort_unstable();
        cells
    }

    /// Cells for White's answer that Black has not taken.
    fn free_cells(&self, white: &[usize], black: &[u8]) -> Vec<u8> {
        let free = |&class: &usize| {
            let cell = self.cells[class].iter().find(|cell| !black.contains(cell));
            *cell.expect("answers are on free cells")
        };
        white.iter().map(free).collect()
    }

    /// The parts of what is left after a turn and its answer.
    pub fn after(&self, black: &[u8], white: &[u8], per_turn: usize) -> Vec<Self> {
        let set = |cells: &[u8]| cells.iter().fold(0, |set, &cell| set | 1 << cell);
        let (black, white): (Cells, Cells) = (set(black), set(white));
        let active = self.lines.iter().filter(|&line| line & white == 0);
        let lines: Vec<Cells> = active.map(|line| line & !black).collect();
        Self::all(&lines, per_turn)
    }
}

/// White's answers on a board.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Strategy {
    /// For each position in the order of the list, for each new turn in order, as many entries as
    /// the turn has stones.
    pub answers: Vec<Vec<Option<u8>>>,
}

impl Strategy {
    /// Writes down a strategy for a board that the solver knows to be drawn.
    ///
    /// `None` if Black wins, or the solver's limit was reached.
    pub fn find(lines: &[Cells], per_turn: usize, solver: &mut Solver) -> Option<Self> {
        let mut seen: HashSet<Position> = HashSet::new();
        let mut list: VecDeque<Part> = VecDeque::new();
        let mut found = Self::default();
        for part in Part::all(lines, per_turn) {
            if !solver.is_drawn(&part.position)? {
                return None;
            }
            if seen.insert(part.position.canonical()) {
                list.push_back(part);
            }
        }
        while let Some(part) = list.pop_front() {
            let mut line = Vec::new();
            let mut answers: Vec<Answer> = Vec::new();
            let mut turns: Vec<Stones> = Vec::new();
            for stones in 1..=per_turn {
                turns = part.position.candidates(stones, &turns, &answers);
                let mut new: Vec<(Vec<u8>, Stones)> = turns
                    .iter()
                    .filter(|turn| part.position.is_new(turn, &answers))
                    .map(|turn| (part.first_cells(turn), turn.clone()))
                    .collect();
                new.sort_unstable();
                for (cells, black) in new {
                    let (white, rest) = cheapest(&part, &black, &cells, per_turn, solver, &seen)?;
                    for part in rest {
                        if seen.insert(part.position.canonical()) {
                            list.push_back(part);
                        }
                    }
                    let named = part.free_cells(&white, &cells);
                    line.extend((0..stones).map(|index| named.get(index).copied()));
                    answers.push(Answer { black, white });
                }
            }
            found.answers.push(line);
        }
        Some(found)
    }
}

/// The good answer that adds least to the list, and what is left after it.
fn cheapest(
    part: &Part,
    black: &[usize],
    cells: &[u8],
    per_turn: usize,
    solver: &mut Solver,
    seen: &HashSet<Position>,
) -> Option<(Stones, Vec<Part>)> {
    let mut best: Option<(usize, Stones, Vec<Part>)> = None;
    for white in part.position.answers(black, per_turn) {
        let rest = part.after(cells, &part.free_cells(&white, cells), per_turn);
        let mut unseen: HashMap<Position, usize> = HashMap::new();
        for part in &rest {
            let form = part.position.canonical();
            if !seen.contains(&form) {
                unseen.insert(form, part.position.cells());
            }
        }
        let cost: usize = unseen.values().map(|cells| cells * cells).sum();
        if best.as_ref().is_some_and(|(least, _, _)| *least <= cost) {
            continue;
        }
        let mut drawn = true;
        for part in &rest {
            drawn = drawn && solver.is_drawn(&part.position)?;
        }
        if drawn {
            best = Some((cost, white, rest));
            if cost == 0 {
                break;
            }
        }
    }
    best.map(|(_, white, rest)| (white, rest))
}
