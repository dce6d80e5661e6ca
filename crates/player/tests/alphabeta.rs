//! The main engine keeps its promises: legal turns, true claims, exclusions, limits.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tengen_checker::Verdict as Checked;
use tengen_player::{
    AlphaBeta, Answer, Clock, Engine, Limits, Options, Task, ThinkError, Verdict, begins_with,
};
use tengen_prover::Proof;
use tengen_rules::{Position, Rules, Side, Turn, notation};

const SMALL: Options = Options {
    memory: 4 << 20,
    seed: 1,
};

fn nodes(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}

fn position(text: &str, rules: Rules) -> Position {
    notation::parse_position(text, rules).expect("a legal position")
}

fn think(position: &Position, task: &Task<'_>) -> Answer {
    let mut engine = AlphaBeta::new(&SMALL);
    engine.think(position, task).expect("there is a turn")
}

/// Random stones for both sides, as long as nobody wins.
fn random_position(rules: Rules, stones: usize, random: &mut fastrand::Rng) -> Position {
    let mut position = Position::new(rules);
    let cells: Vec<_> = position.grid().cells().collect();
    for _ in 0..stones {
        let cell = cells[random.usize(..cells.len())];
        let before = position.clone();
        if position.place(cell).is_ok() && position.outcome().is_some() {
            return before;
        }
    }
    position
}

/// Whether the checker accepts a claim: fully, or except excluded turns.
fn is_proved(proof: &Proof, exclude: &[Turn]) -> bool {
    match tengen_checker::check(&proof.to_text(), &Default::default()) {
        Checked::Verified(_) => true,
        Checked::VerifiedExcept(_) => proof.except.iter().all(|stones| {
            let turn: Turn = stones.iter().copied().collect();
            exclude.contains(&turn)
        }),
        _ => false,
    }
}

#[test]
fn every_game_gets_legal_turns_and_true_claims() {
    let mut random = fastrand::Rng::with_seed(11);
    let games = [
        "connect6",
        "gomoku",
        "gomoku-standard",
        "tic-tac-toe",
        "6,6,4,2,1",
        "5,7,4,3,1",
        "4,4,4,1,1",
        "9,9,6,2,4",
        "8,8,6,4,2",
        "2,2,2,1,1",
        "inf,inf,6,2,1",
        "12,12,9,2,2",
    ];
    let mut proved = 0;
    for name in games {
        let rules: Rules = name.parse().expect("known rules");
        for round in 0..12 {
            let cells = rules.size().map_or(200, |(width, height)| {
                usize::from(width) * usize::from(height)
            });
            let stones = random.usize(0..=cells.min(40));
            let position = random_position(rules, stones, &mut random);
            let task = Task {
                lines: 1 + round % 3,
                ..Task::new(nodes(if rules.per_turn() > 2 { 100 } else { 1_500 }))
            };
            let answer = think(&position, &task);
            for line in &answer.lines {
                let mut after = position.clone();
                after
                    .play(&line.turn)
                    .unwrap_or_else(|error| panic!("{name}: {error}"));
                assert_eq!(line.main_line.first(), Some(&line.turn));
                if let Some(proof) = line.verdict.proof() {
                    proved += 1;
                    let winner = match line.verdict {
                        Verdict::Win(_) => position.to_move(),
                        _ => !position.to_move(),
                    };
                    assert_eq!(proof.attacker, winner);
                    assert!(is_proved(proof, &[]), "{name}: {}", proof.to_text());
                    if proof.position == position.to_setup() && winner == position.to_move() {
                        assert!(begins_with(proof, &line.turn), "{name}: {}", line.turn);
                    }
                    let stands = [&position, &after].map(|position| position.to_setup());
                    assert!(
                        stands.contains(&proof.position),
                        "the claim is about this turn"
                    );
                }
            }
            let mut turns: Vec<&Turn> = answer.lines.iter().map(|line| &line.turn).collect();
            turns.sort();
            turns.dedup();
            assert_eq!(turns.len(), answer.lines.len(), "lines are different turns");
        }
    }
    assert!(proved > 20, "{proved}");
}

#[test]
fn it_takes_the_win_and_stops_the_opponents() {
    let four = "B:H10,I10,J10,K10 W:C3,D5,Q4 to-move:B";
    let answer = think(&position(four, Rules::CONNECT6), &Task::new(nodes(1_000)));
    assert!(matches!(answer.best().verdict, Verdict::Win(_)));
    let mut after = position(four, Rules::CONNECT6);
    after.play(&answer.best().turn).expect("legal");
    assert!(after.outcome().is_some(), "it completes the line");

    let theirs = position("B:H10,I10,J10,K10 W:C3,D5,Q4,R9 to-move:W", Rules::CONNECT6);
    let answer = think(&theirs, &Task::new(nodes(20_000)));
    let mut after = theirs.clone();
    after.play(&answer.best().turn).expect("legal");
    let lines = tengen_threats::LineBoard::from_position(&after);
    assert!(!lines.has_threat(Side::Black), "{}", answer.best().turn);
}

#[test]
fn a_lost_position_is_called_lost_with_a_proof() {
    // Black threatens in three places at once.
    let text = "B:D4,E4,F4,G4,D15,E15,F15,G15 W:A1,C2,Q9,R9,A9,B12,S1 to-move:W";
    let lost = position(text, Rules::CONNECT6);
    let answer = think(&lost, &Task::new(nodes(50_000)));
    assert!(matches!(answer.best().verdict, Verdict::Loss(_)));
    let proof = answer.others_lose.expect("everything loses");
    assert!(is_proved(&proof, &[]));
}

#[test]
fn every_other_turn_loses() {
    // One four with both ends open: three ways to stop it.
    let text = "B:H10,I10,J10,K10 W:C3,D5,Q4,R9 to-move:W";
    let position = position(text, Rules::CONNECT6);
    let exclude: Vec<Turn> = ["G10 L10", "F10 L10", "G10 M10"]
        .iter()
        .map(|turn| turn.parse().expect("a turn"))
        .collect();
    let task = Task {
        exclude: &exclude,
        ..Task::new(nodes(50_000))
    };
    let answer = think(&position, &task);
    assert!(!exclude.contains(&answer.best().turn));
    assert!(matches!(answer.best().verdict, Verdict::Loss(_)));
    let proof = answer.others_lose.expect("all others lose");
    assert!(is_proved(&proof, &exclude));
    assert!(!is_proved(&proof, &exclude[..2]) || proof.except.len() < 3);
    // With one of them allowed, it is found, and nothing is claimed.
    let task = Task {
        exclude: &exclude[1..],
        ..Task::new(nodes(50_000))
    };
    let answer = think(&position, &task);
    assert_eq!(answer.best().turn, exclude[0]);
    assert_eq!(answer.others_lose, None);
}

#[test]
fn a_proved_win_comes_first_among_several_lines() {
    let text = "B:J10,K10,L10,M11,M12,M13,N11,O12,P13 W:I10,M14,Q14 to-move:B";
    let won = position(text, Rules::CONNECT6);
    for lines in [1, 3] {
        let task = Task {
            lines,
            ..Task::new(nodes(20_000))
        };
        let answer = think(&won, &task);
        assert_eq!(answer.lines.len(), lines);
        let Verdict::Win(proof) = &answer.best().verdict else {
            panic!("M10 makes three threats: {}", answer.best().verdict);
        };
        assert!(begins_with(proof, &answer.best().turn) && is_proved(proof, &[]));
    }
}

#[test]
fn the_best_turn_outside_a_long_list_is_near_the_others() {
    let rules = Rules::GOMOKU;
    let position = position("H8 I9 G7", rules);
    let mut exclude: Vec<Turn> = Vec::new();
    for _ in 0..60 {
        let task = Task {
            exclude: &exclude,
            ..Task::new(nodes(300))
        };
        let turn = think(&position, &task).best().turn.clone();
        assert!(!exclude.contains(&turn));
        exclude.push(turn);
    }
    let far = |turn: &Turn| {
        (turn.cells()[0].x - 7)
            .abs()
            .max((turn.cells()[0].y - 7).abs())
    };
    assert!(exclude.iter().all(|turn| far(turn) <= 6), "{exclude:?}");
    let empty = Position::new(rules);
    let centre: Turn = "H8".parse().expect("a turn");
    let exclude = [centre.clone()];
    assert_eq!(think(&empty, &Task::new(nodes(300))).best().turn, centre);
    let task = Task {
        exclude: &exclude,
        ..Task::new(nodes(300))
    };
    assert_eq!(far(&think(&empty, &task).best().turn), 1);
}

#[test]
fn excluding_everything_is_an_error() {
    let rules: Rules = "tic-tac-toe".parse().expect("known rules");
    let position = position("B2 A1 A2 C2 C1", rules);
    let exclude: Vec<Turn> = ["A3", "B1", "B3", "C3"]
        .iter()
        .map(|turn| turn.parse().expect("a turn"))
        .collect();
    let mut engine = AlphaBeta::new(&SMALL);
    let task = Task {
        exclude: &exclude,
        ..Task::new(nodes(1_000))
    };
    assert_eq!(engine.think(&position, &task), Err(ThinkError::AllExcluded));
    let task = Task {
        exclude: &exclude[1..],
        ..task
    };
    let answer = engine.think(&position, &task).expect("one is left");
    assert_eq!(answer.best().turn, exclude[0]);
}

#[test]
fn nodes_alone_make_it_repeatable_and_stop_stops_it() {
    let position = position("J10 I8 H9 K11 L10 J7 K6", Rules::CONNECT6);
    let task = Task::new(nodes(30_000));
    let (first, again) = (think(&position, &task), think(&position, &task));
    assert_eq!(first.lines, again.lines);
    assert_eq!(first.nodes, again.nodes);
    assert!(first.nodes < 40_000, "{}", first.nodes);

    let stop = AtomicBool::new(true);
    let task = Task {
        stop: Some(&stop),
        ..Task::new(Limits::default())
    };
    let answer = think(&position, &task);
    assert!(answer.nodes < 20_000, "{}", answer.nodes);
}

#[test]
fn depth_and_time_are_limits_too() {
    let position = position("J10 J7 I8 K6 K8", Rules::CONNECT6);
    let limits = Limits {
        depth: Some(2),
        nodes: Some(100_000),
        ..Limits::default()
    };
    assert!(think(&position, &Task::new(limits)).depth <= 2);
    let limits = Limits {
        clock: Clock::per_turn(Duration::ZERO),
        ..Limits::default()
    };
    let answer = think(&position, &Task::new(limits));
    assert_eq!(answer.lines.len(), 1);
}
