//! How deep and how fast the main engine thinks: `cargo bench -p tengen-player --bench think [SECONDS]`.
//!
//! Positions are quiet ones from games the engine played against itself, in the middle game of Connect6.

#![allow(clippy::print_stdout, reason = "a program for the terminal")]

use std::time::Duration;

use tengen_player::{AlphaBeta, Clock, Engine as _, Limits, Options, Task};
use tengen_rules::{Rules, notation};

const POSITIONS: &str = include_str!("middle_games.txt");

fn main() {
    let seconds = std::env::args().skip(1).find_map(|word| word.parse().ok());
    let time = Duration::from_secs_f64(seconds.unwrap_or(1.0));
    let mut engine = AlphaBeta::new(&Options::default());
    let limits = Limits {
        clock: Clock::per_turn(time),
        ..Limits::default()
    };
    let (mut nodes, mut turns, mut depths, mut spent) = (0, 0, 0, Duration::ZERO);
    for line in POSITIONS.lines() {
        let position = notation::parse_position(line, Rules::CONNECT6).expect("a legal game");
        engine.forget();
        let answer = engine
            .think(&position, &Task::new(limits))
            .expect("a game that goes on");
        let best = answer.best();
        println!(
            "depth {:2}  {:>9} nodes  {:>9} turns of alpha-beta  {:>7.0} ms  {} {} ({})  {line}",
            answer.depth,
            answer.nodes,
            engine.turns(),
            answer.time.as_secs_f64() * 1e3,
            best.turn,
            best.verdict,
            best.score.0,
        );
        nodes += answer.nodes;
        turns += engine.turns();
        depths += answer.depth;
        spent += answer.time;
    }
    let per_second = |count: u64| count as f64 / spent.as_secs_f64();
    println!(
        "{:.0} nodes/s, {:.0} turns of alpha-beta/s, mean depth {:.2}",
        per_second(nodes),
        per_second(turns),
        f64::from(depths) / POSITIONS.lines().count() as f64,
    );
}
