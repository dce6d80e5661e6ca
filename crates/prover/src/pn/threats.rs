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

use super::board::Board;
use super::cells::{Cell, Cells};

/// What is known of a position: the fewest leaves to prove, and to disprove, the attacker's win.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) struct Numbers {
    pub(crate) proof: u32,
    pub(crate) disproof: u32,
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

/// A search for wins by threats of one side.
#[derive(Debug)]
pub(crate) struct ThreatSearch {
    pub(crate) board: Board,
    attacker: Side,
    table: Vec<Entry>,
    /// Positions that were looked at.
    pub(crate) nodes: u64,
    limit: u64,
}

/// The sides' tables must not meet.
const DEFENDER_MOVES: u64 = 0x6a09_e667_f3bc_c908;
const WHITE_ATTACKS: u64 = 0xbb67_ae85_84ca_a73b;

impl ThreatSearch {
    /// On this board, with a table of 2^`bits` entries of 16 bytes.
    pub(crate) fn new(board: Board, attacker: Side, bits: u32) -> Self {
        Self {
            board,
            attacker,
            table: vec![Entry::default(); 1 << bits],
            nodes: 0,
            limit: 0,
        }
    }

    /// Looks for a win of the attacker, who is to move, with so many nodes.
    pub(crate) fn search(&mut self, nodes: u64) -> Answer {
        self.limit = self.nodes.saturating_add(nodes);
        let numbers = match self.sight(Turn::Attacker) {
            Sight::Won => Numbers::WON,
            Sight::Failed => Numbers::FAILED,
            Sight::Open(_) => {
                let ever = Numbers {
                    proof: INFINITE,
                    disproof: INFINITE,
                };
                self.deepen(Turn::Attacker, ever)
            }
        };
        match numbers {
            Numbers { proof: 0, .. } => Answer::Won,
            Numbers { disproof: 0, .. } => Answer::Failed,
            _ => Answer::Unknown,
        }
    }

    pub(super) const fn attacker(&self) -> Side {
        self.attacker
    }

    /// A turn after which the attacker is known to win.
    pub(super) fn winning_turn(&mut self) -> Option<Cell> {
        let Sight::Open(turns) = self.attackers_turns() else {
            return None;
        };
        turns.iter().find(|&stone| {
            self.board.place(self.attacker, stone);
            let known = self.guess(Turn::Defender);
            self.board.undo();
            known.is_won()
        })
    }

    pub(super) const fn defender(&self) -> Side {
        match self.attacker {
            Side::Black => Side::White,
            Side::White => Side::Black,
        }
    }

    fn sight(&mut self, turn: Turn) -> Sight {
        match turn {
            Turn::Attacker => self.attackers_turns(),
            Turn::Defender => self.defenders_replies(),
        }
    }

    fn attackers_turns(&self) -> Sight {
        let (board, attacker, defender) = (&self.board, self.attacker, self.defender());
        if !board.fives(attacker).is_empty() {
            return Sight::Won;
        }
        match board.fives(defender).len() {
            0 => {}
            1 => return Sight::Open(*board.fives(defender)),
            _ => return Sight::Failed,
        }
        // Nobody completes a five before the double does.
        if !board.doubles(attacker).is_empty() {
            return Sight::Won;
        }
        let turns = *board.threes(attacker);
        match turns.is_empty() {
            true => Sight::Failed,
            false => Sight::Open(turns),
        }
    }

    fn defenders_replies(&mut self) -> Sight {
        let (attacker, defender) = (self.attacker, self.defender());
        if !self.board.fives(defender).is_empty() {
            return Sight::Failed;
        }
        match self.board.fives(attacker).len() {
            0 => {}
            1 => return Sight::Open(*self.board.fives(attacker)),
            _ => return Sight::Won,
        }
        let mut replies: Option<Cells> = None;
        for double in self.board.doubles(attacker).iter() {
            let stops = self.stops(double);
            replies = Some(replies.map_or(stops, |replies| replies.and(stops)));
        }
        let Some(replies) = replies else {
            return Sight::Failed;
        };
        let replies = replies.or(*self.board.fours(defender));
        match replies.is_empty() {
            true => Sight::Won,
            false => Sight::Open(replies),
        }
    }

    /// The cells that stop a double, fours of the defender apart.
    fn stops(&mut self, double: Cell) -> Cells {
        self.board.place(self.attacker, double);
        let completing = *self.board.fives(self.attacker);
        self.board.undo();
        let mut stops = Cells::default();
        stops.insert(double);
        match completing.len() {
            2 => stops.or(completing),
            _ => stops,
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
        key
    }

    fn known(&self, key: u64) -> Option<Numbers> {
        let entry = self.table[key as usize & (self.table.len() - 1)];
        (entry.key == key).then_some(Numbers {
            proof: entry.proof,
            disproof: entry.disproof,
        })
    }

    fn keep(&mut self, key: u64, Numbers { proof, disproof }: Numbers) {
        let place = key as usize & (self.table.len() - 1);
        self.table[place] = Entry {
            key,
            proof,
            disproof,
        };
    }

    /// What is known of the position on the board, or guessed before it was searched.
    fn guess(&mut self, turn: Turn) -> Numbers {
        if let Some(known) = self.known(self.key(turn)) {
            return known;
        }
        self.nodes += 1;
        let numbers = match (self.sight(turn), turn) {
            (Sight::Won, _) => Numbers::WON,
            (Sight::Failed, _) => Numbers::FAILED,
            (Sight::Open(turns), Turn::Attacker) => Numbers {
                proof: 1,
                disproof: turns.len(),
            },
            (Sight::Open(replies), Turn::Defender) => Numbers {
                proof: replies.len(),
                disproof: 1,
            },
        };
        self.keep(self.key(turn), numbers);
        numbers
    }

    /// Searches the position on the board until one of its numbers reaches a limit.
    fn deepen(&mut self, turn: Turn, limits: Numbers) -> Numbers {
        let Sight::Open(cells) = self.sight(turn) else {
            return self.guess(turn);
        };
        let (side, next) = match turn {
            Turn::Attacker => (self.attacker, Turn::Defender),
            Turn::Defender => (self.defender(), Turn::Attacker),
        };
        let mut children: Vec<(Cell, Numbers)> = Vec::with_capacity(cells.len() as usize);
        for cell in cells.iter() {
            self.board.place(side, cell);
            let numbers = self.guess(next);
            self.board.undo();
            children.push((cell, numbers));
        }
        let key = self.key(turn);
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
            children[best].1 = self.deepen(next, inner);
            self.board.undo();
        }
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
