//! Looks for tiles: a SAT solver chooses a tile and lines such that every window contains a line; the game solver says
//! whether White draws; if not, a least set of lines with which Black wins is forbidden, wherever it may
//! lie and however it is turned, and the SAT solver chooses again. Such sets hold for every lattice, so what is learnt on one
//! helps on all others.
//!
//! A frame that is *excluded* has no tile inside its box with lines of the lengths asked for. That is all that is said: other
//! boxes, lengths and symmetries may have one. The SAT solver's word is taken for it; nothing here is a proof.

mod frames;
mod nogoods;

use std::collections::HashMap;

use batsat::{BasicSolver, Lit, SolverInterface as _, Var, lbool};

use crate::board::{MOST_LINES, Point};
use crate::position::Position;
use crate::solver::Solver;
use crate::tiling::{DIRECTIONS, Tiling};

pub use frames::Frame;
pub use nogoods::NoGoods;

/// What is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// k
    pub line: usize,
    /// p
    pub per_turn: usize,
    /// Cells of the tile.
    pub cells: i32,
    /// How copies of the tile lie.
    pub symmetry: Symmetry,
    /// The fewest cells of a line.
    pub shortest: usize,
    /// The most cells of a line.
    pub longest: usize,
}

/// How copies of a tile lie, beside being moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Symmetry {
    /// Moved only.
    Translations,
    /// Bands of the tile and of its mirror image alternate.
    Mirrored,
    /// Every copy is also there turned by 180 degrees.
    Rotated,
    /// Two boards: bands of rows that go to the right by one cell each alternate with bands that go to the left; their heights may differ.
    Bands,
}

impl Symmetry {
    /// Its name in files and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Translations => "translations",
            Self::Mirrored => "mirrored",
            Self::Rotated => "rotated",
            Self::Bands => "bands",
        }
    }
}

/// What came of a frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// A tiling that should prove the claim; the checker decides.
    Found(Tiling),
    /// There is none in this box.
    Excluded,
    /// Some games were too large to be solved, all others are excluded.
    Undecided,
    /// Asked to stop.
    Stopped,
}

/// Straight cells in a row.
type Segment = Vec<Point>;

/// The most positions of one game.
const MOST_POSITIONS: u64 = 400_000;

/// Looks for a tile for this frame.
pub fn search_frame(
    request: &Request,
    frame: &Frame,
    nogoods: &mut NoGoods,
    mut stop: impl FnMut() -> bool,
) -> Outcome {
    let mut model = Model::new(request, frame);
    let Some(()) = model.require_windows(request.line) else {
        return Outcome::Excluded;
    };
    for lines in nogoods.iter() {
        model.forbid(lines);
    }
    let mut decided = true;
    let mut solver = Solver::new(request.per_turn);
    loop {
        if stop() {
            return Outcome::Stopped;
        }
        let Some((cells, lines)) = model.choose() else {
            return if decided {
                Outcome::Excluded
            } else {
                Outcome::Undecided
            };
        };
        let Some(tiles) = frame.tiles(&cells, &lines) else {
            // Too many cells or lines for a board: not this choice.
            model.forbid_exactly(&lines);
            decided = false;
            continue;
        };
        match black_wins(&lines, &mut solver) {
            Some(false) => {
                return Outcome::Found(Tiling {
                    lattice: frame.lattice,
                    tiles,
                });
            }
            Some(true) => {
                let least = least_set(lines, &mut solver);
                nogoods.add(&least);
                model.forbid(&least);
            }
            None => {
                model.forbid_exactly(&lines);
                decided = false;
            }
        }
    }
}

/// Whether Black wins with these lines; `None` if it takes too long.
fn black_wins(lines: &[Segment], solver: &mut Solver) -> Option<bool> {
    let mut cells: Vec<Point> = lines.concat();
    cells.sort_unstable();
    cells.dedup();
    let through = cells.iter().map(|cell| {
        let on = |(number, line): (usize, &Segment)| u64::from(line.contains(cell)) << number;
        lines.iter().enumerate().map(on).sum()
    });
    let position = Position::from_cells(through);
    solver.allow(MOST_POSITIONS);
    solver.is_drawn(&position).map(|drawn| !drawn)
}

/// A set of lines with which Black wins and none of which can be spared.
fn least_set(mut lines: Vec<Segment>, solver: &mut Solver) -> Vec<Segment> {
    // Long lines are of least use to Black.
    lines.sort_by_key(Vec::len);
    let mut index = lines.len();
    while index > 0 {
        index -= 1;
        let mut fewer = lines.clone();
        fewer.remove(index);
        if !fewer.is_empty() && black_wins(&fewer, solver) == Some(true) {
            lines = fewer;
        }
    }
    lines
}

/// The choice of a tile and its lines as a SAT problem.
struct Model<'f> {
    frame: &'f Frame,
    solver: BasicSolver,
    cells: HashMap<Point, Var>,
    segments: Vec<(Segment, Var)>,
    /// By first and last cell.
    places: HashMap<(Point, Point), usize>,
    /// For each window, the segments that an image of lies in.
    windows: Vec<Vec<usize>>,
}

impl<'f> Model<'f> {
    fn new(request: &Request, frame: &'f Frame) -> Self {
        let mut solver = BasicSolver::default();
        let box_cells = frame.box_cells();
        let cells: HashMap<Point, Var> = box_cells
            .iter()
            .map(|&cell| (cell, solver.new_var_default()))
            .collect();
        let mut model = Self {
            frame,
            solver,
            cells,
            segments: Vec::new(),
            places: HashMap::new(),
            windows: Vec::new(),
        };
        // Exactly one cell of each class is in the tile.
        let mut classes: HashMap<Point, Vec<Var>> = HashMap::new();
        for cell in &box_cells {
            classes
                .entry(frame.class(*cell))
                .or_default()
                .push(model.cells[cell]);
        }
        let mut classes: Vec<_> = classes.into_iter().collect();
        classes.sort_unstable_by_key(|(class, _)| *class);
        for (_, vars) in classes {
            model.clause(vars.iter().map(|&var| Lit::new(var, true)));
            for (i, &a) in vars.iter().enumerate() {
                for &b in &vars[..i] {
                    model.clause([Lit::new(a, false), Lit::new(b, false)]);
                }
            }
        }
        // A line needs its cells.
        for &(x, y) in &box_cells {
            for (dx, dy) in DIRECTIONS {
                for length in request.shortest..=request.longest {
                    let segment: Segment = (0..length as i32)
                        .map(|i| (x + i * dx, y + i * dy))
                        .collect();
                    let classes: std::collections::HashSet<Point> =
                        segment.iter().map(|&cell| frame.class(cell)).collect();
                    if classes.len() < length || !frame.holds(&segment) {
                        continue;
                    }
                    let var = model.solver.new_var_default();
                    for cell in &segment {
                        let cell = model.cells[cell];
                        model.clause([Lit::new(var, false), Lit::new(cell, true)]);
                    }
                    model.places.insert(ends(&segment), model.segments.len());
                    model.segments.push((segment, var));
                }
            }
        }
        model
    }

    fn clause(&mut self, literals: impl IntoIterator<Item = Lit>) {
        let mut clause: Vec<Lit> = literals.into_iter().collect();
        self.solver.add_clause_reuse(&mut clause);
    }

    /// Every window contains a line; `None` if some window cannot.
    fn require_windows(&mut self, length: usize) -> Option<()> {
        let mut windows: HashMap<(Point, Point), Vec<usize>> = HashMap::new();
        for (number, (segment, _)) in self.segments.iter().enumerate() {
            for image in &self.frame.images {
                let (first, last) = ends(&segment.iter().map(|&cell| image.of(cell)).collect());
                let step = ((last.0 - first.0).signum(), (last.1 - first.1).signum());
                // Windows that begin at `first` or up to so many steps before it.
                for before in 0..=(length - segment.len()) as i32 {
                    let start = (first.0 - before * step.0, first.1 - before * step.1);
                    let window = windows
                        .entry((self.frame.translate(start), step))
                        .or_default();
                    if window.last() != Some(&number) {
                        window.push(number);
                    }
                }
            }
        }
        if windows.len() != self.frame.area() * DIRECTIONS.len() {
            return None;
        }
        let mut windows: Vec<_> = windows.into_values().collect();
        windows.sort_unstable();
        windows.dedup();
        for window in &windows {
            let literals: Vec<Lit> = window
                .iter()
                .map(|&number| Lit::new(self.segments[number].1, true))
                .collect();
            self.clause(literals);
        }
        self.windows = windows;
        Some(())
    }

    /// Never all of these lines, wherever they lie in the box and however they are turned.
    fn forbid(&mut self, lines: &[Segment]) {
        for placed in nogoods::placements(lines, self.frame.size) {
            let numbers: Option<Vec<usize>> = placed
                .iter()
                .map(|segment| self.places.get(&ends(segment)).copied())
                .collect();
            if let Some(numbers) = numbers {
                let literals: Vec<Lit> = numbers
                    .iter()
                    .map(|&number| Lit::new(self.segments[number].1, false))
                    .collect();
                self.clause(literals);
            }
        }
    }

    fn forbid_exactly(&mut self, lines: &[Segment]) {
        let literals: Vec<Lit> = lines
            .iter()
            .filter_map(|line| self.places.get(&ends(line)))
            .map(|&number| Lit::new(self.segments[number].1, false))
            .collect();
        self.clause(literals);
    }

    /// A tile, and lines of which none can be spared.
    fn choose(&mut self) -> Option<(Vec<Point>, Vec<Segment>)> {
        if self.solver.solve_limited(&[]) != lbool::TRUE {
            return None;
        }
        let mut cells: Vec<Point> = self
            .cells
            .iter()
            .filter(|(_, var)| self.solver.value_var(**var) == lbool::TRUE)
            .map(|(cell, _)| *cell)
            .collect();
        cells.sort_unstable_by_key(|&(x, y)| (y, x));
        let mut chosen: Vec<usize> = (0..self.segments.len())
            .filter(|&number| self.solver.value_var(self.segments[number].1) == lbool::TRUE)
            .collect();
        // The shortest are the most dangerous: they go first if they can.
        chosen.sort_by_key(|&number| self.segments[number].0.len());
        let mut index = 0;
        while index < chosen.len() {
            let left = chosen[index];
            let needed = self.windows.iter().any(|window| {
                window.contains(&left)
                    && !window
                        .iter()
                        .any(|&other| other != left && chosen.contains(&other))
            });
            if needed {
                index += 1;
            } else {
                chosen.remove(index);
            }
        }
        let lines: Vec<Segment> = chosen
            .iter()
            .map(|&number| self.segments[number].0.clone())
            .collect();
        debug_assert!(lines.len() <= 4 * MOST_LINES, "a tile has few lines");
        Some((cells, lines))
    }
}

/// The ends of a segment, such that it points in one of the four directions.
fn ends(segment: &Segment) -> (Point, Point) {
    let (a, b) = (segment[0], segment[segment.len() - 1]);
    let step = ((b.0 - a.0).signum(), (b.1 - a.1).signum());
    if DIRECTIONS.contains(&step) {
        (a, b)
    } else {
        (b, a)
    }
}
