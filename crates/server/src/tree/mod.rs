//! Trees of turns: what studies are made of, and how files become them.
//!
//! A file ([`Record`]) has one stone in each node, a study one turn. `import.rs` and `export.rs` go from one to the
//! other, `walk.rs` plays the turns of a tree, `check.rs` says what may be written on a node.
//!
//! A turn is shorter than the rules have it at the end of a line (it is not finished), when it ends the game, and
//! before a pass. A pass is a node with an empty turn: the side leaves the rest of its turn away.

mod check;
mod export;
mod import;
#[cfg(test)]
mod tests;
mod walk;

use tengen_rules::{Cell, Info, Setup, Side};

use crate::api::{GameInfo, Node, Turn};
use crate::error::Failure;
use tengen_rules::PositionKey;

pub(crate) use check::{DEEPEST, MOST_NODES, MOST_PUT, checked, text};
pub(crate) use walk::Walker;

/// A study that is not in the database: nodes in preorder, the root first.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tree {
    /// Where it starts, perhaps impossible.
    pub(crate) start: Setup,
    /// The game's name, perhaps empty.
    pub(crate) title: String,
    /// Facts about the game.
    pub(crate) info: GameInfo,
    /// Parents before children, siblings in order; the place is the number.
    pub(crate) nodes: Vec<Node>,
}

impl Tree {
    /// How many turns its longest line has.
    pub(crate) fn depth(&self) -> usize {
        let mut depths: Vec<usize> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            depths.push(node.parent.map_or(0, |parent| depths[parent as usize] + 1));
        }
        depths.into_iter().max().unwrap_or(0)
    }

    /// The key of each node, where it can be played.
    pub(crate) fn keys(&self) -> Vec<Option<PositionKey>> {
        let mut walker = Walker::new(&self.start);
        let key = |node: &Node| {
            let turn = cells(&node.turn).ok()?;
            match node.parent {
                None => walker.root_key(),
                Some(parent) => {
                    let known = walker.back_to(parent);
                    debug_assert!(known, "preorder");
                    walker.play(node.id, &turn).ok()
                }
            }
        };
        self.nodes.iter().map(key).collect()
    }
}

/// Reads the cells of a turn.
pub(crate) fn cells(turn: &Turn) -> Result<Vec<Cell>, Failure> {
    let read = |text: &String| {
        let wrong = |error| Failure::BadRequest(format!("the turn {turn:?}: {error}"));
        text.parse::<Cell>().map_err(wrong)
    };
    turn.iter().map(read).collect()
}

/// Writes the cells of a turn.
pub(crate) fn turn_of(cells: &[Cell]) -> Turn {
    cells.iter().map(Cell::to_string).collect()
}

/// Whose stone comes next, by counting: it also works for lines that cannot be played.
#[derive(Debug, Copy, Clone)]
struct Order {
    to_move: Side,
    left: u8,
    per_turn: u8,
}

impl Order {
    fn new(start: &Setup) -> Self {
        Self {
            to_move: start.to_move,
            left: start.left.unwrap_or_else(|| start.whole_turn()).max(1),
            per_turn: start.rules.per_turn(),
        }
    }

    fn stone(&mut self) {
        self.left -= 1;
        if self.left == 0 {
            self.end_turn();
        }
    }

    fn end_turn(&mut self) {
        self.to_move = !self.to_move;
        self.left = self.per_turn;
    }
}

fn facts_of(info: &Info) -> GameInfo {
    GameInfo {
        black: info.black.clone(),
        white: info.white.clone(),
        result: info.result.clone(),
        date: info.date.clone(),
        place: info.place.clone(),
        event: info.event.clone(),
        source: info.source.clone(),
    }
}

fn info_of(title: &str, facts: &GameInfo) -> Info {
    Info {
        name: title.to_owned(),
        black: facts.black.clone(),
        white: facts.white.clone(),
        result: facts.result.clone(),
        date: facts.date.clone(),
        place: facts.place.clone(),
        event: facts.event.clone(),
        source: facts.source.clone(),
    }
}
