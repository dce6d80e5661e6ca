//! `tengen opening watch`: the tree of a search, live.

use std::fmt::Write as _;
use std::io::Write as _;
use std::thread;
use std::time::Duration;

use tengen_book::{Book, Search};
use tengen_grid::Follower;
use tengen_grid::runner::Snapshot;
use tengen_grid::search::{NodeId, NodeView};
use tengen_rules::{Position, Side};

use super::{number, search, shown, state};
use crate::args::OpeningWatchArgs;
use crate::commands::check::counted;
use crate::interrupt;
use crate::output::Output;

pub(crate) fn run(book: &Book, args: &OpeningWatchArgs, out: &mut Output) -> anyhow::Result<()> {
    let id = search(book, args.id)?.id;
    let mut follower = Follower::open(book, id)?;
    let live = !args.once && out.is_terminal();
    let colour = out.text_style(false).colour;
    interrupt::flag();
    loop {
        follower.refresh(book)?;
        let record = search(book, args.id)?;
        let picture = Picture {
            follower: &follower,
            snapshot: shown(&record),
            args,
            colour,
        };
        if live {
            // Home, and erase what is below.
            write!(out, "\x1b[H\x1b[2J")?;
        }
        write!(out, "{}", picture.draw(&record))?;
        out.flush()?;
        if !live || state(&record) != "running" || interrupt::is_stopped() {
            return Ok(());
        }
        thread::sleep(Duration::from_secs(1));
    }
}

struct Picture<'a> {
    follower: &'a Follower,
    snapshot: Snapshot,
    args: &'a OpeningWatchArgs,
    colour: bool,
}

impl Picture<'_> {
    fn draw(&self, record: &Search) -> String {
        let mut text = String::new();
        let (shown, root) = (&self.snapshot, self.follower.search().root());
        let totals = self.follower.search().totals();
        let _ = writeln!(
            text,
            "Search {}: {}, {}",
            record.id.0,
            record.title,
            state(record)
        );
        let verdict = match root.decided {
            Some(winner) => format!("{winner} wins, proved"),
            None => format!("{} to move, {}", root.side, numbers(&root)),
        };
        let _ = writeln!(text, "{verdict}");
        let _ = write!(
            text,
            "{}, {}, {:.1} s of work",
            counted(self.follower.search().len() as u64, "position"),
            counted(totals.answers, "job"),
            totals.seconds
        );
        if state(record) == "running" {
            let _ = write!(
                text,
                "; {} workers, {:.1} jobs/min",
                shown.workers, shown.speed
            );
            if let Some(left) = shown.estimate {
                let _ = write!(text, ", very roughly {left:.0} s left");
            }
        }
        text.push('\n');
        for job in &shown.active {
            let line = if job.line.is_empty() {
                "root".to_owned()
            } else {
                job.line.join(", ")
            };
            let _ = writeln!(text, "* {line}: {:.0} s", job.seconds);
        }
        for note in &shown.notes {
            let _ = writeln!(text, "Note: {note}");
        }
        text.push('\n');
        self.children(&mut text, NodeId::ROOT, self.follower.root(), 1);
        text
    }

    /// The most hopeful turns of a node, each with what follows.
    fn children(&self, text: &mut String, node: NodeId, position: &Position, depth: usize) {
        let search = self.follower.search();
        let Some(view) = search.node(node).filter(|_| depth <= self.args.depth) else {
            return;
        };
        let edges = self.follower.edges_in(node, position);
        let mut turns: Vec<_> = edges
            .iter()
            .filter_map(|edge| Some((edge, search.node(edge.node)?)))
            .collect();
        turns.sort_by_key(|(_, child)| match view.side {
            Side::Black => (
                child.numbers.proof,
                std::cmp::Reverse(child.numbers.disproof),
            ),
            Side::White => (
                child.numbers.disproof,
                std::cmp::Reverse(child.numbers.proof),
            ),
        });
        let indent = "  ".repeat(depth);
        for (edge, child) in turns.iter().take(self.args.first) {
            let at_work = self
                .snapshot
                .active
                .iter()
                .any(|job| job.node == child.id.0);
            let sign = match child.decided {
                Some(Side::Black) => '+',
                Some(Side::White) => '-',
                None if edge.excluded => 'x',
                None if at_work => '*',
                None => ' ',
            };
            let (on, off) = self.paint(child);
            let turn = edge.turn.to_string();
            let _ = writeln!(text, "{indent}{on}{sign} {turn:<8} {}{off}", numbers(child));
            let mut next = position.clone();
            if child.decided.is_none() && next.play(&edge.turn).is_ok() {
                self.children(text, edge.node, &next, depth + 1);
            }
        }
        if let Some(more) = turns
            .len()
            .checked_sub(self.args.first)
            .filter(|&more| more > 0)
        {
            let _ = writeln!(text, "{indent}  and {more} more");
        }
    }

    /// Black's wins green, White's red.
    const fn paint(&self, node: &NodeView) -> (&'static str, &'static str) {
        match node.decided {
            _ if !self.colour => ("", ""),
            Some(Side::Black) => ("\x1b[32m", "\x1b[0m"),
            Some(Side::White) => ("\x1b[31m", "\x1b[0m"),
            None => ("", ""),
        }
    }
}

fn numbers(node: &NodeView) -> String {
    match node.decided {
        Some(winner) => format!("{winner} wins"),
        None => format!(
            "proof {}, disproof {}",
            number(node.numbers.proof),
            number(node.numbers.disproof)
        ),
    }
}
