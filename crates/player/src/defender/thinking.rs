//! The defensive strategy combined with threat-space search (seed paper, section IV.B, Figure 15).
//!
//! The defensive turn comes first: the strategy's own, or the first alternative after which no win of the
//! opponent is found; if there is none, the strategy's own all the same. Then a win of one's own is
//! looked for, and played if found.

use std::sync::Arc;

use tengen_prover::{Proof, Solver};
use tengen_rules::{Position, Side, Turn};
use tengen_threats::{Index, LineBoard};

use super::greedy::{self, Choice};
use super::searching::{Defence, Finding};
use crate::{Answer, Deadline, Line, Score, Task, ThinkError, Verdict};

/// At most so many defensive turns are verified (the paper's number).
const ALTERNATIVES: usize = 50;

/// With more stones a turn, a single node of the prover may take longer than the clock allows, so the
/// strategy plays alone.
const MOST_STONES: u8 = 2;

/// One answer on its way.
pub(super) struct Thinking<'a> {
    pub(super) position: &'a Position,
    pub(super) task: &'a Task<'a>,
    pub(super) deadline: Deadline<'a>,
    pub(super) solver: Option<&'a mut Solver>,
    pub(super) board: LineBoard,
    pub(super) side: Side,
    /// How many stones the turn has.
    pub(super) stones: usize,
    pub(super) nodes: u64,
    /// Whether the strategy's own turn failed.
    pub(super) searched_again: bool,
}

impl<'a> Thinking<'a> {
    pub(super) fn new(
        position: &'a Position,
        task: &'a Task<'a>,
        solver: Option<&'a mut Solver>,
    ) -> Self {
        let deadline = Deadline::new(&task.limits.clock, task.stop);
        let free = position.empty_cells().unwrap_or(u32::MAX);
        let searchable = position.rules().per_turn() <= MOST_STONES;
        Self {
            position,
            task,
            deadline,
            solver: solver.filter(|_| searchable),
            board: LineBoard::from_position(position),
            side: position.to_move(),
            stones: u32::from(position.left()).min(free) as usize,
            nodes: 0,
            searched_again: false,
        }
    }

    /// Figure 15.
    pub(super) fn decide(&mut self) -> Result<Answer, ThinkError> {
        let wanted = self.task.lines.max(1);
        let mut lines: Vec<Line> = self.completed_line().into_iter().collect();
        if lines.len() == wanted {
            return Ok(self.answer(lines));
        }
        let choices = self.choices(wanted);
        let defences = self.defend(choices, wanted);
        let defending: Vec<Line> = defences.iter().map(|defence| self.line(defence)).collect();
        if let (Some(tell), false) = (self.task.progress, defending.is_empty()) {
            tell(&self.answer(defending.iter().take(wanted).cloned().collect()));
        }
        if lines.is_empty() {
            lines.extend(self.attack());
        }
        for line in defending {
            if lines.iter().all(|other| other.turn != line.turn) {
                lines.push(line);
            }
        }
        lines.truncate(wanted);
        if lines.is_empty() {
            return Err(ThinkError::AllExcluded);
        }
        Ok(self.answer(lines))
    }

    fn answer(&self, lines: Vec<Line>) -> Answer {
        Answer {
            lines,
            others_lose: None,
            nodes: self.nodes.max(1),
            depth: 1,
            time: self.deadline.elapsed(),
        }
    }

    /// A turn that may be played: legal and not excluded.
    pub(super) fn allows(&self, turn: &Turn) -> bool {
        // Only on an infinite board can an empty cell be too far away.
        let everywhere = self.position.rules().size().is_some();
        !self.task.excludes(turn) && (everywhere || self.position.clone().play(turn).is_ok())
    }

    fn turn(&self, cells: &[Index]) -> Turn {
        cells.iter().map(|&cell| self.board.cell(cell)).collect()
    }

    /// A turn that completes a line.
    fn completed_line(&self) -> Option<Line> {
        let rules = self.position.rules();
        let stones = self.position.left().min(rules.per_turn());
        let first = self.board.winning_set(self.side, stones)?;
        let mut turns = vec![self.turn(&first)];
        if rules.per_turn() <= MOST_STONES {
            turns.extend(self.board.immediate_wins(self.side, stones));
        }
        let turn = turns.into_iter().find(|turn| self.allows(turn))?;
        let proof = Proof::of_one_turn(self.position.to_setup(), &turn);
        Some(winning_line(turn, Verdict::Win(Arc::new(proof))))
    }

    /// Defensive turns, the strategy's own first, the others in decreasing order of value.
    fn choices(&mut self, wanted: usize) -> Vec<Choice> {
        let (side, stones) = (self.side, self.stones);
        let cells = greedy::candidates(self.position, &self.board, stones);
        let starts = greedy::starts(&mut self.board, side, stones);
        let own = greedy::follow(&mut self.board, side, &starts[0], &cells, stones);
        let most = ALTERNATIVES.max(wanted);
        let mut choices = Vec::new();
        if self.allows(&own.turn(&self.board)) {
            choices.push(own);
        }
        if self.solver.is_none() && wanted == 1 && !choices.is_empty() {
            return choices;
        }
        let more = self.alternatives(&starts, &cells, most);
        let own = choices.first().map(|own| own.cells.clone());
        choices.extend(
            more.into_iter()
                .filter(|choice| Some(&choice.cells) != own.as_ref()),
        );
        choices.truncate(most);
        if choices.len() < wanted {
            self.widen(&mut choices, &starts, wanted);
        }
        choices
    }

    /// Adds turns from the whole board, also such that stop nothing.
    fn widen(&mut self, choices: &mut Vec<Choice>, starts: &[Choice], wanted: usize) {
        let nothing = Choice {
            cells: Vec::new(),
            value: 0.0,
        };
        let everywhere = greedy::everywhere(&self.board);
        let cells = greedy::most_valuable(&self.board, self.side, everywhere.clone(), self.stones);
        let most = wanted.saturating_add(choices.len());
        let mut more = self.alternatives(starts, &cells, most);
        more.extend(self.alternatives(std::slice::from_ref(&nothing), &cells, most));
        if choices.is_empty() && more.is_empty() {
            more.extend(self.any_turn(&everywhere, &nothing));
        }
        for choice in more {
            if choices.len() < wanted && choices.iter().all(|other| other.cells != choice.cells) {
                choices.push(choice);
            }
        }
    }

    pub(super) fn alternatives(
        &mut self,
        starts: &[Choice],
        cells: &[Index],
        most: usize,
    ) -> Vec<Choice> {
        let (side, stones) = (self.side, self.stones);
        let mut board = self.board.clone();
        let refused = |choice: &Choice| {
            let turn = choice.turn(&self.board);
            let whole = choice.cells.len() == stones;
            (!whole && self.task.excludes(&turn)) || (whole && !self.allows(&turn))
        };
        greedy::alternatives(&mut board, side, starts, cells, stones, most, refused)
    }

    /// Some turn that is not excluded, found by trying all.
    fn any_turn(&self, cells: &[Index], chosen: &Choice) -> Option<Choice> {
        let turn = chosen.turn(&self.board);
        if chosen.cells.len() == self.stones {
            return self.allows(&turn).then(|| chosen.clone());
        }
        if self.task.excludes(&turn) {
            return None;
        }
        cells.iter().enumerate().find_map(|(place, &cell)| {
            let mut next = chosen.clone();
            next.cells.push(cell);
            next.cells.sort_unstable();
            self.any_turn(&cells[place + 1..], &next)
        })
    }

    /// What is said of a defensive turn.
    fn line(&self, defence: &Defence) -> Line {
        let turn = defence.choice.turn(&self.board);
        let worth = (defence.choice.value.max(1.0).log2() * 100.0) as i32;
        let (verdict, score) = match &defence.finding {
            Finding::Fails(Some(proof)) => (Verdict::Loss(Arc::clone(proof)), -Score::WIN.0),
            Finding::Fails(None) => (Verdict::LossLikely(4), -Score::WIN.0 + worth),
            _ => (self.balance(&defence.choice), worth),
        };
        Line {
            main_line: vec![turn.clone()],
            turn,
            verdict,
            score: Score(score),
        }
    }

    /// How quiet it is: whether the opponent threatens now, and we after the turn. Threats that are left
    /// to the opponent decide the game.
    fn balance(&self, choice: &Choice) -> Verdict {
        let mut after = self.board.clone();
        for &cell in &choice.cells {
            after.place(self.side, cell);
        }
        if after.has_threat(!self.side) {
            return Verdict::LossLikely(4);
        }
        let attackers =
            u8::from(self.board.has_threat(!self.side)) + u8::from(after.has_threat(self.side));
        match attackers {
            0 => Verdict::Stable,
            many => Verdict::Unstable(many),
        }
    }
}

pub(super) fn winning_line(turn: Turn, verdict: Verdict) -> Line {
    let score = match verdict {
        Verdict::Win(_) => Score(Score::WIN.0 + 1),
        _ => Score::WIN,
    };
    Line {
        main_line: vec![turn.clone()],
        turn,
        verdict,
        score,
    }
}
