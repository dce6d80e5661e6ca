//! Games of the main engine against itself, from random beginnings.

use crate::draw;
use tengen_player::{AlphaBeta, Engine as _, Limits, Options, Task, Verdict};
use tengen_rules::{Outcome, Position, Rules, Side};

/// Turns that are drawn before the engine takes over.
const DRAWN: std::ops::RangeInclusive<usize> = 2..=5;

/// Prints games, one a line: who won, and the stones. A proved win ends a game.
pub(crate) fn run(rules: Rules, count: usize, nodes: u64, seed: u64) {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut engine = AlphaBeta::new(&Options {
        memory: 32 << 20,
        seed,
    });
    for _ in 0..count {
        engine.forget();
        let (position, winner) = game(&mut engine, rules, nodes, &mut random);
        let word = match winner {
            Some(Side::Black) => "black",
            Some(Side::White) => "white",
            None => "draw",
        };
        let stones: Vec<String> = position
            .history()
            .filter_map(|(_, cell)| cell)
            .map(|cell| cell.to_string())
            .collect();
        println!("{word} {}", stones.join(" "));
    }
}

fn game(
    engine: &mut AlphaBeta,
    rules: Rules,
    nodes: u64,
    random: &mut fastrand::Rng,
) -> (Position, Option<Side>) {
    let turns = random.usize(DRAWN);
    let mut position = loop {
        if let Some(position) = draw::opening(rules, turns, random) {
            break position;
        }
    };
    loop {
        match position.outcome() {
            Some(Outcome::Win { side, .. }) => return (position.clone(), Some(*side)),
            Some(Outcome::Draw) => return (position, None),
            None => {}
        }
        let limits = Limits {
            nodes: Some(nodes / 2 + random.u64(..nodes.max(1))),
            ..Limits::default()
        };
        let Ok(answer) = engine.think(&position, &Task::new(limits)) else {
            return (position, None);
        };
        let mover = position.to_move();
        match answer.best().verdict {
            Verdict::Win(_) => return (position, Some(mover)),
            Verdict::Loss(_) => return (position, Some(!mover)),
            _ => {}
        }
        if position.play(&answer.best().turn).is_err() {
            return (position, None);
        }
    }
}
