//! Stones by role: what the attacker and the defender have, whatever their colours.
//!
//! A puzzle is about roles. Removing stones, comparing shapes and searching are all done on this; a [`Setup`]
//! with colours comes back at the end.

use tengen_rules::{Cell, Grid, Position, Rules, Setup, Side};
use tengen_threats::{Index, LineBoard};

use crate::attack::{Attack, Memory};

/// The stones of a position with the attacker to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stand {
    /// The game.
    pub rules: Rules,
    /// The attacker's colour.
    pub attacker: Side,
    /// His stones, sorted.
    pub own: Vec<Cell>,
    /// The defender's, sorted.
    pub other: Vec<Cell>,
}

impl Stand {
    /// The stones of a position; the side to move attacks.
    pub fn of(position: &Position) -> Self {
        let attacker = position.to_move();
        let stones = |side: Side| {
            let stones = position.stones().filter(move |stone| stone.side == side);
            let mut cells: Vec<Cell> = stones.map(|stone| stone.cell).collect();
            cells.sort_unstable();
            cells
        };
        Self {
            rules: position.rules(),
            attacker,
            own: stones(attacker),
            other: stones(!attacker),
        }
    }

    /// The same stones with this side to move, whatever the numbers are.
    pub fn attacked_by(self, side: Side) -> Self {
        if side == self.attacker {
            return self;
        }
        Self {
            rules: self.rules,
            attacker: side,
            own: self.other,
            other: self.own,
        }
    }

    /// With colours, the attacker to move.
    pub fn to_setup(&self) -> Setup {
        let mut setup = Setup {
            to_move: self.attacker,
            ..Setup::empty(self.rules)
        };
        setup.stones_of_mut(self.attacker).clone_from(&self.own);
        setup.stones_of_mut(!self.attacker).clone_from(&self.other);
        setup
    }

    /// Whether a game could have come here: the numbers of stones are those before a turn of the attacker.
    pub fn is_legal_count(&self) -> bool {
        let (black, white) = match self.attacker {
            Side::Black => (self.own.len(), self.other.len()),
            Side::White => (self.other.len(), self.own.len()),
        };
        let (first, each) = (
            usize::from(self.rules.first_turn()),
            usize::from(self.rules.per_turn()),
        );
        let turns = |stones: usize| stones.is_multiple_of(each).then_some(stones / each);
        match self.attacker {
            // Black has made his first turn and some others, White one more than these others.
            Side::Black => match (black.checked_sub(first).and_then(turns), turns(white)) {
                (Some(black), Some(white)) => white == black + 1,
                (None, Some(0)) => black == 0,
                _ => false,
            },
            Side::White => match (black.checked_sub(first).and_then(turns), turns(white)) {
                (Some(black), Some(white)) => white == black,
                _ => false,
            },
        }
    }
}

/// Searches on many positions of one game: the tables are made once.
#[derive(Debug)]
pub struct Workshop {
    empty: LineBoard,
    memory: Memory,
}

/// Entries of the search's table, as a power of two.
const TABLE_BITS: u32 = 18;

impl Workshop {
    /// For this game, which must be one that [`suits`](crate::suits).
    pub fn new(rules: Rules) -> Self {
        let grid = Grid::around(rules, []).expect("an empty board has a grid");
        Self {
            empty: LineBoard::new(rules, grid),
            memory: Memory::new(TABLE_BITS),
        }
    }

    /// The number of a cell.
    pub fn index(&self, cell: Cell) -> Index {
        self.empty.index(cell).expect("stones lie on the board")
    }

    /// The cell with this number.
    pub fn cell(&self, index: Index) -> Cell {
        self.empty.cell(index)
    }

    /// A search for wins of the attacker with so many nodes.
    pub fn attack(&mut self, stand: &Stand, nodes: u64) -> Attack<'_> {
        let mut board = self.empty.clone();
        for (side, cells) in [
            (stand.attacker, &stand.own),
            (!stand.attacker, &stand.other),
        ] {
            for &cell in cells {
                let index = board.index(cell).expect("stones lie on the board");
                board.place(side, index);
            }
        }
        Attack::on(board, stand.attacker, &mut self.memory, nodes)
    }
}
