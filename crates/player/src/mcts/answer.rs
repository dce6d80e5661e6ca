//! From the tree to an answer: which turns, how good they are, and proofs where something is decided.

use std::sync::Arc;

use tengen_prover::{Limits, Proof, Request, Solver, VerifyRequest, verify};
use tengen_rules::{Side, Turn};

use super::field::Cells;
use super::plan::filled;
use super::search::Search;
use super::tree::{Node, NodeId, ROOT, Value};
use crate::{Answer, Line, Score, ThinkError, Verdict};

/// Nodes for the proof of what the tree has decided.
const PROOF_NODES: u64 = 200_000;

/// Table entries of the solver for proofs, as a power of two.
const PROOF_TABLE: u32 = 16;

/// Rates from which a side is likely to win, for levels 1 to 3. Level 4 is decided.
const LIKELY: [f32; 3] = [0.3, 0.5, 0.75];

impl Search<'_> {
    /// Whether some turn is known.
    pub(super) fn has_turn(&self) -> bool {
        !self.tree.get(ROOT).children.is_empty()
    }

    /// Whether no turn of the root is left to try.
    pub(super) fn is_exhausted(&self) -> bool {
        let plan = self.tree.get(ROOT).plan.as_ref();
        plan.is_none_or(|plan| plan.is_exhausted())
    }

    /// What is known so far; `None` without any turn.
    pub(super) fn answer(&self, lines: usize) -> Option<Answer> {
        let mut children = self.tree.get(ROOT).children.clone();
        if children.is_empty() {
            return None;
        }
        children.sort_by(|&a, &b| self.worth(b).total_cmp(&self.worth(a)).then(a.cmp(&b)));
        let lines = children.iter().take(lines.max(1)).map(|&id| self.line(id));
        Some(Answer {
            lines: lines.collect(),
            others_lose: None,
            nodes: self.nodes(),
            depth: self.depth,
            time: self.setup.deadline.elapsed(),
        })
    }

    /// How much a turn at the root is to be preferred: its rate, less what few visits leave open.
    fn worth(&self, id: NodeId) -> f32 {
        let node = self.tree.get(id);
        match node.value {
            Value::Won(side) if side == self.side => f32::MAX,
            Value::Won(_) => node.visits as f32 - 1e9,
            Value::Drawn => 0.0,
            Value::Unknown => {
                let above = self.tree.get(ROOT).visits.max(2) as f32;
                let visits = node.visits.max(1) as f32;
                node.rate() - self.setup.variables.exploration * (above.ln() / visits).sqrt()
            }
        }
    }

    fn line(&self, id: NodeId) -> Line {
        let node = self.tree.get(id);
        let (verdict, score) = match node.value {
            Value::Won(side) if side == self.side => (Verdict::WinLikely(4), Score::WIN),
            Value::Won(_) => (Verdict::LossLikely(4), Score(-Score::WIN.0)),
            Value::Drawn => (Verdict::Stable, Score(0)),
            Value::Unknown => (self.opinion(node), Score((node.rate() * 100.0) as i32)),
        };
        Line {
            turn: self.field.turn(&node.turn),
            verdict,
            score,
            main_line: self.main_line(id),
        }
    }

    fn opinion(&self, node: &Node) -> Verdict {
        let rate = node.rate();
        let level = LIKELY.iter().filter(|&&least| rate.abs() >= least).count() as u8;
        match level {
            0 => {
                let attacks = Side::BOTH.map(|side| self.field.board.has_threat(side));
                match attacks.into_iter().filter(|&yes| yes).count() {
                    0 => Verdict::Stable,
                    count => Verdict::Unstable(count as u8),
                }
            }
            level if rate > 0.0 => Verdict::WinLikely(level),
            level => Verdict::LossLikely(level),
        }
    }

    /// The turn and the most visited ones after it.
    fn main_line(&self, mut id: NodeId) -> Vec<Turn> {
        let mut line = Vec::new();
        loop {
            let node = self.tree.get(id);
            line.push(self.field.turn(&node.turn));
            let lost = |child: NodeId| self.tree.get(child).value == Value::Won(!node.mover);
            let best = node
                .children
                .iter()
                .max_by_key(|&&child| (!lost(child), self.tree.get(child).visits));
            match best {
                Some(&child) => id = child,
                None => return line,
            }
        }
    }

    /// The answer at the end, with a proof if something is decided and the resources allow it.
    pub(super) fn final_answer(&mut self, lines: usize) -> Result<Answer, ThinkError> {
        let Some(mut answer) = self.answer(lines) else {
            return self.any_turn();
        };
        match self.tree.get(ROOT).value {
            _ if self.setup.nodes.is_some_and(|most| answer.nodes >= most) => {}
            Value::Won(side) if side == self.side => self.prove_win(&mut answer),
            Value::Won(_) if self.setup.exclude.is_empty() => self.prove_loss(&mut answer),
            _ => {}
        }
        answer.time = self.setup.deadline.elapsed();
        Ok(answer)
    }

    fn proof_limits(&self, used: u64) -> Limits {
        let left = self.setup.nodes.map(|most| most.saturating_sub(used));
        Limits {
            nodes: Some(left.unwrap_or(PROOF_NODES).min(PROOF_NODES)),
            time: self.setup.deadline.remaining(),
        }
    }

    fn prove_win(&mut self, answer: &mut Answer) {
        let mut solver = Solver::new(PROOF_TABLE);
        for order in [1, 2] {
            let request = Request {
                limits: self.proof_limits(answer.nodes),
                stop: self.setup.deadline.stop(),
                ..Request::new(self.side, order)
            };
            let solution = solver.solve(&self.position, &request);
            answer.nodes += solution.nodes;
            if let tengen_prover::Value::Win(proof) = solution.value {
                self.play_proof(*proof, answer);
                return;
            }
        }
    }

    /// Puts the first turn of the proof in front, unless it is excluded.
    fn play_proof(&mut self, proof: Proof, answer: &mut Answer) {
        let Some(root) = proof.nodes.first() else {
            return;
        };
        let cells = root
            .turn
            .iter()
            .filter_map(|&cell| self.field.board.index(cell));
        let mut cells: Cells = cells.collect();
        cells.sort_unstable();
        let stones = self.field.room(self.position.left());
        let ends = self.field.play(self.side, &cells);
        self.field.undo(cells.len());
        if !ends {
            cells = filled(&cells, stones, &mut self.field, self.side);
        }
        let turn = self.field.turn(&cells);
        if self.excludes(&cells) {
            return;
        }
        let lines = answer.lines.len();
        answer.lines.retain(|line| line.turn != turn);
        let line = Line {
            main_line: vec![turn.clone()],
            turn,
            verdict: Verdict::Win(Arc::new(proof)),
            score: Score::WIN,
        };
        answer.lines.insert(0, line);
        answer.lines.truncate(lines);
    }

    fn prove_loss(&mut self, answer: &mut Answer) {
        for order in [1, 2] {
            let request = VerifyRequest {
                limits: self.proof_limits(answer.nodes),
                stop: self.setup.deadline.stop(),
                ..VerifyRequest::new(order)
            };
            let Ok(found) = verify(&self.position, &request) else {
                return;
            };
            answer.nodes += found.nodes;
            if !found.survivors.is_empty() {
                continue;
            }
            if let Some(proof) = found.proof {
                let proof = Arc::new(*proof);
                for line in &mut answer.lines {
                    line.verdict = Verdict::Loss(proof.clone());
                }
                answer.others_lose = Some(proof);
                return;
            }
        }
    }

    /// The first legal turn that is not excluded: nothing better was found.
    fn any_turn(&self) -> Result<Answer, ThinkError> {
        let stones = usize::from(self.field.room(self.position.left()));
        let free: Vec<_> = self.field.free_cells().collect();
        let turn = self
            .legal_turn(&free, &mut Cells::new(), stones)
            .ok_or(ThinkError::AllExcluded)?;
        Ok(Answer {
            lines: vec![Line {
                main_line: vec![turn.clone()],
                turn,
                verdict: Verdict::Stable,
                score: Score(0),
            }],
            others_lose: None,
            nodes: self.nodes(),
            depth: self.depth,
            time: self.setup.deadline.elapsed(),
        })
    }

    /// A turn of so many more of these cells.
    fn legal_turn(&self, free: &[u16], chosen: &mut Cells, more: usize) -> Option<Turn> {
        if self.excludes(chosen) {
            return None;
        }
        if more == 0 {
            return Some(self.field.turn(chosen));
        }
        for (place, &cell) in free.iter().enumerate() {
            chosen.push(cell);
            let found = self.legal_turn(&free[place + 1..], chosen, more - 1);
            chosen.pop();
            if found.is_some() {
                return found;
            }
        }
        None
    }
}
