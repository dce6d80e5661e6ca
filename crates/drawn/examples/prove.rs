//! Writes a certificate to stdout and what it took to stderr:
//! `cargo run --release -p tengen-drawn --example prove -- 16 3`. `tengen drawn prove` also has it checked.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is the program's output"
)]

use std::time::Instant;

use tengen_drawn::{Position, Solver, Strategy, certificate, known};

fn main() {
    let mut numbers = std::env::args()
        .skip(1)
        .map(|word| word.parse().expect("a number"));
    let mut next = || numbers.next().expect("K and P");
    let known = known::find(next(), next()).expect("a known tiling");
    let mut solver = Solver::new(known.per_turn);
    let start = Instant::now();
    for tile in &known.tiling.tiles {
        assert_eq!(
            solver.is_drawn(&Position::from_board(&tile.board)),
            Some(true)
        );
    }
    eprintln!(
        "{} positions generated, {} components solved, {:.3} s",
        solver.generated(),
        solver.solved(),
        start.elapsed().as_secs_f64()
    );
    let find = |tile: &tengen_drawn::Tile| {
        Strategy::find(&tile.board.sets(), known.per_turn, &mut solver).expect("drawn")
    };
    let strategies: Vec<Strategy> = known.tiling.tiles.iter().map(find).collect();
    eprintln!("strategy written, {:.3} s", start.elapsed().as_secs_f64());
    print!(
        "{}",
        certificate(known.line, known.per_turn, &known.tiling, &strategies)
    );
}
