//! Plays strategies through: *turn* and *reply* of `docs/gomoku-format.md`.
//!
//! Every call nested in another has at least one more stone on the board, so the depth is bounded by
//! its cells. A failure leaves its stones on the board: they are the line that fails, and whoever
//! began takes them back.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::board::{Board, Fives, Side};
use super::file::Strategies;
use super::shape::Shape;

/// How many steps are played between two looks at the clock.
const STEPS_PER_LOOK: u64 = 1 << 12;

/// Why a strategy does not win.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Failure {
    /// White threatens five, on one cell or several, and the strategy does not block it.
    NotBlocked,
    /// White threatens five in two ways.
    TwoFives,
    /// White completes a five.
    WhiteWins,
    /// Neither a five nor a double is at hand, and the strategy says nothing more.
    NothingLeft,
    /// The strategy's move is not empty.
    Occupied(u8),
    /// The strategy's move threatens nothing.
    NoThreat,
    /// The check was stopped, or a limit was reached.
    Stopped,
}

impl Failure {
    pub(super) fn in_words(self, shape: &Shape) -> String {
        match self {
            Self::NotBlocked => "White's five is not blocked".to_owned(),
            Self::TwoFives => "White has two fives".to_owned(),
            Self::WhiteWins => "White completes a five".to_owned(),
            Self::NothingLeft => "neither a five nor a double is at hand, and no move".to_owned(),
            Self::Occupied(cell) => format!("the move {} is not empty", shape.name(cell)),
            Self::NoThreat => "the move threatens nothing".to_owned(),
            Self::Stopped => "stopped".to_owned(),
        }
    }
}

/// When to stop before the end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Until<'a> {
    pub(super) stop: Option<&'a AtomicBool>,
    pub(super) deadline: Option<Instant>,
}

impl Until<'_> {
    pub(super) fn is_reached(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|end| Instant::now() >= end)
    }
}

/// A board on which strategies are played.
pub(super) struct Play<'a> {
    pub(super) board: Board<'a>,
    /// Moves of strategies played, and fours answered.
    pub(super) steps: u64,
    until: Until<'a>,
}

impl<'a> Play<'a> {
    pub(super) fn new(shape: &'a Shape, until: Until<'a>) -> Self {
        Self {
            board: Board::new(shape),
            steps: 0,
            until,
        }
    }

    /// The attacker is to move, with a node of a strategy or without.
    pub(super) fn turn(
        &mut self,
        strategies: &Strategies,
        node: Option<usize>,
    ) -> Result<(), Failure> {
        if self.board.fives(Side::Black) != Fives::No {
            return Ok(());
        }
        match self.board.fives(Side::White) {
            Fives::Several => return Err(Failure::TwoFives),
            Fives::One(five) => {
                if node.map(|node| strategies.cell(node)) != Some(five) {
                    return Err(Failure::NotBlocked);
                }
            }
            Fives::No => {
                if self.board.doubles(Side::Black).any() {
                    return Ok(());
                }
            }
        }
        let node = node.ok_or(Failure::NothingLeft)?;
        let cell = strategies.cell(node);
        if !self.board.is_empty(cell) {
            return Err(Failure::Occupied(cell));
        }
        let before = self.board.placed().len();
        self.step(cell)?;
        self.reply(strategies, node)?;
        self.board.take_back_to(before);
        Ok(())
    }

    /// The defender is to move: the move of this node was just placed, or a four answered since.
    fn reply(&mut self, strategies: &Strategies, node: usize) -> Result<(), Failure> {
        if self.board.fives(Side::White) != Fives::No {
            return Err(Failure::WhiteWins);
        }
        let before = self.board.placed().len();
        match self.board.fives(Side::Black) {
            Fives::Several => {}
            Fives::One(five) => self.answer(strategies, node, five)?,
            Fives::No => {
                let doubles = self.board.doubles(Side::Black);
                let mut replies = doubles.stops().ok_or(Failure::NoThreat)?;
                replies.unite(&self.board.fours(Side::White));
                for reply in replies.iter() {
                    self.answer(strategies, node, reply)?;
                    self.board.take_back_to(before);
                }
            }
        }
        self.board.take_back_to(before);
        Ok(())
    }

    /// The defender replies so, and the attacker must win.
    fn answer(&mut self, strategies: &Strategies, node: usize, reply: u8) -> Result<(), Failure> {
        self.board.place(reply, Side::White);
        if let Some(child) = strategies.child(node, reply) {
            return self.turn(strategies, Some(child));
        }
        match (self.board.fives(Side::Black), self.board.fives(Side::White)) {
            (Fives::No, Fives::Several) => Err(Failure::TwoFives),
            (Fives::No, Fives::One(block)) => {
                self.step(block)?;
                self.reply(strategies, node)
            }
            _ => self.turn(strategies, None),
        }
    }

    /// Places a stone of the attacker.
    fn step(&mut self, cell: u8) -> Result<(), Failure> {
        self.board.place(cell, Side::Black);
        self.steps += 1;
        if self.steps.is_multiple_of(STEPS_PER_LOOK) && self.until.is_reached() {
            return Err(Failure::Stopped);
        }
        Ok(())
    }
}
