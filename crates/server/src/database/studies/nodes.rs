//! The rows of a tree.

use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

use super::{json, json_of};
use crate::api::{Node, Turn};
use crate::error::Failure;
use tengen_rules::PositionKey;

/// What is proved is so only as long as the proof is there and verified: after a re-check or a deletion nobody reads it.
const COLUMNS: &str = "SELECT id, parent, place, turn, name, comment, marks, arrows,
     CASE WHEN json_extract(opinion, '$.certainty') IS NOT 'proved' OR EXISTS
         (SELECT 1 FROM proofs WHERE id = json_extract(opinion, '$.proof') AND state = 'verified')
     THEN opinion END
     FROM nodes";

fn node_of(row: &Row<'_>) -> rusqlite::Result<Node> {
    let text = |column| row.get_ref(column)?.as_str().map_err(rusqlite::Error::from);
    let opinion: Option<String> = row.get(8)?;
    Ok(Node {
        id: row.get(0)?,
        parent: row.get(1)?,
        order: row.get(2)?,
        turn: turn_of(text(3)?),
        name: row.get(4)?,
        comment: row.get(5)?,
        marks: json_of(text(6)?)?,
        arrows: json_of(text(7)?)?,
        opinion: opinion.map(|text| json_of(&text)).transpose()?,
    })
}

fn turn_of(text: &str) -> Turn {
    text.split(' ')
        .filter(|cell| !cell.is_empty())
        .map(str::to_owned)
        .collect()
}

/// All nodes, parents before children, siblings in order.
pub(super) fn all(database: &Connection, study: u32) -> Result<Vec<Node>, Failure> {
    let mut query = database.prepare_cached(&format!("{COLUMNS} WHERE study = ?"))?;
    let rows = query.query_map([study], node_of)?;
    let mut nodes: Vec<Option<Node>> = Vec::new();
    let mut children: std::collections::HashMap<u32, Vec<usize>> = std::collections::HashMap::new();
    let mut pending = Vec::new();
    for (index, node) in rows.enumerate() {
        let node = node?;
        match node.parent {
            None => pending.push(index),
            Some(parent) => children.entry(parent).or_default().push(index),
        }
        nodes.push(Some(node));
    }
    let place = |nodes: &[Option<Node>], index: usize| {
        let node = nodes[index].as_ref().expect("taken once");
        (node.order, node.id)
    };
    let mut sorted = Vec::with_capacity(nodes.len());
    while let Some(index) = pending.pop() {
        let node = nodes[index].take().expect("a tree has each node once");
        let mut below = children.remove(&node.id).unwrap_or_default();
        below.sort_by(|&a, &b| {
            let (a, b) = (place(&nodes, a), place(&nodes, b));
            b.0.total_cmp(&a.0).then(b.1.cmp(&a.1))
        });
        pending.extend(below);
        sorted.push(node);
    }
    Ok(sorted)
}

/// One node.
pub(super) fn get(database: &Connection, study: u32, id: u32) -> Result<Option<Node>, Failure> {
    let mut query = database.prepare_cached(&format!("{COLUMNS} WHERE study = ? AND id = ?"))?;
    Ok(query.query_row([study, id], node_of).optional()?)
}

/// Whether something below a node is proved.
pub(super) fn proved_below(database: &Connection, study: u32, id: u32) -> Result<bool, Failure> {
    let mut query = database.prepare_cached(
        "WITH RECURSIVE below (id) AS (
             SELECT id FROM nodes WHERE study = ?1 AND parent = ?2
             UNION
             SELECT n.id FROM below JOIN nodes n ON n.study = ?1 AND n.parent = below.id
         )
         SELECT EXISTS (SELECT 1 FROM below JOIN nodes n ON n.study = ?1 AND n.id = below.id
             WHERE json_extract(n.opinion, '$.certainty') = 'proved')",
    )?;
    Ok(query.query_row([study, id], |row| row.get(0))?)
}

/// The parent and the turn of a node.
pub(super) fn step(
    database: &Connection,
    study: u32,
    id: u32,
) -> Result<Option<(Option<u32>, Turn)>, Failure> {
    let mut query =
        database.prepare_cached("SELECT parent, turn FROM nodes WHERE study = ? AND id = ?")?;
    let read = |row: &Row<'_>| Ok((row.get(0)?, turn_of(row.get_ref(1)?.as_str()?)));
    Ok(query.query_row([study, id], read).optional()?)
}

/// The numbers of a node's children.
pub(super) fn children(database: &Connection, study: u32, id: u32) -> Result<Vec<u32>, Failure> {
    let mut query =
        database.prepare_cached("SELECT id FROM nodes WHERE study = ? AND parent = ?")?;
    let rows = query.query_map([study, id], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Adds or replaces a node.
pub(super) fn put(
    database: &Transaction<'_>,
    study: u32,
    node: &Node,
    key: Option<PositionKey>,
) -> Result<(), Failure> {
    let mut insert = database.prepare_cached(
        "INSERT OR REPLACE INTO nodes
         (study, id, parent, place, turn, name, comment, marks, arrows, opinion, key)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )?;
    insert.execute(params![
        study,
        node.id,
        node.parent,
        node.order,
        node.turn.join(" "),
        node.name,
        node.comment,
        json(&node.marks),
        json(&node.arrows),
        node.opinion.as_ref().map(json),
        key
    ])?;
    Ok(())
}

/// Writes what a node's position is called.
pub(super) fn set_key(
    database: &Transaction<'_>,
    study: u32,
    id: u32,
    key: Option<PositionKey>,
) -> Result<(), Failure> {
    let mut update =
        database.prepare_cached("UPDATE nodes SET key = ? WHERE study = ? AND id = ?")?;
    update.execute(params![key, study, id])?;
    Ok(())
}

/// Takes a node away.
pub(super) fn remove(database: &Transaction<'_>, study: u32, id: u32) -> Result<(), Failure> {
    let mut delete = database.prepare_cached("DELETE FROM nodes WHERE study = ? AND id = ?")?;
    delete.execute([study, id])?;
    Ok(())
}
