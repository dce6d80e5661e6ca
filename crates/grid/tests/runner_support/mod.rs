//! Small games, a worker that solves them bit by bit, and books in folders of their own.

#![allow(dead_code, reason = "each test file uses a part")]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tengen_book::{Book, CheckedProof, SearchId};
use tengen_grid::jobs::{JobError, Worker};
use tengen_grid::runner::{End, Runner, SecondOpinions, Settings, create_search};
use tengen_grid::search::Config;
use tengen_grid::{Decision, Evidence, Expansion, Found, Job, JobResult, ProofId, Verdict, Work};
use tengen_prover::{Limits, Proof, Request, Solver, Value, VerifyRequest, verify};
use tengen_rules::{Cell, Position, Side, Turn, notation, position_key};

/// Black wins, but the worker below needs a tree for it.
pub(crate) const SMALL: (&str, &str) = ("6,6,4,1,1", "B:C3 W:F6 to-move:B");

/// The position that a text describes.
pub(crate) fn position(rules: &str, text: &str) -> Position {
    let rules = rules.parse().expect("rules");
    notation::parse_position(text, rules).expect("a legal position")
}

/// The name of a proof.
pub(crate) fn id_of(text: &str) -> ProofId {
    ProofId(tengen_book::ProofId::of(text).0)
}

/// A folder for one test; `name` must be its own.
pub(crate) fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a temporary folder");
    path
}

/// A book with one search.
pub(crate) fn book_with(folder: &Path, root: &Position, config: &Config) -> (PathBuf, SearchId) {
    let path = folder.join("test.book");
    let book = Book::open(&path).expect("a new book");
    let search = create_search(&book, "a test", root, config).expect("a search");
    (path, search)
}

/// Settings for tests.
pub(crate) fn settings(workers: usize) -> Settings {
    Settings {
        workers,
        snapshot_every: Duration::from_millis(50),
        second_opinions: SecondOpinions::default(),
        ..Settings::default()
    }
}

/// Runs a search to its end.
pub(crate) fn run(path: &Path, search: SearchId, worker: Arc<dyn Worker>, workers: usize) -> End {
    let running = Runner::start(path.to_owned(), search, worker, settings(workers));
    running.expect("it starts").wait().expect("it ends well")
}

/// Asserts that the book has this proof and that the checker verifies it anew for this root and winner.
#[track_caller]
pub(crate) fn assert_proved(path: &Path, root: &Position, end: &End) -> Proof {
    let winner = end.winner.expect("solved");
    let id = end.composed.expect("composed");
    let book = Book::open_existing(path).expect("a book");
    let text = book
        .proof_text(tengen_book::ProofId(id.0))
        .expect("readable");
    let text = text.expect("the book has it");
    let checked = CheckedProof::check(text.as_str()).expect("a proof");
    assert!(checked.proves(root, winner), "{}", checked.verdict());
    assert_eq!(checked.position().to_setup(), root.to_setup());
    let (proved, _) = book.proved(root).expect("readable").expect("proved");
    assert_eq!(proved, winner);
    text.parse().expect("a proof")
}

/// A worker that knows only the shortest wins by threats, so that a tree is needed for everything else.
#[derive(Debug, Default)]
pub(crate) struct Small;

impl Worker for Small {
    fn run(&self, job: &Job, stop: &AtomicBool) -> Result<JobResult, JobError> {
        if stop.load(Ordering::Relaxed) {
            return Err(JobError::Stopped);
        }
        let Work::Expand { exclude, .. } = &job.work else {
            return Err(JobError::Senseless {
                id: job.id,
                reason: "only expansions".to_owned(),
            });
        };
        Ok(expand(&position(&job.rules, &job.position), exclude))
    }
}

/// What [`Small`] answers.
pub(crate) fn expand(position: &Position, exclude: &[Turn]) -> JobResult {
    let side = position.to_move();
    let mut result = JobResult::default();
    if let Some(proof) = win(position) {
        result.expansion.decided = Some(decision(side, &proof));
        result.proofs.push((id_of(&proof), proof));
        return result;
    }
    let request = VerifyRequest {
        stages: &[50],
        ..VerifyRequest::new(1)
    };
    let verified = verify(position, &request).ok();
    let proof = verified.as_ref().and_then(|found| found.proof.as_ref());
    let survivors = verified.as_ref().map(|found| found.survivors.clone());
    if let (Some(proof), Some(survivors)) = (proof, survivors)
        && survivors
            .iter()
            .all(|stones| stones.len() == usize::from(position.left()))
    {
        let text = proof.to_text();
        if survivors.is_empty() {
            result.expansion.decided = Some(decision(!side, &text));
        } else {
            result.expansion.rest_loses = Some(Evidence::Proof(id_of(&text)));
        }
        let turns = survivors
            .iter()
            .map(|stones| stones.iter().copied().collect());
        result.expansion.turns = found(position, turns.filter(|turn| !exclude.contains(turn)));
        result.proofs.push((id_of(&text), text));
        return result;
    }
    let next = by_nearness(position).into_iter();
    result.expansion.turns = found(
        position,
        next.filter(|turn| !exclude.contains(turn)).take(1),
    );
    result
}

pub(crate) fn decision(winner: Side, proof: &str) -> Decision {
    Decision {
        winner,
        evidence: Evidence::Proof(id_of(proof)),
    }
}

/// A short win by threats, as text.
pub(crate) fn win(position: &Position) -> Option<String> {
    let request = Request {
        limits: Limits {
            nodes: Some(200),
            time: None,
        },
        ..Request::new(position.to_move(), 1)
    };
    match Solver::new(10).solve(position, &request).value {
        Value::Win(proof) => Some(proof.to_text()),
        Value::None | Value::Unknown => None,
    }
}

/// Turns with their keys.
pub(crate) fn found(position: &Position, turns: impl Iterator<Item = Turn>) -> Vec<Found> {
    let with_key = |turn: Turn| {
        let mut next = position.clone();
        next.play(&turn).ok()?;
        next.outcome().is_none().then(|| Found {
            turn,
            key: position_key(&next).0,
            verdict: Verdict::Stable,
            after: None,
        })
    };
    turns.filter_map(with_key).collect()
}

/// Single stones, those near to others first.
fn by_nearness(position: &Position) -> Vec<Turn> {
    let (width, height) = position.rules().size().expect("a finite board");
    let cells =
        (0..i16::from(width)).flat_map(|x| (0..i16::from(height)).map(move |y| Cell::new(x, y)));
    let distance = |cell: Cell| -> i32 {
        let mine = position.stones().filter(|stone| stone.side == Side::Black);
        let far = mine.map(|stone| {
            let (x, y) = (stone.cell.x - cell.x, stone.cell.y - cell.y);
            i32::from(x * x + y * y)
        });
        far.sum()
    };
    let mut free: Vec<Cell> = cells
        .filter(|&cell| position.stone(cell).is_none())
        .collect();
    free.sort_by_key(|&cell| (distance(cell), cell));
    free.into_iter()
        .map(|cell| Turn::from_iter([cell]))
        .collect()
}

/// An expansion that says nothing.
pub(crate) fn nothing() -> Expansion {
    Expansion::default()
}
