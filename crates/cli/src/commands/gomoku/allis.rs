//! What Allis reports of his solutions, and ours beside it.

use tengen_prover::pn::Fives;

use crate::commands::reproduce::Table;
use crate::output::{Output, grouped};

/// What Allis, *Searching for Solutions in Games and Artificial Intelligence*, section 5.5, says of one of his solutions.
#[derive(Debug)]
pub(crate) struct Allis {
    pub(crate) name: &'static str,
    pub(crate) days: f64,
    pub(crate) pn_nodes: &'static str,
    pub(crate) records: u64,
    /// Table 5.1.
    pub(crate) plies: [u64; 36],
}

/// Both solutions together.
pub(crate) const DB_SEARCHES: &str = "50 to 130 million for both rules";

const FREE_STYLE: Allis = Allis {
    name: "free-style",
    days: 11.9,
    pn_nodes: "5.3 million",
    records: 138_790,
    plies: [
        1, 1, 35, 35, 7227, 6824, 20859, 20239, 20686, 20550, 8959, 8637, 5246, 4778, 2999, 2647,
        2173, 1811, 1351, 1094, 710, 594, 408, 327, 193, 154, 85, 74, 40, 35, 7, 7, 1, 1, 1, 1,
    ],
};

const STANDARD: Allis = Allis {
    name: "standard",
    days: 15.1,
    pn_nodes: "6.3 million",
    records: 153_284,
    plies: [
        1, 1, 35, 35, 7242, 7251, 22749, 21078, 22056, 21898, 10015, 9570, 6015, 5492, 3663, 3282,
        2810, 2392, 1885, 1590, 1125, 954, 641, 506, 296, 241, 159, 128, 67, 54, 19, 18, 8, 6, 1,
        1,
    ],
};

impl Allis {
    /// His solution by the rule of ours.
    pub(crate) const fn of(wins: Fives) -> &'static Self {
        match wins {
            Fives::OrMore => &FREE_STYLE,
            Fives::Exactly => &STANDARD,
        }
    }

    /// Positions with Black to move.
    pub(crate) fn to_move(&self) -> u64 {
        self.plies.iter().step_by(2).sum()
    }

    /// The last ply that has a position.
    pub(crate) const fn deepest(&self) -> usize {
        self.plies.len() - 1
    }
}

/// The positions by ply, ours beside those of Table 5.1 if they are of the same game.
pub(crate) fn print_plies(
    plies: &[usize],
    beside: Option<&Allis>,
    out: &mut Output,
) -> anyhow::Result<()> {
    let deepest = plies.iter().rposition(|&number| number > 0).unwrap_or(0);
    let number = |number: Option<u64>| number.map_or_else(|| "-".to_owned(), grouped);
    let ours = |ply: usize| number(plies.get(ply).map(|&ours| ours as u64));
    match beside {
        None => {
            let table = Table::start(out, ["ply", "positions"])?;
            let first = plies.iter().position(|&number| number > 0).unwrap_or(0);
            for ply in first..=deepest {
                table.row(out, [ply.to_string(), ours(ply)])?;
            }
        }
        Some(allis) => {
            let table = Table::start(out, ["ply", "positions", "Table 5.1"])?;
            for ply in 0..=deepest.max(allis.deepest()) {
                let theirs = number(allis.plies.get(ply).copied());
                table.row(out, [ply.to_string(), ours(ply), theirs])?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_adds_up() {
        for allis in [&FREE_STYLE, &STANDARD] {
            assert_eq!(allis.plies.iter().sum::<u64>(), allis.records);
        }
    }
}
