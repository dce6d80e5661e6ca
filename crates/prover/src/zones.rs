//! Relevance zones, built bottom-up from a finished strategy (RZOP, operations EP-1, AT-1, Tp1-1 and
//! Tp-1, and `docs/proof-format.md`).

use tengen_rules::{Rules, Side};
use tengen_threats::{CellSet, Index, LineBoard};

use crate::cover::{Child, Cover};
use crate::tree::{Cells, Forest, Win, WinId};

/// A sequence of zones Z_1, Z_2, ..., each containing the one before. Zones beyond the last are the
/// whole board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zones(Vec<CellSet>);

impl Zones {
    /// How many zones are kept: beyond this every open window would belong to them.
    pub fn count(rules: Rules) -> u8 {
        rules.line() - rules.per_turn() - 1
    }

    /// No zones: every further stone may matter.
    pub(crate) const fn nothing() -> Self {
        Self(Vec::new())
    }

    pub(crate) fn empty(board: &LineBoard) -> Self {
        Self(vec![
            CellSet::new(board.grid().len());
            usize::from(Self::count(board.rules()))
        ])
    }

    /// Z_1, Z_2, ...
    pub fn sets(&self) -> &[CellSet] {
        &self.0
    }

    /// Z_number, from 1; `None` is the whole board.
    pub(crate) fn zone(&self, number: usize) -> Option<&CellSet> {
        self.0.get(number - 1)
    }

    /// Whether stones of the defender on these cells could matter to the win: some i of them in Z_i.
    pub fn concerns(&self, cells: &[Index]) -> bool {
        (1..=cells.len()).any(|number| {
            let inside = |cell: &&Index| self.zone(number).is_none_or(|zone| zone.contains(**cell));
            cells.iter().filter(inside).count() >= number
        })
    }

    /// Adds a cell to every zone.
    pub(crate) fn insert(&mut self, cell: u16) {
        for zone in &mut self.0 {
            zone.insert(cell);
        }
    }

    /// Adds the zones of `other`, shifted by `shift`. Where those end, these end too: from there on
    /// it is the whole board.
    pub(crate) fn union_shifted(&mut self, other: &Self, shift: usize) {
        self.0.truncate(other.0.len().saturating_sub(shift));
        for (zone, other) in self.0.iter_mut().zip(other.0.iter().skip(shift)) {
            zone.union(other);
        }
    }

    /// The largest i such that the cell is outside Z_i; 0 if it is in Z_1.
    pub(crate) fn rank(&self, cell: u16) -> usize {
        self.0
            .iter()
            .take_while(|zone| !zone.contains(cell))
            .count()
    }
}

/// Zones of a position after the attacker's turn in which he has more threats than can be answered,
/// or against replies that leave a threat open (Tp1-1).
pub(crate) fn base(board: &LineBoard, attacker: Side) -> Zones {
    let rules = board.rules();
    let mut zones = Zones::empty(board);
    let mut threats = CellSet::new(board.grid().len());
    board.open_cells(attacker, rules.threat_stones(), &mut threats);
    for (number, zone) in zones.0.iter_mut().enumerate() {
        zone.union(&threats);
        board.open_cells(!attacker, rules.threat_stones() - 1 - number as u8, zone);
    }
    zones
}

/// Zones of a position in which the attacker has completed a line (EP-1).
pub(crate) fn endgame(board: &LineBoard, attacker: Side) -> Zones {
    let mut zones = Zones::empty(board);
    for (number, zone) in zones.0.iter_mut().enumerate() {
        board.open_cells(!attacker, board.rules().line() - 1 - number as u8, zone);
    }
    zones
}

/// The zones of a win. The board must stand at the position of the win, with the attacker to move;
/// it is the same afterwards.
///
/// A win that was found elsewhere and replayed here may hold replies that nobody needs here and that
/// are not answered or cannot even be played; they are ignored, as the checker does. `None` if the
/// strategy does not win here.
pub(crate) fn zones_of(
    board: &mut LineBoard,
    forest: &Forest,
    id: WinId,
    attacker: Side,
) -> Option<Zones> {
    let win = forest.get(id);
    if win.turn.iter().any(|&cell| board.stone(cell).is_some()) {
        return None;
    }
    let mut complete = false;
    for &cell in &win.turn {
        complete |= board.place(attacker, cell);
    }
    let zones = if complete {
        Some(endgame(board, attacker))
    } else {
        let per_turn = board.rules().per_turn();
        zones_of_replies(board, forest, win, attacker, per_turn)
    };
    for _ in &win.turn {
        board.undo();
    }
    let mut zones = zones?;
    win.turn.iter().for_each(|&cell| zones.insert(cell));
    Some(zones)
}

/// The same after the attacker's turn, where the defender has `reply` stones to place.
pub(crate) fn zones_of_replies(
    board: &mut LineBoard,
    forest: &Forest,
    win: &Win,
    attacker: Side,
    reply: u8,
) -> Option<Zones> {
    if board.winning_set(!attacker, reply).is_some() {
        return None;
    }
    if win.replies.is_empty() {
        let overwhelms = board.threat_count(attacker) > reply;
        return overwhelms.then(|| base(board, attacker));
    }
    let mut children = Vec::with_capacity(win.replies.len());
    for (stones, child) in &win.replies {
        if let Some(zones) = zones_after(board, forest, stones, *child, attacker) {
            children.push(Child {
                stones: stones.clone(),
                win: *child,
                zones,
            });
        }
    }
    let mut cover = Cover::new(board, attacker, usize::from(reply), children);
    if !cover.run(board, &mut |_, _| None) {
        return None;
    }
    let mut zones = base(board, attacker);
    cover.add_used_zones(&mut zones);
    Some(zones)
}

/// The zones of a win after the defender's stones are placed.
pub(crate) fn zones_after(
    board: &mut LineBoard,
    forest: &Forest,
    stones: &Cells,
    child: WinId,
    attacker: Side,
) -> Option<Zones> {
    if stones.iter().any(|&cell| board.stone(cell).is_some()) {
        return None;
    }
    let mut complete = false;
    for &cell in stones {
        complete |= board.place(!attacker, cell);
    }
    let zones = (!complete).then(|| zones_of(board, forest, child, attacker));
    for _ in stones {
        board.undo();
    }
    zones.flatten()
}
