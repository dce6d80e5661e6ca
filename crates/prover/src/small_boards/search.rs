//! Depth-first proof-number search for one question: does Black complete a line first?
//!
//! Every stone fills a cell, so positions never repeat and a stored answer holds wherever the position comes up again.
//! After Nagai's df-pn. Where numbers would be added, that of the hardest child counts, and one for each other child that is open
//! ("weak" numbers): the same positions are reached in many orders, and a sum would count them many times.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use tengen_rules::Side;

use super::board::{Board, Stones};
use super::pairing::pairing;
use super::remains::{Game, Left, Remains, cells_of};
use super::table::{INFINITE, Numbers, Table};

/// Pairs that are tried for a position.
const PAIRING_BUDGET: u32 = 60;

/// How often the clock is read, in nodes.
const CLOCK: u64 = 256;

/// A search in one game on one board.
pub(super) struct Search<'a> {
    board: &'a Board,
    game: Game,
    table: Table,
    until: Until<'a>,
    stopped: bool,
    /// Positions expanded, each time they were.
    pub(super) nodes: u64,
}

/// When to give up.
#[derive(Debug, Copy, Clone, Default)]
pub(super) struct Until<'a> {
    /// At so many nodes, all runs of a search together.
    pub(super) nodes: Option<u64>,
    pub(super) deadline: Option<Instant>,
    pub(super) stop: Option<&'a AtomicBool>,
}

impl Until<'_> {
    /// Whether the time is over, or somebody wants it to be.
    pub(super) fn is_over(&self) -> bool {
        let late = self
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline);
        late || self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// What is seen of a position without playing on.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum Sight {
    /// Black wins.
    Wins,
    /// Black does not win.
    Held,
    /// All other cells lose at once what the mover wants.
    Forced(u64),
    /// Nothing.
    Open,
}

struct Child {
    stones: Stones,
    numbers: Numbers,
}

impl<'a> Search<'a> {
    pub(super) fn new(board: &'a Board, game: Game, table_bits: u32) -> Self {
        Self {
            board,
            game,
            table: Table::new(table_bits),
            until: Until::default(),
            stopped: false,
            nodes: 0,
        }
    }

    /// Whether Black wins; `None` if it had to give up, and the next run goes on from there. No line may be complete.
    pub(super) fn black_wins(
        &mut self,
        stones: Stones,
        to_move: Side,
        until: Until<'a>,
    ) -> Option<bool> {
        (self.until, self.stopped) = (until, false);
        let remains = Remains::new(self.board, self.game, stones);
        let stones = self.board.canonical(remains.stones(self.board));
        let mut numbers = self.numbers(&remains, to_move);
        if !numbers.is_decided() {
            numbers = self.expand(stones, to_move, INFINITE, INFINITE);
        }
        let mover_wants = to_move == Side::Black;
        match numbers {
            Numbers { proof: 0, .. } => Some(mover_wants),
            Numbers { disproof: 0, .. } => Some(!mover_wants),
            _ => None,
        }
    }

    /// Searches until a number reaches its limit.
    fn expand(&mut self, stones: Stones, to_move: Side, proof: u32, disproof: u32) -> Numbers {
        self.nodes += 1;
        let before = self.nodes;
        self.look_at_limits();
        let remains = Remains::new(self.board, self.game, stones);
        let cells = match sight(&remains, to_move) {
            Sight::Forced(cell) => cell,
            Sight::Open => remains.best_cells(),
            seen @ (Sight::Wins | Sight::Held) => {
                let numbers = Numbers::decided(seen == Sight::Wins, to_move);
                self.table.put(stones, to_move, numbers, 1);
                return numbers;
            }
        };
        let mut children = self.children(&remains, to_move, cells);
        loop {
            for child in &mut children {
                if let Some(numbers) = self.table.get(child.stones, !to_move) {
                    child.numbers = numbers;
                }
            }
            let (numbers, best, second) = sum(&children);
            let done = numbers.proof >= proof || numbers.disproof >= disproof;
            if done || self.stopped {
                if !self.stopped {
                    let work = u32::try_from(self.nodes - before + 2).unwrap_or(u32::MAX);
                    self.table.put(stones, to_move, numbers, work);
                }
                return numbers;
            }
            let others = numbers.disproof - children[best].numbers.proof;
            let child_proof = disproof.saturating_sub(others).min(INFINITE);
            let child_disproof = proof.min(second.saturating_add(second / 4 + 1));
            let numbers = self.expand(children[best].stones, !to_move, child_proof, child_disproof);
            children[best].numbers = numbers;
        }
    }

    fn look_at_limits(&mut self) {
        self.stopped |= self.until.nodes.is_some_and(|most| self.nodes >= most)
            || self.nodes.is_multiple_of(CLOCK) && self.until.is_over();
    }

    /// The positions after a stone on each of these cells, up to symmetry; they end with the first that is enough.
    fn children(&mut self, remains: &Remains, to_move: Side, cells: u64) -> Vec<Child> {
        let mut children: Vec<Child> = Vec::with_capacity(cells.count_ones() as usize);
        for cell in cells_of(cells) {
            let after = remains.after(to_move, cell);
            let stones = self.board.canonical(after.stones(self.board));
            if children.iter().any(|child| child.stones == stones) {
                continue;
            }
            let numbers = match self.table.get(stones, !to_move) {
                Some(numbers) => numbers,
                None => {
                    let numbers = self.numbers(&after, !to_move);
                    self.table.put(stones, !to_move, numbers, 1);
                    numbers
                }
            };
            children.push(Child { stones, numbers });
            if numbers.disproof == 0 {
                break;
            }
        }
        children
    }

    /// The numbers of a position that has not been expanded.
    fn numbers(&self, remains: &Remains, to_move: Side) -> Numbers {
        let black_wins = match sight(remains, to_move) {
            Sight::Wins => true,
            Sight::Held => false,
            Sight::Open if to_move == Side::Black && has_pairing(remains) => false,
            Sight::Forced(_) | Sight::Open => return estimate(remains, to_move),
        };
        Numbers::decided(black_wins, to_move)
    }
}

/// The numbers of a position by those of its children; the best child, and the disproof number of the next.
fn sum(children: &[Child]) -> (Numbers, usize, u32) {
    let (mut best, mut least, mut second) = (0, INFINITE, INFINITE);
    let (mut hardest, mut unsolved) = (0, 0u32);
    for (place, child) in children.iter().enumerate() {
        let Numbers { proof, disproof } = child.numbers;
        if disproof < least {
            second = least;
            (best, least) = (place, disproof);
        } else {
            second = second.min(disproof);
        }
        hardest = hardest.max(proof);
        unsolved += u32::from(proof != 0);
    }
    let disproof = match hardest {
        INFINITE => INFINITE,
        _ => (hardest + unsolved.saturating_sub(1)).min(INFINITE - 1),
    };
    let numbers = match least {
        0 => Numbers::PROVED,
        _ => Numbers {
            proof: least,
            disproof,
        },
    };
    (numbers, best, second)
}

/// Wins and losses that need no search.
pub(super) fn sight(remains: &Remains, to_move: Side) -> Sight {
    if remains.black.is_empty() {
        return Sight::Held;
    }
    let mut lines = remains.black.iter().chain(&remains.white);
    debug_assert!(lines.all(|left| left.open != 0), "no line is complete");
    let (black, white) = (last_cells(&remains.black), last_cells(&remains.white));
    match to_move {
        Side::Black if black != 0 => Sight::Wins,
        Side::Black if white.count_ones() > 1 => Sight::Held,
        Side::Black if white != 0 => Sight::Forced(white),
        Side::Black if has_fork(&remains.black) => Sight::Wins,
        Side::White if white != 0 => Sight::Held,
        Side::White if black.count_ones() > 1 => Sight::Wins,
        _ if weight(&remains.black) < holding_weight(to_move) => Sight::Held,
        Side::White if black != 0 => Sight::Forced(black),
        _ => Sight::Open,
    }
}

/// The cells that complete a line.
fn last_cells(lefts: &[Left]) -> u64 {
    let opens = lefts.iter().map(|left| left.open);
    let single = opens.filter(|open| open.is_power_of_two());
    single.fold(0, |all, open| all | open)
}

/// Whether some cell leaves two lines with one open cell each, two different cells. Black, to move and with nothing to answer,
/// plays there: White completes no line with the next stone and stops one of the two.
fn has_fork(lefts: &[Left]) -> bool {
    let (mut once, mut twice) = (0, 0);
    for left in lefts.iter().filter(|left| left.open.count_ones() == 2) {
        // Open cells of two lines are different sets: two lines through a cell have different other cells.
        twice |= once & left.open;
        once |= left.open;
    }
    twice != 0
}

/// The weight of one line that is complete.
const ONE: u64 = 1 << 32;

/// The sum of 2^-(open cells) over Black's lines, in units of [`ONE`]; lines longer than 32 are rounded up.
///
/// White holds if it is below 1 with White to move, or below 1/2 with Black to move (Erdős and Selfridge, 1973): let White always take
/// the cell whose lines weigh most. White's stone removes that weight, and Black's next stone doubles the lines of its cell,
/// which adds at most as much, since that cell weighed no more. So the sum is below 1 whenever White is to move, while a
/// complete line alone would weigh 1. A stone of Black at most doubles the sum, which gives the second bound.
fn weight(lefts: &[Left]) -> u64 {
    let weights = lefts
        .iter()
        .map(|left| ONE >> left.open.count_ones().min(32));
    weights.sum()
}

const fn holding_weight(to_move: Side) -> u64 {
    match to_move {
        Side::Black => ONE / 2,
        Side::White => ONE,
    }
}

fn has_pairing(remains: &Remains) -> bool {
    let sets: Vec<u64> = remains.black.iter().map(|left| left.open).collect();
    pairing(&sets, PAIRING_BUDGET).is_some()
}

/// A guess: the heavier Black's lines, the easier it is for Black.
fn estimate(remains: &Remains, to_move: Side) -> Numbers {
    let excess = weight(&remains.black).saturating_sub(holding_weight(to_move));
    let eighths = (excess * 8 / ONE) as u32;
    let (wins, holds) = (1 + 16u32.saturating_sub(eighths) / 4, 1 + eighths.min(32));
    match to_move {
        Side::Black => Numbers {
            proof: wins,
            disproof: holds,
        },
        Side::White => Numbers {
            proof: holds,
            disproof: wins,
        },
    }
}
