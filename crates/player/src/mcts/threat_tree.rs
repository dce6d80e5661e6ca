//! The paper's opponents of its own search (section VI-A): depth-first and breadth-first search of turns
//! that make double threats, with normal defences.

use tengen_rules::{Position, Side};

use super::ctss::Ctss;
use super::field::{Cells, Field};
use super::solve::{SolveLimits, Solved};
use crate::Deadline;

/// Depth-first to so many turns, attacker's and defender's together.
pub fn depth_first(position: &Position, depth: u32, limits: &SolveLimits<'_>) -> Solved {
    let mut search = ThreatTree::new(position, limits);
    let stones = search.field.room(position.left());
    let won = position.outcome().is_none() && search.attack(stones, depth);
    search.solved(won)
}

/// Breadth-first.
pub fn breadth_first(position: &Position, limits: &SolveLimits<'_>) -> Solved {
    let mut search = ThreatTree::new(position, limits);
    let stones = search.field.room(position.left());
    let won = position.outcome().is_none() && search.broad(stones);
    search.solved(won)
}

struct ThreatTree<'a> {
    field: Field,
    ctss: Ctss<'a>,
    attacker: Side,
    positions: u64,
    most: u64,
    deadline: Deadline<'a>,
}

/// A node of breadth-first search: the position before or after an attacker's turn.
struct BroadNode {
    parent: usize,
    turn: Cells,
    /// Replies not yet won, where the defender is to move.
    open: usize,
    closed: bool,
}

impl<'a> ThreatTree<'a> {
    fn new(position: &Position, limits: &SolveLimits<'a>) -> Self {
        let deadline = limits.deadline();
        Self {
            field: Field::new(position),
            ctss: Ctss::new(deadline),
            attacker: position.to_move(),
            positions: 0,
            most: limits.steps,
            deadline,
        }
    }

    fn solved(&self, won: bool) -> Solved {
        Solved {
            winner: won.then_some(self.attacker),
            steps: self.positions,
            nodes: self.positions,
            time: self.deadline.elapsed(),
        }
    }

    /// Whether a limit is reached.
    fn is_over(&self) -> bool {
        self.positions >= self.most || self.deadline.is_over()
    }

    /// The attacker's turns and the defences against each; `None` if a line can be completed or a turn makes
    /// more threats than can be stopped.
    fn turns(&mut self, stones: u8) -> Option<Vec<(Cells, Vec<Cells>)>> {
        let side = self.attacker;
        if self.field.board.winning_set(side, stones).is_some() {
            return None;
        }
        let per_turn = self.field.board.rules().per_turn();
        let mut all = Vec::new();
        for turn in self.ctss.forcing_turns(&self.field, side, stones, per_turn) {
            self.positions += 1;
            self.field.play(side, &turn);
            let counter = self.field.board.has_threat(!side);
            let replies = self.field.defences(side, per_turn, &mut self.ctss.defences);
            let room = self.field.empty() > 2 * usize::from(per_turn);
            self.field.undo(turn.len());
            let replies = replies.unwrap_or_default();
            match (counter || !room, replies.is_empty()) {
                (true, _) => {}
                (false, true) => return None,
                (false, false) => all.push((turn, replies)),
            }
        }
        Some(all)
    }

    fn attack(&mut self, stones: u8, depth: u32) -> bool {
        self.positions += 1;
        if self.is_over() {
            return false;
        }
        let Some(turns) = self.turns(stones) else {
            return true;
        };
        if depth < 2 {
            return false;
        }
        let per_turn = self.field.board.rules().per_turn();
        for (turn, replies) in turns {
            self.field.play(self.attacker, &turn);
            let won = replies.iter().all(|reply| {
                self.field.play(!self.attacker, reply);
                let stones = self.field.room(per_turn);
                let won = self.attack(stones, depth - 2);
                self.field.undo(reply.len());
                won
            });
            self.field.undo(turn.len());
            if won {
                return true;
            }
        }
        false
    }

    fn broad(&mut self, stones: u8) -> bool {
        let per_turn = self.field.board.rules().per_turn();
        let node = |parent, turn, open| BroadNode {
            parent,
            turn,
            open,
            closed: false,
        };
        let mut nodes = vec![node(0, Cells::new(), 0)];
        let mut waiting = std::collections::VecDeque::from([0_usize]);
        while let Some(id) = waiting.pop_front() {
            if self.is_over() {
                return false;
            }
            if is_closed(&nodes, id) {
                continue;
            }
            self.positions += 1;
            let placed = self.stand_at(&nodes, id);
            let stones = if id == 0 {
                stones
            } else {
                self.field.room(per_turn)
            };
            let turns = self.turns(stones);
            self.field.undo(placed);
            let Some(turns) = turns else {
                if is_won(&mut nodes, id) {
                    return true;
                }
                continue;
            };
            for (turn, replies) in turns {
                let above = nodes.len();
                nodes.push(node(id, turn, replies.len()));
                for reply in replies {
                    waiting.push_back(nodes.len());
                    nodes.push(node(above, reply, 0));
                }
            }
        }
        false
    }

    /// Places all turns on the way to a node; says how many stones.
    fn stand_at(&mut self, nodes: &[BroadNode], id: usize) -> usize {
        let mut path = Vec::new();
        let mut at = id;
        while at != 0 {
            path.push(at);
            at = nodes[at].parent;
        }
        let mut side = self.attacker;
        let mut placed = 0;
        for &at in path.iter().rev() {
            self.field.play(side, &nodes[at].turn);
            placed += nodes[at].turn.len();
            side = !side;
        }
        placed
    }
}

/// Whether the node or one above it is won already.
fn is_closed(nodes: &[BroadNode], mut id: usize) -> bool {
    loop {
        if nodes[id].closed {
            return true;
        }
        if id == 0 {
            return false;
        }
        id = nodes[id].parent;
    }
}

/// The attacker wins at this node, where he is to move; whether that wins the root.
fn is_won(nodes: &mut [BroadNode], mut id: usize) -> bool {
    loop {
        if std::mem::replace(&mut nodes[id].closed, true) {
            return false;
        }
        if id == 0 {
            return true;
        }
        // The reply is answered; with all replies answered the turn wins where it was played.
        let turn = nodes[id].parent;
        nodes[turn].open -= 1;
        if nodes[turn].open > 0 {
            return false;
        }
        nodes[turn].closed = true;
        id = nodes[turn].parent;
    }
}
