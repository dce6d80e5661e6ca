//! Levels play legally, repeat themselves, and keep within their limits.

use tengen_player::{EngineKind, Level, Limits, Options, Task};
use tengen_rules::{Position, Rules, Turn};

const SMALL: Options = Options {
    memory: 4 << 20,
    seed: 9,
};

/// A few turns of a level against itself, with few nodes.
fn turns(level: Level, rules: Rules) -> Vec<Turn> {
    let mut engine = EngineKind::Level(level).build(&SMALL);
    let mut position = Position::new(rules);
    let limits = Limits {
        nodes: Some(2_000),
        ..Limits::default()
    };
    let mut turns = Vec::new();
    while turns.len() < 6 && position.outcome().is_none() {
        let answer = engine.think(&position, &Task::new(limits)).expect("a turn");
        assert_eq!(answer.lines.len(), 1);
        let turn = answer.best().turn.clone();
        position.play(&turn).expect("a legal turn");
        turns.push(turn);
    }
    turns
}

#[test]
fn every_level_plays_legally_and_repeats_itself() {
    for level in Level::all() {
        for rules in [Rules::CONNECT6, Rules::GOMOKU] {
            assert_eq!(turns(level, rules), turns(level, rules), "{level}");
        }
    }
}

#[test]
fn careless_levels_overlook_what_careful_ones_see() {
    let position = "B:H10,I10,J10,K10 W:C3,D5,Q4,R9 to-move:W";
    let position = tengen_rules::notation::parse_position(position, Rules::CONNECT6);
    let position = position.expect("a legal position");
    let stopped = |number: u8| {
        let level = Level::new(number).expect("a level");
        let mut engine = EngineKind::Level(level).build(&SMALL);
        let mut stopped = 0;
        for _ in 0..20 {
            let task = Task::new(Limits::default());
            let answer = engine.think(&position, &task).expect("a turn");
            let mut after = position.clone();
            after.play(&answer.best().turn).expect("legal");
            let lines = tengen_threats::LineBoard::from_position(&after);
            stopped += usize::from(!lines.has_threat(tengen_rules::Side::Black));
        }
        stopped
    };
    assert!(stopped(1) < 16);
    assert_eq!(stopped(5), 20);
}
