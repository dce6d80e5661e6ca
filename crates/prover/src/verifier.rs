//! The verifier: which replies to the attacker's last turn are *not* proved to lose.
//!
//! NCTU6-Verifier and RZOP (Wu and Lin, sections III and IV): the null turn, then the semi-null turns
//! in its zone, then the whole turns in theirs, each answered by a search of the given order; see
//! `matrix.rs` for what saves most of these searches. The searches run in stages with more and more
//! nodes, and only what is left is tried again. What remains is a list of survivors, and a proof that
//! all other replies lose.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tengen_rules::{Cell, Overline, Position, Side};
use tengen_threats::{Index, LineBoard};

use crate::best_first::BestFirst;
use crate::cover::Child;
use crate::matrix::Matrix;
use crate::proof::Proof;
use crate::refuter::{Patience, Refuter};
use crate::region::region_of;
use crate::solver::Limits;
use crate::tree::{Cells, WinId};
use crate::zones::{Zones, zones_after, zones_of_replies};

/// The nodes of each inner search, stage by stage.
pub const STAGES: [u64; 5] = [300, 3_000, 20_000, 100_000, 1_000_000];

/// What is asked.
#[derive(Debug, Copy, Clone)]
pub struct VerifyRequest<'a> {
    /// The order of the wins that answer the replies: 2 for VCST, as NCTU6-Verifier.
    pub order: u8,
    /// How many nodes each inner search may take, stage by stage.
    pub stages: &'a [u64],
    /// How many threads search. The result does not depend on it.
    pub threads: usize,
    /// When to give up; what is open then survives.
    pub limits: Limits,
    /// With more survivors than this a stage ends, and nothing finishes: the turn is not worth more.
    pub patience: Option<usize>,
    /// Set from outside to stop.
    pub stop: Option<&'a AtomicBool>,
    /// Receives how far it is.
    pub progress: Option<&'a VerifyProgress>,
    /// What an earlier verification of the same position has proved.
    pub known: Option<&'a Proof>,
}

impl VerifyRequest<'_> {
    /// A request with the usual stages and no limits.
    pub const fn new(order: u8) -> Self {
        Self {
            order,
            stages: &STAGES,
            threads: 1,
            limits: Limits {
                nodes: None,
                time: None,
            },
            patience: None,
            stop: None,
            progress: None,
            known: None,
        }
    }
}

/// How far a verification is. Values are from different moments.
#[derive(Debug, Default)]
pub struct VerifyProgress {
    /// Searches done.
    pub searches: AtomicU64,
    /// Positions looked at.
    pub nodes: AtomicU64,
    /// The present stage, from 1.
    pub stage: AtomicUsize,
    /// Replies, or parts of them, that are to be tried in this stage.
    pub open: AtomicUsize,
    /// Those that were tried in vain in this stage.
    pub failed: AtomicUsize,
    /// Replies and parts of replies that were looked at: without the open and the failed ones, these
    /// are refuted.
    pub met: AtomicU64,
}

/// What is known after a verification.
#[derive(Debug, Clone)]
pub struct Verification {
    /// Stones of replies that are not proved to lose. An entry with fewer stones than a reply stands for
    /// all replies that contain it; the empty one for all replies.
    pub survivors: Vec<Vec<Cell>>,
    /// Those of them that were searched in vain; the others were not looked at when it ended.
    pub resisted: Vec<Vec<Cell>>,
    /// Whether everything was tried with the nodes of the last stage; `false` after a limit or a stop.
    pub finished: bool,
    /// Why all other replies lose; `None` if nothing is proved.
    pub proof: Option<Box<Proof>>,
    /// The zones of the position before the reply, if every reply loses.
    pub zones: Option<Zones>,
    /// How many searches were made.
    pub searches: u64,
    /// How often a strategy found for other stones won again, without a search.
    pub replays: u64,
    /// How many replies and parts of replies were met.
    pub replies: u64,
    /// Positions looked at.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

/// Why a position cannot be verified.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    /// The defender completes a line first.
    #[error("{side} wins at once with {cells}")]
    DefenderWins {
        /// The defender.
        side: Side,
        /// The stones that complete a line.
        cells: String,
    },
    /// Zones do not exist for these rules.
    #[error(
        "where overlines do not win, no reply makes others irrelevant; verification needs that"
    )]
    ExactRules,
    /// The first turn of the game has more stones than the others.
    #[error("a first turn of {0} stones is longer than the others and cannot be verified")]
    LongTurn(u8),
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// What is said to be known is about something else.
    #[error("the earlier proof is about another position")]
    OtherPosition,
}

/// Verifies positions in which the side that has just moved claims to win.
///
/// # Errors
///
/// If the position is not of that sort.
pub fn verify(
    position: &Position,
    request: &VerifyRequest<'_>,
) -> Result<Verification, VerifyError> {
    let start = Instant::now();
    let (rules, left) = (position.rules(), position.left());
    let defender = position.to_move();
    if position.outcome().is_some() {
        return Err(VerifyError::Over);
    }
    if rules.overline() == Overline::DoesNotWin {
        return Err(VerifyError::ExactRules);
    }
    if left > rules.per_turn() {
        return Err(VerifyError::LongTurn(left));
    }
    let board = LineBoard::from_position(position);
    if let Some(set) = board.winning_set(defender, left) {
        let cells: Vec<String> = set.iter().map(|&c| board.cell(c).to_string()).collect();
        return Err(VerifyError::DefenderWins {
            side: defender,
            cells: cells.join(" "),
        });
    }
    let refuter = Refuter {
        threads: request.threads,
        deadline: request.limits.time.and_then(|time| start.checked_add(time)),
        most_nodes: request.limits.nodes.unwrap_or(u64::MAX),
        stop: request.stop,
        progress: request.progress,
        ..Refuter::new(!defender, request.order)
    };
    let mut run = Run {
        request,
        matrix: Matrix::new(board, !defender, usize::from(left)),
        refuter,
    };
    if let Some(known) = request.known {
        if known.position != position.to_setup() || known.attacker != !defender {
            return Err(VerifyError::OtherPosition);
        }
        run.learn(known);
    }
    let ended = run.stages();
    Ok(run.result(position, &ended, start))
}

/// How the stages ended.
struct Ended {
    survivors: Vec<Cells>,
    resisted: Vec<Cells>,
    finished: bool,
}

/// A verification on its way.
struct Run<'a> {
    request: &'a VerifyRequest<'a>,
    matrix: Matrix,
    refuter: Refuter<'a>,
}

impl Run<'_> {
    /// All stages.
    fn stages(&mut self) -> Ended {
        for (stage, &nodes) in self.request.stages.iter().enumerate() {
            if let Some(progress) = self.request.progress {
                progress.stage.store(stage + 1, Ordering::Relaxed);
            }
            self.matrix.forget_failures();
            let patience = self.request.patience;
            let patience = patience.map_or(Patience::Endless, Patience::Failures);
            let whole = self.refuter.refute_all(&mut self.matrix, nodes, patience);
            if !whole {
                let frontier = self.matrix.frontier();
                let resisted = frontier.failed.clone();
                let survivors = frontier.left();
                let finished = survivors.is_empty();
                return Ended {
                    survivors,
                    resisted,
                    finished,
                };
            }
            if self.matrix.frontier().left().is_empty() {
                break;
            }
        }
        if self.request.order > 2 && !self.matrix.frontier().left().is_empty() {
            let Self {
                matrix, refuter, ..
            } = self;
            let board = matrix.board.clone();
            let nothing = Matrix::new(board, refuter.attacker, 0);
            let left = std::mem::replace(matrix, nothing);
            refuter.order = self.request.order - 1;
            *matrix = BestFirst::new(refuter, self.request.order).defend(left);
        }
        let frontier = self.matrix.frontier();
        let untried = !frontier.needed.is_empty() || !frontier.open.is_empty();
        let resisted = frontier.failed.clone();
        let survivors = frontier.left();
        let finished = survivors.is_empty() || !(untried || self.refuter.is_over());
        Ended {
            survivors,
            resisted,
            finished,
        }
    }

    /// Takes over what an earlier proof shows.
    fn learn(&mut self, proof: &Proof) {
        let mut board = self.matrix.board.clone();
        let grid = board.grid();
        let index = |cell: &Cell| grid.index(*cell).map(|index| index as Index);
        let cells = |cells: &[Cell]| cells.iter().map(index).collect::<Option<Cells>>();
        // Children come after their parents.
        let mut wins: Vec<Option<WinId>> = vec![None; proof.nodes.len()];
        for (id, node) in proof.nodes.iter().enumerate().skip(1).rev() {
            let replies = node.replies.iter();
            let replies =
                replies.map(|reply| Some((cells(&reply.stones)?, wins[reply.child as usize]?)));
            let replies: Option<Vec<(Cells, WinId)>> = replies.collect();
            if let (Some(turn), Some(replies)) = (cells(&node.turn), replies) {
                wins[id] = Some(self.refuter.forest.answers(turn, replies));
            }
        }
        let root = proof.nodes.first().map(|node| node.replies.as_slice());
        for reply in root.unwrap_or_default() {
            let (Some(mut stones), Some(win)) = (cells(&reply.stones), wins[reply.child as usize])
            else {
                continue;
            };
            stones.sort_unstable();
            let Refuter {
                forest, attacker, ..
            } = &self.refuter;
            let zones = zones_after(&mut board, forest, &stones, win, *attacker);
            if let Some(zones) = zones {
                self.matrix.add(Child { stones, win, zones });
            }
        }
    }

    fn result(self, position: &Position, ended: &Ended, start: Instant) -> Verification {
        let Self {
            mut matrix,
            mut refuter,
            ..
        } = self;
        matrix.keep_used();
        let board = &mut matrix.board.clone();
        let attacker = refuter.attacker;
        let survivors = named(board, &ended.survivors);
        // Without answers the proof is empty: only open threats win so.
        let threatens = board.has_threat(attacker);
        let proved = survivors.is_empty() || !matrix.children().is_empty() || threatens;
        let root = proved.then(|| refuter.forest.answers(Cells::new(), matrix.replies()));
        let proof = root.map(|root| {
            let mut proof = refuter
                .forest
                .proof(root, board, position.to_setup(), attacker);
            proof.except = survivors.clone();
            proof.region = region_of(board, &refuter.forest, root, attacker);
            Box::new(proof)
        });
        let zones = root.filter(|_| survivors.is_empty()).and_then(|root| {
            let forest = &refuter.forest;
            zones_of_replies(board, forest, forest.get(root), attacker, position.left())
        });
        Verification {
            survivors,
            resisted: named(board, &ended.resisted),
            finished: ended.finished,
            proof,
            zones,
            searches: refuter.searches,
            replays: refuter.replays,
            replies: refuter.replies,
            nodes: refuter.nodes,
            time: start.elapsed(),
        }
    }
}

fn named(board: &LineBoard, sets: &[Cells]) -> Vec<Vec<Cell>> {
    let name = |&cell: &Index| board.cell(cell);
    let mut sets: Vec<Vec<Cell>> = sets
        .iter()
        .map(|set| set.iter().map(name).collect())
        .collect();
    sets.sort();
    sets
}
