//! The table under all that can happen to messages.

use super::*;
use crate::JobResult;
use crate::nats::message::Said;

const SECOND: Duration = Duration::from_secs(1);

fn worker() -> Arc<str> {
    Arc::from("w")
}

fn done() -> Said {
    Said::Done(JobResult::default())
}

fn returned(actions: &[Action]) -> Vec<(JobId, bool)> {
    let back = |action: &Action| match action {
        Action::Return(back) => Some((back.job, back.answer.is_ok())),
        _ => None,
    };
    actions.iter().filter_map(back).collect()
}

fn publishes(actions: &[Action]) -> usize {
    let is = |action: &&Action| matches!(action, Action::Publish { .. });
    actions.iter().filter(is).count()
}

fn out(table: &mut Table, job: u64, name: &str) {
    assert_eq!(publishes(&table.ask(Duration::ZERO, JobId(job), name)), 1);
    assert_eq!(
        table.published(Duration::ZERO, name, Published::There(job)),
        []
    );
}

#[test]
fn an_answer_is_acknowledged_when_the_journal_has_it_and_not_before() {
    let mut table = Table::default();
    out(&mut table, 1, "a");
    let first = table.arrived(SECOND, &worker(), "a", done(), vec![Receipt(1)]);
    assert_eq!(returned(&first), [(JobId(1), true)]);
    assert!(!first.iter().any(|a| matches!(a, Action::Acknowledge(_))));
    // Twice, from another worker.
    assert_eq!(
        table.arrived(SECOND, &worker(), "a", done(), vec![Receipt(2)]),
        []
    );
    let settled = table.settled(JobId(1));
    assert_eq!(settled, [Action::Acknowledge(vec![Receipt(1), Receipt(2)])]);
}

#[test]
fn answers_that_come_before_the_question_answer_it() {
    let mut table = Table::default();
    assert_eq!(
        table.arrived(SECOND, &worker(), "a", done(), vec![Receipt(1)]),
        []
    );
    let asked = table.ask(SECOND, JobId(7), "a");
    assert_eq!(returned(&asked), [(JobId(7), true)]);
    assert_eq!(publishes(&asked), 0);
    assert_eq!(
        table.settled(JobId(7)),
        [Action::Acknowledge(vec![Receipt(1)])]
    );
    // Asked again later, it is asked again.
    assert_eq!(publishes(&table.ask(SECOND, JobId(8), "a")), 1);
}

#[test]
fn what_vanishes_is_asked_again_but_not_at_the_first_sight() {
    let mut table = Table::default();
    out(&mut table, 1, "a");
    assert_eq!(table.tick(SECOND * 2), []);
    let look = Action::Look {
        name: "a".to_owned(),
    };
    assert_eq!(table.tick(SECOND * 5), vec![look.clone()]);
    assert_eq!(table.looked(SECOND * 5, "a", false, None), []);
    assert_eq!(table.tick(SECOND * 10), [look]);
    assert_eq!(publishes(&table.looked(SECOND * 10, "a", false, None)), 1);
    // Somebody who works on it is a sign of life.
    table.published(SECOND * 10, "a", Published::There(2));
    table.looked(SECOND * 15, "a", false, None);
    table.running(SECOND * 16, &["a"]);
    assert_eq!(table.looked(SECOND * 20, "a", false, None), []);
}

#[test]
fn a_server_that_says_nothing_is_told_again() {
    let mut table = Table::default();
    table.ask(Duration::ZERO, JobId(1), "a");
    assert_eq!(table.published(SECOND, "a", Published::Unknown), []);
    assert_eq!(publishes(&table.tick(SECOND)), 1);
    assert_eq!(publishes(&table.tick(SECOND)), 0);
    assert_eq!(publishes(&table.tick(SECOND * 2)), 1);
}

#[test]
fn cancelled_jobs_come_back_stopped_whatever_the_workers_do() {
    let mut table = Table::default();
    out(&mut table, 1, "a");
    let actions = table.cancel(SECOND, JobId(1));
    assert!(actions.contains(&Action::Delete { sequence: 1 }));
    assert!(actions.contains(&Action::Cancel {
        names: vec!["a".to_owned()]
    }));
    // A worker that has not heard it is told again.
    assert_eq!(table.running(SECOND * 2, &["a"]).len(), 1);
    assert_eq!(returned(&table.tick(SECOND * 4)), [(JobId(1), false)]);
    assert_eq!(returned(&table.tick(SECOND * 9)), []);
    table.settled(JobId(1));
    // Published late, it is taken out.
    let late = table.published(SECOND * 9, "a", Published::There(5));
    assert_eq!(late, [Action::Delete { sequence: 5 }]);
}

#[test]
fn failures_are_tried_elsewhere_three_times() {
    let mut table = Table::default();
    out(&mut table, 1, "a");
    let failed = || Said::Failed("broken".to_owned());
    for (sequence, name) in [(2, "v"), (3, "w")] {
        let actions = table.arrived(SECOND, &Arc::from(name), "a", failed(), vec![]);
        assert_eq!((publishes(&actions), returned(&actions).len()), (1, 0));
        table.published(SECOND, "a", Published::There(sequence));
    }
    let last = table.arrived(SECOND, &worker(), "a", failed(), vec![]);
    assert_eq!(returned(&last), [(JobId(1), false)]);
}

#[test]
fn one_worker_alone_must_fail_more_often_and_is_dropped_where_others_succeed() {
    let mut table = Table::default();
    let (bad, good): (Arc<str>, Arc<str>) = (Arc::from("bad"), Arc::from("good"));
    let mut dropped = Vec::new();
    for number in 1..=12 {
        let name = number.to_string();
        out(&mut table, number, &name);
        for _ in 0..5 {
            let failed = Said::Failed("no".to_owned());
            let actions = table.arrived(SECOND, &bad, &name, failed, vec![]);
            assert_eq!((publishes(&actions), returned(&actions).len()), (1, 0));
        }
        let actions = table.arrived(SECOND, &good, &name, done(), vec![]);
        assert_eq!(returned(&actions), [(JobId(number), true)]);
        dropped.extend(actions.into_iter().filter_map(|action| match action {
            Action::Distrust { worker, .. } => Some((number, worker)),
            _ => None,
        }));
    }
    assert_eq!(dropped, [(10, bad)]);
    // Where there is nobody else, a job fails in the end.
    out(&mut table, 20, "a");
    let fails = || Said::Failed("no".to_owned());
    let back = (0..20).filter(|_| {
        let actions = table.arrived(SECOND, &good, "a", fails(), vec![]);
        !returned(&actions).is_empty()
    });
    assert_eq!(back.count(), 1);
}

#[test]
fn a_job_that_somebody_does_is_not_dead_however_often_it_was_handed_out() {
    let mut table = Table::default();
    out(&mut table, 4, "a");
    table.running(SECOND * 10, &["a"]);
    assert_eq!(table.died(SECOND * 12, "a", 4), []);
    let later = table.died(SECOND * 20, "a", 4);
    assert_eq!(returned(&later), [(JobId(4), false)]);
}

#[test]
fn what_waits_moves_to_another_queue_once() {
    let mut table = Table::default();
    out(&mut table, 1, "a");
    out(&mut table, 2, "b");
    out(&mut table, 3, "c");
    table.cancel(SECOND, JobId(2));
    table.arrived(SECOND, &worker(), "c", done(), vec![Receipt(1)]);
    let all = ["a", "b", "c", "stranger"].map(str::to_owned);
    let again = Action::Publish {
        name: "a".to_owned(),
        before: Some(1),
    };
    assert_eq!(table.moved(SECOND, &all), [again]);
    assert_eq!(table.moved(SECOND, &all), [], "it is on its way");
    assert_eq!(table.published(SECOND, "a", Published::There(9)), []);
    let end = table.arrived(SECOND * 2, &worker(), "a", done(), vec![Receipt(2)]);
    assert_eq!(returned(&end), [(JobId(1), true)]);
}

#[test]
fn dead_jobs_come_back_once_and_old_news_is_ignored() {
    let mut table = Table::default();
    out(&mut table, 4, "a");
    assert_eq!(returned(&table.died(SECOND, "a", 3)), []);
    assert_eq!(returned(&table.died(SECOND, "a", 4)), [(JobId(4), false)]);
    assert_eq!(returned(&table.died(SECOND, "a", 4)), []);
    assert_eq!(table.dead.len(), 1);
    table.settled(JobId(4));
    assert_eq!(publishes(&table.ask(SECOND, JobId(5), "a")), 1);
    assert_eq!(table.dead.len(), 0, "it is tried again");
}

#[test]
fn a_job_that_the_server_hands_out_no_more_is_published_anew() {
    let mut table = Table::default();
    out(&mut table, 1, "a");
    let idle = Some(SECOND * 20);
    assert_eq!(table.looked(SECOND * 5, "a", true, idle), []);
    assert_eq!(table.looked(SECOND * 10, "a", true, None), []);
    assert_eq!(table.looked(SECOND * 26, "a", true, idle), []);
    assert_eq!(publishes(&table.looked(SECOND * 46, "a", true, idle)), 1);
}

#[test]
fn what_runs_for_nobody_is_stopped_after_a_while() {
    let mut table = Table::default();
    assert_eq!(table.running(SECOND, &["x"]), []);
    assert_eq!(table.running(SECOND * 3, &["x"]), []);
    assert_eq!(table.running(SECOND * 7, &["x"]).len(), 1);
}

/// Random events: every job that was asked comes back exactly once until it is asked for again.
#[test]
fn every_job_comes_back_once() {
    for seed in 0..300 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut table = Table::default();
        let (mut now, mut next, mut sequence, mut receipt) = (Duration::ZERO, 0, 0, 0);
        let mut open: HashMap<JobId, String> = HashMap::new();
        let mut back: Vec<JobId> = Vec::new();
        let (mut given, mut kept): (Vec<Receipt>, Vec<Receipt>) = (Vec::new(), Vec::new());
        for step in 0..400 {
            now += Duration::from_millis(random.u64(0..700));
            let name = random.u8(0..5).to_string();
            let calm = step > 300;
            let actions = match random.u8(0..10) {
                0 | 1 if !calm && !open.values().any(|known| *known == name) => {
                    next += 1;
                    open.insert(JobId(next), name.clone());
                    table.ask(now, JobId(next), &name)
                }
                2 if !calm => table.cancel(now, JobId(random.u64(0..=next))),
                3 => table.published(now, &name, Published::Unknown),
                4 => {
                    sequence += 1;
                    table.published(now, &name, Published::There(sequence))
                }
                5 | 6 => {
                    receipt += 1;
                    given.push(Receipt(receipt));
                    let said = match random.u8(0..4) {
                        0 => Said::Stopped,
                        1 => Said::Failed("x".to_owned()),
                        _ => done(),
                    };
                    table.arrived(now, &worker(), &name, said, vec![Receipt(receipt)])
                }
                7 => table.running(now, &[&name]),
                8 => table.looked(
                    now,
                    &name,
                    random.bool(),
                    random.bool().then_some(SECOND * 9),
                ),
                9 if !calm => table.died(now, &name, random.u64(0..=sequence)),
                _ => table.tick(now),
            };
            let mut waiting = actions;
            while let Some(action) = waiting.pop() {
                match action {
                    Action::Return(returned) => {
                        let known = open.remove(&returned.job);
                        assert!(
                            known.is_some(),
                            "seed {seed}: {:?} came back twice",
                            returned.job
                        );
                        back.push(returned.job);
                        waiting.extend(table.settled(returned.job));
                    }
                    Action::Acknowledge(receipts) => kept.extend(receipts),
                    _ => {}
                }
            }
        }
        // Everything that is left is answered now.
        for (job, name) in open.clone() {
            let actions = table.arrived(now, &worker(), &name, done(), vec![]);
            let back = returned(&actions);
            assert_eq!(back.first().map(|(job, _)| *job), Some(job), "seed {seed}");
        }
        let all = table.end(true);
        for action in all {
            if let Action::Acknowledge(receipts) = action {
                kept.extend(receipts);
            }
        }
        kept.sort_unstable();
        given.sort_unstable();
        assert_eq!(
            kept, given,
            "seed {seed}: every answer is acknowledged once"
        );
    }
}
