//! What is done to a tree, and taken back.
//!
//! A patch is written first and judged afterwards, inside one transaction: what the tree would be is then simply
//! what the database has, and a refusal rolls it back.

use std::collections::{HashMap, HashSet};

use rusqlite::{OptionalExtension as _, Transaction, params};
use tengen_rules::Setup;

use super::replay::{Replay, Strictness};
use super::{json, json_of, nodes, start_of, study};
use crate::api::{Certainty, Edit, Edited, Node, Opinion, Patch, Study, Undone};
use crate::database::now;
use crate::error::Failure;
use crate::games::{opinions, places};
use crate::tree::{self, DEEPEST, MOST_NODES, MOST_PUT};

/// How many edits can be taken back.
const KEPT: u32 = 500;
const LONGEST_LABEL: usize = 100;
/// What an engine thinks of a node comes and goes by itself: nothing a person would take back.
const OPINION: &str = "opinion";

/// Which way.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Undo {
    /// Take the last edit back.
    Undo,
    /// Do it again.
    Redo,
}

/// Edits a study: all of the patch or nothing. Says what was written, cells spelled as everywhere.
pub(crate) fn edit(
    database: &Transaction<'_>,
    id: u32,
    edit: Edit,
) -> Result<(Edited, Patch), Failure> {
    let study = study(database, id)?;
    expect_revision(&study, edit.base)?;
    tree::text("the label", &edit.label, LONGEST_LABEL).map_err(Failure::BadRequest)?;
    let start = start_of(&study)?;
    let old = old_nodes(database, id, &edit.patch)?;
    let patch = checked(&study, edit.patch, &old, &start)?;
    write(database, id, &patch)?;
    check_parents(database, id, &patch)?;
    Replay::new(database, id, &start).all(&patch, &old, Strictness::Refuse)?;
    check_proved(database, id, &patch, &old)?;

    if edit.label == OPINION {
        let edited = finish(database, id, &patch)?;
        return Ok((edited, patch));
    }
    let backward = inverse(&patch, old);
    database.execute("DELETE FROM edits WHERE study = ? AND undone", [id])?;
    let last: u32 = database.query_row(
        "SELECT coalesce(max(number), 0) FROM edits WHERE study = ?",
        [id],
        |row| row.get(0),
    )?;
    database.execute(
        "INSERT INTO edits (study, number, label, forward, backward) VALUES (?, ?, ?, ?, ?)",
        params![id, last + 1, edit.label, json(&patch), json(&backward)],
    )?;
    database.execute(
        "DELETE FROM edits WHERE study = ? AND number + ? <= ?",
        params![id, KEPT, last + 1],
    )?;
    let edited = finish(database, id, &patch)?;
    Ok((edited, patch))
}

/// Takes the last edit back, or does it again.
pub(crate) fn take_back(
    database: &Transaction<'_>,
    id: u32,
    base: u32,
    direction: Undo,
) -> Result<Undone, Failure> {
    let study = study(database, id)?;
    expect_revision(&study, base)?;
    let (query, nothing) = match direction {
        Undo::Undo => (
            "SELECT number, label, backward FROM edits WHERE study = ? AND NOT undone
             ORDER BY number DESC LIMIT 1",
            "there is no edit to take back",
        ),
        Undo::Redo => (
            "SELECT number, label, forward FROM edits WHERE study = ? AND undone
             ORDER BY number LIMIT 1",
            "there is no edit to do again",
        ),
    };
    let found = database.query_row(query, [id], |row| {
        let patch: String = row.get(2)?;
        Ok((row.get(0)?, row.get(1)?, json_of(&patch)?))
    });
    let found: Option<(u32, String, Patch)> = found.optional()?;
    let (number, label, patch) = found.ok_or_else(|| Failure::Conflict(nothing.to_owned()))?;
    let old = old_nodes(database, id, &patch)?;
    write(database, id, &patch)?;
    Replay::new(database, id, &start_of(&study)?).all(&patch, &old, Strictness::Accept)?;
    database.execute(
        "UPDATE edits SET undone = ? WHERE study = ? AND number = ?",
        params![direction == Undo::Undo, id, number],
    )?;
    Ok(Undone {
        edited: finish(database, id, &patch)?,
        label,
        patch,
    })
}

fn expect_revision(study: &Study, base: u32) -> Result<(), Failure> {
    if study.revision == base {
        return Ok(());
    }
    Err(Failure::Conflict(format!(
        "the study was changed meanwhile: it has revision {}, the edit is of revision {base}",
        study.revision
    )))
}

/// The nodes of a patch as they are before it.
fn old_nodes(
    database: &Transaction<'_>,
    study: u32,
    patch: &Patch,
) -> Result<HashMap<u32, Node>, Failure> {
    if patch.put.len() + patch.remove.len() > MOST_PUT {
        return Err(Failure::TooLarge(format!(
            "an edit changes at most {MOST_PUT} nodes, this one {}",
            patch.put.len() + patch.remove.len()
        )));
    }
    let ids = patch
        .put
        .iter()
        .map(|node| node.id)
        .chain(patch.remove.iter().copied());
    let mut old = HashMap::new();
    for id in ids {
        if let Some(node) = nodes::get(database, study, id)? {
            old.insert(id, node);
        }
    }
    Ok(old)
}

/// What can be said before the patch is written.
fn checked(
    study: &Study,
    patch: Patch,
    old: &HashMap<u32, Node>,
    start: &Setup,
) -> Result<Patch, Failure> {
    let bad = |reason: String| Err(Failure::BadRequest(reason));
    let mut seen = HashSet::new();
    for &id in &patch.remove {
        if id == 0 {
            return bad("the root, node 0, cannot be removed".into());
        }
        if !old.contains_key(&id) {
            return bad(format!("node {id} cannot be removed: it is not there"));
        }
        if !seen.insert(id) {
            return bad(format!("node {id} is removed twice"));
        }
    }
    let mut put = Vec::with_capacity(patch.put.len());
    for node in patch.put {
        let id = node.id;
        if !seen.insert(id) {
            return bad(format!("node {id} is in the patch twice"));
        }
        let before = old.get(&id);
        if before.is_none() && id < study.next_node {
            return bad(format!(
                "node {id} was there before: new nodes of this study begin with {}",
                study.next_node
            ));
        }
        if id == u32::MAX {
            return bad(format!("node {id}: so large a number is not possible"));
        }
        let node = tree::checked(node, before, start.rules)?;
        if let Some(before) = before.filter(|before| !one_turn(&before.turn, &node.turn)) {
            return bad(format!(
                "node {id} is the turn {}: another turn needs a node of its own",
                before.turn.join(" ")
            ));
        }
        if before.is_none_or(|before| before.opinion != node.opinion) {
            check_opinion(node.opinion.as_ref())?;
        }
        put.push(node);
    }
    Ok(Patch {
        put,
        remove: patch.remove,
    })
}

/// Whether one turn is a part of the other: stones may be added and taken back one by one. A pass is no part of a turn.
fn one_turn(a: &[String], b: &[String]) -> bool {
    let within = |a: &[String], b: &[String]| a.iter().all(|cell| b.contains(cell));
    a.is_empty() == b.is_empty() && (within(a, b) || within(b, a))
}

/// Whether an opinion makes sense at all; [`check_proved`] judges those that claim a proof.
fn check_opinion(opinion: Option<&Opinion>) -> Result<(), Failure> {
    if opinion.is_none_or(|opinion| (0.0..=1.0).contains(&opinion.black)) {
        return Ok(());
    }
    Err(Failure::BadRequest(
        "an opinion's share of Black is between 0 and 1".into(),
    ))
}

/// Nothing is proved without a proof of this position that the checker has verified.
fn check_proved(
    database: &Transaction<'_>,
    study: u32,
    patch: &Patch,
    old: &HashMap<u32, Node>,
) -> Result<(), Failure> {
    for node in &patch.put {
        let before = old.get(&node.id);
        let moved = before.is_some_and(|old| old.parent != node.parent || old.turn != node.turn);
        if moved && nodes::proved_below(database, study, node.id)? {
            return Err(Failure::BadRequest(format!(
                "node {} has proved turns below it and cannot become another turn",
                node.id
            )));
        }
        let same = before.is_some_and(|old| !moved && old.opinion == node.opinion);
        let Some(opinion) = node.opinion.as_ref().filter(|_| !same) else {
            continue;
        };
        let position = places::node_position(database, study, node.id)?;
        let backed = match position {
            Some(position) => opinions::is_backed(database, opinion, &position)?,
            None => opinion.certainty != Certainty::Proved,
        };
        if !backed {
            return Err(Failure::BadRequest(
                "only a stored proof of this position that the checker has verified makes it proved"
                    .into(),
            ));
        }
    }
    Ok(())
}

fn write(database: &Transaction<'_>, study: u32, patch: &Patch) -> Result<(), Failure> {
    for &id in &patch.remove {
        nodes::remove(database, study, id)?;
    }
    for node in &patch.put {
        nodes::put(database, study, node, None)?;
    }
    Ok(())
}

/// After the patch is written: no node has lost its parent.
fn check_parents(database: &Transaction<'_>, study: u32, patch: &Patch) -> Result<(), Failure> {
    for &id in &patch.remove {
        if let Some(child) = nodes::children(database, study, id)?.first() {
            return Err(Failure::BadRequest(format!(
                "node {id} cannot be removed while node {child} is below it"
            )));
        }
    }
    for node in &patch.put {
        if let Some(parent) = node.parent
            && nodes::step(database, study, parent)?.is_none()
        {
            return Err(Failure::BadRequest(format!(
                "node {}: its parent, node {parent}, is not there",
                node.id
            )));
        }
    }
    Ok(())
}

/// What takes a patch back; parents before children.
fn inverse(patch: &Patch, old: HashMap<u32, Node>) -> Patch {
    let new = patch.put.iter().map(|node| node.id);
    let remove = new.filter(|id| !old.contains_key(id)).collect();
    let depth = |id: u32| {
        let parent = |id: &u32| old.get(id).and_then(|node| node.parent);
        std::iter::successors(Some(id), parent)
            .take(DEEPEST)
            .count()
    };
    let mut ids: Vec<(usize, u32)> = old.keys().map(|&id| (depth(id), id)).collect();
    ids.sort_unstable();
    let mut old = old;
    let put = ids.iter().filter_map(|(_, id)| old.remove(id)).collect();
    Patch { put, remove }
}

fn finish(database: &Transaction<'_>, id: u32, patch: &Patch) -> Result<Edited, Failure> {
    let next = patch.put.iter().map(|node| node.id + 1).max().unwrap_or(0);
    database.execute(
        "UPDATE studies SET revision = revision + 1, next_node = max(next_node, ?), updated = ?
         WHERE id = ?",
        params![next, now(), id],
    )?;
    let study = study(database, id)?;
    if study.nodes as usize > MOST_NODES && !patch.put.is_empty() {
        return Err(Failure::TooLarge(format!(
            "a study has at most {MOST_NODES} nodes: begin another one"
        )));
    }
    Ok(Edited {
        revision: study.revision,
        can_undo: study.can_undo,
        can_redo: study.can_redo,
    })
}
