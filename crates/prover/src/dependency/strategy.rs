//! From a sequence of threats to a strategy that answers everything: the check of global defences
//! (Allis, section 5.3.3), and with it the proof.
//!
//! The thesis asks, after every threat, whether the defender can disturb the rest of the sequence
//! with fours of his own, and rejects the sequence if he can. Here the rest is played out instead.
//! A four has one answer. A three is a null turn answered by a double threat; the relevance zone of
//! that win names every reply that could matter (the local answers and the cells of the defender's
//! fours), and `replies` asks for an answer to each of those. All local answers are given to the
//! defender at once (a macro reply) if the sequence still wins then, otherwise one at a time. After
//! a four of the defender the attacker blocks and goes on with the same sequence. Where the
//! sequence fails against one reply, a new search may look for another one there.

use std::collections::HashMap;

use tengen_rules::{Key, Side};
use tengen_threats::{Index, LineBoard, SmallDefences, SmallThreatTurns};

use super::operators::Operator;
use super::replies::{Child, Covering, cover};
use super::space::{Answer, Ending, Extent, Space};
use super::spans::Board;
use super::{Budget, MaxCategory};
use crate::tree::{Cells, Forest, WinId};
use crate::zones::{Zones, base, zones_of};

/// A win with its relevance zones; these are kept only where threes may need them.
#[derive(Debug, Clone)]
pub(crate) struct Proven {
    pub(crate) win: WinId,
    pub(crate) zones: Option<Zones>,
}

/// What is left of a sequence.
#[derive(Debug, Copy, Clone)]
struct Rest<'a> {
    moves: &'a [Operator],
    /// The answers to the three that was played last.
    pending: &'a [Index],
}

const NOTHING: Rest<'static> = Rest {
    moves: &[],
    pending: &[],
};

/// How far nested searches look.
#[derive(Debug, Copy, Clone)]
pub(crate) struct Reach {
    /// Searches inside searches: 0 for none.
    pub(crate) nested: u8,
    pub(crate) nodes: usize,
    pub(crate) refuted: usize,
}

impl Reach {
    fn inner(self) -> Self {
        Self {
            nested: self.nested - 1,
            nodes: self.nodes / 4,
            refuted: self.refuted.div_ceil(2),
        }
    }
}

/// Builds strategies for one attacker.
pub(crate) struct Strategy<'a> {
    board: &'a Board,
    attacker: Side,
    category: MaxCategory,
    pub(crate) forest: Forest,
    spaces: &'a mut Vec<Space>,
    /// What nested searches found.
    known: HashMap<(Key, MaxCategory, u8), Option<Proven>>,
    defences: SmallDefences,
    turns: SmallThreatTurns,
    /// A sequence was refuted or a search was cut short.
    pub(crate) incomplete: bool,
}

impl<'a> Strategy<'a> {
    pub(crate) fn new(
        board: &'a Board,
        attacker: Side,
        category: MaxCategory,
        spaces: &'a mut Vec<Space>,
    ) -> Self {
        Self {
            board,
            attacker,
            category,
            forest: Forest::default(),
            spaces,
            known: HashMap::new(),
            defences: SmallDefences::default(),
            turns: SmallThreatTurns::default(),
            incomplete: false,
        }
    }

    /// Looks for a win with the attacker to move.
    pub(crate) fn search(
        &mut self,
        stones: &mut LineBoard,
        reach: Reach,
        budget: &mut Budget,
    ) -> Option<Proven> {
        self.search_up_to(self.category, stones, reach, budget)
    }

    /// The same with sequences of these threats only.
    fn search_up_to(
        &mut self,
        category: MaxCategory,
        stones: &mut LineBoard,
        reach: Reach,
        budget: &mut Budget,
    ) -> Option<Proven> {
        if let Some(at_once) = self.at_once(stones, NOTHING, reach, budget) {
            self.incomplete |= at_once.is_none();
            return at_once;
        }
        let key = (stones.stones_key(), category, reach.nested);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let categories = match category {
            MaxCategory::Fours => &[MaxCategory::Fours][..],
            MaxCategory::Threes => &[MaxCategory::Fours, MaxCategory::Threes],
        };
        let mut found = None;
        for &category in categories {
            let mut space = self.spaces.pop().unwrap_or_default();
            let extent = Extent {
                category,
                nodes: reach.nodes,
                refuted: reach.refuted,
            };
            space.start(stones, self.attacker);
            let board = self.board;
            let ending = space.search(board, extent, budget, &mut |moves, budget| {
                let rest = Rest {
                    moves,
                    pending: &[],
                };
                found = self.resume(stones, rest, reach, budget);
                match found {
                    Some(_) => Answer::Wins,
                    None => Answer::Refuted,
                }
            });
            self.incomplete |= ending == Ending::Stopped || space.sequences > 0;
            self.spaces.push(space);
            if found.is_some() || budget.stopped() {
                break;
            }
        }
        if !budget.stopped() {
            self.known.insert(key, found.clone());
        }
        found
    }

    /// What is decided without a sequence: `Some(None)` when the attacker must block and fails.
    #[expect(clippy::option_option, reason = "decided or not, and how")]
    fn at_once(
        &mut self,
        stones: &mut LineBoard,
        rest: Rest<'_>,
        reach: Reach,
        budget: &mut Budget,
    ) -> Option<Option<Proven>> {
        if stones.has_threat(self.attacker) {
            let set = stones.winning_set(self.attacker, 1)?;
            let win = self.forest.completes(Cells::from_slice(&set));
            return Some(Some(self.leaf(stones, win)));
        }
        if stones.has_threat(!self.attacker) {
            stones.small_defences(!self.attacker, &mut self.defences);
            let &[block] = self.defences.singles.as_slice() else {
                return Some(None);
            };
            let found = self.play(stones, block, rest, reach, budget);
            // The block may have made a threat of its own: go on from there with a new sequence.
            if found.is_none() && reach.nested > 0 && !rest.moves.is_empty() && !budget.stopped() {
                return Some(self.play(stones, block, NOTHING, reach, budget));
            }
            return Some(found);
        }
        let double = self.double_threat(stones)?;
        let win = self.forest.overwhelms(Cells::from_slice(&[double]));
        Some(Some(self.leaf(stones, win)))
    }

    /// A stone with which the attacker makes two threats. Nobody has a threat yet.
    fn double_threat(&mut self, stones: &LineBoard) -> Option<Index> {
        stones.small_threat_turns(self.attacker, 1, 2, &mut self.turns);
        let room = |cell: &Index| self.board.room[usize::from(*cell)];
        // The order of the list is not specified: take the first cell.
        self.turns.singles.iter().copied().filter(room).min()
    }

    fn leaf(&self, stones: &mut LineBoard, win: WinId) -> Proven {
        let zones = match self.category {
            MaxCategory::Fours => None,
            MaxCategory::Threes => zones_of(stones, &self.forest, win, self.attacker),
        };
        Proven { win, zones }
    }

    /// The attacker to move goes on with a sequence.
    fn resume(
        &mut self,
        stones: &mut LineBoard,
        rest: Rest<'_>,
        reach: Reach,
        budget: &mut Budget,
    ) -> Option<Proven> {
        if let Some(at_once) = self.at_once(stones, rest, reach, budget) {
            return at_once;
        }
        // Moves that were played before their time as blocks are skipped.
        let ahead = rest
            .moves
            .iter()
            .position(|step| stones.stone(step.gain) != Some(self.attacker));
        let Some(place) = ahead else {
            return (reach.nested > 0)
                .then(|| self.search(stones, reach.inner(), budget))
                .flatten();
        };
        let step = &rest.moves[place];
        if stones.stone(step.gain).is_some() {
            return None;
        }
        let rest = Rest {
            moves: &rest.moves[place + 1..],
            pending: &step.costs,
        };
        self.play(stones, step.gain, rest, reach, budget)
    }

    /// The attacker plays on a cell; the defender replies.
    fn play(
        &mut self,
        stones: &mut LineBoard,
        cell: Index,
        rest: Rest<'_>,
        reach: Reach,
        budget: &mut Budget,
    ) -> Option<Proven> {
        if budget.count() || !self.board.room[usize::from(cell)] {
            return None;
        }
        stones.place(self.attacker, cell);
        let found = self.after(stones, cell, rest, reach, budget);
        stones.undo();
        found
    }

    /// The attacker's stone stands on the board and completes no line.
    fn after(
        &mut self,
        stones: &mut LineBoard,
        cell: Index,
        rest: Rest<'_>,
        reach: Reach,
        budget: &mut Budget,
    ) -> Option<Proven> {
        // The defender wins first.
        if stones.has_threat(!self.attacker) {
            return None;
        }
        stones.small_defences(self.attacker, &mut self.defences);
        let turn = Cells::from_slice(&[cell]);
        match (self.defences.threats, self.defences.singles.as_slice()) {
            (0, _) if self.category == MaxCategory::Threes => {
                self.after_three(stones, turn, rest, reach, budget)
            }
            (0, _) => None,
            (_, &[reply]) => {
                let answered = Cells::from_slice(&[reply]);
                let child = self.answer(stones, answered, rest, reach, budget)?;
                let zones = child.zones.as_ref().map(|used| {
                    let mut zones = base(stones, self.attacker);
                    zones.union_shifted(used, 0);
                    zones.insert(cell);
                    zones
                });
                let reply = Cells::from_slice(&[reply]);
                let win = self.forest.answers(turn, vec![(reply, child.win)]);
                Some(Proven { win, zones })
            }
            _ => {
                let win = self.forest.overwhelms(turn);
                let zones = (self.category == MaxCategory::Threes).then(|| {
                    let mut zones = base(stones, self.attacker);
                    zones.insert(cell);
                    zones
                });
                Some(Proven { win, zones })
            }
        }
    }

    /// The defender places these stones; the attacker goes on.
    fn answer(
        &mut self,
        stones: &mut LineBoard,
        replies: Cells,
        rest: Rest<'_>,
        reach: Reach,
        budget: &mut Budget,
    ) -> Option<Proven> {
        let mut complete = false;
        for &reply in &replies {
            complete |= stones.place(!self.attacker, reply);
        }
        // A macro reply may complete a line that no real reply could: then it answers nothing.
        let found = if complete {
            None
        } else {
            self.resume(stones, rest, reach, budget)
        };
        for _ in &replies {
            stones.undo();
        }
        found
    }

    /// The attacker has no four: the defender may play anywhere.
    fn after_three(
        &mut self,
        stones: &mut LineBoard,
        turn: Cells,
        rest: Rest<'_>,
        reach: Reach,
        budget: &mut Budget,
    ) -> Option<Proven> {
        // The null turn: a double threat, or fours that win.
        let threat = match self.double_threat(stones) {
            Some(double) => {
                let win = self.forest.overwhelms(Cells::from_slice(&[double]));
                self.leaf(stones, win)
            }
            None if reach.nested == 0 => return None,
            None => self.search_up_to(MaxCategory::Fours, stones, reach.inner(), budget)?,
        };
        let mut children = vec![child_of(Cells::new(), threat)?];
        // All local answers at once.
        let is_empty = |cell: &Index| stones.stone(*cell).is_none();
        let all: Cells = rest.pending.iter().copied().filter(is_empty).collect();
        if !all.is_empty()
            && let Some(found) = self.answer(stones, all.clone(), rest, reach, budget)
        {
            children.push(child_of(all, found)?);
        }
        // The others one by one.
        let used = loop {
            match cover(stones, &children) {
                Covering::Complete(used) => break used,
                Covering::Missing(reply) => {
                    stones.place(!self.attacker, reply);
                    let found = self.answer_one(stones, reply, rest, reach, budget);
                    stones.undo();
                    children.push(child_of(Cells::from_slice(&[reply]), found?)?);
                }
                Covering::Impossible => return None,
            }
        };
        let mut zones = base(stones, self.attacker);
        zones.insert(turn[0]);
        for &(child, shift) in &used {
            zones.union_shifted(&children[child].zones, shift);
        }
        let needed = |place: &usize| used.iter().any(|(child, _)| child == place);
        let replies = (0..children.len()).filter(needed).map(|place| {
            let child = &children[place];
            (child.stones.clone(), child.win)
        });
        let replies = replies.collect();
        let win = self.forest.answers(turn, replies);
        let zones = Some(zones);
        Some(Proven { win, zones })
    }

    /// The attacker's win after a single reply, which stands on the board.
    fn answer_one(
        &mut self,
        stones: &mut LineBoard,
        reply: Index,
        rest: Rest<'_>,
        reach: Reach,
        budget: &mut Budget,
    ) -> Option<Proven> {
        if budget.count() || !self.board.room[usize::from(reply)] {
            return None;
        }
        let found = self.resume(stones, rest, reach, budget);
        if found.is_none() && reach.nested > 0 && !budget.stopped() {
            return self.search(stones, reach.inner(), budget);
        }
        found
    }
}

fn child_of(stones: Cells, proven: Proven) -> Option<Child> {
    let Proven { win, zones } = proven;
    let zones = zones?;
    Some(Child { stones, win, zones })
}
