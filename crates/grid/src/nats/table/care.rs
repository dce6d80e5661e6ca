//! Jobs of which nothing is heard: who works at them, which are dead, which the server has lost.

use std::sync::Arc;
use std::time::Duration;

use super::entry::{AtWork, Entry, State, back};
use super::{AT_WORK, Action, LOOK, MOST_FAILURES, MOST_LOOKS, STOPPED, STRAY, Table, UNHEARD};
use crate::transport::Lost;

impl Table {
    /// A worker says that it does these.
    pub(in crate::nats) fn running(
        &mut self,
        now: Duration,
        worker: &Arc<str>,
        names: &[&str],
    ) -> Vec<Action> {
        let mut pointless = Vec::new();
        for &name in names {
            match self.entries.get_mut(name) {
                Some(entry) if entry.ending.is_none() && entry.state != State::Answered => {
                    if entry.kept_by.contains(worker) {
                        continue;
                    }
                    entry.worked_at_by(now, worker);
                    entry.heard = now;
                    entry.worked = Some(now);
                    entry.missing = false;
                    entry.stranded = None;
                    self.strays.remove(name);
                }
                Some(entry) if entry.ending.is_some() => pointless.push(name.to_owned()),
                _ => {
                    let since = *self.strays.entry(name.to_owned()).or_insert(now);
                    if now.saturating_sub(since) >= STRAY {
                        pointless.push(name.to_owned());
                    }
                }
            }
        }
        if pointless.is_empty() {
            return Vec::new();
        }
        vec![Action::Cancel { names: pointless }]
    }

    /// Those of these that wait are published anew, because from now on they belong elsewhere. A job that a worker has taken
    /// meanwhile is done twice, which is no harm.
    pub(in crate::nats) fn moved(&mut self, now: Duration, waiting: &[String]) -> Vec<Action> {
        let mut actions = Vec::new();
        for name in waiting {
            if let Some(entry) = self.entries.get_mut(name)
                && matches!(entry.state, State::Out { .. })
                && entry.ending.is_none()
            {
                actions.push(entry.publish_again(now, name.clone()));
            }
        }
        actions
    }

    /// The server has handed a job out too often. Where a worker says that it does the job, it lives: anybody with a key can
    /// have the server hand jobs out again and again.
    pub(in crate::nats) fn died(
        &mut self,
        now: Duration,
        name: &str,
        sequence: u64,
    ) -> Vec<Action> {
        let at_work = |entry: &Entry| {
            let worked = entry.worked;
            worked.is_some_and(|worked| now.saturating_sub(worked) < AT_WORK)
        };
        if self.entries.get(name).is_some_and(at_work) {
            return Vec::new();
        }
        let mut actions = vec![Action::Delete { sequence }];
        let Some(entry) = self.entries.get_mut(name) else {
            return actions;
        };
        if entry.state == State::Answered || entry.sequence.is_some_and(|now| now != sequence) {
            return actions;
        }
        entry.state = State::Answered;
        let reason = "nobody finished it, however often it was handed out".to_owned();
        actions.push(Action::Trouble {
            name: name.to_owned(),
            worker: None,
            reason: reason.clone(),
            dead: true,
        });
        actions.push(back(entry.job, None, Err(Lost::Failed(reason)), 0.0));
        self.failures += 1;
        self.dead.push_back(name.to_owned());
        if self.dead.len() > 20 {
            self.dead.pop_front();
        }
        actions.push(Action::Note(format!(
            "job {name} is dead: workers took it and nobody finished it"
        )));
        actions
    }

    /// Whether the server has a job's message, as it was asked. Where workers stand idle for longer than `patience` and
    /// the message is there all the same, it is handed out no more, and nobody has told us.
    pub(in crate::nats) fn looked(
        &mut self,
        now: Duration,
        name: &str,
        there: bool,
        idle: Option<Duration>,
    ) -> Vec<Action> {
        let Some(entry) = self.entries.get_mut(name) else {
            return Vec::new();
        };
        let out = matches!(entry.state, State::Out { .. });
        if there && out && entry.ending.is_none() {
            entry.missing = false;
            let Some(patience) = idle else {
                entry.stranded = None;
                return Vec::new();
            };
            let since = *entry.stranded.get_or_insert(now);
            if now.saturating_sub(since) < patience {
                return Vec::new();
            }
            entry.failures += 1;
            if let Some(sequence) = entry.sequence.filter(|_| entry.failures >= MOST_FAILURES) {
                return self.died(now, name, sequence);
            }
            return vec![entry.publish_again(now, name.to_owned())];
        }
        if there || !out || entry.ending.is_some() {
            entry.missing = false;
            return Vec::new();
        }
        // Its answer may be on its way: only what is missing twice is lost.
        if !std::mem::replace(&mut entry.missing, true) {
            return Vec::new();
        }
        vec![entry.publish_again(now, name.to_owned())]
    }

    /// Time passes.
    pub(in crate::nats) fn tick(&mut self, now: Duration) -> Vec<Action> {
        let mut actions = Vec::new();
        let mut unheard = Vec::new();
        for (name, entry) in &mut self.entries {
            if let Some(since) = entry.ending {
                if entry.state != State::Answered && now.saturating_sub(since) >= STOPPED {
                    entry.state = State::Answered;
                    actions.push(back(entry.job, None, Err(Lost::Stopped), 0.0));
                }
                continue;
            }
            match entry.state {
                State::Publishing { again } if now >= again => {
                    entry.state = State::Publishing {
                        again: now + UNHEARD,
                    };
                    actions.push(Action::Publish {
                        name: name.clone(),
                        before: None,
                    });
                }
                State::Out { .. } => {
                    if let Some(keeper) = entry.keeper(now) {
                        self.failures += 1;
                        actions.extend(taken_away(now, name, entry, keeper));
                        continue;
                    }
                    let last = entry.heard.max(entry.looked);
                    if now.saturating_sub(last) >= LOOK {
                        unheard.push((last, name.clone()));
                    }
                }
                State::Publishing { .. } | State::Answered => {}
            }
        }
        unheard.sort_unstable();
        for (_, name) in unheard.into_iter().take(MOST_LOOKS) {
            if let Some(entry) = self.entries.get_mut(&name) {
                entry.looked = now;
            }
            actions.push(Action::Look { name });
        }
        self.strays
            .retain(|_, since| now.saturating_sub(*since) < STRAY * 20);
        actions
    }
}

/// Somebody else is to do a job that this worker keeps for too long. What it answers all the same is as good as ever.
fn taken_away(now: Duration, name: &str, entry: &mut Entry, keeper: AtWork) -> Vec<Action> {
    let seconds = now.saturating_sub(keeper.since).as_secs();
    let (worker, reason) = (keeper.worker, format!("it was at work for {seconds} s"));
    let mut actions = vec![Action::Trouble {
        name: name.to_owned(),
        worker: Some(Arc::clone(&worker)),
        reason: reason.clone(),
        dead: false,
    }];
    entry.failures += 1;
    for known in [&mut entry.failed, &mut entry.kept_by] {
        if !known.contains(&worker) {
            known.push(Arc::clone(&worker));
        }
    }
    if !entry.at_work.is_empty() {
        // Another one does it already.
        return actions;
    }
    actions.push(Action::Cancel {
        names: vec![name.to_owned()],
    });
    if entry.failures < entry.most_failures() {
        actions.push(entry.publish_again(now, name.to_owned()));
    } else {
        entry.state = State::Answered;
        let sequence = entry.sequence.take();
        actions.extend(sequence.map(|sequence| Action::Delete { sequence }));
        actions.push(back(
            entry.job,
            Some(worker),
            Err(Lost::Failed(reason)),
            0.0,
        ));
    }
    actions
}
