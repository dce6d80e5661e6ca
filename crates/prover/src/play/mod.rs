//! Playing against a proof: the defender plays any legal turn, the attacker answers from the proof.
//!
//! The proof's board and the real one differ. A child may assume stones of the defender that are not there (macro
//! turns): without them the attacker is no worse off. And the defender may have stones that the proof knows
//! nothing of: these stay irrelevant to the zones of the node that is played (`docs/proof-format.md`, *cover*):
//! if x_1, x_2, ... are irrelevant to a node and a child with e unknown stones answers a reply, these e stones
//! followed by x_1, x_2, ... are irrelevant to the child. So a verified proof has an answer to everything.

mod defences;
mod evaluate;

pub use defences::Defence;

use std::sync::Arc;

use tengen_rules::{Cell, Outcome, PlaceError, Position, SetupError, Side, Turn};
use tengen_threats::{Index, LineBoard};

use crate::proof::Proof;
use evaluate::{Answer, Evaluator, Won, indices};

/// A proof that one can play against. Keep it and use it again: it remembers what its nodes are worth.
#[derive(Debug)]
pub struct ProofPlayer {
    proof: Proof,
    start: Position,
    /// The board of the start without stones: making one takes longer than copying it.
    blank: LineBoard,
    evaluator: Evaluator,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The proof's position cannot be played.
    #[error("the proof's position cannot be played: {0}")]
    Position(#[from] SetupError),
    /// The proof has no nodes.
    #[error("the proof is empty")]
    Empty,
    /// The defender's turn is not legal.
    #[error("reply {number}: {error}")]
    Illegal {
        /// From 1.
        number: usize,
        /// What is wrong with it.
        error: PlaceError,
    },
    /// There was nothing more to reply to.
    #[error("reply {number} comes after the end: {end}")]
    AfterTheEnd {
        /// From 1.
        number: usize,
        /// How it ended.
        end: &'static str,
    },
    /// The proof answers nothing here. It cannot be a verified one.
    #[error("the proof has no answer to reply {number}")]
    Unanswered {
        /// From 1; 0 is the beginning.
        number: usize,
    },
    /// Following the proof takes too long.
    #[error("the proof is too large to be played against")]
    TooLarge,
}

/// Why the attacker's last turn is what it is.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum Why {
    /// It is the defender who begins.
    Begin,
    /// The proof's first turn.
    First,
    /// It completes a line.
    Completes,
    /// The proof answers exactly this reply.
    Exact,
    /// The proof answers several replies at once, this one among them.
    Macro,
    /// The proof answers a reply that differs from this one by irrelevant stones.
    Similar,
    /// None of the stones is relevant: it is answered like no stone at all.
    Null,
    /// The proof leaves this reply open: there is no answer.
    LeftOpen,
}

/// Where a game stands: it is the defender's turn, or over.
#[derive(Debug, Clone)]
pub struct Standing {
    /// The turns since the proof's position.
    pub played: Vec<(Side, Turn)>,
    /// The board.
    pub position: Position,
    /// Whether the attacker has completed a line.
    pub won: bool,
    /// Why the last turn of the attacker.
    pub why: Why,
    /// Z_1, Z_2, ... for the defender's next stones; beyond the last one every cell may matter.
    pub zones: Vec<Vec<Cell>>,
    /// The attacker's turns that are left against the longest defence.
    pub turns_left: u32,
    place: Option<Place>,
}

/// Where the proof stands, after the attacker's turn.
#[derive(Debug, Clone)]
struct Place {
    node: Arc<Won>,
    /// What the proof assumes.
    board: LineBoard,
    /// Stones of the defender that it does not know of.
    unknown: Vec<Cell>,
}

impl ProofPlayer {
    /// A player who gives up after looking at so many nodes, each counted in every position it is met in.
    ///
    /// # Errors
    ///
    /// If the proof's position is none.
    pub fn new(proof: Proof, most_visits: u64) -> Result<Self, PlayError> {
        if proof.nodes.is_empty() {
            return Err(PlayError::Empty);
        }
        let start = Position::from_setup(&proof.position)?;
        Ok(Self {
            blank: LineBoard::new(start.rules(), start.grid()),
            start,
            evaluator: Evaluator::new(&proof, most_visits),
            proof,
        })
    }

    /// The proof.
    pub const fn proof(&self) -> &Proof {
        &self.proof
    }

    /// Plays these turns of the defender, each answered by the attacker.
    ///
    /// # Errors
    ///
    /// If a turn is not legal, or the proof has no answer.
    pub fn play(&mut self, replies: &[Turn]) -> Result<Standing, PlayError> {
        let mut standing = self.begin()?;
        for (number, reply) in (1..).zip(replies) {
            standing = self.reply(&standing, reply, number)?;
        }
        Ok(standing)
    }

    fn begin(&mut self) -> Result<Standing, PlayError> {
        let attacker = self.proof.attacker;
        let mut board = LineBoard::from_position(&self.start);
        let left = usize::from(self.start.left());
        let per_turn = usize::from(self.start.rules().per_turn());
        let defender_begins = self.start.to_move() != attacker;
        let reply = if defender_begins { left } else { per_turn };
        let root = self.evaluator.node(&self.proof, &mut board, 0, reply)?;
        let root = root.ok_or(PlayError::Unanswered { number: 0 })?;
        let standing = Standing {
            played: Vec::new(),
            position: self.start.clone(),
            won: false,
            why: Why::Begin,
            zones: Vec::new(),
            turns_left: root.depth,
            place: Some(Place {
                node: root,
                board,
                unknown: Vec::new(),
            }),
        };
        if defender_begins {
            return Ok(standing.with_zones());
        }
        self.attack(standing, 0, Why::First, 0)
    }

    /// One turn of the defender, and the answer.
    fn reply(
        &mut self,
        standing: &Standing,
        reply: &Turn,
        number: usize,
    ) -> Result<Standing, PlayError> {
        let Some(place) = &standing.place else {
            let end = if standing.won {
                "the attacker has won"
            } else {
                "the proof leaves the reply before open"
            };
            return Err(PlayError::AfterTheEnd { number, end });
        };
        let mut next = standing.clone();
        let illegal = |error| PlayError::Illegal { number, error };
        next.position.play(reply).map_err(illegal)?;
        next.played.push((!self.proof.attacker, reply.clone()));
        if next.position.outcome().is_some() {
            return Err(PlayError::Unanswered { number });
        }
        if let Some(turn) = self.completing(&next.position) {
            return next.complete(turn).ok_or(PlayError::Unanswered { number });
        }
        let mut stones = place.unknown.clone();
        let assumed = |cell: &Cell| {
            let index = place.board.index(*cell);
            index.is_some_and(|index| place.board.stone(index).is_some())
        };
        stones.extend(reply.cells().iter().filter(|cell| !assumed(cell)));
        match place.answer(&stones, self.is_exact()) {
            Some(answer) => {
                let why = place.reason(answer, reply);
                let node = answer.node;
                next.place = place.after(answer, &stones, &mut self.evaluator, &self.proof)?;
                self.attack(next, node, why, number)
            }
            None if self.leaves_open(standing, reply) => Ok(next.left_open()),
            None => Err(PlayError::Unanswered { number }),
        }
    }

    /// The attacker's turn of a node, on both boards.
    fn attack(
        &self,
        mut standing: Standing,
        node: usize,
        why: Why,
        number: usize,
    ) -> Result<Standing, PlayError> {
        let unanswered = PlayError::Unanswered { number };
        if let Some(turn) = self.completing(&standing.position) {
            return standing.complete(turn).ok_or(unanswered);
        }
        let Some(place) = &mut standing.place else {
            return Err(unanswered);
        };
        let own = &self.proof.nodes[node].turn;
        let cells = indices(&place.board, own).ok_or_else(|| unanswered.clone())?;
        for cell in cells {
            place.board.place(self.proof.attacker, cell);
        }
        // Where the attacker had to place more stones than the proof needs, he may have some of these already.
        let missing = |cell: &&Cell| standing.position.stone(**cell) != Some(self.proof.attacker);
        let turn = filled(
            &standing.position,
            own.iter().filter(missing).copied().collect(),
        );
        standing.position.play(&turn).map_err(|_| unanswered)?;
        standing.played.push((self.proof.attacker, turn));
        standing.why = why;
        standing.turns_left = place.node.depth - 1;
        Ok(standing.with_zones())
    }

    /// A turn that completes a line at once.
    fn completing(&self, position: &Position) -> Option<Turn> {
        let board = if position.grid() == self.blank.grid() {
            let mut board = self.blank.clone();
            for stone in position.stones() {
                board.place(stone.side, board.index(stone.cell)?);
            }
            board
        } else {
            LineBoard::from_position(position)
        };
        let stones = position.left().min(position.rules().per_turn());
        let set = board.winning_set(position.to_move(), stones)?;
        Some(set.iter().map(|&cell| board.cell(cell)).collect())
    }

    fn is_exact(&self) -> bool {
        self.start.rules().overline() == tengen_rules::Overline::DoesNotWin
    }

    /// Whether a first reply is one that the proof says nothing about.
    fn leaves_open(&self, standing: &Standing, reply: &Turn) -> bool {
        let within = |open: &Vec<Cell>| open.iter().all(|&cell| reply.contains(cell));
        standing.played.is_empty() && self.proof.except.iter().any(within)
    }
}

impl Place {
    /// The child that answers these stones, of several the one that wins soonest.
    fn answer(&self, stones: &[Cell], exact: bool) -> Option<&Answer> {
        let on_board: Vec<Index> = stones.iter().filter_map(|&c| self.board.index(c)).collect();
        // On an infinite board a stone may be farther away than any zone.
        let far = stones.len() - on_board.len();
        let answers = |answer: &&Answer| {
            let child = &answer.child;
            let same = || {
                let known = on_board.iter().all(|cell| child.stones.contains(cell));
                known && child.stones.len() == stones.len()
            };
            if exact {
                same()
            } else {
                child.answers(&on_board, far)
            }
        };
        let answering = self.node.children.iter().filter(answers);
        answering.min_by_key(|answer| (answer.depth, answer.child.shift(&on_board, far)))
    }

    fn reason(&self, answer: &Answer, reply: &Turn) -> Why {
        let stones = &answer.child.stones;
        let known = |&cell: &Cell| {
            let index = self.board.index(cell);
            index.is_some_and(|index| stones.contains(&index))
        };
        match reply.cells().iter().all(known) {
            true if stones.len() == reply.len() => Why::Exact,
            true => Why::Macro,
            false if stones.is_empty() => Why::Null,
            false => Why::Similar,
        }
    }

    /// The proof's board after a reply, before its answer.
    fn after(
        &self,
        answer: &Answer,
        stones: &[Cell],
        evaluator: &mut Evaluator,
        proof: &Proof,
    ) -> Result<Option<Self>, PlayError> {
        let mut board = self.board.clone();
        for &cell in &answer.child.stones {
            board.place(!proof.attacker, cell);
        }
        let per_turn = usize::from(board.rules().per_turn());
        let node = evaluator.node(proof, &mut board, answer.node, per_turn)?;
        let known = |cell: &&Cell| {
            let index = board.index(**cell);
            index.is_some_and(|index| answer.child.stones.contains(&index))
        };
        let unknown = stones.iter().filter(|cell| !known(cell)).copied().collect();
        Ok(node.map(|node| Self {
            node,
            board,
            unknown,
        }))
    }
}

impl Standing {
    /// The attacker completes a line.
    fn complete(mut self, turn: Turn) -> Option<Self> {
        let side = self.position.to_move();
        let mut turn = turn;
        if self.position.play(&turn).is_err() {
            // Some of the stones are enough for another line: then it must be a whole turn.
            turn = filled(&self.position, turn.cells().to_vec());
            self.position.play(&turn).ok()?;
        }
        self.played.push((side, turn));
        self.won = matches!(self.position.outcome(), Some(Outcome::Win { side: winner, .. }) if *winner == side);
        self.why = Why::Completes;
        self.end();
        self.won.then_some(self)
    }

    fn left_open(mut self) -> Self {
        self.why = Why::LeftOpen;
        self.end();
        self
    }

    fn end(&mut self) {
        self.turns_left = 0;
        self.zones.clear();
        self.place = None;
    }

    /// The zones of the place: where further stones matter, besides those that are there already.
    fn with_zones(mut self) -> Self {
        if let Some(place) = &self.place {
            let sets = place.node.zones.sets().iter().skip(place.unknown.len());
            let free = |cell: &Cell| self.position.stone(*cell).is_none();
            let names = |zone: &tengen_threats::CellSet| {
                zone.iter()
                    .map(|cell| place.board.cell(cell))
                    .filter(free)
                    .collect()
            };
            self.zones = sets.map(names).collect();
        }
        self
    }
}

/// A whole turn with these stones, the others near by: more stones never hurt.
fn filled(position: &Position, mut stones: Vec<Cell>) -> Turn {
    let free = position.empty_cells().unwrap_or(u32::MAX);
    let whole = u32::from(position.left()).min(free) as usize;
    let middle = stones.first().copied();
    let middle = middle.or_else(|| position.stones().next().map(|stone| stone.cell));
    let middle = middle.unwrap_or(Cell::new(0, 0));
    let mut cells: Vec<Cell> = position.grid().cells().collect();
    cells.retain(|&cell| position.stone(cell).is_none() && position.grid().holds(cell));
    let far = |cell: &Cell| {
        let (x, y) = (i32::from(cell.x - middle.x), i32::from(cell.y - middle.y));
        x * x + y * y
    };
    cells.sort_by_key(far);
    for cell in cells {
        if stones.len() >= whole {
            break;
        }
        if !stones.contains(&cell) {
            stones.push(cell);
        }
    }
    stones.into_iter().collect()
}
