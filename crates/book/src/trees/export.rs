//! The book as trees, for the programs of others: turns, names, comments and marks. What a tree cannot hold (opinions,
//! proofs, statistics, journals) is in the JSON lines.

use std::collections::HashSet;

use rusqlite::Connection;
use tengen_rules::{Action, Cell, Mark, NodeId, Placement, Position, Record, Side, Turn};

use super::import::OURS;
use crate::place::{self, Place};
use crate::{Book, Comment, Entry, Marks, PositionId, Result, TurnEntry};

impl Book {
    /// The tree of all known turns from a position on. A position that is reached in several ways has its turns after
    /// the first of them only.
    pub fn export_tree(&self, from: &Position) -> Result<Record> {
        let mut record = Record::new(from.to_setup());
        let mut export = Export {
            book: self,
            seen: HashSet::new(),
            pending: vec![(Record::ROOT, from.clone())],
        };
        while let Some((node, position)) = export.pending.pop() {
            export.node(&mut record, node, &position)?;
        }
        Ok(record)
    }

    /// A tree for every position that no known turn leads to.
    pub fn export_trees(&self) -> Result<Vec<Record>> {
        let roots = self.read(roots)?;
        roots.iter().map(|root| self.export_tree(root)).collect()
    }
}

fn roots(connection: &Connection) -> Result<Vec<Position>> {
    let mut query = connection.prepare_cached(
        "SELECT id FROM positions p WHERE NOT EXISTS (SELECT 1 FROM turns WHERE child = p.id) ORDER BY rules, setup",
    )?;
    let rows = query.query_map([], |row| row.get(0).map(PositionId))?;
    rows.map(|id| place::stored(connection, id?)).collect()
}

struct Export<'a> {
    book: &'a Book,
    seen: HashSet<String>,
    /// Not recursive: trees may be deep.
    pending: Vec<(NodeId, Position)>,
}

impl Export<'_> {
    fn node(&mut self, record: &mut Record, node: NodeId, position: &Position) -> Result<()> {
        let place = Place::of(position);
        if position.outcome().is_some() || !self.seen.insert(place.setup()) {
            return Ok(());
        }
        let entry = self.book.lookup(position)?;
        write_notes(record, node, position, &entry);
        // Parts of turns first: whole turns then go through them.
        let whole = |turn: &&TurnEntry| turn.turn.len() == usize::from(position.left());
        let parts: Vec<&TurnEntry> = entry.turns.iter().filter(|turn| !whole(turn)).collect();
        let begun: HashSet<Cell> = parts
            .iter()
            .filter_map(|part| part.turn.cells().first().copied())
            .collect();
        let mut next = Vec::new();
        for turn in parts.into_iter().chain(entry.turns.iter().filter(whole)) {
            let mut after = position.clone();
            let stones = ordered(&turn.turn, &begun);
            let mut at = node;
            for &cell in &stones {
                at = descend(record, at, position.to_move(), cell);
                // A turn that wins may have stones to spare.
                let _ = after.place(cell);
            }
            next.push((at, after));
        }
        self.pending.extend(next.into_iter().rev());
        Ok(())
    }
}

/// The stones of a turn; one with which a shorter turn begins comes first.
fn ordered(turn: &Turn, begun: &HashSet<Cell>) -> Vec<Cell> {
    let mut cells = turn.cells().to_vec();
    cells.sort_by_key(|cell| !begun.contains(cell));
    cells
}

/// The child in which this stone is placed.
fn descend(record: &mut Record, at: NodeId, side: Side, cell: Cell) -> NodeId {
    let action = Action::Place(Placement { side, cell });
    let children = record.node(at).children().iter().copied();
    let known = children
        .into_iter()
        .find(|&child| record.node(child).action == action);
    known.unwrap_or_else(|| record.add(at, action))
}

fn write_notes(record: &mut Record, node: NodeId, position: &Position, entry: &Entry) {
    let names: Vec<&str> = entry.names.iter().map(|name| name.name.as_str()).collect();
    let mut texts: Vec<String> = Vec::new();
    for comment in &entry.comments {
        if !comment.text.is_empty() {
            texts.push(in_words(comment, position, entry.comments.len() > 1));
        }
    }
    if let Some((winner, proof)) = entry.proved {
        texts.push(format!("{OURS}proved: {winner} wins (proof {proof})"));
    }
    if names.is_empty() && entry.comments.is_empty() && texts.is_empty() {
        return;
    }
    let node = record.node_mut(node);
    node.name = names.join(" / ");
    node.comment = texts.join("\n");
    for comment in &entry.comments {
        draw(node, &comment.marks);
    }
}

/// The text, with what must be said about it.
fn in_words(comment: &Comment, position: &Position, several: bool) -> String {
    let mut about = Vec::new();
    if several && !comment.language.is_empty() {
        about.push(comment.language.clone());
    }
    if several && !comment.source.name.is_empty() {
        about.push(comment.source.name.clone());
    }
    if !comment.speaks_of(position) {
        about.push(format!("written for {}", comment.written_for));
    }
    match about.is_empty() {
        true => comment.text.clone(),
        false => format!("{OURS}{}:\n{}", about.join(", "), comment.text),
    }
}

fn draw(node: &mut tengen_rules::Node, marks: &Marks) {
    let cell = |text: &String| text.parse::<Cell>().ok();
    for (at, text) in &marks.labels {
        if let Some(at) = cell(at) {
            node.labels.insert(at, text.clone());
        }
    }
    for (at, mark) in &marks.marks {
        let mark = match mark.as_str() {
            "circle" => Mark::Circle,
            "square" => Mark::Square,
            "triangle" => Mark::Triangle,
            _ => Mark::Cross,
        };
        if let Some(at) = cell(at) {
            node.marks.insert(at, mark);
        }
    }
    for (from, to) in &marks.arrows {
        if let (Some(from), Some(to)) = (cell(from), cell(to)) {
            node.arrows.push((from, to));
        }
    }
}
