//! How copies of a tile may lie: lattices and images, and the box in which the tile's cells are looked for.

use crate::board::{Board, Point};
use crate::tiling::{Image, Tile};

use super::{Request, Symmetry};

/// A lattice, the images in one period, and the box for the tile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Two vectors.
    pub lattice: [Point; 2],
    /// The identity first.
    pub images: Vec<Image>,
    /// Columns and rows of the box from 0,0.
    pub size: Point,
    /// Boards that are fixed from the start, if they are: lines are in one of them. Otherwise one board is looked for.
    pub boards: Vec<Vec<Point>>,
}

impl Frame {
    /// All frames for a request.
    pub fn all(request: &Request) -> Vec<Self> {
        let copies = match request.symmetry {
            Symmetry::Rotated => 2,
            Symmetry::Translations | Symmetry::Mirrored | Symmetry::Bands => 1,
        };
        let area = copies * request.cells;
        let heights = (1..=area).filter(|height| area % height == 0);
        heights
            .flat_map(|height| {
                let width = area / height;
                match request.symmetry {
                    Symmetry::Translations => Self::translations(width, height),
                    Symmetry::Mirrored => Self::mirrored(width, height),
                    Symmetry::Rotated => Self::rotated(width, height),
                    Symmetry::Bands => Self::bands(width, height),
                }
            })
            .collect()
    }

    fn translations(width: i32, height: i32) -> Vec<Self> {
        // Up to mirror images, a band may be shifted by at most half of its width.
        let frame = |shift| Self {
            lattice: [(width, 0), (shift, height)],
            images: vec![Image::moved(0, 0)],
            size: (width + height, 2 * height),
            boards: Vec::new(),
        };
        (0..=width / 2).map(frame).collect()
    }

    fn mirrored(width: i32, height: i32) -> Vec<Self> {
        // A glide: mirror left and right, and go up one band. Where the mirror stands matters by its parity only.
        let frame = |mirror| Self {
            lattice: [(width, 0), (0, 2 * height)],
            images: vec![
                Image::moved(0, 0),
                Image::mirrored(width - 1 + mirror, height),
            ],
            size: (width + height - 1, height),
            boards: Vec::new(),
        };
        (0..if width % 2 == 0 { 2 } else { 1 }).map(frame).collect()
    }

    fn rotated(width: i32, height: i32) -> Vec<Self> {
        let mut frames = Vec::new();
        for shift in 0..=width / 2 {
            // Where the centre is matters by parities only.
            for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                frames.push(Self {
                    lattice: [(width, 0), (shift, height)],
                    images: vec![
                        Image::moved(0, 0),
                        Image {
                            symmetry: [-1, 0, 0, -1],
                            shift: (width - 1 + x, height - 1 + y),
                        },
                    ],
                    size: (width, height),
                    boards: Vec::new(),
                });
            }
        }
        frames
    }

    fn bands(width: i32, height: i32) -> Vec<Self> {
        let upper = height / 2;
        let lower = height - upper;
        // The upper band begins so many columns to the right of the lower one.
        let frame = |shift| {
            let row = |from: i32, y: i32| (0..width).map(move |x| (from + x, y));
            let right = (0..lower).flat_map(|y| row(y, y)).collect();
            let left = (0..upper)
                .flat_map(|y| row(shift + upper - 1 - y, lower + y))
                .collect();
            Self {
                lattice: [(width, 0), (0, height)],
                images: vec![Image::moved(0, 0)],
                size: (2 * width + lower, height),
                boards: vec![right, left],
            }
        };
        // A band has rows.
        (0..if upper > 0 { width } else { 0 }).map(frame).collect()
    }

    /// Whether all cells of a line may be in one board.
    pub(super) fn holds(&self, line: &[Point]) -> bool {
        let inside =
            |&(x, y): &Point| (0..self.size.0).contains(&x) && (0..self.size.1).contains(&y);
        match self.boards.as_slice() {
            [] => line.iter().all(inside),
            boards => boards
                .iter()
                .any(|board| line.iter().all(|cell| board.contains(cell))),
        }
    }

    /// The boards with their lines; `None` if one has too many of them.
    pub(super) fn tiles(&self, cells: &[Point], lines: &[Vec<Point>]) -> Option<Vec<Tile>> {
        let whole = [cells.to_vec()];
        let boards = if self.boards.is_empty() {
            &whole
        } else {
            self.boards.as_slice()
        };
        let tile = |cells: &Vec<Point>| {
            let own = lines
                .iter()
                .filter(|line| cells.contains(&line[0]))
                .cloned()
                .collect();
            Some(Tile {
                board: Board::new(cells.clone(), own).ok()?,
                images: self.images.clone(),
            })
        };
        boards.iter().map(tile).collect()
    }

    /// A name that is the same in every run.
    pub fn name(&self) -> String {
        let [a, b] = self.lattice;
        let shifts: Vec<String> = self
            .images
            .iter()
            .map(|image| {
                let sign = match image.symmetry {
                    [1, _, _, _] => "moved",
                    [_, _, _, 1] => "mirrored",
                    _ => "turned",
                };
                format!("{sign} {},{}", image.shift.0, image.shift.1)
            })
            .collect();
        let (columns, rows) = self.size;
        let mut shifts = shifts.join(" ");
        for board in &self.boards {
            let (x, y) = board[0];
            shifts += &format!(" band {x},{y}");
        }
        format!(
            "lattice {},{} {},{} {shifts} box {columns}x{rows}",
            a.0, a.1, b.0, b.1
        )
    }

    pub(super) fn box_cells(&self) -> Vec<Point> {
        if !self.boards.is_empty() {
            return self.boards.concat();
        }
        (0..self.size.1)
            .flat_map(|y| (0..self.size.0).map(move |x| (x, y)))
            .collect()
    }

    /// Cells in a period.
    pub(super) fn area(&self) -> usize {
        let [a, b] = self.lattice;
        (a.0 * b.1 - a.1 * b.0).unsigned_abs() as usize
    }

    /// The representative of a cell modulo the lattice.
    pub(super) fn translate(&self, (x, y): Point) -> Point {
        let [(width, _), (shift, height)] = self.lattice;
        let bands = y.div_euclid(height);
        ((x - bands * shift).rem_euclid(width), y - bands * height)
    }

    /// The representative of a cell modulo lattice and images: cells of one class are in the same place of different copies.
    pub(super) fn class(&self, cell: Point) -> Point {
        let images = self
            .images
            .iter()
            .map(|image| self.translate(image.of(cell)));
        images.min().expect("the identity is an image")
    }
}
