//! Hitting sets: how few cells meet every one of some sets, and all minimal ways to do it.
//!
//! A set is the empty cells of one threat window, so it has at most `p` cells. An empty set (a
//! complete window) cannot be hit.

use crate::line_board::Index;

/// The size of a minimum hitting set, or `most + 1` when that is more than `most`.
pub(crate) fn hitting_number<S: AsRef<[Index]>>(sets: &[S], most: u8) -> u8 {
    let mut chosen = Vec::new();
    (0..=most)
        .find(|&budget| can_hit(sets, budget, &mut chosen))
        .unwrap_or(most + 1)
}

/// Whether `budget` more cells are enough.
fn can_hit<S: AsRef<[Index]>>(sets: &[S], budget: u8, chosen: &mut Vec<Index>) -> bool {
    let Some(open) = smallest_open(sets, chosen) else {
        return true;
    };
    if disjoint_sets(sets, chosen, budget) > budget {
        return false;
    }
    open.iter().any(|&cell| {
        chosen.push(cell);
        let hit = can_hit(sets, budget - 1, chosen);
        chosen.pop();
        hit
    })
}

/// All inclusion-minimal hitting sets of at most `most` cells, each sorted, in no particular order.
pub(crate) fn minimal_hitting_sets<S: AsRef<[Index]>>(sets: &[S], most: u8) -> Vec<Vec<Index>> {
    let mut found = Vec::new();
    collect(sets, most, &mut Vec::new(), &mut Vec::new(), &mut found);
    found
}

fn collect<S: AsRef<[Index]>>(
    sets: &[S],
    budget: u8,
    chosen: &mut Vec<Index>,
    refused: &mut Vec<Index>,
    found: &mut Vec<Vec<Index>>,
) {
    let Some(open) = smallest_open(sets, chosen) else {
        if is_minimal(sets, chosen) {
            let mut sorted = chosen.clone();
            sorted.sort_unstable();
            found.push(sorted);
        }
        return;
    };
    if disjoint_sets(sets, chosen, budget) > budget {
        return;
    }
    // Each branch takes one cell and refuses those before it, so no set is met twice.
    let refused_before = refused.len();
    for &cell in open {
        if !refused.contains(&cell) {
            chosen.push(cell);
            collect(sets, budget - 1, chosen, refused, found);
            chosen.pop();
            refused.push(cell);
        }
    }
    refused.truncate(refused_before);
}

fn is_open(set: &[Index], chosen: &[Index]) -> bool {
    !set.iter().any(|cell| chosen.contains(cell))
}

fn smallest_open<'a, S: AsRef<[Index]>>(sets: &'a [S], chosen: &[Index]) -> Option<&'a [Index]> {
    let sets = sets.iter().map(AsRef::as_ref);
    sets.filter(|set| is_open(set, chosen))
        .min_by_key(|set| set.len())
}

/// Every chosen cell is the only one to hit some set.
fn is_minimal<S: AsRef<[Index]>>(sets: &[S], chosen: &[Index]) -> bool {
    chosen.iter().all(|cell| {
        sets.iter().any(|set| {
            let mut hits = set.as_ref().iter().filter(|c| chosen.contains(c));
            hits.next() == Some(cell) && hits.next().is_none()
        })
    })
}

/// How many pairwise disjoint open sets a greedy choice finds, counted up to `budget + 1`: a lower
/// bound of what is needed.
fn disjoint_sets<S: AsRef<[Index]>>(sets: &[S], chosen: &[Index], budget: u8) -> u8 {
    let mut used: Vec<Index> = Vec::new();
    let mut count = 0;
    for set in sets.iter().map(AsRef::as_ref) {
        if is_open(set, chosen) && is_open(set, &used) {
            used.extend(set);
            count += 1;
            if count > budget {
                break;
            }
        }
    }
    count
}
