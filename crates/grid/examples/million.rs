//! A tree of a million nodes: how much memory, and how long do selection and update take?
//! `cargo run --release -p tengen-grid --example million -- NODES`.

#![allow(clippy::print_stdout, reason = "an example talks to its user")]

use std::time::{Duration, Instant};

use tengen_grid::clock::processor_time;
use tengen_grid::search::{Config, Event, NodeId, Policy, Search, Selection};
use tengen_grid::{Expansion, Found, Verdict, Work};
use tengen_rules::{Cell, Side, Turn};

/// How many jobs are at work at once.
const AT_WORK: usize = 64;
/// What selection and update may take.
const LIMIT: Duration = Duration::from_millis(1);

fn main() {
    let nodes = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let nodes: usize = nodes.unwrap_or(1_000_000);
    for policy in Policy::ALL {
        build(policy, nodes);
    }
}

fn build(policy: Policy, nodes: usize) {
    let mut rng = fastrand::Rng::with_seed(1);
    let config = Config {
        selection: Selection::ProofNumber(policy),
        fill: true,
        ..Config::default()
    };
    let before = resident();
    let mut search = Search::new(Side::Black, [0; 16], config);
    let (mut selections, mut updates) = (Timer::default(), Timer::default());
    let mut at_work = Vec::new();
    while search.len() < nodes {
        while at_work.len() < AT_WORK {
            let orders = selections.time(|| search.orders(1, Duration::ZERO));
            if orders.is_empty() {
                break;
            }
            at_work.extend(orders);
        }
        let order = at_work.swap_remove(rng.usize(..at_work.len()));
        let Work::Expand { exclude, .. } = &order.work else {
            continue;
        };
        let depth = search.line(order.node).len();
        let event = Event::Answer {
            node: order.node,
            expansion: expansion(exclude.len(), depth, &mut rng),
            seconds: 1.0,
            nodes: 1,
        };
        updates.time(|| {
            search.finished(order.job);
            search.apply(event);
        });
    }
    let views = (0..search.len() as u32).filter_map(|id| search.node(NodeId(id)));
    let (mut edges, mut depth, mut widest) = (0, 0, 0);
    for node in views {
        edges += node.children.len();
        depth = depth.max(node.depth);
        widest = widest.max(node.children.len().max(node.parents.len()));
    }
    let bytes = resident().saturating_sub(before) / search.len();
    println!(
        "{policy}: {} nodes, {edges} edges, {depth} levels, up to {widest} children or parents, {bytes} bytes a node more than before",
        search.len()
    );
    println!("  selection{selections}\n  update{updates}");
}

/// Mostly one turn at a time, now and then hundreds, some of them to known positions.
fn expansion(known: usize, depth: usize, rng: &mut fastrand::Rng) -> Expansion {
    let count = if rng.u32(..100) == 0 { 300 } else { 1 };
    let turns = (known..known + count).map(|number| {
        let shared = rng.u32(..10) == 0;
        let name = if shared {
            u128::from(rng.u32(..20_000))
        } else {
            rng.u128(..)
        };
        let mut key = name.to_be_bytes();
        key[0] = depth as u8 + 1;
        let cells = [Cell::new(number as i16, 1), Cell::new(number as i16, 2)];
        Found {
            turn: cells.into_iter().collect::<Turn>(),
            key,
            verdict: Verdict::ALL[rng.usize(..13)],
            after: None,
        }
    });
    Expansion {
        turns: turns.collect(),
        ..Expansion::default()
    }
}

/// Bytes of memory this process holds, where the system tells.
fn resident() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = text
        .split_whitespace()
        .nth(1)
        .and_then(|pages| pages.parse().ok());
    pages.unwrap_or(0_usize) * 4_096
}

/// How long one thing took each time: by the processor of this thread, which a busy machine does not lengthen, and by the
/// clock on the wall.
#[derive(Default)]
struct Timer {
    processor: Vec<Duration>,
    wall: Vec<Duration>,
}

impl Timer {
    fn time<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let (wall, processor) = (Instant::now(), processor_time());
        let result = work();
        self.processor
            .push(processor_time().saturating_sub(processor));
        self.wall.push(wall.elapsed());
        result
    }
}

impl std::fmt::Display for Timer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (clock, times) in [("processor", &self.processor), ("wall", &self.wall)] {
            let mut times = times.clone();
            times.sort();
            let mean = times.iter().sum::<Duration>() / times.len().max(1) as u32;
            let quantile = |share: f64| {
                let at = (times.len().saturating_sub(1) as f64 * share) as usize;
                times.get(at).copied().unwrap_or_default()
            };
            let slow = times.iter().filter(|&&time| time > LIMIT).count();
            write!(
                f,
                "\n    {clock:9}: mean {mean:.1?}, median {:.1?}, 99% {:.1?}, 99.9% {:.1?}, 99.99% {:.1?}, worst {:.1?}; \
                 {slow} of {} over 1 ms",
                quantile(0.5),
                quantile(0.99),
                quantile(0.999),
                quantile(0.9999),
                quantile(1.0),
                times.len()
            )?;
        }
        Ok(())
    }
}
