//! The board drawn with characters.
//!
//! Stones of the last turn stand in brackets, so that they are found without colour too. With
//! colour the board has a ground of its own, because a terminal's may be dark: there ● would look
//! white and ○ black.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anstyle::{Ansi256Color, Color, Style};
use tengen_rules::{Cell, Position, Side};

use crate::view::{Frame, PlayedTurn, column_label, row_label};

/// How to draw.
#[derive(Debug, Copy, Clone)]
pub(crate) struct TextStyle {
    /// Only ASCII characters.
    pub(crate) ascii: bool,
    /// With escape sequences for colours.
    pub(crate) colour: bool,
}

/// What is drawn on an empty cell.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum CellMark {
    /// One side's threat windows need it.
    Threat(Side),
    /// Threat windows of both sides need it.
    BothThreats,
    /// The first relevance zone it belongs to, from 1.
    Zone(u8),
    /// A turn of a list has a stone there: its number, from 1.
    Choice(u8),
    /// A reply there is not proved to lose.
    Open,
}

/// One character of the picture and how it looks.
#[derive(Copy, Clone)]
struct Glyph {
    text: char,
    style: Style,
}

const fn colour(number: u8) -> Option<Color> {
    Some(Color::Ansi256(Ansi256Color(number)))
}

const GROUND: Style = Style::new().bg_color(colour(180)).fg_color(colour(94));
const BLACK: Style = Style::new().bg_color(colour(180)).fg_color(colour(16));
const WHITE: Style = Style::new().bg_color(colour(180)).fg_color(colour(231));
const LAST: Style = Style::new()
    .bg_color(colour(180))
    .fg_color(colour(22))
    .bold();
const BLACK_THREAT: Style = Style::new()
    .bg_color(colour(180))
    .fg_color(colour(88))
    .bold();
const WHITE_THREAT: Style = Style::new()
    .bg_color(colour(180))
    .fg_color(colour(23))
    .bold();
const PLAIN: Style = Style::new();

impl TextStyle {
    /// The stone's character. Without colour the two must differ in shape.
    pub(crate) fn stone(self, side: Side) -> char {
        match (side, self.ascii, self.colour) {
            (Side::Black, true, _) => 'X',
            (Side::White, true, _) => 'O',
            (Side::White, false, false) => '○',
            _ => '●',
        }
    }

    /// The mark's character.
    pub(crate) fn mark(self, mark: CellMark) -> char {
        match (mark, self.ascii) {
            (CellMark::Threat(Side::Black), true) => 'b',
            (CellMark::Threat(Side::White), true) => 'w',
            (CellMark::BothThreats, true) => '*',
            (CellMark::Threat(Side::Black), false) => '□',
            (CellMark::Threat(Side::White), false) => '◇',
            (CellMark::BothThreats, false) => '◈',
            (CellMark::Open, _) => '?',
            // Zones beyond 9 occur in games of ten and more in a row only.
            (CellMark::Zone(number) | CellMark::Choice(number), _) => {
                char::from_digit(number.into(), 36).unwrap_or('z')
            }
        }
    }

    fn stone_glyph(self, side: Side) -> Glyph {
        let style = match side {
            Side::Black => BLACK,
            Side::White => WHITE,
        };
        let text = self.stone(side);
        Glyph { text, style }
    }

    fn mark_glyph(self, mark: CellMark) -> Glyph {
        let style = match mark {
            CellMark::Threat(Side::White) => WHITE_THREAT,
            _ => BLACK_THREAT,
        };
        let text = self.mark(mark);
        Glyph { text, style }
    }

    fn empty_glyph(self, star: bool) -> Glyph {
        let text = match (star, self.ascii) {
            (true, _) => '+',
            (false, true) => '.',
            (false, false) => '·',
        };
        let style = GROUND;
        Glyph { text, style }
    }

    /// The legend of stones, "● Black  ○ White".
    pub(crate) fn legend(self) -> String {
        if self.colour && !self.ascii {
            let (black, white) = (self.stone_glyph(Side::Black), self.stone_glyph(Side::White));
            let mut text = String::new();
            for (glyph, name) in [(black, "Black"), (white, "White")] {
                let (on, off) = (glyph.style.render(), glyph.style.render_reset());
                let gap = if text.is_empty() { "" } else { "  " };
                write!(text, "{gap}{on} {} {off} {name}", glyph.text).expect("writing to a string");
            }
            return text;
        }
        let [black, white] = Side::BOTH.map(|side| self.stone(side));
        format!("{black} Black  {white} White")
    }
}

/// Draws the board with coordinates on all sides, each line ended by a line break.
pub(crate) fn draw(
    position: &Position,
    last: Option<&PlayedTurn>,
    marks: &BTreeMap<Cell, CellMark>,
    style: TextStyle,
) -> String {
    let frame = Frame::of(position);
    let row_width = frame.rows().map(|y| row_label(y).len()).max().unwrap_or(1);
    let mut text = header(frame, row_width, true);
    for y in frame.rows().rev() {
        let line = board_line(position, frame, y, last, marks, style);
        let label = row_label(y);
        write!(text, " {label:>row_width$} ").expect("writing to a string");
        paint(&mut text, &line, style.colour);
        writeln!(text, " {label}").expect("writing to a string");
    }
    text + &header(frame, row_width, false)
}

/// One row: a character before, between and after its cells, for brackets.
fn board_line(
    position: &Position,
    frame: Frame,
    y: i16,
    last: Option<&PlayedTurn>,
    marks: &BTreeMap<Cell, CellMark>,
    style: TextStyle,
) -> Vec<Glyph> {
    let is_last = |x: i16| last.is_some_and(|turn| turn.cells.contains(&Cell::new(x, y)));
    let gap = |x: i16| {
        // The gap left of column x: neighbours of one turn share a pair of brackets.
        let (text, style) = match (is_last(x - 1), is_last(x)) {
            (false, true) => ('(', LAST),
            (true, false) => (')', LAST),
            _ => (' ', GROUND),
        };
        Glyph { text, style }
    };
    let mut line = Vec::new();
    for x in frame.columns() {
        let cell = Cell::new(x, y);
        line.push(gap(x));
        line.push(match (position.stone(cell), marks.get(&cell)) {
            (Some(side), _) => style.stone_glyph(side),
            (None, Some(&mark)) => style.mark_glyph(mark),
            (None, None) => style.empty_glyph(frame.is_star(cell)),
        });
    }
    line.push(gap(frame.high.x + 1));
    line
}

/// Writes glyphs, with one escape sequence per change of style.
fn paint(text: &mut String, line: &[Glyph], colour: bool) {
    let mut now = PLAIN;
    for glyph in line {
        if colour && glyph.style != now {
            write!(text, "{}{}", now.render_reset(), glyph.style.render())
                .expect("writing to a string");
            now = glyph.style;
        }
        text.push(glyph.text);
    }
    write!(text, "{}", now.render_reset()).expect("writing to a string");
}

/// The columns' names, one letter below the other when a name is long.
fn header(frame: Frame, row_width: usize, above: bool) -> String {
    let labels: Vec<Vec<char>> = frame
        .columns()
        .map(|x| column_label(x).chars().collect())
        .collect();
    let height = labels.iter().map(Vec::len).max().unwrap_or(0);
    let mut text = String::new();
    for line in 0..height {
        let mut row = " ".repeat(row_width + 2);
        for label in &labels {
            // Names end at the board above it, and begin at the board below it.
            let skip = if above { height - label.len() } else { 0 };
            let letter = line.checked_sub(skip).and_then(|i| label.get(i));
            row.push(' ');
            row.push(letter.copied().unwrap_or(' '));
        }
        text += row.trim_end();
        text.push('\n');
    }
    text
}
