//! How fast wins are found and checked: `cargo bench -p tengen-prover`.
//!
//! Positions: `suites/bench/wins.txt`, and, if the game records lie beside the project, positions cut
//! from real games with the winner to move. Each position is solved alone, one thread; every win is
//! checked. `--quick` takes a tenth of the positions.

#![allow(clippy::print_stdout, missing_docs, reason = "a bench talks")]

use std::io::Read as _;
use std::time::{Duration, Instant};

use tengen_checker::Verdict;
use tengen_prover::{Request, Solver, Value};
use tengen_rules::{Outcome, Position, Rules, notation};

const SUITE: &str = include_str!("../../../../suites/bench/wins.txt");
const GAMES: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../../shared/data/littlegolem.txt.gz"
);

/// Nodes after which a position counts as not solved.
const LIMIT: u64 = 2_000_000;

fn main() {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let every = if quick { 10 } else { 1 };
    println!(
        "{:34} {:>9} {:>12} {:>10} {:>10} {:>10} {:>6} {:>6} {:>9} {:>9}",
        "set",
        "solved",
        "nodes",
        "nodes/s",
        "median ms",
        "p95 ms",
        "<50ms",
        "<1s",
        "search s",
        "check s"
    );
    for (rules, order, positions) in suite() {
        let name = format!("suite {rules} order {order}");
        run(
            &name,
            &positions.into_iter().step_by(every).collect::<Vec<_>>(),
            order,
        );
    }
    match std::fs::File::open(GAMES) {
        Err(_) => {
            println!("no game records beside the project: positions from real games left out")
        }
        Ok(file) => {
            let mut text = String::new();
            flate2::read::GzDecoder::new(file)
                .read_to_string(&mut text)
                .expect("the records can be read");
            let most = 200 / every;
            run("games, order 1, up to 8 turns", &won_by(&text, 1, most), 1);
            run("games, order 2 needed", &won_by(&text, 2, most), 2);
        }
    }
}

/// The committed positions by rules and order.
fn suite() -> Vec<(Rules, u8, Vec<Position>)> {
    let mut sets: Vec<(Rules, u8, Vec<Position>)> = Vec::new();
    let mut rules = Rules::CONNECT6;
    for line in SUITE
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        if let Some(name) = line.strip_prefix("rules ") {
            rules = name.parse().expect("rules");
        } else if let Some(order) = line.strip_prefix("order ") {
            sets.push((rules, order.parse().expect("an order"), Vec::new()));
        } else {
            let position = notation::parse_position(line, rules).expect("a position");
            sets.last_mut()
                .expect("an order comes first")
                .2
                .push(position);
        }
    }
    sets
}

/// Positions of real games with the winner to move, 2 to 8 of his turns before the end, that are won
/// by this order and not by a lower one.
fn won_by(games: &str, order: u8, most: usize) -> Vec<Position> {
    let mut solver = Solver::default();
    let mut found = Vec::new();
    for (number, line) in games.lines().enumerate() {
        let turns: Vec<&str> = line.split_whitespace().skip(1).collect();
        let before = 2 + number % 7;
        let play =
            |turns: &[&str]| notation::parse_position(&turns.join(" "), Rules::CONNECT6).ok();
        let won =
            play(&turns).is_some_and(|end| matches!(end.outcome(), Some(Outcome::Win { .. })));
        if !won || turns.len() < 2 * before {
            continue;
        }
        let Some(position) = play(&turns[..turns.len() + 1 - 2 * before]) else {
            continue;
        };
        let mut request = Request::new(position.to_move(), 1);
        request.limits.nodes = Some(100_000);
        let first = solver.solve(&position, &request).value;
        let wanted = match order {
            1 => matches!(first, Value::Win(_)),
            _ => {
                request.order = order;
                request.limits.nodes = Some(300_000);
                first == Value::None
                    && matches!(solver.solve(&position, &request).value, Value::Win(_))
            }
        };
        if wanted {
            found.push(position);
            if found.len() == most {
                break;
            }
        }
    }
    found
}

fn run(name: &str, positions: &[Position], order: u8) {
    let mut solver = Solver::default();
    let (mut times, mut solved, mut nodes, mut checking) = (Vec::new(), 0, 0, Duration::ZERO);
    for position in positions {
        let mut request = Request::new(position.to_move(), order);
        request.limits.nodes = Some(LIMIT);
        let start = Instant::now();
        let solution = solver.solve(position, &request);
        times.push(start.elapsed().as_secs_f64());
        nodes += solution.nodes;
        if let Value::Win(proof) = solution.value {
            solved += 1;
            let text = proof.to_text();
            let start = Instant::now();
            let verdict = tengen_checker::check(&text, &Default::default());
            checking += start.elapsed();
            assert!(matches!(verdict, Verdict::Verified(_)), "{verdict}\n{text}");
        }
    }
    times.sort_by(f64::total_cmp);
    let (count, total) = (times.len(), times.iter().sum::<f64>());
    let within = |seconds: f64| times.iter().filter(|&&time| time < seconds).count();
    println!(
        "{name:34} {:>9} {nodes:>12} {:>10.0} {:>10.3} {:>10.3} {:>6} {:>6} {total:>9.3} {:>9.3}",
        format!("{solved}/{count}"),
        nodes as f64 / total,
        times.get(count / 2).unwrap_or(&0.0) * 1e3,
        times.get(count * 95 / 100).unwrap_or(&0.0) * 1e3,
        within(0.05),
        within(1.0),
        checking.as_secs_f64(),
    );
}
