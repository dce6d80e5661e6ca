//! Residual hypergraphs: what is left of a Maker-Breaker board when Black is to play.
//!
//! A line with a white stone is gone, a black stone shortens the lines through it (Section 3.1 of the
//! paper calls the rest *active*). Two empty cells on the same lines are the same for both players,
//! so a position keeps, for every set of lines, how many empty cells lie on exactly these. Lines
//! are numbered, at most 64 of them; cells have no names here, `strategy.rs` gives them back.

use crate::board::{Board, Point};

/// A set of lines, one bit each.
pub type Lines = u64;

/// The empty cells that lie on exactly these lines; a cell on none is of no use to anybody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Class {
    /// The lines through each of the cells.
    pub lines: Lines,
    /// How many cells there are.
    pub cells: u8,
}

/// What is left of a board. Two positions are equal when they have equally many cells on every set
/// of lines; the numbers of the lines count.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// In increasing order, none empty, none twice.
    classes: Vec<Class>,
}

/// Some stones of one turn: indices of classes in increasing order, repeated for two stones of a class.
pub type Stones = Vec<usize>;

impl Position {
    /// A board without stones.
    pub fn from_board(board: &Board) -> Self {
        let through = |cell: &Point| {
            let on =
                |(number, line): (usize, &Vec<Point>)| u64::from(line.contains(cell)) << number;
            board.lines().iter().enumerate().map(on).sum()
        };
        Self::from_cells(board.cells().iter().map(through))
    }

    /// From the lines through each empty cell.
    pub fn from_cells(cells: impl IntoIterator<Item = Lines>) -> Self {
        Self::collect(cells.into_iter().map(|lines| Class { lines, cells: 1 }))
    }

    fn collect(classes: impl IntoIterator<Item = Class>) -> Self {
        let mut sorted: Vec<Class> = classes
            .into_iter()
            .filter(|class| class.lines != 0 && class.cells != 0)
            .collect();
        sorted.sort_unstable();
        let mut merged: Vec<Class> = Vec::with_capacity(sorted.len());
        for class in sorted {
            match merged.last_mut() {
                Some(last) if last.lines == class.lines => last.cells += class.cells,
                _ => merged.push(class),
            }
        }
        Self { classes: merged }
    }

    /// The classes in increasing order.
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// Whether no line is left: White has stopped everything.
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    /// The lines that are left.
    pub fn lines(&self) -> Lines {
        self.classes.iter().fold(0, |all, class| all | class.lines)
    }

    /// The number of empty cells on lines.
    pub fn cells(&self) -> usize {
        self.classes
            .iter()
            .map(|class| usize::from(class.cells))
            .sum()
    }

    /// The number of empty cells of a line.
    pub fn size(&self, line: usize) -> usize {
        let on = |class: &&Class| class.lines >> line & 1 == 1;
        let cells = |class: &Class| usize::from(class.cells);
        self.classes.iter().filter(on).map(cells).sum()
    }

    /// What is left after Black's stones and then White's.
    ///
    /// The stones must be there: at most as many of a class as it has cells. A line that Black has
    /// filled would vanish, so the caller must have excluded that.
    pub fn after(&self, black: &[usize], white: &[usize]) -> Self {
        let dead = white
            .iter()
            .fold(0, |dead, &class| dead | self.classes[class].lines);
        let rest = self.classes.iter().enumerate().map(|(index, class)| {
            let taken = black.iter().filter(|&&stone| stone == index).count();
            Class {
                lines: class.lines & !dead,
                cells: class.cells - taken as u8,
            }
        });
        Self::collect(rest)
    }

    /// Without lines that need not be watched when Black places at most `per_turn` stones.
    ///
    /// 1. A line that contains another one: who stops the other one stops it too.
    /// 2. A line with more than `per_turn` cells that are on no other line: Black cannot fill these
    ///    in one turn, and White answers the first stone on them with one beside it.
    ///
    /// Neither changes who wins.
    pub fn reduced(mut self, per_turn: usize) -> Self {
        loop {
            let mut dead = self.private(per_turn);
            if dead == 0 {
                dead = self.longer();
            }
            if dead == 0 {
                return self;
            }
            let rest = self.classes.iter().map(|class| Class {
                lines: class.lines & !dead,
                cells: class.cells,
            });
            self = Self::collect(rest);
        }
    }

    fn private(&self, per_turn: usize) -> Lines {
        let own =
            |class: &&Class| class.lines.is_power_of_two() && usize::from(class.cells) > per_turn;
        self.classes
            .iter()
            .filter(own)
            .fold(0, |dead, class| dead | class.lines)
    }

    /// Lines that contain another; of equal lines all but one.
    fn longer(&self) -> Lines {
        let all = self.lines();
        let mut dead = 0;
        for line in ones(all) {
            // The lines through every cell of this one.
            let with = self
                .classes
                .iter()
                .filter(|class| class.lines >> line & 1 == 1)
                .fold(all, |common, class| common & class.lines);
            for other in ones(with & !dead) {
                if other != line && dead >> line & 1 == 0 {
                    dead |= 1 << other;
                }
            }
        }
        dead
    }

    /// The parts that share no cell. A position is drawn exactly if every part is: White answers in
    /// the part where Black played.
    pub fn components(&self) -> Vec<Self> {
        let mut parts = Vec::new();
        let mut rest = self.lines();
        while rest != 0 {
            let mut part = rest & rest.wrapping_neg();
            loop {
                let more = self
                    .classes
                    .iter()
                    .filter(|class| class.lines & part != 0)
                    .fold(part, |part, class| part | class.lines);
                if more == part {
                    break;
                }
                part = more;
            }
            rest &= !part;
            parts.push(Self {
                classes: self
                    .classes
                    .iter()
                    .filter(|class| class.lines & part != 0)
                    .copied()
                    .collect(),
            });
        }
        parts
    }

    /// The same with its lines numbered anew: line `old` becomes `number[old]`.
    pub(crate) fn renumbered(&self, number: &[u8; 64]) -> Self {
        let rename = |lines: Lines| ones(lines).fold(0, |new, old| new | 1 << number[old]);
        let mut classes: Vec<Class> = self
            .classes
            .iter()
            .map(|class| Class {
                lines: rename(class.lines),
                cells: class.cells,
            })
            .collect();
        classes.sort_unstable();
        Self { classes }
    }
}

/// The numbers of the bits that are set.
pub(crate) fn ones(mut lines: Lines) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (lines != 0).then(|| {
            let bit = lines.trailing_zeros() as usize;
            lines &= lines - 1;
            bit
        })
    })
}
