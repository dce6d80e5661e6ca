//! Pairings: disjoint pairs of empty cells such that each line that Black may still complete contains a pair.
//!
//! If there is one, White holds, whoever moves: White answers a stone on one cell of a pair with a stone on the other, and plays
//! anywhere if Black plays elsewhere or the other cell is White's already. Black never gets both cells of a pair, and so completes no line. Whether
//! White threatens or completes lines of its own does not matter.

use super::remains::cells_of;

/// Looks for pairs of cells, one inside each of these sets, by trying at most so many pairs. `None` proves nothing.
pub(super) fn pairing(sets: &[u64], mut budget: u32) -> Option<Vec<u64>> {
    let mut pairs = Vec::new();
    extend(sets, 0, &mut pairs, &mut budget).then_some(pairs)
}

fn extend(sets: &[u64], used: u64, pairs: &mut Vec<u64>, budget: &mut u32) -> bool {
    let free = sets.iter().map(|set| set & !used);
    let Some(narrowest) = free.min_by_key(|free| free.count_ones()) else {
        return true;
    };
    let mut choices: Vec<(usize, u64)> = Vec::new();
    for one in cells_of(narrowest) {
        for other in cells_of(narrowest & !(one | (one - 1))) {
            let pair = one | other;
            let missed = sets.iter().filter(|&&set| pair & !set != 0).count();
            choices.push((missed, pair));
        }
    }
    choices.sort_unstable();
    for (_, pair) in choices {
        if *budget == 0 {
            return false;
        }
        *budget -= 1;
        let rest: Vec<u64> = sets
            .iter()
            .copied()
            .filter(|set| pair & !set != 0)
            .collect();
        pairs.push(pair);
        if extend(&rest, used | pair, pairs, budget) {
            return true;
        }
        pairs.pop();
    }
    false
}
