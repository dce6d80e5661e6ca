//! Which turns of Black need an answer of their own, and which answers White need try.
//!
//! Three remarks make the game small; `docs/drawn.md` proves them.
//!
//! *Exchange.* A cell on all lines of another cell, and more, is worth more to both players. Black
//! therefore need not use a cell while a better one is free, nor need White.
//!
//! *One after another.* If White's answer to some stones of a turn avoids the turn's other stones, then
//! Black might as well have played these stones first and the others in the next turn, where White has
//! an answer too. Only turns that spoil every answer to their parts are new. Most are not: a turn of two
//! stones is new only if each stone is where the other one would have been answered.
//!
//! *Threats.* When Black is to play, a line with at most `per_turn` empty cells is lost; White's answer
//! must leave none.

use crate::position::{Lines, Position, Stones, ones};

/// White's answer to some stones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Black's stones.
    pub black: Stones,
    /// White's stones, not more.
    pub white: Stones,
}

impl Position {
    /// How many stones of `stones` are in a class.
    fn taken(stones: &[usize], class: usize) -> usize {
        stones.iter().filter(|&&stone| stone == class).count()
    }

    /// Whether a class has a cell that is not among these stones.
    fn is_free(&self, class: usize, stones: &[usize]) -> bool {
        Self::taken(stones, class) < usize::from(self.classes()[class].cells)
    }

    /// Classes whose lines are all on `class`, and on more, are worse.
    fn is_better(&self, better: usize, class: usize) -> bool {
        let (better, class) = (self.classes()[better].lines, self.classes()[class].lines);
        better != class && better & class == class
    }

    /// Whether Black's turn uses a cell although a better one is free.
    pub(crate) fn is_wasteful(&self, black: &[usize]) -> bool {
        black.iter().any(|&stone| {
            (0..self.classes().len())
                .any(|other| self.is_better(other, stone) && self.is_free(other, black))
        })
    }

    /// Whether one of the answers is to a part of this turn and avoids the rest.
    pub(crate) fn is_answered(&self, black: &[usize], answers: &[Answer]) -> bool {
        answers
            .iter()
            .any(|answer| answer.black.len() < black.len() && self.fits(answer, black))
    }

    /// Turns of so many stones that may be new or part of a new turn, from those with one stone less.
    pub fn candidates(&self, stones: usize, smaller: &[Stones], answers: &[Answer]) -> Vec<Stones> {
        match stones {
            1 => (0..self.classes().len()).map(|class| vec![class]).collect(),
            _ => self.grown(smaller, answers),
        }
    }

    /// Whether a turn needs an answer of its own.
    pub fn is_new(&self, black: &[usize], answers: &[Answer]) -> bool {
        !self.is_wasteful(black) && !self.is_answered(black, answers)
    }

    /// From all turns of some size that may be part of a larger new turn, those with one stone more.
    ///
    /// A new turn that contains `turn` must use the better cell if `turn` is wasteful, and must
    /// otherwise spoil the answer to `turn` or to a part of it; `answers` must have one.
    pub(crate) fn grown(&self, turns: &[Stones], answers: &[Answer]) -> Vec<Stones> {
        let mut grown = Vec::new();
        for turn in turns {
            let better = turn.iter().find_map(|&stone| {
                (0..self.classes().len())
                    .find(|&other| self.is_better(other, stone) && self.is_free(other, turn))
            });
            let spoilers = match better {
                Some(class) => vec![class],
                None => answers
                    .iter()
                    .filter(|answer| self.fits(answer, turn))
                    .min_by_key(|answer| answer.white.len())
                    .map(|answer| answer.white.clone())
                    .expect("every turn that is not wasteful has an answer"),
            };
            for class in spoilers {
                if self.is_free(class, turn) {
                    let mut more = turn.clone();
                    more.push(class);
                    more.sort_unstable();
                    grown.push(more);
                }
            }
        }
        grown.sort_unstable();
        grown.dedup();
        grown
    }

    /// Whether an answer is to a part of a turn, or to all of it, and avoids the rest.
    fn fits(&self, answer: &Answer, black: &[usize]) -> bool {
        answer.black.len() <= black.len()
            && answer
                .black
                .iter()
                .all(|&stone| Self::taken(&answer.black, stone) <= Self::taken(black, stone))
            && answer.white.iter().all(|&stone| {
                Self::taken(&answer.white, stone) + Self::taken(black, stone)
                    <= usize::from(self.classes()[stone].cells)
            })
    }

    /// The sizes of all lines; 0 for a line that is not there.
    pub(crate) fn sizes(&self) -> [u8; 64] {
        let mut sizes = [0; 64];
        for class in self.classes() {
            for line in ones(class.lines) {
                sizes[line] += class.cells;
            }
        }
        sizes
    }

    /// The lines that White must stop at once after these stones of Black.
    pub(crate) fn threatened(&self, sizes: &[u8; 64], black: &[usize], per_turn: usize) -> Lines {
        let mut sizes = *sizes;
        for &stone in black {
            for line in ones(self.classes()[stone].lines) {
                sizes[line] -= 1;
            }
        }
        ones(self.lines())
            .filter(|&line| usize::from(sizes[line]) <= per_turn)
            .fold(0, |lines, line| lines | 1 << line)
    }

    /// Whether so many stones of White can stop these lines after Black's turn.
    pub(crate) fn can_stop(&self, lines: Lines, black: &[usize], stones: usize) -> bool {
        if lines == 0 {
            return true;
        }
        if stones == 0 {
            return false;
        }
        let first = lines & lines.wrapping_neg();
        (0..self.classes().len()).any(|class| {
            let through = self.classes()[class].lines;
            through & first != 0
                && self.is_free(class, black)
                && self.can_stop(lines & !through, black, stones - 1)
        })
    }

    /// White's answers worth trying, the most promising first: none of them stops fewer lines than
    /// another, and all stop what must be stopped at once.
    pub(crate) fn answers(&self, black: &[usize], per_turn: usize) -> Vec<Stones> {
        let sizes = self.sizes();
        let urgent = self.threatened(&sizes, black, per_turn);
        let free: Vec<usize> = (0..self.classes().len())
            .filter(|&class| self.is_free(class, black))
            .collect();
        let best: Vec<usize> = free
            .iter()
            .copied()
            .filter(|&class| !free.iter().any(|&other| self.is_better(other, class)))
            .collect();
        let mut weight = [0_u64; 64];
        for line in ones(self.lines()) {
            let gone = black
                .iter()
                .filter(|&&stone| self.classes()[stone].lines >> line & 1 == 1);
            let left = usize::from(sizes[line]) - gone.count();
            weight[line] = 1 << (48 - 3 * left.min(16));
        }
        let mut found: Vec<(u64, Lines, Stones)> = Vec::new();
        self.choose(
            &best,
            black.len(),
            0,
            &mut Vec::new(),
            &mut |white, dead| {
                if urgent & !dead == 0 {
                    let score = ones(dead).map(|line| weight[line]).sum();
                    found.push((score, dead, white.to_vec()));
                }
            },
        );
        found.sort_by_key(|(score, _, _)| std::cmp::Reverse(*score));
        let mut answers: Vec<(Lines, Stones)> = Vec::new();
        for (_, dead, white) in found {
            // What stops fewer lines has less weight, so it comes later.
            if !answers.iter().any(|(more, _)| dead & !more == 0) {
                answers.push((dead, white));
            }
        }
        answers.into_iter().map(|(_, white)| white).collect()
    }

    /// All sets of exactly `stones` classes, or of fewer if nothing is left to stop.
    fn choose(
        &self,
        classes: &[usize],
        stones: usize,
        dead: Lines,
        white: &mut Stones,
        found: &mut impl FnMut(&[usize], Lines),
    ) {
        let mut any = false;
        if stones > 0 {
            for (index, &class) in classes.iter().enumerate() {
                let through = self.classes()[class].lines;
                if through & !dead == 0 {
                    continue;
                }
                any = true;
                white.push(class);
                self.choose(
                    &classes[index + 1..],
                    stones - 1,
                    dead | through,
                    white,
                    found,
                );
                white.pop();
            }
        }
        if !any {
            found(white, dead);
        }
    }

    /// How much a turn of Black threatens: lines count more the fewer cells they have left.
    pub(crate) fn danger(&self, black: &[usize]) -> u64 {
        let sizes = self.sizes();
        ones(self.lines())
            .map(|line| {
                let gone = black
                    .iter()
                    .filter(|&&stone| self.classes()[stone].lines >> line & 1 == 1);
                1_u64 << (48 - 3 * (usize::from(sizes[line]) - gone.count()).min(16))
            })
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::{Answer, Position, Stones};

    impl Position {
        /// All turns of so many stones, in lexicographic order.
        fn turns_slow(&self, stones: usize) -> Vec<Stones> {
            fn extend(
                position: &Position,
                stones: usize,
                turn: &mut Stones,
                turns: &mut Vec<Stones>,
            ) {
                if turn.len() == stones {
                    turns.push(turn.clone());
                    return;
                }
                for class in turn.last().copied().unwrap_or(0)..position.classes().len() {
                    if position.is_free(class, turn) {
                        turn.push(class);
                        extend(position, stones, turn, turns);
                        turn.pop();
                    }
                }
            }
            let mut turns = Vec::new();
            extend(self, stones, &mut Vec::new(), &mut turns);
            turns
        }
    }

    /// New turns from the definition are those that growing finds, whatever the answers are.
    #[test]
    fn growing_misses_no_new_turn() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut larger = 0;
        for _ in 0..2_000 {
            let position =
                Position::from_cells((0..9).map(|_| random.u64(1..64) & random.u64(..64)));
            let mut answers: Vec<Answer> = Vec::new();
            let mut turns: Vec<Stones> = Vec::new();
            for stones in 1..=4 {
                turns = position.candidates(stones, &turns, &answers);
                let grown: Vec<_> = turns
                    .iter()
                    .filter(|turn| position.is_new(turn, &answers))
                    .cloned()
                    .collect();
                let all = position.turns_slow(stones);
                let slow: Vec<_> = all
                    .into_iter()
                    .filter(|turn| position.is_new(turn, &answers))
                    .collect();
                assert_eq!(grown, slow);
                larger += usize::from(stones > 1) * slow.len();
                for black in slow {
                    let free =
                        (0..position.classes().len()).filter(|&c| position.is_free(c, &black));
                    let mut white: Stones = free.filter(|_| random.u8(..3) == 0).collect();
                    white.truncate(stones);
                    answers.push(Answer { black, white });
                }
            }
        }
        assert!(larger > 1_000, "{larger} new turns of several stones");
    }
}
