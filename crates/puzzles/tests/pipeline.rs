//! What comes out of the pipeline is what was promised, and the naive search knows a wrong claim from a right one.

use std::sync::atomic::AtomicBool;

use tengen_checker::{Limits, check_claim};
use tengen_puzzles::recheck::{Claim, Doubt, recheck};
use tengen_puzzles::{
    Answer, Collection, FreeStones, Judgement, Kind, LONGEST, Miner, Options, Plan, Puzzle,
    Selection, Source, Stand, Theme, Workshop, judge, judge_quiet, judge_second, run, self_play,
    starter,
};
use tengen_rules::{Cell, Position, Rules, Side, notation};

/// Black wins in five turns by double threats.
const WIN: &str = "B:H8,I9,J10,L8,M7 W:G7,K10,K12,N6 to-move:B";

/// White wins with L9 M9 in seven turns by a single threat, and not by double threats.
const SINGLE: &str = "B:G9,H10,I12,J8,K10 W:H9,I9,K11,M8 to-move:W";

fn position(text: &str) -> Position {
    notation::parse_position(text, Rules::CONNECT6).expect("legal")
}

fn places(cells: &[Cell]) -> Vec<(usize, usize)> {
    let place = |cell: &Cell| (cell.x as usize, cell.y as usize);
    cells.iter().map(place).collect()
}

fn cells(names: &[String]) -> Vec<Cell> {
    names
        .iter()
        .map(|name| name.parse().expect("a cell"))
        .collect()
}

/// Easy ones: a debug build rechecks them in no time.
fn easy() -> Vec<&'static Puzzle> {
    let mut wins: Vec<&Puzzle> = starter()
        .iter()
        .filter(|puzzle| puzzle.kind == Kind::Win && puzzle.order == 1)
        .collect();
    wins.sort_by_key(|puzzle| puzzle.features.nodes);
    wins.truncate(12);
    wins
}

fn verdict(puzzle: &Puzzle, turn: &[Cell], turns: u8) -> Result<u64, Doubt> {
    let stand = Stand::of(&puzzle.start().expect("a position"));
    let claim = Claim {
        size: (19, 19),
        line: 6,
        per_turn: 2,
        own: &places(&stand.own),
        other: &places(&stand.other),
        turn: &places(turn),
        turns,
        order: puzzle.order,
        refutations: &[],
    };
    recheck(&claim, 200_000)
}

#[test]
fn the_naive_search_accepts_puzzles_and_refuses_other_claims() {
    for puzzle in easy() {
        let solution = cells(&puzzle.solution);
        let turns = puzzle.features.turns;
        assert!(verdict(puzzle, &solution, turns).is_ok(), "{puzzle:?}");
        assert_eq!(
            verdict(puzzle, &solution, turns - 1),
            Err(Doubt::NoWin(turns - 1))
        );
        assert_eq!(
            verdict(puzzle, &solution, turns + 1),
            Err(Doubt::Shorter(turns + 1))
        );
        for wrong in &puzzle.tries {
            let doubt = verdict(puzzle, &cells(&wrong.turn), turns);
            assert_eq!(
                doubt,
                Err(Doubt::NoWin(turns)),
                "{} {wrong:?}",
                puzzle.position
            );
        }
    }
}

#[test]
fn a_position_with_a_stone_more_has_other_solutions_and_both_searches_say_so() {
    // With a defender's stone taken away the fast and the naive search must agree about uniqueness.
    let mut workshop = Workshop::new(Rules::CONNECT6);
    let mut doubles = 0;
    for puzzle in easy() {
        let whole = Stand::of(&puzzle.start().expect("a position"));
        let turn: Vec<Cell> = cells(&puzzle.solution);
        for taken in 0..whole.other.len() {
            let mut stand = whole.clone();
            stand.other.remove(taken);
            let mut attack = workshop.attack(&stand, 50_000);
            if attack.board.has_threat(stand.attacker) {
                continue;
            }
            attack.free = FreeStones::All;
            let Ok(found) = attack.winning_turns(LONGEST, 2) else {
                continue;
            };
            let claim = Claim {
                size: (19, 19),
                line: 6,
                per_turn: 2,
                own: &places(&stand.own),
                other: &places(&stand.other),
                turn: &places(&turn),
                turns: puzzle.features.turns,
                order: 1,
                refutations: &[],
            };
            match recheck(&claim, 50_000) {
                Ok(_) => assert_eq!(found.len(), 1, "{stand:?}"),
                Err(Doubt::Another(_)) => {
                    doubles += 1;
                    assert_eq!(found.len(), 2, "{stand:?}");
                }
                Err(_) => {}
            }
        }
    }
    assert!(starter().is_empty() || doubles > 0);
}

#[test]
fn shortest_wins_are_those_of_the_prover() {
    let mut workshop = Workshop::new(Rules::CONNECT6);
    let stand = Stand::of(&position(WIN));
    let mut attack = workshop.attack(&stand, 1_000_000);
    assert_eq!(attack.shortest(LONGEST), Ok(Some(5)));
    assert_eq!(attack.wins_within(4), Answer::No);
    let mut limited = workshop.attack(&stand, 3);
    assert!(limited.shortest(LONGEST).is_err(), "a limit is no disproof");
}

#[test]
fn puzzles_of_the_starter_collection_are_as_promised() {
    for puzzle in starter() {
        let start = puzzle.start().expect("a position");
        assert!(Stand::of(&start).is_legal_count(), "{}", puzzle.position);
        assert!(puzzle.features.turns >= 3);
        assert_eq!(puzzle.grade, tengen_puzzles::grade_of(puzzle.rating));
    }
    let mut ids: Vec<&str> = starter().iter().map(|puzzle| puzzle.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), starter().len());
    // Nor has a game two puzzles with one solution.
    let game = |puzzle: &Puzzle| puzzle.source.split(", after").next().map(str::to_owned);
    let mut twins: Vec<_> = starter()
        .iter()
        .map(|puzzle| (game(puzzle), puzzle.kind == Kind::Win, &puzzle.solution))
        .collect();
    twins.sort();
    twins.dedup();
    assert_eq!(twins.len(), starter().len());
    for puzzle in easy() {
        let start = puzzle.start().expect("a position");
        let right = cells(&puzzle.solution).into_iter().collect();
        if puzzle.solution.len() == 2 {
            let judged = judge(&start, &right, 1_000_000);
            let within = puzzle.features.turns;
            let expected = |judged: &Judgement| matches!(judged, Judgement::Wins { within: found, .. } if *found == within);
            assert!(judged.as_ref().is_some_and(expected), "{judged:?}");
        }
        for wrong in &puzzle.tries {
            let turn: tengen_rules::Turn = cells(&wrong.turn).into_iter().collect();
            if turn.len() == 2 {
                let judged = judge(&start, &turn, 1_000_000);
                assert!(
                    matches!(
                        judged,
                        Some(Judgement::Refuted { .. } | Judgement::LosesAtOnce { .. })
                    ),
                    "{judged:?}"
                );
            }
        }
    }
}

#[test]
fn only_numbers_of_stones_that_a_game_can_have_are_legal() {
    let stand = |attacker, own: usize, other: usize| Stand {
        rules: Rules::CONNECT6,
        attacker,
        own: vec![Cell::new(0, 0); own],
        other: vec![Cell::new(1, 1); other],
    };
    for (own, other) in [(1, 2), (3, 4), (9, 10)] {
        assert!(stand(Side::Black, own, other).is_legal_count());
    }
    for (own, other) in [(2, 3), (0, 1), (8, 9)] {
        assert_eq!(
            stand(Side::White, own, other).is_legal_count(),
            own % 2 == 0
        );
    }
    assert!(!stand(Side::Black, 3, 3).is_legal_count());
    assert!(!stand(Side::Black, 4, 5).is_legal_count());
    assert!(!stand(Side::White, 4, 4).is_legal_count());
}

/// Games that end in the starter collection's positions: cheap, and known to have puzzles.
struct Known(Vec<Position>);

impl Source for Known {
    fn name(&self) -> String {
        "known".to_owned()
    }
    fn len(&self) -> usize {
        self.0.len()
    }
    fn item(&self, number: usize) -> Option<(Position, Vec<Cell>, String)> {
        // One turn of the opponent is taken back and played again.
        let position = &self.0[number];
        let mut setup = position.to_setup();
        let last = setup.stones_of_mut(!position.to_move());
        let stones = last.split_off(last.len() - 2);
        setup.to_move = !position.to_move();
        let start = Position::from_setup(&setup).ok()?;
        Some((start, stones, format!("known {number}")))
    }
}

#[test]
fn a_run_that_is_interrupted_and_resumed_comes_to_the_same_collection() {
    let source = Known(easy().iter().filter_map(|puzzle| puzzle.start()).collect());
    let plan = |threads, enough| Plan {
        rules: Rules::CONNECT6,
        options: Options::default(),
        threads,
        enough,
    };
    let go = AtomicBool::new(false);
    let stopped = AtomicBool::new(true);
    let all = |collection: &Collection| -> Vec<Puzzle> {
        let puzzles = collection.puzzles(Selection::default()).expect("readable");
        for (puzzle, proof) in &puzzles {
            let proof = tengen_prover::Proof::from_compact(proof).expect("a proof");
            if puzzle.kind == Kind::Win {
                let attacker = if puzzle.attacker() == Some(Side::Black) {
                    "black"
                } else {
                    "white"
                };
                let verdict = check_claim(
                    &proof.to_text(),
                    &puzzle.rules,
                    &puzzle.position,
                    attacker,
                    &Limits::default(),
                );
                assert!(verdict.is_verified(), "{verdict}");
            }
        }
        puzzles.into_iter().map(|(puzzle, _)| puzzle).collect()
    };
    let mut whole = Collection::in_memory().expect("memory");
    run(&mut whole, &source, &plan(1, None), &go, |_, _| {}).expect("a run");
    let mut parts = Collection::in_memory().expect("memory");
    run(&mut parts, &source, &plan(2, None), &stopped, |_, _| {}).expect("a run");
    assert!(
        parts.is_empty().expect("readable"),
        "stopped before the first batch"
    );
    run(&mut parts, &source, &plan(2, None), &go, |_, _| {}).expect("a run");
    assert_eq!(all(&whole), all(&parts));
    // Once more: nothing is new, whatever the source is called.
    let counts = whole.counts().expect("readable");
    run(&mut whole, &source, &plan(1, None), &go, |_, _| {}).expect("a run");
    assert_eq!(whole.counts().expect("readable"), counts);
    assert!(starter().is_empty() || !all(&whole).is_empty());
}

#[test]
fn self_play_is_the_same_for_the_same_seed() {
    let game = |seed| self_play(Rules::CONNECT6, seed, 3);
    assert_eq!(game(1), game(1));
    assert_ne!(game(1), game(2));
    assert!(Position::replay(Rules::CONNECT6, &game(1)).is_ok());
}

#[test]
fn a_position_without_a_win_is_no_puzzle() {
    let mut miner = Miner::new(Rules::CONNECT6, Options::default());
    let quiet = position("J10 I8 H9 K11 L10");
    assert!(miner.single(&quiet, "test").puzzles.is_empty());
    let examined = miner.examine(&quiet, 10_000);
    assert_eq!((examined.turns, examined.exhausted), (None, true));
    let examined = miner.examine(&position(WIN), 1_000_000);
    assert!(examined.verified && examined.turns == Some(5));
}

fn single_threat(
    own: &[Cell],
    other: &[Cell],
    turn: &str,
    turns: u8,
    order: u8,
) -> Result<u64, Doubt> {
    let turn: Vec<Cell> = turn
        .split(' ')
        .map(|name| name.parse().expect("a cell"))
        .collect();
    let claim = Claim {
        size: (19, 19),
        line: 6,
        per_turn: 2,
        own: &places(own),
        other: &places(other),
        turn: &places(&turn),
        turns,
        order,
        refutations: &[],
    };
    recheck(&claim, 1_000_000)
}

#[test]
fn the_naive_search_knows_single_threats_from_double_ones() {
    let Stand { own, other, .. } = Stand::of(&position(SINGLE));
    let verdict = |turn, turns, order| single_threat(&own, &other, turn, turns, order);
    // By double threats alone it is no win, nor sooner, nor with turns that look stronger.
    assert_eq!(verdict("L9 M9", 7, 1), Err(Doubt::NoWin(7)));
    assert_eq!(verdict("L9 M9", 6, 2), Err(Doubt::NoWin(6)));
    for wrong in ["H8 J10", "J10 L12", "G7 H8"] {
        assert_eq!(verdict(wrong, 7, 2), Err(Doubt::NoWin(7)), "{wrong}");
    }
    // What double threats win is none for order 2.
    let easy = easy()[0];
    let stand = Stand::of(&easy.start().expect("a position"));
    let claimed = single_threat(&stand.own, &stand.other, &easy.solution.join(" "), 3, 2);
    assert_eq!(claimed, Err(Doubt::LowerOrder));
}

#[test]
fn turns_with_a_single_threat_are_judged() {
    let start = position(SINGLE);
    let judged = |turn: &str| {
        let turn = turn
            .split(' ')
            .map(|name| name.parse::<Cell>().expect("a cell"));
        judge_second(&start, &turn.collect(), 5_000_000)
    };
    let right = judged("L9 M9");
    assert!(
        matches!(&right, Some(Judgement::Wins { within: 7, reply }) if reply.len() == 2),
        "{right:?}"
    );
    assert!(matches!(judged("H8 J10"), Some(Judgement::Refuted { reply }) if reply.len() == 2));
    assert_eq!(judged("A1 S19"), Some(Judgement::NotForcing));
    assert_eq!(judged("L9 L9"), None);
}

/// The puzzle of order 3 that is searched fastest.
fn quiet() -> &'static Puzzle {
    let quiet = starter().iter().filter(|puzzle| puzzle.order == 3);
    let fastest = quiet.min_by_key(|puzzle| puzzle.features.nodes);
    fastest.expect("there is one")
}

#[test]
fn a_quiet_turn_is_found_proved_and_the_only_one() {
    let options = Options {
        order: 3,
        ..Options::default()
    };
    let mut miner = Miner::new(Rules::CONNECT6, options);
    let known = quiet();
    let found = miner.single(&known.start().expect("a position"), "test");
    let same = |(puzzle, _): &&(Puzzle, _)| puzzle.solution == known.solution;
    let Some((puzzle, proof)) = found.puzzles.iter().find(same) else {
        panic!("{:?}", found.counts)
    };
    assert_eq!((puzzle.order, puzzle.features.turns), (3, 4));
    assert!(puzzle.themes.contains(&Theme::SingleThreat));
    let attacker = match puzzle.attacker() {
        Some(Side::Black) => "black",
        _ => "white",
    };
    let checked = check_claim(
        &proof.to_text(),
        &puzzle.rules,
        &puzzle.position,
        attacker,
        &Limits::default(),
    );
    assert!(checked.is_verified(), "{checked}");
    // The solution is shown against whole replies, and one stands for all others.
    let replies = &puzzle.steps[0].replies;
    assert_eq!(replies[0].0.len(), 2);
    assert!(replies.last().is_some_and(|(reply, _)| reply.is_empty()));
}

#[test]
fn the_naive_search_knows_a_quiet_turn_from_its_rivals() {
    let puzzle = quiet();
    let stand = Stand::of(&puzzle.start().expect("a position"));
    let refutations: Vec<_> = puzzle
        .refutations
        .iter()
        .map(|reply| places(&cells(reply)))
        .collect();
    let verdict = |turn: &[Cell], turns, refutations: &[Vec<(usize, usize)>]| {
        let claim = Claim {
            size: (19, 19),
            line: 6,
            per_turn: 2,
            own: &places(&stand.own),
            other: &places(&stand.other),
            turn: &places(turn),
            turns,
            order: 3,
            refutations,
        };
        recheck(&claim, 3_000_000)
    };
    let turn = cells(&puzzle.solution);
    let right = verdict(&turn, 4, &refutations);
    assert!(right.is_ok(), "{right:?}");
    assert_eq!(verdict(&turn, 3, &refutations), Err(Doubt::NoWin(3)));
    assert_eq!(verdict(&turn, 5, &refutations), Err(Doubt::Shorter(5)));
    assert_eq!(verdict(&turn[..1], 4, &refutations), Err(Doubt::NoWin(4)));
    // Where no reply is known against a rival, it counts as a solution.
    assert!(matches!(verdict(&turn, 4, &[]), Err(Doubt::Another(_))));
    let easy = easy()[0];
    let stand = Stand::of(&easy.start().expect("a position"));
    let claimed = single_threat(&stand.own, &stand.other, &easy.solution.join(" "), 3, 3);
    assert_eq!(claimed, Err(Doubt::LowerOrder));
}

#[test]
fn quiet_turns_are_judged() {
    let puzzle = quiet();
    let start = puzzle.start().expect("a position");
    let judged = |position: &Position, turn: &[Cell]| {
        judge_quiet(position, &turn.iter().copied().collect(), 5_000_000)
    };
    let solution = cells(&puzzle.solution);
    let right = judged(&start, &solution);
    let Some(Judgement::Wins { within: 4, reply }) = right else {
        panic!("{right:?}")
    };
    assert_eq!(reply.len(), 2);
    // After the reply double threats win: a turn without any does not.
    let mut after = start.clone();
    for &cell in solution.iter().chain(&reply) {
        after.place(cell).expect("legal");
    }
    let far: Vec<Cell> = ["A1", "S19"]
        .map(|name| name.parse().expect("a cell"))
        .into();
    assert_eq!(judged(&after, &far), Some(Judgement::NotForcing));
    // White threatens: who does not stop that loses at once, who does and no more is refuted.
    let careless = judged(&start, &far);
    assert!(
        matches!(&careless, Some(Judgement::LosesAtOnce { reply }) if reply.len() == 2),
        "{careless:?}"
    );
    let wrong = judged(&start, &cells(&puzzle.tries[0].turn));
    assert!(
        matches!(&wrong, Some(Judgement::Refuted { reply }) if reply.len() == 2),
        "{wrong:?}"
    );
    assert_eq!(judged(&start, &[solution[0], solution[0]]), None);
}

#[test]
fn a_collection_lists_what_it_holds() {
    let mut collection = Collection::in_memory().expect("memory");
    let known = Known(easy().iter().filter_map(|puzzle| puzzle.start()).collect());
    let plan = Plan {
        rules: Rules::CONNECT6,
        options: Options::default(),
        threads: 1,
        enough: Some(1),
    };
    run(
        &mut collection,
        &known,
        &plan,
        &AtomicBool::new(false),
        |_, _| {},
    )
    .expect("a run");
    let summaries = collection.summaries().expect("readable");
    assert_eq!(summaries.len() as u64, collection.len().expect("readable"));
    for summary in &summaries {
        let puzzle = collection.puzzle(&summary.id).expect("readable");
        assert_eq!(*summary, (&puzzle.expect("it is there")).into());
    }
    assert_eq!(collection.puzzle("none").expect("readable"), None);
}
