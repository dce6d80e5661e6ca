//! Which replies to a three are answered: the procedure *cover* of `docs/proof-format.md` for one
//! stone a turn and no four on the board.
//!
//! The null turn is answered by the child that leaves the fewest cells; each of these cells by a
//! child that has it among its stones, or in whose first zone it is not. Ties are broken as the
//! checker breaks them, because the zones of the position depend on the choice. `crate::cover` does
//! the same for any number of stones and grows its children while it runs; with one stone it is
//! simpler to start again after each new answer.

use tengen_threats::{Index, LineBoard};

use crate::tree::{Cells, WinId};
use crate::zones::Zones;

/// An answered reply.
#[derive(Debug)]
pub(crate) struct Child {
    /// The defender's stones: none for the null turn, several for a macro reply.
    pub(crate) stones: Cells,
    pub(crate) win: WinId,
    pub(crate) zones: Zones,
}

/// What covering came to.
#[derive(Debug)]
pub(crate) enum Covering {
    /// All replies are answered, by these children with this shift of their zones.
    Complete(Vec<(usize, usize)>),
    /// A stone here is not answered yet.
    Missing(Index),
    /// No child answers the null turn.
    Impossible,
}

/// Covers all replies with these children. The board stands after the attacker's turn.
pub(crate) fn cover(stones: &LineBoard, children: &[Child]) -> Covering {
    let open = |child: &Child| -> Option<Vec<Index>> {
        let relevant = child.zones.zone(1)?.iter();
        let is_open = |cell: &Index| stones.stone(*cell).is_none() && !child.stones.contains(cell);
        Some(relevant.filter(is_open).collect())
    };
    let candidates = children.iter().enumerate();
    let candidates = candidates.filter_map(|(place, child)| Some((place, open(child)?)));
    let Some((chosen, cells)) = candidates.min_by_key(|(_, cells)| cells.len()) else {
        return Covering::Impossible;
    };
    let mut used = vec![(chosen, 1)];
    for cell in cells {
        match answering(children, cell) {
            Some(answer) if used.contains(&answer) => {}
            Some(answer) => used.push(answer),
            None => return Covering::Missing(cell),
        }
    }
    Covering::Complete(used)
}

/// The child that answers a stone on this cell, and the shift of its zones.
fn answering(children: &[Child], cell: Index) -> Option<(usize, usize)> {
    let place = |test: &dyn Fn(&Child) -> bool| children.iter().position(test);
    let exact = place(&|child| child.stones.as_slice() == [cell]);
    let among = exact.or_else(|| place(&|child| child.stones.contains(&cell)));
    let outside = |child: &Child| child.zones.zone(1).is_some_and(|zone| !zone.contains(cell));
    match among {
        Some(place) => Some((place, 0)),
        None => place(&outside).map(|place| (place, 1)),
    }
}
