//! Makes openings for matches: varied, and roughly even in the main engine's eyes.
//!
//! ```text
//! cargo run --release -p tengen-player --example openings -- RULES TURNS COUNT NODES SEED > openings.txt
//! ```
//!
//! Turns are drawn as likely as strong players make them; then the engine judges the position, and those
//! are kept that it neither proves nor believes to be much better for one side. Mirror images and rotations
//! of a kept opening are left out.

#![allow(clippy::print_stdout, reason = "a program for the terminal")]

#[path = "fit/draw.rs"]
mod draw;

use std::collections::HashSet;
use std::error::Error;

use tengen_player::{AlphaBeta, Engine as _, Limits, Options, Task};
use tengen_rules::{Canonical, Position, Rules};

/// Openings whose score is further from zero are left out; the unit is a hundredth of the logarithm of
/// the odds.
const EVEN: i32 = 40;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [rules, turns, count, nodes, seed] = words.as_slice() else {
        return Err("expected RULES TURNS COUNT NODES SEED".into());
    };
    let (rules, nodes): (Rules, u64) = (rules.parse()?, nodes.parse()?);
    let (turns, count): (usize, usize) = (turns.parse()?, count.parse()?);
    let mut random = fastrand::Rng::with_seed(seed.parse()?);
    let mut engine = AlphaBeta::new(&Options::default());
    println!(
        "# {turns} turns of {rules}, judged within {EVEN} hundredths of even with {nodes} nodes; seed {seed}"
    );
    let mut seen = HashSet::new();
    while seen.len() < count {
        let Some(position) = draw::opening(rules, turns, &mut random) else {
            continue;
        };
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let answer = engine.think(&position, &Task::new(limits))?;
        let best = answer.best();
        let even = best.verdict.proof().is_none() && best.score.0.abs() <= EVEN;
        let canonical = Position::from_setup(&Canonical::of(&position).setup)?;
        if even && seen.insert(canonical.key()) {
            let stones: Vec<String> = position
                .history()
                .filter_map(|(_, cell)| cell)
                .map(|cell| cell.to_string())
                .collect();
            println!("{}", stones.join(" "));
        }
    }
    Ok(())
}
