//! Tilings of the plane by copies of boards, and which windows contain a line.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::board::{Board, Point};
use crate::strategy::Strategy;

/// Cells of a board in a certificate.
pub const LETTERS: &str =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!$%&()*+,./:;<=>?@[]^_{|}~";

/// The directions of lines: to the right, up, and the two diagonals.
pub const DIRECTIONS: [Point; 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// A copy of a board: (x,y) goes to (a x + b y, c x + d y) + shift.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Image {
    /// a, b, c, d: one of the eight symmetries of the square.
    pub symmetry: [i32; 4],
    /// Where (0,0) goes.
    pub shift: Point,
}

impl Image {
    /// A copy that is only moved.
    pub const fn moved(x: i32, y: i32) -> Self {
        Self {
            symmetry: [1, 0, 0, 1],
            shift: (x, y),
        }
    }

    /// A copy with left and right exchanged.
    pub const fn mirrored(x: i32, y: i32) -> Self {
        Self {
            symmetry: [-1, 0, 0, 1],
            shift: (x, y),
        }
    }

    /// Where a cell goes.
    pub fn of(&self, (x, y): Point) -> Point {
        let [a, b, c, d] = self.symmetry;
        (a * x + b * y + self.shift.0, c * x + d * y + self.shift.1)
    }
}

/// A board and where its copies lie in one period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tile {
    /// The board.
    pub board: Board,
    /// Its copies.
    pub images: Vec<Image>,
}

/// A periodic tiling of the plane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tiling {
    /// Two vectors by which everything repeats.
    pub lattice: [Point; 2],
    /// The boards.
    pub tiles: Vec<Tile>,
}

/// A cell of the plane as a cell of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    /// Which tile.
    pub tile: usize,
    /// Which of its images.
    pub image: usize,
    /// Which cell of the board.
    pub cell: usize,
    /// Which translation by the lattice.
    pub translation: (i32, i32),
}

/// What is wrong with a tiling.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TilingError {
    /// Vectors on one line.
    #[error("the two vectors of the lattice are on one line")]
    Flat,
    /// Not a tiling.
    #[error("the copies have {cells} cells and cover {covered} of {area} in a period")]
    NotFilled {
        /// Cells of all images.
        cells: usize,
        /// Different ones, modulo the lattice.
        covered: usize,
        /// Cells in a period.
        area: usize,
    },
    /// A window without a line.
    #[error("the {length} cells from {x},{y} in direction {dx},{dy} contain no line", x = start.0, y = start.1, dx = direction.0, dy = direction.1)]
    Window {
        /// k
        length: usize,
        /// Its first cell.
        start: Point,
        /// Its direction.
        direction: Point,
    },
}

/// A tiling with a table from cells of the plane to cells of copies.
#[derive(Debug, Clone)]
pub struct Plane {
    tiling: Tiling,
    area: i32,
    homes: HashMap<(i32, i32), (Place, Point)>,
}

impl Tiling {
    /// Checks that the copies fill the plane without overlap or gap.
    pub fn into_plane(self) -> Result<Plane, TilingError> {
        let [a, b] = self.lattice;
        let area = a.0 * b.1 - a.1 * b.0;
        if area == 0 {
            return Err(TilingError::Flat);
        }
        let mut plane = Plane {
            area,
            homes: HashMap::new(),
            tiling: self,
        };
        let mut cells = 0;
        for (t, tile) in plane.tiling.tiles.iter().enumerate() {
            for (i, image) in tile.images.iter().enumerate() {
                for (c, &cell) in tile.board.cells().iter().enumerate() {
                    cells += 1;
                    let (class, away) = split(&plane.tiling.lattice, area, image.of(cell));
                    let place = Place {
                        tile: t,
                        image: i,
                        cell: c,
                        translation: (0, 0),
                    };
                    plane.homes.insert(class, (place, away));
                }
            }
        }
        let (covered, area) = (plane.homes.len(), area.unsigned_abs() as usize);
        if covered != area || cells != area {
            return Err(TilingError::NotFilled {
                cells,
                covered,
                area,
            });
        }
        Ok(plane)
    }
}

/// The class of a point modulo a lattice, and how many vectors of it away.
fn split(&[a, b]: &[Point; 2], area: i32, (x, y): Point) -> ((i32, i32), Point) {
    let size = area.abs();
    let first = (x * b.1 - y * b.0) * area.signum();
    let second = (y * a.0 - x * a.1) * area.signum();
    (
        (first.rem_euclid(size), second.rem_euclid(size)),
        (first.div_euclid(size), second.div_euclid(size)),
    )
}

impl Plane {
    /// The tiling.
    pub fn tiling(&self) -> &Tiling {
        &self.tiling
    }

    /// The copy that a cell belongs to.
    pub fn place(&self, point: Point) -> Place {
        let (class, away) = split(&self.tiling.lattice, self.area, point);
        let (place, home) = self.homes[&class];
        Place {
            translation: (away.0 - home.0, away.1 - home.1),
            ..place
        }
    }

    /// The cell of the plane that a cell of a copy is.
    pub fn point(&self, place: Place) -> Point {
        let tile = &self.tiling.tiles[place.tile];
        let (x, y) = tile.images[place.image].of(tile.board.cells()[place.cell]);
        let [a, b] = self.tiling.lattice;
        let (s, t) = place.translation;
        (x + s * a.0 + t * b.0, y + s * a.1 + t * b.1)
    }

    /// Checks that every window of `length` cells contains a line.
    pub fn check_windows(&self, length: usize) -> Result<(), TilingError> {
        for tile in &self.tiling.tiles {
            for image in &tile.images {
                for &cell in tile.board.cells() {
                    for direction in DIRECTIONS {
                        let start = image.of(cell);
                        if !self.has_line(start, direction, length) {
                            return Err(TilingError::Window {
                                length,
                                start,
                                direction,
                            });
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// The least length of windows that all contain a line, if it is at most `most`.
    pub fn least_window(&self, most: usize) -> Option<usize> {
        (1..=most).find(|&length| self.check_windows(length).is_ok())
    }

    fn has_line(&self, start: Point, direction: Point, length: usize) -> bool {
        let places: Vec<Place> = (0..length as i32)
            .map(|step| self.place((start.0 + step * direction.0, start.1 + step * direction.1)))
            .collect();
        places.iter().any(|first| {
            let board = &self.tiling.tiles[first.tile].board;
            let mine = |place: &&Place| {
                (place.tile, place.image, place.translation)
                    == (first.tile, first.image, first.translation)
            };
            let met: Vec<Point> = places
                .iter()
                .filter(mine)
                .map(|place| board.cells()[place.cell])
                .collect();
            board
                .lines()
                .iter()
                .any(|line| line.iter().all(|cell| met.contains(cell)))
        })
    }
}

/// The text of a certificate: the claim, the tiling and a strategy for each tile.
pub fn certificate(
    line: usize,
    per_turn: usize,
    tiling: &Tiling,
    strategies: &[Strategy],
) -> String {
    let letters: Vec<char> = LETTERS.chars().collect();
    let [a, b] = tiling.lattice;
    let mut text = format!(
        "tengen-draw 1\nclaim {line} {per_turn}\nlattice {},{} {},{}\n",
        a.0, a.1, b.0, b.1
    );
    let done = |result: std::fmt::Result| result.expect("a string takes everything");
    for (tile, strategy) in tiling.tiles.iter().zip(strategies) {
        done(write!(text, "tile\n{}", tile.board));
        for image in &tile.images {
            let [a, b, c, d] = image.symmetry;
            let (x, y) = image.shift;
            done(writeln!(text, "image {a},{b},{c},{d} {x},{y}"));
        }
        done(writeln!(text, "answers {}", strategy.answers.len()));
        for answers in &strategy.answers {
            text.extend(
                answers
                    .iter()
                    .map(|cell| cell.map_or('-', |cell| letters[usize::from(cell)])),
            );
            text.push('\n');
        }
    }
    text.push_str("end\n");
    text
}
