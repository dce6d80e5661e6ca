//! Studies: annotated trees of turns, saved edit by edit.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use super::{Opinion, Turn};

/// A study without its tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct Study {
    /// Its number.
    pub id: u32,
    /// Its name.
    pub title: String,
    /// The folder in the library; empty for the top.
    pub folder: String,
    /// As in [`super::PositionText`].
    pub rules: String,
    /// Where the tree starts: empty for the empty board, or a set-up.
    pub start: String,
    /// Facts about the game.
    pub info: GameInfo,
    /// Counts edits, undone and redone ones too.
    pub revision: u32,
    /// How many nodes the tree has, the root included.
    pub nodes: u32,
    /// The number for the next new node: larger than any the study ever had.
    pub next_node: u32,
    /// Whether there is an edit to take back.
    pub can_undo: bool,
    /// Whether there is an edit taken back.
    pub can_redo: bool,
    /// When it was made.
    pub created: f64,
    /// When it was changed.
    pub updated: f64,
}

/// Facts about a game; empty where nothing is known.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(default)]
pub struct GameInfo {
    /// Black's name.
    pub black: String,
    /// White's name.
    pub white: String,
    /// `B+`, `W+R`, `0`.
    pub result: String,
    /// When it was played.
    pub date: String,
    /// Where.
    pub place: String,
    /// The tournament.
    pub event: String,
    /// Where the record comes from.
    pub source: String,
}

/// A study to be made, or changed: what is absent stays as it is or takes a default.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(default)]
#[ts(optional_fields)]
pub struct NewStudy {
    /// Its name.
    pub title: Option<String>,
    /// The folder.
    pub folder: Option<String>,
    /// The game; cannot be changed later.
    pub rules: Option<String>,
    /// Where the tree starts; cannot be changed later.
    pub start: Option<String>,
    /// Stones in play order that make the first line of the tree; at creation only.
    pub moves: Option<String>,
    /// Facts about the game.
    pub info: Option<GameInfo>,
}

/// A study with its tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct Document {
    /// The study.
    pub study: Study,
    /// The nodes, parents before children, siblings in order.
    pub nodes: Vec<Node>,
}

/// One turn in a tree, with what is written on it. The root is node 0 and has no turn.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(default)]
pub struct Node {
    /// Chosen by whoever adds the node: larger than any the study ever had, see `next_node` of the study.
    pub id: u32,
    /// The node before; nothing for the root.
    pub parent: Option<u32>,
    /// Siblings are ordered by this; the first is the main line.
    pub order: f64,
    /// The stones, sorted by whoever played them: the set counts. Shorter than a turn only at the end of a line and
    /// before a pass, which is an empty turn.
    pub turn: Turn,
    /// A name makes the node a chapter.
    pub name: String,
    /// Free text.
    pub comment: String,
    /// Marks and labels on cells.
    pub marks: Vec<Mark>,
    /// Arrows between cells.
    pub arrows: Vec<Arrow>,
    /// What is known or believed of the position after the turn.
    pub opinion: Option<Opinion>,
}

/// Something drawn on a cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct Mark {
    /// Where.
    pub cell: String,
    /// What.
    pub kind: MarkKind,
    /// The text of a label; empty for shapes.
    #[serde(default)]
    pub text: String,
}

/// What can be drawn on a cell.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MarkKind {
    /// A text of a few letters.
    Label,
    /// A cross.
    Cross,
    /// A circle in files; drawn as a ring.
    Circle,
    /// A square.
    Square,
    /// A triangle.
    Triangle,
}

/// An arrow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct Arrow {
    /// From this cell
    pub from: String,
    /// to this.
    pub to: String,
}

/// Changed nodes: removed first, then put. Removing a node removes nothing below it by itself: a patch that
/// would leave children without a parent is refused.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(default)]
pub struct Patch {
    /// Nodes that are new or changed, whole; parents before children.
    pub put: Vec<Node>,
    /// Nodes that are no longer there.
    pub remove: Vec<u32>,
}

/// A change of a tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct Edit {
    /// The revision that was edited; another one is a conflict.
    pub base: u32,
    /// What to call it in "undo …": `add`, `delete`, `comment`, `reorder`, `mark`, `import`, `engine`.
    /// `opinion` is no step of undo: what engines think of nodes comes and goes by itself.
    pub label: String,
    /// The change.
    pub patch: Patch,
}

/// After an edit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct Edited {
    /// The new revision.
    pub revision: u32,
    /// Whether there is an edit to take back.
    pub can_undo: bool,
    /// Whether there is an edit taken back.
    pub can_redo: bool,
}

/// The revision one looks at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct Revision {
    /// Another one is a conflict.
    pub base: u32,
}

/// After undo and redo.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct Undone {
    /// The new state.
    pub edited: Edited,
    /// The label of the edit that was undone or redone.
    pub label: String,
    /// What changed.
    pub patch: Patch,
}

/// Somebody changed a study: told to everybody who watches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct StudyChange {
    /// Which.
    pub study: u32,
    /// After the change.
    pub edited: Edited,
    /// What changed.
    pub patch: Patch,
}
