//! A map from small sets of cells: an array for sets of up to two cells, which nearly all are, and a hash map for the
//! rest. The pair matrix looks up thousands of replies after every search, and hashing them took a fifth of its time.

use std::collections::HashMap;

use tengen_threats::Index;

use crate::tree::Cells;

/// On larger boards pairs are hashed: an array of them would be too large.
const MOST_CELLS: usize = 512;

/// What is absent has the default value. Sets are sorted.
#[derive(Debug, Clone)]
pub(crate) struct SetMap<V> {
    cells: usize,
    /// The empty set, then every single cell; nothing before the first entry.
    small: Vec<V>,
    /// Every pair; nothing before the first entry.
    pairs: Vec<V>,
    others: HashMap<Cells, V>,
}

/// Where the value of a set is.
enum Place {
    Small(usize),
    Pair(usize),
    Other,
}

impl<V: Copy + Default> SetMap<V> {
    /// For a board of so many cells.
    pub(crate) fn new(cells: usize) -> Self {
        Self {
            cells,
            small: Vec::new(),
            pairs: Vec::new(),
            others: HashMap::new(),
        }
    }

    /// Forgets everything, memory included.
    pub(crate) fn clear(&mut self) {
        *self = Self::new(self.cells);
    }

    fn place(&self, set: &[Index]) -> Place {
        debug_assert!(set.is_sorted(), "the same set in one way only");
        match *set {
            [] => Place::Small(0),
            [cell] => Place::Small(1 + usize::from(cell)),
            [low, high] if self.cells <= MOST_CELLS => {
                let (low, high) = (usize::from(low), usize::from(high));
                Place::Pair(high * high.saturating_sub(1) / 2 + low)
            }
            _ => Place::Other,
        }
    }

    pub(crate) fn get(&self, set: &[Index]) -> V {
        let value = match self.place(set) {
            Place::Small(place) => self.small.get(place),
            Place::Pair(place) => self.pairs.get(place),
            Place::Other => self.others.get(set),
        };
        value.copied().unwrap_or_default()
    }

    /// The value of a set, to be changed.
    pub(crate) fn entry(&mut self, set: &[Index]) -> &mut V {
        match self.place(set) {
            Place::Small(place) => {
                if self.small.is_empty() {
                    self.small = vec![V::default(); 1 + self.cells];
                }
                &mut self.small[place]
            }
            Place::Pair(place) => {
                if self.pairs.is_empty() {
                    let pairs = self.cells * self.cells.saturating_sub(1) / 2;
                    self.pairs = vec![V::default(); pairs];
                }
                &mut self.pairs[place]
            }
            Place::Other => self.others.entry(Cells::from_slice(set)).or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Beside a hash map, on a board with an array of pairs and on one without.
    #[test]
    fn is_a_map_of_sets() {
        for cells in [20, MOST_CELLS + 1] {
            let mut random = fastrand::Rng::with_seed(7);
            let mut fast: SetMap<u32> = SetMap::new(cells);
            let mut slow: HashMap<Vec<Index>, u32> = HashMap::new();
            for value in 1..2_000 {
                let set = || {
                    let size = random.usize(0..=3);
                    let mut set: Vec<Index> =
                        random.choose_multiple(0..cells.min(20) as Index, size);
                    set.sort_unstable();
                    set
                };
                let mut set = set;
                let (written, read) = (set(), set());
                *fast.entry(&written) = value;
                slow.insert(written, value);
                assert_eq!(
                    fast.get(&read),
                    slow.get(&read).copied().unwrap_or_default()
                );
            }
            fast.clear();
            assert!(slow.keys().all(|set| fast.get(set) == 0));
        }
    }

    /// The pair of the last cells has a place, and no two pairs share one.
    #[test]
    fn pairs_have_places_of_their_own() {
        let cells: Index = 30;
        let mut map: SetMap<u32> = SetMap::new(usize::from(cells));
        for high in 0..cells {
            for low in 0..high {
                *map.entry(&[low, high]) += 1;
            }
        }
        assert_eq!(map.pairs.iter().sum::<u32>(), 30 * 29 / 2);
        assert!(map.pairs.iter().all(|&count| count == 1));
    }
}
