//! Whether two positions differ in the names of their cells only.
//!
//! Lines of one are mapped to lines of the other, one after the other, such that sizes and the sizes of
//! all intersections of two agree; a complete map is accepted if as many cells lie on every set
//! of lines as on its image. That is an isomorphism: cells on the same lines may be mapped in any
//! order.

use std::collections::{BTreeMap, HashMap};

use super::position::{Position, members};

/// Positions seen so far, up to isomorphism.
#[derive(Default)]
pub(super) struct Seen {
    /// By something that isomorphic positions share.
    positions: HashMap<Vec<Vec<u32>>, Vec<Position>>,
}

impl Seen {
    /// Adds a position; `false` if an isomorphic one is there already.
    pub(super) fn add(&mut self, position: &Position) -> bool {
        let alike = self.positions.entry(profile(position)).or_default();
        if alike.iter().any(|other| are_isomorphic(position, other)) {
            return false;
        }
        alike.push(position.clone());
        true
    }
}

/// How one line meets the others: its size and those of its intersections, and how often its cells
/// are on so many lines.
fn meetings(position: &Position, line: usize) -> Vec<u32> {
    let own = position.lines[line];
    let mut sizes: Vec<u32> = position.lines.iter().map(|other| (own & other).count_ones()).collect();
    sizes.sort_unstable();
    let mut degrees: Vec<u32> =
        members(own).map(|cell| position.through(cell).count_ones()).collect();
    degrees.sort_unstable();
    sizes.extend(degrees);
    sizes
}

fn profile(position: &Position) -> Vec<Vec<u32>> {
    let mut lines: Vec<_> = (0..position.lines.len()).map(|line| meetings(position, line)).collect();
    lines.sort_unstable();
    lines
}

/// How many cells lie on each set of lines.
fn classes(position: &Position) -> BTreeMap<u64, u32> {
    let mut classes = BTreeMap::new();
    for cell in members(position.cells()) {
        *classes.entry(position.through(cell)).or_default() += 1;
    }
    classes
}

pub(super) fn are_isomorphic(a: &Position, b: &Position) -> bool {
    let count = a.lines.len();
    if count != b.lines.len() {
        return false;
    }
    let kinds = |position| (0..count).map(|line| meetings(position, line)).collect::<Vec<_>>();
    let search = Search {
        a,
        b,
        kinds_a: kinds(a),
        kinds_b: kinds(b),
        classes_a: classes(a),
        classes_b: classes(b),
    };
    search.extend(&mut Vec::new())
}

struct Search<'p> {
    a: &'p Position,
    b: &'p Position,
    kinds_a: Vec<Vec<u32>>,
    kinds_b: Vec<Vec<u32>>,
    classes_a: BTreeMap<u64, u32>,
    classes_b: BTreeMap<u64, u32>,
}

impl Search<'_> {
    /// `map[i]` is the image of line i for the lines mapped so far.
    fn extend(&self, map: &mut Vec<usize>) -> bool {
        let next = map.len();
        if next == self.a.lines.len() {
            return self.agrees(map);
        }
        for image in 0..self.b.lines.len() {
            let meets_alike = |(line, &other): (usize, &usize)| {
                (self.a.lines[line] & self.a.lines[next]).count_ones()
                    == (self.b.lines[other] & self.b.lines[image]).count_ones()
            };
            if !map.contains(&image)
                && self.kinds_a[next] == self.kinds_b[image]
                && map.iter().enumerate().all(meets_alike)
            {
                map.push(image);
                if self.extend(map) {
                    return true;
                }
                map.pop();
            }
        }
        false
    }

    fn agrees(&self, map: &[usize]) -> bool {
        let image = |lines: u64| -> u64 {
            let on = |(line, &other): (usize, &usize)| (lines >> line & 1) << other;
            map.iter().enumerate().map(on).sum()
        };
        self.classes_a.len() == self.classes_b.len()
            && self
                .classes_a
                .iter()
                .all(|(&lines, count)| self.classes_b.get(&image(lines)) == Some(count))
    }
}
