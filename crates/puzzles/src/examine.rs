//! What a position of somebody else's collection is worth as a puzzle: its wins, whether there is one only, how hard.

use tengen_rules::{Position, Turn};

use crate::attack::{FreeStones, LONGEST};
use crate::ladder::Ladder;
use crate::mine::Miner;
use crate::minimal::Minimal;
use crate::rating::{Rating, grade_of};
use crate::solution::{proof, solution};
use crate::stand::Stand;
use crate::{Features, mine};

/// What was found out about a position.
#[derive(Debug, Clone, Default)]
pub struct Examination {
    /// Attacker's turns of the shortest win by double threats; `None` if none was found.
    pub turns: Option<u8>,
    /// First turns that win, at most ten, each as the stones that cannot be left out.
    pub winning: Vec<Turn>,
    /// Nothing was left out: these are all wins of order 1, or all that are wanted.
    pub exhausted: bool,
    /// The checker has verified a proof of the shortest.
    pub verified: bool,
    /// What difficulty is guessed from, for puzzles with a solution.
    pub features: Option<Features>,
    /// Machine difficulty and grade.
    pub rating: Option<(i32, u8)>,
}

/// More solutions are not listed.
const MOST: usize = 10;

impl Miner {
    /// Examines a position before a whole turn, with so many nodes for each question.
    pub fn examine(&mut self, position: &Position, nodes: u64) -> Examination {
        let stand = Stand::of(position);
        let mut attack = self.workshop.attack(&stand, nodes);
        let mut examination = Examination::default();
        match attack.shortest(LONGEST) {
            Ok(Some(turns)) => examination.turns = Some(turns),
            Ok(None) => {
                // Exhausted only if free stones do not help either.
                attack.free = FreeStones::All;
                attack.allow(nodes);
                examination.exhausted = attack.shortest(LONGEST) == Ok(None);
                return examination;
            }
            Err(_) => return examination,
        }
        let turns = examination.turns.unwrap_or_default();
        if turns < 2 {
            return examination;
        }
        attack.allow(nodes);
        let first = attack.winning_turns(turns, 1).unwrap_or_default();
        attack.free = FreeStones::All;
        attack.allow(nodes);
        let (winning, exhausted) = match attack.winning_turns(LONGEST, MOST) {
            Ok(winning) => (winning, true),
            Err(_) => (first.clone(), false),
        };
        let named = |stones: &[u16]| stones.iter().map(|&cell| attack.board.cell(cell)).collect();
        examination.winning = winning.iter().map(|win| named(&win.stones)).collect();
        examination.exhausted = exhausted;
        let Some(first) = first.into_iter().next() else {
            return examination;
        };
        let minimal = Minimal {
            core: stand.clone(),
            stand,
            turn: first.stones,
            turns,
        };
        self.rate(&minimal, nodes, &mut examination);
        examination
    }

    fn rate(&mut self, minimal: &Minimal, nodes: u64, examination: &mut Examination) {
        let mut attack = self.workshop.attack(&minimal.stand, nodes);
        let Ok(nodes) = solution(&mut attack, &minimal.turn, minimal.turns) else {
            return;
        };
        let setup = minimal.stand.to_setup();
        let proof = proof(&nodes, setup.clone(), minimal.stand.attacker, Vec::new());
        let text = tengen_rules::notation::setup_text(&setup);
        examination.verified =
            mine::verified(&proof, minimal.stand.rules, &text, minimal.stand.attacker);
        if let Some(first) = self.first_turn(minimal) {
            let ladder = Ladder::climb(&mut self.workshop, &minimal.stand, LONGEST);
            let features = self.features(minimal, &first, &nodes, ladder, 1);
            let rating = Rating::of(&features);
            examination.features = Some(features);
            examination.rating = Some((rating, grade_of(rating)));
        }
    }
}
