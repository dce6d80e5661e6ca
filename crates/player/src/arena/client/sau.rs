//! The SAU platform: `new black` or `new white`, then `move ABCD` in both directions. A game begins with
//! the empty board; the engine that has Black plays at once.

use tengen_rules::{Position, Side};

use super::{Client, Heard, last_turn, letters};
use crate::Limits;

/// A game.
pub(super) struct Sau {
    side: Side,
    begun: bool,
}

impl Sau {
    pub(super) const fn new(side: Side) -> Self {
        Self { side, begun: false }
    }
}

impl Client for Sau {
    fn hello(&mut self) -> Vec<String> {
        vec!["name?".to_owned()]
    }

    fn ask(&mut self, position: &Position, _limits: &Limits) -> Vec<String> {
        let mut lines = Vec::new();
        if !self.begun {
            self.begun = true;
            lines.push(match self.side {
                Side::Black => "new black".to_owned(),
                Side::White => "new white".to_owned(),
            });
        }
        if let Some((_, turn)) = last_turn(position) {
            let mut stones = letters::text(&turn);
            if turn.len() == 1 {
                stones.push_str(letters::NOTHING);
            }
            lines.push(format!("move {stones}"));
        }
        lines
    }

    fn hear(&mut self, line: &str) -> Result<Heard, String> {
        letters::hear(line)
    }

    fn bye(&self) -> &'static str {
        "quit"
    }
}
