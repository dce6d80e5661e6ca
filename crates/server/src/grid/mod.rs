//! The grid that this server uses, for the page: what is seen of it, and what people do to it.
//!
//! | file | what is there |
//! |---|---|
//! | `view.rs` | the grid as the API has it |
//! | `kept.rs` | how searches use the grid and who was dropped, remembered over pauses and restarts |

mod kept;
mod view;

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use tengen_grid::nats::{Class, Ledger, Span, Usage, Watch};

use crate::api::{
    GridClass, GridHistory, GridSample, GridSpan, GridState, GridSummary, GridUsage, Live,
};
use crate::error::Failure;
use crate::live::Hub;
use crate::searches::Searches;
pub(crate) use kept::{Drops, Usages};

/// So often those who watch are told.
const PAUSE: Duration = Duration::from_secs(1);

/// The grid, if this server uses one.
#[derive(Debug)]
pub(crate) struct GridDesk {
    watch: Option<Watch>,
    searches: Arc<Searches>,
    usages: Arc<Usages>,
    drops: Drops,
    /// Whom searches of the book have dropped.
    ledger: Ledger,
    hub: Hub,
    told: Mutex<GridSummary>,
}

impl GridDesk {
    /// Looks at the grid, and tells those who watch.
    pub(crate) fn open(
        watch: Option<Watch>,
        searches: Arc<Searches>,
        usages: Arc<Usages>,
        drops: Drops,
        hub: Hub,
    ) -> Arc<Self> {
        let ledger = searches.ledger();
        let is_used = watch.is_some();
        if let Some(watch) = &watch {
            for (worker, reason) in drops.all().into_iter().chain(ledger.all()) {
                watch.remember_drop(&worker, &reason);
            }
        }
        let desk = Arc::new(Self {
            watch,
            searches,
            usages,
            drops,
            ledger,
            hub,
            told: Mutex::default(),
        });
        if is_used {
            let weak = Arc::downgrade(&desk);
            let look = move || while look(&weak) {};
            // Without it pages are told nothing, but are answered whenever they ask.
            drop(thread::Builder::new().name("grid".to_owned()).spawn(look));
        }
        desk
    }

    /// The watched grid, for those who cannot do without.
    pub(crate) fn watch(&self) -> Result<&Watch, Failure> {
        self.watch.as_ref().ok_or_else(|| {
            Failure::Conflict(
                "this workbench uses no grid: `tengen grid up` starts one, `tengen serve --grid URL` uses it"
                    .to_owned(),
            )
        })
    }

    /// The grid at a moment; an empty one if none is used.
    pub(crate) fn state(&self) -> Result<GridState, Failure> {
        match &self.watch {
            Some(watch) => view::state(watch, &self.searches, &self.ledger),
            None => Ok(GridState::default()),
        }
    }

    /// How it was, since this server started.
    pub(crate) fn history(&self, span: GridSpan) -> Result<GridHistory, Failure> {
        let (length, of) = match span {
            GridSpan::Hour => (3_600, Span::Hour),
            GridSpan::Day => (86_400, Span::Day),
        };
        let samples = self.watch()?.history(of).into_iter();
        let samples = samples.map(|sample| GridSample {
            ago: sample.ago,
            threads: sample.threads,
            busy: sample.busy,
            queued: sample.queued,
            per_minute: sample.per_minute,
        });
        Ok(GridHistory {
            span: length,
            every: of.every().as_secs() as u32,
            samples: samples.collect(),
        })
    }

    /// Has a search use the grid in another way, now and whenever this server runs it again.
    pub(crate) fn use_so(&self, client: &str, usage: &GridUsage) -> Result<(), Failure> {
        let watch = self.watch()?;
        let usage = Usage {
            weight: usage.weight,
            most: usage.most.map(|most| most as usize),
            pool: usage.pool.clone().filter(|pool| !pool.is_empty()),
            class: match usage.class {
                GridClass::High => Class::High,
                GridClass::Normal => Class::Normal,
                GridClass::Low => Class::Low,
            },
        };
        let there = watch.tell(client, &usage).map_err(Failure::BadRequest)?;
        if !there {
            return Err(nobody("search", client));
        }
        if self.searches.on_grid()?.contains_key(client) {
            self.usages.keep(client, usage);
        }
        Ok(())
    }

    /// Lets a worker finish its jobs and leave.
    pub(crate) fn drain(&self, worker: &str) -> Result<(), Failure> {
        known(self.watch()?.drain(worker), worker)
    }

    /// Nothing of this worker is wanted any more.
    pub(crate) fn drop_worker(&self, worker: &str, reason: &str) -> Result<(), Failure> {
        let reason = reason.trim();
        let length = reason.chars().count();
        if !(1..=200).contains(&length) {
            return Err(Failure::BadRequest(format!(
                "the reason has {length} characters, expected 1 to 200"
            )));
        }
        known(self.watch()?.drop_worker(worker, reason), worker)?;
        self.drops.keep(worker, reason);
        Ok(())
    }

    /// What this worker says counts again.
    pub(crate) fn believe(&self, worker: &str) -> Result<(), Failure> {
        let here = self.watch()?.believe(worker);
        let cannot = |error| {
            let path = self.ledger.path().display();
            Failure::Internal(format!("{path} cannot be written: {error}"))
        };
        // A search that runs writes it down too; one that has ended does not.
        if self.ledger.believe(worker).map_err(cannot)? || here {
            self.drops.forget(worker);
            return Ok(());
        }
        let worker = short(worker);
        Err(Failure::NotFound(format!("`{worker}` was not dropped")))
    }

    fn tell(&self) {
        let Some(watch) = self.watch.as_ref().filter(|_| self.hub.is_watched()) else {
            return;
        };
        let grid = view::summary(watch, &watch.workers(), &watch.clients());
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        // Where jobs are at work, something changes all the time.
        if grid.busy > 0 || *told != grid {
            told.clone_from(&grid);
            self.hub.tell(&Live::Grid { grid });
        }
    }
}

/// Whether there still is anything to look at.
fn look(desk: &Weak<GridDesk>) -> bool {
    thread::sleep(PAUSE);
    let Some(desk) = desk.upgrade() else {
        return false;
    };
    desk.tell();
    true
}

fn known(known: bool, worker: &str) -> Result<(), Failure> {
    if known {
        Ok(())
    } else {
        Err(nobody("worker", worker))
    }
}

fn nobody(what: &str, name: &str) -> Failure {
    let name = short(name);
    Failure::NotFound(format!(
        "there is no {what} `{name}` on the grid now; `tengen grid status` lists who is there"
    ))
}

/// A text from strangers, not too long.
fn short(text: &str) -> String {
    text.chars().take(80).collect()
}
