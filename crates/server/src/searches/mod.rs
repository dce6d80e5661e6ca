//! Searches of openings, and the book they write into.
//!
//! | file | what is there |
//! |---|---|
//! | `runs.rs` | who runs searches: where the driver is connected |
//! | `view.rs` | searches and nodes as the API has them |
//! | `grid.rs` | searches by their names on a grid |
//! | `hand.rs` | what people do: start, pause, delete, exclude, suggest |
//! | `watch.rs` | telling those who watch what has changed |
//! | `entry.rs` | what the book knows of a position |
//! | `atlas.rs` | White's second turns up to symmetry |

mod atlas;
mod entry;
mod grid;
mod hand;
mod runs;
#[cfg(test)]
mod tests;
mod view;
mod watch;

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tengen_book::{Book, SearchId};
use tengen_grid::nats::Grid;
use tengen_grid::search::NodeId;
use tengen_grid::{FollowError, Follower};
use tengen_rules::Position;

use crate::api::{SearchNode, SearchSummary, SearchTree};
use crate::error::{Failure, StartError};
use crate::grid::Usages;
use crate::live::Hub;
pub(crate) use hand::Hint;
use runs::{Local, OnGrid, Runs, Starter};
use view::TreeFacts;

/// The book's file in the data folder; `tengen book` uses the same one.
const FILE: &str = "tengen.book";

/// Trees of searches that nobody runs are kept for so many.
const MOST_TREES: usize = 16;

/// The book, and the searches in it.
#[derive(Debug)]
pub(crate) struct Searches {
    book: Book,
    hub: Hub,
    runs: Runs,
    trees: Mutex<HashMap<SearchId, Tree>>,
    facts: Mutex<HashMap<SearchId, (Version, TreeFacts)>>,
    told: Mutex<HashMap<SearchId, SearchSummary>>,
}

/// A journal, and how many events it has.
type Version = ([u8; 16], u64);

/// A tree that is shared; asking for one does not wait for another one to be read.
type Tree = Arc<Mutex<Option<Follower>>>;

impl Searches {
    /// Opens the book of a data folder, and watches it for those who watch.
    pub(crate) fn open(
        folder: &Path,
        hub: Hub,
        workers: usize,
        grid: Option<(Grid, Arc<Usages>)>,
    ) -> Result<Arc<Self>, StartError> {
        let starter: Box<dyn Starter> = match grid {
            Some((grid, usages)) => Box::new(OnGrid { grid, usages }),
            None => Box::new(Local { workers }),
        };
        let searches = Self::with(folder, hub, starter)?;
        watch::start(&searches);
        Ok(searches)
    }

    fn with(folder: &Path, hub: Hub, starter: Box<dyn Starter>) -> Result<Arc<Self>, StartError> {
        let searches = Arc::new(Self {
            book: Book::open(folder.join(FILE))?,
            hub,
            runs: Runs::new(starter),
            trees: Mutex::default(),
            facts: Mutex::default(),
            told: Mutex::default(),
        });
        searches.resume_crashed();
        Ok(searches)
    }

    /// Asks away from the threads that serve.
    pub(crate) async fn ask<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let searches = self.clone();
        let done = tokio::task::spawn_blocking(move || work(&searches)).await;
        let bug = |_| Failure::Internal("a bug in the server stopped this request".to_owned());
        done.map_err(bug)?
    }

    /// Ends what runs here.
    pub(crate) fn close(&self) {
        self.runs.stop_all();
    }

    /// All searches, the newest first.
    pub(crate) fn list(&self) -> Result<Vec<SearchSummary>, Failure> {
        let searches = self.book.searches()?;
        searches.iter().map(|search| self.summary(search)).collect()
    }

    /// One search.
    pub(crate) fn get(&self, id: u32) -> Result<SearchSummary, Failure> {
        self.summary(&self.book.search(number(id))?)
    }

    /// One node.
    pub(crate) fn node(&self, id: u32, node: u32) -> Result<SearchNode, Failure> {
        let search = self.book.search(number(id))?;
        self.with_tree(&search, |follower| {
            view::node(follower, NodeId(node), &view::active(&search))
        })?
    }

    /// These nodes; numbers that there are none of are left out.
    pub(crate) fn nodes(&self, id: u32, nodes: &[u32]) -> Result<SearchTree, Failure> {
        let search = self.book.search(number(id))?;
        let summary = self.summary(&search)?;
        self.with_tree(&search, |follower| {
            let known = nodes.iter().copied().map(NodeId);
            let known = known.filter(|&node| follower.search().key(node).is_some());
            tree(summary, &search, follower, known.collect())
        })?
    }

    /// The principal line and the ways to the nodes at work.
    pub(crate) fn tree(&self, id: u32, depth: u32, limit: usize) -> Result<SearchTree, Failure> {
        let search = self.book.search(number(id))?;
        let summary = self.summary(&search)?;
        self.with_tree(&search, |follower| {
            let mut seen = HashSet::new();
            let mut nodes = follower.principal_nodes();
            seen.extend(nodes.iter().copied());
            let mut busy: Vec<NodeId> = view::active(&search).into_iter().collect();
            busy.sort_unstable();
            for node in busy {
                let mut way = HashSet::new();
                ancestors(follower, node, &mut way);
                nodes.extend(way.into_iter().filter(|&node| seen.insert(node)));
            }
            let near = |node: &NodeId| {
                let depth_of = follower
                    .search()
                    .node(*node)
                    .map(|view| u32::from(view.depth));
                depth_of.is_some_and(|depth_of| depth_of <= depth)
            };
            nodes.retain(near);
            nodes.truncate(limit);
            nodes.sort_unstable();
            tree(summary, &search, follower, nodes)
        })?
    }

    /// What there is to say of a search, also where its journal cannot be read.
    fn summary(&self, search: &tengen_book::Search) -> Result<SearchSummary, Failure> {
        let asked = self.book.commands(search.id)?.len();
        let ours = self.runs.has(search.id);
        let facts = self.facts(search);
        Ok(view::summary(search, facts.as_ref(), ours, asked))
    }

    /// What a summary says of a tree. With many searches this saves keeping all their trees.
    fn facts(&self, search: &tengen_book::Search) -> Result<TreeFacts, Failure> {
        let version = (search.uid, search.events);
        let known = lock(&self.facts).get(&search.id).cloned();
        if let Some((_, facts)) = known.filter(|(of, _)| *of == version) {
            return Ok(facts);
        }
        let facts = self.with_tree(search, TreeFacts::of)?;
        lock(&self.facts).insert(search.id, (version, facts.clone()));
        Ok(facts)
    }

    /// Works on the tree of a search as its journal has it now.
    fn with_tree<T>(
        &self,
        search: &tengen_book::Search,
        work: impl FnOnce(&Follower) -> T,
    ) -> Result<T, Failure> {
        let tree = self.tree_of(search.id);
        let mut tree = lock(&tree);
        let follower = match tree.take() {
            Some(follower) if follower.uid() == search.uid => follower,
            _ => Follower::begin(&self.book, search.id)?,
        };
        let follower = tree.insert(follower);
        follower.refresh(&self.book)?;
        Ok(work(follower))
    }

    fn tree_of(&self, id: SearchId) -> Tree {
        let mut trees = lock(&self.trees);
        if trees.len() >= MOST_TREES && !trees.contains_key(&id) {
            trees.retain(|&search, tree| self.runs.has(search) || Arc::strong_count(tree) > 1);
        }
        trees.entry(id).or_default().clone()
    }
}

/// Nodes of a tree for the API.
fn tree(
    summary: SearchSummary,
    search: &tengen_book::Search,
    follower: &Follower,
    nodes: Vec<NodeId>,
) -> Result<SearchTree, Failure> {
    let active = view::active(search);
    let nodes = nodes
        .into_iter()
        .map(|node| view::node(follower, node, &active));
    Ok(SearchTree {
        search: summary,
        principal: follower
            .principal_nodes()
            .iter()
            .map(|node| node.0)
            .collect(),
        nodes: nodes.collect::<Result<_, _>>()?,
    })
}

/// A node and the ways up to the root by the parents found first.
fn ancestors(follower: &Follower, node: NodeId, into: &mut HashSet<NodeId>) {
    let mut at = Some(node);
    while let Some(view) = at.and_then(|node| follower.search().node(node)) {
        if !into.insert(view.id) {
            return;
        }
        at = view.parents.first().copied();
    }
}

/// The position of a node that the tree has, in the orientation of the root.
fn position(follower: &Follower, node: NodeId) -> Result<Position, Failure> {
    follower.position(node).ok_or_else(|| {
        let node = node.0;
        Failure::Internal(format!("the position of node {node} cannot be reached"))
    })
}

fn number(id: u32) -> SearchId {
    SearchId(i64::from(id))
}

/// Nothing is ever left half done under these locks.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl From<FollowError> for Failure {
    fn from(error: FollowError) -> Self {
        match error {
            FollowError::Book(error) => error.into(),
            error => Self::Internal(error.to_string()),
        }
    }
}

impl From<tengen_book::Error> for Failure {
    fn from(error: tengen_book::Error) -> Self {
        use tengen_book::Error;
        let text = error.to_string();
        match error {
            Error::NoSearch(_) => Self::NotFound(text),
            Error::Position { .. }
            | Error::Turn { .. }
            | Error::Json { .. }
            | Error::Proof(_)
            | Error::Fact(_)
            | Error::Line { .. }
            | Error::Notation(_) => Self::BadRequest(text),
            Error::Owned { .. } | Error::LeaseLost(_) => Self::Conflict(text),
            _ => Self::Internal(text),
        }
    }
}
