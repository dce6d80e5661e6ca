//! What both sides threaten, as `tengen threats` and `tengen show --threats` tell it: gathered once,
//! printed as prose or JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};
use tengen_rules::{Cell, Outcome, Position, Side, Turn};
use tengen_threats::{Defences, LineBoard, Shape, ShapeKind, Window};

use crate::board_text::CellMark;
use crate::output::grouped;
use crate::view::{cells_in_words, stones};

/// The threats of one side.
#[derive(Debug)]
pub(crate) struct SideReport {
    side: Side,
    /// The turns that complete a line: with the stones left when it is this side's turn, otherwise
    /// with the next whole turn if nothing stops it.
    wins: Vec<Turn>,
    on_turn: bool,
    per_turn: u8,
    /// Exact up to `per_turn`; one more means that a turn cannot stop them.
    count: u8,
    /// The windows that a whole turn could complete.
    pub(crate) windows: Vec<Window>,
    defences: Defences,
    shapes: Vec<Shape>,
}

/// All turns of the side to move that make so many threats.
#[derive(Debug)]
pub(crate) struct TurnsReport {
    side: Side,
    stones: u8,
    at_least: u8,
    turns: Vec<Turn>,
}

/// How much to print.
#[derive(Debug, Copy, Clone)]
pub(crate) struct Detail {
    /// Windows and shapes too.
    pub(crate) all: bool,
    /// At most so many entries of a list.
    pub(crate) first: usize,
}

impl SideReport {
    /// Both sides of a game that is not over, Black first.
    pub(crate) fn both(position: &Position) -> [Self; 2] {
        let board = LineBoard::from_position(position);
        Side::BOTH.map(|side| Self::new(position, &board, side))
    }

    fn new(position: &Position, board: &LineBoard, side: Side) -> Self {
        let per_turn = position.rules().per_turn();
        let on_turn = side == position.to_move();
        // A first turn may have more stones than others, but it cannot win.
        let left = if on_turn {
            position.left().min(per_turn)
        } else {
            per_turn
        };
        Self {
            side,
            wins: board.immediate_wins(side, left),
            on_turn,
            per_turn,
            count: board.threat_count(side),
            windows: board.threat_windows(side),
            defences: board.critical_defences(side),
            shapes: board.shapes(side),
        }
    }

    /// The report as text, lines ended by line breaks.
    pub(crate) fn text(&self, detail: Detail) -> String {
        let mut text = format!("{}: {}\n", self.side, self.headline());
        let mut list = |label: &str, count: usize, entries: Vec<String>| {
            if count > 0 {
                let entries = shortened(&entries, detail.first);
                writeln!(
                    text,
                    "  {label:<18} {:>5}: {entries}",
                    grouped(count as u64)
                )
                .expect("writing to a string");
            }
        };
        let names = |turns: &[Turn]| turns.iter().map(Turn::to_string).collect::<Vec<_>>();
        let when = if self.on_turn {
            "wins now"
        } else {
            "wins next turn"
        };
        list(when, self.wins.len(), names(&self.wins));
        if detail.all {
            let windows = self.windows.iter().map(window_in_words).collect();
            list("windows", self.windows.len(), windows);
        }
        if self.count > 0 {
            let Defences { normal, relaxed } = &self.defences;
            list("normal defences", normal.len(), names(normal));
            list("relaxed defences", relaxed.len(), names(relaxed));
        }
        if detail.all {
            for (name, shapes) in self.shapes_by_name() {
                list(&name, shapes.len(), on_lines(&shapes));
            }
        }
        text
    }

    fn headline(&self) -> String {
        let other = !self.side;
        match self.count {
            0 => "no threat".to_owned(),
            1 => format!("1 threat, {other} needs 1 stone to stop it"),
            n if n > self.per_turn => {
                let turn = stones(u32::from(self.per_turn));
                format!("more threats than {other} can stop with a turn of {turn}",)
            }
            n => format!("{n} threats, {other} needs {n} stones to stop them"),
        }
    }

    /// Live before dead, large before small; keys such as "live-4".
    fn shapes_by_name(&self) -> Vec<(String, Vec<&Shape>)> {
        let mut groups: Vec<(String, Vec<&Shape>)> = Vec::new();
        for shape in &self.shapes {
            let name = shape_name(shape);
            match groups.iter_mut().find(|(other, _)| *other == name) {
                Some((_, shapes)) => shapes.push(shape),
                None => groups.push((name, vec![shape])),
            }
        }
        groups
    }

    /// The report as JSON.
    pub(crate) fn json(&self) -> Value {
        let windows = self
            .windows
            .iter()
            .map(|window| json!({ "cells": names(&window.cells), "empty": names(&window.empty) }));
        let shapes = self.shapes.iter().map(|shape| {
            let kind = kind_name(shape.kind);
            json!({ "kind": kind, "stones": shape.stones, "cells": names(&shape.cells) })
        });
        json!({
            "threats": self.count,
            "stoppable": self.count <= self.per_turn,
            "wins": turns_json(&self.wins),
            "windows": windows.collect::<Vec<_>>(),
            "defences": {
                "normal": turns_json(&self.defences.normal),
                "relaxed": turns_json(&self.defences.relaxed),
            },
            "shapes": shapes.collect::<Vec<_>>(),
        })
    }
}

impl TurnsReport {
    /// The turns of the side to move with at least `at_least` threats.
    pub(crate) fn new(position: &Position, at_least: u8) -> Self {
        let (side, stones) = (position.to_move(), position.left());
        let stones = stones.min(position.rules().per_turn());
        let board = LineBoard::from_position(position);
        let turns = board.threat_turns(side, stones, at_least);
        Self {
            side,
            stones,
            at_least,
            turns,
        }
    }

    /// The report as text, lines ended by line breaks.
    pub(crate) fn text(&self, first: usize) -> String {
        let threats = match self.at_least {
            1 => "at least 1 threat".to_owned(),
            n => format!("at least {n} threats"),
        };
        if self.turns.first().is_some_and(Turn::is_empty) {
            return format!("{} has {threats} already\n", self.side);
        }
        let turns: Vec<String> = self.turns.iter().map(Turn::to_string).collect();
        let count = match turns.len() {
            0 => return format!("No turn of {} makes {threats}\n", self.side),
            1 => "1 turn".to_owned(),
            n => format!("any of {} turns", grouped(n as u64)),
        };
        let turns = shortened(&turns, first);
        format!("{} makes {threats} with {count}: {turns}\n", self.side)
    }

    /// The report as JSON.
    pub(crate) fn json(&self) -> Value {
        json!({
            "side": side_name(self.side),
            "stones": self.stones,
            "at_least": self.at_least,
            "count": self.turns.len(),
            "turns": turns_json(&self.turns),
        })
    }
}

/// The whole answer as JSON.
pub(crate) fn json(
    position: &Position,
    sides: Option<&[SideReport; 2]>,
    turns: Option<&TurnsReport>,
) -> Value {
    let outcome = position.outcome().map(|outcome| match outcome {
        Outcome::Win { side, cells } => {
            json!({ "winner": side_name(*side), "cells": names(cells.cells()) })
        }
        Outcome::Draw => json!({ "winner": null }),
    });
    let [black, white] = match sides {
        Some([black, white]) => [black.json(), white.json()],
        None => [Value::Null, Value::Null],
    };
    json!({
        "rules": position.rules().to_string(),
        "to_move": side_name(position.to_move()),
        "left": position.left(),
        "outcome": outcome,
        "black": black,
        "white": white,
        "turns": turns.map(TurnsReport::json),
    })
}

/// The empty cells of threat windows, for the picture.
pub(crate) fn marks(sides: &[SideReport; 2]) -> BTreeMap<Cell, CellMark> {
    let mut marks = BTreeMap::new();
    for report in sides {
        let own = CellMark::Threat(report.side);
        for &cell in report.windows.iter().flat_map(|window| &window.empty) {
            marks
                .entry(cell)
                .and_modify(|mark| {
                    if *mark != own {
                        *mark = CellMark::BothThreats;
                    }
                })
                .or_insert(own);
        }
    }
    marks
}

/// "E10-J10 open at E10 J10".
fn window_in_words(window: &Window) -> String {
    let (Some(from), Some(to)) = (window.cells.first(), window.cells.last()) else {
        return String::new();
    };
    format!("{from}-{to} open at {}", cells_in_words(&window.empty))
}

/// The stones of each shape, those on several lines once: "J10 K11", "J10 (3 lines)".
fn on_lines(shapes: &[&Shape]) -> Vec<String> {
    let groups = shapes.chunk_by(|a, b| a.cells == b.cells);
    groups
        .map(|group| match group {
            [shape] => cells_in_words(&shape.cells),
            [shape, ..] => format!("{} ({} lines)", cells_in_words(&shape.cells), group.len()),
            [] => String::new(),
        })
        .collect()
}

/// "live-4".
fn shape_name(shape: &Shape) -> String {
    format!("{}-{}", kind_name(shape.kind), shape.stones)
}

const fn kind_name(kind: ShapeKind) -> &'static str {
    match kind {
        ShapeKind::Live => "live",
        ShapeKind::Dead => "dead",
    }
}

const fn side_name(side: Side) -> &'static str {
    match side {
        Side::Black => "black",
        Side::White => "white",
    }
}

fn names(cells: &[Cell]) -> Vec<String> {
    cells.iter().map(Cell::to_string).collect()
}

fn turns_json(turns: &[Turn]) -> Vec<Vec<String>> {
    turns.iter().map(|turn| names(turn.cells())).collect()
}

/// "a, b, c, and 4 more"; 0 means all.
fn shortened(entries: &[String], first: usize) -> String {
    let shown = match first {
        0 => entries.len(),
        first => first.min(entries.len()),
    };
    let text = entries[..shown].join(", ");
    match entries.len() - shown {
        0 => text,
        more => format!("{text}, and {} more", grouped(more as u64)),
    }
}
