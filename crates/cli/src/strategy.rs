//! What a proof's strategy looks like on the board: positions of nodes, real defences behind macro
//! turns, and the main line. It follows files that nobody has checked, so every step may fail.

use std::collections::HashSet;

use tengen_prover::{Proof, Reply, ReplyKind};
use tengen_rules::{Cell, Position, Rules, Side};
use tengen_threats::LineBoard;

/// The board while one walks through a strategy.
pub(crate) struct Walk<'a> {
    pub(crate) proof: &'a Proof,
    board: LineBoard,
}

/// How the attacker's turn leaves the game.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum After {
    /// A line is complete.
    Line,
    /// There are more threats than the defender can stop.
    Unstoppable,
    /// The defender has replies.
    Open,
}

impl<'a> Walk<'a> {
    /// Starts at the root, before its turn.
    pub(crate) fn new(proof: &'a Proof, position: &Position) -> Self {
        Self {
            proof,
            board: LineBoard::from_position(position),
        }
    }

    pub(crate) const fn attacker(&self) -> Side {
        self.proof.attacker
    }

    /// Places stones; whether they complete a line. `None`, with nothing placed, if they cannot be
    /// placed.
    pub(crate) fn place(&mut self, side: Side, cells: &[Cell]) -> Option<bool> {
        let mut complete = false;
        for (placed, &cell) in cells.iter().enumerate() {
            let index = self.board.index(cell);
            let free = index.filter(|&index| self.board.stone(index).is_none());
            let Some(index) = free else {
                self.take_back(placed);
                return None;
            };
            complete |= self.board.place(side, index);
        }
        Some(complete)
    }

    pub(crate) fn take_back(&mut self, stones: usize) {
        for _ in 0..stones {
            self.board.undo();
        }
    }

    /// Plays the attacker's turn of a node; `None` if it cannot be played.
    pub(crate) fn attack(&mut self, node: usize) -> Option<After> {
        let proof = self.proof;
        if self.place(self.attacker(), &proof.nodes[node].turn)? {
            return Some(After::Line);
        }
        let most = self.board.rules().per_turn();
        Some(if self.board.threat_count(self.attacker()) > most {
            After::Unstoppable
        } else {
            After::Open
        })
    }

    /// The turns that a reply stands for: itself, or for a macro turn all critical defences that are
    /// part of it.
    pub(crate) fn real_turns(&self, reply: &Reply) -> Vec<Vec<Cell>> {
        if self.kind(reply) != ReplyKind::Macro {
            return vec![reply.stones.clone()];
        }
        let given: HashSet<Cell> = reply.stones.iter().copied().collect();
        let cells = |set: Vec<_>| {
            set.into_iter()
                .map(|index| self.board.cell(index))
                .collect()
        };
        let mut turns: Vec<Vec<Cell>> = self
            .board
            .critical_sets(self.attacker())
            .into_iter()
            .map(cells)
            .filter(|cells: &Vec<Cell>| cells.iter().all(|cell| given.contains(cell)))
            .collect();
        turns.sort();
        turns
    }

    pub(crate) fn kind(&self, reply: &Reply) -> ReplyKind {
        reply.kind(self.rules().per_turn())
    }

    pub(crate) const fn rules(&self) -> Rules {
        self.proof.position.rules
    }

    /// The attacker's turns from each node on, against the longest defence.
    fn depths(&mut self) -> Vec<u32> {
        let mut depths = vec![0; self.proof.nodes.len()];
        if !depths.is_empty() {
            self.fill_depths(0, &mut depths);
        }
        depths
    }

    fn fill_depths(&mut self, node: usize, depths: &mut [u32]) {
        let proof = self.proof;
        let turn = &proof.nodes[node].turn;
        depths[node] = 1;
        match self.place(self.attacker(), turn) {
            None => return,
            Some(true) => {}
            Some(false) => {
                let mut longest = 1;
                for reply in &proof.nodes[node].replies {
                    let child = reply.child as usize;
                    if depths[child] == 0 && self.place(!self.attacker(), &reply.stones).is_some() {
                        self.fill_depths(child, depths);
                        self.take_back(reply.stones.len());
                    }
                    longest = longest.max(depths[child]);
                }
                depths[node] = longest + u32::from(!turn.is_empty());
            }
        }
        self.take_back(turn.len());
    }
}

/// One turn of the attacker in the main line, and what follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Exchange {
    /// The attacker's turn.
    pub(crate) turn: Vec<Cell>,
    /// How it leaves the game.
    pub(crate) after: After,
    /// The longest defence; `None` at the end.
    pub(crate) reply: Option<MainReply>,
}

/// A reply in the main line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MainReply {
    /// The stones, those of one real defence if it was a macro turn.
    pub(crate) stones: Vec<Cell>,
    /// What sort of reply the proof has.
    pub(crate) kind: ReplyKind,
}

/// The line in which the defender, as far as the proof says, holds out longest.
pub(crate) fn main_line(proof: &Proof, position: &Position) -> Vec<Exchange> {
    let mut walk = Walk::new(proof, position);
    let depths = walk.depths();
    let mut line = Vec::new();
    let mut at = Some(0);
    while let Some(node) = at.take() {
        let Some(after) = walk.attack(node) else {
            break;
        };
        let mut reply = None;
        if after == After::Open {
            let longest = proof.nodes[node]
                .replies
                .iter()
                .map(|reply| (reply, walk.real_turns(reply)))
                .filter(|(_, turns)| !turns.is_empty())
                // The first of the longest: `max_by_key` would take the last.
                .min_by_key(|(reply, _)| std::cmp::Reverse(depths[reply.child as usize]));
            if let Some((chosen, turns)) = longest
                && let Some(stones) = turns.into_iter().next()
                && walk.place(!walk.attacker(), &stones).is_some()
            {
                let kind = walk.kind(chosen);
                at = Some(chosen.child as usize);
                reply = Some(MainReply { stones, kind });
            }
        }
        line.push(Exchange {
            turn: proof.nodes[node].turn.clone(),
            after,
            reply,
        });
    }
    line
}

/// The position of a node where it is met first, the attacker to move; `None` if the way to it cannot
/// be played. Stones of macro turns are all on the board.
pub(crate) fn position_of(proof: &Proof, node: usize) -> Option<Position> {
    let mut parent = vec![None; proof.nodes.len()];
    for (id, content) in proof.nodes.iter().enumerate() {
        for (number, reply) in content.replies.iter().enumerate() {
            parent[reply.child as usize].get_or_insert((id, number));
        }
    }
    let mut setup = proof.position.clone();
    let mut at = node;
    while let Some((id, number)) = parent[at] {
        let content = &proof.nodes[id];
        setup.stones_of_mut(proof.attacker).extend(&content.turn);
        setup
            .stones_of_mut(!proof.attacker)
            .extend(&content.replies[number].stones);
        at = id;
    }
    if node != 0 {
        setup.to_move = proof.attacker;
        setup.left = None;
    }
    Position::from_setup(&setup).ok()
}
