//! What the grid costs, and where a coordinator saturates: `cargo run --release -p tengen-grid --example grid_costs [PART...]`.
//!
//! | part | asks |
//! |---|---|
//! | `jobs` | eight threads do jobs of exactly one second: how much longer does each take, from answer to answer? |
//! | `search` | the same with the search inside: choosing, reading, judging, journaling |
//! | `beats` | how much of a core do the beats of 1,000 idle workers cost a coordinator? |
//! | `carry` | how many jobs a second can a coordinator send and take back, and what does each cost whom? |
//! | `answers` | the same with the search inside and jobs of a second, and how much memory the tree takes |
//! | `checks` | how many proofs a second can one core check? |
//!
//! docs/grid.md has what came of it.

#![allow(clippy::print_stdout, reason = "it prints what it measures")]

mod made_up;
mod overhead;
mod saturation;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tengen_book::{Book, SearchId};
use tengen_grid::nats::LocalServer;
use tengen_grid::runner::create_search;
use tengen_grid::search::{Config, Policy, Selection};
use tengen_grid::{Job, JobId, JobLimits, Work};
use tengen_rules::{Rules, Side, notation};

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    // This program's own children.
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--beats", url] => return overhead::beat(url),
        ["--answers", url, kind, seconds] => {
            let time = Duration::try_from_secs_f64(seconds.parse()?)?;
            return made_up::answer(url, kind, time);
        }
        _ => {}
    }
    let all = ["jobs", "search", "beats", "carry", "answers", "checks"];
    if let Some(wrong) = args.iter().find(|part| !all.contains(&part.as_str())) {
        return Err(format!("{wrong} is no part, expected {}", all.join(", ")).into());
    }
    for part in all {
        if !args.is_empty() && !args.iter().any(|it| it == part) {
            continue;
        }
        let folder = std::env::temp_dir().join(format!("tengen-costs-{}", std::process::id()));
        let server = LocalServer::start(&folder, ([127, 0, 0, 1], 0).into())?;
        match part {
            "jobs" => overhead::jobs(server.url())?,
            "search" => overhead::search(server.url(), &folder)?,
            "beats" => overhead::idle(server.url())?,
            "carry" => saturation::carry(&server)?,
            "checks" => saturation::checks(&folder)?,
            _ => saturation::answers(&server, &folder)?,
        }
        drop(server);
        std::fs::remove_dir_all(&folder)?;
    }
    Ok(())
}

/// A job that nobody has asked before.
fn job(number: u64) -> Job {
    Job {
        id: JobId(number),
        rules: "connect6".to_owned(),
        position: "B:J10 to-move:W".to_owned(),
        work: Work::Evaluate,
        limits: JobLimits {
            nodes: Some(number),
            seconds: None,
        },
        tips: Vec::new(),
    }
}

/// A book with a search.
fn begun(folder: &Path, stones: &str, attacker: Option<Side>) -> Result<(PathBuf, SearchId)> {
    let path = folder.join("costs.book");
    let book = Book::open(&path)?;
    let root = notation::parse_position(stones, Rules::CONNECT6)?;
    let config = Config {
        selection: Selection::ProofNumber(Policy::VirtualLoss),
        fill: true,
        attacker,
        ..Config::default()
    };
    let search = create_search(&book, "costs", &root, &config)?;
    Ok((path, search))
}

/// Seconds of processor time that a process has used; `self` for this one.
fn processor_time(process: &str) -> Result<f64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat"))?;
    let (_, fields) = text.rsplit_once(')').ok_or("no stat")?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let ticks: f64 = fields[11].parse::<f64>()? + fields[12].parse::<f64>()?;
    Ok(ticks / 100.0)
}

/// Bytes of memory that this process uses.
fn memory() -> Result<u64> {
    let text = std::fs::read_to_string("/proc/self/statm")?;
    let pages = text.split_whitespace().nth(1).ok_or("no statm")?;
    Ok(pages.parse::<u64>()? * 4096)
}
