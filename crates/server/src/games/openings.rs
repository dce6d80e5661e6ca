//! Openings of Connect6 as studies, games and proofs know them. Their names are the book's ([`tengen_book::names`]).

use std::collections::HashMap;

use rusqlite::Connection;
use tengen_book::names::{CENTRE, Named, RULES, named};
use tengen_rules::{Cell, Position, Side};

use super::explore::explore;
use super::{opinions, stored_position};
use crate::api::{Certainty, Opening, Opinion};
use crate::error::Failure;

/// The openings that were played, that studies have an opinion of, or that have verified proofs; the most frequent
/// first.
pub(crate) fn list(connection: &Connection) -> Result<Vec<Opening>, Failure> {
    let first = Position::replay(RULES, &[CENTRE]).expect("the board is empty");
    let mut openings: HashMap<String, Opening> = HashMap::new();
    for turn in explore(connection, &first, None)?.turns {
        let cells: Vec<Cell> = turn
            .turn
            .iter()
            .filter_map(|cell| cell.parse().ok())
            .collect();
        let Some(named) = <[Cell; 2]>::try_from(cells).ok().and_then(named) else {
            continue;
        };
        let opening = entry(&mut openings, &named);
        opening.games += turn.games;
        opening.black += turn.black;
        opening.white += turn.white;
        opening.opinion = turn.opinion;
    }
    for (named, opinion) in proved(connection)? {
        let opening = entry(&mut openings, &named);
        let known = opening.opinion.as_ref();
        if known.is_none_or(|known| known.certainty != Certainty::Proved) {
            opening.opinion = Some(opinion);
        }
    }
    let mut openings: Vec<Opening> = openings.into_values().collect();
    openings.sort_by(|a, b| (b.games, &a.name).cmp(&(a.games, &b.name)));
    Ok(openings)
}

fn entry<'a>(openings: &'a mut HashMap<String, Opening>, named: &Named) -> &'a mut Opening {
    openings
        .entry(named.name.clone())
        .or_insert_with(|| Opening {
            name: named.name.clone(),
            moves: named.moves(),
            games: 0,
            black: 0,
            white: 0,
            opinion: None,
        })
}

/// Openings that Black wins by a verified proof: of the opening itself, or of the position after a further turn of
/// Black's, who can play it. Short proofs first.
fn proved(connection: &Connection) -> Result<Vec<(Named, Opinion)>, Failure> {
    let mut statement = connection.prepare_cached(
        "SELECT id, position, turns FROM proofs
         WHERE state = 'verified' AND rules = ? AND attacker = 'black' ORDER BY turns IS NULL, turns",
    )?;
    let rows = statement.query_map([RULES.to_string()], |row| {
        Ok((
            row.get(0)?,
            row.get::<_, String>(1)?,
            row.get::<_, Option<u32>>(2)?,
        ))
    })?;
    let mut found = Vec::new();
    for row in rows {
        let (id, position, turns) = row?;
        let start = stored_position(&RULES.to_string(), &position);
        if let Some((white, further)) = start.and_then(|start| reached(&start))
            && let Some(named) = named(white)
        {
            let turns = turns.map(|turns| turns + further);
            found.push((named, opinions::won(Side::Black, turns, id)));
        }
    }
    Ok(found)
}

/// White's stones of the opening from which Black reaches this position, and in how many turns: none or one.
fn reached(position: &Position) -> Option<([Cell; 2], u32)> {
    let setup = position.to_setup();
    let white = <[Cell; 2]>::try_from(setup.white).ok()?;
    if setup.left.is_some() || !setup.black.contains(&CENTRE) {
        return None;
    }
    match (setup.black.len(), setup.to_move) {
        (1, Side::Black) => Some((white, 0)),
        (3, Side::White) => Some((white, 1)),
        _ => None,
    }
}
