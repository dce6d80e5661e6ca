//! What the root asks the prover: whether the mover wins, what the opponent threatens, and whether a turn
//! holds.

use std::sync::Arc;

use tengen_prover::{Proof, Request, Solver, Value, VerifyRequest, verify};
use tengen_rules::{Cell, Position, Side, Turn};

use super::boards::{Boards, Cells};
use super::generate::{Generator, Width};
use super::root::{Root, RootTurn};
use super::search::{DECIDED, WIN};

/// A search for a win: its order, and what it may take: hundredths of everything, and nodes.
type Try = (u8, u32, u64);

/// For the mover's win.
const OWN_WIN: [Try; 2] = [(1, 10, 100_000), (2, 20, 1_000_000)];
/// For the opponent's after a null turn.
const THEIR_WIN: [Try; 2] = [(1, 8, 50_000), (2, 12, 200_000)];
/// Nodes to check a turn, doubled with every depth.
const CHECK: u64 = 2_000;
/// Nodes of the last check.
const LAST_CHECK: u64 = 1_000_000;
/// Hundredths of the budget that one check may take.
const CHECK_SHARE: u32 = 12;
/// Nodes of inner searches to prove that a turn wins against every reply.
const PROOF: [u64; 2] = [300, 3_000];

/// A turn that wins.
struct Won {
    proof: Arc<Proof>,
    depth: u16,
}

impl Root<'_> {
    /// Looks for a win of the side to move in a position.
    fn win(&mut self, position: &Position, (order, hundredths, nodes): Try) -> Option<Won> {
        let budget = &mut self.search.budget;
        let request = Request {
            limits: budget.share(hundredths, nodes),
            stop: budget.stop(),
            ..Request::new(position.to_move(), order)
        };
        let solver: &mut Solver = self.solver;
        let solution = solver.solve(position, &request);
        budget.spend(solution.nodes);
        match solution.value {
            Value::Win(proof) => Some(Won {
                proof: Arc::new(*proof),
                depth: solution.depth.unwrap_or(1),
            }),
            _ => None,
        }
    }

    /// A turn that wins, with its proof, unless it is excluded: another one is left to the search.
    pub(super) fn own_win(&mut self) -> Option<RootTurn> {
        let position = self.position;
        // Whoever proves nothing still completes a line.
        let one_turn = [(1, 100, 3)];
        let efforts = if self.search.style.proofs {
            &OWN_WIN[..]
        } else {
            &one_turn[..]
        };
        for &effort in efforts {
            let Some(won) = self.win(position, effort) else {
                continue;
            };
            self.attacks[0] = true;
            let stones = &won.proof.nodes.first()?.turn;
            let turn = filled(
                self.search.boards.clone(),
                self.mover,
                position.left(),
                stones,
            )?;
            if self.task.excludes(&turn) {
                return None;
            }
            self.depth = u32::from(won.depth);
            let cells = self.search.boards.cells(&turn)?;
            return Some(RootTurn {
                main_line: main_line(&won.proof, &turn),
                score: WIN - 2 * i32::from(won.depth),
                proved: Some((self.mover, won.proof)),
                ..RootTurn::new(cells, turn)
            });
        }
        None
    }

    /// Whether the opponent wins if the mover passes.
    pub(super) fn they_win_after_a_null_turn(&mut self) -> bool {
        if !self.search.style.proofs {
            return false;
        }
        let mut passed = self.position.clone();
        passed.pass();
        THEIR_WIN
            .into_iter()
            .any(|effort| self.win(&passed, effort).is_some())
    }

    /// Sets of stones, one of which every turn contains that is neither proved to lose nor excluded. The empty
    /// set says that nothing is known; no set at all, that the position is lost.
    pub(super) fn survivors(&mut self, hundredths: u32, stages: &[u64]) -> Vec<Cells> {
        if !self.search.style.proofs {
            return vec![Cells::new()];
        }
        let known = self.partial.take();
        let budget = &mut self.search.budget;
        let request = VerifyRequest {
            stages,
            limits: budget.share(hundredths, u64::MAX),
            stop: budget.stop(),
            known: known.as_deref(),
            ..VerifyRequest::new(2)
        };
        let Ok(found) = verify(self.position, &request) else {
            return vec![Cells::new()];
        };
        budget.spend(found.nodes);
        self.partial = found.proof.map(|proof| Arc::new(*proof));
        let excluded = |set: &&Vec<Cell>| {
            let turn: Turn = set.iter().copied().collect();
            self.task.excludes(&turn)
        };
        let open = found.survivors.iter().filter(|set| !excluded(set));
        let boards = &self.search.boards;
        let open: Vec<Cells> = open
            .filter_map(|set| boards.cells(&set.iter().copied().collect()))
            .collect();
        self.lost = open.is_empty() && self.partial.is_some();
        open
    }

    /// Checks the best turns for wins of the opponent, and takes others in their place, until the best ones
    /// hold.
    pub(super) fn check_the_best(&mut self, depth: u32) {
        self.check_with(CHECK << depth.min(7), CHECK_SHARE);
    }

    /// The same with all that is left, where the opponent attacks.
    pub(super) fn last_check(&mut self) {
        if self.attacks[1] {
            self.check_with(LAST_CHECK, self.for_the_last_check() * 2 / 3);
        }
    }

    fn check_with(&mut self, nodes: u64, hundredths: u32) {
        if self.lost || !self.search.style.proofs {
            return;
        }
        let lines = self.task.lines.max(1);
        while let Some(place) = self.next_to_check(lines, nodes) {
            if self.search.budget.look() {
                return;
            }
            let mut after = self.position.clone();
            if after.play(&self.turns[place].turn).is_err() || after.outcome().is_some() {
                self.turns[place].checked = u64::MAX;
                continue;
            }
            let won = [1, 2]
                .into_iter()
                .find_map(|order| self.win(&after, (order, hundredths, nodes)));
            let turn = &mut self.turns[place];
            turn.checked = nodes;
            if let Some(won) = won {
                turn.score = 2 * i32::from(won.depth) - WIN;
                turn.proved = Some((!self.mover, won.proof));
                self.turns[place..].sort_by_key(|turn| std::cmp::Reverse(turn.score));
            }
        }
    }

    fn next_to_check(&self, lines: usize, nodes: u64) -> Option<usize> {
        let best = self.turns.iter().take(lines);
        let unsure = |turn: &RootTurn| turn.proved.is_none() && turn.checked < nodes;
        best.enumerate()
            .find(|(_, turn)| unsure(turn))
            .map(|(place, _)| place)
    }

    /// Where the search believes that a turn wins, tries to prove it.
    pub(super) fn prove_the_best(&mut self) {
        if !self.search.style.proofs {
            return;
        }
        for place in 0..self.task.lines.max(1).min(self.turns.len()) {
            let turn = &self.turns[place];
            let mut after = self.position.clone();
            let hopeful = turn.score >= DECIDED && turn.proved.is_none();
            if !hopeful || after.play(&turn.turn).is_err() {
                continue;
            }
            if after.outcome().is_some() {
                let proof = Proof::of_one_turn(self.position.to_setup(), &turn.turn);
                self.turns[place].proved = Some((self.mover, Arc::new(proof)));
                continue;
            }
            let budget = &mut self.search.budget;
            let request = VerifyRequest {
                stages: &PROOF,
                limits: budget.share(30, u64::MAX),
                stop: budget.stop(),
                ..VerifyRequest::new(2)
            };
            let Ok(found) = verify(&after, &request) else {
                continue;
            };
            budget.spend(found.nodes);
            if let Some(proof) = found.proof.filter(|_| found.survivors.is_empty()) {
                self.turns[place].proved = Some((self.mover, Arc::new(*proof)));
            }
        }
    }
}

/// A turn with these stones and, where some are left over, attractive ones.
fn filled(mut boards: Boards, mover: Side, left: u8, stones: &[Cell]) -> Option<Turn> {
    let turn: Turn = stones.iter().copied().collect();
    let cells = boards.cells(&turn)?;
    for &cell in &cells {
        if boards.place(mover, cell) {
            return Some(turn);
        }
    }
    let more = left.saturating_sub(cells.len() as u8);
    let width = Width { cells: 1, turns: 1 };
    let more = Generator::default().turns(&mut boards, mover, more, width);
    let more = more.first().map(|candidate| candidate.turn.clone());
    let all: Cells = cells.into_iter().chain(more.unwrap_or_default()).collect();
    Some(boards.turn(&all))
}

/// The first of all replies, and so on.
fn main_line(proof: &Proof, turn: &Turn) -> Vec<Turn> {
    let mut line = vec![turn.clone()];
    let per_turn = usize::from(proof.position.rules.per_turn());
    let mut node = &proof.nodes[0];
    while let Some(reply) = node.replies.first() {
        // A macro reply stands for several; some of its stones are one of them.
        line.push(reply.stones.iter().copied().take(per_turn).collect());
        node = &proof.nodes[reply.child as usize];
        line.push(node.turn.iter().copied().collect());
    }
    line
}
