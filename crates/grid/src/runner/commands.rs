//! What an expert may tell a search.

use serde::{Deserialize, Serialize};
use tengen_rules::Turn;

use crate::Follower;
use crate::compose::after;
use crate::search::{Event, NodeId};

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
    pub(super) fn event(text: &str, follower: &Follower) -> Result<Event, String> {
        let command: Self = serde_json::from_str(text).map_err(|error| {
            format!("a command cannot be read: {error}; expected exclude, allow, suggest or retry")
        })?;
        match command {
            Self::Exclude { node, turn } => {
                let key = key_after(follower, node, &turn)?;
                Ok(Event::Exclude { node, turn, key })
            }
            Self::Suggest { node, turn } => {
                let key = key_after(follower, node, &turn)?;
                Ok(Event::Suggest { node, turn, key })
            }
            Self::Allow { node, turn } => {
                key_after(follower, node, &turn)?;
                Ok(Event::Allow { node, turn })
            }
            Self::Retry { node } if follower.search().key(node).is_some() => {
                Ok(Event::Retry { node })
            }
            Self::Retry { node } => Err(unknown(node)),
        }
    }
}

fn unknown(node: NodeId) -> String {
    format!("there is no node {}", node.0)
}

fn key_after(
    follower: &Follower,
    node: NodeId,
    turn: &Turn,
) -> Result<tengen_rules::PositionKey, String> {
    let position = follower.position(node).ok_or_else(|| unknown(node))?;
    match after(&position, turn) {
        Some((_, key)) => Ok(key),
        None => Err(format!(
            "{turn} is no turn of node {}: expected {} empty cells that do not end the game",
            node.0,
            position.left()
        )),
    }
}
