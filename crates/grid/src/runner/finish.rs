//! The proof of a solved root.

use std::collections::HashSet;
use std::thread;
use std::time::{Duration, Instant};

use tengen_book::{Book, CheckedProof, Lease};
use tengen_rules::Side;

use super::RunError;
use crate::compose::{after, compose_at};
use crate::search::NodeId;
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
    add_turns(book, follower, winner)?;
    prove_first_turn(book, follower, winner, &text_of)?;
    // Last: who finds it takes the rest for done.
    book.add_checked(&checked)?;
    Ok(ProofId(id.0))
}

/// Keeps a proof of the position after the winning turn too, so that the book shows which turn it is. Only a convenience:
/// the root is proved without it.
fn prove_first_turn(
    book: &Book,
    follower: &Follower,
    winner: Side,
    text_of: &dyn Fn(ProofId) -> Option<String>,
) -> Result<(), RunError> {
    let search = follower.search();
    let root = search.root();
    let mut edges = root.children.iter();
    let won = edges.find(|edge| root.side == winner && search.decided(edge.node) == Some(winner));
    let Some((position, _)) = won.and_then(|edge| after(follower.root(), &edge.turn)) else {
        return Ok(());
    };
    let proof = compose_at(search, follower.root(), &position, text_of).ok();
    let checked = proof.and_then(|proof| CheckedProof::check(proof.to_text()).ok());
    if let Some(checked) = checked.filter(|checked| checked.proves(&position, winner)) {
        book.add_checked(&checked)?;
    }
    Ok(())
}

/// Adds the turns of the winning strategy, as far as the tree has them, for who walks through the book.
fn add_turns(book: &Book, follower: &Follower, winner: Side) -> Result<(), RunError> {
    let search = follower.search();
    let won = |node: NodeId| search.decided(node) == Some(winner);
    let mut turns = Vec::new();
    let mut waiting = vec![NodeId::ROOT];
    let mut seen = HashSet::from([NodeId::ROOT]);
    while let Some(id) = waiting.pop() {
        let (Some(node), Some(position)) = (search.node(id), follower.position(id)) else {
            continue;
        };
        let most = if node.side == winner { 1 } else { usize::MAX };
        let edges = node.children.into_iter();
        for edge in edges.filter(|edge| won(edge.node)).take(most) {
            turns.push((position.clone(), edge.turn));
            if seen.insert(edge.node) {
                waiting.push(edge.node);
            }
        }
    }
    Ok(book.add_turns(&turns)?)
}
