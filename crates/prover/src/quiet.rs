//! Orders above 1: turns that leave the defender stones to spare (VCST in Connect6, threes in
//! Go-Moku), proved by null and semi-null turns and relevance zones (RZOP, operations T1 and T0 in
//! their general form Tp-1).

use crate::cover::{Child, Cover};
use crate::search::Search;
use crate::tree::{Cells, WinId};
use crate::zones::zones_of;

/// How wide and deep the search of higher orders looks; raised step by step.
#[derive(Debug, Copy, Clone)]
pub(crate) struct Effort {
    /// How many turns are tried at each node.
    pub(crate) widest: usize,
    /// How many nodes an inner search of order 1 may take.
    pub(crate) inner_nodes: u64,
}

impl Search<'_> {
    /// Looks for a win of this order within `depth` attacker's turns, the first of `stones` stones.
    pub(crate) fn attack(
        &mut self,
        order: u8,
        depth: u16,
        stones: u8,
        effort: Effort,
    ) -> Option<WinId> {
        let inner = self.forced_deepening(depth, stones, effort.inner_nodes);
        if order <= 1 || inner.is_some() || self.stopped {
            return inner;
        }
        if depth < 3 {
            self.cut = true;
            return None;
        }
        if self.count_node() {
            return None;
        }
        let key = self.key(order, stones);
        if let Some(known) = self.look_up(key, depth) {
            return known;
        }
        let cut_before = std::mem::replace(&mut self.cut, false);
        // A turn that leaves u stones to spare needs a win of order - u against them: u < order.
        let threats = (self.per_turn + 1).saturating_sub(order);
        let mut found = None;
        for turn in self.building_turns(stones, threats, effort.widest) {
            found = self.try_building(order, turn, depth, effort);
            if found.is_some() || self.stopped {
                break;
            }
        }
        match found {
            None if self.stopped => {}
            None => self.table.put(key, crate::table::Known::Unseen(depth)),
            Some(_) => self.remember(key, depth, found),
        }
        self.cut |= cut_before;
        found
    }

    /// Order 1, deeper and deeper, within so many nodes.
    pub(crate) fn forced_deepening(&mut self, depth: u16, stones: u8, nodes: u64) -> Option<WinId> {
        let outer = std::mem::replace(&mut self.inner_limit, self.nodes.saturating_add(nodes));
        let cut_before = self.cut;
        let mut found = None;
        for depth in 1..=depth {
            self.cut = false;
            found = self.forced(depth, stones);
            let over = self.nodes >= self.inner_limit;
            if found.is_some() || self.stopped || !self.cut || over {
                self.left_out |= over && found.is_none();
                break;
            }
        }
        self.cut |= cut_before;
        self.inner_limit = outer;
        found
    }

    fn try_building(
        &mut self,
        order: u8,
        turn: Cells,
        depth: u16,
        effort: Effort,
    ) -> Option<WinId> {
        for &cell in &turn {
            self.board.place(self.attacker, cell);
        }
        let found = self.after_building_turn(order, &turn, depth, effort);
        for _ in &turn {
            self.board.undo();
        }
        found
    }

    /// The attacker's turn stands on the board.
    fn after_building_turn(
        &mut self,
        order: u8,
        turn: &Cells,
        depth: u16,
        effort: Effort,
    ) -> Option<WinId> {
        if self.board.has_threat(!self.attacker) {
            return None;
        }
        let mut board = self.board.clone();
        if board.threat_count(self.attacker) > self.per_turn {
            return Some(self.forest.overwhelms(turn.clone()));
        }
        let mut children: Vec<Child> = Vec::new();
        loop {
            let mut added = 0;
            let mut cover = Cover::new(&board, self.attacker, children);
            let covered = cover.run(&mut board, &mut |_, stones| {
                added += 1;
                self.answer(order, stones, depth, effort)
            });
            if !covered {
                return None;
            }
            if added == 0 {
                return Some(self.forest.answers(turn.clone(), cover.replies()));
            }
            // Once more with what was used, as the checker will see it.
            children = cover.used_children();
        }
    }

    /// An answer to these stones: a win of lower order when the defender has stones to spare.
    fn answer(&mut self, order: u8, stones: &Cells, depth: u16, effort: Effort) -> Option<Child> {
        let spare = self.per_turn as usize - stones.len();
        let order = order.saturating_sub(spare as u8);
        if order == 0 {
            return None;
        }
        for &cell in stones {
            self.board.place(!self.attacker, cell);
        }
        let found = self.attack(order, depth - 1, self.per_turn, effort);
        let child = found.map(|win| {
            let zones = zones_of(&mut self.board, &self.forest, win, self.attacker);
            Child {
                stones: stones.clone(),
                win,
                zones,
            }
        });
        for _ in stones {
            self.board.undo();
        }
        child
    }
}
