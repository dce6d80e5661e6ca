//! Where else a position is: in studies, proofs and games.

use rusqlite::{Connection, OptionalExtension as _, named_params, params};
use tengen_rules::{Cell, PlaceError, Position, Rules, Turn, notation};

use super::explore::same;
use super::stored_position;
use crate::api::{Place, PlaceKind};
use crate::database::games;
use crate::error::Failure;
use tengen_rules::position_key;

/// Places of each kind that are listed.
const MOST_NODES: u32 = 50;
const MOST_PROOFS: u32 = 20;
const MOST_GAMES: u32 = 20;

/// The node one looks from: its study and number.
type From = (Option<u32>, Option<u32>);

/// Other places with the same position: nodes of studies (the study one looks from first), proofs, games (the newest
/// first).
pub(crate) fn places(
    connection: &Connection,
    position: &Position,
    from: From,
) -> Result<Vec<Place>, Failure> {
    let mut places = in_studies(connection, position, from)?;
    places.extend(in_proofs(connection, position)?);
    places.extend(in_games(connection, position)?);
    Ok(places)
}

fn in_studies(
    connection: &Connection,
    position: &Position,
    (study, node): From,
) -> Result<Vec<Place>, Failure> {
    let (key, canonical) = position_key(position);
    let mut statement = connection.prepare_cached(
        "SELECT n.study, n.id, s.title, n.name FROM nodes n JOIN studies s ON s.id = n.study
         WHERE n.key = :key AND NOT (n.study IS :study AND n.id IS :node)
         ORDER BY n.study IS NOT :study, s.updated DESC, n.study, n.id LIMIT :most",
    )?;
    let mut rows = statement.query(
        named_params! { ":key": key, ":study": study, ":node": node, ":most": MOST_NODES },
    )?;
    let mut places = Vec::new();
    while let Some(row) = rows.next()? {
        let (id, at) = (row.get(0)?, row.get(1)?);
        let there = node_position(connection, id, at)?;
        if let Some(there) = there.filter(|there| same(&canonical, there)) {
            places.push(Place {
                kind: PlaceKind::Study,
                id,
                at,
                title: row.get(2)?,
                note: row.get(3)?,
                turned: there != *position,
            });
        }
    }
    Ok(places)
}

fn in_proofs(connection: &Connection, position: &Position) -> Result<Vec<Place>, Failure> {
    let (key, canonical) = position_key(position);
    let mut statement = connection.prepare_cached(
        "SELECT id, title, rules, position, state FROM proofs WHERE key = ? ORDER BY id DESC LIMIT ?",
    )?;
    let mut rows = statement.query(params![key, MOST_PROOFS])?;
    let mut places = Vec::new();
    while let Some(row) = rows.next()? {
        let texts: [String; 2] = [row.get(2)?, row.get(3)?];
        let there = stored_position(&texts[0], &texts[1]);
        if let Some(there) = there.filter(|there| same(&canonical, there)) {
            places.push(Place {
                kind: PlaceKind::Proof,
                id: row.get(0)?,
                at: 0,
                title: row.get(1)?,
                note: row.get(4)?,
                turned: there != *position,
            });
        }
    }
    Ok(places)
}

fn in_games(connection: &Connection, position: &Position) -> Result<Vec<Place>, Failure> {
    let (key, canonical) = position_key(position);
    let mut places = Vec::new();
    for (game, turn) in games::with_position(connection, key, MOST_GAMES)? {
        let there = after_turns(&game.rules, &game.moves, turn);
        if let Some(there) = there.filter(|there| same(&canonical, there)) {
            places.push(Place {
                kind: PlaceKind::Game,
                id: game.id,
                at: turn,
                title: title_of(&game.info),
                note: game.info.date,
                turned: there != *position,
            });
        }
    }
    Ok(places)
}

fn title_of(info: &crate::api::GameInfo) -> String {
    let name = |text: &str| {
        if text.is_empty() {
            "?".to_owned()
        } else {
            text.to_owned()
        }
    };
    if !info.black.is_empty() || !info.white.is_empty() {
        format!("{} – {}", name(&info.black), name(&info.white))
    } else if info.event.is_empty() {
        info.source.clone()
    } else {
        info.event.clone()
    }
}

/// The position of a game after so many turns.
fn after_turns(rules: &str, moves: &str, turns: u32) -> Option<Position> {
    let rules: Rules = rules.parse().ok()?;
    let cells = notation::parse_moves(moves, rules).ok()?;
    let stones = match turns {
        0 => 0,
        _ => usize::from(rules.first_turn()) + (turns as usize - 1) * usize::from(rules.per_turn()),
    };
    Position::replay(rules, &cells[..stones.min(cells.len())]).ok()
}

/// The position of a study's node; nothing if it cannot be played.
pub(crate) fn node_position(
    connection: &Connection,
    study: u32,
    node: u32,
) -> Result<Option<Position>, Failure> {
    let mut statement =
        connection.prepare_cached("SELECT rules, start FROM studies WHERE id = ?")?;
    let start: Option<(String, String)> = statement
        .query_row([study], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let start = start.and_then(|(rules, start)| stored_position(&rules, &start));
    let Some(mut position) = start else {
        return Ok(None);
    };
    // `UNION` keeps rows once, so this ends whatever a broken database has.
    let mut statement = connection.prepare_cached(
        "WITH RECURSIVE up (id, parent, turn) AS (
             SELECT id, parent, turn FROM nodes WHERE study = :study AND id = :node
             UNION
             SELECT n.id, n.parent, n.turn FROM up JOIN nodes n ON n.study = :study AND n.id = up.parent
         )
         SELECT turn FROM up",
    )?;
    let turns = statement.query_map(named_params! { ":study": study, ":node": node }, |row| {
        row.get::<_, String>(0)
    })?;
    let turns: Vec<String> = turns.collect::<Result<_, _>>()?;
    let played = turns
        .iter()
        .rev()
        // The root has no turn.
        .skip(1)
        .all(|turn| play(&mut position, turn).is_some());
    Ok(played.then_some(position))
}

/// Plays a turn or a part of one, or a pass; stones that follow a win in the same turn are left out.
fn play(position: &mut Position, turn: &str) -> Option<()> {
    if turn.is_empty() {
        position.pass();
        return Some(());
    }
    let turn: Turn = turn.parse().ok()?;
    let cells: &[Cell] = turn.cells();
    for &cell in cells {
        match position.place(cell) {
            Ok(()) | Err(PlaceError::GameOver { .. }) => {}
            Err(_) => return None,
        }
    }
    Some(())
}
