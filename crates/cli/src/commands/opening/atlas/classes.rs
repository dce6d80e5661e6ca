//! The White second turns of a region, up to symmetry.

use std::collections::HashSet;

use anyhow::{Context as _, anyhow, bail};
use tengen_book::names;
use tengen_rules::{Cell, Position, position_key};

/// One opening: Black in the centre and two white stones.
#[derive(Debug, Clone)]
pub(super) struct Class {
    /// Its name, or its stones where it has none.
    pub(super) name: String,
    pub(super) white: [Cell; 2],
    pub(super) root: Position,
}

/// A rectangle of cells.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) struct Region {
    pub(super) low: Cell,
    pub(super) high: Cell,
}

impl Region {
    /// `5x5` around the centre, or two corners: `H8-L12`.
    pub(super) fn read(text: &str) -> anyhow::Result<Self> {
        let wrong =
            || format!("`{text}` is no region, expected 5x5, 7x7 or two cells such as H8-L12");
        let region = if let Some((low, high)) = text.split_once('-') {
            let cell = |text: &str| {
                text.trim()
                    .parse::<Cell>()
                    .map_err(|error| anyhow!(error.to_string()))
            };
            let (a, b) = (
                cell(low).with_context(wrong)?,
                cell(high).with_context(wrong)?,
            );
            Self {
                low: Cell::new(a.x.min(b.x), a.y.min(b.y)),
                high: Cell::new(a.x.max(b.x), a.y.max(b.y)),
            }
        } else {
            let (width, height) = text.split_once(['x', 'X']).with_context(wrong)?;
            let half = |text: &str| -> anyhow::Result<i16> {
                let size: i16 = text.trim().parse().with_context(wrong)?;
                if size % 2 == 0 || !(3..=19).contains(&size) {
                    bail!("{}: a side must be odd, from 3 to 19", wrong());
                }
                Ok(size / 2)
            };
            let (x, y) = (half(width)?, half(height)?);
            let centre = names::CENTRE;
            Self {
                low: Cell::new(centre.x - x, centre.y - y),
                high: Cell::new(centre.x + x, centre.y + y),
            }
        };
        if !names::RULES.contains(region.low) || !names::RULES.contains(region.high) {
            bail!("{}: it must lie on the board", wrong());
        }
        Ok(region)
    }

    fn cells(self) -> Vec<Cell> {
        let rows = move |x| (self.low.y..=self.high.y).map(move |y| Cell::new(x, y));
        (self.low.x..=self.high.x).flat_map(rows).collect()
    }

    /// All turns with both stones here, one of each class.
    pub(super) fn classes(self) -> Vec<Class> {
        let cells = self.cells();
        let mut seen = HashSet::new();
        let mut classes = Vec::new();
        for (index, &first) in cells.iter().enumerate() {
            for &second in &cells[index + 1..] {
                let Some(class) = Class::of([first, second]) else {
                    continue;
                };
                if seen.insert(position_key(&class.root).0) {
                    classes.push(class);
                }
            }
        }
        classes.sort_by(|a, b| a.name.cmp(&b.name));
        classes
    }
}

impl Class {
    fn of(white: [Cell; 2]) -> Option<Self> {
        // Turned as its name has it, so that everybody sees the same.
        let named = names::named(white);
        let white = named.as_ref().map_or(white, |named| named.white);
        let root = Position::replay(names::RULES, &[names::CENTRE, white[0], white[1]]).ok()?;
        let name = named.map_or_else(|| format!("{} {}", white[0], white[1]), |named| named.name);
        Some(Self { name, white, root })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_central_squares_have_so_many_classes() {
        for (region, count) in [("3x3", 6), ("5x5", 44), ("H8-L12", 44), ("L12-H8", 44)] {
            let classes = Region::read(region).expect("a region").classes();
            assert_eq!(classes.len(), count, "{region}");
            assert!(classes.iter().all(|class| class.root.left() == 2));
        }
        let named = Region::read("5x5").expect("a region").classes();
        assert!(named.iter().any(|class| class.name == "TX-d21"));
    }

    #[test]
    fn other_words_are_no_regions() {
        for wrong in ["", "4x4", "5", "5xfive", "21x21", "J10-", "J10-Z99", "1x1"] {
            assert!(Region::read(wrong).is_err(), "{wrong}");
        }
    }
}
