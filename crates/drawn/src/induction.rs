//! Theorem 2 step by step: which MBBoardN(L,p) are drawn by the paper's lemmas, and what that gives for k.
//!
//! The lemmas are proved in the paper, by hand; a statement derived here is therefore *quoted*, not verified by the
//! checker. What is computed is that the lemmas lead from the three initial games to each statement.

use std::collections::BTreeMap;
use std::fmt;

/// A game on the endless board B_N(L).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Game {
    /// MBBoardN(L,p): at most p stones in a turn.
    Plain {
        /// L
        length: usize,
        /// p
        per_turn: usize,
    },
    /// MBBoardNX(L,b): exclusive squares, at most b black stones on a line without a white one.
    Exclusive {
        /// L
        length: usize,
        /// b
        most: usize,
    },
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain { length, per_turn } => write!(f, "MBBoardN({length},{per_turn})"),
            Self::Exclusive { length, most } => write!(f, "MBBoardNX({length},{most})"),
        }
    }
}

/// By which lemma a game is drawn, and from which other game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The game.
    pub game: Game,
    /// The number of the lemma.
    pub lemma: u8,
    /// The game that the lemma needs.
    pub from: Option<Game>,
}

/// All games up to some size that the lemmas reach.
#[derive(Debug, Clone)]
pub struct Induction {
    steps: BTreeMap<Game, Step>,
}

impl Induction {
    /// All that is reached with lines of at most `longest` cells.
    pub fn new(longest: usize) -> Self {
        let mut steps = BTreeMap::new();
        let plain = |length, per_turn| Game::Plain { length, per_turn };
        let exclusive = |length, most| Game::Exclusive { length, most };
        let mut open = vec![
            (plain(4, 1), 8, None),
            (exclusive(2, 1), 9, None),
            (exclusive(3, 2), 10, None),
        ];
        while let Some((game, lemma, from)) = open.pop() {
            let length = match game {
                Game::Plain { length, .. } | Game::Exclusive { length, .. } => length,
            };
            if length > longest || steps.contains_key(&game) {
                continue;
            }
            steps.insert(game, Step { game, lemma, from });
            match game {
                Game::Plain { length, per_turn } => {
                    if length > per_turn + 1 {
                        open.push((exclusive(length, length - per_turn - 1), 7, Some(game)));
                    }
                }
                Game::Exclusive { length, most } if 0 < most && most < length => {
                    open.push((plain(2 * length + 1, 2 * length - most - 1), 11, Some(game)));
                    open.push((plain(2 * length + 2, 2 * length - most), 12, Some(game)));
                }
                Game::Exclusive { .. } => {}
            }
        }
        Self { steps }
    }

    /// The least L for which MBBoardN(L,p') with some p' >= p is reached; fewer stones are easier for White.
    pub fn least(&self, per_turn: usize) -> Option<Game> {
        self.steps
            .keys()
            .copied()
            .find(|game| matches!(game, Game::Plain { per_turn: other, .. } if *other >= per_turn))
    }

    /// The steps to a game, from an initial one.
    pub fn chain(&self, game: Game) -> Vec<Step> {
        let mut chain = Vec::new();
        let mut next = Some(game);
        while let Some(step) = next.and_then(|game| self.steps.get(&game)) {
            chain.push(*step);
            next = step.from;
        }
        chain.reverse();
        chain
    }
}

/// Theorem 2's d: P(d-1) < p <= P(d) with P(d) = 2^d - d - 2.
pub fn depth(per_turn: usize) -> usize {
    let bound = |d: usize| (1_usize << d) - d - 2;
    (2..60)
        .find(|&d| per_turn <= bound(d))
        .expect("numbers of stones are small")
}

/// Theorem 2: Connect(3p + 3d - 1, p) is drawn.
pub fn theorem_2(per_turn: usize) -> usize {
    3 * per_turn + 3 * depth(per_turn) - 1
}

/// Hsieh and Tsai (2007): Connect(4p + 7, p) is drawn.
pub fn hsieh_tsai(per_turn: usize) -> usize {
    4 * per_turn + 7
}
