//! What may be written on a node.

use tengen_rules::{Cell, Rules};

use super::{cells, turn_of};
use crate::api::Node;
use crate::error::Failure;

/// A study has no more nodes; larger libraries belong into programs made for them.
pub(crate) const MOST_NODES: usize = 200_000;
/// No line of play has more turns; passes could make any number.
pub(crate) const DEEPEST: usize = 8_000;
/// One edit puts no more.
pub(crate) const MOST_PUT: usize = 20_000;

const LONGEST_NAME: usize = 1_000;
const LONGEST_COMMENT: usize = 200_000;
const LONGEST_LABEL: usize = 100;
const MOST_MARKS: usize = 4_000;

/// The node with its cells written as everywhere, or why it is refused. Texts that were already there may be longer
/// than new ones: files are not cut.
pub(crate) fn checked(mut node: Node, old: Option<&Node>, rules: Rules) -> Result<Node, Failure> {
    let id = node.id;
    let wrong = |reason: String| Failure::BadRequest(format!("node {id}: {reason}"));
    match (node.id, node.parent) {
        (0, None) if node.turn.is_empty() => {}
        (0, _) => {
            return Err(wrong("the root has neither a turn nor a parent".into()));
        }
        (_, None) => return Err(wrong("only the root, node 0, has no parent".into())),
        (_, Some(_)) => {}
    }
    if !node.order.is_finite() {
        return Err(wrong("its order is not a number".into()));
    }
    node.turn = turn_of(&cells(&node.turn)?);
    let had = |field: fn(&Node) -> &String, new: &String| old.is_some_and(|o| field(o) == new);
    if !had(|node| &node.name, &node.name) {
        text("the name", &node.name, LONGEST_NAME).map_err(wrong)?;
    }
    if !had(|node| &node.comment, &node.comment) {
        text("the comment", &node.comment, LONGEST_COMMENT).map_err(wrong)?;
    }
    let drawn = node.marks.len() + node.arrows.len();
    if drawn > MOST_MARKS {
        return Err(wrong(format!("it has {drawn} marks, at most {MOST_MARKS}")));
    }
    for mark in &mut node.marks {
        mark.cell = on_board(&mark.cell, rules).map_err(wrong)?;
        let known = old.is_some_and(|old| old.marks.contains(mark));
        if !known {
            text("a label", &mark.text, LONGEST_LABEL).map_err(wrong)?;
        }
    }
    for arrow in &mut node.arrows {
        arrow.from = on_board(&arrow.from, rules).map_err(wrong)?;
        arrow.to = on_board(&arrow.to, rules).map_err(wrong)?;
    }
    Ok(node)
}

fn on_board(text: &str, rules: Rules) -> Result<String, String> {
    let cell: Cell = text.parse().map_err(|error| format!("a mark: {error}"))?;
    if rules.contains(cell) {
        Ok(cell.to_string())
    } else {
        Err(format!("a mark on {cell}, which is off the board"))
    }
}

/// Whether a text is short enough.
pub(crate) fn text(what: &str, text: &str, most: usize) -> Result<(), String> {
    let length = text.chars().count();
    if length > most {
        return Err(format!(
            "{what} has {length} characters, at most {most} are kept"
        ));
    }
    Ok(())
}
