//! Whether two positions differ in the names of their cells only.
//!
//! Lines of one are mapped to lines of the other, one after the other, such that sizes and the sizes of
//! all intersections of two agree; a complete map is accepted if as many cells lie on every set
//! of lines as on its image. That is an isomorphism: cells on the same lines may be mapped in any
//! order.

use std::collections::{BTreeMap, HashMap};

use super::position::{Position, members};
use crate::verdict::{Budget, Stop};

/// Positions seen so far, up to isomorphism.
#[derive(Default)]
pub(super) struct Seen {
    /// By something that isomorphic positions share.
    shapes: HashMap<Vec<Vec<u32>>, Vec<Shape>>,
}

impl Seen {
    /// Adds a position; `false` if an isomorphic one is there already.
    pub(super) fn add(&mut self, position: &Position, budget: &mut Budget) -> Result<bool, Stop> {
        let shape = Shape::of(position);
        let mut profile = shape.kinds.clone();
        profile.sort_unstable();
        let alike = self.shapes.entry(profile).or_default();
        for other in alike.iter() {
            if are_isomorphic(&shape, other, budget)? {
                return Ok(false);
            }
        }
        alike.push(shape);
        Ok(true)
    }
}

/// A position without the names of its cells.
struct Shape {
    /// How many cells lie on each set of lines.
    classes: BTreeMap<u64, u32>,
    /// The sizes of the intersections of two lines; of a line with itself, its size.
    meetings: Vec<Vec<u32>>,
    /// For each line, the sizes of its intersections, and on how many lines its cells are.
    kinds: Vec<Vec<u32>>,
}

impl Shape {
    fn of(position: &Position) -> Self {
        let mut classes = BTreeMap::new();
        for cell in members(position.cells()) {
            *classes.entry(position.through(cell)).or_default() += 1;
        }
        let lines = &position.lines;
        let meetings: Vec<Vec<u32>> = lines
            .iter()
            .map(|line| {
                lines
                    .iter()
                    .map(|other| (line & other).count_ones())
                    .collect()
            })
            .collect();
        let kind = |line: usize| {
            let mut sizes = meetings[line].clone();
            sizes.sort_unstable();
            let on = classes
                .iter()
                .filter(|(through, _)| *through >> line & 1 == 1);
            let mut degrees: Vec<u32> = on
                .map(|(through, cells)| through.count_ones() << 8 | cells)
                .collect();
            degrees.sort_unstable();
            sizes.extend(degrees);
            sizes
        };
        let kinds = (0..lines.len()).map(kind).collect();
        Self {
            classes,
            meetings,
            kinds,
        }
    }
}

fn are_isomorphic(a: &Shape, b: &Shape, budget: &mut Budget) -> Result<bool, Stop> {
    if a.meetings.len() != b.meetings.len() {
        return Ok(false);
    }
    Search { a, b }.extend(&mut Vec::new(), budget)
}

struct Search<'p> {
    a: &'p Shape,
    b: &'p Shape,
}

impl Search<'_> {
    /// `map[i]` is the image of line i for the lines mapped so far. Hostile positions have very many such maps.
    fn extend(&self, map: &mut Vec<usize>, budget: &mut Budget) -> Result<bool, Stop> {
        budget.tick()?;
        let next = map.len();
        if next == self.a.meetings.len() {
            return Ok(self.agrees(map));
        }
        for image in 0..self.b.meetings.len() {
            let meets_alike = |(line, &other): (usize, &usize)| {
                self.a.meetings[line][next] == self.b.meetings[other][image]
            };
            if !map.contains(&image)
                && self.a.kinds[next] == self.b.kinds[image]
                && map.iter().enumerate().all(meets_alike)
            {
                map.push(image);
                if self.extend(map, budget)? {
                    return Ok(true);
                }
                map.pop();
            }
        }
        Ok(false)
    }

    fn agrees(&self, map: &[usize]) -> bool {
        let image = |lines: u64| -> u64 {
            let on = |(line, &other): (usize, &usize)| (lines >> line & 1) << other;
            map.iter().enumerate().map(on).sum()
        };
        let (a, b) = (&self.a.classes, &self.b.classes);
        a.len() == b.len()
            && a.iter()
                .all(|(&lines, count)| b.get(&image(lines)) == Some(count))
    }
}
