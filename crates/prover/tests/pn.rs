//! Wins by fours and threes in Go-Moku: the checker, which shares nothing with the search, verifies every one.

use std::sync::atomic::{AtomicBool, Ordering};

use tengen_checker::{GomokuDatabase, GomokuLimits, GomokuVerdict, Limits, check_claim};
use tengen_prover::pn::{Database, Outcome, Settings, Solver, Threats, suits, win_by_threats};
use tengen_rules::{Cell, Position, Rules, Side, notation};

struct Random(u64);

impl Random {
    fn below(&mut self, number: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % number as u64) as usize
    }
}

/// Stones in the middle of the board, as in a game.
fn thrown(rules: Rules, stones: usize, random: &mut Random) -> Option<Position> {
    let (width, height) = rules.size()?;
    let mut cells: Vec<Cell> = Vec::new();
    while cells.len() < stones {
        let at = |size: u8, random: &mut Random| size as usize / 2 - 3 + random.below(7);
        let cell = Cell::new(at(width, random) as i16, at(height, random) as i16);
        if !cells.contains(&cell) {
            cells.push(cell);
        }
    }
    let position = Position::replay(rules, &cells).ok()?;
    position.outcome().is_none().then_some(position)
}

#[test]
fn every_win_by_threats_is_verified() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut won, mut nothing, mut elsewhere) = (0, 0, 0);
    let texts = ["gomoku", "9,9,5,1,1", "13,11,5,1,1", "gomoku-standard"];
    for number in 0..320 {
        let rules: Rules = texts[number % 4].parse().expect("rules");
        let Some(position) = thrown(rules, 8 + number % 12, &mut random) else {
            continue;
        };
        match win_by_threats(&position, 50_000) {
            Some(Threats::Won(win)) => {
                let proof = win.proof(&position).expect("of this game");
                let attacker = match position.to_move() {
                    Side::Black => "black",
                    Side::White => "white",
                };
                let text = notation::setup_text(&position.to_setup());
                let verdict = check_claim(
                    &proof.to_text(),
                    &rules.to_string(),
                    &text,
                    attacker,
                    &Limits::default(),
                );
                assert!(verdict.is_verified(), "{text}: {verdict}");
                won += 1;
                assert!(win.wins_in(&position));
                elsewhere +=
                    u32::from(win.wins_in(&thrown(rules, 10, &mut random).unwrap_or(position)));
            }
            Some(Threats::Nothing) => nothing += 1,
            Some(Threats::Unknown) => {}
            None => panic!("the game goes on"),
        }
    }
    assert!(won > 60 && nothing > 30, "{won} {nothing}");
    assert!(elsewhere < won, "a strategy does not win everywhere");
}

#[test]
fn other_games_are_refused() {
    let suited = |text: &str| suits(text.parse().expect("rules")).is_some();
    assert!(suited("gomoku") && suited("gomoku-standard") && suited("9,13,5,1,1"));
    for other in ["connect6", "15,15,6,1,1", "inf,inf,5,1,1", "19,19,5,1,1"] {
        assert!(!suited(other), "{other}");
    }
    let connect6 = Position::replay(Rules::CONNECT6, &[]).expect("legal");
    assert!(win_by_threats(&connect6, 1_000).is_none());
}

fn position(rules: &str, game: &str) -> Position {
    let rules: Rules = rules.parse().expect("rules");
    notation::parse_position(game, rules).expect("a position")
}

/// Solves a position and has the proof checked.
fn proved(rules: &str, game: &str) -> Vec<u8> {
    let solver = Solver::of(&position(rules, game), Settings::default()).expect("suitable");
    let stop = AtomicBool::new(false);
    let outcome = solver.solve(&stop, &|_| {}).expect("no journal");
    assert_eq!(outcome, Outcome::Won, "{game}");
    let bytes = solver.database().expect("it is proved");
    let database = GomokuDatabase::read(&bytes).expect("well formed");
    let verdict = database.check(&GomokuLimits::default(), |_, _| {});
    assert!(
        matches!(verdict, GomokuVerdict::Verified(_)),
        "{game}: {verdict}"
    );
    bytes
}

#[test]
fn openings_are_proved_and_the_checker_verifies_it() {
    for (rules, game) in [
        ("gomoku", "H8 L10 I9 G7"),
        ("gomoku", "H8 J9 G9 I9"),
        ("gomoku", "H8 H7 G7 I7"),
        ("gomoku-standard", "H8 L10 I9 L12"),
    ] {
        let bytes = proved(rules, game);
        let database = Database::read(bytes).expect("what was written");
        assert!(database.len() > 1 && database.depths()[4] == 1);
    }
}

#[test]
fn what_is_kept_is_not_searched_again() {
    let path = std::env::temp_dir().join(format!("tengen-gomoku-{}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    let start = position("gomoku", "H8 L10");
    // Stopped again and again while third moves race against fourth moves.
    let mut known = 0;
    for _ in 0..2 {
        let mut solver = Solver::of(&start, Settings::default()).expect("suitable");
        solver.keep_in(&path).expect("a new journal, or the same");
        assert_eq!(solver.count(), known, "all that was found is there");
        let stop = AtomicBool::new(false);
        let goal = known + 1;
        let outcome = solver.solve(&stop, &|news| {
            if news.records >= goal {
                stop.store(true, Ordering::Relaxed);
            }
        });
        assert_eq!(outcome.expect("the journal is kept"), Outcome::Open);
        assert!(solver.count() >= goal);
        assert!(solver.database().is_none(), "the root is not proved");
        known = solver.count();
    }
    std::fs::remove_file(&path).expect("there");
}
