//! What is believed of an answer: only what the checker has verified for exactly this position, winner and exceptions.
//!
//! Turns are played here, keys computed here. What a worker has found out about the position after a turn is turned
//! into the orientation in which the tree has that position. A proof that does not say what it is to back becomes a claim.

use std::collections::{HashMap, HashSet};

use tengen_book::CheckedProof;
use tengen_prover::Proof;
use tengen_rules::{Position, PositionKey, Side, Turn};

use crate::compose::{Image, after};
use crate::{Decision, Evidence, Expansion, Follower, Found, ProofId};

/// Answers within answers within answers: no worker thinks further ahead.
const DEEPEST: usize = 16;

/// More hints than this nobody keeps.
const MOST_HINTS: usize = 64;

/// Proofs that the checker has seen, by name.
pub(super) type Proofs = HashMap<ProofId, CheckedProof>;

/// Judges one answer.
pub(super) struct Judge<'a> {
    follower: &'a Follower,
    proofs: &'a Proofs,
    /// Positions that this answer brings, as the tree will have them.
    fresh: HashMap<PositionKey, Position>,
    /// Positions that this answer decides by a proof of their own.
    decided: HashSet<PositionKey>,
    /// The proofs that back something.
    used: HashSet<ProofId>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(follower: &'a Follower, proofs: &'a Proofs) -> Self {
        Self {
            follower,
            proofs,
            fresh: HashMap::new(),
            decided: HashSet::new(),
            used: HashSet::new(),
        }
    }

    /// What is believed of what a worker says of a node, and the names of the proofs that back it.
    pub(super) fn answer(
        mut self,
        key: PositionKey,
        position: &Position,
        expansion: &Expansion,
    ) -> (Expansion, HashSet<ProofId>) {
        let believed = self.expansion(key, position, position, expansion, 0);
        (believed, self.used)
    }

    /// `seen` is the position as the worker has it, `home` the same as the tree has it.
    fn expansion(
        &mut self,
        key: PositionKey,
        seen: &Position,
        home: &Position,
        said: &Expansion,
        depth: usize,
    ) -> Expansion {
        let Some(image) = Image::between(seen, home) else {
            return Expansion::default();
        };
        let said_so = said.decided.map(|decision| self.decision(home, decision));
        let mut believed = Expansion {
            decided: self.all_lose(home, said).or(said_so),
            // Guides, and decides nothing.
            estimate: said.estimate,
            next: said.next,
            ..Expansion::default()
        };
        if is_proved(believed.decided) {
            self.decided.insert(key);
        }
        if self.is_decided(key) {
            // The tree takes no more turns here.
            return believed;
        }
        let mut children = self.follower.children_of(&key);
        for found in &said.turns {
            if let Some(found) = self.found(seen, home, &image, found, depth) {
                children.insert(found.key);
                believed.turns.push(found);
            }
        }
        let hints = said.hints.iter().take(MOST_HINTS);
        believed.hints = hints.map(|turn| image.turn(turn)).collect();
        match said.rest_loses {
            Some(Evidence::Proof(id)) => {
                believed.rest_loses = Some(self.stopper(home, id, &children));
            }
            claim => believed.rest_loses = claim,
        }
        believed
    }

    fn is_decided(&self, key: PositionKey) -> bool {
        let search = self.follower.search();
        let node = search.find(&key).and_then(|node| search.node(node));
        self.decided.contains(&key) || node.is_some_and(|node| node.decided.is_some())
    }

    /// A turn that can be played, with its true key. One that ends the game leads to no position.
    fn found(
        &mut self,
        seen: &Position,
        home: &Position,
        image: &Image,
        found: &Found,
        depth: usize,
    ) -> Option<Found> {
        let (seen_next, key) = after(seen, &found.turn)?;
        let turn = image.turn(&found.turn);
        let (next, _) = after(home, &turn)?;
        let child = self.home_of(key).unwrap_or(next);
        self.fresh.entry(key).or_insert_with(|| child.clone());
        let said = found.after.as_ref().filter(|_| depth < DEEPEST);
        let after = said
            .map(|said| Box::new(self.expansion(key, &seen_next, &child, said, depth + 1)))
            .filter(|after| **after != Expansion::default());
        Some(Found {
            turn,
            key,
            verdict: found.verdict,
            after,
        })
    }

    /// A position as the tree has it, or will have it after this answer.
    fn home_of(&self, key: PositionKey) -> Option<Position> {
        let known = self.follower.home_of(&key);
        known.or_else(|| self.fresh.get(&key).cloned())
    }

    fn decision(&mut self, home: &Position, said: Decision) -> Decision {
        let Evidence::Proof(id) = said.evidence else {
            return said;
        };
        let proof = self.proofs.get(&id);
        if proof.is_some_and(|proof| proof.proves(home, said.winner)) {
            self.used.insert(id);
            return said;
        }
        Decision {
            evidence: Evidence::Claim,
            ..said
        }
    }

    /// A stopper that leaves nothing open decides the position.
    fn all_lose(&mut self, home: &Position, said: &Expansion) -> Option<Decision> {
        let evidence = said.rest_loses?;
        let winner = !home.to_move();
        let decision = self.decision(home, Decision { winner, evidence });
        Some(decision).filter(|decision| is_proved(Some(*decision)))
    }

    /// A proof that all turns lose but those that are children.
    fn stopper(
        &mut self,
        home: &Position,
        id: ProofId,
        children: &HashSet<PositionKey>,
    ) -> Evidence {
        let is_child =
            |turn: &Turn| after(home, turn).is_some_and(|(_, key)| children.contains(&key));
        let proof = self.proofs.get(&id);
        let open = proof.and_then(|proof| left_open(proof, home, !home.to_move()));
        if open.is_some_and(|open| open.iter().all(is_child)) {
            self.used.insert(id);
            Evidence::Proof(id)
        } else {
            Evidence::Claim
        }
    }
}

fn is_proved(decision: Option<Decision>) -> bool {
    decision.is_some_and(|decision| matches!(decision.evidence, Evidence::Proof(_)))
}

/// The replies that a verified proof of this position leaves open; none if it proves something else or nothing.
fn left_open(checked: &CheckedProof, home: &Position, winner: Side) -> Option<Vec<Turn>> {
    checked.report()?;
    let image = Image::between(checked.position(), home)?;
    if checked.attacker() != winner {
        return None;
    }
    let proof: Proof = checked.text().parse().ok()?;
    let turn = |stones: &Vec<_>| image.turn(&stones.iter().copied().collect());
    Some(proof.except.iter().map(turn).collect())
}
