//! The endless boards of Theorem 2: B_N(L) and B_Z(L), strips of L rows.
//!
//! A strip is cut into zones of L x L cells. Both boards have all diagonals of L cells from the lower left to the
//! upper right. B_N(L) has all columns; B_Z(L) has the columns of even zones and the rows of odd ones. Strips
//! of B_Z(L) and of its mirror image, one above the other, fill the plane.
//!
//! Here are finite pieces of them. That White draws on every piece does not by itself prove that it draws on
//! the strip: nothing bounds the piece that Black may need.

use crate::board::{Board, BoardError, Point};
use crate::tiling::DIRECTIONS;

/// Columns 0 to `columns - 1` of B_N(L), with the lines that are wholly inside.
pub fn n_piece(length: i32, columns: i32) -> Result<Board, BoardError> {
    let upright = (0..columns).map(|x| (0..length).map(|y| (x, y)).collect());
    let lines = upright.chain(diagonals(length, columns)).collect();
    Board::new(cells(length, columns), lines)
}

/// The first `zones` zones of B_Z(L), with the lines that are wholly inside.
pub fn z_piece(length: i32, zones: i32) -> Result<Board, BoardError> {
    let mut lines = Vec::new();
    for zone in 0..zones {
        let from = zone * length;
        for index in 0..length {
            lines.push(match zone % 2 {
                0 => (0..length).map(|y| (from + index, y)).collect(),
                _ => (0..length).map(|x| (from + x, index)).collect(),
            });
        }
    }
    lines.extend(diagonals(length, zones * length));
    Board::new(cells(length, zones * length), lines)
}

fn cells(length: i32, columns: i32) -> Vec<Point> {
    (0..length)
        .flat_map(|y| (0..columns).map(move |x| (x, y)))
        .collect()
}

fn diagonals(length: i32, columns: i32) -> impl Iterator<Item = Vec<Point>> {
    (0..=columns - length).map(move |x| (0..length).map(|y| (x + y, y)).collect())
}

/// Section 4.1: the cell of B_N(L) that a cell of B_Z(L) is mapped to. In odd zones rows from the top and
/// columns are exchanged.
pub fn z_to_n(length: i32, (x, y): Point) -> Point {
    let (zone, column) = (x.div_euclid(length), x.rem_euclid(length));
    if zone % 2 == 0 {
        return (x, y);
    }
    let from_top = length - 1 - y;
    (zone * length + from_top, length - 1 - column)
}

/// Property 1, for one L: every `window` cells in a row contain a line when strips of B_Z(L) and of its mirror
/// image alternate.
pub fn strips_cover(length: i32, window: i32) -> bool {
    let period = 2 * length;
    (0..period).all(|x| {
        (0..period).all(|y| {
            DIRECTIONS.iter().all(|&(dx, dy)| {
                // A window contains a line if L of its cells in a row are one.
                (0..=window - length)
                    .any(|step| is_line(length, (x + step * dx, y + step * dy), (dx, dy)))
            })
        })
    })
}

/// Whether the L cells from here are a line of the strip that holds them.
fn is_line(length: i32, (x, y): Point, direction: Point) -> bool {
    let mirrored = y.div_euclid(length).rem_euclid(2) == 1;
    let row = y.rem_euclid(length);
    // The mirror image exchanges the two zones of a period, and the two diagonals.
    let zone = x.div_euclid(length).rem_euclid(2) == i32::from(!mirrored);
    match direction {
        (1, 0) => zone && x.rem_euclid(length) == 0,
        (0, 1) => !zone && row == 0,
        (1, 1) => !mirrored && row == 0,
        _ => mirrored && row == length - 1,
    }
}
