//! What a verification comes to in numbers: how many replies are left to be answered.

use tengen_prover::Verification;
use tengen_rules::{Cell, Position, Side, Turn, position_key};
use tengen_threats::LineBoard;

use crate::{Expansion, Found, Numbers, Verdict};

/// When a verification loses patience, so many of the replies it has not looked at count as one survivor.
const PER_SURVIVOR: u32 = 10;
/// The same where there are thousands, early in a game.
const PER_SURVIVOR_OF_MANY: u32 = 150;
/// See `PER_SURVIVOR_OF_MANY`.
const FEW_EARLY: u32 = 40;
/// So many places further down the list a turn is thought to leave twice as many.
const PLACES: u32 = 100;
/// And what it found counts so much more, for what it would have found.
const UNFINISHED: u32 = 2;
/// What counts more than a reply: a survivor of one stone stands for all replies with it, and one that answers a threat
/// leaves the attacker where he was, with a threat less. Lines of threats before the quiet turn look cheap otherwise.
const PER_PART: u32 = 30;
/// See `PER_PART`.
const PER_FORCED: u32 = 3;
/// What a turn without a null-turn win is thought to leave open.
pub(super) const HOPELESS: u32 = 100_000;

/// A surviving reply, after which the attacker is to move.
pub(super) fn reply(
    position: &Position,
    stones: &[Cell],
    attacker: Side,
    weight: u32,
) -> Option<Found> {
    let turn: Turn = stones.iter().copied().collect();
    let mut after = position.clone();
    after.play(&turn).ok()?;
    Some(Found {
        turn,
        key: position_key(&after).0,
        verdict: verdict_of(attacker, 8),
        after: Some(Box::new(Expansion::estimated(missing(attacker, weight)))),
    })
}

/// What a reply counts where the defender is to move.
pub(super) fn weight_of_replies(position: &Position) -> u32 {
    let attacker = !position.to_move();
    let threatened = LineBoard::from_position(position).has_threat(attacker);
    if threatened { PER_FORCED } else { 1 }
}

/// Numbers of a position in which so many replies are left to be answered.
pub(super) fn missing(attacker: Side, survivors: u32) -> Numbers {
    let survivors = survivors.max(1);
    match attacker {
        Side::Black => Numbers::new(survivors, 1),
        Side::White => Numbers::new(1, survivors),
    }
}

/// How many replies survive, as far as a verification can tell.
pub(super) fn survivors_of(position: &Position, checked: &Verification) -> u32 {
    let whole = usize::from(position.left());
    let count = |sets: &[Vec<Cell>]| -> u32 {
        let each = sets
            .iter()
            .map(|stones| if stones.len() < whole { PER_PART } else { 1 });
        each.sum()
    };
    if checked.survivors.iter().any(Vec::is_empty) {
        return HOPELESS;
    }
    let survivors = if checked.finished {
        count(&checked.survivors)
    } else {
        let left = checked.survivors.len() as u32;
        (UNFINISHED * count(&checked.resisted)).max(left / PER_SURVIVOR)
    };
    survivors * weight_of_replies(position)
}

/// How many replies survive the attacker's second turn, which came at this place of the list, if its verification has lost patience. Of
/// hundreds that nobody has looked at a tenth survives, of thousands about a hundredth; and the best turns come early.
pub(super) fn survivors_early(checked: &Verification, place: usize) -> u32 {
    let left = checked.survivors.len() as u32;
    let survivors = (left / PER_SURVIVOR).min(FEW_EARLY + left / PER_SURVIVOR_OF_MANY);
    let place = u32::try_from(place).unwrap_or(u32::MAX);
    survivors + survivors.saturating_mul(place) / PLACES
}

/// The verdict of a position in which so many replies to the attacker's turn survive.
pub(super) fn verdict_of(attacker: Side, survivors: u32) -> Verdict {
    let verdict = match survivors {
        0..=2 => Verdict::B4,
        3..=6 => Verdict::B3,
        7..=15 => Verdict::B2,
        16..=40 => Verdict::B1,
        41..=100 => Verdict::Unstable2,
        101..HOPELESS => Verdict::Unstable1,
        _ => Verdict::Stable,
    };
    match attacker {
        Side::Black => verdict,
        Side::White => verdict.mirrored(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn of_thousands_of_replies_a_smaller_part_survives_and_late_turns_leave_more() {
        let left = |count: i16| Verification {
            survivors: (0..count).map(|x| vec![Cell::new(x, 0)]).collect(),
            resisted: Vec::new(),
            finished: false,
            proof: None,
            zones: None,
            searches: 0,
            replays: 0,
            replies: 0,
            nodes: 0,
            time: Duration::ZERO,
        };
        let counted = [160, 700, 5_000, 8_000].map(|count| survivors_early(&left(count), 0));
        assert_eq!(counted, [16, 44, 73, 93]);
        assert_eq!(survivors_early(&left(5_000), 100), 146);
    }
}
