//! From a tree of turns to a record, one stone in each node.
//!
//! What is written on a turn is written on its last stone. Neighbours that begin with the same stone share it. A cell
//! has one label and one mark in a record: of several marks the first is kept. Opinions stay here.

use std::collections::{HashMap, HashSet};

use tengen_rules::{Action, Cell, NodeId, Notes, Placement, Record};

use super::{Order, Tree, cells, info_of};
use crate::api::{Mark, MarkKind, Node};
use crate::error::Failure;

impl Tree {
    /// The record of the tree.
    pub(crate) fn to_record(&self) -> Result<Record, Failure> {
        let mut children: HashMap<u32, Vec<&Node>> = HashMap::new();
        let mut record = Record::new(self.start.clone());
        record.info = info_of(&self.title, &self.info);
        for node in &self.nodes {
            match node.parent {
                None => **record.node_mut(Record::ROOT) = notes(node)?,
                Some(parent) => children.entry(parent).or_default().push(node),
            }
        }
        let below = |id: u32| children.get(&id).into_iter().flatten().rev();
        let mut ends = HashSet::new();
        let start = Order::new(&self.start);
        let mut pending: Vec<_> = below(0).map(|&node| (node, Record::ROOT, start)).collect();
        while let Some((node, mut at, mut order)) = pending.pop() {
            let turn = cells(&node.turn)?;
            if turn.is_empty() {
                at = record.add(at, Action::Pass(order.to_move));
                order.end_turn();
            }
            for (index, &cell) in turn.iter().enumerate() {
                let stone = Action::Place(Placement {
                    side: order.to_move,
                    cell,
                });
                let last = index + 1 == turn.len();
                let shared = shared(&record, at, stone).filter(|id| !last && !ends.contains(id));
                at = shared.unwrap_or_else(|| record.add(at, stone));
                order.stone();
            }
            ends.insert(at);
            let notes = notes(node)?;
            if notes != Notes::default() {
                **record.node_mut(at) = notes;
            }
            pending.extend(below(node.id).map(|&child| (child, at, order)));
        }
        Ok(record)
    }
}

/// The youngest child, if it places this stone.
fn shared(record: &Record, at: NodeId, stone: Action) -> Option<NodeId> {
    let youngest = *record.node(at).children().last()?;
    (record.node(youngest).action == stone).then_some(youngest)
}

fn notes(node: &Node) -> Result<Notes, Failure> {
    let mut notes = Notes {
        comment: node.comment.clone(),
        name: node.name.clone(),
        ..Notes::default()
    };
    for mark in &node.marks {
        let cell = cell(&mark.cell)?;
        match kind(mark) {
            None => {
                notes
                    .labels
                    .entry(cell)
                    .or_insert_with(|| mark.text.clone());
            }
            Some(kind) => {
                notes.marks.entry(cell).or_insert(kind);
            }
        }
    }
    for arrow in &node.arrows {
        notes.arrows.push((cell(&arrow.from)?, cell(&arrow.to)?));
    }
    Ok(notes)
}

fn kind(mark: &Mark) -> Option<tengen_rules::Mark> {
    match mark.kind {
        MarkKind::Label => None,
        MarkKind::Cross => Some(tengen_rules::Mark::Cross),
        MarkKind::Circle => Some(tengen_rules::Mark::Circle),
        MarkKind::Square => Some(tengen_rules::Mark::Square),
        MarkKind::Triangle => Some(tengen_rules::Mark::Triangle),
    }
}

fn cell(text: &str) -> Result<Cell, Failure> {
    let wrong = |error| Failure::BadRequest(format!("the mark on `{text}`: {error}"));
    text.parse().map_err(wrong)
}
