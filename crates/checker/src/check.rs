//! Walks over the nodes of a proof and verifies each in the position in which it is met: AT-1 of
//! RZOP, Section IV-B, and Tp-1 of its Appendix.
//!
//! The walk keeps its own stack, so that no file can exhaust the program's. A node that several
//! replies share is checked once for every position.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::board::{Board, Player};
use crate::cover::{Answer, Cover, Won};
use crate::text::{self, Cell, Position, Proof, Side};
use crate::threats::{critical_defences, threat_windows};
use crate::tokens::{self, cell_names};
use crate::verdict::{Budget, Limits, Reason, Report, Stop, Verdict, undecided};
use crate::zones::Zones;

/// Checks a proof in the text form.
///
/// [`Verdict::Verified`] says that the claim *in the file* is true; whether that is the claim one
/// cares about is for the caller to see, or for [`check_claim`]. A file that leaves replies open is
/// never [`Verdict::Verified`]. Never panics, whatever the text.
pub fn check(text: &str, limits: &Limits) -> Verdict {
    match text::parse(text) {
        Ok(proof) => verdict(&proof, limits),
        Err(reason) => Verdict::Rejected(reason),
    }
}

/// Checks a proof and that it is about these rules, this position and this attacker, and about every
/// reply: a proof with exceptions is rejected.
///
/// Positions are compared as sets of stones, with the side to move and the stones left.
pub fn check_claim(
    text: &str,
    rules: &str,
    position: &str,
    attacker: &str,
    limits: &Limits,
) -> Verdict {
    match expected(text, rules, position, attacker) {
        Ok(proof) if proof.claim.except.is_empty() => verdict(&proof, limits),
        Ok(_) => Verdict::Rejected(Reason::general(
            "the proof leaves replies open, expected a win against every reply",
        )),
        Err(reason) => Verdict::Rejected(reason),
    }
}

/// Like [`check_claim`], but the proof may have exceptions: then a success is
/// [`Verdict::VerifiedExcept`], and its report says which.
pub fn check_partial_claim(
    text: &str,
    rules: &str,
    position: &str,
    attacker: &str,
    limits: &Limits,
) -> Verdict {
    match expected(text, rules, position, attacker) {
        Ok(proof) => verdict(&proof, limits),
        Err(reason) => Verdict::Rejected(reason),
    }
}

/// Reads a proof, which must be about these rules, this position and this attacker.
fn expected(text: &str, rules: &str, position: &str, attacker: &str) -> Result<Proof, Reason> {
    let proof = text::parse(text)?;
    match other_claim(&proof, rules, position, attacker) {
        Ok(None) => Ok(proof),
        Ok(Some(message)) => Err(Reason::general(message)),
        Err(message) => Err(Reason::general(format!(
            "the expected claim cannot be read: {message}"
        ))),
    }
}

/// In what the proof's claim differs from the one expected.
fn other_claim(
    proof: &Proof,
    rules: &str,
    position: &str,
    attacker: &str,
) -> Result<Option<String>, String> {
    let expected_rules = tokens::rules(rules)?;
    let expected = tokens::position(position, &expected_rules)?;
    let sorted = |position: &Position| {
        let sort = |cells: &Vec<Cell>| cells.iter().copied().collect::<HashSet<_>>();
        let stones = [sort(&position.black), sort(&position.white)];
        (stones, position.to_move, position.left)
    };
    Ok(if proof.rules != expected_rules {
        let found = &proof.rules_text;
        Some(format!(
            "the proof is about the rules {found}, expected {rules}"
        ))
    } else if sorted(&proof.position) != sorted(&expected) {
        let found = &proof.position_text;
        Some(format!(
            "the proof is about the position {found}, expected {position}"
        ))
    } else if proof.attacker != tokens::side(attacker)? {
        Some(format!(
            "the proof is about a win of the other side, expected {attacker}"
        ))
    } else {
        None
    })
}

fn verdict(proof: &Proof, limits: &Limits) -> Verdict {
    let mut checker = match Checker::new(proof, limits) {
        Ok(checker) => checker,
        Err(stop) => return stop.into(),
    };
    match checker.walk().and_then(|outcome| checker.conclude(outcome)) {
        Ok(report) if report.except.is_empty() => Verdict::Verified(report),
        Ok(report) => Verdict::VerifiedExcept(report),
        Err(stop) => stop.into(),
    }
}

/// Whether a node wins in the position in which it was met, or why not.
type Outcome = Result<Rc<Won>, Reason>;

/// A node in a position: the stones added to the claim's position, in increasing order.
type Met = (usize, Vec<(usize, bool)>);

/// What to do next.
enum Step {
    /// Check this node in the position on the board.
    Enter(usize),
    /// Look at the next reply of the node on top of the stack.
    Reply,
    /// A node is decided.
    Leave(Outcome),
}

/// A node whose replies are being looked at.
struct Frame {
    node: usize,
    met: Option<Met>,
    /// Stones of the attacker's turn.
    turn: Vec<usize>,
    /// How many stones the defender places.
    b: usize,
    /// Tp1-1
    base: Zones,
    defences: Vec<Vec<usize>>,
    /// The reply that comes next.
    next: usize,
    /// What the replies looked at lead to; `None` where that is no win.
    answers: Vec<Option<Rc<Won>>>,
    bytes: usize,
    /// Why the first child that does not win does not.
    failure: Option<Reason>,
    /// A reply was left out that only zones or macro turns could use.
    needs_zones: bool,
}

struct Checker<'a> {
    proof: &'a Proof,
    board: Board,
    /// Stones of the claim's position.
    given: usize,
    /// What the claim leaves open at the root.
    except: Vec<Vec<usize>>,
    /// r: how many zones are kept.
    zones: usize,
    /// Nodes that more than one reply leads to.
    shared: Vec<bool>,
    memo: HashMap<Met, Outcome>,
    memo_bytes: usize,
    stack_bytes: usize,
    covered: u64,
    budget: Budget,
}

impl<'a> Checker<'a> {
    /// Sets up the position of the claim; refuses one that cannot be played.
    fn new(proof: &'a Proof, limits: &Limits) -> Result<Self, Stop> {
        let (rules, position) = (&proof.rules, &proof.position);
        let replies = || proof.nodes.iter().flat_map(|node| &node.replies);
        let stones = position.black.iter().chain(&position.white);
        let named = proof.nodes.iter().flat_map(|node| &node.turn);
        let named = named.chain(replies().flat_map(|reply| &reply.stones));
        let named = named.chain(proof.claim.except.iter().flatten());
        let Some(mut board) = Board::new(rules, stones.chain(named).copied()) else {
            let most = crate::board::MOST_SIDE - 2 * rules.line as i32;
            return Err(undecided(format!(
                "the cells of the proof lie more than {most} columns or rows apart"
            )));
        };
        for (cells, side) in [
            (&position.black, Side::Black),
            (&position.white, Side::White),
        ] {
            let player = player(side, proof.attacker);
            for &cell in cells {
                let index = board.index(cell).expect("the board holds all stones");
                if !board.is_empty(index) {
                    let cell = cell_names(&[cell]);
                    return Err(rejected(format!("{cell} holds two stones in the position")));
                }
                board.place(index, player);
            }
        }
        for (player, name) in [
            (Player::Attacker, "attacker"),
            (Player::Defender, "defender"),
        ] {
            if board.has_line(player) {
                return Err(rejected(format!(
                    "the {name} already has a line in the position"
                )));
            }
        }
        if let Some(region) = proof.claim.region {
            board.confine_attacker(region);
        }
        let mut parents = vec![0_u32; proof.nodes.len()];
        replies().for_each(|reply| parents[reply.child] += 1);
        if rules.exact && (!proof.claim.zones.is_empty() || proof.claim.region.is_some()) {
            return Err(undecided(
                "zones and regions cannot be checked when overlines do not win",
            ));
        }
        let except = proof.claim.except.iter();
        Ok(Self {
            proof,
            given: board.placed().len(),
            except: except.map(|stones| board.indices(stones)).collect(),
            board,
            zones: if rules.exact {
                0
            } else {
                rules.line - rules.per_turn - 1
            },
            shared: parents.into_iter().map(|parents| parents > 1).collect(),
            memo: HashMap::new(),
            memo_bytes: 0,
            stack_bytes: 0,
            covered: 0,
            budget: Budget::new(limits),
        })
    }

    /// Checks the root, and with it all that is needed.
    fn walk(&mut self) -> Result<Outcome, Stop> {
        let mut stack: Vec<Frame> = Vec::new();
        let mut step = Step::Enter(0);
        loop {
            step = match step {
                Step::Enter(node) => self.enter(node, &mut stack)?,
                Step::Reply => match stack.last_mut().and_then(|frame| self.next_reply(frame)) {
                    Some(child) => Step::Enter(child),
                    None => {
                        let frame = stack.pop().expect("replies belong to a node");
                        Step::Leave(self.finish(frame)?)
                    }
                },
                Step::Leave(outcome) => match stack.last_mut() {
                    None => return Ok(outcome),
                    Some(frame) => {
                        self.take_answer(frame, outcome)?;
                        Step::Reply
                    }
                },
            };
        }
    }

    /// Plays the attacker's turn of a node and decides it, or puts it on the stack with the turn
    /// still on the board.
    fn enter(&mut self, node: usize, stack: &mut Vec<Frame>) -> Result<Step, Stop> {
        let met = self.shared[node].then(|| (node, self.added_stones()));
        if let Some(outcome) = met.as_ref().and_then(|met| self.memo.get(met)) {
            return Ok(Step::Leave(outcome.clone()));
        }
        self.budget.visit()?;
        let proof = self.proof;
        let turn = self.board.indices(&proof.nodes[node].turn);
        if let Some(&cell) = turn.iter().find(|&&cell| !self.board.is_empty(cell)) {
            let cell = self.board.names([cell]);
            let outcome = self.fails(node, format!("{cell} of the turn is not empty"));
            return Ok(Step::Leave(self.remember(met, outcome)));
        }
        turn.iter()
            .for_each(|&cell| self.board.place(cell, Player::Attacker));
        let outcome = match self.after_turn(node, &turn)? {
            Err(frame) => {
                stack.push(Frame { met, ..frame });
                return Ok(Step::Reply);
            }
            Ok(outcome) => outcome,
        };
        self.board.take_back(turn.len());
        Ok(Step::Leave(self.remember(met, outcome)))
    }

    /// Decides the position after the attacker's turn if no reply has to be looked at; `Err` is the
    /// work that is left.
    fn after_turn(&mut self, node: usize, turn: &[usize]) -> Result<Result<Outcome, Frame>, Stop> {
        let rules = &self.proof.rules;
        let position = &self.proof.position;
        let attacker_first = position.to_move == self.proof.attacker;
        let (k, p) = (rules.line, rules.per_turn);
        // EP-1 and AT-1. The attacker has completed a line.
        if self.board.has_line(Player::Attacker) {
            let mut zones = Zones::of_won_game(&self.board, k, self.zones);
            zones.add_cells(turn);
            return Ok(Ok(Ok(Rc::new(Won { zones, depth: 1 }))));
        }
        let most = match (node, attacker_first) {
            (0, true) => position.left,
            (0, false) => 0,
            _ => p,
        };
        if rules.exact && turn.len() < most && !self.board_is_full() {
            return Err(self.beyond_exact(node, "a turn that places fewer stones than it may"));
        }
        // The defender may win first, or fill the board.
        let b = if node == 0 && !attacker_first {
            position.left
        } else {
            p
        };
        if let Some(window) = self.board.completable(Player::Defender, b) {
            let window = self.board.names(self.board.window_cells(window));
            let message = format!("the defender wins first, with {window}");
            return Ok(Ok(self.fails(node, message)));
        }
        if !self.board.infinite && self.board.empty_cells() <= b {
            let message = "the defender fills the board, expected a win before that";
            return Ok(Ok(self.fails(node, message)));
        }
        // Tp1-1. If there are more threats than the defender has stones, the attacker wins.
        let threats = threat_windows(&self.board, k - p);
        let longest = b.max(p);
        let mut base = Zones::of_defenders_turn(&self.board, k, self.zones, longest, &threats);
        base.add_cells(turn);
        let defences = critical_defences(&threats, b, &mut self.budget)?;
        let placed = u32::from(!turn.is_empty());
        if defences.is_empty() {
            let depth = placed + 1;
            return Ok(Ok(Ok(Rc::new(Won { zones: base, depth }))));
        }
        Ok(Err(Frame {
            node,
            met: None,
            turn: turn.to_vec(),
            b,
            base,
            defences,
            next: 0,
            answers: Vec::new(),
            bytes: 0,
            failure: None,
            needs_zones: false,
        }))
    }

    /// Places the stones of the next reply that can be answered and returns the child.
    fn next_reply(&mut self, frame: &mut Frame) -> Option<usize> {
        let proof = self.proof;
        let replies = &proof.nodes[frame.node].replies;
        while let Some(reply) = replies.get(frame.next) {
            let stones = self.board.indices(&reply.stones);
            if proof.rules.exact && stones.len() != frame.b {
                frame.needs_zones = true;
            } else if let Some(&cell) = stones.iter().find(|&&cell| !self.board.is_empty(cell)) {
                let cell = self.board.names([cell]);
                let failure = self.reason(frame.node, format!("{cell} of a reply is not empty"));
                frame.failure.get_or_insert(failure);
            } else {
                stones
                    .iter()
                    .for_each(|&cell| self.board.place(cell, Player::Defender));
                // Only a macro turn can do this: D has no window with at most b empty cells.
                if !self.board.has_line(Player::Defender) {
                    return Some(reply.child);
                }
                self.board.take_back(stones.len());
                let stones = self.board.names(stones);
                let message = format!("the reply {stones} completes a line of the defender");
                frame
                    .failure
                    .get_or_insert(self.reason(frame.node, message));
            }
            frame.next += 1;
            frame.answers.push(None);
        }
        None
    }

    /// Takes back the stones of the reply on the board and notes what it led to.
    fn take_answer(&mut self, frame: &mut Frame, outcome: Outcome) -> Result<(), Stop> {
        let reply = &self.proof.nodes[frame.node].replies[frame.next];
        self.board.take_back(reply.stones.len());
        frame.next += 1;
        match outcome {
            Ok(won) => {
                let bytes = won.zones.bytes() + 64;
                frame.bytes += bytes;
                self.stack_bytes += bytes;
                frame.answers.push(Some(won));
            }
            Err(reason) => {
                frame.failure.get_or_insert(reason);
                frame.answers.push(None);
            }
        }
        self.budget.need(self.stack_bytes)
    }

    /// Tp-1. Every critical defence must be covered; the zones used are united with Tp1-1's.
    fn finish(&mut self, mut frame: Frame) -> Result<Outcome, Stop> {
        let proof = self.proof;
        let replies = proof.nodes[frame.node].replies.iter();
        let answers = replies.zip(&frame.answers).filter_map(|(reply, won)| {
            let mut stones = self.board.indices(&reply.stones);
            stones.sort_unstable();
            won.as_deref().map(|won| Answer { stones, won })
        });
        let answers = answers.collect();
        let except: &[_] = if frame.node == 0 { &self.except } else { &[] };
        let mut cover = Cover::new(&self.board, answers, frame.b, proof.rules.exact, except);
        let mut seen = HashSet::new();
        // Where a threat is not answered the attacker wins with the next turn.
        let mut depth = 1;
        for defence in &frame.defences {
            if cover.cover(defence, &mut self.budget)? {
                depth = depth.max(cover.collect(defence, &mut frame.base, &mut seen));
                continue;
            }
            let set = cover.unanswered.clone().unwrap_or_default();
            if frame.needs_zones || (proof.rules.exact && set.len() < frame.b) {
                return Err(self.beyond_exact(frame.node, "a reply that is not a full turn"));
            }
            let message = self.unanswered(&set, frame.b);
            let failure = frame.failure.take();
            let reason = failure.unwrap_or_else(|| self.reason(frame.node, message));
            return Ok(self.leave(frame, Err(reason)));
        }
        self.covered += seen.len() as u64;
        depth += u32::from(!frame.turn.is_empty());
        let zones = std::mem::replace(&mut frame.base, Zones::empty(0, 0));
        Ok(self.leave(frame, Ok(Rc::new(Won { zones, depth }))))
    }

    /// Takes back the attacker's turn.
    fn leave(&mut self, frame: Frame, outcome: Outcome) -> Outcome {
        self.board.take_back(frame.turn.len());
        self.stack_bytes -= frame.bytes;
        self.remember(frame.met, outcome)
    }

    /// Keeps the outcome of a shared node, unless there is no memory for it.
    fn remember(&mut self, met: Option<Met>, outcome: Outcome) -> Outcome {
        if let Some(met) = met {
            let zones = outcome.as_ref().map_or(0, |won| won.zones.bytes());
            let bytes = met.1.len() * 16 + zones + 200;
            let all = self.stack_bytes + self.memo_bytes + bytes;
            if self.budget.need(all).is_err() {
                self.memo.clear();
                self.memo_bytes = 0;
            }
            self.memo_bytes += bytes;
            self.memo.insert(met, outcome.clone());
        }
        outcome
    }

    /// What the verdict is when the root has this outcome.
    fn conclude(&self, outcome: Outcome) -> Result<Report, Stop> {
        let won = outcome.map_err(Stop::Rejected)?;
        // Where replies are left open, extra stones may be such replies: there are no zones.
        let number = match self.except.len() {
            0 => won.zones.len(),
            _ => 0,
        };
        let zones: Vec<Vec<Cell>> = (1..=number)
            .filter_map(|i| won.zones.get(i))
            .map(|zone| {
                let mut cells: Vec<Cell> = zone.cells().map(|c| self.board.cell(c)).collect();
                cells.sort_unstable();
                cells
            })
            .collect();
        for (i, claimed) in self.proof.claim.zones.iter().enumerate() {
            let number = i + 1;
            let claimed: HashSet<Cell> = claimed.iter().copied().collect();
            let missing = match zones.get(i) {
                Some(cells) => cells.iter().copied().find(|cell| !claimed.contains(cell)),
                None if self.board.infinite => {
                    return Err(rejected(format!(
                        "zone {number} is the whole board, claimed less"
                    )));
                }
                None => (0..self.board.cells())
                    .filter(|&cell| self.board.is_empty(cell))
                    .map(|cell| self.board.cell(cell))
                    .find(|cell| !claimed.contains(cell)),
            };
            if let Some(cell) = missing {
                let cell = cell_names(&[cell]);
                return Err(rejected(format!(
                    "{cell} is missing in the claimed zone {number}"
                )));
            }
        }
        Ok(Report {
            nodes: self.proof.nodes.len() as u64,
            visits: self.budget.visits,
            covered: self.covered,
            zones,
            rules: self.proof.rules_text.clone(),
            position: self.proof.position_text.clone(),
            attacker: match self.proof.attacker {
                Side::Black => "black".to_owned(),
                Side::White => "white".to_owned(),
            },
            depth: won.depth,
            except: self.proof.claim.except.clone(),
            region: self
                .proof
                .claim
                .region
                .map(|region| (region.low, region.high)),
        })
    }

    fn added_stones(&self) -> Vec<(usize, bool)> {
        let added = &self.board.placed()[self.given..];
        let stone = |&(cell, player)| (cell, player == Player::Attacker);
        let mut stones: Vec<(usize, bool)> = added.iter().map(stone).collect();
        stones.sort_unstable();
        stones
    }

    fn board_is_full(&self) -> bool {
        !self.board.infinite && self.board.empty_cells() == 0
    }

    fn reason(&self, node: usize, message: impl Into<String>) -> Reason {
        Reason {
            node: Some(node as u64),
            line: Some(self.proof.nodes[node].line),
            message: message.into(),
        }
    }

    fn fails(&self, node: usize, message: impl Into<String>) -> Outcome {
        Err(self.reason(node, message))
    }

    fn unanswered(&self, set: &[usize], b: usize) -> String {
        let names = self.board.names(set.iter().copied());
        match b - set.len() {
            0 => format!("no child answers the reply {names}"),
            more => format!("no child answers the reply {names} with {more} more stones anywhere"),
        }
    }

    fn beyond_exact(&self, node: usize, what: &str) -> Stop {
        let message = format!("{what} cannot be judged when overlines do not win");
        Stop::Undecided(self.reason(node, message))
    }
}

fn player(side: Side, attacker: Side) -> Player {
    if side == attacker {
        Player::Attacker
    } else {
        Player::Defender
    }
}

fn rejected(message: impl Into<String>) -> Stop {
    Stop::Rejected(Reason::general(message))
}
