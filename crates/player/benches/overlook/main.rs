//! Whether the main engine overlooks wins:
//! `cargo bench -p tengen-player --bench overlook -- GAMES WINS DEFENCES SECONDS`, or `nodes=N` for SECONDS, which a busy
//! machine does not change.
//!
//! GAMES is a collection such as LittleGolem's (packed or not), one game a line. Positions are taken from
//! the last turns of games. *Win*: the prover has a win of order 1 or 2 for the mover; the engine must
//! play a turn after which the win is proved. *Defence*: the opponent would have one after a null turn, and
//! some turn holds: the same search finds no win after it. The engine must play such a turn. It is counted
//! again with a search ten times as long.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for the terminal"
)]

#[path = "../../examples/fit/games.rs"]
mod games;

use std::error::Error;
use std::path::Path;
use std::time::Duration;

use tengen_player::{AlphaBeta, Clock, Engine as _, Limits, Options, Task, Verdict};
use tengen_prover::{Limits as ProverLimits, Request, Solver, Value, VerifyRequest, verify};
use tengen_rules::{Cell, Position, Rules, Turn};

/// Nodes to find what is there.
const FIND: u64 = 200_000;
/// Nodes of a long search for what is wrong with the engine's turn.
const REFUTE: u64 = 2_000_000;
/// Nodes of inner searches that list defences.
const LISTING: [u64; 3] = [300, 3_000, 20_000];
/// Positions are taken from so many last turns.
const LAST_TURNS: usize = 8;

/// How often it went well.
#[derive(Default)]
struct Tally {
    tried: usize,
    good: usize,
    slowest: Duration,
}

impl Tally {
    fn count(&mut self, good: bool, time: Duration) {
        self.tried += 1;
        self.good += usize::from(good);
        self.slowest = self.slowest.max(time);
    }

    fn show(&self, what: &str) {
        let share = 100.0 * self.good as f64 / self.tried.max(1) as f64;
        let slowest = self.slowest.as_secs_f64() * 1e3;
        println!(
            "{what}: {} of {}, {share:.1} %; longest turn {slowest:.0} ms",
            self.good, self.tried
        );
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .collect();
    let [path, win_count, defence_count, seconds] = words.as_slice() else {
        println!("expected GAMES WINS DEFENCES SECONDS; nothing is measured");
        return Ok(());
    };
    let (win_count, defence_count): (usize, usize) = (win_count.parse()?, defence_count.parse()?);
    let mut games = games::read(Path::new(path), Rules::CONNECT6)?;
    games.retain(|game| game.winner.is_some());
    let mut random = fastrand::Rng::with_seed(17);
    random.shuffle(&mut games);
    let mut engine = AlphaBeta::new(&Options::default());
    let mut solver = Solver::default();
    let mut limits = Limits::default();
    match seconds.strip_prefix("nodes=") {
        Some(nodes) => limits.nodes = Some(nodes.parse()?),
        None => limits.clock = Clock::per_turn(Duration::from_secs_f64(seconds.parse()?)),
    }
    let (mut wins, mut defences, mut long) = <(Tally, Tally, Tally)>::default();
    for game in &games {
        let back = random.usize(..LAST_TURNS) * 2;
        let stones = game.stones.len().saturating_sub(back);
        let Ok(position) = Position::replay(Rules::CONNECT6, &game.stones[..stones]) else {
            continue;
        };
        if position.outcome().is_some() || position.left() != 2 {
            continue;
        }
        let won = has_win(&mut solver, &position, FIND);
        let survivors = if won || defences.tried >= defence_count {
            Vec::new()
        } else {
            saving_turns(&mut solver, &position)
        };
        let wanted = match won {
            true => wins.tried < win_count,
            false => !survivors.is_empty(),
        };
        if !wanted {
            continue;
        }
        engine.forget();
        let answer = engine.think(&position, &Task::new(limits))?;
        let best = answer.best();
        if won {
            let mut after = position.clone();
            after.play(&best.turn)?;
            let good = after.outcome().is_some() || matches!(best.verdict, Verdict::Win(_));
            wins.count(good, answer.time);
        } else {
            for (tally, nodes) in [(&mut defences, FIND), (&mut long, REFUTE)] {
                let mut holds = |turn: &[Cell]| holds(&mut solver, &position, turn, nodes);
                let good = holds(best.turn.cells());
                if good || survivors.iter().any(|set| holds(set)) {
                    tally.count(good, answer.time);
                }
            }
        }
        if (wins.tried + defences.tried).is_multiple_of(20) {
            wins.show("wins");
            defences.show("defences");
            long.show("defences, long search");
        }
        if wins.tried >= win_count && defences.tried >= defence_count {
            break;
        }
    }
    println!("\nfinished");
    wins.show("wins");
    defences.show("defences");
    long.show("defences, long search");
    Ok(())
}

fn has_win(solver: &mut Solver, position: &Position, nodes: u64) -> bool {
    [1, 2].into_iter().any(|order| {
        let request = Request {
            limits: ProverLimits {
                nodes: Some(nodes),
                time: None,
            },
            ..Request::new(position.to_move(), order)
        };
        matches!(solver.solve(position, &request).value, Value::Win(_))
    })
}

/// Where the opponent wins after a null turn: the turns, or parts of turns, that survive a verification.
fn saving_turns(solver: &mut Solver, position: &Position) -> Vec<Vec<Cell>> {
    let mut passed = position.clone();
    passed.pass();
    if !has_win(solver, &passed, FIND) {
        return Vec::new();
    }
    let request = VerifyRequest {
        stages: &LISTING,
        limits: ProverLimits {
            nodes: Some(2_000_000),
            time: None,
        },
        ..VerifyRequest::new(2)
    };
    let found = verify(position, &request).ok();
    let found = found.filter(|found| found.finished);
    found.map_or_else(Vec::new, |found| found.survivors)
}

/// Whether the opponent has no win that so many nodes find after this turn. A part of a turn counts as one
/// that holds: nobody knows.
fn holds(solver: &mut Solver, position: &Position, turn: &[Cell], nodes: u64) -> bool {
    let mut after = position.clone();
    let turn: Turn = turn.iter().copied().collect();
    after.play(&turn).is_err() || after.outcome().is_some() || !has_win(solver, &after, nodes)
}
