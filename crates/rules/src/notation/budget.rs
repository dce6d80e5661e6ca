//! A limit on what one file may make us keep in memory.
//!
//! Two bytes of a file can describe a node, and five a rectangle of 361 marks; without a limit a
//! file of 100 MB could ask for many gigabytes. Text is not counted: it takes its own length.

use super::{Format, NotationError, Place};
use crate::MAX_SIDE;

/// More stones of one side than this are no set-up but a mistake: no board has so many cells.
pub(crate) const MOST_STONES: usize = MAX_SIDE as usize * MAX_SIDE as usize;

/// How many nodes, marks, labels and set-up stones one file may hold. A node with its place among
/// the children takes about 80 bytes, so this is half a gigabyte, and ten megabytes of RenLib.
pub(crate) const MOST_ITEMS: usize = 5_000_000;

/// What a record costs beside its nodes, in items.
const RECORD: usize = 6;

/// What the notes of a node cost beside the node, in items.
pub(crate) const NOTES: usize = 2;

/// How many more items may be read.
#[derive(Debug)]
pub(crate) struct Budget {
    format: Format,
    left: usize,
}

impl Budget {
    pub(crate) const fn new(format: Format) -> Self {
        Self {
            format,
            left: MOST_ITEMS,
        }
    }

    /// Takes `items` from the budget, or refuses to read on.
    pub(crate) fn take(
        &mut self,
        items: usize,
        place: impl FnOnce() -> Place,
    ) -> Result<(), NotationError> {
        match self.left.checked_sub(items) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => {
                let reason = format!(
                    "more than {MOST_ITEMS} nodes, marks and set-up stones, the most that is read from one file; split it"
                );
                Err(NotationError::new(self.format, place(), reason))
            }
        }
    }

    /// Takes what an empty record costs.
    pub(crate) fn take_record(
        &mut self,
        place: impl FnOnce() -> Place,
    ) -> Result<(), NotationError> {
        self.take(RECORD, place)
    }
}
