//! Plays what an edit has changed: whether it can be played, and what its positions are called.

use std::collections::HashMap;

use rusqlite::Transaction;
use tengen_rules::Setup;

use super::nodes;
use crate::api::{Node, Patch};
use crate::error::Failure;
use crate::tree::{self, DEEPEST, Walker};

/// What to do with turns that cannot be played.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum Strictness {
    /// New ones are refused.
    Refuse,
    /// What was there once may be there again.
    Accept,
}

/// Plays what a patch has changed, and writes the keys.
pub(super) struct Replay<'t> {
    database: &'t Transaction<'t>,
    study: u32,
    walker: Walker,
}

impl<'t> Replay<'t> {
    pub(super) fn new(database: &'t Transaction<'_>, study: u32, start: &Setup) -> Self {
        Self {
            database,
            study,
            walker: Walker::new(start),
        }
    }

    pub(super) fn all(
        &mut self,
        patch: &Patch,
        old: &HashMap<u32, Node>,
        strictness: Strictness,
    ) -> Result<(), Failure> {
        for node in &patch.put {
            let same = |before: &&Node| before.parent == node.parent && before.turn == node.turn;
            // A node that stays where it is may be unplayable: a file had it so.
            let strictness = match old.get(&node.id).filter(same) {
                Some(_) => Strictness::Accept,
                None => strictness,
            };
            self.node(node.id, &node.turn, node.parent, strictness)?;
            let moved = old.get(&node.id).is_some_and(|before| !same(&before));
            if moved {
                self.below(node.id, strictness)?;
            }
        }
        Ok(())
    }

    /// Plays one node, from the root if need be.
    fn node(
        &mut self,
        id: u32,
        turn: &[String],
        parent: Option<u32>,
        strictness: Strictness,
    ) -> Result<(), Failure> {
        let Some(parent) = parent else {
            self.walker.back_to(0);
            let key = self.walker.root_key();
            return nodes::set_key(self.database, self.study, 0, key);
        };
        if !self.walker.back_to(parent) {
            self.go_to(parent)?;
        }
        let turn = tree::cells(&turn.to_vec())?;
        let key = match self.walker.play(id, &turn) {
            Ok(key) => Some(key),
            Err(reason) if strictness == Strictness::Refuse => {
                return Err(Failure::BadRequest(format!("node {id}: {reason}")));
            }
            Err(_) => None,
        };
        nodes::set_key(self.database, self.study, id, key)
    }

    /// Everything below a node that was moved or has other stones.
    fn below(&mut self, id: u32, strictness: Strictness) -> Result<(), Failure> {
        let mut pending = nodes::children(self.database, self.study, id)?;
        while let Some(id) = pending.pop() {
            if let Some((parent, turn)) = nodes::step(self.database, self.study, id)? {
                self.node(id, &turn, parent, strictness)?;
                pending.extend(nodes::children(self.database, self.study, id)?);
            }
        }
        Ok(())
    }

    /// Plays the line from the root to a node.
    fn go_to(&mut self, id: u32) -> Result<(), Failure> {
        let mut line = Vec::new();
        let mut at = id;
        while at != 0 {
            let step = nodes::step(self.database, self.study, at)?;
            let (Some(parent), turn) = step.unwrap_or_default() else {
                return Err(Failure::BadRequest(format!("node {at} is not in the tree")));
            };
            line.push((at, turn));
            at = parent;
            if line.len() > DEEPEST {
                return Err(Failure::BadRequest(format!(
                    "node {id} would be below itself, or the line to it has more than {DEEPEST} turns"
                )));
            }
        }
        self.walker.back_to(0);
        for (id, turn) in line.iter().rev() {
            // A line that cannot be played makes everything below it unplayable: `play` says so there.
            let _reason = self.walker.play(*id, &tree::cells(turn)?);
        }
        Ok(())
    }
}
