//! What a turn that somebody plays in a puzzle is worth, and the reply to it.

use tengen_rules::{Cell, Position, Turn};

use crate::attack::{Answer, Attack, LONGEST, Memory, Stones, suits};
use crate::quiet::Quiet;
use crate::second::{Judged, Second};

/// A turn, judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judgement {
    /// It completes a line, or makes more threats than one turn can answer.
    Decides,
    /// It wins within so many turns, this one included; the reply is the most stubborn.
    Wins {
        /// Attacker's turns.
        within: u8,
        /// The defender's stones.
        reply: Vec<Cell>,
    },
    /// The reply leaves no win of this order.
    Refuted {
        /// The defender's stones.
        reply: Vec<Cell>,
    },
    /// The defender completes a line first.
    LosesAtOnce {
        /// The stones that complete it.
        reply: Vec<Cell>,
    },
    /// It makes too few threats: the defender is not forced to do anything.
    NotForcing,
    /// A defence that leaves no win of this order.
    Holds,
    /// It could not be decided within the limit.
    Unknown,
}

/// A small table: one question is asked at a time.
const TABLE_BITS: u32 = 16;

fn stones(attack: &Attack<'_>, turn: &Turn) -> Option<Stones> {
    turn.into_iter()
        .map(|cell| attack.board.index(cell))
        .collect()
}

fn cells(attack: &Attack<'_>, stones: &[u16]) -> Vec<Cell> {
    stones.iter().map(|&cell| attack.board.cell(cell)).collect()
}

/// Judges a turn of the side to move, which attacks, with so many nodes. `None` if it cannot be played or the game
/// is none for puzzles.
pub fn judge(position: &Position, turn: &Turn, nodes: u64) -> Option<Judgement> {
    let mut after = position.clone();
    if !suits(position.rules()) || after.play(turn).is_err() {
        return None;
    }
    if after.outcome().is_some() {
        return Some(Judgement::Decides);
    }
    let mut memory = Memory::new(TABLE_BITS);
    let mut attack = Attack::new(position, &mut memory, nodes);
    let (attacker, defender) = (attack.attacker(), !attack.attacker());
    let placed = stones(&attack, turn)?;
    attack.place_all(attacker, &placed);
    if let Some(line) = attack
        .board
        .winning_set(defender, position.rules().per_turn())
    {
        return Some(Judgement::LosesAtOnce {
            reply: cells(&attack, &line),
        });
    }
    let Some(defences) = attack.defences() else {
        return Some(Judgement::NotForcing);
    };
    if defences.is_empty() {
        return Some(Judgement::Decides);
    }
    let mut stubborn: Option<(u8, Stones)> = None;
    for reply in defences {
        attack.place_all(defender, &reply);
        let within = attack.shortest(LONGEST);
        attack.undo_all(&reply);
        match within {
            Ok(Some(within)) if stubborn.as_ref().is_none_or(|(most, _)| within > *most) => {
                stubborn = Some((within, reply));
            }
            Ok(Some(_)) => {}
            Ok(None) => {
                return Some(Judgement::Refuted {
                    reply: cells(&attack, &reply),
                });
            }
            Err(_) => return Some(Judgement::Unknown),
        }
    }
    let (within, reply) = stubborn?;
    Some(Judgement::Wins {
        within: within + 1,
        reply: cells(&attack, &reply),
    })
}

/// The same for wins of order 2, in games with two stones a turn: [`Judgement::NotForcing`] is a turn without a threat.
pub fn judge_second(position: &Position, turn: &Turn, nodes: u64) -> Option<Judgement> {
    let mut after = position.clone();
    let rules = position.rules();
    if !suits(rules) || rules.per_turn() != 2 || after.play(turn).is_err() {
        return None;
    }
    if after.outcome().is_some() {
        return Some(Judgement::Decides);
    }
    let mut memory = Memory::new(TABLE_BITS);
    let attack = Attack::new(position, &mut memory, nodes);
    let placed = stones(&attack, turn)?;
    let mut second = Second::new(attack);
    let judged = second.judge(&placed);
    let cells = |stones: Stones| cells(&second.attack, &stones);
    Some(match judged {
        Judged::NoThreat => Judgement::NotForcing,
        Judged::Decides => Judgement::Decides,
        Judged::Wins { within, reply } => Judgement::Wins {
            within,
            reply: cells(reply),
        },
        Judged::Fails { reply } => {
            let mut replied = after;
            let line: Turn = cells(reply.clone()).into_iter().collect();
            let wins = replied.play(&line).is_ok() && replied.outcome().is_some();
            match wins {
                true => Judgement::LosesAtOnce {
                    reply: cells(reply),
                },
                false => Judgement::Refuted {
                    reply: cells(reply),
                },
            }
        }
        Judged::Unknown => Judgement::Unknown,
    })
}

/// The same for quiet wins, in games with two stones a turn: where double threats alone win, they must; else any turn may
/// be the one after which they do.
pub fn judge_quiet(position: &Position, turn: &Turn, nodes: u64) -> Option<Judgement> {
    let mut after = position.clone();
    let rules = position.rules();
    if !suits(rules) || rules.per_turn() != 2 || after.play(turn).is_err() {
        return None;
    }
    if after.outcome().is_some() {
        return Some(Judgement::Decides);
    }
    let mut memory = Memory::new(TABLE_BITS);
    let mut quiet = Quiet::new(Attack::new(position, &mut memory, nodes));
    match quiet.first_order() {
        Answer::Yes => return judge(position, turn, nodes),
        Answer::No => {}
        Answer::Unknown => return Some(Judgement::Unknown),
    }
    let placed = stones(&quiet.attack, turn)?;
    if let Some(reply) = quiet.refutation(&placed) {
        let reply = quiet.whole_after(&placed, &reply);
        let reply = cells(&quiet.attack, &reply);
        let line: Turn = reply.iter().copied().collect();
        let wins = after.play(&line).is_ok() && after.outcome().is_some();
        return Some(match wins {
            true => Judgement::LosesAtOnce { reply },
            false => Judgement::Refuted { reply },
        });
    }
    let Ok(Some(within)) = quiet.shortest_of_turn(&placed, LONGEST) else {
        return Some(Judgement::Unknown);
    };
    let stubborn = quiet.replies_that_hold(&placed, within - 2, 1);
    Some(
        match stubborn.ok().and_then(|replies| replies.into_iter().next()) {
            Some(reply) => Judgement::Wins {
                within,
                reply: cells(&quiet.attack, &reply),
            },
            None => Judgement::Unknown,
        },
    )
}

/// Judges a turn of the side to move, which defends, with so many nodes: [`Judgement::Holds`], or how it loses.
pub fn judge_defence(position: &Position, turn: &Turn, nodes: u64) -> Option<Judgement> {
    let mut after = position.clone();
    if !suits(position.rules()) || after.play(turn).is_err() {
        return None;
    }
    if after.outcome().is_some() {
        return Some(Judgement::Decides);
    }
    let mut memory = Memory::new(TABLE_BITS);
    let mut attack = Attack::new(&after, &mut memory, nodes);
    let side = attack.attacker();
    if let Some(line) = attack.board.winning_set(side, position.rules().per_turn()) {
        return Some(Judgement::LosesAtOnce {
            reply: cells(&attack, &line),
        });
    }
    let within = match attack.shortest(LONGEST) {
        Ok(Some(within)) => within,
        Ok(None) => return Some(Judgement::Holds),
        Err(_) => return Some(Judgement::Unknown),
    };
    let wins = |turn: &Stones, attack: &mut Attack<'_>| {
        attack.turn_wins_within(turn, within) == Answer::Yes
    };
    let turns = attack.first_turns();
    let reply = turns.into_iter().find(|turn| wins(turn, &mut attack))?;
    Some(Judgement::Refuted {
        reply: cells(&attack, &reply),
    })
}
