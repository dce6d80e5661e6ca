//! The slow twins: everything from the definitions, on coordinates, with no code of the crate.

use std::collections::BTreeSet;

use tengen_rules::{Cell, Overline, Position, Rules, Side, Turn};

const DIRECTIONS: [(i16, i16); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Stones by cell.
#[derive(Clone)]
pub(crate) struct Naive {
    rules: Rules,
    cells: Vec<Cell>,
    /// By row and column from the grid's corner, with a border wide enough for any window.
    stones: Vec<Vec<Option<Side>>>,
    corner: Cell,
}

/// A set of cells, sorted.
pub(crate) type Set = Vec<Cell>;

/// Farther than any window reaches over the grid's edge.
const BORDER: i16 = 64;

impl Naive {
    pub(crate) fn new(position: &Position) -> Self {
        let grid = position.grid();
        let side = |size: usize| size + 2 * BORDER as usize;
        let corner = grid.corner().step((1, 1), -BORDER);
        let stones = vec![vec![None; side(grid.width())]; side(grid.height())];
        let mut naive = Self {
            rules: position.rules(),
            cells: grid.cells().collect(),
            stones,
            corner,
        };
        for stone in position.stones() {
            naive.put(stone.cell, stone.side);
        }
        naive
    }

    fn put(&mut self, cell: Cell, side: Side) {
        self.stones[(cell.y - self.corner.y) as usize][(cell.x - self.corner.x) as usize] =
            Some(side);
    }

    fn stone(&self, cell: Cell) -> Option<Side> {
        self.stones[(cell.y - self.corner.y) as usize][(cell.x - self.corner.x) as usize]
    }

    fn empty(&self) -> Vec<Cell> {
        self.cells
            .iter()
            .copied()
            .filter(|&cell| self.stone(cell).is_none())
            .collect()
    }

    /// The empty cells of every window that the side could complete in one turn: none of the
    /// opponent's stones, at least `k - p` of the side's.
    pub(crate) fn threat_windows(&self, side: Side) -> BTreeSet<Set> {
        let k = i16::from(self.rules.line());
        let least = usize::from(self.rules.threat_stones());
        let exact = self.rules.overline() == Overline::DoesNotWin;
        let own = |cell: Cell| self.stone(cell) == Some(side);
        let mut windows = BTreeSet::new();
        // Only windows with a stone matter, also on an infinite board: start from the stones.
        for &stone in self.cells.iter().filter(|&&cell| own(cell)) {
            for direction in DIRECTIONS {
                for back in 0..k {
                    let cells = (0..k).map(|n| stone.step(direction, n - back));
                    let open = cells
                        .clone()
                        .all(|c| self.rules.contains(c) && self.stone(c) != Some(!side));
                    let flanked = own(stone.step(direction, -back - 1))
                        || own(stone.step(direction, k - back));
                    if open
                        && !(exact && flanked)
                        && cells.clone().filter(|&c| own(c)).count() >= least
                    {
                        let mut empty: Set = cells.filter(|&c| !own(c)).collect();
                        empty.sort_unstable();
                        windows.insert(empty);
                    }
                }
            }
        }
        windows
    }

    /// All inclusion-minimal sets of at most `p` cells that hit every window, by Berge's
    /// multiplication: window after window, extend what does not hit it, keep what is minimal.
    pub(crate) fn defences(&self, windows: &BTreeSet<Set>) -> BTreeSet<Set> {
        let hits =
            |set: &Set, window: &Set| set.iter().filter(|cell| window.contains(cell)).count();
        let mut sets = BTreeSet::from([Set::new()]);
        let mut done: Vec<&Set> = Vec::new();
        for window in windows {
            done.push(window);
            let mut next = BTreeSet::new();
            for set in sets {
                if hits(&set, window) > 0 {
                    next.insert(set);
                } else if set.len() < usize::from(self.rules.per_turn()) {
                    for &cell in window {
                        let mut larger = set.clone();
                        larger.push(cell);
                        larger.sort_unstable();
                        next.insert(larger);
                    }
                }
            }
            let needed =
                |set: &Set, cell: &Cell| done.iter().any(|w| w.contains(cell) && hits(set, w) == 1);
            sets = next
                .into_iter()
                .filter(|set| set.iter().all(|cell| needed(set, cell)))
                .collect();
        }
        sets
    }

    /// The number of threats, given all defences.
    pub(crate) fn threats(&self, defences: &BTreeSet<Set>) -> u8 {
        let least = defences.iter().map(Vec::len).min();
        least.map_or(self.rules.per_turn() + 1, |len| len as u8)
    }

    fn threats_with(&self, side: Side, stones: &[Cell]) -> u8 {
        let mut after = self.clone();
        for &cell in stones {
            after.put(cell, side);
        }
        after.threats(&after.defences(&after.threat_windows(side)))
    }

    /// The inclusion-minimal windows of at most `stones` empty cells.
    pub(crate) fn wins(&self, windows: &BTreeSet<Set>, stones: u8) -> BTreeSet<Turn> {
        let within = |a: &Set, b: &Set| a.iter().all(|cell| b.contains(cell));
        let minimal = windows
            .iter()
            .filter(|w| !windows.iter().any(|v| v != *w && within(v, w)));
        minimal
            .filter(|w| w.len() <= usize::from(stones))
            .map(|w| w.iter().copied().collect())
            .collect()
    }

    /// Every set of empty cells of each size up to `stones`.
    fn sets(&self, stones: u8) -> Vec<Vec<Set>> {
        let empty = self.empty();
        let mut by_size = vec![vec![Vec::new()]];
        for size in 0..usize::from(stones) {
            let grow = |set: &Set| {
                let set = set.clone();
                let last = set.last().copied();
                let later = empty
                    .iter()
                    .skip_while(move |&&c| last.is_some_and(|l| c != l));
                later
                    .skip(usize::from(last.is_some()))
                    .map(move |&c| [&set[..], &[c]].concat())
                    .collect::<Vec<_>>()
            };
            by_size.push(by_size[size].iter().flat_map(grow).collect());
        }
        by_size
    }

    /// All sets of at most `stones` empty cells after which the side has at least that many threats
    /// and no proper subset of which does.
    pub(crate) fn threat_turns(&self, side: Side, stones: u8, at_least: u8) -> BTreeSet<Turn> {
        let mut enough: Vec<Set> = Vec::new();
        for set in self.sets(stones).concat() {
            let covered = |smaller: &Set| smaller.iter().all(|cell| set.contains(cell));
            if !enough.iter().any(covered) && self.threats_with(side, &set) >= at_least {
                enough.push(set);
            }
        }
        enough
            .iter()
            .map(|set| set.iter().copied().collect())
            .collect()
    }

    /// All turns of exactly `stones` stones with at least that many threats.
    pub(crate) fn full_turns(&self, side: Side, stones: u8, at_least: u8) -> BTreeSet<Turn> {
        let mut sets = self.sets(stones).pop().expect("one list for each size");
        sets.retain(|set| self.threats_with(side, set) >= at_least);
        sets.iter()
            .map(|set| set.iter().copied().collect())
            .collect()
    }
}

/// The fewest stones to add to a stretch of one line so that its windows alone make that many
/// threats (1 or 2; a complete line makes any number). `None` when no number of stones does.
pub(crate) fn stones_to_threats(
    rules: Rules,
    stretch: &[Cell],
    own: &[Cell],
    threats: usize,
) -> Option<u8> {
    let (k, least) = (
        usize::from(rules.line()),
        usize::from(rules.threat_stones()),
    );
    let empty: Vec<Cell> = stretch
        .iter()
        .copied()
        .filter(|c| !own.contains(c))
        .collect();
    let enough = |chosen: u32| {
        let has = |c: &Cell| {
            own.contains(c)
                || empty
                    .iter()
                    .position(|e| e == c)
                    .is_some_and(|i| chosen >> i & 1 == 1)
        };
        let mut sets: Vec<Set> = Vec::new();
        for (start, window) in stretch.windows(k).enumerate() {
            let beside = |i: Option<usize>| i.and_then(|i| stretch.get(i)).is_some_and(has);
            let flanked = beside(start.checked_sub(1)) || beside(Some(start + k));
            let overline = rules.overline() == Overline::DoesNotWin && flanked;
            if !overline && window.iter().filter(|c| has(c)).count() >= least {
                sets.push(window.iter().copied().filter(|c| !has(c)).collect());
            }
        }
        // One threat: some window. Two: no single cell meets all windows.
        !sets.is_empty()
            && (threats == 1
                || !empty
                    .iter()
                    .any(|cell| sets.iter().all(|set| set.contains(cell))))
    };
    (0..1_u32 << empty.len())
        .filter(|&chosen| enough(chosen))
        .map(|chosen| chosen.count_ones() as u8)
        .min()
}
