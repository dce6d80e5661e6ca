//! The searches behind an answer: whether a defensive turn holds, and whether there is a win (seed paper,
//! section IV.B). In Connect6 the table's search claims and the prover confirms; elsewhere the prover
//! searches itself.

use std::sync::Arc;
use std::time::Instant;

use tengen_prover::{Limits, Proof, Request, Value};
use tengen_rules::{Position, Turn};
use tengen_threats::{Index, LineBoard};

use super::greedy::{self, Choice};
use super::thinking::{Thinking, winning_line};
use super::threat_space::{self, Bounds, DEEPEST, ThreatSpace};
use crate::{Line, Verdict};

/// For the verification of one defensive turn.
const VERIFY_NODES: u64 = 2_000;

/// For the search of a win.
const ATTACK_NODES: u64 = 20_000;

/// For the prover, to confirm a claim or to search itself.
const PROVER_NODES: u64 = 10_000;

/// Hundredths of time and nodes that the defence may take; the rest is for a win.
const DEFENCE_SHARE: u32 = 60;

/// What is known of a defensive turn.
#[derive(Debug)]
pub(super) enum Finding {
    /// No win of the opponent was found.
    Holds,
    /// Nobody looked.
    Unseen,
    /// The opponent wins, by a proof or by the table's word.
    Fails(Option<Arc<Proof>>),
}

/// A defensive turn and what is known of it.
pub(super) struct Defence {
    pub(super) choice: Choice,
    pub(super) finding: Finding,
}

impl Defence {
    fn rank(&self) -> u8 {
        match self.finding {
            Finding::Holds => 0,
            Finding::Unseen => 1,
            Finding::Fails(_) => 2,
        }
    }
}

impl<'a> Thinking<'a> {
    /// Verifies turns until enough of them hold; those that hold come first.
    pub(super) fn defend(&mut self, choices: Vec<Choice>, wanted: usize) -> Vec<Defence> {
        let bounds = self.bounds(DEFENCE_SHARE);
        let most = self.nodes.saturating_add(bounds.nodes);
        let mut defences: Vec<Defence> = Vec::new();
        let mut holding = 0;
        for choice in choices {
            let left = Bounds {
                nodes: most.saturating_sub(self.nodes),
                ..bounds
            };
            let finding = match holding >= wanted {
                true => Finding::Unseen,
                false => self.verify(&choice, &left),
            };
            holding += usize::from(matches!(finding, Finding::Holds));
            defences.push(Defence { choice, finding });
        }
        let first = defences.first();
        self.searched_again = first.is_some_and(|first| matches!(first.finding, Finding::Fails(_)));
        defences.sort_by_key(Defence::rank);
        defences
    }

    /// What may be spent on a part of the work.
    fn bounds(&self, part: u32) -> Bounds<'a> {
        let share = |most: u64| {
            let left = most.saturating_sub(self.nodes);
            left / 100 * u64::from(part) + left % 100 * u64::from(part) / 100
        };
        let nodes = self.task.limits.nodes.map_or(u64::MAX, share);
        let time = self.deadline.share(part);
        Bounds {
            nodes,
            depth: self.task.limits.depth.unwrap_or(DEEPEST),
            end: time.and_then(|time| Instant::now().checked_add(time)),
            stop: self.task.stop,
        }
    }

    /// Whether the opponent wins by threats after this turn.
    fn verify(&mut self, choice: &Choice, bounds: &Bounds<'_>) -> Finding {
        if self.solver.is_none() || bounds.nodes == 0 || bounds.is_over() {
            return Finding::Unseen;
        }
        let mut after = self.position.clone();
        let played = after.play(&choice.turn(&self.board));
        if played.is_err() || after.outcome().is_some() {
            return Finding::Holds;
        }
        if !threat_space::fits(after.rules()) {
            return match self.prove(&after, bounds) {
                Value::Win(proof) => Finding::Fails(Some(Arc::from(proof))),
                Value::None | Value::Unknown => Finding::Holds,
            };
        }
        if self
            .claim(&after, VERIFY_NODES, bounds, |_| false)
            .is_none()
        {
            return Finding::Holds;
        }
        match self.prove(&after, bounds) {
            Value::Win(proof) => Finding::Fails(Some(Arc::from(proof))),
            Value::None => Finding::Holds,
            Value::Unknown => Finding::Fails(None),
        }
    }

    /// The table's search: the first turn of a win it believes in.
    fn claim(
        &mut self,
        position: &Position,
        nodes: u64,
        bounds: &Bounds<'_>,
        refused: impl Fn(&Turn) -> bool,
    ) -> Option<Turn> {
        let board = LineBoard::from_position(position);
        let bounds = Bounds {
            nodes: nodes.min(bounds.nodes),
            ..*bounds
        };
        let grid = board.grid();
        let turn = |cells: &[Index]| -> Turn {
            cells
                .iter()
                .map(|&cell| grid.cell(usize::from(cell)))
                .collect()
        };
        let mut search = ThreatSpace::new(board, position.to_move(), bounds);
        let found = search.win(|cells| refused(&turn(cells)));
        self.nodes += search.nodes;
        found.map(|cells| turn(&cells))
    }

    /// The prover's search of order 1.
    fn prove(&mut self, position: &Position, bounds: &Bounds<'_>) -> Value {
        let Some(solver) = self.solver.as_deref_mut() else {
            return Value::Unknown;
        };
        let request = Request {
            limits: Limits {
                nodes: Some(bounds.nodes.min(PROVER_NODES)),
                time: bounds
                    .end
                    .map(|end| end.saturating_duration_since(Instant::now())),
            },
            stop: bounds.stop,
            ..Request::new(position.to_move(), 1)
        };
        let solution = solver.solve(position, &request);
        self.nodes += solution.nodes;
        solution.value
    }

    /// A win of our own.
    pub(super) fn attack(&mut self) -> Option<Line> {
        let bounds = self.bounds(100);
        if self.solver.is_none() || bounds.nodes == 0 || bounds.is_over() {
            return None;
        }
        let position = self.position;
        let whole = usize::from(position.rules().per_turn()) == self.stones;
        if !whole || !threat_space::fits(position.rules()) {
            return match self.prove(position, &bounds) {
                Value::Win(proof) => self.proved(*proof),
                Value::None | Value::Unknown => None,
            };
        }
        let task = self.task;
        let excluded = |turn: &Turn| task.excludes(turn);
        let claimed = self.claim(position, ATTACK_NODES, &bounds, excluded)?;
        let bounds = self.bounds(100);
        let value = self.prove(position, &bounds);
        let proved = match value {
            Value::Win(proof) => self.proved(*proof),
            Value::None => return None,
            Value::Unknown => None,
        };
        proved.or_else(|| {
            let turn = self.completed(&claimed)?;
            Some(winning_line(turn, Verdict::WinLikely(4)))
        })
    }

    /// The line of a proof, unless its turn is excluded.
    fn proved(&mut self, proof: Proof) -> Option<Line> {
        let root: Turn = proof.nodes.first()?.turn.iter().copied().collect();
        let turn = self.completed(&root)?;
        Some(winning_line(turn, Verdict::Win(Arc::new(proof))))
    }

    /// A turn with the stones that a winning turn leaves free, placed as the strategy would.
    fn completed(&mut self, turn: &Turn) -> Option<Turn> {
        if self.position.clone().play(turn).is_ok() {
            return self.allows(turn).then(|| turn.clone());
        }
        let cells: Option<Vec<Index>> = turn
            .into_iter()
            .map(|cell| self.board.index(cell))
            .collect();
        let mut start = Choice {
            cells: cells?,
            value: 0.0,
        };
        start.cells.sort_unstable();
        let near = greedy::candidates(self.position, &self.board, self.stones);
        let everywhere = greedy::everywhere(&self.board);
        let far = greedy::most_valuable(&self.board, self.side, everywhere, self.stones);
        for cells in [near, far] {
            let found = self.alternatives(std::slice::from_ref(&start), &cells, 1);
            if let Some(choice) = found.first() {
                return Some(choice.turn(&self.board));
            }
        }
        None
    }
}
