//! Boards, tilings and White's first answers as SVG.

use std::fmt::Write as _;

use crate::board::{Board, Point};
use crate::tiling::{Place, Plane};

/// Pixels a cell.
const STEP: i32 = 28;

/// Colours of the copies; they and the strokes are legible on light and dark paper.
const FILLS: [&str; 4] = ["#cfe3f5", "#f6dfc4", "#d9ecd0", "#ecd9ef"];

/// A picture in cells: columns and rows from the lowest.
struct Canvas {
    low: Point,
    high: Point,
    body: String,
}

impl Canvas {
    fn new(low: Point, high: Point) -> Self {
        Self {
            low,
            high,
            body: String::new(),
        }
    }

    fn centre(&self, (x, y): Point) -> Point {
        (
            (x - self.low.0) * STEP + STEP,
            (self.high.1 - y) * STEP + STEP,
        )
    }

    fn add(&mut self, text: std::fmt::Arguments<'_>) {
        writeln!(self.body, "{text}").expect("a string takes everything");
    }

    fn square(&mut self, cell: Point, fill: &str) {
        let (x, y) = self.centre(cell);
        let half = STEP / 2;
        self.add(format_args!(
            r##"<rect x="{}" y="{}" width="{STEP}" height="{STEP}" fill="{fill}" stroke="#9aa4ad" stroke-width="0.5"/>"##,
            x - half,
            y - half
        ));
    }

    /// The sides of a cell where something else begins.
    fn border(&mut self, cell: Point, other: impl Fn(Point) -> bool) {
        let (x, y) = self.centre(cell);
        let half = STEP / 2;
        let sides = [
            ((1, 0), [half, -half, half, half]),
            ((-1, 0), [-half, -half, -half, half]),
            ((0, 1), [-half, -half, half, -half]),
            ((0, -1), [-half, half, half, half]),
        ];
        for ((dx, dy), [x1, y1, x2, y2]) in sides {
            if other((cell.0 + dx, cell.1 + dy)) {
                self.add(format_args!(
                    r##"<path d="M{} {}L{} {}" stroke="#33414d" stroke-width="2"/>"##,
                    x + x1,
                    y + y1,
                    x + x2,
                    y + y2
                ));
            }
        }
    }

    fn line(&mut self, cells: &[Point]) {
        let (Some(first), Some(last)) = (cells.iter().min(), cells.iter().max()) else {
            return;
        };
        let ((x1, y1), (x2, y2)) = (self.centre(*first), self.centre(*last));
        self.add(format_args!(
            r##"<path d="M{x1} {y1}L{x2} {y2}" stroke="#b3261e" stroke-width="3" stroke-linecap="round" opacity="0.75"/>"##
        ));
    }

    /// From Black's stone to White's answer.
    fn arrow(&mut self, from: Point, to: Point) {
        let ((x1, y1), (x2, y2)) = (self.centre(from), self.centre(to));
        self.add(format_args!(
            r##"<path class="answer" d="M{x1} {y1}L{x2} {y2}" stroke="#1d5c8f" stroke-width="2" opacity="0.6"/><circle cx="{x1}" cy="{y1}" r="4" fill="#111"/><circle cx="{x2}" cy="{y2}" r="8" fill="none" stroke="#111" stroke-width="1.5"/>"##
        ));
    }

    fn stone(&mut self, cell: Point, black: bool) {
        let (x, y) = self.centre(cell);
        let fill = if black { "#111" } else { "#fff" };
        self.add(format_args!(
            r##"<circle cx="{x}" cy="{y}" r="{}" fill="{fill}" stroke="#111"/>"##,
            STEP * 2 / 5
        ));
    }

    fn finish(self, title: &str) -> String {
        let width = (self.high.0 - self.low.0 + 2) * STEP;
        let height = (self.high.1 - self.low.1 + 2) * STEP;
        format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img"><title>{title}</title>
<rect width="{width}" height="{height}" fill="#fff"/>
{}</svg>
"##,
            self.body
        )
    }
}

/// A board with its lines.
pub fn board_picture(board: &Board, title: &str) -> String {
    let mut canvas = empty_board(board);
    board.lines().iter().for_each(|line| canvas.line(line));
    canvas.finish(title)
}

/// White's answers to Black's first stone on a board: a dot where Black has played, a circle where White plays then.
pub fn strategy_picture(board: &Board, answers: &[(Point, Point)], title: &str) -> String {
    let mut canvas = empty_board(board);
    for &(from, to) in answers {
        canvas.arrow(from, to);
    }
    canvas.finish(title)
}

fn empty_board(board: &Board) -> Canvas {
    let span = |pick: fn(&Point) -> i32| {
        let values = board.cells().iter().map(pick);
        (values.clone().min().unwrap_or(0), values.max().unwrap_or(0))
    };
    let ((left, right), (bottom, top)) = (span(|cell| cell.0), span(|cell| cell.1));
    let mut canvas = Canvas::new((left, bottom), (right, top));
    for &cell in board.cells() {
        canvas.square(cell, FILLS[0]);
        canvas.border(cell, |other| board.index(other).is_none());
    }
    canvas
}

/// A part of the plane: the copies in colours, their lines where they are wholly inside, stones of a game.
pub fn plane_picture(
    plane: &Plane,
    (low, high): (Point, Point),
    black: &[Point],
    white: &[Point],
    title: &str,
) -> String {
    let mut canvas = Canvas::new(low, high);
    let cells: Vec<Point> = (low.1..=high.1)
        .flat_map(|y| (low.0..=high.0).map(move |x| (x, y)))
        .collect();
    let copy = |cell: Point| {
        let place = plane.place(cell);
        (place.tile, place.image, place.translation)
    };
    for &cell in &cells {
        let (tile, image, (s, t)) = copy(cell);
        let colour = (2 * (tile + image) + (s + t).rem_euclid(2) as usize) % FILLS.len();
        canvas.square(cell, FILLS[colour]);
    }
    for &cell in &cells {
        canvas.border(cell, |other| copy(other) != copy(cell));
    }
    let inside = |&(x, y): &Point| (low.0..=high.0).contains(&x) && (low.1..=high.1).contains(&y);
    let mut copies: Vec<_> = cells.iter().map(|&cell| copy(cell)).collect();
    copies.sort_unstable();
    copies.dedup();
    for (tile, image, translation) in copies {
        let board = &plane.tiling().tiles[tile].board;
        for line in board.lines() {
            let points: Vec<Point> = line
                .iter()
                .filter_map(|&cell| board.index(cell))
                .map(|cell| {
                    plane.point(Place {
                        tile,
                        image,
                        cell,
                        translation,
                    })
                })
                .collect();
            if points.iter().all(inside) {
                canvas.line(&points);
            }
        }
    }
    for (stones, colour) in [(black, true), (white, false)] {
        stones
            .iter()
            .filter(|stone| inside(stone))
            .for_each(|&stone| canvas.stone(stone, colour));
    }
    canvas.finish(title)
}
