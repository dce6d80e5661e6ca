//! From a record, one stone in each node, to a tree of turns.
//!
//! Both orders of a turn are one node. Variations that split inside a turn become turns of their own. What is
//! written on the stones of a turn is put together on the turn; where a turn splits, on the first of its variations.
//! A node of text alone belongs to the turn before it. Where the same side plays twice, the other has passed.

use std::collections::HashMap;

use tengen_rules::{Action, Cell, NodeId, Notes, Record};

use super::{Order, Tree, facts_of, turn_of};
use crate::api::{Arrow, Mark, MarkKind, Node};

/// What is still to be read: a node of the record, and what is known before it.
struct Pending {
    at: NodeId,
    /// The node of the tree whose turn ended last.
    parent: usize,
    order: Order,
    /// Of the turn that has begun.
    stones: Vec<Cell>,
    notes: Node,
}

impl Tree {
    /// The tree of a record. Nothing is checked: lines that cannot be played stay as the file has them.
    pub(crate) fn from_record(record: &Record) -> Self {
        let mut builder = Builder::new();
        let mut pending = vec![Pending {
            at: Record::ROOT,
            parent: 0,
            order: Order::new(&record.start),
            stones: Vec::new(),
            notes: Node::default(),
        }];
        while let Some(next) = pending.pop() {
            let done = builder.step(record, next);
            let first = pending.len();
            for &child in record.node(done.at).children() {
                pending.push(Pending {
                    at: child,
                    parent: done.parent,
                    order: done.order,
                    stones: done.stones.clone(),
                    notes: Node::default(),
                });
            }
            match pending.get_mut(first) {
                Some(main) => main.notes = done.notes,
                None if !done.stones.is_empty() => {
                    builder.add(done.parent, &done.stones, done.notes);
                }
                None => {}
            }
            pending[first..].reverse();
        }
        Self {
            start: record.start.clone(),
            title: record.info.name.clone(),
            info: facts_of(&record.info),
            nodes: builder.in_order(),
        }
    }
}

/// The tree while it grows.
struct Builder {
    nodes: Vec<Node>,
    children: Vec<Vec<usize>>,
    known: HashMap<(usize, Vec<Cell>), usize>,
}

impl Builder {
    fn new() -> Self {
        Self {
            nodes: vec![Node::default()],
            children: vec![Vec::new()],
            known: HashMap::new(),
        }
    }

    /// Reads one node of the record.
    fn step(&mut self, record: &Record, mut next: Pending) -> Pending {
        let node = record.node(next.at);
        let side = match node.action {
            Action::Place(stone) => stone.side,
            Action::Pass(side) => side,
            Action::Nothing => {
                if next.stones.is_empty() {
                    write_on(&mut self.nodes[next.parent], node.notes());
                } else {
                    write_on(&mut next.notes, node.notes());
                }
                return next;
            }
        };
        if side != next.order.to_move {
            self.close(&mut next);
            self.pass(&mut next);
        }
        if let Action::Place(stone) = node.action {
            write_on(&mut next.notes, node.notes());
            next.stones.push(stone.cell);
            next.order.stone();
            if next.order.to_move != side {
                self.close(&mut next);
            }
        } else {
            self.close(&mut next);
            write_on(&mut next.notes, node.notes());
            self.pass(&mut next);
        }
        next
    }

    /// The stones that wait become a turn.
    fn close(&mut self, next: &mut Pending) {
        if !next.stones.is_empty() {
            let notes = std::mem::take(&mut next.notes);
            next.parent = self.add(next.parent, &next.stones, notes);
            next.stones.clear();
        }
    }

    /// The side to move leaves the rest of its turn away.
    fn pass(&mut self, next: &mut Pending) {
        let notes = std::mem::take(&mut next.notes);
        next.parent = self.add(next.parent, &[], notes);
        next.order.end_turn();
    }

    /// The child with this turn, new or not, with these notes too.
    fn add(&mut self, parent: usize, stones: &[Cell], notes: Node) -> usize {
        let mut set = stones.to_vec();
        set.sort_unstable();
        let id = *self.known.entry((parent, set)).or_insert_with(|| {
            let id = self.nodes.len();
            self.nodes.push(Node {
                turn: turn_of(stones),
                ..Node::default()
            });
            self.children.push(Vec::new());
            self.children[parent].push(id);
            id
        });
        put_together(&mut self.nodes[id], notes);
        id
    }

    /// The nodes in preorder, numbered so.
    fn in_order(mut self) -> Vec<Node> {
        let mut sorted: Vec<Node> = Vec::with_capacity(self.nodes.len());
        let mut pending = vec![(0, None, 0)];
        while let Some((at, parent, place)) = pending.pop() {
            let id = sorted.len() as u32;
            sorted.push(Node {
                id,
                parent,
                order: f64::from(place),
                ..std::mem::take(&mut self.nodes[at])
            });
            let children = self.children[at].iter().zip(0..);
            let first = pending.len();
            pending.extend(children.map(|(&child, place)| (child, Some(id), place)));
            pending[first..].reverse();
        }
        sorted
    }
}

fn write_on(node: &mut Node, notes: &Notes) {
    let mark = |(cell, kind): (&Cell, &tengen_rules::Mark)| Mark {
        cell: cell.to_string(),
        kind: match kind {
            tengen_rules::Mark::Cross => MarkKind::Cross,
            tengen_rules::Mark::Circle => MarkKind::Circle,
            tengen_rules::Mark::Square => MarkKind::Square,
            tengen_rules::Mark::Triangle => MarkKind::Triangle,
        },
        text: String::new(),
    };
    let label = |(cell, text): (&Cell, &String)| Mark {
        cell: cell.to_string(),
        kind: MarkKind::Label,
        text: text.clone(),
    };
    let arrow = |&(from, to): &(Cell, Cell)| Arrow {
        from: from.to_string(),
        to: to.to_string(),
    };
    let marks = notes.marks.iter().map(mark);
    let more = Node {
        name: notes.name.clone(),
        comment: notes.comment.clone(),
        marks: marks.chain(notes.labels.iter().map(label)).collect(),
        arrows: notes.arrows.iter().map(arrow).collect(),
        ..Node::default()
    };
    put_together(node, more);
}

/// Two notes on one node: nothing is lost, nothing is there twice.
fn put_together(node: &mut Node, more: Node) {
    join(&mut node.name, more.name, " / ");
    join(&mut node.comment, more.comment, "\n\n");
    for mark in more.marks {
        let place = |known: &&mut Mark| known.cell == mark.cell && known.kind == mark.kind;
        match node.marks.iter_mut().find(place) {
            Some(known) => join(&mut known.text, mark.text, "/"),
            None => node.marks.push(mark),
        }
    }
    for arrow in more.arrows {
        if !node.arrows.contains(&arrow) {
            node.arrows.push(arrow);
        }
    }
}

fn join(text: &mut String, more: String, between: &str) {
    if text.is_empty() {
        *text = more;
    } else if !more.is_empty() && *text != more {
        text.push_str(between);
        text.push_str(&more);
    }
}
