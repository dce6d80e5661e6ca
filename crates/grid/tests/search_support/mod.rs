//! Small games with known values, and workers that know them.

#![allow(dead_code, reason = "each test file uses its part")]

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use tengen_grid::search::{
    Changes, Config, Event, NodeId, Order, Policy, Retry, Search, Selection,
};
use tengen_grid::{Decision, Evidence, Expansion, Found, ProofId, Verdict, Work};
use tengen_rules::{Cell, PositionKey, Side, Turn};

/// Positions on levels; a turn leads one level down, often to a position that other turns lead to as well.
pub(crate) struct Game {
    levels: Vec<Vec<Position>>,
}

struct Position {
    children: Vec<usize>,
    winner: Side,
}

pub(crate) fn turn(number: usize) -> Turn {
    [Cell::new(number as i16, 0)].into_iter().collect()
}

pub(crate) fn key(level: usize, index: usize) -> PositionKey {
    let mut key = [0; 16];
    key[0] = level as u8;
    key[1..9].copy_from_slice(&(index as u64).to_be_bytes());
    key
}

pub(crate) fn place(key: PositionKey) -> (usize, usize) {
    let index: [u8; 8] = key[1..9].try_into().expect("8 bytes");
    (key[0].into(), u64::from_be_bytes(index) as usize)
}

pub(crate) fn mover(level: usize) -> Side {
    Side::BOTH[level % 2]
}

impl Game {
    pub(crate) fn random(rng: &mut fastrand::Rng) -> Self {
        let depth = rng.usize(2..7);
        let mut levels: Vec<Vec<Position>> = Vec::new();
        let last = (0..12).map(|_| Position {
            children: Vec::new(),
            winner: Side::BOTH[rng.usize(..2)],
        });
        levels.push(last.collect());
        for level in (0..depth).rev() {
            let below = &levels[levels.len() - 1];
            let width = if level == 0 { 1 } else { 12 };
            let positions = (0..width).map(|_| {
                let turns = rng.usize(1..6);
                let children: Vec<usize> = (0..turns).map(|_| rng.usize(..below.len())).collect();
                let side = mover(level);
                let wins = children.iter().any(|&child| below[child].winner == side);
                Position {
                    children,
                    winner: if wins { side } else { !side },
                }
            });
            let positions = positions.collect();
            levels.push(positions);
        }
        levels.reverse();
        Self { levels }
    }

    pub(crate) fn value(&self) -> Side {
        self.levels[0][0].winner
    }

    pub(crate) fn value_of(&self, key: PositionKey) -> Side {
        let (level, index) = place(key);
        self.levels[level][index].winner
    }

    pub(crate) fn root_key() -> PositionKey {
        key(0, 0)
    }

    /// What an honest worker answers: one or more of the turns that are not excluded, in any order.
    pub(crate) fn answer(
        &self,
        key: PositionKey,
        exclude: &[Turn],
        rng: &mut fastrand::Rng,
    ) -> Expansion {
        let (level, index) = place(key);
        let position = &self.levels[level][index];
        if position.children.is_empty() || rng.u32(..20) == 0 {
            return decision(position.winner, Evidence::Proof(proof(rng)));
        }
        let mut left: Vec<usize> = (0..position.children.len())
            .filter(|&number| !exclude.contains(&turn(number)))
            .collect();
        rng.shuffle(&mut left);
        let shown = rng.usize(1..4).min(left.len());
        let turns = left[..shown].iter().map(|&number| {
            let child = self::key(level + 1, position.children[number]);
            Found {
                turn: turn(number),
                key: child,
                verdict: Verdict::ALL[rng.usize(..13)],
                after: (rng.u32(..4) == 0).then(|| Box::new(self.answer(child, &[], rng))),
            }
        });
        let turns = turns.collect();
        let all = shown == left.len() && (shown == 0 || rng.bool());
        Expansion {
            turns,
            rest_loses: all.then(|| Evidence::Proof(proof(rng))),
            hints: left[shown..].iter().map(|&number| turn(number)).collect(),
            ..Expansion::default()
        }
    }
}

pub(crate) fn decision(winner: Side, evidence: Evidence) -> Expansion {
    Expansion {
        decided: Some(Decision { winner, evidence }),
        ..Expansion::default()
    }
}

pub(crate) fn proof(rng: &mut fastrand::Rng) -> ProofId {
    ProofId(rng.u128(..).to_be_bytes())
}

pub(crate) fn answer(node: NodeId, expansion: Expansion) -> Event {
    Event::Answer {
        node,
        expansion,
        seconds: 1.0,
        nodes: 1,
    }
}

/// Every way to choose.
pub(crate) fn configs() -> Vec<Config> {
    let policies = Policy::ALL.into_iter().map(Selection::ProofNumber);
    let uct = Selection::Uct { exploration: 1.0 };
    let config = |selection, fill| Config {
        selection,
        fill,
        retries: 1_000,
        ..Config::default()
    };
    policies
        .chain([uct])
        .flat_map(|selection| [config(selection, false), config(selection, true)])
        .collect()
}

/// A search with unreliable workers: answers come late, twice, in any order or never.
pub(crate) struct Driver<'a> {
    pub(crate) game: &'a Game,
    pub(crate) search: Search,
    pub(crate) journal: Vec<Event>,
    pub(crate) rng: fastrand::Rng,
    workers: usize,
    at_work: Vec<Order>,
    /// Answers that are still on their way although nobody waits for them.
    stray: Vec<Event>,
}

impl<'a> Driver<'a> {
    pub(crate) fn new(game: &'a Game, config: Config, mut rng: fastrand::Rng) -> Self {
        let workers = rng.usize(1..10);
        Self {
            game,
            search: Search::new(Side::Black, Game::root_key(), config),
            journal: Vec::new(),
            rng,
            workers,
            at_work: Vec::new(),
            stray: Vec::new(),
        }
    }

    /// Runs until the root is decided.
    pub(crate) fn run(&mut self) -> Side {
        for _ in 0..100_000 {
            if let Some(winner) = self.search.winner() {
                return winner;
            }
            self.step();
        }
        panic!("the search does not end");
    }

    fn step(&mut self) {
        let free = self.workers - self.at_work.len();
        let orders = self.search.orders(free, Duration::ZERO);
        self.check_orders(&orders);
        self.at_work.extend(orders);
        assert!(!self.at_work.is_empty(), "no job, and not decided");
        check(&self.search);
        let order = self
            .at_work
            .swap_remove(self.rng.usize(..self.at_work.len()));
        let event = self.work(&order);
        match self.rng.u32(..10) {
            0 => {
                assert_eq!(self.search.lost(order.job), Retry::Again);
                if self.rng.bool() {
                    self.stray.push(event);
                }
            }
            1 => {
                self.stray.push(event.clone());
                self.finish(&order, event);
            }
            _ => self.finish(&order, event),
        }
        if !self.stray.is_empty() && self.rng.u32(..4) == 0 {
            let at = self.rng.usize(..self.stray.len());
            let event = self.stray.swap_remove(at);
            self.apply(event);
        }
    }

    fn work(&mut self, order: &Order) -> Event {
        let Work::Expand { exclude, .. } = &order.work else {
            panic!("only expansions are ordered");
        };
        let key = self.search.node(order.node).expect("ordered").key;
        answer(order.node, self.game.answer(key, exclude, &mut self.rng))
    }

    fn finish(&mut self, order: &Order, event: Event) {
        assert_eq!(self.search.finished(order.job), Some(order.node));
        self.apply(event);
    }

    fn apply(&mut self, event: Event) -> Changes {
        self.journal.push(event.clone());
        let changes = self.search.apply(event);
        assert!(changes.contradictions.is_empty(), "everybody is honest");
        assert!(changes.refused.is_empty(), "{:?}", changes.refused);
        for &(node, winner) in &changes.decided {
            let key = self.search.node(node).expect("decided").key;
            assert_eq!(self.game.value_of(key), winner, "{node:?}");
        }
        let cancelled = |order: &Order| changes.cancel.contains(&order.job);
        for order in self
            .at_work
            .extract_if(.., |order| cancelled(order))
            .collect::<Vec<_>>()
        {
            if self.rng.bool() {
                let event = self.work(&order);
                self.stray.push(event);
            }
        }
        check(&self.search);
        let mattering = mattering(&self.search);
        for order in &self.at_work {
            assert!(mattering.contains(&order.node), "{order:?} is pointless");
        }
        changes
    }

    fn check_orders(&self, orders: &[Order]) {
        for (at, order) in orders.iter().enumerate() {
            let others = self.at_work.iter().chain(&orders[..at]);
            assert!(others.into_iter().all(|other| other.node != order.node));
            let node = self.search.node(order.node).expect("ordered");
            assert_eq!(node.decided, None);
            assert_eq!(node.active, Some(order.job));
            let turns: Vec<Turn> = node.children.into_iter().map(|edge| edge.turn).collect();
            let Work::Expand { exclude, hints, .. } = &order.work else {
                panic!("only expansions are ordered");
            };
            assert_eq!(*exclude, turns);
            assert_eq!(*hints, self.search.hints(order.node));
        }
    }
}

/// Nodes that some undecided path connects with the root, from above.
fn mattering(search: &Search) -> BTreeSet<NodeId> {
    let mut seen = BTreeSet::new();
    let mut stack = vec![NodeId::ROOT];
    while let Some(id) = stack.pop() {
        let node = search.node(id).expect("linked");
        if node.decided.is_none() && seen.insert(id) {
            let allowed = node.children.iter().filter(|edge| !edge.excluded);
            stack.extend(allowed.map(|edge| edge.node));
        }
    }
    seen
}

/// The numbers of the tree, by the rules as they are written down, from what watchers see.
pub(crate) fn check(search: &Search) {
    search
        .check_slow()
        .expect("what is kept is what is computed");
    for index in (0..search.len()).rev() {
        let node = search.node(NodeId(index as u32)).expect("in range");
        let table = &search.config().numbers;
        if node.children.is_empty() || node.proof.is_some() {
            if node.decided.is_none() && !node.gave_up {
                assert_eq!(node.numbers, table.of(node.verdict));
            }
            continue;
        }
        let of = |side, (proof, disproof)| {
            if side == Side::Black {
                (proof, disproof)
            } else {
                (disproof, proof)
            }
        };
        let views: BTreeMap<NodeId, bool> = node
            .children
            .iter()
            .map(|edge| (edge.node, edge.excluded))
            .collect();
        let children = views.into_iter().map(|(id, excluded)| {
            let numbers = search.node(id).expect("linked").numbers;
            let (mine, theirs) = of(node.side, (numbers.proof, numbers.disproof));
            (mine, theirs, excluded)
        });
        let children: Vec<_> = children.collect();
        let (mine, theirs) = of(node.side, (node.numbers.proof, node.numbers.disproof));
        let least = children
            .iter()
            .map(|child| child.0)
            .min()
            .expect("children");
        let sum: u64 = children.iter().map(|child| u64::from(child.1)).sum();
        if least == 0 {
            assert_eq!((mine, theirs), (0, u32::MAX));
        } else if sum == 0 && matches!(node.closed, Some(Evidence::Proof(_))) {
            assert_eq!((mine, theirs), (u32::MAX, 0));
        } else {
            assert!(mine > 0 && mine < u32::MAX && theirs > 0 && theirs < u32::MAX);
            let hope = children
                .iter()
                .filter(|child| !child.2 && child.1 > 0)
                .map(|child| child.0)
                .min();
            assert!(hope.is_none_or(|hope| hope == mine), "{node:?}");
            assert_eq!(u64::from(theirs), sum.clamp(1, u64::from(u32::MAX - 1)));
        }
    }
}

/// Everything of the tree that events decide: jobs at work are left out.
pub(crate) fn dump(search: &Search) -> String {
    let mut text = String::new();
    for index in 0..search.len() {
        let id = NodeId(index as u32);
        let mut node = search.node(id).expect("in range");
        node.active = None;
        node.supposed = node.numbers;
        text += &format!("{node:?} {:?} {:?}\n", search.hints(id), search.line(id));
    }
    text
}
