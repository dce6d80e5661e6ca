//! Sets of lines with which Black wins, up to the symmetries of the plane; they hold for every tile.

use std::collections::BTreeSet;

use super::Segment;
use crate::board::Point;

/// The symmetries of the square.
const SYMMETRIES: [[i32; 4]; 8] = [
    [1, 0, 0, 1],
    [-1, 0, 0, 1],
    [1, 0, 0, -1],
    [-1, 0, 0, -1],
    [0, 1, 1, 0],
    [0, -1, 1, 0],
    [0, 1, -1, 0],
    [0, -1, -1, 0],
];

/// Forbidden sets.
#[derive(Debug, Clone, Default)]
pub struct NoGoods {
    sets: BTreeSet<Vec<Segment>>,
}

impl NoGoods {
    /// Adds a set.
    pub fn add(&mut self, lines: &[Segment]) {
        let forms = SYMMETRIES.iter().map(|symmetry| at_origin(lines, symmetry));
        self.sets.insert(forms.min().expect("there are eight"));
    }

    /// All sets.
    pub fn iter(&self) -> impl Iterator<Item = &Vec<Segment>> {
        self.sets.iter()
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// A set as text: lines by their ends.
    pub fn text(lines: &[Segment]) -> String {
        let word = |line: &Segment| {
            let (a, b) = (line[0], line[line.len() - 1]);
            format!("{},{}:{},{}", a.0, a.1, b.0, b.1)
        };
        lines.iter().map(word).collect::<Vec<_>>().join(" ")
    }

    /// Reads a set.
    pub fn parse(text: &str) -> Option<Vec<Segment>> {
        let point = |word: &str| -> Option<Point> {
            let (x, y) = word.split_once(',')?;
            Some((x.parse().ok()?, y.parse().ok()?))
        };
        let line = |word: &str| {
            let (a, b) = word.split_once(':')?;
            let (a, b) = (point(a)?, point(b)?);
            let (dx, dy) = (b.0 - a.0, b.1 - a.1);
            let steps = dx.abs().max(dy.abs());
            let straight = (dx == 0 || dx.abs() == steps) && (dy == 0 || dy.abs() == steps);
            let cell = |i| (a.0 + i * dx.signum(), a.1 + i * dy.signum());
            (straight && steps < 100).then(|| (0..=steps).map(cell).collect())
        };
        text.split_ascii_whitespace().map(line).collect()
    }
}

/// Turned, and moved such that columns and rows begin at 0.
fn at_origin(lines: &[Segment], &[a, b, c, d]: &[i32; 4]) -> Vec<Segment> {
    let turn = |&(x, y): &Point| (a * x + b * y, c * x + d * y);
    let turned: Vec<Segment> = lines
        .iter()
        .map(|line| line.iter().map(turn).collect())
        .collect();
    let left = turned
        .iter()
        .flatten()
        .map(|cell| cell.0)
        .min()
        .unwrap_or(0);
    let bottom = turned
        .iter()
        .flatten()
        .map(|cell| cell.1)
        .min()
        .unwrap_or(0);
    let mut moved: Vec<Segment> = turned
        .into_iter()
        .map(|line| {
            let mut line: Segment = line.iter().map(|(x, y)| (x - left, y - bottom)).collect();
            line.sort_unstable();
            line
        })
        .collect();
    moved.sort_unstable();
    moved
}

/// All places of a set in a box.
pub(super) fn placements(lines: &[Segment], (columns, rows): Point) -> BTreeSet<Vec<Segment>> {
    let forms: BTreeSet<Vec<Segment>> = SYMMETRIES
        .iter()
        .map(|symmetry| at_origin(lines, symmetry))
        .collect();
    let mut placed = BTreeSet::new();
    for form in forms {
        let width = form.iter().flatten().map(|cell| cell.0).max().unwrap_or(0) + 1;
        let height = form.iter().flatten().map(|cell| cell.1).max().unwrap_or(0) + 1;
        for dy in 0..=rows - height {
            for dx in 0..=columns - width {
                let moved = form
                    .iter()
                    .map(|line| line.iter().map(|(x, y)| (x + dx, y + dy)).collect());
                placed.insert(moved.collect());
            }
        }
    }
    placed
}
