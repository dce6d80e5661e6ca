//! Cloudict and its copies: `black` and `white` place the stones of the opening, `next` asks for the first
//! turn, and `move` for the others.

use tengen_rules::{Position, Side};

use super::{Client, Heard, last_turn, letters, turns};
use crate::Limits;

/// A game.
pub(super) struct Cloudict {
    side: Side,
    begun: bool,
}

impl Cloudict {
    pub(super) const fn new(side: Side) -> Self {
        Self { side, begun: false }
    }
}

impl Client for Cloudict {
    fn hello(&mut self) -> Vec<String> {
        vec!["name".to_owned()]
    }

    fn ask(&mut self, position: &Position, _limits: &Limits) -> Vec<String> {
        if self.begun {
            let last = last_turn(position).into_iter();
            return last
                .map(|(_, turn)| format!("move {}", letters::text(&turn)))
                .collect();
        }
        self.begun = true;
        let turns = turns(position);
        if turns.is_empty() && self.side == Side::Black {
            // The engine plays at once.
            return vec!["new black".to_owned()];
        }
        let place = |(side, turn): &(Side, _)| match side {
            Side::Black => format!("black {}", letters::text(turn)),
            Side::White => format!("white {}", letters::text(turn)),
        };
        let mut lines = vec!["new white".to_owned()];
        lines.extend(turns.iter().map(place));
        lines.push("next".to_owned());
        lines
    }

    fn hear(&mut self, line: &str) -> Result<Heard, String> {
        letters::hear(line)
    }

    fn bye(&self) -> &'static str {
        "quit"
    }
}
