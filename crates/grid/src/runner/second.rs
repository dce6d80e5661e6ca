//! Second opinions: what workers elsewhere estimate is asked for again now and then, of somebody else, and compared.
//!
//! Proofs are checked and claims are heard twice (`doubt.rs`); an estimate decides nothing and can be neither right nor wrong, but
//! it guides the search. So a sample of all answers is asked for once more. The first answer counts at once, the second
//! one is only compared with it. Honest workers differ: one has more time, or remembers more. So a difference must be
//! gross to count, and only who differs so in most samples, and from more than one other, is dropped.
//!
//! What this cannot see: turns that are merely bad suggestions, and liars who are the majority.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use crate::search::NodeId;
use crate::{Expansion, JobId, NumberTable, Numbers};

/// How often estimates of workers elsewhere are asked for twice.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct SecondOpinions {
    /// A worker is new for so many answers.
    pub new: u64,
    /// Of the answers of a new worker one in so many; 0 for none.
    pub early: u64,
    /// Of later ones one in so many; 0 for none.
    pub later: u64,
    /// Which ones: nobody elsewhere should be able to guess it. Chance decides if nothing is said.
    pub seed: Option<u64>,
}

impl Default for SecondOpinions {
    fn default() -> Self {
        Self {
            new: 24,
            early: 4,
            later: 50,
            seed: None,
        }
    }
}

/// Two estimates that differ by more than this many powers of two, on average, differ grossly.
const GROSS: f64 = 4.0;
/// So many samples of a worker are kept.
const KEPT: usize = 24;
/// Fewer say nothing.
const ENOUGH: usize = 6;
/// So often a sample is asked for again while the same worker takes it.
const MOST_REPEATS: u32 = 4;
/// A second opinion that takes longer is not waited for.
const PATIENCE: Duration = Duration::from_secs(1800);
/// Names of these jobs begin here: those of the search are counted from 0.
const FIRST: u64 = 1 << 62;

/// An answer that somebody else is asked about.
pub(crate) struct Sampled {
    pub(crate) node: NodeId,
    worker: Arc<str>,
    said: Expansion,
    repeats: u32,
    since: Duration,
}

/// What a second opinion leads to.
#[derive(Debug, PartialEq)]
pub(crate) enum Compared {
    /// Nothing.
    Fine,
    /// The same worker got it: somebody else is to be asked.
    Again,
    /// This worker is off too often.
    Exposes(Arc<str>),
    /// Two that nobody can tell apart contradict each other all the time: people should know.
    Quarrel(Arc<str>, Arc<str>),
}

#[derive(Default)]
struct Record {
    answers: u64,
    /// With whom it was compared, and whether they differed grossly.
    samples: VecDeque<(Arc<str>, bool)>,
}

/// The samples that are out, and what came of earlier ones.
pub(crate) struct Seconds {
    settings: SecondOpinions,
    seed: u64,
    out: HashMap<JobId, Sampled>,
    records: HashMap<Arc<str>, Record>,
    quarrels: HashSet<(Arc<str>, Arc<str>)>,
    next: u64,
}

impl Seconds {
    pub(crate) fn new(settings: SecondOpinions) -> Self {
        Self {
            seed: settings.seed.unwrap_or_else(|| fastrand::u64(..)),
            settings,
            out: HashMap::new(),
            records: HashMap::new(),
            quarrels: HashSet::new(),
            next: FIRST,
        }
    }

    /// How many second opinions are out.
    pub(crate) fn open(&self) -> usize {
        self.out.len()
    }

    /// An answer of a worker was believed. Says under which name somebody else is to be asked, if so.
    pub(crate) fn sample(
        &mut self,
        now: Duration,
        worker: &Arc<str>,
        node: NodeId,
        said: &Expansion,
    ) -> Option<JobId> {
        if opinions(said).is_empty() {
            return None;
        }
        let record = self.records.entry(Arc::clone(worker)).or_default();
        record.answers += 1;
        let every = if record.answers <= self.settings.new {
            self.settings.early
        } else {
            self.settings.later
        };
        let name = worker.bytes().fold(self.seed, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let chance = crate::simulate::mix(name, record.answers);
        if every == 0 || !chance.is_multiple_of(every) {
            return None;
        }
        let job = JobId(self.next);
        self.next += 1;
        let sampled = Sampled {
            node,
            worker: Arc::clone(worker),
            said: said.clone(),
            repeats: 0,
            since: now,
        };
        self.out.insert(job, sampled);
        Some(job)
    }

    /// The sample with this name.
    pub(crate) fn find(&self, job: JobId) -> Option<&Sampled> {
        self.out.get(&job)
    }

    /// Nobody waits for this one any more.
    pub(crate) fn forget(&mut self, job: JobId) {
        self.out.remove(&job);
    }

    /// Nobody waits for any of them any more.
    pub(crate) fn forget_all(&mut self) -> Vec<JobId> {
        self.out.drain().map(|(job, _)| job).collect()
    }

    /// Those that take too long.
    pub(crate) fn overdue(&self, now: Duration) -> Vec<JobId> {
        let late = |sampled: &Sampled| now.saturating_sub(sampled.since) > PATIENCE;
        let all = self.out.iter().filter(|(_, sampled)| late(sampled));
        all.map(|(job, _)| *job).collect()
    }

    /// A second opinion.
    pub(crate) fn hear(&mut self, job: JobId, worker: &Arc<str>, said: &Expansion) -> Compared {
        let Some(sampled) = self.out.get_mut(&job) else {
            return Compared::Fine;
        };
        if sampled.worker == *worker {
            sampled.repeats += 1;
            if sampled.repeats <= MOST_REPEATS {
                return Compared::Again;
            }
            self.out.remove(&job);
            return Compared::Fine;
        }
        let first = Arc::clone(&sampled.worker);
        let difference = difference(&sampled.said, said);
        self.out.remove(&job);
        let Some(difference) = difference else {
            return Compared::Fine;
        };
        let gross = difference > GROSS;
        for (one, other) in [(&first, worker), (worker, &first)] {
            let record = self.records.entry(Arc::clone(one)).or_default();
            record.samples.push_back((Arc::clone(other), gross));
            if record.samples.len() > KEPT {
                record.samples.pop_front();
            }
        }
        if gross {
            self.judge(&first, worker)
        } else {
            Compared::Fine
        }
    }

    fn judge(&mut self, first: &Arc<str>, second: &Arc<str>) -> Compared {
        let (a, b) = (self.offence(first), self.offence(second));
        let worse = if b > a { second } else { first };
        if a.max(b).is_some() {
            let liar = Arc::clone(worse);
            // What it was compared with says nothing about the others.
            self.records.remove(&liar);
            for record in self.records.values_mut() {
                record.samples.retain(|(other, _)| *other != liar);
            }
            return Compared::Exposes(liar);
        }
        let all_gross = |it: &Arc<str>, other: &Arc<str>| {
            let samples = self.records.get(it).map(|record| &record.samples);
            let with = |(who, _): &&(Arc<str>, bool)| who == other;
            let (mut count, mut gross) = (0, 0);
            for (_, is_gross) in samples.into_iter().flatten().filter(with) {
                count += 1;
                gross += usize::from(*is_gross);
            }
            count >= ENOUGH && gross * 2 > count
        };
        let mut pair = (Arc::clone(first), Arc::clone(second));
        if pair.0 > pair.1 {
            pair = (pair.1, pair.0);
        }
        if all_gross(first, second) && self.quarrels.insert(pair.clone()) {
            return Compared::Quarrel(pair.0, pair.1);
        }
        Compared::Fine
    }

    /// How bad it is, in thousandths, if it is too bad. Differences with those whom nobody else agrees with say nothing about it: among
    /// thousands of workers some honest one is compared with liars only.
    fn offence(&self, worker: &Arc<str>) -> Option<usize> {
        let samples = self.records.get(worker)?.samples.iter();
        let (mut count, mut gross) = (0, 0);
        let mut others = HashSet::new();
        for (other, is_gross) in samples {
            if *is_gross && !self.is_credible(other, worker) {
                continue;
            }
            count += 1;
            if *is_gross {
                gross += 1;
                others.insert(other);
            }
        }
        let bad = count >= ENOUGH && gross * 2 > count && others.len() > 1;
        bad.then(|| gross * 1000 / count)
    }

    /// Whether a worker agrees with somebody, and with most, leaving out the one it is to speak against.
    fn is_credible(&self, worker: &Arc<str>, against: &Arc<str>) -> bool {
        let samples = self.records.get(worker).map(|record| &record.samples);
        let (mut fine, mut gross) = (0, 0);
        for (other, is_gross) in samples.into_iter().flatten() {
            if other != against {
                *(if *is_gross { &mut gross } else { &mut fine }) += 1;
            }
        }
        fine > 0 && fine >= gross
    }
}

/// How much two answers to the same question differ, in powers of two, on average over what both speak of; nothing if
/// they speak of different things.
fn difference(one: &Expansion, other: &Expansion) -> Option<f64> {
    let (one, other) = (opinions(one), opinions(other));
    let (mut sum, mut count) = (0.0, 0);
    for (what, score) in &one {
        if let Some(theirs) = other.get(what) {
            sum += (score - theirs).abs();
            count += 1;
        }
    }
    (count > 0).then(|| sum / f64::from(count))
}

/// What an answer thinks of the position itself and of those after its turns: how much more White misses than Black, as a
/// power of two. What it proves or claims is looked at elsewhere.
fn opinions(said: &Expansion) -> HashMap<Option<tengen_rules::PositionKey>, f64> {
    let mut found = HashMap::new();
    if said.decided.is_some() {
        return found;
    }
    if let Some(numbers) = said.estimate {
        found.insert(None, score(numbers));
    }
    let table = NumberTable::default();
    for turn in &said.turns {
        let after = turn.after.as_deref();
        if after.is_some_and(|after| after.decided.is_some()) {
            continue;
        }
        let numbers = after.and_then(|after| after.estimate);
        let numbers = numbers.unwrap_or_else(|| table.of(turn.verdict));
        found.insert(Some(turn.key), score(numbers));
    }
    found
}

fn score(numbers: Numbers) -> f64 {
    let log = |number: u32| f64::from(number.max(1)).log2();
    log(numbers.disproof) - log(numbers.proof)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(proof: u32) -> Expansion {
        Expansion::estimated(Numbers::new(proof, 1))
    }

    fn always() -> Seconds {
        Seconds::new(SecondOpinions {
            new: 0,
            early: 1,
            later: 1,
            seed: Some(1),
        })
    }

    /// Lets workers answer in turn, each heard against the next; `says` is what one thinks of the job with this number.
    fn dropped(names: &[&str], rounds: u64, says: impl Fn(&str, u64) -> u32) -> Vec<(u64, String)> {
        let mut seconds = always();
        let mut names: Vec<Arc<str>> = names.iter().map(|name| Arc::from(*name)).collect();
        let mut gone = Vec::new();
        for round in 0..rounds {
            let first = Arc::clone(&names[round as usize % names.len()]);
            let step = 1 + (round as usize / names.len()) % (names.len() - 1);
            let second = Arc::clone(&names[(round as usize + step) % names.len()]);
            let said = estimate(says(&first, round));
            let job = seconds.sample(Duration::ZERO, &first, NodeId::ROOT, &said);
            let heard = seconds.hear(job.expect("all"), &second, &estimate(says(&second, round)));
            if let Compared::Exposes(liar) = heard {
                names.retain(|name| *name != liar);
                gone.push((round, liar.to_string()));
            }
        }
        gone
    }

    /// What an honest worker counts in a job: anything from 1 to 200.
    fn truth(round: u64) -> u32 {
        1 + (crate::simulate::mix(7, round) % 200) as u32
    }

    #[test]
    fn a_liar_is_dropped_and_nobody_else() {
        let says = |name: &str, round: u64| match name {
            // Every position is as good as won, or lost.
            "liar" if round.is_multiple_of(2) => 1,
            "liar" => 100_000,
            _ => truth(round),
        };
        let gone = dropped(&["a", "b", "liar", "c"], 400, says);
        assert_eq!(gone.len(), 1, "{gone:?}");
        assert_eq!(gone[0].1, "liar");
        assert!(gone[0].0 < 100, "{gone:?}");
    }

    #[test]
    fn a_slow_worker_is_not_dropped() {
        // It has refuted fewer replies when its time is over, and now and then it has got nowhere.
        let says = |name: &str, round: u64| match name {
            "slow" if round % 7 < 2 => 4_000,
            "slow" => truth(round) * 6,
            _ => truth(round),
        };
        assert_eq!(dropped(&["a", "b", "slow", "c"], 1_000, says), []);
    }

    #[test]
    fn who_is_compared_with_liars_only_is_not_dropped() {
        let mut seconds = always();
        let mut compare = |first: &str, second: &str| {
            let says = |name: &str| estimate(if name.starts_with("liar") { 100_000 } else { 3 });
            let job = seconds.sample(
                Duration::ZERO,
                &Arc::from(first),
                NodeId::ROOT,
                &says(first),
            );
            seconds.hear(job.expect("all"), &Arc::from(second), &says(second))
        };
        for number in 0..4 {
            assert_eq!(compare("unlucky", &format!("liar{number}")), Compared::Fine);
        }
        assert_eq!(compare("unlucky", "a"), Compared::Fine);
        assert_eq!(compare("a", "b"), Compared::Fine);
        // Five of six differ grossly.
        assert_eq!(compare("unlucky", "liar4"), Compared::Fine);
        assert_eq!(compare("unlucky", "liar5"), Compared::Fine);
        // Those who lie are found out as soon as they are compared with people who agree with each other.
        let found = (0..8).map(|number| compare("liar0", ["a", "b", "unlucky"][number % 3]));
        let found: Vec<Compared> = found.filter(|it| *it != Compared::Fine).collect();
        assert_eq!(found[0], Compared::Exposes(Arc::from("liar0")));
    }

    #[test]
    fn of_two_workers_nobody_can_say_who_lies_but_people_are_told() {
        let mut seconds = always();
        let (a, b): (Arc<str>, Arc<str>) = (Arc::from("a"), Arc::from("b"));
        let mut told = Vec::new();
        for _ in 0..30 {
            let said = estimate(100_000);
            let job = seconds.sample(Duration::ZERO, &a, NodeId::ROOT, &said);
            told.push(seconds.hear(job.expect("all"), &b, &estimate(3)));
        }
        told.retain(|what| *what != Compared::Fine);
        assert_eq!(told, [Compared::Quarrel(a, b)]);
    }

    #[test]
    fn new_workers_are_sampled_more_and_nothing_is_asked_of_who_says_nothing() {
        let mut seconds = Seconds::new(SecondOpinions {
            seed: Some(3),
            ..SecondOpinions::default()
        });
        let a: Arc<str> = Arc::from("a");
        let mut sampled = Vec::new();
        for number in 0..5_024 {
            let job = seconds.sample(Duration::ZERO, &a, NodeId::ROOT, &estimate(5));
            sampled.extend(job.map(|_| number));
        }
        let early = sampled.iter().filter(|number| **number < 24).count();
        let later = sampled.len() - early;
        assert!((2..=12).contains(&early), "{early} of 24, 6 expected");
        assert!(
            (60..=140).contains(&later),
            "{later} of 5,000, 100 expected"
        );
        let silent = seconds.sample(Duration::ZERO, &a, NodeId::ROOT, &Expansion::default());
        assert_eq!(silent, None);
        // The same seed samples the same answers.
        let mut again = Seconds::new(SecondOpinions {
            seed: Some(3),
            ..SecondOpinions::default()
        });
        let same = (0..5_024).filter(|_| {
            let job = again.sample(Duration::ZERO, &a, NodeId::ROOT, &estimate(5));
            job.is_some()
        });
        assert_eq!(same.collect::<Vec<_>>(), sampled);
    }

    #[test]
    fn the_same_worker_is_not_a_second_voice() {
        let mut seconds = always();
        let a: Arc<str> = Arc::from("a");
        let said = estimate(5);
        let job = seconds.sample(Duration::ZERO, &a, NodeId::ROOT, &said);
        let job = job.expect("all");
        let again = (0..10).take_while(|_| seconds.hear(job, &a, &said) == Compared::Again);
        assert_eq!(again.count(), MOST_REPEATS as usize);
        assert_eq!(seconds.open(), 0);
    }
}
