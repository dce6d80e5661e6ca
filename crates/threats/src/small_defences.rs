//! Threat numbers and critical defences of games with one or two stones a turn, without allocation:
//! what threat-space search asks at every node. The general routines of `counting` are the twin.

use tengen_rules::Side;

use crate::LineBoard;
use crate::line_board::{Index, bits_of};

/// The result of [`LineBoard::small_defences`], and its working memory: keep and reuse it.
#[derive(Debug, Default, Clone)]
pub struct SmallDefences {
    /// The number of threats, at most `p + 1`.
    pub threats: u8,
    /// Critical defences of one stone.
    pub singles: Vec<Index>,
    /// Critical defences of two stones.
    pub pairs: Vec<[Index; 2]>,
    /// The distinct inclusion-minimal sets of empty cells of the threat windows; a set of one cell
    /// holds it twice.
    pub sets: Vec<[Index; 2]>,
}

impl LineBoard {
    /// The number of threats of `attacker` and all critical defences, for games with at most two
    /// stones a turn. No window of the attacker may be complete.
    pub fn small_defences(&self, attacker: Side, result: &mut SmallDefences) {
        debug_assert!(self.rules().per_turn() <= 2);
        let SmallDefences {
            threats,
            singles,
            pairs,
            sets,
        } = result;
        singles.clear();
        pairs.clear();
        self.small_threat_sets(attacker, sets);
        let Some(&first) = sets.first() else {
            *threats = 0;
            return;
        };
        let two_stones = self.rules().per_turn() == 2;
        let has = |set: &[Index; 2], cell: Index| set[0] == cell || set[1] == cell;
        let hits_all = |cell: Index| sets.iter().all(|set| has(set, cell));
        let choices = if first[0] == first[1] {
            &first[..1]
        } else {
            &first[..]
        };
        for &cell in choices {
            let mut rest = sets.iter().filter(|set| !has(set, cell));
            let Some(second) = rest.next() else {
                singles.push(cell);
                continue;
            };
            if !two_stones {
                continue;
            }
            let others = if second[0] == second[1] {
                &second[..1]
            } else {
                &second[..]
            };
            for &other in others {
                // Both stones are needed: the first alone leaves `second`, the other must not be
                // enough alone. A pair inside the first set would be met twice.
                let again = other == first[0] && cell == first[1];
                if rest.clone().all(|set| has(set, other)) && !hits_all(other) && !again {
                    pairs.push([cell, other]);
                }
            }
        }
        *threats = match (singles.is_empty(), pairs.is_empty(), two_stones) {
            (false, _, _) => 1,
            (true, false, _) => 2,
            (true, true, true) => 3,
            (true, true, false) => 2,
        };
    }

    /// The empty cells of some threat window of `side` that has at most `stones` of them.
    pub fn winning_set(&self, side: Side, stones: u8) -> Option<Vec<Index>> {
        let window = (1_u64 << self.geometry.line) - 1;
        for (line, state) in self.threatening_lines(side) {
            for start in bits_of(state.levels[side as usize][0]) {
                let empty = window << start & !state.stones[side as usize];
                if empty.count_ones() <= u32::from(stones) {
                    return Some(bits_of(empty).map(|bit| line.cell(bit)).collect());
                }
            }
        }
        None
    }

    /// How much the lines through a cell promise to `side`: a number for ordering turns, nothing
    /// more.
    pub fn promise(&self, side: Side, cell: Index) -> i64 {
        let mut promise = 0;
        for spot in self.geometry.spots[usize::from(cell)] {
            let [threats, short, shorter] = self.line(spot.line).1.levels[side as usize];
            let count = |windows: u64| i64::from(windows.count_ones());
            promise += 12 * count(threats) + 5 * count(short) + 2 * count(shorter);
        }
        promise
    }

    /// The distinct inclusion-minimal sets of empty cells of the side's threat windows, for games
    /// with at most two stones a turn; a set of one cell holds it twice.
    fn small_threat_sets(&self, side: Side, sets: &mut Vec<[Index; 2]>) {
        sets.clear();
        let window = (1_u64 << self.geometry.line) - 1;
        for (line, state) in self.threatening_lines(side) {
            let mut last = 0;
            for start in bits_of(state.levels[side as usize][0]) {
                let empty = window << start & !state.stones[side as usize];
                debug_assert!(empty != 0, "no window is complete");
                if empty == last {
                    continue;
                }
                last = empty;
                let (a, b) = (
                    line.cell(empty.trailing_zeros()),
                    line.cell(63 - empty.leading_zeros()),
                );
                if a == b {
                    if !sets.contains(&[a, a]) {
                        sets.retain(|set| set[0] != a && set[1] != a);
                        sets.push([a, a]);
                    }
                } else {
                    let covered = |set: &[Index; 2]| {
                        *set == [a, b] || (set[0] == set[1] && (set[0] == a || set[0] == b))
                    };
                    if !sets.iter().any(covered) {
                        sets.push([a, b]);
                    }
                }
            }
        }
    }
}
