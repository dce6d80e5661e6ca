//! Proof-number search over positions (Allis, sections 2 and 5.4): Black to move chooses among turns that threaten to win by
//! threats if White passes; White's replies are those that no strategy found so far answers.
//!
//! A node is a position with Black to move, up to symmetry, so the tree is a DAG without cycles. Only wins are
//! believed for good: a node whose turns have all failed is merely without hope. `models.rs` finds positions like one at hand that are won,
//! `records.rs` writes down what is proved.

mod models;
mod records;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};
use tengen_evaluation::PatternBoard;
use tengen_rules::{Position, Side};

use super::board::Board;
use super::cells::{Cell, Cells};
use super::record::Records;
use super::rules_of;
use super::strategy::{AtHand, Strategy, at_hand, related, wins};
use super::symmetry::{Encoding, Symmetry, canonical, stones_of};
use super::threats::{Answer, Means, ThreatSearch};

const INFINITE: u32 = 1 << 28;

/// What a node and a step of a strategy take in memory, about, with all that belongs to them.
const BYTES_OF_NODE: usize = 1_200;
const BYTES_OF_STEP: usize = 72;
/// The table of threat searches: 2^`TABLE_BITS` entries of 16 bytes.
const BYTES_OF_TABLE: usize = 16 << TABLE_BITS;
const TABLE_BITS: u32 = 18;

/// How much is tried where.
#[derive(Debug, Clone)]
pub struct Effort {
    /// Nodes of a threat search with so many stones or fewer; the last counts for all others.
    pub threats: Vec<(usize, u64)>,
    /// How many turns of Black are looked at, at first.
    pub turns: usize,
    /// How many replies may resist before a turn of Black is left for another.
    pub patience: usize,
    /// A position that is looked at again has so many times the nodes.
    pub again: u64,
    /// Whether the replies that resist count as the worst of them, and one for each other, instead of all.
    pub worst: bool,
    /// Positions with so many stones more than the first are the last that are looked at: threats lead ever deeper where there is
    /// nothing.
    pub depth: usize,
}

impl Default for Effort {
    fn default() -> Self {
        Self {
            threats: vec![(5, 30_000), (7, 6_000), (9, 2_000), (255, 500)],
            turns: 4,
            patience: 4,
            again: 8,
            worst: false,
            depth: 24,
        }
    }
}

impl Effort {
    fn nodes(&self, stones: usize) -> u64 {
        let level = self.threats.iter().find(|(most, _)| stones <= *most);
        level.or(self.threats.last()).map_or(1_000, |level| level.1)
    }

    /// Threat searches with few stones, of which there are few, get more nodes at higher levels.
    pub(crate) fn search_longer(&mut self, level: u32) {
        for (stones, nodes) in &mut self.threats {
            let doublings = match *stones {
                0..=5 => 2 * level,
                6..=7 => level + level.div_ceil(2),
                8..=9 => level,
                _ => 0,
            };
            *nodes = nodes.saturating_mul(1 << doublings.min(16));
        }
    }
}

/// What a position with so many stones costs, whatever it looks like. Without a price on depth a search follows threats that lead nowhere: they
/// leave few replies, so their numbers stay small.
const fn price(stones: usize) -> u32 {
    2 + (stones * stones / 30) as u32
}

/// How much faster the price rises than the odds of Black's win, by their logarithms, and which logarithm has the plain price.
const STEEP: f64 = 1.5;
const EVEN: f64 = 0.5;
/// Opinions change a price so many times at most, up and down.
const DEAREST: f64 = 8.0;
const CHEAPEST: f64 = 0.25;

/// A turn of Black and what is known of White's replies to it.
#[derive(Debug, Default)]
struct Turn {
    stone: Cell,
    /// Strategies that answer replies, as the node's position has the cells.
    strategies: Vec<Arc<Strategy>>,
    /// Replies that nobody has looked at.
    open: Cells,
    /// Replies that resist threats, and the positions after them.
    kids: Vec<(Cell, usize)>,
    dead: bool,
    /// A won position much like this one, whose winning turn this is.
    model: Option<Model>,
}

/// A won position, and the symmetry that leads from its cells to those of another.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
struct Model {
    node: usize,
    symmetry: Symmetry,
}

/// From where one comes to a position: the position before, the turn and White's reply.
#[derive(Debug, Copy, Clone)]
struct Way {
    node: usize,
    turn: usize,
    reply: Cell,
}

#[derive(Debug, Default)]
enum State {
    /// Nobody has looked at it.
    #[default]
    Fresh,
    Open,
    /// Won by threats.
    Threats(Arc<Strategy>),
    /// Won by a turn.
    Won(usize),
    /// Nothing is left to be tried.
    Hopeless,
}

#[derive(Debug)]
struct Node {
    position: Encoding,
    state: State,
    turns: Vec<Turn>,
    /// Turns that were not looked at, the best last; `None` before they were listed.
    untried: Option<Vec<Cell>>,
    proof: u32,
    disproof: u32,
    parents: Vec<usize>,
}

/// What was done.
#[derive(Debug, Copy, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    /// Positions whose turns or replies were looked at.
    pub expansions: u64,
    /// Threat searches.
    pub searches: u64,
    /// Those that ended unknown.
    pub unknown: u64,
    /// Strategies played through.
    pub replays: u64,
    /// Positions that the threat searches looked at.
    pub nodes: u64,
}

impl Work {
    /// What was done since.
    pub(crate) const fn since(self, before: Self) -> Self {
        Self {
            expansions: self.expansions - before.expansions,
            searches: self.searches - before.searches,
            unknown: self.unknown - before.unknown,
            replays: self.replays - before.replays,
            nodes: self.nodes - before.nodes,
        }
    }
}

impl std::ops::AddAssign for Work {
    fn add_assign(&mut self, other: Self) {
        self.expansions += other.expansions;
        self.searches += other.searches;
        self.unknown += other.unknown;
        self.replays += other.replays;
        self.nodes += other.nodes;
    }
}

/// A search from one position.
#[derive(Debug)]
pub(crate) struct Tree {
    size: (usize, usize),
    empty: Board,
    threats: ThreatSearch,
    effort: Effort,
    nodes: Vec<Node>,
    places: HashMap<Encoding, usize>,
    /// What is won already.
    records: Arc<Records>,
    /// Stones of the last positions that are looked at.
    deepest: usize,
    /// Steps of all strategies that are kept.
    steps: usize,
    /// The empty board as somebody sees it who does not search.
    patterns: PatternBoard,
    /// What was done.
    pub(crate) work: Work,
    /// Expansions when what it has proved was kept last.
    pub(crate) kept_at: u64,
}

impl Tree {
    /// On an empty board of this kind.
    pub(crate) fn new(empty: Board, effort: Effort, records: Arc<Records>) -> Self {
        Self {
            size: empty.size(),
            threats: ThreatSearch::new(empty.clone(), TABLE_BITS),
            effort,
            nodes: Vec::new(),
            places: HashMap::new(),
            records,
            deepest: usize::MAX,
            steps: 0,
            patterns: PatternBoard::from_position(&Position::new(rules_of(&empty))),
            empty,
            work: Work::default(),
            kept_at: 0,
        }
    }

    /// Puts a position on the board.
    fn set_up(&mut self, position: &[u8]) {
        self.threats.board = self.empty.clone();
        for (side, cell) in stones_of(self.size, position) {
            self.threats.board.place(side, cell);
        }
    }

    fn node(&mut self, position: Encoding) -> usize {
        if let Some(&known) = self.places.get(&position) {
            return known;
        }
        let number = self.nodes.len();
        self.places.insert(position.clone(), number);
        let mut node = Node {
            proof: self.first_guess(&position),
            position,
            state: State::Fresh,
            turns: Vec::new(),
            untried: None,
            disproof: 1,
            parents: Vec::new(),
        };
        if let Some(record) = self.records.get(self.size, &node.position) {
            node.turns.push(Turn {
                stone: record.stone,
                strategies: record.strategies.into_iter().map(Arc::new).collect(),
                ..Turn::default()
            });
            (node.state, node.proof, node.disproof) = (State::Won(0), 0, INFINITE);
        }
        if node.proof != 0 && node.position.len() > self.deepest {
            (node.state, node.proof, node.disproof) = (State::Hopeless, INFINITE, 0);
        }
        self.nodes.push(node);
        number
    }

    /// The proof number of a position that nobody has looked at: the better it looks for Black, the smaller. This guides the search, and decides nothing.
    fn first_guess(&mut self, position: &[u8]) -> u32 {
        let stones = stones_of(self.size, position);
        let odds = self.seen(&stones, |board| {
            f64::from(board.evaluate(Side::Black)) / 100.0
        });
        let times = (STEEP * (EVEN - odds)).exp().clamp(CHEAPEST, DEAREST);
        (f64::from(price(stones.len())) * times).round().max(1.0) as u32
    }

    /// What the patterns of a position say.
    fn seen<T>(&mut self, stones: &[(Side, Cell)], look: impl FnOnce(&PatternBoard) -> T) -> T {
        for &(side, cell) in stones {
            let index = self.index(cell);
            self.patterns.place(side, index);
        }
        let seen = look(&self.patterns);
        for _ in stones {
            self.patterns.undo();
        }
        seen
    }

    /// The number of a cell in the patterns.
    fn index(&self, cell: Cell) -> u16 {
        u16::from(cell >> 4) * self.size.0 as u16 + u16::from(cell & 15)
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        BYTES_OF_TABLE + self.nodes.len() * BYTES_OF_NODE + self.steps * BYTES_OF_STEP
    }

    /// The node of a position.
    pub(crate) fn root(&mut self, board: &Board) -> usize {
        self.deepest = board.count() + self.effort.depth;
        let (position, _) = canonical(board);
        self.node(position)
    }

    /// Whether Black wins there.
    pub(crate) fn is_won(&self, node: usize) -> bool {
        matches!(self.nodes[node].state, State::Won(_) | State::Threats(_))
    }

    /// Works on a position until it is decided, so many expansions were made, or it is told to stop.
    fn search(
        &mut self,
        root: usize,
        way: Option<Way>,
        expansions: u64,
        stop: &AtomicBool,
    ) -> bool {
        let limit = self.work.expansions + expansions;
        while self.nodes[root].proof != 0
            && self.nodes[root].disproof != 0
            && self.work.expansions < limit
            && !stop.load(Ordering::Relaxed)
        {
            let (node, way, turn) = self.most_proving(root, way);
            self.work.expansions += 1;
            match turn {
                None => self.expand(node, way),
                Some(turn) => self.examine(node, turn),
            }
            self.update(node);
        }
        self.is_won(root)
    }

    /// The position to look at, how one came there, and the turn whose replies are to be looked at.
    fn most_proving(&self, root: usize, way: Option<Way>) -> (usize, Option<Way>, Option<usize>) {
        let (mut at, mut way) = (root, way);
        loop {
            let node = &self.nodes[at];
            if matches!(node.state, State::Fresh) {
                return (at, way, None);
            }
            let turns = node.turns.iter().enumerate();
            let best = turns
                .filter(|(_, turn)| !turn.dead)
                .min_by_key(|(_, turn)| self.proof_of(turn));
            let Some((number, turn)) = best else {
                return (at, way, None);
            };
            if self.proof_of(turn) > self.reluctance(node) {
                return (at, way, None);
            }
            let kids = turn.kids.iter();
            let kid = kids
                .filter(|(_, kid)| self.nodes[*kid].proof != 0)
                .min_by_key(|(_, kid)| (self.nodes[*kid].disproof, self.nodes[*kid].proof));
            match kid {
                Some(&(reply, kid)) => {
                    way = Some(Way {
                        node: at,
                        turn: number,
                        reply,
                    });
                    at = kid;
                }
                None => return (at, way, Some(number)),
            }
        }
    }

    /// How large the number of the best turn must be before other turns are looked at.
    fn reluctance(&self, node: &Node) -> u32 {
        let price = price(node.position.len());
        match &node.untried {
            None => 14 + price,
            Some(untried) if untried.is_empty() => INFINITE,
            Some(_) => 15 + price + 2 * node.turns.len() as u32,
        }
    }

    fn proof_of(&self, turn: &Turn) -> u32 {
        if turn.dead {
            return INFINITE;
        }
        let kids = turn.kids.iter().map(|&(_, kid)| self.nodes[kid].proof);
        let open = turn.open.len().div_ceil(8);
        let kids = match self.effort.worst {
            true => {
                let (worst, count) = kids.fold((0, 0), |(worst, count), proof| {
                    (proof.max(worst), count + u32::from(proof != 0))
                });
                worst + count.saturating_sub(1)
            }
            false => kids.fold(0, |sum, proof| (sum + proof).min(INFINITE)),
        };
        (kids + open).min(INFINITE)
    }

    fn disproof_of(&self, turn: &Turn) -> u32 {
        if turn.dead {
            return 0;
        }
        let kids = turn.kids.iter().map(|&(_, kid)| &self.nodes[kid]);
        kids.filter(|kid| kid.proof != 0)
            .map(|kid| kid.disproof)
            .min()
            .unwrap_or(1)
    }

    /// Computes the numbers of a node and of those that depend on it.
    fn update(&mut self, node: usize) {
        let mut waiting = vec![node];
        let mut first = true;
        while let Some(at) = waiting.pop() {
            let node = &self.nodes[at];
            let (proof, disproof) = match &node.state {
                State::Fresh => (node.proof, node.disproof),
                State::Threats(_) | State::Won(_) => (0, INFINITE),
                State::Hopeless => (INFINITE, 0),
                State::Open => {
                    let proofs = node.turns.iter().map(|turn| self.proof_of(turn));
                    let mut proof = proofs.min().unwrap_or(INFINITE);
                    let disproofs = node.turns.iter().map(|turn| self.disproof_of(turn));
                    let mut disproof = disproofs.fold(0, |sum, one| (sum + one).min(INFINITE));
                    if node.untried.as_ref().is_none_or(|left| !left.is_empty()) {
                        disproof += 1;
                        proof = proof.min(self.reluctance(node) + 1);
                    }
                    (proof, disproof)
                }
            };
            let before = (node.proof, node.disproof);
            let mut state = None;
            if proof == 0 && matches!(node.state, State::Open) {
                let won = node.turns.iter().position(|turn| self.proof_of(turn) == 0);
                state = won.map(State::Won);
            } else if disproof == 0 {
                state = Some(State::Hopeless);
            }
            let node = &mut self.nodes[at];
            if let Some(state) = state {
                node.state = state;
                if let State::Won(turn) = node.state {
                    let turn = std::mem::take(&mut node.turns[turn]);
                    node.turns = vec![turn];
                    node.state = State::Won(0);
                    node.untried = Some(Vec::new());
                } else {
                    node.turns = Vec::new();
                }
            }
            (node.proof, node.disproof) = (proof, if proof == 0 { INFINITE } else { disproof });
            if (node.proof, node.disproof) != before || std::mem::take(&mut first) {
                waiting.extend_from_slice(&self.nodes[at].parents);
            }
        }
    }

    /// Looks at a position for the first time, or at more turns of Black.
    fn expand(&mut self, number: usize, way: Option<Way>) {
        let position = self.nodes[number].position.clone();
        if matches!(self.nodes[number].state, State::Fresh) {
            let hints = self.hints(number, way);
            self.nodes[number].state = State::Open;
            self.set_up(&position);
            if !hints.is_empty() {
                for (stone, model) in hints {
                    if let Some(turn) = self.try_turn(stone, Some(model)) {
                        self.nodes[number].turns.push(turn);
                    }
                }
                return;
            }
        }
        self.set_up(&position);
        if self.nodes[number].untried.is_none() {
            let nodes = self.effort.nodes(position.len()) * self.effort.again;
            if let Some(strategy) = self.win(nodes) {
                self.nodes[number].state = State::Threats(Arc::new(strategy));
                return;
            }
            let mut candidates = self.candidates();
            let known: Cells = self.nodes[number]
                .turns
                .iter()
                .map(|turn| turn.stone)
                .collect();
            candidates.retain(|&cell| !known.contains(cell));
            self.nodes[number].untried = Some(candidates);
        }
        for _ in 0..self.effort.turns {
            let untried = self.nodes[number].untried.as_mut();
            let Some(stone) = untried.and_then(Vec::pop) else {
                break;
            };
            if let Some(turn) = self.try_turn(stone, None) {
                self.nodes[number].turns.push(turn);
            }
        }
    }

    fn win(&mut self, nodes: u64) -> Option<Strategy> {
        self.work.searches += 1;
        let won = self.threats.win(Side::Black, nodes);
        self.work.nodes = self.threats.nodes;
        self.work.unknown += u64::from(won.is_none());
        self.steps += won.as_ref().map_or(0, Vec::len);
        won
    }

    /// Turns of Black worth a thought, those last that attract strong players most.
    fn candidates(&mut self) -> Vec<Cell> {
        let board = &self.threats.board;
        match at_hand(board, Side::Black) {
            AtHand::Loss => return Vec::new(),
            AtHand::Forced(cell) => return vec![cell],
            AtHand::Win | AtHand::Quiet => {}
        }
        let worth = |cell| 2 * board.worth(Side::Black, cell) + board.worth(Side::White, cell);
        let mut cells: Vec<Cell> = board.empty().iter().collect();
        cells.retain(|&cell| worth(cell) > 0);
        cells.sort_by_key(|&cell| worth(cell));
        let stones: Vec<(Side, Cell)> = board.placed().collect();
        let numbers: Vec<u16> = cells.iter().map(|&cell| self.index(cell)).collect();
        let attraction = self.seen(&stones, |board| {
            let attraction = |&number: &u16| board.attraction(Side::Black, number);
            numbers.iter().map(attraction).collect::<Vec<i32>>()
        });
        // Stable: among equals by what they make.
        let mut ranked: Vec<(i32, Cell)> = attraction.into_iter().zip(cells).collect();
        ranked.sort_by_key(|&(attraction, _)| attraction);
        ranked.into_iter().map(|(_, cell)| cell).collect()
    }

    /// A turn of Black, if it threatens to win by threats.
    fn try_turn(&mut self, stone: Cell, model: Option<Model>) -> Option<Turn> {
        let nodes = self.effort.nodes(self.threats.board.count() + 1);
        self.threats.board.place(Side::Black, stone);
        let turn = self.threatening(stone, model, nodes);
        self.threats.board.undo();
        turn
    }

    fn threatening(&mut self, stone: Cell, model: Option<Model>, nodes: u64) -> Option<Turn> {
        let board = &self.threats.board;
        if !board.fives(Side::White).is_empty() {
            return None;
        }
        if !board.fours(Side::White).is_empty()
            && self.threats.search(Side::White, Means::Fours, 200) == Answer::Won
        {
            return None;
        }
        let mut turn = Turn {
            stone,
            model,
            ..Turn::default()
        };
        for strategy in self.strategies_of(model) {
            self.work.replays += 1;
            if let Some(open) = related(&mut self.threats.board, Side::Black, &strategy) {
                turn.open = match turn.strategies.is_empty() {
                    true => open,
                    false => turn.open.and(open),
                };
                turn.strategies.push(strategy);
            }
        }
        if turn.strategies.is_empty() {
            let strategy = self.win(nodes)?;
            turn.open = related(&mut self.threats.board, Side::Black, &strategy)?;
            turn.strategies.push(Arc::new(strategy));
        }
        Some(turn)
    }

    /// Looks at replies to a turn, strongest first, until enough of them resist.
    fn examine(&mut self, number: usize, turn: usize) {
        let position = self.nodes[number].position.clone();
        self.set_up(&position);
        let mut at = std::mem::take(&mut self.nodes[number].turns[turn]);
        self.threats.board.place(Side::Black, at.stone);
        let board = &self.threats.board;
        let mut replies: Vec<Cell> = at.open.iter().collect();
        // A four leaves one answer; otherwise what is worth most to either side.
        replies.sort_by_key(|&cell| {
            std::cmp::Reverse(board.worth(Side::White, cell) + board.worth(Side::Black, cell))
        });
        let mut resist = 0;
        let modelled = self.strategies_of(at.model);
        for reply in replies {
            if !at.open.contains(reply) {
                continue;
            }
            if resist >= self.effort.patience {
                break;
            }
            at.open.remove(reply);
            if self.threats.board.fives(Side::White).contains(reply) {
                at.dead = true;
                break;
            }
            if let Some(kid) = self.examine_reply(&mut at, &modelled, reply) {
                let (proof, disproof) = (self.nodes[kid].proof, self.nodes[kid].disproof);
                if !self.nodes[kid].parents.contains(&number) {
                    self.nodes[kid].parents.push(number);
                }
                at.kids.push((reply, kid));
                if disproof == 0 {
                    at.dead = true;
                    break;
                }
                resist += usize::from(proof != 0);
            }
        }
        self.nodes[number].turns[turn] = at;
    }

    /// The position after a reply that no threats answer.
    fn examine_reply(
        &mut self,
        turn: &mut Turn,
        modelled: &[Arc<Strategy>],
        reply: Cell,
    ) -> Option<usize> {
        let nodes = self.effort.nodes(self.threats.board.count() + 1);
        self.threats.board.place(Side::White, reply);
        for strategy in turn.strategies.iter().rev() {
            self.work.replays += 1;
            if wins(&mut self.threats.board, Side::Black, strategy) {
                self.threats.board.undo();
                return None;
            }
        }
        for strategy in modelled {
            let known = |other: &Arc<Strategy>| Arc::ptr_eq(other, strategy);
            self.work.replays += 1;
            if !turn.strategies.iter().any(known)
                && wins(&mut self.threats.board, Side::Black, strategy)
            {
                turn.strategies.push(Arc::clone(strategy));
                self.threats.board.undo();
                return None;
            }
        }
        let (position, _) = canonical(&self.threats.board);
        if let Some(&known) = self.places.get(&position) {
            self.threats.board.undo();
            return Some(known);
        }
        let found = self.win(nodes);
        self.threats.board.undo();
        match found {
            Some(strategy) => {
                if let Some(cells) = related(&mut self.threats.board, Side::Black, &strategy) {
                    turn.open = turn.open.and(cells);
                }
                turn.strategies.push(Arc::new(strategy));
                None
            }
            None => Some(self.node(position)),
        }
    }
}

/// A turn of Black after which all replies are positions of their own.
#[derive(Debug, Copy, Clone)]
pub(crate) struct Quiet {
    node: usize,
    turn: usize,
}

impl Tree {
    /// A turn in the position on the board, whatever it threatens.
    pub(crate) fn quiet_turn(&mut self, board: &Board, stone: Cell) -> Quiet {
        let (position, symmetry) = canonical(board);
        let number = self.node(position.clone());
        self.deepest = position.len() + 2 + self.effort.depth;
        let stone = symmetry.apply(self.size, stone);
        self.set_up(&position);
        self.threats.board.place(Side::Black, stone);
        let mut kids = Vec::new();
        for reply in self.threats.board.empty().iter() {
            self.threats.board.place(Side::White, reply);
            let (after, _) = canonical(&self.threats.board);
            self.threats.board.undo();
            kids.push((reply, self.node(after)));
        }
        let node = &mut self.nodes[number];
        node.untried = Some(Vec::new());
        node.turns.push(Turn {
            stone,
            kids,
            ..Turn::default()
        });
        Quiet {
            node: number,
            turn: node.turns.len() - 1,
        }
    }

    /// The replies that were not answered yet, one for each position after them.
    pub(crate) fn open_replies(&self, at: Quiet) -> Vec<(Cell, usize)> {
        let mut known = std::collections::HashSet::new();
        let kids = self.nodes[at.node].turns[at.turn].kids.iter();
        kids.filter(|(_, kid)| known.insert(*kid) && !self.is_won(*kid))
            .copied()
            .collect()
    }

    /// The position of a quiet turn and its stone, as this tree has them.
    pub(crate) fn stones(&self, at: Quiet) -> Vec<(Side, Cell)> {
        let node = &self.nodes[at.node];
        let mut stones = stones_of(self.size, &node.position);
        stones.push((Side::Black, node.turns[at.turn].stone));
        stones
    }

    /// Works on the position after a reply to a quiet turn.
    pub(crate) fn work_on(
        &mut self,
        at: Quiet,
        (reply, kid): (Cell, usize),
        expansions: u64,
        stop: &AtomicBool,
    ) -> bool {
        let Quiet { node, turn } = at;
        self.search(kid, Some(Way { node, turn, reply }), expansions, stop)
    }

    /// Works on the position on the board.
    pub(crate) fn work_at(&mut self, root: usize, expansions: u64, stop: &AtomicBool) -> bool {
        self.search(root, None, expansions, stop)
    }

    /// Whether nothing is left to be tried there.
    pub(crate) fn is_hopeless(&self, node: usize) -> bool {
        matches!(self.nodes[node].state, State::Hopeless)
    }
}
