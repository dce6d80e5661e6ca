//! One game: asks the contestants in turn, and believes nothing but the rules, its own clock and proofs
//! that were checked.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tengen_prover::Proof;
use tengen_rules::{BySide, Cell, Outcome, Position, Rules, Side, notation};

use super::pace::GameClock;
use super::{
    Contestant, Fault, GameRecord, GameResult, Margin, Opening, Pace, Question, Reason, Reply,
    TurnLog,
};
use crate::{Verdict, begins_with};

/// What the checker says of a proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Checked {
    /// The win is proved, against every reply.
    Verified,
    /// A limit of the check was reached.
    Undecided,
    /// The proof is wrong.
    Rejected(String),
}

/// Checks that a proof shows that this side wins this very position.
pub type Check<'a> = &'a (dyn Fn(&Proof, &Position, Side) -> Checked + Sync);

/// What holds in every game of a match.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    /// The game.
    #[serde(with = "rules_text")]
    pub rules: Rules,
    /// What a contestant may use when it does not bring limits of its own.
    pub pace: Pace,
    /// How far it may overstep.
    pub margin: Margin,
    /// A game of so many turns is a draw.
    pub max_turns: Option<usize>,
    /// Whether a verified proof ends the game.
    pub adjudication: bool,
    /// Memory of each engine.
    pub memory_mib: usize,
    /// Where random choices start.
    pub seed: u64,
}

mod rules_text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use tengen_rules::Rules;

    pub(super) fn serialize<S: Serializer>(rules: &Rules, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(rules)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Rules, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

/// How a game ended.
#[derive(Debug)]
pub(super) struct Ending {
    result: GameResult,
    reason: Reason,
    detail: String,
}

impl Ending {
    fn new(result: GameResult, reason: Reason, detail: impl Into<String>) -> Self {
        Self {
            result,
            reason,
            detail: detail.into(),
        }
    }

    /// This side loses, and why.
    pub(super) fn forfeit(side: Side, reason: Reason, detail: impl Into<String>) -> Self {
        Self::new(GameResult::won_by(!side), reason, detail)
    }

    /// This side loses because of a fault; `None` when the match was stopped.
    pub(super) fn fault(side: Side, fault: &Fault) -> Option<Self> {
        let reason = match fault {
            Fault::Silent(_) => Reason::Silent,
            Fault::Crashed(_) => Reason::Crash,
            Fault::Garbage(_) => Reason::Garbage,
            Fault::Stopped => return None,
        };
        Some(Self::forfeit(side, reason, fault.to_string()))
    }
}

/// A game in progress.
pub(super) struct Game<'a> {
    conditions: &'a Conditions,
    check: Check<'a>,
    stopped: &'a (dyn Fn() -> bool + Sync),
    clocks: BySide<GameClock>,
    position: Position,
    stones: Vec<Cell>,
    opening_turns: usize,
    log: Vec<TurnLog>,
    rejected_claims: Vec<String>,
}

impl<'a> Game<'a> {
    pub(super) fn new(
        conditions: &'a Conditions,
        opening: &Opening,
        paces: BySide<Pace>,
        check: Check<'a>,
        stopped: &'a (dyn Fn() -> bool + Sync),
    ) -> Self {
        let position = Position::replay(conditions.rules, &opening.stones)
            .expect("openings are legal when they are read");
        let clock = |side: Side| GameClock::new(paces[side], conditions.margin);
        Self {
            conditions,
            check,
            stopped,
            clocks: BySide {
                black: clock(Side::Black),
                white: clock(Side::White),
            },
            opening_turns: turns_of(&position),
            stones: opening.stones.clone(),
            position,
            log: Vec::new(),
            rejected_claims: Vec::new(),
        }
    }

    /// Plays to the end; `None` when the match was stopped before.
    pub(super) fn play(&mut self, players: BySide<&mut dyn Contestant>) -> Option<Ending> {
        let BySide { black, white } = players;
        loop {
            if (self.stopped)() {
                return None;
            }
            let turns = self.opening_turns + self.log.len();
            if self.conditions.max_turns.is_some_and(|most| turns >= most) {
                let detail = format!("undecided after {turns} turns");
                return Some(Ending::new(GameResult::Draw, Reason::MaxTurns, detail));
            }
            let ended = match self.position.to_move() {
                Side::Black => self.turn(&mut *black),
                Side::White => self.turn(&mut *white),
            };
            match ended {
                Ok(None) => {}
                Ok(Some(ending)) => return Some(ending),
                Err(fault) => return Ending::fault(self.position.to_move(), &fault),
            }
        }
    }

    /// One turn of the side to move; says whether it ended the game.
    fn turn(&mut self, player: &mut dyn Contestant) -> Result<Option<Ending>, Fault> {
        let side = self.position.to_move();
        let allowed = self.clocks[side].allowed();
        let question = Question {
            position: &self.position,
            limits: self.clocks[side].limits(),
            patience: allowed,
            stopped: self.stopped,
        };
        let start = Instant::now();
        let reply = player.play(&question)?;
        let time = start.elapsed();
        self.clocks[side].take(time);
        if let Some(allowed) = allowed
            && time > allowed
        {
            let [time, allowed] = [time, allowed].map(|t| t.as_secs_f64());
            let detail = format!("{time:.3} s for a turn, at most {allowed:.3} s with the margin");
            return Ok(Some(Ending::forfeit(side, Reason::Time, detail)));
        }
        let before = self.position.clone();
        if let Err(error) = self.position.play(&reply.turn) {
            let detail = format!("{}: {error}", reply.turn);
            return Ok(Some(Ending::forfeit(side, Reason::Illegal, detail)));
        }
        self.note(&before, &reply, time);
        Ok(self.ending(&before, &reply))
    }

    /// Writes a turn down.
    fn note(&mut self, before: &Position, reply: &Reply, time: Duration) {
        let placed = self.position.history().skip(before.history().count());
        let cells: Vec<Cell> = placed.filter_map(|(_, cell)| cell).collect();
        self.log.push(TurnLog {
            turn: notation::moves_text(&cells),
            seconds: (time.as_secs_f64() * 1e6).round() / 1e6,
            verdict: reply.verdict.as_ref().map(ToString::to_string),
            score: reply.score.map(|score| score.0),
            nodes: reply.nodes,
            depth: reply.depth,
        });
        self.stones.extend(cells);
    }

    /// Whether the game is over now: by the rules, or by a proof that the checker accepts.
    fn ending(&mut self, before: &Position, reply: &Reply) -> Option<Ending> {
        match self.position.outcome() {
            Some(Outcome::Win { side, cells }) => {
                let result = GameResult::won_by(*side);
                return Some(Ending::new(result, Reason::Line, cells.to_string()));
            }
            Some(Outcome::Draw) => {
                return Some(Ending::new(GameResult::Draw, Reason::Full, String::new()));
            }
            None => {}
        }
        if !self.conditions.adjudication {
            return None;
        }
        let Some(Verdict::Win(proof)) = &reply.verdict else {
            return None;
        };
        let side = before.to_move();
        if proof.position == before.to_setup() && !begins_with(proof, &reply.turn) {
            let turn = self.opening_turns + self.log.len();
            let reason = format!("turn {turn}: the proof begins with another turn");
            self.rejected_claims.push(reason);
            return None;
        }
        match (self.check)(proof, proved_position(proof, before, &self.position), side) {
            Checked::Verified => Some(Ending::new(
                GameResult::won_by(side),
                Reason::Proof,
                String::new(),
            )),
            Checked::Undecided => None,
            Checked::Rejected(reason) => {
                let turn = self.opening_turns + self.log.len();
                self.rejected_claims.push(format!("turn {turn}: {reason}"));
                None
            }
        }
    }

    /// The record of the game.
    pub(super) fn into_record(self, ending: Ending) -> GameRecord {
        GameRecord {
            game: 0,
            opening: 0,
            black: String::new(),
            white: String::new(),
            result: ending.result,
            reason: ending.reason,
            detail: ending.detail,
            turns: self.opening_turns + self.log.len(),
            opening_turns: self.opening_turns,
            moves: notation::moves_text(&self.stones),
            log: self.log,
            rejected_claims: self.rejected_claims,
        }
    }
}

/// The position a proof can be about: before the turn, with its mover to play, or after it. Whatever is
/// chosen here, the checker compares it with the proof.
fn proved_position<'a>(proof: &Proof, before: &'a Position, after: &'a Position) -> &'a Position {
    let stones = proof.position.black.len() + proof.position.white.len();
    if stones == after.stones().count() {
        after
    } else {
        before
    }
}

/// How many turns were played since the empty board.
fn turns_of(position: &Position) -> usize {
    let mut turns = 0;
    let mut last = None;
    for (side, _) in position.history() {
        turns += usize::from(last != Some(side));
        last = Some(side);
    }
    turns
}
