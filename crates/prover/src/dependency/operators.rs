//! The operators: five, straight four, four, three and broken three (Allis, sections 5.3.2 and
//! 5.3.3), for k in a row.
//!
//! An operator is the attacker's stone together with every stone that answers it, all placed at
//! once. A four leaves one cell of a line of k. A three makes a straight four possible on a line of
//! k + 1 with empty ends: it is answered in the empty cells of that line. Where two such lines
//! overlap (the three with two replies) only the cells of both answer it, so one rule gives the
//! operators T2, T3 and the broken three of the thesis.

use smallvec::SmallVec;
use tengen_threats::Index;

use super::spans::{Board, Span};

/// What is on a cell.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Content {
    Empty,
    Attacker,
    Defender,
}

/// The attacker's stone and the defender's answers to it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Operator {
    /// Where the attacker plays.
    pub(crate) gain: Index,
    /// All answers: one cell for a four, two or three for a three.
    pub(crate) costs: SmallVec<[Index; 4]>,
}

/// What a span offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Offer {
    /// A stone that makes a five or a straight four: the goal.
    Goal(Index),
    /// A single threat: category 1 with one cost, category 2 with more.
    Threat(Operator),
}

/// The stones of one side and the empty cells of a span; `None` when the defender is in it.
fn count(cells: &[Content], span: Span) -> Option<(usize, SmallVec<[Index; 8]>)> {
    let mut own = 0;
    let mut empty = SmallVec::new();
    for cell in span.cells() {
        match cells[usize::from(cell)] {
            Content::Attacker => own += 1,
            Content::Empty => empty.push(cell),
            Content::Defender => return None,
        }
    }
    Some((own, empty))
}

/// What a line of k cells offers: a five or two fours.
pub(crate) fn on_short(board: &Board, cells: &[Content], span: Span, offers: &mut Vec<Offer>) {
    let length = usize::from(board.rules.line());
    let Some((own, empty)) = count(cells, span) else {
        return;
    };
    if own + 1 == length {
        offers.push(Offer::Goal(empty[0]));
    } else if own + 2 == length {
        for (gain, cost) in [(empty[0], empty[1]), (empty[1], empty[0])] {
            let costs = SmallVec::from_slice(&[cost]);
            offers.push(Offer::Threat(Operator { gain, costs }));
        }
    }
}

/// What a line of k + 1 cells with empty ends offers: a straight four or threes.
pub(crate) fn on_long(board: &Board, cells: &[Content], span: Span, offers: &mut Vec<Offer>) {
    let length = usize::from(board.rules.line());
    let is_empty = |cell: Index| cells[usize::from(cell)] == Content::Empty;
    if !span.ends().into_iter().all(is_empty) {
        return;
    }
    let Some((own, empty)) = count(cells, span) else {
        return;
    };
    let inner = &empty[1..empty.len() - 1];
    if own + 2 == length && inner.len() == 1 {
        offers.push(Offer::Goal(inner[0]));
    } else if own + 3 == length && inner.len() == 2 {
        for gain in [inner[0], inner[1]] {
            let costs = answers_to_three(board, cells, &empty, span, gain);
            offers.push(Offer::Threat(Operator { gain, costs }));
        }
    }
}

/// The cells that answer the three made by `gain` on a span: its empty cells, and of them only
/// those shared by the neighbouring spans that have become threes too.
fn answers_to_three(
    board: &Board,
    cells: &[Content],
    empty: &[Index],
    span: Span,
    gain: Index,
) -> SmallVec<[Index; 4]> {
    let length = usize::from(board.rules.line());
    let mut costs: SmallVec<[Index; 4]> =
        empty.iter().copied().filter(|&cell| cell != gain).collect();
    let [first, last] = span.ends();
    let neighbours = board.long.through(gain).filter(|other| {
        let [a, b] = other.ends();
        other.same_direction(span) && (a != first || b != last)
    });
    for other in neighbours {
        let is_empty = |cell: Index| cell != gain && cells[usize::from(cell)] == Content::Empty;
        if !other.ends().into_iter().all(is_empty) {
            continue;
        }
        if let Some((own, empty)) = count(cells, other)
            && own + 3 == length
        {
            costs.retain(|cost| empty.contains(cost));
        }
    }
    costs
}
