//! A ladder of limited solvers, from one that sees hardly more than the strongest-looking turn to one that tries
//! many turns deeply. How many of them solve a puzzle is what its difficulty is calibrated by.
//!
//! A solver of width w tries at every position the w strongest-looking turns only, with n positions in all. The
//! defence is never limited, so what it finds is a win, and a puzzle has only one.

use crate::attack::Answer;
use crate::stand::{Stand, Workshop};

/// Width and positions of each rung.
pub const RUNGS: [(usize, u64); 24] = rungs();

const WIDTHS: [usize; 6] = [1, 2, 3, 5, 8, 16];
const NODES: [u64; 4] = [20, 80, 320, 1_280];

const fn rungs() -> [(usize, u64); 24] {
    let mut rungs = [(0, 0); 24];
    let mut at = 0;
    while at < 24 {
        rungs[at] = (WIDTHS[at / 4], NODES[at % 4]);
        at += 1;
    }
    rungs
}

/// Who solved it and what it took.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Default)]
pub struct Ladder {
    /// A bit for each rung.
    pub solved: u32,
    /// Positions that the widest solver looked at.
    pub nodes: u64,
}

impl Ladder {
    /// Whether always taking the strongest-looking turn wins within so many turns.
    pub fn is_greedy_enough(workshop: &mut Workshop, stand: &Stand, turns: u8) -> bool {
        let (_, nodes) = RUNGS[NODES.len() - 1];
        let mut attack = workshop.attack(stand, nodes);
        attack.widest = 1;
        // He may take longer than necessary.
        (turns..=turns + 4).any(|turns| attack.wins_within(turns) == Answer::Yes)
    }

    /// Lets all solvers try.
    pub fn climb(workshop: &mut Workshop, stand: &Stand, longest: u8) -> Self {
        let mut ladder = Self::default();
        for (number, (width, nodes)) in RUNGS.into_iter().enumerate() {
            // With more positions a solver of the same width solves it too.
            if number % 4 != 0 && ladder.solved >> (number - 1) & 1 == 1 {
                ladder.solved |= 1 << number;
                continue;
            }
            let mut attack = workshop.attack(stand, nodes);
            attack.widest = width;
            let solved = (1..=longest).any(|turns| attack.wins_within(turns) == Answer::Yes);
            ladder.solved |= u32::from(solved) << number;
            ladder.nodes = attack.nodes;
        }
        ladder
    }

    /// Whether one who always takes the strongest-looking turn solves it.
    pub const fn greedy(self) -> bool {
        self.solved & 0b1111 != 0
    }

    /// How many solved it.
    pub const fn count(self) -> u8 {
        self.solved.count_ones() as u8
    }
}
