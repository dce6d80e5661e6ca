//! The replies that a proof answers one by one, as turns that can be played.

use tengen_rules::{Cell, Turn};
use tengen_threats::Index;

use super::evaluate::Answer;
use super::{Place, PlayError, ProofPlayer, Standing};

/// A reply in a proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Defence {
    /// Its stones: fewer than a turn stands for all turns with these and irrelevant others.
    pub stones: Vec<Cell>,
    /// A whole turn that can be played.
    pub example: Turn,
    /// The attacker's answer to it.
    pub answer: Turn,
    /// The attacker's turns to the completed line from here.
    pub turns: u32,
}

impl ProofPlayer {
    /// The zones of the answer to the null turn, where the defender begins and there is one: what a stone outside
    /// them changes is nothing.
    ///
    /// # Errors
    ///
    /// If the proof does not win, or following it takes too long.
    pub fn zones_against_the_null_turn(&mut self) -> Result<Vec<Vec<Cell>>, PlayError> {
        let standing = self.play(&[])?;
        let Some(place) = standing.place.filter(|_| standing.played.is_empty()) else {
            return Ok(Vec::new());
        };
        let mut children = place.node.children.iter();
        let null = children.find(|answer| answer.child.stones.is_empty());
        let zones = null.map_or(&[][..], |answer| answer.child.zones.sets());
        let cells = |zone: &tengen_threats::CellSet| {
            zone.iter().map(|cell| place.board.cell(cell)).collect()
        };
        Ok(zones.iter().map(cells).collect())
    }

    /// The replies that are answered one by one, the longest first; at most so many. A macro turn is replaced by
    /// the critical defences in it.
    ///
    /// # Errors
    ///
    /// If following the proof takes too long.
    pub fn defences(
        &mut self,
        standing: &Standing,
        most: usize,
    ) -> Result<Vec<Defence>, PlayError> {
        let Some(place) = &standing.place else {
            return Ok(Vec::new());
        };
        let per_turn = usize::from(standing.position.left());
        let mut sets: Vec<Vec<Index>> = Vec::new();
        for answer in place.node.children.iter() {
            let turns = if answer.child.stones.len() > per_turn {
                place.parts(answer, self.proof.attacker)
            } else {
                vec![answer.child.stones.to_vec()]
            };
            for turn in turns {
                if !sets.contains(&turn) {
                    sets.push(turn);
                }
            }
        }
        let mut defences = Vec::new();
        for set in sets.into_iter().take(4 * most) {
            let Some(example) = place.example(standing, &set) else {
                continue;
            };
            let Ok(next) = self.reply(standing, &example, 1) else {
                continue;
            };
            let answer = next.played.last().map(|(_, turn)| turn.clone());
            defences.push(Defence {
                stones: set.iter().map(|&cell| place.board.cell(cell)).collect(),
                example,
                answer: answer.unwrap_or_default(),
                turns: next.turns_left + 1,
            });
        }
        defences.sort_by(|a, b| {
            b.turns
                .cmp(&a.turns)
                .then(b.stones.len().cmp(&a.stones.len()))
        });
        defences.truncate(most);
        Ok(defences)
    }
}

impl Place {
    /// The critical defences that are part of a macro turn.
    fn parts(&self, answer: &Answer, attacker: tengen_rules::Side) -> Vec<Vec<Index>> {
        let sets = self.board.critical_sets(attacker).into_iter();
        let within = |set: &Vec<Index>| set.iter().all(|cell| answer.child.stones.contains(cell));
        let mut parts: Vec<Vec<Index>> = sets.filter(within).collect();
        parts.iter_mut().for_each(|part| part.sort_unstable());
        parts.sort();
        parts
    }

    /// A legal turn with these stones, and others that change as little as possible.
    fn example(&self, standing: &Standing, set: &[Index]) -> Option<Turn> {
        let position = &standing.position;
        let mut stones: Vec<Cell> = set.iter().map(|&cell| self.board.cell(cell)).collect();
        if stones.iter().any(|&cell| position.stone(cell).is_some()) {
            return None;
        }
        let grid = position.grid();
        let free = |cell: &Cell| position.stone(*cell).is_none() && grid.holds(*cell);
        let mut others: Vec<Cell> = grid.cells().filter(free).collect();
        // Outside as many zones as possible; of these the cell next to the stones that are there.
        let rank = |cell: &Cell| match self.board.index(*cell) {
            Some(index) => self.node.zones.rank(index),
            None => usize::MAX,
        };
        let near = |cell: &Cell| {
            let distance = |stone: Cell| (stone.x - cell.x).abs().max((stone.y - cell.y).abs());
            position.stones().map(|stone| distance(stone.cell)).min()
        };
        others.sort_by_key(|cell| (std::cmp::Reverse(rank(cell)), near(cell)));
        let whole = usize::from(position.left());
        for cell in others {
            if stones.len() >= whole {
                break;
            }
            if !stones.contains(&cell) {
                stones.push(cell);
            }
        }
        (stones.len() == whole).then(|| stones.into_iter().collect())
    }
}
