//! Jobs done by this machine's prover.
//!
//! Where the attacker is to move, a job looks for a forced win (VCST), and failing that verifies the next turns of a wide
//! list, ranked by their null-turn win. Where the defender is to move, it lists the replies that are not proved to lose
//! (NCTU6-Verifier): these are all children there are, and the partial proof is the stopper. What is missing is counted
//! in surviving replies.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tengen_prover::{
    Limits, Proof, Ranking, Request, Solver, Value, Verification, VerifyRequest, rank_turns,
    replay, verify,
};
use tengen_rules::{Cell, Position, Rules, Side, Turn, notation, position_key};
use tengen_threats::LineBoard;

use super::attraction::by_attraction;
use super::counting::{
    HOPELESS, missing, reply, survivors_early, survivors_of, verdict_of, weight_of_replies,
};
use super::gomoku::Gomoku;
use super::memory::{Memory, Name};
use super::{JobError, Worker};
use crate::clock::processor_time;
use crate::{Decision, Evidence, Expansion, Found, Job, JobResult, Numbers, ProofId, Work};

/// How hard jobs try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effort {
    /// Nodes of the search for a forced win before anything else, and once more after many turns in vain.
    pub forced: u64,
    /// The second of these.
    pub forced_late: u64,
    /// How turns are ranked.
    pub ranking: Ranking,
    /// How many turns one job verifies.
    pub turns: usize,
    /// Nodes of each search of a quick verification, stage by stage, and how many replies may resist.
    pub quick: Vec<u64>,
    /// See `quick`.
    pub patience: usize,
    /// The same for a verification that is worth more; the patience grows with every attempt.
    pub thorough: Vec<u64>,
    /// See `thorough`.
    pub long_patience: usize,
    /// The same after the attacker's second turn: its survivors are often many and easy.
    pub early_patience: usize,
    /// Nodes for a reply that has resisted other turns, and how many such replies are tried before a verification.
    pub stubborn: u64,
    /// See `stubborn`.
    pub most_stubborn: usize,
}

impl Default for Effort {
    fn default() -> Self {
        Self {
            forced: 40_000,
            forced_late: 1_000_000,
            ranking: Ranking {
                widest: 400,
                nodes: 6_000,
                closest: 400,
                closest_nodes: 8_000,
            },
            turns: 8,
            quick: vec![300, 3_000],
            patience: 10,
            thorough: vec![300, 3_000, 20_000],
            long_patience: 30,
            early_patience: 150,
            stubborn: 3_000,
            most_stubborn: 10,
        }
    }
}

/// Of how many replies, those that resisted most, a turn may lose to without being postponed.
const FEW_RESIST: usize = 3;
/// More are not tried: the turn is postponed.
const MANY_RESIST: usize = 6;
/// What a postponed turn is thought to leave open, times the square of the replies that resisted: turns that beat most of
/// the stubborn replies leave ten, those that beat none hundreds.
const PER_RESISTING: u32 = 8;
/// What the next turn is thought to leave open when the first ones were in vain, and after how many more turns in vain it
/// is one more. More than what a reply counts that nobody has looked at: otherwise looking in vain costs nothing, and a
/// bad turn with forty survivors keeps the workers busy with each of them.
const NEXT: u32 = 2;
/// See `NEXT`.
const PER_TURN_IN_VAIN: u32 = 6;
/// After this many turns in vain a forced win is looked for with more effort.
const LATE: usize = 8;
/// From this attempt on a verification has all patience.
const LAST_ATTEMPT: u8 = 3;
/// What a turn is worth that leaves no reply; one that leaves n is worth an (n + 1)-th of it.
const MOST_PRAISE: u32 = 12;
/// Entries of a solver's table, as a power of two.
const TABLE_BITS: u32 = 19;

/// Does jobs with this machine's prover. One value serves all threads.
#[derive(Debug, Default)]
pub struct LocalWorker {
    pub(super) effort: Effort,
    /// Solvers that nobody uses now; their tables are large.
    solvers: Mutex<Vec<Solver>>,
    pub(super) memory: Memory,
    gomoku: Gomoku,
}

impl LocalWorker {
    /// One that tries as hard as is usual.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same, with so many bytes for all of so many threads together, where Go-Moku is solved.
    #[must_use]
    pub fn with_room(mut self, threads: usize, bytes: usize) -> Self {
        self.gomoku = Gomoku::new(threads, bytes);
        self
    }

    /// One that tries as hard as this.
    pub fn with_effort(effort: Effort) -> Self {
        Self {
            effort,
            ..Self::default()
        }
    }
}

impl Worker for LocalWorker {
    fn run(&self, job: &Job, stop: &AtomicBool) -> Result<JobResult, JobError> {
        let senseless = |reason: String| JobError::Senseless { id: job.id, reason };
        let rules: Rules = job.rules.parse().map_err(|e| senseless(format!("{e}")))?;
        let position = notation::parse_position(&job.position, rules)
            .map_err(|e| senseless(format!("{e}")))?;
        if position.outcome().is_some() {
            return Err(senseless("the game is over".into()));
        }
        let (start, work) = (Instant::now(), processor_time());
        if matches!(job.work, Work::Gomoku { .. }) {
            let nothing = || senseless("there is no such round".into());
            let done = self.gomoku.run(job, &position, stop).ok_or_else(nothing)?;
            return Ok(JobResult {
                nodes: done.work.nodes,
                seconds: (processor_time() - work).as_secs_f64(),
                gomoku: Some(Box::new(done)),
                ..JobResult::default()
            });
        }
        let seconds = job.limits.seconds.filter(|seconds| *seconds >= 0.0);
        let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let mut task = Task {
            worker: self,
            position: &position,
            name: Name::of(&position),
            tips: job.tips.iter().filter_map(|tip| tip.parse().ok()).collect(),
            stop,
            deadline: time.and_then(|time| start.checked_add(time)),
            most_nodes: job.limits.nodes.unwrap_or(u64::MAX),
            result: JobResult::default(),
        };
        task.result.expansion = match &job.work {
            Work::Expand {
                exclude,
                hints,
                attempt,
                attacker,
            } => task.expand(exclude, hints, *attempt, *attacker),
            Work::Verify { order } => task.verify_all(*order),
            Work::Prove { order } => task.prove_win(*order),
            Work::Evaluate => Expansion::estimated(task.glance()),
            Work::Gomoku { .. } => Expansion::default(),
        };
        if stop.load(Ordering::Relaxed) {
            // What a stopped search has not found is no answer.
            let found = task.result.expansion.decided.is_some();
            if !found {
                return Err(JobError::Stopped);
            }
        }
        let mut result = task.result;
        result.seconds = (processor_time() - work).as_secs_f64();
        Ok(result)
    }

    fn heard(&self, job: &Job) -> Option<u64> {
        self.gomoku.heard(job)
    }

    fn hear(&self, job: &Job, number: u64, piece: &[u8]) {
        self.gomoku.hear(job, number, piece);
    }
}

/// One job on its way.
pub(super) struct Task<'a> {
    pub(super) worker: &'a LocalWorker,
    pub(super) position: &'a Position,
    pub(super) name: Name,
    /// Strategies of the side to move that won after other turns of the other side.
    pub(super) tips: Vec<Proof>,
    pub(super) stop: &'a AtomicBool,
    pub(super) deadline: Option<Instant>,
    pub(super) most_nodes: u64,
    pub(super) result: JobResult,
}

impl Task<'_> {
    fn expand(
        &mut self,
        exclude: &[Turn],
        hints: &[Turn],
        attempt: u8,
        attacker: Option<Side>,
    ) -> Expansion {
        let mover = self.position.to_move();
        match attacker {
            Some(side) if side == mover => self.attack(exclude, hints),
            Some(_) => self.defend(exclude, attempt),
            // Who is lost if he does nothing defends.
            None if self.is_pressed() => {
                let win = self.forced_win(self.worker.effort.forced);
                win.unwrap_or_else(|| self.defend(exclude, attempt))
            }
            None => self.attack(exclude, hints),
        }
    }

    /// Whether the side that has just moved wins if the other does nothing.
    fn is_pressed(&mut self) -> bool {
        let mut passed = self.position.clone();
        passed.pass();
        self.solve(&passed, 2, self.worker.effort.stubborn)
            .is_some()
    }

    /// The attacker is to move.
    fn attack(&mut self, exclude: &[Turn], hints: &[Turn]) -> Expansion {
        let effort = &self.worker.effort;
        if let Some(won) = self.replayed() {
            return won;
        }
        let late = (LATE..LATE + effort.turns).contains(&exclude.len());
        if exclude.is_empty() || late {
            let nodes = if late {
                effort.forced_late
            } else {
                effort.forced
            };
            if let Some(won) = self.forced_win(nodes) {
                return won;
            }
        }
        let mut waiting = self.taught(exclude);
        let taught = waiting.len();
        let others = self.candidates(exclude, hints).into_iter();
        let others: Vec<Turn> = others.filter(|turn| !waiting.contains(turn)).collect();
        waiting.extend(others);
        // Who must stop the other first has few turns, and each may be the only one.
        let few = exclude.len() + waiting.len() <= effort.turns;
        let mut rest = waiting.split_off(waiting.len().min(effort.turns));
        let mut expansion = Expansion::default();
        // The next one must only be better than those before it.
        let mut patience = few.then_some(effort.long_patience);
        let mut waiting = waiting.into_iter();
        while !self.is_over()
            && let Some(turn) = waiting.next()
        {
            let is_taught = expansion.turns.len() < taught;
            let place = exclude.len() + expansion.turns.len();
            let found = self.try_turn(turn, patience, is_taught, place);
            let after = found.after.as_deref();
            let won = after.is_some_and(|after| after.decided.is_some());
            let survivors = after.map(|after| after.turns.len()).filter(|n| *n > 0);
            patience = patience.map(|most| survivors.map_or(most, |left| most.min(left)));
            expansion.turns.push(found);
            if won {
                break;
            }
        }
        // Who runs out of time has said nothing about the others.
        rest.splice(..0, waiting);
        let silent = expansion.turns.is_empty();
        if silent && !rest.is_empty() {
            expansion.estimate = Some(missing(self.position.to_move(), HOPELESS));
        }
        // Only so many hints are kept: when they run out, the list is made anew.
        let ended = rest.is_empty() && (hints.is_empty() || silent);
        if !ended {
            let tried = (exclude.len() + expansion.turns.len()) as u32;
            expansion.next = Some(NEXT + tried / PER_TURN_IN_VAIN);
        } else if silent {
            // Nobody has proved it.
            expansion.rest_loses = Some(Evidence::Claim);
        }
        expansion.hints = rest;
        expansion
    }

    /// How many stones a side has after its second turn if it began.
    fn stones_after_two_turns(&self) -> u32 {
        let rules = self.position.rules();
        u32::from(rules.first_turn()) + u32::from(rules.per_turn())
    }

    /// Whether the attacker, who is to move, has one turn on the board.
    fn is_second_turn(&self) -> bool {
        self.position.count(self.position.to_move()) < self.stones_after_two_turns()
    }

    /// The turns with which the strategies begin that won after other replies: what is left open here is often little.
    fn taught(&self, exclude: &[Turn]) -> Vec<Turn> {
        let whole = usize::from(self.position.left());
        let legal = |turn: &Turn| turn.len() == whole && self.position.clone().play(turn).is_ok();
        let mut taught: Vec<Turn> = Vec::new();
        for turn in self.tips.iter().filter_map(first_turn) {
            if legal(&turn) && !exclude.contains(&turn) && !taught.contains(&turn) {
                taught.push(turn);
            }
        }
        taught
    }

    /// A win by what won after another reply.
    fn replayed(&mut self) -> Option<Expansion> {
        let mut tips = self.tips.iter();
        let proof = tips.find_map(|known| replay(self.position, known))?;
        Some(self.decided(self.position.to_move(), &proof))
    }

    fn forced_win(&mut self, nodes: u64) -> Option<Expansion> {
        let proof = self.solve(self.position, 2, nodes)?;
        Some(self.decided(self.position.to_move(), &proof))
    }

    /// The turns that are worth a verification, the best first.
    fn candidates(&mut self, exclude: &[Turn], hints: &[Turn]) -> Vec<Turn> {
        let fresh = |turn: &Turn| !exclude.contains(turn);
        let hinted: Vec<Turn> = hints.iter().filter(|turn| fresh(turn)).cloned().collect();
        // After the first turns it is known which replies resist: that changes the order.
        let anew = exclude.len() == self.worker.effort.turns;
        if !hinted.is_empty() && !anew {
            return hinted;
        }
        let ranked = self.ranked().into_iter();
        let ranked = self.different(exclude, ranked.filter(fresh).collect());
        let mut turns = self.mixed(ranked);
        turns.sort_by_cached_key(|turn| !self.stands_alone(turn));
        turns
    }

    /// All whole turns, the best first.
    fn ranked(&self) -> Vec<Turn> {
        let memory = &self.worker.memory;
        if let Some(turns) = memory.ranked(&self.name) {
            return turns;
        }
        let ranking = self.worker.effort.ranking;
        let ranked = rank_turns(self.position, 3, ranking, Some(self.stop)).into_iter();
        let whole = usize::from(self.position.left());
        let turns = ranked.map(|ranked| ranked.turn);
        let turns: Vec<Turn> = turns.filter(|turn| turn.len() == whole).collect();
        if !self.stop.load(Ordering::Relaxed) {
            memory.keep_ranked(&self.name, &turns);
        }
        turns
    }

    /// Of five turns two attract strong players, one was good elsewhere, one takes a cell that the replies need which resisted
    /// other turns here, and one has small zones.
    fn mixed(&self, ranked: Vec<Turn>) -> Vec<Turn> {
        let memory = &self.worker.memory;
        let praise = |turn: &Turn| memory.praise_of(turn);
        let stubborn = memory.stubborn(&self.name);
        let takes = |turn: &Turn| -> u32 {
            let taken = |reply: &Turn| reply.cells().iter().any(|cell| turn.cells().contains(cell));
            let replies = stubborn.iter().filter(|known| taken(&known.reply));
            replies.map(|known| known.turns).sum()
        };
        let by = |worth: &dyn Fn(&Turn) -> u32| {
            let mut good: Vec<(u32, &Turn)> =
                ranked.iter().map(|turn| (worth(turn), turn)).collect();
            good.retain(|(worth, _)| *worth > 0);
            good.sort_by_key(|(worth, _)| std::cmp::Reverse(*worth));
            good.into_iter().map(|(_, turn)| turn.clone()).collect()
        };
        let (good, taking): (Vec<Turn>, Vec<Turn>) = (by(&praise), by(&takes));
        let attractive = by_attraction(self.position, &ranked);
        let mut lists = [attractive, good, taking, ranked].map(Vec::into_iter);
        let mut seen = HashSet::new();
        let mut mixed = Vec::new();
        // The last list has all turns.
        while !lists[3].as_slice().is_empty() {
            for list in [0, 1, 2, 0, 3] {
                if let Some(turn) = lists[list].find(|turn| !seen.contains(turn)) {
                    seen.insert(turn.clone());
                    mixed.push(turn);
                }
            }
        }
        mixed
    }

    /// Remembers that a turn left few replies.
    fn praise(&self, turn: &Turn, checked: &Verification) {
        let whole = |stones: &Vec<Cell>| stones.len() == turn.len();
        let worth = MOST_PRAISE / (1 + checked.survivors.len() as u32);
        if worth > 0 && checked.survivors.iter().all(whole) {
            self.worker.memory.praise(turn, worth);
        }
    }

    /// Of turns to the same position up to symmetry the first, and none to where an excluded one leads.
    fn different(&self, exclude: &[Turn], mut turns: Vec<Turn>) -> Vec<Turn> {
        let key = |turn: &Turn| {
            let mut after = self.position.clone();
            after.play(turn).is_ok().then(|| position_key(&after).0)
        };
        let mut met: HashSet<_> = exclude.iter().filter_map(key).collect();
        turns.retain(|turn| key(turn).is_some_and(|key| met.insert(key)));
        turns
    }

    /// Verifies a turn, if it won after another reply, or the replies that resisted other turns do not say that others
    /// come first.
    fn try_turn(
        &mut self,
        turn: Turn,
        thorough: Option<usize>,
        taught: bool,
        place: usize,
    ) -> Found {
        let attacker = self.position.to_move();
        let mut after = self.position.clone();
        let played = after.play(&turn).is_ok() && after.outcome().is_none();
        let key = position_key(&after).0;
        let (survivors, expansion) = if played {
            self.judge(&turn, &after, thorough, taught, place)
        } else {
            (HOPELESS, Expansion::estimated(missing(attacker, HOPELESS)))
        };
        Found {
            turn,
            key,
            verdict: verdict_of(attacker, survivors),
            after: Some(Box::new(expansion)),
        }
    }

    /// How many replies survive a turn of the attacker, and what is known of the position after it. Thorough is with so
    /// much patience, whatever resisted other turns.
    fn judge(
        &mut self,
        turn: &Turn,
        after: &Position,
        thorough: Option<usize>,
        taught: bool,
        place: usize,
    ) -> (u32, Expansion) {
        let attacker = self.position.to_move();
        let resisting = if taught || thorough.is_some() {
            0
        } else {
            self.resisting(after)
        };
        if resisting > FEW_RESIST {
            let count = (resisting * resisting) as u32 * PER_RESISTING;
            return (count, Expansion::estimated(missing(attacker, count)));
        }
        let checked = match thorough {
            Some(patience) => {
                let stages = self.worker.effort.thorough.clone();
                self.verify(after, &stages, Some(patience))
            }
            None => self.verify_quickly(after),
        };
        let Some(checked) = checked else {
            return (HOPELESS, Expansion::estimated(missing(attacker, HOPELESS)));
        };
        self.remember(&checked.resisted);
        if checked.finished {
            self.praise(turn, &checked);
        }
        let expansion = self.verified(after, attacker, &checked);
        let survivors = survivors_of(after, &checked);
        let open = expansion.turns.is_empty() && expansion.decided.is_none();
        if open && survivors < HOPELESS && self.is_second_turn() {
            let count = survivors_early(&checked, place);
            return (count, Expansion::estimated(missing(attacker, count)));
        }
        (survivors, expansion)
    }

    /// A quick verification; where it ends with few survivors, these once more with more nodes.
    fn verify_quickly(&mut self, after: &Position) -> Option<Verification> {
        let effort = self.worker.effort.clone();
        let checked = self.verify(after, &effort.quick, Some(effort.patience))?;
        let last = &effort.thorough[effort.thorough.len() - 1..];
        if checked.finished && !checked.survivors.is_empty() {
            return self.verify(after, last, None);
        }
        Some(checked)
    }

    /// The defender is to move: which replies survive?
    fn defend(&mut self, exclude: &[Turn], attempt: u8) -> Expansion {
        let attacker = !self.position.to_move();
        let effort = self.worker.effort.clone();
        let early = self.position.count(attacker) <= self.stones_after_two_turns();
        let patience = match early {
            true => effort.early_patience,
            false => effort.long_patience,
        };
        let patience = patience << (2 * attempt.min(LAST_ATTEMPT));
        let patience = (attempt < LAST_ATTEMPT).then_some(patience);
        let checked = self.verify(self.position, &effort.thorough, patience);
        let Some(checked) = checked else {
            // The defender wins at once, or nothing can be verified here.
            return match self.forced_win(effort.forced) {
                Some(won) => won,
                None => Expansion::estimated(missing(attacker, HOPELESS)),
            };
        };
        let mut expansion = self.verified(self.position, attacker, &checked);
        let silent = expansion.turns.is_empty() && expansion.decided.is_none();
        if attempt >= LAST_ATTEMPT && silent && !self.is_over() {
            // Once more would be the same once more.
            expansion.rest_loses = Some(Evidence::Claim);
        }
        expansion
            .turns
            .retain(|found| !exclude.contains(&found.turn));
        expansion
    }

    /// What a verification says about the position it was made for.
    fn verified(
        &mut self,
        position: &Position,
        attacker: Side,
        checked: &Verification,
    ) -> Expansion {
        let proof = checked.proof.as_deref();
        if let (true, Some(proof)) = (checked.survivors.is_empty(), proof) {
            return self.decided(attacker, proof);
        }
        let whole = usize::from(position.left());
        let full = checked.survivors.iter().all(|stones| stones.len() == whole);
        if !checked.finished || !full {
            return Expansion::estimated(missing(attacker, survivors_of(position, checked)));
        }
        let Some(proof) = proof else {
            return Expansion::estimated(missing(attacker, HOPELESS));
        };
        let turns = checked.survivors.iter();
        let weight = weight_of_replies(position);
        let turns = turns.filter_map(|stones| reply(position, stones, attacker, weight));
        Expansion {
            turns: turns.collect(),
            rest_loses: Some(self.evidence(proof)),
            estimate: Some(missing(attacker, survivors_of(position, checked))),
            ..Expansion::default()
        }
    }

    /// All surviving replies, with all stages.
    fn verify_all(&mut self, order: u8) -> Expansion {
        let request = VerifyRequest {
            limits: self.limits(u64::MAX),
            stop: Some(self.stop),
            ..VerifyRequest::new(order)
        };
        let attacker = !self.position.to_move();
        match verify(self.position, &request) {
            Ok(checked) => {
                self.result.nodes += checked.nodes;
                self.verified(self.position, attacker, &checked)
            }
            Err(_) => Expansion::estimated(missing(attacker, HOPELESS)),
        }
    }

    fn prove_win(&mut self, order: u8) -> Expansion {
        let mover = self.position.to_move();
        match self.solve(self.position, order, u64::MAX) {
            Some(proof) => self.decided(mover, &proof),
            None => Expansion::estimated(self.glance()),
        }
    }

    /// A first opinion without a proof: who wins if the other does nothing?
    fn glance(&mut self) -> Numbers {
        let mover = self.position.to_move();
        let nodes = self.worker.effort.stubborn;
        if self.solve(self.position, 2, nodes).is_some() {
            missing(mover, 1)
        } else if self.is_pressed() {
            missing(!mover, 4)
        } else {
            Numbers::new(6, 6)
        }
    }

    /// How many of the replies that resisted other turns resist this one too. Those that threaten say nothing.
    fn resisting(&mut self, after: &Position) -> usize {
        let mut known = self.worker.memory.stubborn(&self.name);
        known.retain(|known| !known.threatens);
        let mut resisting: Vec<Vec<Cell>> = Vec::new();
        for known in known.into_iter().take(self.worker.effort.most_stubborn) {
            let turn = known.reply;
            let mut answered = after.clone();
            if answered.play(&turn).is_err() || answered.outcome().is_some() {
                continue;
            }
            let nodes = self.worker.effort.stubborn;
            if self.solve(&answered, 2, nodes).is_none() {
                resisting.push(turn.cells().to_vec());
                if resisting.len() >= MANY_RESIST {
                    break;
                }
            }
        }
        if resisting.len() > FEW_RESIST {
            self.remember(&resisting);
        }
        resisting.len()
    }

    /// Remembers replies that resisted a turn here.
    fn remember(&self, resisted: &[Vec<Cell>]) {
        let whole = usize::from(self.position.rules().per_turn());
        let defender = !self.position.to_move();
        let board = LineBoard::from_position(self.position);
        let pressed = board.has_threat(defender);
        let threatens = |stones: &[Cell]| {
            let mut board = board.clone();
            let cells: Vec<_> = stones.iter().map(|&cell| board.index(cell)).collect();
            for cell in cells.into_iter().flatten() {
                board.place(defender, cell);
            }
            !pressed && board.has_threat(defender)
        };
        for stones in resisted.iter().filter(|stones| stones.len() == whole) {
            let reply = stones.iter().copied().collect();
            let memory = &self.worker.memory;
            memory.resisted(&self.name, reply, || threatens(stones));
        }
    }

    fn verify(
        &mut self,
        position: &Position,
        stages: &[u64],
        patience: Option<usize>,
    ) -> Option<Verification> {
        let name = Name::of(position);
        let known = self.worker.memory.take_begun(&name);
        let request = VerifyRequest {
            stages,
            patience,
            known: known.as_deref(),
            limits: self.limits(u64::MAX),
            stop: Some(self.stop),
            ..VerifyRequest::new(2)
        };
        let checked = verify(position, &request).ok()?;
        self.result.nodes += checked.nodes;
        let begun = checked.proof.as_ref();
        if let Some(proof) = begun.filter(|_| !checked.survivors.is_empty()) {
            self.worker.memory.keep_begun(name, proof.clone());
        }
        Some(checked)
    }

    /// A win of the side to move.
    fn solve(&mut self, position: &Position, order: u8, nodes: u64) -> Option<Box<Proof>> {
        let request = Request {
            limits: self.limits(nodes),
            stop: Some(self.stop),
            ..Request::new(position.to_move(), order)
        };
        let pool = &self.worker.solvers;
        let idle = pool.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut solver = idle.unwrap_or_else(|| Solver::new(TABLE_BITS));
        let solution = solver.solve(position, &request);
        pool.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(solver);
        self.result.nodes += solution.nodes;
        match solution.value {
            Value::Win(proof) => Some(proof),
            Value::None | Value::Unknown => None,
        }
    }

    pub(super) fn limits(&self, nodes: u64) -> Limits {
        let left = self.most_nodes.saturating_sub(self.result.nodes);
        let nodes = nodes.min(left);
        Limits {
            nodes: (nodes < u64::MAX).then_some(nodes),
            time: self
                .deadline
                .map(|end| end.saturating_duration_since(Instant::now())),
        }
    }

    pub(super) fn is_over(&self) -> bool {
        let told = self.stop.load(Ordering::Relaxed);
        let late = self.deadline.is_some_and(|end| Instant::now() >= end);
        told || late || self.result.nodes >= self.most_nodes
    }

    fn decided(&mut self, winner: Side, proof: &Proof) -> Expansion {
        Expansion {
            decided: Some(Decision {
                winner,
                evidence: self.evidence(proof),
            }),
            ..Expansion::default()
        }
    }

    /// Sends the proof along.
    fn evidence(&mut self, proof: &Proof) -> Evidence {
        let text = proof.to_text();
        let id = ProofId::of(&text);
        self.result.proofs.push((id, text));
        Evidence::Proof(id)
    }
}

/// The attacker's turn at the root of a proof.
fn first_turn(proof: &Proof) -> Option<Turn> {
    let root = proof.nodes.first()?;
    Some(root.turn.iter().copied().collect())
}
