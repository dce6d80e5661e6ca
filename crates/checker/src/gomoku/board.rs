//! Stones, and the fives, doubles and fours at hand, from the definitions in `docs/gomoku-format.md`.
//!
//! For every window the board counts the stones of both sides. Windows with four stones of one side
//! only, and those with three, are kept in sets: everything else is found in these few windows.

use super::shape::{FiveRule, MOST_WINDOWS, Shape};

/// Black attacks, White defends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Black,
    White,
}

/// A set of numbers below `64 * WORDS`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Set<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> Set<WORDS> {
    const EMPTY: Self = Self([0; WORDS]);

    fn put(&mut self, number: usize, is_in: bool) {
        let (word, bit) = (&mut self.0[number / 64], number % 64);
        *word = *word & !(1 << bit) | u64::from(is_in) << bit;
    }

    fn contains(&self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 == 1
    }

    /// In increasing order.
    fn iter(&self) -> Members<WORDS> {
        Members {
            left: *self,
            word: 0,
        }
    }
}

/// The numbers of a set that are left.
struct Members<const WORDS: usize> {
    left: Set<WORDS>,
    word: usize,
}

impl<const WORDS: usize> Iterator for Members<WORDS> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        while self.word < WORDS {
            let bits = &mut self.left.0[self.word];
            if *bits != 0 {
                let lowest = bits.trailing_zeros() as usize;
                *bits &= *bits - 1;
                return Some(64 * self.word + lowest);
            }
            self.word += 1;
        }
        None
    }
}

/// A set of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CellSet(Set<4>);

impl CellSet {
    pub(super) const EMPTY: Self = Self(Set::EMPTY);

    pub(super) fn of(cells: &[u8]) -> Self {
        let mut set = Self::EMPTY;
        cells.iter().for_each(|&cell| set.insert(cell));
        set
    }

    pub(super) fn insert(&mut self, cell: u8) {
        self.0.put(usize::from(cell), true);
    }

    pub(super) fn contains(&self, cell: u8) -> bool {
        self.0.contains(usize::from(cell))
    }

    pub(super) fn intersect(&mut self, other: &Self) {
        for (word, other) in self.0.0.iter_mut().zip(other.0.0) {
            *word &= other;
        }
    }

    pub(super) fn unite(&mut self, other: &Self) {
        for (word, other) in self.0.0.iter_mut().zip(other.0.0) {
            *word |= other;
        }
    }

    /// In increasing order.
    pub(super) fn iter(&self) -> impl Iterator<Item = u8> + use<> {
        self.0.iter().map(|cell| cell as u8)
    }
}

/// The cells on which a side completes a winning line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fives {
    /// There are none.
    No,
    /// There is exactly one.
    One(u8),
    /// There are two or more.
    Several,
}

/// What a side completes a five with, once a stone of its is on some cell.
#[derive(Debug, Clone, Copy)]
enum Completions {
    No,
    One(u8),
    Two(u8, u8),
    More,
}

impl Completions {
    /// Takes note of a cell, which may be known already.
    fn with(self, cell: u8) -> Self {
        match self {
            Self::No => Self::One(cell),
            Self::One(a) if a != cell => Self::Two(a, cell),
            Self::Two(a, b) if a != cell && b != cell => Self::More,
            known => known,
        }
    }
}

/// A board with stones.
pub(super) struct Board<'a> {
    pub(super) shape: &'a Shape,
    stones: Vec<Option<Side>>,
    /// Stones of Black and of White in each window.
    counts: [Vec<u8>; 2],
    /// Windows with four stones of Black, of White, and none of the other side.
    fours: [Set<{ MOST_WINDOWS / 64 }>; 2],
    /// The same with three stones.
    threes: [Set<{ MOST_WINDOWS / 64 }>; 2],
    /// All stones in the order in which they were placed.
    placed: Vec<(u8, Side)>,
}

impl<'a> Board<'a> {
    /// The empty board.
    pub(super) fn new(shape: &'a Shape) -> Self {
        let none = vec![0; shape.windows.len()];
        Self {
            shape,
            stones: vec![None; shape.cells()],
            counts: [none.clone(), none],
            fours: [Set::EMPTY; 2],
            threes: [Set::EMPTY; 2],
            placed: Vec::with_capacity(shape.cells()),
        }
    }

    pub(super) fn is_empty(&self, cell: u8) -> bool {
        self.stones[usize::from(cell)].is_none()
    }

    /// The empty cells in increasing order.
    pub(super) fn empty_cells(&self) -> Vec<u8> {
        let cells = 0..self.shape.cells() as u8;
        cells.filter(|&cell| self.is_empty(cell)).collect()
    }

    /// All stones in the order in which they were placed.
    pub(super) fn placed(&self) -> &[(u8, Side)] {
        &self.placed
    }

    /// Places a stone on an empty cell.
    pub(super) fn place(&mut self, cell: u8, side: Side) {
        debug_assert!(self.is_empty(cell));
        self.stones[usize::from(cell)] = Some(side);
        self.placed.push((cell, side));
        self.count(cell, side, |count| *count += 1);
    }

    /// Takes back the last stones, until so many are left.
    pub(super) fn take_back_to(&mut self, left: usize) {
        while self.placed.len() > left
            && let Some((cell, side)) = self.placed.pop()
        {
            self.stones[usize::from(cell)] = None;
            self.count(cell, side, |count| *count -= 1);
        }
    }

    /// Changes what is known of all windows through a cell.
    fn count(&mut self, cell: u8, side: Side, change: impl Fn(&mut u8)) {
        let shape = self.shape;
        let (own, other) = (side as usize, 1 - side as usize);
        for &window in &shape.through[usize::from(cell)] {
            let window = usize::from(window);
            change(&mut self.counts[own][window]);
            let (owns, others) = (self.counts[own][window], self.counts[other][window]);
            // Only windows of one side are in the sets, and a stone in a window of the other side
            // matters only if it is the first or was the last.
            if others == 0 {
                self.fours[own].put(window, owns == 4);
                self.threes[own].put(window, owns == 3);
            } else if owns <= 1 {
                self.fours[other].put(window, owns == 0 && others == 4);
                self.threes[other].put(window, owns == 0 && others == 3);
            }
        }
    }

    /// Whether five stones of this side in this window win: where overlines do not, the cells just
    /// before and behind it must not be its stones.
    fn wins(&self, window: usize, side: Side) -> bool {
        self.shape.rule == FiveRule::FiveOrMore || {
            let [before, behind] = self.shape.windows[window].ends;
            let is_own = |end: u8| self.stones[usize::from(end)] == Some(side);
            !before.is_some_and(is_own) && !behind.is_some_and(is_own)
        }
    }

    /// The empty cells of a window, in its order.
    fn empties(&self, window: usize) -> impl Iterator<Item = u8> {
        let cells = self.shape.windows[window].cells;
        cells.into_iter().filter(|&cell| self.is_empty(cell))
    }

    /// Whether a side has completed a winning line.
    pub(super) fn has_line(&self, side: Side) -> bool {
        let own = &self.counts[side as usize];
        (0..own.len()).any(|window| own[window] == 5 && self.wins(window, side))
    }

    /// The cells on which a side completes a winning line: the empty cell of a window with four of
    /// its stones. (That cell is in the window, so a stone on it does not touch the ends.)
    pub(super) fn fives(&self, side: Side) -> Fives {
        let mut found = None;
        for window in self.fours[side as usize].iter() {
            if !self.wins(window, side) {
                continue;
            }
            match (found, self.empties(window).next()) {
                (None, five) => found = five,
                (Some(known), Some(five)) if known != five => return Fives::Several,
                _ => {}
            }
        }
        found.map_or(Fives::No, Fives::One)
    }

    /// The cells on which a stone gives this side two or more fives, each with the cells that stop
    /// it. Only for a side that has no five now: then every five it gets lies in a window with three
    /// of its stones, that cell, and the five's cell.
    pub(super) fn doubles(&self, side: Side) -> Doubles {
        debug_assert_eq!(self.fives(side), Fives::No);
        let mut completions = [Completions::No; 256];
        let mut touched = CellSet::EMPTY;
        for window in self.threes[side as usize].iter() {
            let mut empties = self.empties(window);
            let (Some(a), Some(b)) = (empties.next(), empties.next()) else {
                continue;
            };
            if self.wins(window, side) {
                for (stone, five) in [(a, b), (b, a)] {
                    let known = &mut completions[usize::from(stone)];
                    *known = known.with(five);
                    if !matches!(known, Completions::One(_)) {
                        touched.insert(stone);
                    }
                }
            }
        }
        Doubles {
            completions,
            cells: touched,
        }
    }

    /// The cells on which a stone leaves this side a five. Only for a side that has no five now.
    pub(super) fn fours(&self, side: Side) -> CellSet {
        debug_assert_eq!(self.fives(side), Fives::No);
        let mut cells = CellSet::EMPTY;
        for window in self.threes[side as usize].iter() {
            if self.wins(window, side) {
                self.empties(window).for_each(|cell| cells.insert(cell));
            }
        }
        cells
    }
}

/// Cells that make two fives at once.
pub(super) struct Doubles {
    completions: [Completions; 256],
    cells: CellSet,
}

impl Doubles {
    /// Whether there is one.
    pub(super) fn any(&self) -> bool {
        self.cells != CellSet::EMPTY
    }

    /// The cells that stop all of them; `None` if there is none to stop.
    ///
    /// A double is stopped by a stone on it and, if it makes exactly two fives, by one on either of
    /// these.
    pub(super) fn stops(&self) -> Option<CellSet> {
        let mut common: Option<CellSet> = None;
        for double in self.cells.0.iter() {
            let stops = match self.completions[double] {
                Completions::Two(a, b) => CellSet::of(&[double as u8, a, b]),
                _ => CellSet::of(&[double as u8]),
            };
            match &mut common {
                Some(common) => common.intersect(&stops),
                None => common = Some(stops),
            }
        }
        common
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The same from the definitions: stones are placed, and rows of stones are measured.
    struct Twin<'a> {
        shape: &'a Shape,
        stones: Vec<Option<Side>>,
    }

    impl Twin<'_> {
        fn at(&self, x: i32, y: i32) -> Option<Side> {
            let (width, height) = (i32::from(self.shape.width), i32::from(self.shape.height));
            let inside = x >= 0 && x < width && y >= 0 && y < height;
            inside.then(|| self.stones[(y * width + x) as usize])?
        }

        /// Whether the stone on this cell is part of a row that wins.
        fn wins_through(&self, cell: u8, side: Side) -> bool {
            let width = i32::from(self.shape.width);
            let (x, y) = (i32::from(cell) % width, i32::from(cell) / width);
            [(1, 0), (0, 1), (1, 1), (1, -1)]
                .into_iter()
                .any(|(dx, dy)| {
                    let run = |sign: i32| {
                        (1..)
                            .take_while(|i| {
                                self.at(x + sign * i * dx, y + sign * i * dy) == Some(side)
                            })
                            .count()
                    };
                    let length = 1 + run(1) + run(-1);
                    match self.shape.rule {
                        FiveRule::FiveOrMore => length >= 5,
                        FiveRule::ExactlyFive => length == 5,
                    }
                })
        }

        fn empty_cells(&self) -> Vec<u8> {
            let cells = 0..self.stones.len() as u8;
            cells
                .filter(|&cell| self.stones[usize::from(cell)].is_none())
                .collect()
        }

        /// What is true of a stone of this side on this cell.
        fn with<T>(&mut self, cell: u8, side: Side, ask: impl FnOnce(&mut Self) -> T) -> T {
            self.stones[usize::from(cell)] = Some(side);
            let answer = ask(self);
            self.stones[usize::from(cell)] = None;
            answer
        }

        fn fives(&mut self, side: Side) -> BTreeSet<u8> {
            let mut fives = BTreeSet::new();
            for cell in self.empty_cells() {
                if self.with(cell, side, |twin| twin.wins_through(cell, side)) {
                    fives.insert(cell);
                }
            }
            fives
        }
    }

    /// A board with so many stones of each side, but for the chance that makes it vary.
    fn random_board<'a>(shape: &'a Shape, rng: &mut fastrand::Rng) -> (Board<'a>, Twin<'a>) {
        let mut board = Board::new(shape);
        let mut twin = Twin {
            shape,
            stones: vec![None; shape.cells()],
        };
        let (black, white) = (rng.u32(5..70), rng.u32(2..40));
        for cell in 0..shape.cells() as u8 {
            let side = match rng.u32(0..120) {
                n if n < black => Side::Black,
                n if n < black + white => Side::White,
                _ => continue,
            };
            board.place(cell, side);
            twin.stones[usize::from(cell)] = Some(side);
        }
        (board, twin)
    }

    #[test]
    fn fives_doubles_and_fours_are_those_of_the_definitions() {
        let mut rng = fastrand::Rng::with_seed(7);
        let (mut several, mut doubles_seen, mut stops_seen, mut without_fives) = (0, 0, 0, 0);
        for (width, height, rounds) in [(7, 7, 6000), (9, 6, 6000), (15, 15, 1500)] {
            for rule in [FiveRule::FiveOrMore, FiveRule::ExactlyFive] {
                let shape = Shape::new(width, height, rule);
                for _ in 0..rounds {
                    let (mut board, mut twin) = random_board(&shape, &mut rng);
                    for side in [Side::Black, Side::White] {
                        let stones = twin.stones.clone();
                        let own = (0..stones.len()).filter(|&cell| stones[cell] == Some(side));
                        let line = own
                            .into_iter()
                            .any(|cell| twin.wins_through(cell as u8, side));
                        assert_eq!(board.has_line(side), line);
                        let fives = twin.fives(side);
                        let expected = match fives.len() {
                            0 => Fives::No,
                            1 => Fives::One(*fives.first().expect("one")),
                            _ => Fives::Several,
                        };
                        assert_eq!(board.fives(side), expected);
                        if !fives.is_empty() {
                            several += usize::from(fives.len() > 1);
                            continue;
                        }
                        without_fives += 1;
                        let (mut doubles, mut fours) = (BTreeSet::new(), BTreeSet::new());
                        let mut common: Option<BTreeSet<u8>> = None;
                        for cell in twin.empty_cells() {
                            let next = twin.with(cell, side, |twin| twin.fives(side));
                            if !next.is_empty() {
                                fours.insert(cell);
                            }
                            if next.len() < 2 {
                                continue;
                            }
                            doubles.insert(cell);
                            let mut stops = BTreeSet::from([cell]);
                            if next.len() == 2 {
                                stops.extend(next);
                            }
                            common = Some(match common {
                                Some(common) => &common & &stops,
                                None => stops,
                            });
                        }
                        let found = board.doubles(side);
                        assert_eq!(found.cells.iter().collect::<BTreeSet<_>>(), doubles);
                        assert_eq!(found.any(), !doubles.is_empty());
                        let stops = found.stops().map(|stops| stops.iter().collect());
                        assert_eq!(stops, common);
                        assert_eq!(board.fours(side).iter().collect::<BTreeSet<_>>(), fours);
                        doubles_seen += usize::from(!doubles.is_empty());
                        stops_seen += usize::from(common.is_some_and(|stops| !stops.is_empty()));
                    }
                    // Stones taken back leave no trace.
                    board.take_back_to(0);
                    let fresh = Board::new(&shape);
                    assert_eq!(board.counts, fresh.counts);
                    assert_eq!((board.fours, board.threes), (fresh.fours, fresh.threes));
                }
            }
        }
        assert!(
            several > 1000 && without_fives > 1000,
            "{several} {without_fives}"
        );
        assert!(
            doubles_seen > 1000 && stops_seen > 500,
            "{doubles_seen} {stops_seen}"
        );
    }

    #[test]
    fn overlines_are_no_fives_where_they_do_not_win() {
        for (rule, fives) in [
            (FiveRule::FiveOrMore, Fives::One(3)),
            (FiveRule::ExactlyFive, Fives::No),
        ] {
            let shape = Shape::new(9, 6, rule);
            let mut board = Board::new(&shape);
            // A1 B1 C1 and E1 F1: six with D1.
            for cell in [0, 1, 2, 4, 5] {
                board.place(cell, Side::Black);
            }
            assert_eq!(board.fives(Side::Black), fives);
        }
    }
}
