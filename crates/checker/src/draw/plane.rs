//! Copies of the boards fill the plane without overlap or gap, and every K cells in a row contain a
//! whole line of one copy.

use std::collections::HashMap;

use super::text::{Certificate, Point};
use crate::verdict::{Budget, Reason, Stop};

/// The four directions of lines.
const DIRECTIONS: [Point; 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Cells in a period of the tiling; more are not needed and would take long.
const MOST_CLASSES: i64 = 100_000;

/// Multiples of the two vectors of the lattice.
struct Lattice {
    first: (i64, i64),
    second: (i64, i64),
    area: i64,
}

impl Lattice {
    fn of(certificate: &Certificate) -> Self {
        let [a, b] = certificate
            .lattice
            .map(|(x, y)| (i64::from(x), i64::from(y)));
        Self {
            first: a,
            second: b,
            area: a.0 * b.1 - a.1 * b.0,
        }
    }

    /// A point as s·first + t·second, with s and t times the area: the class of the point modulo the
    /// lattice, and the whole parts, which say how far it is away from its representative.
    fn split(&self, (x, y): Point) -> ((i64, i64), (i64, i64)) {
        let (x, y) = (i64::from(x), i64::from(y));
        let sign = self.area.signum();
        let area = self.area * sign;
        let s = sign * (x * self.second.1 - y * self.second.0);
        let t = sign * (y * self.first.0 - x * self.first.1);
        (
            (s.rem_euclid(area), t.rem_euclid(area)),
            (s.div_euclid(area), t.div_euclid(area)),
        )
    }
}

/// The tile and the image that a class of points belongs to, and the cell of the tile.
type Home = (usize, usize, usize);

/// For each class of points its home, and how far that is away from the representative.
type Homes = HashMap<(i64, i64), (Home, (i64, i64))>;

fn homes(certificate: &Certificate, lattice: &Lattice) -> Homes {
    let mut homes = Homes::new();
    for (t, tile) in certificate.tiles.iter().enumerate() {
        for (i, image) in tile.images.iter().enumerate() {
            for (c, &cell) in tile.cells.iter().enumerate() {
                let (class, away) = lattice.split(image.of(cell));
                homes.insert(class, ((t, i, c), away));
            }
        }
    }
    homes
}

/// Every point of the plane is in exactly one copy.
pub(super) fn check_plane(certificate: &Certificate) -> Result<(), Reason> {
    let lattice = Lattice::of(certificate);
    let area = lattice.area.abs();
    if area == 0 || area > MOST_CLASSES {
        return Err(Reason::general(format!(
            "the lattice has {area} cells in a period, expected 1 to {MOST_CLASSES}"
        )));
    }
    let copies: usize = certificate
        .tiles
        .iter()
        .map(|tile| tile.cells.len() * tile.images.len())
        .sum();
    let covered = homes(certificate, &lattice).len();
    // As many classes as the lattice has, each met once.
    if covered as i64 != area || copies as i64 != area {
        return Err(Reason::general(format!(
            "the images have {copies} cells and cover {covered} of the {area} in a period of the \
             lattice: the plane is not filled without overlap or gap"
        )));
    }
    Ok(())
}

/// Every K cells in a row contain a whole line of one copy.
pub(super) fn check_windows(certificate: &Certificate, budget: &mut Budget) -> Result<(), Stop> {
    let lattice = Lattice::of(certificate);
    let homes = homes(certificate, &lattice);
    for tile in &certificate.tiles {
        for image in &tile.images {
            for &cell in &tile.cells {
                for direction in DIRECTIONS {
                    budget.tick()?;
                    let start = image.of(cell);
                    if !has_line(certificate, &lattice, &homes, start, direction) {
                        return Err(Stop::Rejected(Reason::general(format!(
                            "the {} cells from ({},{}) in direction ({},{}) contain no line",
                            certificate.line, start.0, start.1, direction.0, direction.1
                        ))));
                    }
                }
            }
        }
    }
    Ok(())
}

fn has_line(
    certificate: &Certificate,
    lattice: &Lattice,
    homes: &Homes,
    start: Point,
    direction: Point,
) -> bool {
    // The cells of each copy that the window meets; a copy is a tile, an image and a translation.
    let mut met: HashMap<(usize, usize, (i64, i64)), u128> = HashMap::new();
    for step in 0..certificate.line as i32 {
        let point = (start.0 + step * direction.0, start.1 + step * direction.1);
        let (class, away) = lattice.split(point);
        let Some(&((tile, image, cell), home)) = homes.get(&class) else {
            return false;
        };
        let translation = (away.0 - home.0, away.1 - home.1);
        *met.entry((tile, image, translation)).or_default() |= 1 << cell;
    }
    met.iter().any(|((tile, _, _), cells)| {
        certificate.tiles[*tile]
            .lines
            .iter()
            .any(|line| line & !cells == 0)
    })
}
