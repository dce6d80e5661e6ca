//! The search: one simulation after the other (Figs. 15 and 16).
//!
//! A simulation walks down from the root, evaluates the node it reaches, and carries the result back. A
//! side that has turns of the first stage tries these alone until they have failed; below them its
//! opponent only defends. Node evaluation is conservative threat-space search, so the first stage as a
//! whole is iterative threat-space search (section III): normal defences in the tree, conservative ones
//! beyond its leaves.

use tengen_prover::Solver;
use tengen_rules::{Position, Side, Turn};

use super::ctss::Ctss;
use super::expansion::is_excluded;
use super::field::{Cells, Field};
use super::plan::filled;
use super::playout::playout;
use super::tree::{Candidate, Formula, Node, NodeId, ROOT, Sort, Tree, Value};
use super::variables::{Stages, Variables};
use crate::Deadline;

/// What the search is allowed and what it is for.
#[derive(Debug, Copy, Clone)]
pub(super) struct Setup<'a> {
    pub(super) variables: Variables,
    pub(super) stages: Stages,
    /// Whether relevance zones restrict the turns.
    pub(super) zones: bool,
    /// Resources are limited and a turn must be found: threats that lead nowhere are given up.
    pub(super) contest: bool,
    pub(super) seed: u64,
    pub(super) memory: usize,
    pub(super) deadline: Deadline<'a>,
    /// The most nodes of all kinds.
    pub(super) nodes: Option<u64>,
    pub(super) exclude: &'a [Turn],
}

pub(super) struct Search<'a> {
    pub(super) setup: Setup<'a>,
    pub(super) position: Position,
    pub(super) field: Field,
    pub(super) tree: Tree,
    pub(super) ctss: Ctss<'a>,
    pub(super) solver: Option<Solver>,
    pub(super) solver_nodes: u64,
    rng: fastrand::Rng,
    /// The side to move at the root, called the offensive side in the paper.
    pub(super) side: Side,
    pub(super) simulations: u64,
    pub(super) depth: u32,
    /// The part of heuristic values that fits the resources.
    pub(super) scale: f32,
}

/// Where to go from a node.
enum Step {
    Child(NodeId),
    /// Nothing to try, or no room: judge the node by another playout.
    Stay,
}

impl<'a> Search<'a> {
    pub(super) fn new(position: &Position, setup: Setup<'a>) -> Self {
        let side = position.to_move();
        let expected = setup.nodes.or_else(|| {
            // The paper's speed.
            let time = setup.deadline.remaining()?;
            Some((time.as_secs_f64() * 8_300.0) as u64)
        });
        let part = expected.map_or(1.0, |nodes| nodes as f32 / setup.variables.meant_for as f32);
        Self {
            position: position.clone(),
            field: Field::new(position),
            tree: Tree::new(side, setup.memory),
            ctss: Ctss::new(setup.deadline),
            solver: None,
            solver_nodes: 0,
            rng: fastrand::Rng::with_seed(setup.seed),
            side,
            simulations: 0,
            depth: 0,
            scale: if setup.contest {
                part.clamp(0.01, 1.0)
            } else {
                1.0
            },
            setup,
        }
    }

    /// Simulations and nodes of threat-space search.
    pub(super) fn nodes(&self) -> u64 {
        self.simulations + self.ctss.nodes + self.solver_nodes
    }

    /// Whether nothing is left to find out, or no resources.
    pub(super) fn is_over(&self) -> bool {
        self.tree.get(ROOT).is_decided()
            || self.setup.nodes.is_some_and(|most| self.nodes() >= most)
            || self.setup.deadline.is_over()
    }

    /// How many stones the side to move at a node has to place.
    pub(super) fn stones(&self, node: NodeId) -> u8 {
        let whole = self.position.rules().per_turn();
        let stones = if node == ROOT {
            self.position.left()
        } else {
            whole
        };
        self.field.room(stones)
    }

    /// One simulation. There is always a first one, whatever the limits.
    pub(super) fn simulate(&mut self) {
        let mut path = vec![ROOT];
        let mut attack = None;
        let mut placed = 0;
        let result = loop {
            let node = path[path.len() - 1];
            if self.tree.get(node).visits == 0 {
                self.evaluate(node, attack);
                break self.judged(node, path.len() as u32);
            }
            let Step::Child(child) = self.step(node, &mut attack, &path) else {
                break self.judged(node, path.len() as u32);
            };
            let turn = self.tree.get(child).turn.clone();
            placed += turn.len();
            let complete = self.field.play(self.tree.get(node).mover, &turn);
            if complete {
                self.tree.get_mut(child).value = Value::Won(self.tree.get(node).mover);
            }
            path.push(child);
            if complete {
                break self.judged(child, path.len() as u32);
            }
        };
        self.field.undo(placed);
        self.carry_back(&path, result);
        self.depth = self.depth.max(path.len() as u32 - 1);
        self.simulations += 1;
    }

    /// The result at a node: its value if it is decided, otherwise a playout.
    fn judged(&mut self, node: NodeId, depth: u32) -> f32 {
        let variables = self.setup.variables;
        match self.tree.get(node).value {
            Value::Won(side) if side == self.side => variables.decided_win,
            Value::Won(_) => variables.decided_loss,
            Value::Drawn => 0.0,
            Value::Unknown => {
                let mover = self.tree.get(node).mover;
                let turn = (mover, self.stones(node));
                let turns = variables.playout_depth / u32::from(self.position.rules().per_turn());
                let left = turns.saturating_sub(depth).max(1);
                match playout(&mut self.field, &mut self.ctss, &mut self.rng, turn, left) {
                    None => 0.0,
                    Some(side) if side == self.side => variables.playout_win,
                    Some(_) => -variables.playout_win,
                }
            }
        }
    }

    /// Adds the result to every node of the path, and draws the conclusions.
    fn carry_back(&mut self, path: &[NodeId], result: f32) {
        for &id in path.iter().rev() {
            self.tree.update(id);
            let side = self.side;
            let node = self.tree.get_mut(id);
            node.visits += 1;
            node.hv = (node.hv - 1.0).max(0.0);
            node.pv += if node.mover == side { -result } else { result };
        }
    }

    /// The first visit: is the node decided, and which turns are there?
    fn evaluate(&mut self, id: NodeId, attack: Option<Side>) {
        let mover = self.tree.get(id).mover;
        let stones = self.stones(id);
        let staged = self.setup.stages != Stages::None;
        let defences = self.field.defences(!mover, stones, &mut self.ctss.defences);
        let lost = defences.as_ref().is_some_and(Vec::is_empty);
        if stones == 0 {
            self.tree.get_mut(id).value = Value::Drawn;
        } else if let Some(set) = self.field.board.winning_set(mover, stones) {
            self.won_with(id, &Cells::from_vec(set), stones);
        } else if lost && self.field.empty() > usize::from(stones) && id != ROOT {
            self.tree.get_mut(id).value = Value::Won(!mover);
        } else if staged {
            let nodes = match id {
                ROOT => self.setup.variables.root_ctss_nodes,
                _ => self.setup.variables.ctss_nodes,
            };
            if let Some(turn) = self.ctss.win(&mut self.field, mover, stones, nodes) {
                self.won_with(id, &turn, stones);
            }
        }
        if !self.tree.get(id).is_decided() {
            // Where nothing stops the opponent any turn will do, and all lose.
            let defences = defences.filter(|sets| !sets.is_empty());
            self.plan(id, stones, defences, attack);
        }
    }

    /// The side to move wins with this turn. At the root the turn is wanted, and it may be excluded.
    fn won_with(&mut self, id: NodeId, turn: &Cells, stones: u8) {
        let mover = self.tree.get(id).mover;
        if id != ROOT {
            self.tree.get_mut(id).value = Value::Won(mover);
            return;
        }
        let complete = self.completes(mover, turn);
        let turn = match complete {
            true => turn.clone(),
            false => filled(turn, stones, &mut self.field, mover),
        };
        if self.excludes(&turn) {
            return;
        }
        let candidate = Candidate {
            turn,
            sort: Sort::Double,
            first: true,
            hv: 0.0,
        };
        let child = self.tree.add(ROOT, candidate);
        let child = self.tree.get_mut(child);
        (child.value, child.visits) = (Value::Won(mover), 1);
        child.pv = self.setup.variables.decided_win;
        self.tree.get_mut(ROOT).value = Value::Won(mover);
    }

    fn completes(&mut self, side: Side, turn: &Cells) -> bool {
        let complete = self.field.play(side, turn);
        self.field.undo(turn.len());
        complete
    }

    pub(super) fn excludes(&self, turn: &Cells) -> bool {
        is_excluded(&self.field, turn, self.setup.exclude)
    }

    /// Selection and expansion at a node that was visited before.
    fn step(&mut self, id: NodeId, attack: &mut Option<Side>, path: &[NodeId]) -> Step {
        let mover = self.tree.get(id).mover;
        let root_of_attack = attack.is_none();
        if root_of_attack && !self.tree.get(id).own_fail && !self.gives_up(id) {
            *attack = Some(mover);
        }
        let uct = Formula::Uct(self.setup.variables.exploration);
        let formula = match (self.setup.stages, &attack) {
            (Stages::TypeI, Some(_)) => Formula::Even,
            _ => uct,
        };
        if *attack == Some(mover) {
            if let Some(candidate) = self.next_threat(id) {
                return Step::Child(self.tree.add(id, candidate));
            }
            let open = |node: &Node| node.first && !node.answered;
            if let Some(child) = self.tree.select(id, formula, open) {
                return Step::Child(child);
            }
            self.tree.get_mut(id).own_fail = true;
            if !root_of_attack {
                return Step::Stay;
            }
            *attack = None;
        }
        if self.wants_more(id)
            && let Some(candidate) = self.next_turn(id, path)
        {
            return Step::Child(self.tree.add(id, candidate));
        }
        match self.tree.select(id, formula, |_| true) {
            Some(child) => Step::Child(child),
            None => Step::Stay,
        }
    }

    /// Whether threats at this node have had their chance (section VI-B): at the root if they look bad or
    /// have taken a third of all resources, elsewhere, which is ours, after as many visits as a heuristic
    /// value.
    fn gives_up(&self, id: NodeId) -> bool {
        if !self.setup.contest {
            return false;
        }
        let node = self.tree.get(id);
        let variables = &self.setup.variables;
        if id != ROOT {
            let waiting = node.plan.as_ref().map_or(0, |plan| plan.first.len());
            let patience = (variables.double_value * self.scale) as usize;
            return waiting == 0 && node.visits as usize > node.children.len() + patience;
        }
        // The root's rate is seen from the opponent.
        let hopeless = node.visits >= variables.reliable && -node.rate() < variables.give_up_below;
        let late = match self.setup.nodes {
            Some(most) => self.nodes() >= most / 3,
            None => {
                let (gone, left) = (
                    self.setup.deadline.elapsed(),
                    self.setup.deadline.remaining(),
                );
                left.is_some_and(|left| gone * 2 >= left)
            }
        };
        hopeless || late
    }
}
