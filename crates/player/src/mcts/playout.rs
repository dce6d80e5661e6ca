//! Playouts (section IV-B.8): complete a line, stop the opponent's, make as many threats as possible,
//! otherwise a good cell near other stones. Not deeper than a number of turns.

use tengen_rules::{Overline, Side};

use super::ctss::Ctss;
use super::field::{Cells, Field};

/// Plays on from the board as it stands, with `stones` to place by `side` and so many turns to go; says who
/// wins. The board is the same afterwards.
pub(super) fn playout(
    field: &mut Field,
    ctss: &mut Ctss<'_>,
    rng: &mut fastrand::Rng,
    (mut side, mut stones): (Side, u8),
    depth: u32,
) -> Option<Side> {
    let mut placed = 0;
    let mut winner = None;
    for _ in 0..depth {
        stones = field.room(stones);
        if stones == 0 {
            break;
        }
        if field.board.winning_set(side, stones).is_some() {
            winner = Some(side);
            break;
        }
        let defences = field.defences(!side, stones, &mut ctss.defences);
        if defences.as_ref().is_some_and(Vec::is_empty) {
            if field.empty() > usize::from(stones) {
                winner = Some(!side);
            }
            break;
        }
        let mut turn = chosen(field, ctss, rng, (side, stones), defences);
        field.play(side, &turn);
        while turn.len() < usize::from(stones) {
            let Some(cell) = field.random_cell(side, rng) else {
                break;
            };
            field.place(side, cell);
            turn.push(cell);
        }
        placed += turn.len();
        side = !side;
        stones = field.board.rules().per_turn();
    }
    field.undo(placed);
    winner
}

/// Stones that must or should be placed; the rest of the turn is free.
fn chosen(
    field: &Field,
    ctss: &mut Ctss<'_>,
    rng: &mut fastrand::Rng,
    (side, stones): (Side, u8),
    defences: Option<Vec<Cells>>,
) -> Cells {
    let per_turn = field.board.rules().per_turn();
    let exact = field.board.rules().overline() == Overline::DoesNotWin;
    // Pairs where overlines do not win are found too slowly for a playout.
    let mut threats = match exact && per_turn > 1 {
        true => Vec::new(),
        false => ctss.forcing_turns(field, side, stones, per_turn),
    };
    if !threats.is_empty() {
        return threats.swap_remove(rng.usize(..threats.len()));
    }
    match defences {
        Some(mut sets) => sets.swap_remove(rng.usize(..sets.len())),
        None => Cells::new(),
    }
}
