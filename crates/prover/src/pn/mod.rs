//! Go-Moku solved: proof-number search over positions, with wins by threats at its leaves (Allis, chapter 5), for boards up to 15x15
//! on which five in a row win, *or more* or *exactly*.
//!
//! | file | what it does |
//! |---|---|
//! | `patterns.rs`, `board.rs` | what each side could make on each empty cell, known after every stone |
//! | `threats.rs` | wins by fours and threes, with every defence |
//! | `strategy.rs` | such wins written down, played through on other boards, and the cells that matter to them |
//! | `tree/` | the search over positions |
//! | `solve.rs` | from the empty board: which third move, against which fourth moves |
//! | `solve/remote.rs` | the same by other machines |
//! | `record.rs`, `journal.rs` | what is proved, and how it survives a crash |
//! | `database.rs` | the whole proof as one file, and playing by it |
//! | `proof.rs` | a win by threats as a proof for `tengen check` |
//!
//! Nothing here is believed by the checker, which plays every strategy through by itself (`docs/gomoku-format.md`).

mod board;
mod cells;
mod database;
mod journal;
mod patterns;
mod proof;
mod record;
mod solve;
mod strategy;
mod symmetry;
mod threats;
mod tree;

use tengen_rules::{Overline, Position, Rules, Side};

use crate::proof::Proof;
use board::{Board, LARGEST};
use strategy::Strategy;
use threats::{Answer, Means, ThreatSearch};

pub use database::{Database, DatabaseError, Play};
pub use patterns::Fives;
pub use solve::{
    Findings, Helper, News, Outcome, Refused, Round, Rounds, Settings, Solver, Stage, Taken,
};
pub use tree::{Effort, Work};

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

/// A win by threats: what the attacker plays, whatever the defender replies.
#[derive(Debug, Clone)]
pub struct Win {
    strategy: Strategy,
}

/// Entries of the table, as a power of two.
const TABLE_BITS: u32 = 18;

/// Which fives win, if this is a game for this module: one stone a turn, five in a row, at most 15x15.
pub fn suits(rules: Rules) -> Option<Fives> {
    let fits = |(width, height): (u8, u8)| {
        let fits = |side: u8| (5..LARGEST as u8).contains(&side);
        fits(width) && fits(height)
    };
    let suits = rules.per_turn() == 1
        && rules.first_turn() == 1
        && rules.line() == 5
        && rules.size().is_some_and(fits);
    suits.then(|| match rules.overline() {
        Overline::Wins => Fives::OrMore,
        Overline::DoesNotWin => Fives::Exactly,
    })
}

/// Looks for a win of the side to move by fours and threes, with so many nodes; `None` for other games
/// ([`suits`]), or if the game is over.
pub fn win_by_threats(position: &Position, nodes: u64) -> Option<Threats> {
    ThreatSolver::new().solve(position, nodes)
}

/// Looks for wins by fours and threes. Keep it and use it again: it keeps its memory, but nothing of what was in it.
#[derive(Debug, Default)]
pub struct ThreatSolver {
    search: Option<ThreatSearch>,
}

impl ThreatSolver {
    /// A solver.
    pub fn new() -> Self {
        Self::default()
    }

    /// As [`win_by_threats`].
    pub fn solve(&mut self, position: &Position, nodes: u64) -> Option<Threats> {
        let board = board_of(position)?;
        let search = match &mut self.search {
            Some(search) => {
                search.start(board);
                search
            }
            none => none.insert(ThreatSearch::new(board, TABLE_BITS)),
        };
        let attacker = position.to_move();
        Some(match search.search(attacker, Means::Threes, nodes) {
            Answer::Won => match search.win(attacker, nodes) {
                Some(strategy) => Threats::Won(Win { strategy }),
                None => Threats::Unknown,
            },
            Answer::Failed => Threats::Nothing,
            Answer::Unknown => Threats::Unknown,
        })
    }

    /// How many positions the last search has looked at.
    pub fn nodes(&self) -> u64 {
        self.search.as_ref().map_or(0, |search| search.nodes)
    }
}

impl Win {
    /// As a proof that the side to move wins in the position in which it was found.
    pub fn proof(&self, position: &Position) -> Option<Proof> {
        let mut board = board_of(position)?;
        let attacker = position.to_move();
        Some(Proof {
            position: position.to_setup(),
            attacker,
            except: Vec::new(),
            region: None,
            zones: Vec::new(),
            nodes: proof::proof_nodes(&mut board, attacker, &self.strategy)?,
        })
    }

    /// Whether it wins in this position too, played through against every defence.
    pub fn wins_in(&self, position: &Position) -> bool {
        board_of(position)
            .is_some_and(|mut board| strategy::wins(&mut board, position.to_move(), &self.strategy))
    }
}

/// Why a position is not one for [`Solver`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unsuitable {
    /// Another game.
    #[error(
        "rules {0}: five in a row with one stone a turn, on boards from 5x5 to 15x15, is what can be solved this way"
    )]
    Rules(String),
    /// White is to move, or the numbers of stones are not those of a game.
    #[error("Black is to move in a position to be solved, with as many black stones as white ones")]
    NotBlack,
    /// The game is over.
    #[error("the game is over")]
    Over,
}

impl Solver {
    /// For a position with Black to move.
    pub fn of(position: &Position, settings: Settings) -> Result<Self, Unsuitable> {
        let empty = empty_of(position.rules())?;
        if position.outcome().is_some() {
            return Err(Unsuitable::Over);
        }
        let board = board_of(position).ok_or(Unsuitable::Over)?;
        let stones: Vec<(Side, cells::Cell)> = board.placed().collect();
        let black = stones
            .iter()
            .filter(|(side, _)| *side == Side::Black)
            .count();
        if position.to_move() != Side::Black || black * 2 != stones.len() {
            return Err(Unsuitable::NotBlack);
        }
        Ok(Self::new(empty, stones, settings))
    }
}

/// The empty board of a game.
fn empty_of(rules: Rules) -> Result<Board, Unsuitable> {
    let unsuitable = || Unsuitable::Rules(rules.to_string());
    let wins = suits(rules).ok_or_else(unsuitable)?;
    let (width, height) = rules.size().ok_or_else(unsuitable)?;
    Ok(Board::new(usize::from(width), usize::from(height), wins))
}

/// The rules of a board.
fn rules_of(board: &Board) -> Rules {
    let (width, height) = board.size();
    let overline = match board.wins() {
        Fives::OrMore => Overline::Wins,
        Fives::Exactly => Overline::DoesNotWin,
    };
    Rules::finite(width as u32, height as u32, 5, 1, 1, overline)
        .expect("a board of 5x5 to 15x15 has rules")
}

fn board_of(position: &Position) -> Option<Board> {
    let wins = suits(position.rules())?;
    if position.outcome().is_some() {
        return None;
    }
    let (width, height) = position.rules().size()?;
    let mut board = Board::new(usize::from(width), usize::from(height), wins);
    for stone in position.stones() {
        let cell = Board::at(stone.cell.x as usize, stone.cell.y as usize);
        board.place(stone.side, cell);
    }
    Some(board)
}
