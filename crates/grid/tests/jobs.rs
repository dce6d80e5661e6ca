//! The jobs of this machine's prover: what they answer is backed by proofs that the checker accepts.

use std::sync::atomic::AtomicBool;

use tengen_grid::jobs::{Effort, JobError, LocalWorker, Worker};
use tengen_grid::{Evidence, Expansion, Job, JobId, JobLimits, JobResult, ProofId, Work};
use tengen_rules::{Rules, Side, Turn, notation, position_key};

fn job(position: &str, work: Work) -> Job {
    let setup = notation::parse_position(position, Rules::CONNECT6).expect("legal");
    Job {
        id: JobId(1),
        rules: "connect6".to_owned(),
        position: notation::setup_text(&setup.to_setup()),
        work,
        limits: JobLimits::default(),
        tips: Vec::new(),
    }
}

fn expand(hints: &[&str], attacker: Side) -> Work {
    Work::Expand {
        exclude: Vec::new(),
        hints: hints
            .iter()
            .map(|turn| turn.parse().expect("a turn"))
            .collect(),
        attempt: 0,
        attacker: Some(attacker),
    }
}

/// Few nodes, few turns: for tests.
fn hasty() -> LocalWorker {
    hasty_with_turns(2)
}

fn hasty_with_turns(turns: usize) -> LocalWorker {
    LocalWorker::with_effort(Effort {
        forced: 500,
        turns,
        ..Effort::default()
    })
}

fn done(worker: &LocalWorker, job: &Job) -> JobResult {
    worker.run(job, &AtomicBool::new(false)).expect("an answer")
}

/// Every proof that is named is there, has this name, and is accepted.
fn check(result: &JobResult) {
    let mut named: Vec<ProofId> = Vec::new();
    collect(&result.expansion, &mut named);
    for id in &named {
        let (_, text) = result
            .proofs
            .iter()
            .find(|(known, _)| known == id)
            .expect("sent along");
        assert_eq!(ProofId::of(text), *id);
        assert_eq!(
            tengen_checker::check(text, &Default::default()).exit_code(),
            0
        );
    }
}

fn collect(expansion: &Expansion, named: &mut Vec<ProofId>) {
    let decided = expansion.decided.map(|decision| decision.evidence);
    for evidence in decided.into_iter().chain(expansion.rest_loses) {
        if let Evidence::Proof(id) = evidence {
            named.push(id);
        }
    }
    let after = expansion
        .turns
        .iter()
        .filter_map(|found| found.after.as_deref());
    after.for_each(|after| collect(after, named));
}

#[test]
fn a_turn_that_wins_against_all_but_one_reply_is_closed_by_its_proof() {
    let position = "J10 H9 L9 I11 K11";
    let result = done(&hasty(), &job(position, expand(&[], Side::Black)));
    let Expansion {
        turns, rest_loses, ..
    } = &result.expansion;
    let replies: Vec<String> = turns.iter().map(|found| found.turn.to_string()).collect();
    assert_eq!(replies, ["I9 K9"]);
    assert!(matches!(rest_loses, Some(Evidence::Proof(_))));
    check(&result);
    let after = notation::parse_position("J10 H9 L9 I11 K11 I9 K9", Rules::CONNECT6);
    assert_eq!(turns[0].key, position_key(&after.expect("legal")).0);
}

#[test]
fn when_the_hints_run_out_there_may_be_more_turns() {
    let result = done(
        &hasty(),
        &job("J10 H9 L9", expand(&["I11 K11"], Side::Black)),
    );
    let turns: Vec<&Turn> = result
        .expansion
        .turns
        .iter()
        .map(|found| &found.turn)
        .collect();
    assert_eq!(turns, [&"I11 K11".parse().expect("a turn")]);
    assert!(result.expansion.next.is_some(), "others are expected");
    assert_eq!(result.expansion.rest_loses, None);
    check(&result);
}

#[test]
fn what_won_after_another_reply_is_tried_first() {
    let first = job("J10 H9 L9 I11 K11 A1 A2", Work::Prove { order: 2 });
    let won = done(&hasty(), &first);
    check(&won);
    assert_eq!(
        won.expansion.decided.map(|decision| decision.winner),
        Some(Side::Black)
    );
    let blind = LocalWorker::with_effort(Effort {
        forced: 0,
        ..Effort::default()
    });
    let mut second = job("J10 H9 L9 I11 K11 A1 S19", expand(&["Q4 Q5"], Side::Black));
    second.tips = vec!["no proof".to_owned(), won.proofs[0].1.clone()];
    let again = done(&blind, &second);
    check(&again);
    assert_eq!(
        again.expansion.decided.map(|decision| decision.winner),
        Some(Side::Black)
    );
}

#[test]
fn where_what_won_after_another_reply_does_not_win_its_first_turn_is_tried_first() {
    let first = job("J10 H9 L9 I11 K11 A1 A2", Work::Prove { order: 2 });
    let won = done(&hasty(), &first);
    let tip = won.proofs[0].1.clone();
    let turn = tip.lines().find_map(|line| line.strip_prefix("0 "));
    let turn = turn.and_then(|line| line.split(' ').next());
    let turn: Turn = turn
        .expect("a root")
        .replace(',', " ")
        .parse()
        .expect("a turn");
    let blind = LocalWorker::with_effort(Effort {
        forced: 0,
        turns: 1,
        ..Effort::default()
    });
    let mut second = job("J10 H9 L9 I11 K11 G11 L11", expand(&["Q4 Q5"], Side::Black));
    let first_of = |job: &Job| {
        let answer = done(&blind, job);
        check(&answer);
        assert_eq!(answer.expansion.decided, None);
        answer.expansion.turns[0].turn.clone()
    };
    assert_eq!(first_of(&second), "Q4 Q5".parse().expect("a turn"));
    second.tips = vec![tip];
    assert_eq!(first_of(&second), turn);
}

#[test]
fn nonsense_is_refused_and_a_stop_is_obeyed() {
    let worker = hasty();
    let stop = AtomicBool::new(false);
    let mut nonsense = job("J10", Work::Evaluate);
    nonsense.position = "B:J10,J10 to-move:W".to_owned();
    let error = worker
        .run(&nonsense, &stop)
        .expect_err("two stones on one cell");
    assert!(matches!(error, JobError::Senseless { .. }), "{error}");
    let stopped = worker.run(
        &job("J10 H9 L9", expand(&[], Side::Black)),
        &AtomicBool::new(true),
    );
    assert_eq!(stopped, Err(JobError::Stopped));
}

/// White threatens nothing, but can make a four on a diagonal in three ways.
const FOURS: &str = "J10 I8 H9 K11 L10 H10 H11";

#[test]
fn a_reply_that_threatens_postpones_no_turn() {
    // The fours resist every quiet turn: as if they said something about it, the second turn would not be looked at.
    let work = expand(&["H8 M9", "H8 N10", "H8 N8"], Side::Black);
    let result = done(&hasty(), &job(FOURS, work));
    let turns = &result.expansion.turns;
    assert_eq!(turns.len(), 2);
    let after = turns[1].after.as_deref().expect("looked at");
    let estimate = after.estimate.expect("counted");
    assert!(estimate.proof < 32, "{estimate:?}");
    check(&result);
}

#[test]
fn forced_blocks_are_judged_thoroughly_and_listed() {
    let result = done(
        &hasty_with_turns(3),
        &job(&format!("{FOURS} H8 K10 G10 J7"), expand(&[], Side::Black)),
    );
    let blocks: Vec<String> = result
        .expansion
        .turns
        .iter()
        .map(|found| found.turn.to_string())
        .collect();
    let mut sorted = blocks.clone();
    sorted.sort();
    assert_eq!(sorted, ["E12 K6", "F11 K6", "F11 L5"]);
    let first = result.expansion.turns[0].after.as_deref();
    assert!(
        first.is_some_and(|after| !after.turns.is_empty()),
        "its replies are listed"
    );
    assert_eq!(result.expansion.next, None, "there are no others");
    check(&result);
}

/// T-p12 is won by a line of three stones, which leaves many replies, nearly all of them easy. A verification that loses patience must not
/// make it look hopeless.
#[test]
fn after_the_second_turn_many_survivors_are_listed() {
    let opening = "J10 J9 K12";
    let tried = done(&hasty(), &job(opening, expand(&["K9 L8"], Side::Black)));
    let [found] = &tried.expansion.turns[..] else {
        panic!("{:?}", tried.expansion);
    };
    let after = found.after.as_deref().expect("looked at");
    let estimate = after.estimate.expect("counted").proof;
    assert!((40..120).contains(&estimate), "{estimate}");
    let defend = Work::Expand {
        exclude: Vec::new(),
        hints: Vec::new(),
        attempt: 0,
        attacker: Some(Side::Black),
    };
    let result = done(&hasty(), &job(&format!("{opening} K9 L8"), defend));
    let replies = result.expansion.turns.len();
    assert!((60..150).contains(&replies), "{replies}");
    assert!(matches!(
        result.expansion.rest_loses,
        Some(Evidence::Proof(_))
    ));
    check(&result);
}

/// Who has no time left says nothing about turns that he has not looked at.
#[test]
fn a_limit_ends_nothing() {
    let attack = |position: &str| job(position, expand(&[], Side::Black));
    let mut blocks = attack(&format!("{FOURS} H8 K10 G10 J7"));
    blocks.limits.nodes = Some(0);
    let defend = Work::Expand {
        exclude: Vec::new(),
        hints: Vec::new(),
        attempt: 3,
        attacker: Some(Side::Black),
    };
    let mut replies = job("J10 I8 H9 K11 L10", defend);
    replies.limits.nodes = Some(0);
    for job in [blocks, replies] {
        let expansion = done(&hasty_with_turns(8), &job).expansion;
        assert_eq!(expansion.rest_loses, None, "{expansion:?}");
        assert!(expansion.turns.is_empty() && expansion.estimate.is_some());
    }
}

#[test]
fn a_second_verification_goes_on_from_the_first() {
    let defend = |attempt| Work::Expand {
        exclude: Vec::new(),
        hints: Vec::new(),
        attempt,
        attacker: Some(Side::Black),
    };
    let position = "J10 I8 H9 K11 L10";
    let nodes = |worker: &LocalWorker, attempt| done(worker, &job(position, defend(attempt))).nodes;
    let fresh = nodes(&hasty(), 1);
    let worker = hasty();
    nodes(&worker, 0);
    assert!(nodes(&worker, 1) < fresh);
}
