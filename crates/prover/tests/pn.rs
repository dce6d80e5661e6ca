//! Wins by fours and threes in Go-Moku: the checker, which shares nothing with the search, verifies every one.

use tengen_checker::{Limits, check_claim};
use tengen_prover::pn::{Threats, suits, win_by_threats};
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
    let texts = ["gomoku", "9,9,5,1,1", "13,11,5,1,1"];
    for number in 0..240 {
        let rules: Rules = texts[number % 3].parse().expect("rules");
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
