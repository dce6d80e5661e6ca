//! Threat windows and critical defences (RZOP, Section III-C), straight from the definitions.

use crate::board::{Board, Player};
use crate::verdict::{Budget, Stop};

/// The empty cells of each threat window of the attacker: open for the attacker, with at least
/// `stones` = k - p stones.
pub(crate) fn threat_windows(board: &Board, stones: usize) -> Vec<Vec<usize>> {
    let mut windows: Vec<Vec<usize>> = board
        .open_windows(Player::Attacker, stones)
        .map(|(window, _)| board.empties(window).collect())
        .collect();
    for cells in &mut windows {
        cells.sort_unstable();
    }
    windows.sort_unstable();
    windows.dedup();
    windows
}

/// All critical defences of at most `most` stones, normal and relaxed: the inclusion-minimal sets
/// of cells that meet every threat window.
///
/// None at all means t > `most`: the smallest such set, hence the number of threats, is larger.
/// Without threat windows the only critical defence is the empty set.
pub(crate) fn critical_defences(
    windows: &[Vec<usize>],
    most: usize,
    budget: &mut Budget,
) -> Result<Vec<Vec<usize>>, Stop> {
    let mut found = Vec::new();
    hit(windows, most, &mut Vec::new(), &mut found, budget)?;
    found.retain(|set| is_minimal(windows, set));
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// Extends `set` in all ways to sets that meet every window, one cell of the first window it
/// misses at a time. Every minimal set is found, since it has a cell in that window.
fn hit(
    windows: &[Vec<usize>],
    most: usize,
    set: &mut Vec<usize>,
    found: &mut Vec<Vec<usize>>,
    budget: &mut Budget,
) -> Result<(), Stop> {
    budget.tick()?;
    let missed = windows.iter().find(|window| !meets(window, set));
    match missed {
        None => {
            let mut sorted = set.clone();
            sorted.sort_unstable();
            found.push(sorted);
            budget.need(found.len() * (8 * most + 32))?;
        }
        Some(_) if set.len() == most => {}
        Some(window) => {
            for &cell in window {
                set.push(cell);
                hit(windows, most, set, found, budget)?;
                set.pop();
            }
        }
    }
    Ok(())
}

fn meets(window: &[usize], set: &[usize]) -> bool {
    window.iter().any(|cell| set.contains(cell))
}

/// Whether each cell of `set` is needed: some window is met by this cell only.
fn is_minimal(windows: &[Vec<usize>], set: &[usize]) -> bool {
    set.iter().all(|cell| {
        windows.iter().any(|window| {
            window.contains(cell)
                && !set
                    .iter()
                    .any(|other| other != cell && window.contains(other))
        })
    })
}
