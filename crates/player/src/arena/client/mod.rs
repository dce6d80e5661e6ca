//! Other people's engines: our side of the protocols they speak. Each protocol is a small state machine of
//! lines; `process.rs` runs the engine and passes the lines on.

mod cloudict;
mod gomocup;
mod letters;
mod process;
mod sau;
mod simple;

use tengen_rules::{Extent, Position, Rules, Side, Turn};

use super::Opening;
use crate::Limits;
use crate::protocol::ProtocolKind;

pub(super) use process::External;

impl ProtocolKind {
    /// Whether games can begin with an opening.
    pub const fn takes_openings(self) -> bool {
        !matches!(self, Self::Sau)
    }

    /// Why these games cannot be played in this protocol.
    pub(super) fn refuses(self, rules: Rules, openings: &[Opening]) -> Option<String> {
        let reason = match self {
            Self::Gomocup if rules.per_turn() != 1 || rules.first_turn() != 1 => {
                "its turns have one stone"
            }
            Self::Gomocup if rules.extent() == Extent::Infinite => "its boards are finite",
            Self::Sau | Self::Cloudict if rules != Rules::CONNECT6 => "it only knows connect6",
            Self::Sau if openings.iter().any(|opening| !opening.stones.is_empty()) => {
                "its games begin with the empty board, the line `-` of an openings file"
            }
            Self::Simple if !letters::fit(rules) => "its boards have at most 26 columns and rows",
            _ => return None,
        };
        Some(format!("the protocol {self} cannot play this: {reason}"))
    }

    /// Our side of a game in which the engine has this side.
    fn client(self, game: Start) -> Box<dyn Client> {
        match self {
            Self::Gomocup => Box::new(gomocup::Gomocup::new(game)),
            Self::Sau => Box::new(sau::Sau::new(game.side)),
            Self::Cloudict => Box::new(cloudict::Cloudict::new(game.side)),
            Self::Simple => Box::new(simple::Simple),
        }
    }
}

/// What a client knows before the first turn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Start {
    pub(super) rules: Rules,
    pub(super) side: Side,
    pub(super) memory: usize,
}

/// What a line of the engine means.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Heard {
    /// Nothing for us.
    Nothing,
    /// The engine is ready to play.
    Ready,
    /// Its turn.
    Turn(Turn),
}

/// One side of a conversation: no process, no clock.
trait Client: Send {
    /// What is said first; the engine answers that it is ready, unless nothing is said.
    fn hello(&mut self) -> Vec<String>;

    /// Asks for the engine's turn in this position, whose history begins with the empty board.
    fn ask(&mut self, position: &Position, limits: &Limits) -> Vec<String>;

    /// What a line means, or why it makes no sense.
    fn hear(&mut self, line: &str) -> Result<Heard, String>;

    /// What is said last.
    fn bye(&self) -> &'static str;
}

/// The last turn of a game: the stones of one side that were placed last.
fn last_turn(position: &Position) -> Option<(Side, Turn)> {
    let (side, _) = position.history().next_back()?;
    let stones = position.history().rev();
    let own = stones.take_while(|&(other, _)| other == side);
    Some((side, own.filter_map(|(_, cell)| cell).collect()))
}

/// The turns of a game in order.
fn turns(position: &Position) -> Vec<(Side, Turn)> {
    let history: Vec<_> = position.history().collect();
    let same = history.chunk_by(|a, b| a.0 == b.0);
    same.map(|turn| {
        (
            turn[0].0,
            turn.iter().filter_map(|&(_, cell)| cell).collect(),
        )
    })
    .collect()
}

/// A quotation that stays on one line and has no end of its own making.
fn quoted(line: &str) -> String {
    let short: String = line.chars().take(60).collect();
    format!("`{}`", short.escape_debug())
}

#[cfg(test)]
mod tests;
