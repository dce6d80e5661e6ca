//! A puzzle as a small diagram for print: black, white and grey only, the part of the board that matters.
//!
//! `board_svg` draws whole positions for screens; a booklet wants many small ones, cut to where the stones are, with
//! the solution's turns numbered.

use std::fmt::Write as _;

use tengen_puzzles::Puzzle;
use tengen_rules::{Cell, Side};

const STEP: i32 = 20;
const EDGE: i32 = 22;
/// Cells shown around the stones.
const MARGIN: i16 = 2;

/// Draws the puzzle; with `line` the turns of the main line as numbered stones.
pub(super) fn draw(puzzle: &Puzzle, line: bool) -> Option<String> {
    let setup = puzzle.setup()?;
    let (width, height) = setup.rules.size()?;
    let mut stones: Vec<(Cell, Side, Option<usize>)> = setup
        .stones()
        .map(|stone| (stone.cell, stone.side, None))
        .collect();
    let turns = puzzle.main_line();
    let mut side = setup.to_move;
    let all: Vec<Cell> = turns
        .iter()
        .copied()
        .flatten()
        .filter_map(|name| name.parse().ok())
        .collect();
    if line {
        for (number, turn) in turns.iter().enumerate() {
            let cells = turn.iter().filter_map(|name| name.parse().ok());
            stones.extend(cells.map(|cell| (cell, side, Some(number + 1))));
            side = !side;
        }
    }
    let cells = || {
        stones
            .iter()
            .map(|stone| stone.0)
            .chain(all.iter().copied())
    };
    // With and without the solution the same part is shown, or the diagram would give it away by its size.
    let low = |pick: fn(Cell) -> i16| (cells().map(pick).min().unwrap_or(0) - MARGIN).max(0);
    let high = |pick: fn(Cell) -> i16, size: u8| {
        (cells().map(pick).max().unwrap_or(0) + MARGIN).min(i16::from(size) - 1)
    };
    let (left, bottom) = (low(|cell| cell.x), low(|cell| cell.y));
    let (right, top) = (high(|cell| cell.x, width), high(|cell| cell.y, height));
    let x = |cell_x: i16| EDGE + i32::from(cell_x - left) * STEP;
    let y = |cell_y: i16| EDGE + i32::from(top - cell_y) * STEP;
    let (wide, tall) = (x(right) + EDGE, y(bottom) + EDGE);
    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {tall}" width="{wide}" height="{tall}" role="img" font-family="system-ui, 'DejaVu Sans', sans-serif" text-anchor="middle"><rect width="{wide}" height="{tall}" fill="#fff"/><g stroke="#888" stroke-width="1">"##
    );
    // Lines go on beyond the cut, and end at the edge of the board.
    let reach = |at_edge: bool| if at_edge { 0 } else { STEP / 2 };
    let (from, to) = (
        x(left) - reach(left == 0),
        x(right) + reach(right == i16::from(width) - 1),
    );
    for row in bottom..=top {
        write!(svg, r#"<path d="M{from} {0}H{to}"/>"#, y(row)).ok()?;
    }
    let (from, to) = (
        y(top) - reach(top == i16::from(height) - 1),
        y(bottom) + reach(bottom == 0),
    );
    for column in left..=right {
        write!(svg, r#"<path d="M{0} {from}V{to}"/>"#, x(column)).ok()?;
    }
    svg.push_str(r##"</g><g font-size="9" fill="#555">"##);
    for column in left..=right {
        let name = Cell::column_name(column)?;
        write!(
            svg,
            r#"<text x="{}" y="{}">{name}</text>"#,
            x(column),
            tall - 3
        )
        .ok()?;
    }
    for row in bottom..=top {
        write!(svg, r#"<text x="7" y="{}">{}</text>"#, y(row) + 3, row + 1).ok()?;
    }
    svg.push_str("</g>");
    for (cell, side, number) in stones {
        let (cx, cy) = (x(cell.x), y(cell.y));
        let (fill, text) = match side {
            Side::Black => ("#000", "#fff"),
            Side::White => ("#fff", "#000"),
        };
        write!(
            svg,
            r##"<circle cx="{cx}" cy="{cy}" r="9" fill="{fill}" stroke="#000"/>"##
        )
        .ok()?;
        if let Some(number) = number {
            write!(
                svg,
                r#"<text x="{cx}" y="{}" font-size="10" fill="{text}">{number}</text>"#,
                cy + 4
            )
            .ok()?;
        }
    }
    svg.push_str("</svg>");
    Some(svg)
}
