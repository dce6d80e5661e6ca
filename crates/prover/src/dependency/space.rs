//! The dependency-based search itself (Allis, chapter 3 and section 5.3.2): which sets of threats
//! can be played together, without asking what the defender does elsewhere.
//!
//! A node is a set of operators, each of which depends on earlier ones: the last needs stones of all
//! the others. The *dependency stage* adds operators that need the last stone of one node, the
//! *combination stage* merges nodes that do not conflict and adds operators that need the last
//! stones of all of them. Merged nodes that lead to no operator are not kept. The stages alternate
//! until nothing new appears.
//!
//! With fours only this is complete. Take the operators on which the five of a winning sequence
//! depends, directly or not: they are a winning sequence themselves, their cells are distinct, and
//! each of them is the last operator of the node made of those it depends on.

use std::collections::{HashMap, HashSet};

use smallvec::SmallVec;
use tengen_rules::Side;
use tengen_threats::{Index, LineBoard};

use super::operators::{Content, Offer, Operator, on_long, on_short};
use super::spans::{Board, Span};
use super::{Budget, MaxCategory};

type NodeId = u32;
type OperatorId = u32;

#[derive(Debug)]
struct Node {
    /// In the order of play.
    operators: SmallVec<[OperatorId; 8]>,
    /// The last stone.
    gain: Index,
}

/// What the caller makes of a sequence that reaches a goal.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    /// It wins: the search ends.
    Wins,
    /// It is refuted: the search goes on.
    Refuted,
}

/// How a search of the space ended.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Ending {
    /// A sequence won.
    Won,
    /// There are no more nodes; none of the sequences won.
    Exhausted,
    /// A limit was reached.
    Stopped,
}

/// What is tried before giving up.
#[derive(Debug, Copy, Clone)]
pub(crate) struct Extent {
    /// Which operators are used.
    pub(crate) category: MaxCategory,
    /// So many nodes.
    pub(crate) nodes: usize,
    /// So many refuted sequences (5.3.4, global refutation).
    pub(crate) refuted: usize,
}

/// Called with the moves of a sequence that reaches a goal.
pub(crate) type Judge<'a> = dyn FnMut(&[Operator], &mut Budget) -> Answer + 'a;

/// A search space; keep it and use it again.
#[derive(Debug, Default)]
pub(crate) struct Space {
    cells: Vec<Content>,
    operators: Vec<Operator>,
    numbers: HashMap<Operator, OperatorId>,
    nodes: Vec<Node>,
    by_gain: Vec<Vec<NodeId>>,
    seen: HashSet<u64>,
    judged: HashSet<u64>,
    offers: Vec<Offer>,
    /// Sequences that reached a goal.
    pub(crate) sequences: usize,
}

/// Why the stages end early.
enum End {
    Won,
    Stopped,
}

/// A key for a set of operators: the sum of the keys of its members.
fn key_of(operator: OperatorId) -> u64 {
    let mixed = (u64::from(operator) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

impl Space {
    /// Searches the space of the position given to `start`.
    pub(crate) fn search(
        &mut self,
        board: &Board,
        extent: Extent,
        budget: &mut Budget,
        judge: &mut Judge<'_>,
    ) -> Ending {
        let mut stage = Stage {
            space: self,
            board,
            extent,
            budget,
            judge,
        };
        match stage.run() {
            Ok(()) => Ending::Exhausted,
            Err(End::Won) => Ending::Won,
            Err(End::Stopped) => Ending::Stopped,
        }
    }

    /// Forgets everything and copies the stones.
    pub(crate) fn start(&mut self, stones: &LineBoard, attacker: Side) {
        let length = stones.grid().len();
        let content = |cell: usize| match stones.stone(cell as Index) {
            None => Content::Empty,
            Some(side) if side == attacker => Content::Attacker,
            Some(_) => Content::Defender,
        };
        self.cells.clear();
        self.cells.extend((0..length).map(content));
        self.operators.clear();
        self.numbers.clear();
        self.nodes.clear();
        self.by_gain.iter_mut().for_each(Vec::clear);
        self.by_gain.resize_with(length, Vec::new);
        self.seen.clear();
        self.judged.clear();
        self.sequences = 0;
    }

    /// Places the stones of an operator; `false` and nothing placed if a cell is taken.
    fn apply(&mut self, operator: OperatorId) -> bool {
        let Operator { gain, costs } = &self.operators[operator as usize];
        let is_empty = |cell: &Index| self.cells[usize::from(*cell)] == Content::Empty;
        if !is_empty(gain) || !costs.iter().all(is_empty) {
            return false;
        }
        self.cells[usize::from(*gain)] = Content::Attacker;
        for &cost in costs {
            self.cells[usize::from(cost)] = Content::Defender;
        }
        true
    }

    fn take_back(&mut self, operator: OperatorId) {
        let Operator { gain, costs } = &self.operators[operator as usize];
        for &cell in costs.iter().chain([gain]) {
            self.cells[usize::from(cell)] = Content::Empty;
        }
    }

    /// Adds the operators of a node to those that stand on the board; `None` and nothing changed if
    /// they conflict. Returns how many were added.
    fn merge(&mut self, played: &mut Vec<OperatorId>, node: NodeId) -> Option<usize> {
        let before = played.len();
        for place in 0..self.nodes[node as usize].operators.len() {
            let operator = self.nodes[node as usize].operators[place];
            if played.contains(&operator) {
                continue;
            }
            if !self.apply(operator) {
                self.unmerge(played, before);
                return None;
            }
            played.push(operator);
        }
        Some(played.len() - before)
    }

    fn unmerge(&mut self, played: &mut Vec<OperatorId>, length: usize) {
        while played.len() > length {
            let operator = played.pop().expect("longer than that");
            self.take_back(operator);
        }
    }
}

/// The stages of one search.
struct Stage<'a, 'b> {
    space: &'a mut Space,
    board: &'a Board,
    extent: Extent,
    budget: &'a mut Budget,
    judge: &'a mut Judge<'b>,
}

impl Stage<'_, '_> {
    fn run(&mut self) -> Result<(), End> {
        // Step 1. The operators that depend on nothing.
        for number in 0..self.board.short.all.len() {
            self.look(self.board.short.all[number], Length::Short);
        }
        if self.extent.category == MaxCategory::Threes {
            for number in 0..self.board.long.all.len() {
                self.look(self.board.long.all[number], Length::Long);
            }
        }
        self.take_offers(&[])?;
        let (mut dependent, mut combined) = (0, 0);
        while combined < self.space.nodes.len() {
            // Step 2. Dependency stage: nodes added here are looked at in turn.
            while dependent < self.space.nodes.len() {
                self.depend(dependent as NodeId)?;
                dependent += 1;
            }
            // Step 3. Combination stage, node by node with all older ones.
            self.combine(combined as NodeId)?;
            combined += 1;
        }
        Ok(())
    }

    fn look(&mut self, span: Span, length: Length) {
        let space = &mut *self.space;
        match length {
            Length::Short => on_short(self.board, &space.cells, span, &mut space.offers),
            Length::Long => on_long(self.board, &space.cells, span, &mut space.offers),
        }
    }

    /// Operators that need the last stone of the node.
    fn depend(&mut self, node: NodeId) -> Result<(), End> {
        let mut played = Vec::new();
        let merged = self.space.merge(&mut played, node);
        debug_assert!(merged.is_some(), "a node has no conflicts");
        let gain = self.space.nodes[node as usize].gain;
        let board = self.board;
        for span in board.short.through(gain) {
            self.look(span, Length::Short);
        }
        if self.extent.category == MaxCategory::Threes {
            for span in board.long.through(gain) {
                self.look(span, Length::Long);
            }
        }
        let result = self.take_offers(&played);
        self.space.unmerge(&mut played, 0);
        result
    }

    /// Operators that need the last stones of this and of older nodes.
    fn combine(&mut self, node: NodeId) -> Result<(), End> {
        let mut played = Vec::new();
        let merged = self.space.merge(&mut played, node);
        debug_assert!(merged.is_some(), "a node has no conflicts");
        let gain = self.space.nodes[node as usize].gain;
        let board = self.board;
        let mut result = Ok(());
        for span in board.short.through(gain) {
            result = result.and_then(|()| self.combine_on(span, Length::Short, node, &mut played));
        }
        if self.extent.category == MaxCategory::Threes {
            for span in board.long.through(gain) {
                result =
                    result.and_then(|()| self.combine_on(span, Length::Long, node, &mut played));
            }
        }
        self.space.unmerge(&mut played, 0);
        result
    }

    /// Merges nodes older than `newest` that end on this span.
    fn combine_on(
        &mut self,
        span: Span,
        length: Length,
        newest: NodeId,
        played: &mut Vec<OperatorId>,
    ) -> Result<(), End> {
        let is = |cell: Index, content: Content| self.space.cells[usize::from(cell)] == content;
        if span.cells().any(|cell| is(cell, Content::Defender)) {
            return Ok(());
        }
        let own = span
            .cells()
            .filter(|&cell| is(cell, Content::Attacker))
            .count();
        // A five needs one stone less than k, everything else fewer.
        if own + 1 >= usize::from(self.board.rules.line()) {
            return Ok(());
        }
        for cell in span.cells() {
            if self.space.cells[usize::from(cell)] != Content::Empty {
                continue;
            }
            for place in 0..self.space.by_gain[usize::from(cell)].len() {
                let partner = self.space.by_gain[usize::from(cell)][place];
                // From the newest to the oldest: every set of nodes is met once.
                if partner >= newest {
                    break;
                }
                let before = played.len();
                if self.space.merge(played, partner).is_none() {
                    if self.budget.tick() {
                        return Err(End::Stopped);
                    }
                    continue;
                }
                let mut result = self.count_node();
                if result.is_ok() {
                    self.look(span, length);
                    result = self.take_offers(played);
                }
                result = result.and_then(|()| self.combine_on(span, length, partner, played));
                self.space.unmerge(played, before);
                result?;
            }
        }
        Ok(())
    }

    fn count_node(&mut self) -> Result<(), End> {
        if self.budget.count() {
            return Err(End::Stopped);
        }
        Ok(())
    }

    /// Makes nodes of what was offered while these operators stand on the board, and asks the judge
    /// about goals.
    fn take_offers(&mut self, played: &[OperatorId]) -> Result<(), End> {
        let offers = std::mem::take(&mut self.space.offers);
        let key = played
            .iter()
            .map(|&one| key_of(one))
            .fold(0, u64::wrapping_add);
        let mut result = Ok(());
        for offer in &offers {
            result = match offer {
                Offer::Goal(cell) => self.reach_goal(played, key, *cell),
                Offer::Threat(operator) => self.add_node(played, key, operator),
            };
            if result.is_err() {
                break;
            }
        }
        self.space.offers = offers;
        self.space.offers.clear();
        result
    }

    fn add_node(
        &mut self,
        played: &[OperatorId],
        key: u64,
        operator: &Operator,
    ) -> Result<(), End> {
        let space = &mut *self.space;
        let new = space.operators.len() as OperatorId;
        let number = *space.numbers.entry(operator.clone()).or_insert(new);
        if number == new {
            space.operators.push(operator.clone());
        }
        if !space.seen.insert(key.wrapping_add(key_of(number))) {
            return Ok(());
        }
        if space.nodes.len() >= self.extent.nodes {
            return Err(End::Stopped);
        }
        let mut operators = SmallVec::from_slice(played);
        operators.push(number);
        let id = space.nodes.len() as NodeId;
        space.by_gain[usize::from(operator.gain)].push(id);
        space.nodes.push(Node {
            operators,
            gain: operator.gain,
        });
        self.count_node()
    }

    fn reach_goal(&mut self, played: &[OperatorId], key: u64, cell: Index) -> Result<(), End> {
        if !self.space.judged.insert(key ^ u64::from(cell)) {
            return Ok(());
        }
        self.space.sequences += 1;
        let operator = |&number: &OperatorId| self.space.operators[number as usize].clone();
        let mut sequence: Vec<Operator> = played.iter().map(operator).collect();
        sequence.push(Operator {
            gain: cell,
            costs: SmallVec::new(),
        });
        match (self.judge)(&sequence, self.budget) {
            Answer::Wins => Err(End::Won),
            Answer::Refuted if self.budget.stopped() => Err(End::Stopped),
            Answer::Refuted if self.space.sequences >= self.extent.refuted => Err(End::Stopped),
            Answer::Refuted => Ok(()),
        }
    }
}

/// Which spans are looked at.
#[derive(Debug, Copy, Clone)]
enum Length {
    Short,
    Long,
}
