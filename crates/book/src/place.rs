//! Where a position and its turns are in the book: up to symmetry, in the orientation of the least image.

use rusqlite::{Connection, OptionalExtension as _, params};
use tengen_rules::{
    Canonical, Cell, Extent, Position, PositionKey, Rules, Setup, Symmetry, Turn, notation,
    position_key,
};

use crate::{Error, Result, fields};

/// The number of a position in one file.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PositionId(pub i64);

/// The position that a text describes under rules that have a name: a set-up or moves.
pub fn start(rules: &str, text: &str) -> Result<Position> {
    fields::position(rules, text)
}

/// A position as the book keeps it.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) key: PositionKey,
    pub(crate) canonical: Canonical,
}

impl Place {
    pub(crate) fn of(position: &Position) -> Self {
        let (key, canonical) = position_key(position);
        Self { key, canonical }
    }

    pub(crate) const fn rules(&self) -> Rules {
        self.canonical.setup.rules
    }

    /// The stored image as text.
    pub(crate) fn setup(&self) -> String {
        notation::setup_text(&self.canonical.setup)
    }

    /// The turn as it is stored: of those that a symmetry of the position exchanges the least one.
    pub(crate) fn turn(&self, turn: &Turn) -> Turn {
        let image: Turn = turn
            .cells()
            .iter()
            .map(|&c| self.canonical.map(c))
            .collect();
        let setup = &self.canonical.setup;
        let images = symmetries(setup).map(|(symmetry, shift)| -> Turn {
            let moved = |&cell: &Cell| shifted(symmetry.apply(setup.rules, cell), shift);
            image.cells().iter().map(moved).collect()
        });
        let images = images.map(|turn| {
            // An empty infinite board looks the same from everywhere.
            if setup.stones().next().is_none() && setup.rules.extent() == Extent::Infinite {
                to_corner(&turn)
            } else {
                turn
            }
        });
        images.min().unwrap_or(image)
    }

    /// The images of a stored turn in the orientation of the position: several if a symmetry maps the position to itself.
    fn turns_back(&self, stored: &Turn) -> impl Iterator<Item = Turn> {
        let setup = &self.canonical.setup;
        symmetries(setup).map(move |(symmetry, shift)| {
            let image = |&cell: &Cell| shifted(symmetry.apply(setup.rules, cell), shift);
            let back = |cell: &Cell| self.canonical.map_back(image(cell));
            stored.cells().iter().map(back).collect()
        })
    }

    /// A stored turn in the orientation of the position. Of several images it is `preferred`, if that is one of them,
    /// else the one furthest right, then furthest down, as in the names of openings.
    pub(crate) fn turn_back(&self, stored: &Turn, preferred: Option<&Turn>) -> Turn {
        let mut images: Vec<Turn> = self.turns_back(stored).collect();
        if let Some(preferred) = preferred.filter(|turn| images.contains(turn)) {
            return preferred.clone();
        }
        images.sort_by_cached_key(|turn| {
            let sum = |pick: fn(&Cell) -> i16| -> i32 {
                turn.cells().iter().map(|cell| i32::from(pick(cell))).sum()
            };
            (-sum(|cell| cell.x), sum(|cell| cell.y), turn.clone())
        });
        // The identity is always among the symmetries.
        images.into_iter().next().unwrap_or_default()
    }

    /// Its number, if the book has it.
    pub(crate) fn find(&self, connection: &Connection) -> Result<Option<PositionId>> {
        let mut query = connection
            .prepare_cached("SELECT id FROM positions WHERE key = ? AND rules = ? AND setup = ?")?;
        let about = params![self.key, self.rules().to_string(), self.setup()];
        Ok(query
            .query_row(about, |row| row.get(0).map(PositionId))
            .optional()?)
    }

    /// Its number; the book has it afterwards.
    pub(crate) fn put(&self, connection: &Connection) -> Result<PositionId> {
        if let Some(known) = self.find(connection)? {
            return Ok(known);
        }
        connection
            .prepare_cached("INSERT INTO positions (key, rules, setup) VALUES (?, ?, ?)")?
            .execute(params![self.key, self.rules().to_string(), self.setup()])?;
        Ok(PositionId(connection.last_insert_rowid()))
    }
}

/// The position that the book has under this number, in the stored orientation.
pub(crate) fn stored(connection: &Connection, id: PositionId) -> Result<Position> {
    let mut query = connection.prepare_cached("SELECT rules, setup FROM positions WHERE id = ?")?;
    let (rules, setup): (String, String) =
        query.query_row([id.0], |row| Ok((row.get(0)?, row.get(1)?)))?;
    parsed(&rules, &setup)
}

/// A stored text as the position it must be.
pub(crate) fn parsed(rules: &str, setup: &str) -> Result<Position> {
    fields::position(rules, setup).map_err(|error| Error::Damaged(error.to_string()))
}

/// A stored turn.
pub(crate) fn parsed_turn(text: &str) -> Result<Turn> {
    text.parse()
        .map_err(|error: tengen_rules::ParseCellError| Error::Damaged(error.to_string()))
}

/// The symmetries, and on an infinite board the translations after them, that map a canonical set-up to itself. Its
/// stones are sorted.
fn symmetries(setup: &Setup) -> impl Iterator<Item = (Symmetry, (i16, i16))> + '_ {
    let infinite = setup.rules.extent() == Extent::Infinite;
    Symmetry::all(setup.rules).filter_map(move |symmetry| {
        let image = |&cell: &Cell| symmetry.apply(setup.rules, cell);
        let shift = if infinite {
            // The canonical image begins at A1.
            let low = |pick: fn(Cell) -> i16| {
                let stones = setup.black.iter().chain(&setup.white);
                stones.map(|cell| pick(image(cell))).min().unwrap_or(0)
            };
            (-low(|cell| cell.x), -low(|cell| cell.y))
        } else {
            (0, 0)
        };
        // As many stones before as after: all of them on stones is enough.
        let same = |cells: &[Cell]| {
            let stays = |cell: &Cell| cells.binary_search(&shifted(image(cell), shift)).is_ok();
            cells.iter().all(stays)
        };
        (same(&setup.black) && same(&setup.white)).then_some((symmetry, shift))
    })
}

fn to_corner(turn: &Turn) -> Turn {
    let low = |pick: fn(&Cell) -> i16| turn.cells().iter().map(pick).min().unwrap_or(0);
    let shift = (-low(|cell| cell.x), -low(|cell| cell.y));
    turn.cells().iter().map(|&c| shifted(c, shift)).collect()
}

const fn shifted(cell: Cell, (x, y): (i16, i16)) -> Cell {
    Cell::new(cell.x + x, cell.y + y)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(rules: &str, text: &str) -> Place {
        Place::of(&start(rules, text).expect("legal"))
    }

    fn turn(text: &str) -> Turn {
        text.parse().expect("cells")
    }

    #[test]
    fn turns_of_a_symmetric_position_are_one_class() {
        // One stone in the centre: all eight images of a turn are the same.
        let place = place("connect6", "J10");
        let stored = place.turn(&turn("I8 H9"));
        for other in ["K12 L11", "H11 I12", "L9 K8"] {
            assert_eq!(place.turn(&turn(other)), stored, "{other}");
        }
        assert_ne!(place.turn(&turn("I8 H8")), stored);
    }

    #[test]
    fn turns_come_back_in_the_positions_own_orientation() {
        for text in ["J10 I8 H8", "J10 K12 L12", "J10 H11 H12"] {
            let place = place("connect6", text);
            let played = turn("K3 B7");
            assert_eq!(
                place.turn_back(&place.turn(&played), None),
                played,
                "{text}"
            );
        }
        let first = place("connect6", "J10 I8 H9").turn(&turn("K11 L10"));
        let turned = place("connect6", "J10 K12 L11").turn(&turn("I9 H10"));
        assert_eq!(first, turned, "both turned by half a circle");
    }

    #[test]
    fn of_mirrored_turns_the_one_further_right_is_shown() {
        let place = place("connect6", "J10 I8 H9");
        for played in ["K11 L10", "J12 K11"] {
            let stored = place.turn(&turn(played));
            assert_eq!(place.turn_back(&stored, None), turn("K11 L10"));
            let wanted = turn("J12 K11");
            assert_eq!(place.turn_back(&stored, Some(&wanted)), wanted);
        }
    }

    #[test]
    fn infinite_boards_have_no_places() {
        let empty = place("inf,inf,6,2,1", "-");
        assert_eq!(empty.turn(&turn("J10")), empty.turn(&turn("C3")));
        let one = place("inf,inf,6,2,1", "J10");
        let other = place("inf,inf,6,2,1", "C3");
        assert_eq!(one.turn(&turn("K11 J12")), other.turn(&turn("B4 C5")));
        assert_eq!(one.turn_back(&one.turn(&turn("K11 L12")), None).len(), 2);
    }
}
