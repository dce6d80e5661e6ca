//! What was played in a position, under symmetry.
//!
//! The database has each turn as the canonical image of its position has it. A position with symmetries of its own
//! has several ways to its canonical image, so the same turn may be there in several forms: they are put together
//! here, and turned back to the position asked for.

use std::collections::HashMap;

use rusqlite::Connection;
use tengen_rules::{Canonical, Cell, Extent, Position, Setup, Side, Symmetry, Turn};

use super::opinions;
use crate::api::{Certainty, Explored, ExploredTurn};
use crate::database::games;
use crate::error::Failure;
use tengen_rules::position_key;

/// How often, and who won.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Tally {
    games: u32,
    black: u32,
    white: u32,
}

impl Tally {
    const fn add(&mut self, games: u32, winner: Option<Side>) {
        self.games += games;
        match winner {
            Some(Side::Black) => self.black += games,
            Some(Side::White) => self.white += games,
            None => {}
        }
    }

    const fn others(self) -> u32 {
        self.games - self.black - self.white
    }
}

/// What was played in a position, and what is known of the positions after it.
pub(crate) fn explore(
    connection: &Connection,
    position: &Position,
    collection: Option<u32>,
) -> Result<Explored, Failure> {
    let (key, canonical) = position_key(position);
    let symmetries = OwnSymmetries::of(&canonical.setup);
    let mut all = Tally::default();
    let mut turns: HashMap<Turn, Tally> = HashMap::new();
    for continued in games::continued(connection, key, collection)? {
        all.add(continued.games, continued.winner);
        if let Some(next) = continued.next {
            let tally = turns.entry(symmetries.least(&next)).or_default();
            tally.add(continued.games, continued.winner);
        }
    }
    for turn in opinions::known_turns(connection, position, key, &canonical)? {
        turns.entry(symmetries.least(&turn)).or_default();
    }
    let mut explored = Vec::new();
    for (turn, tally) in turns {
        let turn = turn.cells().iter().map(|&cell| canonical.map_back(cell));
        explored.extend(explored_turn(connection, position, turn.collect(), tally)?);
    }
    let proved = |turn: &ExploredTurn| {
        let opinion = turn.opinion.as_ref();
        opinion.is_some_and(|opinion| opinion.certainty == Certainty::Proved)
    };
    explored.sort_by_cached_key(|turn| (!turn.games, !proved(turn), turn.turn.clone()));
    Ok(Explored {
        games: all.games,
        black: all.black,
        white: all.white,
        others: all.others(),
        opening: tengen_book::names::name_of(position),
        turns: explored,
    })
}

/// Nothing where the turn was never played and nothing is known of it.
fn explored_turn(
    connection: &Connection,
    position: &Position,
    turn: Turn,
    tally: Tally,
) -> Result<Option<ExploredTurn>, Failure> {
    let mut after = position.clone();
    if after.play(&turn).is_err() {
        // Only another position with the same key could lead here.
        return Ok(None);
    }
    let opinion = opinions::of(connection, &after)?;
    let worth = tally.games > 0 || opinion.is_some();
    Ok(worth.then(|| ExploredTurn {
        turn: turn.cells().iter().map(Cell::to_string).collect(),
        games: tally.games,
        black: tally.black,
        white: tally.white,
        others: tally.others(),
        opinion,
    }))
}

/// The symmetries that leave a canonical image as it is.
struct OwnSymmetries {
    setup: Setup,
    /// Each with the translation after it.
    all: Vec<(Symmetry, (i16, i16))>,
}

impl OwnSymmetries {
    fn of(canonical: &Setup) -> Self {
        let candidates = Symmetry::all(canonical.rules).map(|symmetry| {
            let image = symmetry.apply_to_setup(canonical);
            let stones = image.stones().map(|stone| stone.cell);
            (symmetry, to_corner(&image, stones), image)
        });
        let same = candidates.filter(|(_, shift, image)| {
            let equal = |from: &[Cell], to: &[Cell]| {
                from.iter()
                    .map(|&cell| moved(cell, *shift))
                    .eq(to.iter().copied())
            };
            equal(&image.black, &canonical.black) && equal(&image.white, &canonical.white)
        });
        Self {
            all: same.map(|(symmetry, shift, _)| (symmetry, shift)).collect(),
            setup: canonical.clone(),
        }
    }

    /// The least of a turn's images: the same for turns that are the same up to symmetry.
    fn least(&self, turn: &Turn) -> Turn {
        let images = self.all.iter().map(|&(symmetry, shift)| {
            let cells = turn
                .cells()
                .iter()
                .map(|&cell| symmetry.apply(self.setup.rules, cell));
            let cells: Vec<Cell> = cells.collect();
            // On an empty infinite board every translation is a symmetry.
            let shift = if self.setup.stones().next().is_none() {
                to_corner(&self.setup, cells.iter().copied())
            } else {
                shift
            };
            cells
                .into_iter()
                .map(|cell| moved(cell, shift))
                .collect::<Turn>()
        });
        images.min().expect("the identity is always there")
    }
}

/// The translation that takes cells of an infinite board to its corner A1; none on a finite one.
fn to_corner(setup: &Setup, cells: impl Iterator<Item = Cell>) -> (i16, i16) {
    if setup.rules.extent() != Extent::Infinite {
        return (0, 0);
    }
    let least = cells.reduce(|a, b| Cell::new(a.x.min(b.x), a.y.min(b.y)));
    least.map_or((0, 0), |cell| (-cell.x, -cell.y))
}

const fn moved(cell: Cell, (x, y): (i16, i16)) -> Cell {
    Cell::new(cell.x + x, cell.y + y)
}

/// Whether two positions are the same up to symmetry, compared stone by stone.
pub(crate) fn same(canonical: &Canonical, other: &Position) -> bool {
    let other = Canonical::of(other).setup;
    canonical.setup == other
}
