//! A tree of a million nodes: how much memory, and how long do selection and update take?
//! `cargo run --release -p tengen-grid --example million -- NODES`.

#![allow(clippy::print_stdout, reason = "an example talks to its user")]

use std::time::{Duration, Instant};

use tengen_grid::search::{Config, Event, NodeId, Policy, Search, Selection};
use tengen_grid::{Expansion, Found, Verdict, Work};
use tengen_rules::{Cell, Side, Turn};

/// How many jobs are at work at once.
const AT_WORK: usize = 64;

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
    println!("  selection {selections}, update {updates}");
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

#[derive(Default)]
struct Timer {
    count: u32,
    total: Duration,
    worst: Duration,
    /// Longer than a millisecond: now and then a table grows.
    slow: u32,
}

impl Timer {
    fn time<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let started = Instant::now();
        let result = work();
        let taken = started.elapsed();
        self.count += 1;
        self.total += taken;
        self.worst = self.worst.max(taken);
        self.slow += u32::from(taken > Duration::from_millis(1));
        result
    }
}

impl std::fmt::Display for Timer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mean = self.total / self.count.max(1);
        write!(
            f,
            "{mean:.1?} on average, {:.1?} at worst, {} of {} over 1 ms",
            self.worst, self.slow, self.count
        )
    }
}
