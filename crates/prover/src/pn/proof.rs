//! A strategy as nodes of a proof that `tengen-checker` understands: every reply by name that could stop the threat at
//! hand, and one answer to all others.

use tengen_rules::Side;

use super::board::Board;
use super::cells::{Cell, Cells};
use super::patterns::Fives;
use super::strategy::{AtHand, Step, at_hand};
use crate::proof::{ProofNode, Reply};

/// The nodes, the root first; `None` if the strategy does not win on this board.
pub(crate) fn proof_nodes(
    board: &mut Board,
    attacker: Side,
    strategy: &[Step],
) -> Option<Vec<ProofNode>> {
    let mut writer = Writer {
        board,
        attacker,
        strategy,
        nodes: Vec::new(),
    };
    writer.turn(Some(0))?;
    Some(writer.nodes)
}

/// Nodes of a proof at most: fours that change nothing are written out.
const MOST: usize = 1_000_000;

struct Writer<'a> {
    board: &'a mut Board,
    attacker: Side,
    strategy: &'a [Step],
    nodes: Vec<ProofNode>,
}

impl Writer<'_> {
    fn add(&mut self, stone: Cell) -> Option<u32> {
        let (x, y) = (i16::from(stone & 15), i16::from(stone >> 4));
        self.nodes.push(ProofNode {
            turn: vec![tengen_rules::Cell::new(x, y)],
            replies: Vec::new(),
        });
        (self.nodes.len() < MOST).then_some(self.nodes.len() as u32 - 1)
    }

    /// Says what answers a reply, or all replies that are not named.
    fn answer(&mut self, node: u32, reply: Option<Cell>, child: u32) {
        let cell = |cell: Cell| tengen_rules::Cell::new(i16::from(cell & 15), i16::from(cell >> 4));
        self.nodes[node as usize].replies.push(Reply {
            stones: reply.map(cell).into_iter().collect(),
            child,
        });
    }

    /// The attacker is to move.
    fn turn(&mut self, step: Option<usize>) -> Option<u32> {
        if let Some(five) = self.board.fives(self.attacker).first() {
            return self.add(five);
        }
        let stone = match at_hand(self.board, self.attacker) {
            AtHand::Win => {
                let double = self.board.doubles(self.attacker).first()?;
                return self.double(double);
            }
            AtHand::Loss => return None,
            AtHand::Forced(_) | AtHand::Quiet => self.strategy.get(step?)?.stone,
        };
        self.stone(stone, step?)
    }

    /// The attacker's stone, after which the replies are answered as a step says.
    fn stone(&mut self, stone: Cell, step: usize) -> Option<u32> {
        if self.board.stone(stone).is_some() {
            return None;
        }
        let node = self.add(stone)?;
        self.board.place(self.attacker, stone);
        let written = self.replies(node, step);
        self.board.undo();
        written.map(|()| node)
    }

    /// A double, and the cells that complete it.
    fn double(&mut self, double: Cell) -> Option<u32> {
        let node = self.add(double)?;
        self.board.place(self.attacker, double);
        let mut completing = self.board.fives(self.attacker).iter();
        self.board.undo();
        let (one, other) = (completing.next()?, completing.next()?);
        let (first, second) = (self.add(one)?, self.add(other)?);
        self.answer(node, None, first);
        self.answer(node, Some(one), second);
        Some(node)
    }

    fn replies(&mut self, node: u32, step: usize) -> Option<()> {
        let defender = !self.attacker;
        let mut stops = Cells::default();
        if let Some(five) = self.board.fives(self.attacker).first() {
            let child = self.add(five)?;
            self.answer(node, None, child);
            stops.insert(five);
        } else {
            let double = self.board.doubles(self.attacker).first()?;
            let child = self.double(double)?;
            self.board.place(self.attacker, double);
            stops = *self.board.fives(self.attacker);
            self.board.undo();
            stops.insert(double);
            stops = stops.or(*self.board.fours(defender));
            match self.board.wins() {
                Fives::OrMore => self.answer(node, None, child),
                // The null turn proves nothing then: each of the others by its name.
                Fives::Exactly => {
                    for other in self.board.empty().without(stops).iter() {
                        self.answer(node, Some(other), child);
                    }
                }
            }
        }
        for reply in stops.iter() {
            self.board.place(defender, reply);
            let replies = &self.strategy[step].replies;
            let named = replies.iter().find(|(cell, _)| *cell == reply);
            let child = match (named, self.board.fives(defender).first()) {
                (Some(&(_, answer)), _) => self.turn(Some(usize::from(answer))),
                (None, Some(block)) if self.board.fives(self.attacker).is_empty() => {
                    match self.board.fives(defender).several() {
                        true => None,
                        false => self.stone(block, step),
                    }
                }
                (None, _) => self.turn(None),
            };
            self.board.undo();
            self.answer(node, Some(reply), child?);
        }
        Some(())
    }
}
