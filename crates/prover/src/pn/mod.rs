//! Go-Moku: a threat search of its own for games in which one stone is a turn and five or more in a row win (Allis,
//! chapter 5). The general prover plays every game; this one knows after every stone what each side could make where.
//!
//! [`win_by_threats`] looks for a win by fours and threes and gives a proof for `tengen-checker`. `replay.rs` says whether a
//! strategy that was found elsewhere wins on this board too, by playing it through with all defences that the board has: nothing is
//! assumed about related cells.

mod board;
mod cells;
mod patterns;
mod replay;
mod strategy;
mod threats;

use tengen_rules::{Overline, Position, Rules};

use crate::proof::Proof;
use board::Board;
use threats::{Answer, ThreatSearch};

pub use strategy::Win;

/// What a search for wins by threats has found.
#[derive(Debug, Clone)]
pub enum Threats {
    /// The side to move wins.
    Won(Win),
    /// It does not, by turns that make a three or a four on one line each.
    Nothing,
    /// The nodes did not suffice.
    Unknown,
}

/// The largest board, in cells a side.
const LARGEST: u8 = 19;

/// Entries of the table, as a power of two.
const TABLE_BITS: u32 = 18;

/// Whether [`win_by_threats`] can be asked: one stone a turn, five or more win, at most 19x19.
pub fn suits(rules: Rules) -> bool {
    let fits = |(width, height): (u8, u8)| width <= LARGEST && height <= LARGEST;
    rules.per_turn() == 1
        && rules.line() == 5
        && rules.overline() == Overline::Wins
        && rules.size().is_some_and(fits)
}

/// Looks for a win of the side to move by fours and threes, with so many nodes; `None` for other games
/// ([`suits`]), or if the game is over.
pub fn win_by_threats(position: &Position, nodes: u64) -> Option<Threats> {
    let board = board_of(position)?;
    let mut search = ThreatSearch::new(board, position.to_move(), TABLE_BITS);
    Some(match search.search(nodes) {
        Answer::Won => match search.strategy() {
            Some(strategy) => Threats::Won(Win { strategy }),
            None => Threats::Unknown,
        },
        Answer::Failed => Threats::Nothing,
        Answer::Unknown => Threats::Unknown,
    })
}

impl Win {
    /// As a proof that the side to move wins in the position in which it was found.
    pub fn proof(&self, position: &Position) -> Option<Proof> {
        let board = board_of(position)?;
        Some(Proof {
            position: position.to_setup(),
            attacker: position.to_move(),
            except: Vec::new(),
            region: None,
            zones: Vec::new(),
            nodes: strategy::proof_nodes(&board, &self.strategy),
        })
    }

    /// Whether it wins in this position too, played through against every defence.
    pub fn wins_in(&self, position: &Position) -> bool {
        board_of(position).is_some_and(|mut board| {
            replay::replays(&mut board, position.to_move(), &self.strategy)
        })
    }
}

fn board_of(position: &Position) -> Option<Board> {
    if !suits(position.rules()) || position.outcome().is_some() {
        return None;
    }
    let (width, height) = position.rules().size()?;
    let mut board = Board::new(usize::from(width), usize::from(height));
    for stone in position.stones() {
        let cell = board.at(stone.cell.x as usize, stone.cell.y as usize);
        board.place(stone.side, cell);
    }
    Some(board)
}
