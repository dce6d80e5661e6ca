//! Wins by threats written down as trees, and played through: does a strategy win on this board, against every defence
//! that the board has? `docs/gomoku-format.md` says how, step by step.
//!
//! Nothing need be known about where a strategy comes from. Fours of the defender that it does not name are answered by completing
//! them, after which he is to reply to the same threat again.

use tengen_rules::Side;

use super::board::Board;
use super::cells::{Cell, Cells};
use super::patterns::Fives;

/// The attacker's stone and the replies with the numbers of the steps that answer them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) stone: Cell,
    pub(crate) replies: Vec<(Cell, u16)>,
}

impl Step {
    fn answer(&self, reply: Cell) -> Option<usize> {
        let found = self.replies.iter().find(|(cell, _)| *cell == reply);
        found.map(|&(_, step)| usize::from(step))
    }
}

/// A strategy: the first step is the root, parents come before children. An empty one knows only how to take what is at hand.
pub(crate) type Strategy = Vec<Step>;

/// What is at hand when a side is to move.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum AtHand {
    /// A five, or a double and no five of the other side.
    Win,
    /// The other side would complete one of two fives.
    Loss,
    /// The other side's five must be prevented here.
    Forced(Cell),
    /// Nothing.
    Quiet,
}

/// What is at hand for a side to move.
#[inline]
pub(crate) fn at_hand(board: &Board, side: Side) -> AtHand {
    if !board.fives(side).is_empty() {
        return AtHand::Win;
    }
    let threatened = board.fives(!side);
    if let Some(five) = threatened.first() {
        return match threatened.several() {
            true => AtHand::Loss,
            false => AtHand::Forced(five),
        };
    }
    match board.doubles(side).is_empty() {
        true => AtHand::Quiet,
        false => AtHand::Win,
    }
}

/// What the defender can do against a threat.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Defences {
    /// Nothing: the attacker wins.
    None,
    /// Nothing is threatened, or he wins himself.
    Free,
    /// Only these replies may help.
    These(Cells),
}

/// The replies that may help a defender to move, who otherwise loses by a five or a double.
pub(crate) fn defences(board: &Board, attacker: Side) -> Defences {
    if !board.fives(!attacker).is_empty() {
        return Defences::Free;
    }
    let fives = *board.fives(attacker);
    if !fives.is_empty() {
        return match fives.several() {
            true => Defences::None,
            false => Defences::These(fives),
        };
    }
    let mut doubles = board.doubles(attacker).iter();
    let Some(first) = doubles.next() else {
        return Defences::Free;
    };
    let mut replies = stops(board, attacker, first);
    for double in doubles {
        replies = replies.and(stops(board, attacker, double));
    }
    let replies = replies.or(*board.fours(!attacker));
    match replies.is_empty() {
        true => Defences::None,
        false => Defences::These(replies),
    }
}

/// The cells that stop a double, fours of the defender apart.
fn stops(board: &Board, attacker: Side, double: Cell) -> Cells {
    let mut stops = board.completing(attacker, double);
    if stops.len() > 2 {
        stops = Cells::default();
    }
    stops.insert(double);
    stops
}

/// Plays a strategy through.
#[derive(Debug)]
struct Player<'a> {
    board: &'a mut Board,
    attacker: Side,
    strategy: &'a [Step],
    /// Steps that may still be played.
    patience: u32,
    /// Where another white stone could matter, if that is asked for.
    related: Option<&'a mut Cells>,
}

/// Nobody needs longer: strategies are cut at a tenth of it.
const PATIENCE: u32 = 30_000;

/// Whether the strategy wins for the attacker, who is to move, against every defence.
pub(crate) fn wins(board: &mut Board, attacker: Side, strategy: &[Step]) -> bool {
    Player::new(board, attacker, strategy).turn(Some(0))
}

/// The same, and on which empty cells a stone of the defender could change it: a superset, as `docs/gomoku-format.md` shows.
pub(crate) fn related(board: &mut Board, attacker: Side, strategy: &[Step]) -> Option<Cells> {
    let mut cells = Cells::default();
    let mut player = Player::new(board, attacker, strategy);
    player.related = Some(&mut cells);
    player.turn(Some(0)).then_some(cells)
}

impl<'a> Player<'a> {
    fn new(board: &'a mut Board, attacker: Side, strategy: &'a [Step]) -> Self {
        Self {
            board,
            attacker,
            strategy,
            patience: PATIENCE,
            related: None,
        }
    }

    fn relate(&mut self, cells: Cells) {
        if let Some(related) = &mut self.related {
            **related = related.or(cells);
        }
    }

    /// The attacker is to move.
    fn turn(&mut self, step: Option<usize>) -> bool {
        self.patience = self.patience.saturating_sub(1);
        let (attacker, defender) = (self.attacker, !self.attacker);
        if let Some(five) = self.board.fives(attacker).first() {
            self.relate([five].into_iter().collect());
            return true;
        }
        // With another stone three of the defender's become four.
        self.relate(*self.board.fours(defender));
        let at_hand = at_hand(self.board, attacker);
        if at_hand == AtHand::Win {
            if self.related.is_some()
                && let Some(double) = self.board.doubles(attacker).first()
            {
                let mut cells = self.board.completing(attacker, double);
                cells.insert(double);
                self.relate(cells);
            }
            return true;
        }
        let Some(step) = step.filter(|_| self.patience > 0 && at_hand != AtHand::Loss) else {
            return false;
        };
        let Some(&Step { stone, .. }) = self.strategy.get(step) else {
            return false;
        };
        let forced = matches!(at_hand, AtHand::Forced(cell) if cell != stone);
        if forced || self.board.stone(stone).is_some() {
            return false;
        }
        self.relate([stone].into_iter().collect());
        self.board.place(attacker, stone);
        let wins = self.reply(step);
        self.board.undo();
        wins
    }

    /// The defender is to move after this step of the attacker.
    fn reply(&mut self, step: usize) -> bool {
        let (attacker, defender) = (self.attacker, !self.attacker);
        let replies = match defences(self.board, attacker) {
            Defences::Free => return false,
            Defences::None => Cells::default(),
            Defences::These(replies) => replies,
        };
        if self.related.is_some() {
            self.relate_threats();
        }
        replies.iter().all(|reply| {
            self.board.place(defender, reply);
            let wins = match self.strategy[step].answer(reply) {
                Some(answer) => self.turn(Some(answer)),
                None => self.interposed(step),
            };
            self.board.undo();
            wins
        })
    }

    /// What the threats of the attacker, who is not to move, depend on.
    fn relate_threats(&mut self) {
        let (attacker, defender) = (self.attacker, !self.attacker);
        let fives = *self.board.fives(attacker);
        self.relate(fives);
        if !fives.is_empty() {
            self.relate(*self.board.fours(defender));
            return;
        }
        self.relate(*self.board.touches(defender));
        for double in self.board.doubles(attacker).iter() {
            let mut cells = self.board.completing(attacker, double);
            cells.insert(double);
            self.relate(cells);
        }
    }

    /// A reply has no answer of its own: it may be a four that changes nothing, or it does not stop what is threatened.
    fn interposed(&mut self, step: usize) -> bool {
        let (attacker, defender) = (self.attacker, !self.attacker);
        let fives = *self.board.fives(defender);
        let Some(block) = fives.first() else {
            return self.turn(None);
        };
        if let Some(five) = self.board.fives(attacker).first() {
            self.relate([five].into_iter().collect());
            return true;
        }
        self.relate(*self.board.fours(defender));
        // A stone behind the four would make a row of six of it, and it need not be answered.
        if self.board.wins() == Fives::Exactly {
            self.relate(*self.board.touches(defender));
        }
        self.relate([block].into_iter().collect());
        self.patience = self.patience.saturating_sub(1);
        if fives.several() || self.patience == 0 {
            return false;
        }
        self.board.place(attacker, block);
        let wins = self.reply(step);
        self.board.undo();
        wins
    }
}

/// Whether the defender's four, which was just placed, changes nothing: the strategy's step still answers all replies.
pub(crate) fn answers_four(
    board: &mut Board,
    attacker: Side,
    strategy: &[Step],
    step: usize,
) -> bool {
    Player::new(board, attacker, strategy).interposed(step)
}

/// The part of a strategy from a step on, as a strategy of its own.
pub(crate) fn copy_below(strategy: &[Step], from: usize, to: &mut Strategy) -> u16 {
    let number = to.len();
    to.push(Step {
        stone: strategy[from].stone,
        replies: Vec::new(),
    });
    for &(reply, answer) in &strategy[from].replies {
        let answer = copy_below(strategy, usize::from(answer), to);
        to[number].replies.push((reply, answer));
    }
    number as u16
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::board::tests::has_five;
    use super::super::threats::{Answer, Means, ThreatSearch};
    use super::*;

    pub(crate) fn random(state: &mut u64, below: usize) -> usize {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        (*state % below as u64) as usize
    }

    /// Stones thrown on a small board, without a five.
    pub(crate) fn thrown(
        state: &mut u64,
        (width, height): (usize, usize),
        wins: Fives,
        stones: usize,
    ) -> Board {
        loop {
            let mut board = Board::new(width, height, wins);
            for number in 0..stones {
                let free: Vec<Cell> = board.empty().iter().collect();
                let side = [Side::Black, Side::White][number % 2];
                board.place(side, free[random(state, free.len())]);
            }
            if !has_five(&board, Side::Black) && !has_five(&board, Side::White) {
                return board;
            }
        }
    }

    /// Whether the attacker, who takes fives and doubles and otherwise does what the strategy says, wins against *every* reply.
    /// A four that the strategy does not name is answered where it must be; then the same step goes on.
    fn holds(
        board: &mut Board,
        attacker: Side,
        strategy: &[Step],
        step: Option<usize>,
        waits: bool,
    ) -> bool {
        let mut stone = None;
        let fives: Vec<Cell> = board
            .empty()
            .iter()
            .filter(|&cell| {
                board.place(attacker, cell);
                let five = has_five(board, attacker);
                board.undo();
                five
            })
            .collect();
        if !fives.is_empty() {
            return true;
        }
        let theirs = *board.fives(!attacker);
        if waits || !theirs.is_empty() && step.is_none() {
            stone = theirs.first();
        } else if theirs.is_empty() {
            stone = board.doubles(attacker).first();
        }
        let Some(stone) = stone.or_else(|| Some(strategy.get(step?)?.stone)) else {
            return false;
        };
        if board.stone(stone).is_some() {
            return false;
        }
        board.place(attacker, stone);
        let wins = board.empty().iter().all(|reply| {
            board.place(!attacker, reply);
            let four = !board.fives(!attacker).is_empty();
            let named = step.and_then(|step| strategy.get(step)?.answer(reply));
            let lost = !has_five(board, !attacker)
                && match (named, four) {
                    (Some(answer), _) => holds(board, attacker, strategy, Some(answer), false),
                    (None, true) => holds(board, attacker, strategy, step, true),
                    (None, false) => holds(board, attacker, strategy, None, false),
                };
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

    #[test]
    fn strategies_win_against_every_reply() {
        let mut state = 0x9e37_79b9_7f4a_7c15;
        let (mut won, mut failed, mut long) = (0, 0, 0);
        for number in 0..300 {
            let wins_by = [Fives::OrMore, Fives::Exactly][number % 2];
            let mut board = thrown(&mut state, (7, 7), wins_by, 10 + number % 12);
            for attacker in [Side::Black, Side::White] {
                let mut search = ThreatSearch::new(board.clone(), 12);
                match search.search(attacker, Means::Threes, 20_000) {
                    Answer::Won => {
                        let strategy = search.win(attacker, 20_000).expect("it was found");
                        let first = (!strategy.is_empty()).then_some(0);
                        assert!(
                            holds(&mut board, attacker, &strategy, first, false),
                            "{number}"
                        );
                        won += 1;
                        long += u32::from(strategy.len() > 4);
                    }
                    Answer::Failed => failed += 1,
                    Answer::Unknown => {}
                }
            }
        }
        assert!(
            won > 50 && failed > 50 && long > 10,
            "{won} {failed} {long}"
        );
    }

    #[test]
    fn what_two_stones_win_is_not_missed() {
        let mut state = 0x2545_f491_4f6c_dd1d;
        let mut found = 0;
        for number in 0..600 {
            let wins_by = [Fives::OrMore, Fives::Exactly][number % 2];
            let mut board = thrown(&mut state, (6, 6), wins_by, 8 + number % 8);
            for attacker in [Side::Black, Side::White] {
                if wins_within(&mut board, attacker, 2) {
                    let mut search = ThreatSearch::new(board.clone(), 10);
                    assert_eq!(search.search(attacker, Means::Threes, 20_000), Answer::Won);
                    found += 1;
                }
            }
        }
        assert!(found > 100, "{found}");
    }

    #[test]
    fn stones_on_unrelated_cells_change_nothing() {
        let mut state = 0x1234_5678_9abc_def1;
        let (mut same, mut kept, mut broken) = (0, 0, 0);
        for number in 0..300 {
            let size = [(8, 8), (9, 7), (15, 15)][number % 3];
            let wins_by = [Fives::OrMore, Fives::Exactly][number / 3 % 2];
            let stones = [14, 14, 40][number % 3] + number % 8;
            let mut board = thrown(&mut state, size, wins_by, stones);
            let mut search = ThreatSearch::new(board.clone(), 12);
            let Some(strategy) = search.win(Side::Black, 5_000) else {
                continue;
            };
            let cells = related(&mut board, Side::Black, &strategy).expect("it wins");
            same += 1;
            for cell in board.empty().iter() {
                // A reply that wins at once is no question of strategies.
                if board.fives(Side::White).contains(cell) {
                    continue;
                }
                board.place(Side::White, cell);
                let here = wins(&mut board, Side::Black, &strategy);
                board.undo();
                assert!(here || cells.contains(cell), "{number}");
                kept += u32::from(here && cells.contains(cell));
                broken += u32::from(!here);
            }
        }
        assert!(
            same > 40 && kept > 30 && broken > 60,
            "{same} {kept} {broken}"
        );
    }
}
