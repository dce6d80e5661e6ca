//! Best-first search over quiet turns: orders 3 and above where depth-first search finds nothing.
//!
//! The attacker's quiet turns are verified (`matrix.rs`), and what survives a verification is attacked
//! again, with quiet turns of its own. Proof-number search (Allis, "Searching for Solutions in Games",
//! chapter 2) decides what is looked at next: the proof number of a verified turn is the number of
//! replies that survive. The attacker's turns are taken from a wide list, ranked by the zones of their
//! null-turn win: a small zone leaves the defender few replies. Replies that survived other turns of
//! the same position are tried first, to postpone a turn, never to give it up.

use tengen_threats::LineBoard;

use crate::cover::Child;
use crate::matrix::Matrix;
use crate::ranking::{Candidate, Ranking, ranked_turns};
use crate::refuter::{Patience, Refuter};
use crate::tree::{Cells, WinId};
use crate::zones::zones_of;

/// Proof numbers beyond this are all the same.
const INFINITE: u32 = 1_000_000;

/// How many turns are verified at a time.
const CHUNK: usize = 4;

/// Nodes of a depth-first search before a position is attacked best-first.
const DEPTH_FIRST_NODES: u64 = 40_000;

/// Nodes of each inner search: at first, when a turn looks promising, and before its survivors are
/// attacked.
const QUICK: [u64; 2] = [300, 3_000];
const THOROUGH: u64 = 20_000;

/// How many replies may survive the quick stages before the rest is left for later.
const PATIENCE: usize = 10;

type NodeId = usize;

/// A position in the tree.
struct Node {
    parent: Option<NodeId>,
    /// How much is to be proved until the attacker wins here, at least; 0 when he does.
    proof: u32,
    /// The same until everything is given up here; 0 when it is.
    disproof: u32,
    kind: Kind,
}

enum Kind {
    Attack(Box<Attack>),
    Defence(Box<Defence>),
}

/// The attacker is to move.
struct Attack {
    board: LineBoard,
    /// How many attacks there are up to this one.
    depth: u32,
    /// The turns not yet verified, the best last.
    waiting: Vec<Candidate>,
    children: Vec<NodeId>,
    ranked: bool,
    /// Replies that survived a turn here, and how many turns.
    stubborn: Vec<(Cells, u32)>,
    win: Option<WinId>,
}

/// The defender is to move, after a turn of the attacker.
struct Defence {
    turn: Cells,
    matrix: Matrix,
    /// Whether the quick and the thorough verification are done.
    quick: bool,
    thorough: bool,
    /// Whether something is won, but not together with stones anywhere: nothing helps here.
    endless: bool,
    /// The replies that survive.
    survivors: Vec<(Cells, Option<NodeId>)>,
}

/// The tree and what searches for it.
pub(crate) struct BestFirst<'r, 'a> {
    refuter: &'r mut Refuter<'a>,
    order: u8,
    nodes: Vec<Node>,
}

impl<'r, 'a> BestFirst<'r, 'a> {
    /// Looks for wins of this order; the refuter's own order is that of its depth-first searches.
    pub(crate) fn new(refuter: &'r mut Refuter<'a>, order: u8) -> Self {
        Self {
            refuter,
            order,
            nodes: Vec::new(),
        }
    }

    /// A win of the attacker, who is to move.
    pub(crate) fn win(mut self, board: LineBoard) -> Option<WinId> {
        let root = self.add_attack(board, None);
        self.run(root);
        self.attack(root).win
    }

    /// Answers as many replies as it can; the matrix with what it has found.
    pub(crate) fn defend(mut self, matrix: Matrix) -> Matrix {
        let defence = Defence {
            turn: Cells::new(),
            matrix,
            quick: true,
            thorough: true,
            endless: false,
            survivors: Vec::new(),
        };
        let root = self.add(None, Kind::Defence(Box::new(defence)));
        self.count_survivors(root);
        self.evaluate(root);
        self.run(root);
        let Kind::Defence(defence) = self.nodes.swap_remove(root).kind else {
            unreachable!("the root is a defence");
        };
        defence.matrix
    }

    fn add(&mut self, parent: Option<NodeId>, kind: Kind) -> NodeId {
        self.nodes.push(Node {
            parent,
            proof: 1,
            disproof: 1,
            kind,
        });
        self.nodes.len() - 1
    }

    fn add_attack(&mut self, board: LineBoard, parent: Option<NodeId>) -> NodeId {
        let mut depth = 1;
        let mut at = parent;
        while let Some(id) = at {
            depth += u32::from(matches!(self.nodes[id].kind, Kind::Attack(_)));
            at = self.nodes[id].parent;
        }
        let attack = Attack {
            board,
            depth,
            waiting: Vec::new(),
            children: Vec::new(),
            ranked: false,
            stubborn: Vec::new(),
            win: None,
        };
        let id = self.add(parent, Kind::Attack(Box::new(attack)));
        self.evaluate(id);
        id
    }

    fn run(&mut self, root: NodeId) {
        while !self.refuter.is_over() {
            let Node {
                proof, disproof, ..
            } = self.nodes[root];
            if proof == 0 || disproof == 0 {
                return;
            }
            let leaf = self.most_proving(root);
            self.expand(leaf);
            self.update(leaf);
        }
    }

    /// The node at which a proof or a disproof is nearest.
    fn most_proving(&self, root: NodeId) -> NodeId {
        let mut at = root;
        loop {
            let next = match &self.nodes[at].kind {
                Kind::Attack(attack) => {
                    let best = attack
                        .children
                        .iter()
                        .min_by_key(|&&child| self.nodes[child].proof);
                    best.filter(|&&child| self.nodes[child].proof <= attack.waiting_proof())
                }
                Kind::Defence(defence) => {
                    let children = defence
                        .survivors
                        .iter()
                        .filter_map(|(_, child)| child.as_ref());
                    let open = children.filter(|&&child| self.nodes[child].disproof > 0);
                    open.min_by_key(|&&child| {
                        let child = &self.nodes[child];
                        (child.disproof, std::cmp::Reverse(child.proof))
                    })
                }
            };
            match next {
                Some(&next) => at = next,
                None => return at,
            }
        }
    }

    fn expand(&mut self, id: NodeId) {
        match &self.nodes[id].kind {
            Kind::Attack(attack) if !attack.ranked => self.first_attack(id),
            Kind::Attack(_) => self.widen(id),
            Kind::Defence(defence) if !defence.quick => self.verify(id),
            Kind::Defence(_) => self.attack_survivors(id),
        }
    }

    /// Looks at a position of the attacker for the first time.
    fn first_attack(&mut self, id: NodeId) {
        let board = self.attack(id).board.clone();
        let win = self
            .refuter
            .win_here(&board, self.order, DEPTH_FIRST_NODES)
            .map(|(forest, win, _)| self.refuter.forest.adopt(&forest, win));
        let candidates = match win {
            Some(_) => Vec::new(),
            None => {
                let mut turns = ranked_turns(self.refuter, &board, self.order, Ranking::default());
                turns.reverse();
                turns
            }
        };
        let attack = self.attack_mut(id);
        attack.ranked = true;
        attack.win = win;
        attack.waiting = candidates;
        if attack.win.is_none() {
            self.widen(id);
        }
    }

    /// Verifies the next turns of the attacker.
    fn widen(&mut self, id: NodeId) {
        for _ in 0..CHUNK {
            if self.refuter.is_over() {
                return;
            }
            let attack = self.attack_mut(id);
            let Some(candidate) = attack.waiting.pop() else {
                return;
            };
            let mut board = attack.board.clone();
            for &cell in &candidate.turn {
                board.place(self.refuter.attacker, cell);
            }
            let reply = usize::from(board.rules().per_turn());
            let mut matrix = Matrix::new(board.clone(), self.refuter.attacker, reply);
            let null = candidate.null;
            let null = null.and_then(|(order, nodes)| self.refuter.win_here(&board, order, nodes));
            if let Some((forest, win, zones)) = null {
                matrix.add(Child {
                    stones: Cells::new(),
                    win: self.refuter.forest.adopt(&forest, win),
                    zones,
                });
            }
            let defence = Defence {
                turn: candidate.turn,
                matrix,
                quick: false,
                thorough: false,
                endless: false,
                survivors: Vec::new(),
            };
            let child = self.add(Some(id), Kind::Defence(Box::new(defence)));
            self.attack_mut(id).children.push(child);
            self.look(child);
            self.evaluate(child);
            if self.nodes[child].proof == 0 {
                self.settle(child);
                return;
            }
        }
    }

    /// The stubborn replies first; when they are answered, all.
    fn look(&mut self, id: NodeId) {
        let parent = self.nodes[id].parent.expect("a turn is played somewhere");
        let mut stubborn = self.attack(parent).stubborn.clone();
        stubborn.sort_by_key(|(stones, turns)| (std::cmp::Reverse(*turns), stones.clone()));
        let mut resisted = Vec::new();
        for (stones, _) in stubborn.into_iter().take(8) {
            let (defence, refuter) = self.defence_and_refuter(id);
            if !defence.matrix.is_open(&stones) {
                continue;
            }
            let batch = std::slice::from_ref(&stones);
            if refuter.refute(&mut defence.matrix, batch, QUICK[1]) == 0 {
                resisted.push(stones);
                if resisted.len() >= 2 {
                    break;
                }
            }
        }
        if resisted.is_empty() {
            self.verify(id);
        } else {
            for stones in &resisted {
                self.remember_stubborn(parent, stones);
            }
            let survivors = resisted.into_iter().map(|stones| (stones, None));
            self.defence_mut(id).survivors = survivors.collect();
        }
    }

    /// The quick stages.
    fn verify(&mut self, id: NodeId) {
        let (defence, refuter) = self.defence_and_refuter(id);
        for nodes in QUICK {
            defence.matrix.forget_failures();
            let patience = Patience::Failures(PATIENCE);
            if !refuter.refute_all(&mut defence.matrix, nodes, patience) {
                break;
            }
        }
        defence.quick = true;
        self.count_survivors(id);
    }

    /// Attacks what survives a turn.
    fn attack_survivors(&mut self, id: NodeId) {
        let (defence, refuter) = self.defence_and_refuter(id);
        if !defence.thorough {
            defence.thorough = true;
            defence.matrix.forget_failures();
            refuter.refute_all(&mut defence.matrix, THOROUGH, Patience::Endless);
            self.count_survivors(id);
            return;
        }
        let missing: Vec<Cells> = defence
            .survivors
            .iter()
            .filter(|(_, child)| child.is_none())
            .map(|(stones, _)| stones.clone())
            .collect();
        for stones in missing {
            let mut board = self.defence_mut(id).matrix.board.clone();
            for &cell in &stones {
                board.place(!self.refuter.attacker, cell);
            }
            let child = self.add_attack(board, Some(id));
            let survivors = &mut self.defence_mut(id).survivors;
            let place = survivors.iter_mut().find(|(reply, _)| *reply == stones);
            place.expect("it survives").1 = Some(child);
        }
    }

    /// What survives now; positions under attack already are kept.
    fn count_survivors(&mut self, id: NodeId) {
        let parent = self.nodes[id].parent;
        let defence = self.defence_mut(id);
        let mut frontier = defence.matrix.frontier();
        defence.endless = !std::mem::take(&mut frontier.endless).is_empty();
        let left = frontier.left();
        defence.matrix.forget_met();
        let old = std::mem::take(&mut defence.survivors);
        defence.survivors = left
            .iter()
            .map(|stones| {
                let known = old.iter().find(|(reply, _)| reply == stones);
                (stones.clone(), known.and_then(|(_, child)| *child))
            })
            .collect();
        if let Some(parent) = parent {
            for stones in left {
                self.remember_stubborn(parent, &stones);
            }
        }
    }

    fn remember_stubborn(&mut self, attack: NodeId, stones: &Cells) {
        let stubborn = &mut self.attack_mut(attack).stubborn;
        match stubborn.iter_mut().find(|(reply, _)| reply == stones) {
            Some((_, turns)) => *turns += 1,
            None => stubborn.push((stones.clone(), 1)),
        }
    }

    /// A turn whose replies are all answered wins the position before it.
    fn settle(&mut self, id: NodeId) {
        let (defence, refuter) = self.defence_and_refuter(id);
        defence.matrix.keep_used();
        let win = refuter
            .forest
            .answers(defence.turn.clone(), defence.matrix.replies());
        if let Some(parent) = self.nodes[id].parent {
            self.attack_mut(parent).win = Some(win);
        }
    }

    /// A won position answers a reply of the turn before it.
    fn answer(&mut self, id: NodeId, win: WinId) {
        let Some(parent) = self.nodes[id].parent else {
            return;
        };
        let attacker = self.refuter.attacker;
        let forest = &self.refuter.forest;
        let zones = zones_of(&mut self.attack(id).board.clone(), forest, win, attacker);
        let Some(zones) = zones else {
            // A strategy that does not come out is none.
            let attack = self.attack_mut(id);
            attack.win = None;
            attack.waiting.clear();
            attack.children.clear();
            self.evaluate(id);
            return;
        };
        let (defence, refuter) = self.defence_and_refuter(parent);
        let mut survivors = defence.survivors.iter();
        let Some((stones, _)) = survivors.find(|(_, child)| *child == Some(id)) else {
            return;
        };
        let stones = stones.clone();
        defence.matrix.add(Child { stones, win, zones });
        refuter.refute_all(&mut defence.matrix, THOROUGH, Patience::Endless);
        self.count_survivors(parent);
    }

    /// Computes the numbers from here to the root.
    fn update(&mut self, id: NodeId) {
        let mut at = Some(id);
        while let Some(id) = at {
            self.evaluate(id);
            if self.nodes[id].proof == 0 {
                match &self.nodes[id].kind {
                    Kind::Attack(attack) => {
                        let win = attack.win.expect("proved by a win");
                        self.answer(id, win);
                    }
                    Kind::Defence(_) => self.settle(id),
                }
            }
            at = self.nodes[id].parent;
        }
    }

    fn evaluate(&mut self, id: NodeId) {
        let (proof, disproof) = match &self.nodes[id].kind {
            Kind::Attack(attack) if attack.win.is_some() => (0, INFINITE),
            Kind::Attack(attack) if !attack.ranked => (attack.depth, 1),
            Kind::Attack(attack) => {
                let children = attack.children.iter().map(|&child| &self.nodes[child]);
                let proof = children.clone().map(|child| child.proof).min();
                let disproofs = children.map(|child| child.disproof);
                let disproof = disproofs.fold(0, u32::saturating_add);
                let waiting = u32::from(!attack.waiting.is_empty());
                (
                    proof.unwrap_or(INFINITE).min(attack.waiting_proof()),
                    disproof.saturating_add(waiting).min(INFINITE),
                )
            }
            Kind::Defence(defence) if defence.endless && self.nodes[id].parent.is_some() => {
                (INFINITE, 0)
            }
            Kind::Defence(defence) if defence.survivors.is_empty() && defence.quick => {
                (0, INFINITE)
            }
            Kind::Defence(defence) => {
                let root = self.nodes[id].parent.is_none();
                let survivors = defence.survivors.iter();
                // The root goes on with what is not given up yet.
                let survivors = survivors.filter(|(_, child)| {
                    !root || child.is_none_or(|child| self.nodes[child].disproof > 0)
                });
                let numbers = survivors.map(|(stones, child)| match child {
                    Some(child) => (self.nodes[*child].proof, self.nodes[*child].disproof),
                    // A part of a reply stands for many.
                    None if stones.len() < defence.matrix.reply => (4, 1),
                    None => (1, 1),
                });
                let proofs = numbers.clone().map(|(proof, _)| proof);
                let proof = proofs.fold(0, u32::saturating_add);
                let disproof = numbers.map(|(_, disproof)| disproof).min();
                // Not verified yet: more may survive.
                let unseen = if defence.quick { 0 } else { 3 };
                (
                    proof.saturating_add(unseen).min(INFINITE),
                    disproof.unwrap_or(0),
                )
            }
        };
        let proof = if disproof == 0 { INFINITE } else { proof };
        (self.nodes[id].proof, self.nodes[id].disproof) = (proof, disproof);
    }

    fn attack(&self, id: NodeId) -> &Attack {
        match &self.nodes[id].kind {
            Kind::Attack(attack) => attack,
            Kind::Defence(_) => unreachable!("a position of the attacker"),
        }
    }

    fn attack_mut(&mut self, id: NodeId) -> &mut Attack {
        match &mut self.nodes[id].kind {
            Kind::Attack(attack) => attack,
            Kind::Defence(_) => unreachable!("a position of the attacker"),
        }
    }

    fn defence_mut(&mut self, id: NodeId) -> &mut Defence {
        self.defence_and_refuter(id).0
    }

    /// A position of the defender and what searches in it.
    fn defence_and_refuter(&mut self, id: NodeId) -> (&mut Defence, &mut Refuter<'a>) {
        match &mut self.nodes[id].kind {
            Kind::Defence(defence) => (defence, self.refuter),
            Kind::Attack(_) => unreachable!("a position of the defender"),
        }
    }
}

impl Attack {
    /// What a turn that is not verified yet is thought to need.
    fn waiting_proof(&self) -> u32 {
        if self.waiting.is_empty() {
            INFINITE
        } else {
            self.depth + 1 + self.children.len() as u32 / 8
        }
    }
}
