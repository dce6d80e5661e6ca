//! What an expert may tell a search.

use serde::{Deserialize, Serialize};
use tengen_book::{Book, Error};
use tengen_rules::{PositionKey, Turn, position_key};

use crate::search::{Event, NodeId, NodeView};
use crate::{Evidence, Follower};

/// What an expert tells a search, as JSON in its inbox: `{"command":"exclude","node":0,"turn":"K11 L10"}`.
///
/// Turns are in the orientation of the node's line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command {
    /// Do not look at this turn.
    Exclude {
        /// Where.
        node: NodeId,
        /// The turn.
        #[serde(with = "crate::job::turn")]
        turn: Turn,
    },
    /// Look at an excluded turn again.
    Allow {
        /// Where.
        node: NodeId,
        /// The turn.
        #[serde(with = "crate::job::turn")]
        turn: Turn,
    },
    /// Look at this turn soon.
    Suggest {
        /// Where.
        node: NodeId,
        /// The turn.
        #[serde(with = "crate::job::turn")]
        turn: Turn,
    },
    /// Ask the workers once more.
    Retry {
        /// Where.
        node: NodeId,
    },
}

impl Command {
    /// The form in which [`tengen_book::Book::post_command`] takes it.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The event that a text in the inbox means, or why it means none.
    pub(super) fn read(text: &str, follower: &Follower) -> Result<Event, String> {
        let command: Self = serde_json::from_str(text).map_err(|error| {
            format!("a command cannot be read: {error}; expected exclude, allow, suggest or retry")
        })?;
        command.event(follower).map_err(|error| error.to_string())
    }

    /// The event that does it, if it makes sense.
    fn event(&self, follower: &Follower) -> Result<Event, TellError> {
        match self.clone() {
            Self::Exclude { node, turn } => {
                let (view, key) = open_turn(follower, node, &turn)?;
                match is_excluded(&view, &turn) {
                    true => Err(TellError::Excluded(turn)),
                    false => Ok(Event::Exclude { node, turn, key }),
                }
            }
            Self::Allow { node, turn } => {
                let (view, _) = open_turn(follower, node, &turn)?;
                match is_excluded(&view, &turn) {
                    true => Ok(Event::Allow { node, turn }),
                    false => Err(TellError::NotExcluded(turn)),
                }
            }
            Self::Suggest { node, turn } => {
                let (view, key) = open_turn(follower, node, &turn)?;
                match child(&view, follower, key) {
                    Some(child) if child.decided.is_some() => Err(TellError::DecidedTurn(turn)),
                    Some(child) if !child.children.is_empty() && !is_excluded(&view, &turn) => {
                        Err(TellError::Searched(turn))
                    }
                    _ => Ok(Event::Suggest { node, turn, key }),
                }
            }
            Self::Retry { node } => match follower.search().node(node) {
                None => Err(TellError::NoNode(node)),
                Some(view) if view.decided.is_some() => Err(TellError::Decided),
                Some(view) if view.gave_up || view.closed == Some(Evidence::Claim) => {
                    Ok(Event::Retry { node })
                }
                Some(_) => Err(TellError::NotGivenUp(node)),
            },
        }
    }
}

/// Why a search cannot be told something.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TellError {
    /// Nothing is left to be searched.
    #[error("the search is solved: there is nothing left to do")]
    Solved,
    /// There is no such node.
    #[error("there is no node {} in this search", .0.0)]
    NoNode(NodeId),
    /// The node is proved for one side.
    #[error("this position is decided: its turns need no more looking at")]
    Decided,
    /// The workers are still asked about it.
    #[error("node {} was not given up: there is nothing to try again", .0.0)]
    NotGivenUp(NodeId),
    /// The stopper of the node covers the turn.
    #[error("a proof shows that {0} loses: there is nothing left to look at")]
    Refuted(Turn),
    /// The position after the turn is proved for one side.
    #[error("who wins after {0} is proved: there is nothing left to look at")]
    DecidedTurn(Turn),
    /// The turn is searched as its numbers say.
    #[error(
        "{0} is being searched already, as far as its numbers say; exclude other turns to have only this one searched"
    )]
    Searched(Turn),
    /// The turn cannot be searched.
    #[error("{0}")]
    Turn(String),
    /// It was excluded before.
    #[error("{0} is excluded already")]
    Excluded(Turn),
    /// It was never excluded.
    #[error("{0} is not excluded")]
    NotExcluded(Turn),
    /// The book says so.
    #[error(transparent)]
    Book(#[from] Error),
}

/// How a search was told something.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum Told {
    /// It is in the journal.
    Journaled,
    /// It is in the inbox of whoever runs the search, and in the journal soon.
    Posted,
}

/// Tells a search something: in its journal if nobody runs it, otherwise by its inbox.
///
/// # Errors
///
/// If it makes no sense at this node, or the book fails.
pub fn tell(book: &Book, follower: &Follower, command: &Command) -> Result<Told, TellError> {
    if follower.search().winner().is_some() {
        return Err(TellError::Solved);
    }
    let event = command.event(follower)?;
    // What waits in the inbox was said before.
    if book.commands(follower.id())?.is_empty() {
        match book.take_lease(follower.id()) {
            Ok(lease) => {
                let text = serde_json::to_string(&event).map_err(|error| Error::Json {
                    what: "an event",
                    reason: error.to_string(),
                })?;
                let appended = book.append(&lease, &[text], &[]);
                book.release(lease)?;
                appended?;
                return Ok(Told::Journaled);
            }
            Err(Error::Owned { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    book.post_command(follower.id(), &command.to_json())?;
    Ok(Told::Posted)
}

/// A node that is not decided, and the key of the position after a turn there.
fn open_turn(
    follower: &Follower,
    node: NodeId,
    turn: &Turn,
) -> Result<(NodeView, PositionKey), TellError> {
    let view = follower.search().node(node);
    let view = view.ok_or(TellError::NoNode(node))?;
    let position = follower.position(node).ok_or(TellError::NoNode(node))?;
    if view.decided.is_some() {
        return Err(TellError::Decided);
    }
    if turn.len() != usize::from(position.left()) {
        let (left, stones) = (position.left(), turn.len());
        return Err(TellError::Turn(format!(
            "a turn has {left} stones here, not {stones}"
        )));
    }
    let mut next = position;
    next.play(turn)
        .map_err(|error| TellError::Turn(format!("{turn} cannot be played: {error}")))?;
    if next.outcome().is_some() {
        return Err(TellError::Turn(format!(
            "{turn} ends the game: there is nothing to search after it"
        )));
    }
    let key = position_key(&next).0;
    let refuted = matches!(view.closed, Some(Evidence::Proof(_)));
    if refuted && child(&view, follower, key).is_none() {
        return Err(TellError::Refuted(turn.clone()));
    }
    Ok((view, key))
}

/// The node after a turn, if the tree has the turn or an image of it.
fn child(node: &NodeView, follower: &Follower, key: PositionKey) -> Option<NodeView> {
    let found = follower.search().find(&key)?;
    let known = node.children.iter().any(|edge| edge.node == found);
    follower.search().node(found).filter(|_| known)
}

fn is_excluded(node: &NodeView, turn: &Turn) -> bool {
    let mut edges = node.children.iter();
    edges.any(|edge| edge.excluded && edge.turn == *turn)
}
