//! Who wins MBBoard(B,p), exactly, and how White does it.
//!
//! Positions are reduced, split into components and kept under their canonical form. A component is
//! drawn if White has an answer to every turn of Black that needs one ([`crate::turns`]) after
//! which all that is left is drawn. Everything here is exact: `false` means that Black wins.

use std::collections::HashMap;
use std::sync::Arc;

use crate::position::Position;
use crate::turns::Answer;

/// What is known of a component: White's answers, or that Black wins.
#[derive(Debug, Clone)]
pub enum Value {
    /// White draws with these answers.
    Drawn(Arc<[Answer]>),
    /// Black occupies a line.
    BlackWins,
}

/// Solves positions of one game and remembers all of them.
#[derive(Debug)]
pub struct Solver {
    per_turn: usize,
    known: HashMap<Position, Value>,
    generated: u64,
    limit: u64,
    stopped: bool,
}

impl Solver {
    /// For turns of at most `per_turn` stones.
    pub fn new(per_turn: usize) -> Self {
        Self {
            per_turn,
            known: HashMap::new(),
            generated: 0,
            limit: u64::MAX,
            stopped: false,
        }
    }

    /// Gives up after so many positions.
    pub fn with_limit(mut self, positions: u64) -> Self {
        self.limit = positions;
        self
    }

    /// Gives up after so many more positions than were generated until now. What is solved stays known.
    pub fn allow(&mut self, positions: u64) {
        self.limit = self.generated.saturating_add(positions);
        self.stopped = false;
    }

    /// How many positions were generated: those after a turn and its answer, before they are reduced
    /// and looked up.
    pub fn generated(&self) -> u64 {
        self.generated
    }

    /// How many different components were solved.
    pub fn solved(&self) -> usize {
        self.known.len()
    }

    /// Whether White draws with Black to play; `None` if the limit was reached.
    pub fn is_drawn(&mut self, position: &Position) -> Option<bool> {
        let drawn = self.drawn(position);
        (!self.stopped).then_some(drawn)
    }

    /// The canonical components of what matters of a position.
    pub fn parts(&self, position: &Position) -> Vec<Position> {
        let reduced = position.clone().reduced(self.per_turn);
        reduced
            .components()
            .iter()
            .map(Position::canonical)
            .collect()
    }

    /// What is known of a canonical component.
    pub fn value(&self, part: &Position) -> Option<&Value> {
        self.known.get(part)
    }

    fn drawn(&mut self, position: &Position) -> bool {
        self.generated += 1;
        if self.generated > self.limit {
            self.stopped = true;
            return false;
        }
        let reduced = position.clone().reduced(self.per_turn);
        let mut parts = reduced.components();
        parts.sort_by_key(Position::cells);
        parts.iter().all(|part| self.component(part.canonical()))
    }

    fn component(&mut self, part: Position) -> bool {
        match self.known.get(&part) {
            Some(Value::Drawn(_)) => return true,
            Some(Value::BlackWins) => return false,
            None => {}
        }
        let value = match self.defend(&part) {
            Some(answers) => Value::Drawn(answers.into()),
            None => Value::BlackWins,
        };
        let drawn = matches!(value, Value::Drawn(_));
        if !self.stopped {
            self.known.insert(part, value);
        }
        drawn
    }

    fn defend(&mut self, part: &Position) -> Option<Vec<Answer>> {
        if self.is_lost_at_once(part) {
            return None;
        }
        let mut answers: Vec<Answer> = Vec::new();
        let mut turns = Vec::new();
        for stones in 1..=self.per_turn {
            turns = part.candidates(stones, &turns, &answers);
            let mut new: Vec<_> = turns
                .iter()
                .filter(|black| part.is_new(black, &answers))
                .cloned()
                .collect();
            // What is hardest to answer first: if there is no answer, it is found early.
            new.sort_by_key(|black| std::cmp::Reverse(part.danger(black)));
            for black in new {
                let white = part
                    .answers(&black, self.per_turn)
                    .into_iter()
                    .find(|white| self.drawn(&part.after(&black, white)))?;
                answers.push(Answer { black, white });
            }
        }
        Some(answers)
    }

    /// Whether Black has a line already, or a turn after which too many lines are nearly full.
    fn is_lost_at_once(&self, part: &Position) -> bool {
        let sizes = part.sizes();
        if part.threatened(&sizes, &[], self.per_turn) != 0 {
            return true;
        }
        (1..=self.per_turn).any(|stones| self.overruns(part, &sizes, stones, &mut Vec::new()))
    }

    /// Whether some turn of so many stones leaves more lines nearly full than White can stop.
    fn overruns(
        &self,
        part: &Position,
        sizes: &[u8; 64],
        stones: usize,
        black: &mut Vec<usize>,
    ) -> bool {
        let left = stones - black.len();
        let lines = part.threatened(sizes, black, self.per_turn + left);
        if lines.count_ones() as usize <= stones {
            return false;
        }
        if left == 0 {
            return !part.can_stop(lines, black, stones);
        }
        for class in black.last().copied().unwrap_or(0)..part.classes().len() {
            let used = black.iter().filter(|&&stone| stone == class).count();
            if part.classes()[class].lines & lines == 0
                || used >= usize::from(part.classes()[class].cells)
            {
                continue;
            }
            black.push(class);
            let found = self.overruns(part, sizes, stones, black);
            black.pop();
            if found {
                return true;
            }
        }
        false
    }
}
