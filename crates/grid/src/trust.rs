//! What of a journal is believed. Journals come from other machines, too: what one calls proved is believed if the book
//! has the proof, the checker has verified it, and it says just this; everything else is a claim. A turn is believed if
//! it can be played and leads to the position that its key names.
//!
//! What this process has just judged itself ([`crate::runner`]) passes unchanged.

use std::collections::{HashMap, HashSet};

use tengen_book::{Book, Error, ProofState, ProofSummary};
use tengen_rules::{Position, PositionKey, Side, Turn, position_key};

use crate::compose::after;
use crate::search::{Event, NodeId};
use crate::{Decision, Evidence, Expansion, Follower};

/// The event as far as it is believed; none if nothing of it is.
pub(crate) fn believed(
    book: &Book,
    follower: &Follower,
    mut event: Event,
) -> Result<Option<Event>, Error> {
    match &mut event {
        Event::Answer {
            node, expansion, ..
        } => {
            let position = follower.position(*node);
            let key = follower.search().key(*node);
            let (Some(position), Some(key)) = (position, key) else {
                return Ok(None);
            };
            let mut trust = Trust {
                book,
                follower,
                fresh: HashMap::new(),
            };
            trust.expansion(key, &position, expansion)?;
        }
        Event::Exclude { node, turn, key } | Event::Suggest { node, turn, key } => {
            if !leads_to(follower, *node, turn, *key) {
                return Ok(None);
            }
        }
        Event::GaveUp { .. } | Event::Allow { .. } | Event::Retry { .. } => {}
    }
    Ok(Some(event))
}

fn leads_to(follower: &Follower, node: NodeId, turn: &Turn, key: PositionKey) -> bool {
    let position = follower.position(node);
    let next = position.and_then(|position| after(&position, turn));
    next.is_some_and(|(_, next)| next == key)
}

struct Trust<'a> {
    book: &'a Book,
    follower: &'a Follower,
    /// Positions that this answer brings, as the tree will have them.
    fresh: HashMap<PositionKey, Position>,
}

impl Trust<'_> {
    /// `home` is the position as the tree has it, and so are the turns.
    fn expansion(
        &mut self,
        key: PositionKey,
        home: &Position,
        said: &mut Expansion,
    ) -> Result<(), Error> {
        if let Some(Decision { winner, evidence }) = &mut said.decided {
            let proof = self.proof(*evidence)?;
            if !proof.is_some_and(|proof| decides(&proof, home, *winner)) {
                *evidence = Evidence::Claim;
            }
        }
        let mut known = self.follower.children_of(&key);
        let mut turns = Vec::with_capacity(said.turns.len());
        for mut found in std::mem::take(&mut said.turns) {
            let Some((next, _)) = after(home, &found.turn).filter(|(_, key)| *key == found.key)
            else {
                continue;
            };
            let child = self.home_of(found.key).unwrap_or(next);
            self.fresh.entry(found.key).or_insert_with(|| child.clone());
            if let Some(after) = found.after.as_deref_mut() {
                self.expansion(found.key, &child, after)?;
            }
            known.insert(found.key);
            turns.push(found);
        }
        said.turns = turns;
        if let Some(evidence) = &mut said.rest_loses {
            let proof = self.proof(*evidence)?;
            if !proof.is_some_and(|proof| stops(&proof, home, &known)) {
                *evidence = Evidence::Claim;
            }
        }
        Ok(())
    }

    fn proof(&self, evidence: Evidence) -> Result<Option<ProofSummary>, Error> {
        match evidence {
            Evidence::Proof(id) => self.book.proof(tengen_book::ProofId(id.0)),
            Evidence::Claim => Ok(None),
        }
    }

    /// A position as the tree has it, or will have it after this answer.
    fn home_of(&self, key: PositionKey) -> Option<Position> {
        let known = self.follower.home_of(&key);
        known.or_else(|| self.fresh.get(&key).cloned())
    }
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
        let turn: Option<Turn> = text.parse().ok();
        let next = turn.and_then(|turn| after(&stated, &turn));
        next.is_some_and(|(_, key)| known.contains(&key))
    };
    proof.open.iter().all(is_known)
}
