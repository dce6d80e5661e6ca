//! A copy of a search that follows its journal.

use std::collections::HashSet;

use tengen_book::{Book, SearchId};
use tengen_rules::{Position, PositionKey, Turn, position_key};

use crate::compose::{Image, after, along};
use crate::search::{Changes, Config, EdgeView, Event, NodeId, Search};
use crate::trust;

/// Why a search cannot be followed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FollowError {
    /// The book says so.
    #[error(transparent)]
    Book(#[from] tengen_book::Error),
    /// The configuration is of another program.
    #[error("the configuration of search {} cannot be read: {reason}", .search.0)]
    Config {
        /// Which search.
        search: SearchId,
        /// What is wrong with it.
        reason: String,
    },
    /// The journal is of another program.
    #[error("event {number} of search {} cannot be read: {reason}", .search.0)]
    Event {
        /// Which search.
        search: SearchId,
        /// Which event, counted from 1.
        number: u64,
        /// What is wrong with it.
        reason: String,
    },
}

/// A search as its journal tells it, as far as that is believed: what is decided here is so by proofs that the book has
/// and the checker has verified for just this, along turns that lead where the journal says. It only reads.
#[derive(Debug)]
pub struct Follower {
    id: SearchId,
    uid: [u8; 16],
    root: Position,
    search: Search,
    last: u64,
}

impl Follower {
    /// The search with all events that the book has now.
    ///
    /// # Errors
    ///
    /// If the book has no such search or it cannot be read.
    pub fn open(book: &Book, id: SearchId) -> Result<Self, FollowError> {
        let mut follower = Self::begin(book, id)?;
        follower.refresh(book)?;
        Ok(follower)
    }

    /// The search without any event; [`Follower::refresh`] reads them.
    ///
    /// # Errors
    ///
    /// If the book has no such search or its root cannot be read.
    pub fn begin(book: &Book, id: SearchId) -> Result<Self, FollowError> {
        let record = book.search(id)?;
        let root = tengen_book::start(&record.rules, &record.root)?;
        let config: Config =
            serde_json::from_str(&record.config).map_err(|error| FollowError::Config {
                search: id,
                reason: error.to_string(),
            })?;
        let search = Search::new(root.to_move(), position_key(&root).0, config);
        Ok(Self {
            id,
            uid: record.uid,
            root,
            search,
            last: 0,
        })
    }

    /// Applies the events that are new; says how many there were.
    ///
    /// # Errors
    ///
    /// If the book or an event cannot be read. What was read before it is applied.
    pub fn refresh(&mut self, book: &Book) -> Result<u64, FollowError> {
        self.refresh_with(book, &mut |_, _| Ok(()))
    }

    /// The same; `before` is called before each event is applied.
    pub(crate) fn refresh_with(
        &mut self,
        book: &Book,
        before: &mut dyn FnMut(&Search, &Event) -> Result<(), tengen_book::Error>,
    ) -> Result<u64, FollowError> {
        let first = self.last;
        for event in book.events(self.id, self.last) {
            let (number, text) = event?;
            let event: Event = serde_json::from_str(&text).map_err(|error| FollowError::Event {
                search: self.id,
                number,
                reason: error.to_string(),
            })?;
            if let Some(event) = trust::believed(book, self, event)? {
                before(&self.search, &event)?;
                self.search.apply(event);
            }
            self.last = number;
        }
        Ok(self.last - first)
    }

    /// Applies an event that has just been appended under this number.
    pub(crate) fn apply(&mut self, event: Event, number: u64) -> Changes {
        self.last = number;
        self.search.apply(event)
    }

    /// Which search it is.
    pub const fn id(&self) -> SearchId {
        self.id
    }

    /// The same in every copy of the book: there the search may have another number.
    pub const fn uid(&self) -> [u8; 16] {
        self.uid
    }

    /// Where it begins.
    pub const fn root(&self) -> &Position {
        &self.root
    }

    /// The tree.
    pub const fn search(&self) -> &Search {
        &self.search
    }

    pub(crate) const fn search_mut(&mut self) -> &mut Search {
        &mut self.search
    }

    /// The number of the last event that was applied.
    pub const fn last(&self) -> u64 {
        self.last
    }

    /// The position of a node, in the orientation in which its turns are.
    pub fn position(&self, node: NodeId) -> Option<Position> {
        self.search.key(node)?;
        along(&self.root, &self.search.line(node))
    }

    /// A position that the tree has, in the orientation in which its turns are.
    pub(crate) fn home_of(&self, key: &PositionKey) -> Option<Position> {
        self.position(self.search.find(key)?)
    }

    /// The keys of the children that the tree has of a position.
    pub(crate) fn children_of(&self, key: &PositionKey) -> HashSet<PositionKey> {
        let node = self
            .search
            .find(key)
            .and_then(|node| self.search.node(node));
        let edges = node.map(|node| node.children).unwrap_or_default();
        let keys = edges.iter().filter_map(|edge| self.search.key(edge.node));
        keys.collect()
    }

    /// The node that turns from the root lead to, in any order of their stones and in any orientation.
    pub fn node_at(&self, turns: &[Turn]) -> Option<NodeId> {
        let position = along(&self.root, turns)?;
        self.search.find(&position_key(&position).0)
    }

    /// The node that turns lead to, and a turn there in the orientation in which the node has its turns.
    pub fn turn_at(&self, line: &[Turn], turn: &Turn) -> Option<(NodeId, Turn)> {
        let node = self.node_at(line)?;
        let image = Image::between(&along(&self.root, line)?, &self.position(node)?)?;
        Some((node, image.turn(turn)))
    }

    /// The turns of a node as they are in a position that is the node's or an image of it.
    pub fn edges_in(&self, node: NodeId, position: &Position) -> Vec<EdgeView> {
        let home = self.position(node);
        let image = home.and_then(|home| Image::between(&home, position));
        let (Some(view), Some(image)) = (self.search.node(node), image) else {
            return Vec::new();
        };
        let turned = |edge: EdgeView| EdgeView {
            turn: image.turn(&edge.turn),
            ..edge
        };
        view.children.into_iter().map(turned).collect()
    }

    /// The line on which the search spends its hope: from each node the turn for which the side to move misses least,
    /// all in the orientation of the root.
    pub fn principal(&self) -> Vec<Turn> {
        let mut turns = Vec::new();
        let (mut node, mut position) = (NodeId::ROOT, self.root.clone());
        while let Some((turn, child)) = self.most_hopeful(node) {
            let home = self.position(node);
            let image = home.and_then(|home| Image::between(&home, &position));
            let Some(turn) = image.map(|image| image.turn(&turn)) else {
                break;
            };
            let Some((next, _)) = after(&position, &turn) else {
                break;
            };
            turns.push(turn);
            (node, position) = (child, next);
        }
        turns
    }

    /// The nodes of the same line, from the root to a leaf.
    pub fn principal_nodes(&self) -> Vec<NodeId> {
        let first = Some(NodeId::ROOT);
        let next = |&node: &NodeId| Some(self.most_hopeful(node)?.1);
        std::iter::successors(first, next).collect()
    }

    fn most_hopeful(&self, node: NodeId) -> Option<(Turn, NodeId)> {
        let view = self.search.node(node)?;
        let open = view.children.iter().filter(|edge| !edge.excluded);
        let numbered = open.filter_map(|edge| Some((edge, self.search.node(edge.node)?.numbers)));
        let (best, _) = numbered.min_by_key(|(_, numbers)| numbers.missing_for(view.side))?;
        Some((best.turn.clone(), best.node))
    }
}
