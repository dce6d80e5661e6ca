//! The design that was not taken, kept for comparison: one counter per window and side.
//!
//! A stone belongs to up to 4k windows; each gets its counter changed, and the sets of windows with
//! at least `k - p`, `k - p - 1` and `k - p - 2` stones (the same three levels that `LineBoard`
//! keeps) are updated one window at a time.

use tengen_rules::{Grid, Side};

pub(crate) struct WindowCounters {
    /// The windows through each cell, as a range of `members`.
    ranges: Vec<(u32, u32)>,
    members: Vec<u16>,
    counts: [Vec<u8>; 2],
    /// For each side and level a bit per window.
    levels: [[Vec<u64>; 3]; 2],
    threat: u8,
    history: Vec<(Side, u16)>,
}

impl WindowCounters {
    pub(crate) fn new(grid: Grid, line: u8, per_turn: u8) -> Self {
        let k = i16::from(line);
        let mut windows_of: Vec<Vec<u16>> = vec![Vec::new(); grid.len()];
        let mut windows = 0;
        for cell in grid.cells() {
            for direction in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let cells: Option<Vec<usize>> = (0..k)
                    .map(|n| grid.index(cell.step(direction, n)))
                    .collect();
                if let Some(cells) = cells {
                    for index in cells {
                        windows_of[index].push(windows as u16);
                    }
                    windows += 1;
                }
            }
        }
        let (mut ranges, mut members) = (Vec::new(), Vec::new());
        for windows in &windows_of {
            ranges.push((members.len() as u32, (members.len() + windows.len()) as u32));
            members.extend(windows);
        }
        let words = || vec![0; windows / 64 + 1];
        Self {
            ranges,
            members,
            counts: [vec![0; windows], vec![0; windows]],
            levels: [[words(), words(), words()], [words(), words(), words()]],
            threat: line - per_turn,
            history: Vec::new(),
        }
    }

    pub(crate) fn place(&mut self, side: Side, index: u16) {
        self.history.push((side, index));
        self.change(side, index, true);
    }

    pub(crate) fn undo(&mut self) {
        if let Some((side, index)) = self.history.pop() {
            self.change(side, index, false);
        }
    }

    fn change(&mut self, side: Side, index: u16, add: bool) {
        let (first, last) = self.ranges[usize::from(index)];
        for &window in &self.members[first as usize..last as usize] {
            let w = usize::from(window);
            let count = &mut self.counts[side as usize][w];
            *count = if add { *count + 1 } else { *count - 1 };
            for who in [0, 1] {
                let (own, other) = (self.counts[who][w], self.counts[1 - who][w]);
                for level in 0..3 {
                    let holds = other == 0 && own + level >= self.threat;
                    let word = &mut self.levels[who][usize::from(level)][w / 64];
                    *word = *word & !(1 << (w % 64)) | u64::from(holds) << (w % 64);
                }
            }
        }
    }

    /// How many windows of each level each side has.
    pub(crate) fn sizes(&self) -> [[u32; 3]; 2] {
        [0, 1].map(|who| {
            [0, 1, 2].map(|level| {
                self.levels[who][level]
                    .iter()
                    .map(|w: &u64| w.count_ones())
                    .sum()
            })
        })
    }
}
