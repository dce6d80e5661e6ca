//! Whether a strategy found for one position also wins in another.
//!
//! What beats one reply often beats the next one too, whole quiet subtrees included; that costs a walk through the
//! strategy instead of a search.

use tengen_rules::{Cell, Overline, Position};
use tengen_threats::LineBoard;

use crate::proof::Proof;
use crate::region::region_of;
use crate::tree::{Cells, Forest, WinId};
use crate::zones::{Zones, zones_of};

/// The proof that the side to move wins here with the turns of this proof, if he does.
pub fn replay(position: &Position, known: &Proof) -> Option<Proof> {
    let attacker = position.to_move();
    let rules = position.rules();
    let whole = position.left() == rules.per_turn() && position.outcome().is_none();
    let other = known.position.rules != rules || known.attacker != attacker;
    if !whole || other || !known.except.is_empty() || rules.overline() == Overline::DoesNotWin {
        return None;
    }
    let mut board = LineBoard::from_position(position);
    let mut forest = Forest::default();
    let win = plant(&mut forest, &board, known)?;
    zones_of(&mut board, &forest, win, attacker)?;
    let mut proof = forest.proof(win, &board, position.to_setup(), attacker);
    proof.region = region_of(&mut board, &forest, win, attacker);
    Some(proof)
}

/// The relevance zones of a proof's win for these stones, if its turns win here. The board is the same afterwards.
pub fn zones(board: &mut LineBoard, proof: &Proof) -> Option<Zones> {
    if !proof.except.is_empty() || board.rules().overline() == Overline::DoesNotWin {
        return None;
    }
    let mut forest = Forest::default();
    let win = plant(&mut forest, board, proof)?;
    zones_of(board, &forest, win, proof.attacker)
}

/// The strategy of a proof as far as it lies on the board; the root must.
fn plant(forest: &mut Forest, board: &LineBoard, proof: &Proof) -> Option<WinId> {
    let cells = |cells: &[Cell]| {
        let indices = cells.iter().map(|&cell| board.index(cell));
        indices.collect::<Option<Cells>>()
    };
    // Children come after their parents.
    let mut wins: Vec<Option<WinId>> = vec![None; proof.nodes.len()];
    for (id, node) in proof.nodes.iter().enumerate().rev() {
        let Some(turn) = cells(&node.turn).filter(|turn| !turn.is_empty()) else {
            continue;
        };
        let replies = node.replies.iter();
        let replies = replies.filter_map(|reply| {
            Some((
                cells(&reply.stones)?,
                *wins.get(reply.child as usize)?.as_ref()?,
            ))
        });
        let replies = replies.collect();
        wins[id] = Some(forest.answers(turn, replies));
    }
    *wins.first()?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, Request, Solver, Value};
    use tengen_rules::{Rules, notation};

    #[test]
    fn a_strategy_wins_again_where_the_checker_says_so() {
        // Black's triangle of Connect(6,2,3): many replies of White lose to the same strategy.
        let mut solver = Solver::new(16);
        let replies = [
            "C3 Q17", "C3 D4", "P4 D16", "H8 C3", "L12 C3", "I10 C3", "J11 K12",
        ];
        let position = |reply: &str| {
            let text = format!("B:J10,J12,K11 W:{} to-move:B", reply.replace(' ', ","));
            notation::parse_position(&text, Rules::CONNECT6).expect("legal")
        };
        let first = position(replies[0]);
        let request = Request {
            limits: Limits {
                nodes: Some(20_000),
                time: None,
            },
            ..Request::new(first.to_move(), 2)
        };
        let Value::Win(known) = solver.solve(&first, &request).value else {
            panic!("a win");
        };
        let mut again = 0;
        for reply in replies {
            let here = position(reply);
            if let Some(proof) = replay(&here, &known) {
                let verdict = tengen_checker::check(&proof.to_text(), &Default::default());
                assert_eq!(verdict.exit_code(), 0, "{reply}");
                // The zones are those of a claim that the checker accepts, and no smaller claim would do.
                let mut board = LineBoard::from_position(&here);
                let zones = zones(&mut board, &proof).expect("a win");
                let mut claimed = proof.clone();
                claimed.zones = zones.sets()[..1]
                    .iter()
                    .map(|zone| zone.iter().map(|cell| board.cell(cell)).collect())
                    .collect();
                let check = |proof: &Proof| {
                    tengen_checker::check(&proof.to_text(), &Default::default()).exit_code()
                };
                claimed.region = None;
                assert_eq!(check(&claimed), 0, "{reply}");
                claimed.zones[0].pop();
                assert_eq!(check(&claimed), 1, "{reply}");
                again += 1;
            }
        }
        assert!((2..replies.len()).contains(&again), "{again} of them");
    }
}
