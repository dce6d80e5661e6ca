//! Writes a certificate to stdout: `cargo run --release -p tengen-drawn --example prove -- 16 3`.
#![expect(clippy::print_stdout, reason = "this is the program's output")]
use tengen_drawn::{Position, Solver, Strategy, certificate, known};
fn main() {
    let numbers: Vec<usize> = std::env::args()
        .skip(1)
        .map(|word| word.parse().expect("a number"))
        .collect();
    let known = known::find(numbers[0], numbers[1]).expect("a known tiling");
    let mut solver = Solver::new(known.per_turn);
    let strategies: Vec<Strategy> = known
        .tiling
        .tiles
        .iter()
        .map(|tile| {
            solver.is_drawn(&Position::from_board(&tile.board));
            Strategy::find(&tile.board.sets(), known.per_turn, &mut solver).expect("drawn")
        })
        .collect();
    print!(
        "{}",
        certificate(known.line, known.per_turn, &known.tiling, &strategies)
    );
}
