//! The grid as the API has it. Beats come from strangers: what is too long is cut, what is too much is left out.

use std::collections::{BTreeMap, HashMap};

use tengen_grid::nats::{Beat, Class, ClientBeat, Ledger, RunningJob, Trouble, VERSION, Watch};

use super::short;
use crate::api::{
    GridClass, GridDropped, GridJob, GridLost, GridSearch, GridState, GridSummary, GridTrouble,
    GridUsage, GridWorker,
};
use crate::error::Failure;
use crate::searches::Searches;

/// More workers are counted, but not listed.
const MOST_WORKERS: usize = 500;
/// More jobs of one worker are not listed.
const MOST_JOBS: usize = 64;
/// More labels and sorts of work are not listed.
const MOST_LABELS: usize = 16;
/// No position is longer.
const LONGEST_POSITION: usize = 4_000;

type OnGrid = HashMap<String, tengen_book::Search>;

/// The grid at a moment.
pub(super) fn state(
    watch: &Watch,
    searches: &Searches,
    ledger: &Ledger,
) -> Result<GridState, Failure> {
    let (workers, clients) = (watch.workers(), watch.clients());
    let known = searches.on_grid()?;
    let dropped = dropped(watch, &clients, ledger);
    let is_dropped = |name: &str| dropped.iter().any(|it| it.name == name);
    let listed = workers.iter().take(MOST_WORKERS);
    Ok(GridState {
        address: Some(watch.address().to_owned()),
        summary: summary(watch, &workers, &clients),
        workers: listed
            .map(|beat| worker(beat, is_dropped(&beat.name)))
            .collect(),
        searches: clients
            .iter()
            .map(|client| search(client, searches, &known))
            .collect(),
        lost: watch
            .lost_of_late()
            .into_iter()
            .map(|lost| GridLost {
                name: lost.name,
                machine: short(&lost.machine),
                jobs: lost.jobs as u32,
                ago: lost.ago,
                back: lost.back,
            })
            .collect(),
        dropped,
    })
}

/// The sums.
pub(super) fn summary(watch: &Watch, workers: &[Beat], clients: &[ClientBeat]) -> GridSummary {
    let busy = |beat: &Beat| beat.running.len().min(beat.threads);
    GridSummary {
        workers: workers.len() as u32,
        threads: workers.iter().map(|beat| beat.threads as u32).sum(),
        busy: workers.iter().map(|beat| busy(beat) as u32).sum(),
        searches: clients.len() as u32,
        queued: clients.iter().map(|client| client.queued as u32).sum(),
        per_minute: watch.per_minute(),
        done: clients.iter().map(|client| client.done).sum(),
        failures: clients.iter().map(|client| client.failures).sum(),
        lost: watch.lost(),
        connected: watch.is_connected(),
    }
}

fn worker(beat: &Beat, dropped: bool) -> GridWorker {
    let kinds = beat.kinds.iter().take(MOST_LABELS);
    let labels = beat.labels.iter().take(MOST_LABELS);
    let mut running: Vec<&RunningJob> = beat.running.iter().collect();
    // The longest first: rows stay where they are.
    running.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    GridWorker {
        name: beat.name.clone(),
        instance: short(&beat.instance),
        machine: short(&beat.machine),
        version: short(&beat.program),
        incompatible: beat.version != VERSION,
        threads: beat.threads as u32,
        memory: beat.memory,
        kinds: kinds.map(ToString::to_string).collect(),
        labels: labels.map(|label| short(label)).collect(),
        running: running.into_iter().take(MOST_JOBS).map(job).collect(),
        done: beat.done,
        failed: beat.failed,
        refused: beat.refused,
        leaving: beat.leaving,
        paused: beat.paused,
        dropped,
    }
}

fn job(job: &RunningJob) -> GridJob {
    let seconds = job.seconds;
    GridJob {
        client: short(&job.client),
        rules: short(&job.rules),
        position: job.position.chars().take(LONGEST_POSITION).collect(),
        kind: job.kind.map(|kind| kind.to_string()).unwrap_or_default(),
        seconds: if seconds.is_finite() { seconds } else { 0.0 },
        delivery: u32::try_from(job.delivery).unwrap_or(0),
    }
}

fn search(client: &ClientBeat, searches: &Searches, known: &OnGrid) -> GridSearch {
    let record = known.get(&client.client);
    let troubles = client.troubles.iter().take(20);
    GridSearch {
        client: client.client.clone(),
        search: record.map(|record| record.id.0 as u32),
        title: client.title.chars().take(200).collect(),
        machine: short(&client.machine),
        usage: GridUsage {
            weight: client.weight,
            most: client.most.map(|most| most as u32),
            pool: client.pool.as_deref().map(short),
            class: match client.class {
                Class::High => GridClass::High,
                Class::Normal => GridClass::Normal,
                Class::Low => GridClass::Low,
            },
        },
        wants: client.wants as u32,
        granted: client.granted as u32,
        queued: client.queued as u32,
        running: client.running as u32,
        done: client.done,
        failures: client.failures,
        troubles: troubles.map(|it| trouble(it, searches, record)).collect(),
    }
}

fn trouble(
    trouble: &Trouble,
    searches: &Searches,
    record: Option<&tengen_book::Search>,
) -> GridTrouble {
    let position: String = trouble.position.chars().take(LONGEST_POSITION).collect();
    GridTrouble {
        job: short(&trouble.job),
        rules: record.map(|record| record.rules.clone()),
        given_up: record.and_then(|record| searches.given_up(record, &position)),
        position,
        worker: trouble.worker.as_deref().map(short),
        reason: trouble.reason.chars().take(300).collect(),
        dead: trouble.dead,
        ago: trouble.ago,
    }
}

/// Who is dropped, by searches, those that have ended among them, or by hand.
fn dropped(watch: &Watch, clients: &[ClientBeat], ledger: &Ledger) -> Vec<GridDropped> {
    let mut all: BTreeMap<String, GridDropped> = BTreeMap::new();
    let mut add = |name: &str, reason: &str, search: Option<&str>| {
        let dropped = all.entry(name.to_owned()).or_insert_with(|| GridDropped {
            name: short(name),
            reason: reason.chars().take(300).collect(),
            searches: Vec::new(),
        });
        dropped.searches.extend(search.map(str::to_owned));
    };
    for (name, reason) in watch.dropped().into_iter().chain(ledger.all()) {
        add(&name, &reason, None);
    }
    for client in clients {
        for (name, reason) in &client.dropped {
            add(name, reason, Some(&client.title));
        }
    }
    all.into_values().take(MOST_WORKERS).collect()
}
