//! How strong a turn looks before anything is searched: what its stones promise on their lines.
//!
//! A person who takes the turn that builds most would find the solution of a puzzle without looking further if
//! it is the one that looks strongest; such puzzles are refused. Limited solvers try turns in this order.

use tengen_rules::Side;
use tengen_threats::LineBoard;

use crate::attack::Stones;

/// What a turn promises.
pub(crate) fn looks(board: &mut LineBoard, side: Side, turn: &Stones) -> i64 {
    for &cell in turn {
        board.place(side, cell);
    }
    let promise = turn.iter().map(|&cell| board.promise(side, cell)).sum();
    for _ in turn {
        board.undo();
    }
    promise
}

/// The strongest-looking first; equal ones stay in order.
pub(crate) fn sort_by_looks(board: &mut LineBoard, side: Side, list: &mut [Stones]) {
    list.sort_by_cached_key(|turn| std::cmp::Reverse(looks(board, side, turn)));
}
