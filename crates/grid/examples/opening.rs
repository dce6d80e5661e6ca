//! Solves openings with one worker and prints what it took: the same numbers on any machine, but for the seconds.
//!
//! `cargo run --release -p tengen-grid --example opening -- "J10 H8 L12" ...`, with `TENGEN_MOST_SECONDS=600` for the most work and
//! `TENGEN_KEEP=FILE` to keep the book of the last one.

use std::error::Error;
use std::io::Write as _;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use tengen_book::Book;
use tengen_grid::jobs::LocalWorker;
use tengen_grid::runner::{Runner, Settings, Snapshot, create_search};
use tengen_grid::search::{Config, Policy, Selection};
use tengen_rules::{Rules, Side, notation};

fn main() -> Result<(), Box<dyn Error>> {
    let most = std::env::var("TENGEN_MOST_SECONDS").ok();
    let most: f64 = most.map_or(Ok(f64::INFINITY), |text| text.parse())?;
    let mut out = std::io::stdout();
    for stones in std::env::args().skip(1) {
        let folder = std::env::temp_dir().join(format!("tengen-opening-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let path = folder.join("opening.book");
        let book = Book::open(&path)?;
        let root = notation::parse_position(&stones, Rules::CONNECT6)?;
        let config = Config {
            selection: Selection::ProofNumber(Policy::VirtualLoss),
            fill: true,
            attacker: Some(Side::Black),
            ..Config::default()
        };
        let id = create_search(&book, &stones, &root, &config)?;
        let settings = Settings {
            workers: 1,
            ..Settings::default()
        };
        let worker = Arc::new(LocalWorker::new());
        let running = Runner::start(path.clone(), id, worker, settings)?;
        let seen = || -> Result<Snapshot, Box<dyn Error>> {
            let snapshot = book.search(id)?.snapshot;
            Ok(snapshot.map_or_else(
                || Ok(Snapshot::default()),
                |text| serde_json::from_str(&text),
            )?)
        };
        while !running.is_done() {
            thread::sleep(Duration::from_millis(200));
            if seen()?.seconds > most {
                running.stop();
            }
        }
        let end = running.wait()?;
        let last = seen()?;
        writeln!(
            out,
            "{stones}: {}, {} jobs, {} nodes of the tree, {} positions, {:.1} s of work, root {}/{}",
            end.why.name(),
            last.answers,
            last.nodes,
            last.positions,
            last.seconds,
            last.proof,
            last.disproof
        )?;
        drop(book);
        if let Ok(kept) = std::env::var("TENGEN_KEEP") {
            std::fs::copy(&path, kept)?;
        }
        std::fs::remove_dir_all(&folder)?;
    }
    Ok(())
}
