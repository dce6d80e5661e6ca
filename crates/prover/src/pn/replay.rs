//! Does a strategy that was found elsewhere win here too? Played through on this board, with every defence that this
//! board has, so that nothing need be known about where the boards differ.

use tengen_rules::Side;

use super::board::Board;
use super::cells::Cells;
use super::strategy::Step;

/// Whether the strategy wins for the attacker, who is to move, against every reply.
pub(crate) fn replays(board: &mut Board, attacker: Side, strategy: &[Step]) -> bool {
    turn(board, attacker, strategy, 0)
}

fn turn(board: &mut Board, attacker: Side, strategy: &[Step], at: usize) -> bool {
    let step = &strategy[at];
    if board.stone(step.stone).is_some() {
        return false;
    }
    if board.fives(attacker).contains(step.stone) {
        return true;
    }
    board.place(attacker, step.stone);
    let wins =
        board.fives(!attacker).is_empty() && every_reply_loses(board, attacker, strategy, at);
    board.undo();
    wins
}

fn every_reply_loses(board: &mut Board, attacker: Side, strategy: &[Step], at: usize) -> bool {
    let replies = &strategy[at].replies;
    let fives = *board.fives(attacker);
    if fives.len() > 1 {
        return true;
    }
    let answer = |cell| replies.iter().find(|(reply, _)| *reply == Some(cell));
    if let Some(five) = fives.first() {
        return answer(five).is_some_and(|&(_, child)| {
            board.place(!attacker, five);
            let wins = turn(board, attacker, strategy, child);
            board.undo();
            wins
        });
    }
    // What the attacker threatens if the reply does not matter: a double, and two cells that complete it.
    let Some(&(_, threat)) = replies.iter().find(|(reply, _)| reply.is_none()) else {
        return false;
    };
    let threat = &strategy[threat];
    if !board.doubles(attacker).contains(threat.stone) {
        return false;
    }
    board.place(attacker, threat.stone);
    let completing = *board.fives(attacker);
    board.undo();
    let mut stops: Cells = [threat.stone].into_iter().collect();
    if completing.len() < 3 {
        stops = stops.or(completing);
    }
    stops = stops.or(*board.fours(!attacker));
    stops.iter().all(|reply| {
        answer(reply).is_some_and(|&(_, child)| {
            board.place(!attacker, reply);
            let wins = turn(board, attacker, strategy, child);
            board.undo();
            wins
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::board::tests::has_five;
    use super::super::strategy::tests::{random, thrown};
    use super::super::threats::{Answer, ThreatSearch};
    use super::*;

    /// The same against every reply there is: a five or a double at hand decides, else the strategy says what to do.
    fn wins_here(board: &mut Board, strategy: &[Step], at: usize) -> bool {
        let (attacker, step) = (Side::Black, &strategy[at]);
        if board.stone(step.stone).is_some() {
            return false;
        }
        board.place(attacker, step.stone);
        let wins = has_five(board, attacker)
            || board.empty().iter().all(|reply| {
                board.place(!attacker, reply);
                let at_hand = !board.fives(attacker).is_empty()
                    || board.fives(!attacker).is_empty() && !board.doubles(attacker).is_empty();
                let mut named = step
                    .replies
                    .iter()
                    .filter(|(stone, _)| *stone == Some(reply));
                let lost = !has_five(board, !attacker)
                    && (at_hand || named.any(|&(_, child)| wins_here(board, strategy, child)));
                board.undo();
                lost
            });
        board.undo();
        wins
    }

    #[test]
    fn what_replays_wins_against_every_reply() {
        let mut state = 0x1234_5678_9abc_def1;
        let (mut same, mut other, mut fails) = (0, 0, 0);
        for number in 0..700 {
            let board = thrown(&mut state, (7, 7), 10 + number % 10);
            let mut search = ThreatSearch::new(board.clone(), Side::Black, 12);
            if search.search(20_000) != Answer::Won {
                continue;
            }
            let strategy = search.strategy().expect("it was found");
            assert!(replays(&mut board.clone(), Side::Black, &strategy));
            same += 1;
            // Another stone of the defender, wherever it is.
            let free: Vec<_> = board.empty().iter().collect();
            for _ in 0..6 {
                let mut after = board.clone();
                after.place(Side::White, free[random(&mut state, free.len())]);
                if after.fives(Side::White).len() > 1 {
                    continue;
                }
                match replays(&mut after, Side::Black, &strategy) {
                    true => {
                        assert!(wins_here(&mut after, &strategy, 0), "{number}");
                        other += 1;
                    }
                    false => fails += 1,
                }
            }
        }
        assert!(
            same > 100 && other > 100 && fails > 100,
            "{same} {other} {fails}"
        );
    }
}
