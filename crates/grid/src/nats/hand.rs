//! What people do to a grid that they watch: a worker leaves, is dropped or believed again, a search gets another share.
//!
//! Whom a person drops, the watch remembers for as long as it lives: it tells searches that do not know it, and the worker if it
//! comes back. Who wants it to be remembered longer says it to the next watch ([`Watch::remember_drop`]).

use super::message::{ClientBeat, Control, Usage, Wish, packed};
use super::names::is_token;
use super::watch::{State, Watch, lock};

/// No reason is longer.
const LONGEST_REASON: usize = 200;

impl Watch {
    /// Asks a worker to finish its jobs and leave. Says whether there is one of this name.
    pub fn drain(&self, worker: &str) -> bool {
        let there = self.knows_worker(worker);
        if there {
            self.say(vec![control(worker, &Control::Drain)]);
        }
        there
    }

    /// Drops a worker: it is told to go, and no search reads its answers any more. Says whether there is one of this name.
    pub fn drop_worker(&self, worker: &str, reason: &str) -> bool {
        if !self.knows_worker(worker) {
            return false;
        }
        let reason: String = reason.chars().take(LONGEST_REASON).collect();
        let mut messages = Vec::new();
        {
            let mut state = lock(&self.state);
            state.roster.drop_worker(worker, &reason);
            for client in state.roster.clients() {
                messages.push(dropped(&client.client, worker, &reason));
            }
        }
        messages.push(control(worker, &Control::Drop { reason }));
        self.say(messages);
        true
    }

    /// A worker was dropped by a person before this watch began.
    pub fn remember_drop(&self, worker: &str, reason: &str) {
        lock(&self.state).roster.drop_worker(worker, reason);
    }

    /// What a dropped worker says counts again, once somebody starts it. Says whether it was dropped.
    pub fn believe(&self, worker: &str) -> bool {
        let mut state = lock(&self.state);
        let clients = state.roster.clients();
        let names = |(name, _): &(String, String)| name == worker;
        let here = state.roster.is_dropped(worker);
        let there = clients.iter().any(|it| it.dropped.iter().any(names));
        state.roster.believe(worker);
        drop(state);
        let believe = Wish::Believe {
            worker: worker.to_owned(),
        };
        let messages = clients.iter().map(|it| wish(&it.client, &believe));
        self.say(messages.collect());
        here || there
    }

    /// Whom a person dropped here, and why. Searches say themselves whom they have dropped.
    pub fn dropped(&self) -> Vec<(String, String)> {
        lock(&self.state).roster.dropped()
    }

    /// Asks a search to use the grid in another way. Says whether there is such a search.
    ///
    /// # Errors
    ///
    /// If that makes no sense.
    pub fn tell(&self, client: &str, usage: &Usage) -> Result<bool, String> {
        if let Some(wrong) = usage.wrong() {
            return Err(wrong);
        }
        let clients = lock(&self.state).roster.clients();
        let there = clients.iter().any(|it| it.client == client);
        if there {
            self.say(vec![wish(client, &Wish::Use(usage.clone()))]);
        }
        Ok(there)
    }

    fn knows_worker(&self, name: &str) -> bool {
        let state = lock(&self.state);
        is_token(name) && state.roster.workers().iter().any(|it| it.name == name)
    }

    fn say(&self, messages: Vec<(String, Vec<u8>)>) {
        let client = self.client.clone();
        self.grid.spawn(async move {
            for (subject, message) in messages {
                let _it_may_be_gone = client.publish(subject, message.into()).await;
            }
        });
    }
}

impl State {
    /// A worker that was dropped here is there again.
    pub(super) fn say_drop_again(&self, worker: &str) -> Vec<(String, Vec<u8>)> {
        let dropped = self.roster.dropped().into_iter();
        let again = dropped.filter(|(name, _)| name == worker);
        again
            .map(|(name, reason)| control(&name, &Control::Drop { reason }))
            .collect()
    }

    /// A search that does not know yet who was dropped here: it is new, or began anew.
    pub(super) fn say_drops_to(&self, client: &ClientBeat) -> Vec<(String, Vec<u8>)> {
        let knows = |worker: &String| client.dropped.iter().any(|(known, _)| known == worker);
        let all = self.roster.dropped().into_iter();
        all.filter(|(worker, _)| !knows(worker))
            .map(|(worker, reason)| dropped(&client.client, &worker, &reason))
            .collect()
    }
}

fn control(worker: &str, control: &Control) -> (String, Vec<u8>) {
    (format!("tengen.control.{worker}"), packed(control))
}

fn wish(client: &str, wish: &Wish) -> (String, Vec<u8>) {
    (format!("tengen.wish.{client}"), packed(wish))
}

fn dropped(client: &str, worker: &str, reason: &str) -> (String, Vec<u8>) {
    let drop = Wish::Drop {
        worker: worker.to_owned(),
        reason: reason.to_owned(),
    };
    wish(client, &drop)
}
