//! What proofs and studies say of a position.
//!
//! A win is called proved only where the checker has verified a proof that is in the database: of this very
//! position, or, for a node of a study, the proof that the node's opinion names.

use rusqlite::{Connection, params};
use tengen_rules::{Canonical, Extent, Position, Setup, Side, Symmetry, Turn};

use super::explore::same;
use super::{places, stored_position};
use crate::api::{self, Certainty, Opinion};
use crate::database::games::side_named;
use crate::error::Failure;
use tengen_rules::{PositionKey, position_key};

/// Nodes of studies that are looked at for one position.
const MOST_NODES: u32 = 50;

/// What is known of a position; the surest.
pub(crate) fn of(connection: &Connection, position: &Position) -> Result<Option<Opinion>, Failure> {
    let (key, canonical) = position_key(position);
    if let Some(opinion) = proved(connection, key, &canonical)? {
        return Ok(Some(opinion));
    }
    let opinions = of_studies(connection, key, &canonical)?;
    Ok(opinions
        .into_iter()
        .min_by_key(|opinion| match opinion.certainty {
            Certainty::Proved => 0,
            Certainty::Likely => 1,
            Certainty::Even => 2,
            Certainty::Open => 3,
        }))
}

/// What is known of a position whose attacker wins by a verified proof.
pub(super) fn won(attacker: Side, turns: Option<u32>, proof: u32) -> Opinion {
    let (side, black) = match attacker {
        Side::Black => (api::Side::Black, 1.0),
        Side::White => (api::Side::White, 0.0),
    };
    Opinion {
        certainty: Certainty::Proved,
        side: Some(side),
        black,
        turns,
        grade: None,
        proof: Some(proof),
    }
}

fn proved(
    connection: &Connection,
    key: PositionKey,
    canonical: &Canonical,
) -> Result<Option<Opinion>, Failure> {
    let mut statement = connection.prepare_cached(
        "SELECT id, rules, position, attacker, turns FROM proofs
         WHERE key = ? AND state = 'verified' ORDER BY turns IS NULL, turns",
    )?;
    let mut rows = statement.query([key])?;
    while let Some(row) = rows.next()? {
        let texts: [String; 3] = [row.get(1)?, row.get(2)?, row.get(3)?];
        let start = stored_position(&texts[0], &texts[1]);
        let attacker = side_named(&texts[2]);
        if let (Some(start), Some(attacker)) = (start, attacker)
            && same(canonical, &start)
        {
            return Ok(Some(won(attacker, row.get(4)?, row.get(0)?)));
        }
    }
    Ok(None)
}

fn of_studies(
    connection: &Connection,
    key: PositionKey,
    canonical: &Canonical,
) -> Result<Vec<Opinion>, Failure> {
    let mut statement = connection.prepare_cached(
        "SELECT study, id, opinion FROM nodes WHERE key = ? AND opinion IS NOT NULL LIMIT ?",
    )?;
    let mut rows = statement.query(params![key, MOST_NODES])?;
    let mut opinions = Vec::new();
    while let Some(row) = rows.next()? {
        let text: String = row.get(2)?;
        let Ok(opinion) = serde_json::from_str::<Opinion>(&text) else {
            continue;
        };
        let Some(node) = places::node_position(connection, row.get(0)?, row.get(1)?)? else {
            continue;
        };
        if same(canonical, &node) && is_backed(connection, &opinion, &node)? {
            opinions.push(opinion);
        }
    }
    Ok(opinions)
}

/// Nodes are written by whoever edits a study: a win is proved only if a verified proof is there whose claim is
/// about this very position, or about one that the winner reaches with his next turn.
pub(crate) fn is_backed(
    connection: &Connection,
    opinion: &Opinion,
    here: &Position,
) -> Result<bool, Failure> {
    if opinion.certainty != Certainty::Proved {
        return Ok(true);
    }
    let rules = here.rules().to_string();
    let mut statement = connection.prepare_cached(
        "SELECT position, attacker FROM proofs WHERE id = ? AND rules = ? AND state = 'verified'",
    )?;
    let mut rows = statement.query(params![opinion.proof, rules])?;
    let Some(row) = rows.next()? else {
        return Ok(false);
    };
    let texts: [String; 2] = [row.get(0)?, row.get(1)?];
    let start = stored_position(&rules, &texts[0]);
    let (Some(start), Some(attacker)) = (start, side_named(&texts[1])) else {
        return Ok(false);
    };
    let (_, canonical) = position_key(here);
    let later = || here.to_move() == attacker && turn_to(&canonical, &start.to_setup()).is_some();
    Ok(opinion.side == Some(attacker.into()) && (same(&canonical, &start) || later()))
}

/// Turns that lead to positions of studies and proofs, as the canonical image has them.
pub(crate) fn known_turns(
    connection: &Connection,
    position: &Position,
    key: PositionKey,
    canonical: &Canonical,
) -> Result<Vec<Turn>, Failure> {
    let mut turns = turns_of_studies(connection, key, canonical)?;
    turns.extend(turns_of_proofs(connection, position, canonical)?);
    Ok(turns)
}

fn turns_of_studies(
    connection: &Connection,
    key: PositionKey,
    canonical: &Canonical,
) -> Result<Vec<Turn>, Failure> {
    let mut statement =
        connection.prepare_cached("SELECT study, id FROM nodes WHERE key = ? LIMIT ?")?;
    let mut children = connection.prepare_cached(
        "SELECT turn FROM nodes WHERE study = ? AND parent = ? AND opinion IS NOT NULL",
    )?;
    let mut rows = statement.query(params![key, MOST_NODES])?;
    let mut turns = Vec::new();
    while let Some(row) = rows.next()? {
        let (study, id): (u32, u32) = (row.get(0)?, row.get(1)?);
        let Some(node) = places::node_position(connection, study, id)? else {
            continue;
        };
        let image = Canonical::of(&node);
        if image.setup != canonical.setup {
            continue;
        }
        let texts = children.query_map([study, id], |row| row.get::<_, String>(0))?;
        for text in texts {
            let turn: Option<Turn> = text?.parse().ok();
            turns.extend(
                turn.map(|turn| turn.cells().iter().map(|&cell| image.map(cell)).collect()),
            );
        }
    }
    Ok(turns)
}

/// Verified proofs that start one turn later. Finite boards only: elsewhere the proof's place would have to be
/// searched too.
fn turns_of_proofs(
    connection: &Connection,
    position: &Position,
    canonical: &Canonical,
) -> Result<Vec<Turn>, Failure> {
    if position.rules().extent() == Extent::Infinite || position.outcome().is_some() {
        return Ok(Vec::new());
    }
    let stones = canonical.setup.stones().count() as u32 + u32::from(position.left());
    // A set-up has a comma less than stones for each side with stones: few rows are left to be compared.
    let mut statement = connection.prepare_cached(
        "SELECT position FROM proofs WHERE state = 'verified' AND rules = ?
         AND length(position) - length(replace(position, ',', '')) BETWEEN ? AND ?",
    )?;
    let rules = position.rules().to_string();
    let limits = params![rules, stones.saturating_sub(2), stones];
    let texts = statement.query_map(limits, |row| row.get::<_, String>(0))?;
    let mut turns = Vec::new();
    for text in texts {
        let after = stored_position(&rules, &text?);
        turns.extend(after.and_then(|after| turn_to(canonical, &after.to_setup())));
    }
    Ok(turns)
}

/// The whole turn that leads from a canonical image to some image of a position.
fn turn_to(from: &Canonical, to: &Setup) -> Option<Turn> {
    let from = &from.setup;
    if to.to_move == from.to_move || to.left.is_some() {
        return None;
    }
    let side = from.to_move;
    let left = usize::from(from.left.unwrap_or_else(|| from.whole_turn()));
    if to.stones_of(side).len() != from.stones_of(side).len() + left {
        return None;
    }
    Symmetry::all(from.rules).find_map(|symmetry| {
        let image = symmetry.apply_to_setup(to);
        let kept = |cell| from.stones_of(side).binary_search(cell).is_ok();
        let (old, new): (Vec<_>, Vec<_>) =
            image.stones_of(side).iter().partition(|&cell| kept(cell));
        let same = image.stones_of(!side) == from.stones_of(!side)
            && old.len() == from.stones_of(side).len();
        same.then(|| new.into_iter().collect())
    })
}
