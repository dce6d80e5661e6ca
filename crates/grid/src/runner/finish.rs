//! The proof of a solved root.

use std::thread;
use std::time::{Duration, Instant};

use tengen_book::{Book, CheckedProof, Lease};

use super::RunError;
use crate::{Follower, ProofId, compose};

/// How often the book hears from a process that composes.
const HEARTBEAT: Duration = Duration::from_secs(3);

/// Composes the proof of a solved root, has it checked and keeps it. Meanwhile the lease is kept alive: both may take
/// longer than a process may be silent.
pub(super) fn prove_root(
    book: &Book,
    lease: &Lease,
    follower: &Follower,
) -> Result<ProofId, RunError> {
    thread::scope(|scope| {
        let work = thread::Builder::new()
            .name("compose".to_owned())
            .spawn_scoped(scope, || composed(book, follower))?;
        let mut heard = Instant::now();
        while !work.is_finished() {
            thread::sleep(Duration::from_millis(5));
            if heard.elapsed() >= HEARTBEAT {
                book.heartbeat(lease)?;
                heard = Instant::now();
            }
        }
        work.join().unwrap_or(Err(RunError::Bug))
    })
}

fn composed(book: &Book, follower: &Follower) -> Result<ProofId, RunError> {
    let text_of = |id: ProofId| {
        let text = book.proof_text(tengen_book::ProofId(id.0));
        text.ok().flatten()
    };
    let proof = compose(follower.search(), follower.root(), &text_of)?;
    let winner = proof.attacker;
    let text = proof.to_text();
    let id = tengen_book::ProofId::of(&text);
    // A search that is resumed after its end was composed before.
    if book.proof(id)?.is_some_and(|known| known.is_win()) {
        return Ok(ProofId(id.0));
    }
    let checked = CheckedProof::check(text)?;
    if !checked.proves(follower.root(), winner) {
        return Err(RunError::NotVerified(checked.verdict().to_string()));
    }
    book.add_checked(&checked)?;
    Ok(ProofId(id.0))
}
