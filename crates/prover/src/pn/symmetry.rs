//! Positions up to the symmetries of the board, as whole encodings: two positions are the same if these are, not if some
//! hash of them is.

use tengen_rules::Side;

use super::board::Board;
use super::cells::Cell;

/// A position with Black to move: the black stones ascending, then the white ones, cells counted row by row
/// (`docs/gomoku-format.md`).
pub(crate) type Encoding = Box<[u8]>;

/// One of the symmetries of a board.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) struct Symmetry(u8);

impl Symmetry {
    pub(crate) const NONE: Self = Self(0);

    /// Those of a board: eight if it is a square.
    pub(crate) fn all((width, height): (usize, usize)) -> impl Iterator<Item = Self> {
        (0..if width == height { 8 } else { 4 }).map(Self)
    }

    /// Where a cell goes.
    #[inline]
    pub(crate) const fn apply(self, (width, height): (usize, usize), cell: Cell) -> Cell {
        let (mut x, mut y) = ((cell & 15) as usize, (cell >> 4) as usize);
        if self.0 & 1 != 0 {
            x = width - 1 - x;
        }
        if self.0 & 2 != 0 {
            y = height - 1 - y;
        }
        if self.0 & 4 != 0 {
            (x, y) = (y, x);
        }
        Board::at(x, y)
    }

    /// What takes back this symmetry.
    pub(crate) fn inverse(self, size: (usize, usize)) -> Self {
        let back = |other: &Self| self.then(*other, size) == Self::NONE;
        Self::all(size).find(back).unwrap_or(Self::NONE)
    }

    /// This one, and another after it.
    pub(crate) fn then(self, other: Self, size: (usize, usize)) -> Self {
        // Where two neighbours of a corner go tells all.
        let corner = [Board::at(0, 0), Board::at(1, 0), Board::at(0, 1)];
        let there = corner.map(|cell| other.apply(size, self.apply(size, cell)));
        let same = |third: &Self| corner.map(|cell| third.apply(size, cell)) == there;
        Self::all(size).find(same).unwrap_or(Self::NONE)
    }
}

/// A cell as a file has it.
#[inline]
pub(crate) const fn number_of((width, _): (usize, usize), cell: Cell) -> u8 {
    (cell >> 4) * width as u8 + (cell & 15)
}

/// A cell from a file.
#[inline]
pub(crate) const fn cell_of((width, _): (usize, usize), number: u8) -> Cell {
    Board::at(number as usize % width, number as usize / width)
}

/// The smallest encoding of the position on the board, and the symmetry that leads there.
pub(crate) fn canonical(board: &Board) -> (Encoding, Symmetry) {
    let stones: Vec<(Side, Cell)> = board.placed().collect();
    canonical_of(board.size(), &stones)
}

/// The smallest encoding of these stones, and the symmetry that leads there.
pub(crate) fn canonical_of(size: (usize, usize), stones: &[(Side, Cell)]) -> (Encoding, Symmetry) {
    let is_black = |(side, _): &&(Side, Cell)| *side == Side::Black;
    let black = stones.iter().filter(is_black).count();
    let mut best: Option<(Vec<u8>, Symmetry)> = None;
    for symmetry in Symmetry::all(size) {
        let mut encoding = vec![0; stones.len()];
        let (mut blacks, mut whites) = (0, black);
        for &(side, cell) in stones {
            let place = match side {
                Side::Black => &mut blacks,
                Side::White => &mut whites,
            };
            encoding[*place] = number_of(size, symmetry.apply(size, cell));
            *place += 1;
        }
        encoding[..black].sort_unstable();
        encoding[black..].sort_unstable();
        if best.as_ref().is_none_or(|(known, _)| encoding < *known) {
            best = Some((encoding, symmetry));
        }
    }
    let (encoding, symmetry) = best.unwrap_or((Vec::new(), Symmetry::NONE));
    (encoding.into(), symmetry)
}

/// The stones of an encoding.
pub(crate) fn stones_of(size: (usize, usize), encoding: &[u8]) -> Vec<(Side, Cell)> {
    let half = encoding.len() / 2;
    let side = |number| {
        if number < half {
            Side::Black
        } else {
            Side::White
        }
    };
    let stones = encoding.iter().enumerate();
    stones
        .map(|(number, &cell)| (side(number), cell_of(size, cell)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::patterns::Fives;
    use super::super::strategy::tests::thrown;
    use super::*;

    #[test]
    fn images_have_one_encoding_and_symmetries_lead_back() {
        let mut state = 0x9e37_79b9_7f4a_7c15;
        for number in 0..60 {
            let size = [(7, 7), (9, 6), (15, 15)][number % 3];
            let board = thrown(&mut state, size, Fives::OrMore, 8);
            let stones: Vec<(Side, Cell)> = board.placed().collect();
            let (encoding, to) = canonical_of(size, &stones);
            let mut there: Vec<(Side, Cell)> = stones
                .iter()
                .map(|&(side, cell)| (side, to.apply(size, cell)))
                .collect();
            there.sort_by_key(|&(side, cell)| (side as u8, number_of(size, cell)));
            assert_eq!(there, stones_of(size, &encoding));
            for one in Symmetry::all(size) {
                let image: Vec<(Side, Cell)> = stones
                    .iter()
                    .map(|&(side, cell)| (side, one.apply(size, cell)))
                    .collect();
                assert_eq!(canonical_of(size, &image).0, encoding);
                assert_eq!(one.then(one.inverse(size), size), Symmetry::NONE);
                for other in Symmetry::all(size) {
                    let both = one.then(other, size);
                    let same = |&(_, cell): &(Side, Cell)| {
                        both.apply(size, cell) == other.apply(size, one.apply(size, cell))
                    };
                    assert!(stones.iter().all(same));
                }
            }
        }
    }
}
