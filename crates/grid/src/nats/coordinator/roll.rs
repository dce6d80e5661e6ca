//! Who is there: what workers and other searches say, what this one says of itself, and its share.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::{Coordinator, DEMAND};
use crate::nats::machine;
use crate::nats::message::{Beat, ClientBeat, VERSION, packed, unpacked};

impl Coordinator {
    pub(super) async fn beat(&mut self, message: &async_nats::Message) {
        let name = message.subject.rsplit('.').next().unwrap_or_default();
        let Ok(beat) = unpacked::<Beat>(&message.payload) else {
            return;
        };
        let now = self.now();
        if let Some(reason) = self.roster.why_dropped(name) {
            // It has come back, or was not there when it was told.
            if !beat.leaving {
                self.say_drop(name, reason).await;
            }
        } else {
            let mine = beat
                .running
                .iter()
                .filter(|job| job.client == self.options.client);
            let names: Vec<&str> = mine.map(|job| job.name.as_str()).collect();
            if !names.is_empty() {
                let actions = self.table.running(now, &Arc::from(name), &names);
                self.act(actions).await;
            }
        }
        self.roster.beat(now, name, beat);
    }

    pub(super) fn other_client(&mut self, message: &async_nats::Message) {
        let name = message.subject.rsplit('.').next().unwrap_or_default();
        let beat = unpacked::<ClientBeat>(&message.payload);
        if let Some(beat) = beat.ok().filter(|_| name != self.options.client) {
            let now = self.now();
            self.roster.client(now, name, beat);
        }
    }

    pub(super) async fn tick(&mut self) {
        let now = self.now();
        let actions = self.table.tick(now);
        self.act(actions).await;
        for lost in self.roster.tick(now) {
            let jobs = match lost.running.len() {
                0 => String::new(),
                count => format!(", with {count} jobs that go to others"),
            };
            self.tell(format!("worker {} is lost{jobs}", lost.name));
        }
        self.bodies.retain(|name, _| self.table.has(name));
        let out = self.table.out().count();
        if let Some(last) = self.demand.back_mut() {
            *last = (*last).max(self.table.held());
        }
        let me = self.me(out);
        self.granted = self.roster.share_of(&me);
        let present = &self.present;
        present.threads.store(self.granted, Ordering::Relaxed);
        let workers = self.roster.serving(self.options.pool());
        present.workers.store(workers, Ordering::Relaxed);
    }

    /// What this search says of itself. It wants twice what it could use of late, so that it grows fast and does not hold
    /// what it cannot use. Answers that it has not read yet count too: a search that has much to read would lose its workers
    /// otherwise, and begin with a few when it has read it all.
    pub(super) fn me(&self, out: usize) -> ClientBeat {
        let peak = self.demand.iter().copied().max().unwrap_or(0);
        let running = self
            .roster
            .workers()
            .iter()
            .flat_map(|beat| &beat.running)
            .filter(|job| job.client == self.options.client)
            .count();
        ClientBeat {
            version: VERSION,
            client: self.options.client.clone(),
            title: self.options.title.clone(),
            machine: machine(),
            weight: self.options.weight,
            most: self.options.most,
            pool: self.options.pool.clone(),
            class: self.options.class,
            wants: peak * 2 + 8,
            granted: self.granted,
            queued: out.saturating_sub(running),
            running,
            done: self.table.done,
            failures: self.table.failures,
            dead: self.table.dead.iter().cloned().collect(),
            dropped: self.roster.dropped(),
            troubles: self.troubles(),
        }
    }

    pub(super) async fn show(&mut self) {
        self.demand.push_back(self.table.held());
        if self.demand.len() > DEMAND {
            self.demand.pop_front();
        }
        self.say().await;
    }

    pub(super) async fn say(&self) {
        let subject = format!("tengen.client.{}", self.options.client);
        let beat = packed(&self.me(self.table.out().count()));
        let _it_comes_again = self.client.publish(subject, beat.into()).await;
    }
}
