//! A set of cells of a board of at most 16 columns and 16 rows.

/// A cell: the row in the high four bits, the column in the low four.
pub(crate) type Cell = u8;

const WORDS: usize = 4;

/// A set of cells.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Default, Hash)]
pub(crate) struct Cells([u64; WORDS]);

impl Cells {
    #[inline]
    pub(crate) fn insert(&mut self, cell: Cell) {
        self.0[usize::from(cell >> 6)] |= 1 << (cell & 63);
    }

    #[inline]
    pub(crate) fn remove(&mut self, cell: Cell) {
        self.0[usize::from(cell >> 6)] &= !(1 << (cell & 63));
    }

    /// If this is wanted, puts a cell in that is not in it, and takes one out that is.
    #[inline]
    pub(crate) fn toggle(&mut self, cell: Cell, wanted: bool) {
        self.0[usize::from(cell >> 6)] ^= u64::from(wanted) << (cell & 63);
    }

    #[inline]
    pub(crate) fn contains(&self, cell: Cell) -> bool {
        self.0[usize::from(cell >> 6)] >> (cell & 63) & 1 == 1
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    #[inline]
    pub(crate) fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether there are two or more.
    #[inline]
    pub(crate) fn several(&self) -> bool {
        self.len() > 1
    }

    #[inline]
    pub(crate) fn first(&self) -> Option<Cell> {
        self.iter().next()
    }

    #[inline]
    pub(crate) fn iter(&self) -> Iter {
        Iter {
            words: self.0,
            number: 0,
        }
    }

    #[inline]
    pub(crate) fn and(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    #[inline]
    pub(crate) fn or(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    #[inline]
    pub(crate) fn without(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }
}

/// The cells of a set, ascending.
#[derive(Debug, Clone)]
pub(crate) struct Iter {
    words: [u64; WORDS],
    number: usize,
}

impl Iterator for Iter {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        while self.number < WORDS {
            let word = self.words[self.number];
            if word != 0 {
                self.words[self.number] = word & (word - 1);
                return Some((self.number as u32 * 64 + word.trailing_zeros()) as Cell);
            }
            self.number += 1;
        }
        None
    }
}

impl FromIterator<Cell> for Cells {
    fn from_iter<T: IntoIterator<Item = Cell>>(cells: T) -> Self {
        let mut set = Self::default();
        for cell in cells {
            set.insert(cell);
        }
        set
    }
}
