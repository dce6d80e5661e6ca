//! The table under all that can happen to messages.

use super::*;
use crate::JobResult;
use crate::nats::message::Said;

const SECOND: Duration = Duration::from_secs(1);
const HOUR: Duration = Duration::from_secs(3600);

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
    assert_eq!(
        publishes(&table.ask(Duration::ZERO, JobId(job), name, HOUR)),
        1
    );
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
    let asked = table.ask(SECOND, JobId(7), "a", HOUR);
    assert_eq!(returned(&asked), [(JobId(7), true)]);
    assert_eq!(publishes(&asked), 0);
    assert_eq!(
        table.settled(JobId(7)),
        [Action::Acknowledge(vec![Receipt(1)])]
    );
    // Asked again later, it is asked again.
    assert_eq!(publishes(&table.ask(SECOND, JobId(8), "a", HOUR)), 1);
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
    table.running(SECOND * 16, &worker(), &["a"]);
    assert_eq!(table.looked(SECOND * 20, "a", false, None), []);
}

#[test]
fn a_server_that_says_nothing_is_told_again() {
    let mut table = Table::default();
    table.ask(Duration::ZERO, JobId(1), "a", HOUR);
    // Not before it is known that nothing came of it: a slow server would be told again and again.
    assert_eq!(publishes(&table.tick(SECOND * 6)), 0);
    assert_eq!(table.published(SECOND * 7, "a", Published::Unknown), []);
    assert_eq!(publishes(&table.tick(SECOND * 7)), 0);
    assert_eq!(publishes(&table.tick(SECOND * 8)), 1);
    assert_eq!(publishes(&table.tick(SECOND * 10)), 0);
    // Whoever was to tell us is gone.
    assert_eq!(publishes(&table.tick(SECOND * 1_000)), 1);
}

#[test]
fn the_server_is_asked_for_a_few_jobs_at_a_time_and_for_all_in_turn() {
    let mut table = Table::default();
    for job in 0..1_000 {
        out(&mut table, job, &job.to_string());
    }
    let mut asked = std::collections::HashSet::new();
    for step in 0..10 {
        let actions = table.tick(SECOND * 5 + SECOND / 4 * step);
        assert_eq!(actions.len(), MOST_LOOKS);
        asked.extend(actions.into_iter().map(|action| match action {
            Action::Look { name } => name,
            other => panic!("{other:?}"),
        }));
    }
    assert_eq!(asked.len(), 1_000);
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
    assert_eq!(table.running(SECOND * 2, &worker(), &["a"]).len(), 1);
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
    table.running(SECOND * 10, &worker(), &["a"]);
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
    assert_eq!(publishes(&table.ask(SECOND, JobId(5), "a", HOUR)), 1);
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
    assert_eq!(table.running(SECOND, &worker(), &["x"]), []);
    assert_eq!(table.running(SECOND * 3, &worker(), &["x"]), []);
    assert_eq!(table.running(SECOND * 7, &worker(), &["x"]).len(), 1);
}

#[test]
fn who_keeps_a_job_for_too_long_loses_it_to_another_one() {
    let (keeper, other): (Arc<str>, Arc<str>) = (Arc::from("keeper"), Arc::from("other"));
    let mut table = Table::default();
    table.ask(Duration::ZERO, JobId(1), "a", SECOND * 100);
    table.published(Duration::ZERO, "a", Published::There(1));
    for second in (50..=149).step_by(3) {
        table.running(SECOND * second, &keeper, &["a"]);
        assert_eq!(publishes(&table.tick(SECOND * second)), 0);
    }
    let taken = table.tick(SECOND * 150);
    let cancel = Action::Cancel {
        names: vec!["a".to_owned()],
    };
    assert!(taken.contains(&cancel), "{taken:?}");
    let again = Action::Publish {
        name: "a".to_owned(),
        before: Some(1),
    };
    assert!(taken.contains(&again), "{taken:?}");
    table.published(SECOND * 150, "a", Published::There(2));
    // That it is told to stop, and does so, is no failure of the job.
    let stopped = table.arrived(SECOND * 151, &keeper, "a", Said::Stopped, vec![Receipt(1)]);
    assert_eq!(stopped, [Action::Acknowledge(vec![Receipt(1)])]);
    // What it says of the job counts for nothing from now on.
    table.running(SECOND * 152, &keeper, &["a"]);
    assert_eq!(
        returned(&table.died(SECOND * 153, "a", 2)),
        [(JobId(1), false)]
    );
    // The next one may take twice as long.
    table.settled(JobId(1));
    table.ask(SECOND * 200, JobId(2), "b", SECOND * 100);
    table.published(SECOND * 200, "b", Published::There(3));
    for second in (200..=300).step_by(5) {
        table.running(SECOND * second, &keeper, &["b"]);
        let is_late = second == 300;
        let actions = table.tick(SECOND * second);
        assert_eq!(publishes(&actions), usize::from(is_late), "{second}");
    }
    table.published(SECOND * 300, "b", Published::There(4));
    for second in (301..=500).step_by(5) {
        table.running(SECOND * second, &other, &["b"]);
        assert_eq!(publishes(&table.tick(SECOND * second)), 0, "{second}");
    }
    // An answer is an answer, whoever has it first.
    let late = table.arrived(SECOND * 500, &keeper, "b", done(), vec![]);
    assert_eq!(returned(&late), [(JobId(2), true)]);
}

#[test]
fn who_took_over_from_the_dead_has_all_its_time() {
    let (dead, heir): (Arc<str>, Arc<str>) = (Arc::from("dead"), Arc::from("heir"));
    let mut table = Table::default();
    table.ask(Duration::ZERO, JobId(1), "a", SECOND * 100);
    table.published(Duration::ZERO, "a", Published::There(1));
    for second in 0..=175 {
        let who = if second < 80 { &dead } else { &heir };
        table.running(SECOND * second, who, &["a"]);
        let actions = table.tick(SECOND * second);
        assert_eq!(actions, [], "{second}");
    }
    // Where another one does it already, it is not handed out once more.
    let keeper: Arc<str> = Arc::from("keeper");
    let mut published = 0;
    table.ask(SECOND * 200, JobId(2), "b", SECOND * 100);
    table.published(SECOND * 200, "b", Published::There(2));
    for second in 200..=340 {
        table.running(SECOND * second, &keeper, &["b"]);
        if second > 250 {
            table.running(SECOND * second, &heir, &["b"]);
        }
        published += publishes(&table.tick(SECOND * second));
    }
    assert_eq!(published, 0);
}

#[test]
fn a_job_that_everybody_keeps_comes_back_in_the_end() {
    for workers in [1, 2, 5] {
        let mut table = Table::default();
        table.ask(Duration::ZERO, JobId(1), "a", SECOND);
        let mut ended = None;
        for step in 1..=200_u64 {
            let now = SECOND * step as u32;
            table.published(now, "a", Published::There(step));
            let worker: Arc<str> = Arc::from((step % workers).to_string());
            table.running(now, &worker, &["a"]);
            let actions = table.tick(now);
            if let [(job, is_done)] = returned(&actions)[..] {
                ended = Some((job, is_done));
                let is = |action: &Action| matches!(action, Action::Delete { .. });
                assert!(actions.iter().any(is), "nobody is to take it any more");
                break;
            }
            let idle = table.looked(now, "a", true, Some(SECOND * 20));
            if let [(job, is_done)] = returned(&idle)[..] {
                ended = Some((job, is_done));
                break;
            }
        }
        assert_eq!(ended, Some((JobId(1), false)), "{workers} workers");
    }
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
                    table.ask(now, JobId(next), &name, HOUR)
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
                7 => table.running(now, &worker(), &[&name]),
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
