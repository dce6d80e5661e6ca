//! Wins by fours and threes (VCT), with every defence: proof-number search, depth first, over threats.
//!
//! The attacker's turns are fours and threes; the defender's replies are complete:
//!
//! - Against a four: the one cell that completes it.
//! - Against threes: for every cell on which the attacker would make a *double* (fours that two cells or more complete), the
//!   defender must take that cell, or one of the two that complete it (if there are just two), or make a four of his own. So he
//!   plays in the intersection of these sets of cells, or a four anywhere. After a four of his the attacker must
//!   take the cell that completes it; the defender is then to reply again, and without a threat left the attempt fails.
//!
//! Nothing depends on the kind of a three: whether the attacker still threatens is looked up on the board. No depth ends a
//! search: what is not decided within the nodes is unknown.

use tengen_rules::Side;

use super::board::{Board, key_of};
use super::cells::{Cell, Cells};
use super::strategy::{AtHand, Defences, Step, Strategy, at_hand, defences, wins};

/// What is known of a position: the fewest leaves to prove, and to disprove, the attacker's win.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
struct Numbers {
    proof: u32,
    disproof: u32,
}

const INFINITE: u32 = u32::MAX / 4;

impl Numbers {
    const WON: Self = Self {
        proof: 0,
        disproof: INFINITE,
    };
    const FAILED: Self = Self {
        proof: INFINITE,
        disproof: 0,
    };

    /// The table has nothing.
    const UNSEEN: Self = Self {
        proof: u32::MAX,
        disproof: u32::MAX,
    };

    const fn is_won(self) -> bool {
        self.proof == 0
    }

    const fn is_decided(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

/// Who is to move.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum Turn {
    Attacker,
    Defender,
}

/// Which turns the attacker may play.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Means {
    /// Fours only.
    Fours,
    /// Threes and fours.
    Threes,
}

/// What can be seen without a search.
#[derive(Debug, Clone)]
enum Sight {
    Won,
    Failed,
    Open(Cells),
}

/// An answer.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The attacker wins by threats.
    Won,
    /// He does not, by threats of these kinds.
    Failed,
    /// The nodes did not suffice.
    Unknown,
}

#[derive(Debug, Copy, Clone, Default)]
struct Entry {
    key: u64,
    proof: u32,
    disproof: u32,
}

/// Entries that a position may be in: one line of the processor's cache.
#[derive(Debug, Copy, Clone, Default)]
#[repr(align(64))]
struct Bucket([Entry; BUCKET]);

const BUCKET: usize = 4;

/// Searches for wins by threats, of either side.
#[derive(Debug)]
pub(crate) struct ThreatSearch {
    pub(crate) board: Board,
    attacker: Side,
    means: Means,
    table: Vec<Bucket>,
    /// Positions that were looked at, in all searches.
    pub(crate) nodes: u64,
    limit: u64,
}

/// Tables for different questions must not meet.
const DEFENDER_MOVES: u64 = 0x6a09_e667_f3bc_c908;
const WHITE_ATTACKS: u64 = 0xbb67_ae85_84ca_a73b;
const FOURS_ONLY: u64 = 0x3c6e_f372_fe94_f82b;

/// Half as many chances to make a three or four are plenty.
const MEAGRE: u32 = 8;

/// Steps that a strategy may have.
const LONGEST: usize = 3_000;

/// Nodes to find a win again that the table has forgotten.
const AGAIN: u64 = 20_000;

impl ThreatSearch {
    /// On this board, with a table of 2^`bits` entries of 16 bytes.
    pub(crate) fn new(board: Board, bits: u32) -> Self {
        Self {
            board,
            attacker: Side::Black,
            means: Means::Threes,
            table: vec![Bucket::default(); (1 << bits) / BUCKET],
            nodes: 0,
            limit: 0,
        }
    }

    /// Begins anew on another board, as if it were the first.
    pub(crate) fn start(&mut self, board: Board) {
        self.board = board;
        self.table.fill(Bucket::default());
        self.nodes = 0;
    }

    /// Looks for a win of the attacker, who is to move, with so many nodes.
    pub(crate) fn search(&mut self, attacker: Side, means: Means, nodes: u64) -> Answer {
        (self.attacker, self.means) = (attacker, means);
        self.limit = self.nodes.saturating_add(nodes);
        let numbers = match self.sight(Turn::Attacker) {
            Sight::Won => Numbers::WON,
            Sight::Failed => Numbers::FAILED,
            Sight::Open(cells) => {
                let ever = Numbers {
                    proof: INFINITE,
                    disproof: INFINITE,
                };
                self.deepen(Turn::Attacker, cells, ever)
            }
        };
        match numbers {
            Numbers { proof: 0, .. } => Answer::Won,
            Numbers { disproof: 0, .. } => Answer::Failed,
            _ => Answer::Unknown,
        }
    }

    /// Looks for a win and writes it down.
    pub(crate) fn win(&mut self, attacker: Side, nodes: u64) -> Option<Strategy> {
        if self.search(attacker, Means::Threes, nodes) != Answer::Won {
            return None;
        }
        let mut steps = Strategy::new();
        self.write_turn(&mut steps)?;
        // Keys are no positions: what is written down is played through before it counts.
        wins(&mut self.board, attacker, &steps).then_some(steps)
    }

    const fn defender(&self) -> Side {
        match self.attacker {
            Side::Black => Side::White,
            Side::White => Side::Black,
        }
    }

    fn sight(&self, turn: Turn) -> Sight {
        match turn {
            Turn::Attacker => match at_hand(&self.board, self.attacker) {
                AtHand::Win => Sight::Won,
                AtHand::Loss => Sight::Failed,
                AtHand::Forced(cell) => Sight::Open([cell].into_iter().collect()),
                AtHand::Quiet => {
                    let turns = match self.means {
                        Means::Fours => *self.board.fours(self.attacker),
                        Means::Threes => *self.board.threes(self.attacker),
                    };
                    match turns.is_empty() {
                        true => Sight::Failed,
                        false => Sight::Open(turns),
                    }
                }
            },
            Turn::Defender => {
                if self.means == Means::Fours && self.board.fives(self.attacker).is_empty() {
                    return Sight::Failed;
                }
                match defences(&self.board, self.attacker) {
                    Defences::None => Sight::Won,
                    Defences::Free => Sight::Failed,
                    Defences::These(replies) => Sight::Open(replies),
                }
            }
        }
    }

    fn key(&self, turn: Turn) -> u64 {
        let mut key = self.board.key();
        if turn == Turn::Defender {
            key ^= DEFENDER_MOVES;
        }
        if self.attacker == Side::White {
            key ^= WHITE_ATTACKS;
        }
        if self.means == Means::Fours {
            key ^= FOURS_ONLY;
        }
        key
    }

    #[inline]
    fn bucket(&self, key: u64) -> usize {
        (key >> 8) as usize & (self.table.len() - 1)
    }

    #[inline]
    fn known(&self, key: u64) -> Option<Numbers> {
        let Bucket(bucket) = &self.table[self.bucket(key)];
        bucket
            .iter()
            .find(|entry| entry.key == key)
            .map(|entry| Numbers {
                proof: entry.proof,
                disproof: entry.disproof,
            })
    }

    fn keep(&mut self, key: u64, Numbers { proof, disproof }: Numbers) {
        let place = self.bucket(key);
        let Bucket(bucket) = &mut self.table[place];
        let known = bucket.iter().position(|entry| entry.key == key);
        // Otherwise wins stay longest; among the others any one goes.
        let at = known.unwrap_or_else(|| {
            let start = (key >> 2) as usize % BUCKET;
            let mut slots = (0..BUCKET).map(|slot| (start + slot) % BUCKET);
            slots
                .find(|&slot| bucket[slot].proof != 0 || bucket[slot].key == 0)
                .unwrap_or(start)
        });
        bucket[at] = Entry {
            key,
            proof,
            disproof,
        };
    }

    /// What is known of the position on the board, or guessed before it was searched.
    fn guess(&mut self, turn: Turn, key: u64) -> Numbers {
        self.nodes += 1;
        let numbers = match (self.sight(turn), turn) {
            (Sight::Won, _) => Numbers::WON,
            (Sight::Failed, _) => Numbers::FAILED,
            (Sight::Open(turns), Turn::Attacker) => Numbers {
                proof: self.difficulty(),
                disproof: turns.len(),
            },
            (Sight::Open(replies), Turn::Defender) => Numbers {
                proof: replies.len() * self.difficulty(),
                disproof: 1,
            },
        };
        self.keep(key, numbers);
        numbers
    }

    /// How hard a position looks: the fewer threes and fours the attacker could make, the harder.
    fn difficulty(&self) -> u32 {
        let chances = self.board.threes(self.attacker).len();
        1 + MEAGRE.saturating_sub(chances / 2)
    }

    /// Searches the position on the board until one of its numbers reaches a limit.
    fn deepen(&mut self, turn: Turn, cells: Cells, limits: Numbers) -> Numbers {
        let (side, next) = match turn {
            Turn::Attacker => (self.attacker, Turn::Defender),
            Turn::Defender => (self.defender(), Turn::Attacker),
        };
        let key = self.key(turn);
        let turned = key ^ DEFENDER_MOVES;
        let decides = |numbers: Numbers| match turn {
            Turn::Attacker => numbers.proof == 0,
            Turn::Defender => numbers.disproof == 0,
        };
        let mut children: smallvec::SmallVec<[(Cell, Numbers); 24]> = smallvec::SmallVec::new();
        // First what is known: it may decide, and the table is far away, so that looking up many at once takes little longer than one.
        for cell in cells.iter() {
            let known = self.known(turned ^ key_of(side, cell));
            children.push((cell, known.unwrap_or(Numbers::UNSEEN)));
        }
        if let Some(&(_, numbers)) = children.iter().find(|(_, numbers)| decides(*numbers)) {
            self.keep(key, numbers);
            return numbers;
        }
        for (cell, numbers) in &mut children {
            if *numbers != Numbers::UNSEEN {
                continue;
            }
            self.board.place(side, *cell);
            *numbers = self.guess(next, turned ^ key_of(side, *cell));
            self.board.undo();
            if decides(*numbers) {
                self.keep(key, *numbers);
                return *numbers;
            }
        }
        loop {
            let (numbers, best, second) = combine(turn, &children);
            let reached = numbers.proof >= limits.proof || numbers.disproof >= limits.disproof;
            if reached || numbers.is_decided() || self.nodes >= self.limit {
                self.keep(key, numbers);
                return numbers;
            }
            let (cell, child) = children[best];
            let inner = inner_limits(turn, limits, numbers, child, second);
            self.board.place(side, cell);
            children[best].1 = match self.sight(next) {
                Sight::Won => Numbers::WON,
                Sight::Failed => Numbers::FAILED,
                Sight::Open(cells) => self.deepen(next, cells, inner),
            };
            self.board.undo();
        }
    }

    /// Writes down what the attacker, who is to move, does to win.
    fn write_turn(&mut self, steps: &mut Strategy) -> Option<Option<u16>> {
        let stone = match at_hand(&self.board, self.attacker) {
            AtHand::Win => return Some(None),
            AtHand::Loss => return None,
            AtHand::Forced(cell) => cell,
            AtHand::Quiet => match self.winning_turn() {
                Some(stone) => stone,
                None => {
                    let (attacker, means) = (self.attacker, self.means);
                    match self.search(attacker, means, AGAIN) {
                        Answer::Won => self.winning_turn()?,
                        _ => return None,
                    }
                }
            },
        };
        if steps.len() >= LONGEST {
            return None;
        }
        let number = steps.len();
        steps.push(Step {
            stone,
            replies: Vec::new(),
        });
        self.board.place(self.attacker, stone);
        let written = self.write_replies(number, steps);
        self.board.undo();
        written?;
        Some(Some(number as u16))
    }

    /// A turn after which the attacker is known to win.
    fn winning_turn(&mut self) -> Option<Cell> {
        let Sight::Open(turns) = self.sight(Turn::Attacker) else {
            return None;
        };
        let key = self.key(Turn::Attacker) ^ DEFENDER_MOVES;
        turns.iter().find(|&stone| {
            let known = self.known(key ^ key_of(self.attacker, stone));
            known.is_some_and(Numbers::is_won)
        })
    }

    fn write_replies(&mut self, number: usize, steps: &mut Strategy) -> Option<()> {
        let replies = match defences(&self.board, self.attacker) {
            Defences::None => return Some(()),
            Defences::Free => return None,
            Defences::These(replies) => replies,
        };
        let fours = match self.board.fives(self.attacker).is_empty() {
            true => *self.board.fours(self.defender()),
            false => Cells::default(),
        };
        // Fours come last: what is written by then may answer them.
        for reply in replies.without(fours).iter() {
            self.write_reply(number, reply, steps)?;
        }
        for reply in replies.and(fours).iter() {
            if !self.is_answered(number, reply, steps) {
                self.write_reply(number, reply, steps)?;
            }
        }
        Some(())
    }

    fn write_reply(&mut self, number: usize, reply: Cell, steps: &mut Strategy) -> Option<()> {
        self.board.place(self.defender(), reply);
        let answer = self.write_turn(steps);
        self.board.undo();
        if let Some(step) = answer? {
            steps[number].replies.push((reply, step));
        }
        Some(())
    }

    /// Whether a four of the defender changes nothing.
    fn is_answered(&mut self, number: usize, reply: Cell, steps: &Strategy) -> bool {
        self.board.place(self.defender(), reply);
        let answered = super::strategy::answers_four(&mut self.board, self.attacker, steps, number);
        self.board.undo();
        answered
    }
}

/// The numbers of a position from those of the positions after it, the best of these, and what the second best has.
fn combine(turn: Turn, children: &[(Cell, Numbers)]) -> (Numbers, usize, u32) {
    let by = |numbers: Numbers| match turn {
        Turn::Attacker => (numbers.proof, numbers.disproof),
        Turn::Defender => (numbers.disproof, numbers.proof),
    };
    let (mut best, mut least, mut second, mut sum) = (0, u32::MAX, u32::MAX, 0_u32);
    for (number, (_, numbers)) in children.iter().enumerate() {
        let (own, other) = by(*numbers);
        sum = (sum + other).min(INFINITE);
        if own < least {
            second = least;
            (best, least) = (number, own);
        } else if own < second {
            second = own;
        }
    }
    let numbers = match turn {
        Turn::Attacker => Numbers {
            proof: least,
            disproof: if least == 0 { INFINITE } else { sum },
        },
        Turn::Defender => Numbers {
            proof: if least == 0 { INFINITE } else { sum },
            disproof: least,
        },
    };
    (numbers, best, second)
}

/// How far a child is searched before another is better.
fn inner_limits(
    turn: Turn,
    limits: Numbers,
    numbers: Numbers,
    child: Numbers,
    second: u32,
) -> Numbers {
    let better = second.saturating_add(1 + second / 4);
    match turn {
        Turn::Attacker => Numbers {
            proof: limits.proof.min(better),
            disproof: (limits.disproof - numbers.disproof)
                .saturating_add(child.disproof)
                .min(INFINITE),
        },
        Turn::Defender => Numbers {
            proof: (limits.proof - numbers.proof)
                .saturating_add(child.proof)
                .min(INFINITE),
            disproof: limits.disproof.min(better),
        },
    }
}
