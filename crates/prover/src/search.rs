//! The search of one attacker's win, order 1: turns that need a whole turn to be answered.
//!
//! Every attacker's turn makes at least `p` threats, so the defender has no stone to spare: his
//! replies are the critical defences (VCDT for p = 2, fours for p = 1). Two ways to reply are
//! searched: *conservative*, where he gets the stones of all critical defences at once (CTSS: fast,
//! sound when it finds a win, but it misses some), and *exact*, one defence at a time. Iterative
//! threat-space search (ITSS) replies exactly to the first turns and conservatively to the rest.
//! (Yen and Yang, "Two-Stage Monte Carlo Tree Search for Connect6", sections II and III.)

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use tengen_rules::{Key, Overline, Side};
use tengen_threats::{CellSet, Index, LineBoard, SmallDefences, SmallThreatTurns};

use crate::progress::Progress;
use crate::table::{Known, Table};
use crate::tree::{Cells, Forest, WinId};

/// For how many more turns the defender replies exactly, one critical defence at a time; after that
/// he gets the stones of all critical defences at once.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) struct ExactTurns(u16);

impl ExactTurns {
    /// All of them.
    pub(crate) const ALL: Self = Self(u16::MAX);

    /// The first so many.
    pub(crate) const fn first(turns: u16) -> Self {
        Self(turns)
    }

    fn next(self) -> Self {
        if self == Self::ALL {
            self
        } else {
            Self(self.0.saturating_sub(1))
        }
    }
}

/// Where the free stones of a turn go whose other stones make enough threats.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum FreeStones {
    /// Nowhere, or where they make a threat.
    Useful,
    /// Everywhere: nothing is missed.
    All,
}

/// When to give up.
#[derive(Debug)]
pub(crate) struct Budget<'a> {
    pub(crate) nodes: u64,
    pub(crate) deadline: Option<Instant>,
    pub(crate) stop: Option<&'a AtomicBool>,
    pub(crate) progress: Option<&'a Progress>,
}

/// The state of a search for wins of one side.
pub(crate) struct Search<'a> {
    pub(crate) board: LineBoard,
    pub(crate) attacker: Side,
    pub(crate) per_turn: u8,
    /// How many stones stand on the board at the root.
    root_stones: usize,
    pub(crate) table: &'a mut Table,
    pub(crate) forest: Forest,
    pub(crate) nodes: u64,
    pub(crate) budget: Budget<'a>,
    pub(crate) exact: ExactTurns,
    pub(crate) free: FreeStones,
    /// A limit was reached: everything returns quickly and proves nothing.
    pub(crate) stopped: bool,
    /// Nodes after which the present order-1 search gives up; `u64::MAX` for none.
    pub(crate) inner_limit: u64,
    /// When to look at the clock again.
    next_look: u64,
    /// Something was cut off by depth since this was last cleared.
    pub(crate) cut: bool,
    /// Something was left out (free stones, inner limits) since this was last cleared.
    pub(crate) left_out: bool,
    /// On an infinite board, where the attacker does not play: a window through such a cell, or a
    /// defender's window near it, would leave the part of the board that is kept.
    edge: Option<CellSet>,
    /// Working memory, one for each level of recursion in use.
    spare_turns: Vec<SmallThreatTurns>,
    spare_defences: Vec<SmallDefences>,
}

/// Different searches of one position must not meet in the table.
const CONSERVATIVE: Key = 0x6a09_e667_f3bc_c908;
const ALL_FREE: Key = 0xbb67_ae85_84ca_a73b;
const ORDER: Key = 0x3c6e_f372_fe94_f82b;
const STONES: Key = 0xa54f_f53a_5f1d_36f1;

impl<'a> Search<'a> {
    pub(crate) fn new(
        board: LineBoard,
        attacker: Side,
        table: &'a mut Table,
        budget: Budget<'a>,
    ) -> Self {
        Self {
            per_turn: board.rules().per_turn(),
            root_stones: board.count(),
            edge: edge_of(&board),
            board,
            attacker,
            table,
            forest: Forest::default(),
            nodes: 0,
            budget,
            exact: ExactTurns::first(0),
            free: FreeStones::Useful,
            stopped: false,
            inner_limit: u64::MAX,
            next_look: 0,
            cut: false,
            left_out: false,
            spare_turns: Vec::new(),
            spare_defences: Vec::new(),
        }
    }

    pub(crate) fn key(&self, order: u8, stones: u8) -> Key {
        let mut key = self.board.stones_key() ^ ORDER.wrapping_mul(u64::from(order));
        if stones != self.per_turn {
            key ^= STONES.wrapping_mul(u64::from(stones) + 1);
        }
        if order == 1 {
            key ^= CONSERVATIVE.wrapping_mul(u64::from(!self.exact.0));
        }
        if self.free == FreeStones::All {
            key ^= ALL_FREE;
        }
        key
    }

    /// Counts a node; `true` when a limit is reached.
    pub(crate) fn count_node(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes >= self.inner_limit {
            self.left_out = true;
            return true;
        }
        if self.nodes >= self.budget.nodes {
            self.stopped = true;
        } else if self.nodes >= self.next_look {
            // Large turns make slow nodes, and so do exact lines.
            let exact = self.board.rules().overline() == Overline::DoesNotWin;
            let slow = self.per_turn > 2 || (exact && self.per_turn > 1);
            self.next_look = self.nodes + if slow { 16 } else { 1024 };
            self.look_at_the_clock();
            if let Some(progress) = self.budget.progress {
                progress.nodes.store(self.nodes, Ordering::Relaxed);
            }
        }
        self.stopped
    }

    /// Stops when the time is over or when told.
    pub(crate) fn look_at_the_clock(&mut self) {
        let deadline = self.budget.deadline;
        let late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let stop = self.budget.stop;
        let told = stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        self.stopped |= late || told;
    }

    /// Shows a turn that is tried at the root.
    pub(crate) fn show_turn(&self, turn: &Cells) {
        if let (Some(progress), true) =
            (self.budget.progress, self.board.count() == self.root_stones)
        {
            progress.set_turn(turn.iter().map(|&cell| self.board.cell(cell)).collect());
        }
    }

    /// Shows how many turns ahead the search looks now, if it stands at the root.
    pub(crate) fn show_depth(&self, turns: u16) {
        if let (Some(progress), true) =
            (self.budget.progress, self.board.count() == self.root_stones)
        {
            progress.depth.store(turns, Ordering::Relaxed);
        }
    }

    /// A turn of at most `stones` stones that completes a line.
    pub(crate) fn winning_turn(&self, stones: u8) -> Option<Cells> {
        if !self.board.has_threat(self.attacker) {
            return None;
        }
        self.board
            .winning_set(self.attacker, stones)
            .map(|set| Cells::from_slice(&set))
    }

    /// Looks for a win of order 1 within `depth` attacker's turns, the first of `stones` stones.
    pub(crate) fn forced(&mut self, depth: u16, stones: u8) -> Option<WinId> {
        if self.count_node() {
            return None;
        }
        // Step 1. A line can be completed.
        if let Some(turn) = self.winning_turn(stones) {
            return Some(self.forest.completes(turn));
        }
        if depth < 2 {
            self.cut = true;
            return None;
        }
        // Step 2. What is known.
        let key = self.key(1, stones);
        if let Some(known) = self.look_up(key, depth) {
            return known;
        }
        // Step 3. Every turn that makes enough threats.
        let cut_before = std::mem::replace(&mut self.cut, false);
        let mut turns = self.spare_turns.pop().unwrap_or_default();
        let mut defences = self.spare_defences.pop().unwrap_or_default();
        let mut list = Vec::new();
        self.forcing_turns(stones, &mut turns, &mut defences, &mut list);
        let mut found = None;
        for turn in list {
            found = self.try_forced(turn, depth, &mut defences);
            if found.is_some() || self.stopped || self.nodes >= self.inner_limit {
                break;
            }
        }
        self.spare_turns.push(turns);
        self.spare_defences.push(defences);
        // Step 4. Remember.
        self.remember(key, depth, found);
        // What was cut off on the way to a win does not matter.
        self.cut = cut_before || (self.cut && found.is_none());
        found
    }

    /// The table's answer, if it has one for this depth.
    pub(crate) fn look_up(&mut self, key: Key, depth: u16) -> Option<Option<WinId>> {
        match self.table.get(key)? {
            Known::Win(id) if self.forest.get(id).depth <= depth => Some(Some(id)),
            Known::Win(_) => None,
            Known::NoWin => Some(None),
            Known::NoWinWithin(within) if within >= depth => {
                self.cut = true;
                Some(None)
            }
            Known::Unseen(within) if within >= depth => {
                self.cut = true;
                self.left_out = true;
                Some(None)
            }
            _ => None,
        }
    }

    pub(crate) fn remember(&mut self, key: Key, depth: u16, found: Option<WinId>) {
        match found {
            Some(id) => self.table.put(key, Known::Win(id)),
            // A search that was stopped in the middle knows nothing.
            None if self.stopped || self.nodes >= self.inner_limit => {}
            None if self.cut => self.table.put(key, Known::NoWinWithin(depth)),
            None => self.table.put(key, Known::NoWin),
        }
    }

    /// Whether a turn lies where it can be judged; if not, it is left out.
    pub(crate) fn can_judge(&mut self, turn: &Cells) -> bool {
        let edge = self.edge.as_ref();
        let near = edge.is_some_and(|edge| turn.iter().any(|&cell| edge.contains(cell)));
        self.left_out |= near;
        !near
    }

    fn try_forced(
        &mut self,
        turn: Cells,
        depth: u16,
        defences: &mut SmallDefences,
    ) -> Option<WinId> {
        if !self.can_judge(&turn) {
            return None;
        }
        self.show_turn(&turn);
        self.nodes += 1;
        for &cell in &turn {
            self.board.place(self.attacker, cell);
        }
        let found = self.after_forcing_turn(&turn, depth, defences);
        for _ in &turn {
            self.board.undo();
        }
        found
    }

    /// The attacker's turn stands on the board.
    fn after_forcing_turn(
        &mut self,
        turn: &Cells,
        depth: u16,
        defences: &mut SmallDefences,
    ) -> Option<WinId> {
        if self.board.has_threat(!self.attacker) {
            return None;
        }
        let replies = self.critical_defences(defences)?;
        if replies.is_empty() {
            return Some(self.forest.overwhelms(turn.clone()));
        }
        if depth < 3 {
            self.cut = true;
            return None;
        }
        let count = replies.len();
        let answered = if self.exact == ExactTurns::first(0) && !self.disjoint_threat(&replies) {
            let all = union(&replies);
            vec![(all.clone(), self.answer_forced(&all, depth)?)]
        } else {
            let mut answered = Vec::with_capacity(replies.len());
            let exact = self.exact;
            self.exact = exact.next();
            for reply in replies {
                let Some(child) = self.answer_forced(&reply, depth) else {
                    break;
                };
                answered.push((reply, child));
            }
            self.exact = exact;
            if answered.len() < count {
                return None;
            }
            answered
        };
        Some(self.forest.answers(turn.clone(), answered))
    }

    /// Whether all critical defences at once would give the defender a threat that none of them
    /// gives alone: cells of different defences never stand together ("disjoint cells").
    fn disjoint_threat(&mut self, replies: &[Cells]) -> bool {
        if replies.len() == 1 || !self.threatens_with(&union(replies)) {
            return false;
        }
        !replies.iter().any(|reply| self.threatens_with(reply))
    }

    fn threatens_with(&mut self, stones: &Cells) -> bool {
        for &cell in stones {
            self.board.place(!self.attacker, cell);
        }
        let threat = self.board.has_threat(!self.attacker);
        for _ in stones {
            self.board.undo();
        }
        threat
    }

    fn answer_forced(&mut self, stones: &Cells, depth: u16) -> Option<WinId> {
        let mut complete = false;
        for &cell in stones {
            complete |= self.board.place(!self.attacker, cell);
        }
        // A macro reply may complete a line that no real reply could: then it answers nothing.
        let found = if complete {
            None
        } else {
            self.forced(depth - 1, self.per_turn)
        };
        for _ in stones {
            self.board.undo();
        }
        found
    }

    /// All critical defences if the attacker has at least `p` threats (none: more than can be
    /// answered), `None` if he has fewer.
    pub(crate) fn critical_defences(&self, small: &mut SmallDefences) -> Option<Vec<Cells>> {
        if self.per_turn > 2 {
            if self.board.threat_count(self.attacker) < self.per_turn {
                return None;
            }
            return Some(
                self.board
                    .critical_sets(self.attacker)
                    .into_iter()
                    .map(Cells::from_vec)
                    .collect(),
            );
        }
        self.board.small_defences(self.attacker, small);
        if small.threats < self.per_turn {
            return None;
        }
        let cells = |set: &[Index]| Cells::from_slice(set);
        let singles = small.singles.iter().map(|&cell| cells(&[cell]));
        Some(
            singles
                .chain(small.pairs.iter().map(|pair| cells(pair)))
                .collect(),
        )
    }
}

/// The cells of an infinite board that are less than two windows away from the end of what is kept.
fn edge_of(board: &LineBoard) -> Option<CellSet> {
    if board.rules().size().is_some() {
        return None;
    }
    let grid = board.grid();
    let margin = 2 * i32::from(board.rules().line());
    let (corner, width, height) = (grid.corner(), grid.width() as i32, grid.height() as i32);
    let mut edge = CellSet::new(grid.len());
    for index in 0..grid.len() as Index {
        let cell = board.cell(index);
        let (x, y) = (i32::from(cell.x - corner.x), i32::from(cell.y - corner.y));
        let inside = |at: i32, size: i32| at >= margin && at < size - margin;
        if !inside(x, width) || !inside(y, height) {
            edge.insert(index);
        }
    }
    Some(edge)
}

/// All cells of some sets, each once.
fn union(sets: &[Cells]) -> Cells {
    let mut all = Cells::new();
    for cell in sets.iter().flatten() {
        if !all.contains(cell) {
            all.push(*cell);
        }
    }
    all
}
