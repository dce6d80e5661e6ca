//! Telling those who watch what has changed: the book is asked twice a second, and only while somebody watches or a
//! search runs here.

use std::collections::HashSet;
use std::sync::{Arc, Weak};
use std::thread;
use std::time::Duration;

use tengen_book::SearchId;

use super::{Searches, lock};
use crate::api::{Live, SearchSummary};

/// So often the book is asked.
const PAUSE: Duration = Duration::from_millis(500);

/// Watches until the server has gone.
pub(super) fn start(searches: &Arc<Searches>) {
    let searches = Arc::downgrade(searches);
    let watch = move || while look(&searches) {};
    let started = thread::Builder::new()
        .name("searches".to_owned())
        .spawn(watch);
    // Without it pages are told nothing, but are answered whenever they ask.
    drop(started);
}

/// Whether there still is anything to watch.
fn look(searches: &Weak<Searches>) -> bool {
    thread::sleep(PAUSE);
    let Some(searches) = searches.upgrade() else {
        return false;
    };
    if searches.hub.is_watched() || searches.runs.any() {
        searches.tell_changes();
    }
    true
}

impl Searches {
    /// Tells what has changed since it was told last.
    pub(super) fn tell_changes(&self) {
        // A book that cannot be read now may be in a moment; who asks for something is told why.
        let Ok(list) = self.list() else {
            return;
        };
        list.iter().for_each(|summary| self.tell(summary));
        let there: HashSet<u32> = list.iter().map(|summary| summary.id).collect();
        let told: Vec<SearchId> = lock(&self.told).keys().copied().collect();
        for id in told {
            // Made since the list was read, or deleted by another process.
            if !there.contains(&(id.0 as u32)) && self.book.search(id).is_err() {
                self.forget(id);
            }
        }
    }

    /// Tells that a search is gone.
    pub(super) fn tell_deleted(&self, id: SearchId) {
        let mut told = lock(&self.told);
        told.remove(&id);
        let search = id.0 as u32;
        self.hub.tell(&Live::SearchDeleted { search });
    }

    /// Tells how a search stands, unless that was told already. Who is told that a search is gone must not hear of it again from a
    /// list that was read before.
    pub(super) fn tell(&self, summary: &SearchSummary) {
        let id = super::number(summary.id);
        let mut told = lock(&self.told);
        if !told.contains_key(&id) && self.book.search(id).is_err() {
            return;
        }
        let before = told.insert(id, summary.clone());
        if before.as_ref() != Some(summary) {
            let search = Box::new(summary.clone());
            self.hub.tell(&Live::Search { search });
        }
    }
}
