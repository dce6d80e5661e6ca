//! Small databases: positions with a few empty cells, solved by trying everything.

use std::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;

use super::data::{Database, Record, Strategy, canonical};
use super::slow::{BLACK, SlowBoard, WHITE, fault, holds};

/// A random position with so many stones of each side and no line.
pub(super) fn random_board(
    width: u8,
    height: u8,
    exact: bool,
    each: usize,
    rng: &mut Rng,
) -> SlowBoard {
    loop {
        let stones = rng.choose_multiple(0..width * height, 2 * each);
        let board = SlowBoard::new(width, height, exact, &stones[..each], &stones[each..]);
        if !board.has_line(BLACK) && !board.has_line(WHITE) {
            return board;
        }
    }
}

/// A strategy for the attacker, to move without a win at once: at most so many moves deep.
pub(super) fn attack(board: &mut SlowBoard, depth: usize) -> Option<Strategy> {
    let threats = board.fives(WHITE);
    let candidates = match threats.len() {
        0 => board.empties(),
        1 => threats,
        _ => return None,
    };
    candidates.into_iter().find_map(|cell| {
        board.set(cell, BLACK);
        let children = defend(board, depth);
        board.set(cell, 0);
        children.map(|children| Strategy { cell, children })
    })
}

/// A child for every reply after which there is no win at once.
fn defend(board: &mut SlowBoard, depth: usize) -> Option<Vec<(u8, Strategy)>> {
    let mut children = Vec::new();
    for reply in board.replies()? {
        board.set(reply, WHITE);
        let child = match board.wins_at_once() {
            true => Some(None),
            false if depth > 1 => attack(board, depth - 1).map(Some),
            false => None,
        };
        board.set(reply, 0);
        if let Some(child) = child? {
            children.push((reply, child));
        }
    }
    Some(children)
}

/// A solver that makes records.
struct Solver {
    width: u8,
    height: u8,
    exact: bool,
    strategy_depth: usize,
    records: BTreeMap<Vec<u8>, Record>,
    lost: BTreeSet<(Vec<u8>, usize)>,
}

impl Solver {
    /// Whether Black, to move, wins a canonical position with so many moves that make records.
    fn solve(&mut self, encoding: &[u8], moves: usize) -> bool {
        if self.records.contains_key(encoding) {
            return true;
        }
        if moves == 0 || self.lost.contains(&(encoding.to_vec(), moves)) {
            return false;
        }
        let (black, white) = encoding.split_at(encoding.len() / 2);
        let mut board = SlowBoard::new(self.width, self.height, self.exact, black, white);
        for cell in board.empties() {
            board.set(cell, BLACK);
            let strategies = self.strategies(&mut board, cell, moves);
            board.set(cell, 0);
            if let Some(strategies) = strategies {
                let (black, white) = (black.to_vec(), white.to_vec());
                let record = Record {
                    black,
                    white,
                    cell,
                    strategies,
                };
                self.records.insert(encoding.to_vec(), record);
                return true;
            }
        }
        self.lost.insert((encoding.to_vec(), moves));
        false
    }

    /// Strategies that together with records answer every reply to a move.
    fn strategies(
        &mut self,
        board: &mut SlowBoard,
        cell: u8,
        moves: usize,
    ) -> Option<Vec<Strategy>> {
        let mut strategies: Vec<Strategy> = Vec::new();
        if board.wins_on(cell, BLACK) {
            return Some(strategies);
        }
        let replies = board.empties();
        // Quiet moves are not tried: they seldom win.
        board.replies()?;
        for reply in replies {
            board.set(reply, WHITE);
            let known = board.turn(None) || strategies.iter().any(|s| board.turn(Some(s)));
            let answered = known
                || match attack(board, self.strategy_depth) {
                    Some(strategy) => {
                        strategies.push(strategy);
                        true
                    }
                    None => {
                        let (black, white) = (board.cells_with(BLACK), board.cells_with(WHITE));
                        let next = canonical(self.width, self.height, &black, &white);
                        self.solve(&next, moves - 1)
                    }
                };
            board.set(reply, 0);
            if !answered {
                return None;
            }
        }
        Some(strategies)
    }
}

/// A database for this position, if Black wins in so many moves that make records; nothing in it can
/// be left out.
pub(super) fn database(board: &SlowBoard, moves: usize, strategy_depth: usize) -> Option<Database> {
    let root = (board.cells_with(BLACK), board.cells_with(WHITE));
    let (width, height) = (board.width as u8, board.height as u8);
    let mut solver = Solver {
        width,
        height,
        exact: board.exact,
        strategy_depth,
        records: BTreeMap::new(),
        lost: BTreeSet::new(),
    };
    if !solver.solve(&canonical(width, height, &root.0, &root.1), moves) {
        return None;
    }
    let mut database = Database {
        width,
        height,
        exact: board.exact,
        root,
        records: solver.records.into_values().collect(),
    };
    database.sort();
    assert_eq!(fault(&database), None);
    leave_out_what_is_not_needed(&mut database);
    assert_eq!(fault(&database), None);
    Some(database)
}

fn leave_out_what_is_not_needed(database: &mut Database) {
    // Records with few stones first: others may be needed for them only.
    let mut number = 0;
    while number < database.records.len() {
        let mut without = database.clone();
        without.records.remove(number);
        if fault(&without).is_none() {
            *database = without;
        } else {
            number += 1;
        }
    }
    for number in 0..database.records.len() {
        let mut record = database.records[number].clone();
        for strategy in (0..record.strategies.len()).rev() {
            let mut candidate = record.clone();
            candidate.strategies.remove(strategy);
            if holds(database, &candidate) {
                record = candidate;
            }
        }
        loop {
            let smaller = without_a_child(&record)
                .into_iter()
                .find(|candidate| holds(database, candidate));
            match smaller {
                Some(smaller) => record = smaller,
                None => break,
            }
        }
        database.records[number] = record;
    }
}

/// All records with one child less.
pub(super) fn without_a_child(record: &Record) -> Vec<Record> {
    let mut smaller = Vec::new();
    for strategy in 0..record.strategies.len() {
        for node in 0..record.strategies[strategy].nodes() {
            for child in 0.. {
                let mut record = record.clone();
                let node = record.strategies[strategy].node(node).expect("it is there");
                if child >= node.children.len() {
                    break;
                }
                node.children.remove(child);
                smaller.push(record);
            }
        }
    }
    smaller
}
