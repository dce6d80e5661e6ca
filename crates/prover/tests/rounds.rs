//! Go-Moku solved by others: rounds are handed out, what comes back is looked at, and lies come to nothing.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tengen_checker::{GomokuDatabase, GomokuLimits, GomokuVerdict};
use tengen_prover::pn::{
    Findings, Helper, News, Outcome, Refused, Rounds, Settings, Solver, Stage,
};
use tengen_rules::{Position, Rules, notation};

const FOUR: &str = "H8 L10 I9 G7";

fn position(text: &str) -> Position {
    let rules: Rules = "gomoku".parse().expect("rules");
    notation::parse_position(text, rules).expect("a position")
}

fn helper() -> Helper {
    let rules: Rules = "gomoku".parse().expect("rules");
    Helper::new(rules, Settings::default()).expect("suitable")
}

/// A solver with a journal; `name` must be its own.
fn solver(text: &str, name: &str) -> (Solver, PathBuf) {
    let path = std::env::temp_dir().join(format!("tengen-{name}-{}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    let mut solver = Solver::of(&position(text), Settings::default()).expect("suitable");
    solver.keep_in(&path).expect("a new journal");
    (solver, path)
}

fn is_verified(solver: &Solver) {
    let bytes = solver.database().expect("it is proved");
    let database = GomokuDatabase::read(&bytes).expect("well formed");
    let verdict = database.check(&GomokuLimits::default(), |_, _| {});
    assert!(matches!(verdict, GomokuVerdict::Verified(_)), "{verdict}");
}

/// A record as a journal has it.
fn framed(body: &[u8]) -> Vec<u8> {
    let mix = |sum: u32, byte: &u8| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
    let sum = body.iter().fold(0x811c_9dc5, mix);
    let length = body.len() as u32;
    [&length.to_le_bytes(), &sum.to_le_bytes(), body].concat()
}

#[test]
fn others_solve_a_position_and_a_liar_adds_nothing() {
    let (solver, path) = solver(FOUR, "rounds");
    let (stop, quiet) = (AtomicBool::new(false), |_| {});
    let honest = helper();
    let mut rounds = Rounds::of(&solver);
    let first = rounds.next(&quiet).expect("something to do");
    let second = rounds.next(&quiet).expect("another way of searching it");
    assert_eq!((first.round, second.round), (0, 1));
    assert_eq!(first.position, "B:H8,I9 W:G7,L10 to-move:B");
    let done = honest
        .work(&position(&first.position), first.round, &[], &stop)
        .expect("a position");
    assert!(done.finished && !done.records.is_empty());
    let text = serde_json::to_string(&done).expect("JSON");
    let read: Findings = serde_json::from_str(&text).expect("JSON");
    assert_eq!(read, done);

    let with = |records: Vec<u8>| Findings {
        records,
        ..done.clone()
    };
    let mut refused = |findings: &Findings| {
        let taken = rounds.take(first.number, findings, Duration::ZERO, &stop, &quiet);
        taken.expect_err("a lie")
    };
    // The root won by a stone in the corner, just so; a position with two stones on one cell; one that is not written as it should be.
    let root = [2 + 2, 16 * 3, 16 * 7, 15 * 6 + 6, 15 * 9 + 11, 0, 0];
    let lie = |body: &[u8]| with(framed(body));
    assert_ne!(refused(&lie(&root)), Refused::NoMove);
    assert_eq!(refused(&lie(&[2, 9, 9, 3, 0])), Refused::NoRecords);
    assert_eq!(refused(&lie(&[2, 224, 9, 3, 0])), Refused::NoRecords);
    // Where it is written as it should be, nothing answers White's replies.
    assert_eq!(refused(&lie(&[2, 0, 1, 3, 0])), Refused::NoProof);
    assert_eq!(refused(&lie(&[0, 112, 0])), Refused::NoProof);
    // A move on a stone, bytes that are nothing, half a record.
    assert_eq!(refused(&lie(&[2, 0, 1, 1, 0])), Refused::NoRecords);
    assert_eq!(refused(&with(vec![7; 40])), Refused::NoRecords);
    let half = done.records[..done.records.len() - 1].to_vec();
    assert_eq!(refused(&with(half)), Refused::NoRecords);
    // One false record spoils all.
    let mut spoilt = done.records.clone();
    spoilt.extend(framed(&[2, 0, 1, 3, 0]));
    assert_eq!(refused(&with(spoilt)), Refused::NoProof);
    for third in [(15, 0), (7, 7), (99, 99)] {
        let findings = Findings {
            thirds: vec![(third, 0)],
            ..done.clone()
        };
        assert_eq!(refused(&findings), Refused::NoMove);
    }
    assert_eq!(solver.count(), 0);
    assert!(solver.kept(0, 1 << 20).expect("readable").is_empty());

    // The truth is taken, and what others do is of no use any more.
    let stages = RefCell::new(Vec::new());
    let tell = |news: News| stages.borrow_mut().push((news.stage, news.third.is_some()));
    let taken = rounds
        .take(first.number, &done, Duration::ZERO, &stop, &tell)
        .expect("the truth");
    assert!(!taken.again);
    assert_eq!(taken.pointless, [second.number]);
    assert_eq!(stages.borrow().last(), Some(&(Stage::Won, true)));
    assert!(rounds.is_over());
    assert_eq!(rounds.end(&stop).expect("kept"), Outcome::Won);
    is_verified(&solver);

    // Whoever is told what is known has nothing left to do, and nothing to tell.
    let piece = solver.kept(0, 1 << 20).expect("readable");
    let other = helper();
    assert!(other.learn(&piece) && !other.learn(&piece[1..]));
    assert_eq!(other.count(), solver.count());
    let known = other.work(&position(FOUR), 0, &[], &stop).expect("known");
    assert!(known.records.is_empty());
    // And what the search has need not be told again.
    assert!(honest.learn(&piece));
    let again = honest.work(&position(FOUR), 1, &[], &stop).expect("known");
    assert!(again.records.is_empty());
    std::fs::remove_file(path).expect("there");
}

#[test]
fn changed_answers_are_refused_or_true() {
    let (stop, quiet) = (AtomicBool::new(false), |_| {});
    let mut random = fastrand::Rng::with_seed(5);
    let done = helper()
        .work(&position(FOUR), 0, &[], &stop)
        .expect("a position");
    let (mut refused, mut taken) = (0, 0);
    for _ in 0..150 {
        let solver = Solver::of(&position(FOUR), Settings::default()).expect("suitable");
        let mut rounds = Rounds::of(&solver);
        let first = rounds.next(&quiet).expect("something to do");
        // Some record with some byte changed, and its sum right again.
        let (mut records, mut at) = (Vec::new(), 0);
        let wrong = random.usize(..done.records.len());
        while at < done.records.len() {
            let length: [u8; 4] = done.records[at..at + 4].try_into().expect("four");
            let end = at + 8 + u32::from_le_bytes(length) as usize;
            let mut body = done.records[at + 8..end].to_vec();
            if (at + 8..end).contains(&wrong) {
                body[wrong - at - 8] = random.u8(..);
            }
            records.extend(framed(&body));
            at = end;
        }
        let changed = Findings {
            records,
            ..done.clone()
        };
        // A byte that nothing depends on does no harm.
        match rounds.take(first.number, &changed, Duration::ZERO, &stop, &quiet) {
            Ok(_) if rounds.end(&stop).expect("no journal") == Outcome::Won => {
                is_verified(&solver);
                taken += 1;
            }
            Ok(_) => {}
            Err(_) => {
                assert_eq!(solver.count(), 0);
                refused += 1;
            }
        }
    }
    assert!(refused > 0 && taken > 0, "{refused} {taken}");
}

#[test]
fn rounds_of_two_stones_are_shared_out_by_third_moves() {
    let (solver, path) = solver("H8 A1", "rounds-two");
    let (stop, quiet) = (AtomicBool::new(false), |_| {});
    let mut rounds = Rounds::of(&solver);
    let race = rounds.next(&quiet).expect("a race");
    assert!(race.thirds.is_empty() && rounds.next(&quiet).is_none());
    let take = |rounds: &mut Rounds<'_>, number, findings: &Findings| {
        rounds
            .take(number, findings, Duration::ZERO, &stop, &quiet)
            .expect("nothing false")
    };
    // Stopped: the same is asked again.
    let stopped = Findings::default();
    assert!(take(&mut rounds, race.number, &stopped).again);
    let done = Findings {
        finished: true,
        thirds: vec![((8, 8), 9), ((8, 7), 2), ((9, 9), 3)],
        untried: vec![(6, 6), (9, 7)],
        ..Findings::default()
    };
    assert!(!take(&mut rounds, race.number, &done).again);
    let next: Vec<_> = std::iter::from_fn(|| rounds.next(&quiet)).collect();
    let thirds: Vec<_> = next.iter().map(|round| round.thirds.clone()).collect();
    assert_eq!(thirds, [[(8, 7)], [(9, 9)], [(9, 7)]]);
    assert!(next.iter().all(|round| round.round == 1));
    // Nobody could do one of them: it comes again. The next round begins when all are back.
    rounds.lost(next[1].number, &quiet);
    let again = rounds.next(&quiet).expect("again");
    assert_eq!(again.thirds, next[1].thirds);
    for (round, failures) in [(&next[0], 7), (&again, 1), (&next[2], 5)] {
        assert!(rounds.next(&quiet).is_none());
        let done = Findings {
            finished: true,
            // What nobody has asked is not heard.
            thirds: vec![(round.thirds[0], failures), ((5, 5), 0)],
            ..Findings::default()
        };
        take(&mut rounds, round.number, &done);
    }
    let next: Vec<_> = std::iter::from_fn(|| rounds.next(&quiet)).collect();
    let thirds: Vec<_> = next.iter().map(|round| round.thirds.clone()).collect();
    assert_eq!(thirds, [[(9, 9)], [(6, 6)]]);
    assert!(!rounds.is_over());
    assert_eq!(rounds.end(&stop).expect("kept"), Outcome::Open);
    std::fs::remove_file(path).expect("there");
}

#[test]
fn what_makes_no_sense_is_not_worked_on() {
    let helper = helper();
    let stop = AtomicBool::new(false);
    let work = |text: &str, round, thirds: &[(usize, usize)]| {
        let done = helper.work(&position(text), round, thirds, &stop);
        done.is_some()
    };
    assert!(!work("H8", 0, &[]), "White is to move");
    assert!(!work("", 0, &[]), "nothing is asked about the empty board");
    assert!(!work("H8 A1", 1, &[(7, 7)]), "there is a stone");
    assert!(!work("H8 A1", 40, &[]), "there is no such round");
    let nine: Rules = "9,9,5,1,1".parse().expect("rules");
    let elsewhere = notation::parse_position("E5 F6", nine).expect("a position");
    assert!(helper.work(&elsewhere, 0, &[], &stop).is_none());
    let connect6: Rules = "connect6".parse().expect("rules");
    assert!(Helper::new(connect6, Settings::default()).is_err());
}
