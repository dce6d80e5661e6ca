//! The board as a picture: plain SVG without scripts, fonts or pictures from elsewhere.
//!
//! Layers, bottom up: ground, grid, threat windows, stones, marks. Stones carry the number of their
//! turn; the last turn, or the line that won, has a ring. Every mark has a shape as well as a colour.

use std::fmt::Write as _;

use tengen_rules::{Cell, Outcome, Position, Side};

use crate::view::{
    Frame, PlayedTurn, column_label, played_turns, row_label, rules_in_words, state_in_words,
    turn_in_words, turn_numbers,
};

/// The distance between two lines of the grid; all other lengths follow from it.
const STEP: i32 = 32;
/// The space around the grid, for coordinates.
const EDGE: i32 = 46;
/// The width of a letter of the caption, a generous average.
const LETTER: i32 = 8;
/// The space for the caption.
const CAPTION: i32 = 34;

const PAPER: &str = "#f7f2e6";
const GRID: &str = "#8b8473";
const TEXT: &str = "#1c1f25";
const TEXT_QUIET: &str = "#626875";
const BLACK_STONE: &str = "#101114";
const WHITE_STONE: &str = "#ffffff";
const STONE_EDGE: &str = "#7d7768";
const ACCENT: &str = "#0b6b55";
const ACCENT_ON_BLACK: &str = "#5fcbaa";

/// A window to be drawn under the stones.
#[derive(Debug, Clone)]
pub(crate) struct SvgWindow {
    /// Whose threat it is.
    pub(crate) side: Side,
    /// The window from end to end.
    pub(crate) cells: Vec<Cell>,
    /// The cells that are still empty.
    pub(crate) empty: Vec<Cell>,
}

/// The colour of a side's threats.
const fn threat_colour(side: Side) -> &'static str {
    match side {
        Side::Black => "#c01048",
        Side::White => "#00657d",
    }
}

/// Where cells are on the picture.
struct Canvas {
    frame: Frame,
    /// Where the grid begins from the left; a small board stands in the middle of its caption.
    left: i32,
    svg: String,
}

/// Draws the position with these threat windows.
pub(crate) fn draw(position: &Position, windows: &[SvgWindow]) -> String {
    let frame = Frame::of(position);
    let columns = i32::from(frame.high.x - frame.low.x) * STEP;
    let rows = i32::from(frame.high.y - frame.low.y) * STEP;
    let turns = played_turns(position);
    let state = state_in_words(position, &turns);
    let aside = aside(position, &turns);
    let wide = |text: &str| text.chars().count() as i32 * LETTER;
    let inner = columns.max(wide(&state));
    let (width, height) = (inner + 2 * EDGE, rows + 2 * EDGE + CAPTION);
    let left = EDGE + (inner - columns) / 2;

    let mut canvas = Canvas {
        frame,
        left,
        svg: String::new(),
    };
    canvas.line(format_args!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" font-family="system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif">"#
    ));
    canvas.line(format_args!("<title>{}</title>", state));
    canvas.line(format_args!(
        r#"<rect width="{width}" height="{height}" rx="10" fill="{PAPER}"/>"#
    ));
    canvas.grid();
    canvas.coordinates();
    canvas.windows(windows);
    canvas.stones(position, &turns);
    let base = height - 18;
    canvas.line(format_args!(
        r#"<g font-size="15"><text x="{EDGE}" y="{base}" fill="{TEXT}">{state}</text>"#
    ));
    if wide(&state) + wide(&aside) < inner {
        canvas.line(format_args!(
            r#"<text x="{}" y="{base}" text-anchor="end" fill="{TEXT_QUIET}">{aside}</text>"#,
            width - EDGE,
        ));
    }
    canvas.line(format_args!("</g>\n</svg>"));
    canvas.svg
}

/// What else a caption says where there is room: the last turn or the name of the game.
fn aside(position: &Position, turns: &[PlayedTurn]) -> String {
    match turns.last() {
        Some(turn) if position.outcome().is_none() => format!("Last: {}", turn_in_words(turn)),
        _ => {
            let rules = rules_in_words(position.rules());
            rules.split(':').next().unwrap_or(&rules).to_owned()
        }
    }
}

impl Canvas {
    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        writeln!(self.svg, "{line}").expect("writing to a string");
    }

    fn x(&self, cell: Cell) -> i32 {
        self.left + i32::from(cell.x - self.frame.low.x) * STEP
    }

    fn y(&self, cell: Cell) -> i32 {
        EDGE + i32::from(self.frame.high.y - cell.y) * STEP
    }

    fn grid(&mut self) {
        let (low, high) = (self.frame.low, self.frame.high);
        let (left, right) = (self.x(low), self.x(high));
        let (top, bottom) = (self.y(high), self.y(low));
        // Lines of a board that goes on run past the last cell.
        let past = if self.frame.cut { STEP / 2 } else { 0 };
        let mut path = String::new();
        for x in self.frame.columns() {
            let x = self.x(Cell::new(x, 0));
            write!(path, "M{x} {}V{}", top - past, bottom + past).expect("writing to a string");
        }
        for y in self.frame.rows() {
            let y = self.y(Cell::new(0, y));
            write!(path, "M{} {y}H{}", left - past, right + past).expect("writing to a string");
        }
        self.line(format_args!(
            r#"<path d="{path}" stroke="{GRID}" stroke-width="1" fill="none"/>"#
        ));
        if !self.frame.cut {
            let (width, height) = (right - left, bottom - top);
            self.line(format_args!(
                r#"<rect x="{left}" y="{top}" width="{width}" height="{height}" stroke="{GRID}" stroke-width="2" fill="none"/>"#
            ));
        }
        for y in self.frame.rows() {
            for x in self.frame.columns() {
                let cell = Cell::new(x, y);
                if self.frame.is_star(cell) {
                    let (x, y) = (self.x(cell), self.y(cell));
                    self.line(format_args!(
                        r#"<circle cx="{x}" cy="{y}" r="3.5" fill="{GRID}"/>"#
                    ));
                }
            }
        }
    }

    fn coordinates(&mut self) {
        let (low, high) = (self.frame.low, self.frame.high);
        self.line(format_args!(
            r#"<g font-size="13" fill="{TEXT_QUIET}" text-anchor="middle">"#
        ));
        // Half the height of a capital below the middle: centred in every renderer.
        let (above, below) = (self.y(high) - 26 + 5, self.y(low) + 26 + 5);
        for x in self.frame.columns() {
            let (label, x) = (column_label(x), self.x(Cell::new(x, 0)));
            self.line(format_args!(
                r#"<text x="{x}" y="{above}">{label}</text><text x="{x}" y="{below}">{label}</text>"#
            ));
        }
        let (left, right) = (self.x(low) - 28, self.x(high) + 28);
        for y in self.frame.rows() {
            let (label, y) = (row_label(y), self.y(Cell::new(0, y)) + 5);
            self.line(format_args!(
                r#"<text x="{left}" y="{y}">{label}</text><text x="{right}" y="{y}">{label}</text>"#
            ));
        }
        self.line(format_args!("</g>"));
    }

    fn windows(&mut self, windows: &[SvgWindow]) {
        for window in windows {
            let (Some(&from), Some(&to)) = (window.cells.first(), window.cells.last()) else {
                continue;
            };
            let (x1, y1, x2, y2) = (self.x(from), self.y(from), self.x(to), self.y(to));
            let colour = threat_colour(window.side);
            self.line(format_args!(
                r#"<path d="M{x1} {y1}L{x2} {y2}" stroke="{colour}" stroke-width="4" stroke-linecap="round" opacity="0.55"/>"#
            ));
        }
        for side in Side::BOTH {
            let empty = windows.iter().filter(|window| window.side == side);
            let mut cells: Vec<Cell> = empty.flat_map(|window| window.empty.clone()).collect();
            cells.sort_unstable();
            cells.dedup();
            let colour = threat_colour(side);
            for cell in cells {
                let (x, y) = (self.x(cell), self.y(cell));
                let shape = match side {
                    Side::Black => format!("M{} {}h14v14h-14z", x - 7, y - 7),
                    Side::White => format!("M{x} {}l10 10l-10 10l-10 -10z", y - 10),
                };
                self.line(format_args!(
                    r#"<path d="{shape}" fill="{PAPER}" fill-opacity="0.9" stroke="{colour}" stroke-width="2"/>"#
                ));
            }
        }
    }

    fn stones(&mut self, position: &Position, turns: &[PlayedTurn]) {
        let numbers = turn_numbers(turns);
        // The winning line, or else the last turn.
        let ringed: &[Cell] = match position.outcome() {
            Some(Outcome::Win { cells, .. }) => cells.cells(),
            _ => turns.last().map_or(&[], |turn| &turn.cells),
        };
        self.line(format_args!(
            r#"<g font-size="15" font-weight="600" text-anchor="middle">"#
        ));
        for stone in position.stones() {
            let (x, y) = (self.x(stone.cell), self.y(stone.cell));
            let (fill, edge, ink, ring) = match stone.side {
                Side::Black => (BLACK_STONE, BLACK_STONE, WHITE_STONE, ACCENT_ON_BLACK),
                Side::White => (WHITE_STONE, STONE_EDGE, BLACK_STONE, ACCENT),
            };
            self.line(format_args!(
                r#"<circle cx="{x}" cy="{y}" r="14.5" fill="{fill}" stroke="{edge}" stroke-width="1"/>"#
            ));
            if ringed.contains(&stone.cell) {
                self.line(format_args!(
                    r#"<circle cx="{x}" cy="{y}" r="12.2" fill="none" stroke="{ring}" stroke-width="2"/>"#
                ));
            }
            if let Some(number) = numbers.get(&stone.cell) {
                let small = if *number > 99 {
                    r#" font-size="11""#
                } else {
                    ""
                };
                let base = y + if *number > 99 { 4 } else { 5 };
                self.line(format_args!(
                    r#"<text x="{x}" y="{base}" fill="{ink}"{small}>{number}</text>"#
                ));
            }
        }
        self.line(format_args!("</g>"));
    }
}
