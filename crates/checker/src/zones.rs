//! Sequences of zones (RZOP, Section III-E) and the two operations that begin them: EP-1 for a
//! completed line and Tp1-1 for the defender's turn.

use crate::board::{Board, Player};

/// A set of cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Zone {
    words: Vec<u64>,
}

impl Zone {
    pub(crate) fn empty(cells: usize) -> Self {
        Self {
            words: vec![0; cells.div_ceil(64)],
        }
    }

    pub(crate) fn insert(&mut self, cell: usize) {
        self.words[cell / 64] |= 1 << (cell % 64);
    }

    pub(crate) fn contains(&self, cell: usize) -> bool {
        self.words[cell / 64] >> (cell % 64) & 1 == 1
    }

    fn add(&mut self, other: &Self) {
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            *word |= more;
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    pub(crate) fn cells(&self) -> impl Iterator<Item = usize> {
        self.words.iter().enumerate().flat_map(|(i, &word)| {
            std::iter::successors(Some(word), |&rest| Some(rest & rest.wrapping_sub(1)))
                .take_while(|&rest| rest != 0)
                .map(move |rest| i * 64 + rest.trailing_zeros() as usize)
        })
    }
}

/// A sequence of zones Z_1 ⊆ Z_2 ⊆ ... ⊆ Z_n; every zone after the last is the whole board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Zones(Vec<Zone>);

impl Zones {
    /// n empty zones.
    pub(crate) fn empty(n: usize, cells: usize) -> Self {
        Self(vec![Zone::empty(cells); n])
    }

    /// EP-1: Z_i holds the empty cells of all windows that are open for the defender and have at
    /// most i empty cells. To be called when the attacker has completed a line.
    pub(crate) fn of_won_game(board: &Board, line: usize, n: usize) -> Self {
        Self::of_windows(board, line, n, 0)
    }

    /// Tp1-1: Z_i holds the empty cells of all threat windows, and those of all windows that are
    /// open for the defender and have at most i + `turn` empty cells.
    pub(crate) fn of_defenders_turn(
        board: &Board,
        line: usize,
        n: usize,
        turn: usize,
        threats: &[Vec<usize>],
    ) -> Self {
        // A window with k empty cells may lie anywhere: from there on the zone is the whole board.
        let n = n.min(line - 1 - turn);
        let mut zones = Self::of_windows(board, line, n, turn);
        threats.iter().for_each(|cells| zones.add_cells(cells));
        zones
    }

    /// Z_i: the empty cells of all windows open for the defender with at most i + `turn` of them.
    fn of_windows(board: &Board, line: usize, n: usize, turn: usize) -> Self {
        let mut zones = Self::empty(n, board.cells());
        if n == 0 {
            return zones;
        }
        for (window, empties) in board.open_windows(Player::Defender, line - (n + turn)) {
            let least = empties.saturating_sub(turn).max(1);
            for cell in board.empties(window) {
                zones.0[least - 1].insert(cell);
            }
        }
        for i in 1..n {
            let (smaller, larger) = zones.0.split_at_mut(i);
            larger[0].add(&smaller[i - 1]);
        }
        zones
    }

    /// How many zones are not the whole board.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Z_i, counted from 1; `None` is the whole board.
    pub(crate) fn get(&self, i: usize) -> Option<&Zone> {
        self.0.get(i - 1)
    }

    /// The rank of a cell: the largest i such that it is outside Z_i, 0 if it is in Z_1.
    pub(crate) fn rank(&self, cell: usize) -> usize {
        self.0
            .iter()
            .take_while(|zone| !zone.contains(cell))
            .count()
    }

    /// Adds the cells to all zones, as AT-1 does with the attacker's turn.
    pub(crate) fn add_cells(&mut self, cells: &[usize]) {
        for zone in &mut self.0 {
            cells.iter().for_each(|&cell| zone.insert(cell));
        }
    }

    /// Ψ ∪ (Ψ' ≪ e), where Ψ is this sequence: Z_i gets the cells of Z'_(i+e). Where that is the
    /// whole board, so is the result.
    pub(crate) fn add_shifted(&mut self, other: &Self, e: usize) {
        self.0.truncate(other.0.len().saturating_sub(e));
        for (zone, more) in self.0.iter_mut().zip(other.0.iter().skip(e)) {
            zone.add(more);
        }
    }

    /// Memory in bytes, about.
    pub(crate) fn bytes(&self) -> usize {
        self.0.iter().map(|zone| zone.words.len() * 8 + 32).sum()
    }
}
