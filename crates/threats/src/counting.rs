//! Threat windows, immediate wins, the exact number of threats, and critical defences.

use tengen_rules::{Cell, Side, Turn};

use crate::geometry::Line;
use crate::hitting::{hitting_number, minimal_hitting_sets};
use crate::kernel::{self, LEVELS};
use crate::line_board::{Index, LineState, bits_of};
use crate::{CellSet, LineBoard};

/// A window in which a side could complete a line in one turn.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Window {
    /// Its `k` cells along the line.
    pub cells: Vec<Cell>,
    /// Those of them that are empty.
    pub empty: Vec<Cell>,
}

/// All critical defences against the threats of a side.
///
/// When there is nothing to defend against, `normal` holds just the empty turn; when `p` stones are
/// not enough, both lists are empty.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Defences {
    /// Minimum ones: as many stones as there are threats.
    pub normal: Vec<Turn>,
    /// Inclusion-minimal ones with more stones.
    pub relaxed: Vec<Turn>,
}

/// The empty cells of one window.
pub(crate) type EmptyCells = Vec<Index>;

impl LineBoard {
    /// The windows that `side` could complete with one whole turn: at least `k - p` stones of the
    /// side and none of the opponent (and no overline, where that does not win).
    pub fn threat_windows(&self, side: Side) -> Vec<Window> {
        let mut windows = Vec::new();
        for (line, state) in self.threatening_lines(side) {
            for start in bits_of(state.levels[side as usize][0]) {
                let cells: Vec<Index> = (start..start + self.geometry.line)
                    .map(|bit| line.cell(bit))
                    .collect();
                let empty = cells.iter().filter(|&&cell| self.stone(cell).is_none());
                windows.push(Window {
                    empty: empty.map(|&cell| self.cell(cell)).collect(),
                    cells: cells.iter().map(|&cell| self.cell(cell)).collect(),
                });
            }
        }
        windows
    }

    /// The distinct inclusion-minimal sets of empty cells among the threat windows of `side`.
    pub(crate) fn threat_sets(&self, side: Side) -> Vec<EmptyCells> {
        let mut sets: Vec<EmptyCells> = Vec::new();
        let window = (1_u64 << self.geometry.line) - 1;
        for (line, state) in self.threatening_lines(side) {
            for start in bits_of(state.levels[side as usize][0]) {
                let empty = bits_of(window << start & !state.stones[side as usize]);
                let set: EmptyCells = empty.map(|bit| line.cell(bit)).collect();
                let within = |a: &EmptyCells, b: &EmptyCells| a.iter().all(|cell| b.contains(cell));
                if !sets.iter().any(|other| within(other, &set)) {
                    sets.retain(|other| !within(&set, other));
                    sets.push(set);
                }
            }
        }
        sets
    }

    /// All inclusion-minimal sets of at most `stones` empty cells with which `side` completes a
    /// line. Without one the side cannot win in a turn of that many stones.
    ///
    /// `stones` must not be more than `p`.
    pub fn immediate_wins(&self, side: Side, stones: u8) -> Vec<Turn> {
        let sets = self.threat_sets(side).into_iter();
        let mut wins: Vec<Turn> = sets
            .filter(|set| set.len() <= usize::from(stones))
            .map(|set| self.turn(&set))
            .collect();
        wins.sort_unstable();
        wins
    }

    /// The number of threats of `side`: how many stones the opponent needs to prevent a win with the
    /// next whole turn. Exact up to `p`; `p + 1` means more than one turn can answer.
    ///
    /// Whether the opponent has something better to do than to defend is not asked.
    pub fn threat_count(&self, side: Side) -> u8 {
        if !self.has_threat(side) {
            return 0;
        }
        hitting_number(&self.threat_sets(side), self.rules().per_turn())
    }

    /// All critical defences against the threats of `attacker`: the inclusion-minimal sets of at
    /// most `p` cells that hit every threat window.
    pub fn critical_defences(&self, attacker: Side) -> Defences {
        let mut turns: Vec<Turn> = self
            .critical_sets(attacker)
            .iter()
            .map(|set| self.turn(set))
            .collect();
        turns.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
        let least = turns.first().map_or(0, Turn::len);
        let relaxed = turns
            .iter()
            .position(|turn| turn.len() > least)
            .unwrap_or(turns.len());
        Defences {
            relaxed: turns.split_off(relaxed),
            normal: turns,
        }
    }

    /// [`critical_defences`](Self::critical_defences) by number, in no particular order.
    pub fn critical_sets(&self, attacker: Side) -> Vec<Vec<Index>> {
        minimal_hitting_sets(&self.threat_sets(attacker), self.rules().per_turn())
    }

    /// The empty cells of all open windows of `side` that hold at least `least` stones of it.
    pub fn open_cells(&self, side: Side, least: u8, cells: &mut CellSet) {
        let mut add = |line: Line, state: LineState, windows: u64| {
            let covered = kernel::cells_of_windows(self.geometry.line, windows);
            for bit in bits_of(covered & !state.stones[side as usize]) {
                cells.insert(line.cell(bit));
            }
        };
        // Three levels are kept anyway.
        let threat = usize::from(self.rules().threat_stones());
        match threat.checked_sub(usize::from(least)) {
            Some(level) if level < LEVELS => {
                for (line, state) in self.promising_lines(side) {
                    add(line, state, state.levels[side as usize][level]);
                }
            }
            _ => {
                for (line, state, windows) in self.lines_with(side, i32::from(least)) {
                    add(line, state, windows);
                }
            }
        }
    }

    pub(crate) fn turn(&self, cells: &[Index]) -> Turn {
        cells.iter().map(|&cell| self.cell(cell)).collect()
    }
}
