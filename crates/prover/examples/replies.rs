//! What the search for wins of order 2 is worth where openings are solved: how many replies it refutes with so many nodes.
//!
//! `cargo run --release -p tengen-prover --example replies`. The counts are the same on any machine; they tell more than the time of
//! an opening, which luck may double.

use std::error::Error;
use std::io::Write as _;
use std::time::Instant;

use tengen_prover::{Limits, Request, Solver, Value};
use tengen_rules::{Rules, notation};

const REPLIES: &str = include_str!("../../../suites/bench/replies.txt");

/// The limits for which wins are counted; each position is searched once, with the last of them.
const NODES: [u64; 5] = [300, 1_000, 3_000, 6_000, 20_000];

fn main() -> Result<(), Box<dyn Error>> {
    let mut solver = Solver::new(18);
    let mut won = [0; NODES.len()];
    let (mut positions, mut nodes) = (0, 0);
    let start = Instant::now();
    let lines = REPLIES.lines().filter(|line| !line.starts_with('#'));
    for line in lines {
        let position = notation::parse_position(line, Rules::CONNECT6)?;
        let limits = Limits {
            nodes: NODES.last().copied(),
            time: None,
        };
        let request = Request {
            limits,
            ..Request::new(position.to_move(), 2)
        };
        let solution = solver.solve(&position, &request);
        positions += 1;
        nodes += solution.nodes;
        if matches!(solution.value, Value::Win(_)) {
            for (count, most) in won.iter_mut().zip(NODES) {
                *count += u32::from(solution.nodes <= most);
            }
        }
    }
    let mut out = std::io::stdout();
    for (count, most) in won.iter().zip(NODES) {
        writeln!(
            out,
            "{count} of {positions} replies refuted with {most} nodes"
        )?;
    }
    let seconds = start.elapsed().as_secs_f64();
    writeln!(out, "{nodes} nodes in all, {seconds:.2} s")?;
    Ok(())
}
