//! The referee with scripted contestants, and our engines on their threads.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use tengen_checker::check_claim;
use tengen_prover::Proof;
use tengen_rules::{BySide, Cell, Position, Rules, Side, Turn, notation};

use super::own::Own;
use super::referee::Game;
use super::*;
use crate::{Answer, Engine, Score, Task, ThinkError, Verdict};

/// Says what it is told to say, then plays on the first empty cells.
struct Script(Vec<Result<Reply, Fault>>);

impl Contestant for Script {
    fn play(&mut self, question: &Question<'_>) -> Result<Reply, Fault> {
        if !self.0.is_empty() {
            return self.0.remove(0);
        }
        let position = question.position;
        let empty = |cell: &Cell| position.stone(*cell).is_none();
        let free = position.grid().cells().filter(empty);
        Ok(Reply::bare(free.take(position.left().into()).collect()))
    }
}

fn turn(text: &str) -> Turn {
    text.parse().expect("a turn")
}

fn conditions(rules: &str) -> Conditions {
    Conditions {
        rules: rules.parse().expect("rules"),
        pace: Pace::default(),
        margin: Margin::Generous,
        max_turns: None,
        adjudication: true,
        memory_mib: 1,
        seed: 1,
    }
}

fn opening(rules: Rules, stones: &str) -> Opening {
    Opening {
        stones: notation::parse_moves(stones, rules).expect("stones"),
    }
}

/// The real checker.
fn checker(proof: &Proof, position: &Position, side: Side) -> Checked {
    let attacker = side.to_string().to_lowercase();
    let setup = notation::setup_text(&position.to_setup());
    let limits = tengen_checker::Limits::default();
    let rules = position.rules().to_string();
    match check_claim(&proof.to_text(), &rules, &setup, &attacker, &limits) {
        tengen_checker::Verdict::Verified(_) => Checked::Verified,
        other => Checked::Rejected(other.to_string()),
    }
}

fn never() -> bool {
    false
}

/// One game from an opening.
fn play(
    conditions: &Conditions,
    stones: &str,
    mut black: impl Contestant,
    mut white: impl Contestant,
) -> Option<GameRecord> {
    let opening = opening(conditions.rules, stones);
    let paces = BySide {
        black: conditions.pace,
        white: conditions.pace,
    };
    let mut game = Game::new(conditions, &opening, paces, &checker, &never);
    let players = BySide {
        black: &mut black as &mut dyn Contestant,
        white: &mut white as &mut dyn Contestant,
    };
    let ending = game.play(players)?;
    Some(game.into_record(ending))
}

/// Black begins with this reply; White plays anywhere.
fn after(conditions: &Conditions, stones: &str, reply: Result<Reply, Fault>) -> GameRecord {
    let black = Script(vec![reply]);
    play(conditions, stones, black, Script(Vec::new())).expect("nobody stops it")
}

#[test]
fn games_end_by_the_rules() {
    let ttt = conditions("tic-tac-toe");
    let won = after(&ttt, "A1 B1 A2 B2", Ok(Reply::bare(turn("A3"))));
    assert_eq!((won.result, won.reason), (GameResult::Black, Reason::Line));
    assert_eq!((won.turns, won.opening_turns, won.log.len()), (5, 4, 1));
    assert_eq!(won.moves, "A1 B1 A2 B2 A3");
    let full = after(&ttt, "B2 A1 A2 C2 B1 B3 C1 A3", Ok(Reply::bare(turn("C3"))));
    assert_eq!((full.result, full.reason), (GameResult::Draw, Reason::Full));
    let short = Conditions {
        max_turns: Some(3),
        ..ttt
    };
    let drawn = after(&short, "A1 B2", Ok(Reply::bare(turn("C3"))));
    assert_eq!(
        (drawn.result, drawn.reason),
        (GameResult::Draw, Reason::MaxTurns)
    );
}

#[test]
fn the_stones_after_a_win_are_left_out() {
    let connect6 = conditions("connect6");
    let stones = "A1 A19 C19 B1 C1 E19 G19 D1 E1 I19 K19";
    let won = after(&connect6, stones, Ok(Reply::bare(turn("F1 S10"))));
    assert_eq!((won.result, won.reason), (GameResult::Black, Reason::Line));
    assert_eq!(won.log[0].turn, "F1");
}

#[test]
fn offenders_lose() {
    let connect6 = conditions("connect6");
    let lost = |reply| {
        let game = after(&connect6, "J10 I8 H9", reply);
        assert_eq!(game.result, GameResult::White);
        assert_eq!(game.turns, 2, "the turn does not count");
        (game.reason, game.detail)
    };
    for illegal in ["J10 K10", "K10", "K10 L10 M10", "A1 A20", "-"] {
        let (reason, detail) = lost(Ok(Reply::bare(turn(illegal))));
        assert_eq!(reason, Reason::Illegal, "{illegal}: {detail}");
    }
    let (_, detail) = lost(Ok(Reply::bare(turn("J10 K10"))));
    assert_eq!(detail, "J10 K10: J10 is already occupied by Black");
    for (fault, reason) in [
        (Fault::Crashed("gone".to_owned()), Reason::Crash),
        (Fault::Garbage("what".to_owned()), Reason::Garbage),
        (Fault::Silent(Duration::from_secs(3)), Reason::Silent),
    ] {
        assert_eq!(lost(Err(fault)).0, reason);
    }
    let stopped = Script(vec![Err(Fault::Stopped)]);
    assert_eq!(
        play(&connect6, "J10 I8 H9", stopped, Script(Vec::new())),
        None
    );
}

/// Takes longer than anybody waits.
struct Slow;

impl Contestant for Slow {
    fn play(&mut self, question: &Question<'_>) -> Result<Reply, Fault> {
        thread::sleep(question.patience.expect("a clock") + Duration::from_millis(5));
        Script(Vec::new()).play(question)
    }
}

#[test]
fn time_is_what_the_referee_measures() {
    let hurried = Conditions {
        pace: Pace::per_turn(0.001),
        margin: Margin::Milliseconds(1),
        ..conditions("tic-tac-toe")
    };
    let game = play(&hurried, "", Slow, Script(Vec::new())).expect("a game");
    assert_eq!(
        (game.result, game.reason),
        (GameResult::White, Reason::Time)
    );
    assert!(game.detail.contains("at most 0.002 s"), "{}", game.detail);
}

/// Black to move on 6x6 with two in a row: D2 wins.
const WON: &str = "B2 B5 C2 C5";

fn claim(position: &str) -> Reply {
    let text = format!(
        "tengen-proof 1\nrules 6,6,4,1,1\nposition {position}\nattacker black\nnodes 1\n0 D2\nend\n"
    );
    let proof: Proof = text.parse().expect("well-formed");
    Reply {
        verdict: Some(Verdict::Win(Arc::new(proof))),
        ..Reply::bare(turn("D2"))
    }
}

#[test]
fn only_a_verified_proof_of_this_position_ends_a_game() {
    let small = conditions("6,6,4,1,1");
    let right = claim("B:B2,C2 W:B5,C5 to-move:B");
    let game = after(&small, WON, Ok(right.clone()));
    assert_eq!(
        (game.result, game.reason),
        (GameResult::Black, Reason::Proof)
    );
    assert_eq!(game.turns, 5);
    assert_eq!(game.log[0].verdict.as_deref(), Some("win"));
    // True, but of another position; and false here.
    for wrong in ["B:B2,C2 W:B5,D5 to-move:B", "B:B2,C2 W:B5,D2 to-move:B"] {
        let game = after(&small, WON, Ok(claim(wrong)));
        assert_ne!(game.reason, Reason::Proof, "{wrong}");
        assert_eq!(game.rejected_claims.len(), 1, "{wrong}");
        assert!(game.rejected_claims[0].starts_with("turn 5: REJECTED"));
    }
    let to_the_end = Conditions {
        adjudication: false,
        ..small
    };
    let game = after(&to_the_end, WON, Ok(right));
    assert_ne!(game.reason, Reason::Proof);
    assert!(game.rejected_claims.is_empty());
}

/// An engine with a fault.
enum Broken {
    Panics,
    NeverEnds,
}

impl Engine for Broken {
    fn name(&self) -> String {
        "broken".to_owned()
    }

    fn think(&mut self, position: &Position, task: &Task<'_>) -> Result<Answer, ThinkError> {
        let stop = task.stop.expect("the arena can stop every engine");
        match self {
            Self::Panics => std::panic::resume_unwind(Box::new("broken")),
            Self::NeverEnds => {
                while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                    thread::sleep(Duration::from_millis(1));
                }
            }
        }
        let cell = position.grid().cells().next().expect("a cell");
        let line = crate::Line {
            turn: [cell].into_iter().collect(),
            verdict: Verdict::Stable,
            score: Score(0),
            main_line: Vec::new(),
        };
        Ok(Answer {
            lines: vec![line],
            others_lose: None,
            nodes: 1,
            depth: 1,
            time: Duration::ZERO,
        })
    }
}

#[test]
fn engines_that_panic_or_never_end_lose() {
    let hurried = Conditions {
        pace: Pace::per_turn(0.001),
        margin: Margin::Milliseconds(1),
        ..conditions("tic-tac-toe")
    };
    let own = |engine| Own::with(move || Box::new(engine)).expect("a thread");
    let game = play(&hurried, "", own(Broken::Panics), Script(Vec::new())).expect("a game");
    assert_eq!(
        (game.result, game.reason),
        (GameResult::White, Reason::Crash)
    );
    let game = play(&hurried, "", own(Broken::NeverEnds), Script(Vec::new())).expect("a game");
    assert_eq!(
        (game.result, game.reason),
        (GameResult::White, Reason::Time)
    );
}

fn all_games(concurrency: usize) -> Vec<GameRecord> {
    let mut specs = ["alphabeta", "alphabeta"].map(|text| text.parse().expect("a spec"));
    distinguish(&mut specs);
    let conditions = Conditions {
        pace: Pace {
            nodes: Some(200),
            ..Pace::default()
        },
        ..conditions("9,9,5,2,1")
    };
    let openings = random_openings(conditions.rules, 3, 2, 5);
    let arena = Arena {
        contestants: &specs,
        openings: &openings,
        conditions: &conditions,
        check: &checker,
    };
    let mut games = Vec::new();
    let listener = |event| {
        if let Event::Finished(game) = event {
            games.push(*game);
        }
        std::ops::ControlFlow::Continue(())
    };
    let plans = schedule(2, 3, 6);
    arena.run(&plans, concurrency, listener).expect("threads");
    games.sort_by_key(|game| game.game);
    for turn in games.iter_mut().flat_map(|game| &mut game.log) {
        turn.seconds = 0.0;
    }
    games
}

#[test]
fn games_do_not_depend_on_concurrency() {
    let one = all_games(1);
    assert_eq!(one.len(), 6);
    assert_eq!(one, all_games(3));
    let json = serde_json::to_string(&one).expect("JSON");
    let back: Vec<GameRecord> = serde_json::from_str(&json).expect("the same");
    assert_eq!(back, one);
}

#[test]
fn a_match_ends_when_its_listener_says_so() {
    let specs = ["alphabeta@name=a", "alphabeta@name=b"].map(|text| text.parse().expect("a spec"));
    let conditions = conditions("9,9,5,2,1");
    let openings = random_openings(conditions.rules, 1, 2, 5);
    let arena = Arena {
        contestants: &specs,
        openings: &openings,
        conditions: &conditions,
        check: &checker,
    };
    let mut finished = 0;
    let listener = |event| {
        finished += usize::from(matches!(event, Event::Finished(_)));
        std::ops::ControlFlow::Break(())
    };
    let plans = schedule(2, 1, 1_000_000);
    arena.run(&plans, 2, listener).expect("threads");
    assert!(finished <= 1);
}
