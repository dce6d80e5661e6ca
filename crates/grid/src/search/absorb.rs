//! What events do to the tree.

use std::collections::HashMap;

use tengen_rules::{PositionKey, Turn};

use super::tree::{Edge, Marks, Packed, PackedTurns};
use super::{Changes, Event, NodeId, Refused, Search};
use crate::{Decision, Evidence, Expansion, Found, Verdict};

/// More hints than this are not kept.
const MOST_HINTS: usize = 64;

/// A worker that repeats itself this often in a row has nothing more to say.
const MOST_BARREN: u8 = 8;

/// The turns of an answer, and where those lead that the node has already.
struct Known(HashMap<Packed, Option<NodeId>>);

impl Known {
    /// One look at each turn of the node, however many the answer has.
    fn new<'a>(turns: impl Iterator<Item = &'a Turn>, edges: &[Edge]) -> Self {
        let turns = turns.map(|turn| Packed::from_slice(turn.cells()));
        let mut known: HashMap<Packed, Option<NodeId>> = turns.map(|turn| (turn, None)).collect();
        let filter = Filter::new(known.keys());
        for edge in edges.iter().filter(|edge| filter.may_have(&edge.turn)) {
            if let Some(child) = known.get_mut(&edge.turn) {
                *child = Some(edge.child);
            }
        }
        Self(known)
    }
}

/// Tells most turns that are not in a set, much faster than the set would.
struct Filter([u64; 64]);

impl Filter {
    fn new<'a>(turns: impl Iterator<Item = &'a Packed>) -> Self {
        let mut filter = Self([0; 64]);
        for turn in turns {
            let (word, bit) = Self::place(turn);
            filter.0[word] |= bit;
        }
        filter
    }

    fn may_have(&self, turn: &Packed) -> bool {
        let (word, bit) = Self::place(turn);
        self.0[word] & bit != 0
    }

    fn place(turn: &Packed) -> (usize, u64) {
        let mixed = turn.iter().fold(0_u64, |mixed, cell| {
            let cell = u64::from(cell.x as u16) << 16 | u64::from(cell.y as u16);
            (mixed ^ cell).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        });
        ((mixed >> 58) as usize, 1 << (mixed >> 52 & 63))
    }
}

impl Search {
    pub(super) fn absorb_event(&mut self, event: Event, changes: &mut Changes) {
        let (Event::Answer { node, .. }
        | Event::GaveUp { node, .. }
        | Event::Exclude { node, .. }
        | Event::Allow { node, .. }
        | Event::Suggest { node, .. }
        | Event::Retry { node }) = event;
        if !self.knows(node) {
            return refuse(changes, node, None, "there is no such node");
        }
        match event {
            Event::Answer {
                expansion,
                seconds,
                nodes,
                ..
            } => {
                self.totals.answers += 1;
                self.totals.seconds += seconds;
                self.totals.nodes = self.totals.nodes.saturating_add(nodes);
                self.losses.remove(&node);
                let only_looks = expansion.turns.is_empty() && expansion.estimate.is_some();
                self.absorb(node, expansion, changes);
                if only_looks && self.tree.winner(node).is_none() {
                    self.note_barren(node, 0, false);
                }
            }
            Event::GaveUp { .. } => self.give_up(node),
            Event::Exclude { turn, key, .. } => self.exclude(node, &turn, key, changes),
            Event::Allow { turn, .. } => self.allow(node, &turn, changes),
            Event::Suggest { turn, key, .. } => self.suggest(node, &turn, key, changes),
            Event::Retry { .. } => self.retry(node),
        }
    }

    fn absorb(&mut self, node: NodeId, expansion: Expansion, changes: &mut Changes) {
        self.resume(node);
        self.absorb_decision(node, expansion.decided, changes);
        if let Some(winner) = self.tree.winner(node) {
            self.contradict_stopper(node, winner, &expansion, changes);
            return;
        }
        let silent = expansion.turns.is_empty();
        let cold = &mut self.tree.cold[node.index()];
        cold.estimate = expansion.estimate.or(cold.estimate);
        cold.next = expansion.next.unwrap_or(0);
        if silent && expansion.estimate.is_some() && expansion.rest_loses.is_none() {
            // Nothing was asked of this position but how it looks.
            return self.touch(node);
        }
        let (added, complete) = self.absorb_turns(node, expansion.turns, changes);
        match expansion.rest_loses {
            Some(Evidence::Proof(proof)) if complete => {
                self.tree.set(node, Marks::CLOSED, true);
                self.tree.stoppers.insert_first(node, proof);
                self.closed.push(node);
            }
            Some(Evidence::Claim) => self.tree.set(node, Marks::NO_MORE, true),
            // A stopper says nothing if a turn before it was refused.
            Some(Evidence::Proof(_)) | None => self.note_barren(node, added, silent),
        }
        self.keep_hints(node, &expansion.hints);
        self.touch(node);
    }

    /// A decision by a proof decides; a claim becomes the verdict of a leaf.
    fn absorb_decision(&mut self, node: NodeId, decided: Option<Decision>, changes: &mut Changes) {
        let Some(decision) = decided else { return };
        match decision.evidence {
            Evidence::Proof(proof) => {
                self.decide(node, decision.winner, changes);
                if self.tree.winner(node) == Some(decision.winner) {
                    self.tree.proofs.insert_first(node, proof);
                }
            }
            Evidence::Claim if self.tree.winner(node).is_none() => {
                self.tree.cold[node.index()].verdict = Verdict::win(decision.winner);
            }
            Evidence::Claim => {}
        }
    }

    /// A proof that no turn at all is left, for a node that its mover has won.
    fn contradict_stopper(
        &mut self,
        node: NodeId,
        winner: tengen_rules::Side,
        expansion: &Expansion,
        changes: &mut Changes,
    ) {
        let all_lose = matches!(expansion.rest_loses, Some(Evidence::Proof(_)))
            && expansion.turns.is_empty()
            && self.tree.is_leaf(node);
        if all_lose && winner == self.tree.side(node) {
            self.contradiction(node, changes);
        }
    }

    /// Adds what is new; says how much that was, and whether every turn has its child now.
    fn absorb_turns(
        &mut self,
        node: NodeId,
        turns: Vec<Found>,
        changes: &mut Changes,
    ) -> (usize, bool) {
        let mut known = self.known(node, turns.iter().map(|found| &found.turn));
        let before = self.tree.edges(node).len();
        let mut complete = true;
        for found in turns {
            let met = self.tree.find(&found.key).is_some();
            let child = self.add_turn(
                node,
                &found.turn,
                found.key,
                found.verdict,
                &mut known,
                changes,
            );
            match (child, found.after) {
                // A position that was met before may be turned there: what is said of turns has another board.
                (Some(child), Some(after)) if met => {
                    self.absorb_decision(child, after.decided, changes);
                    if self.tree.is_leaf(child) {
                        let cold = &mut self.tree.cold[child.index()];
                        cold.estimate = after.estimate.or(cold.estimate);
                    }
                    self.touch(child);
                }
                (Some(child), Some(after)) => self.absorb(child, *after, changes),
                (Some(_), None) => {}
                (None, _) => complete = false,
            }
        }
        (self.tree.edges(node).len() - before, complete)
    }

    fn known<'a>(&self, node: NodeId, turns: impl Iterator<Item = &'a Turn>) -> Known {
        Known::new(turns, self.tree.edges(node))
    }

    /// The child after a turn, which is added where it is missing. None if the turn was refused.
    fn add_turn(
        &mut self,
        node: NodeId,
        turn: &Turn,
        key: PositionKey,
        verdict: Verdict,
        known: &mut Known,
        changes: &mut Changes,
    ) -> Option<NodeId> {
        let packed = Packed::from_slice(turn.cells());
        let depth = self.tree.depth(node).checked_add(1);
        let other = self.tree.find(&key);
        let fits = |child: NodeId| Some(self.tree.depth(child)) == depth;
        if !other.is_none_or(fits) || depth.is_none() {
            let reason = "its position is known on another level, so it cannot follow here";
            refuse(changes, node, Some(turn), reason);
            return None;
        }
        if let Some(&Some(child)) = known.0.get(&packed) {
            if other != Some(child) {
                let reason = "the same turn led to another position before";
                refuse(changes, node, Some(turn), reason);
                return None;
            }
            return other;
        }
        let child = other.unwrap_or_else(|| {
            let child = self.add_node(key, depth.unwrap_or_default(), verdict);
            changes.added.push(child);
            child
        });
        let twin = self.tree.cold[child.index()].parents.contains(&node);
        self.tree.add_edge(node, packed.clone(), child, twin);
        known.0.insert(packed, Some(child));
        if other.is_none() {
            self.count_verdict(child);
        }
        self.touch(node);
        Some(child)
    }

    /// An answer that ends nothing: silence is a claim that there is nothing more; repetition may come from a job that
    /// was done twice, and is only believed after a while.
    fn note_barren(&mut self, node: NodeId, added: usize, silent: bool) {
        let cold = &mut self.tree.cold[node.index()];
        cold.barren = if added > 0 {
            0
        } else {
            cold.barren.saturating_add(1)
        };
        // The order for this number of children is spent without a new one: it may be given again.
        if added == 0 {
            cold.asked = 0;
        }
        if silent || cold.barren >= MOST_BARREN {
            self.tree.set(node, Marks::NO_MORE, true);
        }
    }

    fn keep_hints(&mut self, node: NodeId, hints: &[Turn]) {
        if hints.is_empty() || self.tree.has(node, Marks::CLOSED) {
            self.tree.hints.remove(&node);
        } else {
            let hints = &hints[..hints.len().min(MOST_HINTS)];
            self.tree.hints.insert(node, PackedTurns::new(hints));
        }
    }

    fn give_up(&mut self, node: NodeId) {
        self.losses.remove(&node);
        self.given_up.insert(node);
        self.tree.set(node, Marks::GAVE_UP, true);
        self.touch(node);
    }

    /// An answer after all: the node is no longer given up.
    fn resume(&mut self, node: NodeId) {
        if self.tree.has(node, Marks::GAVE_UP) {
            self.tree.set(node, Marks::GAVE_UP, false);
            self.touch(node);
        }
    }

    fn retry(&mut self, node: NodeId) {
        self.given_up.remove(&node);
        self.second_chances.remove(&node);
        self.losses.remove(&node);
        self.tree.set(node, Marks::GAVE_UP | Marks::NO_MORE, false);
        let cold = &mut self.tree.cold[node.index()];
        cold.barren = 0;
        cold.asked = 0;
        self.touch(node);
    }

    fn exclude(&mut self, node: NodeId, turn: &Turn, key: PositionKey, changes: &mut Changes) {
        let hopeless = Verdict::win(!self.tree.side(node));
        let mut known = self.known(node, std::iter::once(turn));
        let child = self.add_turn(node, turn, key, hopeless, &mut known, changes);
        if child.is_some() {
            self.mark_excluded(node, turn, true);
        }
    }

    fn allow(&mut self, node: NodeId, turn: &Turn, changes: &mut Changes) {
        if !self.mark_excluded(node, turn, false) {
            refuse(changes, node, Some(turn), "the turn is not known here");
        }
    }

    fn suggest(&mut self, node: NodeId, turn: &Turn, key: PositionKey, changes: &mut Changes) {
        let promising = match self.tree.side(node) {
            tengen_rules::Side::Black => Verdict::B3,
            tengen_rules::Side::White => Verdict::W3,
        };
        let mut known = self.known(node, std::iter::once(turn));
        if let Some(child) = self.add_turn(node, turn, key, promising, &mut known, changes) {
            self.mark_excluded(node, turn, false);
            if self.tree.is_leaf(child) {
                let cold = &mut self.tree.cold[child.index()];
                cold.verdict = promising;
                // What a worker has counted there would go before what the expert thinks.
                cold.estimate = None;
                self.retry(child);
            }
        }
    }

    fn mark_excluded(&mut self, node: NodeId, turn: &Turn, excluded: bool) -> bool {
        let edges = &mut self.tree.cold[node.index()].edges;
        let edge = edges
            .iter_mut()
            .find(|edge| edge.turn.as_slice() == turn.cells());
        let found = edge.map(|edge| edge.excluded = excluded).is_some();
        let any = edges.iter().any(|edge| edge.excluded);
        self.tree.set(node, Marks::EXCLUDES, any);
        self.tree.edges_changed(node);
        self.recheck_jobs = true;
        self.touch(node);
        found
    }
}

fn refuse(changes: &mut Changes, node: NodeId, turn: Option<&Turn>, reason: &'static str) {
    changes.refused.push(Refused {
        node,
        turn: turn.cloned(),
        reason,
    });
}
