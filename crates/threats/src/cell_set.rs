//! A set of cells of one board, as bits.

use smallvec::SmallVec;

use crate::line_board::{Index, bits_of};

/// Enough for a board of 19 x 19 without allocation.
const WORDS: usize = 6;

/// A set of cells, by number. Sets of one board have the same size and can be combined.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CellSet(SmallVec<[u64; WORDS]>);

impl CellSet {
    /// The empty set for a board of that many cells.
    pub fn new(cells: usize) -> Self {
        Self(SmallVec::from_elem(0, cells.div_ceil(64)))
    }

    /// Adds a cell.
    pub fn insert(&mut self, cell: Index) {
        self.0[usize::from(cell / 64)] |= 1 << (cell % 64);
    }

    /// Takes a cell out.
    pub fn remove(&mut self, cell: Index) {
        self.0[usize::from(cell / 64)] &= !(1 << (cell % 64));
    }

    /// Whether the cell is in the set.
    pub fn contains(&self, cell: Index) -> bool {
        self.0[usize::from(cell / 64)] >> (cell % 64) & 1 == 1
    }

    /// Adds all cells of another set.
    pub fn union(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
    }

    /// Whether all cells are also in the other set.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.0
            .iter()
            .zip(&other.0)
            .all(|(word, other)| word & !other == 0)
    }

    /// How many cells there are.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// The cells in increasing order.
    pub fn iter(&self) -> impl Iterator<Item = Index> + '_ {
        let words = self.0.iter().enumerate();
        words.flat_map(|(word, &bits)| {
            bits_of(bits).map(move |bit| (word * 64) as Index + bit as Index)
        })
    }
}
