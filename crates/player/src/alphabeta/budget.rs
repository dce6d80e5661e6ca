//! What thinking may cost.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use tengen_prover::Limits as ProverLimits;
use tengen_rules::{Overline, Rules};

use crate::{Deadline, Limits};

/// Nodes and time, spent and left.
#[derive(Debug)]
pub(crate) struct Budget<'a> {
    deadline: Deadline<'a>,
    most_nodes: Option<u64>,
    pub(crate) nodes: u64,
    /// When to look at the clock again.
    next_look: u64,
    /// Nodes between two looks at the clock.
    every: u64,
    /// Hundredths that are kept for later.
    reserve: u32,
    over: bool,
}

impl<'a> Budget<'a> {
    pub(crate) fn new(limits: &Limits, stop: Option<&'a AtomicBool>, rules: Rules) -> Self {
        // Large turns make slow nodes, and so do exact lines.
        let quick = rules.per_turn() <= 2 && rules.overline() == Overline::Wins;
        Self {
            deadline: Deadline::new(&limits.clock, stop),
            most_nodes: limits.nodes,
            nodes: 0,
            next_look: 0,
            every: if quick { 512 } else { 1 },
            reserve: 0,
            over: false,
        }
    }

    /// Counts nodes; `true` when it is time to stop.
    pub(crate) fn spend(&mut self, nodes: u64) -> bool {
        self.nodes += nodes;
        if self.nodes >= self.next_look {
            self.next_look = self.nodes + self.every;
            self.look();
        }
        self.over |= self.most_nodes.is_some_and(|most| self.nodes >= most);
        self.over
    }

    /// Looks at the clock now; `true` when it is time to stop.
    pub(crate) fn look(&mut self) -> bool {
        self.over |= self.deadline.is_over();
        self.over |= self.reserve > 0 && self.spent() + self.reserve >= 100;
        self.over
    }

    /// Keeps so many hundredths for later.
    pub(crate) fn keep(&mut self, hundredths: u32) {
        self.reserve = hundredths;
    }

    /// From now on what was kept may be spent.
    pub(crate) fn release(&mut self) {
        self.reserve = 0;
        self.over = self.most_nodes.is_some_and(|most| self.nodes >= most);
        self.look();
    }

    pub(crate) fn is_over(&self) -> bool {
        self.over
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.deadline.elapsed()
    }

    pub(crate) fn end(&self) -> Option<Instant> {
        self.deadline.end()
    }

    pub(crate) fn stop(&self) -> Option<&'a AtomicBool> {
        self.deadline.stop()
    }

    /// Limits for a search that may take so many hundredths of everything, and at most `nodes`.
    pub(crate) fn share(&self, hundredths: u32, nodes: u64) -> ProverLimits {
        let share = self.most_nodes.map(|most| {
            let part = most / 100 * u64::from(hundredths) + 1;
            part.min(most.saturating_sub(self.nodes))
        });
        ProverLimits {
            nodes: Some(share.unwrap_or(u64::MAX).min(nodes)),
            time: self.deadline.share(hundredths),
        }
    }

    /// How many hundredths are spent, of what is most nearly used up; 0 without limits.
    pub(crate) fn spent(&self) -> u32 {
        let nodes = self
            .most_nodes
            .map_or(0, |most| self.nodes * 100 / most.max(1));
        let time = self.deadline.whole().map_or(0, |whole| {
            self.elapsed().as_micros() * 100 / whole.as_micros().max(1)
        });
        nodes.max(time as u64).min(100) as u32
    }
}
