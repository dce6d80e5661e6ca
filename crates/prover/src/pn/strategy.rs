//! A win by threats written down: the attacker's stone, every reply that could stop the present threat, and one
//! answer to all other replies.

use super::board::Board;
use super::cells::{Cell, Cells};
use super::threats::{Answer, ThreatSearch};
use crate::proof::{ProofNode, Reply};

/// The attacker's stone and what follows. Without replies it completes a five.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) stone: Cell,
    /// Replies with the numbers of the steps that answer them; `None` stands for all that are not listed.
    pub(crate) replies: Vec<(Option<Cell>, usize)>,
}

/// A strategy: the first step is the root, parents come before children.
pub(crate) type Strategy = Vec<Step>;

/// A win by threats: what the attacker plays, whatever the defender replies.
#[derive(Debug, Clone)]
pub struct Win {
    pub(super) strategy: Strategy,
}

/// Nodes to find a win again that the table has forgotten.
const AGAIN: u64 = 1_000_000;

impl ThreatSearch {
    /// The strategy of a win that [`search`](Self::search) has found.
    pub(crate) fn strategy(&mut self) -> Option<Strategy> {
        let mut steps = Strategy::new();
        self.write_turn(&mut steps)?;
        Some(steps)
    }

    /// The attacker is to move.
    fn write_turn(&mut self, steps: &mut Strategy) -> Option<usize> {
        let (attacker, defender) = (self.attacker(), self.defender());
        let stone = if let Some(five) = self.board.fives(attacker).first() {
            return Some(add(steps, five));
        } else if let Some(block) = self.board.fives(defender).first() {
            block
        } else if let Some(double) = self.board.doubles(attacker).first() {
            double
        } else {
            match self.winning_turn() {
                Some(stone) => stone,
                None if self.search(AGAIN) == Answer::Won => self.winning_turn()?,
                None => return None,
            }
        };
        let number = add(steps, stone);
        self.board.place(attacker, stone);
        let replies = self.write_replies(steps);
        self.board.undo();
        steps[number].replies = replies?;
        Some(number)
    }

    /// The defender is to move.
    fn write_replies(&mut self, steps: &mut Strategy) -> Option<Vec<(Option<Cell>, usize)>> {
        let (attacker, defender) = (self.attacker(), self.defender());
        let mut replies = Vec::new();
        let mut stops = Cells::default();
        if let Some(five) = self.board.fives(attacker).first() {
            replies.push((None, add(steps, five)));
            stops.insert(five);
        } else {
            let double = self.board.doubles(attacker).first()?;
            self.board.place(attacker, double);
            let completing = *self.board.fives(attacker);
            self.board.undo();
            let mut two = completing.iter();
            let (one, other) = (two.next()?, two.next()?);
            let number = add(steps, double);
            let completions = [one, other].map(|cell| add(steps, cell));
            steps[number].replies = vec![(None, completions[0]), (Some(one), completions[1])];
            replies.push((None, number));
            stops.insert(double);
            stops = stops.or(completing).or(*self.board.fours(defender));
        }
        for stop in stops.iter() {
            self.board.place(defender, stop);
            let answer = self.write_turn(steps);
            self.board.undo();
            replies.push((Some(stop), answer?));
        }
        Some(replies)
    }
}

fn add(steps: &mut Strategy, stone: Cell) -> usize {
    steps.push(Step {
        stone,
        replies: Vec::new(),
    });
    steps.len() - 1
}

/// The strategy as nodes of a proof.
pub(crate) fn proof_nodes(board: &Board, strategy: &[Step]) -> Vec<ProofNode> {
    let (width, _) = board.size();
    let cell = |cell: Cell| {
        let (x, y) = (usize::from(cell) % width, usize::from(cell) / width);
        tengen_rules::Cell::new(x as i16, y as i16)
    };
    let node = |step: &Step| ProofNode {
        turn: vec![cell(step.stone)],
        replies: step
            .replies
            .iter()
            .map(|&(reply, child)| Reply {
                stones: reply.map(cell).into_iter().collect(),
                child: child as u32,
            })
            .collect(),
    };
    strategy.iter().map(node).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::board::tests::has_five;
    use super::*;
    use tengen_rules::Side;

    /// Whether the strategy wins against every reply there is.
    pub(crate) fn holds(board: &mut Board, attacker: Side, strategy: &[Step], at: usize) -> bool {
        let step = &strategy[at];
        if board.stone(step.stone).is_some() {
            return false;
        }
        board.place(attacker, step.stone);
        let wins = has_five(board, attacker)
            || board.empty().iter().all(|reply| {
                let named = step.replies.iter().find(|(stone, _)| *stone == Some(reply));
                let answer =
                    named.or_else(|| step.replies.iter().find(|(stone, _)| stone.is_none()));
                board.place(!attacker, reply);
                let lost = !has_five(board, !attacker)
                    && answer.is_some_and(|&(_, child)| holds(board, attacker, strategy, child));
                board.undo();
                lost
            });
        board.undo();
        wins
    }

    /// Whether the attacker wins within so many of his stones, by trying everything.
    fn wins_within(board: &mut Board, attacker: Side, stones: u8) -> bool {
        if !board.fives(attacker).is_empty() {
            return true;
        }
        if stones < 2 {
            return false;
        }
        board.empty().iter().any(|stone| {
            board.place(attacker, stone);
            let wins = board.fives(!attacker).is_empty()
                && board.empty().iter().all(|reply| {
                    board.place(!attacker, reply);
                    let wins = wins_within(board, attacker, stones - 1);
                    board.undo();
                    wins
                });
            board.undo();
            wins
        })
    }

    pub(crate) fn random(state: &mut u64, below: usize) -> usize {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        (*state % below as u64) as usize
    }

    /// Stones thrown on a small board, without a five.
    pub(crate) fn thrown(state: &mut u64, (width, height): (usize, usize), stones: usize) -> Board {
        loop {
            let mut board = Board::new(width, height);
            for number in 0..stones {
                let free: Vec<Cell> = board.empty().iter().collect();
                let side = if number % 2 == 0 {
                    Side::Black
                } else {
                    Side::White
                };
                board.place(side, free[random(state, free.len())]);
            }
            if !has_five(&board, Side::Black) && !has_five(&board, Side::White) {
                return board;
            }
        }
    }

    #[test]
    fn strategies_win_against_every_reply() {
        let mut state = 0x9e37_79b9_7f4a_7c15;
        let (mut won, mut failed, mut long) = (0, 0, 0);
        for number in 0..1_500 {
            let stones = 10 + number % 12;
            let mut board = thrown(&mut state, (7, 7), stones);
            for attacker in [Side::Black, Side::White] {
                let mut search = ThreatSearch::new(board.clone(), attacker, 12);
                match search.search(20_000) {
                    Answer::Won => {
                        let strategy = search.strategy().expect("it was found");
                        assert!(holds(&mut board, attacker, &strategy, 0), "{number}");
                        won += 1;
                        long += u32::from(strategy.len() > 12);
                    }
                    Answer::Failed => failed += 1,
                    Answer::Unknown => {}
                }
            }
        }
        assert!(
            won > 300 && failed > 300 && long > 30,
            "{won} {failed} {long}"
        );
    }

    #[test]
    fn what_two_stones_win_is_not_missed() {
        let mut state = 0x2545_f491_4f6c_dd1d;
        let mut wins = 0;
        for number in 0..600 {
            let mut board = thrown(&mut state, (6, 6), 8 + number % 8);
            for attacker in [Side::Black, Side::White] {
                let by_hand = wins_within(&mut board, attacker, 2);
                let mut search = ThreatSearch::new(board.clone(), attacker, 10);
                if by_hand {
                    assert_eq!(search.search(20_000), Answer::Won);
                    wins += 1;
                }
            }
        }
        assert!(wins > 100, "{wins}");
    }
}
