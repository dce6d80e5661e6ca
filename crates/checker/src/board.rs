//! A naive board: a rectangle of cells and, for every window, how many stones of each player it
//! holds.
//!
//! A finite board is its own rectangle. Of an infinite one we keep the rectangle around all cells
//! that the proof names, grown by k on every side: a window that leaves it holds no stone.

use crate::text::{Cell, Region, Rules};

/// The two players, as the proof sees them.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Player {
    Attacker,
    Defender,
}

impl Player {
    fn other(self) -> Self {
        match self {
            Self::Attacker => Self::Defender,
            Self::Defender => Self::Attacker,
        }
    }
}

/// Rows, columns and both diagonals.
const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// The widest rectangle that is kept of an infinite board.
pub(crate) const MOST_SIDE: i32 = 255;

/// Stones on a rectangle of cells. Cells are numbered row by row.
///
/// A window is named by its direction and first cell: number `direction * cells + first`.
pub(crate) struct Board {
    corner: Cell,
    width: i32,
    height: i32,
    pub(crate) infinite: bool,
    line: usize,
    exact: bool,
    stones: Vec<Option<Player>>,
    /// Whether this number names a window that wins for the attacker, for the defender: k cells in
    /// this direction fit, for the attacker into the region if there is one.
    wins: [Vec<bool>; 2],
    /// Stones of the attacker and of the defender in each window.
    counts: [Vec<u8>; 2],
    /// All stones in the order in which they were placed.
    placed: Vec<(usize, Player)>,
}

impl Board {
    /// The empty board with room for all `named` cells; `None` if they lie too far apart.
    pub(crate) fn new(rules: &Rules, named: impl Iterator<Item = Cell>) -> Option<Self> {
        let k = rules.line as i32;
        let (corner, width, height) = match rules.size {
            Some((width, height)) => ((0, 0), width, height),
            None => {
                let (mut low, mut high) = ((i32::MAX, i32::MAX), (i32::MIN, i32::MIN));
                for (x, y) in named {
                    low = (low.0.min(x), low.1.min(y));
                    high = (high.0.max(x), high.1.max(y));
                }
                if low.0 > high.0 {
                    (low, high) = ((0, 0), (0, 0));
                }
                let corner = (low.0 - k, low.1 - k);
                (corner, high.0 + k + 1 - corner.0, high.1 + k + 1 - corner.1)
            }
        };
        if width > MOST_SIDE || height > MOST_SIDE {
            return None;
        }
        let cells = (width * height) as usize;
        let mut board = Self {
            corner,
            width,
            height,
            infinite: rules.size.is_none(),
            line: rules.line,
            exact: rules.exact,
            stones: vec![None; cells],
            wins: [vec![false; 4 * cells], vec![false; 4 * cells]],
            counts: [vec![0; 4 * cells], vec![0; 4 * cells]],
            placed: Vec::new(),
        };
        for window in 0..4 * cells {
            let fits = board.along(window, k - 1).is_some();
            board.wins.iter_mut().for_each(|wins| wins[window] = fits);
        }
        Some(board)
    }

    /// Only windows inside the region win for the attacker from now on.
    pub(crate) fn confine_attacker(&mut self, region: Region) {
        for window in 0..4 * self.cells() {
            let ends = [0, self.line as i32 - 1].map(|steps| self.along(window, steps));
            let inside =
                |end: Option<usize>| end.is_some_and(|end| region.contains(self.cell(end)));
            let inside = ends.into_iter().all(inside);
            self.wins[Player::Attacker as usize][window] &= inside;
        }
    }

    /// How many cells the rectangle has.
    pub(crate) fn cells(&self) -> usize {
        self.stones.len()
    }

    /// The number of a cell, `None` if it is outside the rectangle.
    pub(crate) fn index(&self, (x, y): Cell) -> Option<usize> {
        let (column, row) = (x - self.corner.0, y - self.corner.1);
        let inside = (0..self.width).contains(&column) && (0..self.height).contains(&row);
        inside.then(|| (row * self.width + column) as usize)
    }

    /// The numbers of cells that are in the rectangle.
    pub(crate) fn indices(&self, cells: &[Cell]) -> Vec<usize> {
        let index = |&cell| self.index(cell).expect("the board holds all named cells");
        cells.iter().map(index).collect()
    }

    /// The cell with this number.
    pub(crate) fn cell(&self, index: usize) -> Cell {
        let (column, row) = (index as i32 % self.width, index as i32 / self.width);
        (column + self.corner.0, row + self.corner.1)
    }

    pub(crate) fn is_empty(&self, cell: usize) -> bool {
        self.stones[cell].is_none()
    }

    /// How many cells of the rectangle are empty.
    pub(crate) fn empty_cells(&self) -> usize {
        self.cells() - self.placed.len()
    }

    /// All stones in the order in which they were placed.
    pub(crate) fn placed(&self) -> &[(usize, Player)] {
        &self.placed
    }

    /// Places a stone on an empty cell.
    pub(crate) fn place(&mut self, cell: usize, player: Player) {
        debug_assert!(self.is_empty(cell));
        self.stones[cell] = Some(player);
        self.placed.push((cell, player));
        self.count(cell, player, |count| *count += 1);
    }

    /// Takes back the last `number` stones.
    pub(crate) fn take_back(&mut self, number: usize) {
        for _ in 0..number {
            let (cell, player) = self
                .placed
                .pop()
                .expect("only placed stones are taken back");
            self.stones[cell] = None;
            self.count(cell, player, |count| *count -= 1);
        }
    }

    /// Changes the counts of all windows through `cell`.
    fn count(&mut self, cell: usize, player: Player, change: impl Fn(&mut u8)) {
        for direction in 0..4 {
            for back in 0..self.line as i32 {
                let here = direction * self.cells() + cell;
                let Some(first) = self.along(here, -back) else {
                    break;
                };
                let window = direction * self.cells() + first;
                // The attacker's stones break the defender's windows everywhere.
                if self.wins[Player::Defender as usize][window] {
                    change(&mut self.counts[player as usize][window]);
                }
            }
        }
    }

    /// The cell `steps` after the first cell of `window`, if it is in the rectangle.
    fn along(&self, window: usize, steps: i32) -> Option<usize> {
        let (dx, dy) = DIRECTIONS[window / self.cells()];
        let (x, y) = self.cell(window % self.cells());
        self.index((x + steps * dx, y + steps * dy))
    }

    /// The cells of a window.
    pub(crate) fn window_cells(&self, window: usize) -> impl Iterator<Item = usize> {
        let (dx, dy) = DIRECTIONS[window / self.cells()];
        let step = (dy * self.width + dx) as isize;
        let first = window % self.cells();
        (0..self.line).map(move |i| first.wrapping_add_signed(step * i as isize))
    }

    /// The empty cells of a window.
    pub(crate) fn empties(&self, window: usize) -> impl Iterator<Item = usize> {
        self.window_cells(window)
            .filter(|&cell| self.is_empty(cell))
    }

    /// All windows that are open for `player` and have at least `stones` of its stones, and how
    /// many empty cells each has.
    ///
    /// When overlines do not win, the cells before and behind an open window are not the player's.
    pub(crate) fn open_windows(
        &self,
        player: Player,
        stones: usize,
    ) -> impl Iterator<Item = (usize, usize)> {
        let wins = &self.wins[player as usize];
        let own = &self.counts[player as usize];
        let others = &self.counts[player.other() as usize];
        (0..own.len())
            .filter(move |&window| {
                own[window] as usize >= stones && others[window] == 0 && wins[window]
            })
            .filter(move |&window| !self.exact || !self.is_flanked(window, player))
            .map(move |window| (window, self.line - own[window] as usize))
    }

    /// Whether the cell before or behind the window holds a stone of `player`.
    fn is_flanked(&self, window: usize, player: Player) -> bool {
        [-1, self.line as i32].into_iter().any(|steps| {
            self.along(window, steps)
                .is_some_and(|cell| self.stones[cell] == Some(player))
        })
    }

    /// A window that `player` can complete with at most `stones` stones, or has completed.
    pub(crate) fn completable(&self, player: Player, stones: usize) -> Option<usize> {
        let least = self.line.saturating_sub(stones);
        self.open_windows(player, least)
            .next()
            .map(|(window, _)| window)
    }

    /// Whether `player` has a line.
    pub(crate) fn has_line(&self, player: Player) -> bool {
        self.completable(player, 0).is_some()
    }

    /// Cells in words, for messages.
    pub(crate) fn names(&self, cells: impl IntoIterator<Item = usize>) -> String {
        let cells: Vec<Cell> = cells.into_iter().map(|cell| self.cell(cell)).collect();
        crate::tokens::cell_names(&cells)
    }
}
