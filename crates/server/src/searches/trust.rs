//! What a journal calls proved is believed if the book has the proof, the checker has verified it, and it says just
//! this. Everything else is a claim: journals come from other machines, too.

use std::collections::HashSet;

use tengen_book::{Book, ProofState, ProofSummary};
use tengen_grid::search::{Event, NodeId};
use tengen_grid::{Decision, Evidence, Expansion};
use tengen_rules::{Position, PositionKey, Side, Turn, position_key};

use super::replay::Replay;
use crate::error::Failure;

/// The event with every proof that is not what it should be turned into a claim.
pub(super) fn checked(book: &Book, replay: &Replay, mut event: Event) -> Result<Event, Failure> {
    if let Event::Answer {
        node, expansion, ..
    } = &mut event
        && speaks_of_proofs(expansion)
        && let Some(known) = children(replay, *node)
    {
        let position = replay.position(*node)?;
        expand(book, &position, known, expansion)?;
    }
    Ok(event)
}

fn speaks_of_proofs(expansion: &Expansion) -> bool {
    let proof = |evidence: Evidence| matches!(evidence, Evidence::Proof(_));
    let after = |found: &tengen_grid::Found| found.after.as_deref().is_some_and(speaks_of_proofs);
    expansion
        .decided
        .is_some_and(|decision| proof(decision.evidence))
        || expansion.rest_loses.is_some_and(proof)
        || expansion.turns.iter().any(after)
}

/// The keys of a node's children.
fn children(replay: &Replay, node: NodeId) -> Option<HashSet<PositionKey>> {
    let view = replay.tree.node(node)?;
    let keys = view
        .children
        .iter()
        .filter_map(|edge| replay.tree.key(edge.node));
    Some(keys.collect())
}

fn expand(
    book: &Book,
    position: &Position,
    mut known: HashSet<PositionKey>,
    expansion: &mut Expansion,
) -> Result<(), Failure> {
    if let Some(Decision { winner, evidence }) = &mut expansion.decided
        && let Some(proof) = proof_of(book, *evidence)?
        && !decides(&proof, position, *winner)
    {
        *evidence = Evidence::Claim;
    }
    claim_if_missing(book, expansion)?;
    for found in &mut expansion.turns {
        known.insert(found.key);
        let Some(after) = found.after.as_deref_mut() else {
            continue;
        };
        let mut child = position.clone();
        // A turn that cannot be played leads nowhere, and its proofs prove nothing.
        if child.play(&found.turn).is_err() || position_key(&child).0 != found.key {
            found.after = None;
            continue;
        }
        expand(book, &child, HashSet::new(), after)?;
    }
    if let Some(evidence) = &mut expansion.rest_loses
        && let Some(proof) = proof_of(book, *evidence)?
        && !stops(&proof, position, &known)
    {
        *evidence = Evidence::Claim;
    }
    Ok(())
}

fn proof_of(book: &Book, evidence: Evidence) -> Result<Option<ProofSummary>, Failure> {
    match evidence {
        Evidence::Proof(id) => Ok(book.proof(tengen_book::ProofId(id.0))?),
        Evidence::Claim => Ok(None),
    }
}

/// Proofs that the book does not have prove nothing.
fn claim_if_missing(book: &Book, expansion: &mut Expansion) -> Result<(), Failure> {
    let decided = expansion
        .decided
        .as_mut()
        .map(|decision| &mut decision.evidence);
    for evidence in decided.into_iter().chain(&mut expansion.rest_loses) {
        if proof_of(book, *evidence)?.is_none() {
            *evidence = Evidence::Claim;
        }
    }
    Ok(())
}

fn is_about(proof: &ProofSummary, position: &Position) -> bool {
    let stated = tengen_book::start(&proof.rules, &proof.position);
    stated.is_ok_and(|stated| {
        stated.rules() == position.rules() && position_key(&stated).0 == position_key(position).0
    })
}

fn decides(proof: &ProofSummary, position: &Position, winner: Side) -> bool {
    proof.state == ProofState::Verified && proof.attacker == winner && is_about(proof, position)
}

/// Whether every turn but those to known children loses for the side to move.
fn stops(proof: &ProofSummary, position: &Position, known: &HashSet<PositionKey>) -> bool {
    let verified = matches!(
        proof.state,
        ProofState::Verified | ProofState::VerifiedExcept
    );
    if !verified || proof.attacker == position.to_move() || !is_about(proof, position) {
        return false;
    }
    // The open replies are those of the position as the proof has it; keys are the same in every orientation.
    let Ok(stated) = tengen_book::start(&proof.rules, &proof.position) else {
        return false;
    };
    let is_known = |text: &String| {
        let mut after = stated.clone();
        let played = text.parse::<Turn>().ok().map(|turn| after.play(&turn));
        matches!(played, Some(Ok(()))) && known.contains(&position_key(&after).0)
    };
    proof.open.iter().all(is_known)
}
