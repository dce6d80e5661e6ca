//! Positions from real games, when the collection is there: every win found is verified.

use std::fs::File;
use std::io::Read;

use flate2::read::GzDecoder;
use tengen_prover::{Solver, Value};
use tengen_rules::notation::{Format, ReadOptions, read};
use tengen_rules::{Position, Rules};

use crate::support::{solve, verified};

/// How many positions are cut from the games.
const POSITIONS: usize = 10_000;

/// Node limits.
const FORCED: u64 = 2_000;
const QUIET: u64 = 2_000;

#[test]
#[expect(clippy::print_stderr, reason = "counts, and why nothing was tested")]
fn positions_of_real_games() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../shared/data/littlegolem.txt.gz"
    );
    let Ok(file) = File::open(path) else {
        eprintln!("note: the game collection is not there, nothing was tested");
        return;
    };
    let mut bytes = Vec::new();
    GzDecoder::new(file).read_to_end(&mut bytes).expect("gzip");
    let records = read(Format::LittleGolem, &bytes, &ReadOptions::default()).expect("reads");
    let mut solver = Solver::new(14);
    let (mut asked, mut wins, mut none, mut unknown) = (0, 0, 0, 0);
    let (mut quiet_asked, mut quiet_wins, mut longest) = (0, 0, 0);
    for number in 0..2 * POSITIONS {
        if asked == POSITIONS {
            break;
        }
        // A fixed choice over all games; 1 to 12 turns before the end, so that either side moves.
        let record = &records[number * 7_919 % records.len()];
        let cells = record.main_moves();
        let before = 2 * (1 + number % 12);
        let Some(stones) = cells.len().checked_sub(before).filter(|&stones| stones > 0) else {
            continue;
        };
        let position = Position::replay(Rules::CONNECT6, &cells[..stones]).expect("a legal game");
        if position.outcome().is_some() {
            continue;
        }
        asked += 1;
        let solution = solve(&mut solver, &position, 1, Some(FORCED));
        match &solution.value {
            Value::Win(proof) => {
                wins += 1;
                let report = verified(proof, &solution, &position);
                longest = longest.max(report.depth);
            }
            Value::None => none += 1,
            Value::Unknown => unknown += 1,
        }
        if number % 8 == 0 && !matches!(solution.value, Value::Win(_)) {
            quiet_asked += 1;
            let solution = solve(&mut solver, &position, 2, Some(QUIET));
            if let Value::Win(proof) = &solution.value {
                quiet_wins += 1;
                verified(proof, &solution, &position);
            }
        }
    }
    eprintln!(
        "games: {asked} positions, {wins} wins verified (longest {longest} turns), {none} none, \
         {unknown} unknown; order 2: {quiet_asked} positions, {quiet_wins} wins verified"
    );
    assert!(asked == POSITIONS && wins * 10 > asked);
}
