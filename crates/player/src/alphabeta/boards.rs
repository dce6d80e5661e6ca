//! The two boards of the search: exact threats and the evaluation's patterns, always with the same stones.

use smallvec::SmallVec;
use tengen_evaluation::PatternBoard;
use tengen_rules::{Key, Position, Rules, Side, Turn, turn_key};
use tengen_threats::{Index, LineBoard, SmallDefences};

use crate::Score;

/// The stones of a turn.
pub(crate) type Cells = SmallVec<[Index; 4]>;

/// Stones with everything the search wants to know about them.
#[derive(Debug, Clone)]
pub(crate) struct Boards {
    pub(crate) lines: LineBoard,
    pub(crate) patterns: PatternBoard,
    small: SmallDefences,
}

/// What the opponent's threats demand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Demand {
    /// Nothing.
    Nothing,
    /// One of these sets of stones, all of them minimal.
    Defences(Vec<Cells>),
    /// More than can be done.
    TooMuch,
}

impl Boards {
    pub(crate) fn new(position: &Position) -> Self {
        Self {
            lines: LineBoard::from_position(position),
            patterns: PatternBoard::from_position(position),
            small: SmallDefences::default(),
        }
    }

    pub(crate) fn rules(&self) -> Rules {
        self.lines.rules()
    }

    /// What the position looks like to a side that is to move; no opinion is as good as a win.
    pub(crate) fn opinion(&self, side: Side) -> i32 {
        let most = Score::WIN_IN_SIGHT.0 - 1;
        self.patterns.evaluate(side).clamp(-most, most)
    }

    /// Places a stone; `true` when it completes a line.
    pub(crate) fn place(&mut self, side: Side, cell: Index) -> bool {
        self.patterns.place(side, cell);
        self.lines.place(side, cell)
    }

    /// Takes back the last stone.
    pub(crate) fn undo(&mut self) {
        self.patterns.undo();
        self.lines.undo();
    }

    /// Places all stones of a turn; `true` when they complete a line.
    pub(crate) fn play(&mut self, side: Side, turn: &[Index]) -> bool {
        let mut complete = false;
        for &cell in turn {
            complete |= self.place(side, cell);
        }
        complete
    }

    pub(crate) fn take_back(&mut self, turn: &[Index]) {
        for _ in turn {
            self.undo();
        }
    }

    /// The key of the position with `side` to place `stones` stones.
    pub(crate) fn key(&self, side: Side, stones: u8) -> Key {
        self.lines.stones_key() ^ turn_key(side, stones)
    }

    /// Cells of some line that `side` can complete with so many stones.
    pub(crate) fn winning_turn(&self, side: Side, stones: u8) -> Option<Cells> {
        if !self.lines.has_threat(side) {
            return None;
        }
        let set = self.lines.winning_set(side, stones)?;
        Some(Cells::from_vec(set))
    }

    /// What `side`, with so many stones to place, must do about the opponent's threats.
    pub(crate) fn demand(&mut self, side: Side, stones: u8) -> Demand {
        if !self.lines.has_threat(!side) {
            return Demand::Nothing;
        }
        let fits = |set: &Cells| set.len() <= usize::from(stones);
        let sets: Vec<Cells> = if self.rules().per_turn() <= 2 {
            self.lines.small_defences(!side, &mut self.small);
            let singles = self
                .small
                .singles
                .iter()
                .map(|&cell| Cells::from_slice(&[cell]));
            let pairs = self.small.pairs.iter().map(|pair| Cells::from_slice(pair));
            singles.chain(pairs).filter(fits).collect()
        } else {
            let sets = self.lines.critical_sets(!side).into_iter();
            sets.map(Cells::from_vec).filter(fits).collect()
        };
        if sets.is_empty() {
            Demand::TooMuch
        } else {
            Demand::Defences(sets)
        }
    }

    /// How many cells are free.
    pub(crate) fn free_cells(&self) -> usize {
        self.lines.grid().len() - self.lines.count()
    }

    pub(crate) fn turn(&self, cells: &[Index]) -> Turn {
        cells.iter().map(|&cell| self.lines.cell(cell)).collect()
    }

    /// The stones of a turn; `None` if one is off the grid.
    pub(crate) fn cells(&self, turn: &Turn) -> Option<Cells> {
        turn.cells()
            .iter()
            .map(|&cell| self.lines.index(cell))
            .collect()
    }
}
