//! Won positions much like one at hand: their winning turns and strategies are tried first.

use std::sync::Arc;

use tengen_rules::Side;

use super::super::cells::{Cell, Cells};
use super::super::record::turned;
use super::super::strategy::Strategy;
use super::super::symmetry::{Symmetry, canonical_of, stones_of};
use super::{Model, State, Tree, Way};

/// How many positions like this one are asked for their winning turns.
const MODELS: usize = 3;

impl Tree {
    /// How the cells of the position before a reply become those of the position after it.
    pub(super) fn symmetry_of(&self, way: Way) -> Symmetry {
        let before = &self.nodes[way.node];
        let mut stones = stones_of(self.size, &before.position);
        stones.push((Side::Black, before.turns[way.turn].stone));
        stones.push((Side::White, way.reply));
        canonical_of(self.size, &stones).1
    }

    /// The won position after a reply in another won position, and how its cells follow from those.
    fn model_after(&mut self, model: Model, reply: Cell) -> Option<Model> {
        let node = &self.nodes[model.node];
        let State::Won(won) = node.state else {
            return None;
        };
        let mut stones = stones_of(self.size, &node.position);
        stones.push((Side::Black, node.turns[won].stone));
        let reply = model.symmetry.inverse(self.size).apply(self.size, reply);
        if stones.iter().any(|&(_, cell)| cell == reply) {
            return None;
        }
        stones.push((Side::White, reply));
        let (position, there) = canonical_of(self.size, &stones);
        if !self.places.contains_key(&position) && !self.records.contains(&position) {
            return None;
        }
        let node = self.node(position);
        let symmetry = there.inverse(self.size).then(model.symmetry, self.size);
        Some(Model { node, symmetry })
    }

    /// Winning turns of positions much like this one: after the same reply in the model of the position before, after other replies to
    /// the same turn, and where one white stone is elsewhere.
    pub(super) fn hints(&mut self, number: usize, way: Option<Way>) -> Vec<(Cell, Model)> {
        let mut models = Vec::new();
        if let Some(way) = way {
            let here = self.symmetry_of(way);
            let turn = &self.nodes[way.node].turns[way.turn];
            let siblings = turn.kids.iter().rev();
            let siblings: Vec<(Cell, usize)> = siblings
                .filter(|(_, kid)| matches!(self.nodes[*kid].state, State::Won(_)))
                .take(MODELS)
                .copied()
                .collect();
            if let Some(model) = turn.model
                && let Some(after) = self.model_after(model, way.reply)
            {
                models.push(Model {
                    symmetry: after.symmetry.then(here, self.size),
                    ..after
                });
            }
            for (reply, node) in siblings {
                let there = self.symmetry_of(Way { reply, ..way });
                let symmetry = there.inverse(self.size).then(here, self.size);
                models.push(Model { node, symmetry });
            }
        }
        let position = self.nodes[number].position.clone();
        for (similar, symmetry) in self.records.similar(self.size, &position) {
            let node = self.node(similar);
            models.push(Model { node, symmetry });
        }
        let taken: Cells = stones_of(self.size, &position)
            .into_iter()
            .map(|(_, cell)| cell)
            .collect();
        let mut hints: Vec<(Cell, Model)> = Vec::new();
        for model in models {
            let State::Won(won) = self.nodes[model.node].state else {
                continue;
            };
            let stone = self.nodes[model.node].turns[won].stone;
            let stone = model.symmetry.apply(self.size, stone);
            let known = hints.iter().any(|(known, _)| *known == stone);
            if hints.len() < MODELS && !known && !taken.contains(stone) {
                hints.push((stone, model));
            }
        }
        hints
    }

    /// The strategies of a model's winning turn.
    pub(super) fn strategies_of(&self, model: Option<Model>) -> Vec<Arc<Strategy>> {
        let Some(model) = model else {
            return Vec::new();
        };
        let State::Won(won) = self.nodes[model.node].state else {
            return Vec::new();
        };
        let strategies = self.nodes[model.node].turns[won].strategies.iter();
        let turn = |strategy: &Arc<Strategy>| match model.symmetry {
            Symmetry::NONE => Arc::clone(strategy),
            other => Arc::new(turned(self.size, other, strategy)),
        };
        strategies.map(turn).collect()
    }
}
