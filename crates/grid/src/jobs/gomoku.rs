//! Rounds of Go-Moku: for each search that asks, what it has proved and what was proved here for it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tengen_prover::pn::{Findings, Helper, Settings};
use tengen_rules::Position;

use crate::{Job, Work};

/// So many searches are remembered, those that asked last.
const MOST_SEARCHES: usize = 3;

/// Helps searches of Go-Moku.
#[derive(Debug, Default)]
pub(super) struct Gomoku {
    settings: Settings,
    /// Whoever asked last comes first.
    searches: Mutex<Vec<Arc<Search>>>,
}

/// A search that asks.
#[derive(Debug)]
struct Search {
    /// Its rules, and where it tells what it has proved.
    name: (String, String),
    heard: AtomicU64,
    helper: Helper,
}

impl Gomoku {
    /// With so much memory for all threads together.
    pub(super) fn new(threads: usize, memory: usize) -> Self {
        let settings = Settings {
            threads,
            memory,
            ..Settings::default()
        };
        Self {
            settings,
            ..Self::default()
        }
    }

    /// The search that asks this; `None` if it asks for something else.
    fn search(&self, job: &Job) -> Option<Arc<Search>> {
        let Work::Gomoku { feed, .. } = &job.work else {
            return None;
        };
        let mut searches = self.searches.lock().unwrap_or_else(PoisonError::into_inner);
        let name = (job.rules.clone(), feed.clone());
        let known = searches.iter().position(|search| search.name == name);
        let search = match known {
            Some(place) => searches.remove(place),
            None => Arc::new(Search {
                name,
                heard: AtomicU64::new(0),
                helper: Helper::new(job.rules.parse().ok()?, self.settings.clone()).ok()?,
            }),
        };
        searches.insert(0, Arc::clone(&search));
        searches.truncate(MOST_SEARCHES);
        Some(search)
    }

    pub(super) fn heard(&self, job: &Job) -> Option<u64> {
        let search = self.search(job)?;
        Some(search.heard.load(Ordering::Relaxed))
    }

    pub(super) fn hear(&self, job: &Job, number: u64, piece: &[u8]) {
        if let Some(search) = self.search(job) {
            // What cannot be read is as if it had not been said.
            let _learnt = search.helper.learn(piece);
            search.heard.store(number, Ordering::Relaxed);
        }
    }

    pub(super) fn run(
        &self,
        job: &Job,
        position: &Position,
        stop: &AtomicBool,
    ) -> Option<Findings> {
        let search = self.search(job)?;
        match &job.work {
            Work::Gomoku { round, thirds, .. } => {
                search.helper.work(position, *round, thirds, stop)
            }
            _ => None,
        }
    }
}
