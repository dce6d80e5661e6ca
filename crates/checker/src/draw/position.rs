//! What is left of a board when Black is to play: lines without white stones, and of these the cells
//! without black ones.

/// A set of cells of a board.
pub(super) type Cells = u128;

/// A set of lines that share cells; each line is the set of its empty cells. Sorted, none twice.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Position {
    pub(super) lines: Vec<Cells>,
}

impl Position {
    pub(super) fn cells(&self) -> Cells {
        self.lines.iter().fold(0, |all, line| all | line)
    }

    /// The lines through a cell, as numbers.
    pub(super) fn through(&self, cell: u8) -> u64 {
        let on = |(number, line): (usize, &Cells)| u64::from(line >> cell & 1 == 1) << number;
        self.lines.iter().enumerate().map(on).sum()
    }

    /// The parts of what is left after a turn and its answer.
    pub(super) fn after(&self, black: Cells, white: Cells, per_turn: usize) -> Vec<Self> {
        let active = self.lines.iter().filter(|&line| line & white == 0);
        parts(active.map(|line| line & !black).collect(), per_turn)
    }
}

/// The cells of a set, in increasing order.
pub(super) fn members(cells: Cells) -> impl Iterator<Item = u8> {
    let end = 128 - cells.leading_zeros() as u8;
    (0..end).filter(move |cell| cells >> cell & 1 == 1)
}

/// Takes away lines that need not be watched, and splits the rest into parts without a common cell,
/// in the order of their least cells.
pub(super) fn parts(lines: Vec<Cells>, per_turn: usize) -> Vec<Position> {
    let mut lines = lines;
    lines.sort_unstable();
    lines.dedup();
    loop {
        let before = lines.len();
        lines = without_longer(&lines);
        lines = without_private(&lines, per_turn);
        if lines.len() == before {
            break;
        }
    }
    let mut parts = Vec::new();
    while !lines.is_empty() {
        let all = lines.iter().fold(0, |all, line| all | line);
        let mut part = 1 << all.trailing_zeros();
        loop {
            let touching = lines.iter().filter(|&line| line & part != 0);
            let grown = touching.fold(part, |part, line| part | line);
            if grown == part {
                break;
            }
            part = grown;
        }
        let (inside, outside) = lines.iter().partition(|&line| line & part != 0);
        parts.push(Position { lines: inside });
        lines = outside;
    }
    parts
}

/// Remark 2: who stops a line stops every line that contains it.
fn without_longer(lines: &[Cells]) -> Vec<Cells> {
    let contains_another = |line: &Cells| {
        lines
            .iter()
            .any(|other| other != line && other & !line == 0)
    };
    lines
        .iter()
        .copied()
        .filter(|line| !contains_another(line))
        .collect()
}

/// Remark 3: lines with more than `per_turn` cells that are on no other line.
fn without_private(lines: &[Cells], per_turn: usize) -> Vec<Cells> {
    let own = |line: &Cells| {
        let others = lines.iter().filter(|&other| other != line);
        line & !others.fold(0, |all, other| all | other)
    };
    lines
        .iter()
        .copied()
        .filter(|line| own(line).count_ones() as usize <= per_turn)
        .collect()
}
