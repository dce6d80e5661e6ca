//! A set of cells of a board of at most 19x19.

/// A cell: column and row in one number, row by row.
pub(crate) type Cell = u16;

const WORDS: usize = 6;

/// A set of cells.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Default, Hash)]
pub(crate) struct Cells([u64; WORDS]);

impl Cells {
    pub(crate) fn insert(&mut self, cell: Cell) {
        self.0[usize::from(cell) / 64] |= 1 << (cell % 64);
    }

    pub(crate) fn remove(&mut self, cell: Cell) {
        self.0[usize::from(cell) / 64] &= !(1 << (cell % 64));
    }

    pub(crate) fn set(&mut self, cell: Cell, within: bool) {
        let (word, bit) = (&mut self.0[usize::from(cell) / 64], cell % 64);
        *word = *word & !(1 << bit) | u64::from(within) << bit;
    }

    pub(crate) fn contains(&self, cell: Cell) -> bool {
        self.0[usize::from(cell) / 64] >> (cell % 64) & 1 == 1
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    pub(crate) fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    pub(crate) fn first(&self) -> Option<Cell> {
        self.iter().next()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Cell> + use<> {
        let words = self.0;
        (0..WORDS).flat_map(move |number| {
            let mut word = words[number];
            std::iter::from_fn(move || {
                (word != 0).then(|| {
                    let bit = word.trailing_zeros();
                    word &= word - 1;
                    number as Cell * 64 + bit as Cell
                })
            })
        })
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    pub(crate) fn or(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }
}

impl FromIterator<Cell> for Cells {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        let mut set = Self::default();
        cells.into_iter().for_each(|cell| set.insert(cell));
        set
    }
}
