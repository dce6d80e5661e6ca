//! Searches that others know by their names on a grid.

use std::collections::HashMap;
use std::path::Path;

use tengen_book::Search;
use tengen_grid::nats::{ClientOptions, Ledger};
use tengen_grid::runner::{Command, tell};
use tengen_grid::search::NodeId;
use tengen_rules::position_key;

use super::{Searches, number};
use crate::api::SearchSummary;
use crate::error::Failure;

impl Searches {
    /// Whom searches of this book have dropped.
    pub(crate) fn ledger(&self) -> Ledger {
        // A book of a server is always a file.
        Ledger::beside(self.book.path().unwrap_or(Path::new(super::FILE)))
    }

    /// All searches of the book by their names on a grid.
    pub(crate) fn on_grid(&self) -> Result<HashMap<String, Search>, Failure> {
        let named = |search: Search| (ClientOptions::for_search(&search).client, search);
        Ok(self.book.searches()?.into_iter().map(named).collect())
    }

    /// The node of a position, if its search has given it up.
    pub(crate) fn given_up(&self, search: &Search, position: &str) -> Option<u32> {
        let position = tengen_book::start(&search.rules, position).ok()?;
        let (key, _) = position_key(&position);
        let node = self.with_tree(search, |follower| {
            let node = follower.search().find(&key)?;
            let view = follower.search().node(node)?;
            (view.gave_up && view.decided.is_none()).then_some(node.0)
        });
        node.ok().flatten()
    }

    /// By hand: ask the workers once more about a node that was given up, or of whose end they have no proof.
    pub(crate) fn retry(&self, id: u32, node: u32) -> Result<SearchSummary, Failure> {
        let search = self.book.search(number(id))?;
        let node = NodeId(node);
        let command = Command::Retry { node };
        self.with_tree(&search, |follower| tell(&self.book, follower, &command))??;
        self.told(search.id)
    }
}
