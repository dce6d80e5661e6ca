//! Conservative threat-space search (sections II-B.3 and III-A): does a side win by turns that must be
//! answered with whole turns, even if the defender gets all critical defences at once?
//!
//! A win it finds is a win; without one nothing is known. Cells of different defences never stand
//! together ("disjoint cells"): where only all of them at once give the defender a threat, the defences are
//! answered one by one instead. The prover has the same idea with proofs and zones; this one works on the
//! board of the tree, for a few hundred nodes at every new leaf.

use tengen_rules::{Overline, Side};
use tengen_threats::{Index, SmallDefences, SmallThreatTurns};

use super::field::{Cells, Field};
use crate::Deadline;

/// More turns deep than any win worth finding here.
const DEEPEST: u32 = 24;

#[derive(Debug)]
pub(super) struct Ctss<'a> {
    /// All nodes of all searches.
    pub(super) nodes: u64,
    /// The search gives up at so many.
    limit: u64,
    /// Nodes between two looks at the clock.
    period: u64,
    deadline: Deadline<'a>,
    turns: SmallThreatTurns,
    pub(super) defences: SmallDefences,
}

impl<'a> Ctss<'a> {
    pub(super) fn new(deadline: Deadline<'a>) -> Self {
        Self {
            nodes: 0,
            limit: 0,
            period: 1,
            deadline,
            turns: SmallThreatTurns::default(),
            defences: SmallDefences::default(),
        }
    }

    /// The first turn of a win of `side`, which has `stones` to place; it may have fewer stones than that.
    ///
    /// `Some` is certain, `None` means nothing.
    pub(super) fn win(
        &mut self,
        field: &mut Field,
        side: Side,
        stones: u8,
        nodes: u64,
    ) -> Option<Cells> {
        if field.board.rules().per_turn() > 2 {
            // All threats of large turns take too long.
            let set = field.board.winning_set(side, stones);
            return set.map(Cells::from_vec);
        }
        self.limit = self.nodes + nodes;
        // Threats where overlines do not win are found the slow way.
        let exact = field.board.rules().overline() == Overline::DoesNotWin;
        self.period = if exact { 8 } else { 256 };
        self.attack(field, side, stones, DEEPEST)
    }

    fn attack(&mut self, field: &mut Field, side: Side, stones: u8, depth: u32) -> Option<Cells> {
        if self.counted() {
            return None;
        }
        let stones = field.room(stones);
        if let Some(set) = field.board.winning_set(side, stones) {
            return Some(Cells::from_vec(set));
        }
        if depth == 0 {
            return None;
        }
        let per_turn = field.board.rules().per_turn();
        for turn in self.forcing_turns(field, side, stones, per_turn) {
            if self.counted() {
                return None;
            }
            field.play(side, &turn);
            let won = self.holds(field, side, depth);
            field.undo(turn.len());
            if won {
                return Some(turn);
            }
        }
        None
    }

    /// Counts a node; `true` when it is one too many.
    fn counted(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes.is_multiple_of(self.period) && self.deadline.is_over() {
            self.limit = 0;
        }
        self.nodes > self.limit
    }

    /// Whether the threats that stand on the board win against every defence.
    fn holds(&mut self, field: &mut Field, side: Side, depth: u32) -> bool {
        let per_turn = field.board.rules().per_turn();
        if field.board.has_threat(!side) || field.threats(side, &mut self.defences) < per_turn {
            return false;
        }
        if field.empty() <= 2 * usize::from(per_turn) {
            // Free stones of ours and the defender's turn may fill the board.
            return false;
        }
        let replies = field
            .defences(side, per_turn, &mut self.defences)
            .unwrap_or_default();
        let exact = field.board.rules().overline() == Overline::DoesNotWin;
        if replies.len() < 2 || exact || self.disjoint_threat(field, side, &replies) {
            return replies
                .iter()
                .all(|reply| self.answered(field, side, reply, depth));
        }
        self.answered(field, side, &union(&replies), depth)
    }

    fn answered(&mut self, field: &mut Field, side: Side, reply: &Cells, depth: u32) -> bool {
        let per_turn = field.board.rules().per_turn();
        let complete = field.play(!side, reply);
        let won = !complete && self.attack(field, side, per_turn, depth - 1).is_some();
        field.undo(reply.len());
        won
    }

    /// Whether all defences at once give the defender a threat that none of them gives alone.
    fn disjoint_threat(&mut self, field: &mut Field, side: Side, replies: &[Cells]) -> bool {
        let mut threatens = |stones: &Cells| {
            let complete = field.play(!side, stones);
            let threat = complete || field.board.has_threat(!side);
            field.undo(stones.len());
            threat
        };
        threatens(&union(replies)) && !replies.iter().any(threatens)
    }

    /// The turns of at most `stones` stones after which `side` has at least `threats` threats and its
    /// opponent none. Games with more than two stones a turn have none here.
    pub(super) fn forcing_turns(
        &mut self,
        field: &Field,
        side: Side,
        stones: u8,
        threats: u8,
    ) -> Vec<Cells> {
        let board = &field.board;
        let rules = board.rules();
        if rules.per_turn() > 2 || stones == 0 || stones > rules.per_turn() {
            return Vec::new();
        }
        let mut blocks: &[[Index; 2]] = &[];
        if board.has_threat(!side) {
            board.small_defences(!side, &mut self.defences);
            if self.defences.threats > stones {
                return Vec::new();
            }
            blocks = &self.defences.sets;
        }
        let mut found = Vec::new();
        if rules.overline() == Overline::Wins && !board.has_threat(side) {
            board.small_threat_turns(side, stones, threats, &mut self.turns);
            for &single in &self.turns.singles {
                blocking(&[single], stones, blocks, &mut found);
            }
            for pair in &self.turns.pairs {
                blocking(pair, stones, blocks, &mut found);
            }
        } else {
            for turn in board.threat_turns(side, stones, threats) {
                let cells: Cells = turn
                    .into_iter()
                    .filter_map(|cell| board.index(cell))
                    .collect();
                // Where overlines do not win a stone too many can spoil a line.
                if rules.overline() == Overline::Wins || cells.len() == usize::from(stones) {
                    blocking(&cells, stones, blocks, &mut found);
                }
            }
        }
        found.retain(|turn| turn.iter().all(|&cell| field.is_free(cell)));
        for turn in &mut found {
            turn.sort_unstable();
        }
        found
    }
}

/// Adds the turn if it hits all of the opponent's threats, with another stone for that if there is one.
fn blocking(turn: &[Index], stones: u8, blocks: &[[Index; 2]], found: &mut Vec<Cells>) {
    let mut open = blocks
        .iter()
        .filter(|set| !set.iter().any(|cell| turn.contains(cell)));
    let Some(first) = open.next() else {
        found.push(Cells::from_slice(turn));
        return;
    };
    if turn.len() >= usize::from(stones) {
        return;
    }
    let choices = if first[0] == first[1] {
        &first[..1]
    } else {
        &first[..]
    };
    for &cell in choices {
        if open.clone().all(|set| set.contains(&cell)) {
            let mut longer = Cells::from_slice(turn);
            longer.push(cell);
            found.push(longer);
        }
    }
}

/// All cells of some sets, each once.
fn union(sets: &[Cells]) -> Cells {
    let mut all: Cells = sets.iter().flatten().copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}
