//! The part of an infinite board that a strategy needs (`docs/proof-format.md`, `region`).

use std::collections::HashSet;

use tengen_rules::{Cell, Key, Side};
use tengen_threats::LineBoard;

use crate::tree::{Forest, WinId};

/// A rectangle with all turns of a strategy and all threat windows that it meets: the attacker needs
/// no line outside. The board stands where the win begins; on finite boards there is no region.
pub(crate) fn region_of(
    board: &mut LineBoard,
    forest: &Forest,
    win: WinId,
    attacker: Side,
) -> Option<(Cell, Cell)> {
    if board.rules().size().is_some() {
        return None;
    }
    let mut walk = Walk {
        forest,
        attacker,
        corners: None,
        seen: HashSet::new(),
    };
    walk.visit(board, win);
    walk.corners
}

struct Walk<'a> {
    forest: &'a Forest,
    attacker: Side,
    corners: Option<(Cell, Cell)>,
    seen: HashSet<(WinId, Key)>,
}

impl Walk<'_> {
    fn include(&mut self, cell: Cell) {
        let (low, high) = self.corners.unwrap_or((cell, cell));
        let low = Cell::new(low.x.min(cell.x), low.y.min(cell.y));
        let high = Cell::new(high.x.max(cell.x), high.y.max(cell.y));
        self.corners = Some((low, high));
    }

    fn include_windows(&mut self, board: &LineBoard) {
        for window in board.threat_windows(self.attacker) {
            window.cells.iter().for_each(|&cell| self.include(cell));
        }
    }

    fn visit(&mut self, board: &mut LineBoard, id: WinId) {
        let win = self.forest.get(id);
        let blocked = win.turn.iter().any(|&cell| board.stone(cell).is_some());
        if blocked || !self.seen.insert((id, board.stones_key())) {
            return;
        }
        // A line that the turn completes is a threat before it.
        self.include_windows(board);
        let mut complete = false;
        for &cell in &win.turn {
            self.include(board.cell(cell));
            complete |= board.place(self.attacker, cell);
        }
        if !complete {
            self.include_windows(board);
            for (stones, child) in &win.replies {
                if stones.iter().any(|&cell| board.stone(cell).is_some()) {
                    continue;
                }
                for &cell in stones {
                    board.place(!self.attacker, cell);
                }
                self.visit(board, *child);
                for _ in stones {
                    board.undo();
                }
            }
        }
        for _ in &win.turn {
            board.undo();
        }
    }
}
