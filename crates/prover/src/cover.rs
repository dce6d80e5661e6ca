//! Which replies are answered: the procedure *cover* of `docs/proof-format.md` (operations Tp-1 and
//! Par-1 to Par-6 of RZOP's Appendix, with Par-5 over the cells *in* the zone).
//!
//! The same code serves search, which answers a missing reply when it is met, and the construction
//! of zones from a finished strategy, where nothing may be missing.

use std::collections::HashSet;

use tengen_rules::Side;
use tengen_threats::{CellSet, Index, LineBoard};

use crate::tree::{Cells, WinId};
use crate::zones::Zones;

/// An answered reply.
#[derive(Debug, Clone)]
pub(crate) struct Child {
    /// The defender's stones; more than a turn for macro replies.
    pub(crate) stones: Cells,
    pub(crate) win: WinId,
    pub(crate) zones: Zones,
}

impl Child {
    /// By how much the zones are shifted when this child answers `stones` and `further` stones.
    pub(crate) fn shift(&self, stones: &[Index], further: usize) -> usize {
        let known = |cell: &Index| self.stones.iter().any(|stone| stone == cell);
        stones.iter().filter(|cell| !known(cell)).count() + further
    }

    /// Whether this child answers `stones` together with `further` stones outside its zone: of the stones that it does
    /// not know, fewer than i may be in Z_i.
    pub(crate) fn answers(&self, stones: &[Index], further: usize) -> bool {
        let shift = self.shift(stones, further);
        if shift == 0 {
            return true;
        }
        if self.zones.zone(shift).is_none() {
            return false;
        }
        // The child's own stones are in none of its zones.
        let zones = self.zones.sets().iter().zip(1..=shift - further);
        zones.into_iter().all(|(zone, number)| {
            let inside = stones.iter().filter(|&&cell| zone.contains(cell));
            inside.count() < number
        })
    }

    /// How many cells [`Self::open_cells`] gives. Zones hold cells that are empty after the child's
    /// stones, so only the other stones need to be looked for.
    pub(crate) fn open_count(&self, stones: &[Index], further: usize) -> usize {
        if further == 0 {
            return 0;
        }
        let Some(zone) = self.zones.zone(self.shift(stones, further)) else {
            return 0;
        };
        zone.len() - stones.iter().filter(|&&cell| zone.contains(cell)).count()
    }

    /// The cells at which a further stone is not answered by the child: step 3.
    pub(crate) fn open_cells<'a>(
        &'a self,
        board: &'a LineBoard,
        stones: &'a [Index],
        further: usize,
    ) -> impl Iterator<Item = Index> + 'a {
        let zone = if further == 0 {
            None
        } else {
            self.zones.zone(self.shift(stones, further))
        };
        let cells = zone.into_iter().flat_map(CellSet::iter);
        cells.filter(move |c| {
            board.stone(*c).is_none() && !stones.contains(c) && !self.stones.contains(c)
        })
    }
}

/// The state of covering all replies at one position after the attacker's turn.
pub(crate) struct Cover {
    /// How many stones a reply has.
    reply: usize,
    pub(crate) children: Vec<Child>,
    /// The covered sets of stones.
    done: HashSet<Cells>,
    /// Which child was used with which shift.
    used: Vec<(usize, usize)>,
    /// Children that win but whose zones end too early to answer anything further.
    kept: Vec<usize>,
    /// The critical defences to be covered.
    defences: Vec<Cells>,
}

/// Finds an answer to these stones of the defender; it also sees what answers other replies.
pub(crate) type Answer<'a> = dyn FnMut(&Cells, &[Child]) -> Option<Child> + 'a;

impl Cover {
    /// Starts with some answered replies. The board stands after the attacker's turn, and the defender
    /// has `reply` stones to place.
    pub(crate) fn new(
        board: &LineBoard,
        attacker: Side,
        reply: usize,
        children: Vec<Child>,
    ) -> Self {
        let defences = board
            .critical_sets(attacker)
            .into_iter()
            .map(Cells::from_vec)
            .filter(|defence| defence.len() <= reply)
            .collect();
        Self {
            reply,
            children,
            done: HashSet::new(),
            used: Vec::new(),
            kept: Vec::new(),
            defences,
        }
    }

    /// Covers every critical defence; `false` when an answer is missing.
    pub(crate) fn run(&mut self, board: &LineBoard, answer: &mut Answer<'_>) -> bool {
        let mut defences = std::mem::take(&mut self.defences);
        // Single stones first: their proofs answer most of the rest.
        defences.sort_by_key(|defence| defence.len());
        defences
            .into_iter()
            .all(|defence| self.cover(board, defence, answer))
    }

    fn cover(&mut self, board: &LineBoard, mut stones: Cells, answer: &mut Answer<'_>) -> bool {
        stones.sort_unstable();
        if !self.done.insert(stones.clone()) {
            return true;
        }
        let further = self.reply - stones.len();
        let chosen = match self.best_child(board, &stones, further) {
            Some(chosen) => chosen,
            None => {
                let won = |child: &Child| child.stones == stones;
                let place = match self.children.iter().position(won) {
                    Some(place) => place,
                    None => {
                        let Some(child) = answer(&stones, &self.children) else {
                            return false;
                        };
                        self.children.push(child);
                        self.children.len() - 1
                    }
                };
                if !self.children[place].answers(&stones, further) {
                    // Zones end here: with so many further stones nothing is irrelevant.
                    self.kept.push(place);
                    return self.cover_all(board, &stones, answer);
                }
                place
            }
        };
        let child = &self.children[chosen];
        let cells: Vec<Index> = child.open_cells(board, &stones, further).collect();
        self.used.push((chosen, child.shift(&stones, further)));
        cells.into_iter().all(|cell| {
            let mut more = stones.clone();
            more.push(cell);
            self.cover(board, more, answer)
        })
    }

    fn cover_all(&mut self, board: &LineBoard, stones: &Cells, answer: &mut Answer<'_>) -> bool {
        if board.rules().size().is_none() {
            return false;
        }
        (0..board.grid().len() as Index).all(|cell| {
            if board.stone(cell).is_some() || stones.contains(&cell) {
                return true;
            }
            let mut more = stones.clone();
            more.push(cell);
            self.cover(board, more, answer)
        })
    }

    /// Of the children that answer these and `further` stones, the one that leaves the fewest cells,
    /// then the one that knows most of the stones, then the first: as the checker chooses.
    fn best_child(&self, board: &LineBoard, stones: &Cells, further: usize) -> Option<usize> {
        let answering =
            (0..self.children.len()).filter(|&child| self.children[child].answers(stones, further));
        answering.min_by_key(|&child| {
            let child = &self.children[child];
            let cells = child.open_count(stones, further);
            debug_assert_eq!(cells, child.open_cells(board, stones, further).count());
            let shift = child.shift(stones, further);
            let more_stones = shift == 0 && child.stones.len() > stones.len();
            (cells, shift, more_stones)
        })
    }

    /// Adds the zones of what was used.
    pub(crate) fn add_used_zones(&self, zones: &mut Zones) {
        for &(child, shift) in &self.used {
            zones.union_shifted(&self.children[child].zones, shift);
        }
    }

    /// The children that were used or won in vain, in the order they have.
    pub(crate) fn used_children(self) -> Vec<Child> {
        let used = |place: usize| {
            self.kept.contains(&place) || self.used.iter().any(|&(child, _)| child == place)
        };
        let needed: Vec<bool> = (0..self.children.len()).map(used).collect();
        self.children
            .into_iter()
            .zip(needed)
            .filter_map(|(child, needed)| needed.then_some(child))
            .collect()
    }

    /// All replies with their answers.
    pub(crate) fn replies(&self) -> Vec<(Cells, WinId)> {
        self.children
            .iter()
            .map(|child| (child.stones.clone(), child.win))
            .collect()
    }
}
