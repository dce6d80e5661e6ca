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

use std::collections::HashSet;
use std::error::Error;

use tengen_player::evaluation::PatternBoard;
use tengen_player::{AlphaBeta, Engine as _, Limits, Options, Task};
use tengen_rules::{Canonical, Position, Rules};
use tengen_threats::Index;

/// Openings whose score is further from zero are left out; the unit is a hundredth of the logarithm of
/// the odds.
const EVEN: i32 = 40;
/// Where stones are drawn from: the most attractive cells.
const CELLS: usize = 40;

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
        let Some(position) = draw(rules, turns, &mut random) else {
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

/// A few turns; the first is in the middle.
fn draw(rules: Rules, turns: usize, random: &mut fastrand::Rng) -> Option<Position> {
    let mut position = Position::new(rules);
    let mut done = 0;
    while done < turns {
        let mover = position.to_move();
        let board = PatternBoard::from_position(&position);
        let grid = position.grid();
        let index = if position.stones().next().is_none() {
            (grid.len() / 2) as Index
        } else {
            let mut cells = Vec::new();
            board.best_cells(mover, CELLS, &mut cells);
            let best = cells.first()?.0;
            let chance =
                |&(worth, _): &(i32, Index)| f64::from(worth - best).mul_add(1e-3, 0.0).exp();
            let mut at = random.f64() * cells.iter().map(chance).sum::<f64>();
            let drawn = cells.iter().find(|cell| {
                at -= chance(cell);
                at <= 0.0
            });
            drawn.unwrap_or(&cells[0]).1
        };
        position.place(board.cell(index)).ok()?;
        if position.outcome().is_some() {
            return None;
        }
        done += usize::from(position.to_move() != mover);
    }
    Some(position)
}
