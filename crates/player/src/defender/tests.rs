//! The engine as a whole.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tengen_prover::{Request, Solver, Value};
use tengen_rules::{Cell, Position, Rules, Side, Turn, notation};
use tengen_threats::LineBoard;

use super::Defender;
use crate::{Answer, Clock, Engine, EngineKind, Limits, Line, Options, Task, ThinkError, Verdict};

fn position(text: &str, rules: Rules) -> Position {
    notation::parse_position(text, rules).expect("a legal position")
}

fn connect6(text: &str) -> Position {
    position(text, Rules::CONNECT6)
}

fn engine() -> Defender {
    Defender::new(&Options::default())
}

fn think(engine: &mut dyn Engine, position: &Position) -> Answer {
    let limits = Limits {
        nodes: Some(20_000),
        ..Limits::default()
    };
    engine
        .think(position, &Task::new(limits))
        .expect("the game goes on")
}

fn turn(text: &str) -> Turn {
    text.parse().expect("a turn")
}

/// The checker believes it.
fn accepted(verdict: &Verdict) -> bool {
    let proof = verdict.proof().expect("a proof");
    tengen_checker::check(&proof.to_text(), &Default::default()).exit_code() == 0
}

#[test]
fn the_name_is_known() {
    let kind: EngineKind = "defender".parse().expect("a kind");
    assert_eq!(kind.build(&Options::default()).name(), "defender");
}

#[test]
fn lines_are_completed_with_a_proof() {
    let open = connect6("B:F10,G10,H10,I10 W:F4,G4,H4,I4 to-move:B");
    for mut engine in [engine(), Defender::greedy()] {
        let answer = think(&mut engine, &open);
        let mut after = open.clone();
        after.play(&answer.best().turn).expect("legal");
        assert!(after.outcome().is_some(), "{answer:?}");
    }
    for (rules, text) in [
        ("connect6", "B:F10,G10,H10,I10 W:F4,G4,H4,I4 to-move:B"),
        ("connect6", "B:F10,G10,H10,I10,J10 W:F4,G4 to-move:B left:1"),
        ("gomoku-standard", "B:F10,G10,I10,J10,L10 W:F4,G4 to-move:B"),
        ("9,9,6,4,1", "B:A1,C3 W:B8 to-move:B"),
        ("inf,inf,6,2,3", "B:F10,G10,H10,I10 W:F4,G4,H4,I4 to-move:B"),
    ] {
        let open = position(text, rules.parse().expect("rules"));
        let answer = think(&mut Defender::greedy(), &open);
        assert!(matches!(answer.best().verdict, Verdict::Win(_)), "{text}");
        assert!(accepted(&answer.best().verdict), "{text}");
    }
}

#[test]
fn threats_are_stopped_wherever_they_are() {
    for text in [
        // A live four, a dead four with gaps far from the last stone, and two dead fours.
        "B:F10,G10,H10,I10 W:R1 to-move:W",
        "B:F10,G10,H10,K10 W:E10 to-move:W",
        "B:F10,G10,H10,I10,C1,C2,C3,C4 W:E10 to-move:W",
        "B:F10,G10,H10,I10,J10 W:E10 to-move:W left:1",
    ] {
        let position = connect6(text);
        for mut engine in [engine(), Defender::greedy()] {
            let answer = think(&mut engine, &position);
            let mut after = position.clone();
            after.play(&answer.best().turn).expect("legal");
            let board = LineBoard::from_position(&after);
            assert!(
                !board.has_threat(Side::Black),
                "{text}: {}",
                answer.best().turn
            );
        }
    }
}

#[test]
fn the_strategy_follows_the_last_stones() {
    let game = connect6("J10 I8 H9 K11 L10 C3 D3");
    let found = think(&mut Defender::greedy(), &game).best().turn.clone();
    let near = |cell: Cell, (x, y): (i16, i16)| (cell.x - x).abs() <= 2 && (cell.y - y).abs() <= 2;
    for cell in &found {
        assert!(near(cell, (2, 2)) || near(cell, (3, 2)), "{found}");
    }
    assert_eq!(
        think(&mut Defender::greedy(), &connect6("to-move:B"))
            .best()
            .turn,
        turn("J10")
    );
}

/// Two open threes: whoever moves decides the game.
const TWO_THREES: &str = "B:H10,I10,J10,L6,L7,L8 W:B2,P3,C16,Q15,R9";

#[test]
fn a_win_by_threats_is_played_with_its_proof() {
    let position = connect6(&format!("{TWO_THREES} to-move:B"));
    let answer = think(&mut engine(), &position);
    let best = answer.best();
    assert!(matches!(best.verdict, Verdict::Win(_)), "{best:?}");
    assert!(accepted(&best.verdict));
    position.clone().play(&best.turn).expect("legal");
    // Without search there is no win to be seen.
    let answer = think(&mut Defender::greedy(), &position);
    assert!(answer.best().verdict.proof().is_none());
}

/// The strategy's own turn loses; the search notices, says so with a proof, and finds one that holds.
#[test]
fn a_failing_turn_is_searched_again() {
    let game = connect6("H10 B2 P3 I10 J10 C16 G10 L6 L7 J8 L4 L8 C3");
    let greedy = think(&mut Defender::greedy(), &game).best().turn.clone();
    assert_eq!(greedy, turn("K10 L9"));
    let mut engine = engine();
    let answer = think(&mut engine, &game);
    assert!(answer.best().verdict.proof().is_none());
    assert_eq!(engine.re_searches(), 1);
    let mut after = game.clone();
    after.play(&answer.best().turn).expect("legal");
    let solution = Solver::new(12).solve(&after, &Request::new(Side::Black, 1));
    assert_eq!(solution.value, Value::None, "{}", answer.best().turn);
    engine.forget();
    assert_eq!(engine.re_searches(), 0);
    let task = Task {
        lines: 50,
        ..Task::new(Limits::default())
    };
    let answer = engine.think(&game, &task).expect("the game goes on");
    let line = answer.lines.iter().find(|line| line.turn == greedy);
    let line = line.expect("among the alternatives");
    assert!(matches!(line.verdict, Verdict::Loss(_)), "{line:?}");
    assert!(accepted(&line.verdict));
}

#[test]
fn excluded_turns_are_not_played() {
    let position = connect6("J10 I8 H9 K11 L10");
    let mut excluded: Vec<Turn> = Vec::new();
    let mut engine = engine();
    for _ in 0..6 {
        let limits = Limits {
            nodes: Some(500),
            ..Limits::default()
        };
        let task = Task {
            exclude: &excluded,
            ..Task::new(limits)
        };
        let turn = engine
            .think(&position, &task)
            .expect("others")
            .best()
            .turn
            .clone();
        assert!(!excluded.contains(&turn));
        excluded.push(turn);
    }
    // A set of one cell excludes every turn with it.
    let first = excluded[0].cells()[0];
    let task_exclude = [[first].into_iter().collect::<Turn>()];
    let task = Task {
        exclude: &task_exclude,
        ..Task::new(Limits::default())
    };
    let answer = engine.think(&position, &task).expect("others");
    assert!(!answer.best().turn.contains(first));
}

#[test]
fn every_turn_can_be_had_and_no_more() {
    let position = position("A1 B2 C3", "4,3,3,2,1".parse().expect("rules"));
    let mut excluded: Vec<Turn> = Vec::new();
    let mut engine = engine();
    loop {
        let task = Task {
            exclude: &excluded,
            ..Task::new(Limits::default())
        };
        match engine.think(&position, &task) {
            Ok(answer) => {
                let turn = answer.best().turn.clone();
                position.clone().play(&turn).expect("legal");
                assert!(!excluded.contains(&turn));
                excluded.push(turn);
            }
            Err(error) => {
                assert_eq!(error, ThinkError::AllExcluded);
                break;
            }
        }
    }
    // Nine empty cells, two stones.
    assert_eq!(excluded.len(), 36);
}

#[test]
fn several_lines_are_different_and_sorted() {
    let position = connect6(&format!("{TWO_THREES} to-move:W"));
    let task = Task {
        lines: 7,
        ..Task::new(Limits::default())
    };
    let answer = engine().think(&position, &task).expect("the game goes on");
    assert_eq!(answer.lines.len(), 7);
    for (place, line) in answer.lines.iter().enumerate() {
        position.clone().play(&line.turn).expect("legal");
        assert!(
            answer.lines[..place]
                .iter()
                .all(|other| other.turn != line.turn)
        );
    }
    let lost = |line: &Line| matches!(line.verdict, Verdict::Loss(_) | Verdict::LossLikely(_));
    assert!(answer.lines.is_sorted_by_key(lost));
}

#[test]
fn limits_are_respected() {
    let position = connect6(&format!("{TWO_THREES} to-move:W"));
    let stop = AtomicBool::new(true);
    let stopped = Task {
        stop: Some(&stop),
        ..Task::new(Limits::default())
    };
    let no_time = Task::new(Limits {
        clock: Clock::per_turn(Duration::ZERO),
        ..Limits::default()
    });
    let no_nodes = Task::new(Limits {
        nodes: Some(0),
        ..Limits::default()
    });
    for task in [stopped, no_time, no_nodes] {
        let answer = engine().think(&position, &task).expect("an answer");
        assert_eq!(answer.nodes, 1);
        position.clone().play(&answer.best().turn).expect("legal");
    }
    for most in [1, 10, 100, 1_000] {
        let limits = Limits {
            nodes: Some(most),
            ..Limits::default()
        };
        let answer = engine()
            .think(&position, &Task::new(limits))
            .expect("an answer");
        // The prover may finish what it has begun.
        assert!(answer.nodes <= most + 16, "{} of {most}", answer.nodes);
    }
}

#[test]
fn a_finished_game_has_no_turn() {
    let mut won = connect6("B:F10,G10,H10,I10 W:A1 to-move:B");
    won.play(&turn("J10 K10")).expect("legal");
    let answer = engine().think(&won, &Task::default());
    assert_eq!(answer, Err(ThinkError::Over));
}

/// Games of two fresh engines are the same, stone by stone.
#[test]
fn nothing_is_left_to_chance() {
    let game = || {
        let mut position = connect6("J10 I8 H9");
        let mut engine = engine();
        for _ in 0..12 {
            if position.outcome().is_some() {
                break;
            }
            let turn = think(&mut engine, &position).best().turn.clone();
            position.play(&turn).expect("legal");
        }
        position.history().collect::<Vec<_>>()
    };
    assert_eq!(game(), game());
}

#[test]
fn any_game_of_the_family_is_played() {
    for rules in [
        "connect6",
        "gomoku",
        "gomoku-standard",
        "19,19,6,2,1,exact",
        "tic-tac-toe",
        "1,2,2,1,1",
        "7,4,4,1,1",
        "6,6,6,5,1",
        "9,9,6,2,3,exact",
        "19,19,6,2,4",
        "12,12,5,3,2",
        "9,8,7,4,1",
        "63,63,60,30,1",
        "63,1,5,2,1",
        "inf,inf,6,2,3",
        "inf,inf,5,1,1",
    ] {
        let rules: Rules = rules.parse().expect("rules");
        let mut position = Position::new(rules);
        let mut engines = [engine(), Defender::greedy()];
        for turn in 0..10 {
            if position.outcome().is_some() {
                break;
            }
            let task = Task::new(Limits {
                nodes: Some(300),
                ..Limits::default()
            });
            let answer = engines[turn % 2]
                .think(&position, &task)
                .expect("the game goes on");
            let best = &answer.best().turn;
            if turn == 4 && best.len() > 1 {
                // The rest of a turn is asked for like a turn.
                position.place(best.cells()[0]).expect("legal");
                let rest = engines[1]
                    .think(&position, &task)
                    .expect("the game goes on");
                position.play(&rest.best().turn).expect("legal");
            } else {
                let played = position.play(best);
                assert_eq!(played, Ok(()), "{rules}: {best}");
            }
        }
    }
}
