//! What the nodes of a proof are worth where they are met: their zones, how many turns they take, and which
//! replies each child answers. This is the walk of `docs/proof-format.md`, with everything remembered.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use tengen_rules::{Key, Overline, Side};
use tengen_threats::{Index, LineBoard};

use super::PlayError;
use crate::cover::Child;
use crate::proof::Proof;
use crate::tree::Cells;
use crate::zones::{Zones, base, endgame};

/// A node that wins in the position in which it was met.
#[derive(Debug, Clone)]
pub(super) struct Won {
    pub(super) zones: Zones,
    /// The attacker's turns to the completed line, against the longest defence.
    pub(super) depth: u32,
    /// The replies that are answered, with their places in the node; in the order of the node.
    pub(super) children: Arc<Vec<Answer>>,
}

/// A reply that is answered here.
#[derive(Debug, Clone)]
pub(super) struct Answer {
    pub(super) child: Child,
    pub(super) node: usize,
    pub(super) depth: u32,
}

/// The nodes of one proof.
#[derive(Debug)]
pub(super) struct Evaluator {
    attacker: Side,
    exact: bool,
    known: HashMap<(usize, Key), Option<Arc<Won>>>,
    visits: u64,
    most_visits: u64,
}

impl Evaluator {
    pub(super) fn new(proof: &Proof, most_visits: u64) -> Self {
        Self {
            attacker: proof.attacker,
            exact: proof.position.rules.overline() == Overline::DoesNotWin,
            known: HashMap::new(),
            visits: 0,
            most_visits,
        }
    }

    /// What a node is worth; `None` if it does not win here. The board stands before its turn, with the attacker
    /// to move unless the turn is empty; then the defender has `reply` stones.
    pub(super) fn node(
        &mut self,
        proof: &Proof,
        board: &mut LineBoard,
        node: usize,
        reply: usize,
    ) -> Result<Option<Arc<Won>>, PlayError> {
        let name = (node, board.stones_key());
        if let Some(known) = self.known.get(&name) {
            return Ok(known.clone());
        }
        self.visits += 1;
        if self.visits > self.most_visits {
            return Err(PlayError::TooLarge);
        }
        let turn = indices(board, &proof.nodes[node].turn);
        let found = match turn {
            Some(turn) => self.after_turn(proof, board, node, reply, &turn)?,
            None => None,
        };
        let found = found.map(Arc::new);
        self.known.insert(name, found.clone());
        Ok(found)
    }

    /// Steps 1 and 2: the attacker's turn, and whether the defender can do anything.
    fn after_turn(
        &mut self,
        proof: &Proof,
        board: &mut LineBoard,
        node: usize,
        reply: usize,
        turn: &[Index],
    ) -> Result<Option<Won>, PlayError> {
        let mut complete = false;
        for &cell in turn {
            complete |= board.place(self.attacker, cell);
        }
        let won = if complete {
            Ok(Some(self.leaf(endgame(board, self.attacker), 1)))
        } else if self.defender_escapes(board, reply) {
            Ok(None)
        } else if usize::from(board.threat_count(self.attacker)) > reply {
            let depth = 1 + u32::from(!turn.is_empty());
            Ok(Some(self.leaf(base(board, self.attacker), depth)))
        } else {
            self.replies(proof, board, node, reply, turn)
        };
        for _ in turn {
            board.undo();
        }
        let mut won = won?;
        if let Some(won) = &mut won {
            turn.iter().for_each(|&cell| won.zones.insert(cell));
        }
        Ok(won)
    }

    fn leaf(&self, zones: Zones, depth: u32) -> Won {
        Won {
            zones: if self.exact { Zones::nothing() } else { zones },
            depth,
            children: Arc::default(),
        }
    }

    /// The defender completes a line or fills the board.
    fn defender_escapes(&self, board: &LineBoard, reply: usize) -> bool {
        let free = board.grid().len() - board.count();
        let full = board.rules().size().is_some() && free <= reply;
        full || board.winning_set(!self.attacker, reply as u8).is_some()
    }

    /// Step 3: which replies are answered, and whether all are.
    fn replies(
        &mut self,
        proof: &Proof,
        board: &mut LineBoard,
        node: usize,
        reply: usize,
        turn: &[Index],
    ) -> Result<Option<Won>, PlayError> {
        let children = Arc::new(self.children(proof, board, node)?);
        let except: Vec<Vec<Index>> = match node {
            0 => {
                let sets = proof.except.iter();
                sets.filter_map(|set| indices(board, set)).collect()
            }
            _ => Vec::new(),
        };
        let mut cover = Cover {
            board,
            children: &children,
            reply,
            exact: self.exact,
            except: &except,
            plans: HashMap::new(),
        };
        let defences = cover.board.critical_sets(self.attacker);
        let defences: Vec<Vec<Index>> = defences
            .into_iter()
            .filter(|defence| defence.len() <= reply)
            .map(sorted)
            .collect();
        if !defences.iter().all(|defence| cover.cover(defence)) {
            return Ok(None);
        }
        let mut zones = match (self.exact, except.is_empty()) {
            (false, true) => base(cover.board, self.attacker),
            _ => Zones::nothing(),
        };
        let mut depth = 1;
        let mut seen = HashSet::new();
        for defence in &defences {
            depth = depth.max(cover.collect(defence, &mut zones, &mut seen));
        }
        Ok(Some(Won {
            zones,
            depth: depth + u32::from(!turn.is_empty()),
            children,
        }))
    }

    /// The replies of a node whose answers win here.
    fn children(
        &mut self,
        proof: &Proof,
        board: &mut LineBoard,
        node: usize,
    ) -> Result<Vec<Answer>, PlayError> {
        let mut children = Vec::new();
        let per_turn = usize::from(board.rules().per_turn());
        for reply in &proof.nodes[node].replies {
            let Some(stones) = indices(board, &reply.stones) else {
                continue;
            };
            let mut complete = false;
            for &cell in &stones {
                complete |= board.place(!self.attacker, cell);
            }
            let id = reply.child as usize;
            let won = if complete {
                Ok(None)
            } else {
                self.node(proof, board, id, per_turn)
            };
            for _ in &stones {
                board.undo();
            }
            if let Some(won) = won? {
                children.push(Answer {
                    child: Child {
                        stones: Cells::from_vec(stones),
                        win: reply.child,
                        zones: won.zones.clone(),
                    },
                    node: id,
                    depth: won.depth,
                });
            }
        }
        Ok(children)
    }
}

/// The numbers of cells, sorted; `None` unless all are empty and on the board.
pub(super) fn indices(board: &LineBoard, cells: &[tengen_rules::Cell]) -> Option<Vec<Index>> {
    let index = |&cell| {
        board
            .index(cell)
            .filter(|&cell| board.stone(cell).is_none())
    };
    cells
        .iter()
        .map(index)
        .collect::<Option<Vec<_>>>()
        .map(sorted)
}

fn sorted(mut cells: Vec<Index>) -> Vec<Index> {
    cells.sort_unstable();
    cells
}

/// How a set of the defender's stones, together with further ones, is answered.
#[derive(Debug, Copy, Clone)]
enum Plan {
    Child(usize),
    /// Nothing is claimed about it.
    Excepted,
    /// Whatever the next stone is, that set is answered.
    EveryStone,
    None,
}

/// The procedure *cover*, which tries other children when one does not lead to the end, as the checker does.
struct Cover<'a> {
    board: &'a LineBoard,
    children: &'a [Answer],
    reply: usize,
    exact: bool,
    except: &'a [Vec<Index>],
    plans: HashMap<Vec<Index>, Plan>,
}

impl Cover<'_> {
    fn cover(&mut self, set: &[Index]) -> bool {
        if let Some(plan) = self.plans.get(set) {
            return !matches!(plan, Plan::None);
        }
        let plan = self.plan(set);
        self.plans.insert(set.to_vec(), plan);
        !matches!(plan, Plan::None)
    }

    fn plan(&mut self, set: &[Index]) -> Plan {
        if self
            .except
            .iter()
            .any(|open| open.iter().all(|cell| set.contains(cell)))
        {
            return Plan::Excepted;
        }
        let further = self.reply - set.len();
        for place in self.candidates(set, further) {
            let cells = self.open_cells(place, set);
            if self.cover_each(set, &cells) {
                return Plan::Child(place);
            }
        }
        if further > 0 && self.board.rules().size().is_some() {
            let cells = self.other_cells(set);
            if self.cover_each(set, &cells) {
                return Plan::EveryStone;
            }
        }
        Plan::None
    }

    fn candidates(&self, set: &[Index], further: usize) -> Vec<usize> {
        let same = |place: &usize| self.children[*place].child.stones[..] == *set;
        let answers = |place: &usize| match self.exact {
            true => further == 0 && same(place),
            false => self.children[*place].child.answers(set, further),
        };
        let mut places: Vec<usize> = (0..self.children.len()).filter(answers).collect();
        places.sort_by_key(|place| {
            let child = &self.children[*place].child;
            let known = further == 0 && same(place);
            (
                !known,
                child.open_count(set, further),
                child.shift(set, further),
            )
        });
        places
    }

    fn open_cells(&self, place: usize, set: &[Index]) -> Vec<Index> {
        let further = self.reply - set.len();
        let child = &self.children[place].child;
        child.open_cells(self.board, set, further).collect()
    }

    fn other_cells(&self, set: &[Index]) -> Vec<Index> {
        let free = |cell: &Index| self.board.stone(*cell).is_none() && !set.contains(cell);
        (0..self.board.grid().len() as Index).filter(free).collect()
    }

    fn cover_each(&mut self, set: &[Index], cells: &[Index]) -> bool {
        cells.iter().all(|&cell| self.cover(&with(set, cell)))
    }

    /// Adds the zones of what is used to answer a set; the longest of these answers.
    fn collect(&self, set: &[Index], zones: &mut Zones, seen: &mut HashSet<Vec<Index>>) -> u32 {
        if !seen.insert(set.to_vec()) {
            return 0;
        }
        let (cells, depth) = match self.plans.get(set) {
            Some(&Plan::Child(place)) => {
                let answer = &self.children[place];
                let shift = answer.child.shift(set, self.reply - set.len());
                zones.union_shifted(&answer.child.zones, shift);
                (self.open_cells(place, set), answer.depth)
            }
            Some(Plan::EveryStone) => (self.other_cells(set), 0),
            _ => (Vec::new(), 0),
        };
        let deeper = cells
            .iter()
            .map(|&cell| self.collect(&with(set, cell), zones, seen));
        deeper.fold(depth, u32::max)
    }
}

fn with(set: &[Index], cell: Index) -> Vec<Index> {
    let mut more = set.to_vec();
    more.push(cell);
    sorted(more)
}
