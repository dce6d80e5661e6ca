//! The numbers of a node from those of its children, and how a change travels up.

use tengen_rules::Side;

use super::tree::Marks;
use super::wide::Sum;
use super::{Changes, NodeId, Policy, Search};
use crate::{Numbers, Verdict};

/// How much harder a node gets while a patient search works on it: a worker's answer rarely settles anything, and most often
/// brings turns that all have to be looked at. 2, 4 and 16 did nearly as well in simulations.
const HARDER: u64 = 8;

/// Numbers as the side to move sees them: what is missing to its own win, and to the other's.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) mine: u32,
    pub(super) theirs: u32,
}

impl Seen {
    const fn new(mine: u32, theirs: u32) -> Self {
        Self { mine, theirs }
    }

    pub(super) const fn by(side: Side, numbers: Numbers) -> Self {
        match side {
            Side::Black => Self::new(numbers.proof, numbers.disproof),
            Side::White => Self::new(numbers.disproof, numbers.proof),
        }
    }

    const fn numbers(self, side: Side) -> Numbers {
        match side {
            Side::Black => Numbers::new(self.mine, self.theirs),
            Side::White => Numbers::new(self.theirs, self.mine),
        }
    }
}

/// Everything a node shows its parents.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) struct Shown {
    real: Numbers,
    guess: Numbers,
    flagged: bool,
    waits: bool,
}

impl Shown {
    const fn decided(winner: Side) -> Self {
        Self {
            real: Numbers::decided(winner),
            guess: Numbers::decided(winner),
            flagged: true,
            waits: true,
        }
    }
}

impl Search {
    /// Computes the numbers anew for all nodes that wait for it, children before parents, each once.
    pub(super) fn update(&mut self, changes: &mut Changes) {
        while let Some(depth) = self.dirty.iter().rposition(|level| !level.is_empty()) {
            for node in std::mem::take(&mut self.dirty[depth]) {
                self.tree.set(node, Marks::DIRTY, false);
                self.update_node(node, changes);
            }
        }
    }

    /// Lets a node wait for new numbers.
    pub(super) fn touch(&mut self, node: NodeId) {
        if self.tree.has(node, Marks::DIRTY) {
            return;
        }
        self.tree.set(node, Marks::DIRTY, true);
        let depth = usize::from(self.tree.depth(node));
        if self.dirty.len() <= depth {
            self.dirty.resize_with(depth + 1, Vec::new);
        }
        self.dirty[depth].push(node);
    }

    fn update_node(&mut self, node: NodeId, changes: &mut Changes) {
        let before = self.shown(node);
        let sum = self.tree.sum(node);
        let after = self.fresh(node, &sum);
        if let Some(winner) = before.real.winner() {
            // The first proof stays.
            if after.real.winner() == Some(!winner) {
                self.contradiction(node, changes);
            }
            return;
        }
        if after == before {
            return;
        }
        self.show(node, after);
        if let Some(winner) = after.real.winner() {
            self.on_decided(node, winner, changes);
        }
        self.touch_parents(node);
    }

    pub(super) fn touch_parents(&mut self, node: NodeId) {
        for at in 0..self.tree.cold[node.index()].parents.len() {
            let parent = self.tree.cold[node.index()].parents[at];
            self.tree.child_changed(parent, node);
            self.touch(parent);
        }
    }

    /// Decides a node by a proof of its own.
    pub(super) fn decide(&mut self, node: NodeId, winner: Side, changes: &mut Changes) {
        match self.tree.winner(node) {
            Some(known) if known == winner => {}
            Some(_) => self.contradiction(node, changes),
            None => {
                self.show(node, Shown::decided(winner));
                self.on_decided(node, winner, changes);
                self.touch_parents(node);
            }
        }
    }

    fn on_decided(&mut self, node: NodeId, winner: Side, changes: &mut Changes) {
        self.tree.hints.remove(&node);
        self.count_decided(node, winner);
        changes.decided.push((node, winner));
    }

    pub(super) fn contradiction(&mut self, node: NodeId, changes: &mut Changes) {
        if !self.tree.has(node, Marks::CONTRADICTED) {
            self.tree.set(node, Marks::CONTRADICTED, true);
            changes.contradictions.push(node);
        }
    }

    pub(super) fn shown(&self, node: NodeId) -> Shown {
        let hot = &self.tree.hot[node.index()];
        Shown {
            real: hot.real,
            guess: hot.guess,
            flagged: hot.marks.has(Marks::FLAGGED),
            waits: hot.marks.has(Marks::WAITS),
        }
    }

    fn show(&mut self, node: NodeId, shown: Shown) {
        let hot = &mut self.tree.hot[node.index()];
        hot.real = shown.real;
        hot.guess = shown.guess;
        hot.marks.set(Marks::FLAGGED, shown.flagged);
        hot.marks.set(Marks::WAITS, shown.waits);
    }

    /// What a node should show, from what its children come to. (A node with a proof of its own shows that instead.)
    pub(super) fn fresh(&self, node: NodeId, sum: &Sum) -> Shown {
        if self.tree.is_leaf(node) && !self.tree.has(node, Marks::CLOSED) {
            let real = self.leaf_numbers(node);
            return Shown {
                real,
                guess: self.active_numbers(node, real),
                flagged: !self.tree.orderable(node),
                waits: !self.tree.orderable(node),
            };
        }
        let side = self.tree.side(node);
        let closed = self.tree.has(node, Marks::CLOSED);
        let won = sum.won.then_some(side);
        let lost = (closed && !sum.open).then_some(!side);
        if let Some(winner) = won.or(lost) {
            return Shown::decided(winner);
        }
        let real = self.seen_real(node, sum).numbers(side);
        let orderable = self.tree.orderable(node);
        Shown {
            real,
            guess: self.guess(node, sum, real),
            flagged: !sum.free && !orderable,
            waits: (!sum.ready && !orderable) || self.is_waited_for(node),
        }
    }

    /// The numbers of a leaf that is not proved: never 0 nor infinite, whatever a table or a worker says.
    fn leaf_numbers(&self, node: NodeId) -> Numbers {
        let gave_up = self.tree.has(node, Marks::GAVE_UP);
        if let Some(estimate) = self.tree.cold[node.index()]
            .estimate
            .filter(|_| !gave_up && self.config.estimates)
        {
            let far = self.distance(node);
            let number = |count: u32| clamp(u64::from(count) * far);
            return Numbers::new(number(estimate.proof), number(estimate.disproof));
        }
        let verdict = if gave_up {
            // As bad for whoever went there as a turn that is found late.
            Verdict::win(self.tree.side(node))
        } else {
            self.tree.cold[node.index()].verdict
        };
        let table = self.config.numbers.of(verdict);
        Numbers::new(clamp(table.proof.into()), clamp(table.disproof.into()))
    }

    /// What counts for more the further it is from the root: long lines of forced turns look cheap otherwise.
    fn distance(&self, node: NodeId) -> u64 {
        (u64::from(self.tree.depth(node)) + 3) / 2
    }

    /// What the mover would miss with a turn that is not a child yet, where a worker has counted that.
    pub(super) fn next_hope(&self, node: NodeId) -> Option<u32> {
        const ENDS: u16 = Marks::CLOSED | Marks::NO_MORE | Marks::GAVE_UP;
        let next = self.tree.cold[node.index()].next;
        let ended = next == 0 || !self.config.estimates || self.tree.has(node, ENDS);
        (!ended).then(|| clamp(u64::from(next) * self.distance(node)))
    }

    /// Whether a patient search leaves a node with children alone until its next turn is found: it may be the better one.
    fn is_waited_for(&self, node: NodeId) -> bool {
        self.config.policy() == Some(Policy::Patient) && self.tree.has(node, Marks::ACTIVE)
    }

    /// What is supposed of a node while a job works on it.
    fn active_numbers(&self, node: NodeId, real: Numbers) -> Numbers {
        if !self.tree.has(node, Marks::ACTIVE) {
            return real;
        }
        let winner = match self.config.policy() {
            Some(Policy::VirtualWin) => Side::Black,
            Some(Policy::VirtualLoss) => Side::White,
            Some(Policy::Greedy) if real.disproof < real.proof => Side::White,
            Some(Policy::Greedy) => Side::Black,
            Some(Policy::Patient) => {
                let harder = |number: u32| clamp(u64::from(number) * HARDER);
                return Numbers::new(harder(real.proof), harder(real.disproof));
            }
            Some(Policy::VirtualEquivalence) | None => return real,
        };
        Numbers::decided(winner)
    }

    fn seen_real(&self, node: NodeId, sum: &Sum) -> Seen {
        let next = self.next_hope(node).unwrap_or(u32::MAX);
        let hope = sum.hope.min(next);
        let mine = if hope == u32::MAX {
            self.late_hope(node)
        } else {
            clamp(hope.into())
        };
        Seen::new(mine, clamp(sum.theirs))
    }

    /// The hope of a node without a turn to hope for: that of a bad turn, as long as another may be found.
    fn late_hope(&self, node: NodeId) -> u32 {
        const ENDS: u16 = Marks::CLOSED | Marks::NO_MORE | Marks::GAVE_UP;
        if self.tree.has(node, ENDS) {
            return Numbers::MOST;
        }
        let side = self.tree.side(node);
        let worst = self.config.numbers.of(Verdict::win(!side));
        clamp(Seen::by(side, worst).mine.into())
    }

    fn guess(&self, node: NodeId, sum: &Sum, real: Numbers) -> Numbers {
        let side = self.tree.side(node);
        let hope = match sum.guessed_hope {
            _ if sum.ready && self.config.policy() == Some(Policy::Patient) => sum.ready_hope,
            u32::MAX => sum.stuck_hope,
            hope => hope,
        };
        let next = self.next_hope(node).filter(|_| self.tree.orderable(node));
        let hope = hope.min(next.unwrap_or(u32::MAX));
        if hope == 0 {
            return Numbers::decided(side);
        }
        let closed = self.tree.has(node, Marks::CLOSED);
        if closed && !sum.guessed_open {
            return Numbers::decided(!side);
        }
        let mine = if hope == u32::MAX {
            if self.tree.has(node, Marks::ACTIVE) {
                return self.active_numbers(node, real);
            }
            self.late_hope(node)
        } else {
            clamp(hope.into())
        };
        Seen::new(mine, clamp(sum.guessed_theirs)).numbers(side)
    }
}

/// Numbers of what is not decided are neither 0 nor infinite.
fn clamp(number: u64) -> u32 {
    number.clamp(1, Numbers::MOST.into()) as u32
}
