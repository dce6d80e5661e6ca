//! Threat-space search as the paper has it (seed paper, section IV.A): Connect6 only, turns of at least
//! two threats by the pattern table, and conservative defence, which gives the defender all points of
//! all defences at once, so that one side alone is searched.
//!
//! A win found here is a claim, for the table counts some threats twice. Whoever calls it won needs the
//! prover. No win found proves nothing.
//!
//! Chosen here: the search deepens step by step; a turn after which the defender could complete a line is
//! refused; a stone that makes two threats alone is joined by one of the most promising points.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use tengen_rules::{Key, Overline, Rules, Side};
use tengen_threats::{CellSet, Index, LineBoard, SmallDefences};

use super::pattern::{self, Stone};

/// A stone that needs no partner is tried with so many.
const PARTNERS: usize = 6;

/// The attacker's windows that two stones can make a threat hold so many.
const USEFUL: u8 = 2;

/// Longer wins are not looked for.
pub(super) const DEEPEST: u32 = 24;

/// Whether the table is made for these rules.
pub(super) fn fits(rules: Rules) -> bool {
    rules.line() == 6 && rules.per_turn() == 2 && rules.overline() == Overline::Wins
}

/// When to give up.
#[derive(Debug, Copy, Clone)]
pub(super) struct Bounds<'a> {
    pub(super) nodes: u64,
    pub(super) depth: u32,
    pub(super) end: Option<Instant>,
    pub(super) stop: Option<&'a AtomicBool>,
}

impl Bounds<'_> {
    /// Whether time is up or somebody said stop.
    pub(super) fn is_over(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.end.is_some_and(|end| Instant::now() >= end)
    }
}

/// A search for one attacker.
pub(super) struct ThreatSpace<'a> {
    board: LineBoard,
    attacker: Side,
    bounds: Bounds<'a>,
    /// Where there is no win within so many turns.
    failed: HashMap<Key, u32>,
    defences: SmallDefences,
    /// Positions looked at.
    pub(super) nodes: u64,
    stopped: bool,
    cut: bool,
}

/// A turn, and its number of threats as the table has it.
type Attack = (u8, [Index; 2]);

impl<'a> ThreatSpace<'a> {
    /// The attacker is to move with a whole turn.
    pub(super) fn new(board: LineBoard, attacker: Side, bounds: Bounds<'a>) -> Self {
        Self {
            board,
            attacker,
            bounds,
            failed: HashMap::new(),
            defences: SmallDefences::default(),
            nodes: 0,
            stopped: false,
            cut: false,
        }
    }

    /// The first turn of a win, if one is found and not refused.
    pub(super) fn win(&mut self, refused: impl Fn(&[Index]) -> bool) -> Option<Vec<Index>> {
        if let Some(cells) = self.board.winning_set(self.attacker, 2)
            && !refused(&cells)
        {
            return Some(cells);
        }
        let mut turns = self.turns();
        turns.retain(|(_, turn)| !refused(turn));
        for depth in 1..=self.bounds.depth.min(DEEPEST) {
            self.cut = false;
            let winner = turns.iter().find(|&&turn| self.wins_with(turn, depth));
            if let Some((_, turn)) = winner {
                return Some(turn.to_vec());
            }
            if self.stopped || !self.cut {
                break;
            }
        }
        None
    }

    /// Whether the attacker wins by `depth` more turns that threaten.
    fn wins(&mut self, depth: u32) -> bool {
        self.nodes += 1;
        self.stopped |= self.nodes >= self.bounds.nodes || self.bounds.is_over();
        if self.board.winning_set(self.attacker, 2).is_some() {
            return true;
        }
        if self.stopped {
            return false;
        }
        let key = self.board.stones_key();
        if self.failed.get(&key).is_some_and(|&known| known >= depth) {
            self.cut = true;
            return false;
        }
        let won = self
            .turns()
            .into_iter()
            .any(|turn| self.wins_with(turn, depth));
        if !won && !self.stopped {
            self.failed.insert(key, depth);
        }
        won
    }

    /// Whether a turn wins: too many threats at once, or a win after all of its defences.
    fn wins_with(&mut self, (threats, turn): Attack, depth: u32) -> bool {
        if self.stopped {
            return false;
        }
        for cell in turn {
            self.board.place(self.attacker, cell);
        }
        let answered = self.board.winning_set(!self.attacker, 2).is_some();
        let won = !answered && (threats >= pattern::TOO_MANY || self.wins_after_defence(depth));
        for _ in turn {
            self.board.undo();
        }
        won
    }

    /// With conservative defence nothing is left of the threats: a win takes another turn.
    fn wins_after_defence(&mut self, depth: u32) -> bool {
        if depth <= 1 {
            self.cut = true;
            return false;
        }
        self.board.small_defences(self.attacker, &mut self.defences);
        let mut cells: Vec<Index> = self.defences.sets.iter().flatten().copied().collect();
        cells.sort_unstable();
        cells.dedup();
        let mut lined = false;
        for &cell in &cells {
            lined |= self.board.place(!self.attacker, cell);
        }
        let won = !lined && self.wins(depth - 1);
        for _ in &cells {
            self.board.undo();
        }
        won
    }

    /// The turns of at least two threats, those with most threats first.
    fn turns(&self) -> Vec<Attack> {
        let cells = self.useful_cells();
        let stone = |&cell: &Index| Stone::new(&self.board, self.attacker, cell);
        let stones: Vec<Stone> = cells.iter().map(stone).collect();
        let mut partners: Vec<usize> = (0..cells.len()).collect();
        partners.sort_by_key(|&place| -self.board.promise(self.attacker, cells[place]));
        partners.truncate(PARTNERS);
        let mut turns = Vec::new();
        for (first, one) in stones.iter().enumerate() {
            for (second, other) in stones.iter().enumerate().skip(first + 1) {
                let turn = [cells[first], cells[second]];
                let free = (one.threats() == 0 && !partners.contains(&first))
                    || (other.threats() == 0 && !partners.contains(&second));
                if free && !self.share_a_window(turn) {
                    continue;
                }
                let (threats, _) = pattern::of_turn(&self.board, self.attacker, one, other);
                if threats >= 2 {
                    turns.push((threats, turn));
                }
            }
        }
        turns.sort_by_key(|&(threats, turn)| (Reverse(threats), turn));
        turns
    }

    /// The empty points of windows that two stones can make a threat.
    fn useful_cells(&self) -> Vec<Index> {
        let grid = self.board.grid();
        let mut cells = CellSet::new(grid.len());
        self.board.open_cells(self.attacker, USEFUL, &mut cells);
        cells.iter().collect()
    }

    /// Whether two cells may lie in one window.
    fn share_a_window(&self, turn: [Index; 2]) -> bool {
        let [one, other] = turn.map(|index| self.board.cell(index));
        let (dx, dy) = ((one.x - other.x).abs(), (one.y - other.y).abs());
        (dx == 0 || dy == 0 || dx == dy) && dx.max(dy) < 6
    }
}
