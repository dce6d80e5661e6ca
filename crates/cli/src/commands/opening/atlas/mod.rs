//! `tengen opening atlas`: all White second turns near the centre.

mod classes;
mod picture;
mod work;

use std::io::{self, Write as _};
use std::path::Path;
use std::time::Instant;

use serde_json::{Value, json};
use tengen_book::{Book, ProofSummary, SearchId};
use tengen_grid::runner::find_search;
use tengen_grid::search::Config;
use tengen_rules::{Canonical, Position, Side, Turn};

use super::{config, number, search, shown};
use crate::args::{AtlasArgs, Attacker};
use crate::commands::book;
use crate::interrupt;
use crate::output::{Output, write_file};
use crate::solving::side_name;
use classes::{Class, Region};

/// An opening and what the book knows of it.
#[derive(Debug)]
pub(super) struct Entry {
    class: Class,
    search: Option<SearchId>,
    winner: Option<Side>,
    /// By which turn.
    turn: Option<Turn>,
    proof: u32,
    disproof: u32,
    jobs: u64,
    /// Seconds of work.
    seconds: f64,
    /// Nothing is left to try.
    stuck: bool,
    /// Another process searches it.
    elsewhere: bool,
}

pub(crate) fn run(path: &Path, args: &AtlasArgs, out: &mut Output) -> anyhow::Result<()> {
    let region = Region::read(&args.region)?;
    let book = book::opened(path)?;
    let mut atlas = Atlas {
        path,
        book: &book,
        args,
        region,
        entries: Vec::new(),
        start: Instant::now(),
    };
    for class in region.classes() {
        let entry = atlas.known(class)?;
        atlas.entries.push(entry);
    }
    interrupt::flag();
    atlas.draw()?;
    atlas.work()?;
    atlas.say_how_to_go_on();
    if args.json {
        let all: Vec<Value> = atlas.entries.iter().map(as_json).collect();
        return Ok(writeln!(out, "{:#}", Value::from(all))?);
    }
    print(&atlas.entries, out)
}

/// All openings of a region, and the book that has their searches.
struct Atlas<'a> {
    path: &'a Path,
    book: &'a Book,
    args: &'a AtlasArgs,
    region: Region,
    entries: Vec<Entry>,
    start: Instant,
}

impl Atlas<'_> {
    /// Who sees a run end may think that this was all.
    fn say_how_to_go_on(&self) {
        let left = self.entries.iter().filter(|entry| entry.is_open()).count();
        let limit = self.args.seconds.limit();
        // Without any time the table is all that was asked for.
        let Some(limit) = limit.filter(|limit| left > 0 && !limit.is_zero()) else {
            return;
        };
        if self.start.elapsed() >= limit {
            // Nobody is left to be told when stderr is closed.
            let _ = writeln!(
                io::stderr(),
                "the {} s of this run are over, openings left: {left}; the same command goes on where it was, \
                 with `--seconds inf` until it is told to stop",
                limit.as_secs_f64()
            );
        }
    }

    /// How all searches choose.
    fn config(&self) -> Config {
        config(self.args.policy, self.args.attacker.side(), None)
    }

    /// What the book knows of an opening.
    fn known(&self, class: Class) -> anyhow::Result<Entry> {
        let id = find_search(self.book, &class.root, &self.config())?;
        let shown = match id {
            Some(id) => shown(&search(self.book, id.0)?),
            None => tengen_grid::runner::Snapshot::default(),
        };
        let proved = self.book.proved(&class.root)?;
        let proof = proved
            .map(|(_, id)| self.book.proof(id))
            .transpose()?
            .flatten();
        Ok(Entry {
            search: id,
            winner: proved.map(|(winner, _)| winner),
            turn: proof.and_then(|proof| first_turn(&proof, &class.root)),
            proof: shown.proof,
            disproof: shown.disproof,
            jobs: shown.answers,
            seconds: shown.seconds,
            stuck: false,
            elsewhere: false,
            class,
        })
    }

    fn draw(&self) -> anyhow::Result<()> {
        match &self.args.svg {
            Some(path) => write_file(path, picture::draw(&self.entries, self.region).as_bytes()),
            None => Ok(()),
        }
    }
}

/// The first turn of a proof in the orientation of the root: the proof may be about an image of it.
fn first_turn(proof: &ProofSummary, root: &Position) -> Option<Turn> {
    let about = tengen_book::start(&proof.rules, &proof.position).ok()?;
    let (from, to) = (Canonical::of(&about), Canonical::of(root));
    let cells = proof.first.as_ref()?.cells().iter();
    let turned = cells.map(|&cell| to.map_back(from.map(cell))).collect();
    (from.setup == to.setup).then_some(turned)
}

impl Entry {
    const fn is_open(&self) -> bool {
        self.winner.is_none() && !self.stuck && !self.elsewhere
    }

    /// What is missing to a proof that is looked for. What nobody has looked at comes after the nearly solved and before the
    /// hopeless.
    fn missing(&self, attacker: Attacker) -> u32 {
        match (self.jobs, attacker) {
            (0, _) => 6,
            (_, Attacker::Black) => self.proof,
            (_, Attacker::White) => self.disproof,
            (_, Attacker::Both) => self.proof.min(self.disproof),
        }
    }

    /// In few words.
    fn verdict(&self) -> String {
        match (self.winner, &self.turn) {
            (Some(winner), Some(turn)) => format!("{winner} by {turn}"),
            (Some(winner), None) => winner.to_string(),
            (None, _) if self.jobs == 0 => "open".to_owned(),
            (None, _) => {
                let (proof, disproof) = (number(self.proof), number(self.disproof));
                let stuck = if self.stuck { ", stuck" } else { "" };
                format!("open {proof}/{disproof}{stuck}")
            }
        }
    }
}

fn print(entries: &[Entry], out: &mut Output) -> anyhow::Result<()> {
    writeln!(
        out,
        "{:<10} {:<8} {:<24} {:>7} {:>10}",
        "Opening", "Stones", "Proved for", "Jobs", "Work"
    )?;
    for entry in entries {
        let [a, b] = entry.class.white;
        writeln!(
            out,
            "{:<10} {:<8} {:<24} {:>7} {:>8.1} s",
            entry.class.name,
            format!("{a} {b}"),
            entry.verdict(),
            entry.jobs,
            entry.seconds
        )?;
    }
    let won = |side| {
        entries
            .iter()
            .filter(|entry| entry.winner == Some(side))
            .count()
    };
    let (black, white) = (won(Side::Black), won(Side::White));
    writeln!(
        out,
        "\n{} openings: {black} proved for Black, {white} for White, {} open (proof/disproof numbers)",
        entries.len(),
        entries.len() - black - white
    )?;
    Ok(())
}

fn as_json(entry: &Entry) -> Value {
    json!({
        "name": entry.class.name,
        "white": entry.class.white.map(|cell| cell.to_string()),
        "winner": entry.winner.map(side_name),
        "turn": entry.turn.as_ref().map(ToString::to_string),
        "proof": entry.proof, "disproof": entry.disproof, "jobs": entry.jobs, "seconds": entry.seconds,
        "search": entry.search.map(|id| id.0),
    })
}
