//! Live and dead shapes: how far a side is from one threat or two on one line (Wu and Huang,
//! Definitions 2 and 4).
//!
//! With `d = k - p`, a line includes a *dead-l* for a side that needs `d - l` more stones to have one
//! threat there, and a *live-l* if `d - l` more stones give two. In Connect6 a live-3 becomes two
//! threats with one stone, a dead-2 one threat with two stones; a live-4 is two threats already.

use tengen_rules::{Cell, Overline, Side};

use crate::LineBoard;
use crate::geometry::Line;
use crate::line_board::bits_of;

/// Whether the stones it takes make one threat or two.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ShapeKind {
    /// One threat.
    Dead,
    /// Two threats.
    Live,
}

/// What a side has on one stretch of a line between opponent's stones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// Live or dead.
    pub kind: ShapeKind,
    /// The `l` of live-l and dead-l: from 1 to `k - p`.
    pub stones: u8,
    /// The side's stones on this stretch.
    pub cells: Vec<Cell>,
}

impl LineBoard {
    /// The shapes of `side`, at most one for each stretch of a line without opponent's stones: live
    /// when two threats cost no more stones than one, otherwise dead. Stretches without a stone of
    /// the side, or where even `l = 1` is out of reach, are left out.
    pub fn shapes(&self, side: Side) -> Vec<Shape> {
        let mut shapes = Vec::new();
        for (line, state, _) in self.lines_with(side, 1) {
            let (own, other) = (state.stones[side as usize], state.stones[!side as usize]);
            for stretch in stretches(other, line.length) {
                let Some((one, two)) = self.stones_to_threats(&line, own & stretch, !stretch)
                else {
                    continue;
                };
                let threat = u32::from(self.rules().threat_stones());
                if one < threat && own & stretch != 0 {
                    shapes.push(Shape {
                        kind: if two == Some(one) {
                            ShapeKind::Live
                        } else {
                            ShapeKind::Dead
                        },
                        stones: (threat - one) as u8,
                        cells: bits_of(own & stretch)
                            .map(|bit| self.cell(line.cell(bit)))
                            .collect(),
                    });
                }
            }
        }
        shapes.sort_by(|a, b| (b.stones, b.kind, &a.cells).cmp(&(a.stones, a.kind, &b.cells)));
        shapes
    }

    /// How many stones one threat and two threats on this line cost; `None` where that cannot be had.
    ///
    /// The empty cells of windows of one line are intervals among all its empty cells, and for
    /// intervals the smallest hitting set is as large as the largest number of disjoint ones: two
    /// threats are two windows without a common empty cell.
    fn stones_to_threats(&self, line: &Line, own: u64, other: u64) -> Option<(u32, Option<u32>)> {
        let length = self.geometry.line;
        let exact = self.rules().overline() == Overline::DoesNotWin;
        let threat = u32::from(self.rules().threat_stones());
        let open: Vec<u32> = bits_of(line.starts)
            .filter(|&start| {
                let cells = ((1_u64 << length) - 1) << start;
                let flank = (cells << 1 | cells >> 1) & !cells;
                cells & other == 0 && !(exact && own & flank != 0)
            })
            .collect();
        let cells = |start: u32| ((1_u64 << length) - 1) << start;
        let stones = |start: u32| (own & cells(start)).count_ones();
        let one = open
            .iter()
            .map(|&start| threat.saturating_sub(stones(start)))
            .min()?;
        let mut two: Option<u32> = None;
        for (i, &a) in open.iter().enumerate() {
            for &b in &open[i..] {
                let common = cells(a) & cells(b);
                let mut free = !own;
                if exact && a != b && b <= a + length {
                    // Neither window may get a stone just beside the other.
                    let beside = 1 << (b - 1) | 1 << (a + length);
                    if own & beside != 0 {
                        continue;
                    }
                    free &= !beside;
                }
                let fill = (common & !own).count_ones();
                let cost = |start: u32| {
                    let missing = threat.saturating_sub(stones(start) + fill);
                    (missing <= (cells(start) & !common & free).count_ones()).then_some(missing)
                };
                let total = if a == b {
                    Some(fill)
                } else {
                    cost(a).and_then(|first| Some(fill + first + cost(b)?))
                };
                two = [two, total].into_iter().flatten().min();
            }
        }
        Some((one, two))
    }
}

/// The longest runs of cells without a stone of `other`, as masks.
fn stretches(other: u64, length: u8) -> impl Iterator<Item = u64> {
    let mut rest = !other & ((1_u64 << length) - 1);
    std::iter::from_fn(move || {
        (rest != 0).then(|| {
            let start = rest.trailing_zeros();
            let run = (rest >> start).trailing_ones();
            let stretch = ((1_u64 << run) - 1) << start;
            rest &= !stretch;
            stretch
        })
    })
}
