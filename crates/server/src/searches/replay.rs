//! The tree of a search, found again from its journal and kept up to date.

use std::collections::HashSet;

use tengen_book::Book;
use tengen_grid::search::{Config, Event, NodeId, Search};
use tengen_rules::{Position, Turn, position_key};

use super::trust;
use crate::error::Failure;

/// The tree after the last event that was read.
#[derive(Debug)]
pub(super) struct Replay {
    pub(super) tree: Search,
    pub(super) root: Position,
    /// The same in every copy: numbers are given again when a search is deleted.
    pub(super) uid: [u8; 16],
    last: u64,
}

impl Replay {
    /// The search with nothing but its root.
    pub(super) fn new(search: &tengen_book::Search) -> Result<Self, Failure> {
        let root = tengen_book::start(&search.rules, &search.root)?;
        let config: Config = serde_json::from_str(&search.config).map_err(|error| {
            Failure::Internal(format!(
                "the configuration of search {} cannot be read: {error}",
                search.id.0
            ))
        })?;
        let (key, _) = position_key(&root);
        Ok(Self {
            tree: Search::new(root.to_move(), key, config),
            root,
            uid: search.uid,
            last: 0,
        })
    }

    /// Applies the events that are new.
    pub(super) fn advance(
        &mut self,
        book: &Book,
        search: &tengen_book::Search,
    ) -> Result<(), Failure> {
        for event in book.events(search.id, self.last) {
            let (number, text) = event?;
            let event: Event = serde_json::from_str(&text).map_err(|error| {
                Failure::Internal(format!(
                    "event {number} of search {} cannot be read: {error}",
                    search.id.0
                ))
            })?;
            let event = trust::checked(book, self, event)?;
            self.tree.apply(event);
            self.last = number;
        }
        Ok(())
    }

    /// The position of a node, in the orientation of the root.
    pub(super) fn position(&self, node: NodeId) -> Result<Position, Failure> {
        self.position_after(&self.tree.line(node))
    }

    fn position_after(&self, line: &[Turn]) -> Result<Position, Failure> {
        let mut position = self.root.clone();
        for turn in line {
            position.play(turn).map_err(|error| {
                Failure::Internal(format!(
                    "the journal has a turn that cannot be played: {error}"
                ))
            })?;
        }
        Ok(position)
    }

    /// The nodes that both sides' numbers lead to, from the root to a leaf.
    pub(super) fn principal(&self) -> Vec<NodeId> {
        let mut line = Vec::new();
        let mut at = Some(NodeId::ROOT);
        while let Some(node) = at {
            line.push(node);
            at = self.best_child(node);
        }
        line
    }

    fn best_child(&self, node: NodeId) -> Option<NodeId> {
        let view = self.tree.node(node)?;
        let allowed = view.children.iter().filter(|edge| !edge.excluded);
        let numbered = allowed.filter_map(|edge| {
            let numbers = self.tree.node(edge.node)?.numbers;
            Some((super::view::wanted(view.side, numbers), edge.node))
        });
        numbered
            .min_by_key(|&(wanted, _)| wanted)
            .map(|(_, node)| node)
    }

    /// A node and the ways up to the root by the parents found first.
    pub(super) fn ancestors(&self, node: NodeId, into: &mut HashSet<NodeId>) {
        let mut at = Some(node);
        while let Some(view) = at.and_then(|node| self.tree.node(node)) {
            if !into.insert(view.id) {
                return;
            }
            at = view.parents.first().copied();
        }
    }
}
