//! Who is there: workers and searches, as they say of themselves, and who is not believed any more.

use std::collections::HashMap;
use std::time::Duration;

use super::message::{Beat, ClientBeat, VERSION};
use super::shares::{belongs, shares};

/// Who is silent for longer is gone.
pub(crate) const SILENT: Duration = Duration::from_secs(12);
/// More are not remembered.
const MOST: usize = 50_000;
/// Nobody has more threads.
const MOST_THREADS: usize = 1_024;

/// Who is there.
#[derive(Debug, Default)]
pub(crate) struct Roster {
    workers: HashMap<(String, String), (Beat, Duration)>,
    clients: HashMap<String, (ClientBeat, Duration)>,
    dropped: HashMap<String, String>,
}

impl Roster {
    /// A worker says something of itself. `name` is the one in the subject, which its key allows.
    pub(crate) fn beat(&mut self, now: Duration, name: &str, mut beat: Beat) {
        beat.name = name.to_owned();
        beat.threads = beat.threads.min(MOST_THREADS);
        let key = (beat.name.clone(), beat.instance.clone());
        if self.workers.len() < MOST || self.workers.contains_key(&key) {
            self.workers.insert(key, (beat, now));
        }
    }

    /// A search says something of itself.
    pub(crate) fn client(&mut self, now: Duration, name: &str, mut beat: ClientBeat) {
        beat.client = name.to_owned();
        if self.clients.len() < MOST || self.clients.contains_key(name) {
            self.clients.insert(beat.client.clone(), (beat, now));
        }
    }

    /// Forgets who is gone; says which workers those are that have not taken their leave.
    pub(crate) fn tick(&mut self, now: Duration) -> Vec<Beat> {
        let gone = |at: &Duration| now.saturating_sub(*at) > SILENT;
        let mut lost = Vec::new();
        self.workers.retain(|_, (beat, at)| {
            if gone(at) && !beat.leaving {
                lost.push(beat.clone());
            }
            !gone(at)
        });
        self.clients.retain(|_, (_, at)| !gone(at));
        lost
    }

    /// Nothing of this worker is wanted any more.
    pub(crate) fn drop_worker(&mut self, name: &str, reason: &str) {
        self.dropped
            .entry(name.to_owned())
            .or_insert_with(|| reason.to_owned());
    }

    /// What this worker says counts again.
    pub(crate) fn believe(&mut self, name: &str) {
        self.dropped.remove(name);
    }

    /// Whether a worker was dropped.
    pub(crate) fn is_dropped(&self, name: &str) -> bool {
        self.dropped.contains_key(name)
    }

    /// Why a worker was dropped.
    pub(crate) fn why_dropped(&self, name: &str) -> Option<&str> {
        self.dropped.get(name).map(String::as_str)
    }

    /// Who was dropped, and why.
    pub(crate) fn dropped(&self) -> Vec<(String, String)> {
        let mut all: Vec<_> = self.dropped.clone().into_iter().collect();
        all.sort();
        all
    }

    /// All workers, sorted by name.
    pub(crate) fn workers(&self) -> Vec<&Beat> {
        let mut all: Vec<&Beat> = self.workers.values().map(|(beat, _)| beat).collect();
        all.sort_by(|a, b| (&a.name, &a.instance).cmp(&(&b.name, &b.instance)));
        all
    }

    /// All searches, sorted by name.
    pub(crate) fn clients(&self) -> Vec<ClientBeat> {
        let mut all: Vec<ClientBeat> = self.clients.values().map(|(it, _)| it.clone()).collect();
        all.sort_by(|a, b| a.client.cmp(&b.client));
        all
    }

    /// The workers that count: of our version, neither leaving nor dropped.
    fn useful(&self) -> impl Iterator<Item = &Beat> {
        let useful = |beat: &&Beat| {
            beat.version == VERSION && !beat.leaving && !self.dropped.contains_key(&beat.name)
        };
        self.workers.values().map(|(beat, _)| beat).filter(useful)
    }

    /// How many threads this search may use now.
    pub(crate) fn share_of(&self, me: &ClientBeat) -> usize {
        let mut all = self.clients();
        all.retain(|it| it.client != me.client);
        all.push(me.clone());
        let shares = shares(self.useful(), &all);
        shares.get(me.client.as_str()).copied().unwrap_or(0)
    }

    /// Whether a worker of a pool has nothing to do.
    pub(crate) fn idle(&self, pool: &str) -> bool {
        let idle = |beat: &Beat| beat.running.len() < beat.threads && belongs(beat, pool);
        self.useful().any(idle)
    }

    /// How many workers serve a pool.
    pub(crate) fn serving(&self, pool: &str) -> usize {
        self.useful().filter(|beat| belongs(beat, pool)).count()
    }

    /// The jobs that a worker said it does.
    pub(crate) fn running(&self, worker: &str) -> Vec<(String, String)> {
        let of = |beat: &&Beat| beat.name == worker;
        let all = self.workers.values().map(|(beat, _)| beat).filter(of);
        all.flat_map(|beat| &beat.running)
            .map(|job| (job.client.clone(), job.name.clone()))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beat(threads: usize) -> Beat {
        Beat {
            version: VERSION,
            threads,
            ..Beat::default()
        }
    }

    fn me() -> ClientBeat {
        ClientBeat {
            client: "me".to_owned(),
            wants: 9_999,
            ..ClientBeat::default()
        }
    }

    #[test]
    fn only_useful_workers_count() {
        let mut roster = Roster::default();
        let now = Duration::from_secs(1);
        roster.beat(now, "a", beat(4));
        roster.beat(
            now,
            "old",
            Beat {
                version: 0,
                ..beat(4)
            },
        );
        roster.beat(
            now,
            "leaves",
            Beat {
                leaving: true,
                ..beat(4)
            },
        );
        roster.beat(now, "boasts", beat(1_000_000));
        assert_eq!(roster.share_of(&me()), 4 + MOST_THREADS);
        roster.drop_worker("boasts", "it lies");
        assert_eq!(roster.share_of(&me()), 4);
        roster.believe("boasts");
        assert_eq!(roster.share_of(&me()), 4 + MOST_THREADS);
        roster.drop_worker("boasts", "it lies again");
        assert_eq!((roster.serving("any"), roster.serving("old")), (1, 0));
        assert!(roster.idle("any") && roster.idle("a") && !roster.idle("boasts"));
        assert_eq!(roster.tick(now + SILENT), []);
        let lost = roster.tick(now + SILENT * 2);
        assert_eq!(lost.len(), 3, "all but the one that took its leave");
        assert_eq!(roster.share_of(&me()), 0);
    }

    #[test]
    fn the_name_is_that_of_the_subject() {
        let mut roster = Roster::default();
        let mask = Beat {
            name: "somebody else".to_owned(),
            ..beat(1)
        };
        roster.beat(Duration::ZERO, "a", mask);
        assert_eq!(roster.workers()[0].name, "a");
    }
}
