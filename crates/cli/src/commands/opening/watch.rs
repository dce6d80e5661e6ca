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
use terminal_size::{Height, Width, terminal_size};

use super::{is_held, number, search, shown, state};
use crate::args::OpeningWatchArgs;
use crate::commands::check::counted;
use crate::output::Output;

pub(crate) fn run(book: &Book, args: &OpeningWatchArgs, out: &mut Output) -> anyhow::Result<()> {
    let id = args.search.id;
    let mut follower = Follower::open(book, search(book, id)?.id)?;
    let mut live = !args.once && out.is_terminal();
    let mut drawn = false;
    loop {
        follower.refresh(book)?;
        let record = search(book, id)?;
        let picture = Picture {
            follower: &follower,
            snapshot: shown(&record),
            args,
            colour: out.text_style(false).colour,
        };
        let text = picture.draw(&record);
        live &= is_held(&record);
        match (live, drawn) {
            (true, _) => {
                let clear = if drawn { "" } else { "\x1b[2J" };
                write!(out, "{clear}{}", on_screen(&text, &screen()))?;
            }
            // The end of what was live takes its place.
            (false, true) => write!(out, "\x1b[H\x1b[J{text}")?,
            (false, false) => write!(out, "{text}")?,
        }
        drawn = true;
        out.flush()?;
        if !live {
            return Ok(());
        }
        thread::sleep(Duration::from_secs(1));
    }
}

/// Columns and lines.
fn screen() -> (usize, usize) {
    let size = terminal_size().map(|(Width(width), Height(height))| (width.into(), height.into()));
    size.unwrap_or((80, 24))
}

/// The text over what was there before, without more lines than there is room for: the head must not scroll away.
fn on_screen(text: &str, &(width, height): &(usize, usize)) -> String {
    let room = height.saturating_sub(2).max(1);
    let lines: Vec<&str> = text.lines().collect();
    let mut screen = "\x1b[H".to_owned();
    for line in lines.iter().take(room) {
        let _ = writeln!(screen, "{}\x1b[K", clipped(line, width));
    }
    let left_off = match lines.len().saturating_sub(room) {
        0 => String::new(),
        more => format!("{} more than fit; ", counted(more as u64, "line")),
    };
    let last = format!("{left_off}Ctrl-C ends the watching, the search goes on");
    let _ = writeln!(screen, "{}\x1b[K\x1b[J", clipped(&last, width));
    screen
}

/// A line without what is too long for the screen. Colours take no room.
fn clipped(line: &str, width: usize) -> String {
    let (mut clipped, mut used, mut colour) = (String::new(), 0, false);
    for sign in line.chars() {
        colour |= sign == '\x1b';
        if colour || used < width {
            clipped.push(sign);
        }
        used += usize::from(!colour);
        colour &= sign != 'm';
    }
    clipped
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
        if is_held(record) {
            let _ = write!(
                text,
                "; {}, {:.1} jobs/min",
                counted(shown.workers as u64, "worker"),
                shown.speed
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
            // Where somebody has won, it is his strategy that is shown.
            .filter(|(_, child)| view.decided != Some(view.side) || child.decided == view.decided)
            .collect();
        turns.sort_by_key(|(edge, child)| (edge.excluded, child.numbers.missing_for(view.side)));
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
            if child.decided == view.decided && next.play(&edge.turn).is_ok() {
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
        None => {
            let (proof, disproof) = (number(node.numbers.proof), number(node.numbers.disproof));
            let mean = node
                .mean
                .map(|mean| format!(", Black {:.0} %", 100.0 * mean));
            format!(
                "proof {proof}, disproof {disproof}{}",
                mean.unwrap_or_default()
            )
        }
    }
}
