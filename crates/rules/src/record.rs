//! A record: a tree of games with comments and marks, as files keep it.
//!
//! One node holds one stone. Like a [`Setup`], a record may describe nonsense (a stone on an
//! occupied cell, a side out of turn): readers of files keep what the file says, and
//! [`Record::position`] tells whether it can be played.

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};

use crate::{Cell, PlaceError, Placement, Position, Rules, Setup, SetupError, Side};

/// The number of a node in its record; the root is 0.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub usize);

/// What happens in a node.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub enum Action {
    /// A stone is placed.
    Place(Placement),
    /// The side ends its turn without placing the stones that are left.
    Pass(Side),
    /// Nothing: the root, or a node that carries text only.
    Nothing,
}

/// How a cell can be marked.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mark {
    /// A cross.
    Cross,
    /// A circle.
    Circle,
    /// A square.
    Square,
    /// A triangle.
    Triangle,
}

/// What is written on a node. Empty means "nothing".
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Notes {
    /// Free text.
    pub comment: String,
    /// A short name, of an opening for example.
    pub name: String,
    /// Texts written on cells.
    pub labels: BTreeMap<Cell, String>,
    /// Marks on cells.
    pub marks: BTreeMap<Cell, Mark>,
    /// Arrows from one cell to another.
    pub arrows: Vec<(Cell, Cell)>,
}

static NO_NOTES: Notes = Notes {
    comment: String::new(),
    name: String::new(),
    labels: BTreeMap::new(),
    marks: BTreeMap::new(),
    arrows: Vec::new(),
};

/// One node of the tree. Its [`Notes`] are read and written as if they were fields of the node.
///
/// Libraries have millions of nodes and few notes, so a node without notes takes 56 bytes and its
/// notes exist only once they are written to.
#[derive(Debug, Clone)]
pub struct Node {
    /// What happens here.
    pub action: Action,
    notes: Option<Box<Notes>>,
    parent: Option<NodeId>,
    children: Vec<NodeId>,
}

impl Node {
    const fn new(action: Action, parent: Option<NodeId>) -> Self {
        Self {
            action,
            notes: None,
            parent,
            children: Vec::new(),
        }
    }

    /// What is written on the node.
    pub fn notes(&self) -> &Notes {
        self.notes.as_deref().unwrap_or(&NO_NOTES)
    }

    /// The node before this one; `None` for the root.
    pub const fn parent(&self) -> Option<NodeId> {
        self.parent
    }

    /// The nodes after this one, the main line first.
    pub fn children(&self) -> &[NodeId] {
        &self.children
    }
}

impl Deref for Node {
    type Target = Notes;

    fn deref(&self) -> &Notes {
        self.notes()
    }
}

impl DerefMut for Node {
    fn deref_mut(&mut self) -> &mut Notes {
        self.notes.get_or_insert_default()
    }
}

/// Facts about the game as a whole. Empty texts mean "not given".
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Info {
    /// The game's name.
    pub name: String,
    /// Black's name.
    pub black: String,
    /// White's name.
    pub white: String,
    /// The result in SGF's words: `B+`, `W+R`, `0` for a draw.
    pub result: String,
    /// When it was played.
    pub date: String,
    /// Where it was played.
    pub place: String,
    /// The tournament.
    pub event: String,
    /// Where the record comes from.
    pub source: String,
}

/// A tree of games from one starting position.
///
/// Two records are equal when start, facts and trees are; the numbers of the nodes are ignored.
#[derive(Debug, Clone)]
pub struct Record {
    /// Where the tree starts, unchecked.
    pub start: Setup,
    /// Facts about the game.
    pub info: Info,
    nodes: Vec<Node>,
}

/// Why a node of a record cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// The starting position is refused.
    #[error("starting position: {0}")]
    Start(#[from] SetupError),
    /// A stone cannot be placed.
    #[error("stone {number}: {error}")]
    Place {
        /// Which stone it is, counted from 1 along the line of play.
        number: usize,
        /// Why.
        error: PlaceError,
    },
    /// The wrong side plays.
    #[error("stone {number}: {side} plays, but it is {}'s turn", !*.side)]
    WrongSide {
        /// Which stone it is, counted from 1 along the line of play.
        number: usize,
        /// Who plays.
        side: Side,
    },
}

impl Record {
    /// The root's number.
    pub const ROOT: NodeId = NodeId(0);

    /// A tree with only a root.
    pub fn new(start: Setup) -> Self {
        Self {
            start,
            info: Info::default(),
            nodes: vec![Node::new(Action::Nothing, None)],
        }
    }

    /// A single game from the empty board; whose each stone is follows from the rules.
    pub fn from_moves(rules: Rules, cells: &[Cell]) -> Self {
        let mut record = Self::new(Setup::empty(rules));
        let mut at = Self::ROOT;
        for (index, &cell) in cells.iter().enumerate() {
            let side = rules.side_of_stone(index);
            at = record.add(at, Action::Place(Placement { side, cell }));
        }
        record
    }

    /// The game.
    pub const fn rules(&self) -> Rules {
        self.start.rules
    }

    /// How many nodes the tree has, the root included.
    pub const fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether nothing is played: there is only the root.
    pub const fn is_empty(&self) -> bool {
        self.len() == 1
    }

    /// The node with this number.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0]
    }

    /// The node with this number, to be changed.
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0]
    }

    /// Appends a child, after its elder siblings.
    pub fn add(&mut self, parent: NodeId, action: Action) -> NodeId {
        let id = NodeId(self.nodes.len());
        self.nodes.push(Node::new(action, Some(parent)));
        let siblings = &mut self.nodes[parent.0].children;
        if siblings.is_empty() {
            // Most nodes have one child; the usual first growth would reserve four.
            siblings.reserve_exact(1);
        }
        siblings.push(id);
        id
    }

    /// The line of play from the root to this node, both included.
    pub fn path(&self, id: NodeId) -> Vec<NodeId> {
        let mut path = vec![id];
        while let Some(parent) = self.node(path[path.len() - 1]).parent {
            path.push(parent);
        }
        path.reverse();
        path
    }

    /// The last node of the main line: first children from the root on.
    pub fn main_end(&self) -> NodeId {
        let mut at = Self::ROOT;
        while let Some(&child) = self.node(at).children.first() {
            at = child;
        }
        at
    }

    /// The cells of the main line in order of play, without passes.
    pub fn main_moves(&self) -> Vec<Cell> {
        let line = self.path(self.main_end()).into_iter();
        line.filter_map(|id| match self.node(id).action {
            Action::Place(stone) => Some(stone.cell),
            _ => None,
        })
        .collect()
    }

    /// A record of the main line alone, with its notes.
    pub fn main_line(&self) -> Self {
        let mut line = Self::new(self.start.clone());
        line.info = self.info.clone();
        let mut at = Self::ROOT;
        for id in self.path(self.main_end()) {
            let node = self.node(id);
            if id == Self::ROOT {
                line.nodes[0].action = node.action;
            } else {
                at = line.add(at, node.action);
            }
            line.nodes[at.0].notes.clone_from(&node.notes);
        }
        line
    }

    /// The position after this node, if the line of play to it is legal.
    ///
    /// A turn is a set of stones. When its first stones already win, the others may be there too
    /// (as [`Position::play`] has it) and are left out of the position.
    pub fn position(&self, id: NodeId) -> Result<Position, RecordError> {
        let mut position = Position::from_setup(&self.start)?;
        let mut number = 0;
        let mut surplus = 0;
        for id in self.path(id) {
            match self.node(id).action {
                Action::Place(stone) => {
                    number += 1;
                    let in_turn = stone.side == position.to_move();
                    if !in_turn && position.outcome().is_none() {
                        return Err(RecordError::WrongSide {
                            number,
                            side: stone.side,
                        });
                    }
                    let placed = if in_turn {
                        place_or_leave_out(&mut position, &mut surplus, stone.cell)
                    } else {
                        position.place(stone.cell)
                    };
                    placed.map_err(|error| RecordError::Place { number, error })?;
                }
                Action::Pass(side) if side == position.to_move() => position.pass(),
                Action::Pass(side) => {
                    return Err(RecordError::WrongSide {
                        number: number + 1,
                        side,
                    });
                }
                Action::Nothing => {}
            }
        }
        Ok(position)
    }
}

/// Places a stone, or leaves it out when stones of the same turn have already won: `surplus` counts
/// those. A turn is a set of stones, so such a stone may be there (see [`Position::play`]).
pub(crate) fn place_or_leave_out(
    position: &mut Position,
    surplus: &mut u8,
    cell: Cell,
) -> Result<(), PlaceError> {
    let placed = position.place(cell);
    if matches!(placed, Err(PlaceError::GameOver { .. })) {
        let free = position.rules().contains(cell) && position.stone(cell).is_none();
        if free && *surplus < position.left() {
            *surplus += 1;
            return Ok(());
        }
    }
    placed
}

impl PartialEq for Record {
    fn eq(&self, other: &Self) -> bool {
        if self.start != other.start || self.info != other.info || self.len() != other.len() {
            return false;
        }
        // Not recursive: records may be a million nodes deep.
        let mut pending = vec![(Self::ROOT, Self::ROOT)];
        while let Some((mine, theirs)) = pending.pop() {
            let (mine, theirs) = (self.node(mine), other.node(theirs));
            if mine.action != theirs.action
                || mine.notes() != theirs.notes()
                || mine.children.len() != theirs.children.len()
            {
                return false;
            }
            pending.extend(
                mine.children
                    .iter()
                    .copied()
                    .zip(theirs.children.iter().copied()),
            );
        }
        true
    }
}

impl Eq for Record {}
