//! Orders above 1: turns that leave the defender stones to spare (VCST in Connect6, threes in
//! Go-Moku), proved by null and semi-null turns and relevance zones (RZOP, operations T1 and T0 in
//! their general form Tp-1).

use tengen_rules::Key;
use tengen_threats::SmallDefences;

use crate::cover::{Child, Cover};
use crate::search::Search;
use crate::table::Known;
use crate::tree::{Cells, WinId};
use crate::zones::zones_of;

/// Different steps of effort must not meet in the table.
const EFFORT: Key = 0x510e_527f_ade6_82d1;

/// How far the search of higher orders looks; raised step by step.
#[derive(Debug, Copy, Clone)]
pub(crate) struct Effort {
    /// Which step this is: what one step has not found says nothing about the next.
    pub(crate) step: u8,
    /// How many turns are tried at each node.
    pub(crate) widest: usize,
    /// How many nodes an inner search of order 1 may take.
    pub(crate) inner_nodes: u64,
    /// How many turns of order above 1 may follow each other at the most.
    pub(crate) longest: u16,
}

/// What is left of a line of play.
#[derive(Debug, Copy, Clone)]
pub(crate) struct Left {
    /// Attacker's turns.
    pub(crate) depth: u16,
    /// Attacker's turns of an order above 1.
    pub(crate) quiet: u16,
}

impl Left {
    fn after_turn(self) -> Self {
        Self {
            depth: self.depth - 1,
            quiet: self.quiet - 1,
        }
    }

    /// One number for the table: both grow with what may be found.
    fn reach(self) -> u16 {
        self.depth.min(255) << 8 | self.quiet.min(255)
    }
}

impl Search<'_> {
    /// Looks for a win of this order, the first turn of `stones` stones.
    pub(crate) fn attack(
        &mut self,
        order: u8,
        left: Left,
        stones: u8,
        effort: Effort,
    ) -> Option<WinId> {
        let inner = self.forced_deepening(left.depth, stones, effort.inner_nodes);
        if order <= 1 || inner.is_some() || self.stopped {
            return inner;
        }
        if left.depth < 3 || left.quiet == 0 {
            self.cut = true;
            return None;
        }
        if self.count_node() {
            return None;
        }
        let key = self.key(order, stones) ^ (u64::from(effort.step) + 1).wrapping_mul(EFFORT);
        if let Some(known) = self.look_up_quiet(key, left) {
            return known;
        }
        let cut_before = std::mem::replace(&mut self.cut, false);
        let left_out_before = std::mem::replace(&mut self.left_out, false);
        // A turn that leaves u stones to spare needs a win of order - u against them: u < order.
        let threats = (self.per_turn + 1).saturating_sub(order);
        let mut found = None;
        for turn in self.building_turns(stones, threats, effort.widest) {
            found = self.try_building(order, turn, left, effort);
            if found.is_some() || self.stopped {
                break;
            }
        }
        match found {
            None if self.stopped => {}
            None if !self.cut && !self.left_out => self.table.put(key, Known::NoWin),
            None => self.table.put(key, Known::Unseen(left.reach())),
            Some(id) => self.table.put(key, Known::Win(id)),
        }
        // What was not seen on the way to a win does not matter.
        self.cut = cut_before || (self.cut && found.is_none());
        self.left_out = left_out_before || (self.left_out && found.is_none());
        found
    }

    fn look_up_quiet(&mut self, key: Key, left: Left) -> Option<Option<WinId>> {
        match self.table.get(key)? {
            Known::Win(id) if self.forest.get(id).depth <= left.depth => Some(Some(id)),
            Known::NoWin => Some(None),
            Known::Unseen(reach) if reach == left.reach() => {
                self.cut = true;
                self.left_out = true;
                Some(None)
            }
            _ => None,
        }
    }

    /// Order 1, deeper and deeper, within so many nodes.
    pub(crate) fn forced_deepening(&mut self, depth: u16, stones: u8, nodes: u64) -> Option<WinId> {
        let outer = std::mem::replace(&mut self.inner_limit, self.nodes.saturating_add(nodes));
        let cut_before = self.cut;
        let mut found = None;
        for depth in 1..=depth {
            self.show_depth(depth);
            self.cut = false;
            found = self.forced(depth, stones);
            let over = self.nodes >= self.inner_limit;
            if found.is_some() || self.stopped || !self.cut || over {
                self.left_out |= over && found.is_none();
                break;
            }
        }
        self.cut = cut_before || (self.cut && found.is_none());
        self.inner_limit = outer;
        found
    }

    fn try_building(
        &mut self,
        order: u8,
        turn: Cells,
        left: Left,
        effort: Effort,
    ) -> Option<WinId> {
        if !self.can_judge(&turn) {
            return None;
        }
        self.show_turn(&turn);
        for &cell in &turn {
            self.board.place(self.attacker, cell);
        }
        let found = self.after_building_turn(order, &turn, left, effort);
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
        left: Left,
        effort: Effort,
    ) -> Option<WinId> {
        if self.board.has_threat(!self.attacker) {
            return None;
        }
        if self.board.threat_count(self.attacker) > self.per_turn {
            return Some(self.forest.overwhelms(turn.clone()));
        }
        let board = self.board.clone();
        let mut children: Vec<Child> = Vec::new();
        loop {
            let mut added = 0;
            let mut cover = Cover::new(&board, self.attacker, usize::from(self.per_turn), children);
            let covered = cover.run(&board, &mut |stones, answered| {
                added += 1;
                self.answer(order, stones, answered, left, effort)
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
    fn answer(
        &mut self,
        order: u8,
        stones: &Cells,
        answered: &[Child],
        left: Left,
        effort: Effort,
    ) -> Option<Child> {
        let spare = self.per_turn as usize - stones.len();
        let order = order.saturating_sub(spare as u8);
        if order == 0 {
            return None;
        }
        for &cell in stones {
            self.board.place(!self.attacker, cell);
        }
        // What beats another reply often beats this one too.
        let latest = answered.iter().rev().map(|child| child.win);
        let mut tried: Vec<WinId> = Vec::new();
        for win in latest {
            if !tried.contains(&win) {
                tried.push(win);
            }
        }
        let again = tried
            .into_iter()
            .find(|&win| self.forest.get(win).depth < left.depth && self.replay(win));
        let found = again.or_else(|| self.attack(order, left.after_turn(), self.per_turn, effort));
        let child = found.and_then(|win| {
            let zones = zones_of(&mut self.board, &self.forest, win, self.attacker)?;
            Some(Child {
                stones: stones.clone(),
                win,
                zones,
            })
        });
        for _ in stones {
            self.board.undo();
        }
        child
    }

    /// Whether the turns of a win of order 1 also win here.
    fn replay(&mut self, win: WinId) -> bool {
        if self.count_node() {
            return false;
        }
        let turn = self.forest.get(win).turn.clone();
        if turn.iter().any(|&cell| self.board.stone(cell).is_some()) {
            return false;
        }
        let mut complete = false;
        for &cell in &turn {
            complete |= self.board.place(self.attacker, cell);
        }
        let wins = complete || (!self.board.has_threat(!self.attacker) && self.replay_replies(win));
        for _ in &turn {
            self.board.undo();
        }
        wins
    }

    fn replay_replies(&mut self, win: WinId) -> bool {
        let mut small = SmallDefences::default();
        let Some(defences) = self.critical_defences(&mut small) else {
            return false;
        };
        let mut needed: Vec<usize> = Vec::new();
        for defence in &defences {
            let mut replies = self.forest.get(win).replies.iter();
            let Some(reply) =
                replies.position(|(stones, _)| defence.iter().all(|cell| stones.contains(cell)))
            else {
                return false;
            };
            if !needed.contains(&reply) {
                needed.push(reply);
            }
        }
        needed.into_iter().all(|reply| {
            let (stones, child) = self.forest.get(win).replies[reply].clone();
            if stones.iter().any(|&cell| self.board.stone(cell).is_some()) {
                return false;
            }
            let mut complete = false;
            for &cell in &stones {
                complete |= self.board.place(!self.attacker, cell);
            }
            let wins = !complete && self.replay(child);
            for _ in &stones {
                self.board.undo();
            }
            wins
        })
    }
}
