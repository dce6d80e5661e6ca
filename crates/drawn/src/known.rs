//! Tilings that are known to prove something, each with what it proves.

use crate::board::{Board, Point};
use crate::tiling::{Image, Tile, Tiling};

/// A tiling and the statement that it proves.
#[derive(Debug, Clone)]
pub struct Known {
    /// k
    pub line: usize,
    /// p
    pub per_turn: usize,
    /// Whose it is.
    pub source: &'static str,
    /// The tiling.
    pub tiling: Tiling,
}

/// A slanted tile: `height` rows of `width` cells, each one step to the right of the row below; lines are
/// all rows, the columns `columns` from row `column_row` and all diagonals from row `diagonal_row`,
/// both of `length` cells. Bands of the tile and of its mirror image alternate.
#[derive(Debug, Clone, Copy)]
pub struct Slanted {
    /// Cells of a row.
    pub width: i32,
    /// Rows.
    pub height: i32,
    /// Cells of a column and of a diagonal.
    pub length: i32,
    /// The first column that is a line; half of the width are.
    pub first_column: i32,
    /// The first row of the columns.
    pub column_row: i32,
    /// The first row of the diagonals.
    pub diagonal_row: i32,
}

impl Slanted {
    /// The tiling; windows of `2 height + length - 1` cells contain a line.
    pub fn tiling(self) -> Tiling {
        let Self {
            width,
            height,
            length,
            ..
        } = self;
        let rows = 0..height;
        let cells: Vec<Point> = rows
            .clone()
            .flat_map(|y| (0..width).map(move |j| (y + j, y)))
            .collect();
        let mut lines: Vec<Vec<Point>> = rows
            .map(|y| (0..width).map(|j| (y + j, y)).collect())
            .collect();
        let up = |from: i32| from..from + length;
        for x in self.first_column..self.first_column + width / 2 {
            lines.push(up(self.column_row).map(|y| (x, y)).collect());
        }
        for j in 0..width {
            lines.push(up(self.diagonal_row).map(|y| (j + y, y)).collect());
        }
        let board = Board::new(cells, lines).expect("the parameters are those of a board");
        Tiling {
            lattice: [(width, 0), (0, 2 * height)],
            tiles: vec![Tile {
                board,
                images: vec![Image::moved(0, 0), Image::mirrored(width - 1, height)],
            }],
        }
    }
}

/// Those that are solved in seconds. Connect(15,3) takes minutes, see [`fifteen_three`].
pub fn all() -> Vec<Known> {
    vec![eight_one(), theorem_1(), sixteen_three()]
}

/// Certificates that are kept, with k and p. Whoever wants to rely on one has it checked.
pub fn certificates() -> Vec<((usize, usize), &'static str)> {
    vec![
        (
            (8, 1),
            include_str!("../../../suites/drawn/connect-8-1.draw"),
        ),
        (
            (11, 2),
            include_str!("../../../suites/drawn/connect-11-2.draw"),
        ),
        (
            (16, 3),
            include_str!("../../../suites/drawn/connect-16-3.draw"),
        ),
    ]
}

/// The tiling for a claim.
pub fn find(line: usize, per_turn: usize) -> Option<Known> {
    all()
        .into_iter()
        .chain([fifteen_three()])
        .find(|known| (known.line, known.per_turn) == (line, per_turn))
}

/// Eight in a row (Zetters 1980): a tile of 12 cells. `tengen drawn search 8 1 --cells 12` found it.
pub fn eight_one() -> Known {
    let board = "\
cells 1,0 3,0 4,0 6,0 2,1 3,1 4,1 5,1 2,2 3,2 4,2 5,2
line 3,0 4,0
line 1,0 2,1 3,2
line 3,0 3,1 3,2
line 3,0 4,1 5,2
line 4,0 4,1 4,2
line 2,2 3,1 4,0
line 4,2 5,1 6,0
line 2,1 3,1 4,1 5,1
line 2,2 3,2 4,2 5,2";
    Known {
        line: 8,
        per_turn: 1,
        source: "Zetters 1980; this tile was found by `tengen drawn search`",
        tiling: Tiling {
            lattice: [(4, 0), (2, 3)],
            tiles: vec![Tile {
                board: board.parse().expect("the text is a board"),
                images: vec![Image::moved(0, 0)],
            }],
        },
    }
}

/// Theorem 1 of the paper: the board B_2 of 24 cells.
pub fn theorem_1() -> Known {
    let slanted = Slanted {
        width: 6,
        height: 4,
        length: 4,
        first_column: 3,
        column_row: 0,
        diagonal_row: 0,
    };
    Known {
        line: 11,
        per_turn: 2,
        source: "Chiang, Wu, Lin 2011, Theorem 1",
        tiling: slanted.tiling(),
    }
}

/// Connect(16,3), where the paper has 17: a tile of 48 cells.
pub fn sixteen_three() -> Known {
    let slanted = Slanted {
        width: 8,
        height: 6,
        length: 5,
        first_column: 4,
        column_row: 0,
        diagonal_row: 1,
    };
    Known {
        line: 16,
        per_turn: 3,
        source: "this project",
        tiling: slanted.tiling(),
    }
}

/// Connect(15,3): two boards, one above the other. `tengen drawn search 15 3 --cells 88 --symmetry bands --shortest 5` found them.
pub fn fifteen_three() -> Known {
    let tile = |text: &str| Tile {
        board: text.parse().expect("the text is a board"),
        images: vec![Image::moved(0, 0)],
    };
    Known {
        line: 15,
        per_turn: 3,
        source: "this project",
        tiling: Tiling {
            lattice: [(8, 0), (0, 11)],
            tiles: vec![
                tile(include_str!("../../../suites/drawn/tile-15-3-lower.txt")),
                tile(include_str!("../../../suites/drawn/tile-15-3-upper.txt")),
            ],
        },
    }
}
