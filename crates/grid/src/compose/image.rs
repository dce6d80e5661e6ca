//! Positions that are the same up to a symmetry of the board, and how cells of one become cells of the other.

use tengen_prover::{Proof, ProofNode, Reply};
use tengen_rules::{Canonical, Cell, Position, PositionKey, Turn, position_key};

/// A way from one position to an image of it.
#[derive(Debug, Clone)]
pub(crate) struct Image {
    from: Canonical,
    to: Canonical,
}

impl Image {
    /// How `from` becomes `to`; none if they are not images of each other.
    pub(crate) fn between(from: &Position, to: &Position) -> Option<Self> {
        let (from, to) = (Canonical::of(from), Canonical::of(to));
        (from.setup == to.setup).then_some(Self { from, to })
    }

    /// Where a cell goes.
    pub(crate) fn cell(&self, cell: Cell) -> Cell {
        self.to.map_back(self.from.map(cell))
    }

    pub(crate) fn turn(&self, turn: &Turn) -> Turn {
        turn.cells().iter().map(|&cell| self.cell(cell)).collect()
    }

    fn cells(&self, cells: &[Cell]) -> Vec<Cell> {
        cells.iter().map(|&cell| self.cell(cell)).collect()
    }

    /// The nodes and exceptions of a proof for the image; what else it claims is left out.
    pub(crate) fn proof(&self, proof: &Proof, to: &Position) -> Proof {
        let reply = |reply: &Reply| Reply {
            stones: self.cells(&reply.stones),
            child: reply.child,
        };
        let node = |node: &ProofNode| ProofNode {
            turn: self.cells(&node.turn),
            replies: node.replies.iter().map(reply).collect(),
        };
        Proof {
            position: to.to_setup(),
            attacker: proof.attacker,
            except: proof.except.iter().map(|set| self.cells(set)).collect(),
            region: None,
            zones: Vec::new(),
            nodes: proof.nodes.iter().map(node).collect(),
        }
    }
}

/// The position after a turn that does not end the game, with its key; none if the turn cannot be played or ends it.
pub(crate) fn after(position: &Position, turn: &Turn) -> Option<(Position, PositionKey)> {
    let mut next = position.clone();
    next.play(turn).ok()?;
    if next.outcome().is_some() {
        return None;
    }
    let (key, _) = position_key(&next);
    Some((next, key))
}

/// The position after turns from another one; none if one of them cannot be played.
pub(crate) fn along(root: &Position, turns: &[Turn]) -> Option<Position> {
    let mut position = root.clone();
    for turn in turns {
        position.play(turn).ok()?;
    }
    position.outcome().is_none().then_some(position)
}
