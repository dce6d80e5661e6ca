//! The verifier: which replies to the attacker's last turn are *not* proved to lose.
//!
//! NCTU6-Verifier and RZOP (Wu and Lin, sections III and IV): the null turn, then the semi-null turns
//! in its zone, then the whole turns in theirs, each answered by a search of the given order; see
//! `matrix.rs` for what saves most of these searches. The searches run in stages with more and more
//! nodes, and only what is left is tried again. What remains is a list of survivors, and a proof that
//! all other replies lose.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tengen_rules::{Cell, Overline, Position, Side};
use tengen_threats::{Index, LineBoard};

use crate::cover::Child;
use crate::matrix::Matrix;
use crate::proof::Proof;
use crate::search::{Budget, Search};
use crate::solver::Limits;
use crate::table::Table;
use crate::tree::{Cells, Forest, WinId};
use crate::zones::{Zones, zones_after, zones_of, zones_of_replies};

/// How many searches are chosen at a time, whatever the number of threads: the result must not
/// depend on that.
const BATCH: usize = 8;

/// The nodes of each inner search, stage by stage.
pub const STAGES: [u64; 4] = [300, 3_000, 20_000, 100_000];

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
}

/// What is known after a verification.
#[derive(Debug, Clone)]
pub struct Verification {
    /// Stones of replies that are not proved to lose. An entry with fewer stones than a reply stands for
    /// all replies that contain it; the empty one for all replies.
    pub survivors: Vec<Vec<Cell>>,
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
    let mut run = Run {
        attacker: !defender,
        request,
        deadline: request.limits.time.and_then(|time| start.checked_add(time)),
        matrix: Matrix::new(board.clone(), !defender, usize::from(left)),
        forest: Forest::default(),
        tables: Vec::new(),
        searches: 0,
        replays: 0,
        nodes: 0,
        replies: 0,
    };
    if let Some(known) = request.known {
        if known.position != position.to_setup() || known.attacker != !defender {
            return Err(VerifyError::OtherPosition);
        }
        run.learn(known);
    }
    let (survivors, finished) = run.stages();
    Ok(run.result(position, board, survivors, finished, start))
}

/// A verification on its way.
struct Run<'a> {
    attacker: Side,
    request: &'a VerifyRequest<'a>,
    deadline: Option<Instant>,
    matrix: Matrix,
    forest: Forest,
    tables: Vec<Table>,
    searches: u64,
    replays: u64,
    nodes: u64,
    replies: u64,
}

/// What a search for one set of stones has found.
struct Found {
    stones: Cells,
    win: Option<(Strategy, Zones)>,
    nodes: u64,
    /// A limit of the whole verification ended it: this says nothing.
    stopped: bool,
}

/// A strategy that answers: one that is known already, or a new one.
enum Strategy {
    Known(WinId),
    New(Forest, WinId),
}

impl Run<'_> {
    /// All stages; the survivors, and whether nothing was cut short.
    fn stages(&mut self) -> (Vec<Cells>, bool) {
        let mut survivors = vec![Cells::new()];
        for (stage, &nodes) in self.request.stages.iter().enumerate() {
            if let Some(progress) = self.request.progress {
                progress.stage.store(stage + 1, Ordering::Relaxed);
            }
            self.matrix.forget_failures();
            let finished = self.stage(nodes);
            let left = self.matrix.frontier();
            survivors = [left.failed, left.needed, left.open].concat();
            if !finished {
                return (survivors, false);
            }
            if survivors.is_empty() {
                break;
            }
        }
        (survivors, true)
    }

    /// Tries everything that is open with so many nodes each; `false` when a limit ended it.
    fn stage(&mut self, nodes: u64) -> bool {
        loop {
            let frontier = self.matrix.frontier();
            let batch = self.matrix.next_searches(&frontier, BATCH);
            if let Some(progress) = self.request.progress {
                let open = frontier.needed.len() + frontier.open.len();
                progress.open.store(open, Ordering::Relaxed);
                progress
                    .failed
                    .store(frontier.failed.len(), Ordering::Relaxed);
                progress.searches.store(self.searches, Ordering::Relaxed);
                progress.nodes.store(self.nodes, Ordering::Relaxed);
            }
            self.replies = self.replies.max(frontier.met());
            if batch.is_empty() {
                return true;
            }
            for found in self.search_all(batch, nodes) {
                match found.win {
                    Some((Strategy::Known(_), _)) => self.replays += 1,
                    _ => self.searches += 1,
                }
                self.nodes += found.nodes;
                if found.stopped {
                    return false;
                }
                self.add(found);
            }
        }
    }

    fn add(&mut self, found: Found) {
        let Some((strategy, zones)) = found.win else {
            self.matrix.fail(found.stones);
            return;
        };
        let win = match strategy {
            Strategy::Known(win) => win,
            Strategy::New(forest, win) => self.forest.adopt(&forest, win),
        };
        self.matrix.children.push(Child {
            stones: found.stones,
            win,
            zones,
        });
    }

    /// Searches for all these stones, on as many threads as were asked for.
    fn search_all(&mut self, batch: Vec<Cells>, nodes: u64) -> Vec<Found> {
        let threads = self.request.threads.clamp(1, batch.len());
        while self.tables.len() < threads {
            self.tables.push(Table::new(18));
        }
        let mut tables = std::mem::take(&mut self.tables);
        let next = AtomicUsize::new(0);
        let results: Mutex<Vec<(usize, Found)>> = Mutex::new(Vec::new());
        let work = |table: &mut Table| loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(stones) = batch.get(place) else {
                return;
            };
            let found = self.search(stones, nodes, table);
            let mut results = results.lock().expect("no search panics with the lock");
            results.push((place, found));
        };
        if threads == 1 {
            work(&mut tables[0]);
        } else {
            std::thread::scope(|scope| {
                for table in &mut tables[..threads] {
                    scope.spawn(|| work(table));
                }
            });
        }
        self.tables = tables;
        let mut results = results.into_inner().expect("all searches have ended");
        results.sort_by_key(|(place, _)| *place);
        results.into_iter().map(|(_, found)| found).collect()
    }

    /// Looks for a win against these stones.
    fn search(&self, stones: &Cells, nodes: u64, table: &mut Table) -> Found {
        let mut board = self.matrix.board.clone();
        let mut complete = false;
        for &cell in stones {
            complete |= board.place(!self.attacker, cell);
        }
        debug_assert!(!complete, "the defender cannot win at once");
        let mut found = Found {
            stones: stones.clone(),
            win: None,
            nodes: 0,
            stopped: false,
        };
        // What beats another reply often beats this one too.
        for win in self.known_wins(stones) {
            found.nodes += 1;
            if let Some(zones) = zones_of(&mut board, &self.forest, win, self.attacker) {
                found.win = Some((Strategy::Known(win), zones));
                return found;
            }
        }
        let left = self
            .request
            .limits
            .nodes
            .map(|all| all.saturating_sub(self.nodes));
        let budget = Budget {
            nodes: nodes.min(left.unwrap_or(u64::MAX)),
            deadline: self.deadline,
            stop: self.request.stop,
            progress: None,
        };
        table.next_search();
        let mut search = Search::new(board, self.attacker, table, budget);
        let per_turn = search.per_turn;
        let win = search.any_of_order(self.request.order, per_turn);
        found.nodes += search.nodes;
        found.stopped = win.is_none() && self.is_over();
        let zones =
            win.and_then(|win| zones_of(&mut search.board, &search.forest, win, self.attacker));
        if let (Some(win), Some(zones)) = (win, zones) {
            found.win = Some((Strategy::New(search.forest, win), zones));
        }
        found
    }

    fn is_over(&self) -> bool {
        let told = self
            .request
            .stop
            .is_some_and(|stop| stop.load(Ordering::Relaxed));
        let late = self
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline);
        let spent = self
            .request
            .limits
            .nodes
            .is_some_and(|nodes| self.nodes >= nodes);
        told || late || spent
    }

    /// The wins of other stones, those that share most stones first.
    fn known_wins(&self, stones: &Cells) -> Vec<WinId> {
        let mut children: Vec<&Child> = self.matrix.children.iter().collect();
        let shared = |child: &Child| {
            let shared = child.stones.iter().filter(|cell| stones.contains(cell));
            shared.count()
        };
        children.reverse();
        children.sort_by_key(|child| std::cmp::Reverse(shared(child)));
        let mut wins: Vec<WinId> = Vec::new();
        for child in children {
            if !wins.contains(&child.win) {
                wins.push(child.win);
            }
        }
        wins
    }

    /// Takes over what an earlier proof shows.
    fn learn(&mut self, proof: &Proof) {
        let index = |cell: &Cell| self.matrix.board.index(*cell);
        let cells = |cells: &[Cell]| cells.iter().map(index).collect::<Option<Cells>>();
        // Children come after their parents.
        let mut wins: Vec<Option<WinId>> = vec![None; proof.nodes.len()];
        for (id, node) in proof.nodes.iter().enumerate().skip(1).rev() {
            let replies = node.replies.iter();
            let replies =
                replies.map(|reply| Some((cells(&reply.stones)?, wins[reply.child as usize]?)));
            let replies: Option<Vec<(Cells, WinId)>> = replies.collect();
            if let (Some(turn), Some(replies)) = (cells(&node.turn), replies) {
                wins[id] = Some(self.forest.answers(turn, replies));
            }
        }
        let root = proof.nodes.first().map(|node| node.replies.as_slice());
        for reply in root.unwrap_or_default() {
            let (Some(mut stones), Some(win)) = (cells(&reply.stones), wins[reply.child as usize])
            else {
                continue;
            };
            stones.sort_unstable();
            let mut board = self.matrix.board.clone();
            let zones = zones_after(&mut board, &self.forest, &stones, win, self.attacker);
            if let Some(zones) = zones {
                self.matrix.children.push(Child { stones, win, zones });
            }
        }
    }

    fn result(
        mut self,
        position: &Position,
        board: LineBoard,
        survivors: Vec<Cells>,
        finished: bool,
        start: Instant,
    ) -> Verification {
        self.matrix.keep_used();
        let mut board = board;
        let overwhelmed = survivors.is_empty() && self.matrix.children.is_empty();
        let children = self.matrix.children.iter();
        let replies: Vec<(Cells, WinId)> = children
            .map(|child| (child.stones.clone(), child.win))
            .collect();
        let proof = (!replies.is_empty() || overwhelmed).then(|| {
            let root = self.forest.answers(Cells::new(), replies);
            let mut proof = self
                .forest
                .proof(root, &board, position.to_setup(), self.attacker);
            proof.except = named(&board, &survivors);
            (Box::new(proof), root)
        });
        let zones = proof
            .as_ref()
            .filter(|_| survivors.is_empty())
            .and_then(|(_, root)| {
                let root = self.forest.get(*root);
                zones_of_replies(
                    &mut board,
                    &self.forest,
                    root,
                    self.attacker,
                    position.left(),
                )
            });
        Verification {
            survivors: named(&board, &survivors),
            finished,
            proof: proof.map(|(proof, _)| proof),
            zones,
            searches: self.searches,
            replays: self.replays,
            replies: self.replies,
            nodes: self.nodes,
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
