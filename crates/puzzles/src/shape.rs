//! When two puzzles are the same: under turning, mirroring, moving and exchanging the colours.
//!
//! The name is made of the attacker's necessary stones and the solution, not of the defender's stones and not
//! of stones that are there for the numbers: two puzzles that differ only in these are near-duplicates, and
//! the collection keeps the first. Walls are ignored: a puzzle in a corner and the same in the middle are one.

use tengen_rules::Cell;

/// The name of a shape: 16 digits. `marked` are the cells of the solution.
pub fn shape_key(own: &[Cell], marked: &[Cell], kind: u8) -> String {
    let least = (0..8_u8)
        .map(|symmetry| image(own, marked, symmetry))
        .min()
        .unwrap_or_default();
    // FNV-1a with 64 bits, twice with another start: names are compared as texts, and a clash only loses a puzzle.
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325 ^ u64::from(kind);
    for (x, y, role) in least {
        for byte in [x as u8, y as u8, role] {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}

fn image(own: &[Cell], marked: &[Cell], symmetry: u8) -> Vec<(i16, i16, u8)> {
    let turn = |cell: &Cell, role: u8| {
        let x = if symmetry & 1 == 0 { cell.x } else { -cell.x };
        let y = if symmetry & 2 == 0 { cell.y } else { -cell.y };
        if symmetry & 4 == 0 {
            (x, y, role)
        } else {
            (y, x, role)
        }
    };
    let stones = own.iter().map(|cell| turn(cell, 1));
    let mut all: Vec<(i16, i16, u8)> = stones
        .chain(marked.iter().map(|cell| turn(cell, 2)))
        .collect();
    let low = |pick: fn(&(i16, i16, u8)) -> i16| all.iter().map(pick).min().unwrap_or(0);
    let (left, bottom) = (low(|at| at.0), low(|at| at.1));
    for at in &mut all {
        *at = (at.0 - left, at.1 - bottom, at.2);
    }
    all.sort_unstable();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turned_mirrored_and_moved_shapes_have_one_name() {
        let cell = |x, y| Cell::new(x, y);
        let own = [cell(3, 3), cell(4, 5), cell(7, 3)];
        let name = shape_key(&own, &[cell(5, 5)], 0);
        let moved = own.map(|c| cell(c.x + 2, c.y - 1));
        assert_eq!(name, shape_key(&moved, &[cell(7, 4)], 0));
        let turned = own.map(|c| cell(18 - c.y, c.x));
        assert_eq!(name, shape_key(&turned, &[cell(13, 5)], 0));
        assert_ne!(name, shape_key(&own, &[cell(5, 6)], 0));
        assert_ne!(name, shape_key(&own, &[cell(5, 5)], 1));
    }
}
