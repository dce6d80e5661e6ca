//! The search: one simulation after the other (Figs. 15 and 16).
//!
//! A simulation walks down from the root, evaluates the node it reaches, and carries the result back. A
//! side that has turns of the first stage tries these alone until they have failed; below them its
//! opponent only defends. Node evaluation is conservative threat-space search, so the first stage as a
//! whole is iterative threat-space search (section III): normal defences in the tree, conservative ones
//! beyond its leaves.

use tengen_prover::Solver;
use tengen_rules::{Overline, Position, Side, Turn};

use super::ctss::Ctss;
use super::field::{Cells, Field};
use super::plan::{Plan, Scene, filled};
use super::playout::playout;
use super::tree::{Candidate, Formula, Node, NodeId, ROOT, Sort, Tree, Value};
use super::variables::{Stages, Variables};
use super::zones::ZoneSource;
use crate::{Deadline, Task};

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
    solver: Option<Solver>,
    solver_nodes: u64,
    rng: fastrand::Rng,
    /// The side to move at the root, called the offensive side in the paper.
    pub(super) side: Side,
    pub(super) simulations: u64,
    pub(super) depth: u32,
    /// The part of heuristic values that fits the resources.
    scale: f32,
}

/// Where to go from a node.
enum Step {
    Child(NodeId),
    /// Nothing to try, or no room: judge the node by another playout.
    Stay,
}

/// Table entries of the solver for zones, as a power of two.
const ZONE_TABLE: u32 = 14;

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
    fn stones(&self, node: NodeId) -> u8 {
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
                self.evaluate(node, path.len() as u32);
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
                let left = variables.playout_depth.saturating_sub(depth);
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
    fn evaluate(&mut self, id: NodeId, depth: u32) {
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
            self.plan(id, stones, defences, depth);
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

    /// Lists the threats of the first stage, and prepares the second.
    fn plan(&mut self, id: NodeId, stones: u8, defences: Option<Vec<Cells>>, depth: u32) {
        let mover = self.tree.get(id).mover;
        let mut ranked = self.field.probing_cells(mover);
        if ranked.len() < self.setup.variables.probing_cells {
            let known: Vec<_> = ranked.iter().map(|&(cell, _)| cell).collect();
            let more = self.field.free_cells().filter(|cell| !known.contains(cell));
            let more: Vec<_> = more.take(self.setup.variables.probing_cells).collect();
            let field = &self.field;
            ranked.extend(more.iter().map(|&cell| (cell, field.value(mover, cell))));
        }
        let (mut doubles, mut singles) = self.threats(mover, stones, &ranked);
        if id == ROOT {
            doubles.retain(|turn| !self.excludes(turn));
            singles.retain(|turn| !self.excludes(turn));
        }
        let quiet = doubles.is_empty();
        let variables = self.setup.variables;
        let values = [
            variables.double_value * self.scale,
            variables.single_value * self.scale,
        ];
        let made = |turns: Vec<Cells>, sort, first, hv| {
            let made = turns.into_iter().rev();
            made.map(move |turn| Candidate {
                turn,
                sort,
                first,
                hv,
            })
        };
        let (mut first, mut later) = (Vec::new(), Vec::new());
        match self.setup.stages {
            Stages::TypeI => {
                // Evenly by formula (2), without heuristic values.
                first.extend(made(doubles, Sort::Double, true, 0.0));
                later.extend(made(singles, Sort::Single, false, values[1]));
            }
            Stages::TypeII => {
                first.extend(made(singles, Sort::Single, true, 0.0));
                first.extend(made(doubles, Sort::Double, true, values[0]));
            }
            Stages::None => {
                later.extend(made(singles, Sort::Single, false, 0.0));
                later.extend(made(doubles, Sort::Double, false, 0.0));
            }
        }
        let exclude = if id == ROOT { self.setup.exclude } else { &[] };
        let scene = Scene {
            field: &mut self.field,
            mover,
            stones,
            batch: variables.probing_cells,
            zones: None,
            excluded: &|field, turn| is_excluded(field, turn, exclude),
        };
        let mut plan = Plan::new(first, ranked, defences, &scene);
        plan.put_first(later);
        self.tree.charge(plan.bytes);
        let node = self.tree.get_mut(id);
        node.own_fail = plan.first.is_empty();
        // A quiet turn that allows double threats is the root of a first-stage tree.
        if depth > 1 && !quiet && node.sort == Sort::Quiet && self.setup.stages != Stages::None {
            node.hv = values[0];
        }
        node.plan = Some(Box::new(plan));
    }

    /// The turns that make double threats and those that make fewer, best first, as whole turns.
    fn threats(
        &mut self,
        mover: Side,
        stones: u8,
        ranked: &[(tengen_threats::Index, i32)],
    ) -> (Vec<Cells>, Vec<Cells>) {
        let per_turn = self.position.rules().per_turn();
        let most = self.setup.variables.singles;
        let mut doubles = self
            .ctss
            .forcing_turns(&self.field, mover, stones, per_turn);
        let mut singles = Vec::new();
        if per_turn == 2 {
            singles = self.ctss.forcing_turns(&self.field, mover, stones, 1);
        }
        self.by_value(mover, &mut doubles);
        self.by_value(mover, &mut singles);
        let whole = |turns: Vec<Cells>, partners: usize| {
            let mut all: Vec<Cells> = Vec::new();
            for turn in turns {
                if turn.len() >= usize::from(stones) {
                    all.push(turn);
                    continue;
                }
                let cells = ranked.iter().filter(|(cell, _)| !turn.contains(cell));
                for &(cell, _) in cells.take(partners) {
                    all.push(super::plan::with(&turn, &[cell]));
                }
            }
            all.retain(|turn| turn.len() == usize::from(stones));
            let mut seen = std::collections::HashSet::new();
            all.retain(|turn| seen.insert(turn.clone()));
            all
        };
        let doubles = whole(doubles, 3);
        let mut singles = whole(singles, 3);
        singles.truncate(most + doubles.len());
        singles.retain(|turn| !doubles.contains(turn));
        singles.truncate(most);
        (doubles, singles)
    }

    fn by_value(&self, mover: Side, turns: &mut [Cells]) {
        turns.sort_by_cached_key(|turn| {
            let worth = turn.iter().map(|&cell| self.field.value(mover, cell));
            (-worth.sum::<i32>(), turn.clone())
        });
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

    /// The next turn of the first stage.
    fn next_threat(&mut self, id: NodeId) -> Option<Candidate> {
        if self.tree.is_full() {
            return None;
        }
        self.tree.get_mut(id).plan.as_mut()?.first.pop()
    }

    /// Whether another turn of the second stage shall be tried before known ones.
    fn wants_more(&self, id: NodeId) -> bool {
        if self.tree.is_full() && (id != ROOT || !self.tree.get(ROOT).children.is_empty()) {
            return false;
        }
        let node = self.tree.get(id);
        let open = self
            .tree
            .children(id)
            .filter(|child| !child.is_decided())
            .count();
        let wanted = 1.0 + self.setup.variables.widening * (node.visits as f32).sqrt();
        (open as f32) < wanted
    }

    /// The next turn of the second stage; turns of the first that were given up come before it.
    fn next_turn(&mut self, id: NodeId, path: &[NodeId]) -> Option<Candidate> {
        let mut plan = self.tree.get_mut(id).plan.take()?;
        self.tree.release(plan.bytes);
        let mover = self.tree.get(id).mover;
        let stones = self.stones(id);
        let rules = self.position.rules();
        let exact = rules.overline() == Overline::DoesNotWin;
        let zoned = self.setup.zones && !exact && rules.per_turn() <= 2 && rules.size().is_some();
        let zoned = zoned && plan.needs_work();
        let position = zoned.then(|| self.position_at(path)).flatten();
        let mut zones = position.map(|position| ZoneSource {
            position,
            ctss: &mut self.ctss,
            solver: self.solver.get_or_insert_with(|| Solver::new(ZONE_TABLE)),
            nodes: &mut self.solver_nodes,
            variables: self.setup.variables,
            deadline: self.setup.deadline,
        });
        let exclude = if id == ROOT { self.setup.exclude } else { &[] };
        let mut scene = Scene {
            field: &mut self.field,
            mover,
            stones,
            batch: self.setup.variables.probing_cells,
            zones: zones.as_mut(),
            excluded: &|field, turn| is_excluded(field, turn, exclude),
        };
        let next = plan.first.pop().or_else(|| plan.next(&mut scene));
        self.tree.charge(plan.bytes);
        self.tree.get_mut(id).plan = Some(plan);
        next
    }

    /// The position at the end of a path, for the prover.
    fn position_at(&self, path: &[NodeId]) -> Option<Position> {
        let mut position = self.position.clone();
        for &id in &path[1..] {
            let turn = self.field.turn(&self.tree.get(id).turn);
            position.play(&turn).ok()?;
        }
        position.outcome().is_none().then_some(position)
    }
}

/// Whether a turn is one of those that must not be played.
fn is_excluded(field: &Field, turn: &Cells, exclude: &[Turn]) -> bool {
    if exclude.is_empty() {
        return false;
    }
    let task = Task {
        exclude,
        ..Task::default()
    };
    task.excludes(&field.turn(turn))
}
