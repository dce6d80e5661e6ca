//! Small m,n,k games decided exactly: does the first player win, or is it a draw?
//!
//! On boards of at most 64 cells, with one stone a turn and k or more in a row winning, [`decide`] answers one question: does
//! Black, who begins, complete a line first against every defence? "No" means a draw, because White has no winning
//! strategy: Black could play it after a first stone anywhere, and a stone more never harms the one who has it.
//!
//! It also asks about the *Maker-Breaker* game, in which White's lines do not count: if White holds there, White holds in the exact
//! game with the same moves. If Black wins there nothing follows, since White may gain time by threats (the game 5,5,4 is such a
//! one), and the exact game must be searched. The two searches take turns, each time with twice as many nodes, until one
//! has the answer.
//!
//! A win on a board says nothing about larger boards here. There White may place stones outside, which only give Black turns,
//! but may also complete, or threaten to complete, lines that leave the small board, and these the strategy does not know.
//! So every board is searched by itself. In Maker-Breaker, where White has no lines, a win does carry over to larger boards, and
//! a hold to smaller ones: boards inside have fewer lines. So a draw by Maker-Breaker is one on all boards inside, and with longer lines.
//!
//! | file | what it does |
//! |---|---|
//! | `board.rs` | cells and lines as bits, symmetries |
//! | `remains.rs` | the lines that are left, without those that do not matter; cells that are never better than others |
//! | `pairing.rs` | pairs with which White holds |
//! | `search.rs` | proof-number search; what is seen at once: forced cells, forks, weights |
//! | `table.rs` | positions whose numbers are known |
//!
//! There is no proof file: the answers rest on this code, which the tests compare with a plain minimax on small boards.
//!
//! ```
//! use tengen_prover::small_boards::{Means, Request, Value, decide};
//!
//! let decision = decide(&"6,5,4,1,1".parse()?, &Request::default())?;
//! assert_eq!(decision.found, Some((Value::FirstPlayerWins, Means::Exact)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod board;
mod pairing;
mod remains;
mod search;
mod table;
#[cfg(test)]
mod tests;

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use tengen_rules::{Overline, Rules, Side};
use thiserror::Error;

use crate::solver::Limits;
use board::{Board, Stones};
use remains::Game;
use search::{Search, Until};

/// What is asked.
#[derive(Debug, Copy, Clone)]
pub struct Request<'a> {
    /// When to give up; for both searches together.
    pub limits: Limits,
    /// Gives up soon after this becomes true.
    pub stop: Option<&'a AtomicBool>,
    /// Positions that each of the two searches remembers at most, as a power of two; each takes 32 bytes.
    pub table_bits: u32,
}

impl Default for Request<'_> {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            stop: None,
            table_bits: 20,
        }
    }
}

/// Who wins if both play well.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum Value {
    /// Black, who begins.
    FirstPlayerWins,
    /// Nobody.
    Draw,
}

/// By which game the value was found.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum Means {
    /// White holds even if its own lines do not count.
    MakerBreaker,
    /// The lines of both sides were followed.
    Exact,
}

/// What was found, and what it took.
#[derive(Debug, Copy, Clone)]
pub struct Decision {
    /// `None` if a limit came first: then nothing is known.
    pub found: Option<(Value, Means)>,
    /// Positions expanded in both searches, again each time they were.
    pub nodes: u64,
    /// Of the wall clock.
    pub time: Duration,
}

/// Why [`decide`] cannot be asked.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Error)]
pub enum Unsuited {
    /// No board, or one of more than 64 cells.
    #[error("the board has more than {} cells", board::MOST_CELLS)]
    Board,
    /// A turn has more than one stone.
    #[error("a turn has more than one stone")]
    Stones,
    /// More than k in a row does not win.
    #[error("more stones in a row than needed do not win")]
    Overline,
}

/// Nodes of each game in the first round; each round has twice as many as the one before.
const FIRST_ROUND: u64 = 1 << 14;

/// Decides the game from the empty board.
pub fn decide(rules: &Rules, request: &Request<'_>) -> Result<Decision, Unsuited> {
    let board = board_of(*rules)?;
    let began = Instant::now();
    let until = |nodes: u64| Until {
        nodes: Some(nodes),
        deadline: request.limits.time.map(|time| began + time),
        stop: request.stop,
    };
    let most = request.limits.nodes.unwrap_or(u64::MAX);
    let empty = Stones { black: 0, white: 0 };
    let mut searches = [
        (Means::MakerBreaker, Game::MakerBreaker),
        (Means::Exact, Game::Exact),
    ]
    .map(|(means, game)| (means, Search::new(&board, game, request.table_bits)));
    let mut round = FIRST_ROUND;
    let (mut nodes, mut maker_wins, mut found) = (0, false, None);
    while found.is_none() && nodes < most && !until(0).is_over() {
        for (means, search) in &mut searches {
            let pointless = *means == Means::MakerBreaker && maker_wins;
            if found.is_some() || nodes >= most || pointless {
                continue;
            }
            let before = search.nodes;
            let limit = before.saturating_add(round.min(most - nodes));
            let wins = search.black_wins(empty, Side::Black, until(limit));
            nodes += search.nodes - before;
            found = match (wins, *means) {
                (Some(false), _) => Some((Value::Draw, *means)),
                (Some(true), Means::Exact) => Some((Value::FirstPlayerWins, *means)),
                (Some(true), Means::MakerBreaker) => {
                    maker_wins = true;
                    None
                }
                (None, _) => None,
            };
        }
        round *= 2;
    }
    Ok(Decision {
        found,
        nodes,
        time: began.elapsed(),
    })
}

fn board_of(rules: Rules) -> Result<Board, Unsuited> {
    if rules.per_turn() != 1 || rules.first_turn() != 1 {
        return Err(Unsuited::Stones);
    }
    if rules.overline() != Overline::Wins {
        return Err(Unsuited::Overline);
    }
    let board = rules.size().and_then(|(width, height)| {
        Board::new(u32::from(width), u32::from(height), u32::from(rules.line()))
    });
    board.ok_or(Unsuited::Board)
}
