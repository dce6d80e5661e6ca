//! What the engines answer.

use tengen_rules::{Outcome, Position, Rules, Side, Turn};

use super::{kinds, nodes, position};
use crate::mcts::{Mcts, SolveLimits, breadth_first, depth_first};
use crate::{Engine, EngineKind, Options, Task, ThinkError, Verdict};

#[test]
fn a_node_limit_and_a_seed_determine_the_answer() {
    let start = position("connect6", "J10 I8 H9 K11 L10");
    for mut engine in kinds() {
        let mut ask = || {
            let answer = engine
                .think(&start, &Task::new(nodes(2_000)))
                .expect("a turn");
            (answer.lines, answer.nodes)
        };
        let first = ask();
        assert_eq!(ask(), first);
        assert!(first.1 >= 2_000);
    }
}

#[test]
fn excluded_turns_are_not_played() {
    let start = position("connect6", "J10 I8 H9 K11 L10");
    for mut engine in kinds() {
        let mut exclude: Vec<Turn> = vec!["J9".parse().expect("a turn")];
        for _ in 0..4 {
            let task = Task {
                exclude: &exclude,
                lines: 3,
                ..Task::new(nodes(400))
            };
            let answer = engine.think(&start, &task).expect("turns are left");
            assert_eq!(answer.lines.len(), 3);
            for line in &answer.lines {
                assert!(!task.excludes(&line.turn), "{}", line.turn);
                assert_eq!(line.main_line.first(), Some(&line.turn));
            }
            exclude.push(answer.best().turn.clone());
        }
    }
}

#[test]
fn excluding_everything_or_almost() {
    let start = position("4,4,4,2,1", "B2 C2 C3");
    let cells: Vec<Turn> = start
        .grid()
        .cells()
        .map(|cell| [cell].into_iter().collect())
        .collect();
    let mut left = cells.clone();
    left.retain(|turn| !["A1", "D4"].contains(&turn.to_string().as_str()));
    for mut engine in kinds() {
        let mut ask = |exclude: &[Turn]| {
            let task = Task {
                exclude,
                ..Task::new(nodes(50))
            };
            engine
                .think(&start, &task)
                .map(|answer| answer.best().turn.to_string())
        };
        assert_eq!(ask(&cells), Err(ThinkError::AllExcluded));
        assert_eq!(ask(&left), Ok("A1 D4".to_owned()));
    }
}

#[test]
fn lines_are_completed_and_stopped_at_once() {
    // Four stones with room on both sides; the other side has nothing.
    let four = "B:J10,K10,L10,M10 W:J5,K7,N15 to-move:";
    for mut engine in kinds() {
        for limit in [1, 300] {
            let mut ask = |side: char| {
                let position = position("connect6", &format!("{four}{side}"));
                let answer = engine
                    .think(&position, &Task::new(nodes(limit)))
                    .expect("a turn");
                let mut after = position.clone();
                after.play(&answer.best().turn).expect("legal");
                (answer.best().verdict.clone(), after)
            };
            let (verdict, won) = ask('B');
            assert!(matches!(
                won.outcome(),
                Some(Outcome::Win {
                    side: Side::Black,
                    ..
                })
            ));
            if limit > 1 {
                assert!(matches!(verdict, Verdict::Win(_)), "{verdict}");
            }
            let (_, stopped) = ask('W');
            let board = tengen_threats::LineBoard::from_position(&stopped);
            assert!(!board.has_threat(Side::Black), "{limit} nodes");
        }
    }
}

#[test]
fn a_win_by_threats_comes_with_a_proof_and_a_loss_too() {
    let won = position(
        "9,9,5,1,1",
        "B:C5,D5,E5,F2,F3,F4 W:B5,F1,C8,E8,G7,H3 to-move:B",
    );
    let mut engine = Mcts::new(&Options::default());
    let answer = engine
        .think(&won, &Task::new(nodes(20_000)))
        .expect("a turn");
    let Verdict::Win(proof) = &answer.best().verdict else {
        panic!("{}", answer.best().verdict);
    };
    let checked = tengen_checker::check(&proof.to_text(), &Default::default());
    assert_eq!(checked.exit_code(), 0);
    // Three in a row, open at both ends, and another three: White cannot stop both.
    let lost = position("9,9,5,1,1", "B:C5,D5,E5,E6,E7 W:A1,A3,A9,I9 to-move:W");
    let answer = engine
        .think(&lost, &Task::new(nodes(50_000)))
        .expect("a turn");
    let Verdict::Loss(proof) = &answer.best().verdict else {
        panic!("{}", answer.best().verdict);
    };
    let checked = tengen_checker::check(&proof.to_text(), &Default::default());
    assert_eq!(checked.exit_code(), 0);
    assert!(answer.others_lose.is_some());
}

#[test]
fn little_memory_is_enough() {
    let options = Options {
        memory: 64 << 10,
        seed: 3,
    };
    let start = position("connect6", "J10 I8 H9 K11 L10");
    for mut engine in [Mcts::new(&options), Mcts::plain(&options)] {
        let answer = engine
            .think(&start, &Task::new(nodes(5_000)))
            .expect("a turn");
        start.clone().play(&answer.best().turn).expect("legal");
    }
}

#[test]
fn every_game_of_the_family_gets_a_legal_turn() {
    let games = [
        "connect6",
        "gomoku",
        "gomoku-standard",
        "tic-tac-toe",
        "2,1,2,1,1",
        "1,3,3,2,1",
        "4,4,3,2,1",
        "5,5,4,3,1",
        "6,7,6,5,2",
        "7,6,4,1,1",
        "19,19,6,2,3",
        "inf,inf,6,2,3",
        "inf,inf,5,1,1",
        "9,9,5,2,1,exact",
        "63,63,7,3,2",
        "63,2,9,4,1",
        "3,3,3,2,2",
    ];
    for rules in games {
        let rules: Rules = rules.parse().expect("known rules");
        for kind in [EngineKind::Mcts, EngineKind::MctsPlain] {
            let mut engine = kind.build(&Options::default());
            let mut game = Position::new(rules);
            for _ in 0..6 {
                if game.outcome().is_some() {
                    let over = engine.think(&game, &Task::new(nodes(30)));
                    assert_eq!(over, Err(ThinkError::Over));
                    break;
                }
                let answer = engine.think(&game, &Task::new(nodes(30))).expect("a turn");
                game.play(&answer.best().turn).expect("a legal turn");
            }
        }
    }
}

#[test]
fn the_rest_of_a_turn_is_played() {
    for (rules, text) in [
        ("connect6", "J10 I8"),
        ("connect6", "B:J10,K10,L10,M10 W:J5,K7,N15 to-move:W left:1"),
        ("connect6", "B:J10,K10,L10,M10 W:J5,K7,N15 to-move:B left:1"),
        ("9,9,6,3,1", "E5 D5"),
    ] {
        let start = position(rules, text);
        for mut engine in kinds() {
            let answer = engine
                .think(&start, &Task::new(nodes(200)))
                .expect("a turn");
            let turn = &answer.best().turn;
            assert_eq!(turn.len(), usize::from(start.left()), "{text}");
            start.clone().play(turn).expect("legal");
        }
    }
}

#[test]
fn threat_searches_find_what_they_can() {
    let won = position(
        "connect6",
        "B:J10,K10,L10,J11,J12,K13 W:A1,C1,E1,G1,A3,S19 to-move:B",
    );
    let found = depth_first(&won, 14, &SolveLimits::steps(600_000));
    assert_eq!(found.winner, Some(Side::Black));
    assert_eq!(
        breadth_first(&won, &SolveLimits::steps(600_000)).winner,
        Some(Side::Black)
    );
    let limits = SolveLimits::steps(1_000);
    for engine in &kinds()[..2] {
        assert_eq!(engine.solve(&won, &limits).winner, Some(Side::Black));
    }
    let quiet = position("connect6", "J10 I8 H9");
    assert_eq!(
        depth_first(&quiet, 14, &SolveLimits::steps(10_000)).winner,
        None
    );
    assert_eq!(
        breadth_first(&quiet, &SolveLimits::steps(10_000)).winner,
        None
    );
}
