//! The root: what is proved first, then what is searched, then whether it holds.

use std::sync::Arc;

use tengen_prover::{Proof, Solver};
use tengen_rules::{Position, Side, Turn};
use tengen_threats::Index;

use super::boards::{Cells, Demand};
use super::generate::{Candidate, Width};
use super::search::{Bounds, DECIDED, INFINITY, Search, WIN};
use crate::{Answer, Line, Score, Task, ThinkError, Verdict};

/// A turn at the root.
#[derive(Debug, Clone)]
pub(super) struct RootTurn {
    pub(super) cells: Cells,
    pub(super) turn: Turn,
    pub(super) score: i32,
    pub(super) main_line: Vec<Turn>,
    /// What is proved about it: the mover's win or the opponent's.
    pub(super) proved: Option<(Side, Arc<Proof>)>,
    /// With how many nodes a refutation was sought in vain.
    pub(super) checked: u64,
}

impl RootTurn {
    pub(super) fn new(cells: Cells, turn: Turn) -> Self {
        Self {
            cells,
            turn,
            score: -INFINITY,
            main_line: Vec::new(),
            proved: None,
            checked: 0,
        }
    }

    /// Whether the opponent is proved to win after it.
    pub(super) fn is_refuted(&self, mover: Side) -> bool {
        self.proved
            .as_ref()
            .is_some_and(|(winner, _)| *winner != mover)
    }
}

/// Thinking about one position.
pub(super) struct Root<'a> {
    pub(super) position: &'a Position,
    pub(super) task: &'a Task<'a>,
    pub(super) mover: Side,
    pub(super) solver: &'a mut Solver,
    pub(super) search: Search<'a>,
    pub(super) turns: Vec<RootTurn>,
    /// Who attacks: the mover, the other.
    pub(super) attacks: [bool; 2],
    /// The opponent's proof that some turns lose.
    pub(super) partial: Option<Arc<Proof>>,
    /// Whether that are all which are not excluded.
    pub(super) lost: bool,
    pub(super) depth: u32,
}

/// Turns that are searched at the root, and among how many cells they are sought.
const ROOT: Width = Width {
    cells: 24,
    turns: 80,
};
/// Nodes of each inner search when replies to an opponent's win are listed.
const LISTING: [u64; 2] = [300, 3_000];
/// The same when nothing better is left to do.
const LAST_RESORT: [u64; 4] = [300, 3_000, 20_000, 100_000];
/// No search goes deeper.
const DEEPEST: u32 = 30;
/// How much deeper forced lines may be followed.
const EXTENSION: i32 = 6;
/// A new depth takes several times as long as the one before: it is not begun when so many hundredths are
/// spent.
const ENOUGH_SPENT: u32 = 60;
/// Where every turn loses, a look this deep finds a stubborn one.
const DEEP_ENOUGH_TO_LOSE: u32 = 2;

impl<'a> Root<'a> {
    pub(super) fn new(
        position: &'a Position,
        task: &'a Task<'a>,
        solver: &'a mut Solver,
        search: Search<'a>,
    ) -> Self {
        Self {
            position,
            task,
            mover: position.to_move(),
            solver,
            search,
            turns: Vec::new(),
            attacks: [false; 2],
            partial: None,
            lost: false,
            depth: 0,
        }
    }

    pub(super) fn think(&mut self) -> Result<Answer, ThinkError> {
        if let Some(win) = self.own_win() {
            let wanted = self.task.lines.max(1);
            self.turns.push(win);
            if wanted == 1 {
                return Ok(self.answer());
            }
        }
        let candidates = self.candidates();
        self.enter(candidates);
        if self.turns.is_empty() {
            let turn = self.any_turn().ok_or(ThinkError::AllExcluded)?;
            self.enter(vec![Candidate { value: 0, turn }]);
        }
        self.deepen();
        Ok(self.answer())
    }

    pub(super) fn turns_searched(&self) -> u64 {
        self.search.turns
    }

    /// Takes turns into the search, unless they are excluded or there already.
    fn enter(&mut self, candidates: Vec<Candidate>) {
        for candidate in candidates {
            let turn = self.search.boards.turn(&candidate.turn);
            if !self.task.excludes(&turn) && self.turns.iter().all(|known| known.turn != turn) {
                self.turns.push(RootTurn::new(candidate.turn, turn));
            }
        }
    }

    /// How many turns to look for: those that are excluded or wanted besides come on top.
    fn width(&self) -> Width {
        let more = self.task.exclude.len() + self.task.lines.saturating_sub(1);
        Width {
            cells: ROOT.cells + more,
            turns: ROOT.turns + more,
        }
    }

    /// The turns worth searching.
    fn candidates(&mut self) -> Vec<Candidate> {
        let (mover, stones) = (self.mover, self.position.left());
        if self.search.boards.lines.count() == 0 {
            return self.first_turns();
        }
        let demand = self.search.boards.demand(mover, stones);
        self.attacks[1] = demand != Demand::Nothing || self.they_win_after_a_null_turn();
        let sets = if self.attacks[1] {
            self.survivors(20, &LISTING)
        } else {
            Vec::new()
        };
        let nothing_known = sets.iter().any(|set| set.is_empty());
        let width = self.width();
        let Search {
            boards, generator, ..
        } = &mut self.search;
        match demand {
            _ if !sets.is_empty() && !nothing_known => {
                generator.turns_with(boards, mover, stones, &sets, width)
            }
            Demand::Defences(sets) => generator.turns_with(boards, mover, stones, &sets, width),
            _ => generator.turns(boards, mover, stones, width),
        }
    }

    /// The middle of the board, and with it as many other turns there as are wanted.
    fn first_turns(&self) -> Vec<Candidate> {
        let boards = &self.search.boards;
        let grid = boards.lines.grid();
        let (width, height) = (grid.width() as i32, grid.height() as i32);
        let from_middle = |cell: &Index| {
            let cell = i32::from(*cell);
            let (x, y) = (
                2 * (cell % width) - width + 1,
                2 * (cell / width) - height + 1,
            );
            x * x + y * y
        };
        let mut cells: Vec<Index> = (0..grid.len() as Index).collect();
        cells.sort_by_key(from_middle);
        let stones = usize::from(self.position.left());
        let most = self.task.exclude.len() + self.task.lines.max(1);
        let turns = cells.windows(stones).take(most).map(|cells| {
            let mut turn = Cells::from_slice(cells);
            turn.sort_unstable();
            Candidate { value: 0, turn }
        });
        turns.collect()
    }

    /// The first turn in the order of cells that is not excluded.
    fn any_turn(&self) -> Option<Cells> {
        let stones = usize::from(self.position.left()).min(self.search.boards.free_cells());
        let mut begun = Cells::new();
        self.any_turn_after(0, stones, &mut begun).then_some(begun)
    }

    fn any_turn_after(&self, first: Index, stones: usize, begun: &mut Cells) -> bool {
        let boards = &self.search.boards;
        if begun.len() == stones {
            return true;
        }
        for cell in first..boards.lines.grid().len() as Index {
            if !boards.patterns.is_free(cell) {
                continue;
            }
            begun.push(cell);
            if !self.task.excludes(&boards.turn(begun))
                && self.any_turn_after(cell + 1, stones, begun)
            {
                return true;
            }
            begun.pop();
        }
        false
    }

    /// Searches deeper and deeper, until something says stop.
    fn deepen(&mut self) {
        if self.attacks[1] && self.search.style.proofs {
            self.search.budget.keep(self.for_the_last_check());
        }
        let most = self.task.limits.depth.unwrap_or(DEEPEST).clamp(1, DEEPEST);
        for depth in 1..=most {
            self.search.deepest = depth as i32 + EXTENSION;
            if self.iteration(depth as i32) {
                self.depth = depth;
            }
            self.check_the_best(depth);
            if let Some(progress) = self.task.progress {
                progress(&self.answer());
            }
            let enough = self.lost && depth >= DEEP_ENOUGH_TO_LOSE;
            let budget = &mut self.search.budget;
            if budget.look() || budget.spent() >= ENOUGH_SPENT || enough || self.is_clear() {
                break;
            }
        }
        self.search.budget.release();
        self.last_check();
        if !self.lost && self.turns.iter().all(|turn| turn.is_refuted(self.mover)) {
            self.last_resort();
        }
        if !self.lost {
            self.prove_the_best();
        }
    }

    /// Hundredths that are kept for a last check of the turn that is to be played, where the opponent attacks:
    /// the fewer turns there are to choose from, the better they can be checked.
    pub(super) fn for_the_last_check(&self) -> u32 {
        match self.turns.len() {
            ..=4 => 75,
            5..=12 => 50,
            _ => 30,
        }
    }

    /// Whether more thinking would change nothing.
    fn is_clear(&self) -> bool {
        let lines = self.task.lines.max(1);
        let open = self
            .turns
            .iter()
            .filter(|turn| !turn.is_refuted(self.mover));
        let won = self
            .turns
            .iter()
            .take(lines)
            .all(|turn| turn.score >= DECIDED);
        won || open.count() <= usize::from(lines == 1)
    }

    /// One depth for all lines; `false` if it was cut short.
    fn iteration(&mut self, depth: i32) -> bool {
        for line in 0..self.task.lines.max(1).min(self.turns.len()) {
            if !self.one_line(depth, line) {
                return false;
            }
        }
        true
    }

    /// Finds the best of all turns but the first `line` and puts it there.
    fn one_line(&mut self, depth: i32, line: usize) -> bool {
        let mut bounds = Bounds::ALL;
        let mut scores = Vec::new();
        for number in line..self.turns.len() {
            if self.turns[number].proved.is_some() {
                let score = self.turns[number].score;
                scores.push(score);
                bounds.alpha = bounds.alpha.max(score);
                continue;
            }
            let cells = self.turns[number].cells.clone();
            let complete = self.search.boards.play(self.mover, &cells);
            let score = if complete {
                WIN - 1
            } else {
                self.search
                    .child(self.mover, depth - 1, 0, bounds, number - line)
            };
            self.search.boards.take_back(&cells);
            if self.search.budget.is_over() {
                break;
            }
            scores.push(score);
            if score > bounds.alpha {
                bounds.alpha = score;
                self.turns[number].main_line = self.expected(&cells, depth);
            }
        }
        let complete = scores.len() == self.turns.len() - line;
        // Turns that were not reached keep their place after those that were.
        for (turn, &score) in self.turns[line..].iter_mut().zip(&scores) {
            turn.score = score;
        }
        let reached = line + scores.len();
        self.turns[line..reached].sort_by_key(|turn| std::cmp::Reverse(turn.score));
        complete
    }

    /// What the table expects after a turn.
    fn expected(&mut self, cells: &Cells, depth: i32) -> Vec<Turn> {
        let Search { boards, table, .. } = &mut self.search;
        let per_turn = boards.rules().per_turn();
        let mut line = vec![boards.turn(cells)];
        let mut played = vec![cells.clone()];
        boards.play(self.mover, cells);
        let mut side = !self.mover;
        while line.len() <= depth as usize {
            let next = table
                .get(boards.key(side, per_turn))
                .map(|entry| entry.turn());
            let Some(next) = next.filter(|next| !next.is_empty()) else {
                break;
            };
            if next.iter().any(|&cell| !boards.patterns.is_free(cell)) {
                break;
            }
            line.push(boards.turn(&next));
            boards.play(side, &next);
            played.push(next);
            side = !side;
        }
        for cells in played.iter().rev() {
            boards.take_back(cells);
        }
        line
    }

    /// All turns that were considered lose: looks for others, or for the proof that there are none.
    fn last_resort(&mut self) {
        let sets = self.survivors(100, &LAST_RESORT);
        if self.lost || sets.iter().any(|set| set.is_empty()) {
            return;
        }
        let known = self.turns.len();
        let (mover, stones) = (self.mover, self.position.left());
        let Search {
            boards, generator, ..
        } = &mut self.search;
        let more = generator.turns_with(boards, mover, stones, &sets, ROOT);
        self.enter(more);
        // What is new is at least not known to lose.
        self.turns.rotate_left(known);
        for turn in &mut self.turns[..] {
            if turn.score == -INFINITY {
                turn.score = -DECIDED;
            }
        }
        if self.iteration(1) {
            self.check_the_best(1);
        }
    }

    pub(super) fn answer(&self) -> Answer {
        let lines = self.turns.iter().take(self.task.lines.max(1));
        self.answer_with(lines.map(|turn| self.line(turn)).collect())
    }

    pub(super) fn answer_with(&self, lines: Vec<Line>) -> Answer {
        Answer {
            lines,
            others_lose: self.partial.clone().filter(|_| self.lost),
            nodes: self.search.budget.nodes,
            depth: self.depth,
            time: self.search.budget.elapsed(),
        }
    }

    fn line(&self, turn: &RootTurn) -> Line {
        let verdict = match (&turn.proved, &self.partial) {
            (Some((winner, proof)), _) if *winner == self.mover => Verdict::Win(Arc::clone(proof)),
            (Some((_, proof)), _) => Verdict::Loss(Arc::clone(proof)),
            (None, Some(proof)) if self.lost => Verdict::Loss(Arc::clone(proof)),
            _ => opinion(turn.score, self.attacks),
        };
        let main_line = if turn.main_line.is_empty() {
            vec![turn.turn.clone()]
        } else {
            turn.main_line.clone()
        };
        Line {
            turn: turn.turn.clone(),
            verdict,
            score: Score(turn.score.max(-WIN)),
            main_line,
        }
    }
}

/// A score in words. Scores are hundredths of the logarithm of the odds.
fn opinion(score: i32, attacks: [bool; 2]) -> Verdict {
    let level = match score.abs() {
        ..40 => {
            return match attacks.into_iter().filter(|&attack| attack).count() {
                0 => Verdict::Stable,
                count => Verdict::Unstable(count as u8),
            };
        }
        40..100 => 1,
        100..200 => 2,
        200..350 => 3,
        _ => 4,
    };
    if score > 0 {
        Verdict::WinLikely(level)
    } else {
        Verdict::LossLikely(level)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opinions_follow_scores_and_attacks() {
        assert_eq!(opinion(0, [false; 2]), Verdict::Stable);
        assert_eq!(opinion(-39, [true, false]), Verdict::Unstable(1));
        assert_eq!(opinion(39, [true, true]), Verdict::Unstable(2));
        assert_eq!(opinion(-120, [true, true]), Verdict::LossLikely(2));
        assert_eq!(opinion(WIN - 4, [false; 2]), Verdict::WinLikely(4));
    }
}
