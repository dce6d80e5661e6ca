//! Expansion: which turns a node tries (sections IV-B.4 to IV-B.7).

use std::collections::HashSet;

use tengen_prover::Solver;
use tengen_rules::{Overline, Position, Side, Turn};
use tengen_threats::Index;

use super::field::{Cells, Field};
use super::plan::{Plan, Scene, with};
use super::search::Search;
use super::tree::{Candidate, NodeId, ROOT, Sort};
use super::variables::Stages;
use super::zones::ZoneSource;
use crate::Task;

/// Table entries of the solver for zones, as a power of two.
const ZONE_TABLE: u32 = 14;

impl Search<'_> {
    /// Lists the threats of the first stage, and prepares the second. `attack` is the side whose threats led
    /// here, if any did.
    pub(super) fn plan(
        &mut self,
        id: NodeId,
        stones: u8,
        defences: Option<Vec<Cells>>,
        attack: Option<Side>,
    ) {
        let mover = self.tree.get(id).mover;
        let ranked = self.ranked(mover);
        let (mut doubles, mut singles) = self.threats(mover, stones, &ranked);
        if id == ROOT {
            doubles.retain(|turn| !self.excludes(turn));
            singles.retain(|turn| !self.excludes(turn));
        }
        let quiet = doubles.is_empty();
        let staged = self.setup.stages != Stages::None;
        let stages = match self.setup.stages {
            // Where resources are limited, single threats come first only where the root began with them.
            Stages::TypeII if self.setup.contest && id != ROOT && attack != Some(mover) => {
                Stages::TypeI
            }
            stages => stages,
        };
        let (first, later) = self.staged(stages, doubles, singles);
        let exclude = if id == ROOT { self.setup.exclude } else { &[] };
        let scene = Scene {
            field: &mut self.field,
            mover,
            stones,
            batch: self.setup.variables.probing_cells,
            zones: None,
            excluded: &|field, turn| is_excluded(field, turn, exclude),
        };
        let mut plan = Plan::new(first, ranked, defences, &scene);
        plan.put_first(later);
        self.tree.charge(plan.bytes);
        let value = self.setup.variables.double_value * self.scale;
        let node = self.tree.get_mut(id);
        node.own_fail = plan.first.is_empty();
        // A quiet turn that allows double threats is the root of a first-stage tree.
        if id != ROOT && !quiet && node.sort == Sort::Quiet && staged {
            node.hv = value;
        }
        node.plan = Some(Box::new(plan));
    }

    /// The probing cells near stones, or some of all cells where these are few.
    fn ranked(&self, mover: Side) -> Vec<(Index, i32)> {
        let mut ranked = self.field.probing_cells(mover);
        let wanted = self.setup.variables.probing_cells;
        if ranked.len() < wanted {
            let known: Vec<Index> = ranked.iter().map(|&(cell, _)| cell).collect();
            let more = self.field.free_cells().filter(|cell| !known.contains(cell));
            let worth = |cell| (cell, self.field.value(mover, cell));
            ranked.extend(more.take(wanted).map(worth));
        }
        ranked
    }

    /// The turns of the first stage and those to begin the second with (Table I), the best last.
    fn staged(
        &self,
        stages: Stages,
        doubles: Vec<Cells>,
        singles: Vec<Cells>,
    ) -> (Vec<Candidate>, Vec<Candidate>) {
        let variables = &self.setup.variables;
        let made = |turns: Vec<Cells>, sort, first, hv: f32| {
            let made = move |turn| Candidate {
                turn,
                sort,
                first,
                hv: hv * self.scale,
            };
            turns.into_iter().rev().map(made)
        };
        let (mut first, mut later) = (Vec::new(), Vec::new());
        match stages {
            Stages::TypeI => {
                // Formula (2) knows no heuristic values.
                first.extend(made(doubles, Sort::Double, true, 0.0));
                later.extend(made(singles, Sort::Single, false, variables.single_value));
            }
            Stages::TypeII => {
                first.extend(made(singles, Sort::Single, true, 0.0));
                first.extend(made(doubles, Sort::Double, true, variables.double_value));
            }
            Stages::None => {
                later.extend(made(singles, Sort::Single, false, 0.0));
                later.extend(made(doubles, Sort::Double, false, 0.0));
            }
        }
        (first, later)
    }

    /// The turns that make double threats and those that make fewer, best first, as whole turns.
    fn threats(
        &mut self,
        mover: Side,
        stones: u8,
        ranked: &[(Index, i32)],
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
                    all.push(with(&turn, &[cell]));
                }
            }
            all.retain(|turn| turn.len() == usize::from(stones));
            let mut seen = HashSet::new();
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

    /// The next turn of the first stage.
    pub(super) fn next_threat(&mut self, id: NodeId) -> Option<Candidate> {
        if self.tree.is_full() {
            return None;
        }
        self.tree.get_mut(id).plan.as_mut()?.first.pop()
    }

    /// Whether another turn of the second stage shall be tried before known ones.
    pub(super) fn wants_more(&self, id: NodeId) -> bool {
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
    pub(super) fn next_turn(&mut self, id: NodeId, path: &[NodeId]) -> Option<Candidate> {
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
pub(super) fn is_excluded(field: &Field, turn: &Cells, exclude: &[Turn]) -> bool {
    if exclude.is_empty() {
        return false;
    }
    let task = Task {
        exclude,
        ..Task::default()
    };
    task.excludes(&field.turn(turn))
}
