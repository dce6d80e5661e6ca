//! A game out of a hash: a tree with a known winner, as deep and as wide as one likes.
//!
//! Every position has a winner and a distance: how many more turns of the winner a job has to see to prove it at
//! once. The winner's good turns lead closer, all turns of the loser leave the distance as it is, a bad turn of the
//! winner hands the win to the other side, who needs some turns to show it.

use serde::{Deserialize, Serialize};
use tengen_rules::{Cell, PositionKey, Side, Turn};

use super::{fraction, mix};
use crate::{Decision, Evidence, Expansion, Found, ProofId, Verdict};

/// A game out of a hash.
#[derive(Debug, Copy, Clone, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// Other seeds, other games.
    pub seed: u64,
    /// Whether Black, who is to move, wins.
    pub black_wins: bool,
    /// How many of the winner's turns from the root lie before what a job can prove at once.
    pub distance: u16,
    /// How often a good turn of the winner brings it closer to the end by two instead of one.
    pub leap: f64,
    /// How many turns of the loser survive a threat, on average; the others are refuted by the stopper's proof.
    pub defences: f64,
    /// How often the turn a job thinks best for the winner is a winning one.
    pub insight: f64,
    /// How many turns a side that moves well has to consider at most.
    pub choices: u32,
    /// How long a bad turn of the winner takes to refute, at most.
    pub refutation: u16,
    /// How much verdicts err: 0 never, 1 as much as they know.
    pub noise: f64,
    /// How many turns one answer shows.
    pub shown: usize,
}

impl Default for Model {
    fn default() -> Self {
        Self {
            seed: 1,
            black_wins: true,
            distance: 7,
            leap: 0.3,
            defences: 3.5,
            insight: 0.6,
            choices: 6,
            refutation: 3,
            noise: 0.5,
            shown: 1,
        }
    }
}

/// A position of the model. Its key says everything.
#[derive(Debug, Copy, Clone)]
pub(super) struct Place {
    hash: u64,
    winner: Side,
    mover: Side,
    distance: u16,
}

impl Place {
    pub(super) fn key(self) -> PositionKey {
        let mut key = [0; 16];
        key[..8].copy_from_slice(&self.hash.to_be_bytes());
        key[8] = self.winner as u8;
        key[9] = self.mover as u8;
        key[10..12].copy_from_slice(&self.distance.to_be_bytes());
        key
    }

    pub(super) fn read(key: PositionKey) -> Self {
        let mut hash = [0; 8];
        hash.copy_from_slice(&key[..8]);
        Self {
            hash: u64::from_be_bytes(hash),
            winner: Side::BOTH[usize::from(key[8]) % 2],
            mover: Side::BOTH[usize::from(key[9]) % 2],
            distance: u16::from_be_bytes([key[10], key[11]]),
        }
    }

    pub(super) const fn hash(self) -> u64 {
        self.hash
    }

    fn chance(self, what: u64) -> f64 {
        fraction(mix(self.hash, what))
    }
}

impl Model {
    pub(super) fn root(&self) -> Place {
        Place {
            hash: mix(self.seed, 0),
            winner: if self.black_wins {
                Side::Black
            } else {
                Side::White
            },
            mover: Side::Black,
            distance: self.distance.max(1),
        }
    }

    /// What a worker answers who is to leave out the first `known` turns.
    pub(super) fn answer(&self, place: Place, known: usize) -> Expansion {
        let proof = Evidence::Proof(ProofId(place.key()));
        if place.distance == 0 {
            return Expansion {
                decided: Some(Decision {
                    winner: place.winner,
                    evidence: proof,
                }),
                ..Expansion::default()
            };
        }
        let count = self.count(place) as usize;
        let end = count.min(known + self.shown.max(1));
        let turns = (known..end).map(|number| self.found(place, number as u32));
        Expansion {
            turns: turns.collect(),
            rest_loses: (known >= count).then_some(proof),
            ..Expansion::default()
        }
    }

    /// How many turns are worth a look.
    fn count(&self, place: Place) -> u32 {
        if place.mover == place.winner {
            return self.choices.max(self.good_turn(place) + 1);
        }
        // Geometric with the wanted mean: now and then a position has very many defences.
        let mean = self.defences.max(1.0);
        let tail = (1.0 - place.chance(1)).ln() / (1.0 - 1.0 / (mean + 1e-9)).ln();
        (tail as u32).clamp(1, 1_000)
    }

    /// Which of the winner's turns wins first, in the order a job finds them.
    fn good_turn(&self, place: Place) -> u32 {
        let miss = (1.0 - self.insight).clamp(0.01, 0.99);
        let number = (1.0 - place.chance(2)).ln() / miss.ln();
        (number as u32).min(self.choices.saturating_sub(1))
    }

    fn found(&self, place: Place, number: u32) -> Found {
        let child = self.child(place, number);
        let turn: Turn = [Cell::new((number % 1_000) as i16, 0)]
            .into_iter()
            .collect();
        Found {
            turn,
            key: child.key(),
            verdict: self.verdict(child),
            after: None,
        }
    }

    fn child(&self, place: Place, number: u32) -> Place {
        let hash = mix(place.hash, u64::from(number) + 16);
        let chance = fraction(mix(hash, 3));
        let (winner, distance) = if place.mover != place.winner {
            (place.winner, place.distance)
        } else if number == self.good_turn(place) {
            let step = if chance < self.leap { 2 } else { 1 };
            (place.winner, place.distance.saturating_sub(step))
        } else {
            let distance = 1.0 + chance * f64::from(self.refutation);
            (!place.winner, distance as u16)
        };
        Place {
            hash,
            winner,
            mover: !place.mover,
            distance,
        }
    }

    /// The nearer the end, the clearer; noise on top.
    fn verdict(&self, place: Place) -> Verdict {
        let sign = if place.winner == Side::Black {
            1.0
        } else {
            -1.0
        };
        let truth = sign * 5.0 / (1.0 + f64::from(place.distance)).sqrt();
        let noise = (place.chance(4) + place.chance(5) + place.chance(6) - 1.5) * 6.0 * self.noise;
        match (truth + noise).round() as i32 {
            4.. => Verdict::B4,
            3 => Verdict::B3,
            2 => Verdict::B2,
            1 => Verdict::B1,
            0 => Verdict::Unstable1,
            -1 => Verdict::W1,
            -2 => Verdict::W2,
            -3 => Verdict::W3,
            ..=-4 => Verdict::W4,
        }
    }
}
