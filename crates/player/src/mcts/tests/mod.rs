//! Values against brute force, limits, and every sort of game.

mod drawn_trees;
mod engines;
mod values;

use tengen_rules::{Position, Rules, notation};

use super::{Mcts, Stages};
use crate::{Limits, Options};

fn position(rules: &str, text: &str) -> Position {
    let rules: Rules = rules.parse().expect("known rules");
    notation::parse_position(text, rules).expect("a legal position")
}

fn nodes(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}

fn kinds() -> [Mcts; 3] {
    let options = Options::default();
    let kavalan = Mcts::new(&options);
    let first = Mcts {
        stages: Stages::TypeI,
        ..kavalan
    };
    [kavalan, first, Mcts::plain(&options)]
}
