//! RenLib's libraries: trees of five-in-a-row games on 15x15, two bytes per move.
//!
//! A file is a header of 20 bytes (very old files have none) and the nodes of the tree, depth
//! first: a byte for the place, a byte of flags, then the texts that the flags announce.
//! `docs/notation.md` has the details.

mod reader;
mod writer;

pub(super) use reader::read;
pub(super) use writer::write;

use crate::{Cell, Rules};

/// FF `RenLib` FF, then the version and FFs up to [`HEADER_LENGTH`].
const MAGIC: [u8; 8] = *b"\xffRenLib\xff";
const HEADER_LENGTH: usize = 20;
/// The version we write and the last that we read.
const VERSION: (u8, u8) = (3, 4);
/// The first move of every file without a header.
const CENTRE: u8 = 0x78;

const SIBLING_FOLLOWS: u8 = 0x80;
const LEAF: u8 = 0x40;
const OLD_COMMENT: u8 = 0x20;
const MARK: u8 = 0x10;
const COMMENT: u8 = 0x08;
const NO_MOVE: u8 = 0x02;
const EXTENSION: u8 = 0x01;
/// In the low byte of the extension.
const BOARD_TEXT: u8 = 0x01;
/// Separates a comment's first line from the others.
const FIRST_LINE_ENDS: char = '\u{8}';

/// What RenLib files hold, for messages.
const HOLDS: &str = "games with one stone per turn on 15x15";

/// Whether a RenLib file can hold games of these rules. The line length and the rule for overlines
/// are not stored.
fn can_hold(rules: Rules) -> bool {
    rules.size() == Some((15, 15)) && rules.per_turn() == 1 && rules.first_turn() == 1
}

/// The cell of a place: column 1 to 15 in the low half, row from the top in the high half.
fn cell(place: u8) -> Option<Cell> {
    let (column, row) = (i16::from(place & 15), i16::from(place >> 4));
    (column >= 1 && row <= 14).then(|| Cell::new(column - 1, 14 - row))
}

/// The place of a cell, which must be on the board.
fn place(cell: Cell) -> u8 {
    debug_assert!((0..15).contains(&cell.x) && (0..15).contains(&cell.y));
    ((14 - cell.y) << 4 | (cell.x + 1)) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_cells_are_inverse() {
        assert_eq!(cell(CENTRE), Some(Cell::new(7, 7)));
        // A15 is the upper left corner, O1 the lower right one.
        assert_eq!(cell(0x01), Some(Cell::new(0, 14)));
        assert_eq!(cell(0xef), Some(Cell::new(14, 0)));
        let cells = (0..=255).filter_map(|byte| Some((byte, cell(byte)?)));
        assert_eq!(cells.clone().count(), 225);
        for (byte, cell) in cells {
            assert_eq!(place(cell), byte);
        }
    }
}
